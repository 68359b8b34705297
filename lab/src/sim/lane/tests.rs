//! Tests of a lane's frames, setting changes, disturbances and measured times.

use super::disturbance::{Disturbance, Scheduled};
use super::update::Stopwatch;
use super::*;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::{Inspect, STRATEGIES, StrategyEntry, by_key};
use crate::sim::machine::{ClockReading, JITTER_MS, Simulated};
use crate::sim::settings::FADE;
use crate::sim::world::{CHURN, COST, Crowd, EAGER, FALLOFF, Point, REQUESTS, Weights};
use crate::testing::settings;
use std::cell::Cell;
use std::collections::BTreeSet;
use timeslicer::scheduler::{TaskId, UpdateContext};
use timeslicer::strategy::{Guarantee, Strategy};

/// Creates a lane on a simulated machine, without an observer. It lists all runs.
fn lane(strategy: &str, set: &[(&Knob, f64)]) -> Lane<Simulated> {
    let settings = settings(strategy, Settings::default().frame_loop.key, set);
    let mut lane = Lane::new(settings, Simulated::default());
    lane.list_runs(usize::MAX);
    lane
}

fn make_frames(lane: &mut Lane<Simulated>, count: usize) {
    for _ in 0..count {
        lane.frame();
    }
}

#[test]
fn strategy_switch_causes_no_burst() {
    for from in STRATEGIES {
        for to in STRATEGIES {
            // Use equal weights, because the moving target would otherwise change the number of runs.
            let set = [(&ENTITIES, 300.0), (&COST, 10.0), (&FALLOFF, 0.0)];
            let mut fresh = lane(to.key, &set);
            let own_peak = (0..120).map(|_| fresh.frame().runs).max();
            let mut switched = lane(from.key, &set);
            make_frames(&mut switched, 120);
            switched.set_strategy(to);
            let peak = (0..120).map(|_| switched.frame().runs).max();
            // Strategies that carry over fractions of runs may run one more task. Requests are random and vary more.
            let leeway = if to.on_request() { 15 } else { 1 };
            let most = own_peak.map(|runs| runs + leeway);
            assert!(peak <= most, "{} to {}", from.key, to.key);
        }
    }
}

#[test]
fn jitter_never_makes_a_game_drift() {
    for key in ["fixed-step", "max-frame-skip"] {
        let set = [(&JITTER_MS, 3.0), (&DISPLAY_HZ, 144.0), (&ENTITIES, 20.0)];
        let settings = settings("every-frame", key, &set);
        let mut lane: Lane<Simulated> = Lane::new(settings, Simulated::default());
        while lane.is_within(Length::Time(Nanos::from_secs(20))) {
            lane.frame();
            let start = lane.last_frame().start.since_start();
            let off = lane.now().since_start().abs_diff(start);
            // The game is off by at most the sum of two clock errors, one step, and the frame in which it catches up.
            assert!(off < Nanos::from_millis(2 * 9 + 20 + 20), "{key}: {off}");
        }
    }
}

#[test]
fn switch_continues_with_the_stalest_entity() {
    let mut lane = lane("max-per-frame", &[(&ENTITIES, 10.0)]);
    make_frames(&mut lane, 3); // entities 0 to 3 run, then 4 to 7, then 8, 9, 0 and 1
    lane.set_strategy(by_key("max-per-frame").unwrap());
    lane.frame();
    let ran: Vec<u64> = lane.runs().iter().map(|run| run.entity).collect();
    assert_eq!(ran, [2, 3, 4, 5]);
}

#[test]
fn changed_slots_are_those_of_runs_births_and_deaths_since_they_were_taken() {
    let mut lane = lane("fixed-interval", &[(&ENTITIES, 50.0)]);
    assert!(lane.take_changed_slots().is_clear(), "collected unasked");
    lane.collect_changed_slots();
    for frames in [1, 2, 0, 25] {
        let mut expected = BTreeSet::new();
        for _ in 0..frames {
            lane.frame();
            expected.extend(lane.runs().iter().map(|run| run.task.index as usize));
        }
        let changed = lane.take_changed_slots();
        assert!(changed.ones().eq(expected), "{frames} frames");
    }
    lane.set_knob(&ENTITIES, 53.0);
    assert!(lane.take_changed_slots().ones().eq(50..53));
    lane.set_knob(&ENTITIES, 51.0);
    assert!(lane.take_changed_slots().ones().eq(51..53));
}

