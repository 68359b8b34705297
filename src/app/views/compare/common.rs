//! What several parts of the Compare view share.

use crate::app::input::bindings::caps_of;
use crate::app::state::State;
use crate::app::state::command::Command;
use lab::measure::Report;
use lab::recommend::{Choice, Recommendation};

pub const SIDE_MARGIN: f32 = 16.0;
/// The opacity of an answer that is for the previous settings.
pub const OUTDATED_OPACITY: f32 = 0.5;
/// The distance between the top of the area below the table and the centre of its titles.
pub const TITLE_CENTER_Y: f32 = 18.0;

pub fn selected(state: &State) -> usize {
    state.compare.selected(&state.settings)
}

/// Returns the answer, and the best setting of a strategy in it. `None` if there is no answer.
pub fn answer_for(state: &State, lane: usize) -> Option<(&Recommendation, &Choice)> {
    let all = state.compare.best_setting.recommendation()?;
    Some((all, all.choices.get(lane)?))
}

pub fn caps(report: &Report) -> &'static str {
    caps_of(Command::Strategy(report.subject.strategy))
}
