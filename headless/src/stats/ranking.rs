//! Ranks reports by a figure: best, worst and order.

use super::figures::Better::{Less, More, Neither};
use super::thresholds::{COMPARED_FROM, MOST_BEST};
use super::{Figure, Report};
use timeslicer::time::Nanos;

impl Figure {
    /// Returns the best and the worst value among `reports`. `None` if neither direction is better or if all values are
    /// equal. Reports on less than a second count only if no report is longer.
    #[must_use]
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
    #[must_use]
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
    #[must_use]
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
    #[must_use]
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
    use crate::sim::machine::Simulated;
    use crate::sim::settings::Settings;
    use crate::stats::{FIGURES, MeasuredLane, figure_by_key};

    #[test]
    fn best_and_worst_need_a_difference_and_a_direction() {
        let mut lanes = ["all-at-once", "fixed-interval"].map(|key| {
            let strategy =
                timeslicer::strategy::by_key(key).unwrap_or(timeslicer::strategy::STRATEGIES[0]);
            let settings = Settings {
                strategy,
                ..Settings::default()
            };
            MeasuredLane::new(settings, Simulated::default())
        });
        for lane in &mut lanes {
            (0..121).for_each(|_| drop(lane.frame().clone()));
        }
        let reports = lanes.map(|lane| lane.report());
        let of = |key| figure_by_key(key).and_then(|it: &Figure| it.best_and_worst(&reports));
        assert_eq!(of("tasks_per_frame.peak"), Some((14.0, 400.0)));
        let (best, worst) = of("fps_1_percent_low").expect("they differ");
        assert!(best > worst);
        assert_eq!(of("starved"), None, "both have none");
        assert_eq!(of("tasks"), None, "more is neither better nor worse");
    }

    /// Returns reports on 120 frames of each strategy.
    fn reports_of_all() -> Vec<Report> {
        let report = |&strategy: &&'static timeslicer::strategy::StrategyEntry| {
            let settings = Settings {
                strategy,
                ..Settings::default()
            };
            let mut lane = MeasuredLane::new(settings, Simulated::default());
            (0..120).for_each(|_| drop(lane.frame().clone()));
            lane.report()
        };
        timeslicer::strategy::STRATEGIES
            .iter()
            .map(report)
            .collect()
    }

    #[test]
    fn values_that_look_equal_are_equal() {
        let mut reports = reports_of_all();
        reports.truncate(3);
        let means = [16.64, 16.66, 20.0];
        for (report, mean) in reports.iter_mut().zip(means) {
            report.frame.mean = Nanos::from_millis_f64(mean);
        }
        let figure = figure_by_key("frame_ms.mean").unwrap();
        let marks = |decimals: usize| figure.ranks(&reports, |it| format!("{it:.decimals$}"));
        assert_eq!(marks(2), [Rank::Best, Rank::None, Rank::Worst]);
        assert_eq!(marks(0), [Rank::Best, Rank::Best, Rank::Worst]);
        let alike = figure.ranks(&reports, |_| String::new());
        assert_eq!(alike, [Rank::None; 3]);
        let entities = figure_by_key("entities").unwrap();
        assert_eq!(
            entities.ranks(&reports, |it| it.to_string()),
            [Rank::None; 3]
        );
    }

    #[test]
    fn short_reports_have_no_rank() {
        let mut reports = reports_of_all();
        let figure = figure_by_key("frame_ms.mean").unwrap();
        let marks = |reports: &[Report]| figure.ranks(reports, |it| format!("{it:.2}"));
        reports.truncate(3);
        for (report, mean) in reports.iter_mut().zip([10, 12, 14]) {
            report.frame.mean = Nanos::from_millis(mean);
        }
        assert_eq!(marks(&reports), [Rank::Best, Rank::None, Rank::Worst]);
        reports[0].span = Nanos::from_millis(100);
        assert_eq!(marks(&reports), [Rank::None, Rank::Best, Rank::Worst]);
    }

    #[test]
    fn order_puts_the_best_first_and_absent_figures_last() {
        let reports = reports_of_all();
        for (figure, is_reversed) in FIGURES.iter().flat_map(|it| [(it, false), (it, true)]) {
            let order = figure.order(&reports, is_reversed);
            let values: Vec<Option<f64>> = order
                .into_iter()
                .map(|place| (figure.value)(&reports[place]))
                .collect();
            let known: Vec<f64> = values.iter().flatten().copied().collect();
            let lead = values[..known.len()].iter().all(Option::is_some);
            let is_descending = (figure.better == More) != is_reversed;
            let sorted = known.windows(2).all(|pair| {
                let (one, next) = if is_descending {
                    (pair[1], pair[0])
                } else {
                    (pair[0], pair[1])
                };
                one <= next
            });
            assert!(lead && sorted, "{}: {values:?}", figure.key);
        }
    }

    #[test]
    fn marks_are_for_a_single_best_and_for_what_breaks_the_budget() {
        let reports = reports_of_all();
        let marks = |key, budget| {
            let figure = figure_by_key(key).unwrap();
            figure.marks(&reports, Nanos::from_millis(budget), |it| {
                format!("{it:.1}")
            })
        };
        let count = |marks: &[Mark], wanted| marks.iter().filter(|it| **it == wanted).count();
        let tight = marks("per_frame_ms.tasks_p99", 4);
        let over = reports
            .iter()
            .map(|it| it.frame_tasks.p99 > Nanos::from_millis(5));
        for (mark, is_over) in tight.iter().zip(over) {
            assert!(!is_over || *mark == Mark::Warning, "{tight:?}");
        }
        assert!(count(&tight, Mark::Warning) > 0);
        let generous = marks("per_frame_ms.tasks_p99", 1000);
        assert_eq!(count(&generous, Mark::Warning), 0);
        assert_eq!(count(&generous, Mark::Best), 1);
    }

    #[test]
    fn a_best_value_that_many_share_is_not_marked() {
        let mut reports = reports_of_all();
        let figure = figure_by_key("frame_ms.mean").unwrap();
        for sharing in [MOST_BEST, MOST_BEST + 1] {
            for (index, report) in reports.iter_mut().enumerate() {
                report.frame.mean = Nanos::from_millis(if index < sharing { 10 } else { 20 });
            }
            let marks = figure.marks(&reports, Nanos::SECOND, |it| it.to_string());
            let best = marks.iter().filter(|mark| **mark == Mark::Best).count();
            assert_eq!(best, if sharing == MOST_BEST { MOST_BEST } else { 0 });
        }
    }
}
