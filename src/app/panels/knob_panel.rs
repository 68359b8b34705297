//! The panel on the left, with the settings of the workload, the strategy, the frame loop and the capsules.

use crate::app::input::bindings::{DISTURB, caps_of};
use crate::app::input::output::UiOutput;
use crate::app::panels::bar::CommandButton;
use crate::app::panels::cost_controls;
use crate::app::panels::knob_control::{controls, number_field};
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{keycap, keycap_width, warning};
use crate::app::widgets::row::row;
use crate::app::widgets::scope::stable_scope;
use crate::app::widgets::{theme, tooltip};
use egui::{
    CollapsingHeader, ComboBox, Frame, Margin, ProgressBar, Rect, Response, RichText, ScrollArea,
    Sense, StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::knobs::{AS_PUBLISHED, BUDGET};
use lab::history::RecentStats;
use lab::measure::{Capacity, round};
use lab::sim::disturbance::Disturbance;
use lab::sim::machine::{self, Machine};
use lab::sim::settings::{FADE, Settings};
use lab::sim::world::{self, COST, COST_PER_RUN, COST_SPREAD, ENTITIES};
use lab::text::format;

const SIDE_MARGIN: f32 = 18.0;
const BUTTON_HEIGHT: f32 = 26.0;
const DISTURBANCE_WIDTH: f32 = 130.0;
const SIZE_WIDTH: f32 = 78.0;
const CAPACITY_ROW_HEIGHT: f32 = 18.0;
pub const FOLD_SPACING: f32 = 1.0;
const FOLD_HEIGHT: f32 = 20.0;

const STALENESS_HELP: &str = "Colours the capsules by staleness instead of making them flash, and plots the \
    percentage of capsules that look the wrong way.";

/// The knobs of the world that are always visible.
const WORKLOAD: &[Knob] = &[ENTITIES, COST, COST_SPREAD, COST_PER_RUN];

/// Shows the knob panel of Grid. Everything except the main settings is folded at first.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, recent: &RecentStats, output: &mut UiOutput) {
    let (settings, values) = (&state.settings, &state.settings.knobs);
    let strategy = settings.strategy;
    scrolled(ui, rect, |ui| {
        heading(ui, "Workload", "");
        cost_controls::show(ui, settings, WORKLOAD, "", output);
        ui.separator();
        heading(ui, "Strategy", strategy.name);
        // Whether the strategy runs as published is chosen in the Code tab, which explains it.
        let own = strategy.knobs.iter().filter(|it| **it != AS_PUBLISHED);
        let own = own.filter(|it| strategy.reads(it, values));
        controls(ui, own, values, "", output);
        if let Some(round) = round(&recent.present.report) {
            remark(ui, &round);
        }
        ui.separator();
        let is_simulated = state.grid.lane.machine().is_simulated();
        let capacity = Capacity::of(&recent.present.report, settings.knobs.span(&BUDGET));
        show_capacity(ui, &capacity, output);
        ui.separator();
        ui.spacing_mut().item_spacing.y = FOLD_SPACING;
        if fold(ui, "world", "World", output).is_some() {
            pin_button(ui, settings, output);
            let others = world::KNOBS.iter().filter(|it| !WORKLOAD.contains(it));
            let others = others.filter(|it| settings.is_concerned_by(it));
            controls(ui, others, values, "", output);
        }
        shared_folds(ui, state, strategy.on_request(), "", output);
        if is_simulated && fold(ui, "machine", "Simulated machine", output).is_some() {
            controls(ui, machine::KNOBS, values, "", output);
        }
    });
}

