//! The status: what a report of the last seconds means, in a sentence.

use super::rules::Rule;
use super::rules::backlog::backlog;
use super::rules::budget::budget;
use super::rules::burst::{burst, even_load};
use super::rules::frames::{frames, hitch_causes, load};
use super::rules::freshness::freshness;
use super::rules::game_speed::game_speed;
use super::rules::overload::overload;
use super::rules::pattern::pattern;
use super::rules::requests::requests;
use super::thresholds::STATUS_FROM;
use super::{Recovery, Report};
use crate::phrase;
use crate::text::rich::{Clause, RichText, counted, figure};

/// The rules, in the order of the status.
const RULES: &[Rule] = &[
    overload,
    pattern,
    freshness,
    requests,
    load,
    frames,
    hitch_causes,
    burst,
    even_load,
    budget,
    backlog,
    game_speed,
];

/// The rules that tell something of an empty world.
const EMPTY_WORLD: &[Rule] = &[frames, game_speed];

/// What a status has to tell besides the figures.
#[derive(Clone, Debug, Default)]
pub struct StatusNotes {
    /// Why all figures are doubtful, if they are: then no other is told.
    pub warning: Option<String>,
    /// True if game time is paused.
    pub is_paused: bool,
    /// True if the world makes requests by itself.
    pub has_requests: bool,
    /// Frames that were held up from outside, and left out of the figures.
    pub left_out: usize,
}

/// What is happening: the most important clause first, since a narrow window drops the last ones.
///
/// No sentence may be false. So each clause speaks in the past tense of what was measured, and as long as hardly anything
/// was measured, the strategy's rule is told.
#[must_use]
pub fn status(of: &Report, notes: &StatusNotes) -> RichText {
    let mut text = RichText::default();
    if let Some(warning) = &notes.warning {
        text.push(phrase![&**warning].warning());
    }
    if notes.is_paused {
        text.push(phrase!["paused"].normal());
    }
    if notes.warning.is_some() {
        return text;
    }
    text.clauses
        .splice(0..0, of.recovery.iter().map(Recovery::clause));
    let is_early = of.frames < 2 || of.span < STATUS_FROM;
    if of.entities == 0 {
        text.push(phrase!["no capsules, so nothing runs"].normal());
    } else if is_early {
        text.push(phrase![in_a_sentence(of.strategy.rule)].normal());
    }
    if is_early {
        return text;
    }
    let rules = if of.entities == 0 { EMPTY_WORLD } else { RULES };
    let clauses = rules.iter().filter_map(|rule| rule(of));
    let mut measured: RichText = clauses.chain(request_hint(of, notes)).collect();
    if notes.left_out > 0 {
        let frames = counted(notes.left_out as u64, "frame");
        measured.push(phrase![frames, " held up from outside, left out"].normal());
    }
    measured.warnings_first();
    text.clauses.extend(measured.clauses);
    text
}

/// Why nothing runs on request, if the world makes no requests by itself.
fn request_hint(of: &Report, notes: &StatusNotes) -> Option<Clause> {
    let is_idle = of.promise.is_of_requests() && of.entities > 0 && of.runs == 0;
    (is_idle && !notes.has_requests).then(|| {
        let requests = phrase!["Requests is ", figure(0)];
        phrase![requests, ", so only a drag over capsules asks"].normal()
    })
}

/// `Runs every task.` as a part of a sentence: `runs every task`.
fn in_a_sentence(rule: &str) -> String {
    let mut letters = rule.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::world::{COST, ENTITIES, REQUESTS};
    use crate::stats::rules::test_report::{MS, report};
    use crate::stats::test_lane::lane;
    use timeslice::strategy::STRATEGIES;

    fn text(of: &Report) -> String {
        status(of, &StatusNotes::default()).to_string()
    }

    #[test]
    fn a_status_is_made_of_the_rules_warnings_first() {
        let of = report("all-at-once", &[], 3);
        let clauses = status(&of, &StatusNotes::default()).clauses;
        let expected: Vec<Clause> = [frames, pattern, freshness, burst]
            .iter()
            .filter_map(|rule| rule(&of))
            .collect();
        assert_eq!(clauses, expected);
    }

    #[test]
    fn a_strategys_rule_is_told_until_enough_was_measured() {
        let mut of = report("every-frame", &[(&COST, 1.0)], 1);
        of.span = MS(499);
        let rule = of.strategy.rule;
        assert_eq!(text(&of), in_a_sentence(rule));
        assert!(text(&of).starts_with(|first: char| first.is_lowercase()));
        of.span = MS(500);
        assert!(!text(&of).starts_with(&in_a_sentence(rule)));
    }

    #[test]
    fn a_warning_makes_all_figures_doubtful() {
        let mut lane = lane("fixed-interval", &[]);
        lane.disturb(Disturbance::Stall);
        let of = lane.report();
        let notes = StatusNotes {
            warning: Some("nothing is true".to_owned()),
            is_paused: true,
            ..StatusNotes::default()
        };
        assert_eq!(status(&of, &notes).to_string(), "nothing is true · paused");
    }

    #[test]
    fn recovery_from_a_disturbance_comes_first() {
        let mut lane = lane("fixed-interval", &[]);
        lane.disturb(Disturbance::Stall);
        (0..100).for_each(|_| drop(lane.frame().clone()));
        let of = lane.report();
        let notes = StatusNotes {
            is_paused: true,
            ..StatusNotes::default()
        };
        let first = status(&of, &notes).clauses.into_iter().next();
        assert_eq!(first, of.recovery.as_ref().map(Recovery::clause));
    }

    #[test]
    fn an_empty_world_and_one_without_requests_are_explained() {
        let empty = report("every-frame", &[(&ENTITIES, 0.0)], 1);
        let start = "no capsules, so nothing runs · smooth, ";
        assert!(text(&empty).starts_with(start), "{}", text(&empty));
        let of = report("request-list", &[(&REQUESTS, 0.0)], 1);
        let end = "Requests is 0, so only a drag over capsules asks";
        assert!(text(&of).ends_with(end), "{}", text(&of));
    }

    #[test]
    fn frames_that_were_left_out_are_told() {
        let of = report("every-frame", &[(&COST, 1.0)], 1);
        let notes = StatusNotes {
            left_out: 1,
            ..StatusNotes::default()
        };
        let text = status(&of, &notes).to_string();
        assert!(text.ends_with("1 frame held up from outside, left out"));
    }

    #[test]
    fn one_entity_is_not_a_crowd() {
        for entry in STRATEGIES {
            let of = report(entry.key, &[(&ENTITIES, 1.0), (&REQUESTS, 1.0)], 3);
            for plural in ["1 runs", "1 tasks", "1 frames", "each of", "all "] {
                assert!(!text(&of).contains(plural), "{}", text(&of));
            }
        }
    }
}
