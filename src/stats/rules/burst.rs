//! How evenly runs are spread over frames.

use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{BURST_RATIO, BURST_RUNS, NO_PEAK};
use crate::text::format;
use crate::text::rich::{Clause, counted, figure};

/// Whether runs came in bursts.
pub(in crate::stats) fn burst(of: &Report) -> Option<Clause> {
    let ratio = of.peak_over_mean()?;
    (of.peak_runs >= BURST_RUNS && ratio >= BURST_RATIO).then(|| {
        let most = counted(of.peak_runs.into(), "task");
        let ratio = figure(format::number(ratio));
        phrase![
            "bursts of up to ",
            most,
            " a frame, ",
            ratio,
            " times the mean"
        ]
        .normal()
    })
}

/// How evenly runs were spread, if not in bursts.
pub(in crate::stats) fn even_load(of: &Report) -> Option<Clause> {
    let ratio = of.peak_over_mean()?;
    if burst(of).is_some() || of.runs_all_in_every_frame() {
        return None;
    }
    let most = phrase!["at most ", counted(of.peak_runs.into(), "task"), " a frame"];
    // The mean of one entity is of no use.
    if of.entities == 1 || ratio < NO_PEAK {
        return Some(most.normal());
    }
    let ratio = figure(format::number(ratio));
    Some(phrase![most, ", ", ratio, " times the mean"].normal())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::ENTITIES;
    use crate::stats::rules::test_report::{report, says};

    #[test]
    fn bursts_are_told_and_even_runs_are_not() {
        let of = report("all-at-once", &[], 10);
        let ratio = format::number(400.0 / of.mean_runs());
        let expected = format!("bursts of up to 400 tasks a frame, {ratio} times the mean");
        says(burst, &of, &expected);
        assert_eq!(even_load(&of), None);
        assert_eq!(burst(&report("fixed-interval", &[], 10)), None);
        let few = report("all-at-once", &[(&ENTITIES, 5.0)], 10);
        assert_eq!(burst(&few), None, "a small crowd has none");
    }

    #[test]
    fn the_peak_of_an_even_load_is_told_against_its_mean() {
        let of = report("fixed-interval", &[], 10);
        let ratio = format::number(14.0 / of.mean_runs());
        let expected = format!("at most 14 tasks a frame, {ratio} times the mean");
        says(even_load, &of, &expected);
        let one = report("all-at-once", &[(&ENTITIES, 1.0)], 10);
        says(even_load, &one, "at most 1 task a frame");
        assert_eq!(even_load(&report("every-frame", &[], 1)), None);
    }
}
