//! Balanced slots: runs every task once per interval, and makes every update take the same *time*, even if the costs of
//! tasks differ.
//!
//! The interval is divided into slots of equal length. A newborn task joins the slot with the smallest estimated cost,
//! and each slot runs once per interval. An update that covers a part of a slot runs the same part of the slot's
//! estimated cost, so all updates take the same time at any frame rate.
//!
//! Estimates change, and deaths leave gaps. Therefore, after a slot has run, tasks can move between this slot and the
//! previous one, if that makes the costs of neighbouring slots more equal. Between two of its runs, a task moves at
//! most once, and only to a neighbouring slot. A task that has moved to a later slot runs as soon as it is one slot
//! late. So the time between two runs differs from the interval by at most one slot and one frame.
//!
//! Time is counted in units of one nanosecond divided by the number of slots, so no fraction is lost. An update never
//! has to catch up on more than one run per task.
//!
//! # When to use it
//!
//! Use it if tasks repeat at a steady rate and their costs differ much. If all tasks cost about the same, use
//! [`FixedInterval`](super::FixedInterval): there each interval is exact to a frame, and the clock is never read.
//!
//! # Cost
//!
//! Each update runs `tasks × delta / interval` tasks on average, and reads the clock once per run. If runs take less
//! than a microsecond on average, the clock is read only once per batch of 32 runs, and all runs of a batch are assumed
//! to cost the same. A birth compares the costs of all slots.
//!
//! # If an update is stopped
//!
//! The next update continues with the task that did not run, and catches up on the time that has passed, but on no more
//! than one run per task.
//!
//! # Source
//!
//! The scheduler of gdx-ai, "Artificial Intelligence Framework for games based on libGDX", chooses the phase of a new
//! task by a dry run of all schedules, which takes O(dry run × tasks). Here, the slots keep the sums of their costs.

use super::{Guarantee, Strategy};
use crate::scheduler::{Estimates, TaskId, UpdateContext, saved_as, saved_fields};
use crate::time::{ClockTime, Nanos};
use std::collections::VecDeque;
use std::time::Duration;

/// A strategy that runs every task once per interval, and divides the interval into slots of equal cost. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::BalancedSlots;
/// let strategy = BalancedSlots::new(Duration::from_millis(500), 60);
/// ```
#[derive(Clone, Debug)]
pub struct BalancedSlots {
    interval: Nanos,
    slots: Vec<Slot>,
    /// The slot and the last run of each task, indexed by [`TaskId::index`].
    members: Vec<Member>,
    insertions: u32,
    estimates: Estimates,
    /// The cost in nanoseconds that is assumed for a task without an estimate. It is at least one, so that tasks are
    /// spread over the slots even if they cost nothing.
    mean: u64,
    /// The index of the slot that is running or that runs next.
    current: usize,
    /// The time that has passed in the current slot. The unit is a nanosecond divided by the number of slots, so that
    /// the length of a slot is a whole number.
    passed: u128,
    /// The time by which the slots are behind because an update was stopped, in the unit of `passed`. The next update
    /// catches up on this time.
    owed: u128,
    /// The progress of the current slot, or `None` if none of its tasks has run yet.
    round: Option<Round>,
    /// The number of runs between two readings of the clock.
    batch: usize,
    updates: u32,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    /// The tasks in the order of their turns, including some that have died. While the slot is running, the tasks that
    /// have not run yet come first.
    turns: VecDeque<TaskId>,
    /// The total estimated cost of the slot's tasks, in nanoseconds. Tasks without an estimate are not included.
    load: u64,
    members: usize,
    /// The number of tasks in the slot that have an estimated cost.
    estimated: usize,
}

impl Slot {
    fn join(&mut self, load: u64) {
        self.load += load;
        self.members += 1;
        self.estimated += usize::from(load > 0);
    }

    fn leave(&mut self, load: u64) {
        self.load -= load;
        self.members -= 1;
        self.estimated -= usize::from(load > 0);
    }
}

