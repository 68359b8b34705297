//! Recommendations.

use super::*;
use crate::sim::lane::Length;
use crate::sim::machine::Simulated;
use crate::sim::world::{COST, COST_SPREAD, ENTITIES};
use crate::stats::MeasuredLane;
use crate::testing::lane;
use timeslicer::knob::Knob;
use timeslicer::strategy::knobs::PREDICT;
use timeslicer::strategy::{Family, STRATEGIES};

const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Returns a lane of each strategy after `secs` seconds.
fn lanes(set: &[(&Knob, f64)], secs: u64) -> Vec<MeasuredLane<Simulated>> {
    let mut lanes: Vec<_> = STRATEGIES.iter().map(|it| lane(it.key, set)).collect();
    lanes.iter_mut().for_each(MeasuredLane::measure_gazes);
    advance(&mut lanes, Nanos::from_secs(secs));
    lanes
}

fn advance(lanes: &mut [MeasuredLane<Simulated>], to: Nanos) {
    for lane in lanes {
        while lane.is_within(Length::Time(to)) {
            lane.frame();
        }
    }
}

fn reports_of(lanes: &[MeasuredLane<Simulated>]) -> Vec<Report> {
    lanes.iter().map(MeasuredLane::report).collect()
}

fn reports_with(set: &[(&Knob, f64)], secs: u64) -> Vec<Report> {
    reports_of(&lanes(set, secs))
}

fn reports(entities: f64, cost_us: f64, secs: u64) -> Vec<Report> {
    reports_with(&[(&ENTITIES, entities), (&COST, cost_us)], secs)
}

/// Removes the reports of strategies by significance.
fn equally_often(mut reports: Vec<Report>) -> Vec<Report> {
    reports.retain(|it| it.subject.strategy.family != Family::BySignificance);
    reports
}

fn keys(reports: &[Report], lanes: &[usize]) -> Vec<&'static str> {
    lanes
        .iter()
        .map(|&lane| reports[lane].subject.strategy.key)
        .collect()
}

#[test]
fn staggering_is_freshest_within_4_ms() {
    let reports = reports(2_000.0, 50.0, 20);
    let advice = recommend(&reports, MS(4));
    let keep = keys(&reports, &advice.keep);
    assert!(keep[..2].contains(&"stagger-groups") && keep[..2].contains(&"fixed-interval"));
    assert_eq!(keep.last(), Some(&"max-per-frame"), "the stalest");
    let pass = keys(&reports, &advice.pass);
    assert!(pass.contains(&"every-frame") && pass.contains(&"all-at-once"));
}

#[test]
fn advice_is_worded_by_its_figures() {
    let mut reports = reports(2_000.0, 50.0, 20);
    reports.retain(|it| ["fixed-interval", "every-frame"].contains(&it.subject.strategy.key));
    let text = |reports: &[Report], ms| recommend(reports, MS(ms)).text(reports).to_string();
    let stale = time(reports[1].weighted_mean.unwrap());
    let name = reports[1].subject.strategy.name;
    let best =
        format!("at 4 ms of tasks a frame, {name} keeps the crowd freshest where it matters");
    let best = format!("{best}: weighted staleness {stale}");
    let one = format!("{best} · tasks within 4 ms a frame: 1 of 2");
    assert_eq!(text(&reports, 4), one);
    let mut without = reports.clone();
    for report in &mut without {
        report.weighted_mean = None;
    }
    let stale = time(stalest(&reports[1]));
    let freshest = format!("freshest: {name} (staleness up to {stale})");
    let one = format!("tasks within 4 ms a frame: 1 of 2 · {freshest}");
    assert_eq!(text(&without, 4), one);
    let none = "tasks within 1 ms a frame: 0 of 2";
    let most = time(reports[1].frame_tasks.max);
    let nearest = format!("closest: {name} (up to {most})");
    let interval = time(interval_within(&reports[1], MS(1)).unwrap());
    let tuned = format!("{name} fits with an interval of {interval} or more");
    assert_eq!(text(&reports, 1), format!("{none} · {nearest} · {tuned}"));
    reports[0].span = MS(10);
    let one = "tasks within 4 ms a frame: 1 of 1, no result yet for 1 strategy";
    assert!(text(&reports, 4).ends_with(one));
    reports[1].span = MS(10);
    assert_eq!(text(&reports, 4), "no result yet for 2 strategies");
    assert_eq!(text(&[], 4), "nothing to compare");
    for report in &mut reports {
        report.subject.entities = 0;
    }
    assert_eq!(text(&reports, 4), "no entities, nothing to compare");
}

