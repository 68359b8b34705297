//! A report: every figure of a lane over some time, whether a whole run or the last seconds.

use super::tally::Tally;
use super::thresholds::{PREDICTED_PEAK, hitch_from};
use super::{FIGURES, MeasuredLane, Recovery, Times, verdict};
use crate::sim::machine::Machine;
use serde_json::{Map, Value, json};
use timeslice::frame_loop::{FrameLoopEntry, Pace};
use timeslice::strategy::{Pattern, Promise, StrategyEntry};
use timeslice::time::Nanos;

/// How a frame's length is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacing {
    /// The length that a frame is to have: the display's period, or the loop's own where it keeps one
    /// (`constant-fps`). A loop that waits for nothing is held against the display's, too.
    pub target: Nanos,
    /// Whether frames wait for the display.
    pub waits_for_display: bool,
    /// The game time of each update, if it is fixed; else it is the real time that has passed.
    pub step: Option<Nanos>,
}

/// What a report is about: the lane as it is when the report is made.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The strategy that ran.
    pub strategy: &'static StrategyEntry,
    /// The frame loop that ran.
    pub frame_loop: &'static FrameLoopEntry,
    /// What all chance came from.
    pub seed: u64,
    /// Number of entities that live.
    pub entities: usize,
    /// True if nothing is counted yet after a change.
    pub warming_up: bool,
    /// Recovery from the last disturbance, if there was one.
    pub recovery: Option<Recovery>,
    /// How a frame's length is decided.
    pub pacing: Pacing,
    /// What the strategy promises.
    pub promise: Promise,
    /// How it shares out its tasks, if by a fixed pattern.
    pub pattern: Option<Pattern>,
    /// The time that an update may spend on tasks, for strategies with a budget.
    pub budget: Option<Nanos>,
    /// The staleness of the stalest entity, in game time.
    pub staleness: Nanos,
}

impl Subject {
    /// The lane as it is.
    #[must_use]
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let (settings, strategy) = (lane.settings(), lane.strategy());
        Self {
            strategy: settings.strategy,
            frame_loop: settings.frame_loop,
            seed: settings.seed,
            entities: lane.world().tasks().len(),
            warming_up: lane.observer().collector.is_warming_up(),
            recovery: lane.recovery().cloned(),
            pacing: Pacing {
                target: lane.target_period(),
                waits_for_display: lane.pace() == Pace::Display,
                step: lane.fixed_step(),
            },
            promise: strategy.promise(),
            pattern: strategy.pattern(),
            budget: strategy.budget(),
            staleness: lane.worst_staleness(),
        }
    }
}

/// The intervals between two runs of one task, of those that began in the time of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intervals {
    /// How many ended.
    pub count: u64,
    /// Their mean.
    pub mean: Nanos,
    /// Their standard deviation.
    pub deviation: Nanos,
    /// The longest.
    pub max: Nanos,
    /// By how much the worst of them differs from the wanted interval; zero without one.
    pub off_worst: Nanos,
    /// The difference from the wanted interval that 99 of 100 do not exceed, if it was measured.
    pub off_p99: Option<Nanos>,
}

/// Figures that are counted run by run, which each producer of a report does in its own way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunFigures {
    pub(crate) since_change: Nanos,
    pub(crate) interval: Intervals,
    pub(crate) overrun: Times,
    pub(crate) request_wait: Option<Times>,
    pub(crate) late: Option<u64>,
    pub(crate) starved: Option<u64>,
}

