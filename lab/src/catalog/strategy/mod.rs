//! The strategies that the lab shows. Each strategy of [`timeslicer::strategy`] has an entry here, with its name, its
//! texts and its knobs. Through [`Inspect`], the lab reads and changes values of a running strategy. [`knobs`] contains
//! knobs that several strategies share, and [`published`] contains strategies in the form in which articles published
//! them.
//!
//! To add a strategy, add its file and a line to `registry!` below. The rest of the lab offers and tests every strategy
//! without naming it.

pub mod knobs;
pub mod published;

pub use published::{Defect, Published};

use crate::catalog::knob::{Knob, KnobValues};
use timeslicer::strategy::Strategy;
use timeslicer::time::Nanos;

/// What the lab needs from a strategy besides scheduling: values to show, and ways to change its knobs and its seed.
pub trait Inspect: Strategy {
    /// Returns the time on the elastic clock, with which some strategies measure their intervals. This clock runs like
    /// game time, but more slowly during an overload. If it runs at half the speed, every interval becomes twice as
    /// long. Returns `None` if an overload does not stretch the intervals of this strategy.
    fn elastic_clock(&self) -> Option<Nanos> {
        None
    }

    /// Returns the number of times that the defect in a published strategy has occurred, or `None` if this strategy is
    /// a corrected one.
    fn defect(&self) -> Option<Defect> {
        None
    }

    /// Applies new values of the strategy's knobs. This must not make any more tasks due, because many of them might then
    /// run in a single update.
    fn tune(&mut self, _knobs: &KnobValues) {}

    /// Sets the random seed before any task is added. Returns true if the strategy uses random numbers.
    fn set_seed(&mut self, _seed: u64) -> bool {
        false
    }
}

/// The keys that select the strategies in the window, in the order of [`STRATEGIES`].
pub const HOTKEYS: &str = "1234567890-=";

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
    /// What the algorithm comes from, such as an article or a program.
    pub source: &'static str,
    /// The knobs of the strategy, beginning with the most important one. The values of those that are not in `options`
    /// are the arguments of the strategy's function `new`.
    pub knobs: &'static [Knob],
    /// Creates the strategy with no tasks and with the default values of its knobs.
    pub make: fn() -> Box<dyn Inspect>,
    /// The form in which an article published the strategy, if that form has a defect. Every strategy with a published
    /// form has the knob [`knobs::AS_PUBLISHED`].
    pub published: Option<Published>,
    /// The builder methods that set the other knobs. Each entry contains the name of a method without its prefix
    /// `with_`, and the knobs whose values are its arguments.
    pub options: &'static [(&'static str, &'static [Knob])],
}

impl StrategyEntry {
    pub fn on_request(&self) -> bool {
        self.family == Family::OnRequest
    }

