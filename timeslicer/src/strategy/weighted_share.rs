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
//! The budget, if enough tasks have rested. Each run takes amortized constant time ([`TimerWheel`](crate::scheduler::TimerWheel)), and two questions for
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

mod shares;

use super::knobs::{BUDGET, FASTEST, PAY_BACK, PREDICT};
use super::{Family, Load, Peak, Promise, Strategy, StrategyEntry};
use crate::knob::{Knob, KnobValues, Scale};
use crate::scheduler::{Admission, Strides, TaskId, UpdateContext};
use crate::time::Nanos;
use shares::{LEAST_REVIEWED, Shares, TURNS};

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
    help: "1 shares runs by weight, which limits the worst weighted staleness; 2 makes its mean smallest.",
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
/// use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
/// use timeslicer::strategy::{Strategy, WeightedShare};
/// use timeslicer::time::{ClockTime, GameTime, Nanos, monotonic};
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
    /// True if the last update had room for expired tasks only, although others were waiting.
    left_no_room: bool,
    /// Number of runs in the last update.
    last_runs: usize,
    /// True if the game stopped the last update.
    was_stopped: bool,
}

impl WeightedShare {
    /// Divides `budget` of the machine's time in each update, with the other knobs at their defaults.
    #[must_use]
    pub fn new(budget: Nanos) -> Self {
        Self {
            admission: Admission::new(budget),
            shares: Shares::new(
                SHARE_EXPONENT.default,
                Nanos::from_secs_f64(FASTEST.default),
            ),
            expiry: Nanos::from_secs_f64(EXPIRE.default),
            left_no_room: false,
            last_runs: 0,
            was_stopped: false,
        }
    }

    /// Sets the exponent p of the shares: 1 to limit the worst weighted staleness, 2 for the smallest mean.
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

impl Strategy for WeightedShare {
    fn insert(&mut self, task: TaskId) {
        self.shares.insert(task);
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
        let half = Nanos::from_nanos(slice.budget().as_nanos() / 2);
        let mut others_ran = self.left_no_room && shares.run_waiting(1, &mut slice);
        let expired_ran =
            !self.expiry.is_zero() && shares.run_expired(self.expiry, half, &mut slice);
        while shares.run_waiting(TURNS, &mut slice) {
            others_ran = true;
        }
        self.last_runs = slice.runs();
        drop(slice);
        self.was_stopped = context.is_stopped();
        self.left_no_room &= !others_ran;
        if expired_ran && !self.was_stopped {
            self.left_no_room = !(others_ran || shares.waiting.is_empty() || half.is_zero());
        }
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
                updates: usize::try_from(Strides::LARGEST)
                    .map_or(usize::MAX, |largest| tasks.saturating_mul(largest)),
            }
        } else {
            // At least every other update begins with the task that has not run for the longest time.
            Promise::Eventually {
                interval: self.expiry.max(fastest),
                updates: tasks.saturating_mul(2),
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
