//! What the top of the view shows for a while: the notice about the last save or copy, and the sign of a recording.

use crate::app::state::saver::Notice;
use crate::app::widgets::{paint, theme};
use egui::{Color32, FontDefinitions, FontFamily, Rect, Ui, vec2};
use macroquad::color::Color;
use macroquad::shapes::draw_rectangle;
use macroquad::text::{Font, TextParams, draw_text_ex, load_ttf_font_from_bytes, measure_text};
use macroquad::window::screen_dpi_scale;
use timeslicer::time::Nanos;

/// Shows `notice` over `view`, below the sign of a recording if there is one.
pub fn show_notice(ui: &Ui, view: Rect, notice: &Notice, is_recording: bool) {
    let (ink, edge) = if notice.failed {
        (theme::AMBER, theme::AMBER)
    } else {
        (theme::TEXT, theme::LINE)
    };
    let painter = ui.painter().with_clip_rect(view);
    let room = (view.width() - 48.0).max(0.0);
    let galley = painter.layout(notice.text.clone(), theme::text(12.5), ink, room);
    let size = galley.size() + vec2(24.0, 12.0);
    let top = TOP
        + if is_recording {
            2.0 * TOP + POINTS
        } else {
            0.0
        };
    let center = view.center_top() + vec2(0.0, top + size.y / 2.0);
    let card = Rect::from_center_size(center, size);
    paint::card(&painter, card, theme::WELL.gamma_multiply(0.95), edge);
    painter.galley(card.min + vec2(12.0, 6.0), galley, ink);
}

/// Space above the first card.
const TOP: f32 = 14.0;
/// Size of the sign's text and the space around it, in points.
const POINTS: f32 = 12.5;
const MARGIN: [f32; 2] = [12.0, 6.0];

/// The sign of a recording. It is drawn without egui, over a picture that has already been recorded, so that no recorded
/// picture contains it. Its font is loaded when it is first needed.
#[derive(Default)]
pub struct RecordingSign {
    font: Option<Font>,
}

impl RecordingSign {
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
        let top = ((area.top() + TOP) * scale).round();
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
