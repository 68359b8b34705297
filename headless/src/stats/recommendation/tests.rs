//! Recommendations.

use super::*;
use crate::sim::lane::Length;
use crate::sim::world::{COST, COST_SPREAD, ENTITIES, Point};
use crate::testing::lane;
use crate::text::rich::time;
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::PREDICT;

const MS: fn(u64) -> Nanos = Nanos::from_millis;
const REST: Option<Point> = Some(Point { x: 0.5, y: 0.25 });
const BUDGET: Nanos = Nanos::from_millis(4);

/// Returns the reports of some strategies after `secs` seconds.
fn reports_of(
    strategies: &[&str],
    set: &[(&Knob, f64)],
    target: Option<Point>,
    secs: u64,
) -> Vec<Report> {
    let report = |key: &&str| {
        let mut lane = lane(key, set);
        lane.pin_target(target);
        while lane.is_within(Length::Time(Nanos::from_secs(secs))) {
            lane.frame();
        }
        lane.report()
    };
    strategies.iter().map(report).collect()
}

/// Returns the reports of all strategies with 400 entities.
fn all_reports(target: Option<Point>, secs: u64) -> Vec<Report> {
    let keys: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    reports_of(&keys, &[(&COST, 50.0)], target, secs)
}

fn text(reports: &[Report], budget: Nanos) -> String {
    recommend(reports, budget).text(reports).to_string()
}

#[test]
fn advice_is_worded_by_its_figures() {
    let set = [(&ENTITIES, 2_000.0), (&COST, 50.0)];
    let mut reports = reports_of(&["fixed-interval", "every-frame"], &set, REST, 8);
    let fixed = &reports[0];
    let [weighted, stale, most] = [
        fixed.settled_staleness(WeightedStaleness::Mean).unwrap(),
        stalest(fixed),
        fixed.frame_tasks.max,
    ]
    .map(|value| time(value).to_string());
    let matters = |ratio: &str| {
        format!(
            "at 4 ms of tasks a frame, Fixed interval keeps the crowd freshest where it matters: \
             weighted staleness {weighted}{ratio} · tasks within 4 ms a frame: 1 of 2"
        )
    };
    let ratio = WeightedStaleness::Mean.over_minimum(fixed).unwrap();
    let ratio = format!(", {ratio:.2} times the theoretical minimum");
    let tuned = "Fixed interval fits with an interval of 1.7 s or more";
    assert_eq!(text(&reports, BUDGET), matters(&ratio));
    assert_eq!(
        text(&reports, MS(1)),
        format!(
            "tasks within 1 ms a frame: 0 of 2 · closest: Fixed interval (up to {most}) · {tuned}"
        )
    );
    assert!(recommend(&reports, MS(1)).text(&reports).is_warning());
    assert!(!recommend(&reports, BUDGET).text(&reports).is_warning());
    for report in &mut reports {
        report.subject.bounds = None; // the target moves
    }
    assert_eq!(text(&reports, BUDGET), matters(""));
    reports[0].starved = 1;
    assert_eq!(
        text(&reports, BUDGET),
        format!(
            "tasks within 4 ms a frame: 1 of 2 · all of these fall behind: Fixed interval (staleness up to {stale})"
        )
    );
    assert!(recommend(&reports, BUDGET).text(&reports).is_warning());
    reports[1].span = MS(10);
    let one = "tasks within 4 ms a frame: 1 of 1, no result yet for 1 strategy";
    assert!(text(&reports, BUDGET).starts_with(one));
    reports[0].span = MS(10);
    assert_eq!(text(&reports, BUDGET), "no result yet for 2 strategies");
    assert_eq!(text(&[], BUDGET), "nothing to compare");
    for report in &mut reports {
        report.subject.entities = 0;
    }
    assert_eq!(text(&reports, BUDGET), "no entities, nothing to compare");
}

