//! Totals since a lane's start. Changes do not reset them.

use super::Distribution;
use crate::sim::lane::FrameRecord;
use timeslicer::time::Nanos;

/// Totals over all frames since a lane's start.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    frames: u64,
    updates: u64,
    runs: u64,
    debt_dropped: Nanos,
    lengths: Distribution,
}

impl Totals {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn frame(&mut self, frame: &FrameRecord) {
        self.frames += 1;
        self.updates += u64::from(frame.updates);
        self.runs += u64::from(frame.runs);
        self.debt_dropped += frame.debt_dropped;
        self.lengths.add(frame.length);
    }

    pub fn frames(&self) -> u64 {
        self.frames
    }

    pub fn updates(&self) -> u64 {
        self.updates
    }

    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the dropped debt: real time that the game has lost.
    pub fn debt_dropped(&self) -> Nanos {
        self.debt_dropped
    }

    pub fn lengths(&self) -> &Distribution {
        &self.lengths
    }
}
