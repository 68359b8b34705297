//! Buttons that give a command, and the bars at the top of the window, which consist of them.

use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use egui::{Frame, Id, Margin, Rect, Stroke, Ui, UiBuilder};

/// Margin at both ends of a bar.
pub const MARGIN: f32 = 12.0;

pub struct CommandButton<'a> {
    pub log_name: String,
    pub button: KeyButton<'a>,
    pub command: Command,
    pub tip: String,
}

impl CommandButton<'_> {
    pub fn show(self, ui: &mut Ui, answer: &mut UiResponse) -> Rect {
        let response = self.button.show(ui);
        answer.report_in(ui.clip_rect(), self.log_name, response.rect);
        if response.clicked() {
            answer.commands.push(self.command);
        }
        tooltip::offer(&response, self.tip);
        response.rect
    }
}

pub fn total_width(ui: &Ui, items: &[CommandButton<'_>], spacing: f32) -> f32 {
    let widths: f32 = items
        .iter()
        .map(|item| item.button.width(ui) + spacing)
        .sum();
    (widths - spacing).max(0.0)
}

/// Returns the first of the levels of detail whose `width` fits, and true; or the last level and false, if none fits.
/// Remembers the result under `id` while `key` is the same, because measuring a bar takes longer than showing it.
pub fn first_that_fits<D: Copy>(
    ui: &Ui,
    id: &str,
    key: impl std::hash::Hash,
    details: &[D],
    width: impl Fn(D) -> f32,
) -> (D, bool) {
    let room = ui.available_width();
    let scale = ui.ctx().pixels_per_point().to_bits();
    let (id, key) = (Id::new(id), Id::new((room.to_bits(), scale, key)));
    let kept = ui.data(|data| data.get_temp::<(Id, Option<usize>)>(id));
    let index = match kept {
        Some((kept, index)) if kept == key => index,
        _ => details.iter().position(|detail| width(*detail) <= room),
    };
    ui.data_mut(|data| data.insert_temp(id, (key, index)));
    (details[index.unwrap_or(details.len() - 1)], index.is_some())
}

pub fn show_bar(ui: &mut Ui, rect: Rect, id: &str, contents: impl FnOnce(&mut Ui)) {
    let mut bar = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(id));
    bar.set_clip_rect(rect.intersect(ui.clip_rect()));
    let frame = Frame::NONE.fill(theme::BAR);
    frame
        .inner_margin(Margin::symmetric(MARGIN as i8, 0))
        .show(&mut bar, |ui| {
            let all = ui.max_rect();
            ui.set_min_size(all.size());
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            let mut row = ui.new_child(UiBuilder::new().max_rect(all).layout(layout));
            row.spacing_mut().item_spacing.x = 0.0;
            row.spacing_mut().interact_size.y = theme::BUTTON;
            row.spacing_mut().button_padding.y = 2.0;
            contents(&mut row);
        });
    let edge = Stroke::new(1.0, theme::LINE);
    bar.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, edge);
}

#[cfg(test)]
pub mod tests {
    //! Layout of a bar without a window.

    use super::*;
    use egui::{CentralPanel, Context, Pos2, RawInput, vec2};

    pub fn laid_out(
        width: f32,
        mut show: impl FnMut(&mut Ui, Rect, &mut UiResponse),
    ) -> UiResponse {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, 40.0));
        let input = RawInput {
            screen_rect: Some(rect),
            ..RawInput::default()
        };
        let ctx = Context::default();
        theme::install(&ctx);
        let mut answer = UiResponse::default();
        for _ in 0..3 {
            answer = UiResponse::default();
            let _ = ctx.run(input.clone(), |ctx| {
                let panel = CentralPanel::default().frame(Frame::NONE);
                panel.show(ctx, |ui| show(ui, rect, &mut answer));
            });
        }
        answer
    }

    pub fn assert_apart(answer: &UiResponse, width: f32) {
        for (index, one) in answer.controls.iter().enumerate() {
            let is_inside = one.rect.left() >= 0.0 && one.rect.right() <= width;
            assert!(is_inside, "{} at {width}: {}", one.name, one.rect);
            for other in &answer.controls[..index] {
                let both = one.rect.intersect(other.rect).shrink(0.5);
                let names = [&one.name, &other.name];
                assert!(!both.is_positive(), "{names:?} at {width}");
            }
        }
    }
}
