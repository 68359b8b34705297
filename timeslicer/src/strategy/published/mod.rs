//! The strategies as their articles published them, with the articles' defects.
//!
//! Use the strategies of the [registry](super::STRATEGIES) in a game. A published form is a reference: benches compare
//! its cost with ours, tests check that both run the same tasks while no task dies, and Timeslice Lab shows its defect.
//!
//! A [`Form`] belongs to a game that implements [`Units`]. It keeps its own lists, some of which are searched, and runs
//! tasks that keep the time of their last run themselves. Where an article leaves something open, the form does the
//! cheapest thing: its lists hold task ids, not references to objects on the heap.

pub mod distance_lod;
pub mod spread_updates;
pub mod stagger_groups;
pub mod timeslice_update;

use super::{Inspect, Pattern, Promise, Strategy};
use crate::knob::{Knob, KnobValues};
use crate::scheduler::{TaskId, UpdateContext};
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

/// Number of tasks that the adapter collects before it runs them, which costs less than to run them one by one.
const BATCH: usize = 64;

/// A published form as a strategy.
///
/// It promises what the article intends, which the form's [`Defect`] may break. In one respect it is better than the
/// form: if the game stops an update, the next updates run the tasks that did not run, before the form continues.
///
/// ```
/// use timeslicer::scheduler::{TaskId, Tasks, UpdateContext};
/// use timeslicer::strategy::published::{AsPublished, spread_updates::MaxPerFrame};
/// use timeslicer::strategy::{Inspect, Strategy};
/// use timeslicer::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let mut strategy = AsPublished::new(MaxPerFrame::new(1), |_form, _knobs| {});
/// let guards = [(); 4].map(|()| tasks.insert(GameTime::START));
/// guards.map(|guard| strategy.insert(guard));
///
/// let mut ran = Vec::new();
/// for dying in [None, Some(guards[1]), None] {
///     if let Some(guard) = dying {
///         tasks.remove(guard);
///         strategy.remove(guard);
///     }
///     let mut think = |guard: TaskId, _: Nanos| ran.push(guard);
///     let context = &mut UpdateContext::new(Nanos::ZERO, GameTime::START, &mut tasks, &mut think);
///     strategy.update(context);
/// }
/// assert_eq!(ran, [guards[1], guards[3], guards[0]]); // the turn of guards[2] is skipped
/// let defect = strategy.defect().unwrap().to_string();
/// assert_eq!(defect, "the published cursor skipped 1 turn");
/// ```
#[derive(Clone, Debug)]
pub struct AsPublished<F> {
    form: F,
    tune: fn(&mut F, &KnobValues),
    /// Tasks that the form runs next.
    batch: Vec<TaskId>,
    /// Tasks that the form has run in a stopped update, but the game has not.
    unserved: Vec<TaskId>,
    /// Game time since the form's last update.
    delta: Nanos,
}

impl<F: Form> AsPublished<F> {
    /// Makes a strategy of a form. `tune` applies the values of knobs to the form.
    pub fn new(form: F, tune: fn(&mut F, &KnobValues)) -> Self {
        Self {
            form,
            tune,
            batch: Vec::with_capacity(BATCH),
            unserved: Vec::new(),
            delta: Nanos::ZERO,
        }
    }
}

impl<F: Form> Strategy for AsPublished<F> {
    fn insert(&mut self, task: TaskId) {
        self.form.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.form.remove(task);
        self.unserved.retain(|&unserved| unserved != task);
    }

    fn request(&mut self, task: TaskId) {
        self.form.request(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        self.delta += context.delta();
        if !self.unserved.is_empty() {
            let turns = context.run(&self.unserved);
            self.unserved.drain(..turns.taken);
            return;
        }
        let mut units = Adapter {
            context,
            batch: &mut self.batch,
            unserved: &mut self.unserved,
        };
        self.form
            .update(std::mem::take(&mut self.delta), &mut units);
        units.run_batch();
    }

    fn backlog(&self) -> usize {
        self.form.backlog() + self.unserved.len()
    }

    fn promise(&self) -> Promise {
        self.form.promise()
    }
}

impl<F: Form> Inspect for AsPublished<F> {
    fn wanted_interval(&self) -> Option<Nanos> {
        self.form.wanted_interval()
    }

