//! Simulates a strategy with one setting, and measures the outcome.

use crate::sim::lane::Length;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, Ring};
use crate::stats::{
    MeasuredLane, Report, Settled, Times, WeightedStaleness, hitch_from, is_by_tasks,
};
use timeslicer::frame_loop::Pace;
use timeslicer::time::{GameTime, Nanos};

/// If some tasks have still not run, a trial ends after this multiple of the desired length.
const MOST_LENGTHS: u64 = 5;

/// A trial ends when the mean staleness of the entities is about the same as at the moment when every task had run
/// once. This is the largest difference, as a fraction of the time in between.
const IMBALANCE: f64 = 0.01;

/// The maximum number of frames per second of the desired length, for a loop that never waits. Otherwise, it would make
/// up to 100,000 frames per second.
const MOST_FPS: u64 = 1_000;

/// The measurements of a trial, taken after every task has run once. If some tasks never ran, the times and hitches are
/// those of all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The time spent on tasks per frame.
    pub tasks: Times,
    pub frames: Times,
    /// The number of hitches, whatever caused them.
    pub hitches: u64,
    /// The length of the longest hitch that tasks caused; zero if there was none.
    pub longest_hitch: Nanos,
    /// The largest frame length that does not count as a hitch.
    pub no_hitch: Nanos,
    /// The task time in seconds per second of game time.
    pub share: f64,
    /// The staleness of the entities; `None` if some tasks never ran.
    pub staleness: Option<Staleness>,
}

/// The staleness of the entities, measured after every task has run once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Staleness {
    pub mean: Nanos,
    /// The mean staleness near the target; `None` if no entity was there.
    pub near: Option<Nanos>,
    pub worst: Nanos,
    pub weighted_mean: Nanos,
    pub weighted_worst: Nanos,
    /// The smallest weighted mean that is possible with the same task time; `None` while the target moves.
    pub least_mean: Option<Nanos>,
    /// The smallest weighted worst staleness that is possible with the same task time; `None` while the target moves.
    pub least_worst: Option<Nanos>,
}

impl Outcome {
    /// Returns the outcome of a lane that is still running. `report` is the result of [`Report::after_first_round`].
    /// Until every task has run once, the outcome covers all frames.
    pub fn of_lane(report: &Report) -> Self {
        let longest_hitch = match &report.settled {
            Some(settled) => settled.longest_hitch,
            None if report.hitches_by_tasks > 0 => report.frame.max,
            None => Nanos::ZERO,
        };
        let staleness = &report.staleness;
        Self {
            tasks: report.frame_tasks,
            frames: report.frame,
            hitches: report.hitches,
            longest_hitch,
            no_hitch: report.hitch(),
            share: report.load().unwrap_or_default(),
            staleness: Some(Staleness {
                mean: staleness.mean().unwrap_or_default(),
                near: staleness.mean_in(Ring::Near),
                worst: report.worst_staleness,
                weighted_mean: staleness.weighted_mean().unwrap_or_default(),
                weighted_worst: report.worst_weighted,
                least_mean: report.least(WeightedStaleness::Mean),
                least_worst: report.least(WeightedStaleness::Worst),
            }),
        }
    }

    /// Returns the fraction (0 to 1) of frames that were hitches.
    pub fn hitch_share(&self) -> f64 {
        self.hitches as f64 / self.frames.count.max(1) as f64
    }
}

/// The metric that the best setting minimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    #[default]
    WeightedMean,
    WeightedWorst,
    /// The longest wait of any entity, whatever its weight.
    Worst,
}

impl From<WeightedStaleness> for Objective {
    fn from(staleness: WeightedStaleness) -> Self {
        match staleness {
            WeightedStaleness::Mean => Self::WeightedMean,
            WeightedStaleness::Worst => Self::WeightedWorst,
        }
    }
}

impl Objective {
    pub fn name(self) -> &'static str {
        match self {
            Self::WeightedMean => "mean weighted staleness",
            Self::WeightedWorst => "worst weighted staleness",
            Self::Worst => "longest wait",
        }
    }

    /// Returns the value by which settings are compared; `None` if some tasks never ran.
    pub fn of(self, outcome: &Outcome) -> Option<Nanos> {
        let staleness = outcome.staleness.as_ref()?;
        Some(match self {
            Self::WeightedMean => staleness.weighted_mean,
            Self::WeightedWorst => staleness.weighted_worst,
            Self::Worst => staleness.worst,
        })
    }

    /// Returns the metric as a multiple of its theoretical minimum; `None` if either is unknown.
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

