mod clock;
mod shared_budget;
#[cfg(feature = "serde")]
mod snapshot;
mod update;

pub use crate::scheduler::TaskId;
pub use shared_budget::SharedBudget;
#[cfg(feature = "serde")]
pub use snapshot::Snapshot;
pub use update::{Due, Run, UpdateReport};

use crate::scheduler::{Estimates, Tasks, UniqueQueue};
use crate::strategy::Strategy;
use crate::time::{ClockTime, GameTime, Nanos};
use clock::Clock;
use shared_budget::Share;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use update::Members;

/// Spreads the work of a game's characters over many updates. Its strategy decides which characters run in each update.
///
/// Each character is a *task*. Call [`add`](Self::add) when a character is born and [`remove`](Self::remove) when it
/// dies. Call [`update`](Self::update) once in every update of the game: it calls your closure for each task that is
/// due. The *key* of a task is any value that identifies the character in your game, such as an index, an entity or a
/// handle of an arena.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::Timeslicer;
/// use timeslicer::strategy::FixedInterval;
///
/// let mut guards = ["Ann", "Ben", "Cleo"].map(String::from);
///
/// // Every guard thinks twice a second.
/// let mut thinking = Timeslicer::new(FixedInterval::new(Duration::from_millis(500)));
/// let tasks = [0, 1, 2].map(|guard| thinking.add(guard));
///
/// let mut thoughts = 0;
/// for frame in 0..100 {
///     let delta = Duration::from_millis(10); // the time since the last frame
///     thinking.update(delta, |guard: usize, _elapsed| {
///         guards[guard].push('!');
///         thoughts += 1;
///     });
/// }
/// assert_eq!(thoughts, 6);
///
/// thinking.remove(tasks[1]); // Ben dies
/// assert_eq!(thinking.len(), 2);
/// ```
///
/// All times are game time, which is the sum of the deltas. The clock measures how long an update and its runs take. This
/// is the machine's monotonic clock, unless [`with_clock`](Self::with_clock) replaces it.
///
/// If a closure panics, nothing else runs in that update, and the panic is passed on to the caller. The timeslicer
/// stays usable: the task that panicked counts as having run, and the other tasks keep their turns. If `weight` panics,
/// that weight and the remaining weights of the update count as 0 until the strategy asks for them again.
#[derive(Clone, Debug)]
pub struct Timeslicer<K, S = Box<dyn Strategy>> {
    strategy: S,
    tasks: Tasks,
    members: Members<K>,
    /// The requests that have not been served. If the strategy is replaced, they are passed on to the new strategy.
    requested: UniqueQueue,
    /// The current game time. Each update advances it by the delta of the update.
    now: GameTime,
    clock: Clock,
    share: Option<Share>,
    /// The costs that the game has reported, and the mean of all known costs at the time of the last report.
    costs: Estimates,
    usual_cost: Option<Nanos>,
    last_update: UpdateReport,
    /// The clock time after the last update with runs, and the number of updates since the clock last advanced.
    last_reading: Option<ClockTime>,
    still_updates: u32,
}

