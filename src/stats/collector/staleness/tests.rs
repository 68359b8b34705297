//! Mean staleness, against cases known by hand and against a sum over single entities.

use super::*;
use crate::sim::disturbance::Disturbance;
use crate::sim::lane::test_lane::settings;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::world::{CHURN, COST, ENTITIES, REQUESTS};
use crate::stats::MeasuredLane;
use crate::stats::rules::test_report::report;
use crate::stats::test_lane::lane;
use proptest::prelude::*;
use timeslice::frame_loop::FRAME_LOOPS;
use timeslice::knob::Knob;
use timeslice::scheduler::TaskId;
use timeslice::strategy::STRATEGIES;
use timeslice::strategy::knobs::INTERVAL;
use timeslice::time::{ClockTime, GameTime};

const MS: fn(u64) -> Nanos = Nanos::from_millis;

#[test]
fn staleness_grows_from_zero_to_the_interval() {
    let mut total = TotalStaleness::default();
    total.born();
    let mut integral = StalenessIntegral::default();
    assert_eq!(integral.mean(), None);
    for _ in 0..5 {
        integral.add(total.advance(MS(100)));
        total.ran(MS(100));
    }
    assert_eq!(integral.mean(), Some(MS(50)));
    // A newborn lives for half of the next interval.
    integral = total.advance(MS(50));
    total.born();
    integral.add(total.advance(MS(50)));
    let mean = (100 * 50 + 50 * 25) * 1_000_000 / 150;
    assert_eq!(integral.mean(), Some(Nanos::from_nanos(mean)));
    total.died(MS(100));
    total.died(MS(50));
    assert_eq!(total, TotalStaleness::default());
}

#[test]
fn extreme_times_saturate() {
    let mut total = TotalStaleness::default();
    (0..3).for_each(|_| total.born());
    let mut integral = total.advance(Nanos::MAX);
    integral.add(total.advance(Nanos::MAX));
    assert!(integral.mean().is_some());
    total.died(Nanos::MAX);
    (0..9).for_each(|_| total.died(Nanos::MAX));
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

/// Integrals, summed over single entities: the times of their last runs are all that is known of them.
#[derive(Default)]
struct BruteForce {
    twice_area: u128,
    lived: u128,
}

impl BruteForce {
    /// Returns the living entities with the times of their last runs.
    fn living(lane: &MeasuredLane<Limited>) -> Vec<(TaskId, GameTime)> {
        let tasks = lane.world().tasks();
        let last_runs = tasks.iter().filter_map(|task| tasks.last_run(task));
        tasks.iter().zip(last_runs).collect()
    }

    /// Adds the time of one update from `before` to `now`, at whose start `living` were alive.
    fn add(&mut self, living: &[(TaskId, GameTime)], before: GameTime, now: GameTime) {
        let square = |time: Nanos| u128::from(time.as_nanos()).pow(2);
        for &(_, last_run) in living {
            self.twice_area += square(now - last_run) - square(before - last_run);
            self.lived += u128::from((now - before).as_nanos());
        }
    }

    fn mean(&self) -> Option<Nanos> {
        let mean = (self.lived > 0).then(|| self.twice_area / self.lived / 2)?;
        Some(Nanos::from_nanos(mean as u64))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_running_sum_equals_a_sum_over_entities(
        strategy in 0..STRATEGIES.len(),
        frame_loop in 0..FRAME_LOOPS.len(),
        entities in 0_u32..80,
        churn in 0.0_f64..300.0,
        acts in prop::collection::vec((0_usize..40, 0_u64..100), 10..150),
    ) {
        let set = [
            (&ENTITIES, f64::from(entities)),
            (&CHURN, churn),
            (&COST, 50.0),
            (&REQUESTS, 5.0),
        ];
        let settings = settings(STRATEGIES[strategy].key, FRAME_LOOPS[frame_loop].key, &set);
        let machine = Limited {
            machine: Simulated::new(&settings.knobs),
            left: Nanos::ZERO,
        };
        let mut lane: MeasuredLane<Limited> = MeasuredLane::new(settings, machine);
        let mut expected = BruteForce::default();
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
                    expected = BruteForce::default();
                }
                _ => {}
            }
            lane.machine_mut().left = Nanos::from_micros(if number < 30 { 400 } else { 1_000_000 });
            let was_warming_up = lane.report().subject.warming_up;
            let (living, before) = (BruteForce::living(&lane), lane.now());
            lane.frame();
            let is_warming_up = lane.report().subject.warming_up;
            if was_warming_up {
                expected = BruteForce::default();
            }
            // If a frame has several updates, the update of a birth or death is unknown: such a frame is not compared.
            if lane.updates().len() > 1 && !lane.changes().is_empty() {
                lane.clear_statistics();
                expected = BruteForce::default();
            } else if !is_warming_up {
                add_updates(&mut expected, &lane, living, before);
            }
            prop_assert_eq!(lane.report().mean_staleness, expected.mean());
        }
    }
}

/// Adds the updates of the lane's last frame. Several updates have no births and deaths.
fn add_updates(
    expected: &mut BruteForce,
    lane: &MeasuredLane<Limited>,
    mut living: Vec<(TaskId, GameTime)>,
    mut before: GameTime,
) {
    for update in lane.updates() {
        expected.add(&living, before, update.time);
        before = update.time;
        let runs = update.runs_before..update.runs_before + update.runs;
        for run in &lane.runs()[runs] {
            for (task, last_run) in &mut living {
                if *task == run.task {
                    *last_run = run.time;
                }
            }
        }
    }
}
