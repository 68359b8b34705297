//! The sign of a recording, at the top of the picture. It is drawn without egui, over a picture that has already been
//! recorded, so that no recorded picture contains it.

use crate::app::widgets::theme;
use egui::{Color32, FontDefinitions, FontFamily, Rect};
use macroquad::color::Color;
use macroquad::shapes::draw_rectangle;
use macroquad::text::{Font, TextParams, draw_text_ex, load_ttf_font_from_bytes, measure_text};
use macroquad::window::screen_dpi_scale;
use timeslicer::time::Nanos;

/// Size of the text and the space around it, in points.
const POINTS: f32 = 12.5;
const MARGIN: [f32; 2] = [12.0, 6.0];

/// The sign's font, which is loaded when it is first needed.
#[derive(Default)]
pub struct RecordingSign {
    font: Option<Font>,
}

impl RecordingSign {
    /// Draws the sign at the top of `area`, which is in points.
    pub fn paint(&mut self, area: Rect, time: Nanos, pixels_per_point: f32) {
        let font = self.font.get_or_insert_with(font);
        // The window library draws in units of its own.
        let scale = pixels_per_point / screen_dpi_scale();
        let size = (POINTS * pixels_per_point).round();
        let font_scale = 1.0 / screen_dpi_scale();
        let text = text(time);
        let measured = measure_text(&text, Some(font), size as u16, font_scale);
        let [x, y] = MARGIN.map(|margin| margin * scale);
        let (width, height) = (measured.width + 2.0 * x, POINTS * scale + 2.0 * y);
        let left = (area.center().x * scale - width / 2.0).round();
        let top = ((area.top() + 14.0) * scale).round();
        draw_rectangle(left, top, width, height, colour(theme::LINE));
        draw_rectangle(
            left + 1.0,
            top + 1.0,
            width - 2.0,
            height - 2.0,
            colour(theme::WELL),
        );
        let params = TextParams {
            font: Some(font),
            font_size: size as u16,
            font_scale,
            color: colour(theme::TEXT),
            ..TextParams::default()
        };
        draw_text_ex(&text, left + x, top + y + 0.85 * POINTS * scale, params);
    }
}

fn text(time: Nanos) -> String {
    format!("recording {:.1} s", time.as_secs_f64())
}

fn colour(colour: Color32) -> Color {
    Color::from_rgba(colour.r(), colour.g(), colour.b(), 255)
}

/// Loads the interface's font.
fn font() -> Font {
    let fonts = FontDefinitions::default();
    let name = fonts
        .families
        .get(&FontFamily::Proportional)
        .and_then(|names| names.first());
    let data = name.and_then(|name| fonts.font_data.get(name));
    let loaded = data.and_then(|data| load_ttf_font_from_bytes(&data.font).ok());
    loaded.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_shows_tenths_of_a_second() {
        assert_eq!(text(Nanos::from_millis(2449)), "recording 2.4 s");
    }
}
