//! The rhythm of each strategy.

use crate::command_line::lab::{events, frames, stdout};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn fixed_interval_spreads_tasks_evenly() {
    // 10 tasks in 50 frames, so one task in every fifth frame.
    let csv = stdout(
        "run --strategy fixed-interval --entities 10 --interval-s 0.5 --display-hz 100 --frames 101",
    );
    for frame in frames(&csv) {
        let expected = u64::from(frame.number > 0 && frame.number % 5 == 0);
        assert_eq!(frame.tasks, expected, "{frame:?}");
    }
}

#[test]
fn survivors_keep_their_interval_when_entities_die() {
    for seed in 0..8 {
        let csv = stdout(&format!(
            "run --strategy fixed-interval --entities 100 --churn-per-s 5 --seconds 60 \
             --display-hz 60 --events - --seed {seed}"
        ));
        let mut ran_before = BTreeSet::new();
        let mut intervals = 0;
        for event in events(&csv) {
            if ran_before.insert(event.entity) {
                continue; // the first elapsed time is the time since birth, not an interval
            }
            intervals += 1;
            let range = 440_000_000..=560_000_000;
            assert!(range.contains(&event.elapsed), "seed {seed}: {event:?}");
        }
        assert!(ran_before.len() > 300 && intervals > 10_000);
    }
}

#[test]
fn stagger_groups_follow_the_frame_rate() {
    for (display_hz, interval) in [(50, 600_000_000), (100, 300_000_000)] {
        let csv = stdout(&format!(
            "run --strategy stagger-groups --groups 30 --entities 90 --cost-us 10 \
             --display-hz {display_hz} --frames 200 --events -"
        ));
        let mut last: BTreeMap<u64, u64> = BTreeMap::new();
        for event in events(&csv) {
            if last.insert(event.entity, event.time).is_some() {
                assert_eq!(event.elapsed, interval, "{event:?}");
            }
        }
        assert_eq!(last.len(), 90);
    }
}

#[test]
fn all_at_once_runs_all_tasks_in_one_frame() {
    let csv = stdout(
        "run --strategy all-at-once --interval-s 0.5 --entities 40 --cost-us 1 --display-hz 60 --frames 91",
    );
    for frame in frames(&csv) {
        let expected = if frame.number % 30 == 0 { 40 } else { 0 };
        assert_eq!(frame.tasks, expected, "{frame:?}");
    }
}
