//! Formats the recommendation of a sweep as text for a terminal.

use super::super::console::wrapped;
use crate::catalog::knob::Knob;
use crate::recommend::{
    Choice, Column, Crossovers, Range, Reach, Recommendation, named_ranges, ranges,
};
use crate::text::format;

/// Describes the recommended setting, explains why the other strategies are not recommended, and shows the setting as
/// Rust code.
pub fn of_recommendation(recommendation: &Recommendation) -> String {
    let recommended = recommendation.recommended();
    let others = recommendation.order().into_iter();
    let others = others.map(|lane| &recommendation.choices[lane]);
    let others: Vec<&Choice> = others
        .filter(|it| recommendation.best != Some(it.lane))
        .collect();
    let keys = others.iter().map(|it| it.strategy.key.len());
    let indent = keys.chain(["advice".len()]).max().unwrap_or_default() + 2;
    let mut text = wrapped("advice", &recommendation.full_text().to_string(), indent);
    if !others.is_empty() {
        text.push('\n');
    }
    for other in others {
        let why_not = recommendation.why_not(other);
        text += &wrapped(other.strategy.key, &why_not, indent);
    }
    if let Some(choice) = recommended {
        let rust = recommendation.snippet(choice);
        text = format!(
            "{text}\nRust code for {}:\n\n{}\n",
            choice.words(),
            rust.trim_end()
        );
    }
    text
}

pub fn of_crossovers(crossovers: &Crossovers) -> String {
    let knob = crossovers.over;
    let columns = crossovers.columns();
    let ranges = ranges(&columns, None);
    let names = named_ranges(&ranges, knob);
    let names_and_heading = names.iter().map(String::as_str).chain([knob.label]);
    let lengths = names_and_heading.map(|name| name.chars().count());
    let indent = lengths.max().unwrap_or_default() + 2;
    let mut text = wrapped(
        knob.label,
        "best strategy, with its settings at both ends of the range",
        indent,
    );
    for (range, name) in ranges.iter().zip(&names) {
        text += &wrapped(name, &best_in(range, knob, &columns), indent);
    }
    let simplest = simplest(crossovers, &columns);
    if !simplest.is_empty() {
        text = text + "\n" + &wrapped("simplest", &simplest, indent);
    }
    text
}

/// Describes the knob values at which each simple strategy keeps all limits, such as `Every frame keeps all limits at
/// least up to 80 entities and Fixed interval at least up to 1,200 entities`. Only tried values are named.
fn simplest(crossovers: &Crossovers, columns: &[Column]) -> String {
    let knob = crossovers.over;
    let is_end = |column: Option<&Column>, value| column.is_some_and(|it| it.value == value);
    let range = |reach: &Reach| {
        let [from, to] = [reach.from, reach.to].map(|value| format::knob(knob, value));
        let things = match knob.unit {
            "" => format!(" {}", knob.label.to_lowercase()),
            _ => String::new(),
        };
        match (
            is_end(columns.first(), reach.from),
            is_end(columns.last(), reach.to),
        ) {
            (true, true) => format!("from {from} to {to}{things}"),
            (true, false) => format!("at least up to {to}{things}"),
            _ => format!("at least from {from}{things} upwards"),
        }
    };
    let reaches = crossovers.reaches();
    let words = reaches.iter().enumerate().map(|(nth, reach)| {
        let verb = if nth == 0 { " keeps all limits" } else { "" };
        format!("{}{verb} {}", reach.strategy.name, range(reach))
    });
    format::listed(&words.collect::<Vec<_>>())
}

/// Describes the best strategy in a range of knob values, with its settings at both ends of the range.
fn best_in(range: &Range, knob: &Knob, columns: &[Column]) -> String {
    let Some(strategy) = range.strategy else {
        let first = columns.iter().find(|column| column.value == range.from);
        let text = first.map(|column| column.recommendation.text().to_string());
        let at = format::knob(knob, range.from);
        return format!("none (at {at}: {})", text.unwrap_or_default());
    };
    let words = match (range.best.first(), range.best.last()) {
        (Some((_, first)), Some((_, last))) if first.setting != last.setting => {
            format!("{} to {}", first.words(), last.setting.brief())
        }
        (Some((_, only)), _) => only.words(),
        (None, _) => strategy.name.to_owned(),
    };
    let broken = range.first_broken.map(|it| it.words());
    let broken = broken.map(|broken| format!("; first limit to break: {broken}"));
    words + &broken.unwrap_or_default()
}
