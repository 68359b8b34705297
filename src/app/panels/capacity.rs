//! Capacity: how much of the time the entities use, and how many would fit the budget.

use super::knob_panel::{INSET, heading};
use crate::app::input::response::UiResponse;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{theme, tooltip};
use egui::{Align, CornerRadius, Label, Layout, RichText, Sense, TextStyle, Ui, vec2};
use headless::stats::Capacity;
use headless::text::format;

const BAR: f32 = 6.0;
const ROW: f32 = 18.0;
/// Space between a label, the warning sign and a figure.
const GAP: f32 = 4.0;
/// Half of the width of the warning sign.
const SIGN: f32 = 4.0;

pub struct CapacityPanel<'a> {
    pub capacity: &'a Capacity,
    /// True on a simulated machine: then the title does not speak of this computer.
    pub is_simulated: bool,
}

impl CapacityPanel<'_> {
    pub fn show(&self, ui: &mut Ui, answer: &mut UiResponse) {
        let capacity = self.capacity;
        let section = ui.vertical(|ui| self.rows(ui));
        let place = section.response.rect.expand2(vec2(INSET / 2.0, 2.0));
        let area = ui.interact(place, ui.id().with("capacity"), Sense::hover());
        tooltip::offer(&area, capacity.explained());
        answer.report_in(ui.clip_rect(), "part:capacity", section.response.rect);
    }

    fn rows(&self, ui: &mut Ui) {
        let capacity = self.capacity;
        ui.spacing_mut().item_spacing.y = 3.0;
        let title = if self.is_simulated {
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
        row(ui, [&label, &label], &used, capacity.is_exceeded());
        bar(ui, capacity);
        let budget = capacity.budget_in_words();
        let labels = [
            format!("Most that fit in {budget}"),
            format!("Fit in {budget}"),
        ];
        let labels = labels.each_ref().map(String::as_str);
        row(ui, labels, &capacity.most_in_words(), false);
        if let Some(note) = capacity.note() {
            let note = RichText::new(note).size(12.0).color(theme::DIM);
            ui.add(Label::new(note).selectable(false));
        }
    }
}

/// Shows a label with its figure at the right, with the warning sign if the figure is a problem. Uses the first of the
/// `labels` that leaves room for the figure. If none does, the figure is below the last label.
fn row(ui: &mut Ui, labels: [&str; 2], figure: &str, is_wrong: bool) {
    let width = |words: &str, style: TextStyle| {
        let font = style.resolve(ui.style());
        let text = ui.fonts(|fonts| fonts.layout_no_wrap(words.to_owned(), font, theme::TEXT));
        text.size().x
    };
    let sign = if is_wrong { 2.0 * SIGN + GAP } else { 0.0 };
    let room = ui.available_width() - width(figure, TextStyle::Monospace) - sign - GAP;
    let mut fitting = labels.into_iter();
    let fitting = fitting.find(|label| width(label, TextStyle::Body) <= room);
    if fitting.is_none() {
        ui.add(words(labels[1]));
    }
    let size = vec2(ui.available_width(), ROW);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        ui.spacing_mut().item_spacing.x = GAP;
        ui.add(words(fitting.unwrap_or_default()).extend());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let ink = if is_wrong {
                theme::AMBER
            } else {
                theme::BRIGHT
            };
            let figure = RichText::new(figure).monospace().color(ink);
            ui.add(Label::new(figure).selectable(false).extend());
            if is_wrong {
                let (place, _) = ui.allocate_exact_size(vec2(2.0 * SIGN, ROW), Sense::hover());
                warning(ui.painter(), place.center(), SIGN);
            }
        });
    });
}

fn words(text: &str) -> Label {
    Label::new(RichText::new(text).color(theme::TEXT)).selectable(false)
}

/// Shows the utilisation as a bar, with a mark at the share of the time that the budget allows.
fn bar(ui: &mut Ui, capacity: &Capacity) {
    let size = vec2(ui.available_width(), BAR);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    let corners = CornerRadius::same(3);
    painter.rect_filled(rect, corners, theme::WELL);
    let part = |share: f64| rect.width() * share.clamp(0.0, 1.0) as f32;
    let ink = if capacity.is_exceeded() {
        theme::AMBER
    } else {
        theme::TEAL
    };
    let used = rect.with_max_x(rect.left() + part(capacity.utilisation));
    painter.rect_filled(used, corners, ink);
    let mark = rect.left() + part(capacity.allowed);
    painter.vline(
        mark.round() - 0.5,
        rect.y_range().expand(1.5),
        (1.0, theme::BRIGHT),
    );
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
                let panel = CapacityPanel {
                    capacity: &capacity,
                    is_simulated,
                };
                panel.show(ui, answer);
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
