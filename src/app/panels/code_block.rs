//! A block of code, with a button that copies it.

use super::bar::CommandButton;
use crate::app::input::output::UiOutput;
use crate::app::state::command::Command;
use crate::app::widgets::theme;
use egui::scroll_area::ScrollBarVisibility;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, Galley, Id, Layout, Rect, ScrollArea, Ui, UiBuilder, Vec2, vec2};
use std::sync::Arc;

const MARGIN: Vec2 = vec2(10.0, 6.0);
const BUTTON_MARGIN: Vec2 = vec2(6.0, 5.0);
const BUTTON_HEIGHT: f32 = 22.0;
const BUTTON_SPACE: f32 = 52.0;
const MIN_HEIGHT_WITH_SCROLL_BARS: f32 = 40.0;
/// The width of a scroll bar, in points, which is less than the margin around the code, so that it covers no code.
pub const BAR: f32 = 5.0;

/// The tooltip for a Copy button that copies exactly the code that is shown.
pub const COPY_LINES: &str = "Copies these lines.";

pub struct CodeBlock {
    galley: Arc<Galley>,
    copy_tooltip: &'static str,
}

impl CodeBlock {
    pub fn new(ui: &Ui, code: &str, points: f32, copy_tooltip: &'static str) -> Self {
        let galley = ui.painter().layout_job(job(code, points));
        Self {
            galley,
            copy_tooltip,
        }
    }

    /// Returns the size at which all the code is visible and the block is high enough for the button.
    pub fn size(&self) -> Vec2 {
        let button_height = BUTTON_HEIGHT + 2.0 * BUTTON_MARGIN.y;
        (self.galley.size() + 2.0 * MARGIN).max(vec2(0.0, button_height))
    }

    /// Returns true if the button would cover code in a block of this width.
    fn reaches_button(&self, width: f32) -> bool {
        let bottom = BUTTON_MARGIN.y + BUTTON_HEIGHT - MARGIN.y;
        let rows = self.galley.rows.iter();
        let mut covered = rows.take_while(|row| row.rect.top() < bottom);
        covered.any(|row| MARGIN.x + row.rect.right() > width - BUTTON_SPACE)
    }

    /// Shows the code, with a button that gives the command `copy` in its top right corner or beside it. Code that does
    /// not fit can be scrolled.
    pub fn show(self, ui: &mut Ui, rect: Rect, id: Id, copy: Command, output: &mut UiOutput) {
        ui.painter().rect_filled(rect, theme::RADIUS, theme::WELL);
        let code = rect.shrink2(MARGIN);
        if code.is_positive() {
            // The scroll bars are in the right and the bottom margin, so that they do not cover the code.
            let mut place = Rect::from_min_max(code.min, rect.max);
            if self.reaches_button(rect.width()) {
                place.max.x = (place.max.x - BUTTON_SPACE).max(place.min.x);
            }
            let mut inner = ui.new_child(UiBuilder::new().max_rect(place).id_salt(id));
            inner.spacing_mut().scroll.floating_allocated_width = BAR;
            // If a block is scrolled out of view, egui would move its scroll bars into view.
            let visible_height = place.intersect(ui.clip_rect()).height();
            let scroll_bars = if visible_height >= place.height().min(MIN_HEIGHT_WITH_SCROLL_BARS) {
                ScrollBarVisibility::VisibleWhenNeeded
            } else {
                ScrollBarVisibility::AlwaysHidden
            };
            let area = ScrollArea::both()
                .auto_shrink(false)
                .min_scrolled_width(0.0)
                .min_scrolled_height(0.0)
                .scroll_bar_visibility(scroll_bars);
            area.show(&mut inner, |ui| {
                ui.label(self.galley);
            });
        }
        let button = CommandButton {
            log_name: "button:Copy".to_owned(),
            points: 12.0,
            padding: 10.0,
            command: Some(copy),
            tip: self.copy_tooltip.to_owned(),
            ..CommandButton::new("Copy", "", false)
        };
        let layout = Layout::right_to_left(Align::Min);
        let corner = rect.shrink2(BUTTON_MARGIN);
        let builder = UiBuilder::new().max_rect(corner).layout(layout);
        let mut over = ui.new_child(builder.id_salt(id.with("copy")));
        over.spacing_mut().interact_size.y = BUTTON_HEIGHT;
        button.show(&mut over, output);
    }
}

fn job(code: &str, points: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (words, ink) in coloured(code.trim_end()) {
        job.append(words, 0.0, TextFormat::simple(theme::mono(points), ink));
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

    #[test]
    fn the_job_is_the_whole_code() {
        let code = "let mut a = 2; // b\nuse c;\n";
        assert_eq!(job(code, 12.0).text, code.trim_end());
    }
}
