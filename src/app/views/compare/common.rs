//! What several parts of the Compare view share.

use crate::app::input::bindings::caps_of;
use crate::app::state::State;
use crate::app::state::command::Command;
use lab::judge::{Choice, Recommendation};
use lab::measure::Report;

/// The mark after a metric in game time, if that differs from real time. The footer explains it.
pub const GAME_TIME_MARK: &str = "*";
pub const SIDE_MARGIN: f32 = 16.0;
/// The opacity of an answer that is for the previous settings.
pub const OUTDATED_OPACITY: f32 = 0.5;
/// The distance between the top of the area below the table and the centre of its titles.
pub const TITLE_CENTER_Y: f32 = 18.0;

pub fn selected(state: &State) -> usize {
    state.compare.selected(&state.settings)
}

/// Returns whether game time differs from real time for any strategy.
pub fn has_game_time(state: &State) -> bool {
    let mut reports = state.compare.reports.iter();
    reports.any(|report| !report.game_speed().keeps_real_time())
}

/// Returns the answer, and the best setting of a strategy in it. `None` if there is no answer.
pub fn answer_for(state: &State, lane: usize) -> Option<(&Recommendation, &Choice)> {
    let all = state.compare.best_setting.recommendation()?;
    Some((all, all.choices.get(lane)?))
}

pub fn caps(report: &Report) -> &'static str {
    caps_of(Command::Strategy(report.subject.strategy))
}
