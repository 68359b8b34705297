//! A widget that shows code, with a button that copies it.

use super::buttons::KeyButton;
use super::{theme, tooltip};
use egui::scroll_area::ScrollBarVisibility;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, CornerRadius, Galley, Id, Label, Rect, Response, ScrollArea, Ui, UiBuilder, Vec2, vec2,
};
use lab::catalog::strategy::Snippet;
use std::sync::Arc;

const MARGIN: Vec2 = vec2(10.0, 6.0);
const BUTTON_MARGIN: Vec2 = vec2(6.0, 5.0);
const BUTTON_HEIGHT: f32 = 22.0;
const BUTTON_ROW_HEIGHT: f32 = 32.0;
const MIN_HEIGHT_WITH_SCROLL_BARS: f32 = 40.0;
/// The width that is reserved for a scroll bar, in points. It is less than the margin around the code, so that a scroll
/// bar does not cover any code.
pub const BAR: f32 = 5.0;

/// The tooltip for a Copy button that copies exactly the code that is shown.
pub const COPY_LINES: &str = "Copies these lines.";

pub struct CodeBlock {
    galley: Arc<Galley>,
    copy_tooltip: &'static str,
}

impl CodeBlock {
    pub fn new(ui: &Ui, snippet: &Snippet, points: f32, copy_tooltip: &'static str) -> Self {
        let galley = ui.painter().layout_job(job(snippet, points));
        Self {
            galley,
            copy_tooltip,
        }
    }

    pub fn size(&self) -> Vec2 {
        self.galley.size() + 2.0 * MARGIN
    }

    /// Returns the height that is needed to show all the code below the button.
    pub fn height_below_button(&self) -> f32 {
        BUTTON_ROW_HEIGHT + self.galley.size().y + MARGIN.y
    }

    /// Shows the code and a Copy button. The values of settings are highlighted in the code. Code that does not fit can
    /// be scrolled. Returns the response of the Copy button.
    pub fn show(self, ui: &mut Ui, rect: Rect, id: Id) -> Response {
        let copy_tooltip = self.copy_tooltip;
        let painter = ui.painter();
        painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::WELL);
        let button = KeyButton {
            words: "Copy",
            points: 12.0,
            padding: 10.0,
            name: "Copy",
            ..KeyButton::default()
        };
        let (place, code) = self.areas(rect, vec2(button.width(ui), BUTTON_HEIGHT));
        if code.is_positive() {
            // The scroll bars are in the right and the bottom margin, so that they do not cover the code.
            let place = Rect::from_min_max(code.min, rect.max);
            let mut inner = ui.new_child(UiBuilder::new().max_rect(place).id_salt(id));
            inner.spacing_mut().scroll.floating_allocated_width = BAR;
            let area = ScrollArea::both().id_salt(id).auto_shrink(false);
            let area = area.min_scrolled_width(0.0).min_scrolled_height(0.0);
            // If a block is scrolled out of view, egui would move its scroll bars into view.
            let seen = place.intersect(ui.clip_rect()).height();
            let area = area.scroll_bar_visibility(
                if seen >= place.height().min(MIN_HEIGHT_WITH_SCROLL_BARS) {
                    ScrollBarVisibility::VisibleWhenNeeded
                } else {
                    ScrollBarVisibility::AlwaysHidden
                },
            );
            area.show(&mut inner, |ui| {
                ui.add(Label::new(self.galley).selectable(false));
            });
        }
        let mut over = ui.new_child(UiBuilder::new().max_rect(place).id_salt(id.with("copy")));
        over.spacing_mut().interact_size.y = BUTTON_HEIGHT;
        let copy = button.show(&mut over);
        tooltip::offer(&copy, copy_tooltip);
        copy
    }

    /// Returns the areas of the button and of the code. If there is no room for the code next to the button, the code
    /// is placed below it.
    fn areas(&self, rect: Rect, button_size: Vec2) -> (Rect, Rect) {
        let corner = rect.right_top() + vec2(-BUTTON_MARGIN.x - button_size.x, BUTTON_MARGIN.y);
        let button = Rect::from_min_size(corner, button_size);
        let all = rect.shrink2(MARGIN);
        let lines = self.galley.rows.iter().map(|row| row.rect);
        let mut lines = lines.map(|line| line.translate(all.min.to_vec2()).expand(2.0));
        let is_free = lines.all(|line| !line.intersects(button));
        // Allow half a point of difference, because sizes are rounded.
        let fits = rect.expand(0.5).size().min(self.size()) == self.size();
        if fits && is_free {
            (button, all)
        } else {
            (button, all.with_min_y(rect.top() + BUTTON_ROW_HEIGHT))
        }
    }
}

fn job(snippet: &Snippet, points: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let text = snippet.text.trim_end();
    let mut append = |words: &str, ink: Color32, background: Color32| {
        let format = TextFormat {
            background,
            ..TextFormat::simple(theme::mono(points), ink)
        };
        job.append(words, 0.0, format);
    };
    let mut at = 0;
    for value in snippet
        .knob_values
        .iter()
        .chain([&(text.len()..text.len())])
    {
        for (words, ink) in coloured(&text[at..value.start]) {
            append(words, ink, Color32::TRANSPARENT);
        }
        append(&text[value.clone()], theme::BRIGHT, theme::HOVER);
        at = value.end;
    }
    job
}