#[test]
fn lanes_within_budget_are_sorted_by_freshness() {
    let reports = reports(500.0, 100.0, 5);
    for budget in [MS(0), MS(1), MS(3), MS(10), MS(100)] {
        let advice = recommend(&reports, budget);
        let all = [&advice.keep, &advice.nearly, &advice.pass];
        assert_eq!(all.map(Vec::len).iter().sum::<usize>(), reports.len());
        let most = |lane: &usize| reports[*lane].frame_tasks.max;
        assert!(advice.keep.iter().all(|lane| most(lane) <= budget));
        assert!(advice.pass.iter().all(|lane| most(lane) > budget));
        let fresh: Vec<Nanos> = advice
            .keep
            .iter()
            .map(|&lane| stalest(&reports[lane]))
            .collect();
        assert!(fresh.is_sorted());
    }
}

#[test]
fn no_frame_of_a_lane_within_budget_exceeds_it() {
    let mut reports = reports(400.0, 100.0, 3);
    let at = |key: &str| STRATEGIES.iter().position(|it| it.key == key).unwrap();
    let (budget, peak, more) = (MS(4), MS(6), Nanos::from_nanos(1));
    for (key, p99, max, class) in [
        ("every-frame", budget, budget, BudgetClass::Within),
        ("every-frame", budget, budget + more, BudgetClass::Rarely),
        ("every-frame", budget, peak, BudgetClass::Rarely),
        ("every-frame", budget, peak + more, BudgetClass::Exceeds),
        ("every-frame", MS(5), MS(5), BudgetClass::Exceeds),
        ("time-budget", budget, budget, BudgetClass::Within),
        ("time-budget", MS(5), MS(5), BudgetClass::LastTask),
        ("time-budget", MS(5), peak + more, BudgetClass::Exceeds),
    ] {
        let report = &mut reports[at(key)];
        (report.frame_tasks.p99, report.frame_tasks.max) = (p99, max);
        assert_eq!(BudgetClass::of(report, budget), class, "{p99} and {max}");
    }
    let own = &mut reports[at("time-budget")];
    own.subject.budget = Some(MS(5));
    (own.frame_tasks.p99, own.frame_tasks.max) = (MS(5), MS(5));
    let class = BudgetClass::of(own, budget);
    assert_eq!(class, BudgetClass::Exceeds, "its own budget is larger");
}

#[test]
fn lanes_that_nearly_keep_the_budget_are_counted_apart() {
    // Without prediction, a budget of 4 ms ends within the 14th task of 0.3 ms.
    let set = [(&ENTITIES, 20_000.0), (&COST, 300.0), (&PREDICT, 0.0)];
    let reports = equally_often(reports_with(&set, 5));
    let advice = recommend(&reports, MS(4));
    assert_eq!(keys(&reports, &advice.nearly), ["time-budget"]);
    let words = ", 1 more except for the last task";
    assert!(advice.text(&reports).to_string().contains(words));
    let mut rare = reports;
    rare.truncate(1);
    (rare[0].frame_tasks.p99, rare[0].frame_tasks.max) = (MS(4), MS(5));
    let text = recommend(&rare, MS(4)).text(&rare);
    let words = "tasks within 4 ms a frame: 0 of 1, 1 more in 99 of 100 frames";
    assert!(text.to_string().starts_with(words), "{text}");
    assert!(text.is_warning());
}

#[test]
fn strategies_that_do_not_keep_up_are_not_recommended() {
    for (entities, cost_us) in [(20_000.0, 100.0), (20_000.0, 400.0), (5_000.0, 1_000.0)] {
        let reports = reports(entities, cost_us, 5);
        let advice = recommend(&reports, MS(4));
        assert!(keys(&reports, &advice.keep).contains(&"max-per-frame"));
        assert!(advice.best.is_empty(), "{:?}", keys(&reports, &advice.best));
        assert!(advice.keep.iter().all(|lane| advice.behind.contains(lane)));
        let text = advice.text(&reports);
        assert!(text.is_warning(), "{text}");
        assert!(!text.to_string().contains("freshest"), "{text}");
    }
    let mut reports = reports(400.0, 10.0, 5);
    let best = recommend(&reports, MS(100)).best;
    for &lane in &best {
        reports[lane].starved = Some(1);
    }
    let others = recommend(&reports, MS(100)).best;
    assert!(!others.is_empty() && others.iter().all(|lane| !best.contains(lane)));
}

#[test]
fn no_lane_within_budget_is_a_warning() {
    let reports = reports(100.0, 1_000.0, 5);
    let none = recommend(&reports, Nanos::from_nanos(1));
    assert!(none.keep.is_empty() && none.text(&reports).is_warning());
    assert_eq!(reports[none.pass[0]].subject.strategy.key, "max-per-frame");
    let all = recommend(&reports, Nanos::SECOND);
    assert!(all.pass.is_empty() && !all.text(&reports).is_warning());
}

