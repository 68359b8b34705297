//! Builds the parts of a recommendation's JSON that `compare` and `sweep` have in common.

use crate::catalog::strategy::StrategyEntry;
use crate::recommend::{Choice, Recommendation, Setting};
use serde_json::{Map, Value, json};

/// Returns a strategy and its setting: the main knob, its value, and the other knobs. Unknown values are `null`.
pub fn of_setting(strategy: Option<&StrategyEntry>, setting: &Setting) -> Value {
    let main = setting.values.first();
    let others = setting.values.iter().skip(1);
    let others = others.map(|(knob, value)| json!({ "knob": knob.key, "value": value }));
    json!({
        "strategy": strategy.map(|entry| entry.key),
        "knob": main.map(|(knob, _)| knob.key),
        "value": main.map(|(_, value)| value),
        "others": others.collect::<Value>(),
    })
}

/// Adds the text of the recommendation, the reason against each of the other strategies, and the warnings.
pub fn add_words(json: &mut Value, all: &Recommendation) {
    let others = all.choices.iter().filter(|it| all.best != Some(it.lane));
    let why_not = others.map(|choice| {
        let key = choice.strategy.key.to_owned();
        (key, all.why_not(choice).into())
    });
    json["why_not"] = why_not.collect::<Map<String, Value>>().into();
    json["warnings"] = all.warnings().into();
    json["text"] = all.full_text().to_string().into();
}

/// Returns the command line arguments with which the `run` command simulates a choice.
pub fn run_flags(all: &Recommendation, choice: &Choice) -> Value {
    let flags = all.flags(choice).into_iter();
    let words = flags.flat_map(|(name, value)| [format!("--{name}"), value]);
    words.collect()
}
