//! Tasks in the order of their last move to the end, each removable from anywhere.

use super::TaskId;

/// A line of tasks, each in it once: newcomers go to the end, and any task can leave in constant time, without moving or
/// allocating anything. It is a doubly linked list with its links in a vector, by task index. If tasks leave mostly from
/// the front, [`super::UniqueQueue`] is faster.
///
/// ```
/// use timeslice::scheduler::{AgeList, Tasks};
/// use timeslice::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut by_age = AgeList::new();
/// for task in [a, b, c] {
///     by_age.push(task);
/// }
/// by_age.move_to_end(a); // it has just run
/// by_age.remove(c);
/// assert_eq!(by_age.front(), Some(b));
/// assert!(by_age.iter().eq([b, a]));
/// ```
#[derive(Clone, Debug)]
pub struct AgeList {
    links: Links,
    front: u32,
}

impl Default for AgeList {
    fn default() -> Self {
        Self::new()
    }
}

impl AgeList {
    /// Starts empty.
    #[must_use]
    pub fn new() -> Self {
        Self {
            links: Links::default(),
            front: NONE,
        }
    }

    /// The task that has been in the list longest.
    #[must_use]
    pub fn front(&self) -> Option<TaskId> {
        (self.front != NONE).then(|| self.links.task(self.front))
    }

    /// The tasks, from the front.
    pub fn iter(&self) -> impl Iterator<Item = TaskId> {
        let mut next = self.front;
        (0..self.links.len).map(move |_| {
            let task = self.links.task(next);
            next = self.links.next(next);
            task
        })
    }

    /// Adds `task` at the end. Returns false, and changes nothing, if its index is in the list already.
    pub fn push(&mut self, task: TaskId) -> bool {
        let joined = self.links.insert_before(self.front, task);
        if joined && self.front == NONE {
            self.front = task.index;
        }
        joined
    }

    /// Moves `task` to the end, or adds it there.
    pub fn move_to_end(&mut self, task: TaskId) {
        if !self.links.contains(task) {
            self.push(task);
        } else if self.front == task.index {
            self.front = self.links.next(task.index); // the list is a circle: the task before the front is the last
        } else {
            self.links.move_before(self.front, task.index);
        }
    }

    /// Removes `task`, wherever it is. Returns false if it is not in the list.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let Some(next) = self.links.unlink(task) else {
            return false;
        };
        if self.front == task.index {
            self.front = next;
        }
        true
    }
}

/// No task: an index that none has.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    generation: u32,
    previous: u32,
    next: u32, // NONE if the task is in no circle
}

const UNLINKED: Link = Link {
    generation: 0,
    previous: NONE,
    next: NONE,
};

/// The links of a circle of tasks.
#[derive(Clone, Debug, Default)]
struct Links {
    links: Vec<Link>,
    len: usize,
}

impl Links {
    fn contains(&self, task: TaskId) -> bool {
        self.links
            .get(task.index as usize)
            .is_some_and(|link| link.next != NONE && link.generation == task.generation)
    }

    /// The task linked at `index`.
    fn task(&self, index: u32) -> TaskId {
        TaskId {
            index,
            generation: self.links[index as usize].generation,
        }
    }

    fn next(&self, index: u32) -> u32 {
        self.links[index as usize].next
    }

    /// Links `task` just before the one at `at`; alone if `at` is [`NONE`]. Returns false, and changes nothing, if its
    /// index is linked already.
    fn insert_before(&mut self, at: u32, task: TaskId) -> bool {
        let index = task.index as usize;
        if index >= self.links.len() {
            self.links.resize(index + 1, UNLINKED);
        }
        if self.links[index].next != NONE {
            return false;
        }
        let (previous, next) = if at == NONE {
            (task.index, task.index)
        } else {
            (self.links[at as usize].previous, at)
        };
        self.links[index] = Link {
            generation: task.generation,
            previous,
            next,
        };
        self.links[previous as usize].next = task.index;
        self.links[next as usize].previous = task.index;
        self.len += 1;
        true
    }

    /// Moves the one at `index` to just before the one at `at`, another one; both are linked.
    fn move_before(&mut self, at: u32, index: u32) {
        let Link { previous, next, .. } = self.links[index as usize];
        self.links[previous as usize].next = next;
        self.links[next as usize].previous = previous;
        let end = std::mem::replace(&mut self.links[at as usize].previous, index);
        self.links[end as usize].next = index;
        let link = &mut self.links[index as usize];
        (link.previous, link.next) = (end, at);
    }

    /// Unlinks `task`; returns the one behind it, [`NONE`] where it was the last of all. No change, and
    /// no answer, where it is not linked.
    fn unlink(&mut self, task: TaskId) -> Option<u32> {
        if !self.contains(task) {
            return None;
        }
        let Link { previous, next, .. } = self.links[task.index as usize];
        self.links[previous as usize].next = next;
        self.links[next as usize].previous = previous;
        self.links[task.index as usize] = UNLINKED;
        self.len -= 1;
        Some(if self.len == 0 { NONE } else { next })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_does_what_a_plain_list_does(steps in prop::collection::vec((0u8..3, 0u32..12), 1..200)) {
            let mut line = AgeList::new();
            let mut list: Vec<TaskId> = Vec::new();
            for (step, index) in steps {
                let stands = list.contains(&TaskId::of(index));
                match step {
                    0 => {
                        prop_assert_eq!(line.push(TaskId::of(index)), !stands);
                        if !stands { list.push(TaskId::of(index)); }
                    }
                    1 => {
                        prop_assert_eq!(line.remove(TaskId::of(index)), stands);
                        list.retain(|&standing| standing != TaskId::of(index));
                    }
                    _ => {
                        line.move_to_end(TaskId::of(index));
                        list.retain(|&standing| standing != TaskId::of(index));
                        list.push(TaskId::of(index));
                    }
                }
                prop_assert_eq!(line.front(), list.first().copied());
                prop_assert_eq!(line.iter().collect::<Vec<_>>(), list.clone());
            }
        }
    }
}
