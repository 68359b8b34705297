//! A report holds every metric of a lane, measured over a whole run or over the last seconds.

use super::sums::{Sums, Totals};
use super::thresholds::{ELASTIC_UPDATES, PREDICTED_PEAK, STRETCHED_FROM, hitch_from};
use super::{Bounds, METRICS, MeasuredLane, Recovery, Settled, Times, WeightedStaleness, verdict};
use crate::phrase;
use crate::sim::machine::Machine;
use crate::sim::world::REQUESTS;
use crate::text::format;
use crate::text::rich::time;
use serde_json::{Map, Value, json};
use std::ops::{Deref, DerefMut};
use timeslicer::frame_loop::{FrameLoopEntry, Pace};
use timeslicer::strategy::knobs::{FASTEST, PREDICT};
use timeslicer::strategy::{Defect, Guarantee, Pattern, StrategyEntry};
use timeslicer::time::{GameTime, Nanos};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacing {
    /// Target length of a frame. This is the loop's own period if it has one (`constant-fps`), otherwise the display's
    /// period, even if the loop does not wait for the display.
    pub target: Nanos,
    /// Whether frames wait for the display.
    pub waits_for_display: bool,
    /// Game time by which each update advances the game, if the frame loop fixes it. `None` if an update advances the
    /// game by the real time that has passed.
    pub step: Option<Nanos>,
}

/// The lane that a report describes, and its state at the time of the report.
#[derive(Clone, Debug)]
pub struct Subject {
    pub strategy: &'static StrategyEntry,
    pub frame_loop: &'static FrameLoopEntry,
    pub entities: usize,
    /// Whether the lane is in the warm-up after a setting change, during which nothing is counted.
    pub warming_up: bool,
    /// Cost of the task that a disturbance made expensive, if that task is still alive.
    pub heavy_task: Option<Nanos>,
    /// Recovery from the last disturbance, if there was one.
    pub recovery: Option<Recovery>,
    pub pacing: Pacing,
    pub guarantee: Guarantee,
    /// Desired time between two runs of a task, if it is the same for all tasks.
    pub wanted: Option<Nanos>,
    /// Pattern in which tasks take turns, if the strategy has a fixed one.
    pub pattern: Option<Pattern>,
    /// Expected number of requests from each entity per second of game time.
    pub requests_per_s: f64,
    /// Time that an update may spend on tasks. `None` if the strategy has no budget.
    pub budget: Option<Nanos>,
    /// The budget that applies to this lane. This is the strategy's own, or one that a comparison applies to every
    /// strategy.
    pub limit: Option<Nanos>,
    /// Whether the strategy predicts the costs of tasks. `None` if it cannot.
    pub predicts: Option<bool>,
    /// Whether the machine is simulated, so that its clock is exact.
    pub is_clock_exact: bool,
    /// Minimum time between two runs of a task, for strategies by significance.
    pub fastest: Nanos,
    /// Weight of an entity at the far end of the crowd while the target is in the middle.
    pub least_weight: f64,
    /// How often the defect of a published form has shown since the strategy started or the statistics were reset.
    /// `None` unless the strategy runs as published.
    pub defect: Option<Defect>,
    /// Staleness of the stalest entity, in game time.
    pub staleness: Nanos,
    /// Mean lifetime of an entity at the current rate of births and deaths, or `None` if entities do not die.
    pub life: Option<Nanos>,
    /// The sums for the theoretical bounds, or `None` if the target moves.
    pub bounds: Option<Bounds>,
}

impl Subject {
    /// Describes `lane` for a report. The theoretical bounds are computed from a sample of `most` entities if there are
    /// more.
    pub fn of<M: Machine>(lane: &MeasuredLane<M>, most: usize) -> Self {
        Self {
            bounds: lane.settings().target_rests().then(|| lane.bounds(most)),
            ..Self::without_bounds(lane)
        }
    }

