//! Strategies: which tasks run in an update.
//!
//! [The crate's documentation](crate#which-strategy) helps to choose one.
//!
//! Each strategy is one file with its rule, its knobs and its [`StrategyEntry`]. [`STRATEGIES`] lists all of them, and
//! [`knobs`] has the knobs that several of them share. [`published`] has the articles' own forms. A new strategy is a new
//! file and a line in the registry below; to remove a strategy, delete both. Programs that read the registry, such as
//! Timeslice Lab, offer and test every strategy without naming it.
//!
//! The building blocks for strategies are in [`crate::scheduler`].

pub mod knobs;
pub mod published;
mod snippet;

#[cfg(test)]
pub(crate) mod testing;

pub use published::{Defect, Published};
pub use snippet::{Snippet, WeightRule};

use crate::knob::{Knob, KnobValues};
use crate::scheduler::{TaskId, UpdateContext};
use crate::time::Nanos;

/// Decides which tasks run in an update.
///
/// The game reports every birth and death to the strategy between updates. A task that dies during an update stays
/// known to the strategy until the update ends; [`UpdateContext::run`] skips it.
///
/// A strategy contains only its rule, because the update context records when tasks run. The strategies of the registry
/// implement [`Inspect`], too. A strategy of your own:
///
/// ```
/// use timeslicer::scheduler::{TaskId, TaskSet, UpdateContext};
/// use timeslicer::strategy::{Guarantee, Strategy};
///
/// /// Runs every task in every other update.
/// #[derive(Default)]
/// struct EveryOther {
///     tasks: TaskSet,
///     is_on: bool,
/// }
///
/// impl Strategy for EveryOther {
///     fn insert(&mut self, task: TaskId) {
///         self.tasks.insert(task);
///     }
///     fn remove(&mut self, task: TaskId) {
///         self.tasks.remove(task);
///     }
///     fn update(&mut self, context: &mut UpdateContext<'_>) {
///         self.is_on = !self.is_on;
///         if self.is_on {
///             context.run_round(&mut self.tasks);
///         }
///     }
///     fn guarantee(&self) -> Guarantee {
///         Guarantee::Updates(2)
///     }
/// }
/// # let _ = EveryOther::default();
/// ```
pub trait Strategy: Send + Sync {
    /// Adds a newborn task.
    fn insert(&mut self, task: TaskId);

    /// Removes a dead task. Does nothing if the strategy does not know it.
    fn remove(&mut self, task: TaskId);

    /// Requests a run of a living task. Strategies that run tasks without requests ignore this.
    fn request(&mut self, _task: TaskId) {}

    /// Returns the tasks that have requested a run and are still waiting for it, in the order of their requests. A strategy
    /// that runs tasks only on request has to implement this: otherwise, a [`Timeslicer`](crate::Timeslicer) loses its
    /// open requests when another strategy replaces it.
    fn requested(&self) -> Vec<TaskId> {
        Vec::new()
    }

    /// Runs the tasks that are due, each at most once, with [`UpdateContext::run`]. If the update is stopped
    /// ([`UpdateContext::is_stopped`]), because the game has no time left or a task has panicked, this returns without
    /// running more tasks, and the next update must continue with those that did not run.
    fn update(&mut self, context: &mut UpdateContext<'_>);

    /// Returns the number of tasks that are due or requested and have not run yet.
    fn backlog(&self) -> usize {
        0
    }

    /// Returns an upper bound on a task's wait. It holds while the game stops no update and the population is stable: no
    /// task is born or dies, or each dead task is replaced at once.
    fn guarantee(&self) -> Guarantee;
}

/// A boxed strategy is a strategy, so a game can choose one while it runs.
impl<S: Strategy + ?Sized> Strategy for Box<S> {
    fn insert(&mut self, task: TaskId) {
        (**self).insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        (**self).remove(task);
    }

    fn request(&mut self, task: TaskId) {
        (**self).request(task);
    }

    fn requested(&self) -> Vec<TaskId> {
        (**self).requested()
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        (**self).update(context);
    }

    fn backlog(&self) -> usize {
        (**self).backlog()
    }

    fn guarantee(&self) -> Guarantee {
        (**self).guarantee()
    }
}

/// What a program shows and sets that lets its user compare strategies. A game does not need it.
pub trait Inspect: Strategy {
    /// Returns the target time between two runs of a task, if it is the same for all tasks.
    fn wanted_interval(&self) -> Option<Nanos> {
        self.guarantee().wanted_interval()
    }

