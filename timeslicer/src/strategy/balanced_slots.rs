//! Balanced slots: every task once per interval, and every update takes the same *time*, even if costs differ.
//!
//! The interval is cut into slots of equal length. A newborn task joins the slot with the smallest estimated cost, and
//! each slot runs once per interval. An update that covers a part of a slot runs the same part of its estimated cost,
//! so the time per update is level at any frame rate.
//!
//! Estimates change, and deaths leave gaps. So after a slot has run, tasks can move between it and the slot before it,
//! if that levels the cost of these two slots and of the two pairs that they form with their neighbours. Between two
//! of its runs a task moves once at most, and only to a neighbouring slot. A task that moved to the later slot runs
//! there as soon as it is one slot late. So the time between two runs differs from the interval by at most one slot
//! and one frame.
//!
//! The time is counted in nanoseconds × slots, so no fraction is lost. At most one round is ever owed.
//!
//! # When to use it
//!
//! If tasks repeat at a steady rate and their costs differ much. If all tasks cost about the same, use
//! [`FixedInterval`](super::FixedInterval): there each interval is exact to a frame, and the clock is never read.
//!
//! # Cost
//!
//! `tasks × delta / interval` runs in each update on average, and one reading of the clock per run. If the runs of a
//! batch take less than a microsecond on average, one reading per batch of 32 runs; their costs then count as equal. A
//! birth compares all slots.
//!
//! # If an update is stopped
//!
//! The next update continues with the task that did not run. The time that has passed remains owed, one round at most.
//!
//! # Source
//!
//! The scheduler of gdx-ai, "Artificial Intelligence Framework for games based on libGDX", chooses the phase of a new
//! task by a dry run of all schedules, O(dry run × tasks). Here the slots keep their sums.

mod slots;

use super::knobs::INTERVAL;
use super::{Family, Inspect, Promise, Strategy, StrategyEntry};
use crate::knob::{Knob, KnobValues, Scale};
use crate::scheduler::{Estimates, TaskId, UpdateContext};
use crate::time::{ClockTime, Nanos};
use slots::{Arrival, Slots, Turn};
use std::collections::VecDeque;

/// Number of slots.
pub const SLOTS: Knob = Knob {
    key: "slots",
    label: "Slots",
    unit: "",
    min: 1.0,
    max: 600.0,
    default: 60.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: true,
    help: "Number of parts that the interval is cut into; each part runs its own tasks.",
};

/// The registry's entry.
pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "balanced-slots",
    name: "Balanced slots",
    family: Family::Periodic,
    rule: "Cuts the interval into slots of equal estimated cost and runs each slot when its time has come.",
    use_when: "Use it when work repeats at a steady rate, costs differ much, and every frame should take the same time.",
    avoid_when: "Avoid it when all tasks cost about the same: reading the clock for each run is then wasted.",
    known_from: "Known from gdx-ai, whose scheduler gives a new task the phase with the least work.",
    source: "the scheduler of gdx-ai, which spreads tasks by phase",
    knobs: &[INTERVAL, SLOTS],
    make: || {
        let slots = SLOTS.default as usize;
        Box::new(BalancedSlots::new(INTERVAL.default_span(), slots))
    },
    published: None,
    constructor: "BalancedSlots::new({interval-s}, {slots})",
};

/// Runs every task once per interval, in slots of equal cost; described in the [module](self).
///
/// The [crate's example](crate) shows how a game uses it.
///
/// ```
/// use timeslicer::strategy::BalancedSlots;
/// use timeslicer::time::Nanos;
///
/// let strategy = BalancedSlots::new(Nanos::from_millis(500), 60);
/// ```
#[derive(Clone, Debug)]
pub struct BalancedSlots {
    interval: Nanos,
    slots: Slots,
    estimates: Estimates,
    /// The slot that runs now or next.
    current: usize,
    /// Part of the current slot that has passed. A slot is as long as the interval, because time is counted in
    /// nanoseconds × slots.
    passed: u128,
    /// Time that stopped updates still owe.
    owed: u128,
    /// The round of the current slot, if it has begun.
    round: Option<Round>,
    /// Number of runs before the next reading of the clock.
    batch: usize,
    updates: u32,
}

/// The current slot while it runs.
#[derive(Clone, Debug, Default)]
struct Round {
    waiting: VecDeque<Turn>,
    /// Estimated cost of the slot when the round began, and of the turns taken since.
    total: u64,
    done: u64,
    /// Cost of a task without an estimate when the round began.
    mean: u64,
}

/// Maximum number of runs per reading of the clock.
const LARGEST_BATCH: usize = 32;
/// Runs that take less than this on average share a reading of the clock, which costs some 30 ns.
const CHEAP: Nanos = Nanos::from_micros(1);

