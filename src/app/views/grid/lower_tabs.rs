//! The tabs of the lower area.

use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::state::grid::LowerTab;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::{theme, tooltip};
use egui::{Align, CornerRadius, Layout, Rect, Stroke, Ui, UiBuilder, vec2};

/// Each tab with its words and its tooltip.
const TABS: [(LowerTab, &str, &str); 3] = [
    (
        LowerTab::Plots,
        "Plots",
        "Tasks and times of recent frames. The key of the tab shown also leads here.",
    ),
    (
        LowerTab::Timeline,
        "Timeline",
        "One row per entity, one column per frame. Red cells are runs.",
    ),
    (
        LowerTab::Code,
        "Code",
        "When to use the strategy, and the lines of Rust that use it.",
    ),
];

pub fn show(ui: &mut Ui, rect: Rect, shown: LowerTab, answer: &mut UiResponse) {
    if !rect.is_positive() {
        return;
    }
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    let place = rect.shrink2(vec2(16.0, 0.0)).with_min_y(rect.top() + 2.0);
    let layout = Layout::left_to_right(Align::Center);
    let mut row = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
    row.spacing_mut().item_spacing.x = 4.0;
    row.spacing_mut().interact_size.y = (rect.height() - 6.0).min(22.0);
    for (tab, words, help) in TABS {
        let button = KeyButton {
            words,
            points: 12.5,
            caps: caps_of(Command::LowerTab(tab)),
            lit: tab == shown,
            padding: 10.0,
            name: words,
            ..KeyButton::default()
        };
        let response = button.show(&mut row);
        answer.report(format!("tab:{}", tab.name()), response.rect);
        if response.clicked() && tab != shown {
            answer.commands.push(Command::LowerTab(tab));
        }
        tooltip::offer(&response, help);
    }
}
