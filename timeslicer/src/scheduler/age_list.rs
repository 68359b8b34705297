//! A list of tasks, oldest first, with removal from any place.

use super::TaskId;

/// A list that holds each task at most once, in the order in which tasks were pushed or last moved to the end.
///
/// Every change takes constant time, even a removal from the middle, because this is a doubly linked list. Its links
/// are in a vector, by task index. If tasks leave mostly from the front, [`super::UniqueQueue`] is faster.
///
/// ```
/// use timeslicer::scheduler::{AgeList, Tasks};
/// use timeslicer::time::GameTime;
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
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self {
            links: Links::default(),
            front: NONE,
        }
    }

    /// Returns the task at the front, which was pushed or moved longest ago.
    #[must_use]
    pub fn front(&self) -> Option<TaskId> {
        (self.front != NONE).then(|| self.links.task(self.front))
    }

    /// Returns the tasks from front to end.
    pub fn iter(&self) -> impl Iterator<Item = TaskId> {
        let mut next = self.front;
        (0..self.links.len).map(move |_| {
            let task = self.links.task(next);
            next = self.links.next(next);
            task
        })
    }

    /// Adds `task` at the end. Returns false, and changes nothing, if a task with the same index is already in the
    /// list.
    pub fn push(&mut self, task: TaskId) -> bool {
        let joined = self.links.insert_before(self.front, task);
        if joined && self.front == NONE {
            self.front = task.index;
        }
        joined
    }

    /// Moves `task` to the end, or adds it there if it is not in the list.
    pub fn move_to_end(&mut self, task: TaskId) {
        if !self.links.contains(task) {
            self.push(task);
        } else if self.front == task.index {
            self.front = self.links.next(task.index); // the links are circular, so the old front is now last
        } else {
            self.links.move_before(self.front, task.index);
        }
    }

    /// Removes `task` from any place. Returns false if it is not in the list.
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

/// An index that no task has.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    generation: u32,
    previous: u32,
    next: u32, // NONE if unlinked
}

const UNLINKED: Link = Link {
    generation: 0,
    previous: NONE,
    next: NONE,
};

/// A circular doubly linked list.
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

    /// Returns the task linked at `index`.
    fn task(&self, index: u32) -> TaskId {
        TaskId {
            index,
            generation: self.links[index as usize].generation,
        }
    }

    fn next(&self, index: u32) -> u32 {
        self.links[index as usize].next
    }

    /// Links `task` before the task at `at`, or as the only task if `at` is [`NONE`]. Returns false, and changes
    /// nothing, if a task with the same index is already linked.
    fn insert_before(&mut self, at: u32, task: TaskId) -> bool {
        if task.entry_in(&mut self.links, UNLINKED).next != NONE {
            return false;
        }
        let (previous, next) = if at == NONE {
            (task.index, task.index)
        } else {
            (self.links[at as usize].previous, at)
        };
        self.links[task.index as usize] = Link {
            generation: task.generation,
            previous,
            next,
        };
        self.links[previous as usize].next = task.index;
        self.links[next as usize].previous = task.index;
        self.len += 1;
        true
    }

    /// Moves the task at `index` before the task at `at`. These must be two different tasks, both linked.
    fn move_before(&mut self, at: u32, index: u32) {
        let Link { previous, next, .. } = self.links[index as usize];
        self.links[previous as usize].next = next;
        self.links[next as usize].previous = previous;
        let end = std::mem::replace(&mut self.links[at as usize].previous, index);
        self.links[end as usize].next = index;
        let link = &mut self.links[index as usize];
        (link.previous, link.next) = (end, at);
    }

    /// Unlinks `task`. Returns the index of the next task, or `Some(NONE)` if the list is now empty. Returns `None` if
    /// `task` was not linked.
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
        fn it_behaves_like_a_plain_list(steps in prop::collection::vec((0u8..3, 0u32..12), 1..200)) {
            let mut by_age = AgeList::new();
            let mut list: Vec<TaskId> = Vec::new();
            for (step, index) in steps {
                let task = TaskId::of(index);
                let is_listed = list.contains(&task);
                match step {
                    0 => {
                        prop_assert_eq!(by_age.push(task), !is_listed);
                        if !is_listed { list.push(task); }
                    }
                    1 => {
                        prop_assert_eq!(by_age.remove(task), is_listed);
                        list.retain(|&other| other != task);
                    }
                    _ => {
                        by_age.move_to_end(task);
                        list.retain(|&other| other != task);
                        list.push(task);
                    }
                }
                prop_assert_eq!(by_age.front(), list.first().copied());
                prop_assert_eq!(by_age.iter().collect::<Vec<_>>(), list.clone());
            }
        }
    }
}
