//! The footer of the comparison table: which rows are visible, or else remarks, and the legend of the colours.

use super::common::SIDE_MARGIN;
use crate::app::input::bindings::caps_of;
use crate::app::panels::colour_legend;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{part_shown, warning};
use crate::app::widgets::paint;
use egui::{Align2, Painter, Pos2, Rect, vec2};
use lab::catalog::strategy::STRATEGIES;
use lab::measure::best_two;
use lab::text::sentence::Clause;

const FONT_SIZE: f32 = 11.5;
const ITEM_GAP: f32 = 20.0;

/// `visible_rows` is the first visible row, the number of visible rows and that of all rows, or `None` if all fit.
pub fn show(
    painter: &Painter,
    rect: Rect,
    visible_rows: Option<(usize, usize, usize)>,
    state: &State,
) {
    let mut inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let painter = &painter.with_clip_rect(rect);
    if state.interface.shows_staleness() {
        inner.max.x = colour_legend::line(painter, inner.right_center()) - ITEM_GAP;
    }
    match visible_rows {
        Some((first, fitting, count)) => {
            part_shown(painter, inner, "strategies", first, fitting, count);
        }
        None => remarks(painter, inner.left_center(), inner.right(), state),
    }
}

fn remarks(painter: &Painter, mut at: Pos2, right: f32, state: &State) {
    let clauses = clauses(state);
    if clauses.iter().any(Clause::is_warning) {
        warning(painter, at + vec2(5.0, 0.0), 4.5);
        at.x += 14.0;
    }
    let lines = status_line::shortened(&clauses, FONT_SIZE);
    paint::first_line(painter, at, Align2::LEFT_CENTER, lines, right - at.x);
}

/// Returns warnings about an unreliable comparison, and the strategies that recovered best from the last disturbance.
fn clauses(state: &State) -> Vec<Clause> {
    let comparison = &state.compare.comparison;
    let mut clauses = Vec::new();
    if state.lags {
        let words = "there is too much to simulate in real time";
        clauses.push(Clause::warning(words));
    }
    let recoveries = STRATEGIES.iter().enumerate();
    let recoveries =
        recoveries.filter_map(|(lane, it)| Some((*it, comparison.last_recovery(lane)?)));
    if let Some((name, best)) = comparison.last_disturbance().zip(best_two(recoveries)) {
        let words = format!("after {name}, best without hitches: {best}");
        clauses.push(Clause::normal(words));
    }
    if comparison.speed_follows_machine() {
        let frame_loop = comparison.settings().frame_loop.name;
        let key = caps_of(Command::NextFrameLoop);
        let words = format!(
            "{frame_loop}: game speed depends on the load (press {key} to change the loop)"
        );
        clauses.push(Clause::warning(words));
    }
    clauses
}
