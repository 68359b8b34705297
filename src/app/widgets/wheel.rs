//! Scrolls lists with the mouse wheel, in whole steps.

use egui::{Event, Id, InputState, Rect, Ui};

/// Returns the first visible index of a list, which the wheel changes over `rect`. egui's memory stores it under `id`.
pub fn first_shown(ui: &Ui, rect: Rect, id: Id, visible_count: usize, count: usize) -> usize {
    let turn = |event: &Event| match event {
        Event::MouseWheel { delta, .. } if delta.y != 0.0 => -delta.y.signum() as isize,
        _ => 0,
    };
    let by: isize = turned(ui, rect, |input| input.events.iter().map(turn).sum());
    ui.data_mut(|data| {
        let first = data.get_temp_mut_or_default::<usize>(id);
        let last = count.saturating_sub(visible_count);
        *first = first.saturating_add_signed(by).min(last);
        *first
    })
}

/// Returns the result of `read` for the input if the mouse pointer is over `rect`, or the default value otherwise.
pub fn turned<T: Default>(ui: &Ui, rect: Rect, read: impl FnOnce(&InputState) -> T) -> T {
    let pointer = ui.ctx().pointer_hover_pos();
    let over = pointer.is_some_and(|at| rect.contains(at));
    if over { ui.input(read) } else { T::default() }
}

/// Scrolls a list just far enough to show the item at `index`. `id` is that of [`first_shown`].
pub fn scroll_to(ui: &Ui, id: Id, index: usize, visible_count: usize) {
    ui.data_mut(|data| {
        let first = data.get_temp_mut_or_default::<usize>(id);
        let least = (index + 1).saturating_sub(visible_count.max(1));
        *first = (*first).clamp(least.min(index), index);
    });
}
