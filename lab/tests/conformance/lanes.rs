//! Tests strategies in lanes, with random events, knobs at the ends of their ranges, a million entities, and different
//! seeds.

use crate::checked_lane::{CheckedLane, events};
use crate::values::{every_lane, for_every_lane, fraction, lane, settings};
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::sim::lane::{Lane, Observer, Run};
use lab::sim::machine::{Machine, Simulated};
use lab::sim::settings::all_knobs;
use lab::sim::world::{ENTITIES, Entity, Weights};
use timeslicer::scheduler::TaskId;
use timeslicer::time::{ClockTime, GameTime, Nanos};

#[test]
fn runs_promises_accounts_and_reports_hold_after_any_event() {
    let values = (0.0..40.0f64, 0.0..0.6f64, fraction(), events(120));
    for_every_lane(&values, |entry, frame_loop, (count, churn, own, events)| {
        let set = [("entities", count.floor()), ("requests-per-s", 0.0)];
        let mut lane = CheckedLane::new(entry, frame_loop, &set);
        lane.set_fraction("churn-per-s", churn);
        lane.set_fraction("cost-spread", 0.3);
        for knob in entry.own_knobs() {
            lane.set_fraction(knob.key, own);
        }
        for event in &events {
            lane.apply(event);
        }
        lane.check_report();
    });
}

#[test]
fn lanes_work_with_every_knob_at_either_end() {
    for (strategy, frame_loop) in every_lane() {
        for (_, knob) in all_knobs() {
            let max = if *knob == ENTITIES { 1000.0 } else { knob.max };
            for value in [knob.min, max] {
                let mut lane = CheckedLane::new(strategy, frame_loop, &[(knob.key, value)]);
                (0..20).for_each(|_| lane.frame());
                lane.lane.machine_mut().stall(Nanos::SECOND);
                (0..3).for_each(|_| lane.frame());
            }
        }
    }
}

#[test]
fn a_million_entities_are_born_run_and_die() {
    for entry in STRATEGIES {
        let set = [("entities", 1e6), ("cost-us", 0.1), ("requests-per-s", 5.0)];
        let mut lane = lane(entry, FRAME_LOOPS[0], 0, &set);
        (0..3).for_each(|_| drop(lane.frame().clone()));
        lane.machine_mut().stall(Nanos::from_secs(10));
        lane.frame();
        assert!(lane.report().runs > 0, "{}", entry.key);
        lane.set_knob(&ENTITIES, 0.0);
        assert_eq!(lane.strategy().backlog(), 0, "{}", entry.key);
        lane.frame();
        assert_eq!(lane.last_frame().runs, 0, "{}", entry.key);
    }
}

fn runs(
    strategy: &'static StrategyEntry,
    frame_loop: &'static FrameLoopEntry,
    seed: u64,
) -> Vec<(ClockTime, Run)> {
    let random = [
        ("entities", 60.0),
        ("churn-per-s", 40.0),
        ("requests-per-s", 3.0),
        ("cost-spread", 1.0),
        ("cost-us", 800.0),
    ];
    let mut lane = lane(strategy, frame_loop, seed, &random);
    let mut runs = Vec::new();
    for _ in 0..150 {
        let start = lane.frame().start;
        runs.extend(lane.runs().iter().map(|run| (start, *run)));
    }
    runs
}

#[test]
fn the_seed_alone_determines_the_runs() {
    for (strategy, frame_loop) in every_lane() {
        let first = runs(strategy, frame_loop, 1);
        let name = format!("{} on {}", strategy.key, frame_loop.key);
        assert!(!first.is_empty(), "{name}");
        assert!(first == runs(strategy, frame_loop, 1), "{name}");
        assert!(first != runs(strategy, frame_loop, 2), "{name}");
    }
}

/// The slots of births and deaths, and how many there were before each frame.
#[derive(Default, PartialEq)]
struct Changes {
    places: Vec<u32>,
    counts: Vec<usize>,
}

impl Observer for Changes {
    fn born(&mut self, task: TaskId, _weights: &Weights) {
        self.places.push(task.index);
    }
    fn died(&mut self, task: TaskId, _entity: &Entity, _staleness: Nanos, _weights: &Weights) {
        self.places.push(task.index);
    }
    fn frame_began(&mut self, _clock: ClockTime, _now: GameTime) {
        self.counts.push(self.places.len());
    }
}

fn changes(
    strategy: &'static StrategyEntry,
    frame_loop: &'static FrameLoopEntry,
    cost_us: f64,
) -> Changes {
    let set = [
        ("entities", 60.0),
        ("churn-per-s", 100.0),
        ("cost-us", cost_us),
    ];
    let settings = settings(strategy, frame_loop, 5, &set);
    let machine = Simulated::new(&settings.knobs);
    let mut lane: Lane<Simulated, Changes> = Lane::new(settings, machine);
    for _ in 0..150 {
        lane.frame();
    }
    std::mem::take(lane.observer_mut())
}

#[test]
fn every_strategy_meets_the_same_births_and_deaths() {
    for frame_loop in FRAME_LOOPS {
        let first = changes(STRATEGIES[0], frame_loop, 0.0);
        for strategy in STRATEGIES {
            let name = format!("{} on {}", strategy.key, frame_loop.key);
            assert!(changes(strategy, frame_loop, 0.0) == first, "{name}");
            // Frame lengths change the times of births and deaths, but not their order.
            let costly = changes(strategy, frame_loop, 2000.0).places;
            let count = first.places.len().min(costly.len());
            let are_same = first.places[..count] == costly[..count];
            assert!(count > 100 && are_same, "{name}");
        }
    }
}
