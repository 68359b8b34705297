//! Plot of frame times.

use super::plot::{HeadingFigure, Plot, note};
use super::scale::{TIMES, follow, rate, tallest_time};
use crate::app::charts::{FRAME_PARTS, add_stack};
use crate::app::widgets::theme;
use egui::{Align2, Color32, Mesh, Rect, Shape, Stroke, pos2, vec2};
use headless::text::format;
use timeslicer::time::Nanos;

pub fn frame_time(plot: &Plot<'_>, scale: &mut f64) -> f64 {
    let report = &plot.stats.report;
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
    let figure = |((name, ink, _), part)| (Some(ink), name, ms(report.a_frame(part)));
    let figures = FRAME_PARTS.into_iter().zip(parts).map(figure);
    let max = (None, "max", ms(report.frame.max));
    let figures: Vec<HeadingFigure<'_>> = figures.chain([max]).collect();
    let window = format!("mean ms, {}", plot.stats.caption());
    plot.heading("Frame time", &[&window, "ms"], &figures);

    let target = report.subject.pacing.target;
    let top = follow(scale, &TIMES, tallest_time(&plot.columns.frames, target));
    stacks(plot, top);
    rates(plot, target, top);
    if let Some(budget) = report.subject.budget {
        limit(plot, budget.as_millis_f64(), top);
    }
    top
}

fn stacks(plot: &Plot<'_>, top: f64) {
    let (rect, columns) = (plot.rect, plot.columns);
    // Multiply instead of divide: this runs thousands of times per picture.
    let points_a_nano = f64::from(rect.height()) / (top * 1e6);
    let y_of = |time: Nanos| {
        let height = (time.as_nanos() as f64 * points_a_nano) as f32;
        (rect.bottom() - height.min(rect.height())).round()
    };
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(columns.frames.len() / columns.each * 4 * FRAME_PARTS.len());
    for (left, frames) in columns.iter() {
        let Some(past) = frames.iter().max_by_key(|past| past.record.length) else {
            continue;
        };
        let x = left..=left + columns.width;
        add_stack(&mut mesh, x, rect.bottom(), &past.record, y_of);
        if past.record.length.as_millis_f64() > top {
            // An amber tip marks a bar that is cut off.
            let tip = Rect::from_min_size(pos2(left, rect.top()), vec2(columns.width, 6.0));
            mesh.add_colored_rect(tip, theme::AMBER);
        }
    }
    plot.painter.add(Shape::mesh(mesh));
}

fn rates(plot: &Plot<'_>, period: Nanos, top: f64) {
    let bottom = plot.rect.bottom();
    plot.axis_label(bottom, "0".to_owned(), theme::DIM);
    let mut labelled = vec![bottom];
    let is_free = |labelled: &[f32], y: f32, apart: f32| {
        labelled.iter().all(|other| (other - y).abs() > apart)
    };
    for (length, ink) in [(period, theme::DIM), (period + period, theme::AMBER)] {
        let ms = length.as_millis_f64();
        let y = plot.y(ms / top).round() - 0.5;
        plot.dashed_line(y, Stroke::new(1.0, ink.gamma_multiply(0.8)), [4.0, 3.0]);
        if y >= plot.rect.top() && is_free(&labelled, y, 12.0) {
            plot.axis_label(y, format!("{ms:.1}"), ink);
            let at = pos2(plot.rect.left() + 4.0, y - 1.0);
            note(plot.painter, at, Align2::LEFT_BOTTOM, &rate(length), ink);
            labelled.push(y);
        }
    }
    for share in [1.0, 0.5] {
        let y = plot.y(share);
        if is_free(&labelled, y, 16.0) {
            plot.axis_label(y, format::number(top * share), theme::DIM);
            labelled.push(y);
        }
    }
}

fn limit(plot: &Plot<'_>, budget_ms: f64, top: f64) {
    const INK: Color32 = theme::BRIGHT;
    if budget_ms > top {
        return;
    }
    let y = plot.y(budget_ms / top).round() - 0.5;
    plot.dashed_line(y, Stroke::new(1.2, INK), [2.0, 3.0]);
    let words = format!("budget {} ms", format::number(budget_ms));
    let at = pos2(plot.rect.right() - 4.0, y - 1.0);
    note(plot.painter, at, Align2::RIGHT_BOTTOM, &words, INK);
}
