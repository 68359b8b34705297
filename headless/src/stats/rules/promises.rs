//! Broken promises.

use super::phrasing::times_in_words;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::STARVED_AFTER;
use crate::text::rich::{Clause, counted, grouped_figure};
use timeslicer::strategy::Family;

/// Warns of starved entities. If there are none, warns of late runs.
pub(in crate::stats) fn broken_promises(of: &Report) -> Option<Clause> {
    let promise = of.promise_in_words();
    let times = times_in_words(STARVED_AFTER);
    // These strategies have an interval for each task.
    let is_by_weight = of.subject.strategy.family == Family::BySignificance;
    let words = if let Some(starved @ 1..) = of.starved {
        let than = if is_by_weight {
            "their weight allows".to_owned()
        } else {
            format!("promised ({promise})")
        };
        let waited = format!(" starved: waited over {times} as long as {than}");
        phrase![counted(starved, "entity"), waited]
    } else if let Some(late @ 1..) = of.late {
        let late_for = if is_by_weight {
            " late for the weight of the task".to_owned()
        } else {
            format!(" late (promise: {promise})")
        };
        let runs = counted(of.runs, "run");
        phrase![grouped_figure(late), " of ", runs, late_for]
    } else {
        return None;
    };
    Some(words.warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{CHURN, COST, ENTITIES};
    use crate::stats::rules::test_report::{assert_warning, report};
    use timeslicer::strategy::{STRATEGIES, StrategyEntry};

    #[test]
    fn only_broken_promises_are_reported() {
        for entry in STRATEGIES {
            // Cheap tasks, so that no budget makes a run wait.
            let set = [(&ENTITIES, 100.0), (&CHURN, 10.0), (&COST, 10.0)];
            let of = report(entry.key, &set, 20);
            assert_eq!((of.late, of.starved), (Some(0), Some(0)), "{}", entry.key);
            assert_eq!(broken_promises(&of), None);
        }
        let mut of = report("fixed-interval", &[(&ENTITIES, 40_000.0)], 30);
        let promise = of.promise_in_words();
        let expected = format!(
            "40,000 entities starved: waited over three times as long as promised ({promise})"
        );
        assert_warning(broken_promises, &of, &expected);
        (of.starved, of.late, of.runs) = (Some(0), Some(7), 1234);
        let expected = format!("7 of 1,234 runs late (promise: {promise})");
        assert_warning(broken_promises, &of, &expected);
    }

    #[test]
    fn tasks_with_weights_have_intervals_of_their_own() {
        let by_weight = |entry: &&&StrategyEntry| entry.family == Family::BySignificance;
        for entry in STRATEGIES.iter().filter(by_weight) {
            let mut of = report(entry.key, &[], 1);
            (of.starved, of.late, of.runs) = (Some(0), Some(7), 1234);
            let late = "7 of 1,234 runs late for the weight of the task";
            assert_warning(broken_promises, &of, late);
            of.starved = Some(2);
            let starved =
                "2 entities starved: waited over three times as long as their weight allows";
            assert_warning(broken_promises, &of, starved);
        }
    }
}
