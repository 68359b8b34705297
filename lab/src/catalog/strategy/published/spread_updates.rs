//! Two strategies as published in the article "A simple way to spread game updates over several frames" (in Russian). A
//! third strategy in the article runs all tasks after a pause. It is not included, because it has no defect.
//!
//! The first strategy runs a limited number of tasks per frame. The article describes it only in words, without code.
//! The code here uses a list of tasks and the index of the last task that ran, like the second strategy. The second
//! strategy is the article's last solution. It adds up fractions of runs in an accumulator.

use super::{Defect, all_but, take_turns};
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::Inspect;
use crate::catalog::strategy::knobs::{INTERVAL, MAX_TASKS};
use timeslicer::scheduler::{TaskId, UpdateContext};
use timeslicer::strategy::{Guarantee, Strategy};
use timeslicer::time::Nanos;

/// A strategy that runs tasks in the order of a list.
///
/// When a task is removed, all later tasks move towards the front of the list, but the index of the last task that ran
/// stays the same. Therefore, the task that was next may move to this index, and its turn is skipped.
#[derive(Clone, Debug)]
pub struct SpreadUpdates {
    rule: Rule,
    /// The number of runs that are due with [`Rule::FixedInterval`], including a fraction of a run.
    accumulator: f64,
    items: Vec<TaskId>,
    index: usize,
    /// The index that would be next if removals did not skip any turns. If it is past the end of the list, the first
    /// task is next.
    next: usize,
    skipped: u64,
    /// The tasks that are due but have not run yet.
    turns: Vec<TaskId>,
}

/// Determines how many tasks run in an update.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// An update runs at most this number of tasks. This is the second solution in the article.
    MaxPerFrame(usize),
    /// An update runs just enough tasks to run every task once per interval. This is the article's last solution.
    FixedInterval(Nanos),
}

impl SpreadUpdates {
    /// Creates a strategy with no tasks.
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            accumulator: 0.0,
            items: Vec::new(),
            index: 0,
            next: 1,
            skipped: 0,
            turns: Vec::new(),
        }
    }

    /// Marks the next `count` tasks in the list as due.
    fn next_turns(&mut self, count: usize) {
        for _ in 0..count {
            // A removal can decrease `next` but leaves `index` alone, so this subtraction cannot underflow.
            let skipped = (self.index + 1 - self.next) % self.items.len();
            self.skipped += skipped as u64;
            // Wrap around before using the index, because removals may have shortened the list below it.
            self.index = (self.index + 1) % self.items.len();
            self.next = self.index + 1;
            self.turns.push(self.items[self.index]);
        }
    }
}

impl Strategy for SpreadUpdates {
    fn insert(&mut self, task: TaskId) {
        self.items.push(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.remove_all(&[task]);
    }

    fn remove_all(&mut self, tasks: &[TaskId]) {
        let stays = all_but(tasks);
        let past = self.items.iter().take(self.next);
        self.next -= past.filter(|item| !stays(item)).count();
        self.items.retain(&stays);
        self.turns.retain(stays);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let count = match self.rule {
            _ if !self.turns.is_empty() => 0,
            Rule::MaxPerFrame(max_tasks) => self.items.len().min(max_tasks),
            Rule::FixedInterval(interval) => {
                let all = self.items.len() as f64;
                let per_update = all / interval.as_secs_f64() * context.delta().as_secs_f64();
                // An update runs each task at most once.
                self.accumulator = (self.accumulator + per_update).min(all);
                let whole = self.accumulator.trunc();
                self.accumulator -= whole;
                whole as usize
            }
        };
        self.next_turns(count);
        take_turns(&mut self.turns, context);
    }

    fn backlog(&self) -> usize {
        self.turns.len()
    }

    fn guarantee(&self) -> Guarantee {
        match self.rule {
            Rule::MaxPerFrame(max_tasks) => {
                Guarantee::Updates(self.items.len().div_ceil(max_tasks).max(1))
            }
            Rule::FixedInterval(interval) => Guarantee::Interval(interval),
        }
    }
}

impl Inspect for SpreadUpdates {
    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published cursor skipped",
            count: self.skipped,
            thing: "turn",
            matches_ours_while: (self.skipped == 0).then_some("no task dies"),
        })
    }

    fn tune(&mut self, knobs: &KnobValues) {
        match &mut self.rule {
            Rule::MaxPerFrame(max_tasks) => *max_tasks = knobs.get(&MAX_TASKS) as usize,
            Rule::FixedInterval(interval) => *interval = knobs.span(&INTERVAL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(index: u32) -> TaskId {
        TaskId {
            index,
            generation: 0,
        }
    }

    #[test]
    fn removals_skip_turns() {
        // Each case has the number of tasks, the number of turns before the removals, the removed tasks, the task that
        // gets the next turn, and the number of skipped turns.
        for (count, turns, removed, next, skipped) in [
            (10, 4, vec![9], 5, 0),
            (10, 4, vec![4], 6, 1),
            (10, 9, vec![3, 5], 2, 2), // of tasks 0 and 1, at the end of the list
            (8, 3, vec![0, 1, 2, 3], 4, 0), // the index has wrapped around to the right task
            (2, 1, vec![0], 1, 0),
        ] {
            let mut list = SpreadUpdates::new(Rule::MaxPerFrame(1));
            (0..count).for_each(|index| list.insert(task(index)));
            list.next_turns(turns);
            for &index in &removed {
                list.remove(task(index));
            }
            list.next_turns(1);
            assert_eq!(list.turns.last(), Some(&task(next)), "{removed:?}");
            assert_eq!(list.skipped, skipped, "{removed:?}");
        }
    }
}
