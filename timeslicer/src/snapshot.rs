//! Snapshots of a timeslicer, which a game saves and restores together with its own state.

use crate::scheduler::{Tasks, UniqueQueue};
use crate::strategy::Strategy;
use crate::time::{GameTime, Nanos};
use crate::timeslicer::Timeslicer;
use serde::{Deserialize, Serialize};

/// The saved state of a [`Timeslicer`]: its tasks, the time since each task's last run, and the requests that have not
/// been served. The strategy is not included.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::FixedInterval;
/// use timeslicer::{Snapshot, Timeslicer};
///
/// let interval = Duration::from_millis(500);
/// let mut thinking = Timeslicer::new(FixedInterval::new(interval));
/// let guard = thinking.add(7);
/// thinking.update(Duration::from_millis(16), |_, _| ());
///
/// let saved = serde_json::to_string(&thinking.snapshot())?;
///
/// let loaded: Snapshot<u32> = serde_json::from_str(&saved)?;
/// let thinking = Timeslicer::restore(FixedInterval::new(interval), &loaded);
/// assert_eq!(thinking.get(guard), Some(7)); // ids survive, too
/// assert_eq!(thinking.staleness(guard), Some(Duration::from_millis(16)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot<K> {
    /// One slot for each [`TaskId::index`](crate::TaskId::index) that has been used, including the indices of tasks
    /// that have died.
    slots: Vec<Slot<K>>,
    /// The indices of the tasks that have been requested but have not run yet, in the order of the requests.
    requested: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Slot<K> {
    /// The number of tasks that had this index and have died. It is saved so that no task id is ever used twice.
    generation: u32,
    /// The live task with this index, or `None` if there is none.
    task: Option<SavedTask<K>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SavedTask<K> {
    key: K,
    /// The game time since the task's last run, in nanoseconds.
    staleness_ns: u64,
}

impl<K: Copy, S: Strategy> Timeslicer<K, S> {
    /// Returns the state of the tasks, so that the game can save it. The state includes the time since each task's last
    /// run, and the requests that have not been served.
    pub fn snapshot(&self) -> Snapshot<K> {
        let slots = (0..).zip(self.tasks.generations());
        let slots = slots.map(|(index, generation)| Slot {
            generation,
            task: self.tasks.at(index).and_then(|task| {
                let staleness = self.now - self.tasks.last_run(task)?;
                Some(SavedTask {
                    key: self.get(task)?,
                    staleness_ns: staleness.as_nanos(),
                })
            }),
        });
        let requested = self.strategy.requested().into_iter();
        let requested = requested.chain(self.requested.iter());
        Snapshot {
            slots: slots.collect(),
            requested: requested.map(|task| task.index).collect(),
        }
    }

    /// Creates a timeslicer from a snapshot and a strategy. Every [`TaskId`](crate::TaskId) that was valid when the
    /// snapshot was taken is valid again.
    pub fn restore(strategy: S, snapshot: &Snapshot<K>) -> Self {
        let saved = snapshot.slots.iter().filter_map(|slot| slot.task.as_ref());
        let longest = saved.map(|task| task.staleness_ns).max().unwrap_or(0);
        let now = GameTime::at(Nanos::from_nanos(longest));
        let mut tasks = Tasks::new();
        let (mut keys, mut requested) = (Vec::new(), UniqueQueue::default());
        for slot in &snapshot.slots {
            let last_run = |saved: &SavedTask<K>| now - Nanos::from_nanos(saved.staleness_ns);
            let task = tasks.restore(slot.generation, slot.task.as_ref().map(last_run));
            if let Some(saved) = &slot.task {
                *task.entry_in(&mut keys, saved.key) = saved.key;
            }
        }
        for task in snapshot
            .requested
            .iter()
            .filter_map(|&index| tasks.at(index))
        {
            requested.push(task);
        }
        let mut timeslicer = Self {
            tasks,
            keys,
            requested,
            now,
            ..Self::new(strategy)
        };
        timeslicer.introduce_tasks();
        timeslicer
    }
}
