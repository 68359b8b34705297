use super::{TaskId, saved_fields};

/// A round-robin ring: tasks take turns in insertion order, and the first task follows the last.
///
/// Inserting, removing and taking a turn take amortized constant time and keep the order of all other tasks. Even if
/// tasks are removed, no task misses its turn, and no task gets two turns in a round. By comparison, a plain list skips
/// a turn at each removal, so that intervals of 500 ms become 467 to 1467 ms. A list that moves its last task into the
/// gap turns them into 50 to 933 ms.
///
/// A new task takes the place of the task that was removed last. If another new task has already taken that place, the
/// new task goes to the end. So if each death is followed by a birth, all other tasks keep their intervals.
///
/// A removal leaves a gap. When the number of gaps exceeds an eighth of the number of tasks, all gaps are closed.
///
/// ```
/// use timeslicer::scheduler::{Ring, Tasks};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut ring = Ring::default();
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
#[derive(Clone, Debug, Default)]
pub struct Ring {
    /// The tasks in order. Each removed task leaves a gap, which contains [`TaskId::NONE`].
    tasks: Vec<TaskId>,
    /// The position of each task in the vector `tasks`, indexed by [`TaskId::index`]. It is [`NOWHERE`] if the task is
    /// not in the ring.
    places: Vec<u32>,
    len: usize,
    /// The position of the task whose turn is next. This is never a gap. It is 0 if the ring is empty.
    cursor: usize,
    last_gap: Option<Gap>,
}

const NOWHERE: u32 = u32::MAX;
/// The maximum number of gaps is an eighth of the number of tasks, plus this constant. The constant is smaller in
/// tests, so that the tests cover the removal of gaps.
const FEW: usize = if cfg!(test) { 2 } else { 32 };
/// The maximum number of tasks that [`Ring::next_turns`] returns at once if removed tasks have left gaps in the ring.
/// Without a limit, the method could spend a long time searching for the next gap.
const SLICE: usize = 64;

/// The gap left by the most recently removed task. It is remembered until the next task is inserted or removed.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    place: usize,
    /// True if the removed task was next in line, and no other task has had its turn since the removal.
    next_in_turn: bool,
}

impl Ring {
    /// Returns the tasks whose turn is next, at most `count` of them. The slice ends at the next gap or at the end of the
    /// round, but it is empty only if `count` is zero or the ring is empty.
    pub fn next_turns(&self, count: usize) -> &[TaskId] {
        let ahead = &self.tasks[self.cursor..];
        if self.len == self.tasks.len() {
            return &ahead[..ahead.len().min(count)];
        }
        let slice = &ahead[..ahead.len().min(count).min(SLICE)];
        let gap = slice.iter().position(|&task| task == TaskId::NONE);
        &slice[..gap.unwrap_or(slice.len())]
    }

    /// Moves past the next `count` tasks, which have had their turn. The number must not exceed the length of the slice
    /// that [`Ring::next_turns`] returned.
    pub fn take_turns(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        if let Some(gap) = &mut self.last_gap {
            gap.next_in_turn = false;
        }
        self.cursor = self.task_from(self.cursor + count);
    }

    /// Returns the number of tasks in the ring.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the ring is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds `task`. Does nothing if a task with the same index is already in the ring.
    pub fn insert(&mut self, task: TaskId) {
        let place = task.entry_in(&mut self.places, NOWHERE);
        if *place != NOWHERE {
            return;
        }
        self.len += 1;
        let Some(gap) = self.last_gap.take() else {
            *place = self.tasks.len() as u32;
            self.tasks.push(task);
            return;
        };
        *place = gap.place as u32;
        self.tasks[gap.place] = task;
        if gap.next_in_turn {
            self.cursor = gap.place;
        }
    }

    /// Removes `task`. Does nothing if it is not in the ring.
    pub fn remove(&mut self, task: TaskId) {
        let Some(place) = self.places.get_mut(task.index as usize) else {
            return;
        };
        let at = *place as usize;
        if self.tasks.get(at) != Some(&task) {
            return;
        }
        *place = NOWHERE;
        self.tasks[at] = TaskId::NONE;
        self.len -= 1;
        if self.len == 0 {
            self.tasks.clear();
            self.cursor = 0;
            self.last_gap = None;
            return;
        }
        self.last_gap = Some(Gap {
            place: at,
            next_in_turn: self.cursor == at,
        });
        self.cursor = self.task_from(self.cursor);
        if self.tasks.len() > self.len + self.len / 8 + FEW {
            self.clear_gaps();
        }
    }

    /// Returns the position of the first task at or after `place`. If there is none, the search continues at the
    /// beginning of the ring, which must not be empty.
    fn task_from(&self, mut place: usize) -> usize {
        loop {
            match self.tasks.get(place) {
                Some(&TaskId::NONE) => place += 1,
                Some(_) => return place,
                None => place = 0,
            }
        }
    }

    /// Closes all gaps that removed tasks have left, except for the most recent gap, which the next new task may fill.
    fn clear_gaps(&mut self) {
        let (cursor, last_gap) = (self.cursor, self.last_gap.map(|gap| gap.place));
        let mut kept = 0;
        for place in 0..self.tasks.len() {
            let task = self.tasks[place];
            if task != TaskId::NONE {
                self.places[task.index as usize] = kept as u32;
            } else if last_gap != Some(place) {
                continue;
            } else if let Some(gap) = &mut self.last_gap {
                gap.place = kept;
            }
            if place == cursor {
                self.cursor = kept;
            }
            self.tasks[kept] = task;
            kept += 1;
        }
        self.tasks.truncate(kept);
    }
}

saved_fields! {
    Ring { tasks, places, len, cursor, last_gap }
    Gap { place, next_in_turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ring_of(count: u32) -> Ring {
        let mut ring = Ring::default();
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
    fn a_newcomer_takes_the_place_and_turn_of_the_last_removed_task() {
        let mut ring = ring_of(4);
        assert_eq!(take(&mut ring, 3), [0, 1, 2]);
        ring.remove(TaskId::of(1));
        ring.insert(TaskId::of(9));
        ring.insert(TaskId::of(10)); // the place is taken, so this one goes to the end, after 3
        assert_eq!(take(&mut ring, 6), [3, 10, 0, 9, 2, 3]);

        ring.remove(TaskId::of(10)); // its turn is next
        ring.insert(TaskId::of(11));
        assert_eq!(take(&mut ring, 2), [11, 0]);
        ring.remove(TaskId::of(9));
        assert_eq!(take(&mut ring, 1), [2]); // the turn passes on
        ring.insert(TaskId::of(12));
        assert_eq!(take(&mut ring, 5), [3, 11, 0, 12, 2]);
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
                prop_assert!(ring.tasks.len() <= ring.len() + ring.len() / 8 + FEW);
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
