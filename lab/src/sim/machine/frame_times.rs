//! Frame times that the user has recorded in a game. They can replace the display of a simulated machine.

use crate::catalog::knob::{Knob, Scale};
use std::sync::Arc;
use timeslicer::time::Nanos;

/// The range of a recorded frame time. It is declared as a knob because files of numbers are checked against a knob.
pub const FRAME_TIME: Knob = Knob {
    key: "frame-times",
    label: "Frame time",
    unit: "ms",
    min: 0.01, // `LEAST_FRAME`
    max: 60_000.0,
    default: 10.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Length of a recorded frame.",
    ..Knob::NUMBER
};

/// One or more frame times from a file that the user has loaded, in the order of the frames. Cloning is cheap, because
/// clones share the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameTimes {
    name: Arc<str>,
    /// The path of the file in command lines.
    pub path: Arc<str>,
    all: Arc<[Nanos]>,
    median: Nanos,
    mean: Nanos,
}

impl FrameTimes {
    /// Creates frame times from those in a file. Returns `None` if `all` is empty. Control characters in the file name
    /// are replaced with spaces, so that the name fits on one line.
    pub fn new(name: &str, all: Vec<Nanos>) -> Option<Self> {
        let mut sorted = all.clone();
        sorted.sort_unstable();
        let sum: Nanos = sorted.iter().copied().sum();
        Some(Self {
            name: name.replace(char::is_control, " ").into(),
            path: crate::sim::settings::SAVED_FRAME_TIMES.into(),
            median: *sorted.get(sorted.len() / 2)?,
            mean: Nanos::from_nanos(sum.as_nanos() / sorted.len() as u64),
            all: all.into(),
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn all(&self) -> &[Nanos] {
        &self.all
    }

    /// Returns the median of the frame times, which is used as the period of the display.
    pub fn median(&self) -> Nanos {
        self.median
    }

    pub fn mean(&self) -> Nanos {
        self.mean
    }

    /// Returns the length of a frame, counted from 0. After the last frame, the recording begins again.
    pub fn of_frame(&self, number: u64) -> Nanos {
        self.all[(number % self.all.len() as u64) as usize]
    }
}