/// The data about a task.
#[derive(Clone, Copy, Debug, Default)]
struct Member {
    generation: u32,
    /// The number of the update in which the task last ran, counted from 1, or 0 if it has not run yet.
    ran_in: u32,
    /// The slot that contains the task, or [`NONE`] if this entry is unused.
    slot: u16,
    /// Whether the task has run in this slot. Until then, it must not move on to another slot.
    has_run: bool,
    /// Whether the task has been moved here from the next slot and has not run since. Its turn now comes one slot
    /// earlier, which could be too soon after its last run.
    is_early: bool,
}

impl Member {
    /// Returns true if this value belongs to `task`, and not to an earlier or later task with the same index.
    fn is(&self, task: TaskId) -> bool {
        self.slot != NONE && self.generation == task.generation
    }
}

/// Returns the estimated cost of a task in nanoseconds, or `unknown` if there is no estimate. If the estimate is zero,
/// this returns 1, because a load of zero means that there is no estimate.
fn load_or(estimates: &Estimates, task: TaskId, unknown: u64) -> u64 {
    let known = estimates.known(task);
    known.map_or(unknown, |cost| cost.as_nanos().max(1))
}

/// The progress of the slot that is running.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// The number of tasks that have not run yet. These are the first tasks in the slot.
    waiting: usize,
    /// The estimated cost of all tasks in the slot when its first task ran.
    total: u64,
    /// The estimated cost of the tasks that have already run in this slot.
    done: u64,
    /// The value of [`BalancedSlots::mean`] when the slot's first task ran.
    mean: u64,
}

const NONE: u16 = u16::MAX;

const NO_MEMBER: Member = Member {
    generation: 0,
    ran_in: 0,
    slot: NONE,
    has_run: false,
    is_early: false,
};

/// The maximum number of slots.
const MOST_SLOTS: usize = NONE as usize;

/// The maximum number of runs between two readings of the clock.
const LARGEST_BATCH: usize = 32;
/// If runs take less than this time on average, the clock is not read after each run, because a reading takes about 30
/// ns.
const CHEAP: Nanos = Nanos::from_micros(1);
/// The fractional part of the golden ratio, multiplied by 2^32.
const GOLDEN_RATIO: u32 = 0x9E37_79B9;
/// The minimum number of slots for [`BalancedSlots::level`], which needs four different slots: two neighbouring slots,
/// the slot before them and the slot after them.
const FEWEST_SLOTS_TO_LEVEL: usize = 4;
/// The maximum number of tasks that move to a neighbouring slot after a slot has run.
const MOST_MOVES: usize = 4;
/// The maximum number of tasks that are considered for a move to a neighbouring slot. Without a limit, the search for
/// the best task would take a long time in large slots.
const CANDIDATES: usize = 64;
/// Tasks move between two slots only if the slots' costs are unequal enough: `excess` in [`BalancedSlots::level`] must
/// be greater than the sum of the two costs divided by this number.
const LEVEL: i128 = 64;

impl BalancedSlots {
    /// Creates a strategy that runs every task once per `interval` and divides the interval into `slots` slots. The
    /// number of slots is limited to the range from 1 to 65,535. With an interval of zero, every task runs in every
    /// update.
    pub fn new(interval: Duration, slots: usize) -> Self {
        Self {
            interval: interval.into(),
            slots: vec![Slot::default(); slots.clamp(1, MOST_SLOTS)],
            members: Vec::new(),
            insertions: 0,
            estimates: Estimates::default(),
            mean: 1,
            current: 0,
            passed: 0,
            owed: 0,
            round: None,
            batch: 1,
            updates: 0,
        }
    }

    /// Returns the interval.
    pub fn interval(&self) -> Duration {
        self.interval.into()
    }

