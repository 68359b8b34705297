//! Paints the model of a chart, with a legend to its right.

use super::LABEL_FONT_SIZE;
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::strategy_bar::short_name;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::views::compare::common::selected;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use lab::catalog::strategy::{Family, STRATEGIES, StrategyEntry};
use lab::chart::{Bound, Chart, Mark, Position, Section, StrategyCurve};

const Y_LABEL_WIDTH: f32 = 44.0;
const X_LABEL_HEIGHT: f32 = 22.0;
const MIN_PLOT_SIZE: Vec2 = vec2(160.0, 50.0);
const RIBBON_HEIGHT: f32 = 16.0;
const RIBBON_GAP: f32 = 3.0;
const LEGEND_WIDTH: f32 = 132.0;
const LEGEND_GAP: f32 = 24.0;
const LEGEND_ROW_HEIGHT: f32 = 14.0;
const SAMPLE_WIDTH: f32 = 14.0;
const MIN_TICK_DISTANCES: [f32; 2] = [56.0, 18.0];
const MARK_RADIUS: f32 = 3.8;
const RING_RADIUS: f32 = 7.5;
/// A mark or a point is under the pointer if it is at most this far away.
const POINTER_DISTANCES: [f32; 2] = [8.0, 14.0];
const NO_STRATEGY_BACKGROUND: Color32 = Color32::from_rgb(0x45, 0x35, 0x20);

/// What the pointer is at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointed {
    /// The mark with this index ([`Mark::index`]).
    Mark(usize),
    /// A point of a strategy's curve, with its index ([`CurvePoint::index`](lab::chart::CurvePoint::index)).
    Point { lane: usize, index: usize },
}

/// The parts of a chart on the screen.
pub struct Regions {
    ribbon: Rect,
    pub plot: Rect,
    legend: Rect,
}

impl Regions {
    /// Divides the area of a chart. Returns `None` if there is no room for it. In a narrow area, there is no legend.
    pub fn of(area: Rect, has_ribbon: bool) -> Option<Self> {
        let (left, width) = (area.left() + Y_LABEL_WIDTH, area.width() - Y_LABEL_WIDTH);
        let legend_width = LEGEND_WIDTH + LEGEND_GAP;
        let has_legend = width >= MIN_PLOT_SIZE.x + legend_width;
        let right = area.right() - if has_legend { legend_width } else { 0.0 };
        let ribbon_height = if has_ribbon {
            RIBBON_HEIGHT + RIBBON_GAP
        } else {
            0.0
        };
        let plot = Rect::from_min_max(
            pos2(left, area.top() + ribbon_height),
            pos2(right, area.bottom() - X_LABEL_HEIGHT),
        );
        let has_room = plot.width() >= MIN_PLOT_SIZE.x && plot.height() >= MIN_PLOT_SIZE.y;
        has_room.then(|| Self {
            ribbon: plot
                .with_min_y(area.top())
                .with_max_y(area.top() + RIBBON_HEIGHT),
            plot,
            legend: area.with_min_x(right + LEGEND_GAP),
        })
    }

    fn screen(&self, at: Position) -> Pos2 {
        pos2(
            self.x(at.x),
            self.plot.bottom() - at.y as f32 * self.plot.height(),
        )
    }

    fn x(&self, fraction: f64) -> f32 {
        self.plot.left() + fraction as f32 * self.plot.width()
    }

    /// Returns the mark or the point that is close to the pointer. Marks come first.
    pub fn nearest(&self, chart: &Chart, pointer: Pos2) -> Option<Pointed> {
        let marks = chart.marks.iter();
        let marks = marks.map(|mark| (Pointed::Mark(mark.index), mark.at));
        let points = chart.curves.iter().flat_map(|curve| {
            let points = curve.points.iter().filter(|point| point.at.is_in_plot());
            points.map(|point| {
                let (lane, index) = (curve.lane, point.index);
                (Pointed::Point { lane, index }, point.at)
            })
        });
        let near = |all: &mut dyn Iterator<Item = (Pointed, Position)>, max_distance| {
            let all = all.map(|(what, at)| (self.screen(at).distance(pointer), what));
            let near = all.filter(|(distance, _)| *distance <= max_distance);
            near.min_by(|one, other| one.0.total_cmp(&other.0))
        };
        let [to_mark, to_point] = POINTER_DISTANCES;
        let mark = near(&mut marks.into_iter(), to_mark);
        let nearest = mark.or_else(|| near(&mut points.into_iter(), to_point));
        nearest.map(|(_, what)| what)
    }

