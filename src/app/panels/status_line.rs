//! The status line below the top bar, with a badge if timings are not exact, as in a debug build.

use crate::app::widgets::buttons::warning;
use crate::app::widgets::paint::{SEPARATOR, centred};
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, Button, Color32, Galley, Layout, Rect, Sense, Stroke, Ui, UiBuilder, vec2};
use lab::text::format::number;
use lab::text::sentence::{Clause, Sentence};
use std::sync::Arc;
use timeslicer::time::Nanos;

const ONE_ROW_FONT_SIZE: f32 = 13.0;
const TWO_ROW_FONT_SIZE: f32 = 11.5;

const MIN_WIDTH_WITH_CLOCK: f32 = 560.0;

pub struct StatusLine<'a> {
    pub subject: &'a str,
    pub status: &'a Sentence,
    pub explanation: String,
    pub clock: String,
    pub simulated: bool,
    /// The resolution of the browser's clock. `None` if the times in this view do not depend on the browser's clock.
    pub clock_steps: Option<Nanos>,
}

impl StatusLine<'_> {
    pub fn show(&self, ui: &mut Ui, rect: Rect) {
        if rect.height() < 20.0 {
            return;
        }
        let layout = Layout::right_to_left(Align::Center);
        let line = UiBuilder::new().max_rect(rect).layout(layout);
        let line = &mut ui.new_child(line.id_salt("status"));
        line.set_clip_rect(rect.intersect(ui.clip_rect()));
        line.spacing_mut().item_spacing.x = 14.0;
        let painter = line.painter();
        painter.rect_filled(rect, 0.0, theme::FLOOR);
        let edge = rect.bottom() - 0.5;
        painter.hline(rect.x_range(), edge, (1.0, theme::LINE));
        line.add_space(16.0);
        if rect.width() >= MIN_WIDTH_WITH_CLOCK {
            let clock = egui::RichText::new(&self.clock).monospace();
            line.label(clock.color(theme::DIM));
        }
        badge(line, self.simulated, self.clock_steps);
        line.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add_space(16.0);
            ui.spacing_mut().item_spacing.x = 8.0;
            let (mark, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            if self.status.is_warning() {
                warning(ui.painter(), mark.center(), 5.0);
            } else {
                ui.painter().circle_filled(mark.center(), 4.5, theme::TEAL);
            }
            let words = self.fitted(ui);
            let label = ui.label(words);
            let (subject, status) = (self.subject, self.status);
            let text = format!("{subject}: {status}\n\n{}", self.explanation);
            tooltip::offer(&label, text);
        });
    }

    /// Lays out the status in one row if it fits, or else in two rows of smaller text, with as many clauses as fit.
    fn fitted(&self, ui: &Ui) -> Arc<Galley> {
        let (painter, width) = (ui.painter(), ui.available_width());
        let count = self.status.clauses.len();
        let in_one_row = self.layout_job(count, ONE_ROW_FONT_SIZE);
        // Leave out whole clauses, because a truncated number would be wrong.
        let counts = (1..=count).rev();
        let in_two_rows = counts.map(|count| self.layout_job(count, TWO_ROW_FONT_SIZE));
        paint::first_fitting(painter, [in_one_row], width, 1)
            .or_else(|| paint::first_fitting(painter, in_two_rows, width, 2))
            .unwrap_or_else(|| {
                let mut first_clause = self.layout_job(1, TWO_ROW_FONT_SIZE);
                first_clause.wrap = TextWrapping::wrap_at_width(width.max(0.0));
                first_clause.wrap.max_rows = 2;
                painter.layout_job(first_clause)
            })
    }

    fn layout_job(&self, clause_count: usize, font_size: f32) -> LayoutJob {
        let mut job = LayoutJob::default();
        let name = format!("{}:", self.subject);
        let font = theme::text(font_size + 0.5);
        job.append(&name, 0.0, centred(font, theme::BRIGHT));
        job.append("  ", 0.0, TextFormat::default());
        let clauses = &self.status.clauses;
        let shown = clauses.get(..clause_count).unwrap_or(clauses);
        add(&mut job, shown, font_size);
        if clause_count < clauses.len() {
            job.append("  …", 0.0, centred(theme::text(font_size), theme::DIM));
        }
        job
    }
}

/// Appends parts of a status message to a text layout job. Numbers are monospaced, and warnings are amber.
pub fn add(job: &mut LayoutJob, clauses: &[Clause], font_size: f32) {
    for (index, clause) in clauses.iter().enumerate() {
        if index > 0 {
            job.append(SEPARATOR, 0.0, centred(theme::text(font_size), theme::DIM));
        }
        let ink = |ink| theme::warning_or(clause.is_warning(), ink);
        let inks = [theme::TEXT, theme::BRIGHT].map(ink);
        paint::add_words(job, &clause.words, font_size, inks);
    }
}

pub fn job(clauses: &[Clause], font_size: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    add(&mut job, clauses, font_size);
    job
}

/// Returns text layout jobs for all the clauses, then without the last one, and so on down to the first one alone.
pub fn shortened(clauses: &[Clause], font_size: f32) -> impl Iterator<Item = LayoutJob> {
    let counts = (1..=clauses.len()).rev();
    counts.map(move |count| job(&clauses[..count], font_size))
}

const DEBUG_TIP: &str =
    "This is a debug build, so the program is slow. Use a release build to measure performance.";

const SIMULATED_TIP: &str = "Frame times depend only on the speed, render time and display of the simulated machine. \
     The speed of this computer does not affect the results, so they are reproducible.";

const CLOCK_TIP: &str = "The browser rounds the time of its clock to steps of this length, so measured times cannot \
     be more precise. The actual task costs are not affected.";

/// Shows a badge if timings are not exact: in debug builds, on simulated machines, or if a browser's clock is coarse.
fn badge(ui: &mut Ui, simulated: bool, clock_steps: Option<Nanos>) {
    let (text, tip) = match clock_steps.filter(|_| !simulated) {
        _ if simulated => ("simulated machine".to_owned(), SIMULATED_TIP),
        Some(steps) => (
            format!("clock: {} ms steps", number(steps.as_millis_f64())),
            CLOCK_TIP,
        ),
        None if cfg!(debug_assertions) => ("debug build".to_owned(), DEBUG_TIP),
        None => return,
    };
    // The badge is a small button, because that is as high as its text. It does not react to clicks.
    let words = egui::RichText::new(text).size(11.0).color(theme::DIM);
    let badge = Button::new(words)
        .sense(Sense::hover())
        .fill(Color32::TRANSPARENT)
        .stroke(Stroke::new(1.0, theme::LINE))
        .corner_radius(4)
        .small();
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        let badge = ui.add(badge.min_size(vec2(0.0, 18.0)));
        tooltip::offer(&badge, tip);
    });
}

#[cfg(test)]
mod tests;
