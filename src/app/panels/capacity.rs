//! Capacity: how much of the time the entities use, and how many would fit the budget.

use super::knob_panel::{INSET, heading};
use crate::app::input::response::UiResponse;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{theme, tooltip};
use egui::{Align, Label, Layout, RichText, Sense, Ui, vec2};
use headless::stats::Capacity;
use headless::text::format;

/// Minimum height of a row.
const ROW: f32 = 18.0;

/// Shows the capacity. The title speaks of this computer unless the machine is simulated.
pub fn show(ui: &mut Ui, capacity: &Capacity, is_simulated: bool, answer: &mut UiResponse) {
    let section = ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 3.0);
        let title = if is_simulated {
            "Capacity"
        } else {
            "Capacity on this computer"
        };
        heading(ui, title, "");
        let entities = format::counted(capacity.entities as u64, "entity");
        let verb = if capacity.entities == 1 {
            "uses"
        } else {
            "use"
        };
        let used = format::percent(capacity.utilisation);
        let label = format!("{entities} {verb}");
        row(ui, &label, &used, capacity.is_exceeded());
        bar(ui, capacity);
        let label = format!("Most that fit in {}", capacity.budget_in_words());
        row(ui, &label, &capacity.most_in_words(), false);
        if let Some(note) = capacity.note() {
            let note = RichText::new(note).size(12.0).color(theme::DIM);
            ui.add(Label::new(note).selectable(false));
        }
    });
    let place = section.response.rect.expand2(vec2(INSET / 2.0, 2.0));
    let area = ui.interact(place, ui.id().with("capacity"), Sense::hover());
    tooltip::offer(&area, capacity.explained());
    answer.report_in(ui.clip_rect(), "part:capacity", section.response.rect);
}

/// Shows a label with its figure at the right, amber and with the warning sign if the figure is a problem.
fn row(ui: &mut Ui, label: &str, figure: &str, is_wrong: bool) {
    let size = vec2(ui.available_width(), ROW);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(ROW);
        let ink = if is_wrong {
            theme::AMBER
        } else {
            theme::BRIGHT
        };
        let figure = RichText::new(figure).monospace().color(ink);
        ui.add(Label::new(figure).selectable(false).extend());
        if is_wrong {
            let (place, _) = ui.allocate_exact_size(vec2(8.0, ROW), Sense::hover());
            warning(ui.painter(), place.center(), 4.0);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let label = RichText::new(label).color(theme::TEXT);
            ui.add(Label::new(label).selectable(false).wrap());
        });
    });
}

/// Shows the utilisation as a bar, with a mark at the share of the time that the budget allows.
fn bar(ui: &mut Ui, capacity: &Capacity) {
    let size = vec2(ui.available_width(), 6.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(rect, 3.0, theme::WELL);
    let at = |share: f64| rect.left() + rect.width() * share.clamp(0.0, 1.0) as f32;
    let ink = if capacity.is_exceeded() {
        theme::AMBER
    } else {
        theme::TEAL
    };
    painter.rect_filled(rect.with_max_x(at(capacity.utilisation)), 3.0, ink);
    let mark = at(capacity.allowed).round() - 0.5;
    painter.vline(mark, rect.y_range().expand(1.5), (1.0, theme::BRIGHT));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::widgets::theme::style;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use headless::sim::world::{COST, ENTITIES};
    use headless::testing::lane;
    use timeslicer::knob::Knob;

    /// Shows the capacity of a lane that has not begun.
    fn panel(
        strategy: &str,
        set: &[(&Knob, f64)],
        is_simulated: bool,
    ) -> Harness<'static, UiResponse> {
        let capacity = Capacity::of(&lane(strategy, set));
        let builder = Harness::builder().with_size(vec2(216.0, 120.0));
        let mut window = builder.build_ui_state(
            move |ui, answer: &mut UiResponse| {
                ui.ctx().set_style(style());
                answer.controls.clear();
                show(ui, &capacity, is_simulated, answer);
            },
            UiResponse::default(),
        );
        window.run_steps(2);
        window
    }

    #[test]
    fn the_panel_shows_use_and_most_entities() {
        let window = panel("fixed-interval", &[], false);
        for label in [
            "Capacity on this computer",
            "400 entities use",
            "8.0 %",
            "Most that fit in 4 ms a frame",
            "1,200",
        ] {
            window.get_by_label(label);
        }
        let reported = &window.state().controls;
        assert!(reported.iter().any(|it| it.name == "part:capacity"));
    }

    #[test]
    fn any_workload_can_be_shown() {
        for (entities, cost, label) in [
            (0.0, 0.0, "Capacity"),
            (1.0, 100.0, "1 entity uses"),
            (100_000.0, 20_000.0, "Capacity"),
        ] {
            let set = [(&ENTITIES, entities), (&COST, cost)];
            for strategy in ["fixed-interval", "max-per-frame", "request-list"] {
                panel(strategy, &set, true).get_by_label(label);
            }
        }
    }
}
