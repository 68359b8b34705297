//! Whether the display holds frames back by itself.

use timeslice_lab::time::Nanos;

/// The period that frames are given where the display does not hold them back.
pub const PERIOD: Nanos = Nanos::from_nanos(1_000_000_000 / 60);

/// A swap that takes less than this has not waited for a refresh.
const NO_WAIT: Nanos = Nanos::from_micros(1500);
/// Frames with more work than this prove nothing: they are late by themselves.
const SHORT: Nanos = Nanos::from_millis(15);
/// So many frames in a row are proof.
const PROOF: u32 = 30;

/// Watches whether swaps wait for the display, and tells when they do not: a virtual display, or a driver
/// that takes the swap interval for a hint. Frames then have to be held back to [`PERIOD`] by a timer, or
/// a core would burn for pictures that nobody sees.
#[derive(Debug, Default)]
pub struct Pacing {
    unheld: u32,
    by_timer: bool,
    settled: bool,
}

impl Pacing {
    /// A frame worked for `work` and its swap then took `swap`. Returns the least period to keep, if any.
    pub fn frame(&mut self, work: Nanos, swap: Nanos) -> Option<Nanos> {
        if !self.settled {
            let waited = swap >= NO_WAIT;
            if waited {
                // A display that holds frames back though we do so, too, is better at it.
                self.settled = self.by_timer;
                self.by_timer = false;
                self.unheld = 0;
            } else if work < SHORT {
                self.unheld += 1;
                self.by_timer |= self.unheld >= PROOF;
            }
        }
        self.period()
    }

    /// The least period to keep, if any.
    pub fn period(&self) -> Option<Nanos> {
        self.by_timer.then_some(PERIOD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    #[test]
    fn a_display_that_waits_is_left_to_do_so() {
        let mut pacing = Pacing::default();
        for _ in 0..1000 {
            assert_eq!(pacing.frame(MS(3), MS(13)), None);
        }
    }

    #[test]
    fn where_nothing_waits_a_timer_does() {
        let mut pacing = Pacing::default();
        for _ in 1..PROOF {
            assert_eq!(pacing.frame(MS(3), MS(0)), None);
        }
        for _ in 0..1000 {
            assert_eq!(pacing.frame(MS(3), MS(0)), Some(PERIOD));
        }
    }

    #[test]
    fn slow_frames_prove_nothing() {
        let mut pacing = Pacing::default();
        for _ in 0..1000 {
            assert_eq!(pacing.frame(MS(40), MS(0)), None);
        }
    }

    #[test]
    fn a_display_that_turns_out_to_wait_gets_its_way_for_good() {
        let mut pacing = Pacing::default();
        for _ in 0..PROOF {
            pacing.frame(MS(6), MS(0));
        }
        assert_eq!(pacing.frame(MS(6), MS(3)), None);
        for _ in 0..100 {
            assert_eq!(pacing.frame(MS(6), MS(0)), None);
        }
    }
}
