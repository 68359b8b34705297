//! What waits.

use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{NEAR_PEAK, grew_beyond_chance};
use crate::text::rich::{Clause, grouped_figure};

/// How long the queue is, and whether it grows.
pub(in crate::stats) fn backlog(of: &Report) -> Option<Clause> {
    if of.backlog_peak == 0 {
        return None;
    }
    Some(if of.falls_behind() {
        let (first, last) = of.backlog;
        let [first, last] = [first, last].map(|waiting| grouped_figure(waiting as u64));
        phrase!["backlog grew from ", first, " to ", last].warning()
    } else {
        phrase!["backlog at most ", grouped_figure(of.backlog_peak as u64)].normal()
    })
}

impl Report {
    /// Whether more wait all the time than are served.
    #[must_use]
    pub fn falls_behind(&self) -> bool {
        grew_beyond_chance(self.backlog, self.runs)
            && self.backlog.1 * NEAR_PEAK >= self.backlog_peak
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::ENTITIES;
    use crate::stats::rules::test_report::{report, says, told};
    use timeslice::strategy::knobs::BUDGET;

    #[test]
    fn a_backlog_grows_or_has_its_peak_told() {
        assert_eq!(backlog(&report("request-list", &[], 5)), None);
        let set = [(&BUDGET, 1.0), (&ENTITIES, 4000.0)];
        let (text, is_warning) = told(backlog, &report("time-budget", &set, 20));
        assert!(
            is_warning && text.starts_with("backlog grew from "),
            "{text}"
        );
        let mut of = report("time-budget", &[], 1);
        (of.backlog, of.backlog_peak) = ((40, 45), 1070);
        says(backlog, &of, "backlog at most 1,070");
    }
}