    /// Describes `lane` for a report in constant time, without the theoretical bounds.
    pub fn without_bounds<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let (settings, strategy) = (lane.settings(), lane.strategy());
        Self {
            strategy: settings.strategy,
            frame_loop: settings.frame_loop,
            entities: lane.world().tasks().len(),
            warming_up: lane.observer().is_warming_up(),
            heavy_task: lane.world().heavy_task().map(|heavy| heavy.cost),
            recovery: lane.recovery().cloned(),
            pacing: Pacing {
                target: lane.target_period(),
                waits_for_display: lane.pace() == Pace::Display,
                step: lane.fixed_step(),
            },
            guarantee: strategy.guarantee(),
            wanted: strategy.wanted_interval(),
            pattern: strategy.pattern(),
            requests_per_s: settings.knobs.get(&REQUESTS),
            budget: strategy.budget(),
            limit: strategy.budget(),
            predicts: settings
                .strategy
                .reads(&PREDICT, &settings.knobs)
                .then(|| settings.knobs.get(&PREDICT) > 0.0),
            is_clock_exact: lane.machine().clock_reading().is_none(),
            fastest: settings.knobs.span(&FASTEST),
            least_weight: lane.world().weights().significance.at(0.25).0,
            defect: lane.defect(),
            staleness: lane.worst_staleness(),
            life: lane.world().mean_life(),
            bounds: None,
        }
    }
}

/// Every metric of a lane over some time, for sentences, tables and JSON. A report dereferences to its
/// [`Report::totals`].
///
/// It covers the time since the last setting change ([`MeasuredLane::report`]), or the last seconds
/// ([`crate::history::WindowStats`]).
#[derive(Clone, Debug)]
pub struct Report {
    /// The lane and its state at the time of the report.
    pub subject: Subject,
    pub totals: Totals,
    /// Game time since the last setting change. Intervals longer than this cannot have ended yet.
    pub since_change: Nanos,
    /// The lengths of all frames, without injected stalls.
    pub frame: Times,
    /// The time that each frame spent on tasks.
    pub frame_tasks: Times,
    /// Frames per second of the slowest 1 % of the frames, but at least of one frame. This is their number divided by
    /// their total length, or zero if there are no frames.
    pub low_fps: f64,
    /// Intervals between two runs of a task. Only intervals that began within the time of the report count.
    pub interval: Times,
    /// Differences between the measured intervals and the strategy's desired interval, if it has one.
    pub off_wanted: Times,
    /// The amounts by which updates exceeded the budget. Updates that kept the budget are left out.
    pub overrun: Times,
    /// Game time between a request and the run that serves it, for strategies that run tasks on request.
    pub request_wait: Times,
    /// Statistics of all frames after the first round, whichever frames the report covers. `None` until every living
    /// entity has run since the last setting change.
    pub settled: Option<Settled>,
    /// Fraction (0 to 1) of the living entities that have run or were born since the last setting change.
    pub have_run: f64,
    /// Whether the report covers all of the lane's time, so that no entity was stale at its beginning.
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
    /// Reports on the frames of a lane that were added to `sums`. Visits at most `most` entities to compute the
    /// theoretical bounds and the worst weighted staleness of the entities that are still waiting.
    pub(crate) fn over<M: Machine>(lane: &MeasuredLane<M>, sums: &Sums, most: usize) -> Self {
        let collector = lane.observer();
        let mut report = Self::new(Subject::of(lane, most), sums);
        report.worst_weighted = collector.worst_weighted(sums, lane.world(), most);
        report.starved = collector.all_starved(sums, lane.world());
        report.settled = collector.settled(lane.world(), most);
        report.have_run = collector.have_run(lane.world(), most);
        report.begins_fresh = sums.since == GameTime::START;
        report
    }

    /// Reports on the frames that were added to `sums`, without looking at the world. Entities that are still waiting
    /// count neither as starved nor for the worst weighted staleness. The first round counts as not over.
    pub(crate) fn new(subject: Subject, sums: &Sums) -> Self {
        Self {
            totals: sums.totals.clone(),
            since_change: sums.since_change(),
            frame: sums.lengths.times(),
            frame_tasks: sums.frame_tasks.times(),
            low_fps: match sums.lengths.mean_of_longest(0.01) {
                Nanos::ZERO => 0.0,
                length => 1.0 / length.as_secs_f64(),
            },
            interval: sums.intervals.times(),
            off_wanted: sums.off_wanted.times(),
            overrun: sums.overruns.times(),
            request_wait: sums.request_waits.times(),
            settled: None,
            have_run: 0.0,
            begins_fresh: false,
            subject,
        }
    }

