//! Detection of displays that do not hold frames back.

use headless::history::USUAL_PERIOD;
use timeslicer::frame_loop::Pace;
use timeslicer::time::Nanos;

/// Frame period to keep if the display does not hold frames back.
pub const PERIOD: Nanos = USUAL_PERIOD;

/// A swap shorter than this has not waited for a refresh.
const NO_WAIT: Nanos = Nanos::from_micros(1500);
/// A frame shorter than this was not held back by a display, even if its swap happened to take long.
const SHORTEST: Nanos = Nanos::from_micros(3500);
/// Frames with more work than this are no evidence, because they are late whether or not the display holds them back.
const SHORT: Nanos = Nanos::from_millis(15);
/// Frames with no more work than this reach the next refresh of any usual display, so the length of such a frame is the
/// display's period.
const IDLE: Nanos = Nanos::from_micros(3500);
/// Relative tolerance. A measured period that differs less than this from the usual period counts as the usual period,
/// because clocks differ.
const ABOUT: f64 = 0.015;
/// Number of frames judged together, because one delayed swap is no evidence.
const JUDGED: u32 = 30;
/// If at most this many of the frames judged together wait, they wait by chance: the display does not hold them back.
const BY_CHANCE: u32 = 6;

/// Detects swaps that do not wait for the display. This happens on a virtual display, or if a driver treats the swap
/// interval as a hint. A timer must then hold frames back to [`PERIOD`]. Otherwise a processor core would be busy with
/// pictures that are never seen.
#[derive(Debug, Default)]
pub struct VsyncDetector {
    /// Lengths of frames that had time to spare and waited for the display.
    spare: Vec<Nanos>,
    display: Option<Nanos>,
    frames: u32,
    waits: u32,
    /// Number of frames since the last judgement that were too short for any display.
    impossible: u32,
    by_timer: bool,
    settled: bool,
}

impl VsyncDetector {
    /// Returns a detector for a browser. It needs no timer at first, because browsers hold frames back.
    pub fn in_browser() -> Self {
        Self {
            settled: true,
            ..Self::default()
        }
    }

    /// Returns true if a frame is evidence about the display, because it waits for the display and nothing else. That
    /// is true if the lane on this computer is idle (`rests`), or if its frame loop waits for the display (`pace`) and
    /// the display has not dropped to a lower rate (`slow`).
    pub fn is_evidence(rests: bool, pace: Pace, slow: bool) -> bool {
        rests || (pace == Pace::Display && !slow)
    }

    /// Records a frame that worked for `work` and whose swap took `swap`. Returns the minimum period to keep, if any.
    pub fn frame(&mut self, work: Nanos, swap: Nanos) -> Option<Nanos> {
        self.measure(work, swap);
        if work < SHORT {
            self.frames += 1;
            // No display is that fast.
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
            // If most frames are too short for any display, earlier frames only waited because the computer was busy.
            self.by_timer = self.impossible > JUDGED / 2;
            self.settled = !self.by_timer;
            if self.by_timer {
                self.display = None; // the measured period was wrong, too
                self.spare.clear();
            }
        } else if self.waits <= BY_CHANCE {
            self.by_timer = true;
        } else if self.by_timer && self.waits > JUDGED / 2 {
            // Most frames wait for the display even with the timer, so the timer is not needed.
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

    /// Returns the mean of the middle half of the lengths. The middle half leaves out late frames. The mean is needed
    /// because the coarse clock of a browser makes some frames a millisecond longer than others.
    fn typical(&mut self) -> Nanos {
        self.spare.sort_unstable();
        let quarter = self.spare.len() / 4;
        let middle = &self.spare[quarter..self.spare.len() - quarter];
        let sum: Nanos = middle.iter().copied().sum();
        Nanos::from_nanos(sum.as_nanos() / middle.len() as u64)
    }

    pub fn display(&self) -> Nanos {
        self.display.unwrap_or(PERIOD)
    }

    pub fn period(&self) -> Option<Nanos> {
        self.by_timer.then_some(PERIOD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::time::ClockTime;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    /// A number of frames, and the milliseconds of their work and of their swaps.
    type Phase = (u32, u64, u64);

    /// Runs, and whether they need a timer in the end.
    const RUNS: [(&str, &[Phase], bool); 7] = [
        ("the display waits", &[(1000, 3, 13)], false),
        ("too few frames", &[(JUDGED - 1, 3, 0)], false),
        ("no swap waits", &[(JUDGED, 3, 0)], true),
        ("delayed swaps in short frames", &[(JUDGED, 1, 2)], true),
        ("slow frames are no evidence", &[(1000, 40, 0)], false),
        (
            "the display starts to wait",
            &[(JUDGED, 6, 0), (JUDGED, 6, 3), (100, 6, 0)],
            false,
        ),
        (
            "a large window takes long to copy, a small one does not",
            &[(JUDGED, 6, 0), (JUDGED, 6, 3), (JUDGED, 1, 0)],
            true,
        ),
    ];

    #[test]
    fn a_timer_waits_if_the_display_does_not() {
        for (name, phases, by_timer) in RUNS {
            let mut detector = VsyncDetector::default();
            for &(frames, work, swap) in phases {
                for _ in 0..frames {
                    detector.frame(MS(work), MS(swap));
                }
            }
            assert_eq!(detector.period(), by_timer.then_some(PERIOD), "{name}");
        }
    }

    #[test]
    fn occasional_delays_keep_the_timer() {
        let mut detector = VsyncDetector::default();
        for frame in 0..1000 {
            let swap = if frame % 10 == 0 { MS(4) } else { MS(0) };
            let period = detector.frame(MS(3), swap);
            assert_eq!(period.is_some(), frame + 1 >= JUDGED);
        }
    }

    #[test]
    fn browser_needs_no_timer_despite_its_coarse_clock() {
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
    fn frame_that_waits_for_something_else_is_no_evidence() {
        assert!(VsyncDetector::is_evidence(false, Pace::Display, false));
        assert!(VsyncDetector::is_evidence(true, Pace::Nothing, true));
        assert!(!VsyncDetector::is_evidence(false, Pace::Display, true));
        for pace in [Pace::Nothing, Pace::Until(ClockTime::at(MS(5)))] {
            assert!(!VsyncDetector::is_evidence(false, pace, false), "{pace:?}");
        }
    }

    #[test]
    fn period_comes_from_frames_with_time_to_spare() {
        let hz_144 = Nanos::from_nanos(1_000_000_000 / 144);
        let mut detector = VsyncDetector::default();
        assert_eq!(detector.display(), PERIOD);
        for frame in 0..100 {
            // Every fourth frame has too much work to be evidence.
            let work = if frame % 4 == 0 { MS(12) } else { MS(1) };
            detector.frame(work, hz_144 - MS(1));
        }
        assert_eq!(detector.display(), hz_144);
    }

    #[test]
    fn clock_drift_does_not_change_the_period() {
        let mut detector = VsyncDetector::default();
        for _ in 0..100 {
            detector.frame(MS(2), MS(15) - Nanos::from_micros(317)); // 59.94 Hz
        }
        assert_eq!(detector.display(), PERIOD);
    }
}
