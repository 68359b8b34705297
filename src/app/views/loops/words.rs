//! Words of a row: the loop's name, whether it is reproducible, its summary and its code.

use super::{WITH_CODE, WORDS};
use crate::app::panels::status_line;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::theme;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, Galley, Painter, Rect, pos2};
use headless::text::rich::RichText;
use timeslicer::frame_loop::FrameLoopEntry;

/// Name of the column: whether the loop plays the same game on both machines.
pub const COLUMN: &str = "Reproducible";
/// Right end of the words, from the row's left.
pub const RIGHT: f32 = WORDS - 14.0;
const LEFT: f32 = 16.0;

/// Words of a row.
pub struct Words<'a> {
    pub entry: &'static FrameLoopEntry,
    pub summary: &'a RichText,
    /// Whether both machines play the same game; `None` before that is known.
    pub reproducible: Option<bool>,
}

impl Words<'_> {
    /// Returns `yes` or `no`, its colour, and the reason.
    fn reproducible(&self) -> (&'static str, Color32, &'static str) {
        match self.reproducible {
            Some(true) => ("yes", theme::TEAL, "both machines take the same steps"),
            Some(false) => ("no", theme::BRIGHT, "each machine takes its own steps"),
            None => ("–", theme::DIM, "not known yet"),
        }
    }

    /// Returns the tooltip of the row: the whole summary, which may not fit into the row, and the loop's rule.
    pub fn hover_text(&self) -> String {
        let summary = if self.summary.clauses.is_empty() {
            String::new()
        } else {
            format!("{}\n", self.summary)
        };
        let (answer, _, reason) = self.reproducible();
        let FrameLoopEntry {
            name, rule, source, ..
        } = self.entry;
        format!(
            "{summary}{name}: {rule}\n{COLUMN}: {answer}, {reason}.\nSource: {source}\nClick to run it in Grid."
        )
    }

    /// Paints the loop's name. Returns its right end.
    fn name(&self, painter: &Painter, card: Rect) -> f32 {
        let at = pos2(card.left() + LEFT, card.top() + 18.0);
        let font = theme::text(13.5);
        let place = painter.text(
            at,
            Align2::LEFT_CENTER,
            self.entry.name,
            font,
            theme::BRIGHT,
        );
        place.right()
    }

    /// Paints the name and the answer in one line, for a row without room for more words.
    pub fn paint_in_a_line(&self, painter: &Painter, card: Rect) {
        let end = self.name(painter, card);
        let (answer, ink, _) = self.reproducible();
        let at = pos2(end + 16.0, card.top() + 18.0);
        let words = format!("{}: ", COLUMN.to_lowercase());
        let font = theme::text(12.0);
        let column = painter.text(at, Align2::LEFT_CENTER, words, font.clone(), theme::DIM);
        let at = pos2(column.right(), at.y);
        painter.text(at, Align2::LEFT_CENTER, answer, font, ink);
    }

    /// Paints the loop's code at the bottom of a row with room for it. Returns its top.
    fn code(&self, painter: &Painter, card: Rect) -> Option<f32> {
        let font = theme::mono(10.0);
        let galley = painter.layout_no_wrap(self.entry.code.to_owned(), font, theme::DIM);
        let top = card.bottom() - 9.0 - galley.size().y;
        (top - card.top() >= WITH_CODE).then(|| {
            painter.galley(pos2(card.left() + LEFT, top), galley, theme::DIM);
            top
        })
    }

    /// Paints the loop's name, whether it is reproducible, its summary and its code.
    pub fn paint(&self, painter: &Painter, card: Rect) {
        let end = self.name(painter, card);
        if self.summary.is_warning() {
            warning(painter, pos2(end + 14.0, card.top() + 18.0), 4.0);
        }
        let (answer, ink, _) = self.reproducible();
        let at = pos2(card.left() + RIGHT, card.top() + 18.0);
        painter.text(at, Align2::RIGHT_CENTER, answer, theme::text(13.5), ink);

        let code = self.code(painter, card);
        let room = card.height() - 36.0 - code.map_or(0.0, |code| card.bottom() - code);
        let wrap = TextWrapping {
            max_width: WORDS - 2.0 * LEFT,
            max_rows: (room / 16.0).max(1.0) as usize,
            ..TextWrapping::default()
        };
        let lay = |parts: usize| {
            let mut job = LayoutJob {
                wrap: wrap.clone(),
                ..LayoutJob::default()
            };
            status_line::add(&mut job, &self.summary.clauses[..parts], 12.0);
            painter.layout_job(job)
        };
        let fits = |galley: &Galley| !galley.elided;
        let galley =
            status_line::fitting(self.summary.clauses.len(), lay, fits).unwrap_or_else(|| {
                let format = egui::TextFormat::simple(theme::text(12.0), theme::DIM);
                let mut job = LayoutJob {
                    wrap: wrap.clone(),
                    ..LayoutJob::default()
                };
                job.append(self.entry.rule, 0.0, format);
                painter.layout_job(job)
            });
        let at = pos2(card.left() + LEFT, card.top() + 32.0);
        painter.galley(at, galley, theme::TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::experiment::loop_race::Race;
    use timeslicer::time::Nanos;

    fn hover_text(race: &Race, row: usize) -> String {
        let row = &race.rows()[row];
        let words = Words {
            entry: row.entry,
            summary: &row.summary(),
            reproducible: row.is_reproducible(),
        };
        words.hover_text()
    }

    #[test]
    fn the_tooltip_begins_with_the_whole_summary() {
        let mut race = Race::default();
        let entry = race.rows()[0].entry;
        let text = hover_text(&race, 0);
        assert!(text.starts_with(entry.name), "{text}");
        race.advance(Nanos::from_secs(3));
        let summary = race.rows()[0].summary();
        assert!(summary.clauses.len() > 2);
        let text = hover_text(&race, 0);
        assert!(text.starts_with(&summary.to_string()), "{text}");
        assert!(text.contains(entry.rule), "{text}");
    }

    #[test]
    fn the_tooltip_has_the_reason_of_the_answer() {
        let mut race = Race::default();
        race.advance(Nanos::from_secs(3));
        for (index, row) in race.rows().iter().enumerate() {
            let words = Words {
                entry: row.entry,
                summary: &RichText::default(),
                reproducible: row.is_reproducible(),
            };
            let (answer, _, reason) = words.reproducible();
            let expected = match row.is_reproducible() {
                Some(true) => "yes",
                Some(false) => "no",
                None => "–",
            };
            assert_eq!(answer, expected);
            let text = hover_text(&race, index);
            assert!(
                text.contains(&format!("{COLUMN}: {answer}, {reason}")),
                "{text}"
            );
        }
    }
}