    /// Returns the time that an update may spend on tasks; `None` if unlimited.
    fn budget(&self) -> Option<Nanos> {
        None
    }

    /// Returns the time on the clock by which an elastic strategy measures its intervals. It runs like game time, but
    /// slower during an overload: at half the speed, every interval is twice as long. `None` if overloads stretch no
    /// intervals.
    fn elastic_clock(&self) -> Option<Nanos> {
        None
    }

    /// Returns the fixed pattern that distributes tasks over updates; `None` if there is no pattern, or if the runs
    /// alone show it.
    fn pattern(&self) -> Option<Pattern> {
        None
    }

    /// Returns how often the defect of a published form has shown; `None` unless the strategy is such a form.
    fn defect(&self) -> Option<Defect> {
        None
    }

    /// Applies the current values of the strategy's knobs. Must not add owed runs, because that would start a burst.
    fn tune(&mut self, _knobs: &KnobValues) {}
}

/// An upper bound on a task's wait, valid while the population and the strategy's knobs do not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Every task runs at least once in any sequence of this many updates.
    Updates(usize),
    /// Every task runs again less than this time plus one delta after its last run.
    Interval(Nanos),
    /// Every task runs again at most `updates` updates after the first update that ends `interval` or more after its
    /// last run. Strategies with a budget guarantee this: they run at least one task per update, even if the budget is
    /// too small. If there is no overload, tasks run within about an `interval`, and an overload stretches it
    /// ([`Inspect::elastic_clock`]).
    Eventually {
        /// Time without a run after which the updates count; [`Nanos::MAX`] if tasks need not run within any time.
        interval: Nanos,
        /// Number of updates, at least one.
        updates: usize,
    },
    /// A waiting request is served within this many updates. Tasks run only on request.
    Request {
        /// Number of updates, including the next one.
        updates: usize,
    },
}

/// A fixed pattern that distributes tasks over updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Each update runs one of this many groups of tasks.
    Groups(usize),
    /// Each update runs at most this many tasks.
    AtMost(usize),
}

impl Guarantee {
    /// Returns true if tasks run only on request.
    pub fn is_on_request(self) -> bool {
        matches!(self, Self::Request { .. })
    }

    /// Returns the target time between two runs of a task; `None` if the strategy has no target, or runs every task in
    /// every update.
    pub fn wanted_interval(self) -> Option<Nanos> {
        match self {
            Self::Interval(interval) if !interval.is_zero() => Some(interval),
            _ => None,
        }
    }
}

/// What makes tasks run. The registry lists the strategies of one family next to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// All tasks run again and again, equally often.
    Periodic,
    /// A task runs after the game has requested it.
    OnRequest,
    /// Tasks that matter more run more often.
    BySignificance,
}

impl Family {
    /// All families, in display order.
    pub const ALL: [Self; 3] = [Self::Periodic, Self::OnRequest, Self::BySignificance];

    /// Returns the name on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Periodic => "Periodic",
            Self::OnRequest => "On request",
            Self::BySignificance => "By significance",
        }
    }
}

/// A strategy's entry in the registry.
#[derive(Debug)]
pub struct StrategyEntry {
    /// Name on the command line.
    pub key: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// What makes tasks run.
    pub family: Family,
    /// Rule in one sentence that begins with a verb.
    pub rule: &'static str,
    /// Reason to choose the strategy: one sentence that begins with "Use it".
    pub use_when: &'static str,
    /// Reason to choose another one: one sentence that begins with "Avoid it".
    pub avoid_when: &'static str,
    /// What an update runs: a phrase for tables.
    pub work: &'static str,
    /// How long a task waits, or what an overload does: a phrase for tables.
    pub guarantee: &'static str,
    /// Article or program that uses the algorithm: one sentence that begins with "Known from".
    pub known_from: &'static str,
    /// Publication of the algorithm.
    pub source: &'static str,
    /// Adjustable parameters, the main one first.
    pub knobs: &'static [Knob],
    /// Creates the strategy without tasks, with its knobs at their defaults.
    pub make: fn() -> Box<dyn Inspect>,
    /// The form that an article published, if it has a defect that this strategy does not have. Such a strategy has the
    /// knob [`knobs::AS_PUBLISHED`].
    pub published: Option<Published>,
    /// Rust expression that creates the strategy, for [`StrategyEntry::snippet`]. `{interval-s}` marks the place for the
    /// value of the knob with this key: a [`Duration`](std::time::Duration) if the knob's unit is one of time, a `bool` if
    /// the knob is a switch, else a number.
    pub constructor: &'static str,
}

