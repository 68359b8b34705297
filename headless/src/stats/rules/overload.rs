//! Overload: more work than the machine can do in an interval or a frame.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::STRETCHED_FROM;
use crate::text::format;
use crate::text::rich::{Clause, figure};
use timeslicer::time::Nanos;

/// Warns if a round of all tasks takes at least the wanted interval, at the measured mean cost. `None` before a whole
/// round has run.
pub(in crate::stats) fn overload(of: &Report) -> Option<Clause> {
    let utilisation = of.utilisation().filter(|&utilisation| utilisation >= 1.0)?;
    let wanted = of.wanted?;
    if of.subject.entities == 0 || of.runs < of.subject.entities as u64 {
        return None;
    }
    // A game slower than real time can keep its intervals in game time, so the clause must name real time.
    let real = if of.subject.pacing.waits_for_display && of.game_speed().keeps_real_time() {
        ""
    } else {
        " of real time"
    };
    let round = time(Nanos::from_secs_f64(utilisation * wanted.as_secs_f64()));
    let interval = time(wanted);
    let name = if round == interval {
        "full load: "
    } else {
        "overload: "
    };
    Some(phrase![name, round, " of tasks every ", interval, real].warning())
}

/// Warns if the machine had no time for all tasks of some frames.
pub(in crate::stats) fn stopped_frames(of: &Report) -> Option<Clause> {
    let (stopped, cost) = (of.stopped, of.cost()?);
    if stopped.frames == 0 {
        return None;
    }
    let a_frame = |sum: f64| Nanos::from_nanos_f64(sum / stopped.frames as f64);
    let done = a_frame(stopped.task_time.as_nanos() as f64);
    let left = a_frame(stopped.waiting as f64 * cost.as_nanos() as f64);
    let share = phrase![time(done), " of ", time(done + left)];
    Some(phrase![share, " of tasks done in a frame, the rest waits"].warning())
}

/// Warns if all tasks run in every frame and together take longer than the target length of a frame. Only for
/// strategies without a wanted interval.
pub(in crate::stats) fn frame_overload(of: &Report) -> Option<Clause> {
    let (mean, target) = (of.a_frame(of.task_time), of.subject.pacing.target);
    let is_overload = of.wanted.is_none() && of.runs_all_in_every_frame() && mean > target;
    is_overload.then(|| {
        let tasks = phrase!["overload: ", time(mean), " of tasks"];
        phrase![tasks, " in a ", time(target), " frame"].warning()
    })
}

/// Warns if the strategy stretches the intervals of all tasks, because there are more of them than its budget allows.
pub(in crate::stats) fn stretched(of: &Report) -> Option<Clause> {
    let stretch = of.subject.stretch;
    let digits = usize::from(stretch < 100.0);
    let is_stretched = of.subject.entities > 0 && stretch >= STRETCHED_FROM;
    is_stretched.then(|| {
        let times = figure(format::fixed(stretch, digits));
        phrase!["overload: intervals stretched ", times, " times"].warning()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{COST, COST_SPREAD, ENTITIES};
    use crate::stats::StoppedFrames;
    use crate::stats::rules::test_report::{assert_warning, clause_of, report, report_on};
    use crate::testing::lane;
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::strategy::knobs::INTERVAL;

    #[test]
    fn overload_begins_at_a_utilisation_of_1() {
        let of = |entities| {
            let set = [(&ENTITIES, entities), (&COST, 100.0), (&INTERVAL, 0.5)];
            report("fixed-interval", &set, 20)
        };
        assert_eq!(overload(&of(4999.0)), None);
        let full = "full load: 500 ms of tasks every 500 ms";
        assert_warning(overload, &of(5000.0), full);
        let over = "overload: 700 ms of tasks every 500 ms";
        assert_warning(overload, &of(7000.0), over);
    }

    #[test]
    fn slow_games_are_overloaded_in_real_time() {
        let set = [(&ENTITIES, 10_000.0), (&COST, 100.0)];
        for frame_loop in ["unsynced", "fixed-step"] {
            let of = report_on("fixed-interval", frame_loop, &set, 10);
            let (text, _) = clause_of(overload, &of);
            assert!(text.ends_with(" every 500 ms of real time"), "{text}");
        }
    }

    #[test]
    fn tasks_of_every_frame_must_fit_into_it() {
        let fits = report("every-frame", &[(&COST, 20.0)], 3);
        assert_eq!(frame_overload(&fits), None);
        let of = report("every-frame", &[], 3);
        let text = "overload: 40 ms of tasks in a 16.7 ms frame";
        assert_warning(frame_overload, &of, text);
        assert_eq!(frame_overload(&report("fixed-interval", &[], 3)), None);
    }

    #[test]
    fn stopped_frames_name_the_time_spent_and_the_time_needed() {
        let mut of = report("every-frame", &[(&COST, 100.0)], 1);
        assert_eq!(stopped_frames(&of), None);
        of.stopped = StoppedFrames {
            frames: 10,
            task_time: Nanos::from_secs(1),
            waiting: 190_000,
        };
        let text = "100 ms of 2 s of tasks done in a frame, the rest waits";
        assert_warning(stopped_frames, &of, text);
        of.runs = 0;
        assert_eq!(stopped_frames(&of), None, "the cost is unknown");
    }

    #[test]
    fn stretched_intervals_are_an_overload() {
        let mut of = report("fixed-interval", &[], 1);
        assert_eq!(of.subject.stretch, 1.0);
        of.subject.stretch = 1.09;
        assert_eq!(stretched(&of), None);
        for (stretch, text) in [
            (1.1, "overload: intervals stretched 1.1 times"),
            (2.14, "overload: intervals stretched 2.1 times"),
            (264.3, "overload: intervals stretched 264 times"),
        ] {
            of.subject.stretch = stretch;
            assert_warning(stretched, &of, text);
        }
    }

    #[test]
    fn strategies_that_stretch_intervals_say_so() {
        for entry in STRATEGIES {
            for cost in [1.0, 1_000.0] {
                let mut lane = lane(entry.key, &[(&COST, cost)]);
                (0..300).for_each(|_| drop(lane.frame().clone()));
                let is_stretched = stretched(&lane.report()).is_some();
                let is_long = lane.strategy().stretch() >= 1.1;
                assert_eq!(is_stretched, is_long, "{}", entry.key);
                assert!(!is_long || cost > 1.0, "{}", entry.key);
            }
        }
    }

    #[test]
    fn overload_needs_a_measured_round() {
        let set = [(&ENTITIES, 50_000.0), (&COST, 100.0), (&COST_SPREAD, 1.0)];
        let mut lane = lane("fixed-interval", &set);
        (0..2).for_each(|_| drop(lane.frame().clone()));
        let of = lane.report();
        assert!(of.runs > 0 && of.utilisation() > Some(1.0));
        assert_eq!(overload(&of), None);
    }
}