#[test]
fn a_pinned_target_rests_whatever_the_pointer_does() {
    let (at, pointer) = (Point { x: 0.25, y: 0.125 }, Point { x: 0.9, y: 0.4 });
    let settings = Settings {
        target: Some(at),
        ..Settings::default()
    };
    let mut lane: Lane<Simulated> = Lane::new(settings, Simulated::default());
    assert_eq!(lane.world().target(), at, "from the start");
    lane.set_pointer(Some(pointer));
    lane.frame();
    assert_eq!(lane.updates()[0].target, at);
    lane.pin_target(None);
    lane.frame();
    assert_eq!(lane.world().target(), pointer);
    lane.pin_target(Some(at));
    assert_eq!(lane.world().target(), at, "at once");
}

#[test]
fn births_and_deaths_change_the_entities_knob() {
    let mut lane = lane("fixed-interval", &[(&ENTITIES, 130.0)]);
    for (disturbance, expected) in [
        (Disturbance::Births, 230),
        (Disturbance::Deaths, 130),
        (Disturbance::Deaths, 30),
        (Disturbance::Deaths, 0),
        (Disturbance::Births, 100),
    ] {
        lane.disturb(disturbance);
        lane.frame();
        assert_eq!(lane.world().tasks().len(), expected);
        assert_eq!(lane.settings().knobs.get(&ENTITIES), expected as f64);
    }
}

#[test]
fn the_sizes_of_disturbances_are_knobs() {
    let mut lane = lane("time-budget", &[(&ENTITIES, 130.0)]);
    for (disturbance, size, label) in [
        (Disturbance::Stall, 70.0, "Stall 70 ms"),
        (Disturbance::Births, 7.0, "7 births"),
        (Disturbance::Deaths, 9.0, "9 deaths"),
        (Disturbance::Requests, 5.0, "5 requests"),
        (Disturbance::Heavy, 6000.0, "One 6 ms task"),
        (Disturbance::Heavy, 1.0, "6 ms task removed"),
        (Disturbance::SlowDisplay, 24.0, "24 Hz display"),
    ] {
        let knob = disturbance.size();
        let key = format!("disturb-{}", disturbance.key());
        assert!(knob.key.starts_with(&key), "{key}");
        lane.set_knob(knob, size);
        assert_eq!(lane.disturb(disturbance).as_deref(), Some(label));
        lane.frame();
    }
}

#[test]
fn a_heavy_task_outlives_other_changes_until_it_is_removed() {
    let mut lane = lane("every-frame", &[(&ENTITIES, 5.0), (&COST, 10.0)]);
    lane.disturb(Disturbance::Heavy);
    lane.set_knob(&COST, 20.0);
    let took = lane.frame().task_time;
    assert_eq!(took, Nanos::from_micros(20_080));
    let heavy = lane.world().heavy().unwrap();
    for disturbance in [Disturbance::Stall, Disturbance::Births] {
        lane.disturb(disturbance);
        lane.frame();
        assert_eq!(lane.world().heavy(), Some(heavy), "{disturbance:?}");
    }
    let label = lane.disturb(Disturbance::Heavy);
    assert_eq!(label.as_deref(), Some("20 ms task removed"));
    assert_eq!(lane.world().heavy(), None);
    assert_eq!(lane.frame().task_time, Nanos::from_micros(20 * 105));
}

#[test]
fn the_death_of_a_heavy_task_ends_it() {
    let mut lane = lane("every-frame", &[(&ENTITIES, 5.0), (&CHURN, 20.0)]);
    lane.disturb(Disturbance::Heavy);
    let heavy = lane.world().heavy().unwrap();
    while lane.world().tasks().contains(heavy.0) {
        assert_eq!(lane.world().heavy(), Some(heavy));
        lane.frame();
    }
    assert_eq!(lane.world().heavy(), None);
}

#[test]
fn disturbances_are_equal_for_all_strategies() {
    let population = |entry: &StrategyEntry| {
        let mut lane = lane(entry.key, &[(&ENTITIES, 150.0), (&COST, 10.0)]);
        let again = [Disturbance::Deaths, Disturbance::Heavy];
        for disturbance in Disturbance::ALL.into_iter().chain(again) {
            lane.disturb(disturbance);
            lane.frame();
        }
        let cost = |task| (task, lane.world().cost(task));
        lane.world().tasks().iter().map(cost).collect::<Vec<_>>()
    };
    let first = population(STRATEGIES[0]);
    assert!(STRATEGIES.iter().all(|entry| population(entry) == first));
}

thread_local! {
    /// Current time of this thread's test machines, in nanoseconds.
    static NANOS: Cell<u64> = const { Cell::new(987_654_321) };
}

