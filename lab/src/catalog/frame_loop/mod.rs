//! The frame loops that the lab shows: for each loop of [`timeslicer::frame_loop`], an entry with its name, its texts and
//! its knobs. [`knobs`] contains the knobs that several loops share.

pub mod knobs;

use crate::catalog::knob::{Knob, KnobValues};
use timeslicer::frame_loop::FrameLoop;

/// A frame loop with knobs.
pub trait TunedLoop: FrameLoop {
    /// Applies new knob values. Has no effect if none of the loop's values has changed.
    fn tune(&mut self, _knobs: &KnobValues) {}
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
    pub source: &'static str,
    pub knobs: &'static [Knob],
    /// Creates the loop with the default values of its knobs.
    pub make: fn() -> Box<dyn TunedLoop>,
}

impl FrameLoopEntry {
    /// Creates the loop with these knob values.
    pub fn build(&self, knobs: &KnobValues) -> Box<dyn TunedLoop> {
        let mut frame_loop = (self.make)();
        frame_loop.tune(knobs);
        frame_loop
    }
}

registry! {
    /// All frame loops, in display order. The simplest loops come first, and later loops avoid their faults.
    FRAME_LOOPS: FrameLoopEntry,
    unsynced,
    constant_fps,
    variable_step,
    fixed_step,
    max_frame_skip,
}
