//! The panel of the Compare view: knobs of the workload, the strategies, the machine and the frame loop, for all lanes.

use super::CompareDisplay;
use crate::app::input::response::UiResponse;
use crate::app::panels::knob_control::KnobControl;
use crate::app::panels::knob_panel::{
    CAPSULES, disturbances, divider, drop_down, heading, loop_chooser, remark, scrolled, staleness,
};
use crate::app::state::command::Command;
use crate::app::widgets::tooltip;
use crate::experiment::comparison::Comparison;
use crate::sim::{machine, world};
use crate::stats::{FIGURES, Report, round};
use egui::{Rect, Ui};
use std::collections::BTreeSet;
use timeslice::knob::Knob;
use timeslice::strategy::STRATEGIES;

/// Shows the panel in `rect`.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    (comparison, reports): (&Comparison, &[Report]),
    display: CompareDisplay<'_>,
    answer: &mut UiResponse,
) {
    let control = |ui: &mut Ui, knob: &'static Knob, answer: &mut UiResponse| {
        let control = KnobControl {
            name: &format!("all:{}", knob.key),
            knob,
            value: comparison.knobs().get(knob),
            default: knob.default,
            dimmed: false,
        };
        if let Some(value) = control.show(ui, answer) {
            answer.commands.push(Command::TurnAll(knob, value));
        }
    };
    scrolled(ui, rect, |ui| {
        heading(ui, "Workload", "all lanes");
        for knob in world::KNOBS {
            control(ui, knob, answer);
        }
        divider(ui);
        heading(ui, "Strategies", "");
        let mut seen = BTreeSet::new();
        for entry in STRATEGIES {
            let mut knobs = entry
                .knobs
                .iter()
                .filter(|knob| seen.insert(knob.key))
                .peekable();
            let has_own_knobs = knobs.peek().is_some();
            for knob in knobs {
                control(ui, knob, answer);
            }
            let report = reports.iter().find(|it| it.subject.strategy == *entry);
            if let Some(round) = report.and_then(round).filter(|_| has_own_knobs) {
                remark(ui, &round.to_string());
            }
        }
        divider(ui);
        disturbances(ui, comparison.has_slow_display(), display.bindings, answer);
        divider(ui);
        heading(ui, "Machine", "one per lane");
        for knob in machine::KNOBS {
            control(ui, knob, answer);
        }
        divider(ui);
        sort(ui, display.sorted_by, answer);
        divider(ui);
        let frame_loop = comparison.settings().frame_loop;
        loop_chooser(ui, frame_loop, display.bindings, answer);
        for knob in frame_loop.knobs {
            control(ui, knob, answer);
        }
        divider(ui);
        heading(ui, CAPSULES, "");
        staleness(ui, display.staleness, display.bindings, answer);
    });
}

/// Shows the list of figures to sort lanes by.
fn sort(ui: &mut Ui, sorted_by: Option<usize>, answer: &mut UiResponse) {
    const NOTHING: &str = "default order";
    let label = heading(ui, "Sort by", "best or lowest first");
    let chosen = sorted_by.and_then(|index| FIGURES.get(index));
    let chosen = chosen.map_or(NOTHING, |figure| figure.label);
    drop_down(ui, "sort", &label, chosen, answer, |ui, answer| {
        if let Some(index) = sorted_by
            && ui.selectable_label(false, NOTHING).clicked()
        {
            answer.commands.push(Command::SortBy(index)); // the same index again turns sorting off
        }
        for (index, figure) in FIGURES.iter().enumerate() {
            let is_chosen = sorted_by == Some(index);
            let item = ui.selectable_label(is_chosen, figure.label);
            answer.report(format!("sort:{}", figure.key), item.rect);
            tooltip::offer(&item, figure.help);
            if item.clicked() && !is_chosen {
                answer.commands.push(Command::SortBy(index));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::bindings::bindings;
    use crate::app::views::tests::window;
    use crate::sim::settings::Settings;
    use egui::accesskit::Role;
    use egui::vec2;
    use egui_kittest::kittest::Queryable;
    use timeslice::time::Nanos;

    #[test]
    fn every_knob_of_all_lanes_has_a_control() {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        comparison.advance(Nanos::from_secs(1));
        let reports = comparison.reports();
        let bindings = bindings();
        let display = CompareDisplay {
            epoch: 0,
            sorted_by: None,
            staleness: false,
            panels: true,
            smaller: None,
            bindings: &bindings,
        };
        let window = window(vec2(252.0, 2500.0), |ui, answer| {
            show(ui, ui.max_rect(), (&comparison, &reports), display, answer);
        });
        let strategies = STRATEGIES.iter().flat_map(|entry| entry.knobs);
        for knob in world::KNOBS.iter().chain(machine::KNOBS).chain(strategies) {
            let slider = window.query_by_role_and_label(Role::Slider, knob.label);
            let check_box = window.query_by_role_and_label(Role::CheckBox, knob.label);
            assert!(slider.or(check_box).is_some(), "{}", knob.key);
            let name = format!("all:{}", knob.key);
            let controls = &window.state().controls;
            assert!(controls.iter().any(|it| it.name == name), "{name}");
        }
        for of in &reports {
            if let Some(round) = round(of) {
                let words = round.to_string();
                assert!(window.query_by_label(&words).is_some(), "{words}");
            }
        }
    }

    #[test]
    fn the_list_sorts_by_every_figure() {
        let mut window = window(vec2(252.0, 900.0), |ui, answer| sort(ui, Some(0), answer));
        window.get_by_role(Role::ComboBox).simulate_click();
        window.run_steps(4);
        for figure in FIGURES {
            let name = format!("sort:{}", figure.key);
            let controls = &window.state().controls;
            assert!(controls.iter().any(|it| it.name == name), "{name}");
        }
    }
}
