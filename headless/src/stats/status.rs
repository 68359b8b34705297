//! The status: the last seconds in at most three clauses.

use super::rules::Rule;
use super::rules::activity::activity;
use super::rules::backlog::backlog;
use super::rules::budget::{budget, coarse_clock};
use super::rules::frames::{frames, slow_drawing};
use super::rules::game_speed::game_speed;
use super::rules::overload::{frame_overload, overload, stopped_frames, stretched};
use super::rules::published::published;
use super::thresholds::STATUS_FROM;
use super::{Recovery, Report};
use crate::phrase;
use crate::text::rich::{Clause, RichText, counted, figure};
use timeslicer::time::Nanos;

/// Most clauses of a status.
pub const MOST_CLAUSES: usize = 3;

/// Rules that warn, the most important first.
const PROBLEMS: &[Rule] = &[
    stopped_frames,
    overload,
    stretched,
    frame_overload,
    frames,
    budget,
    backlog,
    game_speed,
];

/// Rules that reassure, the best first.
const REASSURANCES: &[Rule] = &[budget, frames];

/// Facts besides the report that a status must mention.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatusNotes {
    /// True if game time is paused.
    pub is_paused: bool,
    /// True if the world makes requests by itself.
    pub has_requests: bool,
    /// Number of interrupted frames that the figures leave out.
    pub left_out: usize,
    /// Resolution of the clock; `None` on a simulated machine.
    pub clock_step: Option<Nanos>,
    /// Name of the limit on the frame rate, for a loop that has no limit of its own.
    pub limited_by: Option<&'static str>,
}

/// Returns the status: the strategy's activity, then "paused" if the game is paused, then warnings. If there are no
/// warnings, explanations and a reassurance follow instead. If the strategy runs as published, a clause about that follows
/// the activity.
///
/// Until enough is measured, the strategy's rule takes the place of its activity.
#[must_use]
pub fn status(of: &Report, notes: &StatusNotes) -> RichText {
    let is_early = of.frames == 0 || of.span < STATUS_FROM;
    let first = match of.subject.entities {
        0 => phrase!["no entities"].normal(),
        _ if is_early => phrase![in_a_sentence(of.subject.strategy.rule)].normal(),
        _ => activity(of),
    };
    let mut text = RichText::from(first);
    if notes.is_paused {
        text.push(phrase!["paused"].normal());
    }
    text.clauses.extend(remarks(of, notes, is_early).clauses);
    text.clauses.truncate(MOST_CLAUSES);
    text
}

/// Returns the clauses that follow the first one and "paused", warnings first.
fn remarks(of: &Report, notes: &StatusNotes, is_early: bool) -> RichText {
    let mut text: RichText = of.subject.recovery.iter().map(Recovery::summary).collect();
    // The clause of a rough recovery already counts these hitches.
    let counted_already = text.is_warning().then(|| frames(of)).flatten();
    text.clauses.splice(0..0, published(of));
    text.clauses.extend(coarse_clock(of, notes.clock_step));
    if !is_early {
        let problems = PROBLEMS.iter().filter_map(|rule| rule(of));
        let problems =
            problems.filter(|it| it.is_warning() && Some(it) != counted_already.as_ref());
        text.clauses.extend(problems);
        let is_warning = text.is_warning();
        if !is_warning {
            text.clauses.extend(hints(of, notes));
        }
        let slow_drawing = slow_drawing(of);
        if let Some(slow_drawing) = slow_drawing {
            text.clauses.push(slow_drawing);
        } else if !is_warning {
            let mut calm = REASSURANCES.iter().filter_map(|rule| rule(of));
            text.clauses.extend(calm.next());
        }
    }
    text.warnings_first();
    text
}

/// Returns explanations of figures that would otherwise be puzzling.
fn hints(of: &Report, notes: &StatusNotes) -> impl Iterator<Item = Clause> {
    let is_idle = of.subject.promise.is_on_request() && of.subject.entities > 0 && of.runs == 0;
    let requests = (is_idle && !notes.has_requests).then(|| {
        phrase![
            "Requests is ",
            figure(0),
            ": drag over capsules to request runs"
        ]
        .normal()
    });
    let limit = notes
        .limited_by
        .map(|by| phrase![by, " limits the frame rate"].normal());
    let left_out = (notes.left_out > 0).then(|| {
        let frames = counted(notes.left_out as u64, "interrupted frame");
        phrase![frames, " left out"].normal()
    });
    [requests, limit, left_out].into_iter().flatten()
}

