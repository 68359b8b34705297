//! A ring of tasks that take turns.

use super::{TaskId, TurnOrder};

/// A round-robin ring: the turn cycles through the tasks in insertion order.
///
/// Inserting, removing and taking a turn take constant time and keep the order of all other tasks. Even when tasks are
/// removed, the cursor skips no task and visits no task twice in a round. By comparison, a plain list skips a turn at
/// each removal, so intervals of 500 ms become 467 to 1467 ms. If the list moves its last task into the gap instead,
/// they become 50 to 933 ms.
///
/// A new task takes the place of the last removed task. If another new task has already taken that place, the new task
/// goes to the end. So if each death is followed by a birth, every task keeps its rhythm.
///
/// The tasks are stored in a linked list of short blocks, so turns are returned as slices. An insertion or removal moves
/// only the later tasks of one block, except when an insertion splits a full block.
///
/// ```
/// use timeslicer::scheduler::{Ring, Tasks, TurnOrder};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut ring = Ring::new();
/// for task in [a, b, c] {
///     ring.insert(task);
/// }
/// assert_eq!(ring.next_turns(2), [a, b]);
/// ring.take_turns(2);
/// ring.remove(a); // skips no turn
/// assert_eq!(ring.next_turns(2), [c]); // a slice ends at the end of the round
/// ring.take_turns(1);
/// assert_eq!(ring.next_turns(2), [b, c]);
/// ```
#[derive(Clone, Debug)]
pub struct Ring {
    blocks: Vec<Block>,
    /// Indices of unused blocks.
    free: Vec<u32>,
    first: u32,
    last: u32,
    /// Block of each task, by task index; [`NONE`] if the task is not in the ring.
    block_of: Vec<u32>,
    len: usize,
    /// Place of the next task in turn; meaningless if the ring is empty.
    cursor: Place,
    gap: Option<Gap>,
}

/// A block index that means "no block".
const NONE: u32 = u32::MAX;
/// Maximum number of tasks per block. It is high enough to make links rare, and low enough to move a block's tasks
/// quickly. In tests it is low so that a few tasks fill several blocks.
const BLOCK: usize = if cfg!(test) { 4 } else { 32 };
const HALF: usize = BLOCK / 2;

#[derive(Clone, Debug)]
struct Block {
    tasks: [TaskId; BLOCK],
    len: usize,
    previous: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    block: u32,
    at: usize,
}

/// The place of the last removed task, until the next insertion or removal.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Place to insert a new task. The task after the removed one is now there, unless the place is just past the end
    /// of its block.
    place: Place,
    /// True if the removed task was next in turn and no turn has been taken since.
    next_in_turn: bool,
}

impl Default for Ring {
    fn default() -> Self {
        Self::new()
    }
}

/// A slice of turns ends with its block or with the round.
impl TurnOrder for Ring {
    fn next_turns(&self, count: usize) -> &[TaskId] {
        let Place { block, at } = self.cursor;
        let block = self.blocks.get(block as usize); // there is none in an empty ring
        block.map_or(&[], |block| {
            &block.tasks[at..block.len.min(at.saturating_add(count))]
        })
    }

    fn take_turns(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        if let Some(gap) = &mut self.gap {
            gap.next_in_turn = false;
        }
        self.cursor.at += count;
        self.cursor = self.at_a_task(self.cursor);
    }
}

impl Ring {
    /// Creates an empty ring.
    #[must_use]
    pub fn new() -> Self {
        Self {
            blocks: Vec::new(),
            free: Vec::new(),
            first: NONE,
            last: NONE,
            block_of: Vec::new(),
            len: 0,
            cursor: Place { block: NONE, at: 0 },
            gap: None,
        }
    }

