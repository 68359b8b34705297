//! Strategies as articles published them, including the articles' defects.
//!
//! In a game, use the [corrected strategies](super::STRATEGIES) instead. The published forms are for comparison:
//! benchmarks compare their cost with that of the corrected strategies, tests check that both run the same tasks while
//! no task dies, and Timeslice Lab shows their defects.
//!
//! Each form uses the same kinds of lists as its article, even if they have to be searched. If an article leaves
//! something open, the form does the cheapest thing: its lists contain task ids, not references to objects on the heap.
//! In one respect, a form is better than its article: if the game stops an update, the next update runs the tasks that
//! did not run.

pub mod distance_lod;
pub mod spread_updates;
pub mod stagger_groups;
pub mod timeslice_update;

use super::Inspect;
use crate::catalog::knob::Knob;
use std::collections::HashSet;
use timeslicer::scheduler::{TaskId, UpdateContext};

/// Describes how often the defect in a published strategy has occurred. Together, `before`, `count` and `thing` form a
/// status message, such as `the published cursor skipped 12 turns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect {
    /// The part of the message before the count, such as `the published cursor skipped`.
    pub before: &'static str,
    pub count: u64,
    /// The noun after the count, in the singular, such as `turn`. The message appends an "s" for the plural.
    pub thing: &'static str,
    /// A condition under which the published strategy works like the corrected one, such as `no task dies`. It is
    /// `None` if there is no such condition, or if the defect has already occurred.
    pub matches_ours_while: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Creates the published form with no tasks and with the default values of its knobs.
    pub make: fn() -> Box<dyn Inspect>,
    /// The knobs that have an effect on the published form.
    pub knobs: &'static [Knob],
    pub defect: &'static str,
}

/// Returns a filter that is false for these tasks, which have died.
fn all_but(tasks: &[TaskId]) -> impl Fn(&TaskId) -> bool + use<> {
    let removed: HashSet<TaskId> = tasks.iter().copied().collect();
    move |task| !removed.contains(task)
}

/// Runs the tasks in `turns` and removes them from the list. If the game stops the update, the tasks that have not run
/// remain in the list, and the next update has to run them first.
fn take_turns(turns: &mut Vec<TaskId>, context: &mut UpdateContext<'_>) {
    let taken = context.run(turns).taken;
    turns.drain(..taken);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::knob::KnobValues;
    use crate::catalog::strategy::STRATEGIES;
    use crate::catalog::strategy::knobs::AS_PUBLISHED;
    use spread_updates::{Rule, SpreadUpdates};
    use timeslicer::strategy::Strategy;
    use timeslicer::strategy::testing::TestWorld;
    use timeslicer::time::Nanos;

    #[test]
    fn a_strategy_has_the_knob_if_it_has_a_published_form() {
        for entry in STRATEGIES {
            let has_knob = entry.knobs.contains(&AS_PUBLISHED);
            assert_eq!(has_knob, entry.published.is_some(), "{}", entry.key);
        }
    }

    #[test]
    fn published_forms_run_on_request_if_ours_do() {
        for entry in STRATEGIES {
            let form = entry.build(&KnobValues::with(&[(&AS_PUBLISHED, 1.0)]));
            let on_request = form.guarantee().is_on_request();
            assert_eq!(on_request, entry.on_request(), "{}", entry.key);
        }
    }

    const DELTA: Nanos = Nanos::from_millis(16);

    #[test]
    fn turns_that_a_stop_prevents_come_first() {
        let mut world = TestWorld::new(SpreadUpdates::new(Rule::MaxPerFrame(5)), 8);
        world.most_runs = 2;
        assert_eq!(world.update(DELTA), [1, 2]);
        assert_eq!(world.strategy.backlog(), 3);
        world.death(4);
        assert_eq!(world.update(DELTA), [3, 5]);
        world.most_runs = usize::MAX;
        // Because of the death, the turn of task 6 was skipped.
        assert_eq!(world.update(DELTA), [7, 0, 1, 2, 3]);
        assert_eq!(world.strategy.backlog(), 0);
    }
}
