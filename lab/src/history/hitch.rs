//! Describes past frames in words, and explains why some of them took too long.

use super::PastFrame;
use crate::catalog::strategy::StrategyEntry;
use crate::measure;
use crate::text::format::{self, counted, grouped, number};
use crate::text::sentence::{Clause, Sentence};
use timeslicer::time::Nanos;

/// Describes a past frame, which is `back` frames old. Names its strategy if it is not the `current` one.
pub fn past_frame_text(past: &PastFrame, back: u64, current: &StrategyEntry) -> Sentence {
    let frame = &past.record;
    let strategy = past.subject.strategy;
    let under = if strategy == current {
        String::new()
    } else {
        format!(", under {}", strategy.name)
    };
    let frames = counted(back, "frame");
    let runs = counted(frame.runs.into(), "task");
    let mut text = Sentence::default();
    text.clauses.push(Clause::normal(format!(
        "frame {}, {frames} back{under}",
        grouped(frame.number)
    )));
    text.clauses.push(Clause::normal(format!("{runs} ran")));
    if frame.backlog > 0 {
        text.clauses.push(Clause::normal(format!(
            "{} waiting",
            counted(frame.backlog as u64, "task")
        )));
    }
    let length = format::millis(frame.length);
    text.clauses.push(if is_hitch(past) {
        Clause::new(
            format!("hitch of {length} ms: {}", cause(past)),
            is_by_tasks(past),
        )
    } else if is_flagged(past) {
        Clause::normal(format!("{length} ms, {}", cause(past)))
    } else {
        Clause::normal(format!("{length} ms"))
    });
    text
}

/// Returns true if the frame is a hitch ([`measure::is_hitch`]) and the program was not interrupted in it.
pub fn is_hitch(past: &PastFrame) -> bool {
    !past.is_interrupted() && measure::is_hitch(&past.record)
}

/// Returns how long the frame was interrupted, either by an injected stall or because the program was suspended. The
/// frame's length includes stalls, but not the time during which the program was suspended.
pub fn interruption(past: &PastFrame) -> Nanos {
    past.outside + past.record.stall
}

/// Returns true if the plots should highlight the frame because it is a hitch or was interrupted.
pub fn is_flagged(past: &PastFrame) -> bool {
    is_hitch(past) || !interruption(past).is_zero()
}

/// Returns true if tasks or scheduling are partly to blame for a hitch. The strategy cannot avoid other hitches.
pub fn is_by_tasks(past: &PastFrame) -> bool {
    !past.is_interrupted() && measure::is_hitch_by_tasks(&past.record, past.period())
}

/// Explains in a few words why a highlighted frame took so long.
fn cause(past: &PastFrame) -> String {
    let interruption = interruption(past);
    if interruption.is_zero() {
        return own_cause(past);
    }
    let interrupted = format!("interrupted for {} s", number(interruption.as_secs_f64()));
    if is_by_tasks(past) {
        format!("{interrupted}, then {}", own_cause(past))
    } else {
        interrupted
    }
}

/// Explains in a few words why a frame took so long, without mentioning interruptions.
fn own_cause(past: &PastFrame) -> String {
    let frame = &past.record;
    if is_by_tasks(past) && frame.task_time >= frame.scheduling {
        let is_heavy = |took: Nanos| frame.runs > 1 && took + took > frame.task_time;
        return match past.sums.longest_run.filter(|run| is_heavy(run.took)) {
            Some(run) => {
                let took = number(run.took.as_millis_f64());
                format!("one heavy task, E{}: {took} ms", run.entity)
            }
            None => format::counted(frame.runs.into(), "task"),
        };
    }
    if is_by_tasks(past) {
        return "scheduling".to_owned();
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
    use crate::catalog::strategy::STRATEGIES;
    use crate::sim::lane::Run;
    use crate::testing::{MS, history, lane, past_frame, runs};

    fn past(tasks: u64, drawing: u64, runs: u32) -> PastFrame {
        let mut past = past_frame();
        past.record.runs = runs;
        past.record.task_time = MS(tasks);
        past.record.drawing = MS(drawing);
        past.record.length = MS(tasks + drawing);
        past
    }

    #[test]
    fn past_frame_is_described_with_its_cause() {
        let mut past = history(&[16]).frames()[0].clone();
        past.subject = PastFrame::of(&lane(STRATEGIES[1].key, &[])).subject;
        past.record.backlog = 0;
        let text = past_frame_text(&past, 1, STRATEGIES[1]).to_string();
        assert_eq!(text, "frame 0, 1 frame back · 10 tasks ran · 16.0 ms");
        past.record.length = MS(80);
        past.record.task_time = MS(70);
        past.record.backlog = 3;
        let text = past_frame_text(&past, 20, STRATEGIES[0]);
        let under = format!("frame 0, 20 frames back, under {}", STRATEGIES[1].name);
        let end = "10 tasks ran · 3 tasks waiting · hitch of 80.0 ms: 10 tasks";
        assert_eq!(text.to_string(), format!("{under} · {end}"));
        assert!(text.is_warning());
        (past.record.task_time, past.record.drawing) = (MS(2), MS(70));
        let text = past_frame_text(&past, 20, STRATEGIES[0]);
        assert!(text.to_string().ends_with("hitch of 80.0 ms: drawing"));
        assert!(!text.is_warning(), "no choice of strategy changes it");
        past.outside = Nanos::SECOND;
        let text = past_frame_text(&past, 20, STRATEGIES[0]);
        assert!(
            text.to_string().ends_with("80.0 ms, interrupted for 1 s"),
            "{text}"
        );
        assert!(!text.is_warning());
    }

    #[test]
    fn interrupted_frame_is_flagged_but_no_hitch() {
        let mut interrupted = past(0, 40, 0);
        interrupted.outside = Nanos::from_secs(3);
        assert!(is_flagged(&interrupted) && !is_hitch(&interrupted));
        let mut stalled = past(0, 509, 0);
        stalled.record.stall = MS(500);
        assert!(is_flagged(&stalled) && !is_hitch(&stalled));
        assert_eq!(cause(&stalled), "interrupted for 0.5 s");
        stalled.record.length += MS(40);
        assert!(is_hitch(&stalled), "its own length makes it a hitch, too");
    }

    #[test]
    fn cause_is_the_longest_part() {
        for (tasks, drawing, runs, expected) in [
            (40, 6, 400, "400 tasks"),
            (40, 6, 1, "1 task"),
            (2, 30, 400, "drawing"),
        ] {
            let past = past(tasks, drawing, runs);
            assert_eq!(cause(&past), expected);
            assert_eq!(is_by_tasks(&past), expected != "drawing");
        }
        let mut scheduling = past(2, 6, 1);
        (scheduling.record.scheduling, scheduling.record.length) = (MS(30), MS(38));
        assert_eq!(cause(&scheduling), "scheduling");
        assert!(is_by_tasks(&scheduling));
        let mut heavy = past(30, 6, 10);
        for (took, expected) in [(20, "one heavy task, E3: 20 ms"), (10, "10 tasks")] {
            heavy.sums.longest_run = runs(&[3], heavy.record.now).map(|runs| Run {
                took: MS(took),
                ..runs[0]
            });
            assert_eq!(cause(&heavy), expected);
        }
    }
}
