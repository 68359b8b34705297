//! A row of widgets at both ends of the available width.

use egui::{Align, InnerResponse, Layout, Ui, vec2};

/// Shows a row of the given height. It starts with the widgets that `left` adds, and it ends with those that `right`
/// adds, from right to left. Unlike [`egui::Sides`], the row has this height even if its widgets are lower.
pub fn row<Left, Right>(
    ui: &mut Ui,
    height: f32,
    left: impl FnOnce(&mut Ui) -> Left,
    right: impl FnOnce(&mut Ui, &Left) -> Right,
) -> InnerResponse<(Left, Right)> {
    let size = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        let left = left(ui);
        let layout = Layout::right_to_left(Align::Center);
        let right = ui.with_layout(layout, |ui| right(ui, &left)).inner;
        (left, right)
    })
}
