//! Knobs that several frame loops share: each is one knob, whichever loop runs.

use crate::knob::{Knob, KnobValues, Scale};
use crate::time::Nanos;

/// The delta of an update, if it is fixed: 20 ms are 50 updates a second, as in the Italian article.
///
/// Within its range, the debt that a change of step leaves over (less than 0.1 s) is below the debt cap's default.
pub const STEP: Knob = Knob {
    key: "step-ms",
    label: "Step",
    unit: "ms",
    min: 1.0,
    max: 100.0,
    default: 20.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: false,
    help: "The game time that one update advances, in the loops whose step is fixed.",
};

/// The most debt that a loop makes up for.
pub const DEBT_CAP: Knob = Knob {
    key: "debt-cap-ms",
    label: "Debt cap",
    unit: "ms",
    min: 0.0,
    max: 5_000.0,
    default: 250.0,
    scale: Scale::Logarithmic { from: 10.0 },
    whole: false,
    help: "The most real time that a late game makes up for (with fixed steps no less than a frame's updates may); the rest is dropped.",
};

/// Whether debt beyond the cap is dropped.
pub const DROP_DEBT: Knob = Knob {
    key: "drop-debt",
    label: "Drop debt",
    unit: "",
    min: 0.0,
    max: 1.0,
    default: 1.0,
    scale: Scale::Linear,
    whole: true,
    help: "Whether constant-fps and max-frame-skip drop debt beyond the cap (1), or make up for all of it, as published (0).",
};

/// The most debt that a loop with both knobs makes up for; `None` if it makes up for all.
pub(super) fn debt_cap(knobs: &KnobValues) -> Option<Nanos> {
    (knobs.get(&DROP_DEBT) == 1.0).then(|| Nanos::from_millis_f64(knobs.get(&DEBT_CAP)))
}
