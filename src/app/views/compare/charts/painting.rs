//! Paints the shapes of a chart, and finds what the pointer is at.

use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};
use lab::catalog::strategy::{Family, STRATEGIES, StrategyEntry};
use lab::chart::Chart;
use lab::chart::scene::{
    Anchor, Font, Ink, Layout, MarkKind, Pattern, Point, Pointed, RIBBON_SPACE, Shape,
};

pub const FONT_SIZE: f32 = 11.0;
const Y_LABEL_WIDTH: f32 = 44.0;
const X_LABEL_HEIGHT: f32 = 22.0;
const MIN_PLOT_SIZE: Vec2 = vec2(160.0, 50.0);
const LEGEND_WIDTH: f32 = 138.0;
const LEGEND_GAP: f32 = 22.0;
const LEGEND_ROW_HEIGHT: f32 = 14.0;
pub const RING_RADIUS: f32 = 7.5;
/// A mark or a point is under the pointer if it is at most this far away.
const POINTER_DISTANCES: [f64; 2] = [8.0, 14.0];

/// Lays out a chart in an area. Returns `None` if there is no room for it. In a narrow area, there is no legend.
pub fn layout(
    area: Rect,
    has_ribbon: bool,
    text_width: &dyn Fn(&str) -> f64,
) -> Option<Layout<'_>> {
    let mut plot = area;
    plot.min.x += Y_LABEL_WIDTH;
    plot.min.y += if has_ribbon { RIBBON_SPACE as f32 } else { 0.0 };
    plot.max.y -= X_LABEL_HEIGHT;
    let has_legend = plot.width() >= MIN_PLOT_SIZE.x + LEGEND_GAP + LEGEND_WIDTH;
    if has_legend {
        plot.max.x -= LEGEND_GAP + LEGEND_WIDTH;
    }
    let legend_rows = (area.bottom() - plot.top()) / LEGEND_ROW_HEIGHT;
    let has_room = plot.width() >= MIN_PLOT_SIZE.x && plot.height() >= MIN_PLOT_SIZE.y;
    has_room.then(|| Layout {
        left: plot.left().into(),
        top: plot.top().into(),
        width: plot.width().into(),
        height: plot.height().into(),
        legend: (plot.right() + LEGEND_GAP).into(),
        legend_rows: if has_legend { legend_rows as usize } else { 0 },
        legend_row_height: LEGEND_ROW_HEIGHT.into(),
        font_size: FONT_SIZE.into(),
        text_width,
    })
}

pub fn plot_area(layout: &Layout<'_>) -> Rect {
    let corners = [[layout.left, layout.top], [layout.right(), layout.bottom()]];
    let [min, max] = corners.map(screen);
    Rect::from_min_max(min, max)
}

pub fn screen([x, y]: Point) -> Pos2 {
    pos2(x as f32, y as f32)
}

/// Returns the mark or the point that is close to the pointer. Marks come first.
pub fn nearest(chart: &Chart, layout: &Layout<'_>, pointer: Pos2) -> Option<Pointed> {
    let marks = chart.marks.iter();
    let marks = marks.map(|mark| (Pointed::Mark(mark.index), mark.at));
    let points = chart.curves.iter().flat_map(|curve| {
        let points = curve.points.iter().filter(|point| point.at.is_in_plot());
        points.map(|point| {
            let (lane, index) = (curve.lane, point.index);
            (Pointed::Point { lane, index }, point.at)
        })
    });
    let [to_mark, to_point] = POINTER_DISTANCES;
    let all = marks
        .map(|it| (it, to_mark))
        .chain(points.map(|it| (it, to_point)));
    let near = all.filter_map(|((pointed, at), max_distance)| {
        let distance = f64::from(screen(layout.at(at)).distance(pointer));
        let is_mark = matches!(pointed, Pointed::Mark(_));
        (distance <= max_distance).then_some((!is_mark, distance, pointed))
    });
    let nearest = near.min_by(|one, other| {
        let distance = one.1.total_cmp(&other.1);
        one.0.cmp(&other.0).then(distance)
    });
    nearest.map(|(.., pointed)| pointed)
}

