//! Simulates a strategy with one setting, and measures the outcome.

use super::limits::Limits;
use crate::measure::{MeasuredLane, Objective, Report, Times, Totals};
use crate::sim::lane::Length;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, Ring};
use crate::text::format::{multiple, time};
use timeslicer::frame_loop::Pace;
use timeslicer::time::Nanos;

/// The maximum length of a simulation in which some tasks never run, as a multiple of the requested length.
pub const MAX_LENGTHS: u64 = 5;

/// A measurement starts when every task has run once. It can end when the mean staleness differs from that at the start
/// by at most this fraction of the measured time.
const MAX_IMBALANCE: f64 = 0.01;

/// The maximum number of frames per second of a trial. Without it, a loop that never waits might make 100,000 frames.
const MAX_FPS: u64 = 1_000;

/// A trial simulates this number of frames, or fewer if they contain `RUNS_AT_ONCE` task runs, before it can be
/// stopped. This takes about 0.1 ms.
const FRAMES_AT_ONCE: u32 = 16;
const RUNS_AT_ONCE: u32 = 4_000;

/// A trial may end early if a frame exceeds a limit by more than the factor `HOPELESS_EXCESS`, but not before the first
/// round and `HOPELESS_FROM` more frames are over.
const HOPELESS_EXCESS: u64 = 2;
const HOPELESS_FROM: usize = 10;

/// The results of a simulation. Frames before every task had run once are left out, unless some tasks never ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The time spent on tasks per frame.
    pub tasks: Times,
    /// The second longest time that a frame spent on tasks. It matters because a single long frame may be tolerated.
    pub second_tasks: Nanos,
    pub frames: Times,
    /// The number of hitches, including those that were not caused by tasks.
    pub hitches: u64,
    /// The length of the longest hitch that was caused by tasks. Zero if there was none.
    pub longest_hitch: Nanos,
    /// The maximum length of a frame that does not count as a hitch.
    pub no_hitch: Nanos,
    /// The length of a frame without tasks: the display's period or, if that is longer, the time for drawing. On a display
    /// with fixed refreshes, it is a multiple of the period.
    pub least_frame: Nanos,
    /// The length of a frame with neither tasks nor drawing.
    pub target_frame: Nanos,
    /// The longest time that a frame spent on tasks before every task had run once.
    pub first_round_tasks: Nanos,
    pub longest_run: Nanos,
    /// The time spent on tasks, as a fraction of game time.
    pub share: f64,
    /// False if the trial ended before every task had run once, so that limits and objectives have no values. Always
    /// true for work on request, which has no first round.
    pub is_known: bool,
    /// How stale the entities were. `None` if some tasks never ran.
    pub staleness: Option<Staleness>,
    /// How long requests waited until their tasks ran. The longest wait may be that of a request that still waits. `None`
    /// if nothing was requested.
    pub request_wait: Option<Times>,
}

/// How stale the entities were after every task had run once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Staleness {
    pub mean: Nanos,
    /// The mean staleness of the entities near the target. `None` if no entity was there.
    pub near: Option<Nanos>,
    /// The mean staleness of all other entities. `None` if there were none.
    pub others: Option<Nanos>,
    pub worst: Nanos,
    pub weighted_mean: Nanos,
    pub weighted_worst: Nanos,
    /// The lowest `weighted_mean` that any strategy could reach with the same task time. `None` if the target moves.
    pub least_mean: Option<Nanos>,
    /// The lowest `weighted_worst` that any strategy could reach with the same task time. `None` if the target moves.
    pub least_worst: Option<Nanos>,
}