/// A timeslicer with no tasks, so that [`std::mem::take`] can move a timeslicer out of the game while its tasks run.
impl<K: Clone, S: Strategy + Default> Default for Timeslicer<K, S> {
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<K: Clone, S: Strategy> Timeslicer<K, S> {
    /// Creates a timeslicer with no tasks.
    ///
    /// ```
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::{MaxPerFrame, STRATEGIES};
    ///
    /// let mut turns = Timeslicer::new(MaxPerFrame::new(20));
    /// # turns.add(0);
    /// // The type of a strategy that is chosen while the game runs is `Box<dyn Strategy>`.
    /// let mut chosen: Timeslicer<u32> = Timeslicer::new((STRATEGIES[0].make)());
    /// # chosen.add(0);
    /// ```
    pub fn new(strategy: S) -> Self {
        Self {
            strategy,
            tasks: Tasks::new(),
            members: Members::new(),
            requested: UniqueQueue::default(),
            now: GameTime::START,
            clock: Clock::default(),
            share: None,
            costs: Estimates::default(),
            usual_cost: None,
            last_update: UpdateReport::default(),
            last_reading: None,
            still_updates: 0,
        }
    }

    /// Measures the cost of runs with `clock` instead of the machine's monotonic clock. The closure `clock` returns the
    /// time since any fixed moment, and must not panic.
    ///
    /// With your own clock, a strategy with a budget makes the same decisions on every machine, as tests, replays and
    /// multiplayer games in lockstep need. Its time can be anything that tasks use up: here a unit of work counts as a
    /// microsecond, so that the budget is 4,000 units.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::TimeBudget;
    ///
    /// let work = Arc::new(AtomicU64::new(0));
    /// let done = work.clone();
    /// let strategy = TimeBudget::new(Duration::from_micros(4000));
    /// let mut paths = Timeslicer::new(strategy)
    ///     .with_clock(move || Duration::from_micros(done.load(Ordering::Relaxed)));
    /// for guard in 0..10 {
    ///     let task = paths.add(guard);
    ///     paths.request(task);
    /// }
    /// let runs = paths.update(Duration::from_millis(16), |_guard, _elapsed| {
    ///     work.fetch_add(1000, Ordering::Relaxed); // the nodes that the search visited
    /// });
    /// assert_eq!(runs, 4);
    /// ```
    ///
    /// In a web page that uses no `wasm-bindgen`, the standard library has no clock. There, pass a clock of the page
    /// here, or set it for the whole program with `time::read_clock_from`. Without one, budgets have no effect, which
    /// [`UpdateReport::clock_stands_still`] reports.
    pub fn with_clock(mut self, clock: impl FnMut() -> Duration + Send + Sync + 'static) -> Self {
        self.clock = Clock::Own(Arc::new(Mutex::new(clock)));
        self
    }

    /// Makes this timeslicer spend at most its share of `budget` in each frame. The `share` is relative to those of the
    /// other timeslicers with the same budget. Shares are between 0 and a million, and NaN counts as 0. If all of them are
    /// 0, they are equal. See [`SharedBudget`].
    pub fn with_shared_budget(mut self, budget: &SharedBudget, share: f64) -> Self {
        self.share = Some(budget.join(share));
        self
    }

    /// Adds a task. The game uses the `key` to identify what the task belongs to, such as a character. The elapsed time
    /// of the task's first run counts from now.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// let ann = thinking.add("Ann");
    /// assert_eq!(thinking.get(ann), Some("Ann"));
    /// ```
    pub fn add(&mut self, key: K) -> TaskId {
        let task = self.tasks.insert(self.now);
        self.members.born(task, key);
        self.strategy.insert(task);
        task
    }

    /// Removes a task, so that it never runs again. Returns the task's key, or `None` if the task has already been
    /// removed.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// let ann = thinking.add("Ann");
    /// assert_eq!(thinking.remove(ann), Some("Ann"));
    /// assert_eq!(thinking.remove(ann), None);
    /// ```
    pub fn remove(&mut self, task: TaskId) -> Option<K> {
        let is_alive = self.tasks.remove(task);
        if !is_alive {
            return None;
        }
        self.forget(task);
        self.members.keys[task.index as usize].take()
    }

    /// Removes a dead task from the strategy and from all lists.
    fn forget(&mut self, task: TaskId) {
        self.strategy.remove(task);
        self.requested.remove(task);
        self.members.first.remove(task);
        self.members.unfinished.remove(task);
        self.costs.forget(task);
    }

    /// Keeps only the tasks for which `keep` returns true, and removes all others. `keep` receives a task's key.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// for guard in 0..10 {
    ///     thinking.add(guard);
    /// }
    /// thinking.retain(|guard| guard % 2 == 0);
    /// assert_eq!(thinking.len(), 5);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        let dying = self.iter().filter(|(_, key)| !keep(key));
        let dying: Vec<TaskId> = dying.map(|(task, _)| task).collect();
        for task in dying {
            self.remove(task);
        }
    }