/// Advances the clock of this thread's test machines.
fn pass(nanos: u64) {
    NANOS.set(NANOS.get() + nanos);
}

/// A machine whose clock advances by a known time with each reading and each task, and with each call of [`pass`].
struct TestMachine(ClockReading);

impl TestMachine {
    /// Creates a machine whose clock takes `reading_ns` to read and has a resolution of `step_ns`.
    fn new(reading_ns: u64, step_ns: u64) -> Self {
        let [takes, step] = [reading_ns, step_ns].map(Nanos::from_nanos);
        Self(ClockReading { takes, step })
    }
}

impl Machine for TestMachine {
    fn stall(&mut self, time: Nanos) {
        pass(time.as_nanos());
    }

    fn slow_display(&mut self, _hz: Option<f64>) {}

    fn clock(&self) -> ClockTime {
        let (before, step) = (NANOS.get(), self.0.step.as_nanos());
        pass(self.0.takes.as_nanos());
        ClockTime::at(Nanos::from_nanos(before / step * step))
    }

    fn clock_reading(&self) -> Option<ClockReading> {
        Some(self.0)
    }

    fn work(&mut self, cost: Nanos) -> Nanos {
        pass(cost.as_nanos());
        cost
    }

    fn wait(&mut self, _frame_start: ClockTime, _pace: Pace) {
        pass(16_000_000);
    }
}

/// A strategy in which every call takes a known time.
struct Slow(Box<dyn Inspect>);

impl Strategy for Slow {
    fn insert(&mut self, task: TaskId) {
        pass(10);
        self.0.insert(task);
    }
    fn remove(&mut self, task: TaskId) {
        pass(20);
        self.0.remove(task);
    }
    fn request(&mut self, task: TaskId) {
        pass(30);
        self.0.request(task);
    }
    fn update(&mut self, context: &mut UpdateContext<'_>) {
        pass(1000);
        self.0.update(context);
        pass(500);
    }
    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }
}

impl Inspect for Slow {}

/// An observer in which every call takes time.
#[derive(Default)]
struct Recording {
    requests: u64,
    births: u64,
}

impl Observer for Recording {
    fn born(&mut self, _task: TaskId, _weights: &Weights) {
        pass(100_000);
        self.births += 1;
    }
    fn died(&mut self, _task: TaskId, _staleness: Nanos, _weights: &Weights) {
        pass(100_000);
    }
    fn requested(&mut self, _task: TaskId, _now: GameTime) {
        pass(100_000);
        self.requests += 1;
    }
    fn ran(&mut self, _runs: &[Run], _crowd: &Crowd, _weights: &Weights) {
        pass(100_000);
    }
}

#[test]
fn scheduling_excludes_tasks_recording_and_measuring() {
    // None of these strategies reads the clock itself.
    for strategy in ["fixed-interval", "request-list"] {
        let set = [
            (&ENTITIES, 150.0),
            (&COST, 1.0),
            (&CHURN, 100.0),
            (&REQUESTS, 10.0),
        ];
        let settings = settings(strategy, "variable-step", &set);
        let mut lane: Lane<TestMachine, Recording> = Lane::new(settings, TestMachine::new(40, 1));
        let own = (by_key(strategy).unwrap().make)();
        let own = std::mem::replace(&mut lane.game.strategy, own);
        lane.game.strategy = Box::new(Slow(own));
        for _ in 0..50 {
            lane.game.observer = Recording::default();
            let frame = lane.frame().clone();
            let Recording { requests, births } = *lane.observer(); // each birth follows a death
            let expected = 1500 + (10 + 20) * births + 30 * requests;
            assert_eq!(frame.scheduling.as_nanos(), expected, "{strategy}");
            assert_eq!(frame.task_time, Nanos::from_micros(frame.runs.into()));
            assert_eq!(lane.updates()[0].scheduling, frame.scheduling);
        }
    }
}

#[test]
fn a_coarse_clock_is_right_on_average() {
    for step in [5_000, 100_000, 1_000_000] {
        let machine = TestMachine::new(300, step);
        let mut stopwatch = Stopwatch::default();
        let mut sum = Nanos::ZERO;
        for _ in 0..10_000 {
            for _ in 0..20 {
                stopwatch.start(&machine);
                pass(250);
                stopwatch.stop(&machine);
                pass(1_777);
            }
            pass(16_000_011);
            sum += stopwatch.take(machine.clock_reading().unwrap());
        }
        let mean = sum.as_nanos() / 10_000;
        assert!((4_500..5_500).contains(&mean), "{step}: {mean}");
    }
}

