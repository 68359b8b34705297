//! The panel of the Compare view: the time for drawing, the limits and the work, and all other settings, folded.

use super::common::selected;
use super::limit_fields;
use crate::app::input::bindings::DISTURB;
use crate::app::input::output::UiOutput;
use crate::app::panels::cost_controls;
use crate::app::panels::knob_control::KnobControl;
use crate::app::panels::knob_panel::{
    CAPSULES, FOLD_SPACING, disturbance_buttons, fold, frame_loop, heading, pin_button, remark,
    scrolled, staleness_button,
};
use crate::app::state::State;
use crate::app::state::command::CompareCommand;
use crate::app::widgets::theme;
use egui::{Label, Rect, RichText, Ui};
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::STRATEGIES;
use lab::measure::round;
use lab::recommend::left_in_frame;
use lab::sim::machine::{ADAPTIVE_SYNC, DISPLAY_HZ, JITTER_MS, RENDER_MS, SPEED};
use lab::sim::settings::FADE;
use lab::sim::world::{
    CHURN, COST, COST_PER_RUN, COST_SPREAD, EAGER, ENTITIES, FALLOFF, NEAR, REQUESTS, TARGET_SPEED,
    WEIGHT_STEPS,
};
use std::collections::BTreeSet;

/// The time for drawing, with a name that tells users what else to include.
static DRAWING: Knob = Knob {
    label: "Drawing and everything else",
    help: "Time that each frame of your game takes, excluding the tasks.",
    ..RENDER_MS
};

static WORK: [Knob; 7] = [
    ENTITIES,
    COST,
    COST_SPREAD,
    COST_PER_RUN,
    CHURN,
    REQUESTS,
    EAGER,
];
static PLAYER: [Knob; 4] = [TARGET_SPEED, NEAR, FALLOFF, WEIGHT_STEPS];

pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let values = &state.settings.knobs;
    scrolled(ui, rect, |ui| {
        if let Some(recorded) = &state.settings.frame_times {
            heading(ui, "Your game", &format!("frames of {}", recorded.name));
        } else {
            heading(ui, "Your game", "");
            controls(ui, [&DISPLAY_HZ, &ADAPTIVE_SYNC], values, output);
        }
        controls(ui, [&DRAWING], values, output);
        let left = left_in_frame(&state.settings);
        let ink = theme::warning_or(left.is_warning(), theme::TEAL);
        ui.add(Label::new(RichText::new(left.words).size(12.0).color(ink)).wrap());
        ui.separator();
        limit_fields::show(ui, state, output);
        ui.separator();
        heading(ui, "Work", "or drop a costs file");
        kinds_of_work(ui, state, output);
        cost_controls::show(ui, &state.settings, &WORK, output, |ui, knob, output| {
            controls(ui, [knob], values, output);
        });
        ui.separator();
        ui.spacing_mut().item_spacing.y = FOLD_SPACING;
        if fold(ui, "player", "Player and weights", output).is_some() {
            pin_button(ui, &state.settings, output);
            controls(ui, &PLAYER, values, output);
        }
        strategies(ui, state, output);
        let shown = state.compare.comparison.settings().frame_loop;
        frame_loop(ui, shown, output, |ui, output| {
            controls(ui, shown.knobs, values, output);
        });
        if fold(ui, "disturb", DISTURB, output).is_some() {
            disturbance_buttons(ui, state, true, output);
        }
        if fold(ui, "capsules", CAPSULES, output).is_some() {
            controls(ui, [&FADE], values, output);
            staleness_button(ui, state.interface.shows_staleness(), output);
        }
        if fold(ui, "machine", "Simulated machine", output).is_some() {
            controls(ui, [&SPEED, &JITTER_MS], values, output);
        }
    });
}

/// Lets the user choose between work that is done again and again, and work that is done only on request.
fn kinds_of_work(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    ui.horizontal(|ui| {
        ui.label("Runs");
        let is_on_request = state.compare.on_request();
        for (on_request, key, words, help) in [
            (
                false,
                "at-a-rate",
                "at a rate",
                "The work is done again and again. Strategies are compared by how stale the entities are.",
            ),
            (
                true,
                "on-request",
                "on request",
                "The work is done only when an entity requests it, such as a path query. Strategies are compared by how \
                    long requests wait, and only those that run tasks on request are considered.",
            ),
        ] {
            let button = ui.selectable_label(on_request == is_on_request, words);
            output.control(&button, format!("runs:{key}"), help);
            if button.clicked() && on_request != is_on_request {
                output.give(CompareCommand::OnRequest);
            }
        }
    });
}

/// Shows the knobs of all strategies, with those of the selected strategy first.
fn strategies(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let selected = STRATEGIES[selected(state)];
    let others = STRATEGIES
        .iter()
        .copied()
        .filter(|entry| *entry != selected);
    let mut seen = BTreeSet::new();
    let own = std::iter::once(selected).chain(others).map(|entry| {
        let is_new = |knob: &&Knob| seen.insert(knob.key);
        let knobs: Vec<&'static Knob> = entry.knobs.iter().filter(is_new).collect();
        (entry, knobs)
    });
    let own: Vec<_> = own.collect();
    let words = format!("Settings of the strategies ({})", seen.len());
    if fold(ui, "strategies", &words, output).is_none() {
        return;
    }
    for (index, (entry, knobs)) in own.into_iter().enumerate() {
        match index {
            0 => heading(ui, selected.name, ""),
            1 => heading(ui, "Other strategies", ""),
            _ => {}
        }
        controls(ui, knobs.iter().copied(), &state.settings.knobs, output);
        let mut reports = state.compare.reports.iter();
        let report = reports.find(|it| it.subject.strategy == entry);
        if let Some(round) = report.and_then(round).filter(|_| !knobs.is_empty()) {
            remark(ui, &round);
        }
    }
}

/// Shows a control for each knob. Changing the value affects all strategies.
fn controls(
    ui: &mut Ui,
    knobs: impl IntoIterator<Item = &'static Knob>,
    values: &KnobValues,
    output: &mut UiOutput,
) {
    for knob in knobs {
        let control = KnobControl {
            place: "all:",
            ..KnobControl::new(knob, values)
        };
        control.show(ui, output);
    }
}