impl Outcome {
    /// Converts the result of [`Report::after_first_round`]. If some tasks have not run, the outcome covers all frames.
    pub fn of(report: &Report) -> Self {
        let settled = report.settled.as_ref();
        let settled = settled.filter(|it| !it.game_span.is_zero());
        let totals = settled.unwrap_or(&report.totals);
        let staleness = &totals.staleness;
        let pacing = report.subject.pacing;
        Self {
            tasks: report.frame_tasks,
            second_tasks: report.frame_tasks.max,
            frames: Times {
                count: totals.frames,
                mean: Nanos::from_nanos(totals.own_span.as_nanos() / totals.frames.max(1)),
                ..report.frame
            },
            hitches: totals.hitches,
            longest_hitch: totals.longest_hitch,
            no_hitch: totals.least_hitch_above,
            least_frame: pacing.length(report.per_frame(report.drawing)),
            target_frame: pacing.length(Nanos::ZERO),
            first_round_tasks: Nanos::ZERO,
            longest_run: report.longest_run,
            share: totals.load().unwrap_or_default(),
            is_known: true,
            staleness: Some(Staleness {
                mean: staleness.mean().unwrap_or_default(),
                near: staleness.mean_in(Ring::Near),
                others: staleness.mean_outside(Ring::Near),
                worst: totals.worst_staleness,
                weighted_mean: staleness.weighted_mean().unwrap_or_default(),
                weighted_worst: totals.worst_weighted,
                least_mean: report.least(Objective::WeightedMean),
                least_worst: report.least(Objective::WeightedWorst),
            }),
            request_wait: Some(report.request_wait).filter(|waits| waits.count > 0),
        }
    }

    pub fn hitch_share(&self) -> f64 {
        self.hitches as f64 / self.frames.count.max(1) as f64
    }
}

impl Objective {
    /// Returns the value by which settings are compared, or `None` if some tasks never ran.
    pub fn of(self, outcome: &Outcome) -> Option<Nanos> {
        let staleness = outcome.staleness;
        let waits = outcome.request_wait;
        match self {
            _ if !outcome.is_known => None,
            Self::WeightedMean => Some(staleness?.weighted_mean),
            Self::WeightedWorst => Some(staleness?.weighted_worst),
            Self::Worst => Some(staleness?.worst),
            Self::MeanWait => Some(waits?.mean),
            Self::LongestWait => Some(waits?.max),
        }
    }

    /// Returns the metric as a multiple of its theoretical minimum. `None` if one of the two is unknown.
    pub fn times_minimum(self, outcome: &Outcome) -> Option<f64> {
        let staleness = outcome.staleness.as_ref()?;
        let least = match self {
            Self::WeightedMean => staleness.least_mean?,
            Self::WeightedWorst => staleness.least_worst?,
            Self::Worst | Self::MeanWait | Self::LongestWait => return None,
        };
        let of = self.of(outcome)?;
        (!least.is_zero()).then(|| of.over(least))
    }

    /// Describes how stale the entities are or how long requests wait, such as `mean weighted staleness 97 ms, 1.04× the
    /// theoretical minimum`.
    pub fn describe(self, outcome: &Outcome) -> Option<String> {
        let words = format!("{} {}", self.name(), time(self.of(outcome)?));
        Some(match self.times_minimum(outcome) {
            Some(times) => format!("{words}, {} the theoretical minimum", multiple(times)),
            None => words,
        })
    }
}

/// Simulates a setting and measures the outcome. A trial lasts at least the requested length, and at least twice as
/// long as its first round, in which every task runs once, so that even slow settings can be measured. It ends when the
/// entities are about as stale as they were at the end of the first round.
///
/// A trial of work on request has no first round. It is measured from its start, and lasts exactly the requested length.
pub struct Trial {
    lane: MeasuredLane<Simulated>,
    length: Length,
    /// The mean staleness when every task had run once. `None` until then.
    staleness_at_start: Option<Nanos>,
    /// Whether every task is likely to run before the trial ends. `None` until the requested length has passed.
    can_run_all: Option<bool>,
    tasks: Vec<Nanos>,
    frames: Vec<Nanos>,
    first_round_tasks: Nanos,
    on_request: bool,
    stop_beyond: Option<Limits>,
    is_hopeless: bool,
}

