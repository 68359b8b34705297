//! Adapter that makes a strategy of a published form.

use super::{Defect, Form, Units};
use crate::knob::KnobValues;
use crate::scheduler::{TaskId, UpdateContext};
use crate::strategy::{Inspect, Pattern, Promise, Strategy};
use crate::time::{ClockTime, Nanos};

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
    use crate::strategy::published::spread_updates::MaxPerFrame;
    use crate::strategy::published::timeslice_update::TimeBudget;
    use crate::strategy::testing::TestWorld;

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
