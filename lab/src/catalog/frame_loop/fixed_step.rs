use super::knobs::{
    DEBT_CAP, GAME_SPEED, INTERPOLATE, ONCE_PER_FRAME, SNAP, STEP, between_updates, real_step,
};
use super::{FrameLoopEntry, TunedLoop};
use crate::catalog::knob::KnobValues;
use timeslicer::frame_loop::FixedStep;

pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "fixed-step",
    name: "Fixed step",
    rule: "Runs one update for each fixed step of real time, extrapolates the remainder when drawing (by default), \
        and waits for the display.",
    code: "while debt >= step: update();\ndraw(alpha);",
    source: "Robert Nystrom, \"Game Programming Patterns\", chapter \"Game Loop\": the last loop, with a fixed update step and variable rendering",
    knobs: &[
        STEP,
        DEBT_CAP,
        INTERPOLATE,
        SNAP,
        ONCE_PER_FRAME,
        GAME_SPEED,
    ],
    make: || {
        Box::new(FixedStep::new(
            STEP.default_span().into(),
            DEBT_CAP.default_span().into(),
        ))
    },
};

impl TunedLoop for FixedStep {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_step(real_step(knobs), knobs.span(&DEBT_CAP).into());
        self.set_between_updates(between_updates(knobs));
        self.set_snap(knobs.span(&SNAP).into());
    }
}
