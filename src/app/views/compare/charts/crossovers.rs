//! What the crossovers chart shows: for each workload, the staleness of the best setting of each strategy, relative to
//! the best strategy. The line is dotted where even the best setting exceeds a limit.

use super::{PointedSetting, set_commands};
use crate::app::state::State;
use crate::app::state::best_setting::{MOST_ENTITIES, Progress};
use crate::app::state::command::{Command, CompareCommand, GridCommand};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::BUDGET;
use lab::chart::{self, Chart};
use lab::judge::{Limit, Setting};
use lab::sim::world::TARGET_SPEED;
use lab::text::format;

pub const HELP: &str = "Each line is a strategy at its best setting: 1.0 is the best strategy, 2.0 is twice as stale. The \
    ribbon names the best one. Lines are dotted where a limit is exceeded, and thin if the strategy is never best. \
    Point at a line to see its values, and click to set them.";

/// Returns descriptions of the axes as for the other chart or, while the search is running, its progress.
pub fn axis_descriptions(state: &State) -> Vec<String> {
    if let Some(progress) = search_progress(state) {
        return vec![progress];
    }
    let all = [
        "staleness of the best settings, relative to the best strategy, over",
        "over",
    ];
    all.map(str::to_owned).to_vec()
}

pub fn knob_tooltip(knob: &Knob) -> &'static str {
    if *knob == BUDGET {
        "Your limit on the task time per frame."
    } else {
        knob.help
    }
}

pub fn chart(state: &State) -> Option<Chart> {
    let best_setting = &state.compare.best_setting;
    let found = best_setting.crossovers()?;
    let range = best_setting.crossover_range();
    let now = best_setting.present(&state.settings);
    let range = range.unwrap_or([now; 2]);
    let chart = || {
        let (columns, ranges) = (&found.columns, &found.ranges);
        chart::crossovers(found.over, STRATEGIES, columns, ranges, Some(now), &range)
    };
    (!found.columns.is_empty()).then(chart)
}

/// Describes the state of the search, such as `3 of 9 values tried`. Returns `None` if it is complete.
fn search_progress(state: &State) -> Option<String> {
    let best_setting = &state.compare.best_setting;
    match best_setting.progress() {
        Progress::TooManyEntities => {
            let most = format::number(MOST_ENTITIES);
            return Some(format!(
                "Crossovers are only searched for up to {most} entities."
            ));
        }
        Progress::Searching | Progress::Outdated => {
            return Some("searching for the best setting first".to_owned());
        }
        Progress::Final => {}
    }
    match best_setting.crossover_progress() {
        Some((done, all)) => Some(format!("{done} of {all} values tried")),
        None if best_setting.final_crossovers().is_some() => None,
        None => Some("searching for crossovers".to_owned()),
    }
}

/// Describes the best setting of a strategy at the value with this index.
pub fn describe(lane: usize, index: usize, state: &State) -> Option<PointedSetting<'_>> {
    let found = state.compare.best_setting.crossovers()?;
    let over = found.over;
    let column = found.columns.get(index)?;
    let all = &column.recommendation;
    let choice = all.choices.get(lane)?;
    let workload = if *over == BUDGET {
        let limit = format::exact(over, column.value);
        format!("a task time limit of {limit}")
    } else {
        Setting::of(over, column.value).words().unwrap_or_default()
    };
    let mut commands = Vec::new();
    if *over == TARGET_SPEED {
        commands.push(GridCommand::PinTargetAt(None).into()); // a pinned target has no speed
    }
    commands.push(if *over == BUDGET {
        CompareCommand::SetLimit(Limit::Tasks, BUDGET.span(column.value)).into()
    } else {
        Command::SetKnob(over, column.value)
    });
    commands.extend(set_commands(lane, &all.settings(choice), state));
    Some(PointedSetting {
        title: format!("{}, for {workload}", choice.words()),
        comparison: all.price(choice),
        outcome: &choice.outcome,
        broken: choice.broken.clone(),
        click: format!("Click to set it for {workload}."),
        commands,
    })
}
