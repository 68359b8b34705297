//! The plot of recent frame times in a row of the comparison table. All rows share the same scale.

use crate::app::plots::add_stack;
use crate::app::widgets::theme;
use egui::emath::GuiRounding;
use egui::{CornerRadius, Mesh, Painter, Rangef, Rect, Shape, Stroke, pos2};
use lab::comparison::strategies::Comparison;
use lab::measure::is_hitch_by_tasks;
use timeslicer::time::Nanos;

const BAR_WIDTH: f32 = 3.0;
const PLOT_MARGIN: f32 = 2.0;

/// Returns the time at the top of the plots, for the recent frames of all strategies. Bars of more than four target times
/// are cut off.
pub fn scale_end(comparison: &Comparison) -> Nanos {
    let lanes = 0..comparison.lanes.len();
    let all = lanes.flat_map(|lane| comparison.recent(lane));
    let longest = all.map(|frame| frame.length).max().unwrap_or_default();
    let target = comparison.target_period().as_nanos();
    longest.clamp(
        Nanos::from_nanos(target * 5 / 2),
        Nanos::from_nanos(target * 4),
    )
}

/// Paints a stacked bar for each recent frame, the newest on the right, and a dashed line at the target time. The part
/// of a hitch above it is amber if tasks or scheduling caused it. A bright line marks a frame after a disturbance.
pub fn paint_frame_times(
    painter: &Painter,
    area: Rect,
    comparison: &Comparison,
    lane: usize,
    scale_end: Nanos,
) {
    let target = comparison.target_period();
    painter.rect_filled(area, CornerRadius::same(3), theme::WELL);
    let pixels = painter.pixels_per_point();
    // The edges are aligned to pixels so that they look sharp.
    let bars = area.shrink(PLOT_MARGIN).round_to_pixels(pixels);
    let step = BAR_WIDTH.round_to_pixels(pixels);
    let y_of = |time: Nanos| {
        let height = bars.height() * time.over(scale_end).min(1.0) as f32;
        (bars.bottom() - height).round_to_pixels(pixels)
    };
    let fitting = (bars.width() / step) as usize;
    let mut mesh = Mesh::default();
    for (back, frame) in (1..).zip(comparison.recent(lane).iter().rev().take(fitting)) {
        let left = bars.right() - back as f32 * step;
        let x = Rangef::new(left, left + step);
        add_stack(&mut mesh, x, bars.bottom(), frame, y_of);
        if is_hitch_by_tasks(frame, target) {
            let [low, high] = [target, frame.own_length()].map(y_of);
            mesh.add_colored_rect(Rect::from_x_y_ranges(x, high..=low), theme::AMBER);
        }
        if frame.is_disturbed {
            let mark = Rect::from_x_y_ranges(left - 1.0..=left, bars.y_range());
            mesh.add_colored_rect(mark, theme::BRIGHT);
        }
    }
    painter.add(Shape::mesh(mesh));
    let y = y_of(target) + 0.5;
    let ends = [pos2(bars.left(), y), pos2(bars.right(), y)];
    let stroke = Stroke::new(1.0, theme::DIM);
    painter.extend(Shape::dashed_line(&ends, stroke, 3.0, 3.0));
}
