//! Bursts: frames with many more runs than the average.

use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{BURST_RATIO, BURST_RUNS};
use crate::text::format;
use crate::text::rich::{Clause, counted, figure};

/// Returns the size of bursts, if there were any.
pub(in crate::stats) fn burst(of: &Report) -> Option<Clause> {
    let ratio = format::number(burst_ratio(of)?);
    let most = counted(of.peak_runs.into(), "task");
    let ratio = figure(format!("{ratio}×"));
    Some(phrase!["bursts of up to ", most, ", ", ratio, " the average"].normal())
}

/// Returns the largest number of runs in a frame, divided by the mean. `None` if that is too little for a burst.
pub(super) fn burst_ratio(of: &Report) -> Option<f64> {
    let ratio = of.peak_over_mean()?;
    (of.peak_runs >= BURST_RUNS && ratio >= BURST_RATIO).then_some(ratio)
}

impl Report {
    /// Returns true if there were frames with many more runs than the average.
    pub(in crate::stats) fn has_bursts(&self) -> bool {
        burst_ratio(self).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::ENTITIES;
    use crate::stats::rules::test_report::{assert_clause, report};

    #[test]
    fn bursts_are_measured_against_the_average() {
        let of = report("all-at-once", &[], 10);
        let ratio = format::number(400.0 / of.mean_runs());
        let expected = format!("bursts of up to 400 tasks, {ratio}× the average");
        assert_clause(burst, &of, &expected);
        assert_eq!(burst(&report("fixed-interval", &[], 10)), None);
        let few = report("all-at-once", &[(&ENTITIES, 5.0)], 10);
        assert_eq!(burst(&few), None, "too few tasks for a burst");
    }
}
