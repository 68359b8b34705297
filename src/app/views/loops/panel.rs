//! The panel of the Loops view: knobs of both machines, of the work per update and of the loops.

use crate::app::input::response::UiResponse;
use crate::app::panels::knob_control::KnobControl;
use crate::app::panels::knob_panel::{disturbances, heading, scrolled};
use egui::{Rect, Ui};
use headless::experiment::loop_race::{Race, Side};
use headless::sim::machine;
use headless::sim::world::COST;
use std::collections::BTreeSet;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::knob::Knob;

/// Shows the panel in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, race: &Race, answer: &mut UiResponse) {
    let defaults = Race::default_knobs();
    let control = |ui: &mut Ui, side, place, knob: &'static Knob, answer: &mut UiResponse| {
        let control = KnobControl {
            knob,
            value: race.knob(side, knob),
            default: defaults[side as usize].get(knob),
            side: Some(side),
            place,
            is_dimmed: false,
        };
        control.show(ui, answer);
    };
    scrolled(ui, rect, |ui| {
        for (side, title, place) in [
            (Side::Fast, "Fast machine", "fast:"),
            (Side::Slow, "Slow machine", "slow:"),
        ] {
            heading(ui, title, "");
            for knob in machine::KNOBS {
                control(ui, side, place, knob, answer);
            }
            ui.separator();
        }
        heading(ui, "Both machines", "one task per update");
        control(ui, Side::Fast, "both:", &COST, answer);
        ui.separator();
        heading(ui, "Loops", "");
        let mut shown = BTreeSet::new();
        for knob in FRAME_LOOPS.iter().flat_map(|entry| entry.knobs) {
            if shown.insert(knob.key) {
                control(ui, Side::Fast, "both:", knob, answer);
            }
        }
        ui.separator();
        // The race's strategy runs every task in each update.
        disturbances(ui, race.has_slow_display(), false, answer);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::command::Command;
    use crate::app::views::tests::{click, window};
    use egui::vec2;
    use headless::sim::machine::DISPLAY_HZ;
    use timeslicer::knob::KnobValues;

    #[test]
    fn every_knob_of_the_race_has_a_control() {
        let race = Race::new(&KnobValues::default());
        let window = window(vec2(252.0, 2500.0), |ui, answer| {
            show(ui, ui.max_rect(), &race, answer);
        });
        let controls = &window.state().controls;
        let has = |name: String| controls.iter().any(|it| it.name == name);
        let reverts = controls.iter().any(|it| it.name.starts_with("revert:"));
        assert!(!reverts, "no knob was changed");
        for knob in machine::KNOBS {
            assert!(has(format!("fast:{}", knob.key)) && has(format!("slow:{}", knob.key)));
        }
        for knob in FRAME_LOOPS.iter().flat_map(|entry| entry.knobs) {
            assert!(has(format!("both:{}", knob.key)), "{}", knob.key);
        }
    }

    #[test]
    fn a_changed_value_has_an_arrow_that_resets_it() {
        let mut race = Race::new(&KnobValues::default());
        race.set_knob(Side::Slow, &DISPLAY_HZ, 75.0);
        race.set_knob(Side::Fast, &COST, 5.0);
        let mut window = window(vec2(252.0, 2500.0), |ui, answer| {
            show(ui, ui.max_rect(), &race, answer);
        });
        let names = window.state().controls.iter().map(|it| it.name.as_str());
        let reverts: Vec<&str> = names.filter(|name| name.starts_with("revert:")).collect();
        assert_eq!(reverts, ["revert:slow:display-hz", "revert:both:cost-us"]);
        click(&mut window, "revert:slow:display-hz");
        let default = Race::default_knobs()[Side::Slow as usize].get(&DISPLAY_HZ);
        let reset = Command::TurnMachine(Side::Slow, &DISPLAY_HZ, default);
        assert_eq!(window.state().commands, [reset]);
    }
}
