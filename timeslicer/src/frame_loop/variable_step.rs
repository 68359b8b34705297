//! Variable step: runs one update per frame, and advances the game by the length of the last frame.
//!
//! The delta of each update is the real time since the last frame started, so the game keeps real time on every
//! machine. No time is left over, so the loop never has to catch up, and alpha is always 0.
//!
//! # When to use it
//!
//! Use it if the game can take steps of any length. Game engines usually call user code this way. Do not use it for
//! physics, replays or lockstep multiplayer, because no two machines take the same steps, and a stall becomes one very
//! long step.
//!
//! # Cost
//!
//! One update per frame.
//!
//! # Source
//!
//! Robert Nystrom, "Game Programming Patterns", chapter "Game Loop": the loop with a variable time step.

use super::{Frame, FrameLoop};

/// A frame loop that runs one update per frame. The update advances the game by the length of the last frame. The
/// [module documentation](self) describes the algorithm.
///
/// For a complete game loop, see [`FrameLoop`].
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
