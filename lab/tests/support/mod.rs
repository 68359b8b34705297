//! Helpers for tests. They create simulations with given settings, and short histories of frames.

use crate::catalog::knob::{Knob, KnobValues};
use crate::catalog::{frame_loop, strategy};
use crate::history::{History, PastFrame, TYPICAL_PERIOD};
use crate::measure::{Distribution, FrameSums, MeasuredLane, Report, Times};
use crate::sim::lane::{FrameRecord, Length, Run};
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::sim::world::ENTITIES;
use std::sync::LazyLock;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

pub const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Creates settings for a strategy and a frame loop. Panics if one of the keys is unknown.
pub fn settings(strategy: &str, frame_loop: &str, set: &[(&Knob, f64)]) -> Settings {
    Settings {
        strategy: strategy::by_key(strategy).expect("a strategy"),
        frame_loop: frame_loop::by_key(frame_loop).expect("a frame loop"),
        knobs: KnobValues::with(set),
        ..Settings::default()
    }
}

/// Creates a lane that runs a strategy with the default frame loop on a simulated machine.
pub fn lane(strategy: &str, set: &[(&Knob, f64)]) -> MeasuredLane<Simulated> {
    lane_of(strategy, Settings::default().frame_loop.key, set)
}

/// Creates a lane that runs a strategy on a simulated machine and lists all runs of each frame
/// ([`Lane::runs`](crate::sim::lane::Lane::runs)).
pub fn lane_of(strategy: &str, frame_loop: &str, set: &[(&Knob, f64)]) -> MeasuredLane<Simulated> {
    let settings = settings(strategy, frame_loop, set);
    let mut lane = MeasuredLane::new(settings, Simulated::default());
    lane.list_runs(usize::MAX);
    lane
}

/// Runs frames until the simulated clock has reached the given number of seconds.
pub fn run_to(lane: &mut MeasuredLane<Simulated>, secs: u64) {
    while lane.is_within(Length::Time(Nanos::from_secs(secs))) {
        lane.frame();
    }
}

/// Runs a strategy on a simulated machine for the given number of seconds and returns a report.
pub fn report(strategy: &str, set: &[(&Knob, f64)], secs: u64) -> Report {
    report_on(strategy, Settings::default().frame_loop.key, set, secs)
}

pub fn report_on(strategy: &str, frame_loop: &str, set: &[(&Knob, f64)], secs: u64) -> Report {
    let mut lane = lane_of(strategy, frame_loop, set);
    run_to(&mut lane, secs);
    lane.report()
}

/// Searches `text` for a decimal number with more than four significant digits, because such a number should have been
/// rounded. Returns the first one.
pub fn overlong_metric(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let metrics = text.split(|c| !is_part(c));
    let metrics = metrics.map(|it| it.trim_matches(['.', ',']));
    let mut fractions = metrics.filter(|it| it.matches('.').count() == 1);
    fractions.find(|it| {
        let digits = it.trim_start_matches(['0', '.']);
        digits.chars().filter(char::is_ascii_digit).count() > 4
    })
}

pub fn times(all_ms: &[u64]) -> Times {
    let mut spread = Distribution::default();
    for &ms in all_ms {
        spread.add(MS(ms));
    }
    spread.times()
}

/// Creates an empty frame with a target length of 1/60 s and without recorded runs.
pub fn past_frame() -> PastFrame {
    static EMPTY: LazyLock<PastFrame> = LazyLock::new(|| {
        let mut empty = PastFrame::of(&lane("every-frame", &[(&ENTITIES, 0.0)]));
        empty.subject.pacing.target = TYPICAL_PERIOD;
        empty.record.hitch_above = MS(25);
        empty.runs = None;
        empty
    });
    EMPTY.clone()
}

/// Creates one run in each of the given slots, all at the game time `now`.
pub fn runs(slots: &[u32], now: GameTime) -> Option<Vec<Run>> {
    let run = |&index: &u32| Run {
        task: TaskId {
            index,
            generation: 0,
        },
        entity: index.into(),
        time: now,
        elapsed: Nanos::ZERO,
        first: false,
        took: Nanos::ZERO,
    };
    Some(slots.iter().map(run).collect())
}

/// Creates a frame with the number `number` and the same number of runs, so that tests can recognise the frame.
pub fn numbered_frame(number: u64) -> PastFrame {
    PastFrame {
        record: FrameRecord {
            number,
            runs: number as u32,
            ..past_frame().record
        },
        ..past_frame()
    }
}

pub fn numbered_frames(count: u64) -> History {
    let mut history = History::default();
    for number in 0..count {
        history.push(numbered_frame(number));
    }
    history
}

pub fn recorded(lane: &mut MeasuredLane<Simulated>, count: usize) -> History {
    let mut history = History::default();
    for _ in 0..count {
        lane.frame();
        history.push(PastFrame::of(lane));
    }
    history
}

/// Creates a history of frames with the given lengths. Each frame contains one update and ten runs, and half of its
/// length is spent on tasks.
pub fn history(lengths_ms: &[u64]) -> History {
    history_with_change(lengths_ms, 0)
}

/// Creates a history of frames with the given lengths. A setting changes before frame `changed_at`. If `changed_at` is
/// 0, no setting changes.
pub fn history_with_change(lengths_ms: &[u64], changed_at: u64) -> History {
    let mut history = History::default();
    let mut now = GameTime::START;
    for (number, &ms) in (0..).zip(lengths_ms) {
        let restarts = u64::from(changed_at > 0 && number >= changed_at);
        let began = now;
        now += Nanos::from_millis(ms);
        let mut sums = FrameSums::default();
        (sums.restarts, sums.began) = (restarts, began);
        history.push(PastFrame {
            record: FrameRecord {
                number,
                length: Nanos::from_millis(ms),
                task_time: Nanos::from_millis(ms / 2),
                scheduling: Nanos::from_micros(2),
                step: Nanos::from_millis(ms),
                now,
                updates: 1,
                runs: 10,
                backlog: 3,
                ..past_frame().record
            },
            sums,
            ..past_frame()
        });
    }
    history
}