impl BalancedSlots {
    /// Runs every task once per `interval`, in `slots` slots, at least one. A zero interval runs every task in every
    /// update.
    pub fn new(interval: Nanos, slots: usize) -> Self {
        Self {
            interval,
            slots: Slots::new(slots.max(1)),
            estimates: Estimates::new(),
            current: 0,
            passed: 0,
            owed: 0,
            round: None,
            batch: 1,
            updates: 0,
        }
    }

    /// Changes the interval. The slots keep their tasks, and the time that has passed and the time owed keep their
    /// share of the round, so this starts no burst.
    pub fn set_interval(&mut self, interval: Nanos) {
        if interval == self.interval {
            return;
        }
        let old = self.slot_length();
        self.interval = interval;
        let new = self.slot_length();
        self.passed = self.passed * new / old;
        self.owed = self.owed * new / old;
        if self.passed == 0 {
            self.end_round();
        }
    }

    /// Changes the number of slots. Each task keeps its place in the interval, so this starts no burst.
    pub fn set_slots(&mut self, slots: usize) {
        let (before, after) = (self.slots.all.len() as u128, slots.max(1) as u128);
        if before == after {
            return;
        }
        let length = self.slot_length();
        // The first new slot begins now, with the task whose turn is next.
        let mut all = self.slots.take_all(after as usize);
        all.rotate_left(self.current);
        let mut start = 0;
        if let Some(round) = self.round.take() {
            let ran = std::mem::replace(&mut all[0], round.waiting);
            all.push(ran);
        }
        for (nth, turns) in all.into_iter().enumerate() {
            let span = match nth as u128 {
                0 => length - self.passed,
                nth if nth == before => self.passed,
                _ => length,
            };
            let count = turns.len() as u128;
            for (at, turn) in turns.into_iter().enumerate() {
                let time = start + span * (2 * at as u128 + 1) / (2 * count);
                let slot = (time * after / (length * before)).min(after - 1);
                self.slots.join(turn, slot as usize);
            }
            start += span;
        }
        self.current = 0;
        self.passed = 0;
        self.owed = self.owed * after / before;
    }

    /// Returns the length of a slot in nanoseconds × slots. A zero interval counts as one nanosecond.
    fn slot_length(&self) -> u128 {
        u128::from(self.interval.as_nanos().max(1))
    }

    /// Returns the length of a slot, rounded up.
    fn slot_time(&self) -> Nanos {
        Nanos::from_nanos(
            self.interval
                .as_nanos()
                .div_ceil(self.slots.all.len() as u64),
        )
    }

    /// Gives the tasks that wait for their turn back to the current slot. They are the first in its next round.
    fn end_round(&mut self) {
        if let Some(mut round) = self.round.take() {
            let turns = &mut self.slots.all[self.current].turns;
            round.waiting.append(turns);
            *turns = round.waiting;
        }
    }

    /// Runs the tasks of the current slot whose turn comes before `until`.
    fn run_slot(
        &mut self,
        context: &mut UpdateContext<'_>,
        until: u128,
        clock: &mut Option<ClockTime>,
    ) {
        let (slots, current) = (&mut self.slots, self.current);
        let mut round = self.round.take().unwrap_or_else(|| Round {
            waiting: std::mem::take(&mut slots.all[current].turns),
            total: slots.load(current),
            done: 0,
            mean: slots.mean,
        });
        while !context.is_stopped() {
            let mut batch = [TaskId::NONE; LARGEST_BATCH];
            let count = self.fill(&mut batch, &mut round, context, until);
            if count == 0 {
                break;
            }
            let before = clock.unwrap_or_else(|| context.clock());
            let ran = context.run(&batch[..count]);
            let after = context.clock();
            *clock = Some(after);
            self.took_turns(&mut round, ran.taken);
            if ran.runs > 0 {
                let cost = Nanos::from_nanos((after - before).as_nanos() / ran.runs as u64);
                self.learn(&batch[..ran.taken], cost);
            }
        }
        self.round = Some(round);
    }

    /// Writes the next tasks whose turn comes before `until` to `batch`. Returns their number.
    fn fill(
        &mut self,
        batch: &mut [TaskId],
        round: &mut Round,
        context: &UpdateContext<'_>,
        until: u128,
    ) -> usize {
        let length = self.slot_length();
        let slot = self.slot_time();
        let (late, early) = (self.interval + slot, self.interval - slot);
        let age = |task| {
            let last_run = context.tasks().last_run(task);
            last_run.map_or(Nanos::MAX, |last_run| context.now() - last_run) // dead: its turn passes
        };
        let (mut count, mut done) = (0, round.done);
        while count < self.batch && count < round.waiting.len() {
            let turn = round.waiting[count];
            let Some(member) = self.slots.member(turn) else {
                round.waiting.remove(count); // near the front, so few turns move
                continue;
            };
            // A full round ends with the tasks that ran at its beginning.
            if member.ran_in == self.updates {
                break;
            }
            let load = member.load_or(round.mean);
            // A task runs when half of it is due, so on average an update runs its share.
            let is_due =
                u128::from(2 * done + load) * length <= 2 * until * u128::from(round.total);
            let is_early = member.arrival == Arrival::FromLaterSlot && age(turn.task) < early;
            if until < length && (!is_due || is_early) && age(turn.task) < late {
                break;
            }
            batch[count] = turn.task;
            done += load;
            count += 1;
        }
        count
    }

