//! The sliders of the view that compares: the workload's, the machine's and the strategies', each for all lanes.

use crate::app::answer::Answer;
use crate::app::command::{Binding, Command};
use crate::app::knob_panel::{break_it, divider, heading, scrolled, stretch};
use crate::app::slider::{self, Typing, slider};
use egui::{Rect, Ui};
use std::collections::BTreeSet;
use timeslice_lab::comparison::Comparison;
use timeslice_lab::knob::Knob;
use timeslice_lab::strategy::STRATEGIES;
use timeslice_lab::{machine, world};

/// Shows them in `rect`, and below them the buttons that break it.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    comparison: &Comparison,
    bindings: &[Binding],
    typing: &mut Typing,
    answer: &mut Answer,
) {
    scrolled(ui, rect, |ui| {
        let mut row = |ui: &mut Ui, knob: &'static Knob| {
            let place = stretch(ui, rect, slider::HEIGHT);
            let name = format!("all:{}", knob.key);
            answer.stands_in(rect, &name, place);
            let value = comparison.knobs().get(knob);
            if let Some(value) = slider(ui, place, &name, knob, value, false, typing) {
                answer.commands.push(Command::TurnAll(knob, value));
            }
        };
        heading(ui, rect, "Workload", "of all lanes");
        for knob in world::KNOBS {
            row(ui, knob);
        }
        divider(ui, rect);
        heading(ui, rect, "Machine", "each lane has one");
        for knob in machine::KNOBS {
            row(ui, knob);
        }
        divider(ui, rect);
        heading(ui, rect, "Strategies", "");
        let mut shown = BTreeSet::new();
        for knob in STRATEGIES.iter().flat_map(|entry| entry.knobs) {
            if shown.insert(knob.key) {
                row(ui, knob);
            }
        }
        divider(ui, rect);
        break_it(ui, rect, bindings, answer);
    });
}
