//! Formats the recommendation of a sweep as text for a terminal.

use super::super::console::wrapped;
use crate::judge::{Choice, Column, Crossovers, Range, Reach, Recommendation, Sweep};
use crate::stats::joined;
use crate::text::format;

/// Describes the recommended setting, explains why the other strategies are not recommended, and shows the setting as
/// Rust code.
pub fn of_sweep(sweep: &Sweep) -> String {
    let recommendation = sweep.recommendation();
    let others = others(&recommendation);
    let keys = others.iter().map(|(key, _)| key.len());
    let indent = keys.chain(["advice".len()]).max().unwrap_or_default() + 2;
    let mut text = wrapped("advice", &recommendation.full_text().to_string(), indent);
    if !others.is_empty() {
        text.push('\n');
    }
    for (key, why_not) in others {
        text += &wrapped(key, &why_not, indent);
    }
    if let Some(choice) = recommendation.recommended() {
        let rust = choice.snippet(&sweep.question().settings.knobs).text;
        text = format!(
            "{text}\nRust code for {}:\n\n{}\n",
            choice.words(),
            rust.trim_end()
        );
    }
    text
}

fn others(recommendation: &Recommendation) -> Vec<(&'static str, String)> {
    let others = recommendation.others.iter();
    others
        .map(|other| {
            (
                other.choice.strategy.key,
                joined(&recommendation.why_not(other)),
            )
        })
        .collect()
}

pub fn of_crossovers(crossovers: &Crossovers) -> String {
    let knob = crossovers.over();
    let name = |range: &Range| range.words(|value| format::knob(knob, value));
    let ranges = crossovers.ranges();
    let names: Vec<String> = ranges.iter().map(name).collect();
    let names_and_heading = names.iter().map(String::as_str).chain([knob.label]);
    let lengths = names_and_heading.map(|name| name.chars().count());
    let indent = lengths.max().unwrap_or_default() + 2;
    let mut text = wrapped(
        knob.label,
        "best strategy, with its settings at both ends of the range",
        indent,
    );
    for (range, name) in ranges.iter().zip(&names) {
        text += &wrapped(name, &best_in(range, crossovers), indent);
    }
    let simplest = simplest(crossovers);
    if !simplest.is_empty() {
        text = text + "\n" + &wrapped("simplest", &simplest, indent);
    }
    text
}

/// Describes for which knob values each simple strategy stays within all limits, such as `Every frame meets all limits
/// up to 80 entities, Fixed interval up to 1,200 entities`.
fn simplest(crossovers: &Crossovers) -> String {
    let knob = crossovers.over();
    let columns = crossovers.columns();
    let is_end = |column: Option<&&Column>, value| column.is_some_and(|it| it.value == value);
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
            (true, false) => format!("up to {to}{things}"),
            _ => format!("from {from}{things} upwards"),
        }
    };
    let reaches = crossovers.reaches();
    let words = reaches.iter().enumerate().map(|(nth, reach)| {
        let verb = if nth == 0 { " meets all limits" } else { "" };
        format!("{}{verb} {}", reach.strategy.name, range(reach))
    });
    format::listed(&words.collect::<Vec<_>>())
}

/// Describes the best strategy in a range of knob values, with its settings at both ends of the range.
fn best_in(range: &Range, crossovers: &Crossovers) -> String {
    let Some(strategy) = range.strategy else {
        let columns = crossovers.columns();
        let first = columns.iter().find(|column| column.value == range.from);
        let text = first.map(|column| column.sweep.recommendation().text().to_string());
        let at = format::knob(crossovers.over(), range.from);
        return format!("none (at {at}: {})", text.unwrap_or_default());
    };
    let ends = range.best.first().zip(range.best.last());
    let Some(((_, first), (_, last))) = ends else {
        return strategy.name.to_owned();
    };
    let has_one_knob = |choice: &Choice| choice.setting.other.is_none();
    match last.setting_words() {
        Some(_) if has_one_knob(first) && has_one_knob(last) && first.setting != last.setting => {
            format!("{} to {}", first.words(), last.brief())
        }
        Some(words) if first.setting != last.setting => format!("{} to {words}", first.words()),
        _ => first.words().to_string(),
    }
}
