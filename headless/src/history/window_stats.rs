//! Statistics of the last seconds.
//!
//! They begin no earlier than the last change. They have no warm-up ([`crate::stats::WARM_UP`]), because the effects of
//! a change should be visible at once. These effects leave the window by themselves.

use super::History;
use crate::sim::machine::Machine;
use crate::stats::{FrameSums, MOST_SAMPLED, MeasuredLane, Report, Subject, Sums};
use crate::text::format;
use timeslicer::time::Nanos;

/// Span of the machine's time that the status, the table and the plots cover.
pub const WINDOW: Nanos = Nanos::from_secs(2);

/// Statistics of the last frames, back to the last change.
#[derive(Clone, Debug)]
pub struct WindowStats {
    pub report: Report,
    /// Number of the oldest measured frame, if any.
    pub first_frame: Option<u64>,
    /// True if the statistics cover all frames since the last change, and there are older frames.
    pub is_since_change: bool,
}

impl WindowStats {
    /// Computes statistics of a lane's last frames: the fewest that cover `span` of the machine's time, or all since
    /// the last change if those cover less.
    pub fn of<M: Machine>(lane: &MeasuredLane<M>, history: &History, span: Nanos) -> Self {
        let report = |sums: &Sums| Report::over(lane, sums, MOST_SAMPLED);
        Self::new(history, span, lane.frame_sums(), report)
    }

    /// Computes statistics of the last frames of `history`, which is the history of the lane `subject`.
    pub fn of_subject(subject: Subject, history: &History, span: Nanos) -> Self {
        let newest = history.frames().back().map(|past| past.sums.clone());
        let report = |sums: &Sums| Report::new(subject, sums);
        Self::new(history, span, &newest.unwrap_or_default(), report)
    }

    fn new(
        history: &History,
        span: Nanos,
        newest: &FrameSums,
        report: impl FnOnce(&Sums) -> Report,
    ) -> Self {
        let frames = history.frames();
        let (mut first, mut measured) = (frames.len(), Nanos::ZERO);
        let mut is_since_change = false;
        while first > 0 && measured < span {
            let past = &frames[first - 1];
            if past.sums.restarts != newest.restarts {
                is_since_change = true;
                break;
            }
            if !past.is_interrupted() {
                measured += past.record.length;
            }
            first -= 1;
        }
        let range = || frames.range(first..);
        let mut sums = Sums::since(newest.restarted_at);
        for past in range().filter(|past| !past.is_interrupted()) {
            sums.add(&past.record, past.period, &past.sums);
        }
        Self {
            report: report(&sums),
            first_frame: range()
                .find(|past| !past.is_interrupted())
                .map(|past| past.record.number),
            is_since_change,
        }
    }

    /// Returns the span that these statistics cover: `last 2.0 s`, or `0.8 s since change`.
    pub fn caption(&self) -> String {
        let secs = format::fixed(self.report.span.as_secs_f64(), 1);
        if self.is_since_change {
            format!("{secs} s since change")
        } else {
            format!("last {secs} s")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{history, history_with_change, subject};

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn stats(history: &History) -> WindowStats {
        WindowStats::of_subject(subject("fixed-interval", &[]), history, WINDOW)
    }

    #[test]
    fn only_the_last_two_seconds_since_a_change_count() {
        for (history, first, expected) in [
            (history(&[]), None, "last 0.0 s"),
            (history(&[100; 50]), Some(30), "last 2.0 s"),
            (
                history_with_change(&[100; 50], 45),
                Some(45),
                "0.5 s since change",
            ),
        ] {
            let stats = stats(&history);
            let count = first.map_or(0, |first| 50 - first);
            assert_eq!((stats.first_frame, stats.report.frames), (first, count));
            assert_eq!(stats.report.hitches, count);
            assert_eq!(stats.report.span, MS(100 * count));
            assert_eq!(stats.caption(), expected);
        }
    }

    #[test]
    fn interrupted_frames_are_left_out() {
        let mut history = history(&[16; 5]);
        let mut interrupted = history.frames()[4].clone();
        interrupted.outside = Nanos::from_secs(3600);
        history.push(interrupted);
        let stats = stats(&history);
        assert_eq!(stats.report.frames, 5);
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
}
