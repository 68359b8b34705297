//! How many tasks ran in each frame.

use super::columns::{Columns, Shows};
use super::heading::{axis_label, heading};
use super::scale::{nice_ceiling, short};
use crate::app::theme;
use egui::{Mesh, Painter, Rect, Shape, Stroke, pos2};
use timeslice_lab::figure;
use timeslice_lab::observe::{History, PastFrame};

/// Paints the plot; `history`'s last frame is the present one, in sight or not.
pub fn tasks_per_frame(painter: &Painter, plot: Rect, columns: &Columns<'_>, history: &History) {
    let runs = |past: &&PastFrame| past.record.runs;
    let peak = columns.alike().iter().map(runs).max();
    let top = nice_ceiling(columns.frames.iter().map(runs).max().unwrap_or(0));
    let now = history.frames().back().map(|past| past.record.runs);
    let mean = columns.mean(|frame| frame.runs.into());
    let count = |count: Option<u32>| {
        count.map_or_else(|| "-".to_owned(), |count| figure::grouped(count.into()))
    };
    let figures = [
        (None, "now", count(now)),
        (
            None,
            "mean",
            mean.map_or_else(|| "-".to_owned(), figure::number),
        ),
        (None, "peak", count(peak)),
    ];
    let remarks: &[&str] = if columns.has_change() {
        &["since the last change"]
    } else {
        &[]
    };
    heading(painter, plot, "Tasks per frame", remarks, &figures);
    painter.rect_filled(plot, 0.0, theme::WELL);
    for share in [0.0, 0.5, 1.0] {
        let y = plot.bottom() - plot.height() * share;
        let edge = Stroke::new(1.0, theme::LINE);
        painter.hline(plot.x_range(), y.round() - 0.5, edge);
        let label = short(top as f64 * f64::from(share));
        axis_label(painter, plot, y, label, theme::DIM);
    }
    let mut mesh = Mesh::default();
    let gap = if columns.width > 2.0 { 1.0 } else { 0.0 };
    for (left, frames) in columns.iter() {
        let runs = Shows::Runs.pick(frames).map_or(0, |past| past.record.runs);
        if runs == 0 {
            continue;
        }
        // At least two points: a frame in which anything ran is seen.
        let height = (plot.height() * runs as f32 / top as f32).max(2.0);
        let bar = Rect::from_min_max(
            pos2(left, (plot.bottom() - height).round()),
            pos2(left + columns.width - gap, plot.bottom()),
        );
        mesh.add_colored_rect(bar, theme::RED);
    }
    painter.add(Shape::mesh(mesh));
}
