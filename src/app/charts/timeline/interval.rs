//! The interval of the pinned entity, measured between two of its cells: the articles' own figure.

use super::cells::Cells;
use super::row_range::RowRange;
use crate::history::PastFrame;
use crate::text::format::counted;
use timeslice::time::{GameTime, Nanos};

/// The indices, in ascending order, of the `frames` in which that place of the `rows` ran since `first_run`:
/// before that it may have been another's.
pub fn ran_in(
    cells: &Cells,
    rows: &RowRange,
    row: u32,
    first_run: GameTime,
    frames: &[&PastFrame],
) -> Vec<usize> {
    let since = |past: &PastFrame| {
        let all_since = past.first_update() >= first_run;
        let mut runs = past.runs_of(rows.first + row);
        past.now >= first_run && (all_since || runs.any(|run| run >= first_run))
    };
    let ran = |past: &PastFrame| {
        cells.ran(past.record.number) >> row & 1 == 1 && !past.has_forgotten() && since(past)
    };
    let indices = frames.iter().enumerate();
    indices
        .filter(|(_, past)| ran(past))
        .map(|(index, _)| index)
        .collect()
}

/// An interval of the pinned entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The index of the frame in which it began.
    pub from: usize,
    /// The index of the one in which it ended: the same where both runs were made for one picture.
    pub to: usize,
    /// The game time between the two runs.
    pub time: Nanos,
}

/// The interval between the last two runs of `place` since `first_run`, up to the frame that is looked at;
/// `ran` are the frames that they are in. It is not that between two frames: each of a frame's updates has
/// its own game time, and several may have run it. None where nobody knows whether it ran between the two.
pub fn interval(
    ran: &[usize],
    frames: &[&PastFrame],
    place: u32,
    first_run: GameTime,
    looked_at: Option<u64>,
) -> Option<Interval> {
    let up_to = |&&index: &&usize| looked_at.is_none_or(|at| frames[index].record.number <= at);
    let mut runs = ran.iter().rev().filter(up_to).flat_map(|&index| {
        let runs = frames[index].runs_of(place).rev();
        let own = runs.filter(move |run| *run >= first_run);
        own.map(move |run| (index, run))
    });
    let ((to, end), (from, begin)) = (runs.next()?, runs.next()?);
    let forgotten = frames[from..to].iter().any(|past| past.has_forgotten());
    (!forgotten).then(|| Interval {
        from,
        to,
        time: end - begin,
    })
}