    fn budget(&self) -> Option<Nanos> {
        self.form.budget()
    }

    fn pattern(&self) -> Option<Pattern> {
        self.form.pattern()
    }

    fn tune(&mut self, knobs: &KnobValues) {
        (self.tune)(&mut self.form, knobs);
    }

    fn defect(&self) -> Option<Defect> {
        self.form.defect()
    }
}

/// The game of a form: an update of the scheduler.
struct Adapter<'c, 'a> {
    context: &'c mut UpdateContext<'a>,
    batch: &'c mut Vec<TaskId>,
    unserved: &'c mut Vec<TaskId>,
}

impl Adapter<'_, '_> {
    fn run_batch(&mut self) {
        let turns = self.context.run(self.batch);
        self.unserved.extend(self.batch.drain(..).skip(turns.taken));
    }
}

impl Units for Adapter<'_, '_> {
    fn update(&mut self, unit: TaskId) {
        self.batch.push(unit);
        if self.batch.len() == BATCH {
            self.run_batch();
        }
    }

    fn update_wanted(&mut self, unit: TaskId, interval: Nanos) {
        self.run_batch();
        self.context.wanted(&[unit], &[interval]);
        self.batch.push(unit);
        self.run_batch();
    }

    fn weight(&self, unit: TaskId) -> f64 {
        self.context.weight(unit)
    }

    /// Runs the task. The scheduler knows the elapsed time of each task, so the group's is not needed.
    fn act(&mut self, unit: TaskId, _elapsed: Nanos) {
        self.update(unit);
    }

    fn is_dead(&self, unit: TaskId) -> bool {
        !self.context.tasks().contains(unit)
    }

    /// Reads the clock after the tasks so far. A stopped update has no time left.
    fn realtime(&mut self) -> ClockTime {
        self.run_batch();
        if self.context.is_stopped() {
            return ClockTime::at(Nanos::MAX);
        }
        self.context.clock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::Tasks;
    use crate::strategy::knobs::AS_PUBLISHED;
    use crate::strategy::testing::TestWorld;
    use crate::strategy::{STRATEGIES, StrategyEntry};
    use crate::time::GameTime;
    use spread_updates::MaxPerFrame;
    use timeslice_update::TimeBudget;

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

    const DELTA: Nanos = Nanos::from_millis(16);

    fn world(form: impl Form, count: usize) -> TestWorld<impl Strategy> {
        TestWorld::new(AsPublished::new(form, |_form, _knobs| {}), count)
    }

    #[test]
    fn turns_that_a_stop_prevents_come_first() {
        let mut world = world(MaxPerFrame::new(5), 8);
        world.most_runs = 2;
        assert_eq!(world.update(DELTA), [1, 2]);
        assert_eq!(world.strategy.backlog(), 3);
        world.death(4);
        assert_eq!(world.update(DELTA), [3, 5]);
        world.most_runs = usize::MAX;
        // The death has skipped the turn of task 6.
        assert_eq!(world.update(DELTA), [7, 0, 1, 2, 3]);
        assert_eq!(world.strategy.backlog(), 0);
    }

    #[test]
    fn a_stop_ends_the_update_of_a_form_with_a_budget() {
        let mut world = world(TimeBudget::new(Nanos::SECOND), 9);
        (0..9).for_each(|index| world.request(index));
        world.most_runs = 3;
        assert_eq!(world.update(DELTA), [0, 1, 2]);
        assert_eq!(world.strategy.backlog(), 6);
        assert_eq!(world.update(DELTA), [3]); // finishes the update
        assert_eq!(world.update(DELTA), [4, 5, 6]);
    }
}
