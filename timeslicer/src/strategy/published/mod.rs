//! The strategies as their articles published them, with the articles' defects.
//!
//! Use the strategies of the [registry](super::STRATEGIES) in a game. A published form is a reference: benches compare
//! its cost with ours, tests check that both run the same tasks while no task dies, and Timeslice Lab shows its defect.
//!
//! A [`Form`] belongs to a game that implements [`Units`]. It keeps its own lists, some of which are searched, and runs
//! tasks that keep the time of their last run themselves. Where an article leaves something open, the form does the
//! cheapest thing: its lists hold task ids, not references to objects on the heap.

mod as_published;
pub mod distance_lod;
pub mod spread_updates;
pub mod stagger_groups;
pub mod timeslice_update;

pub use as_published::AsPublished;

use super::{Inspect, Pattern, Promise};
use crate::knob::Knob;
use crate::scheduler::TaskId;
use crate::time::{ClockTime, Nanos};
use std::fmt;

/// The game that a published form belongs to.
pub trait Units {
    /// Runs a task that keeps the time of its last run itself.
    fn update(&mut self, unit: TaskId);

    /// Runs a task with the time elapsed since the last run of its group.
    fn act(&mut self, unit: TaskId, elapsed: Nanos);

    /// Runs a task, like [`Units::update`]. The form wanted it to run `interval` after its last run.
    fn update_wanted(&mut self, unit: TaskId, _interval: Nanos) {
        self.update(unit);
    }

    /// Returns how much the task matters, from 0 to 1.
    fn weight(&self, _unit: TaskId) -> f64 {
        1.0
    }

    /// Returns true if the task has died, though a list may still contain it.
    fn is_dead(&self, unit: TaskId) -> bool;

    /// Reads the clock.
    fn realtime(&mut self) -> ClockTime;
}

/// A published algorithm.
pub trait Form: Send + Sync {
    /// Adds a newborn task.
    fn insert(&mut self, unit: TaskId);

    /// Removes a dead task.
    fn remove(&mut self, unit: TaskId);

    /// Requests a run of a task.
    fn request(&mut self, _unit: TaskId) {}

    /// Makes one update, `delta` after the last.
    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U)
    where
        Self: Sized;

    /// Returns the number of requested tasks that have not run yet.
    fn backlog(&self) -> usize {
        0
    }

    /// Returns what the article intends to promise. The defect may break it.
    fn promise(&self) -> Promise;

    /// Returns the wanted time between two runs of a task, if it is the same for all tasks.
    fn wanted_interval(&self) -> Option<Nanos> {
        self.promise().wanted_interval()
    }

    /// Returns the time that an update may spend on tasks; `None` if unlimited.
    fn budget(&self) -> Option<Nanos> {
        None
    }

    /// Returns the fixed pattern that distributes tasks over updates, if any.
    fn pattern(&self) -> Option<Pattern> {
        None
    }

    /// Returns how often the defect has shown; `None` if the form has no defect.
    fn defect(&self) -> Option<Defect> {
        None
    }
}

/// How often the defect of a published form has shown. Its text is a clause: `the published cursor skipped 12 turns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect {
    /// Words before the count.
    pub before: &'static str,
    /// Number of times; zero if the defect has not shown.
    pub count: u64,
    /// What is counted, in the singular. An "s" makes the plural.
    pub thing: &'static str,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.count == 1 { "" } else { "s" };
        write!(f, "{} {} {}{plural}", self.before, self.count, self.thing)
    }
}

/// A strategy's published form, in the registry.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Creates the published form without tasks, with its knobs at their defaults.
    pub make: fn() -> Box<dyn Inspect>,
    /// Knobs that the published form reads. Others have no effect on it.
    pub knobs: &'static [Knob],
    /// The defect that our form does not have: one sentence.
    pub defect: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::KnobValues;
    use crate::scheduler::{Tasks, UpdateContext};
    use crate::strategy::knobs::AS_PUBLISHED;
    use crate::strategy::{STRATEGIES, StrategyEntry};
    use crate::time::GameTime;

    /// Returns the strategies that have a published form.
    fn published() -> impl Iterator<Item = (&'static StrategyEntry, Published)> {
        let entries = STRATEGIES.iter();
        entries.filter_map(|entry| Some((*entry, entry.published?)))
    }

    #[test]
    fn a_strategy_has_the_knob_if_it_has_a_published_form() {
        for entry in STRATEGIES {
            let has_knob = entry.knobs.contains(&AS_PUBLISHED);
            assert_eq!(has_knob, entry.published.is_some(), "{}", entry.key);
        }
        for (entry, published) in published() {
            assert!(published.defect.ends_with('.'), "{}", published.defect);
            let mut known = published.knobs.iter();
            assert!(
                known.all(|knob| entry.knobs.contains(knob)),
                "{}",
                entry.key
            );
        }
    }

    #[test]
    fn published_forms_promise_the_same_as_ours() {
        for (entry, _) in published() {
            for fraction in [0.0, 0.3, 0.9] {
                let mut knobs = KnobValues::default();
                for knob in entry.own_knobs() {
                    knobs.set(knob, knob.min + fraction * (knob.max - knob.min));
                }
                let ours = entry.build(&knobs);
                knobs.set(&AS_PUBLISHED, 1.0);
                let published = entry.build(&knobs);
                let facts = [&ours, &published].map(|strategy| {
                    let on_request = strategy.promise().is_on_request();
                    let interval = strategy.wanted_interval();
                    (on_request, interval, strategy.budget(), strategy.pattern())
                });
                assert_eq!(facts[0], facts[1], "{} at {fraction}", entry.key);
            }
        }
    }

    #[test]
    fn published_forms_survive_extreme_knobs_and_deltas() {
        let deltas = [Nanos::ZERO, Nanos::from_millis(16), Nanos::from_secs(10)];
        for (entry, published) in published() {
            let mut strategy = (published.make)();
            let (mut tasks, mut now) = (Tasks::new(), GameTime::START);
            let mut runs = 0;
            for step in 0..60 {
                let mut knobs = KnobValues::default();
                for knob in entry.own_knobs() {
                    knobs.set(knob, if step % 3 == 0 { knob.min } else { knob.max });
                }
                strategy.tune(&knobs);
                let delta = deltas[step % deltas.len()];
                now += delta;
                let mut count = |_: TaskId, _: Nanos| runs += 1;
                strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut count));
                match tasks.nth(0) {
                    Some(task) if step % 5 > 2 => {
                        tasks.remove(task);
                        strategy.remove(task);
                    }
                    _ => strategy.insert(tasks.insert(now)),
                }
                tasks.iter().for_each(|task| strategy.request(task));
            }
            assert!(runs > 0, "{}", entry.key);
        }
    }
}
