//! Weighted share: divides the budget among the tasks by weight and cost.
//!
//! This is stride scheduling. Each task has a *pass*. While the budget lasts, an update runs the task with the smallest
//! pass, and then puts its pass one *stride* ahead of the *virtual time*, which is the largest pass that has run so far.
//! A task with cost c and weight w has the stride (c^(p−1) / w)^(1/p) ([`Strides`]), so it runs at a rate inverse to
//! that, whatever the other tasks do. The exponent p decides what the rates are good for:
//!
//! - p = 1 shares runs by weight. Then the largest weighted staleness (weight times staleness) is as small as possible.
//! - p = 2 makes intervals proportional to √(c / w). Then the mean weighted staleness is as small as possible: within
//!   some thousandths of (Σ√(c·w))² / (2·B·Σw) for B of task time per second.
//! - The default, 1.5, is close to both.
//!
//! Always running the task with the largest index w·age^p / c^(p−1) has the same effect, because the p-th root of the
//! index grows linearly with age. But that needs a scan of all tasks for each run; a pass changes only when a task runs.
//!
//! Two limits apply to a single task. It *rests* after a run until the shortest interval has passed. While it rests, it
//! saves no share: its next pass counts from the virtual time. A task that has not run for the *expiry* time goes first,
//! but such tasks use at most half of the budget, so a backlog of them does not stop the others.
//!
//! The strategy asks for a task's weight when the task runs. In addition, each update asks for the weights of as many
//! tasks as ran in the last one, at least 64, in rotation, and moves those whose strides have changed by an eighth or
//! more. So a target that moves quickly finds its surroundings awake.
//!
//! # When to use it
//!
//! If there is more work than time, and some tasks matter more. The budget is always used, and the number of tasks does
//! not matter: more tasks lengthen all intervals in proportion. Not if tasks need a certain interval, or if a task that is
//! fresh enough should leave the time to the rest of the game: use [`FixedInterval`](super::FixedInterval) for that.
//!
//! # Cost
//!
//! The budget, if enough tasks have rested. Each run takes amortized constant time ([`TimerWheel`]), and two questions for
//! a weight. An update in which all tasks rest takes constant time.
//!
//! # If an update is stopped
//!
//! A task that did not run keeps its pass, and is among the first ones in the next update.
//!
//! # Source
//!
//! Waldspurger and Weihl, "Stride Scheduling" (1995): passes, strides and the global pass. Olston and Pandey (WWW 2008):
//! the index of p = 2. Kuszmaul, "Bamboo Trimming Revisited" (2022): the largest weighted age. React's scheduler: expiry.

use super::knobs::{BUDGET, FASTEST, PAY_BACK, PREDICT};
use super::{Family, Load, Peak, Promise, Strategy, StrategyEntry};
use crate::knob::{Knob, KnobValues, Scale};
use crate::scheduler::{
    Admission, AgeList, Estimates, Strides, TaskId, TimerWheel, UniqueQueue, UpdateContext,
};
use crate::time::Nanos;

/// What the shares are good for.
pub const SHARE_EXPONENT: Knob = Knob {
    key: "share-exponent",
    label: "Share exponent",
    unit: "",
    min: 1.0,
    max: 4.0,
    default: 1.5,
    scale: Scale::Linear,
    whole: false,
    help: "1 shares runs by weight, for the smallest worst weighted staleness; 2 makes its mean smallest.",
};

/// Time after which a task goes first.
pub const EXPIRE: Knob = Knob {
    key: "expire-s",
    label: "Expire",
    unit: "s",
    min: 0.0,
    max: 60.0,
    default: 3.0,
    scale: Scale::Logarithmic { from: 0.1 },
    whole: false,
    help: "A task that has not run for this time goes first, with at most half of the budget; zero turns this off.",
};