    /// Returns the number of tasks in the ring.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the ring is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns true if `task` is in the ring.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.place(task).is_some()
    }

    /// Adds `task`. Does nothing if a task with the same index is already in the ring.
    pub fn insert(&mut self, task: TaskId) {
        if *task.entry_in(&mut self.block_of, NONE) != NONE {
            return;
        }
        let gap = self.gap.take();
        let place = match gap {
            Some(gap) => self.make_room(gap.place),
            None => self.room_at_the_end(),
        };
        let block = &mut self.blocks[place.block as usize];
        block.tasks.copy_within(place.at..block.len, place.at + 1);
        block.tasks[place.at] = task;
        block.len += 1;
        self.block_of[task.index as usize] = place.block;
        self.len += 1;
        if self.len == 1 || gap.is_some_and(|gap| gap.next_in_turn) {
            self.cursor = place;
        } else if self.cursor.block == place.block && self.cursor.at >= place.at {
            self.cursor.at += 1;
        }
    }

    /// Removes `task`. Does nothing if it is not in the ring.
    pub fn remove(&mut self, task: TaskId) {
        let Some(place) = self.place(task) else {
            return;
        };
        let next_in_turn = self.cursor == place;
        let block = &mut self.blocks[place.block as usize];
        block.tasks.copy_within(place.at + 1..block.len, place.at);
        block.len -= 1;
        self.block_of[task.index as usize] = NONE;
        self.len -= 1;
        if self.len == 0 {
            *self = Self {
                block_of: std::mem::take(&mut self.block_of),
                ..Self::new()
            };
            return;
        }
        if self.cursor.block == place.block && self.cursor.at > place.at {
            self.cursor.at -= 1;
        }
        self.cursor = self.at_a_task(self.cursor);
        let left_empty = self.blocks[place.block as usize].len == 0;
        self.gap = Some(Gap {
            place: if left_empty {
                self.at_a_task(place)
            } else {
                place
            },
            next_in_turn,
        });
        if left_empty {
            self.unlink(place.block);
        }
    }

    fn place(&self, task: TaskId) -> Option<Place> {
        let block = *self.block_of.get(task.index as usize)?;
        let Block { tasks, len, .. } = self.blocks.get(block as usize)?;
        let at = tasks[..*len].iter().position(|&other| other == task)?;
        Some(Place { block, at })
    }

    /// Returns `place`, or the place of the next task in turn if `place` is past the end of its block.
    fn at_a_task(&self, place: Place) -> Place {
        let block = &self.blocks[place.block as usize];
        if place.at < block.len {
            return place;
        }
        let at_the_end = block.next == NONE;
        Place {
            block: if at_the_end { self.first } else { block.next },
            at: 0,
        }
    }

    /// Makes room for a task in the block of `place`. If the block is full, splits it. Returns the same place after the
    /// split.
    fn make_room(&mut self, place: Place) -> Place {
        let Place { block, at } = place;
        if self.blocks[block as usize].len < BLOCK {
            return place;
        }
        // The block is full, so its second half moves to a new block.
        let moved_to = self.link_behind(block);
        let (tasks, len) = (self.blocks[block as usize].tasks, BLOCK - HALF);
        self.blocks[block as usize].len = HALF;
        let new = &mut self.blocks[moved_to as usize];
        new.tasks[..len].copy_from_slice(&tasks[HALF..]);
        new.len = len;
        for task in &tasks[HALF..] {
            self.block_of[task.index as usize] = moved_to;
        }
        let after_split = |place: Place| {
            if place.block == block && place.at >= HALF {
                Place {
                    block: moved_to,
                    at: place.at - HALF,
                }
            } else {
                place
            }
        };
        self.cursor = after_split(self.cursor);
        after_split(Place { block, at })
    }

    /// Makes room for a task after all others. Returns the free place.
    fn room_at_the_end(&mut self) -> Place {
        let full = |block: &Block| block.len == BLOCK;
        if self.last == NONE || full(&self.blocks[self.last as usize]) {
            self.link_behind(self.last);
        }
        Place {
            block: self.last,
            at: self.blocks[self.last as usize].len,
        }
    }

    /// Links an empty block after `previous`, or as the first block if `previous` is [`NONE`]. Returns the index of the
    /// new block.
    fn link_behind(&mut self, previous: u32) -> u32 {
        let next = match self.blocks.get(previous as usize) {
            Some(block) => block.next,
            None => self.first,
        };
        let empty = Block {
            tasks: [TaskId::NONE; BLOCK],
            len: 0,
            previous,
            next,
        };
        let new = if let Some(free) = self.free.pop() {
            self.blocks[free as usize] = empty;
            free
        } else {
            self.blocks.push(empty);
            self.blocks.len() as u32 - 1
        };
        *self.link_from(previous) = new;
        *self.link_back_from(next) = new;
        new
    }

    fn unlink(&mut self, block: u32) {
        let Block { previous, next, .. } = self.blocks[block as usize];
        *self.link_from(previous) = next;
        *self.link_back_from(next) = previous;
        self.free.push(block);
    }

    /// Returns the link to the block after `block`, or to the first block if `block` is [`NONE`].
    fn link_from(&mut self, block: u32) -> &mut u32 {
        match self.blocks.get_mut(block as usize) {
            Some(block) => &mut block.next,
            None => &mut self.first,
        }
    }

    /// Returns the link to the block before `block`, or to the last block if `block` is [`NONE`].
    fn link_back_from(&mut self, block: u32) -> &mut u32 {
        match self.blocks.get_mut(block as usize) {
            Some(block) => &mut block.previous,
            None => &mut self.last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ring_of(count: u32) -> Ring {
        let mut ring = Ring::new();
        (0..count).for_each(|index| ring.insert(TaskId::of(index)));
        ring
    }

    fn slice(ring: &mut Ring, count: usize) -> Vec<u32> {
        let slice: Vec<TaskId> = ring.next_turns(count).into();
        ring.take_turns(slice.len());
        slice.iter().map(|task| task.index).collect()
    }

    fn take(ring: &mut Ring, count: usize) -> Vec<u32> {
        (0..count).flat_map(|_| slice(ring, 1)).collect()
    }

    #[test]
    fn turns_cycle_in_insertion_order() {
        assert_eq!(take(&mut ring_of(3), 7), [0, 1, 2, 0, 1, 2, 0]);
        assert!(take(&mut Ring::new(), 2).is_empty());
    }

    #[test]
    fn slices_end_with_the_block_and_the_round() {
        let mut ring = ring_of(7); // in blocks of 4
        let mut lens = |count| slice(&mut ring, count).len();
        assert_eq!([2, 9, 0, 9, 1].map(&mut lens), [2, 2, 0, 3, 1]);
    }

    #[test]
    fn removal_behind_the_cursor_skips_no_turn() {
        let mut ring = ring_of(5);
        assert_eq!(take(&mut ring, 3), [0, 1, 2]);
        ring.remove(TaskId::of(1));
        assert_eq!(take(&mut ring, 5), [3, 4, 0, 2, 3]);
    }

    #[test]
    fn the_turn_of_a_removed_task_passes_to_the_next() {
        let mut ring = ring_of(5);
        assert_eq!(take(&mut ring, 2), [0, 1]);
        ring.remove(TaskId::of(2));
        assert_eq!(take(&mut ring, 4), [3, 4, 0, 1]);
    }

    #[test]
    fn a_newcomer_takes_the_place_of_the_last_removed_task() {
        let mut ring = ring_of(4);
        assert_eq!(take(&mut ring, 3), [0, 1, 2]);
        ring.remove(TaskId::of(1));
        ring.insert(TaskId::of(9));
        ring.insert(TaskId::of(10)); // the place is taken, so this one goes to the end, after 3
        assert_eq!(take(&mut ring, 6), [3, 10, 0, 9, 2, 3]);
    }

    #[test]
    fn a_newcomer_inherits_the_turn_with_the_place() {
        let mut ring = ring_of(3);
        take(&mut ring, 1);
        ring.remove(TaskId::of(1));
        ring.insert(TaskId::of(9));
        assert_eq!(take(&mut ring, 3), [9, 2, 0]);

        ring.remove(TaskId::of(9));
        take(&mut ring, 1); // the cursor moves past the place
        ring.insert(TaskId::of(8));
        assert_eq!(take(&mut ring, 3), [0, 8, 2]);
    }

    #[test]
    fn an_emptied_ring_works_again() {
        let mut ring = ring_of(1);
        ring.remove(TaskId::of(0));
        assert!(ring.next_turns(1).is_empty());
        ring.insert(TaskId::of(5));
        assert_eq!(take(&mut ring, 2), [5, 5]);
    }

    #[test]
    fn unknown_and_duplicate_tasks_change_nothing() {
        let mut ring = ring_of(3);
        ring.remove(TaskId::of(7));
        ring.remove(TaskId {
            index: 1,
            generation: 1,
        });
        ring.insert(TaskId::of(1));
        assert_eq!(ring.len(), 3);
        assert_eq!(take(&mut ring, 3), [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn a_round_visits_every_member_once(
            steps in prop::collection::vec((0u8..3, 0u32..20), 1..200)
        ) {
            let mut ring = ring_of(10);
            let mut members: Vec<u32> = (0..10).collect();
            for (step, index) in steps {
                match step {
                    0 => { ring.insert(TaskId::of(index)); if !members.contains(&index) { members.push(index); } }
                    1 => { ring.remove(TaskId::of(index)); members.retain(|&member| member != index); }
                    _ => { slice(&mut ring, index as usize); }
                }
                prop_assert_eq!(ring.len(), members.len());
                // A round from here visits each member exactly once; the next round has the same order.
                let mut ahead = ring.clone();
                let round = take(&mut ahead, members.len());
                let mut sorted = round.clone();
                sorted.sort_unstable();
                let mut expected = members.clone();
                expected.sort_unstable();
                prop_assert_eq!(sorted, expected);
                prop_assert_eq!(take(&mut ahead, members.len()), round);
            }
        }

        #[test]
        fn births_and_deaths_do_not_reorder_other_turns(
            turns in 0usize..30, removed in 0u32..10, born in prop::bool::ANY
        ) {
            let mut ring = ring_of(10);
            take(&mut ring, turns);
            let before: Vec<u32> = take(&mut ring.clone(), 10).into_iter().filter(|&i| i != removed).collect();
            ring.remove(TaskId::of(removed));
            if born { ring.insert(TaskId::of(99)); }
            let len = ring.len();
            let after: Vec<u32> = take(&mut ring, len).into_iter().filter(|&i| i != 99).collect();
            prop_assert_eq!(after, before);
        }
    }
}
