//! Tests that overload is detected by comparing demand and capacity.

use super::*;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::Family;
use crate::catalog::strategy::STRATEGIES;
use crate::catalog::strategy::knobs::{
    BUDGET, FASTEST, GROUPS, INTERVAL, MAX_TASKS, PREDICT, SLOWEST,
};
use crate::catalog::strategy::weighted_share::EXPIRE;
use crate::history::{History, PastFrame, WindowStats};
use crate::measure::{status, verdict};
use crate::sim::machine::{DISPLAY_HZ, RENDER_MS};
use crate::sim::world::{COST, EAGER, ENTITIES, Point, REQUESTS};
use crate::testing::{lane, report};
use proptest::prelude::*;
use timeslicer::scheduler::Deadlines;

/// Runs a lane for this number of frames. After every 50th of the last 600 frames, it makes two reports: one on the
/// last two seconds, and one on the whole run.
fn moments(strategy: &str, set: &[(&Knob, f64)], frames: usize) -> Vec<[Report; 2]> {
    let mut lane = lane(strategy, set);
    lane.pin_target(Some(Point { x: 0.5, y: 0.25 }));
    let (mut history, mut moments) = (History::default(), Vec::new());
    for frame in 1..=frames {
        lane.frame();
        if frame + 800 > frames {
            history.push(PastFrame::of(&lane));
        }
        if frame + 600 >= frames && frame % 50 == 0 {
            let recent = WindowStats::of(&lane, &history, None).report;
            moments.push([recent, lane.report()]);
        }
    }
    moments
}

#[test]
fn a_budget_smaller_than_a_task_fits_one_task_per_update() {
    for budget in [0.0, 0.1] {
        let set = [(&ENTITIES, 1.0), (&COST, 300.0), (&BUDGET, budget)];
        let of = report("time-budget", &set, 10);
        let demand = of.demand().unwrap();
        assert!(demand > 0.0 && demand < 0.1, "{budget}: {demand}");
        assert!(!verdict(&of).to_string().contains("overload"));
    }
}

#[test]
fn eager_entities_demand_a_run_in_each_update() {
    let work = [(&ENTITIES, 1_000.0), (&COST, 5.0), (&BUDGET, 10.0)];
    for (requests, percent, runs) in [(0.0, 50.0, 500.0), (6.0, 20.0, 276.0), (0.0, 100.0, 1000.0)]
    {
        let set = [&work[..], &[(&REQUESTS, requests), (&EAGER, percent)]].concat();
        let of = report("time-budget", &set, 600);
        let found = of.runs as f64 / of.updates as f64;
        assert!((found / runs - 1.0).abs() < 0.05, "{percent}: {found}");
        let demand = of.demand().unwrap() * 10_000.0 / 5.0;
        assert!((demand / runs - 1.0).abs() < 0.01, "{percent}: {demand}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Compares the time in which every task runs once with the runs of the last two seconds.
    #[test]
    fn every_task_runs_once_in_a_round(
        strategy in 0..STRATEGIES.len(),
        entities in 2_f64..3000.0,
        turns in 1_f64..40.0,
        seconds in 0.1_f64..4.0,
        hz in 25_f64..150.0,
        render_ms in 0_f64..30.0,
        frames in 120_usize..900,
    ) {
        let set = [
            (&ENTITIES, entities.floor()),
            (&COST, 10.0),
            (&MAX_TASKS, turns.floor()),
            (&GROUPS, (turns * 8.0).floor()),
            (&INTERVAL, seconds),
            (&SLOWEST, seconds),
            (&DISPLAY_HZ, hz),
            (&RENDER_MS, render_ms),
        ];
        let [of, _] = moments(STRATEGIES[strategy].key, &set, frames).pop().expect("a moment");
        // If tasks have weights, their intervals differ, so there is no common round.
        let is_weighted = of.subject.strategy.family == Family::BySignificance;
        let Some(round) = of.mean_round().filter(|_| !is_weighted) else {
            return Ok(());
        };
        // By chance, the measured runs may differ by up to a round, unless every update runs the same number of tasks.
        let expected = of.subject.entities as f64 * of.game_span.over(round);
        let is_even = of.subject.max_tasks.is_some();
        let slack = if is_even { 0.0 } else { 0.1 * expected + of.subject.entities as f64 };
        prop_assert!((of.runs as f64 - expected).abs() <= slack + 0.02 * expected, "{} {expected}", of.runs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn demand_above_capacity_is_never_green(
        strategy in 0..STRATEGIES.len(),
        entities in 1_f64..3000.0,
        cost_us in 1_f64..1500.0,
        budget_ms in 0.5_f64..12.0,
        seconds in 0.2_f64..6.0,
        requests in 0.1_f64..20.0,
        predict in 0_u8..2,
    ) {
        let set = [
            (&ENTITIES, entities.floor()),
            (&COST, cost_us),
            (&BUDGET, budget_ms),
            (&INTERVAL, seconds),
            (&SLOWEST, seconds),
            (&EXPIRE, seconds),
            (&REQUESTS, requests),
            (&PREDICT, predict.into()),
        ];
        let key = STRATEGIES[strategy].key;
        let mut probe = lane(key, &set);
        probe.pin_target(Some(Point { x: 0.5, y: 0.25 }));
        probe.frame();
        let (tasks, weights) = (probe.world().tasks(), probe.world().weights());
        let wanted = tasks.iter().map(|task| {
            let weight = weights.at(weights.plane.position(task.index)).0;
            let interval = Deadlines::interval_at(FASTEST.default_span(), Nanos::from_secs_f64(seconds), weight);
            1.0 / interval.as_secs_f64()
        });
        let count = tasks.len() as f64;
        let cost = cost_us * 1e-6;
        let allowed = (budget_ms * 1e-3 * 60.0).max(cost * 60.0);
        let (demand, capacity) = match key {
            "fixed-interval" | "all-at-once" | "balanced-slots" | "random-phase" => (count / seconds * cost, 1.0),
            "request-list" => (count * requests.min(60.0) * cost, 1.0),
            "time-budget" => (count * requests.min(60.0) * cost, allowed),
            "earliest-deadline" => (wanted.sum::<f64>() * cost, allowed),
            "distance-lod" => (wanted.sum::<f64>() * cost, 1.0),
            "weighted-share" => (count / seconds * cost, allowed),
            "max-per-frame" => (count / MAX_TASKS.default / 60.0 / SLOW_ROUND.as_secs_f64(), 1.0),
            _ => return Ok(()),
        };
        let moments = moments(key, &set, 1200);
        let is_sure = demand > 1.4 * capacity;
        for reports in &moments {
            let texts = [status(&reports[0], false, None), verdict(&reports[1])];
            for text in texts {
                prop_assert!(!is_sure || text.is_warning(), "{key} {demand} {capacity}: {text}");
            }
        }
        // Two measurements agree unless the demand is close to the limit.
        let demands: Vec<f64> = moments.iter().flatten().filter_map(Report::demand).collect();
        let is_close = demands.iter().any(|demand| (0.93..1.2).contains(demand));
        let first = moments[0][0].falls_behind();
        for of in moments.iter().flatten() {
            prop_assert!(is_close || of.falls_behind() == first, "{key} {demands:?}");
        }
    }
}