    /// Restricts staleness and the longest task time to the frames after the first round, to which the theoretical
    /// minimum applies. Returns the report unchanged until that round is over.
    pub fn after_first_round(mut self) -> Self {
        let Some(settled) = self.settled.as_ref().filter(|it| !it.span().is_zero()) else {
            return self;
        };
        self.totals.staleness = *settled.staleness();
        self.totals.worst_staleness = settled.worst;
        self.totals.worst_weighted = settled.worst_weighted;
        self.frame_tasks.max = settled.most_tasks;
        self.frame_tasks.p99 = self.frame_tasks.p99.min(settled.most_tasks);
        self.begins_fresh = false;
        self
    }

    /// Returns the length above which a frame is a hitch.
    pub fn hitch(&self) -> Nanos {
        hitch_from(self.subject.pacing.target)
    }

    /// Returns true if the frame length at `quantile` (0 to 1) is a hitch, and if the strategy can do something about
    /// hitches.
    pub(super) fn is_problem_at(&self, quantile: f64) -> bool {
        let rank = (quantile * self.frames as f64).ceil() as u64;
        let is_hitch = self.frames - self.hitches < rank.max(1).min(self.frames);
        is_hitch && self.updates_are_too_long()
    }

    /// Returns the mean number of runs per frame, or zero if there are no frames.
    pub fn mean_runs(&self) -> f64 {
        self.runs as f64 / self.frames.max(1) as f64
    }

    /// Returns the peak number of runs in a frame, divided by the mean. Returns `None` if nothing ran.
    pub fn peak_over_mean(&self) -> Option<f64> {
        (self.runs > 0).then(|| f64::from(self.peak_runs) / self.mean_runs())
    }

    /// Returns the number of frames per second on the machine's clock, or zero if there are no frames.
    pub fn fps(&self) -> f64 {
        self.span.rate_of(self.frames)
    }

    /// Returns the mean per frame of `part`, a time summed over all frames. Returns zero if there are no frames.
    pub fn per_frame(&self, part: Nanos) -> Nanos {
        Nanos::from_nanos_f64(part.as_nanos() as f64 / self.frames.max(1) as f64)
    }

    /// Returns the mean cost of a run on this machine, or `None` if nothing ran.
    pub fn cost(&self) -> Option<Nanos> {
        let mean = self.task_time.as_nanos() as f64 / self.runs as f64;
        (self.runs > 0).then(|| Nanos::from_nanos_f64(mean))
    }

    /// Returns the task time per second of game time, or `None` if no game time has passed.
    pub fn load(&self) -> Option<f64> {
        let load = self.task_time.as_secs_f64() / self.game_span.as_secs_f64();
        (!self.game_span.is_zero()).then_some(load)
    }

    /// Returns the weighted staleness after the first round, which is comparable with the theoretical minimum and with
    /// other strategies. Returns `None` until that round is over and tasks have run since.
    pub fn settled_staleness(&self, staleness: WeightedStaleness) -> Option<Nanos> {
        let settled = self.settled.as_ref()?;
        let weighted = settled.weighted(staleness)?;
        Some(weighted).filter(|it| !it.is_zero() && settled.load() > Some(0.0))
    }

    /// Returns the least possible weighted staleness after the first round, given the task time measured since. Returns
    /// `None` if the target moves, and until that round is over and tasks have run since.
    pub fn least(&self, staleness: WeightedStaleness) -> Option<Nanos> {
        let least = self
            .settled
            .as_ref()?
            .least(staleness, &self.subject.bounds?)?;
        Some(Nanos::from_secs_f64(least))
    }

    /// Returns the least possible weighted staleness over the time of the report, or else that of [`Report::least`].
    pub(super) fn least_in_range(&self, staleness: WeightedStaleness) -> Option<Nanos> {
        if !self.begins_fresh {
            return self.least(staleness);
        }
        let end = self.subject.bounds?;
        let least = end.least_since(
            staleness,
            &Bounds::default(),
            self.game_span,
            self.task_time,
            self.deaths,
        )?;
        Some(Nanos::from_secs_f64(least))
    }

    /// Returns the weighted staleness after the first round, divided by the theoretical minimum. Returns `None` if
    /// either is unknown.
    pub fn over_minimum(&self, staleness: WeightedStaleness) -> Option<f64> {
        let least = self.least(staleness).filter(|least| !least.is_zero())?;
        Some(self.settled_staleness(staleness)?.over(least))
    }