/// The registry's entry.
pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "weighted-share",
    name: "Weighted share",
    family: Family::BySignificance,
    rule: "Divides the time budget among the tasks: those that matter more or cost less run more often.",
    use_when: "Use it when there is more work than time, some tasks matter more, and a budget must hold.",
    avoid_when: "Avoid it when tasks need a certain interval, or when time that is left should go to the rest of the game.",
    known_from: "Known from stride scheduling in operating systems, and from the priority accumulators of game networking.",
    source: "Waldspurger and Weihl, \"Stride Scheduling\" (1995); Olston and Pandey (WWW 2008)",
    knobs: &[BUDGET, SHARE_EXPONENT, FASTEST, EXPIRE, PREDICT, PAY_BACK],
    load: |demand| Load {
        mean: demand.tasks as f64 * demand.rounds(Nanos::from_secs_f64(demand.knobs.get(&FASTEST))),
        peak: Peak::Share,
    },
    make: || {
        let mut strategy = WeightedShare::new(Nanos::ZERO);
        strategy.tune(&KnobValues::default());
        Box::new(strategy)
    },
    published: None,
    constructor: "WeightedShare::new({budget-ms})\n    .with_share_exponent({share-exponent})\n    .with_fastest({fastest-s})\n    .with_expiry({expire-s})\n    .with_prediction({predict})\n    .with_pay_back({pay-back})",
};

/// Divides the budget among the tasks by weight and cost; described in the [module](self).
///
/// ```
/// use timeslice::scheduler::{Runner, TaskId, Tasks, UpdateContext};
/// use timeslice::strategy::{Strategy, WeightedShare};
/// use timeslice::time::{ClockTime, GameTime, Nanos, monotonic};
///
/// #[derive(Default)]
/// struct Game {
///     runs: [usize; 2],
/// }
///
/// impl Runner for Game {
///     fn run(&mut self, guard: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {
///         self.runs[guard.index as usize] += 1;
///     }
///     fn clock(&self) -> ClockTime {
///         monotonic()
///     }
///     fn weight(&self, guard: TaskId) -> f64 {
///         [1.0, 0.25][guard.index as usize]
///     }
/// }
///
/// let (mut tasks, mut game, mut now) = (Tasks::new(), Game::default(), GameTime::START);
/// // A budget of zero is enough for one run in each update.
/// let mut strategy = WeightedShare::new(Nanos::ZERO).with_share_exponent(1.0);
/// strategy = strategy.with_fastest(Nanos::ZERO);
/// for _ in 0..2 {
///     strategy.insert(tasks.insert(now));
/// }
/// for _ in 0..100 {
///     let delta = Nanos::from_millis(16);
///     now += delta;
///     strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut game));
/// }
/// assert_eq!(game.runs, [80, 20]);
/// ```
#[derive(Clone, Debug)]
pub struct WeightedShare {
    admission: Admission,
    shares: Shares,
    /// Time after which a task goes first; zero if none does.
    expiry: Nanos,
    /// Number of runs in the last update.
    last_runs: usize,
    /// True if the game stopped the last update.
    was_stopped: bool,
}

/// All tasks and their passes.
#[derive(Clone, Debug)]
struct Shares {
    strides: Strides,
    fastest: Nanos,
    /// Tasks that have not been given a pass.
    newborns: UniqueQueue,
    /// Tasks that ran less than the shortest interval ago, in the order of their runs.
    resting: UniqueQueue,
    /// The other tasks, by pass.
    waiting: TimerWheel,
    /// All tasks, in the order of their runs.
    by_age: AgeList,
    /// By task index.
    passes: Vec<Pass>,
    /// The largest pass that has run.
    virtual_time: u64,
    /// Number of tasks.
    population: usize,
    /// Index of the first task to review in the next update.
    next_review: u32,
}

/// A task's pass is the sum of both.
#[derive(Clone, Copy, Debug, Default)]
struct Pass {
    /// The virtual time of the task's last run.
    start: u64,
    stride: u64,
}

impl Pass {
    fn end(self) -> u64 {
        self.start.saturating_add(self.stride)
    }
}

/// Number of waiting tasks that are offered to the budget at once.
const TURNS: usize = 16;
/// Minimum number of tasks to review in an update.
const LEAST_REVIEWED: usize = 64;
/// A review moves a task if its stride has changed by this share or more.
const CHANGED_SHARE: u64 = 8;

