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
