use super::knobs::{DEBT_CAP, DROP_DEBT, GAME_SPEED, debt_cap};
use super::{FrameLoopEntry, TunedLoop};
use crate::catalog::knob::{Knob, KnobValues, Scale};
use timeslicer::frame_loop::ConstantFps;

/// The default of 60 suits most displays. The article "Come non perdersi nel Game Loop" uses 25 instead.
pub const LOOP_FPS: Knob = Knob {
    key: "loop-fps",
    label: "Frame rate",
    unit: "/s",
    min: 1.0,
    max: 1_000.0,
    default: 60.0,
    scale: Scale::Logarithmic { from: 1.0 },
    help: "Target frame rate of the loop Constant FPS. Each frame has one update, which advances the game by one period.",
    ..Knob::NUMBER
};

pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "constant-fps",
    name: "Constant FPS",
    rule: "Runs one update per frame and sleeps until the next frame is due. The game slows down if the machine is too slow.",
    code: "update(); draw(); sleep();",
    source: "Robert Nystrom, \"Game Programming Patterns\", chapter \"Game Loop\": the loop with a sleep; \"Come non perdersi nel Game Loop\" (article in Italian): the loop Constant FPS",
    knobs: &[LOOP_FPS, DEBT_CAP, DROP_DEBT, GAME_SPEED],
    make: || {
        Box::new(ConstantFps::new(
            LOOP_FPS.default,
            Some(DEBT_CAP.default_span().into()),
        ))
    },
};

impl TunedLoop for ConstantFps {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_fps(knobs.get(&LOOP_FPS));
        self.set_cap(debt_cap(knobs));
    }
}
