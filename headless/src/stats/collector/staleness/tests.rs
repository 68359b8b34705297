//! Mean staleness, against cases known by hand and against a sum over single entities.

use super::*;
use crate::sim::disturbance::Disturbance;
use crate::sim::lane::Change;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::world::{
    CHURN, COST, ENTITIES, FALLOFF, NEAR, Plane, Point, REQUESTS, Significance,
};
use crate::stats::MeasuredLane;
use crate::testing::lane;
use crate::testing::report;
use crate::testing::settings;
use proptest::prelude::*;
use std::collections::BTreeMap;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::knob::Knob;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::INTERVAL;
use timeslicer::time::ClockTime;

const MS: fn(u64) -> Nanos = Nanos::from_millis;

const fn task(index: u32) -> TaskId {
    TaskId {
        index,
        generation: 0,
    }
}

const TASKS: [TaskId; 3] = [task(0), task(1), task(2)];

/// Returns the weight of an entity that is this far from the target.
fn weight(distance: f32) -> FixedWeight {
    let weights = Weights {
        significance: Significance::new(0.125, 2.0),
        plane: Plane::with_places(1),
        target: Point {
            x: 0.25 + distance, // the only place is at 0.25, 0.25
            y: 0.25,
        },
    };
    FixedWeight::of(&weights, 0)
}

#[test]
fn staleness_grows_from_zero_to_the_interval() {
    let mut total = TotalStaleness::default();
    let full = weight(0.0);
    total.born(TASKS[0], full);
    let mut integral = StalenessIntegral::default();
    assert_eq!(integral.mean(), None);
    for _ in 0..5 {
        integral.add(total.advance(MS(100)));
        assert_eq!(total.ran(TASKS[0], MS(100), full), full);
    }
    assert_eq!(integral.mean(), Some(MS(50)));
    // A newborn lives for half of the next interval.
    integral = total.advance(MS(50));
    total.born(TASKS[1], full);
    integral.add(total.advance(MS(50)));
    let mean = (100 * 50 + 50 * 25) * 1_000_000 / 150;
    let mean = Some(Nanos::from_nanos(mean));
    assert_eq!((integral.mean(), integral.weighted_mean()), (mean, mean));
    total.died(TASKS[0], MS(100));
    total.died(TASKS[1], MS(50));
    let nothing = total.advance(MS(9));
    assert_eq!(nothing, StalenessIntegral::default());
}

#[test]
fn an_interval_counts_with_the_weight_and_the_ring_at_its_end() {
    let (near, far) = (weight(0.0), weight(0.5));
    assert_eq!((near.weight(), far.weight()), (1.0, 0.0625));
    let mut total = TotalStaleness::default();
    total.born(TASKS[0], near);
    total.born(TASKS[1], near);
    let mut integral = total.advance(MS(160));
    for (task, new) in [(TASKS[0], near), (TASKS[1], far)] {
        let old = total.ran(task, MS(160), new);
        integral.add(StalenessIntegral::correction(old, new, MS(160), Nanos::MAX));
    }
    assert_eq!(integral.weighted_mean(), Some(MS(80)));
    assert_eq!(integral.mean_in(Ring::Near), Some(MS(80)));
    assert_eq!(integral.mean_in(Ring::Middle), None);
    integral.add(total.advance(MS(16)));
    let old = total.ran(TASKS[0], MS(16), near);
    assert_eq!(old, near);
    let mean = |twice: u64, lived: u64| Some(Nanos::from_nanos(twice * 1_000_000 / lived / 2));
    assert_eq!(
        integral.mean_in(Ring::Near),
        mean(160 * 160 + 16 * 16, 160 + 16)
    );
    assert_eq!(integral.mean_in(Ring::Far), integral.mean_in(Ring::Near));
    integral.add(total.advance(MS(160)));
    let far_twice = 160 * 160 + 176 * 176;
    assert_eq!(integral.mean_in(Ring::Far), mean(far_twice, 160 + 176));
}

#[test]
fn the_interval_of_a_ring_is_its_time_over_its_runs() {
    let (near, far) = (weight(0.0), weight(0.5));
    let mut total = TotalStaleness::default();
    total.born(TASKS[0], near);
    total.born(TASKS[1], near);
    let mut integral = total.advance(MS(160));
    assert_eq!(integral.interval_in(Ring::Near), None);
    for (task, new) in [(TASKS[0], near), (TASKS[1], far)] {
        let old = total.ran(task, MS(160), new);
        integral.add(StalenessIntegral::correction(old, new, MS(160), Nanos::MAX));
        integral.ran(new);
    }
    integral.add(total.advance(MS(40)));
    assert_eq!(integral.interval_in(Ring::Near), Some(MS(200)));
    assert_eq!(integral.interval_in(Ring::Middle), None);
    assert_eq!(integral.interval_in(Ring::Far), Some(MS(200)));
}

