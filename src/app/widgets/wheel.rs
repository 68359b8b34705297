//! Scrolls lists with the mouse wheel, in whole steps.

use egui::{Event, Id, Rect, Ui};

/// Returns the first visible index of a list that the wheel scrolls over `rect`. egui's memory stores it under `id`.
pub fn first_shown(ui: &Ui, rect: Rect, id: Id, visible_count: usize, count: usize) -> usize {
    let over = ui.ctx().pointer_hover_pos();
    let turn = |event: &Event| match event {
        Event::MouseWheel { delta, .. } if delta.y != 0.0 => -delta.y.signum() as isize,
        _ => 0,
    };
    let by = if over.is_some_and(|at| rect.contains(at)) {
        ui.input(|input| input.events.iter().map(turn).sum())
    } else {
        0
    };
    ui.data_mut(|data| {
        let first = data.get_temp_mut_or_default::<usize>(id);
        let last = count.saturating_sub(visible_count);
        *first = first.saturating_add_signed(by).min(last);
        *first
    })
}

/// Scrolls a list just far enough to show the item at `index`. `id` is that of [`first_shown`].
pub fn scroll_to(ui: &Ui, id: Id, index: usize, visible_count: usize) {
    ui.data_mut(|data| {
        let first = data.get_temp_mut_or_default::<usize>(id);
        let least = (index + 1).saturating_sub(visible_count.max(1));
        *first = (*first).clamp(least.min(index), index);
    });
}
