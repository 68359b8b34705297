//! Checks whether each step of the tour had the expected outcome on this computer.

use crate::app::state::State;
use crate::app::state::view::View;
use headless::experiment::loop_comparison::{LoopRow, Side};
use headless::history::WindowStats;
use headless::sim::lane::FrameRecord;
use headless::stats::Report;
use headless::stats::thresholds::{COMPARED_FROM, MISSED_TARGET, TOO_LONG_INTERVAL};
use headless::text::format;
use headless::text::rich::{multiple, time};
use timeslicer::time::Nanos;

/// A statement that should be true after the user has completed the task of a tour step.
pub struct Claim {
    /// Returns true if the measurements confirm the claim.
    pub holds: fn(&Evidence) -> bool,
    /// The text to show if the claim is true. Names in braces, such as `{usual}`, are replaced with measured values.
    pub outcome: &'static str,
    /// The text to show if the claim is false. Names in braces are replaced with measured values, and `{why}` is
    /// replaced with the reason why the claim is false.
    pub otherwise: &'static str,
}

impl Claim {
    /// Returns whether the claim is true, and the text to show to the user.
    pub fn check(&self, evidence: &Evidence) -> (bool, String) {
        let holds = (self.holds)(evidence);
        let template = if holds { self.outcome } else { self.otherwise };
        let metrics = evidence.metrics.iter();
        let words = metrics.fold(template.to_owned(), |words, (name, metric)| {
            words.replace(name, metric)
        });
        (holds, words)
    }
}

/// Measurements since the user completed the task of a tour step.
pub struct Evidence {
    pub report: Report,
    /// The number of frames that it took to run all waiting tasks after the last disturbance. `None` if tasks are still
    /// waiting or there was no disturbance.
    frames_until_served: Option<usize>,
    /// Two counts: the strategies that keep the limits with their current settings, and all strategies.
    kept: (usize, usize),
    /// Two counts. The first is the number of frame loops with which the game falls behind real time on the slow
    /// machine. The second counts only those of these loops that run at most one fixed step per frame.
    slow_loops: (usize, usize),
    loops: usize,
    metrics: Vec<(&'static str, String)>,
}

impl Evidence {
    /// Evaluates the last `span` of game time. Returns `None` if there are not enough measurements yet.
    pub fn of(state: &State, span: Nanos) -> Option<Self> {
        let grid = &state.grid;
        let recent = WindowStats::of(&grid.lane, &grid.history, span);
        let first = recent.first_frame.unwrap_or(u64::MAX);
        let frames = grid.history.frames().iter().map(|past| &past.record);
        let frames: Vec<&FrameRecord> = frames.filter(|it| it.number >= first).collect();
        let mut evidence = Self {
            frames_until_served: frames_until_served(&frames),
            report: recent.report,
            kept: (0, 0),
            slow_loops: (0, 0),
            loops: 0,
            metrics: Vec::new(),
        };
        match state.view {
            View::Grid => evidence.measure_grid(state, &frames, span),
            View::Compare => evidence.measure_compare(state)?,
            View::Loops => evidence.measure_loops(state)?,
        }
        Some(evidence)
    }

    fn measure_grid(&mut self, state: &State, frames: &[&FrameRecord], span: Nanos) {
        let of = &self.report;
        let runs_per_s = of.runs as f64 / of.game_span.as_secs_f64();
        let round = Nanos::from_secs_f64(of.subject.entities as f64 / runs_per_s);
        // If several frames have the most runs, this is the last of them.
        let burst = frames.iter().max_by_key(|frame| frame.runs);
        let burst = burst.map_or(Nanos::ZERO, |frame| frame.own_length());
        let queue = match self.frames_until_served {
            Some(frames) => {
                let frames = format::counted(frames as u64, "frame");
                format!("the queue was empty after {frames}")
            }
            None => format!("the queue still held requests after {}", time(span)),
        };
        self.metrics = vec![
            ("{usual}", time(of.frame.p50).to_string()),
            ("{longest}", time(of.frame.max).to_string()),
            ("{burst}", time(burst).to_string()),
            ("{peak}", format::grouped(of.peak_runs.into())),
            ("{work}", time(of.frame_tasks.max).to_string()),
            ("{interval}", time(of.interval.mean).to_string()),
            ("{stalest}", time(of.worst_staleness).to_string()),
            ("{round}", time(round).to_string()),
            ("{queue}", queue),
            ("{why}", why(of, state.settings.mean_cost())),
        ];
    }

    fn measure_compare(&mut self, state: &State) -> Option<()> {
        let compare = &state.compare;
        let is_short = |report: &Report| report.span < COMPARED_FROM;
        if compare.reports.is_empty() || compare.reports.iter().any(is_short) {
            return None;
        }
        let kept = compare.broken.iter().filter(|broken| broken.is_empty());
        self.kept = (kept.count(), compare.broken.len());
        self.metrics = vec![
            ("{kept}", self.kept.0.to_string()),
            ("{strategies}", self.kept.1.to_string()),
        ];
        Some(())
    }

