//! Tests of a lane's frames, and of changes between them.

use super::test_lane::lane;
use super::*;
use crate::sim::disturbance::SLOW_HZ;
use crate::sim::machine::{DISPLAY_HZ, Simulated};
use crate::sim::world::{CHURN, COST, FALLOFF, Point, World};
use crate::testing::settings;
use std::collections::BTreeSet;
use timeslicer::frame_loop;
use timeslicer::frame_loop::constant_fps::LOOP_FPS;
use timeslicer::frame_loop::knobs::STEP;
use timeslicer::knob::KnobValues;
use timeslicer::strategy::knobs::AS_PUBLISHED;
use timeslicer::strategy::{STRATEGIES, by_key};
use timeslicer::time::GameTime;

#[test]
fn delta_is_the_previous_frames_length() {
    let mut lane = lane("every-frame", &[(&COST, 1000.0), (&ENTITIES, 30.0)]);
    let mut end = ClockTime::START;
    for number in 0..5 {
        let frame = lane.frame().clone();
        assert_eq!((frame.number, frame.start), (number, end));
        assert_eq!(
            frame.delta,
            if number == 0 {
                Nanos::ZERO
            } else {
                frame.length
            }
        );
        assert_eq!(frame.length, Nanos::from_millis(30)); // 30 tasks of 1 ms
        end += frame.length;
    }
}

#[test]
fn frame_parts_add_up_to_its_length() {
    let mut lane = lane("fixed-interval", &[]);
    for _ in 0..100 {
        let frame = lane.frame();
        let parts = frame.task_time + frame.scheduling + frame.drawing + frame.waiting;
        assert_eq!(parts, frame.length);
    }
}

#[test]
fn strategy_switch_keeps_entity_history() {
    let mut lane = lane("every-frame", &[(&ENTITIES, 10.0)]);
    for _ in 0..10 {
        lane.frame();
    }
    let last_run = lane.now();
    lane.set_strategy(by_key("fixed-interval").unwrap());
    loop {
        lane.frame();
        if let Some(run) = lane.runs().first() {
            assert_eq!(run.elapsed, lane.now() - last_run);
            break;
        }
    }
}

#[test]
fn strategy_switch_causes_no_burst() {
    for from in STRATEGIES {
        for to in STRATEGIES {
            // Weights that change with the target would change the number of runs.
            let set = [(&ENTITIES, 300.0), (&COST, 10.0), (&FALLOFF, 0.0)];
            let mut fresh = lane(to.key, &set);
            let own_peak = (0..120).map(|_| fresh.frame().runs).max();
            let mut switched = lane(from.key, &set);
            for _ in 0..120 {
                switched.frame();
            }
            switched.set_strategy(to);
            let peak = (0..120).map(|_| switched.frame().runs).max();
            // A strategy that owes a fraction of a run may run one more task. Requests are random and differ more.
            let leeway = if to.on_request() { 15 } else { 1 };
            assert!(
                peak <= own_peak.map(|runs| runs + leeway),
                "{} to {}",
                from.key,
                to.key
            );
        }
    }
}

#[test]
fn published_forms_start_and_end_like_a_switch() {
    #[derive(Default)]
    struct Changes(u32);
    impl Observer for Changes {
        fn changed(&mut self, _clock: ClockTime, _now: GameTime) {
            self.0 += 1;
        }
    }
    for entry in STRATEGIES {
        let settings = settings(entry.key, "variable-step", &[(&CHURN, 20.0)]);
        let machine = Simulated::new(&settings.knobs);
        let mut lane: Lane<Simulated, Changes> = Lane::new(settings, machine);
        for value in [1.0, 1.0, 0.0] {
            let before = lane.observer().0;
            let was = lane.strategy().defect().is_some();
            lane.set_knob(&AS_PUBLISHED, value);
            let is = lane.strategy().defect().is_some();
            assert_eq!(is, entry.published.is_some() && value > 0.0);
            assert_eq!(lane.observer().0 - before, u32::from(is != was));
            let born = lane.world().tasks().len();
            (0..60).for_each(|_| drop(lane.frame().clone()));
            assert_eq!(lane.world().tasks().len(), born);
        }
    }
}

#[test]
fn switch_continues_with_the_stalest_entity() {
    let mut lane = lane("max-per-frame", &[(&ENTITIES, 10.0)]);
    lane.frame(); // entities 0 to 3 run, at time zero
    lane.frame(); // 4 to 7
    lane.frame(); // 8, 9, 0, 1
    lane.set_strategy(by_key("max-per-frame").unwrap());
    lane.frame();
    let ran: Vec<u64> = lane.runs().iter().map(|run| run.entity).collect();
    assert_eq!(ran, [2, 3, 4, 5]);
}

