//! The colour, the dashes and the mark of each strategy, the same in every chart.

use super::drawing::Stroke;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

/// The shape that marks a strategy's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Circle,
    Square,
    Diamond,
    Up,
    Down,
}

/// How a strategy looks. With sixty strategies, no two have the same colour and the same mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub colour: &'static str,
    pub mark: Mark,
    pub dashes: &'static str,
}

/// Colours that are dark enough for thin lines on white. Marks and labels tell apart what looks alike in grey or to a
/// colour-blind reader.
const COLOURS: [&str; 12] = [
    "#6e7781", "#d55e00", "#b07d00", "#0072b2", "#1f1f1f", "#b5468b", "#3d8fd1", "#8a6fc9",
    "#5b7f2b", "#7a3e1d", "#00897b", "#c2405f",
];

const MARKS: [Mark; 5] = [
    Mark::Circle,
    Mark::Square,
    Mark::Diamond,
    Mark::Up,
    Mark::Down,
];

const DASHES: [&str; 4] = ["", "9 3", "5 2.5", "9 3 2 3"];

impl Style {
    pub fn of(strategy: &StrategyEntry) -> Self {
        let place = STRATEGIES.iter().position(|entry| **entry == *strategy);
        let place = place.unwrap_or_default();
        Self {
            colour: COLOURS[place % COLOURS.len()],
            mark: MARKS[place % MARKS.len()],
            dashes: DASHES[place % DASHES.len()],
        }
    }

    /// Returns the stroke of the strategy's curve.
    pub fn curve(self) -> Stroke {
        Stroke {
            dashes: self.dashes,
            ..Stroke::solid(self.colour, 1.5)
        }
    }
}