    fn measure_loops(&mut self, state: &State) -> Option<()> {
        let rows = state.loop_comparison.rows();
        let slow = |row: &LoopRow| Some(row.stats()?[Side::Slow as usize]);
        let on_slow: Option<Vec<_>> = rows.iter().map(slow).collect();
        let on_slow = on_slow?;
        let slowest = (0..rows.len()).min_by(|&one, &other| {
            let speed = |row: usize| on_slow[row].speed;
            speed(one).total_cmp(&speed(other))
        })?;
        let kept = on_slow.iter().filter(|it| it.keeps_real_time()).count();
        for (row, it) in rows.iter().zip(&on_slow) {
            let has_step = row.loop_machines[0].lane.fixed_step().is_some() && it.updates <= 1.0;
            if it.speed < 1.0 && !it.keeps_real_time() {
                self.slow_loops.0 += 1;
                self.slow_loops.1 += usize::from(has_step);
            }
        }
        self.loops = rows.len();
        self.metrics = vec![
            ("{slowest}", rows[slowest].entry.name.to_owned()),
            ("{speed}", multiple(on_slow[slowest].speed).to_string()),
            ("{kept}", kept.to_string()),
            ("{loops}", rows.len().to_string()),
        ];
        Some(())
    }

    /// Returns true if at least one frame was recorded and none was a hitch.
    pub fn is_smooth(&self) -> bool {
        self.report.frames > 0 && self.report.hitches == 0
    }

    /// Returns true if tasks caused a hitch, at least one frame ran all tasks, and the median frame was not a hitch.
    pub fn has_burst(&self) -> bool {
        let of = &self.report;
        let runs_all = of.peak_runs as usize >= of.subject.entities;
        runs_all && of.hitches_by_tasks > 0 && of.frame.p50 <= of.hitch()
    }

    /// Returns true if, on average, tasks ran as often as desired.
    pub fn keeps_interval(&self) -> bool {
        let of = &self.report;
        let is_kept = |wanted| of.interval.mean.over(wanted) <= TOO_LONG_INTERVAL;
        of.interval.count > 0 && of.subject.wanted.is_some_and(is_kept)
    }

    /// Returns true if no task waited longer than its desired interval plus the target length of two frames.
    pub fn keeps_staleness(&self) -> bool {
        let of = &self.report;
        let frame = of.subject.pacing.target;
        let is_kept = |wanted| of.worst_staleness <= wanted + frame + frame;
        of.subject.wanted.is_some_and(is_kept)
    }

    /// Returns true if the tasks that were waiting after the disturbance have all run, but not all of them in one
    /// frame.
    pub fn queue_is_served(&self) -> bool {
        self.frames_until_served.is_some_and(|frames| frames > 1)
    }

    /// Returns true if some strategies keep the limits with their current settings and others do not.
    pub fn only_some_keep_limits(&self) -> bool {
        (1..self.kept.1).contains(&self.kept.0)
    }

    /// Returns true if fixed steps slow the game down on the slow machine. For this, some frame loops must be fast
    /// enough and some must be too slow. Every loop that is too slow must run at most one fixed step per frame.
    pub fn steps_slow_down(&self) -> bool {
        let (slow, of_step) = self.slow_loops;
        slow > 0 && slow == of_step && slow < self.loops
    }
}

/// Counts the frames from the last disturbance until no task was waiting. Returns `None` if tasks are still waiting or
/// there was no disturbance.
fn frames_until_served(frames: &[&FrameRecord]) -> Option<usize> {
    let from = frames.iter().rposition(|frame| frame.is_disturbed)?;
    let served = frames[from..].iter().position(|frame| frame.backlog == 0)?;
    Some(served + 1)
}

/// Explains why the measurements differ from what the tour expects. The returned clause continues a sentence after
/// "because".
fn why(of: &Report, expected_cost: Nanos) -> String {
    let target = of.subject.pacing.target;
    let others = of.per_frame(of.drawing + of.scheduling);
    let cost = of.cost().unwrap_or(Nanos::ZERO);
    if others.over(target) > MISSED_TARGET {
        format!(
            "drawing and scheduling alone take longer than {} on average",
            time(target)
        )
    } else if cost.over(expected_cost) > MISSED_TARGET {
        format!(
            "the average task takes {} instead of {}",
            time(cost),
            time(expected_cost)
        )
    } else if of.frame.p50.over(target) > MISSED_TARGET {
        let (usual, target) = (time(of.frame.p50), time(target));
        format!("the display shows a frame every {usual} instead of every {target}")
    } else if of.hitches > of.hitches_by_tasks {
        "something other than tasks delayed a frame".to_owned()
    } else {
        "the settings have changed since the start of this step".to_owned()
    }
}
