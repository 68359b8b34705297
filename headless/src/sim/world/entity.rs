//! Entity, and the cost of its task.

use super::Point;
use timeslicer::time::{GameTime, Nanos};

/// One entity. The time of its last run is in [`World::tasks`](super::World::tasks).
///
/// Its size is one cache line, since a run needs all of it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Entity {
    /// Number in the order of birth, from 0; never reused.
    pub number: u64,
    /// Game time of birth.
    pub born: GameTime,
    /// Number of runs of the task.
    pub runs: u64,
    /// Position of the target at the task's last run. The entity looks there until the next run.
    pub seen: Point,
    /// Game time of the first run; [`GameTime::START`] before it.
    first_run: GameTime,
    /// Sum of the squared intervals between runs, in seconds squared.
    squares_s2: f64,
    pub(super) cost: Cost,
}

/// Cost of an entity's task.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cost {
    /// Multiple of the workload's mean.
    Usual {
        /// Distance of the cost's logarithm from the mean logarithm, in standard deviations.
        rank: f32,
        /// Cost divided by the mean cost.
        weight: f64,
    },
    /// Fixed cost, independent of the workload's mean.
    Heavy(Nanos),
}

impl Cost {
    /// Returns the usual cost at `rank` standard deviations, with the workload's `spread`.
    pub(super) fn usual(rank: f32, spread: f64) -> Self {
        let weight = weight_of(rank, spread);
        Self::Usual { rank, weight }
    }

    /// Adopts a new spread of the workload.
    pub(super) fn set_spread(&mut self, spread: f64) {
        if let Self::Usual { rank, weight } = self {
            *weight = weight_of(*rank, spread);
        }
    }
}

impl Entity {
    /// Creates a newborn that looks at `seen`.
    pub(super) fn new(number: u64, born: GameTime, seen: Point, cost: Cost) -> Self {
        Self {
            number,
            born,
            runs: 0,
            seen,
            first_run: GameTime::START,
            squares_s2: 0.0,
            cost,
        }
    }

    /// Records a run of the entity's task, with the target at `seen`. Returns true if it is the first run.
    #[inline]
    pub(super) fn ran(&mut self, now: GameTime, elapsed: Nanos, seen: Point) -> bool {
        let first = self.runs == 0;
        if first {
            self.first_run = now;
        } else {
            self.squares_s2 += elapsed.as_secs_f64() * elapsed.as_secs_f64();
        }
        self.runs += 1;
        self.seen = seen;
        first
    }

    /// Returns the game time of the task's first run; `None` if it has not run yet.
    #[must_use]
    pub fn first_run(&self) -> Option<GameTime> {
        (self.runs > 0).then_some(self.first_run)
    }

    /// Returns the mean and the standard deviation, in seconds, of the intervals between the task's runs; `None` before
    /// the second run. `last_run` is the time of the last run.
    #[must_use]
    pub fn intervals(&self, last_run: GameTime) -> Option<(f64, f64)> {
        let count = self.runs.saturating_sub(1) as f64;
        let mean = (last_run - self.first_run).as_secs_f64() / count;
        let variance = (self.squares_s2 / count - mean * mean).max(0.0);
        (count > 0.0).then(|| (mean, variance.sqrt()))
    }
}

/// Returns the cost, relative to the mean, at `rank` standard deviations of a log-normal distribution with mean 1 and
/// standard deviation `spread`.
fn weight_of(rank: f32, spread: f64) -> f64 {
    if spread == 0.0 {
        return 1.0;
    }
    let variance = libm::log(1.0 + spread * spread);
    libm::exp(f64::from(rank) * variance.sqrt() - variance / 2.0)
}
