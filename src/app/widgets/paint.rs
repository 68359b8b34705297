//! Functions that paint text and simple shapes. They are used by several parts of the interface.

use super::theme;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Align2, Color32, FontId, Galley, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind,
    Vec2, pos2,
};
use std::sync::Arc;

pub fn card(painter: &Painter, rect: Rect, ground: Color32, edge: Color32) {
    let stroke = Stroke::new(1.0, edge);
    painter.rect(rect, theme::RADIUS, ground, stroke, StrokeKind::Inside);
}

/// Returns a text format that centres text vertically, for lines that mix font sizes.
pub fn centred(font: FontId, ink: Color32) -> TextFormat {
    TextFormat {
        valign: Align::Center,
        ..TextFormat::simple(font, ink)
    }
}

/// Appends words to a text layout job. Words have the first colour. Numbers have the second one and are monospaced.
pub fn add_words(job: &mut LayoutJob, words: &str, points: f32, inks: [Color32; 2]) {
    // A space of the proportional font is too narrow next to a monospaced number.
    const GAP: f32 = 1.5;
    let words = with_units(words);
    for piece in words.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if !word.starts_with(|letter: char| letter.is_ascii_digit()) {
            job.append(piece, 0.0, centred(theme::text(points), inks[0]));
            continue;
        }
        let gap = if job.text.is_empty() { 0.0 } else { GAP };
        let number = word.trim_end_matches([',', ';', ':', '.', ')']);
        job.append(number, gap, centred(theme::mono(points), inks[1]));
        let rest = &piece[number.len()..];
        if !rest.is_empty() {
            let gap = if number == word { GAP } else { 0.0 };
            job.append(rest, gap, centred(theme::text(points), inks[0]));
        }
    }
}

pub fn words(
    painter: &Painter,
    words: &str,
    points: f32,
    inks: [Color32; 2],
    max_width: f32,
) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    add_words(&mut job, words, points, inks);
    job.wrap.max_width = max_width;
    painter.layout_job(job)
}

/// A space at which no line ends, for example between a number and its unit.
pub const NO_BREAK: &str = "\u{a0}";

/// Separates clauses. A line can end after it, but never begins with it.
pub const SEPARATOR: &str = "\u{a0}\u{a0}·\u{a0} ";

/// Replaces the space between a number and its unit with [`NO_BREAK`].
pub fn with_units(text: &str) -> String {
    let mut words = text.split(' ');
    let mut all = words.next().unwrap_or_default().to_owned();
    for word in words {
        let unit = word.trim_end_matches([',', '.', ';', ':']);
        let is_unit = ["s", "ms", "µs", "%", "/s", "Hz"].contains(&unit);
        let is_after_number = all.ends_with(|letter: char| letter.is_ascii_digit());
        all += if is_unit && is_after_number {
            NO_BREAK
        } else {
            " "
        };
        all += word;
    }
    all
}

/// Paints text that starts at `at` and returns its area. The text is centred vertically.
pub fn left(painter: &Painter, at: Pos2, words: &str, points: f32, ink: Color32) -> Rect {
    painter.text(at, Align2::LEFT_CENTER, words, theme::text(points), ink)
}

/// Paints text that ends at `at` and returns its area. The text is centred vertically.
pub fn right(painter: &Painter, at: Pos2, words: &str, points: f32, ink: Color32) -> Rect {
    painter.text(at, Align2::RIGHT_CENTER, words, theme::text(points), ink)
}

/// Paints a title that starts at `at`, and the first of the `remarks` that fits.
pub fn title(painter: &Painter, at: Pos2, words: &str, remarks: &[&str], max_x: f32) {
    let title = left(painter, at, words, 13.0, theme::BRIGHT);
    let at = pos2(title.right() + 8.0, at.y);
    let (style, remarks) = ((12.0, theme::DIM), remarks.iter().copied());
    fitting(painter, at, remarks, style, max_x - at.x);
}

pub fn width(painter: &Painter, words: &str, points: f32) -> f32 {
    let galley = painter.layout_no_wrap(words.to_owned(), theme::text(points), theme::TEXT);
    galley.size().x
}

/// Paints the first of the `texts` that is not wider than `max_width`, if there is one. It starts at `at`.
pub fn fitting(
    painter: &Painter,
    at: Pos2,
    texts: impl IntoIterator<Item = impl Into<String>>,
    (points, ink): (f32, Color32),
    max_width: f32,
) {
    let job = |text: String| LayoutJob::simple_singleline(text, theme::text(points), ink);
    let jobs = texts.into_iter().map(|text| job(text.into()));
    first_line(painter, at, Align2::LEFT_CENTER, jobs, max_width);
}

/// Paints the first of the `jobs` that fits into a line of this width, if there is one, and returns its area.
pub fn first_line(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    jobs: impl IntoIterator<Item = LayoutJob>,
    max_width: f32,
) -> Option<Rect> {
    let text = first_fitting(painter, jobs, max_width, 1)?;
    Some(galley(painter, at, align, text))
}

/// Lays out the first of the `jobs` that fits into the given width and number of rows, if there is one.
pub fn first_fitting(
    painter: &Painter,
    jobs: impl IntoIterator<Item = LayoutJob>,
    max_width: f32,
    max_rows: usize,
) -> Option<Arc<Galley>> {
    let mut galleys = jobs.into_iter().map(|mut job| {
        job.wrap.max_width = max_width.max(0.0);
        job.wrap.max_rows = max_rows;
        painter.layout_job(job)
    });
    galleys.find(|galley| !galley.elided && galley.size().x <= max_width)
}

/// Paints text that has already been laid out, and returns its area.
pub fn galley(painter: &Painter, at: Pos2, align: Align2, galley: Arc<Galley>) -> Rect {
    let rect = align.anchor_size(at, galley.size());
    painter.galley(rect.min, galley, theme::TEXT);
    rect
}

/// Paints text on a background with the given margin around the text. Returns the area of the background.
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

/// Fills the area between a line and the y coordinate `bottom`. The line's points are sorted from left to right.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stay_with_their_numbers() {
        let kept = with_units("30 ms of tasks, 100 µs a run, 7 seconds, 5 %, in s or 2 s.");
        let expected = "30~ms of tasks, 100~µs a run, 7 seconds, 5~%, in s or 2~s.";
        assert_eq!(kept.replace(NO_BREAK, "~"), expected);
    }
}
