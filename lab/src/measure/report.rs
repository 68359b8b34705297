//! A report contains all metrics of a simulation, measured over a whole run or over the last few seconds.

use super::sums::{Sums, Totals};
use super::thresholds::ELASTIC_UPDATES;
use super::{Bounds, METRICS, MeasuredLane, Objective, Recovery, Times, verdict};
use crate::catalog::frame_loop::FrameLoopEntry;
use crate::catalog::frame_loop::knobs::SNAP;
use crate::catalog::strategy::{Defect, StrategyEntry};
use crate::sim::machine::Machine;
use crate::sim::world::{EAGER, REQUESTS, WEIGHT_STEPS};
use crate::text::format::time;
use serde_json::{Map, Value, json};
use std::ops::{Deref, DerefMut};
use timeslicer::strategy::Guarantee;
use timeslicer::time::{GameTime, Nanos};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacing {
    /// The target length of a frame: the refresh period of the display or of the frame loop itself (`constant-fps`).
    pub target: Nanos,
    /// The length above which a frame counts as a hitch.
    pub hitch_above: Nanos,
    /// How much game time passes in each update, or `None` if it is the real time that has passed.
    pub step: Option<Nanos>,
    /// Whether frames wait for a display that refreshes at fixed times.
    pub has_fixed_refresh: bool,
    /// The mean of the recorded frame times, if they replace the display.
    pub recorded: Option<Nanos>,
}

impl Pacing {
    /// Returns the mean length of frames in which updates and drawing take `work`.
    pub fn length(&self, work: Nanos) -> Nanos {
        if let Some(recorded) = self.recorded {
            return recorded.max(work);
        }
        let (work, target) = (work.as_nanos(), self.target.as_nanos());
        let periods = work.div_ceil(target.max(1)).max(1);
        Nanos::from_nanos(if self.has_fixed_refresh {
            target.saturating_mul(periods)
        } else {
            target.max(work)
        })
    }
}

/// The simulation that a report describes, with its settings and its state at the time of the report.
#[derive(Clone, Debug)]
pub struct Subject {
    pub strategy: &'static StrategyEntry,
    pub frame_loop: &'static FrameLoopEntry,
    pub entities: usize,
    /// How the simulation recovers from the last disturbance, if it is recent, or from all scheduled ones.
    pub recoveries: Vec<Recovery>,
    /// Descriptions of the scheduled disturbances that had no effect or have not happened yet.
    pub idle_disturbances: Vec<String>,
    pub pacing: Pacing,
    pub snaps: bool,
    /// Whether weights come in a few classes, so that all entities in a band around the target have the same weight.
    pub has_bands: bool,
    /// The game time that should pass per second of real time.
    pub speed: f64,
    pub guarantee: Guarantee,
    /// The strategy's desired time between two runs of a task, if it is the same for all tasks.
    pub wanted: Option<Nanos>,
    /// The maximum number of tasks that run in an update. `None` if the strategy does not limit this number.
    pub max_tasks: Option<usize>,
    /// The expected number of requests per entity per second of game time.
    pub requests_per_s: f64,
    /// The fraction of entities that ask again as soon as they have run.
    pub eager_share: f64,
    /// The time that an update may spend on tasks. `None` if the strategy has no budget.
    pub budget: Option<Nanos>,
    /// The budget that updates should not exceed: the strategy's own, or the one that a comparison sets for all.
    pub limit: Option<Nanos>,
    /// Whether measured times are exact. They are exact only on a simulated machine.
    pub is_clock_exact: bool,
    /// How often the defect in the published algorithm has occurred, if the strategy runs in its published form.
    pub defect: Option<Defect>,
}

