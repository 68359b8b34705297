//! The line below the bar, which says what is happening.

use super::timing_badge;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::theme;
use crate::text::rich::{Clause, RichText, Style};
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Align, Align2, Color32, CornerRadius, FontId, Galley, Id, Rect, Sense, Stroke, Ui, pos2, vec2,
};
use std::sync::Arc;
use timeslice::time::Nanos;

/// What the line below the bar shows.
pub struct Sentence<'a> {
    /// What it speaks of.
    pub subject: &'a str,
    /// What is happening.
    pub said: &'a RichText,
    /// What is to be known about it, in a few lines.
    pub explained: String,
    /// Where time is, at the right end.
    pub clock: String,
    /// Whether it speaks of a simulated machine.
    pub simulated: bool,
    /// The least step of the browser's clock, where that is what times are read from.
    pub clock_steps: Option<Nanos>,
}

impl Sentence<'_> {
    /// Shows it in `rect`.
    pub fn show(&self, ui: &Ui, rect: Rect) {
        if rect.height() < 20.0 {
            return;
        }
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::FLOOR);
        painter.hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, theme::LINE),
        );
        let right = rect.right_center() - vec2(16.0, 0.0);
        let clock = painter.text(
            right,
            Align2::RIGHT_CENTER,
            &self.clock,
            theme::mono(12.0),
            theme::DIM,
        );
        let badge_right = pos2(clock.left() - 14.0, rect.center().y);
        let roomy = rect.width() >= 1200.0;
        let end = timing_badge::badge(ui, badge_right, roomy, self.simulated, self.clock_steps);

        let mark = rect.left_center() + vec2(22.0, 0.0);
        if self.said.is_warning() {
            warning(&painter, mark, 5.0);
        } else {
            painter.circle_filled(mark, 4.5, theme::TEAL);
        }
        let text_rect = Rect::from_min_max(rect.min, pos2(end - 12.0, rect.bottom()));
        let left = mark.x + 14.0;
        let room = (text_rect.right() - left).max(0.0);
        let lay = |parts| painter.layout_job(self.words(parts));
        let fits = |galley: &Galley| galley.size().x <= room;
        let galley = fitting(self.said.clauses.len(), lay, fits)
            .unwrap_or_else(|| painter.layout_job(self.cut(room)));
        let at = pos2(left, rect.center().y - galley.size().y / 2.0);
        painter
            .with_clip_rect(text_rect)
            .galley(at, galley, theme::TEXT);
        let response = ui.interact(text_rect, Id::new("sentence"), Sense::hover());
        let said = &self.said;
        response.on_hover_text(format!("{}: {said}\n\n{}", self.subject, self.explained));
    }

    /// The line with so many parts of the sentence, the most important ones.
    fn words(&self, parts: usize) -> LayoutJob {
        let mut job = LayoutJob::default();
        let name = format!("{}:", self.subject);
        job.append(&name, 0.0, format(theme::text(13.5), theme::BRIGHT));
        job.append("  ", 0.0, TextFormat::default());
        let shown = self.said.clauses.get(..parts).unwrap_or_default();
        add(&mut job, shown, 13.0);
        if parts < self.said.clauses.len() {
            job.append("  …", 0.0, format(theme::text(13.0), theme::DIM));
        }
        job
    }

    /// Where not even one part fits: as much of it as does.
    fn cut(&self, width: f32) -> LayoutJob {
        LayoutJob {
            wrap: TextWrapping::truncate_at_width(width),
            ..self.words(self.said.clauses.len())
        }
    }
}

fn format(font: FontId, ink: Color32) -> TextFormat {
    TextFormat {
        valign: Align::Center,
        ..TextFormat::simple(font, ink)
    }
}

/// As many of a sentence's parts, the most important ones, as fit whole: half a figure would be a false one. None where
/// not even one does.
pub fn fitting(
    parts: usize,
    lay: impl Fn(usize) -> Arc<Galley>,
    fits: impl Fn(&Galley) -> bool,
) -> Option<Arc<Galley>> {
    (1..=parts).rev().map(lay).find(|galley| fits(galley))
}

/// Appends `clauses` to `job` in a font of `points`: figures monospaced, warnings in amber.
pub fn add(job: &mut LayoutJob, clauses: &[Clause], points: f32) {
    let add = |job: &mut LayoutJob, text: &str, before: f32, font: FontId, ink: Color32| {
        job.append(text, before, format(font, ink));
    };
    for (index, clause) in clauses.iter().enumerate() {
        if index > 0 {
            add(job, "  ·  ", 0.0, theme::text(points), theme::DIM);
        }
        for span in &clause.spans {
            let is_figure = span.style == Style::Figure;
            let ink = match (clause.is_warning(), is_figure) {
                (true, _) => theme::AMBER,
                (false, true) => theme::BRIGHT,
                (false, false) => theme::TEXT,
            };
            let font = if is_figure {
                theme::mono(points)
            } else {
                theme::text(points)
            };
            // A space of the words' font is too narrow beside a monospaced figure.
            let beside_a_figure = is_figure || span.text.starts_with(' ');
            let begins = job.text.is_empty();
            let before = if beside_a_figure && !begins { 1.5 } else { 0.0 };
            add(job, &span.text, before, font, ink);
        }
    }
}