    /// Returns the number of slots.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Changes the interval. The slots keep their tasks. The time that has passed in the current slot is scaled to the
    /// new interval, and so is the time by which the slots are behind. Without this, the change could make many tasks
    /// due at once.
    pub fn set_interval(&mut self, interval: Duration) {
        let interval = Nanos::from(interval);
        if interval == self.interval {
            return;
        }
        let old = self.slot_length();
        self.interval = interval;
        let new = self.slot_length();
        self.passed = self.passed * new / old;
        self.owed = self.owed * new / old;
        if self.passed == 0 {
            self.round = None;
        }
    }

    /// Changes the number of slots, and distributes the tasks among the new slots so that all slots have about the same
    /// estimated cost. The task whose turn is next comes first, and the other tasks follow in their previous order. As
    /// a result, the change does not make many tasks due at once.
    pub fn set_slots(&mut self, slots: usize) {
        let (before, after) = (self.slots.len(), slots.clamp(1, MOST_SLOTS));
        if before == after {
            return;
        }
        self.slots.rotate_left(self.current);
        let former = std::mem::replace(&mut self.slots, vec![Slot::default(); after]);
        let mut turns: Vec<VecDeque<TaskId>> = former.into_iter().map(|it| it.turns).collect();
        if let Some(round) = self.round.take() {
            let ran = turns[0].split_off(round.waiting);
            turns.push(ran);
        }
        let mut tasks: Vec<TaskId> = turns.into_iter().flatten().collect();
        tasks.retain(|&task| self.members[task.index as usize].is(task));
        let load = |&task: &TaskId| u128::from(load_or(&self.estimates, task, self.mean));
        let loads: Vec<u128> = tasks.iter().map(load).collect();
        let (total, mut ahead) = (loads.iter().sum::<u128>(), 0);
        for (task, load) in tasks.into_iter().zip(loads) {
            let middle = 2 * ahead + load;
            self.join(task, (middle * after as u128 / (2 * total)) as usize);
            ahead += load;
        }
        self.current = 0;
        self.passed = 0;
        self.owed = self.owed * after as u128 / before as u128;
    }

    /// Returns the length of a slot in the unit of `passed`.
    fn slot_length(&self) -> u128 {
        // With n slots, a slot is 1/n of the interval, and the unit is 1/n ns. So n cancels out.
        u128::from(self.interval.as_nanos().max(1))
    }

    /// Returns the length of a slot, rounded up to a whole nanosecond.
    fn slot_time(&self) -> Nanos {
        let slots = self.slots.len() as u64;
        Nanos::from_nanos(self.interval.as_nanos().div_ceil(slots))
    }

    /// Returns the estimated cost of all tasks in a slot, in nanoseconds.
    fn load(&self, slot: usize) -> u64 {
        let slot = &self.slots[slot];
        slot.load + (slot.members - slot.estimated) as u64 * self.mean
    }

    /// Adds a task at the end of a slot. The task must not be in another slot.
    fn join(&mut self, task: TaskId, slot: usize) {
        let member = &mut self.members[task.index as usize];
        member.slot = slot as u16;
        self.slots[slot].join(load_or(&self.estimates, task, 0));
        self.slots[slot].turns.push_back(task);
    }

    /// Runs the tasks of the current slot that are due before the time `until`. This time counts from the slot's start,
    /// in the unit of `passed`.
    fn run_slot(
        &mut self,
        context: &mut UpdateContext<'_>,
        until: u128,
        clock: &mut Option<ClockTime>,
    ) {
        let current = self.current;
        let mut round = self.round.take().unwrap_or_else(|| Round {
            waiting: self.slots[current].turns.len(),
            total: self.load(current),
            done: 0,
            mean: self.mean,
        });
        while round.waiting > 0 && !context.is_stopped() {
            let mut batch = [TaskId::NONE; LARGEST_BATCH];
            let count = self.fill(&mut batch, &mut round, context, until);
            if count == 0 {
                break;
            }
            let before = clock.unwrap_or_else(|| context.clock());
            let ran = context.run(&batch[..count]);
            let after = context.clock();
            *clock = Some(after);
            let spent = after.saturating_since(before).as_nanos();
            let cost = spent.checked_div(ran.runs as u64);
            self.took_turns(&mut round, ran.taken, cost.map(Nanos::from_nanos));
        }
        self.round = Some(round);
    }