#[test]
fn a_longer_interval_is_advised_if_it_is_fresher() {
    let set = [(&ENTITIES, 2_000.0), (&COST, 50.0)];
    let mut reports = reports_of(&["fixed-interval", "weighted-share"], &set, REST, 8);
    let advice = |reports: &[Report]| {
        let text = text(reports, MS(3));
        assert!(
            text.contains("Weighted share keeps the crowd freshest"),
            "{text}"
        );
        text.contains("Fixed interval fits with an interval of 560 ms or more")
    };
    reports[1].subject.budget = Some(MS(3));
    reports[1].frame_tasks.max = MS(3);
    assert!(advice(&reports));
    reports[1].runs *= 10; // ten times as fresh
    (reports[1].worst_staleness, reports[1].subject.staleness) = (MS(300), MS(300));
    assert!(!advice(&reports));
}

#[test]
fn no_frame_of_a_lane_within_budget_exceeds_it() {
    let mut reports = reports_of(&["every-frame", "time-budget"], &[], None, 2);
    let (budget, peak, more) = (BUDGET, MS(6), Nanos::from_nanos(1));
    for (lane, own_budget, p99, max, class) in [
        (0, None, budget, budget, BudgetClass::Within),
        (0, None, budget, budget + more, BudgetClass::Rarely),
        (0, None, budget, peak, BudgetClass::Rarely),
        (0, None, budget, peak + more, BudgetClass::Exceeds),
        (0, None, MS(5), MS(5), BudgetClass::Exceeds),
        (1, Some(budget), budget, budget, BudgetClass::Within),
        (1, Some(budget), MS(5), MS(5), BudgetClass::LastTask),
        (1, Some(budget), MS(5), peak + more, BudgetClass::Exceeds),
        (1, Some(MS(5)), MS(5), MS(5), BudgetClass::Exceeds),
    ] {
        let report = &mut reports[lane];
        report.subject.budget = own_budget;
        (report.frame_tasks.p99, report.frame_tasks.max) = (p99, max);
        assert_eq!(BudgetClass::of(report, budget), class, "{p99} and {max}");
    }
}

#[test]
fn lanes_that_nearly_keep_the_budget_are_counted_apart() {
    // Without prediction, a budget of 4 ms ends within the 14th task of 0.3 ms.
    let set = [(&ENTITIES, 20_000.0), (&COST, 300.0), (&PREDICT, 0.0)];
    let mut reports = reports_of(&["time-budget", "max-per-frame"], &set, None, 3);
    assert_eq!(
        recommend(&reports, BUDGET).classes[0],
        BudgetClass::LastTask
    );
    let words = "1 of 2, 1 more except for the last task";
    assert!(text(&reports, BUDGET).contains(words));
    reports[0].frame_tasks.p99 = BUDGET;
    assert!(text(&reports, BUDGET).contains("1 of 2, 1 more in 99 of 100 frames"));
}

#[test]
fn lanes_are_sorted_by_freshness_or_task_time() {
    let reports = all_reports(REST, 8);
    for budget in [MS(0), MS(1), MS(3), MS(10), MS(100)] {
        let advice = recommend(&reports, budget);
        let class = |lane: &usize| advice.classes[*lane];
        assert!(
            advice
                .order
                .is_sorted_by_key(|lane| !class(lane).is_within())
        );
        let (mut within, mut exceeding) = (advice.order.clone(), advice.order.clone());
        within.retain(|lane| class(lane) == BudgetClass::Within);
        exceeding.retain(|lane| class(lane) == BudgetClass::Exceeds);
        assert!(within.is_sorted_by_key(|&lane| stalest(&reports[lane])));
        assert!(exceeding.is_sorted_by_key(|&lane| reports[lane].frame_tasks.max));
        // The best by weight is the least of those that keep the budget and keep up.
        for staleness in WeightedStaleness::ALL {
            let candidates = reports
                .iter()
                .enumerate()
                .filter(|(lane, _)| class(lane).is_within() && !advice.behind.contains(lane));
            let least = candidates
                .filter_map(|(_, report)| staleness.of(report))
                .min();
            let best = advice.best_by(staleness, &reports);
            assert_eq!(best.and_then(|best| staleness.of(&reports[best])), least);
        }
    }
    for report in reports {
        if let Some(times) = WeightedStaleness::Mean.over_minimum(&report) {
            assert!(
                times >= 1.0 - 1e-6,
                "{}: {times}",
                report.subject.strategy.key
            );
        }
    }
}