    /// Returns the strategy's knobs that a search may change: all except [`knobs::AS_PUBLISHED`], which selects the
    /// published form, and [`knobs::CATCH_UP`].
    pub fn own_knobs(&self) -> impl Iterator<Item = &'static Knob> + use<> {
        let knobs = self.knobs.iter();
        knobs.filter(|knob| ![knobs::AS_PUBLISHED, knobs::CATCH_UP].contains(knob))
    }

    /// Returns the knob that determines how much work an update does: an interval, a budget, or a number of tasks or
    /// groups. Returns `None` if the strategy has no such knob.
    pub fn main_knob(&self) -> Option<&'static Knob> {
        self.own_knobs().next()
    }

    /// Returns the name of the strategy's type, such as `FixedInterval`.
    pub fn type_name(&self) -> String {
        pascal_case(self.key)
    }

    /// Returns the knobs whose values are the arguments of the strategy's function `new`.
    pub fn arguments(&self) -> impl Iterator<Item = &'static Knob> {
        let of_options = |knob: &Knob| self.options.iter().any(|(_, knobs)| knobs.contains(knob));
        self.own_knobs().filter(move |knob| !of_options(knob))
    }

    /// Returns the [`options`](Self::options) that a game has to call to set these values. Options that are off by
    /// default are left out if they are off in `values`, too.
    pub fn options_for(
        &self,
        values: &KnobValues,
    ) -> impl Iterator<Item = &(&'static str, &'static [Knob])> {
        let is_off = |knob: &Knob| knob.default == 0.0 && values.get(knob) == 0.0;
        let options = self.options.iter();
        options.filter(move |(_, knobs)| !knobs.iter().all(is_off))
    }

    /// Returns the target time between two runs of a task. Returns `None` if there is no target, or if the target is
    /// not the same for all tasks.
    pub fn wanted_interval(&self, values: &KnobValues) -> Option<Nanos> {
        let interval = self
            .has(&knobs::INTERVAL)
            .then(|| values.span(&knobs::INTERVAL));
        interval.filter(|interval| !interval.is_zero())
    }

    /// Returns the time that an update may spend on tasks, or `None` if the time is unlimited.
    pub fn budget(&self, values: &KnobValues) -> Option<Nanos> {
        self.has(&knobs::BUDGET)
            .then(|| values.span(&knobs::BUDGET))
    }

    /// Returns the maximum number of tasks that run in an update, or `None` if the strategy does not limit this number.
    pub fn max_tasks(&self, values: &KnobValues) -> Option<usize> {
        self.has(&knobs::MAX_TASKS)
            .then(|| values.get(&knobs::MAX_TASKS) as usize)
    }

    fn has(&self, knob: &Knob) -> bool {
        self.knobs.contains(knob)
    }

    /// Creates the strategy with these knob values and no tasks. If [`knobs::AS_PUBLISHED`] is on and the strategy has
    /// a published form, this creates the published form instead.
    pub fn build(&self, knobs: &KnobValues) -> Box<dyn Inspect> {
        let published = self.published.filter(|_| self.is_as_published(knobs));
        let make = published.map_or(self.make, |published| published.make);
        let mut strategy = make();
        strategy.tune(knobs);
        strategy
    }

    /// Like [`build`](Self::build), but also sets the random seed.
    pub fn build_with_seed(&self, knobs: &KnobValues, seed: u64) -> Box<dyn Inspect> {
        let mut strategy = self.build(knobs);
        strategy.set_seed(seed);
        strategy
    }

    /// Returns true if the strategy itself uses random numbers.
    pub fn is_random(&self) -> bool {
        (self.make)().set_seed(0)
    }

    /// Returns true if `knob` has an effect on the strategy. If `values` select the code that was published in an
    /// article, some knobs have none.
    pub fn reads(&self, knob: &Knob, values: &KnobValues) -> bool {
        let published = self.published.filter(|_| self.is_as_published(values));
        let reads = |form: Published| *knob == knobs::AS_PUBLISHED || form.knobs.contains(knob);
        self.has(knob) && published.is_none_or(reads)
    }

    /// Returns true if the strategy has a published form and [`knobs::AS_PUBLISHED`] selects it.
    pub fn is_as_published(&self, knobs: &KnobValues) -> bool {
        self.published.is_some() && knobs.get(&knobs::AS_PUBLISHED) > 0.0
    }
}

/// Converts a name such as `pay_back` or `fixed-interval` to `PayBack` or `FixedInterval`.
pub fn pascal_case(name: &str) -> String {
    let words = name.split(['_', '-']);
    words
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

registry! {
    /// All strategies, in display order.
    STRATEGIES: StrategyEntry,
    every_frame,
    all_at_once,
    max_per_frame,
    fixed_interval,
    stagger_groups,
    balanced_slots,
    random_phase,
    request_list,
    time_budget,
    distance_lod,
    earliest_deadline,
    weighted_share,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_together_and_in_order() {
        assert!(STRATEGIES.is_sorted_by_key(|entry| entry.family as u8));
    }
}