#[test]
fn the_recommended_interval_fits() {
    for (entities, cost_us, spread, budget) in [
        (3_000.0, 30.0, 0.0, MS(1)),
        (700.0, 333.0, 0.0, MS(3)),
        (2_000.0, 50.0, 2.0, MS(3)),
    ] {
        let with = |interval: Nanos| {
            reports_with(
                &[
                    (&ENTITIES, entities),
                    (&COST, cost_us),
                    (&COST_SPREAD, spread),
                    (&INTERVAL, interval.as_secs_f64()),
                ],
                10,
            )
        };
        let slow = with(MS(500));
        let before = recommend(&slow, budget);
        let intervals = before.nearly.iter().chain(&before.pass);
        let intervals = intervals.filter_map(|&it| Some((interval_within(&slow[it], budget)?, it)));
        let (interval, lane) = intervals.min().unwrap();
        let text = before.text(&slow).to_string();
        let shown = time(interval).to_string();
        assert!(text.contains(&shown), "{text}");
        let tuned = with(interval);
        let after = recommend(&tuned, budget);
        assert!(after.keep.contains(&lane), "{}", after.text(&tuned));
        if spread == 0.0 {
            let less = Nanos::from_nanos(interval.as_nanos() / 10 * 9);
            assert!(recommend(&with(less), budget).pass.contains(&lane));
        }
    }
    // The slider ends at ten seconds.
    let set = [(&ENTITIES, 20_000.0), (&COST, 20.0)];
    let many = reports_with(&set, 20);
    let budget = Nanos::from_micros(400);
    let interval = many.iter().filter_map(|it| interval_within(it, budget));
    assert_eq!(interval.min(), None);
    // A longer interval makes bursts rarer, not smaller.
    let slow = reports(2_000.0, 100.0, 20);
    let burst = slow
        .iter()
        .find(|it| it.subject.strategy.key == "all-at-once");
    assert_eq!(interval_within(burst.unwrap(), MS(4)), None);
}

#[test]
fn a_growing_backlog_predicts_a_longer_staleness() {
    let reports = equally_often(reports(20_000.0, 100.0, 3));
    let queue = reports
        .iter()
        .find(|it| it.subject.strategy.key == "time-budget");
    let queue = queue.unwrap();
    assert!(queue.worst_staleness < Nanos::from_secs(4));
    let round = stalest(queue).as_secs_f64(); // 40 runs a frame, 60 frames a second
    assert!((round - 20_000.0 / 2_400.0).abs() < 0.2, "{round}");
    let text = recommend(&reports, MS(4)).text(&reports).to_string();
    let name = queue.subject.strategy.name;
    let backlog =
        format!("all of these fall behind: {name} (backlog grows: a round takes about 8.");
    assert!(text.contains(&backlog), "{text}");
}

#[test]
fn rare_bursts_exceed_the_budget_too() {
    let set = [(&ENTITIES, 2_000.0), (&COST, 50.0), (&INTERVAL, 3.0)];
    let reports = reports_with(&set, 20);
    let burst = reports
        .iter()
        .position(|it| it.subject.strategy.key == "all-at-once")
        .unwrap();
    assert!(reports[burst].frame_tasks.p99 < MS(4));
    assert!(recommend(&reports, MS(4)).pass.contains(&burst));
}

#[test]
fn recently_changed_lanes_are_not_judged() {
    let set = [(&ENTITIES, 2_000.0), (&COST, 50.0)];
    let mut lanes = lanes(&set, 20);
    for lane in &mut lanes {
        lane.set_knob(&COST, 51.0);
    }
    let mut unknown = Vec::new();
    for tenth in 1..=30 {
        advance(&mut lanes, MS(20_000 + 100 * tenth));
        let reports = reports_of(&lanes);
        let advice = recommend(&reports, MS(4));
        for &lane in &advice.keep {
            let now = lanes[lane].worst_staleness();
            assert!(
                stalest(&reports[lane]) >= now,
                "{}",
                reports[lane].subject.strategy.key
            );
        }
        unknown.push(advice.unknown.len());
    }
    assert_eq!((unknown[2], unknown[29]), (STRATEGIES.len(), 0));
}

#[test]
fn unfinished_rounds_predict_their_staleness() {
    let reports = reports(2_000.0, 50.0, 3);
    let few = reports
        .iter()
        .find(|it| it.subject.strategy.key == "max-per-frame")
        .unwrap();
    assert!(few.worst_staleness < Nanos::from_secs(4));
    assert!(stalest(few) > Nanos::from_secs(8));
}
