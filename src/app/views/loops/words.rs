//! Words of a row: the loop's name, whether it is reproducible, its summary and its code.

use super::WORDS;
use crate::app::panels::status_line;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::theme;
use egui::{Align2, Color32, Galley, Painter, Pos2, Rect, pos2};
use headless::experiment::loop_race::LoopRow;
use headless::text::rich::RichText;
use timeslicer::frame_loop::FrameLoopEntry;

/// Name of the column: whether the loop plays the same game on both machines.
pub const COLUMN: &str = "Reproducible";
/// Right end of the words, from the row's left.
pub const RIGHT: f32 = WORDS - 14.0;
const LEFT: f32 = 16.0;
/// The loop's code is shown if this height is left above it.
const WITH_CODE: f32 = 82.0;

pub struct Words<'a> {
    row: &'a LoopRow,
    summary: RichText,
}

impl<'a> Words<'a> {
    pub fn new(row: &'a LoopRow) -> Self {
        let summary = row.summary();
        Self { row, summary }
    }

    /// Returns `yes` or `no`, its colour, and the reason.
    fn reproducible(&self) -> (&'static str, Color32, &'static str) {
        match self.row.is_reproducible() {
            Some(true) => ("yes", theme::TEAL, "both machines take the same steps"),
            Some(false) => ("no", theme::BRIGHT, "each machine takes its own steps"),
            None => ("–", theme::DIM, "not known yet"),
        }
    }

    /// Returns the tooltip of the row: the whole summary, which may not fit into the row, and the loop's rule.
    pub fn hover_text(&self) -> String {
        let mut text = self.summary.to_string();
        if !text.is_empty() {
            text.push('\n');
        }
        let (answer, _, reason) = self.reproducible();
        let FrameLoopEntry {
            name, rule, source, ..
        } = self.row.entry;
        format!(
            "{text}{name}: {rule}\n{COLUMN}: {answer}, {reason}.\nSource: {source}\nClick to run it in Grid."
        )
    }

    /// Paints the loop's name. Returns its right end.
    fn name(&self, painter: &Painter, card: Rect) -> Pos2 {
        let at = card.left_top() + egui::vec2(LEFT, 18.0);
        let name = self.row.entry.name;
        let font = theme::text(13.5);
        let place = painter.text(at, Align2::LEFT_CENTER, name, font, theme::BRIGHT);
        pos2(place.right(), at.y)
    }

    /// Paints the name and the answer in one line, for a row without room for more words.
    pub fn paint_in_a_line(&self, painter: &Painter, card: Rect) {
        let end = self.name(painter, card);
        let (answer, ink, _) = self.reproducible();
        let mut left = end.x + 16.0;
        for (text, ink) in [
            (format!("{}: ", COLUMN.to_lowercase()), theme::DIM),
            (answer.to_owned(), ink),
        ] {
            let at = pos2(left, end.y);
            let place = painter.text(at, Align2::LEFT_CENTER, text, theme::text(12.0), ink);
            left = place.right();
        }
    }

    /// Paints the loop's name, whether it is reproducible, its summary, and its code if there is room.
    pub fn paint(&self, painter: &Painter, card: Rect) {
        let end = self.name(painter, card);
        if self.summary.is_warning() {
            warning(painter, pos2(end.x + 14.0, end.y), 4.0);
        }
        let (answer, ink, _) = self.reproducible();
        let at = pos2(card.left() + RIGHT, end.y);
        painter.text(at, Align2::RIGHT_CENTER, answer, theme::text(13.5), ink);

        let left = card.left() + LEFT;
        let code = self.row.entry.code.to_owned();
        let code = painter.layout_no_wrap(code, theme::mono(10.0), theme::DIM);
        let mut bottom = card.bottom();
        let above_code = bottom - 9.0 - code.size().y;
        if above_code - card.top() >= WITH_CODE {
            bottom = above_code;
            painter.galley(pos2(left, bottom), code, theme::DIM);
        }
        let rows = ((bottom - card.top() - 36.0) / 16.0).max(1.0) as usize;
        let width = WORDS - 2.0 * LEFT;
        let fits = |galley: &Galley| galley.rows.len() <= rows;
        let clauses = &self.summary.clauses;
        let galley =
            status_line::fitting(painter, clauses, 12.0, width, fits).unwrap_or_else(|| {
                let rule = self.row.entry.rule;
                let mut job = egui::text::LayoutJob::simple(
                    rule.to_owned(),
                    theme::text(12.0),
                    theme::DIM,
                    width,
                );
                job.wrap.max_rows = rows;
                painter.layout_job(job)
            });
        painter.galley(pos2(left, card.top() + 32.0), galley, theme::TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::experiment::loop_race::Race;
    use timeslicer::time::Nanos;

    #[test]
    fn the_tooltip_has_the_whole_summary_and_the_answer() {
        let mut race = Race::default();
        let first = Words::new(&race.rows()[0]).hover_text();
        assert!(first.starts_with(race.rows()[0].entry.name), "{first}");
        race.advance(Nanos::from_secs(3));
        for row in race.rows() {
            let words = Words::new(row);
            let (answer, _, reason) = words.reproducible();
            let expected = match row.is_reproducible() {
                Some(true) => "yes",
                Some(false) => "no",
                None => "–",
            };
            assert_eq!(answer, expected);
            let text = words.hover_text();
            assert!(text.starts_with(&words.summary.to_string()), "{text}");
            for part in [row.entry.rule, &format!("{COLUMN}: {answer}, {reason}")] {
                assert!(text.contains(part), "{text}");
            }
        }
    }
}
