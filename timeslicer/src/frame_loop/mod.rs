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
//! Each loop is one file, which contains its algorithm, its adjustable parameters ([knobs](crate::knob)) and its
//! [`FrameLoopEntry`]. [`FRAME_LOOPS`] lists all loops, and [`knobs`] contains the knobs that several loops share. To
//! add a loop, add its file and a line to `registry!` below. To remove a loop, delete both.

pub mod knobs;

#[cfg(test)]
mod testing;

use crate::knob::{Knob, KnobValues};
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
///         Pace::Until(deadline) => std::thread::sleep((deadline - monotonic()).into()),
///         Pace::Nothing => {}
///     }
/// }
/// ```
pub trait FrameLoop {
    /// Runs the updates of this frame. Returns alpha, the fraction of an update by which the rendered frame is ahead of
    /// the last update. Draw each moving object where it will be after this fraction of an update. If the knob
    /// [`INTERPOLATE`](knobs::INTERPOLATE) is 2, alpha is from -1 to 0, and the frame shows a moment between the last
    /// two updates.
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

    /// Applies new values of the loop's adjustable parameters. Has no effect if none of these values has changed.
    fn tune(&mut self, _knobs: &KnobValues) {}
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

/// The description of a frame loop in [`FRAME_LOOPS`], the list of all frame loops.
#[derive(Debug)]
pub struct FrameLoopEntry {
    /// The name of the loop on the command line.
    pub key: &'static str,
    /// The name of the loop that is shown on screen.
    pub name: &'static str,
    /// What the loop does, in one sentence that begins with a verb.
    pub rule: &'static str,
    /// The loop as one or two lines of pseudocode, each at most 30 characters long.
    pub code: &'static str,
    /// The publication that describes the algorithm.
    pub source: &'static str,
    /// The loop's adjustable parameters.
    pub knobs: &'static [Knob],
    /// Creates the loop with the default values of its parameters.
    pub make: fn() -> Box<dyn FrameLoop>,
}

/// Compares by address, because each loop has exactly one static entry.
impl PartialEq for FrameLoopEntry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FrameLoopEntry {}

/// Declares each frame loop's module, re-exports its type, and lists the entries.
///
/// (`cargo fmt` skips modules that a macro declares, so pass their files to `rustfmt`.)
macro_rules! registry {
    ($($module:ident :: $Loop:ident,)*) => {
        $(
            pub mod $module;
            pub use $module::$Loop;
        )*

        /// All frame loops, in display order. The simplest loops come first, and later loops avoid their faults.
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

/// Returns the frame loop with this key, or `None` if there is none.
pub fn by_key(key: &str) -> Option<&'static FrameLoopEntry> {
    FRAME_LOOPS.iter().copied().find(|entry| entry.key == key)
}
