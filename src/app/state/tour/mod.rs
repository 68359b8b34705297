//! The tour: steps that a new user follows in the window. Each step sets a scene, asks a question about it,
//! waits until the user has done the task, watches what happens, and explains the outcome.

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

/// Time from the user's action to the outcome.
const WATCHED: Nanos = Nanos::from_secs(2);

/// A user's place in the tour.
pub struct Tour {
    pub step: usize,
    /// True if the user has done what the step asks for.
    pub is_done: bool,
    /// Time that has passed since then.
    watched: Nanos,
    /// What has happened since then, in words.
    pub outcome: Option<String>,
    /// First position of the pointer over the crowd in this step.
    pointer: Option<Point>,
    /// What the scenes of the tour change, as it was before the tour: the settings, the view, the colours, the tab below
    /// the capsules, their zoom, and whether there are panels. It returns after the tour.
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
            watched: Nanos::ZERO,
            outcome: None,
            pointer: None,
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

    /// Moves this many steps forward, or back if negative. Moving past the last step ends the tour.
    pub(super) fn walk_tour(&mut self, by: isize) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        let step = tour.step.saturating_add_signed(by);
        if step < STEPS.len() {
            tour.step = step;
            self.set_scene();
        } else {
            self.end_tour();
        }
    }

    /// Ends the tour. Everything that its scenes have changed is as before it, except that the game runs.
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

    /// Shows the scene of the current step: a running game with the step's settings and everything else as usual.
    fn set_scene(&mut self) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        tour.is_done = false;
        (tour.watched, tour.outcome) = (Nanos::ZERO, None);
        tour.pointer = None;
        let (step, number) = (tour.step(), tour.step + 1);
        self.note(format_args!("tour step {number}"));
        // End lasting disturbances, which would spoil the outcome.
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

    /// Recognises whether the user's last command, which has been executed, was what the tour asks for.
    pub(super) fn follow_tour(&mut self, command: Command) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        let is_done = match tour.step().done {
            // Other keys than its own lead to a strategy, too.
            Done::Command(Command::Strategy(entry)) => {
                self.view == View::Grid && self.settings.strategy == entry
            }
            Done::Command(wanted) => command == wanted,
            Done::Entities(least) => self.settings.knobs.get(&ENTITIES) >= least,
            Done::Pointer(least) => match command {
                Command::Point(Some(at)) => {
                    let (x, y) = tour.pointer.get_or_insert(at).towards(at);
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

    /// Notes that game time has `passed` in the view on screen. Finds the outcome of the step once enough has passed since
    /// the user did its task.
    pub(super) fn watch_tour(&mut self, passed: Nanos) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        if !tour.is_done || tour.outcome.is_some() {
            return;
        }
        tour.watched += passed;
        let (watched, step, number) = (tour.watched, tour.step(), tour.step + 1);
        if watched < WATCHED {
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
