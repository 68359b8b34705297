//! Reports for the tests of rules.

use super::Rule;
use crate::sim::lane::Length;
use crate::stats::{Distribution, Report, Times};
use crate::testing::lane_of;
use timeslicer::knob::Knob;
use timeslicer::time::Nanos;

pub(crate) const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Reports on a strategy after `secs` seconds.
pub(crate) fn report(strategy: &str, set: &[(&Knob, f64)], secs: u64) -> Report {
    report_on(strategy, "variable-step", set, secs)
}

/// Reports on a strategy under a frame loop after `secs` seconds.
pub(crate) fn report_on(
    strategy: &str,
    frame_loop: &str,
    set: &[(&Knob, f64)],
    secs: u64,
) -> Report {
    let mut lane = lane_of(strategy, frame_loop, set);
    while lane.is_within(Length::Time(Nanos::from_secs(secs))) {
        lane.frame();
    }
    lane.report()
}

/// Returns the figures of a distribution of `all_ms`.
pub(crate) fn times(all_ms: &[u64]) -> Times {
    let mut spread = Distribution::new();
    for &ms in all_ms {
        spread.add(MS(ms));
    }
    spread.times()
}

/// Returns the rule's words, and whether they are a warning.
#[track_caller]
pub(crate) fn clause_of(rule: Rule, of: &Report) -> (String, bool) {
    let clause = rule(of).expect("the rule applies");
    (clause.to_string(), clause.is_warning())
}

/// Asserts the rule's words, and that they are no warning.
#[track_caller]
pub(crate) fn assert_clause(rule: Rule, of: &Report, expected: &str) {
    assert_eq!(clause_of(rule, of), (expected.to_owned(), false));
}

/// Asserts the rule's words, and that they are a warning.
#[track_caller]
pub(crate) fn assert_warning(rule: Rule, of: &Report, expected: &str) {
    assert_eq!(clause_of(rule, of), (expected.to_owned(), true));
}
