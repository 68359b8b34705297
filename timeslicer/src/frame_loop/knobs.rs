//! Knobs shared by several frame loops.

use crate::knob::{Knob, KnobValues, Scale};
use crate::time::Nanos;

/// Delta of every update, in loops with a fixed step. The default gives 50 updates per second, as in "Come non perdersi
/// nel Game Loop".
///
/// The maximum is below the default debt cap, so that changing the step drops no debt.
pub const STEP: Knob = Knob {
    key: "step-ms",
    label: "Step",
    unit: "ms",
    min: 1.0,
    max: 100.0,
    default: 20.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: false,
    help: "Game time that each update advances, in loops with a fixed step.",
};

/// Maximum debt that a loop makes up for.
pub const DEBT_CAP: Knob = Knob {
    key: "debt-cap-ms",
    label: "Debt cap",
    unit: "ms",
    min: 0.0,
    max: 5_000.0,
    default: 250.0,
    scale: Scale::Logarithmic { from: 10.0 },
    whole: false,
    help: "Maximum real time that a late game makes up for; the rest is dropped. The cap is at least two steps for Fixed step, and one frame's updates for Max frame skip.",
};

/// Switch that drops debt above the cap, in loops that were published without a cap.
pub const DROP_DEBT: Knob = Knob {
    key: "drop-debt",
    label: "Drop debt above the cap",
    help: "Makes Constant FPS and Max frame skip drop debt above the cap; otherwise they make up for all of it, as published.",
    ..Knob::SWITCH
};

/// Switch for drawing between updates, in loops that return alpha. Without it the picture shows the last update, and
/// alpha is always 0. At a low update rate the difference is plain: pictures are smooth with it and jerky without.
pub const INTERPOLATE: Knob = Knob {
    key: "interpolate",
    label: "Interpolate",
    help: "Draws moving things between two updates (Fixed step and Max frame skip); otherwise each picture shows the last update.",
    ..Knob::SWITCH
};

/// Returns true if the knob [`INTERPOLATE`] is on.
pub(super) fn interpolates(knobs: &KnobValues) -> bool {
    knobs.get(&INTERPOLATE) == 1.0
}

/// Returns the debt cap of a loop that has the knobs [`DEBT_CAP`] and [`DROP_DEBT`]; `None` if debt is never dropped.
pub(super) fn debt_cap(knobs: &KnobValues) -> Option<Nanos> {
    (knobs.get(&DROP_DEBT) == 1.0).then(|| knobs.span(&DEBT_CAP))
}
