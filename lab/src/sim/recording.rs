//! Times that the user has measured in a game: task costs, which replace those of the simulated tasks, and frame times,
//! which replace the display of a simulated machine.

use crate::catalog::knob::{Knob, Scale};
use std::sync::Arc;
use timeslicer::time::Nanos;

/// The range of recorded frame times. It is declared as a knob because numbers in files are checked like knob values.
pub const FRAME_TIME: Knob = Knob {
    key: "frame-times",
    label: "Frame time",
    min: 0.01, // `LEAST_FRAME`
    max: 60_000.0,
    default: 10.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Length of a recorded frame.",
    ..Knob::MILLIS
};

/// One or more times from a file that the user has loaded. Cloning is cheap, because clones share the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    pub name: Arc<str>,
    /// The path of the file in command lines.
    pub path: Arc<str>,
    /// What was recognised in the file, such as the column and its unit. Empty if it contains nothing but numbers.
    pub note: Arc<str>,
    /// The command line flags that choose the column and the zone. They apply to all files.
    pub flags: Arc<[(&'static str, String)]>,
    /// The costs from the least to the most, or the frame times in the order of the frames.
    pub all: Arc<[Nanos]>,
    pub median: Nanos,
    pub mean: Nanos,
}

impl Recording {
    /// Creates a sorted recording of task costs. Returns `None` if there are no costs.
    pub fn of_costs(name: &str, mut costs: Vec<Nanos>) -> Option<Self> {
        costs.sort_unstable();
        Self::new(name, "costs.txt", costs)
    }

    /// Creates a recording of frame times in their original order. Returns `None` if there are no times.
    pub fn of_frame_times(name: &str, times: Vec<Nanos>) -> Option<Self> {
        Self::new(name, "frame-times.txt", times)
    }

    /// `name` is the name of the file. Its control characters are replaced with spaces, so that it fits on one line.
    /// `saved_as` is the name of the file in which an export saves the recording.
    fn new(name: &str, saved_as: &str, all: Vec<Nanos>) -> Option<Self> {
        let mut sorted = all.clone();
        sorted.sort_unstable();
        let count = all.len() as u128;
        let sum: u128 = all.iter().map(|time| u128::from(time.as_nanos())).sum();
        let mean = (sum + count / 2).checked_div(count)?;
        Some(Self {
            name: name.replace(char::is_control, " ").into(),
            path: saved_as.into(),
            note: "".into(),
            flags: Arc::default(),
            median: sorted[sorted.len() / 2],
            mean: Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)),
            all: all.into(),
        })
    }

    /// Returns the lowest and the highest cost.
    pub(super) fn cost_range(&self) -> [Nanos; 2] {
        [self.all[0], self.all[self.all.len() - 1]]
    }

    /// Returns the sum of the highest 1 % of the costs, as a fraction of the sum of all costs.
    pub(super) fn tail(&self) -> f64 {
        let sum = |costs: &[Nanos]| costs.iter().map(|it| it.as_nanos() as f64).sum::<f64>();
        let shorter = self.all.len() - self.all.len().div_ceil(100);
        sum(&self.all[shorter..]) / sum(&self.all).max(1.0)
    }

    /// Maps a number from the standard normal distribution to a cost, so that the resulting costs are distributed as in
    /// the file.
    pub(super) fn cost_at_rank(&self, rank: f64) -> Nanos {
        let fraction_below = libm::erfc(-rank / std::f64::consts::SQRT_2) / 2.0;
        let index = (fraction_below * self.all.len() as f64) as usize;
        self.all[index.min(self.all.len() - 1)]
    }

    /// Returns the mean cost of an entity with this rank. `per_run` is the fraction of the variance of ranks that comes
    /// from single runs. Averages over ten equally likely ranks of a run, which is precise to a few percent.
    pub(super) fn mean_at_rank(&self, rank: f32, per_run: f64) -> Nanos {
        /// The medians of the upper five deciles of the standard normal distribution.
        const TENTHS: [f64; 5] = [0.125_661, 0.385_320, 0.674_490, 1.036_433, 1.644_854];
        let of_entity = f64::from(rank) * (1.0 - per_run).sqrt();
        let ranks = TENTHS.iter().flat_map(|tenth| [-tenth, *tenth]);
        let costs = ranks.map(|of_run| self.cost_at_rank(of_entity + of_run * per_run.sqrt()));
        Nanos::from_nanos(costs.map(Nanos::as_nanos).sum::<u64>() / 10)
    }

    /// Returns the length of a frame, counted from 0. After the last frame, the recording begins again.
    pub(super) fn of_frame(&self, number: u64) -> Nanos {
        self.all[(number % self.all.len() as u64) as usize]
    }
}
