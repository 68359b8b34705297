//! Plot of the share of entities that look the wrong way in each frame.

use super::columns::{Columns, Peak};
use super::heading::{axis_label, heading};
use crate::app::widgets::theme;
use egui::{Mesh, Painter, Rect, Shape, Stroke, pos2};
use headless::history::{History, WindowStats};
use headless::text::format::percent;

/// Paints the plot. The figure "now" describes the last frame of `history`, even if that frame is out of view.
pub fn looking_wrong(
    painter: &Painter,
    plot: Rect,
    columns: &Columns<'_>,
    history: &History,
    stats: &WindowStats,
) {
    let now = history.frames().back();
    let now = now.and_then(|past| past.record.looking_wrong);
    let of = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), percent);
    heading(
        painter,
        plot,
        "Looking wrong",
        &["gaze more than 10° off the target", "more than 10° off"],
        &[
            (None, "now", of(now)),
            (
                None,
                "mean",
                of(stats.report.looking_wrong.map(|(mean, _)| mean)),
            ),
        ],
    );
    painter.rect_filled(plot, 0.0, theme::WELL);
    for share in [0.0, 0.5, 1.0] {
        let y = plot.bottom() - plot.height() * share;
        let edge = Stroke::new(1.0, theme::LINE);
        painter.hline(plot.x_range(), y.round() - 0.5, edge);
        axis_label(
            painter,
            plot,
            y,
            format!("{:.0}%", 100.0 * share),
            theme::DIM,
        );
    }
    let mut mesh = Mesh::default();
    for (left, frames) in columns.iter() {
        let shown = Peak::Wrong.of(frames);
        let share = shown.and_then(|past| past.record.looking_wrong);
        let Some(share) = share.filter(|&share| share > 0.0) else {
            continue;
        };
        // At least a point, to distinguish a small share from none.
        let height = (plot.height() * share as f32).max(1.0);
        let bar = Rect::from_min_max(
            pos2(left, (plot.bottom() - height).round()),
            pos2(left + columns.width, plot.bottom()),
        );
        mesh.add_colored_rect(bar, theme::WRONG);
    }
    painter.add(Shape::mesh(mesh));
}
