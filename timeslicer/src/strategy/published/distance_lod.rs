//! Distance LOD: periods by distance, in updates, checked with a modulo.
//!
//! Dynamic Activation of Brain in the Minecraft server Pufferfish, and other games, count the updates of each task. A task
//! runs when its counter is divisible by its period, which grows with the distance. All counters start at zero, so tasks
//! that are born together run together. If the period changes with the distance, the counter can miss the new one's
//! multiples for a long time. Every update looks at every task.
//!
//! Pufferfish updates 20 times per second, so its periods are whole numbers from 1 to 20. For other rates, this form
//! divides the wanted interval by the smoothed length of an update.

use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::Promise;
use crate::time::Nanos;

/// Runs each task when its counter of updates is divisible by its period.
#[derive(Clone, Debug)]
pub struct DistanceLod {
    fastest: Nanos,
    slowest: Nanos,
    items: Vec<Item>,
    /// Smoothed length of an update, in seconds; zero before the first update that is longer than zero.
    tick: f64,
    missed: u64,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    unit: TaskId,
    counter: u64,
    last_run: u64,
    /// True if the task was due since its last run and did not run.
    is_late: bool,
}

/// Share of the newest update in the smoothed length of an update.
const NEWEST: f64 = 1.0 / 16.0;

impl DistanceLod {
    /// Runs a task of weight 1 every `fastest`, and one of weight w every `fastest / w`, but at least every `slowest`.
    pub fn new(fastest: Nanos, slowest: Nanos) -> Self {
        Self {
            fastest,
            slowest,
            items: Vec::new(),
            tick: 0.0,
            missed: 0,
        }
    }

    /// Changes the intervals of the tasks that matter most and least.
    pub fn set_intervals(&mut self, fastest: Nanos, slowest: Nanos) {
        (self.fastest, self.slowest) = (fastest, slowest);
    }

    /// Returns the wanted interval of a task of this weight.
    fn interval(&self, weight: f64) -> Nanos {
        let slowest = self.slowest.as_secs_f64();
        // A weight of zero gives infinity or NaN, which the minimum ignores.
        let seconds = (self.fastest.as_secs_f64() / weight).min(slowest);
        Nanos::from_secs_f64(seconds)
    }
}

impl Form for DistanceLod {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(Item {
            unit,
            counter: 0,
            last_run: 0,
            is_late: false,
        });
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|item| item.unit != unit);
    }

    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U) {
        let delta = delta.as_secs_f64();
        let newest = if self.tick > 0.0 { NEWEST } else { 1.0 };
        self.tick += (delta - self.tick) * newest;
        if self.tick <= 0.0 {
            return;
        }
        let mut items = std::mem::take(&mut self.items);
        for item in &mut items {
            let interval = self.interval(units.weight(item.unit));
            let period = ((interval.as_secs_f64() / self.tick).round() as u64).max(1);
            item.counter += 1;
            if item.counter.is_multiple_of(period) {
                units.update_wanted(item.unit, interval);
                item.last_run = item.counter;
                item.is_late = false;
            } else if !item.is_late && item.counter - item.last_run >= period {
                item.is_late = true;
                self.missed += 1;
            }
        }
        self.items = items;
    }

    fn promise(&self) -> Promise {
        Promise::Interval(self.slowest)
    }

    fn wanted_interval(&self) -> Option<Nanos> {
        None
    }

    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published counter missed",
            count: self.missed,
            thing: "turn",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Inspect;
    use crate::strategy::published::AsPublished;
    use crate::strategy::testing::TestWorld;

    const DELTA: Nanos = Nanos::from_millis(10);

    fn world(count: usize) -> TestWorld<impl Inspect> {
        let form = DistanceLod::new(Nanos::from_millis(50), Nanos::SECOND);
        TestWorld::new(AsPublished::new(form, |_form, _knobs| {}), count)
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
}