/// Shows the folded settings that Grid and Compare share: the frame loop, the disturbances and the capsules.
pub fn shared_folds(
    ui: &mut Ui,
    state: &State,
    reacts_to_requests: bool,
    place: &'static str,
    output: &mut UiOutput,
) {
    let values = &state.settings.knobs;
    frame_loop(ui, state.settings.frame_loop, values, place, output);
    if fold(ui, "disturb", DISTURB, output).is_some() {
        disturbance_buttons(ui, state, reacts_to_requests, output);
    }
    if fold(ui, "capsules", "Capsules", output).is_some() {
        controls(ui, [&FADE], values, place, output);
        ui.spacing_mut().interact_size.y = BUTTON_HEIGHT;
        let (width, is_on) = (ui.available_width(), state.interface.shows_staleness());
        let (words, command) = ("Show staleness", Command::ShowStaleness);
        button_with_shortcut(ui, width, words, is_on, command, STALENESS_HELP, output);
    }
}

/// Shows the heading of settings that are folded at first, and returns its response if they are unfolded.
pub fn fold(ui: &mut Ui, key: &str, words: &str, output: &mut UiOutput) -> Option<Response> {
    let title = RichText::new(words).heading().color(theme::TEXT);
    let fold = ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = FOLD_HEIGHT;
        ui.spacing_mut().button_padding.y = 0.0;
        CollapsingHeader::new(title).id_salt(key).show(ui, |_| {})
    });
    let fold = fold.inner;
    let header = fold.header_response;
    if header.has_focus() {
        let stroke = ui.visuals().widgets.active.bg_stroke;
        let painter = ui.painter();
        painter.rect_stroke(header.rect, theme::RADIUS, stroke, StrokeKind::Inside);
    }
    output.report_visible(&header, format!("fold:{key}"));
    (fold.openness > 0.0).then_some(header)
}

/// Shows a drop-down list of the frame loops and the knobs of the chosen one, folded at first.
fn frame_loop(
    ui: &mut Ui,
    shown: &'static FrameLoopEntry,
    values: &KnobValues,
    place: &'static str,
    output: &mut UiOutput,
) {
    let Some(header) = fold(ui, "loop", "Frame loop", output) else {
        return;
    };
    let caps = caps_of(Command::NextFrameLoop);
    let left = ui.max_rect().right() - keycap_width(ui.painter(), caps);
    let at = pos2(left, header.rect.center().y);
    keycap(ui.painter(), at, caps, false);
    let list = ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = BUTTON_HEIGHT;
        let list = ComboBox::from_id_salt("loop")
            .width(ui.available_width())
            .selected_text(shown.name);
        let list = list.show_ui(ui, |ui| {
            output.list_is_open = true;
            for entry in FRAME_LOOPS {
                let item = ui.selectable_label(*entry == shown, entry.name);
                output.control(&item, format!("loop:{}", entry.key), entry.rule);
                if item.clicked() {
                    output.give(Command::FrameLoop(entry));
                }
            }
        });
        list.response.labelled_by(header.id)
    });
    output.control(&list.inner, "loop", shown.rule);
    controls(ui, shown.knobs, values, place, output);
}

/// Shows buttons that disturb the simulation, each with a field for its size. A button is dimmed if it would have no
/// effect, and selected while its effect lasts.
pub fn disturbance_buttons(
    ui: &mut Ui,
    state: &State,
    reacts_to_requests: bool,
    output: &mut UiOutput,
) {
    for disturbance in Disturbance::ALL {
        let is_on = state.is_disturbed(disturbance);
        let has_effect = disturbance != Disturbance::Requests || reacts_to_requests;
        let row = |ui: &mut Ui| {
            ui.spacing_mut().interact_size = vec2(SIZE_WIDTH, BUTTON_HEIGHT);
            if !has_effect {
                ui.multiply_opacity(0.5);
            }
            let size = disturbance.size();
            let (words, tip) = (size.label, disturbance.explained());
            let (width, command) = (DISTURBANCE_WIDTH, Command::Disturb(disturbance));
            let button = button_with_shortcut(ui, width, words, is_on, command, tip, output);
            let old = state.settings.knobs.get(size);
            if let Some(new) = number_field(ui, size, old, &button, output) {
                output.give(Command::SetKnob(size, new));
            }
        };
        stable_scope(ui, disturbance.key(), |ui| ui.horizontal(row));
    }
}

