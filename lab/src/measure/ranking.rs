//! Compares several reports by a metric. Finds the best and the worst value, and sorts the reports.

use super::metrics::Better::{Less, More, Neither};
use super::thresholds::{COMPARED_FROM, SAME_SPAN, SAME_SPEED};
use super::{Metric, Report};

/// How the value of a metric is highlighted in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    #[default]
    None,
    /// The best value, unless all values are equal.
    Best,
    /// The worst value, unless all values are equal.
    Worst,
}

impl Metric {
    /// Marks the best and the worst value, or nothing if the values cannot be compared. Reports that cover less than a
    /// second are ignored, unless all reports are that short. Two values are equal if `written` turns both into the
    /// same text.
    pub fn ranks(&self, reports: &[Report], written: impl Fn(f64) -> String) -> Vec<Mark> {
        let is_short = |report: &Report| report.span < COMPARED_FROM;
        let are_all_short = reports.iter().all(is_short);
        let is_early = |report: &Report| self.flatters_early() && report.settled.is_none();
        let is_known = |report| (are_all_short || !is_short(report)) && !is_early(report);
        let value = |report| (self.value)(report).filter(|_| is_known(report));
        let values = || reports.iter().filter_map(value);
        let least = values().reduce(f64::min).map(&written);
        let most = values().reduce(f64::max).map(&written);
        let measured = || reports.iter().filter(|report| value(report).is_some());
        let (best, worst) = match self.better {
            _ if least == most || !self.has_one_time_base(measured) => (None, None),
            Less => (least, most),
            More => (most, least),
            Neither => (None, None),
        };
        let rank = |report| match value(report).map(&written) {
            None => Mark::None,
            text if text == best => Mark::Best,
            text if text == worst => Mark::Worst,
            _ => Mark::None,
        };
        reports.iter().map(rank).collect()
    }

    /// Returns true if the values of these reports can be compared. Metrics in game time can be compared only if the
    /// games run equally fast. Metrics that grow over time can be compared only if all reports cover the same length of
    /// time.
    fn has_one_time_base<'a, Reports>(&self, reports: impl Fn() -> Reports) -> bool
    where
        Reports: Iterator<Item = &'a Report>,
    {
        let ratio = |report: &Report| report.game_speed().ratio.unwrap_or(1.0);
        let slowest = reports().map(ratio).fold(f64::INFINITY, f64::min);
        let fastest = reports().map(ratio).fold(0.0, f64::max);
        let spans = || reports().map(|report| report.span);
        let longest = spans().max().unwrap_or_default();
        let more = longest - spans().min().unwrap_or_default();
        // The measurement of each lane begins and ends with a whole frame.
        let frame = reports().map(|report| report.frame.max).max();
        let frame = frame.unwrap_or_default();
        let is_same_span = more <= frame + frame || more.over(longest) <= SAME_SPAN;
        (!self.is_game_time() || fastest - slowest <= SAME_SPEED * fastest)
            && (!self.grows_with_time() || is_same_span)
    }

    /// Returns true if [`Metric::order`] puts the largest value first.
    pub fn is_descending(&self, is_reversed: bool) -> bool {
        (self.better == More) != is_reversed
    }