impl WeightedShare {
    /// Divides `budget` of the machine's time in each update, with the other knobs at their defaults.
    #[must_use]
    pub fn new(budget: Nanos) -> Self {
        Self {
            admission: Admission::new(budget),
            shares: Shares {
                strides: Strides::new(SHARE_EXPONENT.default),
                fastest: Nanos::from_secs_f64(FASTEST.default),
                newborns: UniqueQueue::new(),
                resting: UniqueQueue::new(),
                waiting: TimerWheel::new(),
                by_age: AgeList::new(),
                passes: Vec::new(),
                virtual_time: 0,
                population: 0,
                next_review: 0,
            },
            expiry: Nanos::from_secs_f64(EXPIRE.default),
            last_runs: 0,
            was_stopped: false,
        }
    }

    /// Sets the exponent p of the shares: 1 for the smallest worst weighted staleness, 2 for the smallest mean.
    #[must_use]
    pub fn with_share_exponent(mut self, exponent: f64) -> Self {
        self.shares.strides = Strides::new(exponent);
        self
    }

    /// Sets the shortest time between two runs of a task.
    #[must_use]
    pub fn with_fastest(mut self, fastest: Nanos) -> Self {
        self.shares.fastest = fastest;
        self
    }

    /// Sets the time without a run after which a task goes first. Zero turns this off.
    #[must_use]
    pub fn with_expiry(mut self, expiry: Nanos) -> Self {
        self.expiry = expiry;
        self
    }

    /// Turns prediction on or off: whether a task waits if its estimated cost exceeds the rest of the budget.
    #[must_use]
    pub fn with_prediction(mut self, predicts: bool) -> Self {
        self.admission.set_prediction(predicts);
        self
    }

    /// Turns pay-back on or off: whether overruns shorten later updates.
    #[must_use]
    pub fn with_pay_back(mut self, pays_back: bool) -> Self {
        self.admission.set_pay_back(pays_back);
        self
    }
}

/// Returns the time since the last run of `task`, or the longest time if it is dead.
fn age(task: TaskId, context: &UpdateContext<'_>) -> Nanos {
    let last_run = context.tasks().last_run(task);
    last_run.map_or(Nanos::MAX, |last_run| context.now() - last_run)
}

impl Shares {
    /// Returns the stride of a task with this cost and its present weight.
    fn stride(&self, task: TaskId, cost: Nanos, context: &UpdateContext<'_>) -> u64 {
        self.strides.of(cost, context.weight(task))
    }

    /// Gives passes to newborn tasks. Their births count as runs.
    fn admit_newborns(&mut self, costs: &Estimates, context: &UpdateContext<'_>) {
        while let Some(task) = self.newborns.pop() {
            let index = task.index as usize;
            if index >= self.passes.len() {
                self.passes.resize(index + 1, Pass::default());
            }
            self.passes[index] = Pass {
                start: self.virtual_time,
                stride: self.stride(task, costs.of(task), context),
            };
            if age(task, context) < self.fastest {
                self.resting.push(task);
            } else {
                self.waiting.push(task, self.passes[index].end());
            }
        }
    }

    /// Moves the tasks that have rested to those that wait.
    fn wake(&mut self, context: &UpdateContext<'_>) {
        while let Some(task) = self.resting.front()
            && age(task, context) >= self.fastest
        {
            self.resting.pop();
            let pass = self.passes[task.index as usize];
            self.waiting.push(task, pass.end());
        }
    }

    /// Asks again for the weights of `count` tasks, and moves those whose strides have changed.
    fn review(&mut self, count: usize, costs: &Estimates, context: &UpdateContext<'_>) {
        for _ in 0..count.min(self.population) {
            if self.next_review >= context.tasks().end() {
                self.next_review = 0;
            }
            let task = context.tasks().at(self.next_review);
            self.next_review += 1;
            let Some(task) = task.filter(|&task| self.waiting.contains(task)) else {
                continue; // a resting task has been asked a moment ago
            };
            let stride = self.stride(task, costs.of(task), context);
            let pass = &mut self.passes[task.index as usize];
            if stride.abs_diff(pass.stride) >= (pass.stride / CHANGED_SHARE).max(1) {
                pass.stride = stride;
                self.waiting.push(task, pass.end());
            }
        }
    }