    /// Returns the percentage of the living entities that have run during the first round, rounded down and below 100.
    /// Returns `None` after that round, and if there are no entities.
    pub fn first_round_percent(&self) -> Option<u32> {
        let percent = (100.0 * self.have_run).min(99.0) as u32;
        let is_first_round = self.settled.is_none() && self.subject.entities > 0;
        is_first_round.then_some(percent)
    }

    /// Returns the utilisation U = entities x measured cost / interval. This is the fraction of real time that tasks
    /// take if each runs once per desired interval. At 1 or more, the machine cannot keep up. Returns `None` if there
    /// is no desired interval or nothing ran.
    pub fn utilisation(&self) -> Option<f64> {
        let wanted = self.subject.wanted?;
        // Multiplies before dividing. The products are integers, so a utilisation of 1 is exactly 1.
        let work = self.subject.entities as f64 * self.task_time.as_nanos() as f64;
        (self.runs > 0).then(|| work / (self.runs as f64 * wanted.as_nanos() as f64))
    }

    /// Predicts the mean frame length of an interval strategy as b / (1 - U), where b is the length of a frame without
    /// tasks and U is the utilisation. A frame of length f must run the tasks that became due in the last frame. They
    /// take U x f, so f = b + U x f.
    ///
    /// The prediction is valid only for loops that wait for the display, because their games keep real time. If a frame
    /// without tasks is shorter than the display's period, the prediction is at least that period. In this case, it
    /// also requires that each frame has one update and that no peak exceeds [`PREDICTED_PEAK`]. Returns `None` in all
    /// other cases, and if U is 1 or more.
    pub fn predicted_frame(&self) -> Option<Nanos> {
        let utilisation = self
            .utilisation()
            .filter(|&utilisation| utilisation < 1.0)?;
        if !self.subject.pacing.waits_for_display {
            return None;
        }
        let idle = self.per_frame(self.scheduling + self.drawing);
        let law = Nanos::from_secs_f64(idle.as_secs_f64() / (1.0 - utilisation));
        let period = self.subject.pacing.target;
        let spread = f64::from(self.peak_runs) <= PREDICTED_PEAK * self.mean_runs() + 1.0;
        if idle >= period {
            Some(law)
        } else if spread && self.subject.pacing.step.is_none() {
            Some(law.max(period))
        } else {
            None
        }
    }

    /// Describes the strategy's guarantee, such as `every 500 ms, plus at most one update`.
    pub fn guarantee_text(&self) -> String {
        match self.subject.guarantee {
            Guarantee::Interval(interval) => {
                let words = match self.subject.wanted {
                    Some(_) => phrase!("every {}", interval),
                    None => phrase!("each task at its own interval, at most {}", interval),
                };
                let every = self.game_speed().of_game_time(words, None, interval);
                format!("{every}, plus at most one update")
            }
            Guarantee::Eventually {
                interval: Nanos::MAX,
                ..
            } => "no limit on the wait".to_owned(),
            Guarantee::Eventually { interval, .. } => {
                let words = format!("within {}", time(interval));
                let stretch = self.stretch().filter(|&stretch| stretch >= STRETCHED_FROM);
                let (words, interval) = match stretch {
                    None => (words, interval),
                    Some(stretch) => {
                        let times = format::times(stretch);
                        let stretched = Nanos::from_secs_f64(interval.as_secs_f64() * stretch);
                        let stretched_to = format!("stretched {times}, to {}", time(stretched));
                        (format!("{words}, {stretched_to} on average"), stretched)
                    }
                };
                let words = self.game_speed().of_game_time(words, None, interval);
                format!("{words}, plus at most {ELASTIC_UPDATES} updates")
            }
            Guarantee::Updates(1) => "every update".to_owned(),
            Guarantee::Updates(updates) => format!("at least every {updates} updates"),
            Guarantee::Request { updates: 1 } => "requests run in the next update".to_owned(),
            Guarantee::Request { updates } => format!("requests run within {updates} updates"),
        }
    }

    /// Returns the strategy, the loop, every metric of [`METRICS`] under its key, the guarantee and the verdict. A
    /// metric with the key `a.b` becomes the entry `b` of the object `a`.
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
        all.insert("promise".into(), json!(self.guarantee_text()));
        all.insert("verdict".into(), json!(verdict(self).to_string()));
        Value::Object(all)
    }
}