#[test]
fn entities_knob_removes_the_last_places_first() {
    let mut lane = lane("fixed-interval", &[(&ENTITIES, 10.0)]);
    lane.set_knob(&ENTITIES, 4.0);
    assert_eq!(lane.world().tasks().len(), 4);
    assert_eq!(lane.world().tasks().end(), 4);
    lane.set_knob(&ENTITIES, 6.0);
    assert_eq!(lane.world().tasks().end(), 6);
    assert_eq!(lane.world().born_so_far(), 12);
    lane.set_knob(&ENTITIES, 0.0);
    assert!(lane.world().tasks().is_empty());
    lane.frame();
}

#[test]
fn churn_keeps_the_number_of_entities() {
    let mut lane = lane("fixed-interval", &[(&ENTITIES, 50.0), (&CHURN, 100.0)]);
    for _ in 0..600 {
        lane.frame();
    }
    assert_eq!(lane.world().tasks().len(), 50);
    let born = lane.world().born_so_far();
    assert!((900..=1200).contains(&born), "{born} of about 1050");
}

#[test]
fn worst_staleness_is_the_stalest_entitys() {
    for entry in STRATEGIES {
        let mut lane = lane(entry.key, &[(&ENTITIES, 50.0), (&CHURN, 30.0)]);
        for frame in 0..300 {
            lane.frame();
            if frame == 150 {
                lane.set_knob(&ENTITIES, 30.0);
            }
            let tasks = lane.world().tasks();
            let last_runs = tasks.iter().filter_map(|task| tasks.last_run(task));
            let stalest = last_runs.map(|last_run| lane.now() - last_run).max();
            assert_eq!(Some(lane.worst_staleness()), stalest, "{}", entry.key);
        }
    }
    assert_eq!(
        lane("every-frame", &[(&ENTITIES, 0.0)]).worst_staleness(),
        Nanos::ZERO
    );
}

#[test]
fn cleared_events_do_not_return() {
    let mut lane = lane("every-frame", &[(&ENTITIES, 3.0)]);
    assert_eq!(lane.changes().len(), 3);
    lane.frame();
    assert_eq!(lane.runs().len(), 3);
    lane.clear_events();
    assert!(lane.runs().is_empty() && lane.changes().is_empty());
    lane.set_knob(&ENTITIES, 5.0);
    assert_eq!(lane.changes().len(), 2);
}

/// Makes a frame and returns its runs.
fn listed_runs(lane: &mut Lane<Simulated>) -> Vec<Run> {
    lane.frame();
    lane.runs().to_vec()
}

#[test]
fn unlisted_runs_are_counted() {
    let set = [(&ENTITIES, 50.0), (&CHURN, 30.0), (&COST, 40.0)];
    let [mut listed, mut counted] = [lane("fixed-interval", &set), lane("fixed-interval", &set)];
    counted.list_runs(0);
    for _ in 0..300 {
        assert_eq!(listed.frame(), counted.frame());
        assert_eq!(listed.updates(), counted.updates());
        assert_eq!(listed.runs().len(), listed.last_frame().runs as usize);
        assert!(counted.runs().is_empty());
    }
    assert!(listed.lists_all_runs() && !counted.lists_all_runs());
    counted.list_runs(1);
    let frame = counted.frame().runs;
    assert!(frame > 1);
    assert_eq!(counted.runs(), &listed_runs(&mut listed)[..1]);
    assert!(!counted.lists_all_runs());
    counted.clear_events();
    assert!(counted.lists_all_runs(), "cleared events count as listed");
}

#[test]
fn changed_places_cover_all_frames_since_they_were_taken() {
    let set = [(&ENTITIES, 50.0), (&CHURN, 30.0), (&COST, 40.0)];
    let mut lane = lane("fixed-interval", &set);
    lane.list_runs(0); // places are collected even if runs are not listed
    lane.collect_changed_places();
    let mut listed = self::lane("fixed-interval", &set);
    let mut changed = ChangedPlaces::default();
    for frames in [1, 2, 0, 25, 300] {
        let mut expected = BTreeSet::new();
        for _ in 0..frames {
            lane.frame();
            listed.frame();
            expected.extend(listed.runs().iter().map(|run| run.task.index));
            expected.extend(listed.changes().iter().map(|change| match change {
                Change::Born(task) | Change::Died(task) => task.index,
            }));
        }
        let mut places = BTreeSet::new();
        lane.take_changed_places(&mut changed);
        changed.drain(|place| assert!(places.insert(place)));
        assert_eq!(places, expected, "{frames} frames");
    }
    listed.take_changed_places(&mut changed);
    changed.drain(|place| panic!("place {place} was collected unasked"));
}

