//! The pattern by which a strategy shares out its tasks.

use crate::phrase;
use crate::stats::Report;
use crate::text::rich::{Clause, Phrase, counted, grouped_figure};
use timeslice::strategy::{Pattern, Promise};

/// How tasks are shared out among frames: as it was measured if all run together, else as the strategy describes it.
pub(in crate::stats) fn pattern(of: &Report) -> Option<Clause> {
    if of.runs == 0 {
        return None;
    }
    let words = if of.runs_all_in_every_frame() {
        phrase![all_tasks(of), " ran in every frame"]
    } else if of.entities > 1 && of.runs_all_in_one_frame() {
        let others = grouped_figure(of.frames - of.busy_frames);
        let busy = counted(of.busy_frames, "frame");
        phrase![
            all_tasks(of),
            " ran in ",
            busy,
            ", none in the other ",
            others
        ]
    } else {
        match of.pattern? {
            Pattern::Groups(groups) => {
                phrase!["one of ", counted(groups as u64, "group"), " an update"]
            }
            Pattern::AtMost(most) => {
                let at_most = phrase!["at most ", grouped_figure(most as u64), " an update"];
                phrase![at_most, round(of)]
            }
        }
    };
    Some(words.normal())
}

/// The law of turns: with more tasks a round takes longer, and no frame does.
fn round(of: &Report) -> Phrase {
    match of.promise {
        Promise::Updates(updates) if updates > 1 => {
            phrase![", a round is ", counted(updates as u64, "update")]
        }
        _ => Phrase::default(),
    }
}

fn all_tasks(of: &Report) -> Phrase {
    match of.entities {
        1 => phrase!["the one task"],
        2 => phrase!["both tasks"],
        all => phrase!["all ", counted(all as u64, "task")],
    }
}

impl Report {
    /// Whether each frame made one update in which every entity's task ran.
    pub(in crate::stats) fn runs_all_in_every_frame(&self) -> bool {
        self.runs_all_in_one_frame() && self.busy_frames == self.frames
    }

    /// Whether every frame in which anything ran made one update, in which every entity's task ran. No task runs twice in
    /// an update.
    pub(in crate::stats) fn runs_all_in_one_frame(&self) -> bool {
        let is_all = |runs: u32| runs as usize == self.entities;
        let all = is_all(self.peak_runs) && is_all(self.fewest_runs);
        self.runs > 0 && self.most_updates <= 1 && all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{report, says};
    use timeslice::strategy::max_per_frame::MAX_TASKS;

    #[test]
    fn a_strategy_describes_its_own_pattern() {
        let groups = report("stagger-groups", &[], 3);
        says(pattern, &groups, "one of 30 groups an update");
        let turns = report("max-per-frame", &[], 3);
        let text = "at most 4 an update, a round is 100 updates";
        says(pattern, &turns, text);
        assert_eq!(pattern(&report("fixed-interval", &[], 3)), None);
    }

    #[test]
    fn tasks_that_run_together_are_told_as_measured() {
        let set = [(&MAX_TASKS, 500.0), (&COST, 1.0)];
        let all = "all 400 tasks ran in every frame";
        says(pattern, &report("max-per-frame", &set, 3), all);
        let mut of = report("all-at-once", &[(&COST, 10.0)], 1);
        let text = "all 400 tasks ran in 2 frames, none in the other 58";
        says(pattern, &of, text);
        of.most_updates = 2;
        assert_eq!(pattern(&of), None, "one may have run twice");
        let one = report("every-frame", &[(&ENTITIES, 1.0)], 3);
        says(pattern, &one, "the one task ran in every frame");
    }
}
