//! Whether the display holds frames back by itself.

use crate::history::USUAL_PERIOD;
use timeslice::frame_loop::Pace;
use timeslice::time::Nanos;

/// The period that frames are given where the display does not hold them back.
pub const PERIOD: Nanos = USUAL_PERIOD;

/// A swap that takes less than this has not waited for a refresh.
const NO_WAIT: Nanos = Nanos::from_micros(1500);
/// A frame shorter than this was held back by no display, however long its swap took by chance.
const SHORTEST: Nanos = Nanos::from_micros(3500);
/// Frames with more work than this prove nothing: they are late by themselves.
const SHORT: Nanos = Nanos::from_millis(15);
/// Frames with no more work than this wait for the very next refresh of any usual display.
const IDLE: Nanos = Nanos::from_micros(3500);
/// A display whose period is within this of the usual one has the usual one: clocks differ.
const ABOUT: f64 = 0.015;
/// How many frames are judged together: a swap that was held up once by something else proves nothing.
const JUDGED: u32 = 30;
/// Of these, so many at the most wait by chance; what waits more often than not is held by the display.
const BY_CHANCE: u32 = 6;

/// Watches whether swaps wait for the display, and tells when they do not: a virtual display, or a driver
/// that takes the swap interval for a hint. Frames then have to be held back to [`PERIOD`] by a timer, or
/// a core would burn for pictures that nobody sees.
#[derive(Debug, Default)]
pub struct VsyncDetector {
    /// The lengths of frames that had time to spare and waited for the display.
    spare: Vec<Nanos>,
    display: Option<Nanos>,
    frames: u32,
    waits: u32,
    /// Of the frames that are judged, those shorter than any display's.
    impossible: u32,
    by_timer: bool,
    settled: bool,
}

impl VsyncDetector {
    /// In a browser, which holds frames back whatever its clock tells: no timer ever has to.
    pub fn in_browser() -> Self {
        Self {
            settled: true,
            ..Self::default()
        }
    }

    /// Whether a frame tells anything of the display: only one that waits for it does, and for nothing else. The lane on
    /// this computer `rests`, or waits for what its loop's `pace` says, and where the display has dropped to a lower rate
    /// for it (`slow`) for that, too.
    pub fn is_evidence(rests: bool, pace: Pace, slow: bool) -> bool {
        rests || (pace == Pace::Display && !slow)
    }

    /// A frame worked for `work` and its swap then took `swap`. Returns the least period to keep, if any.
    pub fn frame(&mut self, work: Nanos, swap: Nanos) -> Option<Nanos> {
        self.measure(work, swap);
        if work < SHORT {
            self.frames += 1;
            // No display has so many pictures a second.
            let is_possible = work + swap >= SHORTEST;
            self.waits += u32::from(swap >= NO_WAIT && is_possible);
            self.impossible += u32::from(!is_possible);
            if self.frames == JUDGED {
                self.judge();
            }
        }
        self.period()
    }

    fn judge(&mut self) {
        if self.settled {
            // It was a busy computer that held frames back, and no display.
            self.by_timer = self.impossible > JUDGED / 2;
            self.settled = !self.by_timer;
            if self.by_timer {
                self.display = None; // nor had it that period
                self.spare.clear();
            }
        } else if self.waits <= BY_CHANCE {
            self.by_timer = true;
        } else if self.by_timer && self.waits > JUDGED / 2 {
            // A display that holds frames back though the timer does so, too, is better at it.
            self.by_timer = false;
            self.settled = true;
        }
        self.frames = 0;
        self.waits = 0;
        self.impossible = 0;
    }

    fn measure(&mut self, work: Nanos, swap: Nanos) {
        if self.by_timer || work > IDLE || swap < NO_WAIT {
            return;
        }
        self.spare.push(work + swap);
        if self.spare.len() == JUDGED as usize {
            let typical = self.typical();
            let ratio = typical.as_secs_f64() / PERIOD.as_secs_f64();
            let usual = (ratio - 1.0).abs() < ABOUT;
            self.display = Some(if usual { PERIOD } else { typical });
            self.spare.clear();
        }
    }

    /// The mean of the middle half: neither a late frame counts, nor the steps of a browser's clock, by which some
    /// frames are a millisecond longer than others.
    fn typical(&mut self) -> Nanos {
        self.spare.sort_unstable();
        let quarter = self.spare.len() / 4;
        let middle = &self.spare[quarter..self.spare.len() - quarter];
        let sum: Nanos = middle.iter().copied().sum();
        Nanos::from_nanos(sum.as_nanos() / middle.len() as u64)
    }

