//! "A simple way to spread game updates over several frames" (an article in Russian): two solutions that spread a loop
//! over a list. (The first solution, which runs the whole list after a pause, has no defect.)
//!
//! The article describes [`MaxPerFrame`] in words. Its list and index are those of the last solution, [`FixedInterval`].

use super::{Defect, take_turns};
use crate::knob::KnobValues;
use crate::scheduler::{TaskId, UpdateContext};
use crate::strategy::knobs::{INTERVAL, MAX_TASKS};
use crate::strategy::{Inspect, Pattern, Promise, Strategy};
use crate::time::Nanos;

/// The second solution: runs the tasks of a list in turn, a limited number in each update.
#[derive(Clone, Debug)]
pub struct MaxPerFrame {
    items: TurnList,
    max_tasks: usize,
}

impl MaxPerFrame {
    /// Runs at most `max_tasks` tasks in each update.
    pub fn new(max_tasks: usize) -> Self {
        Self {
            items: TurnList::new(),
            max_tasks,
        }
    }
}

impl Strategy for MaxPerFrame {
    fn insert(&mut self, task: TaskId) {
        self.items.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.items.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        if self.items.turns.is_empty() {
            self.items.next_turns(self.max_tasks.min(self.items.len()));
        }
        take_turns(&mut self.items.turns, context);
    }

    fn backlog(&self) -> usize {
        self.items.turns.len()
    }

    fn promise(&self) -> Promise {
        Promise::Updates(self.items.len().div_ceil(self.max_tasks).max(1))
    }
}

impl Inspect for MaxPerFrame {
    fn pattern(&self) -> Option<Pattern> {
        Some(Pattern::AtMost(self.max_tasks))
    }

    fn defect(&self) -> Option<Defect> {
        Some(self.items.defect())
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.max_tasks = knobs.get(&MAX_TASKS) as usize;
    }
}

/// The last solution, an accumulator: runs just enough tasks of a list in each update to run every task once per
/// interval.
#[derive(Clone, Debug)]
pub struct FixedInterval {
    items: TurnList,
    interval: Nanos,
    accumulator: f64,
}

impl FixedInterval {
    /// Runs each task once per `interval`.
    pub fn new(interval: Nanos) -> Self {
        Self {
            items: TurnList::new(),
            interval,
            accumulator: 0.0,
        }
    }
}

impl Strategy for FixedInterval {
    fn insert(&mut self, task: TaskId) {
        self.items.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.items.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let count = self.items.len() as f64;
        let per_update = count / self.interval.as_secs_f64() * context.delta().as_secs_f64();
        // At most all tasks in one frame.
        self.accumulator = (self.accumulator + per_update).min(count);
        if self.items.turns.is_empty() {
            let runs = self.accumulator as usize;
            self.items.next_turns(runs);
            self.accumulator -= runs as f64;
        }
        take_turns(&mut self.items.turns, context);
    }

    fn backlog(&self) -> usize {
        self.items.turns.len()
    }

    fn promise(&self) -> Promise {
        Promise::Interval(self.interval)
    }
}

impl Inspect for FixedInterval {
    fn defect(&self) -> Option<Defect> {
        Some(self.items.defect())
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.interval = knobs.span(&INTERVAL);
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
    /// Tasks whose turn has come and that have not run yet.
    turns: Vec<TaskId>,
}

impl TurnList {
    fn new() -> Self {
        Self {
            items: Vec::new(),
            index: 0,
            next: 1,
            skipped: 0,
            turns: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn insert(&mut self, task: TaskId) {
        self.items.push(task);
    }

    fn remove(&mut self, task: TaskId) {
        let Some(place) = self.items.iter().position(|&item| item == task) else {
            return;
        };
        self.items.remove(place);
        self.next -= usize::from(place < self.next);
        self.turns.retain(|&turn| turn != task);
    }

    /// Gives the next `count` tasks their turn.
    fn next_turns(&mut self, count: usize) {
        for _ in 0..count {
            // No removal moves the index, so it is never behind.
            let skipped = (self.index + 1 - self.next) % self.items.len();
            self.skipped += skipped as u64;
            // Modulo first, because removals may have left the list shorter than the index.
            self.index = (self.index + 1) % self.items.len();
            self.next = self.index + 1;
            self.turns.push(self.items[self.index]);
        }
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
            list.next_turns(turns);
            for &index in &removed {
                list.remove(TaskId::of(index));
            }
            list.next_turns(1);
            assert_eq!(list.turns.last(), Some(&TaskId::of(next)), "{removed:?}");
            assert_eq!(list.defect().count, skipped, "{removed:?}");
        }
    }
}
