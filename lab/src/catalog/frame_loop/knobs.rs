//! The adjustable parameters that several frame loops share.

use crate::catalog::knob::{Knob, KnobValues, Scale};
use std::time::Duration;
use timeslicer::frame_loop::BetweenUpdates;
use timeslicer::time::Nanos;

/// The default gives 50 updates per second, as in the article "Come non perdersi nel Game Loop".
pub const STEP: Knob = Knob {
    key: "step-ms",
    label: "Step",
    min: 1.0,
    // Less than the default of `DEBT_CAP`, because the game can be almost a whole step behind. If the user shortens a
    // long step, the loop should not drop that time.
    max: 100.0,
    default: 20.0,
    help: "Game time that passes in each update, if the frame loop uses a fixed step.",
    ..Knob::MILLIS
};

/// The frame loop Unsynced does not have this knob, because it does not follow a clock.
pub const GAME_SPEED: Knob = Knob {
    key: "game-speed",
    label: "Game speed",
    unit: "x",
    min: 0.1,
    max: 10.0,
    default: 1.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Game time that should pass per second of real time, as with fast forward. With a fixed step, more updates run \
        per second. With other loops, each update advances the game further.",
    ..Knob::NUMBER
};

pub const DEBT_CAP: Knob = Knob {
    key: "debt-cap-ms",
    label: "Debt cap",
    max: 5_000.0,
    default: 250.0,
    scale: Scale::Logarithmic { from: 10.0 },
    help: "Maximum real time that the game catches up on when it is late. The rest is dropped. The cap is at least two \
        steps for Fixed step, and for Max frame skip, at least as many steps as a frame may have updates.",
    ..Knob::MILLIS
};

pub const DROP_DEBT: Knob = Knob {
    key: "drop-debt",
    label: "Drop debt above the cap",
    default: 1.0,
    help: "Makes Constant FPS and Max frame skip drop debt above the cap. If this is off, both loops catch up on all \
        debt, as in the original articles.",
    ..Knob::SWITCH
};

/// The values 0, 1 and 2 select the variants of [`BetweenUpdates`].
pub const INTERPOLATE: Knob = Knob {
    key: "interpolate",
    label: "Between updates",
    max: 2.0,
    default: 1.0,
    whole: true,
    choices: &["last update", "ahead", "between"],
    help: "What Fixed step and Max frame skip draw between two updates: the last update (0), so motion is jerky; a \
        moment after it (1), which overshoots when the direction changes; or a moment between the last two updates \
        (2), which is one step late.",
    ..Knob::NUMBER
};

pub const SNAP: Knob = Knob {
    key: "snap-ms",
    label: "Snap",
    unit: "ms",
    max: 10.0,
    default: 1.0,
    help: "Maximum time by which Fixed step and Max frame skip run an update early or late, so that clock jitter does not \
        change the number of updates per frame. It is limited to a quarter of a step. At 0, updates run exactly when due.",
    ..Knob::NUMBER
};

pub const ONCE_PER_FRAME: Knob = Knob {
    key: "once-per-frame",
    label: "Tasks once per frame",
    help: "Runs tasks once in each rendered frame, with the time since the last frame, instead of in each update of Fixed \
        step and Max frame skip. Births, deaths and requests also happen once per frame. Only motion has a fixed step.",
    ..Knob::SWITCH
};

/// Returns how much real time a fixed step represents. It is the step divided by the game speed.
pub(super) fn real_step(knobs: &KnobValues) -> Duration {
    let step = knobs.span(&STEP).as_nanos() as f64;
    Nanos::from_nanos_f64(step / knobs.get(&GAME_SPEED)).into()
}

/// Returns the maximum amount of time that a loop catches up on, or `None` if there is no maximum because the knob
/// [`DROP_DEBT`] is off.
pub(super) fn debt_cap(knobs: &KnobValues) -> Option<Duration> {
    (knobs.get(&DROP_DEBT) == 1.0).then(|| knobs.span(&DEBT_CAP).into())
}

pub fn between_updates(knobs: &KnobValues) -> BetweenUpdates {
    match knobs.get(&INTERPOLATE) {
        0.0 => BetweenUpdates::LastUpdate,
        1.0 => BetweenUpdates::Extrapolated,
        _ => BetweenUpdates::Interpolated,
    }
}
