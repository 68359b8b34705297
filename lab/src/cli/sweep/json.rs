//! Formats the results of a sweep as JSON.

use super::rows::{METRICS, Row, WEIGHTED_MEAN, WORST, of_findings};
use crate::judge::{
    Choice, Crossovers, Limit, Limits, Objective, Question, Recommendation, Relaxation, SEEDS,
    Sweep, ranges,
};
use crate::sim::world::ENTITIES;
use serde_json::{Map, Value, json};
use std::path::Path;
use timeslicer::time::Nanos;

/// Converts a sweep to a JSON object with its input, a row for each setting, and the recommendation. `costs` is the path
/// of the file with the task costs, if there is one.
pub fn of_sweep(sweep: &Sweep, costs: Option<&Path>) -> Value {
    let (question, findings) = (sweep.question(), sweep.findings());
    let rows = of_findings(&findings);
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| row.to_json(&question.limits))
        .collect();
    let mut json = of_question(question, sweep.is_complete());
    json.insert("settings".to_owned(), rows.into());
    if let Some(recommendation) = &findings.recommendation {
        json.extend(of_recommendation(recommendation, costs));
    }
    json.into()
}

/// Converts the result of `sweep --over` to a JSON object with its input, a row for each strategy at each knob value,
/// and the ranges in which each strategy is best.
pub fn of_crossovers(crossovers: &Crossovers) -> Value {
    let columns = crossovers.columns();
    let values = columns.iter().map(|column| {
        let recommendation = &column.recommendation;
        let rows = recommendation.choices.iter().map(|choice| {
            let mut json = Row::from(choice).metrics();
            json.insert("keeps_limits".to_owned(), choice.holds().into());
            json
        });
        json!({ "value": column.value, "settings": rows.collect::<Vec<_>>() })
    });
    let values: Vec<Value> = values.collect();
    let ranges = ranges(&columns, None).into_iter().map(|range| {
        let best = range.best.iter().map(|&(at, ref choice)| {
            let mut json = Row::from(choice).setting();
            json.insert("at".to_owned(), at.into());
            json
        });
        json!({
            "from": range.from,
            "to": range.to,
            "strategy": range.strategy.map(|entry| entry.key),
            "best": best.collect::<Vec<_>>(),
        })
    });
    let ranges: Vec<Value> = ranges.collect();
    let simplest = crossovers.reaches().into_iter();
    let simplest = simplest.map(|reach| {
        json!({
            "strategy": reach.strategy.key,
            "from": reach.from,
            "to": reach.to,
        })
    });
    let simplest: Vec<Value> = simplest.collect();
    let mut json = of_question(crossovers.question(), crossovers.is_complete());
    json.insert("over".to_owned(), crossovers.over().key.into());
    json.insert("values".to_owned(), values.into());
    json.insert("ranges".to_owned(), ranges.into());
    json.insert("simplest".to_owned(), simplest.into());
    json.into()
}

fn of_question(question: &Question, is_complete: bool) -> Map<String, Value> {
    let (settings, limits) = (&question.settings, &question.limits);
    let objective = match question.objective {
        Objective::Worst => WORST,
        _ => WEIGHTED_MEAN,
    };
    map(json!({
        "loop": settings.frame_loop.key,
        "seed": settings.seed,
        "limits": {
            "budget_ms": limits.tasks.map(Nanos::as_millis_f64),
            "near_ms": limits.near.map(Nanos::as_millis_f64),
            "worst_s": limits.longest.map(Nanos::as_secs_f64),
            "hitches": !limits.holds_frame_rate,
        },
        "goal": objective,
        "complete": is_complete,
    }))
}

