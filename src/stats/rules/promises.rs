//! Broken promises.

use super::phrasing::times_in_words;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::STARVED_AFTER;
use crate::text::rich::{Clause, counted, grouped_figure};

/// Warns of starved entities. If there are none, warns of late runs.
pub(in crate::stats) fn broken_promises(of: &Report) -> Option<Clause> {
    let promise = of.promise_in_words();
    let times = times_in_words(STARVED_AFTER);
    let words = if let Some(starved @ 1..) = of.starved {
        phrase![
            counted(starved, "entity"),
            format!(" starved: waited over {times} as long as promised ({promise})")
        ]
    } else if let Some(late @ 1..) = of.late {
        phrase![
            grouped_figure(late),
            " of ",
            counted(of.runs, "run"),
            format!(" late (promise: {promise})")
        ]
    } else {
        return None;
    };
    Some(words.warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{CHURN, COST, ENTITIES, FALLOFF};
    use crate::stats::rules::test_report::{assert_warning, report};
    use timeslice::strategy::STRATEGIES;

    #[test]
    fn only_broken_promises_are_reported() {
        for entry in STRATEGIES {
            // Cheap tasks, so that no budget makes a run wait, and equal weights: if the target moves, an interval may
            // become shorter than the time that its task has waited already, which makes the run late.
            let set = [
                (&ENTITIES, 100.0),
                (&CHURN, 10.0),
                (&COST, 10.0),
                (&FALLOFF, 0.0),
            ];
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
}