#[test]
fn lanes_without_figures_have_no_weighted_staleness() {
    let keys = ["fixed-interval", "weighted-share"];
    for (entities, secs) in [(0.0, 3), (400.0, 0)] {
        let reports = reports_of(&keys, &[(&ENTITIES, entities)], REST, secs);
        let advice = recommend(&reports, BUDGET);
        for staleness in WeightedStaleness::ALL {
            assert!(reports.iter().all(|of| staleness.of(of).is_none()));
            assert!(
                reports
                    .iter()
                    .all(|of| staleness.over_minimum(of).is_none())
            );
            assert_eq!(advice.best_by(staleness, &reports), None);
        }
    }
}

#[test]
fn lanes_that_do_not_keep_up_are_not_recommended() {
    // Overload of a queue, and a round that is far too long. Weighted share lengthens its intervals by design.
    let set = [(&ENTITIES, 20_000.0), (&COST, 100.0)];
    let keys = [
        "time-budget",
        "max-per-frame",
        "weighted-share",
        "fixed-interval",
    ];
    let mut reports = reports_of(&keys, &set, REST, 3);
    assert_eq!(recommend(&reports, BUDGET).behind[..2], [0, 1]);
    // A growing backlog and an unfinished round predict a longer staleness than was measured.
    let rounds = [20_000.0 / 2_400.0, 20_000.0 / 240.0]; // 40 or 4 runs a frame, 60 frames a second
    for (report, secs) in reports.iter().zip(rounds) {
        assert!(report.worst_staleness < Nanos::from_secs(4));
        let round = stalest(report).as_secs_f64();
        assert!((round / secs - 1.0).abs() < 0.03, "{round}");
    }
    reports.truncate(1);
    let words = "all of these fall behind: Time budget (backlog grows: a round takes about 8.";
    assert!(
        text(&reports, BUDGET).contains(words),
        "{}",
        text(&reports, BUDGET)
    );
}

#[test]
fn the_recommended_interval_fits() {
    for (entities, cost_us, budget) in [
        (600.0, 30.0, Nanos::from_micros(200)),
        (400.0, 333.0, MS(3)),
    ] {
        let class = |interval: Nanos| {
            let set = [
                (&ENTITIES, entities),
                (&COST, cost_us),
                (&INTERVAL, interval.as_secs_f64()),
            ];
            let reports = reports_of(&["fixed-interval"], &set, None, 8);
            let text = text(&reports, budget);
            (
                recommend(&reports, budget).classes[0],
                interval_within(&reports[0], budget),
                text,
            )
        };
        let (_, interval, text) = class(MS(500));
        let interval = interval.expect("a longer interval");
        let words = format!("fits with an interval of {} or more", time(interval));
        assert!(text.contains(&words), "{text}");
        assert_eq!(class(interval).0, BudgetClass::Within, "{words}");
        let less = Nanos::from_nanos(interval.as_nanos() / 10 * 9);
        assert_eq!(class(less).0, BudgetClass::Exceeds, "{words}");
    }
    // The slider ends at ten seconds. A longer interval makes bursts rarer, not smaller. Costs differ.
    for (key, entities, spread, budget) in [
        ("fixed-interval", 20_000.0, 0.0, Nanos::from_micros(400)),
        ("all-at-once", 400.0, 0.0, BUDGET),
        ("fixed-interval", 2_000.0, 1.0, MS(1)),
    ] {
        let set = [(&ENTITIES, entities), (&COST, 20.0), (&COST_SPREAD, spread)];
        let reports = reports_of(&[key], &set, None, 3);
        assert_eq!(interval_within(&reports[0], budget), None, "{key}");
    }
}
