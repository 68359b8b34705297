//! The updates of a [`Timeslicer`], in which tasks run.

use super::Timeslicer;
use super::shared_budget::Share;
use crate::scheduler::{Runner, TaskId, Tasks, UniqueQueue, UpdateContext};
use crate::strategy::Strategy;
use crate::time::{ClockTime, GameTime, Nanos};
use std::any::Any;
use std::cell::{Cell, OnceCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

/// A report of an update. [`Timeslicer::last_update`] returns it, for example for a debug overlay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpdateReport {
    /// The number of runs.
    pub runs: usize,
    /// How long the update took. Most of this time is spent in runs, and the rest in the strategy.
    pub spent: Duration,
    /// The time that the update was allowed to take, or `None` if it had no limit. This is the budget of the strategy,
    /// or less if a [`SharedBudget`](crate::SharedBudget) has less left.
    pub budget: Option<Duration>,
    /// The time by which the update exceeded its budget.
    pub overrun: Duration,
    /// True if the clock has not advanced during the runs of the last 100 updates or more. Then the budget has no
    /// effect. In a web page, this means that the page has not set a clock: see [`Timeslicer::with_clock`].
    pub clock_stands_still: bool,
}

/// A task that is due. [`Timeslicer::take_due`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due<K> {
    /// The id of the task.
    pub task: TaskId,
    /// The key of the task.
    pub key: K,
    /// The game time since the task's last run, or since its birth if it has never run.
    pub elapsed: Duration,
}

/// The run of a task in [`Timeslicer::update_with`].
///
/// Births, deaths and requests take effect at once, except that a newborn task and a requested task do not run before
/// the next update.
pub struct Run<'a, K> {
    key: &'a K,
    task: TaskId,
    elapsed: Nanos,
    tasks: &'a mut Tasks,
    members: &'a mut Members<K>,
    timing: Timing<'a>,
    is_unfinished: bool,
}

impl<K> Run<'_, K> {
    /// Returns the key of the task.
    pub fn key(&self) -> &K {
        self.key
    }

    /// Returns the id of the task.
    pub fn task(&self) -> TaskId {
        self.task
    }

    /// Returns the game time since the task's last run, or since its birth if it has never run.
    pub fn elapsed(&self) -> Duration {
        self.elapsed.into()
    }

    /// Adds a task. See [`Timeslicer::add`].
    pub fn add(&mut self, key: K) -> TaskId {
        let task = self.tasks.insert(self.timing.now);
        self.members.born(task, key);
        self.members.changes.push(Change::Birth(task));
        task
    }

    /// Removes a task, which may be the one that is running. It never runs again, not even later in this update. Returns
    /// false if the task has already been removed.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let is_alive = self.tasks.remove(task);
        if is_alive {
            self.members.keys[task.index as usize] = None;
            self.members.changes.push(Change::Death(task));
        }
        is_alive
    }

    /// Requests a run of a task, which may be the one that is running. See [`Timeslicer::request`].
    pub fn request(&mut self, task: TaskId) -> bool {
        let is_alive = self.tasks.contains(task);
        if is_alive {
            self.members.changes.push(Change::Request(task));
        }
        is_alive
    }

    /// Lets a task run before those that the strategy chooses in the next update. See [`Timeslicer::run_next`].
    pub fn run_next(&mut self, task: TaskId) -> bool {
        let is_alive = self.tasks.contains(task);
        if is_alive {
            self.members.changes.push(Change::Next(task));
        }
        is_alive
    }

    /// Returns how much of the update's budget is left, or `None` if there is no budget. Before other tasks have run in this
    /// update, a task that continues earlier work gets at most half of the budget.
    pub fn remaining(&self) -> Option<Duration> {
        let timing = self.timing;
        let limit = timing.limit?;
        Some(limit.saturating_sub(timing.spent()).into())
    }

    /// Lets the task continue, because it has not finished its work. It runs again at the end of this update if the
    /// budget allows, and otherwise first in the next update.
    ///
    /// Use this for work that takes several frames. The task stores how far it got, and each run does as much as fits
    /// into [`remaining`](Self::remaining). If several tasks are unfinished, the one that began first comes first.
    pub fn again(&mut self) {
        self.is_unfinished = true;
    }
}

