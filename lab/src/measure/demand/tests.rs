//! Tests that overload is detected by comparing demand and capacity.

use super::*;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::STRATEGIES;
use crate::catalog::strategy::knobs::{
    BUDGET, FASTEST, GROUPS, INTERVAL, MAX_TASKS, PREDICT, SLOWEST,
};
use crate::catalog::strategy::weighted_share::EXPIRE;
use crate::history::{History, PastFrame, WINDOW, WindowStats};
use crate::measure::{status, verdict};
use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{DISPLAY_HZ, RENDER_MS};
use crate::sim::world::{COST, ENTITIES, Point, REQUESTS};
use crate::testing::{lane, report};
use proptest::prelude::*;
use timeslicer::scheduler::Deadlines;

/// Runs a lane until it has made this number of frames. After every 50 of the last 600 frames, returns a report on its
/// last two seconds and one on the whole run.
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
            let recent = WindowStats::of(&lane, &history, WINDOW).report;
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

/// Reads the time in seconds that follows `before` in a text, such as `8.33 s`.
fn time_after(text: &str, before: &str) -> Option<f64> {
    let mut words = text.split_once(before)?.1.split_whitespace();
    let number: f64 = words.next()?.replace(',', "").parse().ok()?;
    let unit = words
        .next()?
        .trim_end_matches(|letter: char| !letter.is_alphabetic());
    Some(
        number
            * match unit {
                "s" => 1.0,
                "ms" => 1e-3,
                "µs" => 1e-6,
                _ => return None,
            },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Compares the status message, the value next to the knob, and the staleness with the runs in these frames.
    #[test]
    fn figures_of_one_place_agree(
        strategy in 0..STRATEGIES.len(),
        entities in 2_f64..3000.0,
        cost_us in 1_f64..100.0,
        turns in 1_f64..40.0,
        seconds in 0.1_f64..4.0,
        hz in 25_f64..150.0,
        render_ms in 0_f64..30.0,
        later in prop::option::of(0..Disturbance::ALL.len()),
        frames in 60_usize..900,
    ) {
        let set = [
            (&ENTITIES, entities.floor()),
            (&COST, cost_us),
            (&MAX_TASKS, turns.floor()),
            (&GROUPS, (turns * 8.0).floor()),
            (&INTERVAL, seconds),
            (&SLOWEST, seconds),
            (&DISPLAY_HZ, hz),
            (&RENDER_MS, render_ms),
        ];
        let mut lane = lane(STRATEGIES[strategy].key, &set);
        lane.pin_target(Some(Point { x: 0.5, y: 0.25 }));
        let mut history = History::default();
        for frame in 0..frames {
            if frame + 400 == frames && let Some(nth) = later {
                lane.disturb(Disturbance::ALL[nth]);
            }
            lane.frame();
            history.push(PastFrame::of(&lane));
        }
        let stats = WindowStats::of(&lane, &history, WINDOW);
        let of = &stats.report;
        let text = status(of, false, None).to_string();
        let first = stats.first_frame.unwrap();
        let range = || history.frames().iter().filter(|past| past.record.number >= first);
        let runs = range().map(|past| past.record.runs).sum::<u32>();
        let span: f64 = range().map(|past| past.record.length.as_secs_f64()).sum();
        prop_assert!(!text.contains("not known"), "{text}");
        let Some(every) = time_after(&text, ", each task every ").or(time_after(&text, ", each task about every ")) else {
            return Ok(());
        };
        // The rate of runs in these frames may be off by one burst by chance.
        let rate = f64::from(runs) / span;
        let expected = of.subject.entities as f64 / every;
        let in_turns = of.round_updates().is_some();
        // With more groups than tasks, runs are not spread evenly over a round, so these frames may contain the runs of
        // one more round.
        let has_groups = in_turns && of.subject.pattern.is_some_and(|it| matches!(it, Pattern::Groups(_)));
        let of_a_round = expected * every / span;
        let slack = match (in_turns, has_groups) {
            (true, false) => 0.02 * rate,
            (true, true) => 0.02 * rate + of_a_round,
            (false, _) => 0.12 * rate + of_a_round,
        };
        prop_assert!((rate - expected).abs() <= slack, "{rate} {expected}: {text}");
        let is_uneven = has_groups && every > span / 3.0;
        if let Some(round) = crate::measure::round(of) {
            let at_knob = time_after(&round.to_string(), "= ").unwrap();
            prop_assert_eq!(at_knob, every, "{} {}", text, round);
        }
        // Once intervals are known and even, the mean staleness is half of an interval.
        let settled = of.since_change.as_secs_f64() > 2.0 * every + WINDOW.as_secs_f64();
        if in_turns && !is_uneven && later.is_none() && settled {
            let frame = of.frame.max.as_secs_f64();
            let mean = of.staleness.mean().unwrap().as_secs_f64();
            prop_assert!((mean - every / 2.0).abs() <= 0.03 * every + frame, "{mean}: {text}");
            let worst = of.worst_staleness.as_secs_f64();
            prop_assert!((worst - every).abs() <= 0.03 * every + frame, "{worst}: {text}");
            if of.knows_interval() {
                let measured = of.interval.mean.as_secs_f64();
                prop_assert!((measured / every - 1.0).abs() < 0.1, "{measured}: {text}");
            }
        }
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
            let weight = weights.weight(task.index);
            let interval = Deadlines::interval_at(FASTEST.default_span(), Nanos::from_secs_f64(seconds), weight);
            1.0 / interval.as_secs_f64()
        });
        let count = tasks.len() as f64;
        let cost = cost_us * 1e-6;
        let allowed = (budget_ms * 1e-3 * 60.0).max(cost * 60.0);
        let (demand, capacity) = match key {
            "fixed-interval" | "all-at-once" | "balanced-slots" => (count / seconds * cost, 1.0),
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
