//! Distance LOD: runs a task at shorter intervals the more it matters.
//!
//! LOD is short for level of detail. A task of weight w runs when the time since its last run reaches `fastest / w`,
//! but at the latest after `slowest`. The game provides the weights, for example from the distance to the player.
//! Interval changes smaller than the hysteresis are ignored, so that small movements change nothing.
//!
//! As published, a task runs when a frame counter is divisible by its period. If the period changes, runs come late,
//! and tasks with the same period run in the same frames. Here, each task has a due time, and the first due times are
//! spread evenly over the interval. See [`Deadlines`] for the details.
//!
//! # When to use it
//!
//! Use it if only a few of many tasks matter at a time, as in a crowd around a player, and each update has time for all
//! due tasks. However, the work still grows with the crowd. If it must stay within a budget, use
//! [`EarliestDeadline`](super::EarliestDeadline).
//!
//! # Cost
//!
//! On average, the number of runs in an update is the sum of delta / interval over all tasks. A task runs within one
//! update of its interval. If the most important place moves suddenly, the tasks near it become due at once.
//!
//! # If an update is stopped
//!
//! The next update begins with the tasks that did not run.
//!
//! # Source
//!
//! Mass LOD in Unreal Engine (intervals by distance, hysteresis of 10 %); Dynamic Activation of Brain in the Minecraft
//! server Pufferfish (a period by the square of the distance).

use super::{Guarantee, Strategy};
use crate::scheduler::{Deadlines, TaskId, UpdateContext, saved_as, saved_fields};
use crate::time::Nanos;
use std::time::Duration;

/// A strategy that runs each task after an interval that depends on how much the task matters. The [module
/// documentation](self) describes the algorithm.
///
/// See [`Timeslicer::update_weighted`](crate::Timeslicer::update_weighted) for an example of how a game tells the
/// strategy how much each task matters. The example below sets all options to their default values:
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::DistanceLod;
///
/// let strategy = DistanceLod::new()
///     .with_intervals(Duration::from_millis(50), Duration::from_secs(1))
///     .with_hysteresis(10.0);
/// ```
#[derive(Clone, Debug)]
pub struct DistanceLod {
    deadlines: Deadlines,
}

/// The maximum number of due tasks that run in a batch.
const TURNS: usize = 64;

impl DistanceLod {
    /// Creates a strategy with the default intervals and the default hysteresis. [`DistanceLod::with_intervals`] and
    /// [`DistanceLod::with_hysteresis`] change them.
    pub fn new() -> Self {
        Self {
            deadlines: Deadlines::default(),
        }
    }

    /// Returns the strategy with these intervals. See [`set_intervals`](Self::set_intervals).
    pub fn with_intervals(mut self, fastest: Duration, slowest: Duration) -> Self {
        self.set_intervals(fastest, slowest);
        self
    }

    /// Changes the intervals. The interval of a task with weight w is `fastest / w`, but at most `slowest`. The due
    /// times of the tasks change gradually, so a change does not make many tasks due at once.
    pub fn set_intervals(&mut self, fastest: Duration, slowest: Duration) {
        self.deadlines.set_intervals(fastest.into(), slowest.into());
    }

    /// Returns the strategy with this hysteresis. See [`set_hysteresis`](Self::set_hysteresis).
    pub fn with_hysteresis(mut self, percent: f64) -> Self {
        self.set_hysteresis(percent);
        self
    }

    /// Changes the hysteresis. A change of a task's interval is ignored if it is smaller than this percentage. With zero,
    /// every change has an effect.
    pub fn set_hysteresis(&mut self, percent: f64) {
        self.deadlines.hysteresis = percent / 100.0;
    }
}

impl Strategy for DistanceLod {
    fn insert(&mut self, task: TaskId) {
        self.deadlines.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.deadlines.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let end = context.now().since_start().as_nanos();
        let start = end.saturating_sub(context.delta().as_nanos());
        self.deadlines.begin_update(context, start, end);
        loop {
            let taken = self.deadlines.run_next::<TURNS>(|due| {
                let weights = context.weights(due);
                (weights, context.run(due).taken)
            });
            if taken == 0 {
                break;
            }
        }
        self.deadlines.set_next(context, end, Nanos::ZERO);
    }

    fn backlog(&self) -> usize {
        self.deadlines.waiting()
    }

    saved_as!(
        "distance-lod",
        |own| (own.deadlines.fastest, own.deadlines.slowest),
        |(fastest, slowest)| own.deadlines.set_intervals(fastest, slowest)
    );

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.deadlines.slowest)
    }
}