    /// Returns all tasks with their keys, in an arbitrary order.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// let ann = thinking.add("Ann");
    /// assert!(thinking.iter().eq([(ann, &"Ann")]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (TaskId, &K)> {
        self.tasks.iter().filter_map(|task| {
            let key = self.members.keys[task.index as usize].as_ref();
            Some((task, key?))
        })
    }

    /// Returns the key of a task, or `None` if the task has been removed.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// let ann = thinking.add("Ann");
    /// thinking.remove(ann);
    /// let ben = thinking.add("Ben");
    /// assert_eq!([thinking.get(ann), thinking.get(ben)], [None, Some("Ben")]);
    /// ```
    pub fn get(&self, task: TaskId) -> Option<K> {
        let is_alive = self.tasks.contains(task);
        let key = self.members.keys.get(task.index as usize)?;
        key.clone().filter(|_| is_alive)
    }

    /// Returns the number of tasks.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// thinking.add("Ann");
    /// assert_eq!(thinking.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Returns true if there are no tasks.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// assert!(Timeslicer::<u32, _>::new(EveryFrame::new()).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Requests a run of a task. Returns false if the task has been removed.
    ///
    /// A strategy that runs tasks on request runs a task once, however often it has been requested since its last run.
    /// All other strategies ignore requests and run every task anyway. If such a strategy is replaced, requests that
    /// have not been served are passed on to the next strategy.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use timeslicer::{Timeslicer, strategy::RequestList};
    /// let mut alarms = Timeslicer::new(RequestList::new());
    /// let [ann, _ben] = ["Ann", "Ben"].map(|guard| alarms.add(guard));
    /// alarms.request(ann); // Ann hears a noise
    /// let runs = alarms.update(Duration::from_millis(16), |guard, _| assert_eq!(guard, "Ann"));
    /// assert_eq!(runs, 1);
    /// ```
    pub fn request(&mut self, task: TaskId) -> bool {
        let is_alive = self.tasks.contains(task);
        if is_alive {
            self.strategy.request(task);
            self.requested.push(task);
        }
        is_alive
    }

    /// Runs a task first in the next update, whatever the strategy, and then as usual. Returns false if the task has been
    /// removed. If more tasks come first than fit into the budget, the others come first in the update after that.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use timeslicer::{Timeslicer, strategy::MaxPerFrame};
    /// let mut thinking = Timeslicer::new(MaxPerFrame::new(1));
    /// let [_ann, _ben, cleo] = ["Ann", "Ben", "Cleo"].map(|guard| thinking.add(guard));
    /// thinking.run_next(cleo); // Cleo has been hit
    /// let mut ran = Vec::new();
    /// thinking.update(Duration::from_millis(16), |guard, _| ran.push(guard));
    /// assert_eq!(ran, ["Cleo", "Ann"]);
    /// ```
    pub fn run_next(&mut self, task: TaskId) -> bool {
        let is_alive = self.tasks.contains(task);
        if is_alive {
            self.members.unfinished.remove(task);
            self.members.first.push(task);
        }
        is_alive
    }

    /// Returns the number of tasks that are due, have been requested or are unfinished, but have not run yet. Requests
    /// count only if the current strategy runs tasks on request.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use timeslicer::{Timeslicer, strategy::TimeBudget};
    /// let mut paths = Timeslicer::new(TimeBudget::new(Duration::ZERO)); // one task per update
    /// for guard in 0..10 {
    ///     let task = paths.add(guard);
    ///     paths.request(task);
    /// }
    /// paths.update(Duration::from_millis(16), |_, _| ());
    /// assert_eq!(paths.backlog(), 9);
    /// ```
    pub fn backlog(&self) -> usize {
        let own = self.members.first.len() + self.members.unfinished.len();
        let backlog = self.strategy.backlog() + own;
        backlog.min(self.len()) // a task may be due and come first, too
    }

    /// Returns a report of the last update, for example for a debug overlay.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use timeslicer::{Timeslicer, strategy::TimeBudget};
    /// let mut paths = Timeslicer::new(TimeBudget::new(Duration::from_millis(4)));
    /// # let ann = paths.add("Ann");
    /// # paths.request(ann);
    /// paths.update(Duration::from_millis(16), |_, _| ());
    /// let report = paths.last_update();
    /// println!("{} paths in {:?}, {:?} too long", report.runs, report.spent, report.overrun);
    /// # assert_eq!((report.runs, report.budget), (1, Some(Duration::from_millis(4))));
    /// ```
    pub fn last_update(&self) -> &UpdateReport {
        &self.last_update
    }

    /// Returns the game time since a task's last run, or since its birth if it has never run. Returns `None` if the
    /// task has been removed.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use timeslicer::{Timeslicer, strategy::RequestList};
    /// let mut thinking = Timeslicer::new(RequestList::new());
    /// let ann = thinking.add("Ann");
    /// thinking.update(Duration::from_millis(16), |_, _| ());
    /// assert_eq!(thinking.staleness(ann), Some(Duration::from_millis(16)));
    /// ```
    pub fn staleness(&self, task: TaskId) -> Option<Duration> {
        let last_run = self.tasks.last_run(task)?;
        Some((self.now - last_run).into())
    }

    /// Returns the strategy.
    pub fn strategy(&self) -> &S {
        &self.strategy
    }

    /// Returns the strategy, so that its parameters can be changed while the game runs. To replace the strategy, use
    /// [`set_strategy`](Self::set_strategy): a strategy that is assigned here would not know the tasks.
    ///
    /// ```
    /// # use timeslicer::{Timeslicer, strategy::MaxPerFrame};
    /// let mut thinking = Timeslicer::new(MaxPerFrame::new(4));
    /// thinking.add("Ann");
    /// thinking.strategy_mut().set_max_tasks(8);
    /// assert_eq!(thinking.strategy().max_tasks(), 8);
    /// ```
    pub fn strategy_mut(&mut self) -> &mut S {
        &mut self.strategy
    }

    /// Replaces the strategy. Returns the previous strategy without its tasks, so that it can be used again.
    ///
    /// The time since each task's last run is kept. Requests that have not been served are kept, too, in their order. A
    /// strategy that runs tasks in turn begins with the task that has waited longest.
    ///
    /// The time that this takes is proportional to the number of tasks.
    ///
    /// ```
    /// # use std::time::Duration;
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::{EveryFrame, FixedInterval};
    ///
    /// let mut thinking: Timeslicer<&str> = Timeslicer::new(Box::new(EveryFrame::new()));
    /// thinking.add("Ann");
    /// thinking.update(Duration::from_millis(16), |_, _| ());
    ///
    /// let interval = Duration::from_millis(500);
    /// thinking.set_strategy(Box::new(FixedInterval::new(interval)));
    /// thinking.update(interval, |_, elapsed| assert_eq!(elapsed, interval));
    /// ```
    pub fn set_strategy(&mut self, strategy: S) -> S {
        let mut former = std::mem::replace(&mut self.strategy, strategy);
        former.remove_all(&self.tasks.iter().collect::<Vec<_>>());
        self.introduce_tasks();
        former
    }

    /// Adds all tasks to the strategy, beginning with the task that has waited longest. Then passes on the requests
    /// that have not been served.
    fn introduce_tasks(&mut self) {
        let mut tasks: Vec<TaskId> = self.tasks.iter().collect();
        tasks.sort_by_key(|&task| self.tasks.last_run(task));
        for task in tasks {
            self.strategy.insert(task);
            if let (Some(admission), Some(cost)) =
                (self.strategy.admission_mut(), self.costs.known(task))
            {
                admission.estimates.learn(task, cost);
            }
        }
        for task in self.requested.iter() {
            self.strategy.request(task);
        }
    }
}
