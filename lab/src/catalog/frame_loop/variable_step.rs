//! The entry for [`VariableStep`].

use super::{FrameLoopEntry, TunedLoop};
use timeslicer::frame_loop::VariableStep;

/// The entry for [`VariableStep`] in [`FRAME_LOOPS`](super::FRAME_LOOPS).
pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "variable-step",
    name: "Variable step",
    rule: "Runs one update per frame, advances the game by the length of the last frame, and waits for the display.",
    code: "update(delta); draw();",
    source: "Robert Nystrom, \"Game Programming Patterns\", chapter \"Game Loop\": the loop with a variable time step",
    knobs: &[],
    make: || Box::new(VariableStep),
};

impl TunedLoop for VariableStep {}
