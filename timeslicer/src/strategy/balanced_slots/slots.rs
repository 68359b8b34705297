//! The slots and their members, with the estimated cost of each slot.

use crate::scheduler::TaskId;
use std::collections::VecDeque;

/// Slots, and the slot of each task.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    pub(super) all: Vec<Slot>,
    /// By task index.
    members: Vec<Member>,
    insertions: u32,
    /// Load of a member without an estimate. It is at least one, so that tasks without costs spread, too.
    pub(super) mean: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// Tasks in the order of their turns, among them some that have died. Those of the current slot that wait for
    /// their turn are in its [`Round`].
    pub(super) turns: VecDeque<Turn>,
    /// Estimated cost of the members with an estimate, in nanoseconds.
    load: u64,
    pub(super) members: usize,
    /// Number of members with an estimate.
    estimated: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) task: TaskId,
    /// Number of the insertion, so that a task that has left does not match its successor.
    insertion: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    generation: u32,
    insertion: u32,
    /// [`NONE`] if no task has this index.
    slot: u32,
    /// Estimated cost in nanoseconds; zero if there is no estimate.
    pub(super) load: u32,
    /// Number of the update in which the task last ran.
    pub(super) ran_in: u32,
    pub(super) arrival: Arrival,
}

/// How a task has come into its slot since its last run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It ran there.
    Ran,
    Born,
    FromLaterSlot,
    FromEarlierSlot,
}

const NONE: u32 = u32::MAX;

const NO_MEMBER: Member = Member {
    generation: 0,
    insertion: 0,
    slot: NONE,
    load: 0,
    ran_in: 0,
    arrival: Arrival::Born,
};

/// The golden ratio's fraction of 2^32.
const GOLDEN_RATIO: u32 = 0x9E37_79B9;
/// With fewer slots, a slot has the same neighbour on both sides.
const FEWEST_SLOTS_TO_LEVEL: usize = 4;
/// Maximum number of moves after a slot has run.
const MOST_MOVES: usize = 4;
/// Number of tasks that are candidates for a move. It limits the cost of leveling large slots.
const CANDIDATES: usize = 64;
/// Two slots are level if their loads differ by less than this part of their sum.
const LEVEL: i128 = 64;

impl Member {
    /// Returns the estimated cost in nanoseconds; `mean` if there is no estimate.
    pub(super) fn load_or(&self, mean: u64) -> u64 {
        match self.load {
            0 => mean,
            load => u64::from(load),
        }
    }
}

impl Slot {
    fn join(&mut self, load: u32) {
        self.load += u64::from(load);
        self.members += 1;
        self.estimated += usize::from(load > 0);
    }

    fn leave(&mut self, load: u32) {
        self.load -= u64::from(load);
        self.members -= 1;
        self.estimated -= usize::from(load > 0);
    }
}

impl Slots {
    /// Creates `count` slots without tasks.
    pub(super) fn new(count: usize) -> Self {
        Self {
            all: vec![Slot::default(); count],
            members: Vec::new(),
            insertions: 0,
            mean: 1,
        }
    }

    /// Adds a task without an estimate to a slot with the smallest load. Does nothing if a task has the
    /// same index.
    pub(super) fn insert(&mut self, task: TaskId) {
        let index = task.index as usize;
        if index >= self.members.len() {
            self.members.resize(index + 1, NO_MEMBER);
        }
        let member = &mut self.members[index];
        if member.slot != NONE {
            return;
        }
        self.insertions = self.insertions.wrapping_add(1);
        let insertion = self.insertions;
        *member = Member {
            generation: task.generation,
            insertion,
            slot: 0,
            ..NO_MEMBER
        };
        // Multiples of the golden ratio spread evenly, so a few tasks do not share one part of the interval.
        let count = self.all.len();
        let scaled = count as u64 * u64::from(insertion.wrapping_mul(GOLDEN_RATIO));
        let first = (scaled >> 32) as usize;
        let least = (first..count)
            .chain(0..first)
            .min_by_key(|&slot| self.load(slot));
        self.join(Turn { task, insertion }, least.unwrap_or(0));
    }

    /// Removes a task. Its turn remains, and is skipped. Returns false if the task is not a member.
    pub(super) fn remove(&mut self, task: TaskId) -> bool {
        let Some(member) = self.members.get_mut(task.index as usize) else {
            return false;
        };
        if member.slot == NONE || member.generation != task.generation {
            return false;
        }
        self.all[member.slot as usize].leave(member.load);
        *member = NO_MEMBER;
        true
    }

    /// Returns the member with this turn; `None` if it has left.
    pub(super) fn member(&mut self, turn: Turn) -> Option<&mut Member> {
        known(&mut self.members, turn)
    }

