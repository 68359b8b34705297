//! Buttons, keycaps and other small widgets that are used by several panels.

use super::{paint, theme};
use egui::text::LayoutJob;
use egui::{
    Align2, Button, Color32, CornerRadius, Galley, Painter, Pos2, Rect, Response, Sense, Shape,
    Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, vec2,
};
use std::sync::Arc;

const KEYCAP_HEIGHT: f32 = 16.0;

pub fn keycap_width(painter: &Painter, text: &str) -> f32 {
    (cap_galley(painter, text, theme::DIM).size().x + 8.0).max(KEYCAP_HEIGHT)
}

pub fn keycap(painter: &Painter, left: Pos2, text: &str, chosen: bool) {
    if text.is_empty() {
        return;
    }
    let (ground, ink) = if chosen {
        (theme::TEAL, theme::FLOOR)
    } else {
        (theme::HOVER, theme::DIM)
    };
    let galley = cap_galley(painter, text, ink);
    let size = vec2(keycap_width(painter, text), KEYCAP_HEIGHT);
    let rect = Rect::from_min_size(left - vec2(0.0, KEYCAP_HEIGHT / 2.0), size);
    painter.rect_filled(rect, CornerRadius::same(4), ground);
    painter.galley(rect.center() - galley.size() / 2.0, galley, ink);
}

fn cap_galley(painter: &Painter, text: &str, ink: Color32) -> Arc<Galley> {
    painter.layout_no_wrap(text.to_owned(), theme::mono(11.0), ink)
}

/// Paints a triangle as a warning icon. Its shape makes it recognisable even without its colour.
pub fn warning(painter: &Painter, center: Pos2, half_size: f32) {
    let points = [(-1.0, 0.9), (0.0, -0.9), (1.0, 0.9)];
    let points = points
        .map(|(x, y)| center + half_size * vec2(x, y))
        .to_vec();
    painter.add(Shape::convex_polygon(points, theme::AMBER, Stroke::NONE));
}

/// Shows a keycap that is not part of a button.
pub fn key(ui: &mut Ui, caps: &str) -> Response {
    let size = vec2(keycap_width(ui.painter(), caps), KEYCAP_HEIGHT);
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    keycap(ui.painter(), place.left_center(), caps, false);
    response
}

/// Shows a button without a frame, with this name for screen readers. An outline shows the keyboard focus, because egui
/// would not.
pub fn frameless(ui: &mut Ui, button: Button<'_>, words: &str) -> Response {
    let response = ui.add(button.frame(false));
    set_name(&response, words, false);
    if response.has_focus() {
        let stroke = ui.visuals().widgets.active.bg_stroke;
        let painter = ui.painter();
        painter.rect_stroke(response.rect, theme::RADIUS, stroke, StrokeKind::Outside);
    }
    response
}

/// Sets the name of a button for screen readers.
pub fn set_name(response: &Response, words: &str, selected: bool) {
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, enabled, selected, words));
}

/// Paints which items of a scrolled list are visible, for example `Showing 3 to 8 of 12 loops`.
pub fn part_shown(
    painter: &Painter,
    rect: Rect,
    items: &str,
    first: usize,
    fitting: usize,
    count: usize,
) {
    let (from, to) = (first + 1, first + fitting);
    let words = format!("Showing {from} to {to} of {count} {items}. Scroll to see more.");
    let painter = painter.with_clip_rect(rect);
    paint::left(&painter, rect.left_center(), &words, 12.0, theme::TEXT);
}

/// Paints a message saying that the window is too small to show `content`.
pub fn too_small(painter: &Painter, rect: Rect, content: &str) {
    let words = format!("There is not enough room for {content}. Enlarge the window to see it.");
    let width = (rect.width() - 16.0).max(0.0);
    let galley = painter.layout(words, theme::text(13.0), theme::DIM, width);
    let align = Align2::CENTER_CENTER;
    paint::galley(painter, rect.center(), align, galley);
}

/// A part of a line of text: the text, whether it is in the monospaced font, and its colour.
pub type LinePart<'a> = (&'a str, bool, Color32);

pub fn line_job(parts: &[LinePart<'_>], points: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (text, is_strong, ink) in parts {
        let font = if *is_strong {
            theme::mono(points)
        } else {
            theme::text(points)
        };
        job.append(text, 0.0, paint::centred(font, *ink));
    }
    job
}
