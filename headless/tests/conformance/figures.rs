//! Sums that a lane's report must equal, calculated independently of the report. They count from the end of the warm-up
//! after the last change.

use headless::sim::lane::FrameRecord;
use headless::sim::machine::{LEAST_FRAME, Simulated};
use headless::stats::MeasuredLane;
use headless::stats::{FIGURES, Report, Times, WARM_UP, verdict};
use timeslicer::time::{ClockTime, Nanos};

/// Sums over some frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sums {
    frames: u64,
    updates: u64,
    runs: u64,
    peak: u32,
    backlog_peak: usize,
    span: Nanos,
    game: Nanos,
    in_tasks: Nanos,
    dropped: Nanos,
}

impl Sums {
    fn add(&mut self, frame: &FrameRecord, advanced: Nanos) {
        self.frames += 1;
        self.updates += u64::from(frame.updates);
        self.runs += u64::from(frame.runs);
        self.peak = self.peak.max(frame.runs);
        self.backlog_peak = self.backlog_peak.max(frame.backlog);
        self.span += frame.length;
        self.game += advanced;
        self.in_tasks += frame.task_time;
        self.dropped += frame.debt_dropped;
    }
}

/// Sums since the lane's start (`all`), and since the last reset or the warm-up after the last change (`window`).
#[derive(Default)]
pub(crate) struct Expected {
    all: Sums,
    window: Sums,
    warm_until: Option<ClockTime>,
}

impl Expected {
    /// Starts a warm-up. `clock` is the time of the change that causes it.
    pub(crate) fn changed(&mut self, clock: ClockTime) {
        self.cleared();
        self.warm_until = Some(clock + WARM_UP);
    }

    /// Resets the figures.
    pub(crate) fn cleared(&mut self) {
        self.window = Sums::default();
        self.warm_until = None;
    }

    /// Adds a frame that advanced the game by this time.
    pub(crate) fn frame(&mut self, lane: &MeasuredLane<Simulated>, advanced: Nanos) {
        let frame = lane.last_frame();
        let parts = frame.task_time + frame.scheduling + frame.drawing + frame.waiting;
        assert_eq!(parts, frame.length, "{frame:?}");
        assert!(frame.length >= LEAST_FRAME, "{frame:?}");
        let share = frame.looking_wrong.unwrap_or_default();
        assert!((0.0..=1.0).contains(&share), "{frame:?}");
        if self.warm_until.is_some_and(|until| frame.start >= until) {
            self.cleared();
        }
        if self.warm_until.is_none() {
            self.window.add(frame, advanced);
        }
        self.all.add(frame, advanced);
    }

    /// Asserts that the lane reports these sums, and that all figures are valid.
    pub(crate) fn check(&self, lane: &MeasuredLane<Simulated>) {
        let (report, figures) = (lane.report(), lane.totals());
        assert_eq!(figures.frames, self.all.frames);
        assert_eq!(figures.updates, self.all.updates);
        assert_eq!(figures.runs, self.all.runs);
        assert_eq!(figures.debt_dropped, self.all.dropped);
        assert_eq!(report.subject.warming_up, self.warm_until.is_some());
        let mut reported = Sums {
            frames: report.frames,
            updates: report.updates,
            runs: report.runs,
            peak: report.peak_runs,
            backlog_peak: report.backlog_peak,
            span: report.span,
            game: report.game_span,
            in_tasks: report.task_time,
            dropped: report.debt_dropped,
        };
        if report.subject.warming_up {
            reported.game = Nanos::ZERO; // a report counts game time during the warm-up, `window` does not
        }
        assert_eq!(reported, self.window);
        assert_eq!(report.subject.entities, lane.world().tasks().len());
        assert!(report.hitches <= report.frames);
        assert!(report.late <= report.runs, "{report:?}");
        assert_valid(&report);
    }
}

/// Asserts that figures are finite and not negative, shares are at most 100 %, percentiles are ordered, and the verdict
/// contains no NaN.
fn assert_valid(report: &Report) {
    for figure in FIGURES {
        let value = (figure.value)(report);
        let what = format!("{}: {value:?}", figure.key);
        assert!(value.is_none_or(|it| it.is_finite() && it >= 0.0), "{what}");
        let most = if figure.unit == "%" { 100.0 } else { f64::MAX };
        assert!(value.is_none_or(|value| value <= most), "{what}");
    }
    for times in [
        &report.frame,
        &report.frame_tasks,
        &report.overrun,
        &report.request_wait,
    ] {
        let Times {
            mean,
            p50,
            p95,
            p99,
            max,
            ..
        } = times;
        assert!(p50 <= p95 && p95 <= p99 && p99 <= max, "{times:?}");
        assert!(mean <= max, "{times:?}");
    }
    assert!(report.interval.mean <= report.interval.max);
    assert!(report.off_wanted.p99 <= report.off_wanted.max);
    let verdict = verdict(report).to_string();
    assert!(
        !verdict.contains("NaN") && !verdict.contains("inf "),
        "{verdict}"
    );
    assert!(report.to_json().is_object());
}
