use super::{TaskId, saved_fields};

/// A list that holds each task at most once. Tasks are in the order in which they were pushed or last moved to the end.
///
/// Every change takes constant time, even a removal from the middle, because this is a doubly linked list. Its links
/// are stored in a vector that is indexed by [`TaskId::index`]. If most tasks leave from the front, a
/// [`UniqueQueue`](super::UniqueQueue) is faster.
///
/// ```
/// use timeslicer::scheduler::{AgeList, Tasks};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut by_age = AgeList::default();
/// for task in [a, b, c] {
///     by_age.push(task);
/// }
/// by_age.move_to_end(a); // it has just run
/// by_age.remove(c);
/// assert_eq!(by_age.front(), Some(b));
/// assert!(by_age.iter().eq([b, a]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct AgeList {
    /// The links of each task, indexed by [`TaskId::index`]. The list is circular, so the task at the end is linked to
    /// the task at the front.
    links: Vec<Link>,
    /// The index of the task at the front, or `None` if the list is empty.
    front: Option<u32>,
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Link {
    generation: u32,
    previous: u32,
    /// The index of the next task, or [`NONE`] if this task is not in the list.
    next: u32,
}

/// An index that no task ever has.
const NONE: u32 = u32::MAX;

const UNLINKED: Link = Link {
    generation: 0,
    previous: NONE,
    next: NONE,
};

impl AgeList {
    /// Returns the number of tasks in the list.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the first task, which was added or moved to the end longest ago.
    pub fn front(&self) -> Option<TaskId> {
        self.iter().next()
    }

    /// Returns the tasks in order, from the front to the end.
    pub fn iter(&self) -> impl Iterator<Item = TaskId> {
        let indices = std::iter::successors(self.front, |&index| {
            let next = Some(self.links[index as usize].next);
            next.filter(|_| next != self.front)
        });
        indices.map(|index| TaskId {
            index,
            generation: self.links[index as usize].generation,
        })
    }

    /// Adds `task` at the end. Does nothing and returns false if a task with the same index is already in the list.
    pub fn push(&mut self, task: TaskId) -> bool {
        let link = task.entry_in(&mut self.links, UNLINKED);
        if link.next != NONE {
            return false;
        }
        link.generation = task.generation;
        self.len += 1;
        self.link_last(task.index);
        true
    }

    /// Moves `task` to the end, or adds it there if it is not in the list.
    pub fn move_to_end(&mut self, task: TaskId) {
        if !self.contains(task) {
            self.push(task);
        } else if self.front == Some(task.index) {
            // The links are circular, so the old front is now last.
            self.front = Some(self.links[task.index as usize].next);
        } else {
            self.detach(task.index);
            self.link_last(task.index);
        }
    }

    /// Removes `task` from any position in the list. Returns false if the task is not in the list.
    pub fn remove(&mut self, task: TaskId) -> bool {
        if !self.contains(task) {
            return false;
        }
        self.detach(task.index);
        self.links[task.index as usize] = UNLINKED;
        self.len -= 1;
        true
    }

    /// Returns true if `task` is in the list.
    pub fn contains(&self, task: TaskId) -> bool {
        let link = self.links.get(task.index as usize);
        link.is_some_and(|link| link.next != NONE && link.generation == task.generation)
    }

    /// Appends the task with this index to the list. The list is circular, so the task is inserted between the last
    /// task and the front.
    fn link_last(&mut self, index: u32) {
        let next = *self.front.get_or_insert_with(|| {
            self.links[index as usize].previous = index;
            index
        });
        let previous = std::mem::replace(&mut self.links[next as usize].previous, index);
        self.links[previous as usize].next = index;
        let link = &mut self.links[index as usize];
        (link.previous, link.next) = (previous, next);
    }

    /// Unlinks a task from the list by linking its two neighbours to each other. The task's own links stay the same.
    fn detach(&mut self, index: u32) {
        let Link { previous, next, .. } = self.links[index as usize];
        self.links[previous as usize].next = next;
        self.links[next as usize].previous = previous;
        if self.front == Some(index) {
            self.front = (next != index).then_some(next);
        }
    }
}

saved_fields! {
    AgeList { links, front, len }
    Link { generation, previous, next }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_behaves_like_a_plain_list(steps in prop::collection::vec((0u8..3, 0u32..12), 1..200)) {
            let mut by_age = AgeList::default();
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
                prop_assert_eq!(by_age.len(), list.len());
                prop_assert_eq!(by_age.front(), list.first().copied());
                prop_assert_eq!(by_age.iter().collect::<Vec<_>>(), list.clone());
            }
        }
    }
}
