//! Statistics of the last seconds, from recorded frames: the second producer of reports.
//!
//! They begin no earlier than the last change. They have no warm-up ([`crate::stats::WARM_UP`]), because the effects of
//! a change should be visible at once. These effects leave the window by themselves.

use super::{History, IntervalSums, PastFrame};
use crate::sim::machine::Machine;
use crate::stats::{Distribution, Intervals, MeasuredLane, Report, RunFigures, Subject, Tally};
use crate::text::format;
use timeslicer::time::{GameTime, Nanos};

/// Span of the machine's time that the status, the table and the plots cover.
pub const WINDOW: Nanos = Nanos::from_secs(2);

/// Statistics of the last frames, back to the last change.
#[derive(Clone, Debug)]
pub struct WindowStats {
    /// Figures of these frames.
    pub report: Report,
    /// Number of the oldest measured frame, if any.
    pub first_frame: Option<u64>,
    /// True if the statistics cover all frames since the last change, and there are older frames.
    pub is_since_change: bool,
    /// Number of frames left out because the program was interrupted.
    pub left_out: usize,
}

impl WindowStats {
    /// Computes statistics of a lane's last frames: the fewest that cover `span` of the machine's time, or all since
    /// the last change if those cover less.
    #[must_use]
    pub fn of<M: Machine>(lane: &MeasuredLane<M>, history: &History, span: Nanos) -> Self {
        let mut stats = Self::of_subject(Subject::of(lane), history, span);
        stats.report.worst_weighted = lane.worst_weighted_now(stats.report.worst_weighted);
        stats
    }

    /// Computes statistics of the last frames of `history`, which is the history of the lane `subject`.
    #[must_use]
    pub fn of_subject(subject: Subject, history: &History, span: Nanos) -> Self {
        let frames = history.frames();
        let changed_at = history.changed_at();
        let (mut first, mut measured) = (frames.len(), Nanos::ZERO);
        let mut is_since_change = false;
        while first > 0 && measured < span {
            let past = &frames[first - 1];
            if past.record.number < changed_at {
                is_since_change = true;
                break;
            }
            if past.outside.is_zero() {
                measured += past.record.length;
            }
            first -= 1;
        }
        let mut window = Window::default();
        frames.range(first..).for_each(|past| window.count(past));

        let now = frames.back().map_or(GameTime::START, |past| past.now);
        let since_change = now - history.changed_now();
        window.tally.staleness(subject.staleness.min(since_change));
        let mut subject = subject;
        subject.pacing.target = history.period();
        let runs = RunFigures {
            since_change,
            interval: window.intervals.against(subject.wanted),
            overrun: window.overruns.times(),
            ..RunFigures::default()
        };
        Self {
            report: Report::new(subject, &window.tally, runs),
            first_frame: window.first_frame,
            is_since_change,
            left_out: window.left_out,
        }
    }

    /// Returns the span that these statistics cover: `last 2.0 s`, or `0.8 s since change`.
    #[must_use]
    pub fn caption(&self) -> String {
        let secs = format::fixed(self.report.span.as_secs_f64(), 1);
        if self.is_since_change {
            format!("{secs} s since change")
        } else {
            format!("last {secs} s")
        }
    }
}

/// Sums over frames, which are counted oldest first.
#[derive(Default)]
struct Window {
    tally: Tally,
    intervals: IntervalSums,
    overruns: Distribution,
    first_frame: Option<u64>,
    left_out: usize,
    follows_gap: bool,
}

impl Window {
    fn count(&mut self, past: &PastFrame) {
        if !past.outside.is_zero() {
            self.left_out += 1;
            self.follows_gap = true;
            return;
        }
        let record = &past.record;
        if std::mem::take(&mut self.follows_gap) {
            self.tally.gap(record.delta);
        }
        self.first_frame.get_or_insert(record.number);
        self.tally.frame(record, past.period);
        self.tally.staleness(past.longest_wait);
        self.tally.stale_over(past.staleness);
        self.tally.weighted_staleness(past.worst_weighted);
        self.intervals.merge(&past.intervals);
        for &overrun in &past.overruns {
            self.overruns.add(overrun);
        }
    }
}

