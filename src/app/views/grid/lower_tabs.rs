//! The tabs of the lower area.

use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::state::grid::LowerTab;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::{theme, tooltip};
use egui::{Align, CornerRadius, Layout, Rect, Stroke, Ui, UiBuilder, vec2};

/// Margin at both ends, in a wide and in a narrow area.
const INSET: f32 = 16.0;
const NARROW_INSET: f32 = 4.0;
/// Space between two tabs.
const GAP: f32 = 4.0;

pub fn show(ui: &mut Ui, rect: Rect, shown: LowerTab, answer: &mut UiResponse) {
    if !rect.is_positive() {
        return;
    }
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    let wide = LowerTab::ALL.map(|tab| button(tab, shown));
    let width: f32 = wide.iter().map(|button| button.width(ui) + GAP).sum();
    let is_wide = width - GAP <= rect.width() - 2.0 * INSET;
    let inset = if is_wide { INSET } else { NARROW_INSET };
    let place = rect.shrink2(vec2(inset, 0.0)).with_min_y(rect.top() + 2.0);
    let layout = Layout::left_to_right(Align::Center);
    let mut row = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
    row.spacing_mut().item_spacing.x = GAP;
    row.spacing_mut().interact_size.y = (rect.height() - 6.0).min(22.0);
    for (tab, mut button) in LowerTab::ALL.into_iter().zip(wide) {
        if !is_wide {
            (button.caps, button.padding) = ("", 6.0);
        }
        let response = button.show(&mut row);
        answer.report(format!("tab:{}", tab.name()), response.rect);
        if response.clicked() && tab != shown {
            answer.commands.push(Command::LowerTab(tab));
        }
        tooltip::offer(&response, explained(tab));
    }
}

fn button(tab: LowerTab, shown: LowerTab) -> KeyButton<'static> {
    let words = match tab {
        LowerTab::Plots => "Plots",
        LowerTab::Timeline => "Timeline",
        LowerTab::Code => "Code",
    };
    KeyButton {
        words,
        points: 12.5,
        caps: caps_of(Command::LowerTab(tab)),
        lit: tab == shown,
        padding: 10.0,
        name: words,
        ..KeyButton::default()
    }
}

fn explained(tab: LowerTab) -> &'static str {
    match tab {
        LowerTab::Plots => {
            "Tasks and times of recent frames. The key of the tab shown also leads here."
        }
        LowerTab::Timeline => "One row per entity, one column per frame. Red cells are runs.",
        LowerTab::Code => "When to use the strategy, and the lines of Rust that use it.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::tests::state;
    use crate::app::views::layout::{self, fits_knobs};
    use crate::app::views::tests::{click, window};
    use egui::Vec2;
    use egui_kittest::Harness;

    fn tabs(size: Vec2, shown: LowerTab) -> Harness<'static, UiResponse> {
        window(size, move |ui, answer| {
            let mut state = state();
            state.grid.lower = LowerTab::Plots;
            state.interface.set_room_for_knobs(fits_knobs(size.x));
            let layout = layout::Layout::new(ui.max_rect(), &state);
            show(ui, layout.tabs, shown, answer);
            answer.report("lower", layout.lower);
        })
    }

    #[test]
    fn a_click_shows_another_tab() {
        for shown in LowerTab::ALL {
            for tab in LowerTab::ALL {
                let mut window = tabs(egui::vec2(900.0, 600.0), shown);
                click(&mut window, &format!("tab:{}", tab.name()));
                let given: Vec<Command> = window.state().commands.clone();
                if tab == shown {
                    assert!(given.is_empty(), "{tab:?}");
                } else {
                    assert_eq!(given, [Command::LowerTab(tab)]);
                }
            }
        }
    }
}
