//! Input fields for the limits of the user's game, each with a check box that enables it.

use crate::app::input::output::UiOutput;
use crate::app::panels::knob_control::number_field;
use crate::app::panels::knob_panel::heading;
use crate::app::state::State;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::game_limits::{key_of, knob_of};
use crate::app::widgets::row::row;
use crate::app::widgets::scope::stable_scope;
use crate::app::widgets::{theme, tooltip, value};
use egui::{Key, Stroke, Ui, vec2};
use lab::recommend::Limit;
use lab::sim::settings::HITCH;

const ROW_HEIGHT: f32 = 24.0;
const FIELD_SIZE: egui::Vec2 = vec2(66.0, 22.0);

const TOOLTIP_ENDING: &str =
    "The limits apply to every frame after the first round, in which every task runs once.";

pub fn show(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        heading(ui, "Limits", "");
        let limits = &state.compare.best_setting.limits.in_effect;
        for limit in Limit::SETTABLE.into_iter().filter(|it| limits.concern(*it)) {
            stable_scope(ui, key_of(limit), |ui| limit_row(ui, limit, state, output));
        }
    });
}

fn limit_row(ui: &mut Ui, limit: Limit, state: &State, output: &mut UiOutput) {
    let limits = &state.compare.best_setting.limits;
    let (key, knob, is_on) = (key_of(limit), knob_of(limit), limits.is_on(limit));
    let check_box = |ui: &mut Ui| {
        let mut checked = is_on;
        let check_box = ui.scope(|ui| {
            if is_on {
                let widgets = &mut ui.visuals_mut().widgets;
                for widget in [
                    &mut widgets.inactive,
                    &mut widgets.hovered,
                    &mut widgets.active,
                ] {
                    widget.bg_fill = theme::TEAL;
                    widget.fg_stroke = Stroke::new(2.0, theme::FLOOR);
                }
            }
            let label = knob.map_or("Hold the frame rate", |knob| knob.label);
            ui.checkbox(&mut checked, label)
        });
        check_box.inner
    };
    let row = row(ui, ROW_HEIGHT, check_box, |ui, check_box| {
        let help = match knob {
            Some(knob) => {
                let [min, max] = [knob.min, knob.max].map(|end| value::shown(knob, end));
                format!("{}\nThe range is {min} to {max}.", knob.help)
            }
            None => {
                "Tasks must not cause hitches, which are frames longer than this many display periods. The mean frame \
                 must not be longer than the display's period or, if drawing alone takes longer, than a frame without \
                 tasks."
                    .to_owned()
            }
        };
        let help = format!("{help}\n\n{TOOLTIP_ENDING}");
        output.control(check_box, format!("limit:{key}"), help);
        if check_box.changed() {
            output.give(CompareCommand::SwitchLimit(limit));
        }
        if !is_on {
            ui.multiply_opacity(0.6);
        }
        ui.spacing_mut().interact_size = FIELD_SIZE;
        ui.spacing_mut().button_padding = vec2(6.0, 1.0);
        // The limit on the frame rate has no value. Its field shows the knob for how long a hitch is at least.
        let hitch = state.settings.knobs.get(&HITCH);
        let old = knob.map_or(hitch, |_| limit.in_unit(limits.value(limit)));
        let id = ui.next_auto_id();
        let is_typed = ui.memory(|memory| memory.has_focus(id));
        let is_entered = is_typed && ui.input(|input| input.key_pressed(Key::Enter));
        let value = number_field(ui, knob.unwrap_or(&HITCH), old, check_box, output);
        // Typing the value of a limit turns the limit on, even if the value stays the same.
        let value = value.or((is_entered && !is_on).then_some(old));
        if ui.clip_rect().contains_rect(ui.min_rect()) {
            output.report(format!("field:{key}"), ui.min_rect());
        }
        match (value, knob) {
            (Some(value), Some(knob)) => {
                output.give(CompareCommand::SetLimit(limit, knob.span(value)));
            }
            (Some(value), None) => {
                output.give(Command::SetKnob(&HITCH, value));
                if !is_on {
                    output.give(CompareCommand::SwitchLimit(limit));
                }
            }
            (None, _) => {}
        }
    });
    tooltip::keep_off(ui.ctx(), row.response.rect, None);
}