#[test]
fn target_period_is_the_loops_or_the_displays() {
    let mut lane = lane("every-frame", &[(&LOOP_FPS, 25.0), (&DISPLAY_HZ, 100.0)]);
    assert_eq!(lane.target_period(), Nanos::from_millis(10));
    lane.set_slow_display(true);
    assert_eq!(lane.target_period(), Nanos::from_secs_f64(1.0 / SLOW_HZ));
    lane.set_frame_loop(frame_loop::by_key("constant-fps").unwrap());
    assert_eq!(lane.target_period(), Nanos::from_millis(40));
}

#[test]
fn time_driven_strategy_draws_no_requests() {
    let mut lane = lane("every-frame", &[]);
    (0..10).for_each(|_| drop(lane.frame().clone()));
    let untouched = World::new(&KnobValues::default(), 0);
    let mut requested = [Vec::new(), Vec::new()];
    for (world, requested) in [lane.game.world, untouched].iter_mut().zip(&mut requested) {
        while world.tasks().len() < 400 {
            world.birth(GameTime::START);
        }
        world.requests(Nanos::from_millis(100), |task| requested.push(task.index));
    }
    assert_eq!(requested[0], requested[1]);
}

#[test]
fn frame_without_updates_has_a_step() {
    let mut lane = lane("every-frame", &[(&DISPLAY_HZ, 100.0), (&ENTITIES, 0.0)]);
    lane.set_frame_loop(frame_loop::by_key("fixed-step").unwrap());
    let updates = [0, 1, 2, 3].map(|_| {
        let frame = lane.frame();
        assert_eq!(frame.step, Nanos::from_millis(20));
        (frame.updates, frame.debt.as_nanos() / 1_000_000)
    });
    assert_eq!(updates, [(0, 0), (0, 10), (1, 0), (0, 10)]);
}

#[test]
fn loop_switch_starts_with_delta_zero_and_new_flights() {
    let mut lane = lane("every-frame", &[]);
    lane.set_frame_loop(frame_loop::by_key("unsynced").unwrap());
    for _ in 0..30 {
        lane.frame();
    }
    assert_ne!(lane.projectile().error_nanos(), 0);
    let now = lane.now();
    lane.set_frame_loop(frame_loop::by_key("variable-step").unwrap());
    let frame = lane.frame();
    assert!(frame.delta > Nanos::ZERO && frame.step.is_zero());
    assert_eq!((lane.now(), lane.body().flown()), (now, Nanos::ZERO));
    for _ in 0..30 {
        lane.frame();
        assert_eq!(lane.projectile().error_nanos(), 0);
        assert_eq!(lane.body().flown(), lane.now() - now);
    }
}

#[test]
fn only_frame_loop_knobs_restart_the_flight() {
    let mut lane = lane("every-frame", &[]);
    lane.set_frame_loop(frame_loop::by_key("fixed-step").unwrap());
    for _ in 0..10 {
        lane.frame();
    }
    let flown = lane.body().flown();
    lane.set_knob(&COST, 3.0);
    lane.set_knob(&STEP, STEP.default);
    assert!(flown > Nanos::ZERO && lane.body().flown() == flown);
    lane.set_knob(&STEP, 10.0);
    assert_eq!(lane.body().flown(), Nanos::ZERO);
}

#[test]
fn a_pinned_target_rests_whatever_the_pointer_does() {
    let at = Point { x: 0.25, y: 0.125 };
    let mut lane: Lane<Simulated> = Lane::new(
        Settings {
            target: Some(at),
            ..Settings::default()
        },
        Simulated::default(),
    );
    assert_eq!(lane.world().target(), at, "from the start");
    lane.set_pointer(Some(Point { x: 0.9, y: 0.4 }));
    for _ in 0..9 {
        lane.frame();
        assert_eq!(lane.updates()[0].target, at);
    }
    assert!(!lane.world().is_led());
    lane.pin_target(None);
    lane.frame();
    assert_eq!(lane.world().target(), Point { x: 0.9, y: 0.4 });
    lane.set_pointer(None);
    lane.frame();
    let moving = lane.world().target();
    lane.pin_target(Some(at));
    assert_eq!(lane.world().target(), at, "at once");
    assert_ne!(moving, at);
}
