use super::knobs::{
    DEBT_CAP, DROP_DEBT, GAME_SPEED, INTERPOLATE, ONCE_PER_FRAME, SNAP, STEP, between_updates,
    debt_cap, real_step,
};
use super::{FrameLoopEntry, TunedLoop};
use crate::catalog::knob::{Knob, KnobValues};
use timeslicer::frame_loop::MaxFrameSkip;

pub const MAX_SKIP: Knob = Knob {
    key: "max-skip",
    label: "Updates per frame",
    max: 100.0,
    default: 10.0,
    help: "Maximum number of updates in one frame. If more updates are due, the game slows down.",
    ..Knob::COUNT
};

pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "max-frame-skip",
    name: "Max frame skip",
    rule: "Runs fixed-step updates until the game has caught up with the clock, up to a limit per frame, and waits \
        for the display.",
    code: "while debt, n < max: update();\ndraw(alpha);",
    source: "\"Come non perdersi nel Game Loop\" (article in Italian): the loop UPD Costante con MaxSkipFrame",
    knobs: &[
        STEP,
        MAX_SKIP,
        DEBT_CAP,
        DROP_DEBT,
        INTERPOLATE,
        SNAP,
        ONCE_PER_FRAME,
        GAME_SPEED,
    ],
    make: || {
        Box::new(MaxFrameSkip::new(
            STEP.default_span().into(),
            MAX_SKIP.default as u32,
            Some(DEBT_CAP.default_span().into()),
        ))
    },
};

impl TunedLoop for MaxFrameSkip {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_step(real_step(knobs));
        self.set_max_skip(knobs.get(&MAX_SKIP) as u32);
        self.set_cap(debt_cap(knobs));
        self.set_between_updates(between_updates(knobs));
        self.set_snap(knobs.span(&SNAP).into());
    }
}
