//! Strategies: which tasks run in an update.
//!
//! Each is one file with its rule, its knobs and its [`StrategyEntry`]; [`STRATEGIES`] lists them all, and knobs that
//! several of them share are in [`knobs`]. A new strategy is a new file and one line in the registry, below. To do
//! without a strategy, delete its file and its line. Programs that read the registry, as Timeslice Lab does, offer and
//! test each strategy without naming it.
//!
//! What strategies are written with is in [`crate::scheduler`].

pub mod knobs;

#[cfg(test)]
mod test_world;

use crate::knob::{Knob, KnobValues};
use crate::scheduler::{TaskId, UpdateContext};
use crate::time::Nanos;

/// Decides which tasks run in an update.
///
/// The game reports every birth and death to it, between updates. A task that dies during an update stays known to the
/// strategy until the update ends: [`UpdateContext::run`] then runs nothing.
///
/// A strategy holds its rule and nothing else; the update context keeps the books. A strategy of your own:
///
/// ```
/// use timeslice::scheduler::{TaskId, TaskSet, UpdateContext};
/// use timeslice::strategy::{Promise, Strategy};
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
///             context.run_slice(self.tasks.tasks());
///         }
///     }
///     fn promise(&self) -> Promise {
///         Promise::Updates(2)
///     }
/// }
/// # let _ = EveryOther::default();
/// ```
pub trait Strategy {
    /// A task is born.
    fn insert(&mut self, task: TaskId);

    /// A task has died. Changes nothing if the strategy does not know it.
    fn remove(&mut self, task: TaskId);

    /// A living task asks for a run. Strategies that go by time or turn ignore it.
    fn request(&mut self, _task: TaskId) {}

    /// Runs the tasks that are due, none of them twice, with [`UpdateContext::run`] or one of its variants.
    fn update(&mut self, context: &mut UpdateContext<'_>);

    /// Number of tasks that are due, or have asked, and have not run yet.
    fn backlog(&self) -> usize {
        0
    }

    /// The longest that a task waits while the population stays the same: without births and deaths, or if each dead
    /// task is replaced at once.
    fn promise(&self) -> Promise;

    /// The time that an update may spend on tasks; `None` without a limit.
    fn budget(&self) -> Option<Nanos> {
        None
    }

    /// How it shares its tasks out among updates, if by a fixed pattern that an observer could not guess from the runs.
    fn pattern(&self) -> Option<Pattern> {
        None
    }

    /// Takes its knobs' present values. Starts no burst: at most the runs owed before are owed afterwards.
    fn tune(&mut self, _knobs: &KnobValues) {}
}

/// The bound that a strategy promises while the population and its knobs stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Every task runs at least once in any this many consecutive updates.
    Updates(usize),
    /// Every task runs again by the first update that ends this long after its last run, so it waits less than this
    /// plus one delta.
    Interval(Nanos),
    /// A request that waits now is served within this many updates; tasks that do not ask do not run.
    Request {
        /// Number of updates; the next one is the first.
        updates: usize,
    },
}

/// A fixed pattern by which tasks are shared out among updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One of this many groups of tasks runs in each update.
    Groups(usize),
    /// At most this many tasks run in an update.
    AtMost(usize),
}

impl Promise {
    /// Whether it is about requests: tasks that do not ask do not run.
    #[must_use]
    pub fn is_of_requests(self) -> bool {
        matches!(self, Self::Request { .. })
    }

    /// The time between two runs of a task that the strategy aims at; `None` if it aims at none, or runs every task in
    /// every update.
    #[must_use]
    pub fn wanted_interval(self) -> Option<Nanos> {
        match self {
            Self::Interval(interval) if !interval.is_zero() => Some(interval),
            _ => None,
        }
    }
}

/// A strategy's entry in the registry.
#[derive(Debug)]
pub struct StrategyEntry {
    /// Its name on the command line.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its rule in one sentence.
    pub rule: &'static str,
    /// Where the algorithm was published.
    pub source: &'static str,
    /// Its knobs.
    pub knobs: &'static [Knob],
    /// Makes one without tasks, with its knobs at their defaults.
    pub make: fn() -> Box<dyn Strategy>,
}

impl StrategyEntry {
    /// True if tasks run only when they ask to, so if the strategy promises to serve requests.
    #[must_use]
    pub fn on_request(&self) -> bool {
        (self.make)().promise().is_of_requests()
    }
}

/// Entries are equal if they are the same entry of the registry.
impl PartialEq for StrategyEntry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for StrategyEntry {}

/// Declares each strategy's module, exports its type, and lists the entries.
///
/// (`cargo fmt` does not see modules that a macro declares: give their files to `rustfmt`.)
macro_rules! registry {
    ($($module:ident :: $Strategy:ident,)*) => {
        $(
            pub mod $module;
            pub use $module::$Strategy;
        )*

        /// Every strategy, in the order of the tabs and hotkeys.
        pub static STRATEGIES: &[&StrategyEntry] = &[$(&$module::ENTRY),*];
    };
}

registry! {
    every_frame::EveryFrame,
    all_at_once::AllAtOnce,
    max_per_frame::MaxPerFrame,
    fixed_interval::FixedInterval,
    request_list::RequestList,
    time_budget::TimeBudget,
    stagger_groups::StaggerGroups,
}

/// Returns the strategy with that key.
#[must_use]
pub fn by_key(key: &str) -> Option<&'static StrategyEntry> {
    STRATEGIES.iter().copied().find(|entry| entry.key == key)
}
