//! The steps of the tour, each with its scene, question, task and explanation.

use crate::app::state::command::Command;
use crate::app::state::view::View;
use lab::catalog::knob::Knob;
use lab::catalog::strategy::{
    StrategyEntry, all_at_once, every_frame, fixed_interval, max_per_frame, request_list,
    time_budget,
};
use lab::sim::disturbance::Disturbance;
use lab::sim::world::{COST, ENTITIES};

pub struct Step {
    pub title: &'static str,
    pub strategy: &'static StrategyEntry,
    /// The knobs that this step changes from their defaults, with their new values.
    pub knobs: &'static [(&'static Knob, f64)],
    /// A description of the scene, followed by a question about what will happen.
    pub question: &'static str,
    /// The task for the user. `[key]` is replaced with the key that completes the step.
    pub task: &'static str,
    pub done: Done,
    /// What the user sees after completing the task, and why.
    pub explanation: &'static str,
}

/// A user action that completes a step of the tour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Done {
    Command(Command),
    /// The crowd has at least this many entities.
    Entities(f64),
    /// The user has moved the pointer at least this far over the crowd, as a fraction of the world's width.
    Pointer(f32),
}

impl Step {
    /// Returns the command that completes the step, or `None` if the user completes the step in another way.
    pub fn command(&self) -> Option<Command> {
        match self.done {
            Done::Command(command) => Some(command),
            Done::Entities(_) | Done::Pointer(_) => None,
        }
    }
}

const COMPARED: &[(&Knob, f64)] = &[(&ENTITIES, 2000.0), (&COST, 50.0)];

pub const STEPS: [Step; 8] = [
    Step {
        title: "Everything in every frame",
        strategy: &every_frame::ENTRY,
        knobs: &[],
        question: "A capsule flashes red when its task runs. All 400 tasks of 100 µs run in every frame, which is 40 \
                   ms of work, so the game cannot exceed 25 frames per second. What changes if each task runs only \
                   twice a second?",
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
        task: "Move the pointer over the capsules.",
        done: Done::Pointer(0.25),
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
        done: Done::Command(Command::Disturb(Disturbance::AllRequest)),
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
        done: Done::Command(Command::Disturb(Disturbance::AllRequest)),
        explanation: "Requests that do not fit into the budget wait in a queue, which is empty after some frames. No \
                      frame runs more than about 40 tasks. The plot of tasks shows how the backlog shrinks.",
    },
    Step {
        title: "Which strategy is best?",
        strategy: &fixed_interval::ENTRY,
        knobs: COMPARED,
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