    /// Whether the display was seen to hold frames back.
    pub fn is_held_back(&self) -> bool {
        !self.by_timer && self.display.is_some()
    }

    /// The display's period, as far as it is known.
    pub fn display(&self) -> Nanos {
        self.display.unwrap_or(PERIOD)
    }

    /// The least period to keep, if any.
    pub fn period(&self) -> Option<Nanos> {
        self.by_timer.then_some(PERIOD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslice::time::ClockTime;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    #[test]
    fn a_display_that_waits_is_left_to_do_so() {
        let mut detector = VsyncDetector::default();
        for _ in 0..1000 {
            assert_eq!(detector.frame(MS(3), MS(13)), None);
        }
    }

    #[test]
    fn a_swap_that_chance_held_up_in_a_short_frame_is_no_wait() {
        let mut detector = VsyncDetector::default();
        for _ in 0..JUDGED {
            detector.frame(MS(1), MS(2));
        }
        assert_eq!(detector.period(), Some(PERIOD));
    }

    #[test]
    fn where_nothing_waits_a_timer_does() {
        let mut detector = VsyncDetector::default();
        for _ in 1..JUDGED {
            assert_eq!(detector.frame(MS(3), MS(0)), None);
        }
        for frame in 0..1000 {
            // Now and then something else holds a swap up.
            let swap = if frame % 10 == 0 { MS(4) } else { MS(0) };
            assert_eq!(detector.frame(MS(3), swap), Some(PERIOD));
        }
    }

    #[test]
    fn a_browser_needs_no_timer_and_its_coarse_clock_makes_no_other_display() {
        let mut detector = VsyncDetector::in_browser();
        for frame in 1..1000 {
            let at = |frame: u64| MS(frame * 50 / 3); // whole milliseconds of 60 Hz
            let swap = at(frame + 1) - at(frame);
            assert_eq!(detector.frame(MS(0), swap), None);
            assert_eq!(detector.frame(MS(1), MS(0)), None);
            assert_eq!(detector.display(), PERIOD);
        }
    }

    #[test]
    fn a_frame_that_waits_for_something_else_tells_nothing_of_the_display() {
        assert!(VsyncDetector::is_evidence(false, Pace::Display, false));
        assert!(VsyncDetector::is_evidence(true, Pace::Nothing, true));
        assert!(!VsyncDetector::is_evidence(false, Pace::Display, true));
        for pace in [Pace::Nothing, Pace::Until(ClockTime::at(MS(5)))] {
            assert!(!VsyncDetector::is_evidence(false, pace, false), "{pace:?}");
        }
    }

    #[test]
    fn slow_frames_prove_nothing() {
        let mut detector = VsyncDetector::default();
        for _ in 0..1000 {
            assert_eq!(detector.frame(MS(40), MS(0)), None);
        }
    }

    #[test]
    fn a_display_that_turns_out_to_wait_gets_its_way_for_good() {
        let mut detector = VsyncDetector::default();
        for _ in 0..JUDGED {
            detector.frame(MS(6), MS(0));
        }
        for _ in 0..JUDGED {
            detector.frame(MS(6), MS(3));
        }
        for _ in 0..100 {
            assert_eq!(detector.frame(MS(6), MS(0)), None);
        }
    }

    #[test]
    fn a_busy_computer_that_was_taken_for_a_display_is_found_out() {
        let mut detector = VsyncDetector::default();
        for _ in 0..JUDGED {
            detector.frame(MS(6), MS(0));
        }
        for _ in 0..JUDGED {
            detector.frame(MS(6), MS(3)); // a slow copy of a large window
        }
        assert_eq!(detector.period(), None);
        for _ in 0..JUDGED {
            detector.frame(MS(1), MS(0)); // a small one, eight hundred times a second
        }
        assert_eq!(detector.period(), Some(PERIOD));
    }

    #[test]
    fn the_displays_period_is_that_of_frames_with_time_to_spare() {
        let hz_144 = Nanos::from_nanos(1_000_000_000 / 144);
        let mut detector = VsyncDetector::default();
        assert_eq!(detector.display(), PERIOD);
        for frame in 0..100 {
            // Some are late for a refresh, some have too much work to tell.
            let work = if frame % 4 == 0 { MS(12) } else { MS(1) };
            detector.frame(work, hz_144 - MS(1));
        }
        assert_eq!(detector.display(), hz_144);
    }

    #[test]
    fn clocks_that_differ_make_no_other_display() {
        let mut detector = VsyncDetector::default();
        for _ in 0..100 {
            detector.frame(MS(2), MS(15) - Nanos::from_micros(317)); // 59.94 Hz
        }
        assert_eq!(detector.display(), PERIOD);
    }
}
