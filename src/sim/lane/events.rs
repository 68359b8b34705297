//! Runs, updates, births and deaths, for a picture of a lane.

use crate::sim::world::Point;
use timeslice::scheduler::TaskId;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// One execution of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which task.
    pub task: TaskId,
    /// Its entity's number in the order of birth.
    pub entity: u64,
    /// The game time of the update in which it ran.
    pub time: GameTime,
    /// The game time since its last run, or since its entity's birth.
    pub elapsed: Nanos,
    /// Whether its entity had never run before: then no interval ends with it.
    pub first: bool,
    /// How long it took, on the machine's clock.
    pub took: Nanos,
}

/// One update. Its tasks ran one after another: each one's start follows from what those before it took, except for the
/// scheduling in between, of which only the sum is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// When it started, on the machine's clock.
    pub start: ClockTime,
    /// The game time after it.
    pub time: GameTime,
    /// Where the target was. The entities whose tasks ran look there.
    pub target: Point,
    /// The game time that it advanced.
    pub delta: Nanos,
    /// How many of the frame's runs came before it.
    pub runs_before: usize,
    /// How many tasks it ran.
    pub runs: usize,
    /// The time in tasks.
    pub task_time: Nanos,
    /// The time apart from tasks.
    pub scheduling: Nanos,
}

/// A birth or a death.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// An entity was born.
    Born(TaskId),
    /// An entity died.
    Died(TaskId),
}

/// Events since they were last cleared.
#[derive(Debug)]
pub(super) struct Events {
    pub(super) runs: Vec<Run>,
    /// The most runs of a frame that are listed.
    pub(super) most_listed: usize,
    /// Runs that are not listed.
    pub(super) unlisted: usize,
    /// Runs of this frame, listed or not, cleared or not.
    pub(super) run_count: usize,
    pub(super) updates: Vec<Update>,
    pub(super) changes: Vec<Change>,
}

impl Events {
    pub(super) fn new() -> Self {
        Self {
            runs: Vec::new(),
            most_listed: usize::MAX,
            unlisted: 0,
            run_count: 0,
            updates: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Notes a run.
    pub(super) fn ran(&mut self, run: Run) {
        self.run_count += 1;
        if self.runs.len() < self.most_listed {
            self.runs.push(run);
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.unlisted = 0;
        self.updates.clear();
        self.changes.clear();
    }
}
