//! Distance LOD as published: each task counts updates, and runs when its counter is divisible by a period that depends
//! on the distance.
//!
//! Dynamic Activation of Brain in the Minecraft server Pufferfish, and similar code in other games, work like this. All
//! counters start at zero, so tasks that are born together run together. If the distance changes, so does the period,
//! and then the counter can miss the multiples of the new period for a long time. Every update has to look at every
//! task.
//!
//! Pufferfish updates 20 times per second, so its periods are whole numbers from 1 to 20. For other update rates, this
//! form divides a task's target interval by the smoothed length of an update.

use super::{Defect, all_but, take_turns};
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::Inspect;
use crate::catalog::strategy::knobs::{FASTEST, SLOWEST};
use timeslicer::scheduler::{TaskId, UpdateContext};
use timeslicer::strategy::{Guarantee, Strategy};
use timeslicer::time::Nanos;

#[derive(Clone, Debug)]
pub struct DistanceLod {
    fastest: Nanos,
    slowest: Nanos,
    items: Vec<Item>,
    /// The moving average of the update length in seconds. It is zero before the first update that is longer than zero.
    tick: f64,
    missed: u64,
    /// The tasks that are due but have not run yet.
    turns: Vec<TaskId>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    task: TaskId,
    counter: u64,
    last_run: u64,
    /// Whether the task has missed a turn since its last run.
    is_late: bool,
}

/// The weight of the latest update in the moving average of the update length.
const NEWEST: f64 = 1.0 / 16.0;

impl DistanceLod {
    /// Creates a strategy with no tasks. The interval of a task with weight w is `fastest / w`, but at most `slowest`.
    /// The most important tasks have weight 1.
    pub fn new(fastest: Nanos, slowest: Nanos) -> Self {
        Self {
            fastest,
            slowest,
            items: Vec::new(),
            tick: 0.0,
            missed: 0,
            turns: Vec::new(),
        }
    }
}

impl Strategy for DistanceLod {
    fn insert(&mut self, task: TaskId) {
        self.items.push(Item {
            task,
            counter: 0,
            last_run: 0,
            is_late: false,
        });
    }

    fn remove(&mut self, task: TaskId) {
        self.remove_all(&[task]);
    }

    fn remove_all(&mut self, tasks: &[TaskId]) {
        let stays = all_but(tasks);
        self.items.retain(|item| stays(&item.task));
        self.turns.retain(stays);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let delta = context.delta().as_secs_f64();
        let newest = if self.tick > 0.0 { NEWEST } else { 1.0 };
        self.tick += (delta - self.tick) * newest;
        if self.turns.is_empty() && self.tick > 0.0 {
            self.count(context);
        }
        take_turns(&mut self.turns, context);
    }

    fn backlog(&self) -> usize {
        self.turns.len()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.slowest)
    }
}

impl DistanceLod {
    /// Increments the counter of each task, and marks the task as due if its counter is divisible by its period.
    fn count(&mut self, context: &mut UpdateContext<'_>) {
        let (fastest, slowest) = (self.fastest.as_secs_f64(), self.slowest.as_secs_f64());
        for item in &mut self.items {
            // With a weight of zero, the quotient is infinite or NaN, and `min` returns `slowest`.
            let seconds = (fastest / context.weight(item.task)).min(slowest);
            let interval = Nanos::from_secs_f64(seconds);
            let period = ((interval.as_secs_f64() / self.tick).round() as u64).max(1);
            item.counter += 1;
            if item.counter.is_multiple_of(period) {
                self.turns.push(item.task);
                item.last_run = item.counter;
                item.is_late = false;
            } else if !item.is_late && item.counter - item.last_run >= period {
                item.is_late = true;
                self.missed += 1;
            }
        }
    }
}

impl Inspect for DistanceLod {
    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published counter missed",
            count: self.missed,
            thing: "turn",
            matches_ours_while: None,
        })
    }

    fn tune(&mut self, knobs: &KnobValues) {
        (self.fastest, self.slowest) = (knobs.span(&FASTEST), knobs.span(&SLOWEST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::scheduler::Deadlines;
    use timeslicer::strategy;
    use timeslicer::strategy::testing::TestWorld;

    const DELTA: Nanos = Nanos::from_millis(10);

    fn world(count: usize) -> TestWorld<DistanceLod> {
        let form = DistanceLod::new(Nanos::from_millis(50), Nanos::SECOND);
        TestWorld::new(form, count)
    }

    #[test]
    fn tasks_of_one_period_run_in_the_same_updates() {
        let mut world = world(30);
        world.weights = [[1.0; 10], [0.5; 10], [0.0; 10]].concat();
        let runs = world.runs_in(100, DELTA);
        for (update, &runs) in (1..).zip(&runs) {
            let periods = [5, 10, 100].into_iter();
            let expected = periods.filter(|period| update % period == 0).count() * 10;
            assert_eq!(runs, expected, "update {update}");
        }
        assert_eq!(world.strategy.defect().unwrap().count, 0);
    }

    #[test]
    fn a_period_that_changes_makes_a_run_late() {
        let mut world = world(1);
        world.weights = vec![0.05]; // a period of 100 updates
        assert_eq!(world.runs_in(96, DELTA).iter().sum::<usize>(), 0);
        world.weights = vec![50.0 / 970.0]; // 97 updates
        assert_eq!(world.runs_in(1, DELTA), [1]);
        world.weights = vec![50.0 / 600.0]; // 60 updates, but the counter is 97: 23 updates too early
        assert_eq!(world.runs_in(23, DELTA).iter().sum::<usize>(), 1);
        world.weights = vec![50.0 / 130.0]; // 13 updates, and the counter is 120: 10 updates too early
        assert_eq!(world.runs_in(9, DELTA).iter().sum::<usize>(), 0);
        world.weights = vec![50.0 / 70.0]; // 7 updates; the next multiple is 133
        let waited = world.runs_in(4, DELTA);
        assert_eq!(waited, [0, 0, 0, 1]);
        assert_eq!(world.strategy.defect().unwrap().count, 1);
    }

    #[test]
    fn a_moving_target_makes_runs_late_only_as_published() {
        const FAST: Nanos = Nanos::from_millis(50);
        const SLOW: Nanos = Nanos::SECOND;
        /// Moves a target along a row of tasks. Returns the number of waits of more than twice the interval.
        fn late(strategy: impl Strategy) -> usize {
            const COUNT: u32 = 400;
            let (mut world, delta) = (TestWorld::new(strategy, 0), Nanos::from_millis(16));
            world.weights = vec![1.0; COUNT as usize];
            for _ in 0..COUNT {
                world.birth();
            }
            let mut late = 0;
            for update in 0..2000 {
                let target = (f64::from(update) / 300.0).fract();
                for (at, weight) in world.weights.iter_mut().enumerate() {
                    let distance = (at as f64 / f64::from(COUNT) - target).abs();
                    *weight = (distance / 0.1).max(1.0).powi(-2);
                }
                world.update(delta);
                late += (0..COUNT)
                    .filter(|&index| {
                        let last_run = world.tasks.last_run(world.tasks.at(index).unwrap());
                        let weight = world.weights[index as usize];
                        let wanted = Deadlines::interval_at(FAST, SLOW, weight);
                        world.now - last_run.unwrap() > wanted + wanted
                    })
                    .count();
            }
            late
        }
        let ours = late(strategy::DistanceLod::new().with_intervals(FAST.into(), SLOW.into()));
        let published = DistanceLod::new(FAST, SLOW);
        let published = late(published);
        assert!(ours * 4 < published, "{ours} and {published}");
    }
}