    /// Returns the task that has not run for the longest time, if that is at least `expiry`.
    fn expired(&self, expiry: Nanos, context: &UpdateContext<'_>) -> Option<TaskId> {
        let oldest = self.by_age.front()?;
        (age(oldest, context) >= expiry.max(self.fastest)).then_some(oldest)
    }

    /// Lets a task rest after its turn.
    fn rest(&mut self, task: TaskId, cost: Nanos, weight: f64, context: &UpdateContext<'_>) {
        if !context.tasks().contains(task) {
            self.remove(task);
            return;
        }
        self.passes[task.index as usize] = Pass {
            start: self.virtual_time,
            stride: self.strides.of(cost, weight),
        };
        self.by_age.move_to_end(task);
        self.resting.push(task);
    }

    fn remove(&mut self, task: TaskId) {
        if self.by_age.remove(task) {
            self.population -= 1;
            self.newborns.remove(task);
            self.resting.remove(task);
            self.waiting.remove(task);
        }
    }
}

impl Strategy for WeightedShare {
    fn insert(&mut self, task: TaskId) {
        if self.shares.by_age.push(task) {
            self.shares.newborns.push(task);
            self.shares.population += 1;
        }
    }

    fn remove(&mut self, task: TaskId) {
        self.shares.remove(task);
        self.admission.forget(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let (shares, costs) = (&mut self.shares, self.admission.estimates());
        shares.admit_newborns(costs, context);
        shares.wake(context);
        shares.review(self.last_runs.max(LEAST_REVIEWED), costs, context);

        let mut slice = self.admission.begin(context);
        if !self.expiry.is_zero() {
            let half = Nanos::from_nanos(slice.budget().as_nanos() / 2);
            while let Some(task) = shares.expired(self.expiry, slice.context())
                && slice.run_within(task, half)
            {
                shares.waiting.remove(task);
                shares.resting.remove(task); // there if the tasks ran in another strategy before
                let weight = slice.context().weight(task);
                shares.rest(task, slice.estimate(task), weight, slice.context());
            }
        }
        loop {
            let first: [_; TURNS] = std::array::from_fn(|_| shares.waiting.pop());
            let tasks = first.map(|next| next.map_or(TaskId::NONE, |(task, _)| task));
            let tasks = &tasks[..first.iter().flatten().count()];
            let weights: [f64; TURNS] = slice.context().weights_of(tasks);
            let taken = slice.run_first(tasks);
            for (&(task, pass), &weight) in first[..taken].iter().flatten().zip(&weights) {
                shares.virtual_time = shares.virtual_time.max(pass);
                shares.rest(task, slice.estimate(task), weight, slice.context());
            }
            for &(task, pass) in first[taken..].iter().flatten().rev() {
                shares.waiting.push(task, pass);
            }
            if taken == 0 {
                break;
            }
        }
        self.last_runs = slice.runs();
        drop(slice);
        self.was_stopped = context.is_stopped();
    }

    /// Returns the number of tasks that wait because the game stopped the last update. Otherwise no task is due: those
    /// that wait for their share only run the sooner, the more time there is.
    fn backlog(&self) -> usize {
        if self.was_stopped {
            let known = self.shares.waiting.len() + self.shares.newborns.len();
            known.max(1).min(self.shares.population) // an expired task may still rest
        } else {
            0
        }
    }

    fn promise(&self) -> Promise {
        let fastest = self.shares.fastest;
        let tasks = self.shares.population.max(1);
        if self.expiry.is_zero() {
            // All others may have the smallest stride, and run until their passes have reached that of the task.
            Promise::Eventually {
                interval: fastest,
                updates: tasks.saturating_mul(Strides::LARGEST as usize),
            }
        } else {
            Promise::Eventually {
                interval: self.expiry.max(fastest),
                updates: tasks,
            }
        }
    }

    fn budget(&self) -> Option<Nanos> {
        Some(self.admission.budget())
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.admission.tune(knobs);
        self.shares.strides = Strides::new(knobs.get(&SHARE_EXPONENT));
        self.shares.fastest = Nanos::from_secs_f64(knobs.get(&FASTEST));
        self.expiry = Nanos::from_secs_f64(knobs.get(&EXPIRE));
    }
}

#[cfg(test)]
mod tests;
