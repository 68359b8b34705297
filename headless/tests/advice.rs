//! These tests check on random workloads that the advice is consistent with what the runs show.

use headless::experiment::comparison::{compared_lane, compared_report};
use headless::io::commands::{RankStyle, advice, comparison_text};
use headless::sim::lane::Length;
use headless::sim::machine::{DISPLAY_HZ, RENDER_MS, SPEED};
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, COST_SPREAD, ENTITIES, FALLOFF, Point};
use headless::stats::{Measure, Report, Tuning, advise, joined, metric_by_key, verdict};
use proptest::prelude::*;
use serde_json::Value;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::knobs::{BUDGET, PREDICT};
use timeslicer::strategy::{STRATEGIES, StrategyEntry, by_key};
use timeslicer::time::Nanos;

#[derive(Clone, Debug)]
struct Workload {
    settings: Settings,
    length: Length,
}

/// Generates numbers between `least` and `most`, with the same probability for each order of magnitude.
fn magnitude(least: f64, most: f64) -> impl Strategy<Value = f64> {
    (least.ln()..most.ln()).prop_map(f64::exp)
}

fn workload() -> impl Strategy<Value = Workload> {
    let crowd = (magnitude(1.0, 6000.0), magnitude(2.0, 6000.0), 0.0..1.5_f64);
    let game = (
        magnitude(0.3, 40.0),
        prop_oneof![Just(0.0), 0.0..200.0_f64],
        prop_oneof![Just(0.0), 0.0..4.0_f64],
        prop::option::of((0.0..1.0_f32, 0.0..0.5_f32)),
    );
    let machine = (
        prop_oneof![Just(30.0), Just(60.0), Just(144.0)],
        prop_oneof![Just(1.0), 0.5..3.0_f64],
        prop_oneof![Just(0.0), 0.0..30.0_f64],
    );
    let others = (0..2_u8, any::<u16>(), 2..8_u64);
    (crowd, game, machine, others).prop_map(|(crowd, game, machine, others)| {
        let (entities, cost, spread) = crowd;
        let (budget, churn, falloff, target) = game;
        let (hz, speed, render) = machine;
        let (predict, random, seconds) = others;
        let set: [(&Knob, f64); 10] = [
            (&ENTITIES, entities.round()),
            (&COST, cost),
            (&COST_SPREAD, spread),
            (&BUDGET, budget),
            (&CHURN, churn),
            (&FALLOFF, falloff),
            (&DISPLAY_HZ, hz),
            (&SPEED, speed),
            (&RENDER_MS, render),
            (&PREDICT, predict.into()),
        ];
        Workload {
            settings: Settings {
                knobs: KnobValues::with(&set),
                seed: random.into(),
                target: target.map(|(x, y)| Point { x, y }),
                ..Settings::default()
            },
            length: Length::Time(Nanos::from_secs(seconds)),
        }
    })
}

/// Runs a lane as a comparison does. Returns its report, and the number of updates that spent more than `budget` on
/// tasks.
fn run(
    settings: &Settings,
    strategy: &'static StrategyEntry,
    length: Length,
    budget: Nanos,
) -> (Report, u64) {
    let mut lane = compared_lane(settings, strategy);
    lane.judge_by(budget);
    let mut beyond = 0;
    while lane.is_within(length) {
        lane.frame();
        let updates = lane.updates().iter();
        beyond += updates.filter(|it| it.task_time > budget).count() as u64;
    }
    (compared_report(&lane), beyond)
}

fn is_sound(Workload { settings, length }: &Workload) {
    let budget = settings.knobs.span(&BUDGET);
    let lanes = STRATEGIES
        .iter()
        .map(|entry| run(settings, entry, *length, budget));
    let (reports, beyond): (Vec<Report>, Vec<u64>) = lanes.unzip();
    let advice = advice(settings, &reports, *length);
    let json = comparison_text(settings, &reports, &advice, true, RankStyle::None);
    let json: Value = serde_json::from_str(&json).unwrap();
    let table = comparison_text(settings, &reports, &advice, false, RankStyle::None);
    let lists = |list: &Value, key: &str| list.as_array().unwrap().iter().any(|it| it == key);
    let best = advice.best.as_ref();
    let freshness = |of: &Report| Measure::default().of(of).unwrap_or_default();
    for (lane, of) in reports.iter().enumerate() {
        let key = of.subject.strategy.key;
        let keeps = beyond[lane] == 0;
        // The list, JSON, metrics, reason and table must agree on who stays within the budget.
        assert_eq!(advice.keeps_budget[lane], keeps, "{key}");
        assert_eq!(lists(&json["advice"]["within_budget"], key), keeps, "{key}");
        let tasks_max = metric_by_key("per_frame_ms.tasks_max").unwrap();
        assert_eq!((tasks_max.is_wrong)(of), !keeps, "{key}");
        let is_plain_best = best.is_some_and(|best| best.lane == lane && best.setting.is_none());
        assert_eq!(advice.why_not[lane].is_empty(), is_plain_best, "{key}");
        if !is_plain_best {
            let why_not = joined(&advice.why_not[lane]);
            assert_eq!(
                why_not.contains("exceeds the budget in"),
                !keeps && of.runs > 0,
                "{key}: {why_not}"
            );
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let row = squeezed(&format!("{key} {why_not}"));
            assert!(squeezed(&table).contains(&row), "{row}\n{table}");
        }
        // No setting within the limits is fresher than the recommended one.
        let is_rival = best.is_none_or(|best| of.has_run_all() || !best.report.has_run_all());
        if keeps && of.hitches == 0 && of.runs > 0 && of.subject.entities > 0 && is_rival {
            let best = best.unwrap_or_else(|| panic!("{key} stays within the budget"));
            // A setting found by trial is named only if it is clearly fresher.
            assert!(freshness(&best.report) <= freshness(of), "{key}");
        }
        // The verdict on a strategy must not depend on the others.
        let alone = advise(
            std::slice::from_ref(of),
            &[Tuning::None],
            None,
            Measure::default(),
        );
        assert_eq!(alone.keeps_budget, [keeps]);
        assert_eq!(
            alone.best.is_some(),
            of.keeps_limits() && of.runs > 0,
            "{key}"
        );
        let is_overload = of.utilisation().is_some_and(|demand| demand >= 1.0);
        assert!(
            !is_overload || verdict(of).is_warning() || of.runs < of.subject.entities as u64,
            "{key}"
        );
    }
    let Some(best) = best else {
        assert!(json["advice"]["strategy"].is_null());
        return;
    };
    let name = best.report.subject.strategy.name;
    assert!(
        advice.text().to_string().starts_with(name),
        "{}",
        advice.text()
    );
    assert_eq!(json["advice"]["strategy"], best.report.subject.strategy.key);
    // The recommended setting meets the limits when it is run, and has the metrics that the advice names.
    let mut tuned = settings.clone();
    if let Some((knob, value)) = best.setting {
        assert_eq!(json["advice"]["knob"], knob.key);
        tuned
            .knobs
            .set(knob, json["advice"]["value"].as_f64().unwrap_or(value));
    }
    let strategy = by_key(json["advice"]["strategy"].as_str().unwrap()).unwrap();
    let (of, beyond) = run(&tuned, strategy, *length, budget);
    assert_eq!((beyond, of.hitches_by_tasks), (0, 0), "{}", advice.text());
    if of.frames == best.report.frames {
        let named = json["advice"]["weighted_mean_ms"].as_f64().unwrap();
        assert!((freshness(&of).as_millis_f64() - named).abs() < 1e-9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn advice_is_what_the_runs_show(workload in workload()) {
        is_sound(&workload);
    }
}
