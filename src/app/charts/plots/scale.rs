//! Scales of the plots. Each follows the frames in sight: it grows at once, and shrinks in steps when the tallest columns
//! have left the plot.

use headless::history::PastFrame;
use headless::sim::lane::FrameRecord;
use headless::text::format;
use std::cmp::Reverse;
use timeslicer::time::Nanos;

/// Tops of a scale of times, for each power of ten. Half of each is round, too.
pub const TIMES: [u64; 8] = [1, 2, 3, 4, 5, 6, 8, 10];
/// Tops of a scale of counts. Half of each is a whole number.
pub const COUNTS: [u64; 5] = [2, 4, 6, 8, 10];
/// A scale shrinks only if the tallest column fits into this share of the smaller scale. Otherwise a column near the
/// limit would move the scale back and forth.
const SHRINKS_BELOW: f64 = 0.9;

/// Number of frames that a scale may cut off, and how many times as long as every other frame each of them is.
const CUT: usize = 2;
const GIANT: u64 = 8;

/// Tops of the scales; 0 before the first picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scales {
    pub times: f64,
    pub tasks: f64,
    pub backlog: f64,
}

/// Lets the `top` of a scale follow the tallest value in sight, and returns it.
pub fn follow(top: &mut f64, tops: &[u64], tallest: f64) -> f64 {
    *top = top.clamp(round(tops, tallest), round(tops, tallest / SHRINKS_BELOW));
    *top
}

/// Returns the first round number that is not below `value`.
fn round(tops: &[u64], value: f64) -> f64 {
    let mut decade = 1.0;
    loop {
        let mut tops = tops.iter().map(|&top| top as f64 * decade);
        if let Some(top) = tops.find(|&top| top >= value) {
            return top;
        }
        decade *= 10.0;
    }
}

/// Returns the frame time that a scale must include, in milliseconds: two and a half periods of the display, or the
/// longest frame in sight. Up to two frames do not count if they are over eight times as long as all others, because
/// they would flatten the rest; nor do injected stalls. Tasks and scheduling always count.
pub fn tallest_time(frames: &[&PastFrame], period: Nanos) -> f64 {
    let records = frames.iter().map(|past| &past.record);
    let work = records.clone().map(|it| it.task_time + it.scheduling).max();
    let mut lengths: Vec<Nanos> = records.map(FrameRecord::own_length).collect();
    lengths.sort_unstable_by_key(|&length| Reverse(length));
    let least = Nanos::from_millis_f64(2.5 * period.as_millis_f64());
    let usual = lengths
        .get(CUT)
        .copied()
        .max(work)
        .map_or(least, |it| it.max(least));
    let limit = Nanos::from_nanos(usual.as_nanos().saturating_mul(GIANT));
    let longest = lengths.into_iter().find(|&length| length <= limit);
    longest.unwrap_or(usual).max(usual).as_millis_f64()
}

pub fn rate(length: Nanos) -> String {
    // One decimal distinguishes 59.9 from 60.
    let fps = (10.0 / length.as_secs_f64()).round() / 10.0;
    format!("{} fps", format::number(fps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::history::USUAL_PERIOD;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn frame(ms: u64) -> PastFrame {
        PastFrame {
            record: FrameRecord {
                length: MS(ms),
                ..FrameRecord::default()
            },
            ..PastFrame::default()
        }
    }

    fn tallest(frames: &[PastFrame]) -> f64 {
        tallest_time(&frames.iter().collect::<Vec<_>>(), USUAL_PERIOD)
    }

    #[test]
    fn scale_ends_at_round_numbers() {
        let times = |ms| follow(&mut 0.0, &TIMES, ms);
        for (ms, top) in [(0.4, 1.0), (16.7, 20.0), (41.7, 50.0), (60.0, 60.0)] {
            assert_eq!(times(ms), top);
        }
        assert_eq!(times(61.0), 80.0);
        let counts = |count| follow(&mut 0.0, &COUNTS, count);
        for (count, top) in [(0.0, 2.0), (3.0, 4.0), (11.0, 20.0), (401.0, 600.0)] {
            assert_eq!(counts(count), top);
        }
        assert_eq!(counts(u32::MAX.into()), 6e9);
    }

    #[test]
    fn scale_grows_at_once_and_shrinks_in_steps() {
        let mut top = 0.0;
        let mut scale = |tallest| follow(&mut top, &TIMES, tallest);
        assert_eq!(scale(41.7), 50.0);
        assert_eq!(scale(180.0), 200.0);
        for near in [101.0, 99.0, 91.0, 101.0] {
            assert_eq!(scale(near), 200.0);
        }
        assert_eq!(scale(89.0), 100.0);
        assert_eq!(scale(99.9), 100.0);
        assert_eq!(scale(41.7), 50.0);
    }

    #[test]
    fn a_giant_frame_leaves_the_rest_readable() {
        let mut frames: Vec<PastFrame> = (0..240).map(|_| frame(16)).collect();
        frames[7].record.length = MS(60);
        for giant in [20, 30] {
            frames[giant].record.length = MS(20_000);
            assert_eq!(tallest(&frames), 60.0);
        }
        frames[40].record.length = MS(20_000);
        assert_eq!(tallest(&frames), 20_000.0, "three are no exception");
    }

    #[test]
    fn injected_stalls_are_cut_off_and_tasks_never() {
        let mut frames: Vec<PastFrame> = (0..240).map(|_| frame(16)).collect();
        for stalled in &mut frames[..9] {
            stalled.record.length = MS(516);
            stalled.record.stall = MS(500);
        }
        assert!(tallest(&frames) < 50.0);
        frames[100].record.length = MS(5_000);
        frames[100].record.task_time = MS(4_000);
        assert_eq!(tallest(&frames), 5_000.0);
    }
}
