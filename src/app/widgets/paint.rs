//! Functions for painting text and shapes that several parts of the interface share.

use super::theme;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Align, Align2, Color32, FontId, Galley, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind,
    Vec2, pos2,
};
use std::sync::Arc;

pub fn card(painter: &Painter, rect: Rect, ground: Color32, edge: Color32) {
    let stroke = Stroke::new(1.0, edge);
    painter.rect(rect, theme::RADIUS, ground, stroke, StrokeKind::Inside);
}

/// Returns a text format that is centred vertically, for lines that mix fonts of different sizes.
pub fn centred(font: FontId, ink: Color32) -> TextFormat {
    TextFormat {
        valign: Align::Center,
        ..TextFormat::simple(font, ink)
    }
}

/// Paints text to the right of `at`, vertically centred. Returns its area.
pub fn left(painter: &Painter, at: Pos2, words: &str, points: f32, ink: Color32) -> Rect {
    painter.text(at, Align2::LEFT_CENTER, words, theme::text(points), ink)
}

/// Paints text to the left of `at`, vertically centred. Returns its area.
pub fn right(painter: &Painter, at: Pos2, words: &str, points: f32, ink: Color32) -> Rect {
    painter.text(at, Align2::RIGHT_CENTER, words, theme::text(points), ink)
}

/// Paints a title to the right of `at`, followed by the first of the `remarks` that ends before `right`. `points`
/// contains the font sizes of the title and the remark.
pub fn title(
    painter: &Painter,
    at: Pos2,
    words: &str,
    points: [f32; 2],
    remarks: &[&str],
    right: f32,
) {
    let title = left(painter, at, words, points[0], theme::BRIGHT);
    let lower = (0.4 * (points[0] - points[1])).round();
    let at = pos2(title.right() + 8.0, at.y + lower);
    let style = (theme::text(points[1]), theme::DIM);
    if let Some(remark) = fitting(painter, remarks.iter().copied(), style, right - at.x) {
        galley(painter, at, Align2::LEFT_CENTER, remark, theme::DIM);
    }
}

/// Paints text to the right of `at`, vertically centred, and truncates it at `right`.
pub fn cut(painter: &Painter, at: Pos2, words: &str, points: f32, ink: Color32, right: f32) {
    let mut job = LayoutJob::simple_singleline(words.to_owned(), theme::text(points), ink);
    job.wrap = TextWrapping::truncate_at_width((right - at.x).max(0.0));
    galley(
        painter,
        at,
        Align2::LEFT_CENTER,
        painter.layout_job(job),
        ink,
    );
}

pub fn width(painter: &Painter, words: &str, points: f32) -> f32 {
    let galley = painter.layout_no_wrap(words.to_owned(), theme::text(points), theme::TEXT);
    galley.size().x
}

/// Lays out the first of the `texts` that is at most `room` points wide. Returns `None` if none fits.
pub fn fitting<'a>(
    painter: &Painter,
    texts: impl IntoIterator<Item = &'a str>,
    (font, ink): (FontId, Color32),
    room: f32,
) -> Option<Arc<Galley>> {
    let lay = |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), ink);
    let mut galleys = texts.into_iter().map(lay);
    galleys.find(|galley| galley.size().x <= room)
}

/// Paints text that is already laid out, aligned relative to `at`. Returns its area.
pub fn galley(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    galley: Arc<Galley>,
    ink: Color32,
) -> Rect {
    let rect = align.anchor_size(at, galley.size());
    painter.galley(rect.min, galley, ink);
    rect
}

/// Paints text on a background that extends `margin` beyond it. Returns the area of the background.
pub fn label(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    text: Arc<Galley>,
    margin: Vec2,
    ground: Color32,
) -> Rect {
    let rect = align.anchor_size(at, text.size()).expand2(margin);
    painter.rect_filled(rect, 4.0, ground);
    painter.galley(rect.min + margin, text, theme::TEXT);
    rect
}

/// Fills the area below a line of coloured points, down to the y coordinate `bottom`. The points go from left to right.
pub fn fill_below(painter: &Painter, line: impl Iterator<Item = (Pos2, Color32)>, bottom: f32) {
    let mut mesh = Mesh::default();
    for (index, (at, ink)) in line.enumerate() {
        mesh.colored_vertex(at, ink);
        mesh.colored_vertex(pos2(at.x, bottom), ink);
        if index > 0 {
            let last = 2 * index as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Calls `paint` for the parts of `rect` around `hole`. The capsules are drawn before the interface, so the interface
/// must not paint over them.
pub fn paint_around(painter: &Painter, hole: Rect, rect: Rect, paint: impl Fn(&Painter)) {
    let hole = hole.intersect(rect);
    if !hole.is_positive() {
        return paint(painter);
    }
    let beside = rect.with_min_y(hole.top()).with_max_y(hole.bottom());
    for part in [
        rect.with_max_y(hole.top()),
        rect.with_min_y(hole.bottom()),
        beside.with_max_x(hole.left()),
        beside.with_min_x(hole.right()),
    ] {
        paint(&painter.with_clip_rect(part.intersect(painter.clip_rect())));
    }
}
