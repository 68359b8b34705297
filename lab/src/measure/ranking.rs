//! Sorts reports by a metric.

use super::metrics::Better::More;
use super::{Metric, Report};

impl Metric {
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
        let key = |index: &usize| {
            let value = (self.value)(&reports[*index]);
            value.map_or(f64::INFINITY, |value| sign * value)
        };
        let mut order: Vec<usize> = (0..reports.len()).collect();
        order.sort_by(|one, other| key(one).total_cmp(&key(other)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::STRATEGIES;
    use crate::measure::METRICS;
    use crate::testing::report;

    #[test]
    fn order_puts_the_best_first_and_absent_figures_last() {
        let all = STRATEGIES.iter().map(|entry| report(entry.key, &[], 2));
        let all: Vec<Report> = all.collect();
        for (metric, is_reversed) in METRICS.iter().flat_map(|it| [(it, false), (it, true)]) {
            let order = metric.order(&all, is_reversed).into_iter();
            let values: Vec<Option<f64>> = order.map(|index| (metric.value)(&all[index])).collect();
            let mut known: Vec<f64> = values.iter().flatten().copied().collect();
            if metric.is_descending(is_reversed) {
                known.reverse();
            }
            assert!(known.is_sorted(), "{}: {values:?}", metric.key);
            assert!(values[known.len()..].iter().all(Option::is_none));
        }
    }
}
