//! What the top of the view shows for a while: the notice about the last save or copy, and the sign of a recording.

use crate::app::state::saver::Notice;
use crate::app::widgets::{paint, theme};
use egui::{Color32, Rect, Ui, vec2};
use macroquad::color::Color;
use macroquad::shapes::draw_rectangle;
use macroquad::text::{draw_text, measure_text};
use macroquad::window::screen_dpi_scale;
use timeslicer::time::Nanos;

/// Space above the sign of a recording, and its height.
const TOP: f32 = 14.0;
const SIGN: f32 = 25.0;

/// Shows `notice` over `view`, below the place of the sign of a recording.
pub fn show_notice(ui: &Ui, view: Rect, notice: &Notice) {
    let (ink, edge) = if notice.failed {
        (theme::AMBER, theme::AMBER)
    } else {
        (theme::TEXT, theme::LINE)
    };
    let painter = ui.painter().with_clip_rect(view);
    let room = (view.width() - 48.0).max(0.0);
    let galley = painter.layout(notice.text.clone(), theme::text(12.5), ink, room);
    let size = galley.size() + vec2(24.0, 12.0);
    let center = view.center_top() + vec2(0.0, 2.0 * TOP + SIGN + size.y / 2.0);
    let card = Rect::from_center_size(center, size);
    paint::card(&painter, card, theme::WELL.gamma_multiply(0.95), edge);
    painter.galley(card.min + vec2(12.0, 6.0), galley, ink);
}

/// Draws the sign of a recording at the top of `view`. egui does not draw it, so that it can be drawn over a picture that
/// has already been recorded: no recorded picture contains it.
pub fn draw_recording_sign(view: Rect, time: Nanos, pixels_per_point: f32) {
    const POINTS: f32 = 16.0;
    let text = format!("recording {:.1} s", time.as_secs_f64());
    // The window library draws in units of its own.
    let scale = pixels_per_point / screen_dpi_scale();
    let points = POINTS * scale;
    let words = measure_text(&text, None, points as u16, 1.0).width;
    let (width, height) = (words + points, SIGN * scale);
    let left = view.center().x * scale - width / 2.0;
    let top = (view.top() + TOP) * scale;
    draw_rectangle(left, top, width, height, colour(theme::WELL));
    let baseline = top + height / 2.0 + 0.3 * points;
    let ink = colour(theme::TEXT);
    draw_text(&text, left + points / 2.0, baseline, points, ink);
}

fn colour(colour: Color32) -> Color {
    let [red, green, blue, opacity] = colour.to_array();
    Color::from_rgba(red, green, blue, opacity)
}
