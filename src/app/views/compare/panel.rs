//! The sliders of the view that compares: the workload's, the machine's, the strategies' and the frame loop's,
//! each for all lanes.

use super::CompareDisplay;
use crate::app::input::response::UiResponse;
use crate::app::panels::knob_panel::{
    KnobRow, break_it, divider, heading, loop_chooser, scrolled, staleness, stretch,
};
use crate::app::state::command::Command;
use crate::app::widgets::value::Typing;
use crate::experiment::comparison::Comparison;
use crate::sim::{machine, world};
use crate::stats::FIGURES;
use egui::{ComboBox, Rect, Ui, UiBuilder};
use std::collections::BTreeSet;
use timeslice::knob::Knob;
use timeslice::strategy::STRATEGIES;

/// Shows them in `rect`, and below them the buttons that break it.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    comparison: &Comparison,
    display: CompareDisplay<'_>,
    typing: &mut Typing,
    answer: &mut UiResponse,
) {
    scrolled(ui, rect, |ui| {
        let row =
            |ui: &mut Ui, knob: &'static Knob, typing: &mut Typing, answer: &mut UiResponse| {
                let row = KnobRow {
                    panel: rect,
                    name: &format!("all:{}", knob.key),
                    knob,
                    value: comparison.knobs().get(knob),
                    dimmed: false,
                };
                if let Some(value) = row.show(ui, typing, answer) {
                    answer.commands.push(Command::TurnAll(knob, value));
                }
            };
        heading(ui, rect, "Workload", "of all lanes");
        for knob in world::KNOBS {
            row(ui, knob, typing, answer);
        }
        divider(ui, rect);
        heading(ui, rect, "Strategies", "");
        let mut seen = BTreeSet::new();
        for knob in STRATEGIES.iter().flat_map(|entry| entry.knobs) {
            if seen.insert(knob.key) {
                row(ui, knob, typing, answer);
            }
        }
        divider(ui, rect);
        break_it(
            ui,
            rect,
            comparison.has_slow_display(),
            display.bindings,
            answer,
        );
        divider(ui, rect);
        heading(ui, rect, "Machine", "each lane has one");
        for knob in machine::KNOBS {
            row(ui, knob, typing, answer);
        }
        divider(ui, rect);
        sort(ui, rect, display.sorted_by, answer);
        divider(ui, rect);
        let frame_loop = comparison.settings().frame_loop;
        loop_chooser(ui, rect, frame_loop, display.bindings, answer);
        for knob in frame_loop.knobs {
            row(ui, knob, typing, answer);
        }
        divider(ui, rect);
        heading(ui, rect, "Picture", "");
        staleness(ui, rect, display.staleness, display.bindings, answer);
    });
}

/// The figure by which lanes are sorted.
fn sort(ui: &mut Ui, panel: Rect, sorted_by: Option<usize>, answer: &mut UiResponse) {
    heading(ui, panel, "Sorted by", "best, or least, first");
    let row = stretch(ui, panel, 32.0);
    let place = row.with_max_y(row.top() + 26.0);
    answer.stands_in(panel, "sort", place);
    let mut row = ui.new_child(UiBuilder::new().max_rect(place));
    let name = |index: usize| FIGURES.get(index).map_or("", |figure| figure.label);
    let chosen = sorted_by.map_or("nothing: as listed", name);
    let chooser = ComboBox::from_id_salt("sort")
        .width(place.width())
        .height(420.0)
        .selected_text(chosen);
    chooser.show_ui(&mut row, |ui| {
        if let Some(index) = sorted_by
            && ui.selectable_label(false, "nothing: as listed").clicked()
        {
            answer.commands.push(Command::SortBy(index)); // again: no more
        }
        for (index, figure) in FIGURES.iter().enumerate() {
            let is_chosen = sorted_by == Some(index);
            let item = ui.selectable_label(is_chosen, figure.label);
            answer.stands(format!("sort:{}", figure.key), item.rect);
            if item.on_hover_text(figure.help).clicked() && !is_chosen {
                answer.commands.push(Command::SortBy(index));
            }
        }
    });
}
