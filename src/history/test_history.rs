//! Histories for tests.

use super::{History, IntervalSums, PastFrame};
use crate::sim::lane::FrameRecord;
use crate::sim::machine::Simulated;
use crate::stats::test_lane::lane;
use crate::stats::{MeasuredLane, Subject};
use timeslice::knob::Knob;
use timeslice::time::{GameTime, Nanos};

/// Creates a frame whose number of runs equals its frame number.
pub(crate) fn numbered_frame(number: u64) -> PastFrame {
    PastFrame {
        record: FrameRecord {
            number,
            runs: number as u32,
            ..FrameRecord::default()
        },
        ..PastFrame::default()
    }
}

/// Creates a history of `count` numbered frames.
pub(crate) fn numbered_frames(count: u64) -> History {
    let mut history = History::default();
    for number in 0..count {
        history.push(numbered_frame(number));
    }
    history
}

/// Runs `count` frames of the lane and records them.
pub(crate) fn recorded(lane: &mut MeasuredLane<Simulated>, count: usize) -> History {
    let mut history = History::default();
    for _ in 0..count {
        let record = lane.frame().clone();
        let past = history.begin(lane);
        history.end(past, record);
    }
    history
}

/// Creates a history of frames with these lengths. Each frame has one update and ten runs, and spends half of its
/// length on tasks.
pub(crate) fn history(lengths_ms: &[u64]) -> History {
    let mut history = History::default();
    let mut now = GameTime::START;
    for (number, &ms) in (0..).zip(lengths_ms) {
        now += Nanos::from_millis(ms);
        let mut intervals = IntervalSums::default();
        intervals.add(Nanos::from_millis(500));
        history.push(PastFrame {
            record: FrameRecord {
                number,
                length: Nanos::from_millis(ms),
                task_time: Nanos::from_millis(ms / 2),
                scheduling: Nanos::from_micros(2),
                step: Nanos::from_millis(ms),
                updates: 1,
                runs: 10,
                backlog: 3,
                ..FrameRecord::default()
            },
            intervals,
            now,
            ..PastFrame::default()
        });
    }
    history
}

/// Returns the subject of a lane that has not begun.
pub(crate) fn subject(strategy: &str, set: &[(&Knob, f64)]) -> Subject {
    Subject::of(&lane(strategy, set))
}
