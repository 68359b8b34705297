//! A tour for new users. Each step sets up a scene, asks a question, waits for a task, and explains what happened.

use super::command::{Command, GridCommand};
use super::grid::LowerTab;
use super::view::View;
use super::{ColourMode, Flow, State};
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::{
    StrategyEntry, all_at_once, every_frame, fixed_interval, max_per_frame, request_list,
    time_budget,
};
use lab::sim::disturbance::Disturbance;
use lab::sim::machine;
use lab::sim::settings::Settings;
use lab::sim::world::{COST, ENTITIES};

pub struct Tour {
    pub step: usize,
    pub is_done: bool,
    settings_before: Settings,
    view_before: View,
}

pub struct Step {
    pub title: &'static str,
    strategy: &'static StrategyEntry,
    /// The knobs that this step changes from their defaults, with their new values.
    knobs: &'static [(&'static Knob, f64)],
    /// A description of the scene, followed by a question about what will happen.
    pub question: &'static str,
    /// The task for the user. `[key]` is replaced with the key that completes the step.
    pub task: &'static str,
    done: Done,
    pub explanation: &'static str,
}

enum Done {
    Command(Command),
    /// The crowd has at least this many entities.
    Entities(f64),
    /// The pointer is over the right half of the crowd. The card of the tour covers a part of the left half.
    Pointer,
}

impl Tour {
    pub fn step(&self) -> &'static Step {
        &STEPS[self.step]
    }
}

impl Step {
    /// Returns the command that completes the step, or `None` if the user completes the step in another way.
    pub fn command(&self) -> Option<Command> {
        match self.done {
            Done::Command(command) => Some(command),
            Done::Entities(_) | Done::Pointer => None,
        }
    }

    fn is_done(&self, state: &State, command: Command) -> bool {
        match self.done {
            // A strategy can also be reached with other keys than its own.
            Done::Command(Command::Strategy(entry)) => {
                state.view == View::Grid && state.settings.strategy == entry
            }
            Done::Command(wanted) => command == wanted,
            Done::Entities(least) => state.settings.knobs.get(&ENTITIES) >= least,
            Done::Pointer => {
                matches!(command, Command::Grid(GridCommand::Point(Some(at))) if at.x > 0.5)
            }
        }
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
            settings_before: self.settings.clone(),
            view_before: self.view,
        });
        self.interface.help = false;
        self.grid.restart();
        self.walk_tour(0);
        self.make_still_frames();
    }

    /// Moves the tour by `steps` steps and sets up the scene of the new one. The tour ends after the last step.
    pub(super) fn walk_tour(&mut self, steps: isize) {
        let Some(tour) = &mut self.tour else {
            return;
        };
        tour.step = tour.step.saturating_add_signed(steps);
        tour.is_done = false;
        let Some(step) = STEPS.get(tour.step) else {
            return self.end_tour();
        };
        let number = tour.step + 1;
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
        self.interface.panels = true;
        self.show(View::Grid);
        if self.still.is_none() {
            self.flow = Flow::Running;
        }
    }

    /// Ends the tour and restores the settings and the view that the user had before it.
    pub(super) fn end_tour(&mut self) {
        if let Some(tour) = self.tour.take() {
            self.settings = tour.settings_before;
            self.note("tour over");
            self.show(tour.view_before);
        }
    }

    /// Checks whether a command that has been executed has completed the user's task in the current step.
    pub(super) fn follow_tour(&mut self, command: Command) {
        let Some(tour) = &self.tour else {
            return;
        };
        if !tour.is_done && tour.step().is_done(self, command) {
            let number = tour.step + 1;
            self.note(format_args!("tour done {number}"));
            if let Some(tour) = &mut self.tour {
                tour.is_done = true;
            }
        }
    }
}