#[test]
fn eager_entities_run_in_every_update_and_the_others_at_their_rate() {
    for strategy in ["request-list", "time-budget"] {
        let set = [(&ENTITIES, 100.0), (&EAGER, 10.0), (&REQUESTS, 2.0)];
        let mut lane = lane(strategy, &set);
        (0..601).for_each(|_| drop(lane.frame().clone())); // no time passes in the first frame
        let world = lane.world();
        let tasks = world.tasks().iter();
        let runs = tasks.map(|task| world.entity(task).unwrap().runs);
        let (eager, others): (Vec<u32>, Vec<u32>) = runs.partition(|&runs| runs == 600);
        assert!((7..=13).contains(&eager.len()), "{}", eager.len());
        assert!(others.iter().all(|&runs| runs < 40), "{others:?}");
        let mean = f64::from(others.iter().sum::<u32>()) / others.len() as f64;
        assert!((18.5..21.0).contains(&mean), "{mean}"); // 2 per second for 10 s
    }
}

#[derive(Default)]
struct Changes(u32);

impl Observer for Changes {
    fn changed(&mut self, _: ClockTime, _: GameTime) {
        self.0 += 1;
    }
}

#[test]
fn changes_without_effect_on_runs_are_not_reported() {
    let settings = settings("every-frame", "variable-step", &[(&ENTITIES, 10.0)]);
    let mut lane: Lane<Simulated, Changes> = Lane::new(settings, Simulated::default());
    for (knob, value, reported) in [
        (&ENTITIES, 10.0, 0), // no change
        (&FADE, 900.0, 0),    // affects only what is drawn
        (&REQUESTS, 7.0, 0),  // the strategy ignores requests
        (&COST, 1.0, 1),
    ] {
        lane.set_knob(knob, value);
        assert_eq!(lane.observer().0, reported, "{}", knob.key);
    }
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
    assert_eq!(lane.worst_staleness(), Nanos::ZERO);
}

#[test]
fn scheduled_disturbances_happen_in_the_first_frame_that_starts_then() {
    let mut settings = lane("fixed-interval", &[(&ENTITIES, 50.0)])
        .settings()
        .clone();
    let effects = [
        (0, Disturbance::Births.of_size(7.0)),
        (1_000, Disturbance::Deaths.of_size(20.0)),
        (1_001, Disturbance::Stall.of_size(100.0)),
        (2_000, Disturbance::Heavy.of_size(9000.0)),
        (3_000, Disturbance::SlowDisplay.of_size(30.0)),
    ];
    settings.scheduled = effects
        .map(|(at, effect)| Scheduled {
            at: Nanos::from_millis(at),
            effect,
        })
        .to_vec();
    let flags = settings.flags();
    let flags: Vec<&str> = flags
        .iter()
        .filter(|(name, _)| *name == "at")
        .map(|(_, value)| &**value)
        .collect();
    assert_eq!(
        flags,
        [
            "0:births=7",
            "1:deaths=20",
            "1.001:stall=100",
            "2:task=9000",
            "3:display=30"
        ]
    );
    let mut lane = Lane::<Simulated>::new(settings, Simulated::default());
    let at = |lane: &mut Lane<Simulated>, frame: u64| {
        while lane.frames() <= frame {
            lane.frame();
        }
        let last = lane.last_frame();
        (
            lane.world().tasks().len(),
            last.stall.as_millis_f64(),
            last.is_disturbed,
        )
    };
    assert_eq!(at(&mut lane, 0), (57, 0.0, true));
    assert_eq!(at(&mut lane, 59), (57, 0.0, false));
    assert_eq!(at(&mut lane, 60), (37, 0.0, true));
    assert_eq!(at(&mut lane, 61), (37, 100.0, true));
    assert_eq!(at(&mut lane, 62), (37, 0.0, false));
    assert!(lane.world().heavy().is_none());
    at(&mut lane, 120);
    assert_eq!(lane.world().heavy().unwrap().1, Nanos::from_millis(9));
    assert!(!lane.has_slow_display());
    let idle = |lane: &Lane<Simulated>| lane.idle_disturbances().collect::<Vec<_>>();
    assert_eq!(idle(&lane), ["30 Hz display at 3 s: not reached"]);
    at(&mut lane, 180);
    assert_eq!(idle(&lane), [""; 0]);
    assert!(lane.has_slow_display() && lane.target_period() > Nanos::from_millis(33));
}
