//! Detects displays that do not limit the frame rate, so that a timer can limit it instead.

use timeslicer::time::Nanos;

/// The frame period to keep if the display does not limit the frame rate.
pub use headless::history::TYPICAL_PERIOD as PERIOD;

/// A buffer swap shorter than this has not waited for vsync.
const NO_WAIT: Nanos = Nanos::from_micros(1500);
/// A frame shorter than this has not waited for vsync, even if its swap happened to take long.
const SHORTEST: Nanos = Nanos::from_micros(3500);
/// Frames with more work than this are ignored, because they are late whether or not they wait for vsync.
const SHORT: Nanos = Nanos::from_millis(15);
/// A frame with at most this much work is ready before the next refresh of any common display, so its length is the
/// display's period.
const IDLE: Nanos = Nanos::from_micros(3500);
/// The relative tolerance within which a measured period counts as the usual period, because clocks differ slightly.
const ABOUT: f64 = 0.015;
/// The number of frames that are evaluated together, because a single delayed swap proves nothing.
const JUDGED: usize = 30;
/// The number of frames per evaluation that may wait by chance. If no more than that have waited, the display does not
/// limit the frame rate.
const BY_CHANCE: usize = 6;

/// Detects whether buffer swaps wait for vsync. They do not on a virtual display, or if the driver treats the swap
/// interval as a hint. A timer must then keep frames [`PERIOD`] apart. Otherwise the program would keep a processor
/// core busy with frames that are never seen.
#[derive(Debug, Default)]
pub struct VsyncDetector {
    /// The length of each frame since the last evaluation, and whether that frame had little work and waited for vsync.
    frames: Vec<(Nanos, bool)>,
    /// The number of frames since the last evaluation that waited for vsync.
    waits: usize,
    display: Option<Nanos>,
    by_timer: bool,
    /// Whether the display has been found to limit the frame rate without a timer.
    is_settled: bool,
}

impl VsyncDetector {
    /// Creates a detector for a page or a window. On a page, it assumes that the browser limits the frame rate.
    pub fn new(is_page: bool) -> Self {
        Self {
            is_settled: is_page,
            ..Self::default()
        }
    }

    /// Records a frame that worked for `work` and whose swap took `swap`. The frame must have waited for nothing but
    /// the display. Returns the frame period that a timer must keep, if a timer is needed.
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
            // If most frames are too short for any display, earlier frames waited only because the computer was busy.
            let impossible = frames.iter().filter(|(length, _)| *length < SHORTEST);
            self.by_timer = impossible.count() > MOST;
            self.is_settled = !self.by_timer;
        } else if waits <= BY_CHANCE {
            self.by_timer = true;
        } else if self.by_timer && waits > MOST {
            // Most frames wait for vsync even with the timer, so the timer is not needed.
            self.by_timer = false;
            self.is_settled = true;
        }
        let lengths = frames.iter().filter(|(_, is_spare)| *is_spare);
        let mut lengths: Vec<Nanos> = lengths.map(|(length, _)| *length).collect();
        if self.by_timer {
            self.display = None;
        } else if lengths.len() >= JUDGED / 3 {
            // Use only the middle half, which excludes late frames. Use its mean, because a browser's coarse clock
            // makes some frames a millisecond longer than others.
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

    /// The number of frames, and the milliseconds of work and of swap time in each.
    type Phase = (usize, u64, u64);

    /// Sequences of frames, and whether a timer is needed after them.
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
            // Every fourth frame has too much work to count.
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
