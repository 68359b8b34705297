//! "A simple way to spread game updates over several frames" (an article in Russian): two solutions that spread a loop
//! over a list. (The first solution, which runs the whole list after a pause, has no defect.)
//!
//! The article describes the maximum of tasks per frame in words. Its list and index are those of the last solution, the
//! accumulator.

use super::{Defect, take_turns};
use crate::knob::KnobValues;
use crate::scheduler::{TaskId, UpdateContext};
use crate::strategy::knobs::{INTERVAL, MAX_TASKS};
use crate::strategy::{Guarantee, Inspect, Pattern, Strategy};
use crate::time::Nanos;

/// Runs tasks in the order of a list.
///
/// To remove a task moves all later ones towards the front, but not the index of the last turn. So the task that was
/// next may take the place of the last one, and its turn is skipped.
#[derive(Clone, Debug)]
pub struct SpreadUpdates {
    rule: Rule,
    items: Vec<TaskId>,
    index: usize,
    /// Index of the task that is next if removals are corrected. Past the end means the first task.
    next: usize,
    skipped: u64,
    /// Tasks whose turn has come and that have not run yet.
    turns: Vec<TaskId>,
}

/// How many tasks run in an update.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// This many, at most.
    MaxPerFrame(usize),
    /// Just enough to run every task once per interval.
    FixedInterval { interval: Nanos, accumulator: f64 },
}

impl SpreadUpdates {
    /// The second solution: runs at most `max_tasks` tasks in each update.
    pub fn max_per_frame(max_tasks: usize) -> Self {
        Self::new(Rule::MaxPerFrame(max_tasks))
    }

    /// The last solution, an accumulator: runs each task once per `interval`.
    pub fn fixed_interval(interval: Nanos) -> Self {
        Self::new(Rule::FixedInterval {
            interval,
            accumulator: 0.0,
        })
    }

    fn new(rule: Rule) -> Self {
        Self {
            rule,
            items: Vec::new(),
            index: 0,
            next: 1,
            skipped: 0,
            turns: Vec::new(),
        }
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
}

impl Strategy for SpreadUpdates {
    fn insert(&mut self, task: TaskId) {
        self.items.push(task);
    }

    fn remove(&mut self, task: TaskId) {
        if let Some(place) = self.items.iter().position(|&item| item == task) {
            self.items.remove(place);
            self.next -= usize::from(place < self.next);
            self.turns.retain(|&turn| turn != task);
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let count = match &mut self.rule {
            _ if !self.turns.is_empty() => 0,
            Rule::MaxPerFrame(max_tasks) => self.items.len().min(*max_tasks),
            Rule::FixedInterval {
                interval,
                accumulator,
            } => {
                let all = self.items.len() as f64;
                let per_update = all / interval.as_secs_f64() * context.delta().as_secs_f64();
                // At most all tasks in one frame.
                *accumulator = (*accumulator + per_update).min(all);
                let whole = accumulator.trunc();
                *accumulator -= whole;
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
            Rule::FixedInterval { interval, .. } => Guarantee::Interval(interval),
        }
    }
}

impl Inspect for SpreadUpdates {
    fn pattern(&self) -> Option<Pattern> {
        match self.rule {
            Rule::MaxPerFrame(max_tasks) => Some(Pattern::AtMost(max_tasks)),
            Rule::FixedInterval { .. } => None,
        }
    }

    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published cursor skipped",
            count: self.skipped,
            thing: "turn",
            like_ours_while: (self.skipped == 0).then_some("no task dies"),
        })
    }

    fn tune(&mut self, knobs: &KnobValues) {
        match &mut self.rule {
            Rule::MaxPerFrame(max_tasks) => *max_tasks = knobs.get(&MAX_TASKS) as usize,
            Rule::FixedInterval { interval, .. } => *interval = knobs.span(&INTERVAL),
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
            let mut list = SpreadUpdates::max_per_frame(1);
            (0..count).for_each(|index| list.insert(TaskId::of(index)));
            list.next_turns(turns);
            for &index in &removed {
                list.remove(TaskId::of(index));
            }
            list.next_turns(1);
            assert_eq!(list.turns.last(), Some(&TaskId::of(next)), "{removed:?}");
            assert_eq!(list.skipped, skipped, "{removed:?}");
        }
    }
}
