//! Tests of the data that a history keeps and removes.

use super::*;
use crate::sim::machine::{RENDER_MS, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::Point;
use crate::sim::world::{COST, ENTITIES};
use crate::testing::{numbered_frame as past, numbered_frames as history};
use timeslicer::frame_loop;
use timeslicer::knob::KnobValues;
use timeslicer::strategy::{STRATEGIES, by_key};

#[test]
fn only_the_last_frames_are_kept() {
    let history = history(9_000);
    assert_eq!(history.frames.len(), FRAMES);
    let numbers: Vec<u64> = history.last(2).map(|frame| frame.number).collect();
    assert_eq!(numbers, [8_998, 8_999]);
    assert_eq!(history.last(9_999_999).len(), FRAMES);
}

#[test]
fn number_of_recorded_runs_is_limited() {
    let mut history = History::default();
    for number in 0..12 {
        let mut frame = past(number);
        frame.record.runs = 1_000_000;
        frame.ran = Some(vec![7; 1_000_000]);
        history.push(frame);
    }
    assert!(history.runs <= MAX_RUNS);
    let known: Vec<bool> = history
        .frames
        .iter()
        .map(|past| !past.has_forgotten())
        .collect();
    assert_eq!(known, [[false; 4].as_slice(), &[true; 8]].concat());
}

#[test]
fn mark_is_removed_with_its_frame() {
    let mut history = history(10);
    history.mark(10, "all-at-once", "All at once".to_owned());
    assert_eq!(history.marks().count(), 1);
    for number in 10..10 + FRAMES as u64 {
        history.push(past(number));
    }
    assert_eq!(history.marks().count(), 1, "its frame is the first one");
    history.push(past(10 + FRAMES as u64));
    history.push(past(11 + FRAMES as u64));
    assert_eq!(history.marks().count(), 0);
}

#[test]
fn dragging_a_slider_makes_one_mark() {
    let mut history = history(10);
    for (frame, value) in [(10, 500), (11, 600), (40, 700)] {
        history.mark(frame, "entities", format!("Entities {value}"));
    }
    history.mark(41, "churn-per-s", "Births and deaths 5 /s".to_owned());
    let marks: Vec<(u64, &str)> = history
        .marks()
        .map(|mark| (mark.frame, mark.label.as_str()))
        .collect();
    assert_eq!(
        marks,
        [(40, "Entities 700"), (41, "Births and deaths 5 /s")]
    );
}

#[test]
fn quick_switches_keep_separate_marks() {
    let mut history = history(10);
    for (frame, key) in [
        (10, "all-at-once"),
        (12, "request-list"),
        (15, "all-at-once"),
    ] {
        history.mark(frame, key, key.to_owned());
    }
    let frames: Vec<u64> = history.marks().map(|mark| mark.frame).collect();
    assert_eq!(frames, [10, 12, 15]);
}

#[test]
fn change_outlives_its_mark_and_its_frame() {
    let mut history = history(10);
    history.mark(10, "all-at-once", "All at once".to_owned());
    history.change(10, GameTime::at(Nanos::SECOND));
    assert!(history.spans_a_change());
    for number in 10..12 + FRAMES as u64 {
        history.push(past(number));
    }
    assert_eq!(history.marks().count(), 0);
    assert_eq!(history.changed_at(), 10);
    assert!(!history.spans_a_change());
    history.restart();
    assert_eq!((history.changed_at(), history.epoch()), (0, 1));
}

#[test]
fn frame_is_found_by_any_game_time_in_its_updates() {
    let mut history = History::default();
    for (number, now_ms) in [(0, 0), (1, 40), (2, 40), (3, 80)] {
        history.push(PastFrame {
            now: GameTime::at(Nanos::from_millis(now_ms)),
            ..past(number)
        });
    }
    let found = |ms| {
        let past = history.frame_at(GameTime::at(Nanos::from_millis(ms)));
        past.map(|past| past.record.number)
    };
    let times = [0, 20, 40, 60, 80, 81].map(found);
    assert_eq!(times, [Some(0), Some(1), Some(1), Some(3), Some(3), None]);
}

#[test]
fn oldest_frame_is_found_by_its_earlier_updates() {
    let ms = |millis| GameTime::at(Nanos::from_millis(millis));
    let update = |now_ms, runs| PastUpdate {
        now: ms(now_ms),
        runs,
        target: Point::default(),
    };
    let mut history = History::default();
    history.push(PastFrame {
        updates: vec![update(20, 1), update(60, 3)],
        ran: Some(vec![5, 6, 5]),
        now: ms(60),
        ..past(7)
    });
    let found = |at| history.frame_at(ms(at)).map(|past| past.record.number);
    let times = [0, 20, 40, 60, 80].map(found);
    assert_eq!(times, [None, Some(7), Some(7), Some(7), None]);
}

#[test]
fn frame_keeps_time_and_target_of_each_update() {
    let settings = Settings {
        strategy: by_key("max-per-frame").unwrap(),
        frame_loop: frame_loop::by_key("fixed-step").unwrap(),
        knobs: KnobValues::with(&[(&ENTITIES, 6.0), (&COST, 0.0), (&RENDER_MS, 60.0)]),
        ..Settings::default()
    };
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
    let mut history = History::default();
    for _ in 0..5 {
        let record = lane.frame().clone();
        let past = history.begin(&lane);
        let mut kept = Vec::new();
        for (update, ran) in past.updates() {
            kept.extend(ran.iter().map(|place| (*place, update.now)));
        }
        let runs: Vec<(u32, GameTime)> = lane
            .runs()
            .iter()
            .map(|run| (run.task.index, run.time))
            .collect();
        assert_eq!(kept, runs);
        // An entity that has not run again looks at the target of the update that ran it.
        let last = past.updates().next_back().unwrap();
        for &place in last.1 {
            let task = lane.world().tasks().at(place).unwrap();
            assert_eq!(lane.world().entity(task).unwrap().seen, last.0.target);
            assert_eq!(past.runs_of(place).next_back(), Some(past.now));
        }
        history.end(past, record);
    }
    let last = history.frames().back().unwrap();
    assert_eq!(last.updates.len(), 3);
    assert_eq!(last.first_update(), last.now - Nanos::from_millis(40));
    // Each update runs four of six tasks, so place 0 runs in two of any three updates.
    assert_eq!(last.runs_of(0).count(), 2);
}

#[test]
fn updates_without_runs_are_not_kept() {
    let settings = Settings {
        frame_loop: frame_loop::by_key("fixed-step").unwrap(),
        knobs: KnobValues::with(&[(&ENTITIES, 1.0), (&COST, 0.0), (&RENDER_MS, 60.0)]),
        ..Settings::default()
    };
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
    let history = History::default();
    let mut ran = 0;
    for _ in 0..50 {
        lane.frame();
        let past = history.begin(&lane);
        assert_eq!(past.updates.len(), lane.runs().len());
        ran += past.updates.len();
    }
    assert!(ran > 3);
    let mut single = past(0);
    assert_eq!(single.updates().count(), 1);
    assert_eq!(single.runs_of(3).count(), 0);
    (single.ran, single.now) = (Some(vec![3]), GameTime::at(Nanos::SECOND));
    let runs: Vec<GameTime> = single.runs_of(3).collect();
    assert_eq!(
        (runs, single.first_update()),
        (vec![single.now], single.now)
    );
}

#[test]
fn intervals_count_from_the_last_change() {
    let settings = Settings {
        strategy: by_key("max-per-frame").unwrap_or(STRATEGIES[0]),
        knobs: KnobValues::with(&[(&ENTITIES, 8.0)]),
        ..Settings::default()
    };
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
    let mut history = History::default();
    let frame = |lane: &mut MeasuredLane<Simulated>, history: &mut History| {
        let record = lane.frame().clone();
        let past = history.begin(lane);
        let counted = past.intervals.count();
        history.end(past, record);
        counted
    };
    let counts: Vec<u64> = (0..5).map(|_| frame(&mut lane, &mut history)).collect();
    assert_eq!(counts, [0, 0, 4, 4, 4]);
    history.change(lane.frames(), lane.now());
    let counts: Vec<u64> = (0..4).map(|_| frame(&mut lane, &mut history)).collect();
    assert_eq!(counts, [0, 4, 4, 4]);
}
