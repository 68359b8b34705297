//! The pinned entity's interval, measured between two of its cells.

use super::cells::{Cells, RowRange};
use headless::history::PastFrame;
use headless::stats::GameSpeed;
use headless::text::format::{counted, fixed};
use timeslicer::time::{GameTime, Nanos};

/// Returns the indices, ascending, of the `frames` in which the entity of this row ran since `first_run`. Earlier runs
/// may belong to another entity.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub from: usize,
    /// Index of the frame of the second run, equal to `from` if one frame has both.
    pub to: usize,
    pub time: Nanos,
}

/// Returns the interval between the last two runs at `place`. Runs before the game time `first_run` do not count, nor do
/// frames after `looked_at`. `ran` holds the indices of the frames with runs at `place`. A frame may run the entity in
/// several updates, so runs are told apart by the time of their update. Returns `None` if there are fewer than two
/// runs, or if a frame between them is no longer recorded.
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

/// Returns the interval as text, with its number of frames. If the game did not keep real time between the two runs, the
/// text has both times.
pub fn label(interval: Interval, frames: &[&PastFrame]) -> String {
    let lengths = frames[interval.from..interval.to].iter();
    let lengths = lengths.map(|past| past.record.length);
    let speed = GameSpeed::over_frames(interval.time, lengths);
    let frames = match (interval.to - interval.from) as u64 {
        0 => "in one frame".to_owned(),
        frames => counted(frames, "frame"),
    };
    let words = format!("{} s", fixed(interval.time.as_secs_f64(), 3));
    let words = speed.of_game_time(words, None, interval.time);
    format!("{words}, {frames}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::sim::lane::FrameRecord;
    use headless::sim::machine::{RENDER_MS, Simulated};
    use headless::sim::settings::Settings;
    use headless::sim::world::{COST, ENTITIES};
    use headless::stats::MeasuredLane;
    use headless::testing::recorded;
    use timeslicer::frame_loop;
    use timeslicer::knob::{Knob, KnobValues};
    use timeslicer::strategy;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const AT: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));

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
    fn looking_back_measures_up_to_that_frame() {
        let frames = frames(&RAN);
        assert_eq!(measured(&frames, AT(0), Some(5)), Some((2, 5)));
        assert_eq!(measured(&frames, AT(0), Some(4)), Some((0, 2)));
        assert_eq!(measured(&frames, AT(0), Some(1)), None);
    }

    #[test]
    fn runs_of_a_previous_entity_do_not_count() {
        let frames = frames(&RAN);
        assert_eq!(ran(&frames, 0, AT(20)), [2, 5]);
        assert_eq!(ran(&frames, 0, AT(21)), [5]);
        assert_eq!(measured(&frames, AT(21), None), None);
    }

    #[test]
    fn no_interval_spans_frames_without_recorded_runs() {
        let mut frames = frames(&RAN);
        frames[3].ran = None;
        assert_eq!(measured(&frames, AT(0), None), Some((2, 5)), "no task ran");
        frames[3].record.runs = 9;
        assert_eq!(measured(&frames, AT(0), None), None);
        assert_eq!(measured(&frames, AT(0), Some(3)), Some((0, 2)));
        frames[2].ran = None;
        assert_eq!(ran(&frames, 0, AT(0)), [0, 5]);
    }

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
        let history = recorded(&mut lane, count);
        history.frames().iter().cloned().collect()
    }

    #[test]
    fn only_own_runs_count_in_a_frame_shared_with_another() {
        let frames = frames_of("every-frame", 100.0, 3);
        let last = frames[2].now;
        // An entity that first runs in the last update of the last frame, and one that first runs in the update before
        // that.
        for (first_run, time) in [(last, None), (last - MS(20), Some(MS(20)))] {
            let shown: Vec<&PastFrame> = frames.iter().collect();
            let ran = ran(&frames, 0, first_run);
            assert_eq!(ran, [2]);
            let found = interval(&ran, &shown, 0, first_run, None);
            assert_eq!(found.map(|found| found.time), time);
        }
    }

    #[test]
    fn label_has_both_times_in_a_slow_game() {
        let mut slow = frames(&[false; 40]);
        for past in &mut slow {
            past.record.length = MS(40); // its game time is only 10 ms
        }
        let interval = Interval {
            from: 3,
            to: 33,
            time: MS(300),
        };
        let slow: Vec<&PastFrame> = slow.iter().collect();
        let expected = "0.300 s of game time (1.2 s real), 30 frames";
        assert_eq!(label(interval, &slow), expected);
    }
}
