//! Hitches: frames that were too long, and why.

use super::PastFrame;
use crate::stats::{self, hitch_from};
use crate::text::format;
use crate::text::format::counted;
use timeslice::time::Nanos;

/// Whether a frame is a hitch, as statistics count them: by its own length ([`hitch_from`]). A frame that is left out
/// because something outside held the program up is none.
#[must_use]
pub fn is_hitch(past: &PastFrame) -> bool {
    past.outside.is_zero() && past.record.own_length() > hitch_from(past.period)
}

/// How long something outside held a frame up: an injected stall, or time that is no part of the frame.
#[must_use]
pub fn held_up(past: &PastFrame) -> Nanos {
    past.outside + past.record.stall
}

/// Whether a frame is worth a flag: a hitch, or held up from outside.
#[must_use]
pub fn is_flagged(past: &PastFrame) -> bool {
    is_hitch(past) || !held_up(past).is_zero()
}

/// Whether a hitch is the tasks' doing.
#[must_use]
pub fn is_by_tasks(past: &PastFrame) -> bool {
    stats::is_by_tasks(&past.record, past.period)
}

/// What made a frame as long as it was, in a few words.
#[must_use]
pub fn cause(past: &PastFrame) -> String {
    let frame = &past.record;
    let held_up = held_up(past);
    if !held_up.is_zero() {
        return format!(
            "held up {} s from outside",
            format::number(held_up.as_secs_f64())
        );
    }
    if is_by_tasks(past) {
        let heavy = past
            .dearest
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
    use crate::history::{Dearest, USUAL_PERIOD};
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
    fn a_hitch_is_longer_than_one_and_a_half_periods_of_whatever_display() {
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
    fn a_frame_held_up_from_outside_is_flagged_and_no_hitch() {
        for own in [MS(9), MS(40)] {
            let mut held_up = past_of(own);
            held_up.outside = Nanos::SECOND;
            assert!(is_flagged(&held_up) && !is_hitch(&held_up));
        }
        let mut stalled = past_of(MS(509));
        stalled.record.stall = MS(500);
        assert!(is_flagged(&stalled) && !is_hitch(&stalled));
        assert_eq!(cause(&stalled), "held up 0.5 s from outside");
        stalled.record.length += MS(40);
        assert!(is_hitch(&stalled), "its own length is one, too");
    }

    #[test]
    fn its_cause_is_what_took_most_of_it() {
        assert_eq!(cause(&past(40, 6, 400)), "400 tasks");
        assert_eq!(cause(&past(40, 6, 1)), "1 task");
        assert_eq!(cause(&past(2, 30, 400)), "drawing");
        assert!(!is_by_tasks(&past(2, 30, 400)));
        // Without them it would have been no hitch.
        assert_eq!(cause(&past(9, 20, 400)), "400 tasks");
        assert!(is_by_tasks(&past(9, 20, 400)) && !is_by_tasks(&past(0, 20, 0)));
        // So it would with a little less of anything.
        assert_eq!(cause(&past(2, 24, 4)), "drawing");
    }

    #[test]
    fn one_task_that_took_more_than_all_others_is_named() {
        let mut heavy = past(30, 6, 10);
        let dearest = |took| Some(Dearest { entity: 3, took });
        heavy.dearest = dearest(MS(20));
        assert_eq!(cause(&heavy), "one heavy task, E3: 20 ms");
        heavy.dearest = dearest(MS(10));
        assert_eq!(cause(&heavy), "10 tasks");
    }

    #[test]
    fn a_stall_from_outside_is_not_blamed_on_the_frame() {
        let mut stalled = past(2, 3, 4);
        stalled.outside = Nanos::from_secs(3);
        assert_eq!(cause(&stalled), "held up 3 s from outside");
    }
}