    pub fn paint(
        &self,
        painter: &Painter,
        chart: &mut Chart,
        pointed: Option<Pointed>,
        state: &State,
        output: &mut UiOutput,
    ) {
        let selected = selected(state);
        // If not all names fit into the legend, the most important ones are there.
        let rows = state.compare.rows();
        chart.curves.sort_by_key(|curve| {
            let row = rows.iter().position(|lane| *lane == curve.lane);
            (!curve.is_best, curve.lane != selected, row)
        });
        painter.rect_filled(self.plot, 0.0, theme::WELL);
        self.paint_axes(painter, chart);
        let inside = painter.with_clip_rect(self.plot.intersect(painter.clip_rect()));
        if let Some(bound) = &chart.bound {
            self.paint_bound(&inside, bound);
        }
        for curve in chart.curves.iter().rev() {
            self.paint_curve(&inside, curve, curve.lane == selected, pointed);
        }
        if let Some((fraction, label)) = &chart.vertical_line {
            self.paint_vertical_line(&inside, *fraction, label);
        }
        for mark in &chart.marks {
            let is_pointed = pointed == Some(Pointed::Mark(mark.index));
            self.paint_mark(painter, mark, is_pointed);
        }
        for section in &chart.sections {
            self.show_section(painter, section, output);
        }
        self.paint_legend(painter, chart);
    }

    /// Paints the grid lines and the tick labels.
    fn paint_axes(&self, painter: &Painter, chart: &Chart) {
        let plot = self.plot;
        let line = Stroke::new(1.0, theme::LINE);
        let [across, upwards] = MIN_TICK_DISTANCES;
        for (fraction, label) in chart.x.ticks((across / plot.width()).into()) {
            let x = self.x(fraction).round() + 0.5;
            painter.vline(x, plot.y_range(), line);
            let below = pos2(x, plot.bottom() + 9.0);
            painter.text(
                below,
                Align2::CENTER_CENTER,
                label,
                theme::mono(10.0),
                theme::DIM,
            );
        }
        for (fraction, label) in chart.y.ticks((upwards / plot.height()).into()) {
            let y = self
                .screen(Position {
                    x: 0.0,
                    y: fraction,
                })
                .y
                .round()
                + 0.5;
            painter.hline(plot.x_range(), y, line);
            let beside = pos2(plot.left() - 6.0, y);
            painter.text(
                beside,
                Align2::RIGHT_CENTER,
                label,
                theme::mono(10.0),
                theme::DIM,
            );
        }
    }

    fn paint_bound(&self, painter: &Painter, bound: &Bound) {
        let ends = bound.ends.map(|end| self.screen(end));
        if bound.is_minimum {
            let tint = theme::TEAL_GROUND.gamma_multiply(0.45);
            let line = ends.iter().map(|end| (*end, tint));
            paint::fill_below(painter, line, self.plot.bottom().max(ends[1].y));
        }
        painter.extend(Shape::dashed_line(&ends, bound_stroke(bound), 4.0, 3.0));
    }

    fn paint_curve(
        &self,
        painter: &Painter,
        curve: &StrategyCurve,
        is_selected: bool,
        pointed: Option<Pointed>,
    ) {
        let ink = ink(curve.strategy);
        let is_pointed = |pointed: &Pointed| match *pointed {
            Pointed::Mark(_) => false,
            Pointed::Point { lane, .. } => lane == curve.lane,
        };
        let (width, strength) = if pointed.is_some_and(|pointed| is_pointed(&pointed)) {
            (2.4, 1.0)
        } else if curve.is_best || is_selected {
            (1.7, 1.0)
        } else {
            (1.0, 0.5)
        };
        let stroke = Stroke::new(width, ink.gamma_multiply(strength));
        let faint = Stroke::new(width * 0.7, ink.gamma_multiply(0.6 * strength));
        for (is_solid, points) in curve.parts() {
            let points: Vec<Pos2> = points.into_iter().map(|at| self.screen(at)).collect();
            if is_solid {
                painter.add(Shape::line(points, stroke));
            } else {
                painter.extend(Shape::dashed_line(&points, faint, 1.5, 3.5));
            }
        }
        for point in &curve.points {
            let at = self.screen(point.at);
            if point.keeps_limits {
                painter.circle_filled(at, width.max(1.4), stroke.color);
            }
            let (lane, index) = (curve.lane, point.index);
            if pointed == Some(Pointed::Point { lane, index }) {
                painter.circle_filled(at, 3.5, ink);
                painter.circle_stroke(at, 5.5, Stroke::new(1.0, theme::BRIGHT));
            }
        }
    }

    /// Paints a dashed line, with its label next to its upper end.
    fn paint_vertical_line(&self, painter: &Painter, fraction: f64, label: &str) {
        let x = self.x(fraction).round() + 0.5;
        let line = [self.plot.top(), self.plot.bottom()].map(|y| pos2(x, y));
        let stroke = Stroke::new(1.2, theme::TEXT);
        painter.extend(Shape::dashed_line(&line, stroke, 4.0, 3.0));
        let font = theme::text(LABEL_FONT_SIZE);
        let words = painter.layout_no_wrap(label.to_owned(), font, theme::TEXT);
        let is_right = x + 10.0 + words.size().x <= self.plot.right();
        let (side, align) = if is_right {
            (6.0, Align2::LEFT_TOP)
        } else {
            (-6.0, Align2::RIGHT_TOP)
        };
        let at = pos2(x + side, self.plot.top() + 3.0);
        let ground = theme::WELL.gamma_multiply(0.8);
        paint::label(painter, at, align, words, vec2(3.0, 1.0), ground);
    }

