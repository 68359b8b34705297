//! An entity, and what its task costs.

use super::Point;
use timeslice::time::{GameTime, Nanos};

/// One entity. [`World::tasks`](super::World::tasks) knows when its task last ran.
///
/// It is a cache line: a run looks at all of it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Entity {
    /// Its number in the order of birth, from 0; never used again.
    pub number: u64,
    /// Game time of its birth.
    pub born: GameTime,
    /// How often its task has run.
    pub runs: u64,
    /// Where the target was when its task last ran: it looks there until its task runs again.
    pub seen: Point,
    /// When its task first ran; the start before.
    first_run: GameTime,
    /// Sum of its squared intervals, in seconds squared.
    squares_s2: f64,
    pub(super) cost: Cost,
}

/// What an entity's task costs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cost {
    /// A multiple of the workload's mean.
    Usual {
        /// How expensive it is, in standard deviations of the logarithm from the mean.
        rank: f32,
        /// The cost over the mean.
        weight: f64,
    },
    /// This cost, whatever the workload's mean is.
    Heavy(Nanos),
}

impl Cost {
    /// The usual cost at `rank` deviations, with the workload's `spread`.
    pub(super) fn usual(rank: f32, spread: f64) -> Self {
        let weight = weight_of(rank, spread);
        Self::Usual { rank, weight }
    }

    /// Takes another spread of the workload.
    pub(super) fn set_spread(&mut self, spread: f64) {
        if let Self::Usual { rank, weight } = self {
            *weight = weight_of(*rank, spread);
        }
    }
}

impl Entity {
    /// A newborn that looks at `seen`.
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

    /// Its task runs, with the target at `seen`. Returns whether that is its first run.
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

    /// When its task first ran; none before.
    #[must_use]
    pub fn first_run(&self) -> Option<GameTime> {
        (self.runs > 0).then_some(self.first_run)
    }

    /// Mean and standard deviation, in seconds, of the intervals between its runs, the last of which was
    /// at `last_run`; none before its second run.
    #[must_use]
    pub fn intervals(&self, last_run: GameTime) -> Option<(f64, f64)> {
        let count = self.runs.saturating_sub(1) as f64;
        let mean = (last_run - self.first_run).as_secs_f64() / count;
        let variance = (self.squares_s2 / count - mean * mean).max(0.0);
        (count > 0.0).then(|| (mean, variance.sqrt()))
    }
}

/// A log-normal cost of mean 1 whose standard deviation is `spread`, at `rank` deviations.
fn weight_of(rank: f32, spread: f64) -> f64 {
    if spread == 0.0 {
        return 1.0;
    }
    let variance = libm::log(1.0 + spread * spread);
    libm::exp(f64::from(rank) * variance.sqrt() - variance / 2.0)
}
