//! What a chart shows, in points of the window. The chart is painted from this model, which also finds the mark or
//! point under the pointer.

use super::axis::Axis;
use egui::{Color32, Pos2, Rect};
use lab::catalog::strategy::StrategyEntry;

pub struct ChartModel {
    pub plot: Rect,
    pub x: Axis,
    pub y: Axis,
    /// The curves of the strategies, in the order of the legend.
    pub curves: Vec<StrategyCurve>,
    /// The marks in the order in which they are painted, so later marks cover earlier ones.
    pub marks: Vec<Mark>,
    pub bound: Option<Bound>,
    /// The x coordinate of a vertical line, and its label.
    pub vertical_line: Option<(f32, String)>,
    /// The ribbon above the plot. Empty if there is none.
    pub sections: Vec<Section>,
}

pub struct StrategyCurve {
    /// The index of the strategy.
    pub lane: usize,
    pub points: Vec<CurvePoint>,
    /// Whether the strategy is recommended, is the best at some value in the crossovers chart, or is selected.
    pub is_strong: bool,
    /// Whether the strategy's marked setting keeps all limits or, in the crossovers chart, one of its settings does.
    pub keeps_limits: bool,
}

#[derive(Clone, Copy)]
pub struct CurvePoint {
    pub at: Pos2,
    /// The index of the setting that the point shows. If an index is missing, the curve has a gap.
    pub index: usize,
    pub keeps_limits: bool,
}

/// The best setting of a strategy.
pub struct Mark {
    /// The position of the setting, or the top edge of the plot if the setting is above it.
    pub at: Pos2,
    /// The index of the strategy.
    pub lane: usize,
    pub keeps_limits: bool,
    pub is_recommended: bool,
}

/// The line that the strategies are compared with.
pub struct Bound {
    pub ends: [Pos2; 2],
    pub name: &'static str,
    pub ink: Color32,
    /// The colour of the area below the line.
    pub fill: Color32,
}

/// A part of the ribbon, which names the best strategy in a range.
pub struct Section {
    /// The best strategy, or `None` if every strategy exceeds a limit.
    pub strategy: Option<&'static StrategyEntry>,
    /// The x coordinates of the ends of the range.
    pub ends: [f32; 2],
    /// The name of the strategy and of the limit that ends the range, followed by the name alone and the strategy's key
    /// for narrow ranges.
    pub words: Vec<String>,
}

/// The mark or point under the pointer.
#[derive(Clone, Copy, PartialEq)]
pub enum Pointed {
    /// The index of a mark.
    Mark(usize),
    Point {
        lane: usize,
        index: usize,
    },
}

/// A mark or a point is under the pointer if it is at most this far away.
const POINTER_DISTANCES: [f32; 2] = [8.0, 14.0];

impl ChartModel {
    /// Returns the points of a curve that are inside the plot.
    pub fn visible_points(&self, curve: &StrategyCurve) -> impl Iterator<Item = CurvePoint> {
        let points = curve.points.iter().copied();
        points.filter(|point| self.plot.contains(point.at))
    }

    /// Returns the mark or the point that is close to the pointer. Marks come first.
    pub fn nearest(&self, pointer: Pos2) -> Option<Pointed> {
        let marks = self.marks.iter().enumerate();
        let marks = marks.map(|(index, mark)| (Pointed::Mark(index), mark.at));
        let points = self.curves.iter().flat_map(|curve| {
            let lane = curve.lane;
            let points = self.visible_points(curve);
            points.map(move |CurvePoint { at, index, .. }| (Pointed::Point { lane, index }, at))
        });
        let within = |(pointed, at): (Pointed, Pos2), reach: f32| {
            let distance = at.distance(pointer);
            (distance <= reach).then_some((distance, pointed))
        };
        let [to_mark, to_point] = POINTER_DISTANCES;
        let marks = marks.filter_map(|it| within(it, to_mark));
        let points = points.filter_map(|it| within(it, to_point));
        let closer = |one: &(f32, Pointed), other: &(f32, Pointed)| one.0.total_cmp(&other.0);
        let nearest = marks.min_by(closer).or_else(|| points.min_by(closer));
        nearest.map(|(_, pointed)| pointed)
    }
}

impl StrategyCurve {
    /// Divides the curve into solid parts, in which all points keep the limits, dotted parts, and gaps.
    pub fn parts(&self) -> Vec<(bool, Vec<Pos2>)> {
        let is_solid = |ends: &[CurvePoint]| ends.iter().all(|end| end.keeps_limits);
        let lines = self.points.windows(2);
        let lines = lines.filter(|line| line[0].index + 1 == line[1].index);
        let lines: Vec<&[CurvePoint]> = lines.collect();
        let parts = lines.chunk_by(|line, next| {
            is_solid(line) == is_solid(next) && line[1].index == next[0].index
        });
        let parts = parts.map(|lines| {
            let ends = lines.iter().map(|line| line[1].at);
            let points = std::iter::once(lines[0][0].at).chain(ends);
            (is_solid(lines[0]), points.collect())
        });
        parts.collect()
    }
}
