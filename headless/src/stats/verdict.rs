//! The verdict: a whole run in a sentence.

use super::rules::Rule;
use super::rules::backlog::backlog;
use super::rules::budget::budget;
use super::rules::burst::burst;
use super::rules::frames::frames;
use super::rules::freshness::{freshness, staleness};
use super::rules::game_speed::game_speed;
use super::rules::overload::{overload, stopped_frames, stretched};
use super::rules::promises::broken_promises;
use super::rules::published::published;
use super::rules::requests::requests;
use super::rules::scheduling::scheduling;
use super::{Recovery, Report};
use crate::phrase;
use crate::text::rich::RichText;

/// The rules, in the order of the verdict.
const RULES: &[Rule] = &[
    published,
    stopped_frames,
    overload,
    stretched,
    frames,
    freshness,
    requests,
    staleness,
    broken_promises,
    budget,
    backlog,
    burst,
    game_speed,
    scheduling,
];

/// Returns the verdict: a clause about the recovery from the last disturbance, and the clauses of the rules. Warnings
/// come first.
#[must_use]
pub fn verdict(of: &Report) -> RichText {
    let mut text: RichText = of.subject.recovery.iter().map(Recovery::clause).collect();
    if of.frames == 0 {
        let why = if of.subject.warming_up {
            "figures reset after the last change"
        } else {
            "nothing measured yet"
        };
        text.push(phrase![why].normal());
        return text;
    }
    text.clauses
        .extend(RULES.iter().filter_map(|rule| rule(of)));
    // Compare leaves out the last clauses if there is little room.
    text.warnings_first();
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{COST, ENTITIES};
    use crate::stats::rules::test_report::{MS, report};
    use crate::testing::lane;
    use crate::text::rich::Clause;
    use timeslicer::strategy::STRATEGIES;

    #[test]
    fn nothing_is_measured_before_the_first_frame() {
        let mut lane = lane("fixed-interval", &[]);
        let text = verdict(&lane.report()).to_string();
        assert_eq!(text, "nothing measured yet");
        lane.set_knob(&COST, 7.0);
        let text = verdict(&lane.report()).to_string();
        assert_eq!(text, "figures reset after the last change");
    }

    #[test]
    fn warnings_come_first() {
        let mut of = report("time-budget", &[], 5);
        of.backlog = (0, 500);
        of.backlog_peak = 500;
        let text = verdict(&of);
        let warnings: Vec<bool> = text.clauses.iter().map(Clause::is_warning).collect();
        assert_eq!(warnings.iter().position(|it| !it), Some(1), "{text}");
        let mut of = report("every-frame", &[(&ENTITIES, 2000.0)], 5);
        of.debt_dropped = MS(250);
        let text = verdict(&of);
        let is_sorted = text.clauses.is_sorted_by_key(|it| !it.is_warning());
        assert!(is_sorted, "{text}");
    }

    #[test]
    fn every_strategy_has_a_verdict() {
        for entry in STRATEGIES {
            for entities in [0.0, 1.0, 300.0, 9000.0] {
                let of = report(entry.key, &[(&ENTITIES, entities)], 5);
                assert!(!verdict(&of).clauses.is_empty(), "{}", entry.key);
            }
        }
    }
}
