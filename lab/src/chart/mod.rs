//! The two charts of a sweep as one model, which the window and the SVG files draw. A [`Chart`] says what is drawn where,
//! and nothing about colours, fonts or pixels.
//!
//! - `trade_off`: staleness over the fraction of time that is spent on tasks, for all strategies with different values
//!   of their main knobs
//! - `crossovers`: the best strategy for each value of another knob
//! - `axis`: scales and ticks; `scene`: draws the model on a canvas as lines, areas, marks and texts
//! - `svg`: a canvas that writes SVG, and the white card around the plot, for a README or for print; `words`: the
//!   sentences on the card; `style`: the colours and marks of strategies on it

mod axis;
mod crossovers;
pub mod scene;
mod style;
pub mod svg;
#[cfg(test)]
mod tests;
mod trade_off;
mod words;

pub use axis::Axis;
pub use crossovers::crossovers;
pub use trade_off::{MarkedSetting, TradeOff};

use crate::catalog::strategy::StrategyEntry;

#[derive(Clone, Debug)]
pub struct Chart {
    pub x: Axis,
    pub y: Axis,
    /// The curves of the strategies, in the order of the legend.
    pub curves: Vec<StrategyCurve>,
    /// The last marks are drawn over the others.
    pub marks: Vec<Mark>,
    pub bound: Option<Bound>,
    /// A vertical line: its position as a fraction of the plot's width, and its label.
    pub vertical_line: Option<(f64, String)>,
    /// The ribbon above the plot. Empty if there is none.
    pub sections: Vec<Section>,
}

/// A position in the plot (or outside), as fractions of its width and its height from the lower left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub x: f64,
    pub y: f64,
}

impl Position {
    /// Returns the position of two values on the horizontal and the vertical axis.
    fn on([x, y]: [&Axis; 2], values: [f64; 2]) -> Self {
        Self {
            x: x.at(values[0]),
            y: y.at(values[1]),
        }
    }

    pub fn is_in_plot(self) -> bool {
        [self.x, self.y]
            .iter()
            .all(|fraction| (0.0..=1.0).contains(fraction))
    }
}

#[derive(Clone, Debug)]
pub struct StrategyCurve {
    /// The index of the strategy.
    pub lane: usize,
    pub strategy: &'static StrategyEntry,
    pub points: Vec<CurvePoint>,
    /// Whether the strategy is recommended, is the best at some value in crossovers, or is selected in the window.
    pub is_strong: bool,
    /// Whether the marked settings of the strategy keep all limits or, for crossovers, its best settings do at some value.
    pub keeps_limits: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    pub at: Position,
    /// The index of the point in what the curve was made from.
    pub index: usize,
    pub keeps_limits: bool,
}

impl StrategyCurve {
    /// Divides the curve into parts, solid ones if both ends of each line keep all limits. Missing points leave gaps.
    pub fn parts(&self) -> Vec<(bool, Vec<Position>)> {
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

/// A setting that has a mark of its own.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub strategy: &'static StrategyEntry,
    /// The position of the setting, or the top edge of the plot if the setting is above it.
    pub at: Position,
    /// The index of the setting in [`TradeOff::marked`].
    pub index: usize,
    pub keeps_limits: bool,
    pub is_recommended: bool,
}

/// The line that the strategies are compared with.
#[derive(Clone, Debug)]
pub struct Bound {
    pub ends: [Position; 2],
    pub name: &'static str,
    /// Whether no strategy can be below the line.
    pub is_minimum: bool,
}

/// A part of the ribbon, which names the best strategy in a range.
#[derive(Clone, Debug)]
pub struct Section {
    /// The best strategy, or `None` if every strategy exceeds a limit.
    pub strategy: Option<&'static StrategyEntry>,
    /// The ends of the range, as fractions of the plot's width.
    pub ends: [f64; 2],
    /// The name of the strategy and of the limit that ends the range, followed by shorter words for a narrow range.
    pub words: Vec<String>,
}
