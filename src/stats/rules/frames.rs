//! Lengths of frames, and the causes of hitches.

use super::phrasing::{at_most, time};
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::MISSED_TARGET;
use crate::text::format;
use crate::text::rich::{Clause, counted, figure, grouped_figure};

/// Whether frames have the length that they are to have.
#[expect(clippy::unnecessary_wraps)] // a rule like the others
pub(in crate::stats) fn frames(of: &Report) -> Option<Clause> {
    let (mean, longest) = (of.frame.mean, of.frame.max);
    let words = match of.hitches {
        0 if misses_target(of) => phrase![
            "frames of ",
            time(mean),
            " on the mean, ",
            time(of.pacing.target),
            " was aimed at"
        ],
        0 => return Some(phrase!["smooth, no frame above ", at_most(of.hitch())].normal()),
        all if all == of.frames => phrase![
            "every frame took more than ",
            time(of.hitch()),
            ", on the mean ",
            time(mean)
        ],
        1 => phrase!["one hitch of ", time(longest)],
        some => phrase![
            grouped_figure(some),
            " hitches in ",
            grouped_figure(of.frames),
            " frames, the longest ",
            time(longest)
        ],
    };
    Some(words.warning())
}

fn misses_target(of: &Report) -> bool {
    of.frame.mean.over(of.pacing.target) > MISSED_TARGET
}

/// Hitches by the tasks' doing, unless all are.
pub(in crate::stats) fn hitch_causes(of: &Report) -> Option<Clause> {
    let words = match of.hitches_by_tasks {
        all if all == of.hitches => return None,
        0 => phrase!["no hitch by tasks"],
        some => phrase![
            grouped_figure(some),
            " of ",
            counted(of.hitches, "hitch"),
            " by tasks"
        ],
    };
    Some(words.normal())
}

/// The time in tasks, if every task runs in every frame: it must fit into one.
pub(in crate::stats) fn load(of: &Report) -> Option<Clause> {
    let mean = of.a_frame(of.task_time);
    let took = phrase!["tasks took ", time(mean), " a frame"];
    if !of.runs_all_in_every_frame() {
        return None;
    }
    let target = of.pacing.target;
    if mean <= target {
        return Some(took.normal());
    }
    let rate = figure(format::number(1.0 / target.as_secs_f64()));
    Some(phrase![took, "; at ", rate, " Hz a frame has ", time(target)].warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{report, report_on, says, times, warns};
    use timeslice::frame_loop::constant_fps::LOOP_FPS;

    #[test]
    fn frames_are_smooth_or_some_or_all_of_them_are_hitches() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        says(frames, &of, "smooth, no frame above 25 ms");
        let set = [(&LOOP_FPS, 25.0), (&RENDER_MS, 60.0), (&COST, 0.0)];
        let slow = report_on("fixed-interval", "constant-fps", &set, 20);
        let missed = "frames of 60 ms on the mean, 40 ms was aimed at";
        warns(frames, &slow, missed);
        of.frame = times(&[16, 16, 100]);
        (of.frames, of.hitches) = (3, 1);
        warns(frames, &of, "one hitch of 100 ms");
        (of.frames, of.hitches) = (1200, 2);
        let some = "2 hitches in 1,200 frames, the longest 100 ms";
        warns(frames, &of, some);
        of.hitches = 1200;
        let all = "every frame took more than 25 ms, on the mean 44 ms";
        warns(frames, &of, all);
    }

    #[test]
    fn hitches_that_are_not_by_tasks_are_told() {
        let mut of = report("every-frame", &[], 1);
        assert_eq!(hitch_causes(&of), None);
        (of.hitches, of.hitches_by_tasks) = (7, 0);
        says(hitch_causes, &of, "no hitch by tasks");
        of.hitches_by_tasks = 2;
        says(hitch_causes, &of, "2 of 7 hitches by tasks");
    }

    #[test]
    fn tasks_of_every_frame_must_fit_into_it() {
        let of = report("every-frame", &[(&COST, 20.0)], 3);
        says(load, &of, "tasks took 8 ms a frame");
        let of = report("every-frame", &[], 3);
        let text = "tasks took 40 ms a frame; at 60 Hz a frame has 16.7 ms";
        warns(load, &of, text);
        assert_eq!(load(&report("fixed-interval", &[], 3)), None);
    }
}
