//! The two CSVs of `run`, frames and events, are each consistent and agree with each other.

use crate::command_line::lab::{EVENTS_HEADER, HEADER, events, folder, frames, lab, stdout};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use timeslicer::strategy::STRATEGIES;

#[test]
fn the_headers_are_fixed() {
    assert_eq!(stdout("run --frames 0"), format!("{HEADER}\n"));
    assert_eq!(
        stdout("run --frames 0 --events -"),
        format!("{EVENTS_HEADER}\n")
    );
}

#[test]
fn deltas_are_the_times_between_starts() {
    for entry in STRATEGIES {
        let csv = stdout(&format!(
            "run --strategy {} --entities 300 --cost-us 150 --cost-spread 1 --frames 200",
            entry.key
        ));
        let frames = frames(&csv);
        assert_eq!(frames.len(), 200);
        assert_eq!(
            (frames[0].number, frames[0].start, frames[0].delta),
            (0, 0, 0)
        );
        for pair in frames.windows(2) {
            assert_eq!(pair[1].number, pair[0].number + 1);
            assert_eq!(pair[1].delta, pair[1].start - pair[0].start, "{pair:?}");
            assert_eq!(pair[0].length, pair[1].delta, "{pair:?}");
        }
    }
}

#[test]
fn a_frame_takes_at_least_the_display_period() {
    for (speed, cost_us) in [(1, 100), (1, 900), (2, 900), (1, 1500)] {
        for strategy in ["every-frame", "all-at-once", "time-budget"] {
            let csv = stdout(&format!(
                "run --strategy {strategy} --loop variable-step --entities 20 --cost-us {cost_us} \
                 --speed {speed} --render-ms 4.5 --display-hz 50 --frames 60"
            ));
            for frame in frames(&csv) {
                let busy = 4_500_000 + frame.in_tasks;
                assert_eq!(frame.length, busy.max(20_000_000), "{frame:?}");
                assert_eq!(frame.in_tasks, frame.tasks * cost_us * 1000 / speed);
                assert_eq!((frame.updates, frame.alpha), (1, 0.0));
            }
        }
    }
}

#[test]
fn rounded_display_periods_add_up() {
    let csv = stdout("run --entities 0 --display-hz 60 --frames 601");
    for frame in frames(&csv) {
        let exact = frame.number * 1_000_000_000;
        assert_eq!(frame.start, exact.div_ceil(60), "{frame:?}");
    }
}

#[test]
fn run_lengths_are_exact() {
    assert_eq!(
        frames(&stdout("run --display-hz 100 --seconds 2")).len(),
        200
    );
    assert_eq!(frames(&stdout("run --display-hz 100")).len(), 1000);
    assert_eq!(frames(&stdout("run --frames 1")).len(), 1);
    assert!(frames(&stdout("run --seconds 0")).is_empty());
}

#[test]
fn events_are_ordered_and_match_the_frames() {
    for entry in STRATEGIES {
        let folder = folder(&format!("fit-{}", entry.key));
        let path = folder.join("events.csv");
        let csv = stdout(&format!(
            "run --strategy {} --entities 50 --churn-per-s 30 --requests-per-s 5 --cost-us 400 \
             --cost-spread 0.5 --frames 300 --events {}",
            entry.key,
            path.display()
        ));
        let (frames, events) = (frames(&csv), events(&fs::read_to_string(path).unwrap()));
        assert!(events.is_sorted_by_key(|event| (event.frame, event.time)));
        for frame in &frames {
            let here = events.iter().filter(|event| event.frame == frame.number);
            assert_eq!(here.count() as u64, frame.tasks, "{frame:?}");
        }
        let distinct: BTreeSet<_> = events.iter().map(|it| (it.frame, it.entity)).collect();
        assert_eq!(distinct.len(), events.len(), "{}", entry.key);
    }
}

#[test]
fn elapsed_times_add_up_to_the_age_at_the_last_run() {
    const POPULATION: u64 = 50;
    for entry in STRATEGIES {
        let csv = stdout(&format!(
            "run --strategy {} --entities {POPULATION} --churn-per-s 30 --frames 600 --events -",
            entry.key
        ));
        let mut lives: BTreeMap<u64, (u64, u64)> = BTreeMap::new(); // birth and sum of elapsed times
        for event in events(&csv) {
            let birth = event.time - event.elapsed;
            let (birth, sum) = lives.entry(event.entity).or_insert((birth, 0));
            *sum += event.elapsed;
            assert_eq!(*sum, event.time - *birth, "{event:?}");
        }
        let births: Vec<u64> = lives.values().map(|(birth, _)| *birth).collect();
        assert!(births.is_sorted(), "numbers follow the order of birth");
        let newcomers = lives.range(POPULATION..).count();
        assert!(newcomers > 10, "{}: {newcomers}", entry.key);
        for (number, (birth, _)) in lives {
            assert_eq!(birth == 0, number < POPULATION, "{number} at {birth}");
        }
    }
}

#[test]
fn backlogs_count_waiting_requests_after_the_frame() {
    let overload = "--entities 400 --requests-per-s 30 --cost-us 1000 --frames 300";
    let waiting = frames(&stdout(&format!("run --strategy time-budget {overload}")));
    assert!(waiting.iter().any(|frame| frame.backlog > 100));
    let list = frames(&stdout(&format!("run --strategy request-list {overload}")));
    assert!(list.iter().all(|frame| frame.backlog == 0));
}

#[test]
fn frames_continue_without_entities() {
    for entry in STRATEGIES {
        let csv = stdout(&format!(
            "run --strategy {} --entities 0 --churn-per-s 100 --requests-per-s 100 --frames 30",
            entry.key
        ));
        let frames = frames(&csv);
        assert_eq!(frames.len(), 30);
        assert!(
            frames
                .iter()
                .all(|it| (it.tasks, it.backlog, it.in_tasks) == (0, 0, 0))
        );
    }
}

#[test]
fn summaries_of_published_forms_name_the_defect() {
    let work = "run --summary --csv /dev/null --churn-per-s 50 --seconds 5";
    let summary = |flags: &str| {
        let line = format!("{work} {flags}");
        lab(&line.split_whitespace().collect::<Vec<_>>()).stderr
    };
    for entry in STRATEGIES {
        let of = |published: &str| summary(&format!("--strategy {} {published}", entry.key));
        let is_published =
            |text: &str| text.contains("the published ") || text.contains("as published");
        assert!(!is_published(&of("")), "{}", entry.key);
        let names_it = is_published(&of("--as-published 1"));
        assert_eq!(names_it, entry.published.is_some(), "{}", entry.key);
    }
}
