//! [`Timeslicer`], the main type of this crate, combines a strategy with its tasks, the tasks' keys and the game time.

use crate::scheduler::{Runner, TaskId, Tasks, UniqueQueue, UpdateContext};
use crate::strategy::Strategy;
use crate::time::{ClockTime, GameTime, Nanos, monotonic};
use std::any::Any;
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

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
/// All times are game time, which is the sum of the deltas. Only strategies that measure the cost of runs read a clock.
/// This is the machine's monotonic clock, unless [`with_clock`](Self::with_clock) replaces it.
///
/// If a closure panics, nothing else runs in that update, and the panic is passed on to the caller. The timeslicer
/// stays usable: the task that panicked counts as having run, and the other tasks keep their turns. If `weight` panics,
/// that weight and the remaining weights of the update count as 0 until the strategy asks for them again.
#[derive(Clone, Debug)]
pub struct Timeslicer<K, S = Box<dyn Strategy>> {
    pub(crate) strategy: S,
    pub(crate) tasks: Tasks,
    /// The key of each living task, indexed by [`TaskId::index`]. The entries for dead tasks are outdated and never
    /// read.
    pub(crate) keys: Vec<K>,
    /// The requests that have not been served. If the strategy is replaced, these requests are passed on to the new
    /// strategy. If the current strategy runs tasks on request, this queue is empty, because the strategy stores the
    /// requests itself.
    pub(crate) requested: UniqueQueue,
    /// The current game time. Each update advances it by the delta of the update.
    pub(crate) now: GameTime,
    /// The clock that measures the cost of runs.
    pub(crate) clock: fn() -> Duration,
}

impl<K: Copy, S: Strategy> Timeslicer<K, S> {
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
            keys: Vec::new(),
            requested: UniqueQueue::default(),
            now: GameTime::START,
            clock: || monotonic().since_start().into(),
        }
    }

    /// Measures the cost of runs with `clock` instead of the machine's monotonic clock. The `clock` function returns
    /// the time since any fixed moment, and must not panic.
    ///
    /// With your own clock, a strategy that measures costs makes the same decisions on every machine. Tests and replays
    /// need this.
    ///
    /// ```
    /// use std::cell::Cell;
    /// use std::time::Duration;
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::TimeBudget;
    ///
    /// thread_local!(static CLOCK: Cell<Duration> = Cell::default());
    ///
    /// let strategy = TimeBudget::new(Duration::from_millis(4));
    /// let mut paths = Timeslicer::new(strategy).with_clock(|| CLOCK.get());
    /// for guard in 0..10 {
    ///     let task = paths.add(guard);
    ///     paths.request(task);
    /// }
    /// let runs = paths.update(Duration::from_millis(16), |_, _| {
    ///     CLOCK.set(CLOCK.get() + Duration::from_millis(1)); // a path takes 1 ms
    /// });
    /// assert_eq!(runs, 4);
    /// ```
    pub fn with_clock(mut self, clock: fn() -> Duration) -> Self {
        self.clock = clock;
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
        *task.entry_in(&mut self.keys, key) = key;
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
        let key = self.get(task)?;
        self.tasks.remove(task);
        self.strategy.remove(task);
        self.requested.remove(task);
        Some(key)
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
        is_alive.then(|| self.keys[task.index as usize])
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
            if !self.strategy.guarantee().is_on_request() {
                self.requested.push(task);
            }
        }
        is_alive
    }

    /// Returns the number of tasks that are due or have been requested, but have not run yet. Requests count only if
    /// the current strategy runs tasks on request.
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
        self.strategy.backlog()
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

    /// Returns the strategy, so that its parameters can be changed while the game runs.
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
        for task in former.requested() {
            self.requested.push(task);
        }
        former.remove_all(&self.tasks.iter().collect::<Vec<_>>());
        self.introduce_tasks();
        former
    }

    /// Adds all tasks to the strategy, beginning with the task that has waited longest. Then passes on the requests
    /// that have not been served.
    pub(crate) fn introduce_tasks(&mut self) {
        let mut tasks: Vec<TaskId> = self.tasks.iter().collect();
        tasks.sort_by_key(|&task| self.tasks.last_run(task));
        for task in tasks {
            self.strategy.insert(task);
        }
        for task in self.requested.iter() {
            self.strategy.request(task);
        }
        if self.strategy.guarantee().is_on_request() {
            self.requested = UniqueQueue::default();
        }
    }

    /// Advances the game by `delta` and runs the tasks that are due. Returns the number of runs.
    ///
    /// The closure `run` receives a task's key, and the game time since the task's last run, or since its birth if it
    /// has never run. All tasks have the same weight. To tell the strategy how much each task matters, use
    /// [`update_weighted`](Self::update_weighted).
    ///
    /// The timeslicer is borrowed during the update, so `run` cannot add, remove or request tasks. Collect births,
    /// deaths and requests, and report them after the update:
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// thinking.add(1);
    /// let mut born = Vec::new();
    /// thinking.update(Duration::from_millis(16), |guard, _| born.push(guard + 1));
    /// for guard in born {
    ///     thinking.add(guard);
    /// }
    /// assert_eq!(thinking.len(), 2);
    /// ```
    pub fn update(&mut self, delta: Duration, mut run: impl FnMut(K, Duration)) -> usize {
        let run = |(): &mut (), key, elapsed| run(key, elapsed);
        self.update_weighted(delta, &mut (), |(), _| 1.0, run)
    }

    /// Advances the game by `delta` and runs the tasks that are due. Returns the number of runs. In contrast to
    /// [`update`](Self::update), this also tells the strategy how much each task matters: the closure `weight` returns
    /// a task's current weight, from 0 to 1. The closure `run` runs a task. Both closures receive `game`, so that they
    /// can share it.
    ///
    /// A weight that is negative or NaN counts as 0, and a weight above 1 counts as 1.
    ///
    /// ```
    /// use std::time::Duration;
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::DistanceLod;
    ///
    /// struct Guard {
    ///     distance: f64, // from the player, in metres
    ///     thoughts: u32,
    /// }
    ///
    /// // Guards within 10 m think every 50 ms; the others less often, but at least every second.
    /// let fastest = Duration::from_millis(50);
    /// let strategy = DistanceLod::new().with_intervals(fastest, Duration::from_secs(1));
    /// let mut thinking = Timeslicer::new(strategy);
    /// let mut guards = [5.0, 100.0].map(|distance| Guard { distance, thoughts: 0 });
    /// for guard in 0..guards.len() {
    ///     thinking.add(guard);
    /// }
    ///
    /// for _frame in 0..1000 {
    ///     thinking.update_weighted(
    ///         Duration::from_millis(10),
    ///         &mut guards,
    ///         |guards, guard| 10.0 / guards[guard].distance,
    ///         |guards, guard, _elapsed| guards[guard].thoughts += 1,
    ///     );
    /// }
    /// assert_eq!(guards.map(|guard| guard.thoughts), [200, 20]);
    /// ```
    pub fn update_weighted<G: ?Sized>(
        &mut self,
        delta: Duration,
        game: &mut G,
        weight: impl Fn(&G, K) -> f64,
        run: impl FnMut(&mut G, K, Duration),
    ) -> usize {
        let delta = delta.into();
        self.now += delta;
        let mut closures = Closures {
            keys: &self.keys,
            requested: &mut self.requested,
            clock: self.clock,
            game,
            weight,
            run,
            runs: 0,
            panic: OnceCell::new(),
        };
        let mut context = UpdateContext::new(delta, self.now, &mut self.tasks, &mut closures);
        self.strategy.update(&mut context);
        let Closures { runs, panic, .. } = closures;
        if let Some(panic) = panic.into_inner() {
            resume_unwind(panic);
        }
        runs
    }
}

