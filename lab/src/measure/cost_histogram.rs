//! Computes a histogram of the task costs that result from the settings.

use crate::sim::settings::Settings;
use crate::sim::world::{COST, COST_SPREAD, OwnCosts, log_variance};
use timeslicer::time::Nanos;

/// The axis is logarithmic if its largest value is at least this many times its smallest value.
const LOGARITHMIC_FROM: f64 = 10.0;

/// For a log-normal distribution, the axis extends this many standard deviations to each side of the middle. One in a
/// thousand costs lies beyond each end.
const STANDARD_DEVIATIONS: f64 = 3.09;

/// A histogram of task costs. Costs beyond an end of the axis are counted in the bin at that end.
#[derive(Clone, Debug, PartialEq)]
pub struct CostHistogram {
    /// The cost at the left end of the axis.
    pub from: Nanos,
    pub to: Nanos,
    /// Whether some costs are zero, which cannot be shown on a logarithmic axis.
    pub has_zeros_below: bool,
    pub is_logarithmic: bool,
    /// The fraction of the costs in each bin, from left to right. If all costs are equal, there is only one bin.
    pub shares: Vec<f64>,
    pub mean: Nanos,
}

impl CostHistogram {
    /// Computes a histogram with this number of bins. Returns `None` if the knobs give all tasks the same cost. If the
    /// user has loaded a list of costs, there is always a histogram.
    pub fn of(settings: &Settings, bins: usize) -> Option<Self> {
        let mean = settings.mean_cost();
        if let Some(own) = &settings.own_costs {
            let sorted = own.sorted();
            let below = |cost: f64| {
                let count = sorted.partition_point(|it| (it.as_nanos() as f64) < cost);
                count as f64 / sorted.len() as f64
            };
            let [from, to] = ends(own);
            let histogram = Self::with(from, to, mean, bins, below);
            return Some(Self {
                has_zeros_below: own.least() < from,
                ..histogram
            });
        }
        let spread = settings.knobs.get(&COST_SPREAD);
        if spread == 0.0 || mean.is_zero() {
            return None;
        }
        let variance = log_variance(spread);
        let deviation = variance.sqrt();
        let median_ns = settings.knobs.get(&COST) * 1e3 * libm::exp(-variance / 2.0);
        let at_rank = |rank: f64| Nanos::from_nanos_f64(median_ns * libm::exp(rank * deviation));
        let below = |cost: f64| {
            let rank = libm::log(cost / median_ns) / deviation;
            libm::erfc(-rank / std::f64::consts::SQRT_2) / 2.0
        };
        let (from, to) = (at_rank(-STANDARD_DEVIATIONS), at_rank(STANDARD_DEVIATIONS));
        Some(Self::with(from, to, mean, bins, below))
    }

    /// Computes the histogram of a distribution. `below` returns the fraction of costs below a given number of
    /// nanoseconds.
    fn with(from: Nanos, to: Nanos, mean: Nanos, bins: usize, below: impl Fn(f64) -> f64) -> Self {
        let mut histogram = Self {
            from,
            to,
            has_zeros_below: false,
            is_logarithmic: !from.is_zero() && to.over(from) >= LOGARITHMIC_FROM,
            shares: vec![1.0],
            mean,
        };
        if from < to {
            let edge = |bin: usize| match bin {
                0 => 0.0,
                _ if bin == bins => 1.0,
                _ => below(histogram.cost_at(bin as f64 / bins as f64)),
            };
            let edges: Vec<f64> = (0..=bins).map(edge).collect();
            histogram.shares = edges.windows(2).map(|pair| pair[1] - pair[0]).collect();
        }
        histogram
    }

    /// Returns the cost in nanoseconds at a position on the axis (0 to 1).
    fn cost_at(&self, place: f64) -> f64 {
        let (from, to) = (self.from.as_nanos() as f64, self.to.as_nanos() as f64);
        if self.is_logarithmic {
            from * libm::pow(to / from, place)
        } else {
            from + (to - from) * place
        }
    }