    /// Fills `batch` with the next tasks that are due before `until`, and returns their number.
    fn fill(
        &mut self,
        batch: &mut [TaskId],
        round: &mut Round,
        context: &UpdateContext<'_>,
        until: u128,
    ) -> usize {
        let length = self.slot_length();
        let slot = self.slot_time();
        let (late, early) = (self.interval + slot, self.interval.saturating_sub(slot));
        let passed = 2 * until * u128::from(round.total);
        let (mut count, mut done) = (0, round.done);
        let turns = &mut self.slots[self.current].turns;
        while count < self.batch && count < round.waiting {
            let task = turns[count];
            let Some(member) = known(&mut self.members, task) else {
                turns.remove(count); // near the front, so few turns move
                round.waiting -= 1;
                continue;
            };
            // No task may run twice in an update, so stop at a task that has already run in this one.
            if member.ran_in == self.updates {
                break;
            }
            let load = load_or(&self.estimates, task, round.mean);
            // Run a task as soon as half of its cost is due, so that updates run their exact share on average.
            let is_due = u128::from(2 * done + load) * length <= passed;
            let is_early = member.is_early && context.age(task) < early;
            // The age of a dead task is `Nanos::MAX`, so a dead task never ends the batch. `run` skips it later.
            if until < length && (!is_due || is_early) && context.age(task) < late {
                break;
            }
            batch[count] = task;
            done += load;
            count += 1;
        }
        count
    }

    /// Records that the first `count` tasks of the current slot have run, and updates their estimates. `cost` is the
    /// mean cost of these runs, or `None` if all of these tasks were dead.
    fn took_turns(&mut self, round: &mut Round, count: usize, cost: Option<Nanos>) {
        let slot = &mut self.slots[self.current];
        for &task in slot.turns.range(..count) {
            let Some(member) = known(&mut self.members, task) else {
                continue;
            };
            let load = load_or(&self.estimates, task, 0);
            round.done += if load > 0 { load } else { round.mean };
            member.ran_in = self.updates;
            member.has_run = true;
            member.is_early = false;
            // Do not use the mean of a batch as a task's first estimate, because the task may cost much more or less.
            if let Some(cost) = cost
                && (count == 1 || load > 0)
            {
                self.estimates.learn(task, cost);
                slot.load = slot.load + load_or(&self.estimates, task, 0) - load;
                slot.estimated += usize::from(load == 0);
            }
        }
        slot.turns.rotate_left(count);
        round.waiting -= count;
        if let Some(cost) = cost {
            self.mean = self.estimates.mean().as_nanos().max(1);
            self.batch = if cost < CHEAP {
                (self.batch * 2).min(LARGEST_BATCH)
            } else {
                1
            };
        }
    }

