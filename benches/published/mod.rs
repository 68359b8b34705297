//! The published forms that the benches compare with the library's strategies, as does
//! `headless/tests/conformance/published_forms.rs`.
#![allow(dead_code, reason = "each user needs only a part")]

use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Promise;
use timeslicer::strategy::knobs::{BUDGET, INTERVAL};
use timeslicer::strategy::published::{Form, Units};
use timeslicer::strategy::published::{spread_updates, stagger_groups, timeslice_update};
use timeslicer::strategy::stagger_groups::GROUPS;
use timeslicer::time::Nanos;

/// A published form in a game of type `U`.
pub trait Published<U>: Form {
    /// Makes one update, `delta` after the last.
    fn update_in(&mut self, delta: Nanos, game: &mut U);
}

impl<U: Units, F: Form> Published<U> for F {
    fn update_in(&mut self, delta: Nanos, game: &mut U) {
        self.update(delta, game);
    }
}

/// The starting point of the articles: runs all tasks of a list at once, then waits for an interval.
struct WholeList {
    items: Vec<TaskId>,
    interval: Nanos,
    since_last: Nanos,
}

impl WholeList {
    fn new(interval: Nanos) -> Self {
        Self {
            items: Vec::new(),
            interval,
            since_last: interval,
        }
    }
}

impl Form for WholeList {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U) {
        self.since_last += delta;
        if self.since_last >= self.interval {
            self.since_last = Nanos::ZERO;
            for &item in &self.items {
                units.update(item);
            }
        }
    }

    fn promise(&self) -> Promise {
        Promise::Interval(self.interval)
    }
}

/// Returns the published form of a strategy, with the same parameters as the registry's. `None` if there is none.
pub fn by_key<U: Units>(key: &str) -> Option<Box<dyn Published<U>>> {
    let (interval, budget) = (INTERVAL.default_span(), BUDGET.default_span());
    Some(match key {
        "every-frame" => Box::new(WholeList::new(Nanos::ZERO)),
        "all-at-once" => Box::new(WholeList::new(interval)),
        "max-per-frame" => Box::new(spread_updates::MaxPerFrame::new(1_000)),
        "fixed-interval" => Box::new(spread_updates::FixedInterval::new(interval)),
        "request-list" => Box::new(timeslice_update::RequestList::default()),
        "time-budget" => Box::new(timeslice_update::TimeBudget::new(budget)),
        "stagger-groups" => Box::new(stagger_groups::StaggerGroups::new(GROUPS.default as usize)),
        _ => return None,
    })
}

/// Returns the maximum number of requests per update that a bench should make. More would take too long.
pub fn max_requests(key: &str) -> usize {
    match key {
        "request-list" => 1_000, // searching the list takes quadratic time
        _ => usize::MAX,
    }
}