impl Subject {
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let settings = lane.settings();
        let budget = settings.strategy.budget(&settings.knobs);
        let is_simulated = lane.machine().is_simulated();
        Self {
            strategy: settings.strategy,
            frame_loop: settings.frame_loop,
            entities: lane.world().tasks().len(),
            recoveries: if settings.scheduled.is_empty() {
                lane.recovery().cloned().into_iter().collect()
            } else {
                lane.observer().recoveries.clone()
            },
            idle_disturbances: lane.idle_disturbances().collect(),
            pacing: Pacing {
                target: lane.target_period(),
                hitch_above: lane.hitch_above(),
                step: lane.fixed_step(),
                has_fixed_refresh: is_simulated && settings.has_fixed_refresh(),
                recorded: settings.recorded_mean(),
            },
            speed: settings.game_speed(),
            has_bands: settings.knobs.get(&WEIGHT_STEPS) > 0.0,
            snaps: settings.knobs.get(&SNAP) > 0.0,
            guarantee: lane.strategy().guarantee(),
            wanted: settings.strategy.wanted_interval(&settings.knobs),
            max_tasks: settings.strategy.max_tasks(&settings.knobs),
            requests_per_s: settings.knobs.get(&REQUESTS),
            eager_share: settings.knobs.get(&EAGER) / 100.0,
            budget,
            limit: budget,
            is_clock_exact: is_simulated,
            defect: lane.strategy().defect(),
        }
    }
}

/// All metrics of a simulation since the last setting change ([`MeasuredLane::report`]) or over the last few seconds
/// ([`crate::history::WindowStats`]). A report dereferences to its [`Report::totals`].
#[derive(Clone, Debug)]
pub struct Report {
    pub subject: Subject,
    pub totals: Totals,
    /// The game time since the last setting change. Intervals that are longer than this cannot have ended yet.
    pub since_change: Nanos,
    /// The lengths of all frames, without injected stalls.
    pub frame: Times,
    pub frame_tasks: Times,
    /// The mean frame rate of the slowest 1 % of all frames, or of at least one frame. Zero if there are no frames.
    pub low_fps: f64,
    /// The times between two runs of a task. Intervals that began before the period of the report are not included.
    pub interval: Times,
    /// The amounts by which updates exceeded the budget. Updates that stayed within the budget are not included.
    pub overrun: Times,
    /// The game time from each request to the run that it asked for. Empty if tasks do not run on request.
    pub request_wait: Times,
    /// The sums over the frames after every task has run once, which may be more frames than the report covers. The
    /// worst weighted staleness includes entities that are still waiting. `None` until every living entity has run or
    /// was born since the last reset of the metrics. Before that, staleness still depends on earlier events: it is too
    /// low after a whole crowd was born, and too high after a change that makes the strategy faster.
    ///
    /// A run at the very time of the reset does not count, because it ends no wait. A strategy that runs every task in
    /// the first frame must therefore run them all again. Otherwise, a setting whose interval is longer than the
    /// measurement would seem to need no task time, and its staleness would only show how long it was measured.
    pub settled: Option<Totals>,
    /// The sums for the theoretical bounds. `None` if the target moves, or if the report is about past frames.
    pub bounds: Option<Bounds>,
    /// The fraction (0 to 1) of the entities from before the last setting change that have run since.
    pub have_run: f64,
    /// Whether the report begins at the start of the simulation, when no entity was stale.
    pub begins_fresh: bool,
}

impl Deref for Report {
    type Target = Totals;

    fn deref(&self) -> &Totals {
        &self.totals
    }
}

impl DerefMut for Report {
    fn deref_mut(&mut self) -> &mut Totals {
        &mut self.totals
    }
}

impl Report {
    /// Creates a report from `sums` of `lane`. It visits at most `max_sampled` entities, to save time in large crowds.
    pub(crate) fn over<M: Machine>(
        lane: &MeasuredLane<M>,
        sums: &Sums,
        max_sampled: usize,
    ) -> Self {
        let collector = lane.observer();
        let mut report = Self::new(Subject::of(lane), sums);
        if report.frames > 0 {
            let worst = collector.worst_weighted(&sums.totals, lane.world(), max_sampled);
            report.worst_weighted = worst;
        }
        report.settled.clone_from(&collector.settled);
        if let Some(settled) = &mut report.settled {
            let worst = collector.worst_weighted(settled, lane.world(), max_sampled);
            settled.worst_weighted = worst;
        }
        let target_rests = lane.settings().target_rests();
        report.bounds = target_rests.then(|| {
            let speed = lane.machine().speed();
            Bounds::sampled(lane.world(), lane.now(), speed, max_sampled)
        });
        report.have_run = collector.have_run(lane.world(), max_sampled);
        report.begins_fresh = sums.totals.since == GameTime::START;
        report
    }

