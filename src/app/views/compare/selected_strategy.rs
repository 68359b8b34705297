//! The selected strategy: its rule, why it is not recommended, where it first fails, and the code for its best setting.

use super::common::{SIDE_MARGIN, TITLE_CENTER_Y, answer_for, selected};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::code_block::CodeBlock;
use crate::app::state::State;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::compare::Offer;
use crate::app::state::grid::Language;
use crate::app::widgets::{paint, theme};
use egui::{Align2, Id, Rect, Ui, pos2, vec2};
use lab::recommend::failure_words;
use lab::text::{format, rust};

const FONT_SIZE: f32 = 12.0;
const DESCRIPTION_TOP: f32 = 32.0;
const GAP: f32 = 6.0;
const BOTTOM_MARGIN: f32 = 8.0;
const MIN_CODE_HEIGHT: f32 = 40.0;
const COPY_HELP: &str = "Copies these lines, together with those that use the strategy.";

/// Shows as much as there is room for.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let lane = selected(state);
    let Some(report) = state.compare.reports.get(lane) else {
        return;
    };
    let entry = report.subject.strategy;
    let painter = ui.painter().with_clip_rect(rect);
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let words = format!(
        "selected (press {} to open it)",
        caps_of(Command::Compare(CompareCommand::OpenSelected))
    );
    let at = pos2(inner.left(), inner.top() + TITLE_CENTER_Y);
    paint::title(&painter, at, entry.name, &[&words], inner.right());
    let best_setting = &state.compare.best_setting;
    let first_failure = best_setting.final_crossovers().and_then(|found| {
        let present = best_setting.present(&state.settings);
        failure_words(&found.columns, best_setting.over, present, lane)
    });
    let answer = answer_for(state, lane);
    let why_not = answer
        .filter(|(all, _)| all.best != Some(lane))
        .map(|(all, choice)| all.why_not(choice));
    let sentence = |words: String| format!("{}.", format::capitalised(&words));
    let paragraphs = [
        (Some(entry.rule.to_owned()), theme::TEXT),
        (why_not.map(sentence), theme::DIM),
        (first_failure.map(sentence), theme::DIM),
    ];
    let bottom = inner.bottom() - BOTTOM_MARGIN;
    let mut top = inner.top() + DESCRIPTION_TOP;
    for (words, ink) in paragraphs {
        let Some(words) = words else { continue };
        let (inks, width) = ([ink, theme::TEXT], inner.width().max(1.0));
        let galley = paint::words(&painter, &words, FONT_SIZE, inks, width);
        if top + galley.size().y > bottom {
            return;
        }
        let at = pos2(inner.left(), top);
        top = paint::galley(&painter, at, Align2::LEFT_TOP, galley).bottom() + GAP;
    }
    if bottom - top < MIN_CODE_HEIGHT {
        return;
    }
    let knobs = answer.map(|(all, choice)| all.settings(choice).knobs);
    let snippet = rust::constructor(entry, &knobs.unwrap_or(state.settings.knobs.clone()));
    let block = CodeBlock::new(ui, &snippet, 11.0, COPY_HELP);
    let place = inner.with_min_y(top).with_max_y(bottom);
    let place = place.with_max_y(bottom.min(top + block.size().y));
    let copy = match answer {
        Some(_) => CompareCommand::CopyOffer(Offer::Strategy(lane), Language::Rust).into(),
        None => Command::CopyCode(entry, Language::Rust),
    };
    block.show(ui, place, Id::new("selected code"), copy, output);
}
