//! Service of requests, by strategies that run on request.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::text::rich::{Clause, counted};

/// Returns how long requests waited.
pub(in crate::stats) fn requests(of: &Report) -> Option<Clause> {
    if !of.subject.promise.is_on_request() {
        return None;
    }
    let words = match &of.request_wait {
        _ if of.runs == 0 => phrase!["no task ran"],
        Some(waits) if waits.count > 0 && waits.max.is_zero() && of.backlog_peak == 0 => {
            phrase!["every request served in the next update"]
        }
        Some(waits) if waits.count > 0 => {
            let mean = time(waits.mean);
            phrase![
                "requests wait ",
                mean,
                " on average, up to ",
                of.game_time(waits.max)
            ]
        }
        _ => phrase![counted(of.runs, "run"), " on request"],
    };
    Some(words.normal())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::REQUESTS;
    use crate::stats::rules::test_report::{MS, assert_clause, clause_of, report};
    use timeslicer::strategy::knobs::BUDGET;

    #[test]
    fn requests_are_measured_by_their_wait() {
        let mut of = report("request-list", &[], 5);
        assert_clause(requests, &of, "every request served in the next update");
        let idle = report("request-list", &[(&REQUESTS, 0.0)], 1);
        assert_clause(requests, &idle, "no task ran");
        let busy = report("time-budget", &[(&BUDGET, 1.0)], 10);
        assert!(busy.request_wait.unwrap().max > MS(100));
        let (text, _) = clause_of(requests, &busy);
        assert!(text.starts_with("requests wait "), "{text}");
        assert_eq!(requests(&report("every-frame", &[], 1)), None);
        // The recorded history does not know how long requests waited.
        (of.request_wait, of.runs) = (None, 7);
        assert_clause(requests, &of, "7 runs on request");
    }
}