/// Every figure of a lane over some time: for sentences, tables and JSON.
///
/// It has two producers: a lane's statistics, since the last change ([`Report::of`]), and the recorded history, over the
/// last seconds. A figure that only one of them knows is an option.
#[derive(Clone, Debug)]
pub struct Report {
    /// The strategy that ran.
    pub strategy: &'static StrategyEntry,
    /// The frame loop that ran.
    pub frame_loop: &'static FrameLoopEntry,
    /// What all chance came from.
    pub seed: u64,
    /// Number of entities that live now.
    pub entities: usize,
    /// True if nothing is counted yet after a change.
    pub warming_up: bool,
    /// Recovery from the last disturbance, if there was one.
    pub recovery: Option<Recovery>,
    /// How a frame's length is decided.
    pub pacing: Pacing,
    /// What the strategy promises now.
    pub promise: Promise,
    /// How it shares out its tasks, if by a fixed pattern.
    pub pattern: Option<Pattern>,
    /// The machine's time that was measured.
    pub span: Nanos,
    /// The game time that passed in it.
    pub game_span: Nanos,
    /// The game time since the last change: longer intervals have not ended yet.
    pub since_change: Nanos,
    /// Frames measured.
    pub frames: u64,
    /// Updates in them.
    pub updates: u64,
    /// The most updates in a frame.
    pub most_updates: u32,
    /// Runs in them.
    pub runs: u64,
    /// Frames in which anything ran.
    pub busy_frames: u64,
    /// The fewest runs in one of these; zero if nothing ran.
    pub fewest_runs: u32,
    /// The most runs in a frame.
    pub peak_runs: u32,
    /// The frames' lengths, without the stalls that something outside brought.
    pub frame: Times,
    /// The most by which game time may be behind the machine's or ahead of it only because frames have a length.
    pub(super) slack: Nanos,
    /// The time in tasks of each frame.
    pub frame_tasks: Times,
    /// Frames per second of the slowest hundredth of the frames: their number, at least one, over their summed length.
    /// Zero without frames.
    pub low_fps: f64,
    /// Frames longer than one and a half times [`Pacing::target`].
    pub hitches: u64,
    /// Hitches that are the tasks' doing.
    pub hitches_by_tasks: u64,
    /// The intervals between two runs of one task.
    pub interval: Intervals,
    /// The interval that the strategy is to keep, if it keeps one.
    pub wanted: Option<Nanos>,
    /// The staleness of the stalest entity now, in game time.
    pub staleness: Nanos,
    /// The longest that any entity had not run: until it did, it died, or until now.
    pub worst_staleness: Nanos,
    /// The share of the crowd, from 0 to 1, that looked at the wrong place: its mean over time and its
    /// worst; none if it was not measured.
    pub looking_wrong: Option<(f64, f64)>,
    /// Tasks that waited after the first frame, and after the last.
    pub backlog: (usize, usize),
    /// The most tasks that waited after a frame.
    pub backlog_peak: usize,
    /// The time that an update may spend on tasks, for strategies with a budget.
    pub budget: Option<Nanos>,
    /// By how much updates exceeded it, of those that did.
    pub overrun: Times,
    /// The game time between a request and its run, for strategies that run on request.
    pub request_wait: Option<Times>,
    /// Runs that came later than [`Report::promise`] allows.
    pub late: Option<u64>,
    /// Entities that at some time had waited more than [`super::thresholds::STARVED_AFTER`] times what was promised.
    pub starved: Option<u64>,
    /// The time in tasks.
    pub task_time: Nanos,
    /// The time in updates apart from tasks.
    pub scheduling: Nanos,
    /// The time in drawing.
    pub drawing: Nanos,
    /// The time in waiting.
    pub waiting: Nanos,
    /// Real time that the game has lost.
    pub debt_dropped: Nanos,
}

