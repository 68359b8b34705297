//! A part of the interface in which a widget keeps the keyboard focus, whatever appears or vanishes above it.

use egui::{InnerResponse, Sense, Ui, UiBuilder};
use std::hash::Hash;

/// Shows widgets whose ids depend only on `salt`. It must be unique in `ui`.
///
/// Without such a scope, egui derives the id of a widget from the number of widgets above it. If one of these appears
/// or vanishes, a field that is being edited loses the focus, and the next digits that the user types are hotkeys.
pub fn stable_scope<R>(
    ui: &mut Ui,
    salt: impl Hash,
    content: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<R> {
    let mut builder = UiBuilder::new()
        .layer_id(ui.layer_id())
        .max_rect(ui.available_rect_before_wrap())
        .layout(*ui.layout())
        .style(ui.style().clone());
    if ui.is_sizing_pass() {
        builder = builder.sizing_pass();
    }
    let mut inner = Ui::new(ui.ctx().clone(), ui.id().with(salt), builder);
    inner.set_clip_rect(ui.clip_rect());
    inner.set_opacity(ui.opacity());
    if !ui.is_visible() {
        inner.set_invisible();
    } else if !ui.is_enabled() {
        inner.disable();
    }
    let result = content(&mut inner);
    let response = ui.allocate_rect(inner.min_rect(), Sense::hover());
    InnerResponse::new(result, response)
}
