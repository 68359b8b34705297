//! Recorded frame of a contestant.

use crate::sim::projectile::Sight;
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// A frame, or several in quick succession.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Start, on the machine's clock.
    pub start: ClockTime,
    /// End, on the machine's clock.
    pub end: ClockTime,
    /// Number of updates.
    pub updates: u32,
    /// Game time of one update.
    pub step: Nanos,
    /// Projectile as it was drawn.
    pub sight: Sight,
    /// Projectile's position after the last update, on the scale of [`Sight::drawn`].
    pub updated: f64,
    /// Moment of the machine's clock that the last frame's picture shows.
    pub(super) drawn_for: ClockTime,
    /// Game time that the last frame's picture shows, in nanoseconds.
    pub(super) shown: f64,
    pub(super) before: RunningTotals,
}

/// Totals since a contestant's start.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningTotals {
    pub frames: u64,
    pub updates: u64,
    pub game: GameTime,
    pub busy: Nanos,
    pub dropped: Nanos,
}
