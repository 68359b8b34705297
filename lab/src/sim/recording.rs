//! Times that the user has measured in a game: task costs, which replace those of the simulated tasks, and frame times,
//! which replace the display of a simulated machine.

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

/// One or more times from a file that the user has loaded. Cloning is cheap, because clones share the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    name: Arc<str>,
    /// The path of the file in command lines.
    pub path: Arc<str>,
    all: Arc<[Nanos]>,
    median: Nanos,
    mean: Nanos,
}

impl Recording {
    /// Creates task costs from the costs in a file, and sorts them. Returns `None` if there are none.
    pub fn of_costs(name: &str, mut costs: Vec<Nanos>) -> Option<Self> {
        costs.sort_unstable();
        Self::new(name, "costs.txt", costs)
    }

    /// Creates frame times from those in a file, which stay in their order. Returns `None` if there are none.
    pub fn of_frame_times(name: &str, times: Vec<Nanos>) -> Option<Self> {
        Self::new(name, "frame-times.txt", times)
    }

    /// `name` is the name of the file. Control characters in it are replaced with spaces, so that it fits on one line.
    /// Exports save the file as `saved_as`.
    fn new(name: &str, saved_as: &str, all: Vec<Nanos>) -> Option<Self> {
        let mut sorted = all.clone();
        sorted.sort_unstable();
        let count = all.len() as u128;
        let sum: u128 = all.iter().map(|time| u128::from(time.as_nanos())).sum();
        let mean = (sum + count / 2).checked_div(count)?;
        Some(Self {
            name: name.replace(char::is_control, " ").into(),
            path: saved_as.into(),
            median: sorted[sorted.len() / 2],
            mean: Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)),
            all: all.into(),
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the costs from the least to the most, or the frame times in the order of the frames.
    pub fn all(&self) -> &[Nanos] {
        &self.all
    }

    pub fn median(&self) -> Nanos {
        self.median
    }

    pub fn mean(&self) -> Nanos {
        self.mean
    }

    /// Returns the least and the most of the costs.
    pub(super) fn cost_range(&self) -> [Nanos; 2] {
        [self.all[0], self.all[self.all.len() - 1]]
    }

    /// Maps a number from the standard normal distribution to a cost, so that the resulting costs are distributed as in
    /// the file.
    pub(super) fn cost_at_rank(&self, rank: f32) -> Nanos {
        let fraction_below = libm::erfc(-f64::from(rank) / std::f64::consts::SQRT_2) / 2.0;
        let index = (fraction_below * self.all.len() as f64) as usize;
        self.all[index.min(self.all.len() - 1)]
    }

    /// Returns the length of a frame, counted from 0. After the last frame, the recording begins again.
    pub(super) fn of_frame(&self, number: u64) -> Nanos {
        self.all[(number % self.all.len() as u64) as usize]
    }
}
