//! Formats the results of a sweep as JSON.

use super::super::answer_json::{add_words, of_setting, run_flags};
use super::rows::{self, LONGEST_WAIT, MEAN_WAIT, METRICS, WEIGHTED_MEAN, WORST};
use crate::measure::Objective;
use crate::recommend::{
    Change, Choice, Crossovers, Limit, Plan, Point, Question, Recommendation, SEEDS, Sweep, Way,
    ranges,
};
use crate::sim::world::ENTITIES;
use serde_json::{Value, json};
use timeslicer::time::Nanos;

/// Converts a sweep to a JSON object with its input, a row for each setting, and the recommendation.
pub fn of_sweep(sweep: &Sweep) -> Value {
    let question = &sweep.question;
    let rows = rows::of_sweep(sweep).into_iter();
    let rows = rows.map(|row| of_row(&row, question.limits.keeps(&row.outcome)));
    let mut json = of_question(question, sweep.work().is_complete());
    json["settings"] = rows.collect();
    if let Some(recommendation) = sweep.recommendation() {
        add_recommendation(&mut json, &recommendation);
    }
    json
}

/// Converts the result of `sweep --over` to a JSON object with its input, a row for each strategy at each knob value,
/// and the ranges in which each strategy is best.
pub fn of_crossovers(crossovers: &Crossovers) -> Value {
    let columns = crossovers.columns();
    let values = columns.iter().map(|column| {
        let choices = column.recommendation.choices.iter();
        let choices = choices.filter(|it| it.is_considered);
        let rows = choices.map(|choice| of_row(&Point::from(choice), choice.holds()));
        json!({ "value": column.value, "settings": rows.collect::<Value>() })
    });
    let ranges = ranges(&columns, None).into_iter().map(|range| {
        let best = range.best.iter().map(|(at, choice)| {
            let mut json = of_setting(Some(choice.strategy), &choice.setting);
            json["at"] = (*at).into();
            json
        });
        json!({
            "from": range.from,
            "to": range.to,
            "strategy": range.strategy.map(|entry| entry.key),
            "best": best.collect::<Value>(),
            "first_broken": range.first_broken.map(|broken| broken.limit.json_key()),
        })
    });
    let simplest = crossovers.reaches().into_iter();
    let simplest = simplest
        .map(|reach| json!({ "strategy": reach.strategy.key, "from": reach.from, "to": reach.to }));
    let mut json = of_question(&crossovers.question, crossovers.work().is_complete());
    json["over"] = crossovers.over.key.into();
    json["values"] = values.collect();
    json["ranges"] = ranges.collect();
    json["simplest"] = simplest.collect();
    json
}

fn of_question(question: &Question, is_complete: bool) -> Value {
    let (settings, limits) = (&question.settings, &question.limits);
    let objective = match question.objective {
        Objective::Worst => WORST,
        Objective::MeanWait => MEAN_WAIT,
        Objective::LongestWait => LONGEST_WAIT,
        Objective::WeightedMean | Objective::WeightedWorst => WEIGHTED_MEAN,
    };
    let mut json = json!({
        "loop": settings.frame_loop.key,
        "seed": settings.seed,
        "limits": { "hitches": limits.allows_slow_frames, "on_request": limits.on_request },
        "goal": objective,
        "complete": is_complete,
    });
    for limit in [Limit::Tasks, Limit::Near, Limit::Longest, Limit::Wait] {
        let allowed = limits.allowed(limit).map(|time| limit.in_unit(time));
        json["limits"][limit.json_key()] = allowed.into();
    }
    json
}

fn add_recommendation(json: &mut Value, all: &Recommendation) {
    let of = |choice: &Choice| of_choice(all, choice);
    let seed = all.base.seed;
    let count = if all.depends_on_seed() { SEEDS } else { 1 };
    let (mut relax, mut fewer) = (Vec::new(), Value::Null);
    for Way { change, choice } in &all.ways {
        match *change {
            Change::Relax(broken) => {
                let (mut json, limit) = (of(choice), broken.limit);
                json["limit"] = limit.json_key().into();
                json["from"] = limit.in_unit(broken.allowed).into();
                json["to"] = limit.in_unit(broken.relaxed()).into();
                relax.push(json);
            }
            Change::Entities(entities) => {
                let mut all = all.clone();
                all.base.knobs.set(&ENTITIES, entities.into());
                fewer = of_choice(&all, choice);
                fewer["entities"] = entities.into();
            }
        }
    }
    let best = all.best();
    json["best"] = best.map(of).into();
    json["simplest"] = all.simplest().or(best).map(of).into();
    json["runner_up"] = all.runner_up().map(of).into();
    json["nearest"] = all.recommended().filter(|_| best.is_none()).map(of).into();
    json["relax"] = relax.into();
    json["fewer"] = fewer;
    json["seeds"] = (0..count).map(|nth| seed.wrapping_add(nth)).collect();
    add_words(json, all);
}

fn of_choice(all: &Recommendation, choice: &Choice) -> Value {
    let mut json = with_metrics(&Point::from(choice));
    json["times_best"] = all.times_best(choice).into();
    json["times_minimum"] = all.objective.times_minimum(&choice.outcome).into();
    json["flags"] = run_flags(all, choice);
    json["rust"] = all.snippet(choice).into();
    json
}

fn of_row(row: &Point, keeps_limits: bool) -> Value {
    let mut json = with_metrics(row);
    json["keeps_limits"] = keeps_limits.into();
    json
}

/// Returns a setting with its metrics. Each metric has the same name as its column in the CSV, and is `null` if it was
/// not measured.
fn with_metrics(row: &Point) -> Value {
    let mut json = of_setting(Some(row.strategy), &row.setting);
    let near = row.outcome.staleness.and_then(|it| it.near);
    json["near_ms"] = near.map(Nanos::as_millis_f64).into();
    for (name, metric) in METRICS {
        json[name] = metric(&row.outcome).into();
    }
    json
}
