//! The sentences on the card of an SVG chart: the workload, and the best settings.

use crate::catalog::knob::Knob;
use crate::catalog::strategy::StrategyEntry;
use crate::catalog::strategy::knobs::BUDGET;
use crate::judge::{Choice, Limit, Limits, Question, Range, Setting as Chosen, named_ranges};
use crate::sim::settings::{Owner, Setting, Settings};
use crate::sim::world::{COST, COST_SPREAD, ENTITIES, FALLOFF, TARGET_SPEED, WEIGHT_STEPS};
use crate::text::format;

/// Describes the workload and the limits, such as `2,000 entities · 50 µs per task · cost spread 1.5 · falloff 2 · the
/// target moves · ...`. The `over` knob is left out, because its value varies.
pub fn workload(question: &Question, over: Option<&Knob>) -> String {
    let settings = &question.settings;
    let is_fixed = |knob: &Knob| over.is_none_or(|over| *over != *knob);
    let value = |knob: &Knob| settings.knobs.get(knob);
    let mut words = Vec::new();
    if is_fixed(&ENTITIES) {
        words.push(format::counted(value(&ENTITIES) as u64, "entity"));
    }
    if let Some(own) = &settings.own_costs {
        let mean = format::time(own.mean());
        words.push(format!("task costs from a file, {mean} on average"));
    } else {
        if is_fixed(&COST) {
            words.push(format!("{} per task", format::knob(&COST, value(&COST))));
        }
        let spread = format::number(value(&COST_SPREAD));
        words.push(format!("cost spread {spread}"));
    }
    let falloff = format::number(value(&FALLOFF));
    let bands = ["", " in bands"][usize::from(value(&WEIGHT_STEPS) > 0.0)];
    words.push(format!("falloff {falloff}{bands}"));
    if is_fixed(&TARGET_SPEED) {
        let verb = if settings.target_rests() {
            "is at rest"
        } else {
            "moves"
        };
        words.push(format!("the target {verb}"));
    }
    let is_said = |knob: &Knob| {
        let is_swept = |entry: &&StrategyEntry| entry.main_knob() == Some(knob);
        [ENTITIES, COST, COST_SPREAD, FALLOFF, WEIGHT_STEPS].contains(knob)
            || question.strategies.iter().any(is_swept)
    };
    let defaults = Settings::default();
    for change in defaults.changes_to(settings, Some(Owner::Window)) {
        match change {
            Setting::Knob(knob, value) if !is_said(knob) && is_fixed(knob) => {
                words.push(format!("{} {}", knob.label, format::knob(knob, value)));
            }
            Setting::FrameLoop(entry) => words.push(entry.name.to_owned()),
            _ => {}
        }
    }
    words.push(format!("seed {}", settings.seed));
    let limits = limits(&question.limits, over);
    format!("{} · {limits}", words.join(" · "))
}

/// Describes the limits, such as `limits: 4 ms of tasks per frame, a longest wait of 2 s, the frame rate is held`.
fn limits(limits: &Limits, over: Option<&Knob>) -> String {
    let is_over_budget = over.is_some_and(|over| *over == BUDGET);
    let fixed = [Limit::Tasks, Limit::Near, Limit::Longest, Limit::Wait].into_iter();
    let fixed = fixed.filter(|limit| !(is_over_budget && *limit == Limit::Tasks));
    let words = fixed.filter_map(|limit| Some(limit.allowing(limits.allowed(limit)?)));
    let frame_rate = limits
        .holds_frame_rate
        .then(|| "the frame rate is held".to_owned());
    let words: Vec<String> = words.chain(frame_rate).collect();
    if words.is_empty() {
        "no limits".to_owned()
    } else {
        format!("limits: {}", words.join(", "))
    }
}

/// Describes a strategy's best setting, such as `1.24×, 0.42 s`: its staleness as a multiple of the recommended
/// setting's, and its main knob. A setting that exceeds limits is described by the worst excess.
pub fn best_note(choice: &Choice, times: Option<f64>) -> String {
    let times = times.map(|times| format!("{times:.2}×"));
    let main = choice.setting.values.first();
    let main = main.map(|&(knob, value)| Chosen::of(knob, value).brief());
    let parts: Vec<String> = times.into_iter().chain(main).collect();
    choice.broken_briefly().unwrap_or_else(|| parts.join(", "))
}

/// Names the best strategy in each range of knob values, such as `Best: Fixed interval up to about 20 µs · Weighted
/// share from about 20 µs`.
pub fn best_ranges(over: &Knob, ranges: &[Range]) -> String {
    let names = named_ranges(ranges, format::number);
    let words = ranges.iter().zip(names).map(|(range, values)| {
        let name = range
            .strategy
            .map_or("no strategy keeps all limits", |it| it.name);
        let words = format!("{name} {values} {}", over.unit);
        words.trim_end().to_owned()
    });
    let words: Vec<String> = words.collect();
    format!("Best: {}", words.join(" · "))
}
