//! The notice about the last save or copy, at the top of the view.

use crate::app::state::saver::Notice;
use crate::app::widgets::theme;
use egui::{CornerRadius, Rect, Stroke, StrokeKind, Ui, vec2};

/// Shows `notice` over `view`.
pub fn show(ui: &Ui, view: Rect, notice: &Notice) {
    let ink = if notice.failed {
        theme::AMBER
    } else {
        theme::TEXT
    };
    let painter = ui.painter().with_clip_rect(view);
    let room = (view.width() - 48.0).max(0.0);
    let galley = painter.layout(notice.text.clone(), theme::text(12.5), ink, room);
    let size = galley.size() + vec2(24.0, 12.0);
    let center = view.center_top() + vec2(0.0, 14.0 + size.y / 2.0);
    let ground = Rect::from_center_size(center, size);
    let corners = CornerRadius::same(theme::RADIUS);
    painter.rect_filled(ground, corners, theme::WELL.gamma_multiply(0.95));
    let edge = Stroke::new(1.0, if notice.failed { ink } else { theme::LINE });
    painter.rect_stroke(ground, corners, edge, StrokeKind::Inside);
    painter.galley(ground.min + vec2(12.0, 6.0), galley, ink);
}
