//! Snapping, which [`FixedStep`](super::FixedStep) and [`MaxFrameSkip`](super::MaxFrameSkip) share. The documentation
//! of [`fixed_step`](super::fixed_step) explains why they need it and how it works.

use crate::time::{ClockTime, Nanos};
use std::array;

/// The maximum number of successive frames whose updates are counted. Common rhythms repeat after at most this many
/// frames. For example, a 144 Hz display has 5 updates of 1/60 s in 12 frames.
const FRAMES: usize = 12;

/// Decides whether an update that is due at nearly the time of a frame runs in this frame or in the next one.
#[derive(Clone, Debug)]
pub(super) struct Snap {
    /// How early or late an update may run, before it is limited to a quarter of a step.
    pub(super) tolerance: Nanos,
    /// The number of updates in the last frame, the last two frames, and so on.
    sums: [u32; FRAMES],
    /// The lower of the two values that each sum has in a steady rhythm. The higher value is greater by one.
    usual: [u32; FRAMES],
    /// The number of updates that the next frame has if it keeps the rhythm.
    expected: u32,
}

impl Snap {
    /// Creates the state before the first frame. In the first frame, up to `expected` updates may run early.
    pub(super) fn new(expected: u32) -> Self {
        Self {
            tolerance: Nanos::from_millis(1),
            sums: [0; FRAMES],
            usual: [0; FRAMES],
            expected,
        }
    }

    /// Returns how early or late an update may run. This is at most a quarter of a step.
    pub(super) fn tolerance(&self, step: Nanos) -> Nanos {
        self.tolerance.min(Nanos::from_nanos(step.as_nanos() / 4))
    }

    /// Returns the earliest time at which an update with due time `due` may run. The frame has had `updates` so far.
    pub(super) fn threshold(&self, due: ClockTime, step: Nanos, updates: u32) -> ClockTime {
        if updates < self.expected {
            due.saturating_sub(self.tolerance(step))
        } else {
            due + self.tolerance(step)
        }
    }

    /// Records a frame after its updates.
    pub(super) fn note(&mut self, updates: u32) {
        if self.sums[FRAMES - 1] == 0 {
            if updates > 0 {
                // None of the last frames had an update, so expect every frame to have as many as this frame.
                self.sums = array::from_fn(|last| updates.saturating_mul(last as u32 + 1));
                self.usual = self.sums;
                self.expected = updates;
            }
            return;
        }
        for frames in (1..FRAMES).rev() {
            self.sums[frames] = self.sums[frames - 1].saturating_add(updates);
        }
        self.sums[0] = updates;
        for (usual, &sum) in self.usual.iter_mut().zip(&self.sums) {
            *usual = (*usual).clamp(sum.saturating_sub(1), sum);
        }

        // Expect as many updates as `FRAMES` frames earlier, unless a sum would then leave its usual range. If the
        // ranges contradict each other, the sum of fewer frames matters more, so its range is applied later.
        self.expected = self.sums[FRAMES - 1] - self.sums[FRAMES - 2];
        for frames in (0..FRAMES).rev() {
            let before = frames.checked_sub(1).map_or(0, |last| self.sums[last]);
            let least = self.usual[frames].saturating_sub(before);
            let most = self.usual[frames].saturating_add(1).saturating_sub(before);
            self.expected = self.expected.clamp(least, most);
        }
    }
}
