//! Knobs that several frame loops share.

use super::Frame;
use crate::knob::{Knob, KnobValues, Scale};
use crate::time::Nanos;

/// Delta of every update in loops with a fixed step. The default gives 50 updates per second, as in the article "Come
/// non perdersi nel Game Loop".
///
/// The maximum is below the default debt cap, so that a change of the step drops no debt.
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
    help: "Maximum real time that a late game catches up on; the rest is dropped. The cap is at least two steps for \
        Fixed step, and at least one frame's updates for Max frame skip.",
};

/// Switch for dropping debt above the cap, in loops that were published without a cap.
pub const DROP_DEBT: Knob = Knob {
    key: "drop-debt",
    label: "Drop debt above the cap",
    help: "Makes Constant FPS and Max frame skip drop debt above the cap. If this is off, they catch up on all of it, \
        as in the original articles.",
    ..Knob::SWITCH
};

/// Selects the [`BetweenUpdates`] mode, which decides what a frame shows if it is drawn between two updates.
///
/// The differences are easy to see at a low update rate: motion is jerky, overshoots at turns, or lags.
pub const INTERPOLATE: Knob = Knob {
    key: "interpolate",
    label: "Between updates",
    unit: "",
    min: 0.0,
    max: 2.0,
    default: 1.0,
    scale: Scale::Linear,
    whole: true,
    help: "What Fixed step and Max frame skip draw between two updates. 0 draws the last update, so motion is jerky; 1 \
        extrapolates from it by the remainder, which overshoots when the motion turns; 2 interpolates between the \
        last two updates, which is one step late.",
};

/// What a frame shows if it is drawn between two updates: the three values of the knob [`INTERPOLATE`].
///
/// In all three modes, a moving thing is drawn at `current + alpha * (current - previous)`. The two values are its
/// positions after the last update and after the update before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetweenUpdates {
    /// The last update: alpha is 0. Motion is jerky unless every frame has the same number of updates.
    LastUpdate,
    /// A moment after the last update, by extrapolation: alpha is from 0 to 1. Motion is smooth and on time, but
    /// overshoots if a thing turns or stops before the next update. This is the default.
    Extrapolated,
    /// A moment between the last two updates: alpha is from -1 to 0. Motion is smooth and exact, but a whole step late.
    Interpolated,
}

impl BetweenUpdates {
    /// Returns the mode that the knob [`INTERPOLATE`] selects.
    pub fn of(knobs: &KnobValues) -> Self {
        match knobs.get(&INTERPOLATE) {
            0.0 => Self::LastUpdate,
            1.0 => Self::Extrapolated,
            _ => Self::Interpolated,
        }
    }

    /// Returns alpha for a frame that is due `remainder` after the last update, and sets [`Frame::late`].
    pub(super) fn alpha(self, frame: &mut Frame<'_>, remainder: Nanos, step: Nanos) -> f64 {
        let fraction = remainder.over(step);
        match self {
            Self::LastUpdate => {
                frame.late = remainder;
                0.0
            }
            Self::Extrapolated => fraction,
            Self::Interpolated => {
                frame.late = step;
                fraction - 1.0
            }
        }
    }
}

/// Returns the debt cap of a loop that has the knobs [`DEBT_CAP`] and [`DROP_DEBT`], or `None` if debt is never
/// dropped.
pub(super) fn debt_cap(knobs: &KnobValues) -> Option<Nanos> {
    (knobs.get(&DROP_DEBT) == 1.0).then(|| knobs.span(&DEBT_CAP))
}