impl Report {
    /// Report of what a lane's statistics have counted until now.
    #[must_use]
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let collector = &lane.observer().collector;
        let (intervals, off_wanted) = (&collector.intervals, collector.off_wanted.times());
        let runs = RunFigures {
            since_change: collector.tally.game_span,
            interval: Intervals {
                count: intervals.count(),
                mean: intervals.mean(),
                deviation: intervals.deviation(),
                max: intervals.max(),
                off_worst: off_wanted.max,
                off_p99: (off_wanted.count > 0).then_some(off_wanted.p99),
            },
            overrun: collector.overruns.times(),
            request_wait: Some(collector.request_waits.times()),
            late: Some(collector.late),
            starved: Some(collector.starved(lane.world(), lane.now())),
        };
        Self::new(Subject::of(lane), &collector.tally, runs)
    }

    /// Report about `subject`, from the figures of its frames and those of its runs.
    #[must_use]
    pub(crate) fn new(subject: Subject, tally: &Tally, runs: RunFigures) -> Self {
        Self {
            strategy: subject.strategy,
            frame_loop: subject.frame_loop,
            seed: subject.seed,
            entities: subject.entities,
            warming_up: subject.warming_up,
            recovery: subject.recovery,
            pacing: subject.pacing,
            promise: subject.promise,
            pattern: subject.pattern,
            span: tally.span,
            game_span: tally.game_span,
            since_change: runs.since_change,
            frames: tally.frames,
            updates: tally.updates,
            most_updates: tally.most_updates,
            runs: tally.runs,
            busy_frames: tally.busy_frames,
            fewest_runs: tally.fewest_runs,
            peak_runs: tally.peak_runs,
            frame: tally.lengths.times(),
            slack: tally.slack(),
            frame_tasks: tally.frame_tasks.times(),
            low_fps: match tally.lengths.mean_of_longest(0.01) {
                Nanos::ZERO => 0.0,
                length => 1.0 / length.as_secs_f64(),
            },
            hitches: tally.hitches,
            hitches_by_tasks: tally.hitches_by_tasks,
            interval: runs.interval,
            wanted: subject.promise.wanted_interval(),
            staleness: subject.staleness,
            worst_staleness: tally.worst_staleness(),
            looking_wrong: tally.looking_wrong(),
            backlog: (tally.backlog_first, tally.backlog_last),
            backlog_peak: tally.backlog_peak,
            budget: subject.budget,
            overrun: runs.overrun,
            request_wait: runs.request_wait,
            late: runs.late,
            starved: runs.starved,
            task_time: tally.task_time,
            scheduling: tally.scheduling,
            drawing: tally.drawing,
            waiting: tally.waiting,
            debt_dropped: tally.debt_dropped,
        }
    }

    /// From which length on a frame is a hitch.
    #[must_use]
    pub fn hitch(&self) -> Nanos {
        hitch_from(self.pacing.target)
    }

    /// Whether the frame length that a share `quantile` of all frames does not exceed is that of a hitch.
    pub(super) fn is_hitch_at(&self, quantile: f64) -> bool {
        let rank = (quantile * self.frames as f64).ceil() as u64;
        self.frames - self.hitches < rank.max(1).min(self.frames)
    }

    /// Runs per frame, on average; zero without frames.
    #[must_use]
    pub fn mean_runs(&self) -> f64 {
        self.runs as f64 / self.frames.max(1) as f64
    }

    /// The most runs in a frame over the mean. `None` if nothing ran.
    #[must_use]
    pub fn peak_over_mean(&self) -> Option<f64> {
        (self.runs > 0).then(|| f64::from(self.peak_runs) / self.mean_runs())
    }

    /// Pictures a second of the machine's time; zero without frames.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.span.rate_of(self.frames)
    }

    /// The mean of such a part of the frames' time; zero without frames.
    #[must_use]
    pub fn a_frame(&self, part: Nanos) -> Nanos {
        Nanos::from_nanos_f64(part.as_nanos() as f64 / self.frames.max(1) as f64)
    }

    /// The mean cost of a run on this machine. `None` if nothing ran.
    #[must_use]
    pub fn cost(&self) -> Option<Nanos> {
        let mean = self.task_time.as_nanos() as f64 / self.runs as f64;
        (self.runs > 0).then(|| Nanos::from_nanos_f64(mean))
    }

    /// The utilisation U = entities x cost / interval, the cost as measured: the share of real time that
    /// tasks take where each runs once in the wanted interval. From 1 on that cannot be. None for strategies
    /// that keep no interval, and where nothing ran.
    #[must_use]
    pub fn utilisation(&self) -> Option<f64> {
        let wanted = self.wanted?;
        // Products first: as long as they are whole numbers, U = 1 comes out as 1.
        let work = self.entities as f64 * self.task_time.as_nanos() as f64;
        (self.runs > 0).then(|| work / (self.runs as f64 * wanted.as_nanos() as f64))
    }

    /// The mean frame that the law of interval strategies predicts: b / (1 - U), where b is a frame without
    /// tasks. A frame of length f must run the tasks that became due in the last one, which takes U x f; so
    /// f = b + U x f.
    ///
    /// The law speaks of games that keep real time, so of loops that wait for the display. A frame that is
    /// shorter than the display's period waits for it; then the prediction is the period, and is made only for
    /// what follows from it: one update a frame, and runs without peaks beyond [`PREDICTED_PEAK`]. None
    /// elsewhere, and where U is 1 or more.
    #[must_use]
    pub fn predicted_frame(&self) -> Option<Nanos> {
        let utilisation = self
            .utilisation()
            .filter(|&utilisation| utilisation < 1.0)?;
        if !self.pacing.waits_for_display {
            return None;
        }
        let idle = self.a_frame(self.scheduling + self.drawing);
        let law = Nanos::from_secs_f64(idle.as_secs_f64() / (1.0 - utilisation));
        let period = self.pacing.target;
        let spread = f64::from(self.peak_runs) <= PREDICTED_PEAK * self.mean_runs() + 1.0;
        if idle >= period {
            Some(law)
        } else if spread && self.pacing.step.is_none() {
            Some(law.max(period))
        } else {
            None
        }
    }

    /// What the strategy promises, in words: `each again after 0.5 s and one update`.
    #[must_use]
    pub fn promise_in_words(&self) -> String {
        let updates = |updates: usize| match updates {
            1 => "the next update".to_owned(),
            more => format!("{more} updates"),
        };
        match self.promise {
            Promise::Interval(interval) => {
                format!(
                    "each again after {} s and one update",
                    interval.as_secs_f64()
                )
            }
            Promise::Updates(1) => "each in every update".to_owned(),
            Promise::Updates(within) => format!("each within {}", updates(within)),
            Promise::Request { updates: within } => {
                format!("who waits now within {}", updates(within))
            }
        }
    }

    /// Every figure of [`FIGURES`] under its key, and the verdict. The prefix of a key with a dot is an object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut all = Map::new();
        all.insert("strategy".into(), json!(self.strategy.key));
        all.insert("loop".into(), json!(self.frame_loop.key));
        for figure in FIGURES {
            let value = (figure.value)(self).map_or(Value::Null, |value| {
                if figure.whole {
                    json!(value as u64)
                } else {
                    json!(value)
                }
            });
            match figure.key.split_once('.') {
                None => drop(all.insert(figure.key.into(), value)),
                Some((outer, inner)) => {
                    let group = all.entry(outer).or_insert_with(|| json!({}));
                    group[inner] = value;
                }
            }
        }
        all.insert("promise".into(), json!(self.promise_in_words()));
        all.insert("verdict".into(), json!(verdict(self).to_string()));
        Value::Object(all)
    }
}