    /// Moves past the first `count` tasks that wait.
    fn took_turns(&mut self, round: &mut Round, count: usize) {
        for turn in round.waiting.drain(..count) {
            if let Some(member) = self.slots.member(turn) {
                round.done += member.load_or(round.mean);
                member.ran_in = self.updates;
                member.arrival = Arrival::Ran;
            }
            self.slots.all[self.current].turns.push_back(turn);
        }
    }

    /// Learns the mean cost of tasks that ran together in the current slot.
    fn learn(&mut self, tasks: &[TaskId], cost: Nanos) {
        for &task in tasks {
            // A mean says little about one task.
            if tasks.len() == 1 || self.estimates.known(task).is_some() {
                self.estimates.learn(task, cost);
                let estimate = self.estimates.of(task).as_nanos();
                self.slots
                    .set_load(task, estimate.clamp(1, u32::MAX.into()) as u32);
            }
        }
        self.slots.mean = self.estimates.mean().as_nanos().max(1);
        self.batch = if cost < CHEAP {
            (self.batch * 2).min(LARGEST_BATCH)
        } else {
            1
        };
    }
}

impl Strategy for BalancedSlots {
    fn insert(&mut self, task: TaskId) {
        self.slots.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        if self.slots.remove(task) {
            self.estimates.forget(task);
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        self.updates = self.updates.wrapping_add(1).max(1);
        let length = self.slot_length();
        let round = length * self.slots.all.len() as u128;
        let passed = if self.interval.is_zero() {
            round
        } else {
            u128::from(context.delta().min(self.interval).as_nanos()) * self.slots.all.len() as u128
        };
        self.owed = (self.owed + passed).min(round);
        // If an update runs nearly all slots, a task that moves could run too soon or too late.
        let levels = 2 * self.owed <= round;
        let mut clock = None;
        while self.owed > 0 {
            let part = self.owed.min(length - self.passed);
            self.run_slot(context, self.passed + part, &mut clock);
            if context.is_stopped() {
                return;
            }
            self.passed += part;
            self.owed -= part;
            if self.passed == length {
                self.end_round();
                if levels {
                    self.slots.level(self.current);
                }
                self.passed = 0;
                self.current = (self.current + 1) % self.slots.all.len();
            }
        }
    }

    fn backlog(&self) -> usize {
        if self.owed == 0 {
            return 0;
        }
        let waiting = match &self.round {
            Some(round) => self.slots.living(&round.waiting),
            None => self.slots.all[self.current].members,
        };
        let due = (self.passed + self.owed) / self.slot_length();
        let others = (1..due as usize).map(|nth| (self.current + nth) % self.slots.all.len());
        waiting
            + others
                .map(|slot| self.slots.all[slot].members)
                .sum::<usize>()
    }

    fn promise(&self) -> Promise {
        Promise::Interval(self.interval + self.slot_time())
    }
}

impl Inspect for BalancedSlots {
    fn wanted_interval(&self) -> Option<Nanos> {
        (!self.interval.is_zero()).then_some(self.interval)
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.set_interval(knobs.span(&INTERVAL));
        self.set_slots(knobs.get(&SLOTS) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::{TestWorld, log_normal_costs};
    use std::collections::BTreeSet;

    const INTERVAL: Nanos = Nanos::from_millis(500);
    const COST: Nanos = Nanos::from_micros(50);

    /// Runs 2,000 tasks for 20 s with 20 births and deaths per second. Returns the task time of each update after the first
    /// second, and the smallest and largest time between two runs of a task.
    fn busy_game(hertz: u64, slots: usize) -> (Vec<Nanos>, Nanos, Nanos) {
        let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, slots), 2000);
        world.costs = log_normal_costs(2000, COST, 1.5);
        let mut newborn: BTreeSet<u32> = (0..2000).collect();
        let delta = Nanos::from_nanos(1_000_000_000 / hertz);
        let (mut spent, mut least, mut most) = (Vec::new(), Nanos::MAX, Nanos::ZERO);
        for update in 0..20 * hertz {
            if update * 20 % hertz < 20 {
                let victim = (update * 7919 % 2000) as u32;
                world.death(victim);
                newborn.insert(world.birth().index);
                world.costs.swap(victim as usize, (update % 2000) as usize);
            }
            let ran = world.update_elapsed(delta);
            if update > hertz {
                let costs = ran.iter().map(|&(index, _)| world.costs[index as usize]);
                spent.push(costs.sum());
            }
            for (index, elapsed) in ran {
                // The first elapsed time counts from the birth.
                if !newborn.remove(&index) {
                    (least, most) = (least.min(elapsed), most.max(elapsed));
                }
            }
        }
        (spent, least, most)
    }

