//! Runs, updates, births and deaths, for a picture of a lane.

use super::changed_places::ChangedPlaces;
use crate::sim::world::Point;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// One execution of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Task that ran.
    pub task: TaskId,
    /// Entity's number in the order of birth.
    pub entity: u64,
    /// Game time of its update.
    pub time: GameTime,
    /// Game time since the task's last run, or since the entity's birth.
    pub elapsed: Nanos,
    /// Whether this is the entity's first run. A first run ends no interval.
    pub first: bool,
    /// Time taken, on the machine's clock.
    pub took: Nanos,
}

/// One update. Its tasks ran one after another, so a run starts after the earlier runs, and the scheduling and
/// recording between them. Of the scheduling times, only the sum is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// Start, on the machine's clock.
    pub start: ClockTime,
    /// Game time after the update.
    pub time: GameTime,
    /// Position of the target; the entities that ran look there.
    pub target: Point,
    /// Game time by which the update advanced the game.
    pub delta: Nanos,
    /// Number of runs in the frame before this update.
    pub runs_before: usize,
    /// Number of runs in this update.
    pub runs: usize,
    /// Time spent on tasks.
    pub task_time: Nanos,
    /// Time that the strategy took, as in [`super::FrameRecord::scheduling`].
    pub scheduling: Nanos,
}

/// Birth or death.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Birth of an entity.
    Born(TaskId),
    /// Death of an entity.
    Died(TaskId),
}

/// Events since the last [`Events::clear`].
#[derive(Debug)]
pub(super) struct Events {
    pub(super) runs: Vec<Run>,
    /// Maximum number of listed runs per frame.
    pub(super) most_listed: usize,
    /// Number of runs that are not listed.
    pub(super) unlisted: usize,
    /// Number of runs of this frame, including unlisted and cleared ones.
    pub(super) run_count: usize,
    pub(super) updates: Vec<Update>,
    pub(super) changes: Vec<Change>,
    /// Places changed since they were last taken for a picture; `None` if there are no pictures.
    pub(super) changed_places: Option<ChangedPlaces>,
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
            changed_places: None,
        }
    }

    pub(super) fn ran(&mut self, run: Run) {
        self.run_count += 1;
        self.place_changed(run.task);
        if self.runs.len() < self.most_listed {
            self.runs.push(run);
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn changed(&mut self, change: Change) {
        let (Change::Born(task) | Change::Died(task)) = change;
        self.place_changed(task);
        self.changes.push(change);
    }

    fn place_changed(&mut self, task: TaskId) {
        if let Some(places) = &mut self.changed_places {
            places.insert(task.index);
        }
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.unlisted = 0;
        self.updates.clear();
        self.changes.clear();
    }
}
