//! The steps of the tour, each with its scene, question, task and outcomes.

use super::claims::{Claim, Evidence};
use crate::app::state::command::Command;
use crate::app::state::view::View;
use headless::sim::disturbance::Disturbance;
use headless::sim::world::{COST, ENTITIES};
use timeslicer::knob::Knob;
use timeslicer::strategy::{StrategyEntry, all_at_once, every_frame, fixed_interval};
use timeslicer::strategy::{max_per_frame, request_list, time_budget};

pub struct Step {
    pub title: &'static str,
    pub strategy: &'static StrategyEntry,
    /// The knobs that do not have their default values in this step.
    pub knobs: &'static [(&'static Knob, f64)],
    /// A description of the scene, followed by a question about what will happen.
    pub question: &'static str,
    /// The task for the user. `[key]` is replaced with the key that completes the step.
    pub task: &'static str,
    pub done: Done,
    pub claim: Claim,
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
        question: "A capsule flashes red when its task runs. All 400 tasks of 100 µs are due in every frame. That is \
                   40 ms of work, so you get at most 25 frames per second. What changes if they run only twice a \
                   second?",
        task: "Press [key] and watch the plots below.",
        done: Done::Command(Command::Strategy(&all_at_once::ENTRY)),
        claim: Claim {
            holds: Evidence::has_burst,
            outcome: "Most frames take {usual} now, but every half second one frame runs all {peak} tasks and takes \
                      {longest}. That frame is a hitch: a tall bar in the plot and a jerk in the game.",
            otherwise: "The largest burst runs {peak} tasks, and its frame takes {burst}. Only such frames should be \
                        hitches, but most frames take {usual} here, because {why}.",
        },
    },
    Step {
        title: "The same work, spread",
        strategy: &all_at_once::ENTRY,
        knobs: &[],
        question: "Each task runs twice a second, but all tasks run in the same frame. What will the plots show if \
                   they are spread over all frames?",
        task: "Press [key].",
        done: Done::Command(Command::Strategy(&fixed_interval::ENTRY)),
        claim: Claim {
            holds: |it| it.is_smooth() && it.keeps_interval(),
            outcome: "At most {peak} tasks run in a frame instead of 400, and no frame takes more than {longest}. Each \
                      capsule still runs every {interval}: the flashes travel through the crowd.",
            otherwise: "At most {peak} tasks run in a frame instead of 400, and each capsule runs every {interval}. \
                        No frame should be long, but one takes {longest} here, because {why}.",
        },
    },
    Step {
        title: "The price of spreading",
        strategy: &fixed_interval::ENTRY,
        knobs: &[],
        question: "Each capsule turns to the target only when its task runs. How quickly will the crowd look at your \
                   pointer?",
        task: "Move the pointer over the capsules.",
        done: Done::Pointer(0.25),
        claim: Claim {
            holds: Evidence::keeps_staleness,
            outcome: "Each capsule looks at where the pointer was when its task last ran, up to {stalest} ago. This age is \
                      called staleness, and it is the price of spreading.",
            otherwise: "Each capsule looks at where the pointer was when its task last ran: up to {stalest} ago instead of \
                        half a second, because {why}. This age is called staleness, and it is the price of spreading.",
        },
    },
    Step {
        title: "A limit per frame",
        strategy: &max_per_frame::ENTRY,
        knobs: &[],
        question: "At most four tasks run per frame, in a crowd of any size. What will happen to the frames and the \
                   capsules in a larger crowd?",
        task: "Drag Entities on the left to 2,000 or more.",
        done: Done::Entities(2000.0),
        claim: Claim {
            holds: Evidence::is_smooth,
            outcome: "No frame takes more than {longest}, with at most {work} for tasks. But it now takes {round} for \
                      every task to run, so the capsules turn grey: the limit protects the frame rate and lets \
                      staleness grow.",
            otherwise: "No frame spends more than {work} on tasks, but one takes {longest} here, because {why}. It now \
                        takes {round} for every task to run, so the capsules turn grey: the limit lets staleness grow.",
        },
    },
    Step {
        title: "Everyone at once",
        strategy: &request_list::ENTRY,
        knobs: &[],
        question: "Now tasks run only on request, in the next update. What if an explosion makes all 400 capsules request a \
                   run at the same moment?",
        task: "Press [key].",
        done: Done::Command(Command::Disturb(Disturbance::AllRequest)),
        claim: Claim {
            holds: Evidence::has_burst,
            outcome: "The next update served all {peak} requests, so its frame took {burst}. A list without a limit turns a \
                      burst of events into a hitch.",
            otherwise: "The largest update served {peak} requests, and its frame took {burst}. That should be the only \
                        hitch, but most frames took {usual} here, because {why}.",
        },
    },
    Step {
        title: "A time budget",
        strategy: &time_budget::ENTRY,
        knobs: &[],
        question: "The explosion is the same, but each update stops as soon as its tasks have taken 4 ms. What happens \
                   to the other requests?",
        task: "Press [key] again.",
        done: Done::Command(Command::Disturb(Disturbance::AllRequest)),
        claim: Claim {
            holds: |it| it.is_smooth() && it.queue_is_served(),
            outcome: "The other requests waited in a queue; no frame ran more than {peak} tasks, and {queue}. No frame \
                      took more than {longest}, and the plot of tasks shows how the backlog shrank.",
            otherwise: "The other requests waited in a queue; no frame ran more than {peak} tasks, and {queue}. It \
                        should be empty soon and every frame short, but frames take up to {longest} here, because \
                        {why}.",
        },
    },
    Step {
        title: "Which one is best?",
        strategy: &fixed_interval::ENTRY,
        knobs: COMPARED,
        question: "There are now 2,000 tasks of 50 µs, and a frame may spend 4 ms on them. Which strategies keep to \
                   that budget, and how stale does the crowd become with each?",
        task: "Press [key] to run all of them side by side.",
        done: Done::Command(Command::View(View::Compare)),
        claim: Claim {
            holds: Evidence::has_no_winner,
            outcome: "All strategies run the same crowd, each on a simulated computer; amber values exceed a limit, and \
                      teal values are the best in their column. No strategy is best in more than {won} of {columns} \
                      columns, so choose the one that suits your game.",
            otherwise: "All strategies run the same crowd, each on a simulated computer; amber values exceed a limit, \
                        and teal values are the best in their column. {winner} is best in {won} of {columns} columns \
                        here, but the other columns show what that costs.",
        },
    },
    Step {
        title: "Frames and game time",
        strategy: &fixed_interval::ENTRY,
        knobs: &[],
        question: "So far, each frame has had one update. If a slow computer cannot keep up, will a shot still fly as \
                   fast as on a fast one?",
        task: "Press [key] to see five frame loops.",
        done: Done::Command(Command::View(View::Loops)),
        claim: Claim {
            holds: Evidence::steps_slow_down,
            outcome: "Each loop simulates the same shot on a fast and on a slow computer. On the slow one, {slowest} \
                      plays the game at {speed} its speed, because it makes one fixed step per frame; {kept} of \
                      {loops} loops keep real time.",
            otherwise: "Each loop simulates the same shot on a fast and on a slow computer. Loops with one fixed step \
                        per frame should run too slowly on the slow one, but with these knobs, {kept} of {loops} loops \
                        keep real time.",
        },
    },
];
