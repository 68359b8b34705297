//! Defines the colour and the mark of each strategy, which are the same in every SVG chart.

use crate::catalog::strategy::{STRATEGIES, StrategyEntry};

/// How a strategy is drawn. Strategies with the same mark have different colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub colour: &'static str,
    /// The corners of the mark, for a radius of 1.
    pub mark: &'static [(f64, f64)],
}

/// Colours that are dark enough for thin lines on white. Colour-blind readers have the marks and the legend.
const COLOURS: [&str; 12] = [
    "#6e7781", "#d55e00", "#b07d00", "#0072b2", "#1f1f1f", "#b5468b", "#3d8fd1", "#8a6fc9",
    "#5b7f2b", "#7a3e1d", "#00897b", "#c2405f",
];

const MARKS: [&[(f64, f64)]; 6] = [
    // An octagon, which looks like a circle.
    &[
        (1.0, 0.4),
        (0.4, 1.0),
        (-0.4, 1.0),
        (-1.0, 0.4),
        (-1.0, -0.4),
        (-0.4, -1.0),
        (0.4, -1.0),
        (1.0, -0.4),
    ],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    &[(0.0, -1.2), (1.2, 0.9), (-1.2, 0.9)],
    &[(0.0, 1.2), (1.2, -0.9), (-1.2, -0.9)],
    &[(-1.2, 0.0), (0.9, -1.2), (0.9, 1.2)],
];

impl Style {
    pub fn of(strategy: &StrategyEntry) -> Self {
        let position = STRATEGIES.iter().position(|entry| **entry == *strategy);
        let index = position.unwrap_or_default();
        Self {
            colour: COLOURS[index % COLOURS.len()],
            mark: MARKS[index % MARKS.len()],
        }
    }
}
