//! Scales of the plots, and labels for them.

use crate::history::PastFrame;
use crate::text::format;
use timeslice::time::Nanos;

/// Returns the top of the frame-time plot, in milliseconds: two and a half periods of the display, or more if frames
/// are longer. One frame in fifty may be cut off, so that a few long ones do not flatten the rest.
pub fn time_scale(frames: &[&PastFrame], period: Nanos) -> f64 {
    let mut lengths: Vec<Nanos> = frames.iter().map(|past| past.record.length).collect();
    let least = 2.5 * period.as_millis_f64();
    if lengths.is_empty() {
        return least;
    }
    let shown = lengths.len() - 1 - lengths.len() / 50;
    let (_, length, _) = lengths.select_nth_unstable(shown);
    (length.as_millis_f64() * 1.1).max(least)
}

/// Returns the rate of frames of this length: `60 fps`.
pub fn rate(length: Nanos) -> String {
    // One decimal distinguishes 59.9 from 60.
    let fps = (10.0 / length.as_secs_f64()).round() / 10.0;
    format!("{} fps", format::number(fps))
}

/// Returns the first of 2, 4, 10, 20, 40, 100, ... that is not below `peak`. Half of each is a whole number, too.
pub fn nice_ceiling(peak: u32) -> u64 {
    let mut decade = 1;
    loop {
        for step in [2, 4, 10] {
            if step * decade >= u64::from(peak) {
                return step * decade;
            }
        }
        decade *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::USUAL_PERIOD;
    use crate::sim::lane::FrameRecord;

    #[test]
    fn nice_ceiling_is_round_and_not_below_the_peak() {
        for (peak, top) in [
            (0, 2),
            (1, 2),
            (3, 4),
            (5, 10),
            (11, 20),
            (400, 400),
            (401, 1000),
        ] {
            assert_eq!(nice_ceiling(peak), top);
        }
        assert_eq!(nice_ceiling(u32::MAX), 10_000_000_000);
    }

    #[test]
    fn time_scale_fits_regular_bursts_but_not_one_outlier() {
        let frame = |ms| PastFrame {
            record: FrameRecord {
                length: Nanos::from_millis(ms),
                ..FrameRecord::default()
            },
            ..PastFrame::default()
        };
        let scale =
            |frames: &[PastFrame]| time_scale(&frames.iter().collect::<Vec<_>>(), USUAL_PERIOD);
        let usual = 2.5 * USUAL_PERIOD.as_millis_f64();
        assert_eq!(scale(&[]), usual);
        let mut frames: Vec<PastFrame> = (0..300).map(|_| frame(16)).collect();
        frames[50].record.length = Nanos::from_millis(900);
        assert_eq!(scale(&frames), usual);
        for burst in frames.iter_mut().step_by(30) {
            burst.record.length = Nanos::from_millis(60);
        }
        assert!((60.0..70.0).contains(&scale(&frames)));
    }

    #[test]
    fn time_scale_follows_the_displays_period() {
        assert_eq!(time_scale(&[], Nanos::from_millis(4)), 10.0);
    }

    #[test]
    fn rates_of_common_displays_are_right() {
        for (hz, fps) in [(60.0, "60 fps"), (59.94, "59.9 fps"), (144.0, "144 fps")] {
            assert_eq!(rate(Nanos::from_secs_f64(1.0 / hz)), fps);
        }
        assert_eq!(rate(USUAL_PERIOD + USUAL_PERIOD), "30 fps");
    }
}