    /// Moves tasks between the current slot and the previous slot, after both have run, so that neighbouring slots have
    /// similar costs. Does nothing if there are fewer than four slots.
    fn level(&mut self) {
        let (count, later) = (self.slots.len(), self.current);
        if count < FEWEST_SLOTS_TO_LEVEL {
            return;
        }
        let [before, earlier, after] = [count - 2, count - 1, 1].map(|it| (later + it) % count);
        let load = |slot: usize| i128::from(self.load(slot));
        let sum = load(earlier) + load(later);
        let excess = 2 * (load(earlier) - load(later)) + load(before) - load(after);
        let (from, to) = if excess > 0 {
            (earlier, later)
        } else {
            (later, earlier)
        };
        let mut excess = excess.abs();
        if excess * LEVEL <= sum {
            return;
        }
        // Only consider tasks next to the border between the slots, because a move changes their run times the least.
        let mut turns = std::mem::take(&mut self.slots[from].turns);
        let first = if from == earlier {
            turns.len().saturating_sub(CANDIDATES)
        } else {
            0
        };
        let mut moved = Vec::new();
        while moved.len() < MOST_MOVES && excess * LEVEL > sum {
            let mut best = (0, None);
            for (at, &task) in turns.iter().enumerate().skip(first).take(CANDIDATES) {
                if let Some(member) = known(&mut self.members, task) {
                    let load = i128::from(load_or(&self.estimates, task, self.mean));
                    let gain = load * (excess - 2 * load);
                    if member.has_run && gain > best.0 {
                        best = (gain, Some((at, load)));
                    }
                }
            }
            let Some((at, load)) = best.1 else {
                break;
            };
            let member = &mut self.members[turns[at].index as usize];
            member.has_run = false;
            member.is_early = to == earlier;
            moved.push(at);
            excess -= 4 * load;
        }
        // The moved tasks keep their order, next to the border between the slots.
        moved.sort_unstable();
        let mut moved: Vec<TaskId> = moved
            .iter()
            .rev()
            .filter_map(|&at| turns.remove(at))
            .collect();
        self.slots[from].turns = turns;
        if to == earlier {
            moved.reverse();
        }
        for task in moved {
            let member = &mut self.members[task.index as usize];
            member.slot = to as u16;
            let load = load_or(&self.estimates, task, 0);
            self.slots[from].leave(load);
            self.slots[to].join(load);
            if to == earlier {
                self.slots[to].turns.push_back(task);
            } else {
                self.slots[to].turns.push_front(task);
            }
        }
    }
}

/// Returns the data about `task`, or `None` if the task has been removed.
fn known(members: &mut [Member], task: TaskId) -> Option<&mut Member> {
    let member = members.get_mut(task.index as usize);
    member.filter(|member| member.is(task))
}

impl Strategy for BalancedSlots {
    fn insert(&mut self, task: TaskId) {
        let member = task.entry_in(&mut self.members, NO_MEMBER);
        if member.slot != NONE {
            return;
        }
        *member = Member {
            generation: task.generation,
            ..NO_MEMBER
        };
        // If slots cost the same, a multiple of the golden ratio selects one, so that even a few tasks are spread out.
        self.insertions = self.insertions.wrapping_add(1);
        let count = self.slots.len();
        let scaled = count as u64 * u64::from(self.insertions.wrapping_mul(GOLDEN_RATIO));
        let first = (scaled >> 32) as usize;
        let least = (first..count)
            .chain(0..first)
            .min_by_key(|&slot| self.load(slot));
        self.join(task, least.unwrap_or(0));
    }

    /// Removes a task. Its id remains in the slot's list and is skipped later.
    fn remove(&mut self, task: TaskId) {
        if let Some(member) = known(&mut self.members, task) {
            self.slots[member.slot as usize].leave(load_or(&self.estimates, task, 0));
            self.estimates.forget(task);
            *member = NO_MEMBER;
        }
        if self.slots.iter().all(|slot| slot.members == 0) {
            // Forget all turns, because the same tasks may be inserted again later if another strategy takes over for
            // a while.
            for slot in &mut self.slots {
                slot.turns.clear();
            }
            if let Some(round) = &mut self.round {
                round.waiting = 0;
            }
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        self.updates = self.updates.wrapping_add(1).max(1);
        let slots = self.slots.len();
        let length = self.slot_length();
        let round = length * slots as u128;
        let passed = if self.interval.is_zero() {
            round
        } else {
            u128::from(context.delta().min(self.interval).as_nanos()) * slots as u128
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
                self.round = None;
                if levels {
                    self.level();
                }
                self.passed = 0;
                self.current = (self.current + 1) % slots;
            }
        }
    }

