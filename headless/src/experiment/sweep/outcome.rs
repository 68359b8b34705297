//! What a strategy does with one setting, and the lane that shows it.

use crate::sim::lane::Length;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::sim::world::Ring;
use crate::stats::{
    Distribution, MeasuredLane, Settled, Times, WeightedStaleness, hitch_from, is_by_tasks,
};
use timeslicer::time::Nanos;

/// A trial ends at the latest after this multiple of the wanted length, even if its first round is not over.
const MOST_LENGTHS: u64 = 10;

/// Figures of the frames after the first round. If that round did not end, those of time and tasks are of all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Time spent on tasks in each frame.
    pub tasks: Times,
    /// Lengths of the frames.
    pub frames: Times,
    /// Number of hitches, whatever caused them.
    pub hitches: u64,
    /// Length of the longest hitch that tasks caused; zero if there was none.
    pub longest_hitch: Nanos,
    /// Length of the longest frame that is no hitch.
    pub no_hitch: Nanos,
    /// Seconds of task time per second of game time.
    pub share: f64,
    /// `None` if not every task ran.
    pub staleness: Option<Staleness>,
}

/// Staleness of the entities after the first round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Staleness {
    pub mean: Nanos,
    /// Mean near the target; `None` if no entity was there.
    pub near: Option<Nanos>,
    /// Largest staleness of any entity.
    pub worst: Nanos,
    pub weighted_mean: Nanos,
    pub weighted_worst: Nanos,
    /// Least weighted mean that is possible with the same task time; `None` while the target moves.
    pub least_mean: Option<Nanos>,
    /// Least weighted worst staleness that is possible with the same task time; `None` while the target moves.
    pub least_worst: Option<Nanos>,
}

impl Outcome {
    /// Returns the share (0 to 1) of the frames that were hitches.
    pub fn hitch_share(&self) -> f64 {
        self.hitches as f64 / self.frames.count.max(1) as f64
    }
}

/// What the best setting has least of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    #[default]
    WeightedMean,
    WeightedWorst,
    /// The longest wait of any entity, whatever its weight.
    Worst,
}

impl From<WeightedStaleness> for Goal {
    fn from(staleness: WeightedStaleness) -> Self {
        match staleness {
            WeightedStaleness::Mean => Self::WeightedMean,
            WeightedStaleness::Worst => Self::WeightedWorst,
        }
    }
}

impl Goal {
    pub fn name(self) -> &'static str {
        match self {
            Self::WeightedMean => "mean weighted staleness",
            Self::WeightedWorst => "worst weighted staleness",
            Self::Worst => "longest wait",
        }
    }

    /// Returns what a setting is compared by; `None` if not every task ran.
    pub fn of(self, outcome: &Outcome) -> Option<Nanos> {
        let staleness = outcome.staleness.as_ref()?;
        Some(match self {
            Self::WeightedMean => staleness.weighted_mean,
            Self::WeightedWorst => staleness.weighted_worst,
            Self::Worst => staleness.worst,
        })
    }

    /// Returns the goal as a multiple of the theoretical minimum; `None` if either is not known.
    pub fn times_minimum(self, outcome: &Outcome) -> Option<f64> {
        let staleness = outcome.staleness.as_ref()?;
        let least = match self {
            Self::WeightedMean => staleness.least_mean?,
            Self::WeightedWorst => staleness.least_worst?,
            Self::Worst => return None,
        };
        let of = self.of(outcome)?;
        (!least.is_zero()).then(|| of.over(least))
    }
}

/// A lane that runs for a given length, and for at least as long after its first round as until its end, so that the
/// slowest settings are measured, too.
pub struct Trial {
    lane: MeasuredLane<Simulated>,
    length: Length,
    /// Number of frames until the end of the first round.
    first_round: Option<u64>,
    tasks: Distribution,
    frames: Distribution,
    hitches: u64,
    longest_hitch: Nanos,
}

impl Trial {
    /// Begins a trial with these settings.
    pub fn new(settings: &Settings, length: Length) -> Self {
        let machine = Simulated::new(&settings.knobs);
        Self {
            lane: MeasuredLane::new(settings.clone(), machine),
            length,
            first_round: None,
            tasks: Distribution::default(),
            frames: Distribution::default(),
            hitches: 0,
            longest_hitch: Nanos::ZERO,
        }
    }

    fn is_over(&self) -> bool {
        if self.lane.is_within(self.length) {
            return false;
        }
        let most = match self.length {
            Length::Frames(frames) => Length::Frames(frames.saturating_mul(MOST_LENGTHS)),
            Length::Time(time) => Length::Time(Nanos::from_nanos(
                time.as_nanos().saturating_mul(MOST_LENGTHS),
            )),
        };
        let is_measured = |first_round: u64| self.lane.frames() >= 2 * first_round;
        self.first_round.is_some_and(is_measured) || !self.lane.is_within(most)
    }

    /// Makes a frame. Returns the number of its runs; `None` when the trial is over.
    pub fn frame(&mut self) -> Option<u32> {
        if self.is_over() {
            return None;
        }
        let frame = self.lane.frame();
        let (runs, task_time, length) = (frame.runs, frame.task_time, frame.own_length());
        let target = self.lane.target_period();
        self.tasks.add(task_time);
        self.frames.add(length);
        if length > hitch_from(target) {
            self.hitches += 1;
            if is_by_tasks(self.lane.last_frame(), target) {
                self.longest_hitch = self.longest_hitch.max(length);
            }
        }
        if self.first_round.is_none() && self.lane.has_run_all() {
            self.first_round = Some(self.lane.frames());
            (self.tasks, self.frames) = Default::default();
            (self.hitches, self.longest_hitch) = (0, Nanos::ZERO);
        }
        Some(runs)
    }

    /// Returns the figures so far.
    pub fn outcome(&self) -> Outcome {
        let report = self.lane.final_report();
        let settled = report.settled.as_ref().filter(|it| !it.span().is_zero());
        let staleness = settled.and_then(|settled| {
            let of = settled.staleness();
            Some(Staleness {
                mean: of.mean()?,
                near: of.mean_in(Ring::Near),
                worst: settled.worst,
                weighted_mean: of.weighted_mean()?,
                weighted_worst: settled.worst_weighted,
                least_mean: report.least(WeightedStaleness::Mean),
                least_worst: report.least(WeightedStaleness::Worst),
            })
        });
        Outcome {
            tasks: self.tasks.times(),
            frames: self.frames.times(),
            hitches: self.hitches,
            longest_hitch: self.longest_hitch,
            no_hitch: hitch_from(self.lane.target_period()),
            share: settled
                .and_then(Settled::load)
                .or_else(|| report.load())
                .unwrap_or_default(),
            staleness,
        }
    }
}
