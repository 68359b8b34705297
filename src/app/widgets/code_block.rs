//! A block of Rust with a button that copies it.

use super::buttons::KeyButton;
use super::{theme, tooltip};
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, CornerRadius, Galley, Id, Label, Rect, Response, ScrollArea, Ui, UiBuilder, Vec2, vec2,
};
use std::ops::Range;
use std::sync::Arc;
use timeslicer::strategy::Snippet;

/// Margin around the code.
const MARGIN: Vec2 = vec2(10.0, 6.0);
/// Sizes of the code's font, smallest first.
const POINTS: [f32; 3] = [11.0, 12.0, 13.0];
/// Distance of the button from the upper right corner, and its height.
const CORNER: Vec2 = vec2(6.0, 5.0);
const BUTTON: f32 = 22.0;
/// Height of the row with the button, if the code is below it.
const BUTTON_ROW: f32 = 32.0;

/// Words that begin a statement.
const KEYWORDS: [&str; 3] = ["use", "let", "mut"];

pub struct CodeBlock {
    galley: Arc<Galley>,
}

impl CodeBlock {
    /// Lays out the code in the largest font that fits into `room` without scrolling, or in the smallest.
    pub fn new(ui: &Ui, snippet: &Snippet, room: Vec2) -> Self {
        let lay = |points| {
            let job = job(snippet, points);
            let galley = ui.fonts(|fonts| fonts.layout_job(job));
            Self { galley }
        };
        let [smallest, larger @ ..] = POINTS;
        let fitting = larger.into_iter().rev().map(lay);
        let fits = |block: &Self| block.size().x <= room.x && block.size().y <= room.y;
        fitting.into_iter().find(fits).unwrap_or(lay(smallest))
    }

    pub fn size(&self) -> Vec2 {
        self.galley.size() + 2.0 * MARGIN
    }

    pub fn height(&self, width: f32) -> f32 {
        let row = if width < self.size().x {
            BUTTON_ROW
        } else {
            0.0
        };
        self.size().y + row
    }

    /// Shows the block in `rect`, with the values of knobs highlighted. Code that does not fit scrolls. Returns the
    /// button that copies.
    pub fn show(self, ui: &mut Ui, rect: Rect, id: Id) -> Response {
        let painter = ui.painter();
        painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::WELL);
        let button = KeyButton {
            words: "Copy",
            points: 12.0,
            padding: 10.0,
            name: "Copy",
            ..KeyButton::default()
        };
        let (place, code) = self.areas(rect, vec2(button.width(ui), BUTTON));
        if code.is_positive() {
            let mut inner = ui.new_child(UiBuilder::new().max_rect(code).id_salt(id));
            let area = ScrollArea::both().id_salt(id).auto_shrink(false);
            area.show(&mut inner, |ui| {
                ui.add(Label::new(self.galley).selectable(false));
            });
        }
        let mut over = ui.new_child(UiBuilder::new().max_rect(place).id_salt(id.with("copy")));
        over.spacing_mut().interact_size.y = BUTTON;
        let copy = button.show(&mut over);
        tooltip::offer(&copy, "Copy these lines");
        copy
    }

    /// Returns the place of a button of this `size`, and the area of the code: all of `rect` if everything fits next to
    /// the button, else the area below the button.
    fn areas(&self, rect: Rect, size: Vec2) -> (Rect, Rect) {
        let corner = rect.right_top() + vec2(-CORNER.x - size.x, CORNER.y);
        let button = Rect::from_min_size(corner, size);
        let all = rect.shrink2(MARGIN);
        let lines = self.galley.rows.iter().map(|row| row.rect);
        let mut lines = lines.map(|line| line.translate(all.min.to_vec2()).expand(2.0));
        let is_free = lines.all(|line| !line.intersects(button));
        // Half a point, because sizes are rounded.
        let fits = rect.expand(0.5).size().min(self.size()) == self.size();
        if fits && is_free {
            (button, all)
        } else {
            (button, all.with_min_y(rect.top() + BUTTON_ROW))
        }
    }
}

