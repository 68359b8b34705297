//! Ranks reports by a figure: best, worst and order.

use super::figures::Better::{Less, More, Neither};
use super::thresholds::{COMPARED_FROM, MOST_BEST};
use super::{Figure, Report};
use timeslicer::time::Nanos;

impl Figure {
    /// Returns the best and the worst value among `reports`. `None` if neither direction is better or if all values are
    /// equal. Reports on less than a second count only if no report is longer.
    pub fn best_and_worst(&self, reports: &[Report]) -> Option<(f64, f64)> {
        let comparable = reports.iter().filter(|it| is_comparable(it, reports));
        let values = || comparable.clone().filter_map(self.value);
        let least = values().reduce(f64::min)?;
        let most = values().reduce(f64::max)?;
        if least == most {
            return None;
        }
        match self.better {
            Less => Some((least, most)),
            More => Some((most, least)),
            Neither => None,
        }
    }
}

/// Returns true if `report` covers at least a second, or if no report does.
fn is_comparable(report: &Report, reports: &[Report]) -> bool {
    report.span >= COMPARED_FROM || reports.iter().all(|it| it.span < COMPARED_FROM)
}

/// Rank of a report among others, by a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rank {
    /// Neither best nor worst.
    #[default]
    None,
    /// The best, unless all are equal.
    Best,
    /// The worst, unless all are equal.
    Worst,
}

/// Mark of a report's figure in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Neither the best nor beyond a threshold.
    #[default]
    None,
    /// The best.
    Best,
    /// Beyond the budget or another threshold.
    Warning,
}

impl Figure {
    /// Marks each of `reports`, whose tasks may take `budget` a frame. A best value is marked only if at most
    /// [`MOST_BEST`] reports share it.
    pub fn marks(
        &self,
        reports: &[Report],
        budget: Nanos,
        written: impl Fn(f64) -> String,
    ) -> Vec<Mark> {
        let ranks = self.ranks(reports, written);
        let best = ranks.iter().filter(|rank| **rank == Rank::Best).count();
        let mark = |(report, rank): (&Report, &Rank)| {
            if (self.is_wrong)(report) || (self.breaks)(report, budget) {
                Mark::Warning
            } else if *rank == Rank::Best && best <= MOST_BEST {
                Mark::Best
            } else {
                Mark::None
            }
        };
        reports.iter().zip(&ranks).map(mark).collect()
    }

    /// Ranks each of `reports`. Values that look equal when `written` are equal.
    pub fn ranks(&self, reports: &[Report], written: impl Fn(f64) -> String) -> Vec<Rank> {
        let ends = self.best_and_worst(reports);
        let ends = ends.map(|(best, worst)| (written(best), written(worst)));
        let rank = |report| match (&ends, (self.value)(report).map(&written)) {
            (Some((best, worst)), _) if best == worst => Rank::None,
            _ if !is_comparable(report, reports) => Rank::None,
            (Some((best, _)), Some(text)) if text == *best => Rank::Best,
            (Some((_, worst)), Some(text)) if text == *worst => Rank::Worst,
            _ => Rank::None,
        };
        reports.iter().map(rank).collect()
    }

    /// Returns the indices of the reports, sorted by their values. The best comes first, or the smallest value if
    /// neither direction is better; `is_reversed` puts it last. Reports without a value come after all others. The sort
    /// is stable.
    pub fn order(&self, reports: &[Report], is_reversed: bool) -> Vec<usize> {
        let is_descending = (self.better == More) != is_reversed;
        let sign = if is_descending { -1.0 } else { 1.0 };
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
    use crate::stats::{FIGURES, figure_by_key};
    use crate::testing::report;
    use timeslicer::strategy::STRATEGIES;

    /// Returns reports with these mean lengths of frames.
    fn reports(means_ms: &[f64]) -> Vec<Report> {
        let one = report("fixed-interval", &[], 2);
        let with = |&mean_ms: &f64| {
            let mut report = one.clone();
            report.frame.mean = Nanos::from_millis_f64(mean_ms);
            report
        };
        means_ms.iter().map(with).collect()
    }

    fn mean() -> &'static Figure {
        figure_by_key("frame_ms.mean").unwrap()
    }

    #[test]
    fn best_and_worst_need_a_difference_and_a_direction() {
        let reports = ["all-at-once", "fixed-interval"].map(|key| report(key, &[], 2));
        let of = |key| figure_by_key(key).and_then(|it: &Figure| it.best_and_worst(&reports));
        assert_eq!(of("tasks_per_frame.peak"), Some((14.0, 400.0)));
        let (best, worst) = of("fps_1_percent_low").expect("they differ");
        assert!(best > worst);
        assert_eq!(of("starved"), None, "both have none");
        assert_eq!(of("tasks"), None, "more is neither better nor worse");
    }

    #[test]
    fn values_that_look_equal_are_equal() {
        let reports = reports(&[16.64, 16.66, 20.0]);
        let ranks = |decimals: usize| mean().ranks(&reports, |it| format!("{it:.decimals$}"));
        assert_eq!(ranks(2), [Rank::Best, Rank::None, Rank::Worst]);
        assert_eq!(ranks(0), [Rank::Best, Rank::Best, Rank::Worst]);
        let alike = mean().ranks(&reports, |_| String::new());
        assert_eq!(alike, [Rank::None; 3]);
    }

    #[test]
    fn short_reports_have_no_rank() {
        let mut reports = reports(&[10.0, 12.0, 14.0]);
        reports[0].span = Nanos::from_millis(100);
        let ranks = mean().ranks(&reports, |it| it.to_string());
        assert_eq!(ranks, [Rank::None, Rank::Best, Rank::Worst]);
    }

    #[test]
    fn order_puts_the_best_first_and_absent_figures_last() {
        let all = STRATEGIES.iter().map(|entry| report(entry.key, &[], 2));
        let all: Vec<Report> = all.collect();
        for (figure, is_reversed) in FIGURES.iter().flat_map(|it| [(it, false), (it, true)]) {
            let order = figure.order(&all, is_reversed).into_iter();
            let values: Vec<Option<f64>> = order.map(|place| (figure.value)(&all[place])).collect();
            let mut known: Vec<f64> = values.iter().flatten().copied().collect();
            if (figure.better == More) != is_reversed {
                known.reverse();
            }
            assert!(known.is_sorted(), "{}: {values:?}", figure.key);
            assert!(values[known.len()..].iter().all(Option::is_none));
        }
    }

    #[test]
    fn few_best_values_and_what_breaks_the_budget_are_marked() {
        let marks = |reports: &[Report], budget_ms| {
            let tasks = figure_by_key("per_frame_ms.tasks_p99").unwrap();
            tasks.marks(reports, Nanos::from_millis(budget_ms), |it| it.to_string())
        };
        let reports = ["all-at-once", "fixed-interval"].map(|key| report(key, &[], 2));
        assert_eq!(marks(&reports, 4), [Mark::Warning, Mark::Best]);
        assert_eq!(marks(&reports, 1000), [Mark::None, Mark::Best]);
        for sharing in [MOST_BEST, MOST_BEST + 1] {
            let means: Vec<f64> = (0..9)
                .map(|it| if it < sharing { 10.0 } else { 20.0 })
                .collect();
            let marks = mean().marks(&self::reports(&means), Nanos::SECOND, |it| it.to_string());
            let best = marks.iter().filter(|mark| **mark == Mark::Best).count();
            assert_eq!(best, if sharing == MOST_BEST { MOST_BEST } else { 0 });
        }
    }
}
