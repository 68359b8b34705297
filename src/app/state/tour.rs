//! A tour for new users. Each step sets up a scene, asks a question, waits for a task, and explains what happened.

use super::command::{Command, CompareCommand, GridCommand};
use super::game_limits::GameLimits;
use super::grid::LowerTab;
use super::{ColourMode, Flow, Interface, State};
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::knobs::BUDGET;
use lab::catalog::strategy::{StrategyEntry, all_at_once, fixed_interval, weighted_share};
use lab::cli::View;
use lab::recommend::{Limit, Limits};
use lab::sim::disturbance::Disturbance;
use lab::sim::machine;
use lab::sim::settings::Settings;
use lab::sim::world::{COST, ENTITIES};

pub struct Tour {
    pub step: usize,
    pub is_done: bool,
    settings_before: Settings,
    limits_before: GameLimits,
    view_before: View,
    lower_before: LowerTab,
    interface_before: Interface,
}

pub struct Step {
    pub title: &'static str,
    pub view: View,
    strategy: &'static StrategyEntry,
    /// The knobs that this step changes from their defaults, with their new values.
    knobs: &'static [(&'static Knob, f64)],
    /// A description of the scene, followed by a question about what will happen.
    pub question: &'static str,
    /// The task for the user. `[key]` is replaced with the shortcut key of `command`.
    pub task: &'static str,
    /// The command that completes the step, if it has a key.
    pub command: Option<Command>,
    /// Returns true if a command that has been executed has completed the user's task.
    is_done: fn(&State, Command) -> bool,
    pub explanation: &'static str,
}