fn job(snippet: &Snippet, points: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let end = snippet.text.trim_end().len();
    for (range, ink, is_knob) in parts(snippet) {
        let range = range.start.min(end)..range.end.min(end);
        let format = TextFormat {
            background: if is_knob {
                theme::HOVER
            } else {
                Color32::TRANSPARENT
            },
            ..TextFormat::simple(theme::mono(points), ink)
        };
        job.append(&snippet.text[range], 0.0, format);
    }
    job
}

/// Returns the words and spaces of the code, each with its colour, and true if it is the value of a knob.
fn parts(snippet: &Snippet) -> Vec<(Range<usize>, Color32, bool)> {
    let (text, mut parts) = (&snippet.text, Vec::new());
    let mut at = 0;
    while at < text.len() {
        let next = snippet.knob_values.iter().find(|value| value.end > at);
        let until = next.map_or(text.len(), |value| value.start);
        let (length, ink, is_knob) = match next {
            Some(value) if value.start == at => (value.len(), theme::BRIGHT, true),
            _ => {
                let (length, ink) = first_word(&text[at..until]);
                (length, ink, false)
            }
        };
        parts.push((at..at + length, ink, is_knob));
        at += length;
    }
    parts
}

/// Returns the length and the colour of the comment, the word or the space at the beginning of `code`.
fn first_word(code: &str) -> (usize, Color32) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let until = |end: &dyn Fn(char) -> bool| code.find(end).unwrap_or(code.len());
    if code.starts_with("//") {
        (until(&|c| c == '\n'), theme::DIM)
    } else if code.starts_with(is_word) {
        let length = until(&|c| !is_word(c));
        let is_number = code.starts_with(|c: char| c.is_ascii_digit());
        let ink = match &code[..length] {
            word if KEYWORDS.contains(&word) => theme::DIM,
            _ if is_number => theme::BRIGHT,
            _ => theme::TEXT,
        };
        (length, ink)
    } else {
        // A single slash is an operator.
        (until(&|c| is_word(c) || c == '/').max(1), theme::TEXT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{CentralPanel, Context, RawInput, pos2};
    use timeslicer::knob::KnobValues;
    use timeslicer::strategy::STRATEGIES;

    fn in_a_window(mut test: impl FnMut(&mut Ui)) {
        let _ = Context::default().run(RawInput::default(), |ctx| {
            CentralPanel::default().show(ctx, |ui| test(ui));
        });
    }

    #[test]
    fn parts_are_the_whole_code_with_the_knobs_highlighted() {
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::default());
            let parts = parts(&snippet);
            let texts = parts.iter().map(|(range, ..)| &snippet.text[range.clone()]);
            assert_eq!(texts.collect::<String>(), snippet.text);
            let highlighted = parts.iter().filter(|(.., is_knob)| *is_knob);
            let highlighted: Vec<_> = highlighted.map(|(range, ..)| range.clone()).collect();
            assert_eq!(highlighted, snippet.knob_values);
        }
    }

    #[test]
    fn the_button_covers_no_code() {
        in_a_window(|ui| {
            for entry in STRATEGIES {
                let snippet = entry.snippet(&KnobValues::default());
                for room in [(0.0, 0.0), (300.0, 80.0), (500.0, 200.0), (700.0, 300.0)] {
                    let block = CodeBlock::new(ui, &snippet, room.into());
                    let rect = Rect::from_min_size(pos2(10.0, 20.0), room.into());
                    let (button, code) = block.areas(rect, vec2(50.0, BUTTON));
                    for row in &block.galley.rows {
                        let line = row.rect.translate(code.min.to_vec2()).intersect(code);
                        assert!(!line.intersect(button).is_positive(), "{room:?}");
                    }
                }
            }
        });
    }
}
