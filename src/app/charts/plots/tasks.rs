//! Plot of the number of tasks in each frame.

use super::columns::{Columns, Peak};
use super::heading::{axis_label, heading, note};
use super::scale::nice_ceiling;
use crate::app::widgets::theme;
use crate::history::{History, PastFrame, WindowStats};
use crate::text::format;
use egui::{Align2, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2};

/// Paints the plot. The figure "now" describes the last frame of `history`, even if that frame is out of view.
pub fn tasks_per_frame(
    painter: &Painter,
    plot: Rect,
    columns: &Columns<'_>,
    history: &History,
    stats: &WindowStats,
) {
    let report = &stats.report;
    let runs = |past: &&PastFrame| past.record.runs;
    let top = nice_ceiling(columns.frames.iter().map(runs).max().unwrap_or(0));
    let nothing = || "-".to_owned();
    let now = history.frames().back().map(|past| past.record.runs);
    let of = |figure: String| {
        if report.frames > 0 { figure } else { nothing() }
    };
    let figures = [
        (
            None,
            "now",
            now.map_or_else(nothing, |runs| format::grouped(runs.into())),
        ),
        (None, "mean", of(format::number(report.mean_runs()))),
        (None, "peak", of(format::grouped(report.peak_runs.into()))),
    ];
    heading(
        painter,
        plot,
        "Tasks per frame",
        &[&stats.caption()],
        &figures,
    );
    painter.rect_filled(plot, 0.0, theme::WELL);
    for share in [0.0, 0.5, 1.0] {
        let y = plot.bottom() - plot.height() * share;
        let edge = Stroke::new(1.0, theme::LINE);
        painter.hline(plot.x_range(), y.round() - 0.5, edge);
        let label = format::short(top as f64 * f64::from(share));
        axis_label(painter, plot, y, label, theme::DIM);
    }
    let mut mesh = Mesh::default();
    let gap = if columns.width > 2.0 { 1.0 } else { 0.0 };
    for (left, frames) in columns.iter() {
        let runs = Peak::Runs.of(frames).map_or(0, |past| past.record.runs);
        if runs == 0 {
            continue;
        }
        // At least two points, so that a single run is visible.
        let height = (plot.height() * runs as f32 / top as f32).max(2.0);
        let bar = Rect::from_min_max(
            pos2(left, (plot.bottom() - height).round()),
            pos2(left + columns.width - gap, plot.bottom()),
        );
        mesh.add_colored_rect(bar, theme::RED);
    }
    painter.add(Shape::mesh(mesh));
    if report.subject.strategy.on_request() {
        backlog(painter, plot, columns);
    }
}

/// Paints the backlog after each frame as a line over the bars, on a scale of its own with the maximum at the top.
fn backlog(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    let waits = |past: &&PastFrame| past.record.backlog;
    let most = columns.frames.iter().map(waits).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let height = plot.height() - 6.0;
    let points: Vec<Pos2> = columns
        .iter()
        .map(|(left, frames)| {
            let waiting = frames.iter().map(waits).max().unwrap_or(0);
            let y = plot.bottom() - 1.0 - height * waiting as f32 / most as f32;
            pos2(left + columns.width / 2.0, y)
        })
        .collect();
    if let Some(&end) = points.last() {
        painter.circle_filled(end, 2.5, theme::BRIGHT);
    }
    painter.add(Shape::line(points, Stroke::new(1.6, theme::BRIGHT)));
    // The label is at the left end, because the backlog is usually smallest there.
    let most = format!("backlog up to {}", format::grouped(most as u64));
    let at = pos2(plot.left() + 4.0, plot.bottom() - 2.0);
    note(painter, at, Align2::LEFT_BOTTOM, &most, theme::BRIGHT);
}
