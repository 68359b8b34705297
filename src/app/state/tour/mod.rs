//! A tour that introduces new users to the program. Each step sets up a scene, asks a question about it, waits until
//! the user has completed a task, and explains what happened.

mod steps;

pub use steps::{Done, STEPS, Step};

use super::command::{Command, GridCommand};
use super::grid::LowerTab;
use super::view::View;
use super::{ColourMode, Flow, State};
use crate::app::crowd::Zoom;
use lab::catalog::knob::KnobValues;
use lab::sim::disturbance::Disturbance;
use lab::sim::machine;
use lab::sim::settings::Settings;
use lab::sim::world::{ENTITIES, Point};

pub struct Tour {
    pub step: usize,
    /// Whether the user has completed the task of the current step.
    pub is_done: bool,
    /// The first pointer position in this step. Used to measure how far the user has moved the pointer.
    first_pointer: Option<Point>,
    before: Before,
}

/// Everything that the tour changes, as it was before the tour.
struct Before {
    settings: Settings,
    view: View,
    colours: ColourMode,
    lower: LowerTab,
    zoom: Zoom,
    panels: bool,
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
            first_pointer: None,
            before: Before {
                settings: self.settings.clone(),
                view: self.view,
                colours: self.colours,
                lower: self.grid.lower,
                zoom: self.grid.zoom,
                panels: self.interface.panels,
            },
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
            let before = tour.before;
            self.settings = before.settings;
            self.colours = before.colours;
            self.grid.lower = before.lower;
            self.grid.zoom = before.zoom;
            self.interface.panels = before.panels;
            self.note("tour over");
            self.show(before.view);
        }
    }

    /// Sets up the scene of the current step. The step's strategy and knobs are applied, the machine and the seed stay
    /// the same, and all other settings are reset.
    fn set_scene(&mut self) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        tour.is_done = false;
        tour.first_pointer = None;
        let (step, number) = (tour.step(), tour.step + 1);
        self.note(format_args!("tour step {number}"));
        // End lasting disturbances, because the explanation does not expect them.
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
                Command::Grid(GridCommand::Point(Some(at))) => {
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
}

#[cfg(test)]
mod tests;