pub const STEPS: [Step; 8] = [
    Step {
        title: "Everything in every frame",
        strategy: &every_frame::ENTRY,
        knobs: &[],
        question: "A capsule flashes red when its task runs. All 400 tasks of 100 µs run in every frame, which is 40 \
                   ms of work, so the game cannot exceed 25 frames per second, and a 60 Hz display shows only 20. \
                   What changes if each task runs only twice a second?",
        task: "Press [key] and watch the plots below.",
        done: Done::Command(Command::Strategy(&all_at_once::ENTRY)),
        explanation: "Twice a second, one frame now runs all 400 tasks, which is 40 ms of work. Such a frame is a hitch: \
                      you see a tall bar in the plot, and the game jerks. The frames in between run no tasks.",
    },
    Step {
        title: "The same work, spread out",
        strategy: &all_at_once::ENTRY,
        knobs: &[],
        question: "Each task runs twice a second, but all tasks run in the same frame. What will the plots show if the \
                   strategy spreads the tasks over all frames?",
        task: "Press [key] to switch to such a strategy.",
        done: Done::Command(Command::Strategy(&fixed_interval::ENTRY)),
        explanation: "Each task still runs twice a second, but at 60 frames per second, a frame runs about 13 tasks \
                      instead of 400. No frame has a tall bar of tasks, and the red flashes travel through the crowd.",
    },
    Step {
        title: "The price of spreading",
        strategy: &fixed_interval::ENTRY,
        knobs: &[],
        question: "The target follows your pointer, but a capsule turns to the target only when its task runs. How \
                   soon will all capsules look at your pointer?",
        task: "Move the pointer over the capsules on the right.",
        done: Done::Pointer,
        explanation: "Each capsule looks at the place where your pointer was when its task last ran, up to half a second \
                      ago. The time since that run is called staleness. Staleness is the price of spreading work over \
                      frames.",
    },
    Step {
        title: "A limit per frame",
        strategy: &max_per_frame::ENTRY,
        knobs: &[],
        question: "This strategy runs at most four tasks per frame, however large the crowd is. What will happen to \
                   the frames and the capsules if the crowd grows?",
        task: "Drag the Entities slider on the left to 2,000 or more.",
        done: Done::Entities(2000.0),
        explanation: "A frame still runs at most four tasks. However, 2,000 tasks now need 500 frames until each has run \
                      once, which is more than eight seconds at 60 frames per second, so the capsules turn grey. The \
                      limit protects the frame rate, but staleness grows.",
    },
    Step {
        title: "All requests at once",
        strategy: &request_list::ENTRY,
        knobs: &[],
        question: "With this strategy, a task runs only in the next update after its capsule has requested a run. What \
                   happens if an explosion makes all 400 capsules request a run at the same moment?",
        task: "Press [key] to trigger the explosion.",
        done: Done::Command(Command::Disturb(Disturbance::Requests)),
        explanation: "The next update serves all 400 requests, so its frame takes more than 40 ms. A request list \
                      without a limit turns a burst of events into a hitch.",
    },
    Step {
        title: "A time budget",
        strategy: &time_budget::ENTRY,
        knobs: &[],
        question: "This strategy stops running tasks in an update once they have taken 4 ms. What happens to the \
                   remaining requests if the same explosion makes all 400 capsules request a run?",
        task: "Press [key] to trigger the explosion again.",
        done: Done::Command(Command::Disturb(Disturbance::Requests)),
        explanation: "Requests that do not fit into the budget wait in a queue, which is empty after some frames. No \
                      frame runs more than about 40 tasks. The plot of tasks shows how the backlog shrinks.",
    },
    Step {
        title: "Which strategy is best?",
        strategy: &fixed_interval::ENTRY,
        knobs: &[(&ENTITIES, 2000.0), (&COST, 50.0)],
        question: "There are now 2,000 tasks of 50 µs, and a frame may spend at most 4 ms on tasks. Which strategies \
                   stay within that limit, and how stale does the crowd become with each strategy?",
        task: "Press [key] to run all strategies side by side.",
        done: Done::Command(Command::View(View::Compare)),
        explanation: "Each strategy runs the same crowd on its own simulated computer. As they are set now, only some \
                      strategies keep the limits. The answer at the top has tried other settings, too.",
    },
    Step {
        title: "Frames and game time",
        strategy: &fixed_interval::ENTRY,
        knobs: &[],
        question: "So far, each frame has contained one update of the game. If a slow computer cannot keep up, will a \
                   shot still fly as fast as on a fast computer?",
        task: "Press [key] to compare five frame loops.",
        done: Done::Command(Command::View(View::Loops)),
        explanation: "Each frame loop simulates the same shot on a fast and a slow computer. On the slow computer, \
                      loops that make one fixed step per frame run the game too slowly. The other loops keep up with \
                      real time.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::tests::state;
    use lab::catalog::strategy::STRATEGIES;
    use lab::catalog::strategy::knobs::INTERVAL;
    use lab::sim::world::Point;

    #[test]
    fn each_step_is_done_by_its_action_only_and_the_end_restores_the_settings() {
        let mut state = state();
        state.apply(Command::SetKnob(&INTERVAL, 2.0));
        state.apply(Command::View(View::Loops));
        state.apply(Command::Tour);
        for step in &STEPS {
            let is_done = |state: &State| state.tour.as_ref().is_some_and(|tour| tour.is_done);
            assert_eq!(state.settings.knobs.get(&INTERVAL), INTERVAL.default);
            for command in [
                Command::Strategy(STRATEGIES[STRATEGIES.len() - 1]),
                Command::Grid(GridCommand::Point(Some(Point { x: 0.2, y: 0.2 }))),
                Command::Disturb(Disturbance::Stall),
                Command::Step,
            ] {
                state.apply(command);
            }
            assert!(!is_done(&state), "{}", step.title);
            state.apply(match step.done {
                // The strategies of the tour are at the start of the list, so the next one comes after the last.
                Done::Command(Command::Strategy(entry)) => {
                    let index = STRATEGIES.iter().position(|other| *other == entry);
                    Command::StepStrategy(index.unwrap().cast_signed() + 1)
                }
                Done::Command(command) => command,
                Done::Entities(count) => Command::SetKnob(&ENTITIES, count),
                Done::Pointer => Command::Grid(GridCommand::Point(Some(Point { x: 0.8, y: 0.2 }))),
            });
            assert!(is_done(&state), "{}", step.title);
            state.apply(Command::WalkTour(1));
        }
        assert!(state.tour.is_none());
        assert_eq!(state.view, View::Loops);
        assert_eq!(state.settings.knobs.get(&INTERVAL), 2.0);
        assert_eq!(state.settings.knobs.get(&ENTITIES), 10.0);
    }
}
