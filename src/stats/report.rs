//! What was measured until now.

use super::collector::hitch_from;
use super::{FIGURES, MeasuredLane, Recovery, Times, grew_beyond_chance, verdict};
use crate::sim::machine::Machine;
use serde_json::{Map, Value, json};
use timeslice::frame_loop::{FrameLoopEntry, Pace};
use timeslice::strategy::{Promise, StrategyEntry};
use timeslice::time::Nanos;

/// How a frame's length is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacing {
    /// The length that a frame is to have: the display's period, or the loop's own where it keeps one
    /// (`constant-fps`). A loop that waits for nothing is held against the display's, too.
    pub target: Nanos,
    /// Whether frames wait for the display.
    pub waits_for_display: bool,
    /// The game time of each update where it is fixed; none where it is the real time that has passed.
    pub step: Option<Nanos>,
}

/// What a lane did since its figures were last cleared: plain figures, for tables, JSON and words.
#[derive(Clone, Debug)]
pub struct Report {
    /// The strategy that ran.
    pub strategy: &'static StrategyEntry,
    /// The frame loop that ran.
    pub frame_loop: &'static FrameLoopEntry,
    /// What all chance came from.
    pub seed: u64,
    /// How many entities live now.
    pub entities: usize,
    /// Whether something was changed so lately that nothing is counted yet.
    pub warming_up: bool,
    /// What came of what was done to it lately, if anything was.
    pub recovery: Option<Recovery>,
    /// How a frame's length is decided.
    pub pacing: Pacing,
    /// What the strategy promises now.
    pub promise: Promise,
    /// The machine's time that was measured.
    pub span: Nanos,
    /// The game time that passed in it.
    pub game_span: Nanos,
    /// Frames measured.
    pub frames: u64,
    /// Updates in them.
    pub updates: u64,
    /// Runs in them.
    pub runs: u64,
    /// The frames' lengths, without the stalls that something outside brought.
    pub frame: Times,
    /// The most by which game time may be behind the machine's or ahead of it for the frames' lengths alone: the
    /// longest of them, and of the one before, stalls included.
    pub(super) behind: Nanos,
    /// The time in tasks of each frame.
    pub frame_tasks: Times,
    /// The frames a second of the slowest hundredth: their number, at least one, over their summed length.
    /// Zero without frames.
    pub low_fps: f64,
    /// Frames longer than one and a half times [`Pacing::target`].
    pub hitches: u64,
    /// The most runs in a frame.
    pub peak_runs: u32,
    /// The intervals between two runs of one task, of those that began in this time.
    pub interval: Times,
    /// The interval that the strategy is to keep, if it keeps one.
    pub wanted: Option<Nanos>,
    /// How far intervals were from the wanted one, either way.
    pub off_wanted: Times,
    /// How long ago the stalest entity's last run (or birth) is, in game time.
    pub staleness: Nanos,
    /// The longest that any entity had not run: until it did, it died, or until now.
    pub worst_staleness: Nanos,
    /// The share of the crowd, from 0 to 1, that looked at the wrong place, on the mean over time and at the
    /// worst; none where nobody lived, or nobody measured it.
    pub looking_wrong: Option<(f64, f64)>,
    /// Tasks that waited after the first frame, and after the last.
    pub backlog: (usize, usize),
    /// The most tasks that waited after a frame.
    pub backlog_peak: usize,
    /// The time that an update may spend on tasks, for strategies with a budget.
    pub budget: Option<Nanos>,
    /// By how much updates passed it, of those that did.
    pub overrun: Times,
    /// The game time between a request and its run, for strategies that run on request.
    pub request_wait: Times,
    /// Runs that came later than [`Report::promise`] allows.
    pub late: u64,
    /// Entities that at some time had waited more than [`super::STARVED_AFTER`] times what was promised.
    pub starved: u64,
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
        let metrics = &lane.observer().collector;
        let (settings, strategy) = (lane.settings(), lane.strategy());
        let sums = &metrics.sums;
        let promise = strategy.promise();
        Self {
            strategy: settings.strategy,
            frame_loop: settings.frame_loop,
            seed: settings.seed,
            entities: lane.world().tasks().len(),
            warming_up: metrics.is_warming_up(),
            recovery: lane.recovery().cloned(),
            pacing: Pacing {
                target: lane.target_period(),
                waits_for_display: lane.pace() == Pace::Display,
                step: lane.fixed_step(),
            },
            promise,
            span: sums.span,
            game_span: sums.game_span,
            frames: sums.frames,
            updates: sums.updates,
            runs: sums.runs,
            frame: metrics.lengths.times(),
            behind: sums.longest.max(sums.first_delta),
            frame_tasks: metrics.frame_tasks.times(),
            low_fps: match metrics.lengths.mean_of_longest(0.01) {
                Nanos::ZERO => 0.0,
                length => 1.0 / length.as_secs_f64(),
            },
            hitches: sums.hitches,
            peak_runs: sums.peak_runs,
            interval: metrics.intervals.times(),
            wanted: promise.wanted_interval(),
            off_wanted: metrics.off_wanted.times(),
            staleness: lane.worst_staleness(),
            worst_staleness: sums.worst_staleness,
            looking_wrong: (!sums.gazed.is_zero())
                .then(|| (sums.wrong_s / sums.gazed.as_secs_f64(), sums.wrong_worst)),
            backlog: (sums.backlog_first, sums.backlog_last),
            backlog_peak: sums.backlog_peak,
            budget: strategy.budget(),
            overrun: metrics.overruns.times(),
            request_wait: metrics.request_waits.times(),
            late: sums.late,
            starved: metrics.starved(lane.world(), lane.now()),
            task_time: sums.task_time,
            scheduling: sums.scheduling,
            drawing: sums.drawing,
            waiting: sums.waiting,
            debt_dropped: sums.debt_dropped,
        }
    }

    /// From which length on a frame is a hitch.
    #[must_use]
    pub fn hitch(&self) -> Nanos {
        hitch_from(self.pacing.target)
    }

    /// Runs a frame, on the mean; zero without frames.
    #[must_use]
    pub fn mean_runs(&self) -> f64 {
        self.runs as f64 / self.frames.max(1) as f64
    }

    /// The most runs in a frame over the mean; none where nothing ran.
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

    /// Whether more wait all the time than are served.
    #[must_use]
    pub fn falls_behind(&self) -> bool {
        grew_beyond_chance(self.backlog, self.runs) && self.backlog.1 * 2 >= self.backlog_peak
    }

    /// The mean cost of a run on this machine; none where nothing ran.
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
    /// what follows from it: one update a frame, and runs that are spread evenly over the frames. None
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
        let spread = f64::from(self.peak_runs) <= 2.0 * self.mean_runs() + 1.0;
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

    /// Every figure of [`FIGURES`] under its key, and the verdict. A key with a dot is an object's member.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut all = Map::new();
        all.insert("strategy".into(), json!(self.strategy.key));
        all.insert("loop".into(), json!(self.frame_loop.key));
        for figure in FIGURES {
            let value = (figure.of)(self).map_or(Value::Null, |value| {
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