fn button_with_shortcut(
    ui: &mut Ui,
    width: f32,
    words: &str,
    is_on: bool,
    command: Command,
    tip: &str,
    output: &mut UiOutput,
) -> Response {
    let caps = caps_of(command);
    let button = CommandButton {
        min_width: width,
        command: Some(command),
        tip: tip.to_owned(),
        ..CommandButton::new(words, caps, is_on)
    };
    stable_scope(ui, caps, |ui| button.show(ui, output)).inner
}

pub fn pin_button(ui: &mut Ui, settings: &Settings, output: &mut UiOutput) {
    const HELP: &str = "Pins the target at its current position, or releases it. To pin the target somewhere else, \
        click the floor between the capsules. The theoretical minimum of staleness is known only while the target is \
        at rest.";
    let is_pinned = settings.target.is_some();
    let words = if is_pinned {
        "Target pinned"
    } else {
        "Pin target"
    };
    ui.spacing_mut().interact_size.y = 20.0;
    button_with_shortcut(ui, 0.0, words, is_pinned, Command::PinTarget, HELP, output);
}

/// Shows a panel on the left of the window. It can be scrolled if its content is too tall.
pub fn scrolled(ui: &mut Ui, rect: Rect, content: impl FnOnce(&mut Ui)) {
    if rect.width() < 2.0 * SIDE_MARGIN || rect.height() < 20.0 {
        return;
    }
    let mut panel = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("knobs"));
    panel.set_clip_rect(rect);
    panel.painter().rect_filled(rect, 0.0, theme::BAR);
    let area = ScrollArea::vertical().auto_shrink(false);
    area.show(&mut panel, |ui| {
        let margin = Margin::symmetric(SIDE_MARGIN as i8, 10);
        Frame::NONE.inner_margin(margin).show(ui, content);
    });
    let edge = rect.right() - 0.5;
    let painter = panel.painter();
    painter.vline(edge, rect.y_range(), (1.0, theme::LINE));
}

pub fn heading(ui: &mut Ui, words: &str, remark: &str) {
    let title = RichText::new(words).heading().color(theme::BRIGHT);
    let label = |ui: &mut Ui| ui.label(title);
    row(ui, 20.0, label, |ui, _| {
        ui.label(RichText::new(remark).size(12.0).color(theme::DIM));
    });
}

pub fn remark(ui: &mut Ui, words: &str) {
    ui.label(RichText::new(words).size(12.0).color(theme::BRIGHT));
}

/// Shows how much of the time the entities use and how many fit the budget.
fn show_capacity(ui: &mut Ui, capacity: &Capacity, output: &mut UiOutput) {
    const HELP: &str = "The share of the time that tasks take, and an estimate of how many \
        entities fit in the budget.";
    let section = ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 3.0);
        heading(ui, "Capacity", &format!("budget {}", capacity.budget));
        let used = format::percent(capacity.utilisation);
        metric_row(ui, "Time spent on tasks", &used, capacity.is_exceeded());
        let ink = theme::warning_or(capacity.is_exceeded(), theme::TEAL);
        let bar = ProgressBar::new(capacity.utilisation as f32).fill(ink);
        ui.add(bar.desired_height(6.0).corner_radius(3));
        metric_row(ui, "Entities that fit", &capacity.most.in_words(), false);
    });
    let place = section.response.rect.expand2(vec2(SIDE_MARGIN / 2.0, 2.0));
    let area = ui.interact(place, ui.id().with("capacity"), Sense::hover());
    tooltip::offer(&area, HELP);
    output.report_visible(&section.response, "part:capacity");
}

fn metric_row(ui: &mut Ui, label: &str, metric: &str, is_warning: bool) {
    let label = |ui: &mut Ui| ui.label(label);
    row(ui, CAPACITY_ROW_HEIGHT, label, |ui, _| {
        let ink = theme::warning_or(is_warning, theme::BRIGHT);
        ui.label(RichText::new(metric).monospace().color(ink));
        if is_warning {
            let (place, _) = ui.allocate_exact_size(vec2(8.0, CAPACITY_ROW_HEIGHT), Sense::hover());
            warning(ui.painter(), place.center(), 4.0);
        }
    });
}