fn of_recommendation(all: &Recommendation, costs: Option<&Path>) -> Map<String, Value> {
    let of = |choice: &Choice| of_choice(all, choice, costs);
    let seed = all.base.seed;
    let count = if all.depends_on_seed { SEEDS } else { 1 };
    let seeds = (0..count).map(|nth| seed.wrapping_add(nth));
    let relax = all.relaxations.iter().map(|relaxation| {
        let mut json = of(&relaxation.choice);
        json.extend(of_relaxation(relaxation));
        json
    });
    let fewer = all.fewer.as_ref().map(|fewer| {
        let mut all = all.clone();
        all.base.knobs.set(&ENTITIES, fewer.entities.into());
        let mut json = of_choice(&all, &fewer.choice, costs);
        json.insert("entities".to_owned(), fewer.entities.into());
        json
    });
    let others = all.choices.iter().filter(|it| all.best != Some(it.lane));
    let why_not = others.map(|choice| {
        let why_not = all.why_not(choice).to_string();
        (choice.strategy.key.to_owned(), why_not.into())
    });
    let best = all.best();
    map(json!({
        "best": best.map(of),
        "simplest": all.simplest().or(best).map(of),
        "runner_up": all.runner_up().map(of),
        "nearest": all.recommended().filter(|_| best.is_none()).map(of),
        "relax": relax.collect::<Vec<_>>(),
        "fewer": fewer,
        "seeds": seeds.collect::<Vec<u64>>(),
        "why_not": why_not.collect::<Map<String, Value>>(),
        "warnings": all.warnings().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "text": all.full_text().to_string(),
    }))
}

/// Describes a suggestion to relax a limit: the limit's key, its current value and its suggested value. Both values are
/// in the unit of the limit's command line flag.
fn of_relaxation(relaxation: &Relaxation) -> Map<String, Value> {
    let (limit, in_unit): (&str, fn(Nanos) -> f64) = match relaxation.limit {
        Limit::Tasks => ("budget_ms", Nanos::as_millis_f64),
        Limit::Near => ("near_ms", Nanos::as_millis_f64),
        Limit::Longest => ("worst_s", Nanos::as_secs_f64),
        Limit::Hitches => ("hitch_ms", Nanos::as_millis_f64),
        Limit::MeanFrame => ("frame_ms", Nanos::as_millis_f64),
    };
    map(json!({
        "limit": limit,
        "from": in_unit(relaxation.allowed),
        "to": in_unit(relaxation.to),
    }))
}

fn of_choice(all: &Recommendation, choice: &Choice, costs: Option<&Path>) -> Map<String, Value> {
    let mut json = Row::from(choice).metrics();
    json.extend(map(json!({
        "times_best": all.times_best(choice),
        "times_minimum": all.objective.times_minimum(&choice.outcome),
        "flags": flags(all, choice, costs),
        "rust": all.snippet(choice).text,
    })));
    json
}

/// Returns the command line arguments with which the `run` command simulates a choice.
pub fn flags(all: &Recommendation, choice: &Choice, costs: Option<&Path>) -> Vec<String> {
    let flags = all.flags(choice).into_iter();
    let words = flags.flat_map(|(name, value)| {
        let file = costs.filter(|_| name == "costs");
        let value = file.map_or(value, |path| path.display().to_string());
        [format!("--{name}"), value]
    });
    words.collect()
}

impl Row<'_> {
    /// Returns a JSON object with the strategy, its main knob, and the other knobs that the setting changes.
    fn setting(&self) -> Map<String, Value> {
        let values = &self.setting.values;
        let others = values.iter().skip(1);
        let others = others.map(|(knob, value)| json!({ "knob": knob.key, "value": value }));
        map(json!({
            "strategy": self.strategy.key,
            "knob": values.first().map(|(knob, _)| knob.key),
            "value": values.first().map(|(_, value)| value),
            "others": others.collect::<Vec<_>>(),
        }))
    }

    /// Returns a JSON object with the setting and its metrics. Each metric has the same name as its column in the CSV,
    /// and is `null` if it was not measured.
    fn metrics(&self) -> Map<String, Value> {
        let mut json = self.setting();
        let near = self.outcome.staleness.and_then(|it| it.near);
        let near = near.map(Nanos::as_millis_f64);
        json.insert("near_ms".to_owned(), near.into());
        for (name, metric) in METRICS {
            json.insert(name.to_owned(), metric(self.outcome).into());
        }
        json
    }

    fn to_json(&self, limits: &Limits) -> Value {
        let mut json = self.metrics();
        let keeps_limits = limits.keeps(self.outcome);
        json.insert("keeps_limits".to_owned(), keeps_limits.into());
        json.into()
    }
}

fn map(json: Value) -> Map<String, Value> {
    match json {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