/// The keys of the tasks, and the changes that an update makes to the tasks.
#[derive(Clone, Debug)]
pub(super) struct Members<K> {
    /// The keys of the living tasks, indexed by [`TaskId::index`]. While a task runs, its key is `None`.
    pub(super) keys: Vec<Option<K>>,
    /// The tasks that run first in the next update, in this order.
    pub(super) first: UniqueQueue,
    /// The tasks that have not finished their work. In the next update, they run after those in `first`.
    pub(super) unfinished: UniqueQueue,
    /// Changes that happened during the update. The strategy is notified of them afterwards.
    changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Birth(TaskId),
    Death(TaskId),
    Request(TaskId),
    Next(TaskId),
}

impl<K> Members<K> {
    pub(super) fn new() -> Self {
        Self {
            keys: Vec::new(),
            first: UniqueQueue::default(),
            unfinished: UniqueQueue::default(),
            changes: Vec::new(),
        }
    }

    pub(super) fn born(&mut self, task: TaskId, key: K) {
        let index = task.index as usize;
        if index >= self.keys.len() {
            self.keys.resize_with(index + 1, || None);
        }
        self.keys[index] = Some(key);
    }
}

/// The clock during an update, and the time that the update may take.
#[derive(Clone, Copy)]
struct Timing<'a> {
    clock: &'a dyn Fn() -> ClockTime,
    start: ClockTime,
    now: GameTime,
    limit: Option<Nanos>,
}

impl Timing<'_> {
    fn spent(&self) -> Nanos {
        (self.clock)().saturating_since(self.start)
    }

    fn has_time(&self) -> bool {
        self.limit.is_none_or(|limit| self.spent() < limit)
    }
}

/// The number of updates after which a clock that does not advance is reported. In this time, any real clock advances.
const MOST_STILL_UPDATES: u32 = 100;

impl<K: Clone, S: Strategy> Timeslicer<K, S> {
    /// Advances the game by `delta` and runs the tasks that are due. Returns the number of runs. If `delta` is zero,
    /// because the game is paused, nothing runs.
    ///
    /// The closure `run` receives a task's key, and the game time since the task's last run, or since its birth if it
    /// has never run. All tasks have the same weight. To tell the strategy how much each task matters, use
    /// [`update_weighted`](Self::update_weighted). To add, remove or request tasks while a task runs, use
    /// [`update_with`](Self::update_with).
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use timeslicer::{Timeslicer, strategy::EveryFrame};
    /// let mut thinking = Timeslicer::new(EveryFrame::new());
    /// thinking.add("Ann");
    /// let frame = Duration::from_millis(16);
    /// assert_eq!(thinking.update(frame, |guard, elapsed| assert_eq!((guard, elapsed), ("Ann", frame))), 1);
    /// assert_eq!(thinking.update(Duration::ZERO, |_, _| ()), 0);
    /// ```
    pub fn update(&mut self, delta: Duration, mut run: impl FnMut(K, Duration)) -> usize {
        let weight = |(): &(), _: &K| 1.0;
        self.update_with(delta, &mut (), weight, |(), it| {
            run(it.key().clone(), it.elapsed());
        })
    }

