//! What is remembered of a contestant's frame.

use crate::sim::projectile::Sight;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// A frame, or several in quick succession.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// When it started, on the machine's clock.
    pub start: ClockTime,
    /// When it ended.
    pub end: ClockTime,
    /// Number of updates.
    pub updates: u32,
    /// The game time of one of them.
    pub step: Nanos,
    /// The projectile as it was drawn.
    pub sight: Sight,
    /// Where it was after the last update, as [`Sight::drawn`].
    pub updated: f64,
    /// The moment that the last one's picture is of, and the game time that it showed, in nanoseconds.
    pub(super) drawn_for: ClockTime,
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
