//! Strategies: which tasks run in an update.
//!
//! Each is one file with its rule, its knobs and its [`StrategyEntry`]; [`STRATEGIES`] lists them all.
//! A new strategy is a new file and a line in that list: tabs, hotkeys, sliders, command line, `list` and
//! the conformance tests follow from it.

pub mod all_at_once;
pub mod every_frame;
pub mod fixed_interval;
pub mod knobs;
pub mod max_per_frame;
pub mod request_list;
pub mod stagger_groups;
pub mod time_budget;

pub use all_at_once::AllAtOnce;
pub use every_frame::EveryFrame;
pub use fixed_interval::FixedInterval;
pub use max_per_frame::MaxPerFrame;
pub use request_list::RequestList;
pub use stagger_groups::StaggerGroups;
pub use time_budget::TimeBudget;

use crate::knob::{Knob, KnobValues};
use crate::scheduler::{TaskId, UpdateContext};
use crate::time::Nanos;

/// Decides which tasks run in an update.
///
/// A strategy is told of every birth and death, between updates. A task that dies during an update stays
/// known to it until the update ends: [`UpdateContext::run`] then runs nothing.
pub trait Strategy {
    /// A task is born.
    fn insert(&mut self, task: TaskId);

    /// A task has died. It may be told of one that it does not know.
    fn remove(&mut self, task: TaskId);

    /// A living task asks for a run. Strategies that go by time or turn do not listen.
    fn request(&mut self, _task: TaskId) {}

    /// Runs, by [`UpdateContext::run`], the tasks whose time it is; none of them twice.
    fn update(&mut self, context: &mut UpdateContext<'_>);

    /// How many tasks are due, or have asked, and have not run yet.
    fn backlog(&self) -> usize {
        0
    }

    /// The longest that a task waits while the population stays: while nobody comes or goes, or each one
    /// that dies is replaced at once.
    fn promise(&self) -> Promise;

    /// The time that an update may spend on tasks, where there is a limit to it.
    fn budget(&self) -> Option<Nanos> {
        None
    }

    /// Takes its knobs' present values. That starts no burst: what is owed stays what it was, at the most.
    fn tune(&mut self, _knobs: &KnobValues) {}
}

/// The bound that a strategy promises while the population and its knobs stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Every task runs at least once in any so many updates in a row.
    Updates(usize),
    /// Every task runs again in the first update that ends this long after its last run, or earlier; so
    /// it waits less than this and one delta.
    Interval(Nanos),
    /// A request that waits now is served within so many updates; who does not ask does not run.
    Request {
        /// How many updates, the next one being the first.
        updates: usize,
    },
}

impl Promise {
    /// The time between two runs of a task that the strategy is to keep; none where it keeps none, or runs
    /// everything in every update.
    #[must_use]
    pub fn wanted_interval(self) -> Option<Nanos> {
        match self {
            Self::Interval(interval) if !interval.is_zero() => Some(interval),
            _ => None,
        }
    }
}

/// What the registry knows of a strategy.
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
    /// The knobs that it has.
    pub knobs: &'static [Knob],
    /// Whether tasks run only when they ask to.
    pub on_request: bool,
    /// Makes one without tasks, its knobs at their defaults.
    pub make: fn() -> Box<dyn Strategy>,
}

/// Entries are equal if they are the same entry of the registry.
impl PartialEq for StrategyEntry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for StrategyEntry {}

/// Every strategy, in the order of the tabs and hotkeys.
pub static STRATEGIES: &[&StrategyEntry] = &[
    &every_frame::ENTRY,
    &all_at_once::ENTRY,
    &max_per_frame::ENTRY,
    &fixed_interval::ENTRY,
    &request_list::ENTRY,
    &time_budget::ENTRY,
    &stagger_groups::ENTRY,
];

/// The strategy of that name.
#[must_use]
pub fn by_key(key: &str) -> Option<&'static StrategyEntry> {
    STRATEGIES.iter().copied().find(|entry| entry.key == key)
}

#[cfg(test)]
mod test_world;
