//! The worst values of a setting over all random seeds, compared with the limits.

use super::limits::{Broken, Limit, Limits};
use super::trial::Outcome;
use std::sync::Arc;
use timeslicer::time::Nanos;

/// The margin to add to the worst value, as a fraction of the difference between the worst and the mean over all seeds.
const MARGIN: f64 = 0.6;

/// If a value exceeds its limit only because of the margin, an excess of this fraction is ignored.
const NEGLIGIBLE_EXCESS: f64 = 0.005;

/// The worst value over all seeds of a metric that has a limit.
pub struct Worst {
    /// The limit and the worst value, increased by the margin.
    pub value: Broken,
    without_margin: Nanos,
    /// The index of the outcome with the worst value.
    pub nth: usize,
}

pub fn most_exceeded(outcomes: &[Arc<Outcome>], limits: &Limits) -> Option<Worst> {
    let worst = Limit::ALL.into_iter().filter_map(|limit| {
        let allowed = limits.allowed_for(limit, &outcomes[0])?;
        worst_value(limit, allowed, outcomes)
    });
    // A limit counts as exceeded if it would probably be with another seed.
    let exceeded = worst.filter(|it| {
        it.without_margin > it.value.allowed || it.value.excess() > 1.0 + NEGLIGIBLE_EXCESS
    });
    exceeded.max_by(|one, other| one.value.excess().total_cmp(&other.value.excess()))
}

/// Returns the worst value over all seeds of the metric that `limit` applies to. Most values are increased by a margin,
/// because another ten seeds might give a slightly worse value.
pub fn worst_value(limit: Limit, allowed: Nanos, outcomes: &[Arc<Outcome>]) -> Option<Worst> {
    let outcomes = outcomes.iter().enumerate();
    let measured = outcomes.filter_map(|(nth, it)| Some((nth, limit.measured(it)?)));
    let measured: Vec<(usize, Nanos)> = measured.collect();
    let &(nth, most) = measured.iter().max_by_key(|(_, it)| *it)?;
    let sum: f64 = measured.iter().map(|(_, it)| it.as_nanos() as f64).sum();
    let beyond_mean = most.as_nanos() as f64 - sum / measured.len() as f64;
    let margin = match limit {
        Limit::Hitches | Limit::MeanFrame => 0.0,
        _ if most == Nanos::MAX => 0.0,
        _ => MARGIN * beyond_mean,
    };
    Some(Worst {
        value: Broken {
            limit,
            allowed,
            measured: most + Nanos::from_nanos_f64(margin),
        },
        without_margin: most,
        nth,
    })
}
