//! Detection of displays that do not hold frames back.

use timeslicer::time::Nanos;

/// Frame period to keep if the display does not hold frames back.
pub use headless::history::TYPICAL_PERIOD as PERIOD;

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
const JUDGED: usize = 30;
/// If at most this many of the frames judged together wait, they wait by chance: the display does not hold them back.
const BY_CHANCE: usize = 6;

/// Detects swaps that do not wait for the display. This happens on a virtual display, or if a driver treats the swap
/// interval as a hint. A timer must then hold frames back to [`PERIOD`]. Otherwise a processor core would be busy with
/// pictures that are never seen.
#[derive(Debug, Default)]
pub struct VsyncDetector {
    /// Lengths of the frames since the last judgement, and whether each had time to spare and waited for the display.
    frames: Vec<(Nanos, bool)>,
    /// Number of these frames whose swap waited.
    waits: usize,
    display: Option<Nanos>,
    by_timer: bool,
    /// Whether the display has been found to need no timer.
    is_settled: bool,
}

impl VsyncDetector {
    /// Returns a detector for a page, whose browser holds frames back and needs no timer, or for a window.
    pub fn new(is_page: bool) -> Self {
        Self {
            is_settled: is_page,
            ..Self::default()
        }
    }

    /// Records a frame that worked for `work` and whose swap took `swap`. It must have waited for the display and nothing
    /// else. Returns the minimum period to keep, if any.
    pub fn frame(&mut self, work: Nanos, swap: Nanos) -> Option<Nanos> {
        if work < SHORT {
            let length = work + swap;
            let waits = swap >= NO_WAIT && length >= SHORTEST;
            self.waits += usize::from(waits);
            self.frames.push((length, waits && work <= IDLE));
            if self.frames.len() == JUDGED {
                self.judge();
            }
        }
        self.period()
    }

    fn judge(&mut self) {
        const MOST: usize = JUDGED / 2;
        let frames = std::mem::take(&mut self.frames);
        let waits = std::mem::take(&mut self.waits);
        if self.is_settled {
            // If most frames are too short for any display, earlier frames only waited because the computer was busy.
            let impossible = frames.iter().filter(|(length, _)| *length < SHORTEST);
            self.by_timer = impossible.count() > MOST;
            self.is_settled = !self.by_timer;
        } else if waits <= BY_CHANCE {
            self.by_timer = true;
        } else if self.by_timer && waits > MOST {
            // Most frames wait for the display even with the timer, so the timer is not needed.
            self.by_timer = false;
            self.is_settled = true;
        }
        let lengths = frames.iter().filter(|(_, is_spare)| *is_spare);
        let mut lengths: Vec<Nanos> = lengths.map(|(length, _)| *length).collect();
        if self.by_timer {
            self.display = None;
        } else if lengths.len() >= JUDGED / 3 {
            // The middle half leaves out late frames. Its mean is needed because the coarse clock of a browser makes some
            // frames a millisecond longer than others.
            lengths.sort_unstable();
            let quarter = lengths.len() / 4;
            let middle = &lengths[quarter..lengths.len() - quarter];
            let sum: Nanos = middle.iter().copied().sum();
            let typical = Nanos::from_nanos(sum.as_nanos() / middle.len() as u64);
            let is_usual = (typical.over(PERIOD) - 1.0).abs() < ABOUT;
            self.display = Some(if is_usual { PERIOD } else { typical });
        }
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

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    /// A number of frames, and the milliseconds of their work and of their swaps.
    type Phase = (usize, u64, u64);

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
        let mut detector = VsyncDetector::new(true);
        for frame in 1..1000 {
            let at = |frame: u64| MS(frame * 50 / 3); // whole milliseconds of 60 Hz
            let swap = at(frame + 1) - at(frame);
            assert_eq!(detector.frame(MS(0), swap), None);
            assert_eq!(detector.frame(MS(1), MS(0)), None);
            assert_eq!(detector.display(), PERIOD);
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