    /// Returns the position of a cost on the axis (0 to 1). If all costs are equal, returns the middle.
    pub fn place_of(&self, cost: Nanos) -> f64 {
        let (from, to) = (self.from.as_nanos() as f64, self.to.as_nanos() as f64);
        let cost = (cost.as_nanos() as f64).clamp(from, to);
        match self.is_logarithmic {
            _ if from == to => 0.5,
            true => libm::log(cost / from) / libm::log(to / from),
            false => (cost - from) / (to - from),
        }
    }
}

/// Returns the ends of the axis, which are the smallest and the largest of the user's own costs. If the axis is
/// logarithmic, costs of zero are ignored.
fn ends(own: &OwnCosts) -> [Nanos; 2] {
    let (least, most) = (own.least(), own.most());
    if !least.is_zero() {
        return [least, most];
    }
    let zeros = own.sorted().partition_point(|cost| cost.is_zero());
    match own.sorted().get(zeros) {
        Some(positive) if most.over(*positive) >= LOGARITHMIC_FROM => [*positive, most],
        _ => [least, most],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::knob::KnobValues;

    fn own(micros: &[u64]) -> CostHistogram {
        let costs = micros.iter().copied().map(Nanos::from_micros);
        let settings = Settings {
            own_costs: OwnCosts::new("costs.txt", costs.collect()),
            ..Settings::default()
        };
        CostHistogram::of(&settings, 4).expect("own costs")
    }

    fn by_knobs(cost: f64, spread: f64) -> Option<CostHistogram> {
        let settings = Settings {
            knobs: KnobValues::with(&[(&COST, cost), (&COST_SPREAD, spread)]),
            ..Settings::default()
        };
        CostHistogram::of(&settings, 60)
    }

    #[test]
    fn each_part_has_its_share_of_the_costs() {
        let of = own(&[20, 20, 25, 33, 59, 60, 60, 60]);
        assert_eq!(of.shares, [0.375, 0.125, 0.0, 0.5]);
        assert!(!of.is_logarithmic);
        assert_eq!([of.from, of.to], [20, 60].map(Nanos::from_micros));
        assert_eq!(of.place_of(Nanos::from_micros(30)), 0.25);
    }

    #[test]
    fn an_axis_over_decades_is_logarithmic() {
        let of = own(&[1, 2, 20, 10_000]);
        assert!(of.is_logarithmic);
        assert_eq!(of.shares, [0.5, 0.25, 0.0, 0.25]);
        assert!((of.place_of(Nanos::from_micros(100)) - 0.5).abs() < 1e-9);
        let with_zeros = own(&[0, 0, 1, 10_000]);
        assert!(with_zeros.is_logarithmic && with_zeros.has_zeros_below);
        assert_eq!(with_zeros.shares, [0.75, 0.0, 0.0, 0.25]);
        assert_eq!(with_zeros.place_of(Nanos::ZERO), 0.0);
        assert!(!own(&[0, 5, 9]).is_logarithmic);
    }

    #[test]
    fn equal_costs_are_one_part_and_costs_by_the_slider_none() {
        for micros in [0, 70] {
            let of = own(&[micros; 3]);
            assert_eq!((of.shares.clone(), of.place_of(of.mean)), (vec![1.0], 0.5));
        }
        assert_eq!(by_knobs(100.0, 0.0), None);
        assert_eq!(by_knobs(0.0, 1.0), None);
    }

    #[test]
    fn a_spread_gives_the_log_normal_distribution() {
        for spread in [0.1, 0.5, 1.0, 3.0] {
            let of = by_knobs(100.0, spread).unwrap();
            let sum: f64 = of.shares.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert_eq!(of.is_logarithmic, spread > 0.4);
            let middles = (0..60).map(|bin| of.cost_at((f64::from(bin) + 0.5) / 60.0));
            let mean: f64 = middles
                .zip(&of.shares)
                .map(|(cost, share)| cost * share)
                .sum();
            let most_off = if spread > 2.0 { 0.1 } else { 0.02 }; // the far tail
            assert!((mean / 1e5 - 1.0).abs() < most_off, "{spread}: {mean}");
        }
    }
}
