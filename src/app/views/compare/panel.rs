//! The panel of the Compare view: the time for drawing, the limits and the work, and all other settings, folded.

use super::common::selected;
use super::limit_fields;
use crate::app::input::output::UiOutput;
use crate::app::panels::cost_controls;
use crate::app::panels::knob_control::controls;
use crate::app::panels::knob_panel::{
    FOLD_SPACING, fold, heading, pin_button, remark, scrolled, shared_folds,
};
use crate::app::state::State;
use crate::app::state::command::CompareCommand;
use crate::app::widgets::theme;
use egui::{Label, Rect, RichText, Ui};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::STRATEGIES;
use lab::measure::round;
use lab::recommend::left_in_frame;
use lab::sim::machine::{ADAPTIVE_SYNC, DISPLAY_HZ, JITTER_MS, RENDER_MS, SPEED};
use lab::sim::world::{
    CHURN, COST, COST_PER_RUN, COST_SPREAD, EAGER, ENTITIES, FALLOFF, NEAR, REQUESTS, TARGET_SPEED,
    WEIGHT_STEPS,
};
use lab::text::format::capitalised;
use std::collections::BTreeSet;

/// The time for drawing, with a name that tells users what else to include.
static DRAWING: Knob = Knob {
    label: "Drawing and other work",
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
/// The names of the controls begin with this, because they affect all strategies.
const PLACE: &str = "all:";
static PLAYER: [Knob; 4] = [TARGET_SPEED, NEAR, FALLOFF, WEIGHT_STEPS];

pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let values = &state.settings.knobs;
    scrolled(ui, rect, |ui| {
        if let Some(recorded) = &state.settings.frame_times {
            heading(ui, "Your game", &format!("frames of {}", recorded.name));
        } else {
            heading(ui, "Your game", "or drop frame times");
            controls(ui, [&DISPLAY_HZ, &ADAPTIVE_SYNC], values, PLACE, output);
        }
        controls(ui, [&DRAWING], values, PLACE, output);
        let left = left_in_frame(&state.settings);
        let ink = theme::warning_or(left.is_warning(), theme::TEAL);
        let words = RichText::new(capitalised(&left.words)).size(12.0);
        ui.add(Label::new(words.color(ink)).wrap());
        ui.separator();
        limit_fields::show(ui, state, output);
        ui.separator();
        heading(ui, "Work", "or drop a costs file");
        kinds_of_work(ui, state, output);
        cost_controls::show(ui, &state.settings, &WORK, PLACE, output);
        ui.separator();
        ui.spacing_mut().item_spacing.y = FOLD_SPACING;
        if fold(ui, "player", "Player and weights", output).is_some() {
            pin_button(ui, &state.settings, output);
            controls(ui, &PLAYER, values, PLACE, output);
        }
        strategies(ui, state, output);
        shared_folds(ui, state, true, PLACE, output);
        if fold(ui, "machine", "Simulated machine", output).is_some() {
            controls(ui, [&SPEED, &JITTER_MS], values, PLACE, output);
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
        controls(
            ui,
            knobs.iter().copied(),
            &state.settings.knobs,
            PLACE,
            output,
        );
        let mut reports = state.compare.reports.iter();
        let report = reports.find(|it| it.subject.strategy == entry);
        if let Some(round) = report.and_then(round).filter(|_| !knobs.is_empty()) {
            remark(ui, &round);
        }
    }
}
