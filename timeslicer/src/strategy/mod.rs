//! A strategy decides which tasks run in each update.
//!
//! The [documentation of the crate](crate#which-strategy) helps to choose a strategy.
//!
//! Each strategy is one file, which contains its algorithm, its adjustable parameters ([knobs](crate::knob)) and its
//! [`StrategyEntry`]. [`STRATEGIES`] lists all strategies, [`knobs`] contains the knobs that several strategies share,
//! and [`published`] contains strategies in the form in which articles published them. To add a strategy, add its file
//! and a line to `registry!` below. To remove a strategy, delete both. Programs that read this list, such as Timeslice
//! Lab, offer and test every strategy without naming it.
//!
//! The building blocks of strategies are in [`crate::scheduler`].

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
/// The game reports every birth and death to the strategy between updates. If a task dies during an update, the
/// strategy is not notified until the update has ended, but [`UpdateContext::run`] skips the task.
///
/// A strategy contains only its algorithm, because the update context records when tasks run. The strategies in
/// [`STRATEGIES`] also implement [`Inspect`], but your own strategy does not have to. Here is an example:
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
    /// Adds a task that has just been born.
    fn insert(&mut self, task: TaskId);

    /// Removes a task, usually because it has died. Does nothing if the strategy does not contain the task.
    fn remove(&mut self, task: TaskId);

    /// Removes several tasks at once. Implement this if it can be faster than removing the tasks one by one.
    fn remove_all(&mut self, tasks: &[TaskId]) {
        for &task in tasks {
            self.remove(task);
        }
    }

    /// Requests a run of a living task. By default, this does nothing, because many strategies run all tasks without
    /// requests.
    fn request(&mut self, _task: TaskId) {}

    /// Returns the tasks that have been requested but have not run yet, in the order of the requests. A strategy that
    /// runs tasks only on request has to implement this method. Otherwise, a [`Timeslicer`](crate::Timeslicer) loses
    /// these requests when another strategy replaces this one.
    fn requested(&self) -> Vec<TaskId> {
        Vec::new()
    }

    /// Runs the tasks that are due, each at most once, with [`UpdateContext::run`].
    ///
    /// The update may be stopped ([`UpdateContext::is_stopped`]) because the game has no time left or a task has
    /// panicked. The strategy must then return without running more tasks, and must continue with the remaining tasks
    /// in its next update.
    fn update(&mut self, context: &mut UpdateContext<'_>);

    /// Returns the number of tasks that should have run but have not run yet, because they are due or have been
    /// requested.
    fn backlog(&self) -> usize {
        0
    }

    /// Returns an upper bound on how long a task waits. The bound is valid while the game stops no update and the
    /// population is stable, which means that no task is born or dies, or that each dead task is replaced at once.
    fn guarantee(&self) -> Guarantee;
}

/// A boxed strategy is also a strategy, so that a game can choose its strategy at run time.
impl<S: Strategy + ?Sized> Strategy for Box<S> {
    fn insert(&mut self, task: TaskId) {
        (**self).insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        (**self).remove(task);
    }

    fn remove_all(&mut self, tasks: &[TaskId]) {
        (**self).remove_all(tasks);
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

/// Properties of a strategy that a program such as Timeslice Lab shows or sets, so that its user can compare
/// strategies. A game does not need this trait.
pub trait Inspect: Strategy {
    /// Returns the target time between two runs of a task. Returns `None` if there is no target, or if the target is
    /// not the same for all tasks.
    fn wanted_interval(&self) -> Option<Nanos> {
        self.guarantee().wanted_interval()
    }

    /// Returns the time that an update may spend on tasks, or `None` if the time is unlimited.
    fn budget(&self) -> Option<Nanos> {
        None
    }

    /// Returns the time on the elastic clock, with which some strategies measure their intervals. This clock runs like
    /// game time, but more slowly during an overload. If it runs at half the speed, every interval becomes twice as
    /// long. Returns `None` if an overload does not stretch the intervals of this strategy.
    fn elastic_clock(&self) -> Option<Nanos> {
        None
    }

    /// Returns the fixed pattern by which the strategy distributes tasks over updates. Returns `None` if there is no
    /// pattern, or if the pattern is obvious from the runs.
    fn pattern(&self) -> Option<Pattern> {
        None
    }

    /// Returns the number of times that the defect in a published strategy has occurred, or `None` if this strategy is
    /// a corrected one.
    fn defect(&self) -> Option<Defect> {
        None
    }

    /// Applies new values of the strategy's adjustable parameters. This must not make any more tasks due, because many
    /// of them might then run in a single update.
    fn tune(&mut self, _knobs: &KnobValues) {}
}

/// An upper bound on how long a task waits. It is valid while the population and the parameters of the strategy do not
/// change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Every task runs at least once in any sequence of this many updates.
    Updates(usize),
    /// Every task runs again less than this time plus one delta after its last run.
    Interval(Nanos),
    /// A task becomes due in the first update that ends `interval` or more after its last run, and runs at most
    /// `updates` updates later. This holds for strategies with a budget, because they run at least one task per update,
    /// even if the budget is too small. Without an overload, a task waits for about one `interval`. An overload
    /// stretches the interval ([`Inspect::elastic_clock`]).
    Eventually {
        /// The time after its last run at which a task becomes due, or [`Nanos::MAX`] if tasks never have to run.
        interval: Nanos,
        /// The maximum number of updates from when a task becomes due until it runs. It is at least one.
        updates: usize,
    },
    /// Tasks run only on request, and a requested task runs within a limited number of updates.
    Request {
        /// The maximum number of updates until a requested task runs, including the update in which it runs.
        updates: usize,
    },
}

/// A fixed pattern that distributes tasks over updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The tasks are split into this number of groups, and each update runs one group.
    Groups(usize),
    /// Each update runs at most this number of tasks.
    AtMost(usize),
}

