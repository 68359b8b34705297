//! Paints a chart, and finds what the pointer is at.

use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use lab::catalog::strategy::{Family, STRATEGIES, StrategyEntry};
use lab::chart::scene::{
    self, Anchor, Canvas, Font, Ink, Layout, MarkKind, Pattern, Point, Pointed, RIBBON_SPACE,
};
use lab::chart::{Chart, Position};

pub const FONT_SIZE: f32 = 11.0;
const Y_LABEL_WIDTH: f32 = 44.0;
const X_LABEL_HEIGHT: f32 = 22.0;
const MIN_PLOT_SIZE: Vec2 = vec2(160.0, 50.0);
const LEGEND_WIDTH: f32 = 138.0;
const LEGEND_GAP: f32 = 22.0;
const LEGEND_ROW_HEIGHT: f32 = 14.0;
pub const RING_RADIUS: f32 = 7.5;
/// A mark or a point is under the pointer if it is at most this far away.
const POINTER_DISTANCES: [f32; 2] = [8.0, 14.0];

/// Lays out a chart in an area. Returns `None` if there is no room for it. In a narrow area, there is no legend.
pub fn layout(area: Rect, has_ribbon: bool) -> Option<Layout> {
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
    })
}

pub fn plot_area(layout: &Layout) -> Rect {
    let corners = [[layout.left, layout.top], [layout.right(), layout.bottom()]];
    let [min, max] = corners.map(screen);
    Rect::from_min_max(min, max)
}

pub fn screen([x, y]: Point) -> Pos2 {
    pos2(x as f32, y as f32)
}

/// Returns the mark or the point that is close to the pointer. Marks come first.
pub fn nearest(chart: &Chart, layout: &Layout, pointer: Pos2) -> Option<Pointed> {
    let marks = chart.marks.iter();
    let marks = marks.map(|mark| (Pointed::Mark(mark.index), mark.at));
    let points = chart.curves.iter().flat_map(|curve| {
        let points = curve.points.iter().filter(|point| point.at.is_in_plot());
        points.map(|point| {
            let (lane, index) = (curve.lane, point.index);
            (Pointed::Point { lane, index }, point.at)
        })
    });
    let within = |(pointed, at): (Pointed, Position), reach: f32| {
        let distance = screen(layout.at(at)).distance(pointer);
        (distance <= reach).then_some((distance, pointed))
    };
    let [to_mark, to_point] = POINTER_DISTANCES;
    let marks = marks.filter_map(|it| within(it, to_mark));
    let points = points.filter_map(|it| within(it, to_point));
    let closer = |one: &(f32, Pointed), other: &(f32, Pointed)| one.0.total_cmp(&other.0);
    let nearest = marks.min_by(closer).or_else(|| points.min_by(closer));
    nearest.map(|(_, pointed)| pointed)
}

struct PlotPainter<'a> {
    painter: &'a Painter,
    /// The painter that is clipped to the plot.
    inside: Painter,
}

impl PlotPainter<'_> {
    fn choose(&self, is_in_plot: bool) -> &Painter {
        if is_in_plot {
            &self.inside
        } else {
            self.painter
        }
    }
}

pub fn paint(
    painter: &Painter,
    plot: Rect,
    chart: &Chart,
    layout: &Layout,
    pointed: Option<Pointed>,
) {
    painter.rect_filled(plot, 0.0, theme::WELL);
    let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
    let mut canvas = PlotPainter { painter, inside };
    scene::draw(&mut canvas, chart, layout, pointed, &[]);
}

impl Canvas for PlotPainter<'_> {
    fn text_width(&self, words: &str) -> f64 {
        paint::width(self.painter, words, FONT_SIZE).into()
    }

    fn area(&mut self, corners: &[Point], ink: Ink, opacity: f64, is_in_plot: bool) {
        let fill = colour(ink).gamma_multiply(opacity as f32);
        let corners = corners.iter().copied().map(screen).collect();
        let area = Shape::convex_polygon(corners, fill, Stroke::NONE);
        self.choose(is_in_plot).add(area);
    }

    fn line(&mut self, points: &[Point], stroke: scene::Stroke, is_in_plot: bool) {
        let painter = self.choose(is_in_plot);
        let ink = colour(stroke.ink).gamma_multiply(stroke.opacity as f32);
        let pen = Stroke::new(stroke.width as f32, ink);
        let points = points.iter().map(|&point| {
            let at = screen(point);
            // Horizontal and vertical lines are sharp at the centres of pixels.
            if is_in_plot {
                at
            } else {
                at.round() + vec2(0.5, 0.5)
            }
        });
        let points: Vec<Pos2> = points.collect();
        match stroke.pattern {
            Pattern::Solid => {
                painter.add(Shape::line(points, pen));
            }
            Pattern::Dashed => painter.extend(Shape::dashed_line(&points, pen, 4.0, 3.0)),
            Pattern::Dotted => painter.extend(Shape::dashed_line(&points, pen, 1.5, 3.5)),
        }
    }

    fn mark(
        &mut self,
        at: Point,
        radius: f64,
        strategy: &'static StrategyEntry,
        is_filled: bool,
        kind: MarkKind,
    ) {
        let (at, ink) = (screen(at), strategy_colour(strategy));
        let fill = if is_filled { ink } else { theme::WELL };
        let painter = self.painter;
        painter.circle(at, radius as f32 - 0.5, fill, Stroke::new(1.0, ink));
        let ring = match kind {
            MarkKind::Plain => return,
            MarkKind::Recommended => theme::TEAL,
            MarkKind::Pointed => theme::BRIGHT,
        };
        painter.circle_stroke(at, RING_RADIUS, Stroke::new(1.2, ring));
    }

    fn text(&mut self, at: Point, anchor: Anchor, ink: Ink, font: Font, words: &str) {
        let align = match anchor {
            Anchor::Start => Align2::LEFT_CENTER,
            Anchor::Middle => Align2::CENTER_CENTER,
            Anchor::End => Align2::RIGHT_CENTER,
        };
        let (font, colour) = match font {
            Font::Plain => (theme::text(FONT_SIZE), colour(ink)),
            Font::Bold => (theme::text(FONT_SIZE), theme::BRIGHT),
            Font::Figures => (theme::mono(10.0), colour(ink)),
        };
        self.painter.text(screen(at), align, words, font, colour);
    }
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
            0xb9_b2_a6, 0xd9_a9_bf, 0xb8_c7_8f, 0xf3_f0_ea, 0xa8_c4_cf, 0xd8_cc_9a, 0x8e_b8_a2,
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
