use super::knobs::GAME_SPEED;
use super::{FrameLoopEntry, TunedLoop};
use timeslicer::frame_loop::VariableStep;

pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "variable-step",
    name: "Variable step",
    rule: "Runs one update per frame, advances the game by the length of the last frame, and waits for the display.",
    code: "update(delta); draw();",
    source: "Robert Nystrom, \"Game Programming Patterns\", chapter \"Game Loop\": the loop with a variable time step",
    knobs: &[GAME_SPEED],
    make: || Box::new(VariableStep),
};

impl TunedLoop for VariableStep {}
