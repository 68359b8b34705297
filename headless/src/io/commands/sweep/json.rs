//! Formats the results of a sweep as JSON.

use super::options::SweepOptions;
use super::rows::{METRICS, Row, WEIGHTED_MEAN, WORST, even_rows};
use crate::judge::{
    Choice, Crossovers, Limit, Limits, OTHER_SEEDS, Objective, Question, Recommendation,
    Relaxation, SeedCheck, Sweep,
};
use crate::sim::lane::Length;
use crate::sim::settings::{Setting, Settings};
use crate::sim::world::ENTITIES;
use crate::stats::joined;
use serde_json::{Map, Value, json};
use timeslicer::time::Nanos;

/// Converts a sweep to a JSON object with its input, a row for each setting, and the recommendation.
pub fn of_sweep(sweep: &Sweep, options: &SweepOptions) -> Value {
    let (question, recommendation) = (sweep.question(), sweep.recommendation());
    let rows: Vec<Value> = even_rows(sweep)
        .map(|row| row.to_json(&question.limits))
        .collect();
    let mut json = of_question(question, sweep.is_complete());
    json.insert("settings".to_owned(), rows.into());
    json.extend(of_recommendation(&recommendation, question, options));
    json.into()
}

/// Converts the result of `sweep --over` to a JSON object with its input, a row for each strategy at each knob value,
/// and the ranges in which each strategy is best.
pub fn of_crossovers(crossovers: &Crossovers) -> Value {
    let values = crossovers.columns().into_iter().map(|column| {
        let limits = &column.sweep.question().limits;
        let recommendation = column.sweep.recommendation();
        let rows = recommendation.choices().into_iter();
        let rows = rows.map(|choice| Row::from(choice).to_json(limits));
        let rows: Vec<Value> = rows.collect();
        json!({ "value": column.value, "settings": rows })
    });
    let values: Vec<Value> = values.collect();
    let ranges = crossovers.ranges().into_iter().map(|range| {
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
            "hitches": !limits.no_hitches,
        },
        "goal": objective,
        "complete": is_complete,
    }))
}

fn of_recommendation(
    recommendation: &Recommendation,
    question: &Question,
    options: &SweepOptions,
) -> Map<String, Value> {
    let objective = recommendation.objective;
    let of = |choice: &Choice| of_choice(choice, objective, question, options);
    let with_seeds = |choice: &Choice, check: &Option<SeedCheck>| {
        let mut json = of(choice);
        let check = check.as_ref().map(|check| {
            let seeds = (1..=OTHER_SEEDS).map(|nth| question.settings.seed.wrapping_add(nth));
            json!({
                "seeds": seeds.collect::<Vec<_>>(),
                "keeps_limits": check.broken.is_none(),
                "instead": check.safe.as_ref().map(of),
            })
        });
        json.insert("other_seeds".to_owned(), check.into());
        json
    };
    let best = recommendation.best.as_ref();
    let best = best.map(|choice| with_seeds(choice, &recommendation.best_with_seeds));
    let runner_up = recommendation.runner_up.as_ref().map(|choice| {
        let mut others = recommendation.others.iter();
        let of_others = others.find(|other| other.choice.curve == choice.curve);
        let mut json = with_seeds(choice, &recommendation.runner_up_with_seeds);
        let times_best = of_others.and_then(|other| other.times_best);
        json.insert("times_best".to_owned(), times_best.into());
        json
    });
    let better = recommendation.better.as_ref().map(|choice| {
        let mut json = of(choice);
        let best = recommendation
            .best
            .as_ref()
            .and_then(|best| objective.of(&best.outcome));
        let times_best = objective.of(&choice.outcome).zip(best);
        let times_best = times_best.map(|(own, best)| own.over(best));
        json.insert("times_best".to_owned(), times_best.into());
        json
    });
    let relax = recommendation.relaxations.iter().map(|relaxation| {
        let mut json = of(&relaxation.choice);
        json.extend(of_relaxation(relaxation));
        json
    });
    let fewer = recommendation.fewer.as_ref().map(|fewer| {
        let mut question = question.clone();
        question
            .settings
            .knobs
            .set(&ENTITIES, fewer.entities.into());
        let mut json = of_choice(&fewer.choice, objective, &question, options);
        json.insert("entities".to_owned(), fewer.entities.into());
        json
    });
    let why_not = recommendation.others.iter().map(|other| {
        let why_not = joined(&recommendation.why_not(other));
        (other.choice.strategy.key.to_owned(), why_not.into())
    });
    map(json!({
        "best": best,
        "runner_up": runner_up,
        "better": better,
        "nearest": recommendation.nearest.as_ref().map(of),
        "relax": relax.collect::<Vec<_>>(),
        "fewer": fewer,
        "why_not": why_not.collect::<Map<String, Value>>(),
        "text": recommendation.full_text().to_string(),
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
    };
    map(json!({
        "limit": limit,
        "from": in_unit(relaxation.allowed),
        "to": in_unit(relaxation.to),
    }))
}

fn of_choice(
    choice: &Choice,
    objective: Objective,
    question: &Question,
    options: &SweepOptions,
) -> Map<String, Value> {
    let mut json = Row::from(choice).metrics();
    json.extend(map(json!({
        "times_minimum": objective.times_minimum(&choice.outcome),
        "flags": flags(choice, question, options),
        "rust": choice.snippet(&question.settings.knobs).text,
    })));
    json
}

impl Row<'_> {
    fn setting(&self) -> Map<String, Value> {
        let other = self.setting.other;
        map(json!({
            "strategy": self.strategy.key,
            "knob": self.strategy.main_knob().map(|knob| knob.key),
            "value": self.setting.value,
            "other": other.map(|(knob, value)| json!({ "knob": knob.key, "value": value })),
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

/// Returns the command line arguments with which the `run` command simulates the setting.
fn flags(choice: &Choice, question: &Question, options: &SweepOptions) -> Vec<String> {
    let (settings, defaults) = (&question.settings, Settings::default());
    let mut flags = vec![("strategy", choice.strategy.key.to_owned())];
    let own = choice.values();
    flags.extend(own.filter_map(|(knob, value)| Setting::Knob(knob, value).flag()));
    for change in defaults.changes_to(settings, None) {
        let flag = match &change {
            Setting::OwnCosts(_) => {
                let costs = options.costs.as_ref();
                costs.map(|path| ("costs", path.display().to_string()))
            }
            _ => change.flag(),
        };
        let is_new = |flag: &(&str, String)| flags.iter().all(|(name, _)| *name != flag.0);
        flags.extend(flag.filter(is_new));
    }
    if settings.seed != defaults.seed {
        flags.push(("seed", settings.seed.to_string()));
    }
    flags.push(match question.length {
        Length::Frames(frames) => ("frames", frames.to_string()),
        Length::Time(time) => ("seconds", time.in_seconds()),
    });
    let words = flags.into_iter();
    words
        .flat_map(|(name, value)| [format!("--{name}"), value])
        .collect()
}

fn map(json: Value) -> Map<String, Value> {
    match json {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
