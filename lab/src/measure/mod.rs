//! Computes the statistics of lanes, from single events up to sentences.
//!
//! A [`Report`] holds every metric of a lane over a range of frames. All reports are computed in the same way:
//!
//! - The [`Collector`] of a [`MeasuredLane`] counts the events of each frame in a [`FrameSums`]. Whenever a run or a
//!   death ends an interval, the interval joins the group of its length. A frame with a million runs therefore takes
//!   little memory, but a range of frames can still clip each interval to its own time.
//! - `Sums` adds up the frames of a range. The collector adds each completed frame to the sums since the last reset. It
//!   also keeps the [`Totals`] of the frames after every task has run once ([`Report::settled`]). The history keeps every frame,
//!   and adds up those of the last few seconds ([`crate::history::WindowStats`]). Stalls and hitches are taken from the
//!   [`FrameRecord`](crate::sim::lane::FrameRecord) of each frame.
//! - The metrics are reset when a setting changes. No range of frames spans a reset. After it, the sums also leave out a
//!   warm-up.
//! - Statistics of the last few seconds begin after the last interruption of the program.
//!
//! Weighted staleness is compared with the theoretical bounds and between strategies only in the frames after every
//! task has run once ([`Report::settled`]).
//!
//! [`METRICS`] lists all metrics for tables and JSON. The rules in `sentences` describe a report in words
//! ([`verdict()`], [`status()`]). All thresholds are in [`thresholds`].

mod bounds;
mod capacity;
mod collector;
mod demand;
mod distribution;
mod fixed_weight;
mod frame_sums;
mod game_speed;
mod judgement;
mod measured_lane;
pub mod metrics;
mod objective;
mod recovery;
mod report;
mod sentences;
mod staleness;
mod sums;
pub mod thresholds;

pub use bounds::{Bounds, MOST_SAMPLED};
pub use capacity::{Capacity, Most};
pub use collector::Collector;
pub use distribution::{Distribution, Times};
pub use frame_sums::{ClockAdvance, FrameSums};
pub use measured_lane::MeasuredLane;
pub use metrics::{Better, METRICS, Metric, metric_by_key};
pub use objective::Objective;
pub use recovery::{Recovery, best_two};
pub use report::{Pacing, Report, Subject};
pub use sentences::{MOST_CLAUSES, coarse_clock, round, status, verdict};
pub(crate) use sums::Sums;
pub use sums::{StoppedFrames, Totals, is_hitch, is_hitch_by_tasks};
pub use thresholds::WARM_UP;

#[cfg(test)]
mod tests;
