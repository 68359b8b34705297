//! The algorithms as the articles have them, written down plainly, for the benches to hold the library against:
//! linear lists, a queue with a hash set beside it, two readings of the clock a task, a modulo after an ordered
//! removal, and no ring. They are no part of the library.
//!
//! What an article leaves to its reader is the leanest thing that works: a list holds the names of tasks, not
//! references to objects on the heap, and clocks are the lab's own. Where it hands the tasks no elapsed time, they
//! note by themselves when they last ran ([`Units::update`]).
#![allow(dead_code, reason = "who includes it needs a part of it")]

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
    /// Runs a task that finds out by itself when it last ran.
    fn update(&mut self, unit: TaskId);

    /// Runs a task that is told how long ago it last ran.
    fn act(&mut self, unit: TaskId, elapsed: Nanos);

    /// Whether it has died and stands in a list still.
    fn is_dead(&self, unit: TaskId) -> bool;

    /// The clock.
    fn realtime(&self) -> ClockTime;
}

/// One of the algorithms.
pub trait Published<U: Units> {
    /// A task is born.
    fn insert(&mut self, unit: TaskId);

    /// A task has died.
    fn remove(&mut self, unit: TaskId);

    /// A task asks for a run.
    fn request(&mut self, _unit: TaskId) {}

    /// One update, `delta` after the last.
    fn update(&mut self, delta: Nanos, units: &mut U);

    /// How many have asked and not run.
    fn backlog(&self) -> usize {
        0
    }
}

/// The published form of the strategy of that key, set up as the registry's; none if no article has published it.
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
