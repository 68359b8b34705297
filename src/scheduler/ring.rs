//! Tasks in a circle, taken in turn.

use super::TaskId;
use super::links::{Links, NONE};

/// A round-robin ring: [`Ring::advance`] goes round and round, in the order in which the tasks came.
///
/// Insert, remove and advance take constant time and keep the order of all others, and the cursor never
/// skips a task nor visits one twice in a round, whoever leaves. (A list that is shortened behind the
/// cursor's back skips a turn at each death: half a second then becomes anything from 467 to 1467 ms.
/// Swapping the last one into the gap gives 50 to 933 ms.)
///
/// A newcomer takes the place that the last one to leave has left, once; otherwise it goes to the end of
/// the order. So a crowd that dies and is born at the same rate keeps its rhythm: nobody's round grows or
/// shrinks.
#[derive(Clone, Debug)]
pub struct Ring {
    links: Links,
    first: u32,
    cursor: u32,
    gap: Option<Gap>,
}

/// The place that the last task to leave has left.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// The task behind it.
    before: u32,
    /// Whether it was its turn.
    next_in_turn: bool,
}

impl Default for Ring {
    fn default() -> Self {
        Self::new()
    }
}

impl Ring {
    /// An empty ring.
    #[must_use]
    pub fn new() -> Self {
        Self {
            links: Links::default(),
            first: NONE,
            cursor: NONE,
            gap: None,
        }
    }

    /// How many tasks it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it holds `task`.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.links.contains(task)
    }

    /// Adds a task. No change where it is in the ring already.
    pub fn insert(&mut self, task: TaskId) {
        let at = self.gap.map_or(self.first, |gap| gap.before);
        if !self.links.insert_before(at, task) {
            return;
        }
        if self.links.len() == 1 {
            self.first = task.index;
            self.cursor = task.index;
        } else if self.gap.is_some_and(|gap| gap.next_in_turn) {
            self.cursor = task.index;
        }
        self.gap = None;
    }

    /// Removes a task. No change where it is not in the ring.
    pub fn remove(&mut self, task: TaskId) {
        let Some(next) = self.links.unlink(task) else {
            return;
        };
        let next_in_turn = self.cursor == task.index;
        self.gap = (next != NONE).then_some(Gap {
            before: next,
            next_in_turn,
        });
        for place in [&mut self.first, &mut self.cursor] {
            if *place == task.index {
                *place = next;
            }
        }
    }

    /// The task whose turn it is; the turn passes to the one behind it.
    pub fn advance(&mut self) -> Option<TaskId> {
        if self.cursor == NONE {
            return None;
        }
        let task = self.links.task(self.cursor);
        self.cursor = self.links.next(self.cursor);
        if let Some(gap) = &mut self.gap {
            gap.next_in_turn = false;
        }
        Some(task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn task(index: u32) -> TaskId {
        TaskId {
            index,
            generation: 0,
        }
    }

    fn ring_of(count: u32) -> Ring {
        let mut ring = Ring::new();
        (0..count).for_each(|index| ring.insert(task(index)));
        ring
    }

    fn take(ring: &mut Ring, count: usize) -> Vec<u32> {
        (0..count)
            .filter_map(|_| ring.advance())
            .map(|task| task.index)
            .collect()
    }

    #[test]
    fn it_goes_round_in_the_order_of_insertion() {
        assert_eq!(take(&mut ring_of(3), 7), [0, 1, 2, 0, 1, 2, 0]);
        assert!(take(&mut Ring::new(), 2).is_empty());
    }

    #[test]
    fn a_leaver_behind_the_cursor_skips_nobodys_turn() {
        let mut ring = ring_of(5);
        assert_eq!(take(&mut ring, 3), [0, 1, 2]);
        ring.remove(task(1));
        assert_eq!(take(&mut ring, 5), [3, 4, 0, 2, 3]);
    }

    #[test]
    fn when_the_one_whose_turn_it_is_leaves_the_turn_passes_to_the_one_behind_it() {
        let mut ring = ring_of(5);
        assert_eq!(take(&mut ring, 2), [0, 1]);
        ring.remove(task(2));
        assert_eq!(take(&mut ring, 4), [3, 4, 0, 1]);
    }

    #[test]
    fn a_newcomer_takes_the_place_of_the_last_one_to_leave() {
        let mut ring = ring_of(4);
        assert_eq!(take(&mut ring, 3), [0, 1, 2]);
        ring.remove(task(1));
        ring.insert(task(9));
        ring.insert(task(10)); // the place is taken: to the end, behind 3
        assert_eq!(take(&mut ring, 6), [3, 10, 0, 9, 2, 3]);
    }

    #[test]
    fn a_newcomer_in_place_of_the_one_whose_turn_it_was_has_that_turn() {
        let mut ring = ring_of(3);
        take(&mut ring, 1);
        ring.remove(task(1));
        ring.insert(task(9));
        assert_eq!(take(&mut ring, 3), [9, 2, 0]);

        ring.remove(task(9));
        take(&mut ring, 1); // the turn has passed the place
        ring.insert(task(8));
        assert_eq!(take(&mut ring, 3), [0, 8, 2]);
    }

    #[test]
    fn the_last_one_out_leaves_a_ring_that_works() {
        let mut ring = ring_of(1);
        ring.remove(task(0));
        assert_eq!(ring.advance(), None);
        ring.insert(task(5));
        assert_eq!(take(&mut ring, 2), [5, 5]);
    }

    #[test]
    fn strangers_and_twins_change_nothing() {
        let mut ring = ring_of(3);
        ring.remove(task(7));
        ring.remove(TaskId {
            index: 1,
            generation: 1,
        });
        ring.insert(task(1));
        assert_eq!(ring.len(), 3);
        assert_eq!(take(&mut ring, 3), [0, 1, 2]);
    }

    proptest! {
        /// Whoever comes and goes, those who stay are visited in their order, once a round.
        #[test]
        fn survivors_are_visited_in_turn(
            steps in prop::collection::vec((0u8..3, 0u32..20), 1..200)
        ) {
            let mut ring = ring_of(10);
            let mut members: Vec<u32> = (0..10).collect();
            for (step, index) in steps {
                match step {
                    0 => { ring.insert(task(index)); if !members.contains(&index) { members.push(index); } }
                    1 => { ring.remove(task(index)); members.retain(|&member| member != index); }
                    _ => { ring.advance(); }
                }
                prop_assert_eq!(ring.len(), members.len());
                // A whole round from here visits each exactly once, and a second one in the same order.
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

        /// A death or a birth changes nothing in the order of the others' coming turns.
        #[test]
        fn a_change_leaves_the_coming_turns_of_the_others_alone(
            turns in 0usize..30, leaver in 0u32..10, born in prop::bool::ANY
        ) {
            let mut ring = ring_of(10);
            take(&mut ring, turns);
            let before: Vec<u32> = take(&mut ring.clone(), 10).into_iter().filter(|&i| i != leaver).collect();
            ring.remove(task(leaver));
            if born { ring.insert(task(99)); }
            let len = ring.len();
            let after: Vec<u32> = take(&mut ring, len).into_iter().filter(|&i| i != 99).collect();
            prop_assert_eq!(after, before);
        }
    }
}
