//! Plot of frame times.

use super::columns::Columns;
use super::heading::{HeadingFigure, axis_label, heading, note};
use super::scale::{Scale, rate, tallest_time};
use crate::app::widgets::theme;
use egui::{Align2, Color32, Mesh, Painter, Rect, Shape, Stroke, pos2, vec2};
use headless::history::WindowStats;
use headless::sim::lane::FrameRecord;
use headless::text::format;
use timeslicer::time::Nanos;

/// A part of a frame's time: name, colour and length.
type TimePart = (&'static str, Color32, fn(&FrameRecord) -> Nanos);
/// The parts of a bar, from the bottom.
const PARTS: [TimePart; 4] = [
    ("tasks", theme::TASKS, |frame| frame.task_time),
    ("scheduling", theme::SCHEDULING, |frame| frame.scheduling),
    ("drawing", theme::DRAWING, |frame| frame.drawing),
    ("waiting", theme::WAITING, |frame| frame.waiting),
];

/// Paints the plot. Returns the top of its scale, in milliseconds.
pub fn frame_time(
    painter: &Painter,
    plot: Rect,
    columns: &Columns<'_>,
    stats: &WindowStats,
    scale: &mut Scale,
) -> f64 {
    let report = &stats.report;
    let ms = |time: Nanos| {
        let text = (report.frames > 0).then(|| format::millis(time));
        text.unwrap_or("-".to_owned())
    };
    let parts = [
        report.task_time,
        report.scheduling,
        report.drawing,
        report.waiting,
    ];
    let mut figures: Vec<HeadingFigure<'_>> = PARTS
        .iter()
        .zip(parts)
        .map(|((name, ink, _), part)| (Some(*ink), *name, ms(report.a_frame(part))))
        .collect();
    figures.push((None, "max", ms(report.frame.max)));
    let window = format!("mean ms, {}", stats.caption());
    heading(painter, plot, "Frame time", &[&window, "ms"], &figures);

    painter.rect_filled(plot, 0.0, theme::WELL);
    let target = report.subject.pacing.target;
    let top = scale.follow(tallest_time(&columns.frames, target));
    stacks(painter, plot, columns, top);
    rates(painter, plot, target, top);
    if let Some(budget) = report.subject.budget {
        limit(painter, plot, budget, top);
    }
    top
}

fn stacks(painter: &Painter, plot: Rect, columns: &Columns<'_>, top: f64) {
    // Multiply instead of divide: this runs thousands of times per picture.
    let points_a_nano = f64::from(plot.height()) / (top * 1e6);
    let y_of = |time: Nanos| {
        let height = (time.as_nanos() as f64 * points_a_nano) as f32;
        (plot.bottom() - height.min(plot.height())).round()
    };
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(columns.frames.len() / columns.each * 4 * PARTS.len());
    for (left, frames) in columns.iter() {
        let Some(past) = frames.iter().max_by_key(|past| past.record.length) else {
            continue;
        };
        let right = left + columns.width;
        let (mut sum, mut low) = (Nanos::ZERO, plot.bottom());
        for (_, ink, part) in PARTS {
            sum += part(&past.record);
            let high = y_of(sum);
            if high < low {
                let bar = Rect::from_min_max(pos2(left, high), pos2(right, low));
                mesh.add_colored_rect(bar, ink);
                low = high;
            }
        }
        if past.record.length.as_millis_f64() > top {
            // An amber tip marks a bar that is cut off.
            let tip = Rect::from_min_size(pos2(left, plot.top()), vec2(columns.width, 6.0));
            mesh.add_colored_rect(tip, theme::AMBER);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints the axis, and lines at the display's rate and half of it.
fn rates(painter: &Painter, plot: Rect, period: Nanos, top: f64) {
    axis_label(painter, plot, plot.bottom(), "0".to_owned(), theme::DIM);
    let mut labelled = vec![plot.bottom()];
    let is_free = |labelled: &[f32], y: f32, apart: f32| {
        labelled.iter().all(|other| (other - y).abs() > apart)
    };
    for (length, ink) in [(period, theme::DIM), (period + period, theme::AMBER)] {
        let ms = length.as_millis_f64();
        let y = (plot.bottom() - plot.height() * (ms / top) as f32).round() - 0.5;
        let dashes = Shape::dashed_line(
            &[pos2(plot.left(), y), pos2(plot.right(), y)],
            Stroke::new(1.0, ink.gamma_multiply(0.8)),
            4.0,
            3.0,
        );
        painter.extend(dashes);
        if y >= plot.top() && is_free(&labelled, y, 12.0) {
            axis_label(painter, plot, y, format!("{ms:.1}"), ink);
            let at = pos2(plot.left() + 4.0, y - 1.0);
            note(painter, at, Align2::LEFT_BOTTOM, &rate(length), ink);
            labelled.push(y);
        }
    }
    for share in [1.0, 0.5] {
        let y = plot.bottom() - plot.height() * share;
        if is_free(&labelled, y, 16.0) {
            let label = format::number(top * f64::from(share));
            axis_label(painter, plot, y, label, theme::DIM);
            labelled.push(y);
        }
    }
}

/// Paints a line at the budget.
fn limit(painter: &Painter, plot: Rect, budget: Nanos, top: f64) {
    let height = plot.height() * (budget.as_millis_f64() / top) as f32;
    if height > plot.height() {
        return;
    }
    let y = (plot.bottom() - height).round() - 0.5;
    let ends = [pos2(plot.left(), y), pos2(plot.right(), y)];
    let stroke = Stroke::new(1.2, theme::BRIGHT);
    painter.extend(Shape::dashed_line(&ends, stroke, 2.0, 3.0));
    let words = format!("budget {} ms", format::number(budget.as_millis_f64()));
    let at = pos2(plot.right() - 4.0, y - 1.0);
    note(painter, at, Align2::RIGHT_BOTTOM, &words, theme::BRIGHT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_frame_time() {
        let frame = FrameRecord {
            task_time: Nanos::from_millis(1),
            scheduling: Nanos::from_millis(2),
            drawing: Nanos::from_millis(4),
            waiting: Nanos::from_millis(8),
            ..FrameRecord::default()
        };
        let sum: Nanos = PARTS.iter().map(|(_, _, part)| part(&frame)).sum();
        assert_eq!(sum, Nanos::from_millis(15));
    }
}