impl Guarantee {
    /// Returns true if tasks run only on request.
    pub fn is_on_request(self) -> bool {
        matches!(self, Self::Request { .. })
    }

    /// Returns the target time between two runs of a task. Returns `None` if the strategy has no target, or if it runs
    /// every task in every update.
    pub fn wanted_interval(self) -> Option<Nanos> {
        match self {
            Self::Interval(interval) if !interval.is_zero() => Some(interval),
            _ => None,
        }
    }
}

/// A group of strategies that run tasks for the same reason. In [`STRATEGIES`], the strategies of a family are next to
/// each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// All tasks run repeatedly and equally often.
    Periodic,
    /// A task runs only after the game has requested it.
    OnRequest,
    /// Tasks that matter more run more often.
    BySignificance,
}

impl Family {
    /// All families, in display order.
    pub const ALL: [Self; 3] = [Self::Periodic, Self::OnRequest, Self::BySignificance];

    /// Returns the family's name, as shown on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Periodic => "Periodic",
            Self::OnRequest => "On request",
            Self::BySignificance => "By significance",
        }
    }
}

/// The description of a strategy in [`STRATEGIES`], the list of all strategies.
#[derive(Debug)]
pub struct StrategyEntry {
    /// The name of the strategy on the command line.
    pub key: &'static str,
    /// The name of the strategy that is shown on screen.
    pub name: &'static str,
    /// The family that the strategy belongs to.
    pub family: Family,
    /// What the strategy does, in one sentence that begins with a verb.
    pub rule: &'static str,
    /// When to choose the strategy, in one sentence that begins with "Use it".
    pub use_when: &'static str,
    /// When to choose another strategy, in one sentence that begins with "Avoid it".
    pub avoid_when: &'static str,
    /// The tasks that an update runs, as a phrase for tables.
    pub work: &'static str,
    /// How long a task waits, or what happens during an overload, as a phrase for tables.
    pub guarantee: &'static str,
    /// The article or program in which the algorithm was found, in one sentence that begins with "Comes from".
    pub known_from: &'static str,
    /// The publication that describes the algorithm.
    pub source: &'static str,
    /// The adjustable parameters of the strategy, beginning with the most important one.
    pub knobs: &'static [Knob],
    /// Creates the strategy with no tasks and with the default values of its parameters.
    pub make: fn() -> Box<dyn Inspect>,
    /// The form in which an article published the strategy, if that form has a defect. Every strategy with a published
    /// form has the knob [`knobs::AS_PUBLISHED`].
    pub published: Option<Published>,
    /// A Rust expression that creates the strategy. A knob's key in braces, such as `{interval-s}`, stands for the
    /// knob's value: a [`Duration`](std::time::Duration) if the knob's unit is a unit of time, a `bool` if the knob is
    /// a switch, and otherwise a number. [`StrategyEntry::snippet`] inserts the values.
    pub constructor: &'static str,
}

impl StrategyEntry {
    /// Returns true if tasks run only on request.
    pub fn on_request(&self) -> bool {
        self.family == Family::OnRequest
    }

    /// Returns all knobs of the strategy except [`knobs::AS_PUBLISHED`], which selects the published form.
    pub fn own_knobs(&self) -> impl Iterator<Item = &'static Knob> + use<> {
        let knobs = self.knobs.iter();
        knobs.filter(|&knob| *knob != knobs::AS_PUBLISHED)
    }

    /// Returns the knob that determines how much work an update does: an interval, a budget, or a number of tasks or
    /// groups. Returns `None` if the strategy has no such knob.
    pub fn main_knob(&self) -> Option<&'static Knob> {
        self.own_knobs().next()
    }

    /// Creates the strategy with these knob values and no tasks. If [`knobs::AS_PUBLISHED`] is on and the strategy has
    /// a published form, this creates the published form instead.
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

    /// Returns true if `knob` has an effect on the strategy. Some knobs have no effect on the published form, which
    /// `values` can select.
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

/// Compares by address, because each strategy has exactly one static entry.
impl PartialEq for StrategyEntry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for StrategyEntry {}

/// Declares each strategy's module, re-exports its type, and lists the entries.
///
/// (`cargo fmt` skips modules that a macro declares, so pass their files to `rustfmt`.)
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

/// Returns the strategy with this key, or `None` if there is none.
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
    fn exactly_the_strategies_on_request_guarantee_to_serve_requests() {
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
