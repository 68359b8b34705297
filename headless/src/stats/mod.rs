//! Statistics of lanes: the reporting engine.
//!
//! A [`Report`] holds every figure of a lane over a range of frames. There is one way to it:
//!
//! - The [`Collector`] of a [`MeasuredLane`] counts the events of a frame in its [`FrameSums`]. A run or a death ends an
//!   interval, which joins the group of its length. So a frame of a million runs takes little memory, and a range can
//!   still clip each interval to its own time.
//! - `Sums` adds the frames of a range. The collector adds each frame when it is over, which gives the sums since the last
//!   restart. The history keeps the record of each frame, and adds those of the last seconds
//!   ([`crate::history::WindowStats`]). Stalls and hitches come from the
//!   [`FrameRecord`](crate::sim::lane::FrameRecord) that is added with them.
//! - A change of a setting, and a reset by the user, restart the figures: the next frames count from then on, and no range
//!   spans a restart. After a change, the sums also wait for the end of the warm-up.
//! - A frame in which the program was interrupted is not added to the last seconds. Intervals that span it count without
//!   the part in between.
//!
//! Weighted staleness is compared with the theoretical bounds, and between strategies, only from the end of the first round
//! on ([`Settled`]).
//!
//! [`METRICS`] is the catalogue of figures for tables and JSON. The rules in `sentences` turn a report into words
//! ([`verdict()`], [`status()`]), and [`advise()`] compares strategies. All limits are in [`thresholds`].

mod advice;
mod bounds;
mod capacity;
mod collector;
mod cost_histogram;
mod demand;
mod distribution;
mod fixed_weight;
mod frame_sums;
mod game_speed;
mod guarantees;
mod judgement;
mod measured_lane;
mod metrics;
mod ranking;
mod recovery;
mod report;
mod sentences;
mod settled;
mod staleness;
mod sums;
pub mod thresholds;

pub use advice::{Advice, Choice, Measure, Tuned, Tuning, WeightedStaleness, advise, joined};
pub use bounds::{Bounds, MOST_SAMPLED};
pub use capacity::Capacity;
pub use collector::Collector;
pub use cost_histogram::CostHistogram;
pub use distribution::{Distribution, Times};
pub use frame_sums::FrameSums;
pub use game_speed::GameSpeed;
pub use measured_lane::MeasuredLane;
pub use metrics::{Better, METRICS, Metric, metric_by_key};
pub use ranking::Mark;
pub use recovery::Recovery;
pub use report::{Pacing, Report, Subject};
pub use sentences::{MOST_CLAUSES, coarse_clock, round, status, verdict};
pub use settled::Settled;
pub(crate) use sums::Sums;
pub use sums::{StoppedFrames, Totals, is_by_tasks};
pub use thresholds::{WARM_UP, hitch_from};

#[cfg(test)]
mod tests;
