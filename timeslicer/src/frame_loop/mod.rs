//! Frame loops decide when updates happen, how much game time passes in each update, and when the next frame begins.
//!
//! - [`FixedStep`] takes the same steps on every machine and draws smooth motion. It is the first choice for most
//!   games.
//! - [`MaxFrameSkip`] does the same for games with long updates: a frame also makes up for the time that its own
//!   updates take.
//! - [`VariableStep`] is for games that can take steps of any length.
//! - [`ConstantFps`] runs exactly one update per frame, at a rate that every machine can keep.
//! - [`Unsynced`] never waits. Use it for comparison, or to simulate a game as fast as possible.
//!
//! Each loop is one file. To remove a loop, delete its file and the two lines below that name it.

pub mod constant_fps;
pub mod fixed_step;
pub mod max_frame_skip;
mod snap;
#[cfg(test)]
#[path = "../../tests/support/test_game.rs"]
mod testing;
pub mod unsynced;
pub mod variable_step;

pub use constant_fps::ConstantFps;
pub use fixed_step::FixedStep;
pub use max_frame_skip::MaxFrameSkip;
pub use unsynced::Unsynced;
pub use variable_step::VariableStep;

use crate::time::{ClockTime, Nanos};
use std::time::Duration;

/// Decides how many updates each frame has, and when the next frame begins.
///
/// The delta of the first frame is zero, and that frame may start at any time on the clock. Here is a complete game
/// loop:
///
/// ```
/// use timeslicer::frame_loop::{FixedStep, Frame, FrameLoop, Game, Pace};
/// use std::time::Duration;
/// use timeslicer::time::{ClockTime, monotonic};
///
/// #[derive(Default)]
/// struct MyGame {
///     updates: u32,
/// }
///
/// impl Game for MyGame {
///     fn update(&mut self, _delta: Duration) {
///         self.updates += 1; // advance the world by delta; run strategies
///     }
///     fn clock(&self) -> ClockTime {
///         monotonic()
///     }
/// }
///
/// let mut frame_loop = FixedStep::new(Duration::from_millis(2), Duration::from_millis(250));
/// let mut game = MyGame::default();
/// let mut last_start = monotonic();
/// while game.updates < 5 {
///     let start = monotonic();
///     let alpha = frame_loop.updates(&mut Frame::new(start, start - last_start, &mut game));
///     last_start = start;
///     // Draw the world here, `alpha` of an update ahead.
///     assert!((0.0..=1.0).contains(&alpha));
///     match frame_loop.pace() {
///         Pace::Display => {} // wait for your display's next refresh
///         Pace::Until(deadline) => std::thread::sleep(deadline.saturating_since(monotonic()).into()),
///         Pace::Nothing => {}
///     }
/// }
/// ```
pub trait FrameLoop {
    /// Runs the updates of this frame. Returns alpha, the fraction of an update by which the rendered frame is ahead of
    /// the last update. Draw each moving object where it will be after this fraction of an update. With
    /// [`BetweenUpdates::Interpolated`], alpha is from -1 to 0, and the frame shows a moment between the last two
    /// updates.
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64;

    /// Returns what the loop waits for after a frame has been drawn. By default, it waits for the display.
    fn pace(&self) -> Pace {
        Pace::Display
    }

    /// Returns how much game time passes in each update, or `None` if it depends on how long frames take.
    fn step(&self) -> Option<Nanos> {
        None
    }

    /// Returns the target time between two frames, or `None` if the display determines it.
    fn target_period(&self) -> Option<Nanos> {
        None
    }

    /// Returns the real time that the game has yet to make up for after the last frame's updates. Time that the loop
    /// has dropped does not count. Loops that do not track real time always return zero.
    fn debt(&self) -> Nanos {
        Nanos::ZERO
    }
}

/// What a frame loop waits for after a frame has been drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Wait for the display's next refresh.
    Display,
    /// Wait until this time on the machine's clock. It may already have passed.
    Until(ClockTime),
    /// Do not wait: the next frame starts at once.
    Nothing,
}

/// The maximum time by which a frame may start before its deadline ([`Pace::Until`]). In a browser, frames start when
/// the display refreshes, and a frame that is slightly early should not have to wait for the next refresh. An early
/// frame does not move the next deadline.
pub const EARLY: Nanos = Nanos::from_millis(1);

/// The game that a frame loop updates. A game implements this trait.
pub trait Game {
    /// Advances the game by `delta`.
    fn update(&mut self, delta: Duration);

    /// Reads the machine's clock. The clock also advances while an update runs.
    fn clock(&self) -> ClockTime;
}

/// The current frame of a frame loop: its timing, and access to the game.
pub struct Frame<'a> {
    game: &'a mut dyn Game,
    /// When the frame started, on the machine's clock.
    pub start: ClockTime,
    /// The real time since the previous frame started. It is zero in the first frame.
    pub delta: Nanos,
    /// The number of updates that have run in this frame.
    pub updates: u32,
    /// The time that the loop has dropped in this frame because the game was too far behind. The game never makes up
    /// for this time.
    pub debt_dropped: Nanos,
    /// The time on the machine's clock that the rendered frame should show. This is the start of the frame, unless the
    /// loop reads the clock again after its updates.
    pub drawn_for: ClockTime,
    /// The delay of the rendered frame: it shows the game as it was this long before `drawn_for`. The delay is zero if
    /// the game is extrapolated.
    pub late: Nanos,
    /// The time by which the game is behind the clock. Later frames make up for this time, unlike for `debt_dropped`.
    pub lag: Nanos,
}

impl<'a> Frame<'a> {
    /// Creates a frame that starts at clock time `start`. The previous frame started `delta` earlier.
    pub fn new(start: ClockTime, delta: Nanos, game: &'a mut dyn Game) -> Self {
        Self {
            game,
            start,
            delta,
            updates: 0,
            debt_dropped: Nanos::ZERO,
            drawn_for: start,
            late: Nanos::ZERO,
            lag: Nanos::ZERO,
        }
    }

    /// Reads the machine's clock.
    pub fn clock(&self) -> ClockTime {
        self.game.clock()
    }

    /// Advances the game by `delta`.
    pub fn update(&mut self, delta: Nanos) {
        self.game.update(delta.into());
        self.updates += 1;
    }
}

/// What a frame shows if it is drawn between two updates.
///
/// The differences are easy to see at a low update rate: motion is jerky with the first variant, overshoots at turns with
/// the second, and lags behind with the third.
///
/// With every variant, a moving object is drawn at `current + alpha * (current - previous)`. Here `current` is its
/// position after the last update, and `previous` is its position one update earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetweenUpdates {
    /// The frame shows the last update (alpha is 0). Motion is jerky unless every frame has the same number of updates.
    LastUpdate,
    /// The frame shows an extrapolated moment after the last update, with an alpha from 0 to 1. Motion is smooth and on
    /// time, but an object overshoots if it turns or stops before the next update. This is the default.
    Extrapolated,
    /// The frame shows a moment between the last two updates (alpha is from -1 to 0). Motion is smooth and exact, but
    /// one whole step late.
    Interpolated,
}

impl BetweenUpdates {
    /// Returns alpha for a frame that should show the moment `remainder` after the last update. If the frame shows an
    /// earlier moment instead, [`Frame::late`] is set to the difference.
    fn alpha(self, frame: &mut Frame<'_>, remainder: Nanos, step: Nanos) -> f64 {
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
