//! Knobs that several strategies share.

use crate::knob::{Knob, Scale};

/// The time between two runs of a task.
pub const INTERVAL: Knob = Knob {
    key: "interval-s",
    label: "Interval",
    unit: "s",
    min: 0.0,
    max: 10.0,
    default: 0.5,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "The wanted time between two runs of a task; zero is every update.",
};

/// The time that an update may spend on tasks.
///
/// As published it is 1000/30 ms, a whole frame at 30 pictures a second, which leaves the game nothing. A quarter of
/// a frame at 60 Hz leaves three quarters for everything else.
pub const BUDGET: Knob = Knob {
    key: "budget-ms",
    label: "Budget",
    unit: "ms",
    min: 0.0,
    max: 100.0,
    default: 4.0,
    scale: Scale::Logarithmic { from: 0.1 },
    whole: false,
    help: "The time that an update may spend on tasks; one task runs whatever the budget.",
};