/// Splits code into words and comments, and assigns a colour to each of them.
fn coloured(code: &str) -> Vec<(&str, Color32)> {
    let ends_word = |c: char| !c.is_alphanumeric() && c != '_';
    let mut parts = Vec::new();
    for line in code.split_inclusive('\n') {
        let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
        for word in code.split_inclusive(ends_word) {
            let ink = match word.trim_end_matches(ends_word) {
                "use" | "using" | "let" | "var" | "mut" => theme::DIM,
                word if word.starts_with(|c: char| c.is_ascii_digit()) => theme::BRIGHT,
                _ => theme::TEXT,
            };
            parts.push((word, ink));
        }
        parts.push((comment, theme::DIM));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{CentralPanel, Context, RawInput, Shape, pos2};
    use lab::catalog::knob::KnobValues;
    use lab::catalog::strategy::STRATEGIES;
    use lab::sim::world::WEIGHT_RULE;

    fn in_a_window(mut test: impl FnMut(&mut Ui)) {
        let _ = Context::default().run(RawInput::default(), |ctx| {
            CentralPanel::default().show(ctx, |ui| test(ui));
        });
    }

    #[test]
    fn the_job_is_the_whole_code_with_the_knobs_highlighted() {
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::default(), &WEIGHT_RULE);
            let job = job(&snippet, 12.0);
            assert_eq!(job.text, snippet.text.trim_end());
            let sections = job.sections.iter();
            let highlighted = sections.filter(|it| it.format.background == theme::HOVER);
            let ranges = highlighted.map(|it| it.byte_range.clone());
            let ranges = ranges.filter(|range| !range.is_empty());
            assert_eq!(ranges.collect::<Vec<_>>(), snippet.knob_values);
        }
    }

    /// Returns whether a block in `rect` shows a horizontal and a vertical scroll bar.
    fn bars(ctx: &Context, snippet: &Snippet, rect: Rect) -> [bool; 2] {
        let mut shapes = Vec::new();
        // egui knows the size of the contents only after the first layout.
        for _ in 0..3 {
            let output = ctx.run(RawInput::default(), |ctx| {
                CentralPanel::default().show(ctx, |ui| {
                    CodeBlock::new(ui, snippet, 12.0, COPY_LINES).show(ui, rect, Id::new("block"));
                });
            });
            shapes = output.shapes;
        }
        let handles = shapes.iter().filter_map(|shape| match &shape.shape {
            Shape::Rect(handle) if handle.fill.a() >= 60 => Some(handle.rect),
            _ => None,
        });
        let handles: Vec<Rect> = handles
            .filter(|it| rect.expand(1.0).contains_rect(*it))
            .collect();
        let is_thin = |thickness: f32, length: f32| thickness <= 5.0 && length >= 10.0;
        [
            handles.iter().any(|it| is_thin(it.height(), it.width())),
            handles.iter().any(|it| is_thin(it.width(), it.height())),
        ]
    }

    #[test]
    fn a_block_that_does_not_fit_shows_its_bars() {
        let ctx = Context::default();
        ctx.set_style(theme::style());
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::default(), &WEIGHT_RULE);
            let mut size = Vec2::ZERO;
            let _ = ctx.run(RawInput::default(), |ctx| {
                CentralPanel::default().show(ctx, |ui| {
                    size = CodeBlock::new(ui, &snippet, 12.0, COPY_LINES).size();
                });
            });
            let wide = size + vec2(100.0, 0.0); // the button has room next to the code
            for (room, expected) in [
                (wide, [false, false]),
                (wide - vec2(0.0, 20.0), [false, true]),
                (vec2(300.0, size.y + BUTTON_ROW_HEIGHT), [true, false]),
                (vec2(300.0, 80.0), [true, true]),
            ] {
                let rect = Rect::from_min_size(pos2(10.0, 20.0), room);
                let shown = bars(&ctx, &snippet, rect);
                assert_eq!(shown, expected, "{} in {room}", entry.key);
            }
        }
    }

    #[test]
    fn the_button_covers_no_code() {
        in_a_window(|ui| {
            for entry in STRATEGIES {
                let snippet = entry.snippet(&KnobValues::default(), &WEIGHT_RULE);
                for room in [(0.0, 0.0), (300.0, 80.0), (500.0, 200.0), (700.0, 300.0)] {
                    let block = CodeBlock::new(ui, &snippet, 12.0, COPY_LINES);
                    let rect = Rect::from_min_size(pos2(10.0, 20.0), room.into());
                    let (button, code) = block.areas(rect, vec2(50.0, BUTTON_HEIGHT));
                    for row in &block.galley.rows {
                        let line = row.rect.translate(code.min.to_vec2()).intersect(code);
                        assert!(!line.intersect(button).is_positive(), "{room:?}");
                    }
                }
            }
        });
    }
}
