//! Random phase: runs each task once per interval, at a random time within the interval that never changes.
//!
//! A wheel turns once per interval. Each task has a fixed place on the wheel, its phase, and runs when the wheel comes
//! past this place. The phase is a hash of the task's id, so it does not depend on the other tasks, and no birth or
//! death shifts the turn of another task.
//!
//! Many games do this by hand, with one line in each object: `if (tick + hash(id)) % interval == 0`. This line runs for
//! every object in every tick. Here, a queue knows which tasks come next. And because the wheel turns with game time,
//! the interval depends neither on the frame rate nor on whole ticks. If the interval changes, the wheel turns at
//! another speed, but the tasks keep their phases.
//!
//! # The price
//!
//! Random phases are not evenly spread, so some updates run more tasks than others. And because each task keeps its
//! phase for life, this never levels out: as long as no task is born or dies, the busiest update of an interval is also
//! the busiest one of the next. For example, 400 tasks in 20 updates per interval are 20 runs per update on average. In
//! four of five populations, the busiest update has 26 to 32 runs, and in one of a hundred, it has 36 or more.
//! [`FixedInterval`](super::FixedInterval) runs 20 tasks in every update, and
//! [`BalancedSlots`](super::BalancedSlots) 19 to 21 if their costs are equal.
//!
//! # When to use it
//!
//! Use it to measure what this line costs your game, or if a task's turns must not depend on any other task, as in a
//! game where each player's computer simulates only some of the tasks. Otherwise, use
//! [`FixedInterval`](super::FixedInterval), which is as simple and never bunches.
//!
//! # Cost
//!
//! Each update runs `tasks × delta / interval` tasks on average. The standard deviation is the square root of this
//! number, so the fewer tasks there are, the more the updates differ in proportion. A task waits less than the interval
//! plus one delta. After a delta longer than the interval, each task runs once and keeps its phase.
//!
//! # If an update is stopped
//!
//! The next update begins with the tasks that did not run. They keep their phases.
//!
//! # Source
//!
//! `IsHashIntervalTick` in the game `RimWorld`; the random offset of each machine's timer in `GregTech`, a mod for
//! Minecraft. The hash is the output function of `SplitMix64`: Steele, Lea and Flood, "Fast Splittable Pseudorandom
//! Number Generators" (2014).

use super::{Guarantee, Strategy};
use crate::scheduler::{PriorityQueue, TaskId, UniqueQueue, UpdateContext, saved_as, saved_fields};
use crate::time::Nanos;
use std::time::Duration;

/// A strategy that runs each task once per interval, at a random phase of the interval. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::RandomPhase;
/// let strategy = RandomPhase::new(Duration::from_millis(500));
/// ```
#[derive(Clone, Debug)]
pub struct RandomPhase {
    interval: Nanos,
    seed: u64,
    /// How far the wheel has turned since the start. One turn is [`TURN`].
    turned: u64,
    /// The remaining time, which was too short to turn the wheel by another unit. The unit is 1 ns / [`TURN`].
    rest: u64,
    /// The tasks that are not due yet. The key of a task is the value of `turned` at which it is due.
    upcoming: PriorityQueue,
    /// The tasks that are due, in the order in which they run.
    due: UniqueQueue,
}

/// The length of one turn of the wheel, which is also the number of different phases.
const TURN: u64 = 1 << TURN_BITS;
const TURN_BITS: u32 = 24;

/// The maximum number of due tasks that run in a batch.
const BATCH: usize = 64;

impl RandomPhase {
    /// Creates a strategy that runs each task once per `interval` of game time. With an interval of zero, each task
    /// runs in every update.
    pub fn new(interval: Duration) -> Self {
        Self {
            interval: interval.into(),
            seed: 0,
            turned: 0,
            rest: 0,
            upcoming: PriorityQueue::default(),
            due: UniqueQueue::default(),
        }
    }

    /// Returns the interval.
    pub fn interval(&self) -> Duration {
        self.interval.into()
    }

    /// Changes the interval. The tasks keep their phases, so a shorter interval does not trigger a burst of runs.
    pub fn set_interval(&mut self, interval: Duration) {
        let interval = interval.into();
        if interval != self.interval {
            self.interval = interval;
            self.rest = 0;
        }
    }

    /// Changes the seed from which the phases of the tasks are computed. Call this before tasks are added.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Turns the wheel by `delta`, but always by less than two turns, because no task runs twice in an update.
    fn turn(&mut self, delta: Nanos) {
        let interval = u128::from(self.interval.as_nanos());
        if interval == 0 {
            self.turned += TURN;
            return;
        }
        let delta = u128::from(delta.as_nanos());
        let whole = if delta < interval { 0 } else { interval };
        let turned = ((whole + delta % interval) << TURN_BITS) + u128::from(self.rest);
        self.turned += (turned / interval) as u64;
        self.rest = (turned % interval) as u64;
    }

    /// Adds a task to the upcoming ones. It is due when the wheel next comes past its phase.
    fn schedule(&mut self, task: TaskId) {
        let this_turn = self.turned - self.turned % TURN + phase(task, self.seed);
        let is_past = this_turn <= self.turned;
        let due = if is_past { this_turn + TURN } else { this_turn };
        self.upcoming.push(task, due);
    }
}