/// Paints the shapes of a chart.
pub fn paint(painter: &Painter, plot: Rect, shapes: Vec<Shape>) {
    painter.rect_filled(plot, 0.0, theme::WELL);
    let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
    let choose = |is_in_plot| if is_in_plot { &inside } else { painter };
    let on_screen = |points: Vec<Point>| points.into_iter().map(screen).collect::<Vec<Pos2>>();
    for shape in shapes {
        match shape {
            Shape::Area {
                corners,
                ink,
                opacity,
                is_in_plot,
            } => {
                let fill = colour(ink).gamma_multiply(opacity as f32);
                let area = egui::Shape::convex_polygon(on_screen(corners), fill, Stroke::NONE);
                choose(is_in_plot).add(area);
            }
            Shape::Line {
                points,
                stroke,
                is_in_plot,
            } => {
                let ink = colour(stroke.ink).gamma_multiply(stroke.opacity as f32);
                let pen = Stroke::new(stroke.width as f32, ink);
                let (mut points, painter) = (on_screen(points), choose(is_in_plot));
                if !is_in_plot {
                    // Horizontal and vertical lines are sharp at the centres of pixels.
                    points = points
                        .iter()
                        .map(|at| at.round() + vec2(0.5, 0.5))
                        .collect();
                }
                match stroke.pattern {
                    Pattern::Solid => {
                        painter.add(egui::Shape::line(points, pen));
                    }
                    Pattern::Dashed => {
                        painter.extend(egui::Shape::dashed_line(&points, pen, 4.0, 3.0));
                    }
                    Pattern::Dotted => {
                        painter.extend(egui::Shape::dashed_line(&points, pen, 1.5, 3.5));
                    }
                }
            }
            Shape::Mark {
                at,
                radius,
                strategy,
                is_filled,
                kind,
            } => {
                let (at, ink) = (screen(at), strategy_colour(strategy));
                let fill = if is_filled { ink } else { theme::WELL };
                painter.circle(at, radius as f32 - 0.5, fill, Stroke::new(1.0, ink));
                let ring = match kind {
                    MarkKind::Plain => continue,
                    MarkKind::Recommended => theme::TEAL,
                    MarkKind::Pointed => theme::BRIGHT,
                };
                painter.circle_stroke(at, RING_RADIUS, Stroke::new(1.2, ring));
            }
            Shape::Text {
                at,
                anchor,
                ink,
                font,
                words,
            } => {
                let align = match anchor {
                    Anchor::Start => Align2::LEFT_CENTER,
                    Anchor::Middle => Align2::CENTER_CENTER,
                    Anchor::End => Align2::RIGHT_CENTER,
                };
                let is_bold = font == Font::Bold;
                let font = if font == Font::Figures {
                    theme::mono(10.0)
                } else {
                    theme::text(FONT_SIZE)
                };
                let colour = if is_bold { theme::BRIGHT } else { colour(ink) };
                painter.text(screen(at), align, words, font, colour);
            }
        }
    }
}

pub fn text_width(painter: &Painter) -> impl Fn(&str) -> f64 + '_ {
    |words| paint::width(painter, words, FONT_SIZE).into()
}

fn colour(ink: Ink) -> Color32 {
    match ink {
        Ink::Ground => theme::WELL,
        Ink::Grid => theme::LINE,
        Ink::Axis | Ink::Dim => theme::DIM,
        Ink::Text => theme::TEXT,
        Ink::Strategy(strategy) => strategy_colour(strategy),
        Ink::Minimum => theme::TEAL,
        Ink::Exceeded => theme::AMBER,
    }
}

/// Returns the line colour of a strategy. Strategies of the same family have similar colours.
pub fn strategy_colour(strategy: &StrategyEntry) -> Color32 {
    let shades: &[u32] = match strategy.family {
        Family::Periodic => &[
            0xb9_b2_a6, 0xd9_a9_bf, 0xb8_c7_8f, 0xf3_f0_ea, 0xa8_c4_cf, 0xd8_cc_9a,
        ],
        Family::OnRequest => &[0xd0_92_6c, 0xa8_77_5e],
        Family::BySignificance => &[0x6f_b5_f2, 0x8f_8f_f5, 0xc3_9b_f7],
    };
    let of_family = STRATEGIES
        .iter()
        .filter(|entry| entry.family == strategy.family);
    let index = of_family.take_while(|entry| **entry != strategy).count();
    let [_, red, green, blue] = shades[index % shades.len()].to_be_bytes();
    Color32::from_rgb(red, green, blue)
}