#[test]
fn only_the_counted_part_of_an_interval_is_corrected() {
    let (near, far) = (weight(0.0), weight(0.5));
    let mut total = TotalStaleness::default();
    total.born(TASKS[0], near);
    total.advance(MS(100));
    let mut counted = total.advance(MS(60));
    let old = total.ran(TASKS[0], MS(160), far);
    counted.add(StalenessIntegral::correction(old, far, MS(160), MS(60)));
    assert_eq!(counted.mean_in(Ring::Near), None);
    assert_eq!(counted.mean_in(Ring::Far), Some(MS(130)));
    assert_eq!(counted.weighted_mean(), Some(MS(130)));
}

#[test]
fn extreme_times_saturate() {
    let mut total = TotalStaleness::default();
    for task in TASKS {
        total.born(task, weight(0.0));
    }
    let mut integral = total.advance(Nanos::MAX);
    integral.add(total.advance(Nanos::MAX));
    assert!(integral.mean().is_some() && integral.weighted_mean().is_some());
    let correction =
        StalenessIntegral::correction(weight(0.5), weight(0.0), Nanos::MAX, Nanos::MAX);
    (0..9).for_each(|_| integral.add(correction));
    assert!(integral.weighted_mean().is_some());
    for task in TASKS.into_iter().cycle().take(12) {
        total.died(task, Nanos::MAX);
    }
    assert_eq!(total.advance(Nanos::MAX), StalenessIntegral::default());
}

#[test]
fn steady_strategies_have_half_their_interval() {
    for (strategy, expected_ms) in [
        ("fixed-interval", 250.0),
        ("all-at-once", 250.0),
        ("every-frame", 1000.0 / 120.0),
    ] {
        let report = report(strategy, &[(&ENTITIES, 300.0), (&COST, 1.0)], 10);
        let mean = report.mean_staleness.expect("a mean").as_millis_f64();
        assert!((mean / expected_ms - 1.0).abs() < 0.04, "{strategy} {mean}");
    }
}

#[test]
fn a_measurement_begun_in_mid_interval_is_not_biased() {
    let run = |lane: &mut MeasuredLane<Simulated>, frames| {
        for _ in 0..frames {
            lane.frame();
        }
    };
    let mut lane = lane("fixed-interval", &[(&COST, 1.0)]);
    run(&mut lane, 95);
    lane.clear_statistics();
    assert_eq!(lane.report().mean_staleness, None);
    run(&mut lane, 10);
    let mean = lane.report().mean_staleness.expect("a mean");
    assert!((mean.as_millis_f64() / 250.0 - 1.0).abs() < 0.02, "{mean}");
}

/// Simulated machine that has no time for tasks beyond a limit.
struct Limited {
    machine: Simulated,
    /// Time left for tasks.
    left: Nanos,
}

impl Machine for Limited {
    fn stall(&mut self, time: Nanos) {
        self.machine.stall(time);
    }
    fn slow_display(&mut self, hz: Option<f64>) {
        self.machine.slow_display(hz);
    }
    fn clock(&self) -> ClockTime {
        self.machine.clock()
    }
    fn has_time_for(&self, cost: impl FnOnce() -> Nanos) -> bool {
        cost() <= self.left
    }
    fn work(&mut self, cost: Nanos) -> Nanos {
        self.left -= cost;
        self.machine.work(cost)
    }
    fn render(&mut self) {
        self.machine.render();
    }
    fn wait_until(&mut self, time: ClockTime) {
        self.machine.wait_until(time);
    }
    fn wait_for_display(&mut self, frame_start: ClockTime) {
        self.machine.wait_for_display(frame_start);
    }
}

/// Integrals, summed over single intervals.
#[derive(Default)]
struct BruteForce {
    /// Game time from which staleness counts.
    from: GameTime,
    /// Start of each living entity's interval, and its weight then.
    open: BTreeMap<TaskId, (GameTime, FixedWeight)>,
    ended: StalenessIntegral,
}

impl BruteForce {
    /// Counts from `now`.
    fn restart(&mut self, now: GameTime) {
        self.from = now;
        self.ended = StalenessIntegral::default();
    }

    /// Adds an interval to `sums`.
    fn count(&self, sums: &mut StalenessIntegral, start: GameTime, end: GameTime, of: FixedWeight) {
        let square = |time: Nanos| i128::from(time.as_nanos()).pow(2);
        let from = start.max(self.from);
        let area = Area {
            twice: square(end - start) - square(from - start),
            lived: (end - from).as_nanos().into(),
        };
        sums.weighted.add(area.times(of.units().into()));
        sums.rings[of.ring()].add(area);
    }

    /// Ends an interval of `task` at `now`.
    fn end(&mut self, task: TaskId, now: GameTime, weight: FixedWeight) {
        if let Some((start, _)) = self.open.remove(&task) {
            let mut ended = self.ended;
            self.count(&mut ended, start, now, weight);
            self.ended = ended;
        }
    }

    /// Returns the integrals until `now`.
    fn sums(&self, now: GameTime) -> StalenessIntegral {
        let mut sums = self.ended;
        for &(start, weight) in self.open.values() {
            self.count(&mut sums, start, now, weight);
        }
        sums
    }

