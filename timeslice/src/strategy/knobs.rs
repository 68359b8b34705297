//! Knobs shared by several strategies.

use crate::knob::{Knob, Scale};

/// Wanted time between two runs of a task.
pub const INTERVAL: Knob = Knob {
    key: "interval-s",
    label: "Interval",
    unit: "s",
    min: 0.0,
    max: 10.0,
    default: 0.5,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "Wanted time between two runs of a task; zero runs tasks in every update.",
};

/// Time that an update may spend on tasks.
///
/// The published value is 1000/30 ms, a whole frame at 30 frames per second, which leaves nothing for the rest of the
/// game. The default is a quarter of a frame at 60 Hz.
pub const BUDGET: Knob = Knob {
    key: "budget-ms",
    label: "Budget",
    unit: "ms",
    min: 0.0,
    max: 100.0,
    default: 4.0,
    scale: Scale::Logarithmic { from: 0.1 },
    whole: false,
    help: "Time that each update may spend on tasks; at least one waiting task always runs.",
};