    fn backlog(&self) -> usize {
        if self.owed == 0 {
            return 0;
        }
        let waiting = match &self.round {
            Some(round) => {
                let waiting = self.slots[self.current].turns.range(..round.waiting);
                let is_living = |task: &TaskId| self.members[task.index as usize].is(*task);
                waiting.copied().filter(is_living).count()
            }
            None => self.slots[self.current].members,
        };
        let due = (self.passed + self.owed) / self.slot_length();
        let others = (1..due as usize).map(|nth| (self.current + nth) % self.slots.len());
        let others: usize = others.map(|slot| self.slots[slot].members).sum();
        waiting + others
    }

    saved_as!(
        "balanced-slots",
        |own| (own.interval(), own.slots()),
        |(interval, slots)| {
            own.set_interval(interval);
            own.set_slots(slots);
        }
    );

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.interval + self.slot_time())
    }
}

saved_fields! {
    BalancedSlots {
        interval, slots, members, insertions, estimates, mean, current, passed, owed, round, batch, updates
    }
    Slot { turns, load, members, estimated }
    Member { generation, ran_in, slot, has_run, is_early }
    Round { waiting, total, done, mean }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::{TestWorld, log_normal_costs};
    use std::collections::BTreeSet;

    const INTERVAL: Nanos = Nanos::from_millis(500);
    const COST: Nanos = Nanos::from_micros(50);

    /// Runs 2,000 tasks for 20 s with 20 births and deaths per second. Returns the task time of each update after the
    /// first second, and the smallest and largest time between two runs of a task.
    fn busy_game(hertz: u64, slots: usize) -> (Vec<Nanos>, Nanos, Nanos) {
        let mut world = TestWorld::new(BalancedSlots::new(INTERVAL.into(), slots), 2000);
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
                // Skip a task's first run, because its elapsed time counts from the birth and not from another run.
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
    fn a_newborn_joins_the_slot_with_the_least_cost() {
        let mut world = TestWorld::new(BalancedSlots::new(INTERVAL.into(), 2), 2);
        let half = Nanos::from_millis(250);
        world.costs = [100, 900].map(Nanos::from_micros).to_vec();
        (0..2).for_each(|_| drop(world.update(half)));
        for _ in 0..3 {
            world.birth(); // the estimate is the mean, 500 µs
        }
        let runs = [(); 2].map(|()| world.update(half));
        assert_eq!(runs, [vec![1, 4], vec![0, 2, 3]]);
    }

    impl TestWorld<BalancedSlots> {
        /// Returns the order of turns in the next round.
        fn clone_order(&self) -> Vec<u32> {
            let mut copy = TestWorld::new(self.strategy.clone(), 0);
            copy.tasks = self.tasks.clone();
            copy.now = self.now;
            copy.update(INTERVAL)
        }
    }

    #[test]
    fn another_number_of_slots_loses_no_task_and_keeps_updates_level() {
        let frame = Nanos::from_nanos(16_666_667);
        let mut world = TestWorld::new(BalancedSlots::new(INTERVAL.into(), 60), 500);
        world.costs = log_normal_costs(500, COST, 1.5);
        world.runs_in(600, frame);
        let mean = world.costs.iter().copied().sum::<Nanos>().as_secs_f64() / 30.0;
        for slots in [40, 50, 60, 90, 600, 60] {
            let order = world.clone_order();
            world.strategy.set_slots(slots);
            assert_eq!(world.clone_order(), order, "{slots}");
            assert_eq!(order.len(), 500);
            let most = (0..30).map(|_| world.time_of_update(frame)).max();
            let most = most.unwrap_or_default().as_secs_f64() / mean;
            assert!(most < 1.5, "{most} at {slots}");
            world.runs_in(300, frame);
        }
    }

    #[test]
    fn another_interval_starts_no_burst() {
        let mut world = TestWorld::new(BalancedSlots::new(Duration::from_secs(10), 60), 200);
        world.update(Nanos::from_millis(9_999));
        world.strategy.set_interval(Duration::from_secs(1));
        let ran = world.update(Nanos::from_millis(10)).len();
        assert!((1..=4).contains(&ran), "{ran}");
    }
}