impl Trial {
    /// Creates a trial that ends early if a frame exceeds the limits in `stop_beyond` by far. `on_request` says whether
    /// the work is done only when it is requested.
    pub fn new(
        settings: &Settings,
        length: Length,
        stop_beyond: Option<Limits>,
        on_request: bool,
    ) -> Self {
        Self {
            lane: MeasuredLane::new(settings.clone(), Simulated::default()),
            length,
            staleness_at_start: None,
            can_run_all: None,
            tasks: Vec::new(),
            frames: Vec::new(),
            first_round_tasks: Nanos::ZERO,
            on_request,
            stop_beyond,
            is_hopeless: false,
        }
    }

    fn is_over(&mut self) -> bool {
        if self.is_hopeless {
            return true;
        }
        if self.is_within(1) {
            return false;
        }
        match &self.lane.observer().settled {
            _ if self.on_request => true,
            Some(settled) => {
                let frames = self.lane.frames();
                let rounds = frames / (frames - settled.frames);
                rounds >= 2 && (self.is_balanced(settled) || rounds > 2 && !self.is_within(2))
            }
            None => !self.can_run_all_tasks() || !self.is_within(MAX_LENGTHS),
        }
    }

    /// Returns the sums over the frames that count, or `None` until every task has run once.
    fn measured(&self) -> Option<&Totals> {
        if self.on_request {
            Some(&self.lane.observer().sums.totals)
        } else {
            self.lane.observer().settled.as_ref()
        }
    }

    /// Returns true if the entities are about as stale as at the start of the measurement. A measurement should not end
    /// at any other time. For example, if a strategy runs all tasks in bursts, and the measurement contained two pauses
    /// but only one burst, the strategy would seem to need only half as much time as it really does.
    fn is_balanced(&self, settled: &Totals) -> bool {
        let [now, at_start] = [self.lane.mean_staleness_now(), self.staleness_at_start];
        let difference = now
            .unwrap_or_default()
            .abs_diff(at_start.unwrap_or_default());
        difference.over(settled.game_span) <= MAX_IMBALANCE
    }

    fn is_within(&self, lengths: u64) -> bool {
        let lane = &self.lane;
        match self.length {
            Length::Frames(frames) => {
                lane.is_within(Length::Frames(frames.saturating_mul(lengths)))
            }
            Length::Time(time) => {
                let nanos = time.as_nanos().saturating_mul(lengths);
                let frames = nanos / (Nanos::SECOND.as_nanos() / MAX_FPS);
                let is_capped = lane.pace() == Pace::Nothing && lane.frames() > frames;
                lane.is_within(Length::Time(Nanos::from_nanos(nanos))) && !is_capped
            }
        }
    }

    /// Estimates whether every task will run before the trial ends, based on the fraction of tasks that have run so
    /// far. The first call stores its result, because it takes a while to check all entities.
    fn can_run_all_tasks(&mut self) -> bool {
        let lane = &self.lane;
        *self.can_run_all.get_or_insert_with(|| {
            let have_run = lane.observer().have_run(lane.world(), usize::MAX);
            let is_waiting = have_run == 0.0 && !lane.settings().strategy.on_request();
            is_waiting || have_run * MAX_LENGTHS as f64 >= 1.0
        })
    }

    /// Simulates one frame, and returns the number of tasks that ran in it. Returns `None` if the trial is over.
    pub(super) fn frame(&mut self) -> Option<u32> {
        if self.is_over() {
            return None;
        }
        let is_first_round = self.measured().is_none();
        let frame = self.lane.frame();
        let (runs, task_time, length) = (frame.runs, frame.task_time, frame.own_length());
        self.tasks.push(task_time);
        self.frames.push(length);
        if is_first_round {
            self.first_round_tasks = self.first_round_tasks.max(task_time);
        } else if let Some(limits) = self.stop_beyond {
            let far =
                |limit: Nanos| Nanos::from_nanos(limit.as_nanos().saturating_mul(HOPELESS_EXCESS));
            let no_hitch = self.lane.hitch_above();
            let settled = self.measured();
            let is_far = limits.tasks.is_some_and(|limit| task_time > far(limit))
                || !limits.allows_slow_frames
                    && settled.is_some_and(|it| it.longest_hitch > far(no_hitch));
            self.is_hopeless = is_far && self.tasks.len() >= HOPELESS_FROM;
        }
        if is_first_round && self.measured().is_some() {
            self.staleness_at_start = self.lane.mean_staleness_now();
            self.tasks.clear();
            self.frames.clear();
        }
        Some(runs)
    }

