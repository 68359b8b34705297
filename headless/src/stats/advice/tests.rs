//! Tests of the advice and its wording. `tests/advice.rs` tests the advice with random workloads.

use super::*;
use crate::sim::world::{COST, ENTITIES, FALLOFF, Point, TARGET_SPEED};
use crate::testing::{lane, run_to, times};
use timeslicer::strategy::knobs::{BUDGET, INTERVAL};
use timeslicer::strategy::weighted_share::SHARE_EXPONENT;

const REST: Option<Point> = Some(Point { x: 0.5, y: 0.25 });

/// Returns reports on these strategies with 2,000 tasks of 50 µs, as a comparison creates them.
fn reports(strategies: &[&str], set: &[(&Knob, f64)], target: Option<Point>) -> Vec<Report> {
    let all = [&[(&ENTITIES, 2_000.0), (&COST, 50.0)], set].concat();
    let report = |key: &&str| {
        let mut lane = lane(key, &all);
        lane.pin_target(target);
        run_to(&mut lane, 20);
        let mut report = lane.report();
        report.subject.limit = Some(lane.settings().knobs.span(&BUDGET));
        report
    };
    strategies.iter().map(report).collect()
}

fn recommended(reports: &[Report]) -> Advice {
    let tunings: Vec<Tuning> = reports.iter().map(|_| Tuning::None).collect();
    advise(reports, &tunings, None, Measure::default())
}

fn clauses(advice: &Advice) -> Vec<String> {
    let clauses = advice.text().clauses.iter();
    clauses.map(|clause| clause.words.to_string()).collect()
}

fn why_not(advice: &Advice, lane: usize) -> String {
    joined(&advice.why_not[lane])
}

#[test]
fn the_best_is_named_with_its_figures_and_each_other_with_a_reason() {
    let reports = reports(
        &["fixed-interval", "every-frame", "weighted-share"],
        &[],
        REST,
    );
    let advice = recommended(&reports);
    let mean = |lane: usize| WeightedStaleness::Mean.of(&reports[lane]).unwrap();
    let best = advice.best.as_ref().unwrap();
    assert_eq!((best.lane, best.setting), (2, None));
    let ratio = reports[2].over_minimum(WeightedStaleness::Mean).unwrap();
    let stale = crate::text::rich::time(mean(2));
    let names = "with the current settings, all strategies except Every frame";
    assert_eq!(
        clauses(&advice),
        [
            format!(
                "Weighted share is the freshest within 4 ms per update: mean weighted staleness {stale}, \
                 {ratio:.2} times the theoretical minimum"
            ),
            format!("{names} stay within the budget in every update"),
        ]
    );
    assert_eq!(why_not(&advice, 2), "");
    let times = multiple(mean(0).over(mean(2)));
    assert_eq!(why_not(&advice, 0), format!("{times} as stale as the best"));
    let times = multiple(mean(1).over(mean(2)));
    let breaks = "exceeds the budget in 100 % of updates, by up to 96 ms";
    assert_eq!(
        why_not(&advice, 1),
        format!("{breaks}; {times} as stale as the best")
    );
    assert_eq!(advice.keeps_budget, [true, false, true]);
    assert_eq!(advice.order, [2, 0, 1]);
}