impl IntervalSums {
    /// Returns the figures of these intervals, compared with the `wanted` interval.
    fn against(&self, wanted: Option<Nanos>) -> Intervals {
        let off = |wanted| (self.longest() - wanted).max(wanted - self.shortest()); // subtraction saturates
        Intervals {
            count: self.count(),
            mean: self.mean(),
            deviation: self.deviation(),
            max: self.longest(),
            off_worst: wanted.map_or(Nanos::ZERO, off),
            off_p99: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::world::{CHURN, COST};
    use crate::testing::lane_of;
    use crate::testing::{history, subject};
    use std::collections::BTreeSet;
    use timeslicer::frame_loop::knobs::STEP;
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::strategy::knobs::BUDGET;
    use timeslicer::strategy::knobs::INTERVAL;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn stats(history: &History) -> WindowStats {
        WindowStats::of_subject(subject("fixed-interval", &[]), history, WINDOW)
    }

    #[test]
    fn empty_history_has_zero_or_absent_figures() {
        let stats = stats(&history(&[]));
        assert_eq!((stats.report.frames, stats.first_frame), (0, None));
        assert_eq!(stats.report.frame.max, Nanos::ZERO);
        assert!(!stats.report.knows_interval());
    }

    #[test]
    fn only_the_last_two_seconds_count() {
        let stats = stats(&history(&[100; 50]));
        assert_eq!(stats.first_frame, Some(30));
        let report = &stats.report;
        assert_eq!(
            (report.frames, report.span, report.hitches),
            (20, WINDOW, 20)
        );
        assert_eq!(
            (report.fps(), stats.caption()),
            (10.0, "last 2.0 s".to_owned())
        );
    }

    #[test]
    fn frames_before_a_change_are_not_counted() {
        let mut history = history(&[100; 50]);
        history.change(45, GameTime::at(MS(4_500)));
        let stats = stats(&history);
        assert_eq!((stats.report.frames, stats.is_since_change), (5, true));
        assert_eq!(stats.caption(), "0.5 s since change");
    }

    #[test]
    fn interrupted_frames_are_not_counted() {
        let mut history = history(&[16; 5]);
        let mut interrupted = history.frames()[4].clone();
        interrupted.outside = Nanos::from_secs(3600);
        history.push(interrupted);
        let stats = stats(&history);
        assert_eq!((stats.report.frames, stats.left_out), (5, 1));
    }

    #[test]
    fn staleness_counts_from_the_last_change() {
        let mut history = history(&[100; 10]);
        let mut subject = subject("fixed-interval", &[]);
        subject.staleness = MS(900);
        let worst = |history: &History| {
            let stats = WindowStats::of_subject(subject.clone(), history, WINDOW);
            stats.report.worst_staleness
        };
        assert_eq!(worst(&history), MS(900));
        history.change(8, GameTime::at(MS(700)));
        assert_eq!(worst(&history), MS(300));
        let mut burst = history.frames()[9].clone();
        burst.longest_wait = MS(498);
        history.push(burst);
        assert_eq!(worst(&history), MS(498));
    }

    #[test]
    fn stall_is_not_part_of_the_measured_length() {
        let mut history = history(&[16; 5]);
        let mut stalled = history.frames()[4].clone();
        stalled.record.number = 5;
        stalled.record.length += MS(500);
        stalled.record.stall = MS(500);
        history.push(stalled);
        let report = stats(&history).report;
        assert_eq!((report.frames, report.hitches), (6, 0));
        assert_eq!((report.frame.max, report.span), (MS(16), MS(596)));
    }

    /// Returns the reports of both producers on the same frames. These are the frames after a change of knobs in
    /// mid-run, and they include a stall.
    fn both(strategy: &str, frame_loop: &str) -> [Report; 2] {
        let set = [(&COST, 150.0), (&BUDGET, 1.0), (&CHURN, 40.0), (&STEP, 5.0)];
        let mut lane = lane_of(strategy, frame_loop, &set);
        let mut history = History::new(lane.target_period());
        for frame in 0..160 {
            if frame == 60 {
                lane.set_knob(&INTERVAL, 0.11);
                lane.set_knob(&COST, 120.0);
                lane.clear_statistics(); // skips the warm-up, which only the collector has
                history.change(lane.frames_begun(), lane.now());
            } else if frame == 110 {
                lane.disturb(Disturbance::Stall);
            }
            let updated = lane.begin_frame();
            let past = history.begin(&lane);
            let drawn = lane.drawn(updated);
            let waited = lane.wait(drawn);
            let record = lane.finish(waited).clone();
            history.end(past, record);
            lane.clear_events();
        }
        let window = WindowStats::of(&lane, &history, Nanos::MAX).report;
        [lane.report(), window]
    }

    #[test]
    fn both_producers_agree_on_shared_figures() {
        let mut only_collected = BTreeSet::new();
        let lanes = STRATEGIES
            .iter()
            .flat_map(|it| [(it, "variable-step"), (it, "fixed-step")]);
        for (entry, frame_loop) in lanes {
            let reports = both(entry.key, frame_loop);
            if frame_loop == "fixed-step" {
                assert!(reports[0].most_updates > 1);
            }
            for figure in crate::stats::FIGURES {
                let context = format!("{} {frame_loop} {}", entry.key, figure.key);
                match reports.each_ref().map(|report| (figure.value)(report)) {
                    [Some(whole), Some(window)] => assert!(
                        (whole - window).abs() <= 1e-3 * whole.abs().max(1e-3),
                        "{context}: {whole}, {window}"
                    ),
                    [Some(_), None] => drop(only_collected.insert(figure.key)),
                    [None, window] => assert_eq!(window, None, "{context}"),
                }
            }
        }
        let expected = [
            "interval_ms.off_p99",
            "late",
            "request_wait_ms.max",
            "request_wait_ms.mean",
            "request_wait_ms.p99",
            "starved",
        ];
        assert!(only_collected.into_iter().eq(expected));
    }
}
