//! The sliders of the view of frame loops: each machine's, the work of an update, and the loops' own.

use crate::app::input::bindings::Binding;
use crate::app::input::response::UiResponse;
use crate::app::panels::knob_panel::{KnobRow, break_it, divider, heading, scrolled};
use crate::app::state::command::Command;
use crate::app::widgets::value::Typing;
use crate::experiment::loop_race::{Race, Side};
use crate::sim::machine;
use crate::sim::world::COST;
use egui::{Rect, Ui};
use std::collections::BTreeSet;
use timeslice::frame_loop::FRAME_LOOPS;
use timeslice::knob::Knob;

/// Shows them in `rect`, and below them the buttons that break it.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    race: &Race,
    bindings: &[Binding],
    typing: &mut Typing,
    answer: &mut UiResponse,
) {
    scrolled(ui, rect, |ui| {
        let mut row = |ui: &mut Ui, side: Side, name: &str, knob: &'static Knob| {
            let row = KnobRow {
                panel: rect,
                name,
                knob,
                value: race.knob(side, knob),
                dimmed: false,
            };
            if let Some(value) = row.show(ui, typing, answer) {
                answer.commands.push(Command::TurnRace(side, knob, value));
            }
        };
        for (side, title, name) in [
            (Side::Fast, "Fast machine", "fast"),
            (Side::Slow, "Slow machine", "slow"),
        ] {
            heading(ui, rect, title, "");
            for knob in machine::KNOBS {
                row(ui, side, &format!("{name}:{}", knob.key), knob);
            }
            divider(ui, rect);
        }
        heading(ui, rect, "Both", "each update runs one task");
        row(ui, Side::Fast, &format!("both:{}", COST.key), &COST);
        divider(ui, rect);
        heading(ui, rect, "Loops", "");
        let mut shown = BTreeSet::new();
        for knob in FRAME_LOOPS.iter().flat_map(|entry| entry.knobs) {
            if shown.insert(knob.key) {
                row(ui, Side::Fast, &format!("both:{}", knob.key), knob);
            }
        }
        divider(ui, rect);
        break_it(ui, rect, race.has_slow_display(), bindings, answer);
    });
}