saved_fields! { DistanceLod { deadlines } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::Periods;

    const FAST: Nanos = Nanos::from_millis(50);
    const SLOW: Nanos = Nanos::from_secs(1);

    fn world_of(weights: Vec<f64>) -> TestWorld<DistanceLod> {
        let count = weights.len();
        let mut world = TestWorld::new(
            DistanceLod::new().with_intervals(FAST.into(), SLOW.into()),
            count,
        );
        world.weights = weights;
        world
    }

    /// Weights from 1 to 0.01.
    fn falling_weights(count: usize) -> Vec<f64> {
        (0..count)
            .map(|at| 1.0 / (1.0 + 99.0 * at as f64 / count as f64))
            .collect()
    }

    #[test]
    fn intervals_are_within_a_frame_of_the_wanted_ones() {
        let weights = falling_weights(500);
        for hz in [60.0, 144.0, 10.0] {
            let mut world = world_of(weights.clone());
            let mut periods = Periods::new(hz);
            let longest = Nanos::from_secs_f64(1.0 / hz) + Nanos::from_nanos(1);
            let mut runs = vec![0; weights.len()];
            for _ in 0..(10.0 * hz) as usize {
                let delta = periods.next_period();
                for (index, elapsed) in world.update_elapsed(delta) {
                    let index = index as usize;
                    runs[index] += 1;
                    let wanted = Deadlines::interval_at(FAST, SLOW, weights[index]);
                    assert!(elapsed <= wanted.max(delta) + longest, "{index} {elapsed}");
                    assert!(runs[index] == 1 || elapsed + longest > wanted, "{elapsed}");
                }
            }
            // Delays do not accumulate, so the number of runs differs from the exact number by at most one.
            for (index, &runs) in runs.iter().enumerate() {
                let wanted = Deadlines::interval_at(FAST, SLOW, weights[index]).max(longest);
                let exact = 10.0 / wanted.as_secs_f64();
                assert!((f64::from(runs) - exact).abs() <= 1.01, "{runs} {exact}");
            }
        }
    }

    #[test]
    fn tasks_that_are_born_together_do_not_run_together() {
        let mut world = world_of(vec![0.05; 3000]);
        let delta = Nanos::from_nanos(16_666_667);
        let runs = world.runs_in(240, delta);
        assert!(runs.iter().all(|runs| (48..=52).contains(runs)), "{runs:?}");
        // The runs remain evenly spread even after an update in which all tasks are due.
        world.update(Nanos::from_secs(10));
        let runs = world.runs_in(240, delta);
        assert!(runs.iter().all(|runs| (48..=52).contains(runs)), "{runs:?}");
    }

    #[test]
    fn a_task_that_begins_to_matter_runs_soon() {
        for count in [50, 5000] {
            let mut world = world_of(vec![0.0; count]);
            let delta = Nanos::from_millis(10);
            world.runs_in(200, delta);
            world.weights[count - 1] = 1.0;
            let near = count as u32 - 1;
            // The task runs after one second at the latest. In a small crowd, its new weight is noticed much sooner.
            let most = (count / 64 + 6).min(100);
            let soon = (0..most).any(|_| world.update(delta).contains(&near));
            assert!(soon, "{count}");
            let runs = (0..100).filter(|_| world.update(delta).contains(&near));
            assert!((19..=21).contains(&runs.count()), "{count}");
        }
    }

    #[test]
    fn tasks_that_begin_to_matter_together_do_not_run_together() {
        for count in [60, 600] {
            let mut world = world_of(vec![0.05; count]);
            let delta = Nanos::from_millis(5);
            world.runs_in(300, delta);
            world.weights = vec![1.0; count];
            let runs = world.runs_in(400, delta);
            let most = count / 8 + 3; // a tenth of the interval passes in an update
            assert!(runs.iter().all(|&runs| runs <= most), "{runs:?}");
            let all: usize = runs.iter().sum();
            assert!(all > 38 * count, "{all}");
        }
    }

    #[test]
    fn a_target_that_comes_back_makes_no_task_run_early() {
        let (mut world, delta) = (world_of(vec![1.0; 40]), Nanos::from_millis(5));
        world.runs_in(40, delta);
        let mut runs = 0;
        for update in 0..2000 {
            // The target is away for less than the interval, so some tasks run while it is away and others do not.
            let is_away = update % 20 < 8;
            world.weights = vec![f64::from(u8::from(!is_away)); 40];
            for (index, elapsed) in world.update_elapsed(delta) {
                assert!(elapsed + delta >= FAST, "{index} after {elapsed}");
                runs += 1;
            }
        }
        assert!(runs > 40 * 100, "{runs}");
    }

    #[test]
    fn small_changes_of_weight_change_nothing() {
        let runs = |hysteresis| {
            let mut world = world_of(vec![0.1]);
            world.strategy = DistanceLod::new()
                .with_intervals(FAST.into(), SLOW.into())
                .with_hysteresis(hysteresis);
            world.strategy.insert(world.tasks.at(0).unwrap());
            world.runs_in(100, FAST);
            world.weights = vec![0.106];
            let runs = world.runs_in(10_000, Nanos::from_millis(1));
            runs.into_iter().sum::<usize>()
        };
        assert_eq!([runs(10.0), runs(0.0)], [20, 21]);
    }

    #[test]
    fn a_shorter_interval_starts_no_burst() {
        let mut world = world_of(vec![0.0; 5000]);
        world.strategy = world
            .strategy
            .with_intervals(FAST.into(), Duration::from_mins(1));
        world.runs_in(10, FAST);
        world.strategy = world.strategy.with_intervals(FAST.into(), SLOW.into());
        let runs = world.runs_in(100, FAST);
        assert!(runs.iter().all(|&runs| runs <= 600), "{runs:?}");
        let first: usize = runs[..21].iter().sum();
        assert!(first >= 5000, "{first}");
    }

    #[test]
    fn longer_intervals_keep_the_runs_spread() {
        let mut world = world_of(vec![0.0; 5000]);
        let (short, delta) = (Nanos::from_millis(100), Nanos::from_millis(10));
        world.strategy = world.strategy.with_intervals(short.into(), short.into());
        world.runs_in(20, delta);
        world.strategy = world.strategy.with_intervals(short.into(), SLOW.into());
        let runs = world.runs_in(400, delta);
        assert!(runs[200..].iter().all(|&runs| runs <= 100), "{runs:?}");
    }

    #[test]
    fn no_update_asks_for_all_weights_after_a_change_of_the_intervals() {
        let mut world = world_of(vec![0.0; 5000]);
        let delta = Nanos::from_millis(10);
        world.runs_in(20, delta);
        world.strategy = world
            .strategy
            .with_intervals(FAST.into(), (SLOW + SLOW).into());
        for _ in 0..20 {
            world.update(delta);
            assert!(world.weighings < 300, "{}", world.weighings);
        }
    }
}
