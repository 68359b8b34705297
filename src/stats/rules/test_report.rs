//! Reports for the tests of rules.

use super::Rule;
use crate::sim::lane::Length;
use crate::stats::test_lane::lane_of;
use crate::stats::{Distribution, Report, Times};
use timeslice::knob::Knob;
use timeslice::time::Nanos;

pub(crate) const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Report after `secs` seconds.
pub(crate) fn report(strategy: &str, set: &[(&Knob, f64)], secs: u64) -> Report {
    report_on(strategy, "variable-step", set, secs)
}

/// The same under that frame loop.
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

/// The distribution of these times.
pub(crate) fn times(all_ms: &[u64]) -> Times {
    let mut spread = Distribution::new();
    for &ms in all_ms {
        spread.add(MS(ms));
    }
    spread.times()
}

/// The rule's words, and whether they are a warning.
#[track_caller]
pub(crate) fn told(rule: Rule, of: &Report) -> (String, bool) {
    let clause = rule(of).expect("it says something");
    (clause.to_string(), clause.is_warning())
}

/// Asserts that the rule says this, and that it is no warning.
#[track_caller]
pub(crate) fn says(rule: Rule, of: &Report, expected: &str) {
    assert_eq!(told(rule, of), (expected.to_owned(), false));
}

/// Asserts that the rule warns in these words.
#[track_caller]
pub(crate) fn warns(rule: Rule, of: &Report, expected: &str) {
    assert_eq!(told(rule, of), (expected.to_owned(), true));
}
