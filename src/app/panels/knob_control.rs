//! A control for a setting: a check box, a choice, or a slider with a number field. If the value is not the default, a
//! button resets it.

use crate::app::input::output::UiOutput;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::frameless;
use crate::app::widgets::row::row;
use crate::app::widgets::scope::stable_scope;
use crate::app::widgets::{theme, tooltip, value};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{
    Align, Button, Checkbox, DragValue, Id, InnerResponse, Label, Layout, Response, RichText,
    Sense, Slider, SliderClamping, Ui, UiBuilder, Widget, vec2,
};
use lab::catalog::knob::{Knob, KnobValues, Scale};
use lab::comparison::loops::Side;
use lab::sim::world::COST;
use lab::text::format;
use std::cell::RefCell;

const ROW_HEIGHT: f32 = 18.0;
const MIN_FIELD_WIDTH: f32 = 44.0;
/// A drag that ends this far outside the window, in points, is ignored. It is probably a cancelled touch.
const MAX_DRAG_DISTANCE: f32 = 10_000.0;

const COST_FILE_HINT: &str =
    "\nTo use the costs of your own game, drop a file from your profiler onto the window.";

pub struct KnobControl {
    pub knob: &'static Knob,
    pub value: f64,
    pub default: f64,
    /// The machine in the Loops view to which the control belongs, or `None` if it belongs to the whole view.
    pub side: Option<Side>,
    /// A prefix for the name of the control in the log.
    pub place: &'static str,
}

/// Shows a control for each knob, which changes the knob in all simulations of the current view.
pub fn controls(
    ui: &mut Ui,
    knobs: impl IntoIterator<Item = &'static Knob>,
    values: &KnobValues,
    place: &'static str,
    output: &mut UiOutput,
) {
    for knob in knobs {
        let control = KnobControl {
            knob,
            value: values.get(knob),
            default: knob.default,
            side: None,
            place,
        };
        control.show(ui, output);
    }
}

impl KnobControl {
    pub fn show(&self, ui: &mut Ui, output: &mut UiOutput) {
        let name = format!("{}{}", self.place, self.knob.key);
        let shown = stable_scope(ui, &name, |ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
            if self.knob.is_switch() {
                self.check_box(ui, output)
            } else if !self.knob.choices.is_empty() {
                self.choice(ui, output)
            } else {
                self.number(ui, output)
            }
        });
        let place = shown.response.rect;
        tooltip::keep_off(ui.ctx(), place, None);
        output.report_visible(&shown.response, name);
        if let Some(value) = shown.inner.filter(|&new| new != self.value) {
            output.give(match self.side {
                None => Command::SetKnob(self.knob, value),
                Some(side) => Command::SetMachineKnob(side, self.knob, value),
            });
        }
    }

    fn check_box(&self, ui: &mut Ui, output: &mut UiOutput) -> Option<f64> {
        let mut checked = self.value != self.knob.min;
        let check_box = Checkbox::new(&mut checked, self.knob.label);
        let (clicked, reset) = self.row(ui, output, check_box, self.knob.help, |_, _, _| None);
        let value = if checked {
            self.knob.max
        } else {
            self.knob.min
        };
        reset.or(clicked.changed().then_some(value))
    }

    fn choice(&self, ui: &mut Ui, output: &mut UiOutput) -> Option<f64> {
        let label = Label::new(self.knob.label);
        let (_, reset) = self.row(ui, output, label, self.knob.help, |_, _, _| None);
        let mut chosen = self.value;
        ui.horizontal(|ui| {
            for (value, words) in (0..).zip(self.knob.choices) {
                let button = ui.selectable_value(&mut chosen, f64::from(value), *words);
                output.control(&button, format!("choice:{words}"), self.knob.help);
            }
        });
        reset.or(Some(chosen))
    }

    fn number(&self, ui: &mut Ui, output: &mut UiOutput) -> Option<f64> {
        // The label must take clicks, because egui would pass them to the slider otherwise.
        let label = Label::new(self.knob.label).sense(Sense::CLICK);
        let [min, max] = [self.knob.min, self.knob.max].map(|end| value::shown(self.knob, end));
        let mut help = format!("{}\nRange: {min} to {max}", self.knob.help);
        if *self.knob == COST && self.side.is_none() {
            help += COST_FILE_HINT;
        }
        let (label, typed) = self.row(ui, output, label, &help, |ui, label, output| {
            ui.visuals_mut().widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
            number_field(ui, self.knob, self.value, label, output)
        });
        let slid = self.slider(ui, &label);
        typed.or(slid)
    }

    /// Shows a row that starts with `left` and ends with the widgets of `right`, and with a reset button if the value
    /// is not the default. Returns the response of `left`, and the value that the user has set in the rest of the row.
    fn row(
        &self,
        ui: &mut Ui,
        output: &mut UiOutput,
        left: impl Widget,
        help: &str,
        right: impl FnOnce(&mut Ui, &Response, &mut UiOutput) -> Option<f64>,
    ) -> (Response, Option<f64>) {
        let left = |ui: &mut Ui| ui.add(left);
        let row = row_with_reset(ui, left, |ui, left| {
            tooltip::offer(left, help);
            let set = right(ui, left, output);
            if self.value == self.default {
                return set;
            }
            let label = format!("Reset {}", self.knob.label);
            let tip = format!("Reset to {}", value::shown(self.knob, self.default));
            let log_name = format!("revert:{}{}", self.place, self.knob.key);
            // The button is next to the label, so that a click next to the number does not reset it.
            let layout = Layout::left_to_right(Align::Center);
            let reset =
                ui.with_layout(layout, |ui| reset_button(ui, &label, tip, log_name, output));
            let reset = reset.inner;
            set.or(reset.then_some(self.default))
        });
        row.inner
    }

    fn slider(&self, ui: &mut Ui, label: &Response) -> Option<f64> {
        let knob = self.knob;
        theme::style_slider(ui);
        let mut new = self.value;
        let mut slider = Slider::new(&mut new, knob.min..=knob.max)
            .clamping(SliderClamping::Edits)
            .show_value(false)
            .trailing_fill(true);
        if let Scale::Logarithmic { from } = knob.scale {
            slider = slider.logarithmic(true).smallest_positive(from);
        }
        if knob.whole && !ui.input(|input| input.pointer.any_down()) {
            slider = slider.step_by(value::increment(knob, self.value)); // by an arrow key
        }
        let response = ui.add(slider).labelled_by(label.id);
        let reach = ui.ctx().screen_rect().expand(MAX_DRAG_DISTANCE);
        let pointer = response.interact_pointer_pos();
        let is_cancelled = pointer.is_some_and(|at| !reach.contains(at));
        (response.changed() && !is_cancelled).then(|| value::rounded(knob, new))
    }
}

