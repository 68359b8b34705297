//! How requests are served, by strategies that run on request.

use super::phrasing::{at_most, time};
use crate::phrase;
use crate::stats::Report;
use crate::text::rich::{Clause, counted};

/// How long requests waited.
pub(in crate::stats) fn requests(of: &Report) -> Option<Clause> {
    if !of.promise.is_of_requests() {
        return None;
    }
    let runs = counted(of.runs, "run");
    let words = match &of.request_wait {
        _ if of.runs == 0 => phrase!["nothing ran"],
        None if of.backlog_peak == 0 => phrase![runs, " on request, each in the next update"],
        None => phrase![runs, " on request"],
        Some(waits) if waits.count == 0 => phrase![runs, " on request"],
        Some(waits) if waits.max.is_zero() && of.backlog_peak == 0 => {
            phrase!["every request served in the next update"]
        }
        Some(waits) => phrase![
            "requests served after ",
            time(waits.mean),
            " on the mean, at most ",
            at_most(waits.max)
        ],
    };
    Some(words.normal())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::REQUESTS;
    use crate::stats::rules::test_report::{MS, report, says, told};
    use timeslice::strategy::knobs::BUDGET;

    #[test]
    fn requests_are_told_by_how_long_they_waited() {
        let mut of = report("request-list", &[], 5);
        says(requests, &of, "every request served in the next update");
        let none = report("request-list", &[(&REQUESTS, 0.0)], 1);
        says(requests, &none, "nothing ran");
        let busy = report("time-budget", &[(&BUDGET, 1.0)], 10);
        assert!(busy.request_wait.unwrap().max > MS(100));
        let (text, _) = told(requests, &busy);
        assert!(text.starts_with("requests served after "), "{text}");
        assert_eq!(requests(&report("every-frame", &[], 1)), None);
        // The window does not know how long requests waited.
        (of.request_wait, of.runs) = (None, 7);
        let text = "7 runs on request, each in the next update";
        says(requests, &of, text);
        of.backlog_peak = 3;
        says(requests, &of, "7 runs on request");
    }
}
