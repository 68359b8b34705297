//! Detects displays that do not limit the frame rate, so that a timer can limit it instead.

use timeslicer::time::Nanos;

/// The frame period that a timer enforces if the display does not limit the frame rate.
pub use lab::history::TYPICAL_PERIOD as PERIOD;

/// A buffer swap that is shorter than this has not waited for vsync.
const SHORTEST_VSYNC_SWAP: Nanos = Nanos::from_micros(1500);
/// A frame shorter than this has not waited for vsync, even if its buffer swap was longer than [`SHORTEST_VSYNC_SWAP`].
const SHORTEST_VSYNC_FRAME: Nanos = Nanos::from_micros(3500);
/// Frames with more work than this are ignored, because they are late whether or not they wait for vsync.
const MAX_WORK: Nanos = Nanos::from_millis(15);
/// A frame with at most this much work takes one refresh period on any common display, so its length shows the period.
const MAX_IDLE_WORK: Nanos = Nanos::from_micros(3500);
/// The maximum relative difference at which a frame period is treated as [`PERIOD`]. Clocks do not run at exactly the
/// same speed, and the clock of a browser may count only whole milliseconds.
const PERIOD_TOLERANCE: f64 = 0.03;
/// The number of frames that are evaluated together. A single delayed buffer swap would prove nothing.
const EVALUATED_FRAMES: usize = 30;
/// If at most this many of the evaluated frames seem to have waited for vsync, they were delayed only by chance.
const MAX_CHANCE_WAITS: usize = 6;

/// Detects whether buffer swaps wait for vsync. Buffer swaps do not wait on a virtual display, or if the graphics
/// driver ignores the swap interval. In these cases, a timer must limit the frame rate, because the program would
/// otherwise keep a processor core busy with frames that the user never sees.
#[derive(Debug, Default)]
pub struct VsyncDetector {
    /// For each frame since the last evaluation, the time that its work took and the time that its buffer swap took.
    frames: Vec<[Nanos; 2]>,
    display: Option<Nanos>,
    needs_timer: bool,
    /// Whether it is certain that the display limits the frame rate without a timer.
    display_limits_rate: bool,
}

impl VsyncDetector {
    /// Creates a detector. On a page, the detector assumes that the browser limits the frame rate.
    pub fn new(is_page: bool) -> Self {
        Self {
            display_limits_rate: is_page,
            ..Self::default()
        }
    }

    /// Records the work time and the buffer swap time of a frame. Call this only for frames that waited for nothing but
    /// the display. Returns the frame period that a timer must enforce, if one is needed.
    pub fn frame(&mut self, work_time: Nanos, swap_time: Nanos) -> Option<Nanos> {
        if work_time < MAX_WORK {
            self.frames.push([work_time, swap_time]);
            if self.frames.len() == EVALUATED_FRAMES {
                self.evaluate();
            }
        }
        self.period()
    }

    fn evaluate(&mut self) {
        const MOST: usize = EVALUATED_FRAMES / 2;
        let frames = std::mem::take(&mut self.frames);
        let waiting = frames.iter().filter(|[work, swap]| {
            *swap >= SHORTEST_VSYNC_SWAP && *work + *swap >= SHORTEST_VSYNC_FRAME
        });
        let waits = waiting.clone().count();
        if self.display_limits_rate {
            // If most frames are too short for any display, earlier frames waited only because the computer was busy.
            let impossible = frames
                .iter()
                .filter(|[work, swap]| *work + *swap < SHORTEST_VSYNC_FRAME);
            self.needs_timer = impossible.count() > MOST;
            self.display_limits_rate = !self.needs_timer;
        } else if waits <= MAX_CHANCE_WAITS {
            self.needs_timer = true;
        } else if self.needs_timer && waits > MOST {
            // Most frames wait for vsync even with the timer, so the timer is not needed.
            self.needs_timer = false;
            self.display_limits_rate = true;
        }
        let spare = waiting.filter(|[work, _]| *work <= MAX_IDLE_WORK);
        let mut lengths: Vec<Nanos> = spare.map(|[work, swap]| *work + *swap).collect();
        if self.needs_timer {
            self.display = None;
        } else if lengths.len() >= EVALUATED_FRAMES / 3 {
            // Use only the middle half, which excludes late frames. Use its mean, because a browser's coarse clock
            // makes some frames a millisecond longer than others.
            lengths.sort_unstable();
            let quarter = lengths.len() / 4;
            let middle = &lengths[quarter..lengths.len() - quarter];
            let sum: Nanos = middle.iter().copied().sum();
            let typical = Nanos::from_nanos(sum.as_nanos() / middle.len() as u64);
            let is_usual = (typical.over(PERIOD) - 1.0).abs() < PERIOD_TOLERANCE;
            self.display = Some(if is_usual { PERIOD } else { typical });
        }
    }

    pub fn display(&self) -> Nanos {
        self.display.unwrap_or(PERIOD)
    }

    pub fn period(&self) -> Option<Nanos> {
        self.needs_timer.then_some(PERIOD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    /// The number of frames, and the milliseconds of work and of swap time in each.
    type Phase = (usize, u64, u64);

    /// Sequences of frames. Each is paired with a flag: whether a timer is needed after these frames.
    const RUNS: [(&str, &[Phase], bool); 7] = [
        ("the display waits", &[(1000, 3, 13)], false),
        ("too few frames", &[(EVALUATED_FRAMES - 1, 3, 0)], false),
        ("no swap waits", &[(EVALUATED_FRAMES, 3, 0)], true),
        (
            "delayed swaps in short frames",
            &[(EVALUATED_FRAMES, 1, 2)],
            true,
        ),
        ("slow frames are no evidence", &[(1000, 40, 0)], false),
        (
            "the display starts to wait",
            &[
                (EVALUATED_FRAMES, 6, 0),
                (EVALUATED_FRAMES, 6, 3),
                (100, 6, 0),
            ],
            false,
        ),
        (
            "a large window takes long to copy, a small one does not",
            &[
                (EVALUATED_FRAMES, 6, 0),
                (EVALUATED_FRAMES, 6, 3),
                (EVALUATED_FRAMES, 1, 0),
            ],
            true,
        ),
    ];

    #[test]
    fn a_timer_waits_if_the_display_does_not() {
        for (name, phases, needs_timer) in RUNS {
            let mut detector = VsyncDetector::default();
            for &(frames, work, swap) in phases {
                for _ in 0..frames {
                    detector.frame(MS(work), MS(swap));
                }
            }
            assert_eq!(detector.period(), needs_timer.then_some(PERIOD), "{name}");
        }
    }

    #[test]
    fn occasional_delays_keep_the_timer() {
        let mut detector = VsyncDetector::default();
        for frame in 0..1000 {
            let swap = if frame % 10 == 0 { MS(4) } else { MS(0) };
            let period = detector.frame(MS(3), swap);
            assert_eq!(period.is_some(), frame + 1 >= EVALUATED_FRAMES);
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
}
