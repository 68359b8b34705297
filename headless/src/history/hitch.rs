//! Hitches: frames that were too long, and their causes.

use super::PastFrame;
use crate::stats::{self, hitch_from};
use crate::text::format;
use crate::text::format::counted;
use timeslicer::time::Nanos;

/// Returns true if a frame is a hitch: if its own length exceeds [`hitch_from`], as in statistics. A frame that
/// statistics leave out because the program was interrupted is never a hitch.
#[must_use]
pub fn is_hitch(past: &PastFrame) -> bool {
    past.outside.is_zero() && past.record.own_length() > hitch_from(past.period)
}

/// Returns the time lost to interruptions: injected stalls and time outside the program. Only stalls are part of the
/// frame.
#[must_use]
pub fn interruption(past: &PastFrame) -> Nanos {
    past.outside + past.record.stall
}

/// Returns true if a frame deserves a flag: it is a hitch, or was interrupted.
#[must_use]
pub fn is_flagged(past: &PastFrame) -> bool {
    is_hitch(past) || !interruption(past).is_zero()
}

/// Returns true if a hitch was caused by tasks.
#[must_use]
pub fn is_by_tasks(past: &PastFrame) -> bool {
    stats::is_by_tasks(&past.record, past.period)
}

/// Returns the cause of a frame's length, in a few words.
#[must_use]
pub fn cause(past: &PastFrame) -> String {
    let frame = &past.record;
    let interruption = interruption(past);
    if !interruption.is_zero() {
        return format!(
            "interrupted for {} s",
            format::number(interruption.as_secs_f64())
        );
    }
    if is_by_tasks(past) {
        let heavy = past
            .longest_run
            .filter(|run| frame.runs > 1 && run.took.as_nanos() * 2 > frame.task_time.as_nanos());
        return match heavy {
            Some(run) => format!(
                "one heavy task, E{}: {} ms",
                run.entity,
                format::number(run.took.as_millis_f64())
            ),
            None => counted(frame.runs.into(), "task"),
        };
    }
    let parts = [
        (frame.scheduling, "scheduling"),
        (frame.drawing, "drawing"),
        (frame.waiting, "waiting"),
        (frame.task_time, "tasks"),
    ];
    let longest = parts.into_iter().max_by_key(|(time, _)| *time);
    longest.map_or("", |(_, name)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{LongestRun, USUAL_PERIOD};
    use crate::sim::lane::FrameRecord;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    fn past(tasks: u64, drawing: u64, runs: u32) -> PastFrame {
        let record = FrameRecord {
            runs,
            task_time: MS(tasks),
            drawing: MS(drawing),
            length: MS(tasks + drawing),
            ..FrameRecord::default()
        };
        PastFrame {
            record,
            ..PastFrame::default()
        }
    }

    fn past_of(length: Nanos) -> PastFrame {
        let mut past = PastFrame::default();
        past.record.length = length;
        past
    }

    #[test]
    fn hitches_are_longer_than_1_5_display_periods() {
        let hz_144 = Nanos::from_nanos(1_000_000_000 / 144);
        for (period, from) in [(USUAL_PERIOD, MS(25)), (hz_144, Nanos::from_micros(10_417))] {
            let of = |length| {
                let past = PastFrame {
                    period,
                    ..past_of(length)
                };
                is_hitch(&past)
            };
            assert!(!of(from - Nanos::from_micros(1)));
            assert!(of(from + Nanos::from_micros(1)));
        }
    }

    #[test]
    fn interrupted_frame_is_flagged_but_no_hitch() {
        for own in [MS(9), MS(40)] {
            let mut interrupted = past_of(own);
            interrupted.outside = Nanos::SECOND;
            assert!(is_flagged(&interrupted) && !is_hitch(&interrupted));
        }
        let mut stalled = past_of(MS(509));
        stalled.record.stall = MS(500);
        assert!(is_flagged(&stalled) && !is_hitch(&stalled));
        stalled.record.length += MS(40);
        assert!(is_hitch(&stalled), "its own length makes it a hitch, too");
    }

    #[test]
    fn cause_is_the_longest_part() {
        assert_eq!(cause(&past(40, 6, 400)), "400 tasks");
        assert_eq!(cause(&past(40, 6, 1)), "1 task");
        assert_eq!(cause(&past(2, 30, 400)), "drawing");
        assert!(!is_by_tasks(&past(2, 30, 400)));
        // Without its tasks this frame would not be a hitch.
        assert_eq!(cause(&past(9, 20, 400)), "400 tasks");
        assert!(is_by_tasks(&past(9, 20, 400)) && !is_by_tasks(&past(0, 20, 0)));
        // A little less time in any part would prevent this hitch, so tasks are not the cause.
        assert_eq!(cause(&past(2, 24, 4)), "drawing");
    }

    #[test]
    fn cause_names_a_task_longer_than_all_others() {
        let mut heavy = past(30, 6, 10);
        let longest_run = |took| Some(LongestRun { entity: 3, took });
        heavy.longest_run = longest_run(MS(20));
        assert_eq!(cause(&heavy), "one heavy task, E3: 20 ms");
        heavy.longest_run = longest_run(MS(10));
        assert_eq!(cause(&heavy), "10 tasks");
    }

    #[test]
    fn interruption_is_the_cause_of_its_frame() {
        let mut past = past(2, 3, 4);
        past.outside = Nanos::from_secs(3);
        assert_eq!(cause(&past), "interrupted for 3 s");
        past.record.stall = MS(500);
        assert_eq!(cause(&past), "interrupted for 3.5 s");
    }
}