/// Returns a rule as part of a sentence: `Runs every task.` becomes `runs every task`.
fn in_a_sentence(rule: &str) -> String {
    let mut letters = rule.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::{CHURN, COST, ENTITIES, REQUESTS};
    use crate::stats::rules::test_report::{MS, report};
    use crate::stats::verdict;
    use crate::testing::lane;
    use timeslicer::knob::Knob;
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::strategy::knobs::AS_PUBLISHED;

    fn clauses(of: &Report, notes: &StatusNotes) -> Vec<Clause> {
        status(of, notes).clauses
    }

    fn text(of: &Report, notes: &StatusNotes) -> String {
        status(of, notes).to_string()
    }

    fn paused() -> StatusNotes {
        StatusNotes {
            is_paused: true,
            ..StatusNotes::default()
        }
    }

    #[test]
    fn activity_comes_before_problems() {
        let mut of = report("all-at-once", &[], 3);
        let hitches = frames(&of).unwrap();
        let expected = [activity(&of), hitches.clone()];
        assert_eq!(clauses(&of, &StatusNotes::default()), expected);
        of.debt_dropped = MS(250);
        (of.backlog, of.backlog_peak) = ((0, 5000), 5000);
        let expected = [activity(&of), hitches, backlog(&of).unwrap()];
        assert_eq!(clauses(&of, &StatusNotes::default()), expected);
        of.hitches_by_tasks = 0;
        let expected = [backlog(&of), game_speed(&of)].map(Option::unwrap);
        assert_eq!(clauses(&of, &StatusNotes::default())[1..], expected);
    }

    #[test]
    fn slow_drawing_is_said_without_a_warning() {
        for entry in STRATEGIES {
            let of = report(entry.key, &[(&RENDER_MS, 30.0), (&COST, 10.0)], 5);
            let text = status(&of, &StatusNotes::default());
            assert!(!text.is_warning(), "{text}");
            assert!(text.clauses.contains(&frames(&of).unwrap()), "{text}");
        }
    }

    #[test]
    fn one_frame_of_many_seconds_is_a_warning() {
        let set = [(&ENTITIES, 10_000.0), (&COST, 2_000.0)];
        let mut lane = lane("every-frame", &set);
        lane.frame();
        let text = status(&lane.report(), &StatusNotes::default());
        assert!(text.is_warning(), "{text}");
    }

    #[test]
    fn one_figure_reassures_if_nothing_is_wrong() {
        for (strategy, rule) in [
            ("fixed-interval", frames as Rule),
            ("time-budget", budget as Rule),
        ] {
            let of = report(strategy, &[(&COST, 10.0)], 3);
            let expected = [activity(&of), rule(&of).unwrap()];
            assert_eq!(clauses(&of, &StatusNotes::default()), expected);
        }
    }

    #[test]
    fn a_rule_is_shown_until_enough_is_measured() {
        let mut of = report("every-frame", &[(&COST, 1.0)], 1);
        of.span = MS(499);
        let rule = in_a_sentence(of.subject.strategy.rule);
        assert_eq!(text(&of, &StatusNotes::default()), rule);
        assert!(rule.starts_with(char::is_lowercase) && !rule.ends_with('.'));
        of.span = MS(500);
        assert_ne!(clauses(&of, &StatusNotes::default())[0].to_string(), rule);
    }

    #[test]
    fn defects_of_published_forms_come_before_problems() {
        let set: &[(&Knob, f64)] = &[(&AS_PUBLISHED, 1.0), (&CHURN, 50.0), (&COST, 300.0)];
        for entry in STRATEGIES.iter().filter(|entry| entry.published.is_some()) {
            let of = report(entry.key, set, 3);
            let clause = published(&of).unwrap();
            assert_eq!(clauses(&of, &StatusNotes::default())[1], clause);
            let named = verdict(&of).clauses.contains(&clause);
            assert!(named, "{}", entry.key);
        }
        let of = report("max-per-frame", &[(&AS_PUBLISHED, 1.0)], 3);
        let text = text(&of, &StatusNotes::default());
        assert!(text.contains(" · as published · "), "{text}");
    }

    #[test]
    fn rough_recovery_replaces_other_hitches() {
        let mut lane = lane("fixed-interval", &[]);
        (0..50).for_each(|_| drop(lane.frame().clone()));
        lane.disturb(Disturbance::Stall);
        (0..100).for_each(|_| drop(lane.frame().clone()));
        let of = lane.report();
        let recovery = of.subject.recovery.as_ref().map(Recovery::summary).unwrap();
        assert!(recovery.is_warning() && frames(&of).is_some_and(|it| it.is_warning()));
        let expected = [activity(&of), recovery.clone()];
        assert_eq!(clauses(&of, &StatusNotes::default()), expected);
        assert_eq!(clauses(&of, &paused())[2], recovery);
    }

    #[test]
    fn empty_worlds_and_missing_requests_are_explained() {
        let empty = report("every-frame", &[(&ENTITIES, 0.0)], 1);
        let expected = format!("no entities · {}", frames(&empty).unwrap());
        assert_eq!(text(&empty, &StatusNotes::default()), expected);
        let of = report("request-list", &[(&REQUESTS, 0.0)], 1);
        let hint = clauses(&of, &StatusNotes::default())[1].to_string();
        assert_eq!(hint, "Requests is 0: drag over capsules to request runs");
    }

    #[test]
    fn one_entity_has_no_plural() {
        for entry in STRATEGIES {
            let of = report(entry.key, &[(&ENTITIES, 1.0), (&REQUESTS, 1.0)], 3);
            let text = text(&of, &StatusNotes::default());
            for plural in ["1 runs", "1 tasks", "1 frames", "each ", "all "] {
                assert!(!text.contains(plural), "{text}");
            }
        }
    }

    #[test]
    fn notes_are_remarks_unless_the_clock_is_too_coarse() {
        let of = report("time-budget", &[(&COST, 1.0)], 1);
        let second = |notes: StatusNotes| clauses(&of, &notes).swap_remove(1);
        let interrupted = second(StatusNotes {
            left_out: 1,
            ..StatusNotes::default()
        });
        assert_eq!(interrupted.to_string(), "1 interrupted frame left out");
        let limited = second(StatusNotes {
            limited_by: Some("vsync"),
            ..StatusNotes::default()
        });
        assert_eq!(limited.to_string(), "vsync limits the frame rate");
        let coarse = second(StatusNotes {
            clock_step: Some(MS(1)),
            left_out: 1,
            ..StatusNotes::default()
        });
        assert!(coarse.is_warning());
        assert_eq!(Some(coarse), coarse_clock(&of, Some(MS(1))));
    }
}
