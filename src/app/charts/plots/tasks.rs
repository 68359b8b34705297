//! Plot of the number of tasks in each frame.

use super::columns::{Columns, Peak};
use super::heading::{HeadingFigure, axis_label, heading};
use super::scale::{Scale, Scales};
use crate::app::widgets::theme;
use egui::{Align2, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2};
use headless::history::{History, PastFrame, WindowStats};
use headless::text::format;
use std::sync::LazyLock;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

/// Paints the plot. The figure "now" describes the last frame of `history`, even if that frame is out of view.
pub fn tasks_per_frame(
    painter: &Painter,
    plot: Rect,
    columns: &Columns<'_>,
    history: &History,
    stats: &WindowStats,
    scales: &mut Scales,
) {
    let report = &stats.report;
    let runs = |past: &&PastFrame| past.record.runs;
    let tallest = columns.frames.iter().map(runs).max().unwrap_or(0);
    let top = scales.tasks.follow(tallest.into());
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
    let backlogs = columns.frames.iter().filter(|past| has_backlog(past));
    let most = backlogs.map(|past| past.record.backlog as u64).max();
    let most = most.map(|most| (Some(theme::BRIGHT), "backlog max", format::grouped(most)));
    let figures: Vec<HeadingFigure<'_>> = figures.into_iter().chain(most).collect();
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
        let label = format::short(top * f64::from(share));
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
        let height = (plot.height() * (f64::from(runs) / top) as f32).max(2.0);
        let bar = Rect::from_min_max(
            pos2(left, (plot.bottom() - height).round()),
            pos2(left + columns.width - gap, plot.bottom()),
        );
        mesh.add_colored_rect(bar, theme::RED);
    }
    painter.add(Shape::mesh(mesh));
    backlog(painter, plot, columns, &mut scales.backlog);
}

/// Returns true if a backlog is shown for the frame: its strategy answers requests, or this computer had no time for
/// all tasks.
pub fn has_backlog(past: &PastFrame) -> bool {
    static ON_REQUEST: LazyLock<Vec<&StrategyEntry>> = LazyLock::new(|| {
        let all = STRATEGIES.iter().copied();
        all.filter(|entry| entry.on_request()).collect()
    });
    let is_on_request = |entry| ON_REQUEST.contains(&entry);
    past.record.backlog > 0 || past.strategy.is_some_and(is_on_request)
}

/// Paints the backlog after each frame as a line over the bars, with an axis of its own at the right. A strategy that
/// has a backlog in any frame in sight has a line over all of its frames.
fn backlog(painter: &Painter, plot: Rect, columns: &Columns<'_>, scale: &mut Scale) {
    let waits = |past: &&PastFrame| past.record.backlog;
    let counted = columns.frames.iter().filter(|past| has_backlog(past));
    let Some(most) = counted.clone().map(waits).max() else {
        return;
    };
    let mut with_backlog: Vec<Option<&StrategyEntry>> = Vec::new();
    for past in counted {
        if !with_backlog.contains(&past.strategy) {
            with_backlog.push(past.strategy);
        }
    }
    let top = scale.follow(most as f64);
    axis_right(painter, plot, top);
    let stroke = Stroke::new(1.6, theme::BRIGHT);
    let mut line: (Option<&StrategyEntry>, Vec<Pos2>) = (None, Vec::new());
    for (left, frames) in columns.iter() {
        let of = frames.last().and_then(|past| past.strategy);
        if of != line.0 {
            painter.add(Shape::line(std::mem::take(&mut line.1), stroke));
            line.0 = of;
        }
        if with_backlog.contains(&of) {
            let waiting = frames.iter().map(waits).max().unwrap_or(0);
            let y = plot.bottom() - 1.0 - (plot.height() - 1.0) * (waiting as f64 / top) as f32;
            line.1.push(pos2(left + columns.width / 2.0, y));
        }
    }
    if let Some(&end) = line.1.last() {
        painter.circle_filled(end, 2.5, theme::BRIGHT);
    }
    painter.add(Shape::line(line.1, stroke));
}

/// Paints the axis of the backlog.
fn axis_right(painter: &Painter, plot: Rect, top: f64) {
    let stroke = Stroke::new(1.0, theme::BRIGHT);
    let x = plot.right() + 4.0;
    painter.vline(x, plot.y_range(), stroke);
    for share in [0.0, 0.5, 1.0] {
        let y = plot.bottom() - plot.height() * share;
        painter.hline(x..=x + 4.0, y.round() - 0.5, stroke);
        let label = format::short(top * f64::from(share));
        let at = pos2(x + 7.0, y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            label,
            theme::mono(10.0),
            theme::BRIGHT,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::strategy::{every_frame, request_list};

    #[test]
    fn a_backlog_is_shown_if_there_can_be_or_is_one() {
        let shown = |strategy, backlog| {
            let mut past = PastFrame {
                strategy: Some(strategy),
                ..PastFrame::default()
            };
            past.record.backlog = backlog;
            has_backlog(&past)
        };
        assert!(!shown(&every_frame::ENTRY, 0) && shown(&every_frame::ENTRY, 19_000));
        assert!(shown(&request_list::ENTRY, 0));
    }
}
