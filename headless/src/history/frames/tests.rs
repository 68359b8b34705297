//! Tests of the data that a history keeps and removes.

use super::*;
use crate::sim::machine::RENDER_MS;
use crate::sim::world::{COST, ENTITIES, Point};
use crate::testing::{lane_of, numbered_frame as past, numbered_frames as history};
use timeslicer::time::Nanos;

#[test]
fn only_the_last_frames_are_kept() {
    let history = history(9_000);
    assert_eq!(history.frames.len(), FRAMES);
    let numbers: Vec<u64> = history.last(2).map(|frame| frame.number).collect();
    assert_eq!(numbers, [8_998, 8_999]);
    assert_eq!(history.last(9_999_999).len(), FRAMES);
}

#[test]
fn mark_is_removed_with_its_frame() {
    let mut history = history(10);
    history.mark(10, "all-at-once", "All at once".to_owned());
    for number in 10..10 + FRAMES as u64 {
        history.push(past(number));
    }
    assert_eq!(history.marks().count(), 1, "its frame is the first one");
    history.push(past(10 + FRAMES as u64));
    history.push(past(11 + FRAMES as u64));
    assert_eq!(history.marks().count(), 0);
    history.restart();
    assert_eq!((history.epoch(), history.frames.len()), (1, 0));
}

#[test]
fn only_quick_changes_of_one_setting_share_a_mark() {
    let mut history = history(10);
    for (frame, subject, label) in [
        (10, "entities", "Entities 500"),
        (11, "entities", "Entities 600"),
        (40, "entities", "Entities 700"),
        (41, "request-list", "Request list"),
        (42, "entities", "Entities 800"),
    ] {
        history.mark(frame, subject, label.to_owned());
    }
    let marks: Vec<&str> = history.marks().map(|mark| mark.label.as_str()).collect();
    assert_eq!(marks, ["Entities 700", "Request list", "Entities 800"]);
}

#[test]
fn frame_is_found_by_any_game_time_in_its_updates() {
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
    for (number, now_ms) in [(8, 80), (9, 80), (10, 120)] {
        history.push(PastFrame {
            now: ms(now_ms),
            ..past(number)
        });
    }
    let found = |at| history.frame_at(ms(at)).map(|past| past.record.number);
    let times = [0, 20, 40, 60, 61, 80, 81, 120, 121].map(found);
    let expected = [0, 7, 7, 7, 8, 8, 10, 10, 0];
    assert_eq!(
        times,
        expected.map(|number| Some(number).filter(|&number| number > 0))
    );
}

#[test]
fn frame_keeps_time_and_target_of_each_update_with_runs() {
    for entities in [1.0, 6.0] {
        let set = [(&ENTITIES, entities), (&COST, 0.0), (&RENDER_MS, 60.0)];
        let mut lane = lane_of("max-per-frame", "fixed-step", &set);
        let mut history = History::default();
        for _ in 0..5 {
            let record = lane.frame().clone();
            let past = history.begin(&lane);
            let mut kept = Vec::new();
            for (update, ran) in past.updates() {
                kept.extend(ran.iter().map(|place| (*place, update.now)));
            }
            let runs = lane.runs().iter().map(|run| (run.task.index, run.time));
            assert!(runs.eq(kept));
            assert!(past.updates.iter().all(|update| update.runs > 0));
            // An entity that has not run again looks at the target of the update that ran it.
            let last = past.updates().next_back().unwrap();
            for &place in last.1 {
                let task = lane.world().tasks().at(place).unwrap();
                assert_eq!(lane.world().entity(task).unwrap().seen, last.0.target);
                assert_eq!(past.runs_of(place).next_back(), Some(last.0.now));
            }
            history.end(past, record);
        }
        let last = history.frames().back().unwrap();
        assert_eq!(last.first_update(), last.now - Nanos::from_millis(40));
    }
}
