//! An independent record of when each task was born, when it last ran, and how long it has waited. Every run is checked
//! against it, and so are the guarantees of the strategy.

use std::collections::BTreeMap;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Guarantee;
use timeslicer::time::{GameTime, Nanos};

#[derive(Clone, Copy, Debug)]
struct Life {
    /// The time of the last run, or of the birth.
    last_run: GameTime,
    /// The number of the update in which the task last ran.
    ran_in: Option<usize>,
    /// The start of the guaranteed wait, as game time.
    waits_from: GameTime,
    /// The start of the guaranteed wait, as a number of updates.
    waits_since: usize,
    /// The number of the update by which the task's request must be served.
    served_by: Option<usize>,
}

#[derive(Default)]
pub(crate) struct Record {
    now: GameTime,
    /// The game time after each update.
    ends: Vec<GameTime>,
    lives: BTreeMap<TaskId, Life>,
}

impl Record {
    pub(crate) fn now(&self) -> GameTime {
        self.now
    }

    /// Returns the living tasks, sorted by index.
    pub(crate) fn tasks(&self) -> Vec<TaskId> {
        self.lives.keys().copied().collect()
    }

    pub(crate) fn last_run(&self, task: TaskId) -> GameTime {
        self.life(task).last_run
    }

    fn life(&self, task: TaskId) -> &Life {
        let life = self.lives.get(&task);
        life.unwrap_or_else(|| panic!("{task:?} does not live"))
    }

    pub(crate) fn born(&mut self, task: TaskId, born: GameTime) {
        let life = Life {
            last_run: born,
            ran_in: None,
            waits_from: born,
            waits_since: self.ends.len(),
            served_by: None,
        };
        let earlier = self.lives.insert(task, life);
        assert!(earlier.is_none(), "{task:?} is born twice");
    }

    pub(crate) fn died(&mut self, task: TaskId) {
        let life = self.lives.remove(&task);
        assert!(life.is_some(), "{task:?} dies twice");
    }

    /// Records a request. If the task already has a pending request, the deadline of that request does not change.
    pub(crate) fn requested(&mut self, task: TaskId, guarantee: Guarantee) {
        if let Guarantee::Request { updates } = guarantee
            && let Some(life) = self.lives.get_mut(&task)
        {
            life.served_by.get_or_insert(self.ends.len() + updates);
        }
    }

    /// Records the start of an update that ends at `now`.
    pub(crate) fn update_began(&mut self, now: GameTime) {
        self.now = now;
        self.ends.push(now);
    }

    pub(crate) fn ran(&mut self, task: TaskId, elapsed: Nanos, must_be_requested: bool) {
        let update = self.ends.len();
        let life = self.lives.get_mut(&task);
        let life = life.unwrap_or_else(|| panic!("{task:?} runs after its death"));
        let twice = life.ran_in.replace(update) == Some(update);
        assert!(!twice, "{task:?} runs twice in an update");
        assert_eq!(elapsed, self.now - life.last_run, "{task:?}");
        let requested = life.served_by.take().is_some();
        let allowed = requested || !must_be_requested;
        assert!(allowed, "{task:?} runs without a request");
        life.last_run = self.now;
        life.waits_from = self.now;
        life.waits_since = update;
    }

    /// Forgets all requests, because the strategy has changed.
    pub(crate) fn strategy_switched(&mut self) {
        for life in self.lives.values_mut() {
            life.served_by = None;
        }
    }

    /// Restarts the guaranteed waits. Call after births, deaths and knob changes.
    pub(crate) fn settle(&mut self, guarantee: Guarantee) {
        let updates = self.ends.len();
        for life in self.lives.values_mut() {
            life.waits_from = self.now;
            life.waits_since = updates;
            if let Guarantee::Request { updates: within } = guarantee {
                life.served_by = life.served_by.map(|_| updates + within);
            }
        }
    }

    /// Asserts that all waits kept the guarantee in the latest update.
    pub(crate) fn assert_guarantee_kept(&self, guarantee: Guarantee) {
        let (now, updates) = (self.now, self.ends.len());
        for (&task, life) in &self.lives {
            let is_due = |end: GameTime, interval| {
                end > life.waits_from && end - life.waits_from >= interval
            };
            let is_kept = match guarantee {
                Guarantee::Updates(within) => updates - life.waits_since < within,
                Guarantee::Interval(interval) => !is_due(now, interval),
                Guarantee::Eventually {
                    interval,
                    updates: within,
                } => {
                    let ends = self.ends.iter().rev();
                    ends.take_while(|end| is_due(**end, interval)).count() <= within
                }
                Guarantee::Request { .. } => life.served_by.is_none_or(|by| updates < by),
            };
            assert!(
                is_kept,
                "{task:?} {life:?} at {now}, update {updates}, {guarantee:?}"
            );
        }
    }
}