    /// Creates a report from `sums` alone. Without access to the entities, it assumes that some tasks have not run yet.
    pub(crate) fn new(subject: Subject, sums: &Sums) -> Self {
        Self {
            totals: sums.totals.clone(),
            since_change: sums.totals.since_change(),
            frame: sums.lengths.times(),
            frame_tasks: sums.frame_tasks.times(),
            low_fps: match sums.lengths.mean_of_longest(0.01) {
                Nanos::ZERO => 0.0,
                length => 1.0 / length.as_secs_f64(),
            },
            interval: sums.intervals.times(),
            overrun: sums.overruns.times(),
            request_wait: sums.request_waits.times(),
            settled: None,
            bounds: None,
            have_run: 0.0,
            begins_fresh: false,
            subject,
        }
    }

    /// Excludes the first round, in which every task runs once, from the staleness and the longest task time, because
    /// only later frames can be compared with the theoretical minimum. Does nothing if the round has not ended yet.
    pub fn after_first_round(mut self) -> Self {
        let settled = self.settled.as_ref();
        let Some(settled) = settled.filter(|it| !it.game_span.is_zero()) else {
            return self;
        };
        self.totals.staleness = settled.staleness;
        self.totals.worst_staleness = settled.worst_staleness;
        self.totals.worst_weighted = settled.worst_weighted;
        self.frame_tasks.max = settled.most_task_time;
        self.frame_tasks.p99 = self.frame_tasks.p99.min(settled.most_task_time);
        self.begins_fresh = false;
        self
    }

    /// Returns true if a frame of this length is a hitch, and updates are partly to blame for long frames.
    pub(super) fn is_too_long(&self, length: Nanos) -> bool {
        length > self.subject.pacing.hitch_above && self.updates_are_too_long()
    }

    /// Returns the mean number of runs per frame, or zero if there are no frames.
    pub fn mean_runs(&self) -> f64 {
        self.runs as f64 / self.frames.max(1) as f64
    }

    /// Returns the largest number of runs in a frame divided by the mean number. Returns `None` if nothing has run.
    pub fn peak_over_mean(&self) -> Option<f64> {
        (self.runs > 0).then(|| f64::from(self.peak_runs) / self.mean_runs())
    }

    /// Returns the mean number of frames per second, or zero if there are no frames.
    pub fn fps(&self) -> f64 {
        self.span.rate_of(self.frames)
    }

    /// Divides a time that was summed over all frames by the number of frames. Returns zero if there are no frames.
    pub fn per_frame(&self, total: Nanos) -> Nanos {
        Nanos::from_nanos_f64(total.as_nanos() as f64 / self.frames.max(1) as f64)
    }

    /// Returns the fraction of updates (0 to 1) that exceeded the budget, or `None` if there were no updates.
    pub(super) fn overrun_share(&self) -> Option<f64> {
        (self.updates > 0).then(|| self.overrun.count as f64 / self.updates as f64)
    }

    /// Returns the mean cost of a run on this machine, or `None` if nothing has run.
    pub fn cost(&self) -> Option<Nanos> {
        let mean = self.task_time.as_nanos() as f64 / self.runs as f64;
        (self.runs > 0).then(|| Nanos::from_nanos_f64(mean))
    }

    /// Returns the theoretical minimum of the objective after every task has run once. No strategy that spends
    /// as much time on tasks can do better. Returns `None` if the target moves, or if the minimum is not known yet.
    pub fn least(&self, objective: Objective) -> Option<Nanos> {
        self.bounds?.least_over(self.settled.as_ref()?, objective)
    }

    /// Returns the theoretical minimum of the mean weighted staleness over all frames of the report, including the first
    /// round. This minimum is known only if the report begins at the start of the simulation, when no entity was stale.
    /// Otherwise, returns [`Report::least`].
    pub(super) fn least_mean_in_range(&self) -> Option<Nanos> {
        if !self.begins_fresh {
            return self.least(Objective::WeightedMean);
        }
        self.bounds?
            .least_over(&self.totals, Objective::WeightedMean)
    }