impl Tour {
    pub fn step(&self) -> &'static Step {
        &STEPS[self.step]
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
            limits_before: self.compare.best_setting.limits,
            view_before: self.view,
            lower_before: self.grid.lower,
            interface_before: self.interface,
        });
        self.compare.best_setting.limits = GameLimits::new(Limits {
            tasks: Some(BUDGET.default_span()),
            ..Limits::default()
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
        if self.grid.lane.world().heavy().is_some() {
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
        self.interface.colours = ColourMode::Flash;
        self.grid.lower = LowerTab::Plots;
        self.interface.panels = true;
        self.interface.knobs = None;
        self.show(step.view);
        if self.still.is_none() {
            self.flow = Flow::Running;
        }
    }

    /// Ends the tour and restores everything that its scenes have changed.
    pub(super) fn end_tour(&mut self) {
        if let Some(tour) = self.tour.take() {
            self.settings = tour.settings_before;
            self.compare.best_setting.limits = tour.limits_before;
            self.grid.lower = tour.lower_before;
            self.interface = Interface {
                help: self.interface.help,
                scale: self.interface.scale,
                has_room_for_knobs: self.interface.has_room_for_knobs,
                ..tour.interface_before
            };
            self.note("tour over");
            self.show(tour.view_before);
        }
    }

    /// Checks whether a command that has been executed has completed the current step.
    pub(super) fn follow_tour(&mut self, command: Command) {
        let follows = |tour: &Tour| !tour.is_done && (tour.step().is_done)(self, command);
        let is_done = self.tour.as_ref().is_some_and(follows);
        if let Some(tour) = self.tour.as_mut().filter(|_| is_done) {
            tour.is_done = true;
            let number = tour.step + 1;
            self.note(format_args!("tour done {number}"));
        }
    }
}

/// The crowd of the steps about significance and the best strategy. It needs 100 ms of work to run every task once.
const LARGE_CROWD: &[(&Knob, f64)] = &[(&ENTITIES, 2000.0), (&COST, 50.0)];

pub const STEPS: [Step; 6] = [
    Step {
        title: "All tasks in one frame",
        view: View::Grid,
        strategy: &all_at_once::ENTRY,
        knobs: &[],
        question: "Each capsule is an NPC, and flashes red when its task runs. Twice a second, all 400 tasks of 100 µs \
                   run in the same frame. This frame takes 40 ms and is a hitch: the game jerks. What changes if a \
                   strategy spreads the tasks over all frames?",
        task: "Press [key] and watch the plots below.",
        command: Some(Command::Strategy(&fixed_interval::ENTRY)),
        is_done: |state, _| state.settings.strategy == &fixed_interval::ENTRY,
        explanation: "Each task still runs twice a second, but at 60 frames per second, a frame runs about 13 tasks \
                      instead of 400. No frame has a tall bar of tasks, and the red flashes travel through the crowd.",
    },
    Step {
        title: "The price of spreading",
        view: View::Grid,
        strategy: &fixed_interval::ENTRY,
        knobs: &[],
        question: "The target follows your pointer, but a capsule turns to the target only when its task runs. How \
                   soon will all capsules look at your pointer?",
        task: "Move the pointer over the capsules.",
        command: None,
        is_done: |_, command| matches!(command, Command::Grid(GridCommand::Point(Some(_)))),
        explanation: "Each capsule looks at the place where your pointer was when its task last ran, up to half a second \
                      ago. The time since that run is called staleness. Staleness is the price of spreading work over \
                      frames.",
    },
    Step {
        title: "NPCs that matter more",
        view: View::Grid,
        strategy: &fixed_interval::ENTRY,
        knobs: LARGE_CROWD,
        question: "There are now 2,000 capsules, and each of them waits half a second for its next run. However, a \
                   player mostly notices the NPCs nearby. What changes if the tasks near the target run more often?",
        task: "Press [key] to switch to Weighted share.",
        command: Some(Command::Strategy(&weighted_share::ENTRY)),
        is_done: |state, _| state.settings.strategy == &weighted_share::ENTRY,
        explanation: "Capsules near the target now flash several times a second, and those far away wait longer. Move \
                      the pointer to see the difference. This strategy also has a budget: in each update, tasks take \
                      at most 4 ms.",
    },
    Step {
        title: "Which strategy?",
        view: View::Grid,
        strategy: &weighted_share::ENTRY,
        knobs: LARGE_CROWD,
        question: "Suppose your game has these 2,000 NPCs, and 4 ms of each frame for their tasks. With which strategy \
                   is the crowd least stale, and how should you set it?",
        task: "Press [key] to try all strategies.",
        command: Some(Command::View(View::Compare)),
        is_done: |state, _| state.view == View::Compare,
        explanation: "After a few seconds, the first sentence tells you which strategy to use, and its setting. Each \
                      row shows a strategy's best setting, or the limit that it exceeds.",
    },
    Step {
        title: "Your limits",
        view: View::Compare,
        strategy: &weighted_share::ENTRY,
        knobs: LARGE_CROWD,
        question: "Suppose no NPC may wait longer than 2 s. Which strategies are still possible?",
        task: "In Compare, click Longest wait under Limits.",
        command: None,
        is_done: |state, _| state.compare.best_setting.limits.is_on(Limit::Longest),
        explanation: "Soon, the answer keeps this limit, too. Strategies that cannot keep it move down, and their rows \
                      say why.",
    },
    Step {
        title: "The code",
        view: View::Compare,
        strategy: &weighted_share::ENTRY,
        knobs: LARGE_CROWD,
        question: "How do you use this answer in your game?",
        task: "In Compare, click Copy Rust or Copy C# beside the answer.",
        command: None,
        is_done: |_, command| matches!(command, Command::Compare(CompareCommand::CopyOffer(..))),
        explanation: "Paste the code into your game. After the tour, open Compare again, and enter the numbers and \
                      limits of your own game on the left.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::compare::Offer;
    use crate::app::state::grid::Language;
    use crate::app::state::tests::state;
    use lab::catalog::strategy::STRATEGIES;
    use lab::catalog::strategy::knobs::INTERVAL;
    use lab::sim::world::Point;
    use timeslicer::time::Nanos;

    #[test]
    fn each_step_is_done_by_its_action_only_and_the_end_restores_all() {
        let mut state = state();
        state.apply(Command::SetKnob(&INTERVAL, 2.0));
        state.apply(GridCommand::LowerTab(LowerTab::Code).into());
        state.apply(Command::View(View::Compare));
        state.apply(CompareCommand::SetLimit(Limit::Near, Nanos::from_millis(80)).into());
        let limits = state.compare.best_setting.limits;
        state.apply(Command::Tour);
        for step in &STEPS {
            let is_done = |state: &State| state.tour.as_ref().is_some_and(|tour| tour.is_done);
            assert_eq!(state.settings.knobs.get(&INTERVAL), INTERVAL.default);
            for command in [
                Command::StepStrategy(1),
                Command::View(step.view),
                Command::Grid(GridCommand::Point(None)),
                Command::Compare(CompareCommand::SwitchLimit(Limit::Near)),
                Command::Disturb(Disturbance::Stall),
                Command::Step,
            ] {
                state.apply(command);
            }
            assert!(!is_done(&state), "{}", step.title);
            let actions = [
                // The user can also reach a strategy without pressing its own key.
                Command::StepStrategy(1),
                Command::Grid(GridCommand::Point(Some(Point { x: 0.2, y: 0.2 }))),
                Command::Strategy(STRATEGIES[STRATEGIES.len() - 1]),
                Command::View(View::Compare),
                Command::Compare(CompareCommand::SwitchLimit(Limit::Longest)),
                Command::Compare(CompareCommand::CopyOffer(
                    Offer::Strategy(0),
                    Language::Rust,
                )),
            ];
            state.apply(actions[state.tour.as_ref().unwrap().step]);
            assert!(is_done(&state), "{}", step.title);
            state.apply(Command::WalkTour(1));
        }
        assert!(state.tour.is_none());
        assert_eq!(state.view, View::Compare);
        assert_eq!(state.grid.lower, LowerTab::Code);
        assert_eq!(state.compare.best_setting.limits, limits);
        assert_eq!(state.settings.knobs.get(&INTERVAL), 2.0);
        assert_eq!(state.settings.knobs.get(&ENTITIES), 10.0);
    }
}
