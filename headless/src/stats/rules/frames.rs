//! Lengths of frames, hitches and their causes.

use super::phrasing::time;
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::MISSED_TARGET;
use crate::text::rich::{Clause, Phrase, counted, grouped_figure};

/// Describes hitches, or frames that miss their target length. If there are none, names the length that no frame
/// exceeded.
///
/// The clause is a warning only if tasks or scheduling are the cause, because no strategy can make drawing faster.
#[expect(clippy::unnecessary_wraps)] // the signature of a rule
pub(in crate::stats) fn frames(of: &Report) -> Option<Clause> {
    let (mean, longest) = (of.frame.mean, of.frame.max);
    let is_warning = of.updates_are_too_long();
    // If updates make frames too long, but none a hitch, the average is the point.
    let is_average_to_blame = of.hitches == 0 || is_warning && of.hitches_by_tasks == 0;
    let words = match of.hitches {
        _ if misses_target(of) && is_average_to_blame => {
            let target = time(of.subject.pacing.target);
            phrase!["frames average ", time(mean), " (target ", target, ")"]
        }
        0 => return Some(phrase!["smooth: no frame above ", time(of.hitch())].normal()),
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
    Some(words.warning_if(is_warning))
}

/// Like [`frames`], but only if hitches or long frames are not caused by the strategy.
pub(in crate::stats) fn slow_drawing(of: &Report) -> Option<Clause> {
    let is_slow = of.hitches > 0 || misses_target(of);
    frames(of).filter(|clause| is_slow && !clause.is_warning())
}

fn misses_target(of: &Report) -> bool {
    of.frame.mean.over(of.subject.pacing.target) > MISSED_TARGET
}

impl Report {
    /// Returns true if tasks caused a hitch, or if frames are too long and scheduling takes longer than drawing, or if
    /// frames would keep their target length without their updates.
    pub(in crate::stats) fn updates_are_too_long(&self) -> bool {
        let is_long = self.hitches > 0 || misses_target(self);
        let in_updates = self.a_frame(self.task_time + self.scheduling);
        let others = self.frame.mean - in_updates;
        let is_on_target = others.over(self.subject.pacing.target) <= MISSED_TARGET;
        self.hitches_by_tasks > 0
            || is_long && self.scheduling > self.drawing
            || misses_target(self) && is_on_target
    }
}

/// Describes how many of the hitches tasks caused; empty if they caused all.
fn causes(of: &Report) -> Phrase {
    match of.hitches_by_tasks {
        all if all == of.hitches => Phrase::default(),
        0 => phrase![", not caused by tasks"],
        some => phrase![", ", grouped_figure(some), " of them caused by tasks"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::{DISPLAY_HZ, RENDER_MS};
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{
        assert_clause, assert_warning, clause_of, report, report_on, times,
    };
    use timeslicer::frame_loop::constant_fps::LOOP_FPS;
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::time::Nanos;

    #[test]
    fn frames_are_smooth_or_some_or_all_are_hitches() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        assert_clause(frames, &of, "smooth: no frame above 25 ms");
        let mut slow = report_on("every-frame", "constant-fps", &[(&LOOP_FPS, 25.0)], 1);
        slow.frame = times(&[50]);
        (slow.frames, slow.hitches, slow.task_time) = (1, 0, slow.frame.max);
        assert_warning(frames, &slow, "frames average 50 ms (target 40 ms)");
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
    fn one_limit_has_one_text() {
        let set = [(&ENTITIES, 1.0), (&DISPLAY_HZ, 144.0)];
        let mut of = report("every-frame", &set, 1);
        assert_clause(frames, &of, "smooth: no frame above 10.4 ms");
        (of.hitches, of.hitches_by_tasks) = (of.frames, of.frames);
        let (text, _) = clause_of(frames, &of);
        assert!(text.starts_with("every frame above 10.4 ms"), "{text}");
    }

    #[test]
    fn hitches_not_caused_by_tasks_are_marked() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        of.frame = times(&[16, 16, 100]);
        (of.frames, of.hitches, of.hitches_by_tasks) = (3, 1, 0);
        let other = "one hitch of 100 ms, not caused by tasks";
        assert_clause(frames, &of, other);
        assert_clause(slow_drawing, &of, other);
        (of.frames, of.hitches, of.hitches_by_tasks) = (120, 7, 2);
        let some = "7 hitches in 120 frames, up to 100 ms, 2 of them caused by tasks";
        assert_warning(frames, &of, some);
        assert_eq!(slow_drawing(&of), None);
    }

    /// Frames miss their target because of tasks, but the only hitch is one of drawing.
    #[test]
    fn no_warning_blames_hitches_on_drawing() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        of.frame = times(&[20, 20, 32]);
        (of.frames, of.hitches, of.hitches_by_tasks) = (3, 1, 0);
        of.task_time = Nanos::from_millis(24);
        assert_warning(frames, &of, "frames average 24 ms (target 16.7 ms)");
    }

    #[test]
    fn slow_drawing_is_no_warning() {
        for entry in STRATEGIES {
            let set = [(&RENDER_MS, 30.0), (&COST, 10.0)];
            let of = report_on(entry.key, "variable-step", &set, 5);
            assert_eq!(of.hitches, of.frames, "{}", entry.key);
            let (words, is_warning) = clause_of(slow_drawing, &of);
            assert!(words.starts_with("every frame above 25 ms"), "{words}");
            assert!(!is_warning, "{}", entry.key);
        }
        let set = [(&LOOP_FPS, 25.0), (&RENDER_MS, 60.0), (&COST, 0.0)];
        let of = report_on("fixed-interval", "constant-fps", &set, 20);
        assert_clause(slow_drawing, &of, "frames average 60 ms (target 40 ms)");
        assert_eq!(slow_drawing(&report("fixed-interval", &[], 3)), None);
    }

    #[test]
    fn slow_scheduling_is_a_warning() {
        let mut of = report("every-frame", &[(&ENTITIES, 1.0)], 1);
        (of.frames, of.hitches, of.hitches_by_tasks) = (60, 3, 0);
        (of.scheduling, of.drawing) = (times(&[90]).max, times(&[60]).max);
        assert!(clause_of(frames, &of).1);
        std::mem::swap(&mut of.scheduling, &mut of.drawing);
        assert!(!clause_of(frames, &of).1);
    }
}