#[test]
fn a_setting_that_fits_is_advised_if_it_is_the_freshest() {
    let mut reports = reports(
        &["fixed-interval", "max-per-frame"],
        &[(&BUDGET, 3.0)],
        None,
    );
    let mut tuned = reports[0].clone();
    tuned.overrun = times(&[]);
    let tuned = |value, report: &Report| {
        let (knob, report) = (&INTERVAL, report.clone());
        [
            Tuning::To(Box::new(Tuned {
                knob,
                value,
                report,
            })),
            Tuning::None,
        ]
    };
    let fitting = {
        let mut of = reports[0].clone();
        of.overrun = times(&[]);
        of
    };
    let advice = advise(&reports, &tuned(0.56, &fitting), None, Measure::default());
    let best = advice.best.as_ref().unwrap();
    assert_eq!((best.lane, best.setting), (0, Some((&INTERVAL, 0.56))));
    let text = &clauses(&advice)[0];
    assert!(
        text.starts_with("Fixed interval with Interval at 0.56 s is the freshest"),
        "{text}"
    );
    assert!(why_not(&advice, 0).starts_with("freshest with Interval at 0.56 s; exceeds"));
    let json = advice.to_json(&reports);
    assert_eq!(
        (&json["knob"], &json["value"]),
        (&json!("interval-s"), &json!(0.56))
    );
    // The setting is mentioned only if it is needed.
    reports[0].overrun = times(&[]);
    let advice = advise(&reports, &tuned(0.56, &fitting), None, Measure::default());
    assert_eq!(advice.best.unwrap().setting, None);
}

#[test]
fn what_breaks_the_budget_least_often_is_closest_and_ties_go_to_the_freshest() {
    let mut reports = reports(&["every-frame", "fixed-interval"], &[(&BUDGET, 1.0)], None);
    let closest = |reports: &[Report]| {
        let advice = recommended(reports);
        assert!(advice.best.is_none() && advice.text().is_warning());
        clauses(&advice)[0].clone()
    };
    let text = closest(&reports);
    let start = "no strategy stays within 1 ms in every update; Fixed interval comes closest, exceeding it in 99 %";
    assert!(text.starts_with(start), "{text}");
    reports[0].overrun = times(&[2]);
    let text = closest(&reports);
    assert!(
        text.contains("Every frame comes closest, exceeding it in 0.5 % of updates by up to 2 ms"),
        "{text}"
    );
    // If lanes are tied, the freshest one wins.
    reports[0].updates = reports[1].updates;
    reports[1].overrun = reports[0].overrun;
    assert!(closest(&reports).contains("Every frame comes closest"));
    let keeping = reports.iter_mut().map(|of| {
        of.overrun = times(&[]);
        of.hitches_by_tasks = 1;
    });
    assert_eq!(keeping.count(), 2);
    assert_eq!(
        closest(&reports),
        "tasks cause hitches with every strategy that stays within the budget"
    );
}

#[test]
fn the_best_is_the_lowest_dot_of_the_chart() {
    let strategies = ["distance-lod", "weighted-share"];
    let mut reports = reports(&strategies, &[(&ENTITIES, 400.0)], REST);
    let by = WeightedStaleness::Worst;
    let lowest = (0..2)
        .min_by_key(|&lane| reports[lane].settled_staleness(by))
        .unwrap();
    // One entity waits for long in the first round, in which all tasks are due at once.
    reports[lowest].worst_weighted = Nanos::from_secs(9);
    let by = Measure {
        by,
        is_settled: true,
    };
    let advice = advise(&reports, &[Tuning::None, Tuning::None], None, by);
    assert_eq!(advice.best.unwrap().lane, lowest);
}

#[test]
fn advice_before_every_task_has_run_says_so() {
    let mut reports = reports(&["fixed-interval", "max-per-frame"], &[], None);
    for of in &mut reports {
        (of.settled, of.have_run) = (None, 0.833);
    }
    let advice = recommended(&reports);
    let text = &clauses(&advice)[0];
    let start = "Fixed interval is the freshest within 4 ms per update so far, although only 83 % of the tasks have run: ";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(why_not(&advice, 1), "not every task has run yet");
    assert_eq!(clauses(&recommended(&[])), ["nothing to compare"]);
    reports.truncate(1);
    reports[0].subject.entities = 0;
    assert_eq!(
        clauses(&recommended(&reports)),
        ["there are no entities, so there is nothing to compare"]
    );
}

