//! Hitches: frames that were too long, and why.

use crate::app::figure;
use crate::app::history::PastFrame;
use crate::app::inspect::counted;
use crate::app::pacing::HITCH;
use timeslice_lab::metrics::FrameRecord;
use timeslice_lab::time::Nanos;

/// Whether a frame is longer than one and a half periods of the display.
pub fn is_hitch(frame: &FrameRecord) -> bool {
    frame.length > HITCH
}

/// What made a frame as long as it was, in a few words.
pub fn cause(past: &PastFrame) -> String {
    let frame = &past.record;
    if !past.outside.is_zero() {
        return format!(
            "held up {} s from outside",
            figure::number(past.outside.as_secs_f64())
        );
    }
    let half = Nanos::from_nanos(frame.length.as_nanos() / 2);
    if frame.task_time >= half {
        let heavy = past
            .dearest
            .filter(|(_, cost)| frame.runs > 1 && cost.as_nanos() * 2 > frame.task_time.as_nanos());
        return match heavy {
            Some((_, cost)) => {
                format!(
                    "one heavy task of {} ms",
                    figure::number(cost.as_millis_f64())
                )
            }
            None => counted(frame.runs.into(), "task"),
        };
    }
    let parts = [
        (frame.scheduling, "scheduling"),
        (frame.drawing, "drawing"),
        (frame.waiting, "waiting for the display"),
        (frame.task_time, "tasks"),
    ];
    let longest = parts.into_iter().max_by_key(|(time, _)| *time);
    longest.map_or("", |(_, name)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_hitch_is_longer_than_one_and_a_half_periods() {
        let frame = |length| FrameRecord {
            length,
            ..FrameRecord::default()
        };
        assert!(!is_hitch(&frame(MS(25) - Nanos::from_nanos(1))));
        assert!(is_hitch(&frame(MS(25) + Nanos::from_nanos(1))));
    }

    #[test]
    fn its_cause_is_what_took_most_of_it() {
        assert_eq!(cause(&past(40, 6, 400)), "400 tasks");
        assert_eq!(cause(&past(40, 6, 1)), "1 task");
        assert_eq!(cause(&past(2, 30, 400)), "drawing");
    }

    #[test]
    fn one_task_that_took_more_than_all_others_is_named() {
        let mut heavy = past(30, 6, 10);
        heavy.dearest = Some((3, MS(20)));
        assert_eq!(cause(&heavy), "one heavy task of 20 ms");
        heavy.dearest = Some((3, MS(10)));
        assert_eq!(cause(&heavy), "10 tasks");
    }

    #[test]
    fn a_stall_from_outside_is_not_blamed_on_the_frame() {
        let mut stalled = past(2, 3, 4);
        stalled.outside = Nanos::from_secs(3);
        assert_eq!(cause(&stalled), "held up 3 s from outside");
    }
}