    /// Paints a mark. It is filled if the setting keeps all limits, and the recommended setting has a ring.
    fn paint_mark(&self, painter: &Painter, mark: &Mark, is_pointed: bool) {
        let (at, ink) = (self.screen(mark.at), ink(mark.strategy));
        let fill = if mark.keeps_limits { ink } else { theme::WELL };
        painter.circle(at, MARK_RADIUS, fill, Stroke::new(1.4, ink));
        if mark.is_recommended {
            painter.circle_stroke(at, RING_RADIUS, Stroke::new(1.2, theme::TEAL));
        }
        if is_pointed {
            painter.circle_stroke(at, RING_RADIUS - 1.7, Stroke::new(1.0, theme::BRIGHT));
        }
    }

    /// Returns the area of a mark.
    pub fn mark_area(&self, mark: &Mark) -> Rect {
        Rect::from_center_size(self.screen(mark.at), Vec2::splat(2.0 * RING_RADIUS))
    }

    /// Paints a section of the ribbon, and a vertical line at its start.
    fn show_section(&self, painter: &Painter, section: &Section, output: &mut UiOutput) {
        let [left, right] = section.ends.map(|fraction| self.x(fraction));
        let place = Rect::from_x_y_ranges(left..=right, self.ribbon.y_range());
        let key = section.strategy.map_or("none", |strategy| strategy.key);
        output.report(format!("best:{key}"), place);
        let (ground, colour, names) = match section.strategy {
            Some(strategy) => {
                let key = caps_of(Command::Strategy(strategy));
                let names = [strategy.name, short_name(strategy.name), key];
                (ink(strategy).gamma_multiply(0.35), theme::BRIGHT, names)
            }
            None => {
                let names = ["no strategy keeps all limits", "none", ""];
                (NO_STRATEGY_BACKGROUND, theme::AMBER, names)
            }
        };
        painter.rect_filled(place.shrink2(vec2(0.5, 0.0)), 3.0, ground);
        if left > self.plot.left() + 1.0 {
            let line = Stroke::new(1.0, theme::DIM.gamma_multiply(0.8));
            painter.vline(
                left.round() + 0.5,
                self.ribbon.top()..=self.plot.bottom(),
                line,
            );
        }
        let mut at = place.left_center() + vec2(5.0, 0.0);
        if section.strategy.is_none() && place.width() > 15.0 {
            warning(painter, at + vec2(4.0, 0.0), 4.0);
            at.x += 12.0;
        }
        let style = (theme::text(LABEL_FONT_SIZE), colour);
        if let Some(name) = paint::fitting(painter, names, style, right - 3.0 - at.x) {
            paint::galley(painter, at, Align2::LEFT_CENTER, name, colour);
        }
    }

    /// Paints the names of the curves and, in the last row, that of the bound.
    fn paint_legend(&self, painter: &Painter, chart: &Chart) {
        let rows = (self.legend.height() / LEGEND_ROW_HEIGHT) as usize;
        let bound = chart.bound.iter();
        let bound = bound.map(|bound| (bound.name, bound_stroke(bound), true));
        let curves = chart.curves.iter().filter(|curve| {
            let mut marks = chart.marks.iter();
            !curve.points.is_empty() || marks.any(|mark| mark.lane == curve.lane)
        });
        let curves = curves.map(|curve| {
            let stroke = Stroke::new(2.0, ink(curve.strategy));
            (curve.strategy.name, stroke, false)
        });
        let curves = curves.take(rows.saturating_sub(1));
        for (row, (name, stroke, is_dashed)) in curves.chain(bound).take(rows).enumerate() {
            let y = self.legend.top() + (row as f32 + 0.5) * LEGEND_ROW_HEIGHT;
            let left = pos2(self.legend.left(), y.round());
            let sample = [left, left + vec2(SAMPLE_WIDTH, 0.0)];
            if is_dashed {
                painter.extend(Shape::dashed_line(&sample, stroke, 4.0, 1.0));
            } else {
                painter.line_segment(sample, stroke);
            }
            let at = left + vec2(SAMPLE_WIDTH + 6.0, 0.0);
            paint::left(painter, at, name, LABEL_FONT_SIZE, theme::TEXT);
        }
    }
}

fn bound_stroke(bound: &Bound) -> Stroke {
    Stroke::new(
        1.2,
        if bound.is_minimum {
            theme::TEAL
        } else {
            theme::DIM
        },
    )
}

/// Returns the line colour of a strategy. Strategies of the same family have similar colours.
pub fn ink(strategy: &StrategyEntry) -> Color32 {
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
