//! The interval of the pinned entity, measured between two of its cells: the articles' own figure.

use super::cells::Cells;
use timeslice_lab::figure::counted;
use timeslice_lab::observe::PastFrame;
use timeslice_lab::time::Nanos;

/// The indices, in ascending order, of the `frames` in which the entity of that row ran that was born then.
/// Its place may have been another's before.
pub fn ran_in(cells: &Cells, row: u32, born: Nanos, frames: &[&PastFrame]) -> Vec<usize> {
    let lived = |past: &PastFrame| {
        // Where it was born in the last of several updates, another may have run there in the first.
        past.now > born || (past.now == born && past.record.updates <= 1)
    };
    let ran = |past: &PastFrame| {
        lived(past) && !past.has_forgotten() && cells.ran(past.record.number) >> row & 1 == 1
    };
    let indices = frames.iter().enumerate();
    indices
        .filter(|(_, past)| ran(past))
        .map(|(index, _)| index)
        .collect()
}

/// The two cells to measure between: the last ones up to the frame that is looked at. None where nobody
/// knows whether there is one between them.
pub fn interval(
    ran: &[usize],
    frames: &[&PastFrame],
    looked_at: Option<u64>,
) -> Option<(usize, usize)> {
    let up_to = |&&index: &&usize| looked_at.is_none_or(|at| frames[index].record.number <= at);
    let mut ran = ran.iter().rev().filter(up_to);
    let (to, from) = (*ran.next()?, *ran.next()?);
    let forgotten = frames[from..to].iter().any(|past| past.has_forgotten());
    (!forgotten).then_some((from, to))
}

/// An interval in words.
pub fn words(interval: Nanos, frames: u64) -> String {
    format!(
        "{:.3} s, {}",
        interval.as_secs_f64(),
        counted(frames, "frame")
    )
}

#[cfg(test)]
mod tests {
    use super::super::rows::Rows;
    use super::*;
    use timeslice_lab::metrics::FrameRecord;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    /// Frames of ten milliseconds, in which place 0 ran or not.
    fn frames(ran: &[bool]) -> Vec<PastFrame> {
        let frames = (0..).zip(ran).map(|(number, &ran)| PastFrame {
            record: FrameRecord {
                number,
                runs: u32::from(ran),
                updates: 1,
                ..FrameRecord::default()
            },
            ran: Some(if ran { vec![0] } else { Vec::new() }),
            now: MS(10 * number),
            ..PastFrame::default()
        });
        frames.collect()
    }

    fn ran(frames: &[PastFrame], born: Nanos) -> Vec<usize> {
        let (mut cells, mut rows) = (Cells::default(), Rows::default());
        rows.look_at(0.0, 1, 1, None);
        let frames: Vec<&PastFrame> = frames.iter().collect();
        cells.follow(0, &rows, &frames);
        ran_in(&cells, 0, born, &frames)
    }

    fn measured(
        frames: &[PastFrame],
        born: Nanos,
        looked_at: Option<u64>,
    ) -> Option<(usize, usize)> {
        let shown: Vec<&PastFrame> = frames.iter().collect();
        interval(&ran(frames, born), &shown, looked_at)
    }

    const RAN: [bool; 8] = [true, false, true, false, false, true, false, false];

    #[test]
    fn the_interval_is_that_between_the_last_two_cells() {
        assert_eq!(measured(&frames(&RAN), MS(0), None), Some((2, 5)));
        assert_eq!(measured(&frames(&[false, true, false]), MS(0), None), None);
        assert_eq!(measured(&[], MS(0), None), None);
    }

    #[test]
    fn looking_back_it_is_that_up_to_the_frame_that_is_looked_at() {
        let frames = frames(&RAN);
        assert_eq!(measured(&frames, MS(0), Some(5)), Some((2, 5)));
        assert_eq!(measured(&frames, MS(0), Some(4)), Some((0, 2)));
        assert_eq!(measured(&frames, MS(0), Some(1)), None);
    }

    #[test]
    fn the_runs_of_one_that_had_the_place_before_are_not_the_pinned_ones() {
        let mut frames = frames(&RAN);
        assert_eq!(ran(&frames, MS(20)), [2, 5], "it ran when it was born");
        assert_eq!(ran(&frames, MS(21)), [5]);
        assert_eq!(measured(&frames, MS(21), None), None);
        frames[2].record.updates = 2;
        assert_eq!(ran(&frames, MS(20)), [5], "another may have run before");
    }

    #[test]
    fn nothing_is_measured_across_frames_that_have_forgotten_who_ran() {
        let mut frames = frames(&RAN);
        frames[3].ran = None;
        assert_eq!(measured(&frames, MS(0), None), Some((2, 5)), "nobody ran");
        frames[3].record.runs = 9;
        assert_eq!(measured(&frames, MS(0), None), None);
        assert_eq!(measured(&frames, MS(0), Some(3)), Some((0, 2)));
        frames[2].ran = None;
        assert_eq!(ran(&frames, MS(0)), [0, 5]);
    }

    #[test]
    fn the_interval_is_told_in_seconds_and_frames() {
        assert_eq!(words(MS(500), 30), "0.500 s, 30 frames");
    }
}
