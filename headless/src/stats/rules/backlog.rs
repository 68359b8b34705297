//! Tasks that wait.

use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{NEAR_PEAK, grew_beyond_chance};
use crate::text::rich::{Clause, counted, grouped_figure};

/// Returns a clause about the backlog. The clause is a warning if the backlog keeps growing.
pub(in crate::stats) fn backlog(of: &Report) -> Option<Clause> {
    if of.backlog_peak == 0 {
        return None;
    }
    Some(if of.falls_behind() {
        let (first, last) = of.backlog;
        let [first, last] = [first, last].map(|waiting| grouped_figure(waiting as u64));
        phrase!["backlog grew from ", first, " to ", last].warning()
    } else {
        phrase!["backlog up to ", counted(of.backlog_peak as u64, "task")].normal()
    })
}

impl Report {
    /// Returns true if the backlog keeps growing.
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
    use crate::stats::rules::test_report::{assert_clause, clause_of, report};
    use timeslicer::strategy::knobs::BUDGET;

    #[test]
    fn a_growing_backlog_is_a_warning() {
        assert_eq!(backlog(&report("request-list", &[], 5)), None);
        let set = [(&BUDGET, 1.0), (&ENTITIES, 4000.0)];
        let (text, is_warning) = clause_of(backlog, &report("time-budget", &set, 20));
        assert!(
            is_warning && text.starts_with("backlog grew from "),
            "{text}"
        );
        let mut of = report("time-budget", &[], 1);
        (of.backlog, of.backlog_peak) = ((40, 45), 1070);
        assert_clause(backlog, &of, "backlog up to 1,070 tasks");
    }
}