    /// Returns the objective after every task has run once, divided by its theoretical minimum. Unlike the staleness of
    /// all frames, it can be compared with that of other strategies. Returns `None` if one of the two is unknown.
    pub fn over_minimum(&self, objective: Objective) -> Option<f64> {
        let least = self.least(objective).filter(|least| !least.is_zero())?;
        let settled = self.settled.as_ref()?;
        let measured = match objective {
            Objective::WeightedMean => settled.staleness.weighted_mean()?,
            Objective::WeightedWorst => settled.worst_weighted,
            Objective::Worst | Objective::MeanWait | Objective::LongestWait => return None,
        };
        Some(measured.over(least))
    }

    /// Returns the percentage of the entities of the first round that have run, rounded down, or `None` if all have or
    /// there are none.
    pub fn first_round_percent(&self) -> Option<u32> {
        let percent = (100.0 * self.have_run).min(99.0) as u32;
        let is_first_round = self.settled.is_none() && self.subject.entities > 0;
        is_first_round.then_some(percent)
    }

    /// Returns the fraction of real time that tasks need if each of them runs once per desired interval. At 1 or more,
    /// the machine cannot keep up. Returns `None` if there is no desired interval or if nothing has run.
    pub fn utilisation(&self) -> Option<f64> {
        let wanted = self.subject.wanted?;
        // Multiplies before dividing. The products are integers, so a utilisation of 1 is exactly 1.
        let work = self.subject.entities as f64 * self.task_time.as_nanos() as f64;
        let share = work / (self.runs as f64 * wanted.as_nanos() as f64);
        (self.runs > 0).then_some(share * self.subject.speed)
    }

    /// Describes the strategy's guarantee, such as `every 500 ms, plus at most one update`.
    pub fn guarantee_text(&self) -> String {
        match self.subject.guarantee {
            Guarantee::Interval(interval) => {
                let words = if self.subject.wanted.is_some() {
                    format!("every {}", time(interval))
                } else {
                    format!(
                        "each task at its own interval of at most {}",
                        time(interval)
                    )
                };
                format!("{}, plus at most one update", self.game_time(words))
            }
            Guarantee::Eventually {
                interval: Nanos::MAX,
                ..
            } => "no limit on the wait".to_owned(),
            Guarantee::Eventually { interval, .. } => {
                let words = self.game_time(format!("within {}", time(interval)));
                format!("{words}, plus at most {ELASTIC_UPDATES} updates")
            }
            Guarantee::Updates(1) => "every update".to_owned(),
            Guarantee::Updates(updates) => format!("at least every {updates} updates"),
            Guarantee::Request { updates: 1 } => "requests run in the next update".to_owned(),
            Guarantee::Request { updates } => format!("requests run within {updates} updates"),
        }
    }

    /// Returns the report as JSON. A metric with the key `a.b` is stored as `b` in the object `a`.
    pub fn to_json(&self) -> Value {
        let mut all = Map::new();
        all.insert("strategy".into(), json!(self.subject.strategy.key));
        all.insert("loop".into(), json!(self.subject.frame_loop.key));
        for metric in METRICS {
            let value = (metric.value)(self).map_or(Value::Null, |value| {
                if metric.whole {
                    json!(value as u64)
                } else {
                    json!(value)
                }
            });
            match metric.key.split_once('.') {
                None => drop(all.insert(metric.key.into(), value)),
                Some((outer, inner)) => {
                    let group = all.entry(outer).or_insert_with(|| json!({}));
                    group[inner] = value;
                }
            }
        }
        if !self.subject.recoveries.is_empty() {
            let recoveries = self.subject.recoveries.iter().map(Recovery::to_json);
            all.insert("disturbances".into(), recoveries.collect());
        }
        all.insert("promise".into(), json!(self.guarantee_text()));
        all.insert("verdict".into(), json!(verdict(self).to_string()));
        Value::Object(all)
    }
}