/// Simulates a setting and measures the outcome. A trial lasts for a given length, and at least twice as long as it
/// takes until every task has run once, so that slow settings are measured, too. It then continues until the entities
/// are as stale as at the end of that first round.
pub struct Trial {
    lane: MeasuredLane<Simulated>,
    length: Length,
    first_round: Option<FirstRound>,
    /// Whether the first round can end before the trial does; `None` until the desired length is over.
    can_end: Option<bool>,
    tasks: Vec<Nanos>,
    frames: Vec<Nanos>,
    /// The time spent on tasks in all frames, including the first round.
    all_tasks: Nanos,
    hitches: u64,
    longest_hitch: Nanos,
}

/// The moment when every task had run once.
#[derive(Clone, Copy)]
struct FirstRound {
    /// The number of frames until the end of the first round.
    frames: u64,
    ended: GameTime,
    /// The mean staleness of the entities at the end of the first round.
    staleness: Nanos,
}

impl Trial {
    pub fn new(settings: &Settings, length: Length) -> Self {
        let machine = Simulated::new(&settings.knobs);
        let mut lane = MeasuredLane::new(settings.clone(), machine);
        lane.list_runs(0);
        Self {
            lane,
            length,
            first_round: None,
            can_end: None,
            tasks: Vec::new(),
            frames: Vec::new(),
            all_tasks: Nanos::ZERO,
            hitches: 0,
            longest_hitch: Nanos::ZERO,
        }
    }

    fn is_over(&mut self) -> bool {
        if self.is_within(1) {
            return false;
        }
        match self.first_round {
            Some(first) => {
                let rounds = self.lane.frames() / first.frames;
                rounds >= 2 && (self.is_balanced(first) || rounds > 2 && !self.is_within(2))
            }
            None => !self.can_end_first_round() || !self.is_within(MOST_LENGTHS),
        }
    }

    /// Returns true if the entities are about as stale as at the end of the first round, so that the runs since then
    /// belong to the time since then. Otherwise, a strategy that runs all tasks at once could be measured over two
    /// pauses but only one burst of runs, and would seem to need half the time that it does.
    fn is_balanced(&self, first: FirstRound) -> bool {
        let now = self.lane.mean_staleness_now().unwrap_or_default();
        let difference = now.max(first.staleness) - now.min(first.staleness);
        difference.over(self.lane.now() - first.ended) <= IMBALANCE
    }

    /// Returns true until `lengths` times the desired length has passed.
    fn is_within(&self, lengths: u64) -> bool {
        let lane = &self.lane;
        match self.length {
            Length::Frames(frames) => {
                lane.is_within(Length::Frames(frames.saturating_mul(lengths)))
            }
            Length::Time(time) => {
                let nanos = time.as_nanos().saturating_mul(lengths);
                let frames = nanos / (Nanos::SECOND.as_nanos() / MOST_FPS);
                let is_capped = lane.pace() == Pace::Nothing && lane.frames() > frames;
                lane.is_within(Length::Time(Nanos::from_nanos(nanos))) && !is_capped
            }
        }
    }

    /// Returns false if so few entities have run in the desired length that the others will not run before the trial
    /// ends. The first call visits all entities.
    fn can_end_first_round(&mut self) -> bool {
        let lane = &self.lane;
        *self.can_end.get_or_insert_with(|| {
            let have_run = lane.have_run();
            let is_waiting = have_run == 0.0 && !lane.settings().strategy.on_request();
            is_waiting || have_run * MOST_LENGTHS as f64 >= 1.0
        })
    }

    /// Simulates a frame, and returns the number of runs in it. Returns `None` if the trial is over.
    pub fn frame(&mut self) -> Option<u32> {
        if self.is_over() {
            return None;
        }
        let frame = self.lane.frame();
        let (runs, task_time, length) = (frame.runs, frame.task_time, frame.own_length());
        let target = self.lane.target_period();
        self.tasks.push(task_time);
        self.frames.push(length);
        self.all_tasks += task_time;
        if length > hitch_from(target) {
            self.hitches += 1;
            if is_by_tasks(self.lane.last_frame(), target) {
                self.longest_hitch = self.longest_hitch.max(length);
            }
        }
        if self.first_round.is_none() && self.lane.has_run_all() {
            self.first_round = Some(FirstRound {
                frames: self.lane.frames(),
                ended: self.lane.now(),
                staleness: self.lane.mean_staleness_now().unwrap_or_default(),
            });
            self.tasks.clear();
            self.frames.clear();
            (self.hitches, self.longest_hitch) = (0, Nanos::ZERO);
        }
        Some(runs)
    }