/// Shows a row with small widgets at both ends, with room for a [`reset_button`] at the right end.
pub fn row_with_reset<Left, Right>(
    ui: &mut Ui,
    left: impl FnOnce(&mut Ui) -> Left,
    right: impl FnOnce(&mut Ui, &Left) -> Right,
) -> InnerResponse<(Left, Right)> {
    row(ui, ROW_HEIGHT, left, |ui, left| {
        let padding = vec2(4.0, 1.0);
        // Extend the row, so that the text of the value ends where the slider ends.
        let place = ui.available_rect_before_wrap();
        let place = place.with_max_x(place.right() + padding.x);
        // A short number is still wide enough to be hit, and stays at the right end.
        let layout = ui.layout().with_main_align(Align::Max);
        let builder = UiBuilder::new().max_rect(place).layout(layout);
        let mut widgets = ui.new_child(builder);
        widgets.spacing_mut().button_padding = padding;
        widgets.spacing_mut().interact_size = vec2(MIN_FIELD_WIDTH, ROW_HEIGHT);
        right(&mut widgets, left)
    })
}

pub fn reset_button(
    ui: &mut Ui,
    label: &str,
    tip: impl Into<String>,
    log_name: impl Into<String>,
    output: &mut UiOutput,
) -> bool {
    let arrow = RichText::new("↺").size(13.0).color(theme::DIM);
    let response = frameless(ui, Button::new(arrow), label);
    output.control(&response, log_name, tip);
    response.clicked()
}

/// Shows a number field for a knob. Returns a new value, moved into the knob's range.
pub fn number_field(
    ui: &mut Ui,
    knob: &Knob,
    old: f64,
    label: &Response,
    output: &mut UiOutput,
) -> Option<f64> {
    let (_, unit) = format::in_unit(knob, old);
    let id = ui.next_auto_id();
    ui.visuals_mut().override_text_color = Some(theme::BRIGHT);
    let mut new = old;
    let refused = RefCell::new(None);
    let parse = |text: &str| {
        let typed = value::parse(knob, text, unit);
        if typed.is_none() {
            *refused.borrow_mut() = Some(text.to_owned());
        }
        typed
    };
    let field = DragValue::new(&mut new)
        .speed(value::increment(knob, old))
        .range(knob.min..=knob.max)
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .custom_formatter(|value, _| value::shown(knob, value))
        .custom_parser(parse);
    let response = ui.add(field).labelled_by(label.id);
    if let Some(text) = refused.into_inner() {
        let (label, text) = (knob.label, text.trim());
        let [min, max] = [knob.min, knob.max].map(|end| value::shown(knob, end));
        output.complaint = Some(format!(
            "{label} must be a number from {min} to {max}, but '{text}' was entered."
        ));
    }
    output.typing |= ui.memory(|memory| memory.has_focus(id));
    if response.double_clicked() || response.gained_focus() {
        select_all(ui, id);
    }
    tooltip::offer(
        &response,
        "Drag to change the value, or click to type a value such as 250 ms, 20k or 1M.",
    );
    // Unchanged text sets nothing, even if it shows fewer digits than the value has.
    if new == old || value::parse(knob, &value::shown(knob, old), unit) == Some(new) {
        return None;
    }
    Some(if response.dragged() {
        value::rounded(knob, new)
    } else {
        new
    })
}

/// Selects the whole text of a number field. By default, Tab selects nothing, and a double click only a part.
fn select_all(ui: &Ui, id: Id) {
    let text = ui.data(|data| data.get_temp::<String>(id));
    if let Some((text, mut state)) = text.zip(TextEditState::load(ui.ctx(), id)) {
        let end = CCursor::new(text.chars().count());
        let all = CCursorRange::two(CCursor::default(), end);
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), id);
    }
}

#[cfg(test)]
mod tests;
