//! Statistics of lanes: the reporting engine.
//!
//! A [`Report`] holds every figure of a lane over some time. Reports have two producers. The [`Collector`] of a
//! [`MeasuredLane`] counts since the last change. The recorded history ([`crate::history`]) reports on the last seconds.
//! [`Totals`] since a lane's start are not part of a report.
//!
//! [`FIGURES`] is the catalogue of figures for tables and JSON. The `rules` turn a report into sentences ([`verdict()`],
//! [`status()`]), and [`recommend()`] compares strategies. All limits are in [`thresholds`].

mod capacity;
mod collector;
mod distribution;
mod figures;
mod measured_lane;
mod promises;
mod ranking;
mod recommendation;
mod recovery;
mod report;
mod rules;
mod significance;
mod status;
mod tally;
pub mod thresholds;
mod totals;
mod verdict;

pub use capacity::{Capacity, FrameWork, RunCost};
pub use collector::{Collector, StalenessIntegral};
pub use distribution::{Distribution, Times};
pub use figures::{Better, FIGURES, Figure, figure_by_key};
pub use measured_lane::MeasuredLane;
pub use ranking::{Mark, Rank};
pub use recommendation::{BudgetClass, Recommendation, WeightedStaleness, recommend, stalest};
pub use recovery::Recovery;
pub(crate) use report::RunFigures;
pub use report::{Intervals, Pacing, Report, Subject};
pub use rules::budget::coarse_clock;
pub use rules::game_speed::GameSpeed;
pub use rules::round::round;
pub use significance::{Bounds, MOST_SAMPLED, load};
pub use status::{MOST_CLAUSES, StatusNotes, status};
pub(crate) use tally::Tally;
pub use tally::{StoppedFrames, is_by_tasks};
pub use thresholds::{WARM_UP, hitch_from};
pub use totals::Totals;
pub use verdict::verdict;
