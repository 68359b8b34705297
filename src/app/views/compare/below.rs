//! The area below the table. It contains a chart, and the selected strategy: its rule, what its best setting does, and
//! the code for this setting.

use super::answer::first_failure;
use super::{SIDE_MARGIN, answer_for, charts, selected};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::compare::Offer;
use crate::app::state::grid::Language;
use crate::app::widgets::code_block::CodeBlock;
use crate::app::widgets::{paint, theme};
use egui::text::LayoutJob;
use egui::{Align2, Color32, Galley, Id, Painter, Rect, Ui, UiBuilder, pos2, vec2};
use lab::judge::joined;
use lab::phrase;
use lab::text::rich::Phrase;
use std::sync::Arc;

pub const TITLE_CENTER_Y: f32 = 18.0;
const MIN_WIDTH_FOR_STRATEGY: f32 = 800.0;
const FONT_SIZE: f32 = 12.0;
const DESCRIPTION_TOP: f32 = 32.0;
const GAP: f32 = 6.0;
const BOTTOM_MARGIN: f32 = 8.0;
const MIN_CODE_HEIGHT: f32 = 40.0;
const COPY_HELP: &str = "Copies these lines, together with those that use the strategy.";

/// Shows the chart and the selected strategy. In a narrow window, there is only room for the chart.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    if rect.width() < MIN_WIDTH_FOR_STRATEGY {
        return charts::show(ui, rect, state, output);
    }
    let x = (rect.left() + 0.56 * rect.width()).round();
    charts::show(ui, rect.with_max_x(x), state, output);
    let place = rect.with_min_x(x);
    let builder = UiBuilder::new().max_rect(place).id_salt("selected lane");
    show_selected_strategy(&mut ui.new_child(builder), place, state, output);
}

/// Says what the best setting of a strategy achieves, and why it is not the recommended one.
pub fn explain_best(state: &State, lane: usize) -> Option<Phrase> {
    let (all, choice) = answer_for(state, lane)?;
    let mut words = match all.best {
        Some(best) if best == lane => {
            phrase!("recommended: {}", joined(&choice.outcome.effects(), "; "))
        }
        _ if choice.holds() => {
            phrase!(
                "{}: {}",
                all.why_not(choice),
                joined(&choice.outcome.effects(), "; ")
            )
        }
        _ => all.why_not(choice),
    };
    words.push(".");
    Some(words.with_capital())
}

fn show_selected_strategy(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
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
    paint::title(
        &painter,
        at,
        entry.name,
        [14.0, 11.5],
        &[&words],
        inner.right(),
    );
    let failure = first_failure(state, lane).map(|words| phrase!("{}.", words.with_capital()));
    let paragraphs = [
        (Some(entry.rule.into()), theme::TEXT),
        (explain_best(state, lane), theme::DIM),
        (failure, theme::DIM),
    ];
    let (mut top, bottom) = (
        inner.top() + DESCRIPTION_TOP,
        inner.bottom() - BOTTOM_MARGIN,
    );
    for (words, ink) in paragraphs {
        let Some(words) = words else { continue };
        let galley = paragraph(&painter, &words, ink, inner.width());
        if top + galley.size().y > bottom {
            return;
        }
        let at = pos2(inner.left(), top);
        top = paint::galley(&painter, at, Align2::LEFT_TOP, galley, ink).bottom() + GAP;
    }
    if bottom - top < MIN_CODE_HEIGHT {
        return;
    }
    let answer = answer_for(state, lane);
    let knobs = answer.map(|(all, choice)| all.settings(choice).knobs);
    let snippet = entry.constructor_snippet(&knobs.unwrap_or(state.settings.knobs.clone()));
    let block = CodeBlock::new(ui, &snippet, 11.0, COPY_HELP);
    let place = inner.with_min_y(top).with_max_y(bottom);
    let place = place.with_max_y(bottom.min(top + block.size().y));
    let copy = block.show(ui, place, Id::new("selected code"));
    output.report("button:Copy", copy.rect);
    if copy.clicked() {
        output.commands.push(match answer {
            Some(_) => Command::Compare(CompareCommand::CopyOffer(
                Offer::Strategy(lane),
                Language::Rust,
            )),
            None => Command::CopyCode(entry, Language::Rust),
        });
    }
}

fn paragraph(painter: &Painter, words: &Phrase, ink: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    paint::add_phrase(&mut job, words, FONT_SIZE, [ink, theme::TEXT]);
    job.wrap.max_width = width.max(1.0);
    painter.layout_job(job)
}
