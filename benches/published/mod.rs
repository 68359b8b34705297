//! The algorithms as published in the articles, as a baseline for the benches. They have lists that are searched, a
//! queue with a hash set, and two clock readings per task.
//!
//! Anything that an article leaves open is as cheap as possible. Lists hold task identifiers, not references to objects
//! on the heap, and clocks are the lab's own. If an article's tasks do not receive the elapsed time, they keep the time
//! of their last run themselves ([`Units::update`]).
#![allow(dead_code, reason = "each user needs only a part")]

pub mod all_at_once;
pub mod every_frame;
pub mod fixed_interval;
pub mod max_per_frame;
pub mod request_list;
pub mod stagger_groups;
pub mod time_budget;
pub mod unique_queue;

use timeslice::scheduler::TaskId;
use timeslice::strategy::knobs::BUDGET;
use timeslice::strategy::knobs::INTERVAL;
use timeslice::strategy::stagger_groups::GROUPS;
use timeslice::time::{ClockTime, Nanos};

/// The game that an article's code belongs to.
pub trait Units {
    /// Runs a task that keeps the time of its last run itself.
    fn update(&mut self, unit: TaskId);

    /// Runs a task with the time elapsed since its last run.
    fn act(&mut self, unit: TaskId, elapsed: Nanos);

    /// Returns true if the task has died, though a list may still contain it.
    fn is_dead(&self, unit: TaskId) -> bool;

    /// Reads the clock.
    fn realtime(&self) -> ClockTime;
}

/// A published algorithm.
pub trait Published<U: Units> {
    /// Adds a newborn task.
    fn insert(&mut self, unit: TaskId);

    /// Removes a dead task.
    fn remove(&mut self, unit: TaskId);

    /// Requests a run of a task.
    fn request(&mut self, _unit: TaskId) {}

    /// Returns the maximum number of requests per update that a bench should make. More would take too long.
    fn max_requests(&self) -> usize {
        usize::MAX
    }

    /// Makes one update, `delta` after the last.
    fn update(&mut self, delta: Nanos, units: &mut U);

    /// Returns the number of requested tasks that have not run yet.
    fn backlog(&self) -> usize {
        0
    }
}

/// Returns the published form of a strategy, with the same parameters as the registry's. `None` if there is none.
#[must_use]
pub fn by_key<U: Units>(key: &str) -> Option<Box<dyn Published<U>>> {
    let interval = Nanos::from_secs_f64(INTERVAL.default);
    Some(match key {
        "every-frame" => Box::new(every_frame::EveryFrame::default()),
        "all-at-once" => Box::new(all_at_once::AllAtOnce::new(interval)),
        "max-per-frame" => Box::new(max_per_frame::MaxPerFrame::new(1_000)),
        "fixed-interval" => Box::new(fixed_interval::FixedInterval::new(interval)),
        "request-list" => Box::new(request_list::RequestList::default()),
        "time-budget" => Box::new(time_budget::TimeBudget::new(Nanos::from_millis_f64(
            BUDGET.default,
        ))),
        "stagger-groups" => Box::new(stagger_groups::StaggerGroups::new(GROUPS.default as usize)),
        _ => return None,
    })
}
