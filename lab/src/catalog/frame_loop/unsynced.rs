use super::knobs::STEP;
use super::{FrameLoopEntry, TunedLoop};
use crate::catalog::knob::KnobValues;
use timeslicer::frame_loop::Unsynced;

pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "unsynced",
    name: "Unsynced",
    rule: "Runs one fixed-step update per frame and never waits, so the game runs faster on a faster machine.",
    code: "update(); draw();",
    source: "Robert Nystrom, \"Game Programming Patterns\", chapter \"Game Loop\": the first loop",
    knobs: &[STEP],
    make: || Box::new(Unsynced::new(STEP.default_span().into())),
};

impl TunedLoop for Unsynced {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_step(knobs.span(&STEP).into());
    }
}
