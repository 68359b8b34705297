use super::Timeslicer;
use crate::scheduler::{SavedState, Tasks, UniqueQueue};
use crate::strategy::Strategy;
use crate::time::{GameTime, Nanos};
use serde::{Deserialize, Serialize};

/// The saved state of a [`Timeslicer`]: its tasks and the time since each task's last run, the requests that have not
/// been served, and the state of its strategy.
///
/// A restored timeslicer continues exactly where the saved one stopped. The strategy's settings are not saved, because
/// a new version of the game may have other settings. Instead, pass a strategy with its settings to
/// [`Timeslicer::restore`]. If the snapshot does not contain the state of this strategy, for example because the game
/// was saved with another one, it begins with the tasks that have waited longest.
///
/// A [`SharedBudget`](crate::SharedBudget) is not saved, so if a game has one, the first frames after loading may run
/// more or fewer tasks than they would have run otherwise.
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
    /// The indices of the free slots. The next newborn task gets the last one.
    free: Vec<u32>,
    /// The indices of the tasks that run first in the next update because of `run_next`, and of the unfinished tasks,
    /// which run after them.
    first: Vec<u32>,
    unfinished: Vec<u32>,
    /// The game time in nanoseconds.
    now_ns: u64,
    costs: SavedState,
    usual_cost_ns: Option<u64>,
    strategy: Option<SavedState>,
    /// A checksum of the game time, the costs, the state of the strategy, and which slots are in use. If it is wrong,
    /// someone has edited the saved game, and `restore` ignores the costs and the state of the strategy.
    checksum: u64,
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

impl<K> Snapshot<K> {
    /// Returns the same snapshot with other keys. The closure `key` returns the new key of each task. Use this if the
    /// keys of the running game do not survive, because its characters get new ids when it is loaded.
    ///
    /// ```
    /// use timeslicer::{Snapshot, Timeslicer};
    /// use timeslicer::strategy::EveryFrame;
    ///
    /// let names = ["Ann", "Ben"];
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// let ben = thinking.add(1);
    /// let saved: Snapshot<String> = thinking.snapshot().map_keys(|&guard| names[guard].to_owned());
    ///
    /// let names = ["Ben", "Cleo"]; // in the new session
    /// let loaded = saved.map_keys(|saved| names.iter().position(|name| name == saved));
    /// let thinking = Timeslicer::restore(EveryFrame::new(), &loaded);
    /// assert_eq!(thinking.get(ben), Some(Some(0)));
    /// ```
    pub fn map_keys<L>(&self, mut key: impl FnMut(&K) -> L) -> Snapshot<L> {
        let slots = self.slots.iter().map(|slot| Slot {
            generation: slot.generation,
            task: slot.task.as_ref().map(|task| SavedTask {
                key: key(&task.key),
                staleness_ns: task.staleness_ns,
            }),
        });
        Snapshot {
            slots: slots.collect(),
            requested: self.requested.clone(),
            free: self.free.clone(),
            first: self.first.clone(),
            unfinished: self.unfinished.clone(),
            now_ns: self.now_ns,
            costs: self.costs.clone(),
            usual_cost_ns: self.usual_cost_ns,
            strategy: self.strategy.clone(),
            checksum: self.checksum,
        }
    }

    fn computed_checksum(&self) -> u64 {
        let strategy = self.strategy.as_ref().map_or(0, SavedState::checksum);
        let slots = self.slots.iter().flat_map(|slot| {
            let is_alive = slot.task.is_some();
            [u64::from(slot.generation), u64::from(is_alive)]
        });
        let numbers = [self.now_ns, strategy, self.costs.checksum()];
        SavedState::new("", numbers.into_iter().chain(slots).collect()).checksum()
    }
}

/// The name of the saved costs.
const COSTS: &str = "costs";

impl<K: Clone, S: Strategy> Timeslicer<K, S> {
    /// Returns the state of the tasks and the strategy, so that the game can save it.
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
        let indices = |queue: &UniqueQueue| queue.iter().map(|task| task.index).collect();
        let mut snapshot = Snapshot {
            slots: slots.collect(),
            requested: indices(&self.requested),
            free: self.tasks.free().to_vec(),
            first: indices(&self.members.first),
            unfinished: indices(&self.members.unfinished),
            now_ns: self.now.since_start().as_nanos(),
            costs: SavedState::of(COSTS, &self.costs),
            usual_cost_ns: self.usual_cost.map(Nanos::as_nanos),
            strategy: self.strategy.save(),
            checksum: 0,
        };
        snapshot.checksum = snapshot.computed_checksum();
        snapshot
    }

    /// Creates a timeslicer from a snapshot and a strategy without tasks. It continues where the saved timeslicer
    /// stopped, with the settings of the new strategy. Every [`TaskId`](crate::TaskId) that was valid when the snapshot
    /// was taken is valid again. A clock and a shared budget have to be set again.
    pub fn restore(strategy: S, snapshot: &Snapshot<K>) -> Self {
        let saved = snapshot.slots.iter().filter_map(|slot| slot.task.as_ref());
        let longest = saved.map(|task| task.staleness_ns).max().unwrap_or(0);
        let now = snapshot.now_ns.max(longest);
        let mut slicer = Self::new(strategy);
        slicer.now = GameTime::at(Nanos::from_nanos(now));
        for slot in &snapshot.slots {
            let last_run =
                |saved: &SavedTask<K>| slicer.now - Nanos::from_nanos(saved.staleness_ns);
            let last_run = slot.task.as_ref().map(last_run);
            let task = slicer.tasks.restore(slot.generation, last_run);
            if let Some(saved) = &slot.task {
                slicer.members.born(task, saved.key.clone());
            }
        }
        slicer.requested = living(&slicer.tasks, &snapshot.requested);
        slicer.tasks.restore_free(&snapshot.free);
        slicer.members.first = living(&slicer.tasks, &snapshot.first);
        slicer.members.unfinished = living(&slicer.tasks, &snapshot.unfinished);
        slicer.usual_cost = snapshot.usual_cost_ns.map(Nanos::from_nanos);
        let mut is_restored = false;
        if snapshot.checksum == snapshot.computed_checksum() {
            snapshot.costs.load_into(COSTS, &mut slicer.costs);
            let state = snapshot.strategy.as_ref();
            is_restored = state.is_some_and(|state| slicer.strategy.restore(state));
        }
        if !is_restored {
            slicer.introduce_tasks();
        }
        slicer
    }
}

/// Returns the living tasks with these indices, in this order.
fn living(tasks: &Tasks, indices: &[u32]) -> UniqueQueue {
    let mut queue = UniqueQueue::default();
    for task in indices.iter().filter_map(|&index| tasks.at(index)) {
        queue.push(task);
    }
    queue
}