/// The [`Runner`] for one update. It calls the game's closures to run tasks and to get their weights.
struct Closures<'a, K, G: ?Sized, W, R> {
    keys: &'a [K],
    requested: &'a mut UniqueQueue,
    clock: fn() -> Duration,
    game: &'a mut G,
    weight: W,
    run: R,
    runs: usize,
    /// The payload of the first panic in a closure. After a panic, no other task runs in this update. To the strategy,
    /// this looks like an update in which the game has no time left, so no task loses its turn.
    panic: OnceCell<Box<dyn Any + Send>>,
}

impl<K, G, W, R> Runner for Closures<'_, K, G, W, R>
where
    K: Copy,
    G: ?Sized,
    W: Fn(&G, K) -> f64,
    R: FnMut(&mut G, K, Duration),
{
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self.runs += 1;
        self.requested.remove(task);
        let key = self.keys[task.index as usize];
        let (game, run) = (&mut *self.game, &mut self.run);
        catch(&self.panic, || run(game, key, elapsed.into()));
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        self.panic.get().is_none()
    }

    fn clock(&self) -> ClockTime {
        ClockTime::at((self.clock)().into())
    }

    fn weight(&self, task: TaskId) -> f64 {
        let key = self.keys[task.index as usize];
        let weight = catch(&self.panic, || (self.weight)(self.game, key));
        weight.unwrap_or(0.0)
    }
}

/// Calls a closure and returns its result, or `None` if the closure panics. The payload of the first panic is stored in
/// `panic`. If an earlier closure has already panicked, this function returns `None` without calling the closure.
fn catch<T>(panic: &OnceCell<Box<dyn Any + Send>>, call: impl FnOnce() -> T) -> Option<T> {
    if panic.get().is_some() {
        return None;
    }
    let result = catch_unwind(AssertUnwindSafe(call));
    result.map_err(|caught| panic.set(caught)).ok()
}
