//! Circles of tasks: a doubly linked list whose links stand in a vector by task index, so that any task
//! is linked and unlinked in constant time and without allocating.

use super::TaskId;

/// No task: an index that none has.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    generation: u32,
    previous: u32,
    next: u32, // NONE where the task is in no circle
}

const UNLINKED: Link = Link {
    generation: 0,
    previous: NONE,
    next: NONE,
};

/// The links of one circle. Its owner keeps an index to enter it by.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    links: Vec<Link>,
    len: usize,
}

impl Links {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn contains(&self, task: TaskId) -> bool {
        self.links
            .get(task.index as usize)
            .is_some_and(|link| link.next != NONE && link.generation == task.generation)
    }

    /// The task linked at `index`.
    pub(super) fn task(&self, index: u32) -> TaskId {
        TaskId {
            index,
            generation: self.links[index as usize].generation,
        }
    }

    pub(super) fn next(&self, index: u32) -> u32 {
        self.links[index as usize].next
    }

    /// Links `task` just before the one at `at`; alone where `at` is [`NONE`]. False, and no change,
    /// where its index is linked already.
    pub(super) fn insert_before(&mut self, at: u32, task: TaskId) -> bool {
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

    /// Unlinks `task`; returns the one behind it, [`NONE`] where it was the last of all. No change, and
    /// no answer, where it is not linked.
    pub(super) fn unlink(&mut self, task: TaskId) -> Option<u32> {
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