/// Returns the place of a task on the wheel, from 0 to less than [`TURN`].
fn phase(task: TaskId, seed: u64) -> u64 {
    let id = u64::from(task.generation) << 32 | u64::from(task.index);
    let id = id
        .wrapping_add(1)
        .wrapping_add(seed.wrapping_mul(0xD134_2543_DE82_EF95));
    let mut hash = id.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (hash ^ hash >> 31) % TURN
}

impl Strategy for RandomPhase {
    fn insert(&mut self, task: TaskId) {
        self.schedule(task);
    }

    fn remove(&mut self, task: TaskId) {
        if !self.upcoming.remove(task) {
            self.due.remove(task);
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        self.turn(context.delta());
        while let Some((task, _)) = self.upcoming.pop_until(self.turned) {
            self.due.push(task);
        }
        while !self.due.is_empty() && !context.is_stopped() {
            let mut batch = [TaskId::NONE; BATCH];
            let taken = context.run(self.due.first(&mut batch)).taken;
            for _ in 0..taken {
                if let Some(task) = self.due.pop() {
                    self.schedule(task);
                }
            }
        }
    }

    fn backlog(&self) -> usize {
        self.due.len()
    }

    saved_as!("random-phase", |own| own.interval(), |it| {
        own.set_interval(it);
    });

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.interval)
    }
}

saved_fields! { RandomPhase { interval, seed, turned, rest, upcoming, due } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::{GameTime, Periods};
    use std::collections::BTreeMap;

    const HALF_SECOND: Nanos = Nanos::from_millis(500);
    const TWENTIETH: Nanos = Nanos::from_millis(25);

    fn world(count: usize) -> TestWorld<RandomPhase> {
        TestWorld::new(RandomPhase::new(HALF_SECOND.into()), count)
    }

    #[test]
    fn tasks_bunch_and_this_never_levels_out() {
        let mut world = world(400);
        let first = world.runs_in(20, TWENTIETH);
        assert_eq!(first.iter().sum::<usize>(), 400);
        assert!((26..=36).contains(first.iter().max().unwrap()), "{first:?}");
        for _ in 0..1000 {
            assert_eq!(world.runs_in(20, TWENTIETH), first);
        }
    }

    #[test]
    fn the_phases_do_not_depend_on_the_frame_rate() {
        for hz in [7.0, 30.0, 144.0, 1000.0] {
            let (mut world, mut periods) = (world(100), Periods::new(hz));
            let mut due = BTreeMap::new(); // the next due time of each task
            for _ in 0..(20.0 * hz) as usize {
                let delta = periods.next_period();
                let start = world.now;
                for task in world.update(delta) {
                    let due = due.entry(task).or_insert_with(|| {
                        let scaled = phase(TaskId::of(task), 0) * HALF_SECOND.as_nanos();
                        GameTime::at(Nanos::from_nanos(scaled.div_ceil(TURN)))
                    });
                    assert!(start < *due && *due <= world.now, "{hz} {task}");
                    *due += HALF_SECOND;
                }
            }
            assert_eq!(due.len(), 100);
        }
    }

    #[test]
    fn after_a_long_delta_each_task_runs_once_and_keeps_its_phase() {
        let (mut stalled, mut other) = (world(50), world(50));
        for (rest, whole) in [(3, 1), (0, 7), (11, 1000)] {
            let mut ran = stalled.update(Nanos::from_millis(500 * whole + 25 * rest));
            ran.sort_unstable();
            assert!(ran.into_iter().eq(0..50));
            other.runs_in(rest as usize, TWENTIETH);
            for _ in 0..40 {
                assert_eq!(stalled.update(TWENTIETH), other.update(TWENTIETH));
            }
        }
    }

    #[test]
    fn a_stopped_update_moves_no_phase() {
        let (mut stopped, mut other) = (world(50), world(50));
        stopped.most_runs = 1;
        for _ in 0..60 {
            stopped.update(TWENTIETH);
            other.update(TWENTIETH);
        }
        assert!(stopped.strategy.backlog() > 10);
        stopped.most_runs = usize::MAX;
        stopped.update(TWENTIETH);
        other.update(TWENTIETH);
        for _ in 0..40 {
            assert_eq!(stopped.update(TWENTIETH), other.update(TWENTIETH));
        }
    }

    #[test]
    fn a_shorter_interval_starts_no_burst() {
        let mut world = world(400);
        world.runs_in(10, TWENTIETH);
        world.strategy.set_interval(Duration::from_millis(250));
        let runs = world.runs_in(10, TWENTIETH);
        assert!(runs.iter().all(|&runs| runs < 65), "{runs:?}"); // 40 are usual now
    }
    #[test]
    fn most_populations_bunch_as_documented() {
        let busiest = |generation| {
            let mut counts = [0; 20];
            for index in 0..400 {
                counts[(phase(TaskId { index, generation }, 0) * 20 / TURN) as usize] += 1;
            }
            counts.into_iter().max().unwrap_or(0)
        };
        let mut busiest: Vec<u32> = (0..1000).map(busiest).collect();
        busiest.sort_unstable();
        let percentiles = [10, 50, 90, 99].map(|percent| busiest[10 * percent]);
        assert_eq!(percentiles, [26, 28, 32, 36]);
    }
}
