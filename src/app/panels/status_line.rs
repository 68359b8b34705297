//! The line below the bar, which says what is happening.

use super::timing_badge;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::theme;
use crate::text::rich::{Clause, RichText, Style};
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Align, Color32, CornerRadius, FontId, Galley, Label, Layout, Rect, Sense, Stroke, Ui,
    UiBuilder, vec2,
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
    /// Shows the line in `rect`.
    pub fn show(&self, ui: &mut Ui, rect: Rect) {
        if rect.height() < 20.0 {
            return;
        }
        let layout = Layout::right_to_left(Align::Center);
        let line = UiBuilder::new().max_rect(rect).layout(layout);
        let line = &mut ui.new_child(line.id_salt("sentence"));
        line.set_clip_rect(rect.intersect(ui.clip_rect()));
        line.spacing_mut().item_spacing.x = 14.0;
        let painter = line.painter();
        painter.rect_filled(rect, CornerRadius::ZERO, theme::FLOOR);
        let edge = Stroke::new(1.0, theme::LINE);
        painter.hline(rect.x_range(), rect.bottom() - 0.5, edge);
        line.add_space(16.0);
        let clock = egui::RichText::new(&self.clock).monospace();
        line.add(Label::new(clock.color(theme::DIM)).selectable(false));
        let roomy = rect.width() >= 1200.0;
        timing_badge::badge(line, roomy, self.simulated, self.clock_steps);
        line.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add_space(16.0);
            ui.spacing_mut().item_spacing.x = 8.0;
            let (mark, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            if self.said.is_warning() {
                warning(ui.painter(), mark.center(), 5.0);
            } else {
                ui.painter().circle_filled(mark.center(), 4.5, theme::TEAL);
            }
            let words = self.fitted(ui);
            let label = ui.add(Label::new(words).selectable(false));
            let (subject, said) = (self.subject, self.said);
            label.on_hover_text(format!("{subject}: {said}\n\n{}", self.explained));
        });
    }

    /// As much of the sentence as fits.
    fn fitted(&self, ui: &Ui) -> Arc<Galley> {
        let (painter, room) = (ui.painter(), ui.available_width().max(0.0));
        let lay = |parts| painter.layout_job(self.words(parts));
        let fits = |galley: &Galley| galley.size().x <= room;
        fitting(self.said.clauses.len(), lay, fits)
            .unwrap_or_else(|| painter.layout_job(self.cut(room)))
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
