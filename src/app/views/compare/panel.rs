//! The settings panel of the Compare view. Its controls change the workload, the strategies, the machine and the frame
//! loop.

use super::{limit_fields, selected};
use crate::app::input::output::UiOutput;
use crate::app::panels::cost_controls;
use crate::app::panels::knob_control::KnobControl;
use crate::app::panels::knob_panel::{
    CAPSULES, colour_buttons, disturbances, heading, loop_chooser, remark, scrolled, workload,
};
use crate::app::state::State;
use egui::{Rect, Ui};
use headless::sim::machine;
use headless::sim::settings::FADE;
use headless::stats::round;
use std::collections::BTreeSet;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

const COMPARE_ONLY: &str = "Compare only";

pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let (comparison, values) = (&state.compare.comparison, &state.settings.knobs);
    scrolled(ui, rect, |ui| {
        limit_fields::show(ui, &state.compare.best_setting.limits, output);
        ui.separator();
        workload(ui, &state.settings, output);
        cost_controls::show(ui, &state.settings, output, |ui, knob, output| {
            controls(ui, [knob], values, output);
        });
        ui.separator();
        let mut seen = BTreeSet::new();
        let mut knobs_of = |ui: &mut Ui, entry: &StrategyEntry, output: &mut UiOutput| {
            let is_new = |knob: &&Knob| seen.insert(knob.key);
            let knobs: Vec<&'static Knob> = entry.knobs.iter().filter(is_new).collect();
            controls(ui, knobs.iter().copied(), values, output);
            let mut reports = state.compare.reports.iter();
            let report = reports.find(|it| it.subject.strategy == entry);
            if let Some(round) = report.and_then(round).filter(|_| !knobs.is_empty()) {
                remark(ui, &round.to_string());
            }
        };
        let strategy = STRATEGIES[selected(state)];
        heading(ui, "Strategy", strategy.name);
        knobs_of(ui, strategy, output);
        ui.separator();
        heading(ui, "Other strategies", "");
        for entry in STRATEGIES {
            knobs_of(ui, entry, output);
        }
        ui.separator();
        disturbances(ui, state, true, output);
        ui.separator();
        let in_both = state.grid.lane.machine().is_simulated();
        let remark = if in_both { "" } else { COMPARE_ONLY };
        heading(ui, "Simulated machines", remark);
        controls(ui, machine::KNOBS, values, output);
        ui.separator();
        let frame_loop = comparison.settings().frame_loop;
        loop_chooser(ui, frame_loop, output);
        controls(ui, frame_loop.knobs, values, output);
        ui.separator();
        heading(ui, CAPSULES, "");
        controls(ui, [&FADE], values, output);
        colour_buttons(ui, state.colours, output);
    });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::views::compare::tests::Fixture;
    use crate::app::views::tests::window;
    use egui::accesskit::Role;
    use egui::vec2;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use headless::sim::world;

    fn panel(fixture: &Fixture) -> Harness<'_, UiOutput> {
        window(vec2(252.0, 2500.0), |ui, output| {
            let rect = ui.max_rect();
            show(ui, rect, &fixture.state, output);
        })
    }

    #[test]
    fn the_heading_names_the_selected_strategy_above_its_knobs() {
        let mut fixture = Fixture::new();
        for (lane, entry) in STRATEGIES.iter().enumerate() {
            fixture.state.compare.selected = Some(lane);
            let window = panel(&fixture);
            let top = |label: &str| window.get_by_label(label).raw_bounds().map(|it| it.y0);
            let (heading, others) = (top(entry.name), top("Other strategies"));
            assert!(heading < others, "{}", entry.key);
            for knob in entry.knobs {
                let name = format!("all:{}", knob.key);
                let mut controls = window.state().controls.iter();
                let place = controls.find(|it| it.name == name).map(|it| it.rect.top());
                let place = place.map(f64::from);
                assert!(heading < place && place < others, "{}: {name}", entry.key);
            }
        }
    }

    #[test]
    fn every_knob_of_all_lanes_has_a_control() {
        let fixture = Fixture::new();
        let window = panel(&fixture);
        let strategies = STRATEGIES.iter().flat_map(|entry| entry.knobs);
        for knob in world::KNOBS.iter().chain(machine::KNOBS).chain(strategies) {
            let slider = window.query_by_role_and_label(Role::Slider, knob.label);
            let check_box = window.query_by_role_and_label(Role::CheckBox, knob.label);
            assert!(slider.or(check_box).is_some(), "{}", knob.key);
            let name = format!("all:{}", knob.key);
            let controls = &window.state().controls;
            assert!(controls.iter().any(|it| it.name == name), "{name}");
        }
        for of in &fixture.state.compare.reports {
            if let Some(round) = round(of) {
                let words = round.to_string();
                assert!(window.query_by_label(&words).is_some(), "{words}");
            }
        }
    }
}
