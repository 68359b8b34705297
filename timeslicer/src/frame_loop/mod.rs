//! Frame loops: when updates happen, how much time each one advances, and when the next frame begins.
//!
//! - [`FixedStep`] for the same steps on every machine and smooth pictures: the first choice for most games.
//! - [`MaxFrameSkip`] for the same if updates take long, because a frame also makes up for the time of its own updates.
//! - [`VariableStep`] if the game can take steps of any length.
//! - [`ConstantFps`] if every frame should have one update, at a rate that every machine can keep.
//! - [`Unsynced`] to compare with, or to simulate as fast as possible.
//!
//! Each loop is one file with its rule, its knobs and its [`FrameLoopEntry`]. [`FRAME_LOOPS`] lists all of them, and
//! [`knobs`] has the knobs that several of them share. A new loop is a new file and a line in the registry below. To
//! remove a loop, delete both.

pub mod knobs;

#[cfg(test)]
mod testing;

use crate::knob::{Knob, KnobValues};
use crate::time::{ClockTime, Nanos};
use std::time::Duration;

/// Decides how many updates each frame makes, and when the next frame begins.
///
/// The first frame has a delta of zero and may start at any time of the clock. A complete game loop:
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
///         Pace::Until(deadline) => std::thread::sleep((deadline - monotonic()).into()),
///         Pace::Nothing => {}
///     }
/// }
/// ```
pub trait FrameLoop {
    /// Makes this frame's updates. Returns alpha: how far the picture is ahead of the last update, as a fraction of an
    /// update from 0 to 1. Draw moving things where they will be after this fraction of an update. If the knob
    /// [`INTERPOLATE`](knobs::INTERPOLATE) is 2, alpha is from -1 to 0, and the picture is between the last two updates.
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64;

    /// Returns what the frame waits for after it is drawn. By default, that is the display.
    fn pace(&self) -> Pace {
        Pace::Display
    }

    /// Returns the delta of every update; `None` if it depends on the length of frames.
    fn step(&self) -> Option<Nanos> {
        None
    }

    /// Returns the target time between two frames; `None` if the loop leaves it to the display.
    fn target_period(&self) -> Option<Nanos> {
        None
    }

    /// Returns the debt after the last frame's updates: real time that the game has yet to simulate. Dropped debt does
    /// not count. Always zero for loops that do not track real time.
    fn debt(&self) -> Nanos {
        Nanos::ZERO
    }

    /// Applies the current values of the loop's knobs. Has no effect if none of the loop's own knobs has changed.
    fn tune(&mut self, _knobs: &KnobValues) {}
}

/// The event that a frame waits for after it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The display's next refresh.
    Display,
    /// A time on the machine's clock, which may have passed already.
    Until(ClockTime),
    /// No event: the next frame starts at once.
    Nothing,
}

/// Maximum time that a frame may start before its deadline ([`Pace::Until`]) without moving the next deadline. In a
/// browser, frames start with the display's refresh, and a frame that is slightly early should not have to wait for the
/// next refresh.
pub const EARLY: Nanos = Nanos::from_millis(1);

/// The game that a frame loop drives.
pub trait Game {
    /// Advances the game by `delta`.
    fn update(&mut self, delta: Duration);

    /// Reads the machine's clock, which advances during updates.
    fn clock(&self) -> ClockTime;
}

/// One frame, as seen by a frame loop.
pub struct Frame<'a> {
    game: &'a mut dyn Game,
    /// Start of the frame on the machine's clock.
    pub start: ClockTime,
    /// Real time since the start of the last frame; zero in the loop's first frame.
    pub delta: Nanos,
    /// Number of updates that this frame has made.
    pub updates: u32,
    /// Debt that this frame has dropped: the game will never simulate this time.
    pub debt_dropped: Nanos,
    /// The moment for which the picture is drawn, on the machine's clock: the frame's start, unless the loop reads the
    /// clock after its updates.
    pub drawn_for: ClockTime,
    /// Time by which the picture shows an earlier moment than `drawn_for`, because it shows the last update or is drawn
    /// between the last two updates.
    pub late: Nanos,
    /// How far the game is behind: real time that later frames make up. Dropped debt does not count.
    pub lag: Nanos,
}

impl<'a> Frame<'a> {
    /// Creates a frame that starts at `start`, `delta` after the start of the last frame.
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

/// A frame loop's entry in the registry.
#[derive(Debug)]
pub struct FrameLoopEntry {
    /// Name on the command line.
    pub key: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// Rule in one sentence that begins with a verb.
    pub rule: &'static str,
    /// Rule as one or two lines of pseudocode, at most 30 characters each.
    pub code: &'static str,
    /// Publication of the algorithm.
    pub source: &'static str,
    /// Adjustable parameters.
    pub knobs: &'static [Knob],
    /// Creates the loop with its knobs at their defaults.
    pub make: fn() -> Box<dyn FrameLoop>,
}

/// Compares by identity: the registry has one static entry for each loop.
impl PartialEq for FrameLoopEntry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FrameLoopEntry {}

/// Declares each frame loop's module, re-exports its type, and lists the entries.
///
/// (`cargo fmt` skips modules that a macro declares: pass their files to `rustfmt`.)
macro_rules! registry {
    ($($module:ident :: $Loop:ident,)*) => {
        $(
            pub mod $module;
            pub use $module::$Loop;
        )*

        /// All frame loops, in display order: the simplest first, then loops that fix its faults.
        pub static FRAME_LOOPS: &[&FrameLoopEntry] = &[$(&$module::ENTRY),*];
    };
}

registry! {
    unsynced::Unsynced,
    constant_fps::ConstantFps,
    variable_step::VariableStep,
    fixed_step::FixedStep,
    max_frame_skip::MaxFrameSkip,
}

/// Returns the frame loop with this key.
pub fn by_key(key: &str) -> Option<&'static FrameLoopEntry> {
    FRAME_LOOPS.iter().copied().find(|entry| entry.key == key)
}
