//! Variable step: one update per frame, whose delta is the length of the last frame.
//!
//! The delta of each update is the real time since the last frame started, so the game keeps real time on every
//! machine. No time is left over: there is no debt, and alpha is always 0.
//!
//! # When to use it
//!
//! If the game can take steps of any length. Game engines usually call user code this way. Not for physics, replays or
//! lockstep multiplayer, because no two machines take the same steps, and a stall becomes one very long step.
//!
//! # Cost
//!
//! One update per frame.
//!
//! # Source
//!
//! Robert Nystrom, "Game Programming Patterns", chapter "Game Loop": the loop with a variable time step.

use super::{Frame, FrameLoop, FrameLoopEntry};

/// The registry entry of [`VariableStep`].
pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "variable-step",
    name: "Variable step",
    rule: "Makes one update per frame, advances the game by the length of the last frame, and waits for the display.",
    code: "update(delta); draw();",
    source: "Robert Nystrom, Game Programming Patterns, chapter Game Loop: the loop with a variable time step",
    knobs: &[],
    make: || Box::new(VariableStep),
};

/// Makes one update per frame and advances the game by the last frame's length. The [module](self)
/// describes the algorithm.
///
/// See [`FrameLoop`](super::FrameLoop) for a complete game loop.
///
/// ```
/// use timeslicer::frame_loop::VariableStep;
/// let frame_loop = VariableStep;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct VariableStep;

impl FrameLoop for VariableStep {
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64 {
        frame.update(frame.delta);
        0.0
    }
}