    /// Adopts births and deaths between two frames. If `all`, weighs everyone again.
    fn adopt(&mut self, lane: &MeasuredLane<Limited>, all: bool) {
        let tasks = lane.world().tasks();
        let weights = lane.world().weights();
        self.open.retain(|task, _| tasks.contains(*task));
        for task in tasks.iter() {
            let last_run = tasks.last_run(task).unwrap_or_default();
            let new = (last_run, FixedWeight::of(&weights, task.index));
            let entry = self.open.entry(task).or_insert(new);
            if all {
                *entry = new;
            }
        }
    }

    /// Adds the births, deaths and runs of the lane's last frame. Several updates have no births and deaths.
    fn add(&mut self, lane: &MeasuredLane<Limited>) {
        for update in lane.updates() {
            let weights = Weights {
                target: update.target,
                ..lane.world().weights()
            };
            let weight = |task: TaskId| FixedWeight::of(&weights, task.index);
            for change in lane.changes() {
                match *change {
                    Change::Born(task) => {
                        self.open.insert(task, (update.time, weight(task)));
                    }
                    Change::Died(task) => self.end(task, update.time, weight(task)),
                }
            }
            let runs = update.runs_before..update.runs_before + update.runs;
            for run in &lane.runs()[runs] {
                self.end(run.task, update.time, weight(run.task));
                self.ended.ran(weight(run.task));
                self.open.insert(run.task, (update.time, weight(run.task)));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_running_sums_equal_sums_over_intervals(
        strategy in 0..STRATEGIES.len(),
        frame_loop in 0..FRAME_LOOPS.len(),
        entities in 0_u32..80,
        churn in 0.0_f64..300.0,
        falloff in 0_u32..5,
        rests: bool,
        acts in prop::collection::vec((0_usize..40, 0_u64..100), 10..150),
    ) {
        let set = [
            (&ENTITIES, f64::from(entities)),
            (&CHURN, churn),
            (&COST, 50.0),
            (&REQUESTS, 5.0),
            (&FALLOFF, f64::from(falloff)),
        ];
        let mut settings = settings(STRATEGIES[strategy].key, FRAME_LOOPS[frame_loop].key, &set);
        let at = Some(Point { x: 0.25, y: 0.125 });
        settings.target = at.filter(|_| rests);
        let machine = Limited {
            machine: Simulated::new(&settings.knobs),
            left: Nanos::ZERO,
        };
        let mut lane: MeasuredLane<Limited> = MeasuredLane::new(settings, machine);
        let mut expected = BruteForce::default();
        let mut weighed = None;
        for (act, number) in acts {
            let knob = |lane: &mut MeasuredLane<Limited>, knob: &Knob, value| lane.set_knob(knob, value);
            match act {
                0 => lane.set_strategy(STRATEGIES[number as usize % STRATEGIES.len()]),
                1 => knob(&mut lane, &ENTITIES, number as f64),
                2 => knob(&mut lane, &INTERVAL, number as f64 / 100.0),
                3 => knob(&mut lane, &CHURN, number as f64),
                4 => drop(lane.disturb(Disturbance::ALL[number as usize % Disturbance::ALL.len()])),
                5 => {
                    lane.clear_statistics();
                    expected.restart(lane.now());
                }
                6 => lane.pin_target(at.filter(|_| number < 50)),
                7 => knob(&mut lane, &NEAR, number as f64 / 200.0),
                _ => {}
            }
            lane.machine_mut().left = Nanos::from_micros(if number < 30 { 400 } else { 1_000_000 });
            let was_warming_up = lane.report().subject.warming_up;
            let before = lane.now();
            let weights = lane.world().weights();
            let now_weighed = (weights.significance, weights.plane, lane.settings().target);
            expected.adopt(&lane, weighed.replace(now_weighed) != Some(now_weighed));
            lane.frame();
            if was_warming_up {
                expected.restart(before);
            }
            // If a frame has several updates, the update of a birth or death is unknown: such a frame is not compared.
            if lane.updates().len() > 1 && !lane.changes().is_empty() {
                lane.clear_statistics();
                lane.set_knob(&NEAR, 1.5 - lane.settings().knobs.get(&NEAR)); // weighs everyone again
                expected.restart(lane.now());
            } else {
                expected.add(&lane);
            }
            if !lane.report().subject.warming_up {
                let sums = lane.observer().tally.staleness_integral();
                prop_assert_eq!(*sums, expected.sums(lane.now()));
            }
        }
    }
}

#[test]
fn a_negative_area_has_no_mean() {
    let area = |twice, lived| Area { twice, lived }.mean();
    assert_eq!(area(40, 2), Some(Nanos::from_nanos(10)));
    assert_eq!([area(-40, 2), area(40, -2), area(0, 0)], [None; 3]);
    assert_eq!(area(0, 2), Some(Nanos::ZERO));
}
