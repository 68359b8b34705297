//! Frame loops: when updates happen, with what delta, and what a frame waits for.
//!
//! Each is one file with its rule, its knobs and its [`FrameLoopEntry`]; [`FRAME_LOOPS`] lists them all.

pub mod variable_step;

pub use variable_step::VariableStep;

use crate::knob::{Knob, KnobValues};
use crate::time::Nanos;

/// Decides how many updates a frame has, and how each frame is paced.
pub trait FrameLoop {
    /// Makes this frame's updates. Returns alpha, the fraction of an update that has passed since the
    /// last one: the picture is drawn that far between the two, from 0 to 1.
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64;

    /// What the frame waits for once it is drawn.
    fn pace(&mut self) -> Pace;

    /// Takes its knobs' present values.
    fn tune(&mut self, _knobs: &KnobValues) {}
}

/// What a frame waits for once it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The display's next refresh.
    Display,
}

/// What a frame loop drives: the game.
pub trait Game {
    /// Advances the game by `delta`.
    fn update(&mut self, delta: Nanos);
}

/// One frame, seen by a frame loop.
pub struct Frame<'a> {
    delta: Nanos,
    game: &'a mut dyn Game,
    updates: u32,
}

impl<'a> Frame<'a> {
    /// A frame that starts `delta` after the last one did.
    pub fn new(delta: Nanos, game: &'a mut dyn Game) -> Self {
        Self {
            delta,
            game,
            updates: 0,
        }
    }

    /// The machine's time since the last frame's start; zero in the first frame.
    #[must_use]
    pub fn delta(&self) -> Nanos {
        self.delta
    }

    /// Advances the game by `delta`.
    pub fn update(&mut self, delta: Nanos) {
        self.game.update(delta);
        self.updates += 1;
    }

    /// How many updates this frame has made.
    #[must_use]
    pub fn updates(&self) -> u32 {
        self.updates
    }
}

/// What the registry knows of a frame loop.
#[derive(Debug)]
pub struct FrameLoopEntry {
    /// Its name on the command line.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its rule in one sentence.
    pub rule: &'static str,
    /// Where the algorithm was published.
    pub source: &'static str,
    /// The knobs that it has.
    pub knobs: &'static [Knob],
    /// Makes one, its knobs at their defaults.
    pub make: fn() -> Box<dyn FrameLoop>,
}

/// Every frame loop, in the order in which they are switched through.
pub static FRAME_LOOPS: &[&FrameLoopEntry] = &[&variable_step::ENTRY];

/// The frame loop of that name.
#[must_use]
pub fn by_key(key: &str) -> Option<&'static FrameLoopEntry> {
    FRAME_LOOPS.iter().copied().find(|entry| entry.key == key)
}