    pub fn outcome(&self) -> Outcome {
        let lane = &self.lane;
        let settled = lane.settled().filter(|it| !it.span().is_zero());
        let share = settled.as_ref().and_then(Settled::load);
        let game_time = lane.now().since_start();
        let all = || self.all_tasks.over(game_time);
        let bounds = lane
            .settings()
            .target_rests()
            .then(|| lane.bounds(usize::MAX));
        // The bounds assume the mean cost for a dead entity. If costs differ, they may be a little too high.
        let settings = lane.settings();
        let is_estimate = settings.costs_differ() && settings.knobs.get(&CHURN) > 0.0;
        let least = |settled: &Settled, of, measured: Nanos| {
            let least = Nanos::from_secs_f64(settled.least(of, bounds.as_ref()?)?);
            Some(if is_estimate {
                least.min(measured)
            } else {
                least
            })
        };
        Outcome {
            tasks: Times::of(&self.tasks),
            frames: Times::of(&self.frames),
            hitches: self.hitches,
            longest_hitch: self.longest_hitch,
            no_hitch: hitch_from(lane.target_period()),
            share: share.unwrap_or_else(|| if game_time.is_zero() { 0.0 } else { all() }),
            staleness: settled.as_ref().and_then(|settled| {
                let of = settled.staleness();
                let (weighted_mean, weighted_worst) = (of.weighted_mean()?, settled.worst_weighted);
                Some(Staleness {
                    mean: of.mean()?,
                    near: of.mean_in(Ring::Near),
                    worst: settled.worst,
                    weighted_mean,
                    weighted_worst,
                    least_mean: least(settled, WeightedStaleness::Mean, weighted_mean),
                    least_worst: least(settled, WeightedStaleness::Worst, weighted_worst),
                })
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{COST, COST_SPREAD, ENTITIES, Point};
    use timeslicer::knob::KnobValues;
    use timeslicer::strategy::knobs::INTERVAL;
    use timeslicer::strategy::{STRATEGIES, by_key};

    fn tried(settings: &Settings, length: Nanos) -> Trial {
        let mut trial = Trial::new(settings, Length::Time(length));
        while trial.frame().is_some() {}
        trial
    }

    #[test]
    fn all_at_once_is_as_good_with_every_interval() {
        for secs in [2, 10] {
            for interval in [0.3, 0.67, 1.1, 2.23, 3.01, 4.06, 4.9, 7.4] {
                let mut settings = Settings {
                    strategy: by_key("all-at-once").unwrap(),
                    ..Settings::default()
                };
                settings.knobs.set(&ENTITIES, 100.0);
                settings.knobs.set(&INTERVAL, interval);
                let outcome = tried(&settings, Nanos::from_secs(secs)).outcome();
                let mean = outcome.staleness.unwrap().mean.as_secs_f64();
                let round = mean * outcome.share; // half the time of 100 tasks
                assert!((0.0048..0.0052).contains(&round), "{interval} s: {round} s");
            }
        }
    }

    #[test]
    fn a_lane_that_runs_on_has_the_figures_of_a_trial() {
        let knobs = [(&ENTITIES, 300.0), (&COST, 200.0), (&COST_SPREAD, 0.8)];
        let settings = Settings {
            knobs: KnobValues::with(&knobs),
            target: Some(Point { x: 0.4, y: 0.2 }),
            ..Settings::default()
        };
        for strategy in STRATEGIES {
            let settings = Settings {
                strategy,
                ..settings.clone()
            };
            let trial = tried(&settings, Nanos::from_secs(10));
            let machine = Simulated::new(&settings.knobs);
            let mut lane = MeasuredLane::new(settings, machine);
            while lane.frames() < trial.lane.frames() {
                lane.frame();
            }
            let report = lane.report();
            let has_run_all = report.has_run_all();
            let (of_lane, of_trial) = (
                Outcome::of_lane(&report.after_first_round()),
                trial.outcome(),
            );
            if has_run_all {
                assert_eq!(of_lane.tasks.max, of_trial.tasks.max, "{}", strategy.key);
                assert_eq!(
                    of_lane.longest_hitch, of_trial.longest_hitch,
                    "{}",
                    strategy.key
                );
                assert_eq!(of_lane.staleness, of_trial.staleness, "{}", strategy.key);
            }
        }
    }
}