    /// Advances the game by `delta` and runs the tasks that are due. Returns the number of runs. In contrast to
    /// [`update`](Self::update), this also tells the strategy how much each task matters: the closure `weight` returns
    /// a task's current weight, from 0 to 1. The closure `run` runs a task. Both closures receive `game`, so that they
    /// can share it.
    ///
    /// `update` and `update_weighted` clone the key for each run and each weight. If that is too slow, for example because
    /// the keys are strings, use [`update_with`](Self::update_with).
    ///
    /// A weight that is negative or NaN counts as 0, and a weight above 1 counts as 1. The strategy does not ask for all
    /// weights in each update, so it may take some updates until it notices that a weight has grown. If a task must not
    /// wait for that, call [`run_next`](Self::run_next).
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
        mut run: impl FnMut(&mut G, K, Duration),
    ) -> usize {
        let weight = |game: &G, key: &K| weight(game, key.clone());
        self.update_with(delta, game, weight, |game, it| {
            run(game, it.key().clone(), it.elapsed());
        })
    }

    /// Advances the game by `delta` and runs the tasks that are due. Returns the number of runs. In contrast to
    /// [`update_weighted`](Self::update_weighted), the closure `run` receives a [`Run`], with which the task can add,
    /// remove and request tasks, ask how much of the budget is left, and continue in a later update.
    ///
    /// ```
    /// use std::time::Duration;
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::TimeBudget;
    ///
    /// let mut paths = Timeslicer::new(TimeBudget::new(Duration::from_millis(1)));
    /// # let now = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    /// # let clock = now.clone();
    /// # let time = move || Duration::from_micros(clock.load(std::sync::atomic::Ordering::Relaxed));
    /// # let mut paths = paths.with_clock(time);
    /// let ann = paths.add("Ann");
    /// paths.request(ann);
    ///
    /// // The path has 500 steps. An update has time for 100.
    /// let mut steps = 0;
    /// let mut updates = 0;
    /// while paths.backlog() > 0 {
    ///     updates += 1;
    ///     paths.update_with(Duration::from_millis(16), &mut steps, |_, _| 1.0, |steps, run| {
    ///         while *steps < 500 {
    ///             if run.remaining() == Some(Duration::ZERO) {
    ///                 return run.again();
    ///             }
    ///             *steps += 1;
    /// #           now.fetch_add(10, std::sync::atomic::Ordering::Relaxed);
    ///         }
    ///     });
    /// }
    /// assert_eq!((steps, updates), (500, 5));
    /// ```
    pub fn update_with<G: ?Sized>(
        &mut self,
        delta: Duration,
        game: &mut G,
        weight: impl Fn(&G, &K) -> f64,
        run: impl FnMut(&mut G, &mut Run<'_, K>),
    ) -> usize {
        let clock = self.clock.clone();
        let runs = self.update_on(&|| clock.read(), delta, game, weight, run);
        let runs = runs.unwrap_or_else(|panic| resume_unwind(panic));
        if runs > 0 {
            let reading = self.clock.read();
            let is_still = self.last_reading.replace(reading) == Some(reading);
            self.still_updates = if is_still { self.still_updates + 1 } else { 0 };
        }
        self.last_update.clock_stands_still = self.still_updates >= MOST_STILL_UPDATES;
        runs
    }

    /// Advances the game by `delta` and replaces the contents of `due` with the tasks that are due, so that the game can
    /// run them on several threads. The timeslicer records them as having run. If `delta` is zero, no task is due.
    ///
    /// A strategy with a budget chooses the tasks by their estimated costs, which it learns from
    /// [`report_cost`](Self::report_cost). Its budget is then the processor time of all threads together. As long as no
    /// cost has been reported, one task is due per update.
    ///
    /// ```
    /// use std::thread;
    /// use std::time::{Duration, Instant};
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::FixedInterval;
    ///
    /// let mut thinking = Timeslicer::new(FixedInterval::new(Duration::from_millis(500)));
    /// for guard in 0..40 {
    ///     thinking.add(guard);
    /// }
    /// let mut due = Vec::new();
    /// thinking.take_due(Duration::from_millis(100), &(), |_, _| 1.0, &mut due);
    /// assert_eq!(due.len(), 8);
    /// let costs = thread::scope(|scope| {
    ///     let halves = due.chunks(due.len().div_ceil(2));
    ///     let threads: Vec<_> = halves
    ///         .map(|half| {
    ///             let run = |_guard| (); // the work
    ///             let measure = move |due: &timeslicer::Due<i32>| {
    ///                 let start = Instant::now();
    ///                 run(due.key);
    ///                 (due.task, start.elapsed())
    ///             };
    ///             scope.spawn(move || half.iter().map(measure).collect::<Vec<_>>())
    ///         })
    ///         .collect();
    ///     threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    /// });
    /// for (task, cost) in costs {
    ///     thinking.report_cost(task, cost);
    /// }
    /// ```
    pub fn take_due<G: ?Sized>(
        &mut self,
        delta: Duration,
        game: &G,
        weight: impl Fn(&G, &K) -> f64,
        due: &mut Vec<Due<K>>,
    ) {
        due.clear();
        // On this clock, each task takes as long as estimated.
        let time = Cell::new(ClockTime::START);
        let costs = std::mem::take(&mut self.costs);
        let budget = self.strategy.admission_mut().map(|it| it.budget);
        let unknown = self.usual_cost.or(budget).unwrap_or_default();
        let weight = |game: &&G, key: &K| weight(game, key);
        let result = self.update_on(&|| time.get(), delta, &mut { game }, weight, |_, run| {
            time.set(time.get() + costs.known(run.task()).unwrap_or(unknown));
            due.push(Due {
                task: run.task(),
                key: run.key().clone(),
                elapsed: run.elapsed(),
            });
        });
        self.costs = costs;
        result.unwrap_or_else(|panic| resume_unwind(panic));
    }

    /// Reports how long a task from [`take_due`](Self::take_due) took. Does nothing if the task has been removed.
    pub fn report_cost(&mut self, task: TaskId, cost: Duration) {
        if !self.tasks.contains(task) {
            return;
        }
        let cost = cost.into();
        if let Some(admission) = self.strategy.admission_mut() {
            if self.costs.known(task).is_none() {
                admission.estimates.forget(task); // it was only assumed
            }
            admission.estimates.learn(task, cost);
        }
        self.costs.learn(task, cost);
        self.usual_cost = Some(self.costs.mean());
    }

    /// Runs an update on this clock. If a closure has panicked, returns the payload of the panic.
    fn update_on<G: ?Sized>(
        &mut self,
        clock: &dyn Fn() -> ClockTime,
        delta: Duration,
        game: &mut G,
        weight: impl Fn(&G, &K) -> f64,
        run: impl FnMut(&mut G, &mut Run<'_, K>),
    ) -> Result<usize, Box<dyn Any + Send>> {
        self.last_update = UpdateReport::default();
        let delta = Nanos::from(delta);
        if delta.is_zero() {
            return Ok(0);
        }
        self.now += delta;
        let own = self.strategy.admission_mut();
        let own = own.map(|it| (it.budget, it.allowance()));
        let shared = self.share.as_ref().map(Share::limit);
        let limited = |own: Option<Nanos>| own.into_iter().chain(shared).min();
        let budget = limited(own.map(|(budget, _)| budget));
        let limit = limited(own.map(|(_, allowance)| allowance));
        let stops = own.is_none() && shared.is_some();

        let mut closures = Closures {
            members: &mut self.members,
            requested: &mut self.requested,
            timing: Timing {
                clock,
                start: clock(),
                now: self.now,
                limit,
            },
            stops: false,
            game,
            weight,
            run,
            runs: 0,
            early_runs: 0,
            panic: OnceCell::new(),
        };
        closures.run_first(&mut self.tasks, &mut self.strategy);
        // Unfinished work gets half of the budget, so that it does not keep the other tasks waiting.
        closures.timing.limit = limit.map(|limit| Nanos::from_nanos(limit.as_nanos() / 2));
        closures.run_unfinished(&mut self.tasks, &mut self.strategy);
        let spent = match closures.runs {
            0 => Nanos::ZERO,
            _ => closures.timing.spent(),
        };
        closures.timing.limit = limit;
        closures.stops = stops;
        closures.early_runs = closures.runs;
        let mut context = UpdateContext::new(delta, self.now, &mut self.tasks, &mut closures);
        context.limit = shared.unwrap_or(Nanos::MAX);
        context.spent = spent;
        self.strategy.update(&mut context);
        let before = closures.timing.spent();
        closures.use_time_that_is_left(&mut self.tasks, &mut self.strategy);

        let (runs, panic) = (closures.runs, closures.panic);
        let spent = closures.timing.spent();
        if let (Some(admission), Some(limit)) = (self.strategy.admission_mut(), limit) {
            admission.owe(spent.saturating_sub(before.max(limit)));
        }
        self.last_update = UpdateReport {
            runs,
            spent: spent.into(),
            budget: budget.map(Duration::from),
            overrun: budget.map_or(Duration::ZERO, |it| spent.saturating_sub(it).into()),
            clock_stands_still: false,
        };
        self.report_changes();
        if let Some(share) = &self.share {
            share.spend(spent, self.backlog() > 0);
        }
        panic.into_inner().map_or(Ok(runs), Err)
    }

    /// Notifies the strategy of the births, deaths and requests during the update.
    fn report_changes(&mut self) {
        for change in std::mem::take(&mut self.members.changes) {
            match change {
                Change::Birth(task) => self.strategy.insert(task),
                Change::Death(task) => self.forget(task),
                Change::Request(task) => _ = self.request(task),
                Change::Next(task) => _ = self.run_next(task),
            }
        }
    }
}

/// The [`Runner`] for one update. It calls the game's closures to run tasks and to get their weights.
struct Closures<'a, K, G: ?Sized, W, R> {
    members: &'a mut Members<K>,
    requested: &'a mut UniqueQueue,
    timing: Timing<'a>,
    /// Whether `has_time_for` enforces the time limit, because the strategy has no budget and would ignore it.
    stops: bool,
    game: &'a mut G,
    weight: W,
    run: R,
    runs: usize,
    /// The number of runs in this update before the strategy began to run tasks.
    early_runs: usize,
    /// The payload of the first panic in a closure. After a panic, no other task runs in this update. To the strategy,
    /// this looks like an update in which the game has no time left, so no task loses its turn.
    panic: OnceCell<Box<dyn Any + Send>>,
}

