//! A tour that introduces new users to the program. Each step sets up a scene, asks a question about it, waits until
//! the user has completed a task, and explains what happened.

mod claims;
mod steps;

pub use steps::{Done, STEPS, Step};

use super::command::Command;
use super::grid::LowerTab;
use super::view::View;
use super::{ColourMode, Flow, State};
use crate::app::capsules::Zoom;
use claims::Evidence;
use headless::sim::disturbance::Disturbance;
use headless::sim::machine;
use headless::sim::settings::Settings;
use headless::sim::world::{ENTITIES, Point};
use timeslicer::knob::KnobValues;
use timeslicer::time::Nanos;

/// How long the tour watches the game after the user has completed the task, before it explains what happened.
const WATCH_TIME: Nanos = Nanos::from_secs(2);

pub struct Tour {
    pub step: usize,
    /// Whether the user has completed the task of the current step.
    pub is_done: bool,
    time_since_done: Nanos,
    /// The explanation of the outcome of this step. It is `None` until the outcome is known.
    pub outcome: Option<String>,
    /// The first pointer position in this step. Used to measure how far the user has moved the pointer.
    first_pointer: Option<Point>,
    /// The state to restore after the tour: the settings, the view, the colour mode, the tab below the capsules, the
    /// zoom, and whether the panels are shown.
    before: (Settings, View, ColourMode, LowerTab, Zoom, bool),
}

impl Tour {
    pub fn step(&self) -> &'static Step {
        &STEPS[self.step]
    }

    pub fn is_at_end(&self) -> bool {
        self.step + 1 == STEPS.len()
    }
}

impl State {
    pub(super) fn toggle_tour(&mut self) {
        if self.tour.is_some() {
            return self.end_tour();
        }
        self.tour = Some(Tour {
            step: 0,
            is_done: false,
            time_since_done: Nanos::ZERO,
            outcome: None,
            first_pointer: None,
            before: (
                self.settings.clone(),
                self.view,
                self.colours,
                self.grid.lower,
                self.grid.zoom,
                self.interface.panels,
            ),
        });
        self.interface.help = false;
        self.grid.restart();
        self.set_scene();
        self.make_still_frames();
    }

    /// Moves the tour forward by `steps` steps, or back if `steps` is negative. Moving past the last step ends the
    /// tour.
    pub(super) fn walk_tour(&mut self, steps: isize) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        let step = tour.step.saturating_add_signed(steps);
        if step < STEPS.len() {
            tour.step = step;
            self.set_scene();
        } else {
            self.end_tour();
        }
    }

    /// Ends the tour and restores everything that the tour has changed. However, the game keeps running even if it was
    /// paused before the tour.
    pub(super) fn end_tour(&mut self) {
        if let Some(tour) = self.tour.take() {
            let view;
            let (grid, panels) = (&mut self.grid, &mut self.interface.panels);
            (
                self.settings,
                view,
                self.colours,
                grid.lower,
                grid.zoom,
                *panels,
            ) = tour.before;
            self.note("tour over");
            self.show(view);
        }
    }

    /// Sets up the scene of the current step. The step's strategy and knobs are applied, the machine and the seed stay
    /// the same, and all other settings are reset.
    fn set_scene(&mut self) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        tour.is_done = false;
        (tour.time_since_done, tour.outcome) = (Nanos::ZERO, None);
        tour.first_pointer = None;
        let (step, number) = (tour.step(), tour.step + 1);
        self.note(format_args!("tour step {number}"));
        // End lasting disturbances, because they would distort the outcome.
        if self.grid.lane.has_slow_display() {
            self.grid.disturb(Disturbance::SlowDisplay);
        }
        if self.grid.lane.world().heavy_task().is_some() {
            self.grid.disturb(Disturbance::Heavy);
        }
        let mut knobs = KnobValues::with(step.knobs);
        for knob in machine::KNOBS {
            knobs.set(knob, self.settings.knobs.get(knob)); // a scene does not change the machine
        }
        self.settings = Settings {
            strategy: step.strategy,
            knobs,
            seed: self.settings.seed,
            ..Settings::default()
        };
        self.colours = ColourMode::Flash;
        self.grid.lower = LowerTab::Plots;
        self.grid.zoom = Zoom::ALL;
        self.interface.panels = true;
        self.show(View::Grid);
        if self.still.is_none() {
            self.flow = Flow::Running;
        }
    }

    /// Checks whether a command has completed the user's task in the current step. Call after the command has been
    /// executed.
    pub(super) fn follow_tour(&mut self, command: Command) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        let is_done = match tour.step().done {
            // A strategy can also be reached with other keys than its own.
            Done::Command(Command::Strategy(entry)) => {
                self.view == View::Grid && self.settings.strategy == entry
            }
            Done::Command(wanted) => command == wanted,
            Done::Entities(least) => self.settings.knobs.get(&ENTITIES) >= least,
            Done::Pointer(least) => match command {
                Command::Point(Some(at)) => {
                    let (x, y) = tour.first_pointer.get_or_insert(at).towards(at);
                    x.hypot(y) >= least
                }
                _ => false,
            },
        };
        if is_done && !tour.is_done {
            tour.is_done = true;
            let number = tour.step + 1;
            self.note(format_args!("tour done {number}"));
        }
    }

    /// Explains the outcome of the current step once enough game time has passed since the user completed the step's
    /// task. `passed` is the game time since the last call.
    pub(super) fn watch_tour(&mut self, passed: Nanos) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        if !tour.is_done || tour.outcome.is_some() {
            return;
        }
        tour.time_since_done += passed;
        let (watched, step, number) = (tour.time_since_done, tour.step(), tour.step + 1);
        if watched < WATCH_TIME {
            return;
        }
        let Some(evidence) = Evidence::of(self, watched) else {
            return;
        };
        let (holds, words) = step.claim.check(&evidence);
        if let Some(tour) = &mut self.tour {
            tour.outcome = Some(words);
        }
        let how = if holds { "expected" } else { "different" };
        self.note(format_args!("tour outcome {number} {how}"));
    }
}

#[cfg(test)]
mod tests;
