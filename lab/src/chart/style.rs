//! Defines the colour, the mark and the dashes of each strategy, which are the same in every SVG chart.

use crate::catalog::strategy::{STRATEGIES, StrategyEntry};

/// How a strategy is drawn. There are eleven different marks, so that up to eleven strategies can be distinguished in
/// greyscale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub colour: &'static str,
    /// The corners of the mark, for a radius of 1.
    pub mark: &'static [(f64, f64)],
    /// The lengths of dashes and gaps, as in SVG's `stroke-dasharray`.
    pub dashes: &'static str,
}

/// Colours that are dark enough for thin lines on white. If two of them look alike to a colour-blind reader, marks and
/// labels distinguish the strategies.
const COLOURS: [&str; 12] = [
    "#6e7781", "#d55e00", "#b07d00", "#0072b2", "#1f1f1f", "#b5468b", "#3d8fd1", "#8a6fc9",
    "#5b7f2b", "#7a3e1d", "#00897b", "#c2405f",
];

const MARKS: [&[(f64, f64)]; 11] = [
    // A circle.
    &[
        (1.0, 0.0),
        (0.87, 0.5),
        (0.5, 0.87),
        (0.0, 1.0),
        (-0.5, 0.87),
        (-0.87, 0.5),
        (-1.0, 0.0),
        (-0.87, -0.5),
        (-0.5, -0.87),
        (0.0, -1.0),
        (0.5, -0.87),
        (0.87, -0.5),
    ],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    &[(0.0, -1.2), (1.2, 0.9), (-1.2, 0.9)],
    &[(0.0, 1.2), (1.2, -0.9), (-1.2, -0.9)],
    &[
        (-1.1, 0.0),
        (-0.55, -0.95),
        (0.55, -0.95),
        (1.1, 0.0),
        (0.55, 0.95),
        (-0.55, 0.95),
    ],
    &[(-1.2, 0.0), (0.9, -1.2), (0.9, 1.2)],
    &[(1.2, 0.0), (-0.9, -1.2), (-0.9, 1.2)],
    // A plus.
    &[
        (-0.45, -1.25),
        (0.45, -1.25),
        (0.45, -0.45),
        (1.25, -0.45),
        (1.25, 0.45),
        (0.45, 0.45),
        (0.45, 1.25),
        (-0.45, 1.25),
        (-0.45, 0.45),
        (-1.25, 0.45),
        (-1.25, -0.45),
        (-0.45, -0.45),
    ],
    // A cross.
    &[
        (-0.65, -1.25),
        (0.0, -0.6),
        (0.65, -1.25),
        (1.25, -0.65),
        (0.6, 0.0),
        (1.25, 0.65),
        (0.65, 1.25),
        (0.0, 0.6),
        (-0.65, 1.25),
        (-1.25, 0.65),
        (-0.6, 0.0),
        (-1.25, -0.65),
    ],
    // A star.
    &[
        (0.0, -1.5),
        (0.37, -0.5),
        (1.43, -0.46),
        (0.59, 0.19),
        (0.88, 1.21),
        (0.0, 0.62),
        (-0.88, 1.21),
        (-0.59, 0.19),
        (-1.43, -0.46),
        (-0.37, -0.5),
    ],
];

const DASHES: [&str; 4] = ["", "9 3", "5 2.5", "9 3 2 3"];

impl Style {
    pub fn of(strategy: &StrategyEntry) -> Self {
        let position = STRATEGIES.iter().position(|entry| **entry == *strategy);
        let index = position.unwrap_or_default();
        Self {
            colour: COLOURS[index % COLOURS.len()],
            mark: MARKS[index % MARKS.len()],
            dashes: DASHES[index % DASHES.len()],
        }
    }
}