    /// Simulates a few frames. Returns false once the trial is over.
    pub fn advance(&mut self) -> bool {
        let mut runs = 0;
        for _ in 0..FRAMES_AT_ONCE {
            match self.frame() {
                Some(more) if runs + more < RUNS_AT_ONCE => runs += more,
                Some(_) => break,
                None => return false,
            }
        }
        true
    }

    pub fn outcome(&self) -> Outcome {
        let mut report = self.lane.final_report();
        if self.on_request {
            report.settled = None;
        }
        let report = report.after_first_round();
        let mut outcome = Outcome {
            // Compute these times here, because the quantiles in a report are rounded.
            tasks: Times::of(&self.tasks),
            second_tasks: second_longest(&self.tasks),
            frames: Times::of(&self.frames),
            first_round_tasks: self.first_round_tasks,
            ..Outcome::of(&report)
        };
        let settled = report.settled.as_ref();
        if settled.is_none_or(|it| it.game_span.is_zero()) {
            outcome.staleness = None;
            outcome.is_known = self.on_request;
        }
        outcome.request_wait = self.request_wait(outcome.request_wait);
        // The minimum is computed as if entities that have died had the mean cost. If costs differ, it may be a little
        // too high.
        let settings = self.lane.settings();
        if settings.costs_differ()
            && settings.knobs.get(&CHURN) > 0.0
            && let Some(of) = &mut outcome.staleness
        {
            of.least_mean = of.least_mean.map(|least| least.min(of.weighted_mean));
            of.least_worst = of.least_worst.map(|least| least.min(of.weighted_worst));
        }
        outcome
    }

    /// Includes pending requests in the longest wait. Otherwise, a strategy that never serves a request would seem to
    /// be fast. If no request has been served, the waits of the pending ones so far are all that is known.
    fn request_wait(&self, served: Option<Times>) -> Option<Times> {
        let (asked, now) = (&self.lane.observer().requested_at, self.lane.now());
        let open = asked.iter().flatten().map(|&at| now.saturating_since(at));
        let open = Times::of(&open.collect::<Vec<_>>());
        let all = served.or(Some(open).filter(|open| open.count > 0))?;
        Some(Times {
            max: all.max.max(open.max),
            ..all
        })
    }
}

fn second_longest(times: &[Nanos]) -> Nanos {
    let (mut first, mut second) = (Nanos::ZERO, Nanos::ZERO);
    for &time in times {
        second = second.max(first.min(time));
        first = first.max(time);
    }
    second
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::by_key;
    use crate::catalog::strategy::knobs::INTERVAL;
    use crate::sim::world::ENTITIES;

    fn tried(settings: &Settings, length: Nanos) -> Trial {
        let mut trial = Trial::new(settings, Length::Time(length), None, false);
        while trial.frame().is_some() {}
        trial
    }

    #[test]
    fn a_lane_that_runs_on_is_judged_by_the_same_frames_as_a_trial() {
        let mut settings = Settings {
            strategy: by_key("fixed-interval").unwrap(),
            ..Settings::default()
        };
        settings.knobs.set(&ENTITIES, 300.0);
        settings.knobs.set(&INTERVAL, 0.05);
        let trial = tried(&settings, Nanos::SECOND);
        let of_lane = Outcome::of(&trial.lane.final_report().after_first_round());
        let of_trial = trial.outcome();
        assert_eq!(of_lane.frames.count, of_trial.frames.count);
        let difference = of_lane.frames.mean.max(of_trial.frames.mean)
            - of_lane.frames.mean.min(of_trial.frames.mean);
        assert!(difference <= Nanos::from_nanos(1), "{difference}");
        assert_eq!(of_lane.tasks.max, of_trial.tasks.max);
        assert_ne!(of_lane.frames.count, trial.lane.frames());
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
}