    /// Returns the indices of the reports, sorted by the metric. The best value comes first. If neither direction is
    /// better, the smallest value comes first. `is_reversed` reverses the order, but reports without a value always
    /// come last.
    pub fn order(&self, reports: &[Report], is_reversed: bool) -> Vec<usize> {
        let sign = if self.is_descending(is_reversed) {
            -1.0
        } else {
            1.0
        };
        let key =
            |place: &usize| (self.value)(&reports[*place]).map_or(f64::INFINITY, |it| sign * it);
        let mut order: Vec<usize> = (0..reports.len()).collect();
        order.sort_by(|one, other| key(one).total_cmp(&key(other)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::STRATEGIES;
    use crate::measure::metrics::*;
    use crate::testing::{report, report_on};
    use timeslicer::time::Nanos;

    /// Returns reports with these mean frame lengths.
    fn reports(means_ms: &[f64]) -> Vec<Report> {
        let one = report("fixed-interval", &[], 2);
        let with = |&mean_ms: &f64| {
            let mut report = one.clone();
            report.frame.mean = Nanos::from_millis_f64(mean_ms);
            report
        };
        means_ms.iter().map(with).collect()
    }

    #[test]
    fn best_and_worst_need_a_difference_and_a_direction() {
        let reports = ["all-at-once", "fixed-interval"].map(|key| report(key, &[], 2));
        for (metric, expected) in [
            (&TASKS_PER_FRAME_PEAK, [Mark::Worst, Mark::Best]),
            (&FPS_1_PERCENT_LOW, [Mark::Worst, Mark::Best]),
            (&DEBT_DROPPED_MS, [Mark::None; 2]), // both have none
            (&TASKS, [Mark::None; 2]),           // more is neither better nor worse
        ] {
            let ranks = metric.ranks(&reports, |it| it.to_string());
            assert_eq!(ranks, expected, "{}", metric.key);
        }
    }

    #[test]
    fn values_that_look_equal_are_equal() {
        let reports = reports(&[16.64, 16.66, 20.0]);
        let ranks =
            |decimals: usize| FRAME_MS_MEAN.ranks(&reports, |it| format!("{it:.decimals$}"));
        assert_eq!(ranks(2), [Mark::Best, Mark::None, Mark::Worst]);
        assert_eq!(ranks(0), [Mark::Best, Mark::Best, Mark::Worst]);
        let alike = FRAME_MS_MEAN.ranks(&reports, |_| String::new());
        assert_eq!(alike, [Mark::None; 3]);
    }

    #[test]
    fn short_reports_have_no_rank() {
        let mut reports = reports(&[10.0, 12.0, 14.0]);
        reports[0].span = Nanos::from_millis(100);
        let ranks = FRAME_MS_MEAN.ranks(&reports, |it| it.to_string());
        assert_eq!(ranks, [Mark::None, Mark::Best, Mark::Worst]);
    }

    #[test]
    fn staleness_before_the_end_of_the_first_round_has_no_rank() {
        let mut reports = ["every-frame", "all-at-once"].map(|key| report(key, &[], 3));
        for metric in [
            &STALENESS_MS_MEAN,
            &STALENESS_MS_NEAR,
            &STALENESS_MS_WEIGHTED_MEAN,
            &STALENESS_MS_WORST,
        ] {
            let ranks = |reports: &[Report]| metric.ranks(reports, |it| it.to_string());
            assert_eq!(ranks(&reports), [Mark::Best, Mark::Worst], "{}", metric.key);
            let settled = reports[0].settled.take();
            assert_eq!(ranks(&reports), [Mark::None; 2], "{}", metric.key);
            reports[0].settled = settled;
        }
    }

    #[test]
    fn figures_on_different_time_bases_have_no_rank() {
        let of = |frame_loop, key, secs| report_on(key, frame_loop, &[], secs);
        let same = ["all-at-once", "stagger-groups"].map(|key| of("variable-step", key, 4));
        let longer = [same[0].clone(), of("variable-step", "stagger-groups", 8)];
        // All games run faster than real time here, especially those with little work.
        let fast = ["every-frame", "stagger-groups"].map(|key| of("unsynced", key, 4));
        for metric in METRICS {
            let is_ranked = |reports: &[Report; 2]| {
                let ranks = metric.ranks(reports, |it| it.to_string());
                ranks.contains(&Mark::Best)
            };
            let key = metric.key;
            if metric.grows_with_time() {
                assert!(!is_ranked(&longer), "{key}");
            } else {
                assert_eq!(is_ranked(&longer), is_ranked(&same), "{key}");
            }
            assert!(!metric.is_game_time() || !is_ranked(&fast), "{key}");
        }
        assert!(FRAME_MS_MAX.grows_with_time());
        assert_eq!(
            FRAME_MS_MAX.ranks(&same, |it| it.to_string())[1],
            Mark::Best
        );
    }

    #[test]
    fn order_puts_the_best_first_and_absent_figures_last() {
        let all = STRATEGIES.iter().map(|entry| report(entry.key, &[], 2));
        let all: Vec<Report> = all.collect();
        for (metric, is_reversed) in METRICS.iter().flat_map(|it| [(it, false), (it, true)]) {
            let order = metric.order(&all, is_reversed).into_iter();
            let values: Vec<Option<f64>> = order.map(|place| (metric.value)(&all[place])).collect();
            let mut known: Vec<f64> = values.iter().flatten().copied().collect();
            if metric.is_descending(is_reversed) {
                known.reverse();
            }
            assert!(known.is_sorted(), "{}: {values:?}", metric.key);
            assert!(values[known.len()..].iter().all(Option::is_none));
        }
    }
}