/// An interval in words, and over how many frames it went.
pub fn words(interval: Interval) -> String {
    let frames = match (interval.to - interval.from) as u64 {
        0 => "in one frame".to_owned(),
        frames => counted(frames, "frame"),
    };
    format!("{:.3} s, {frames}", interval.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::History;
    use crate::sim::lane::FrameRecord;
    use crate::sim::machine::{RENDER_MS, Simulated};
    use crate::sim::settings::Settings;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::MeasuredLane;
    use timeslice::frame_loop;
    use timeslice::knob::{Knob, KnobValues};
    use timeslice::strategy;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const AT: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));

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
            now: AT(10 * number),
            ..PastFrame::default()
        });
        frames.collect()
    }

    fn ran(frames: &[PastFrame], place: u32, first_run: GameTime) -> Vec<usize> {
        let (mut cells, mut rows) = (Cells::default(), RowRange::default());
        rows.look_at(place as f32, 1, place + 1, None);
        let frames: Vec<&PastFrame> = frames.iter().collect();
        cells.follow(0, &rows, &frames);
        ran_in(&cells, &rows, 0, first_run, &frames)
    }

    fn measured(
        frames: &[PastFrame],
        first_run: GameTime,
        looked_at: Option<u64>,
    ) -> Option<(usize, usize)> {
        let shown: Vec<&PastFrame> = frames.iter().collect();
        let ran = ran(frames, 0, first_run);
        let found = interval(&ran, &shown, 0, first_run, looked_at)?;
        assert_eq!(found.time, frames[found.to].now - frames[found.from].now);
        Some((found.from, found.to))
    }

    const RAN: [bool; 8] = [true, false, true, false, false, true, false, false];

    #[test]
    fn the_interval_is_that_between_the_last_two_cells() {
        assert_eq!(measured(&frames(&RAN), AT(0), None), Some((2, 5)));
        assert_eq!(measured(&frames(&[false, true, false]), AT(0), None), None);
        assert_eq!(measured(&[], AT(0), None), None);
    }

    #[test]
    fn looking_back_it_is_that_up_to_the_frame_that_is_looked_at() {
        let frames = frames(&RAN);
        assert_eq!(measured(&frames, AT(0), Some(5)), Some((2, 5)));
        assert_eq!(measured(&frames, AT(0), Some(4)), Some((0, 2)));
        assert_eq!(measured(&frames, AT(0), Some(1)), None);
    }

    #[test]
    fn the_runs_of_one_that_had_the_place_before_are_not_the_pinned_ones() {
        let frames = frames(&RAN);
        assert_eq!(ran(&frames, 0, AT(20)), [2, 5]);
        assert_eq!(ran(&frames, 0, AT(21)), [5]);
        assert_eq!(measured(&frames, AT(21), None), None);
    }

    #[test]
    fn nothing_is_measured_across_frames_that_have_forgotten_who_ran() {
        let mut frames = frames(&RAN);
        frames[3].ran = None;
        assert_eq!(measured(&frames, AT(0), None), Some((2, 5)), "nobody ran");
        frames[3].record.runs = 9;
        assert_eq!(measured(&frames, AT(0), None), None);
        assert_eq!(measured(&frames, AT(0), Some(3)), Some((0, 2)));
        frames[2].ran = None;
        assert_eq!(ran(&frames, 0, AT(0)), [0, 5]);
    }

    /// The frames of a machine whose pictures take so long, in steps of 20 ms.
    fn frames_of(strategy: &str, render_ms: f64, count: usize) -> Vec<PastFrame> {
        let set: [(&'static Knob, f64); 3] =
            [(&ENTITIES, 4.0), (&COST, 0.0), (&RENDER_MS, render_ms)];
        let settings = Settings {
            strategy: strategy::by_key(strategy).unwrap(),
            frame_loop: frame_loop::by_key("fixed-step").unwrap(),
            knobs: KnobValues::with(&set),
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        let mut history = History::default();
        for _ in 0..count {
            let record = lane.frame().clone();
            let past = history.begin(&lane);
            history.end(past, record);
        }
        history.frames().iter().cloned().collect()
    }

    /// The pinned one's label at each frame that could be looked at.
    fn labels(frames: &[PastFrame], place: u32) -> Vec<String> {
        let shown: Vec<&PastFrame> = frames.iter().collect();
        let ran = ran(frames, place, GameTime::START);
        let label = |past: &PastFrame| {
            let at = Some(past.record.number);
            interval(&ran, &shown, place, GameTime::START, at).map(words)
        };
        frames.iter().filter_map(label).collect()
    }

    #[test]
    fn the_interval_is_the_true_one_however_many_updates_a_frame_has() {
        for place in 0..4 {
            let labels = labels(&frames_of("fixed-interval", 60.0, 100), place);
            assert!(labels.len() > 50);
            for label in labels {
                // Frames of 60 ms: eight or nine of them, but always 25 updates.
                let (time, frames) = label.split_once(", ").unwrap();
                assert_eq!(time, "0.500 s", "{label}");
                assert!(["8 frames", "9 frames"].contains(&frames), "{label}");
            }
        }
    }

    #[test]
    fn an_interval_may_lie_within_one_frame() {
        let labels = labels(&frames_of("every-frame", 100.0, 30), 2);
        assert!(labels.len() > 20);
        assert!(labels.iter().all(|label| label == "0.020 s, in one frame"));
    }

    #[test]
    fn of_a_frame_in_which_another_had_the_place_only_the_own_runs_count() {
        let frames = frames_of("every-frame", 100.0, 3);
        let last = frames[2].now;
        // One that was born for the last update of the last frame, and one for the last but one.
        for (first_run, time) in [(last, None), (last - MS(20), Some(MS(20)))] {
            let shown: Vec<&PastFrame> = frames.iter().collect();
            let ran = ran(&frames, 0, first_run);
            assert_eq!(ran, [2]);
            let found = interval(&ran, &shown, 0, first_run, None);
            assert_eq!(found.map(|found| found.time), time);
        }
    }

    #[test]
    fn the_interval_is_told_in_seconds_and_frames() {
        let interval = |from, to, ms| Interval {
            from,
            to,
            time: MS(ms),
        };
        assert_eq!(words(interval(3, 33, 500)), "0.500 s, 30 frames");
        assert_eq!(words(interval(3, 4, 20)), "0.020 s, 1 frame");
        assert_eq!(words(interval(3, 3, 20)), "0.020 s, in one frame");
    }
}