#[test]
fn warnings_name_what_spoils_the_advice() {
    let warnings = |strategies: &[&str], set: &[(&Knob, f64)], target| {
        let advice = recommended(&reports(strategies, set, target));
        let warnings = advice.warnings.iter().map(Phrase::to_string);
        warnings.collect::<Vec<String>>().join("; ")
    };
    assert_eq!(
        warnings(&["weighted-share", "fixed-interval"], &[], None),
        ""
    );
    let long = warnings(&["fixed-interval"], &[(&BUDGET, 100.0)], None);
    assert_eq!(
        long,
        "the budget of 100 ms is longer than a frame of 16.7 ms"
    );
    let large = warnings(
        &["weighted-share"],
        &[(&COST, 5000.0), (&ENTITIES, 9.0)],
        None,
    );
    assert_eq!(
        large,
        "one task takes 5 ms, which is more than the budget of 4 ms, and no strategy can split a task"
    );
    let alike = warnings(
        &["weighted-share", "fixed-interval"],
        &[(&FALLOFF, 0.0)],
        REST,
    );
    let start =
        "weights have no effect because they are nearly the same for all entities (Weighted share ";
    assert!(alike.starts_with(start), "{alike}");
    let set = [(&ENTITIES, 20_000.0)];
    let fast = warnings(&["weighted-share"], &set, None);
    let start = "weighting tasks does not help: near and far entities are equally stale (";
    assert!(
        fast.starts_with(start) && fast.ends_with("too far during a round"),
        "{fast}"
    );
    assert_eq!(warnings(&["weighted-share"], &set, REST), "");
}

#[test]
fn prediction_pays_if_it_keeps_updates_within_the_budget() {
    let reports = reports(&["weighted-share"], &[(&COST, 300.0)], None);
    let tunings = [Tuning::None];
    let words = |switched: &Report| {
        let advice = advise(&reports, &tunings, Some(switched), Measure::default());
        clauses(&advice).pop().unwrap_or_default()
    };
    let mut switched = reports[0].clone();
    switched.subject.predicts = Some(false);
    let same = "with these task costs, predicting a cost makes no difference to the budget";
    assert_eq!(words(&switched), same);
    (switched.overrun, switched.updates) = (times(&[1; 12]), 120);
    let pays = "predicting costs pays off: without it, Weighted share exceeds the budget in 10 % instead of 0 % of updates";
    assert_eq!(words(&switched), pays);
    switched.overrun = times(&[]);
    let mut of = reports[0].clone();
    (of.overrun, of.updates) = (times(&[1; 12]), 120);
    let advice = advise(&[of], &tunings, Some(&switched), Measure::default());
    let worse = "predicting costs does not pay off: with it, Weighted share exceeds the budget in 10 % instead of 0 % of updates";
    assert_eq!(advice.prediction.unwrap().to_string(), worse);
}

#[test]
fn weighting_does_not_pay_for_the_reason_that_is_named() {
    let moving = |strategy, set: &[(&Knob, f64)]| {
        let of = crate::testing::report(strategy, set, 10);
        of.useless_weighting().map(|words| words.to_string())
    };
    let reason =
        |words: Option<String>| words.unwrap().split_once("because ").unwrap().1.to_owned();
    for (strategy, set, expected) in [
        (
            "weighted-share",
            [(&ENTITIES, 10.0), (&COST, 100.0)],
            "all tasks already run as often as allowed",
        ),
        (
            "weighted-share",
            [(&ENTITIES, 400.0), (&COST, 10.0)],
            "all tasks already run as often as allowed",
        ),
        (
            "distance-lod",
            [(&TARGET_SPEED, 5.0), (&COST, 10.0)],
            "the target moves too far during a round",
        ),
    ] {
        assert_eq!(
            reason(moving(strategy, &set)),
            expected,
            "{strategy} {set:?}"
        );
    }
    let set = [(&SHARE_EXPONENT, 4.0), (&FALLOFF, 0.3)];
    let slight = reports(&["weighted-share"], &set, REST);
    let words = slight[0].useless_weighting().map(|words| words.to_string());
    assert_eq!(reason(words), "their weights are too similar");
}
