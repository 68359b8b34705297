//! Statistics of lanes: the reporting engine.
//!
//! A [`Report`] holds every figure of a lane over some time. Reports have two producers. The [`Collector`] of a
//! [`MeasuredLane`] counts since the last change. The recorded history ([`crate::history`]) reports on the last seconds.
//! [`Totals`] since a lane's start are not part of a report.
//!
//! [`FIGURES`] is the catalogue of figures for tables and JSON. The rules in `sentences` turn a report into words
//! ([`verdict()`], [`status()`]), and [`recommend()`] compares strategies. All limits are in [`thresholds`].

mod capacity;
mod collector;
mod distribution;
mod figures;
mod game_speed;
mod judgement;
mod measured_lane;
mod promises;
mod ranking;
mod recommendation;
mod recovery;
mod report;
mod sentences;
mod significance;
mod tally;
pub mod thresholds;
mod totals;

pub use capacity::{Capacity, FrameWork, RunCost};
pub use collector::{Collector, StalenessIntegral};
pub use distribution::{Distribution, Times};
pub use figures::{Better, FIGURES, Figure, figure_by_key};
pub use game_speed::GameSpeed;
pub use measured_lane::MeasuredLane;
pub use ranking::{Mark, Rank};
pub use recommendation::{BudgetClass, Recommendation, WeightedStaleness, recommend, stalest};
pub use recovery::Recovery;
pub(crate) use report::RunFigures;
pub use report::{Intervals, Pacing, Report, Subject};
pub use sentences::{MOST_CLAUSES, StatusNotes, coarse_clock, round, status, verdict};
pub use significance::{Bounds, MOST_SAMPLED, load};
pub(crate) use tally::Tally;
pub use tally::{StoppedFrames, is_by_tasks};
pub use thresholds::{WARM_UP, hitch_from};
pub use totals::Totals;