    #[test]
    fn updates_take_the_same_time_under_births_and_deaths() {
        let (mut spent, ..) = busy_game(60, 60);
        spent.sort_unstable();
        let mean = spent.iter().copied().sum::<Nanos>().as_secs_f64() / spent.len() as f64;
        let percentile = spent[spent.len() * 99 / 100].as_secs_f64() / mean;
        assert!(percentile <= 1.15, "{percentile}");
        let first = spent[spent.len() / 100].as_secs_f64() / mean;
        assert!(first >= 0.85, "{first}");
    }

    #[test]
    fn intervals_differ_by_a_slot_and_a_frame_at_most() {
        for hertz in [30, 60, 144] {
            for slots in [7, 60, 600] {
                let (_, least, most) = busy_game(hertz, slots);
                let off = INTERVAL.as_secs_f64() / slots as f64 + 1.0 / hertz as f64;
                assert!(least.as_secs_f64() > 0.5 - off, "{least} {hertz} {slots}");
                assert!(most.as_secs_f64() < 0.5 + off, "{most} {hertz} {slots}");
            }
        }
    }

    #[test]
    fn a_slot_spreads_over_the_updates_in_its_time() {
        for (hertz, slots) in [(144, 60), (144, 30), (1000, 30), (60, 7), (25, 60)] {
            let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, slots), 2000);
            world.cost = COST;
            let delta = Nanos::from_nanos(1_000_000_000 / hertz);
            let even = 2000.0 * 2.0 / hertz as f64;
            for _ in 0..2 * hertz {
                let runs = world.update(delta).len() as f64;
                assert!(
                    (runs - even).abs() <= 1.5 + even * 0.02,
                    "{runs} of {even} at {hertz} Hz"
                );
            }
        }
    }

    #[test]
    fn a_newborn_joins_the_slot_with_the_least_cost() {
        let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 2), 2);
        let half = Nanos::from_millis(250);
        world.costs = [100, 900].map(Nanos::from_micros).to_vec();
        (0..2).for_each(|_| drop(world.update(half)));
        for _ in 0..3 {
            world.birth(); // the estimate is the mean, 500 µs
        }
        let runs = [(); 2].map(|()| world.update(half));
        assert_eq!(runs, [vec![1, 4], vec![0, 2, 3]]);
    }

    #[test]
    fn the_fraction_is_kept_for_an_hour() {
        let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 60), 1);
        let delta = Nanos::from_nanos(16_666_667);
        let runs: usize = world.runs_in(3600 * 60, delta).iter().sum();
        assert_eq!(
            runs as u64,
            3600 * 60 * delta.as_nanos() / INTERVAL.as_nanos()
        );
    }

    impl TestWorld<BalancedSlots> {
        /// Returns the order of turns in the next round.
        fn clone_order(&self) -> Vec<u32> {
            let mut copy = TestWorld::new(self.strategy.clone(), 0);
            copy.tasks = self.tasks.clone();
            copy.update(INTERVAL)
        }
    }

    #[test]
    fn another_number_of_slots_loses_no_task_and_starts_no_burst() {
        let frame = Nanos::from_millis(10); // 4 runs
        let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 60), 200);
        for slots in [7, 1, 2, 600, 59, 3, 60] {
            for _ in 0..33 {
                let ran = world.update(frame).len();
                assert!((2..=6).contains(&ran), "{ran} at {slots}");
            }
            let order = world.clone_order();
            world.strategy.set_slots(slots);
            assert_eq!(world.clone_order(), order, "{slots}");
            assert_eq!(order.len(), 200);
        }
    }

    #[test]
    fn another_interval_starts_no_burst() {
        let mut world = TestWorld::new(BalancedSlots::new(Nanos::from_secs(10), 60), 200);
        world.update(Nanos::from_millis(9_999));
        world.strategy.set_interval(Nanos::from_secs(1));
        let ran = world.update(Nanos::from_millis(10)).len();
        assert!((1..=4).contains(&ran), "{ran}");
    }

    #[test]
    fn cheap_tasks_share_readings_of_the_clock() {
        for (cost, most) in [(100, 300), (50_000, 5001)] {
            let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 60), 5000);
            world.cost = Nanos::from_nanos(cost);
            assert_eq!(world.update(INTERVAL).len(), 5000);
            assert!(world.readings <= most, "{}", world.readings);
            world.update(Nanos::ZERO);
            assert_eq!(world.readings, 0);
        }
    }
}