    /// Changes the estimate of a member, at least one nanosecond.
    pub(super) fn set_load(&mut self, task: TaskId, load: u32) {
        let member = &mut self.members[task.index as usize];
        let slot = &mut self.all[member.slot as usize];
        slot.leave(member.load);
        member.load = load;
        slot.join(load);
    }

    /// Returns the estimated cost of a slot's members, in nanoseconds.
    pub(super) fn load(&self, slot: usize) -> u64 {
        let slot = &self.all[slot];
        slot.load + (slot.members - slot.estimated) as u64 * self.mean
    }

    /// Replaces the slots by `count` empty ones. Returns the turns of each former slot. Call [`Slots::join`] for each.
    pub(super) fn take_all(&mut self, count: usize) -> Vec<VecDeque<Turn>> {
        let slots = std::mem::replace(&mut self.all, vec![Slot::default(); count]);
        slots.into_iter().map(|slot| slot.turns).collect()
    }

    /// Returns the number of turns whose tasks are members.
    pub(super) fn living(&self, turns: &VecDeque<Turn>) -> usize {
        let turns = turns.iter();
        turns
            .filter(|turn| is_member(&self.members[turn.task.index as usize], **turn))
            .count()
    }

    /// Moves a task that is in no slot's load to the end of `slot`.
    pub(super) fn join(&mut self, turn: Turn, to: usize) {
        if let Some(member) = known(&mut self.members, turn) {
            member.slot = to as u32;
            self.all[to].join(member.load);
            self.all[to].turns.push_back(turn);
        }
    }

    /// Moves tasks between `later` and the slot before it, which have both run, to level their loads and those of the
    /// pairs that they form with their other neighbours. Does nothing if there are fewer than four slots.
    pub(super) fn level(&mut self, later: usize) {
        let count = self.all.len();
        if count < FEWEST_SLOTS_TO_LEVEL {
            return;
        }
        let [before, earlier, after] = [count - 2, count - 1, 1].map(|it| (later + it) % count);
        let load = |slot: usize| i128::from(self.load(slot));
        let sum = load(earlier) + load(later);
        let mut excess = 2 * (load(earlier) - load(later)) + load(before) - load(after);
        let (from, to) = if excess > 0 {
            (earlier, later)
        } else {
            (later, earlier)
        };
        let arrival = if excess > 0 {
            Arrival::FromEarlierSlot
        } else {
            Arrival::FromLaterSlot
        };
        excess = excess.abs();

        // The tasks next to the border shift the least.
        let turns = &self.all[from].turns;
        let first = if from == earlier {
            turns.len().saturating_sub(CANDIDATES)
        } else {
            0
        };
        let mut moved = [0; MOST_MOVES];
        let mut count = 0;
        while count < MOST_MOVES && excess * LEVEL > sum {
            let mut best = (0, None);
            for (at, &turn) in turns.iter().enumerate().skip(first).take(CANDIDATES) {
                let Some(member) = known(&mut self.members, turn) else {
                    continue;
                };
                let load = i128::from(member.load_or(self.mean));
                let gain = load * (excess - 2 * load);
                if member.arrival == Arrival::Ran && gain > best.0 {
                    best = (gain, Some((at, load)));
                }
            }
            let Some((at, load)) = best.1 else {
                break;
            };
            if let Some(member) = known(&mut self.members, turns[at]) {
                member.arrival = arrival;
            }
            moved[count] = at;
            count += 1;
            excess -= 4 * load;
        }
        self.move_turns(&mut moved[..count], from, to, arrival);
    }

    /// Moves the turns at these positions to the neighbouring slot, next to the border between both. They keep their
    /// order.
    fn move_turns(&mut self, positions: &mut [usize], from: usize, to: usize, arrival: Arrival) {
        positions.sort_unstable();
        let mut back = [None; MOST_MOVES];
        for (nth, &at) in positions.iter().enumerate().rev() {
            let turn = self.all[from].turns.remove(at);
            let Some(turn) = turn else { continue };
            let Some(member) = known(&mut self.members, turn) else {
                continue;
            };
            member.slot = to as u32;
            self.all[from].leave(member.load);
            self.all[to].join(member.load);
            if arrival == Arrival::FromEarlierSlot {
                self.all[to].turns.push_front(turn);
            } else {
                back[nth] = Some(turn);
            }
        }
        self.all[to].turns.extend(back.into_iter().flatten());
    }
}

/// Returns the member with this turn; `None` if it has left.
fn known(members: &mut [Member], turn: Turn) -> Option<&mut Member> {
    let member = members.get_mut(turn.task.index as usize)?;
    is_member(member, turn).then_some(member)
}

fn is_member(member: &Member, turn: Turn) -> bool {
    member.slot != NONE && member.insertion == turn.insertion
}
