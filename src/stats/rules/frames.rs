//! Lengths of frames, hitches and their causes.

use super::phrasing::{at_most, time};
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::MISSED_TARGET;
use crate::text::rich::{Clause, Phrase, counted, grouped_figure};

/// Warns of hitches, or of frames that miss their target length. If there are none, names the length that no frame
/// exceeded.
#[expect(clippy::unnecessary_wraps)] // the signature of a rule
pub(in crate::stats) fn frames(of: &Report) -> Option<Clause> {
    let (mean, longest) = (of.frame.mean, of.frame.max);
    let words = match of.hitches {
        0 if misses_target(of) => {
            let target = time(of.subject.pacing.target);
            phrase!["frames average ", time(mean), " (target ", target, ")"]
        }
        0 => return Some(phrase!["smooth: no frame above ", at_most(of.hitch())].normal()),
        all if all == of.frames => {
            let every = phrase!["every frame above ", time(of.hitch())];
            phrase![every, " (average ", time(mean), ")", causes(of)]
        }
        1 => phrase!["one hitch of ", time(longest), causes(of)],
        some => {
            let hitches = phrase![grouped_figure(some), " hitches in "];
            let frames = counted(of.frames, "frame");
            let longest = time(longest);
            phrase![hitches, frames, ", up to ", longest, causes(of)]
        }
    };
    Some(words.warning())
}

/// Like [`frames`], but only if tasks caused at least one hitch.
pub(in crate::stats) fn task_hitches(of: &Report) -> Option<Clause> {
    frames(of).filter(|_| of.hitches_by_tasks > 0)
}

/// Like [`frames`], but only if tasks caused no hitch.
pub(in crate::stats) fn other_hitches(of: &Report) -> Option<Clause> {
    frames(of).filter(|_| of.hitches_by_tasks == 0)
}

fn misses_target(of: &Report) -> bool {
    of.frame.mean.over(of.subject.pacing.target) > MISSED_TARGET
}

/// Describes how many of the hitches tasks caused; empty if they caused all.
fn causes(of: &Report) -> Phrase {
    match of.hitches_by_tasks {
        all if all == of.hitches => Phrase::default(),
        0 => phrase![", not caused by tasks"],
        some => phrase![", ", grouped_figure(some), " caused by tasks"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{
        assert_clause, assert_warning, report, report_on, times,
    };
    use timeslice::frame_loop::constant_fps::LOOP_FPS;

    #[test]
    fn frames_are_smooth_or_some_or_all_are_hitches() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        assert_clause(frames, &of, "smooth: no frame above 25 ms");
        let set = [(&LOOP_FPS, 25.0), (&RENDER_MS, 60.0), (&COST, 0.0)];
        let slow = report_on("fixed-interval", "constant-fps", &set, 20);
        assert_warning(frames, &slow, "frames average 60 ms (target 40 ms)");
        of.frame = times(&[16, 16, 100]);
        (of.frames, of.hitches, of.hitches_by_tasks) = (3, 1, 1);
        assert_warning(frames, &of, "one hitch of 100 ms");
        (of.frames, of.hitches, of.hitches_by_tasks) = (1200, 2, 2);
        let some = "2 hitches in 1,200 frames, up to 100 ms";
        assert_warning(frames, &of, some);
        (of.hitches, of.hitches_by_tasks) = (1200, 1200);
        let all = "every frame above 25 ms (average 44 ms)";
        assert_warning(frames, &of, all);
    }

    #[test]
    fn hitches_not_caused_by_tasks_are_marked() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        of.frame = times(&[16, 16, 100]);
        (of.frames, of.hitches, of.hitches_by_tasks) = (3, 1, 0);
        let other = "one hitch of 100 ms, not caused by tasks";
        assert_warning(frames, &of, other);
        assert_warning(other_hitches, &of, other);
        assert_eq!(task_hitches(&of), None);
        (of.frames, of.hitches, of.hitches_by_tasks) = (120, 7, 2);
        let some = "7 hitches in 120 frames, up to 100 ms, 2 caused by tasks";
        assert_warning(task_hitches, &of, some);
    }
}
