//! "A simple way to spread game updates over several frames" (an article in Russian): two solutions that spread a loop
//! over a list. (The first solution, which runs the whole list after a pause, has no defect.)
//!
//! The article describes [`MaxPerFrame`] in words. Its list and index are those of the last solution, [`FixedInterval`].

use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::{Pattern, Promise};
use crate::time::Nanos;

/// The second solution: runs the tasks of a list in turn, a limited number in each update.
#[derive(Clone, Debug)]
pub struct MaxPerFrame {
    items: TurnList,
    max_tasks: usize,
}

impl MaxPerFrame {
    /// Runs at most `max_tasks` tasks in each update; zero counts as one.
    pub fn new(max_tasks: usize) -> Self {
        Self {
            items: TurnList::new(),
            max_tasks: max_tasks.max(1),
        }
    }

    /// Changes the maximum number of tasks in an update; zero counts as one.
    pub fn set_max_tasks(&mut self, max_tasks: usize) {
        self.max_tasks = max_tasks.max(1);
    }
}

impl Form for MaxPerFrame {
    fn insert(&mut self, unit: TaskId) {
        self.items.insert(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.remove(unit);
    }

    fn update<U: Units>(&mut self, _delta: Nanos, units: &mut U) {
        for _ in 0..self.max_tasks.min(self.items.len()) {
            units.update(self.items.next());
        }
    }

    fn promise(&self) -> Promise {
        Promise::Updates(self.items.len().div_ceil(self.max_tasks).max(1))
    }

    fn pattern(&self) -> Option<Pattern> {
        Some(Pattern::AtMost(self.max_tasks))
    }

    fn defect(&self) -> Option<Defect> {
        Some(self.items.defect())
    }
}

/// The last solution, an accumulator: runs just enough tasks of a list in each update to run every task once per
/// interval.
#[derive(Clone, Debug)]
pub struct FixedInterval {
    items: TurnList,
    interval: f64,
    accumulator: f64,
}

impl FixedInterval {
    /// Runs each task once per `interval`.
    pub fn new(interval: Nanos) -> Self {
        Self {
            items: TurnList::new(),
            interval: interval.as_secs_f64(),
            accumulator: 0.0,
        }
    }

    /// Changes the interval.
    pub fn set_interval(&mut self, interval: Nanos) {
        self.interval = interval.as_secs_f64();
    }
}

impl Form for FixedInterval {
    fn insert(&mut self, unit: TaskId) {
        self.items.insert(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.remove(unit);
    }

    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U) {
        let count = self.items.len() as f64;
        let per_update = count / self.interval * delta.as_secs_f64();
        // At most all tasks in one frame.
        self.accumulator = (self.accumulator + per_update).min(count);
        let runs = self.accumulator as usize;
        for _ in 0..runs {
            units.update(self.items.next());
        }
        self.accumulator -= runs as f64;
    }

    fn promise(&self) -> Promise {
        Promise::Interval(Nanos::from_secs_f64(self.interval))
    }

    fn defect(&self) -> Option<Defect> {
        Some(self.items.defect())
    }
}

/// Tasks that take turns in the order of a list.
///
/// To remove a task moves all later ones towards the front, but not the index of the last turn. So the task that was
/// next may take the place of the last one, and its turn is skipped.
#[derive(Clone, Debug)]
struct TurnList {
    items: Vec<TaskId>,
    index: usize,
    /// Index of the task that is next if removals are corrected. Past the end means the first task.
    next: usize,
    skipped: u64,
}

impl TurnList {
    fn new() -> Self {
        Self {
            items: Vec::new(),
            index: 0,
            next: 1,
            skipped: 0,
        }
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        let Some(place) = self.items.iter().position(|&item| item == unit) else {
            return;
        };
        self.items.remove(place);
        self.next -= usize::from(place < self.next);
    }

    /// Returns the next task in turn. The list must not be empty.
    fn next(&mut self) -> TaskId {
        // No removal moves the index, so it is never behind.
        let skipped = (self.index + 1 - self.next) % self.items.len();
        self.skipped += skipped as u64;
        // Modulo first, because removals may have left the list shorter than the index.
        self.index = (self.index + 1) % self.items.len();
        self.next = self.index + 1;
        self.items[self.index]
    }

    fn defect(&self) -> Defect {
        Defect {
            before: "the published cursor skipped",
            count: self.skipped,
            thing: "turn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removals_skip_turns() {
        // The number of tasks, the turns before the removals, the removed tasks, the next turn, and the skipped turns.
        for (count, turns, removed, next, skipped) in [
            (10, 4, vec![9], 5, 0),
            (10, 4, vec![4], 6, 1),
            (10, 9, vec![3, 5], 2, 2), // of tasks 0 and 1, at the end of the list
            (8, 3, vec![0, 1, 2, 3], 4, 0), // the index has wrapped around to the right task
            (2, 1, vec![0], 1, 0),
        ] {
            let mut list = TurnList::new();
            (0..count).for_each(|index| list.insert(TaskId::of(index)));
            for _ in 0..turns {
                list.next();
            }
            for &index in &removed {
                list.remove(TaskId::of(index));
            }
            assert_eq!(list.next(), TaskId::of(next), "{removed:?}");
            assert_eq!(list.defect().count, skipped, "{removed:?}");
        }
    }
}