impl<K, G, W, R> Closures<'_, K, G, W, R>
where
    G: ?Sized,
    W: Fn(&G, &K) -> f64,
    R: FnMut(&mut G, &mut Run<'_, K>),
{
    /// Runs the tasks of [`Timeslicer::run_next`] while there is time, but at least one of them.
    fn run_first(&mut self, tasks: &mut Tasks, strategy: &mut impl Strategy) {
        let runs = self.runs;
        while let Some(task) = self.members.first.front() {
            if self.panic.get().is_some() || self.runs > runs && !self.timing.has_time() {
                break;
            }
            self.members.first.pop();
            self.run_early(task, tasks, strategy);
        }
    }

    /// Runs unfinished tasks while there is time, but at least one. The tasks that do not run keep their order.
    fn run_unfinished(&mut self, tasks: &mut Tasks, strategy: &mut impl Strategy) {
        let runs = self.runs;
        let mut waiting = Vec::new();
        for _ in 0..self.members.unfinished.len() {
            let Some(task) = self.members.unfinished.pop() else {
                break;
            };
            let may_run = waiting.is_empty() && (self.runs == runs || self.timing.has_time());
            if may_run && self.panic.get().is_none() {
                self.run_early(task, tasks, strategy);
            } else {
                waiting.push(task);
            }
        }
        for task in waiting {
            self.members.unfinished.push(task);
        }
    }

    /// Continues unfinished tasks for as long as the budget lasts.
    fn use_time_that_is_left(&mut self, tasks: &mut Tasks, strategy: &mut impl Strategy) {
        while self.timing.limit.is_some() && !self.members.unfinished.is_empty() {
            let spent = self.timing.spent();
            if !self.timing.has_time() || self.panic.get().is_some() {
                break;
            }
            self.run_unfinished(tasks, strategy);
            if self.timing.spent() == spent {
                break; // the clock does not advance
            }
        }
    }

    /// Runs a task that the strategy has not chosen, and tells the strategy.
    fn run_early(&mut self, task: TaskId, tasks: &mut Tasks, strategy: &mut impl Strategy) {
        if let Some(elapsed) = tasks.ran(task, self.timing.now) {
            self.run(task, elapsed, tasks);
            strategy.ran_early(task);
        }
    }
}

impl<K, G, W, R> Runner for Closures<'_, K, G, W, R>
where
    G: ?Sized,
    W: Fn(&G, &K) -> f64,
    R: FnMut(&mut G, &mut Run<'_, K>),
{
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        self.runs += 1;
        for queue in [&mut *self.requested, &mut self.members.first] {
            if !queue.is_empty() {
                queue.remove(task);
            }
        }
        let index = task.index as usize;
        let Some(key) = self.members.keys[index].take() else {
            return;
        };
        let mut it = Run {
            key: &key,
            task,
            elapsed,
            tasks,
            members: self.members,
            timing: self.timing,
            is_unfinished: false,
        };
        let (game, run) = (&mut *self.game, &mut self.run);
        catch(&self.panic, || run(game, &mut it));
        let is_unfinished = it.is_unfinished;
        if tasks.contains(task) {
            self.members.keys[index] = Some(key);
            if is_unfinished {
                self.members.unfinished.push(task);
            } else if !self.members.unfinished.is_empty() {
                self.members.unfinished.remove(task); // the strategy has run it meanwhile
            }
        }
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        let is_stopped = self.stops && self.runs > self.early_runs && !self.timing.has_time();
        !is_stopped && self.panic.get().is_none()
    }

    fn clock(&self) -> ClockTime {
        (self.timing.clock)()
    }

    fn weight(&self, task: TaskId) -> f64 {
        let key = self.members.keys[task.index as usize].as_ref();
        let weight = key.and_then(|key| catch(&self.panic, || (self.weight)(self.game, key)));
        weight.unwrap_or(0.0)
    }

    /// Skips a task that has already run early in this update, because no time has passed since its last run.
    fn skips(&self, elapsed: Nanos) -> bool {
        self.early_runs > 0 && elapsed.is_zero()
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
