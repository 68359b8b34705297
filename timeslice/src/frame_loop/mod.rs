//! Frame loops: when updates happen, with what delta, and what a frame waits for.
//!
//! Each is one file with its rule, its knobs and its [`FrameLoopEntry`]; [`FRAME_LOOPS`] lists them all, and knobs that
//! several of them share are in [`knobs`]. A new loop is a new file and one line in the registry, below. To do without a
//! loop, delete its file and its line.

pub mod knobs;

#[cfg(test)]
mod test_game;

use crate::knob::{Knob, KnobValues};
use crate::time::{ClockTime, Nanos};

/// Decides how many updates a frame has, and how each frame is paced.
///
/// A loop begins with its first frame, whose delta is zero, at any time of the clock. A whole game loop:
///
/// ```
/// use timeslice::frame_loop::{FixedStep, Frame, FrameLoop, Game, Pace};
/// use timeslice::time::{ClockTime, Nanos, monotonic};
///
/// #[derive(Default)]
/// struct MyGame {
///     updates: u32,
/// }
///
/// impl Game for MyGame {
///     fn update(&mut self, _delta: Nanos) {
///         self.updates += 1; // move the world on by delta; run strategies
///     }
///     fn clock(&self) -> ClockTime {
///         monotonic()
///     }
/// }
///
/// let mut frame_loop = FixedStep::new(Nanos::from_millis(2), Nanos::from_millis(250));
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
    /// Makes this frame's updates. Returns alpha, the fraction of an update by which the picture is ahead of the game,
    /// from 0 to 1: moving things are drawn where they will be that much later.
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64;

    /// What the frame waits for after it is drawn.
    fn pace(&mut self) -> Pace;

    /// The delta of each update; `None` if it depends on how long frames take.
    fn step(&self) -> Option<Nanos> {
        None
    }

    /// The time from picture to picture that the loop aims at; `None` if that is the display's.
    fn target_period(&self) -> Option<Nanos> {
        None
    }

    /// The debt after the last frame's updates: real time that is not simulated yet, without the dropped part. Always
    /// zero for loops that keep no account of real time.
    fn debt(&self) -> Nanos {
        Nanos::ZERO
    }

    /// Takes its knobs' present values. Call it after a change of any knob; it has no effect if none of the loop's own
    /// knobs changed.
    fn tune(&mut self, _knobs: &KnobValues) {}
}

/// What a frame waits for after it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The display's next refresh.
    Display,
    /// A time on the machine's clock; nothing if it has passed.
    Until(ClockTime),
    /// Nothing: the next frame starts at once.
    Nothing,
}

/// A frame may begin this much before it is due ([`Pace::Until`]), without moving its deadline: on a page, frames begin
/// with the browser's refresh, and one that is slightly early should not have to wait for the next refresh.
pub const EARLY: Nanos = Nanos::from_millis(1);

/// The game that a frame loop drives.
pub trait Game {
    /// Advances the game by `delta`.
    fn update(&mut self, delta: Nanos);

    /// The machine's clock, which goes on while the game updates.
    fn clock(&self) -> ClockTime;
}

/// One frame, seen by a frame loop.
pub struct Frame<'a> {
    start: ClockTime,
    delta: Nanos,
    game: &'a mut dyn Game,
    updates: u32,
    debt_dropped: Nanos,
    drawn_for: ClockTime,
}

impl<'a> Frame<'a> {
    /// A frame that starts at `start` of the machine's clock, `delta` after the last one did.
    pub fn new(start: ClockTime, delta: Nanos, game: &'a mut dyn Game) -> Self {
        Self {
            start,
            delta,
            game,
            updates: 0,
            debt_dropped: Nanos::ZERO,
            drawn_for: start,
        }
    }

    /// When the frame started, on the machine's clock.
    #[must_use]
    pub fn start(&self) -> ClockTime {
        self.start
    }

    /// The machine's time since the last frame's start; zero in the loop's first frame.
    #[must_use]
    pub fn delta(&self) -> Nanos {
        self.delta
    }

    /// The machine's clock now: the frame's start, and the updates since then.
    #[must_use]
    pub fn clock(&self) -> ClockTime {
        self.game.clock()
    }

    /// Advances the game by `delta`.
    pub fn update(&mut self, delta: Nanos) {
        self.game.update(delta);
        self.updates += 1;
    }

    /// Number of updates that this frame has made.
    #[must_use]
    pub fn updates(&self) -> u32 {
        self.updates
    }

    /// Drops `debt`: the game will never simulate it.
    pub fn drop_debt(&mut self, debt: Nanos) {
        self.debt_dropped += debt;
    }

    /// Tells that the picture is of the moment `clock`, for a loop that reads it after its updates.
    pub fn draw_for(&mut self, clock: ClockTime) {
        self.drawn_for = clock;
    }

    /// The moment of the machine's clock that the picture is of: the frame's start, unless the loop sets another.
    #[must_use]
    pub fn drawn_for(&self) -> ClockTime {
        self.drawn_for
    }

    /// The debt that this frame has given up.
    #[must_use]
    pub fn debt_dropped(&self) -> Nanos {
        self.debt_dropped
    }
}

/// A frame loop's entry in the registry.
#[derive(Debug)]
pub struct FrameLoopEntry {
    /// Its name on the command line.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its rule in one sentence.
    pub rule: &'static str,
    /// Its rule as one or two lines of a program, at most 30 characters each.
    pub code: &'static str,
    /// Where the algorithm was published.
    pub source: &'static str,
    /// Its knobs.
    pub knobs: &'static [Knob],
    /// Makes one with its knobs at their defaults.
    pub make: fn() -> Box<dyn FrameLoop>,
}

/// Entries are equal if they are the same entry of the registry.
impl PartialEq for FrameLoopEntry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FrameLoopEntry {}

/// Declares each frame loop's module, exports its type, and lists the entries.
///
/// (`cargo fmt` does not see modules that a macro declares: give their files to `rustfmt`.)
macro_rules! registry {
    ($($module:ident :: $Loop:ident,)*) => {
        $(
            pub mod $module;
            pub use $module::$Loop;
        )*

        /// Every frame loop, in the order in which the key goes through them: the plainest first, then those that fix
        /// its faults.
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

/// Returns the frame loop with that key.
#[must_use]
pub fn by_key(key: &str) -> Option<&'static FrameLoopEntry> {
    FRAME_LOOPS.iter().copied().find(|entry| entry.key == key)
}