impl StrategyEntry {
    /// Returns true if tasks run only on request.
    pub fn on_request(&self) -> bool {
        self.family == Family::OnRequest
    }

    /// Returns the strategy's knobs without [`knobs::AS_PUBLISHED`], which selects another form.
    pub fn own_knobs(&self) -> impl Iterator<Item = &'static Knob> + use<> {
        let knobs = self.knobs.iter();
        knobs.filter(|&knob| *knob != knobs::AS_PUBLISHED)
    }

    /// Returns the knob that decides how much of the work an update does: an interval, a number of tasks or of groups, or
    /// the budget. `None` if the strategy has no such choice.
    pub fn main_knob(&self) -> Option<&'static Knob> {
        self.own_knobs().next()
    }

    /// Creates the strategy without tasks, with these values of its knobs: the published form if
    /// [`knobs::AS_PUBLISHED`] is on and there is one.
    ///
    /// ```
    /// use timeslicer::knob::KnobValues;
    /// use timeslicer::strategy::{STRATEGIES, knobs::AS_PUBLISHED};
    ///
    /// let values = KnobValues::with(&[(&AS_PUBLISHED, 1.0)]);
    /// for entry in STRATEGIES {
    ///     let strategy = entry.build(&values);
    ///     assert_eq!(strategy.defect().is_some(), entry.published.is_some());
    /// }
    /// ```
    pub fn build(&self, knobs: &KnobValues) -> Box<dyn Inspect> {
        let published = self.published.filter(|_| self.is_as_published(knobs));
        let make = published.map_or(self.make, |published| published.make);
        let mut strategy = make();
        strategy.tune(knobs);
        strategy
    }

    /// Returns true if `knob` has an effect on the strategy, in the form that `values` select.
    pub fn reads(&self, knob: &Knob, values: &KnobValues) -> bool {
        let published = self.published.filter(|_| self.is_as_published(values));
        let reads = |form: Published| *knob == knobs::AS_PUBLISHED || form.knobs.contains(knob);
        self.knobs.contains(knob) && published.is_none_or(reads)
    }

    /// Returns true if the strategy has a published form and [`knobs::AS_PUBLISHED`] selects it.
    pub fn is_as_published(&self, knobs: &KnobValues) -> bool {
        self.published.is_some() && knobs.get(&knobs::AS_PUBLISHED) > 0.0
    }
}

/// Compares by identity: the registry has one static entry for each strategy.
impl PartialEq for StrategyEntry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for StrategyEntry {}

/// Declares each strategy's module, re-exports its type, and lists the entries.
///
/// (`cargo fmt` skips modules that a macro declares: pass their files to `rustfmt`.)
macro_rules! registry {
    ($($module:ident :: $Strategy:ident,)*) => {
        $(
            pub mod $module;
            pub use $module::$Strategy;
        )*

        /// All strategies, in display order.
        pub static STRATEGIES: &[&StrategyEntry] = &[
            $(&$module::ENTRY,)*
        ];
    };
}

registry! {
    every_frame::EveryFrame,
    all_at_once::AllAtOnce,
    max_per_frame::MaxPerFrame,
    fixed_interval::FixedInterval,
    stagger_groups::StaggerGroups,
    balanced_slots::BalancedSlots,
    request_list::RequestList,
    time_budget::TimeBudget,
    distance_lod::DistanceLod,
    earliest_deadline::EarliestDeadline,
    weighted_share::WeightedShare,
}

/// Returns the strategy with this key.
pub fn by_key(key: &str) -> Option<&'static StrategyEntry> {
    STRATEGIES.iter().copied().find(|entry| entry.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_together_and_in_order() {
        let order = |entry: &&StrategyEntry| {
            Family::ALL
                .iter()
                .position(|&family| family == entry.family)
        };
        assert!(STRATEGIES.is_sorted_by_key(order));
    }

    #[test]
    fn exactly_the_strategies_on_request_promise_to_serve_requests() {
        for entry in STRATEGIES {
            let guarantee = (entry.make)().guarantee();
            assert_eq!(
                entry.on_request(),
                guarantee.is_on_request(),
                "{}",
                entry.key
            );
        }
    }
}
