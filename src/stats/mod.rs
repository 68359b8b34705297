//! What is measured of a lane, and what the figures mean.
//!
//! A [`MeasuredLane`] is a lane whose observer, [`Statistics`], counts what happens in it: a [`Collector`] since the last
//! change, [`Totals`] since the start. A [`Report`] is what it has counted until now; [`FIGURES`] names each
//! figure of a report, with its unit and which way is better, for tables and JSON; [`verdict`] says in a
//! sentence what a report means.

mod collector;
mod distribution;
mod figures;
mod measured_lane;
mod phrasing;
mod promises;
mod recommendation;
mod recovery;
mod report;
mod totals;
mod verdict;

pub use collector::{Collector, WARM_UP, hitch_from};
pub use distribution::{Distribution, Times};
pub use figures::{Better, FIGURES, Figure, Rank, figure_by_key};
pub use measured_lane::{MeasuredLane, Statistics};
pub use promises::STARVED_AFTER;
pub use recommendation::{Recommendation, recommend, stalest};
pub use recovery::Recovery;
pub use report::{Pacing, Report};
pub use totals::Totals;
pub use verdict::verdict;

#[cfg(test)]
pub(crate) mod test_lane;

/// Whether a queue grew, from so many that waited to so many, by more than chance makes of it: that is about the root
/// of those served.
pub(crate) fn grew_beyond_chance((first, last): (usize, usize), served: u64) -> bool {
    last.saturating_sub(first) as f64 > (served as f64).sqrt()
}
