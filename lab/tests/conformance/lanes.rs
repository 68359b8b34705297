//! Tests strategies in lanes, with random events, knobs at the ends of their ranges, a million entities, and different
//! seeds.

use crate::checked_lane::{CheckedLane, events};
use crate::values::{every_lane, for_every_lane, fraction, value_at};
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::sim::lane::{Lane, Observer, Run};
use lab::sim::machine::{Machine, Simulated};
use lab::sim::settings::{Settings, all_knobs};
use lab::sim::world::{CHURN, COST, COST_SPREAD, Crowd, ENTITIES, REQUESTS, Weights};
use lab::testing::{lane_of, settings};
use timeslicer::scheduler::TaskId;
use timeslicer::time::{ClockTime, GameTime, Nanos};

#[test]
fn promises_accounts_and_reports_hold_after_any_event() {
    let values = (0.0..40.0f64, 0.0..0.6f64, fraction(), events(120));
    for_every_lane(&values, |entry, frame_loop, (count, churn, own, events)| {
        let mut set = vec![
            (&ENTITIES, count.floor()),
            (&REQUESTS, 0.0),
            (&CHURN, value_at(&CHURN, churn)),
            (&COST_SPREAD, value_at(&COST_SPREAD, 0.3)),
        ];
        set.extend((entry.own_knobs()).map(|knob| (knob, value_at(knob, own))));
        let mut lane = CheckedLane::new(entry, frame_loop, &set);
        for event in &events {
            lane.apply(event);
        }
        lane.check_report();
        lane.check_guarantee();
    });
}

#[test]
fn lanes_work_with_every_knob_at_either_end() {
    for (strategy, frame_loop) in every_lane() {
        for (_, knob) in all_knobs() {
            let max = if *knob == ENTITIES { 1000.0 } else { knob.max };
            for value in [knob.min, max] {
                let set = [(&ENTITIES, 20.0), (knob, value)];
                let mut lane = CheckedLane::new(strategy, frame_loop, &set);
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
        let set = [(&ENTITIES, 1e6), (&COST, 0.1), (&REQUESTS, 5.0)];
        let mut lane = lane_of(entry.key, FRAME_LOOPS[0].key, &set);
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

/// The frames of a lane, the births, runs and deaths in them, and the number of births and deaths before each frame.
#[derive(Clone, Default, PartialEq)]
struct History {
    starts: Vec<ClockTime>,
    runs: Vec<Run>,
    born_or_died: Vec<u32>,
    counts: Vec<usize>,
}

impl Observer for History {
    fn born(&mut self, task: TaskId, _weights: &Weights) {
        self.born_or_died.push(task.index);
    }
    fn died(&mut self, task: TaskId, _staleness: Nanos, _weights: &Weights) {
        self.born_or_died.push(task.index);
    }
    fn frame_began(&mut self, clock: ClockTime, _now: GameTime) {
        self.starts.push(clock);
        self.counts.push(self.born_or_died.len());
    }
    fn ran(&mut self, runs: &[Run], _crowd: &Crowd, _weights: &Weights) {
        self.runs.extend(runs);
    }
}

fn history(
    strategy: &StrategyEntry,
    frame_loop: &FrameLoopEntry,
    seed: u64,
    set: &[(&Knob, f64)],
) -> History {
    let set = [&[(&ENTITIES, 60.0), (&CHURN, 100.0)], set].concat();
    let settings = Settings {
        seed,
        ..settings(strategy.key, frame_loop.key, &set)
    };
    let mut lane: Lane<Simulated, History> = Lane::new(settings, Simulated::default());
    for _ in 0..150 {
        lane.frame();
    }
    lane.observer().clone()
}

#[test]
fn the_seed_alone_determines_a_history() {
    let random = [(&REQUESTS, 3.0), (&COST_SPREAD, 1.0), (&COST, 800.0)];
    for (strategy, frame_loop) in every_lane() {
        let with_seed = |seed| history(strategy, frame_loop, seed, &random);
        let first = with_seed(1);
        let name = format!("{} on {}", strategy.key, frame_loop.key);
        assert!(!first.runs.is_empty(), "{name}");
        assert!(first == with_seed(1), "{name}");
        assert!(first.runs != with_seed(2).runs, "{name}");
    }
}

#[test]
fn every_strategy_meets_the_same_births_and_deaths() {
    for frame_loop in FRAME_LOOPS {
        let with_cost = |strategy, cost_us| history(strategy, frame_loop, 5, &[(&COST, cost_us)]);
        let first = with_cost(STRATEGIES[0], 0.0);
        for strategy in STRATEGIES {
            let name = format!("{} on {}", strategy.key, frame_loop.key);
            let free = with_cost(strategy, 0.0);
            assert!(free.born_or_died == first.born_or_died, "{name}");
            assert!(free.counts == first.counts, "{name}");
            // Frame lengths change the times of births and deaths, but not their order.
            let costly = with_cost(strategy, 2000.0).born_or_died;
            let count = first.born_or_died.len().min(costly.len());
            let are_same = first.born_or_died[..count] == costly[..count];
            assert!(count > 100 && are_same, "{name}");
        }
    }
}
