//! Figures summed frame by frame. Both producers of reports share them.

use super::thresholds::{BY_TASKS_SHARE, hitch_from};
use super::{Distribution, StalenessIntegral};
use crate::sim::lane::FrameRecord;
use timeslicer::time::Nanos;

/// Sums over the frames in which the machine had no time for all tasks that were due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoppedFrames {
    /// Number of these frames.
    pub frames: u64,
    /// Time spent on tasks.
    pub task_time: Nanos,
    /// Number of tasks left waiting.
    pub waiting: u64,
}

/// Sums over frames, which are counted oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(super) frames: u64,
    pub(super) updates: u64,
    /// Most updates in a frame.
    pub(super) most_updates: u32,
    pub(super) runs: u64,
    pub(super) peak_runs: u32,
    /// Number of frames with runs.
    pub(super) busy_frames: u64,
    /// Fewest runs in a frame with runs.
    pub(super) fewest_runs: u32,
    pub(super) hitches: u64,
    /// Hitches caused by tasks.
    pub(super) hitches_by_tasks: u64,
    /// Sum of the frames' lengths, by the machine's clock.
    pub(super) span: Nanos,
    /// Game time that passed in these frames.
    pub(super) game_span: Nanos,
    /// Longest frame, stalls included.
    longest: Nanos,
    /// Longest delta among the first frame and the frames after a gap.
    first_delta: Nanos,
    pub(super) task_time: Nanos,
    pub(super) scheduling: Nanos,
    pub(super) drawing: Nanos,
    pub(super) waiting: Nanos,
    pub(super) debt_dropped: Nanos,
    pub(super) backlog_first: usize,
    pub(super) backlog_last: usize,
    pub(super) backlog_peak: usize,
    pub(super) stopped: StoppedFrames,
    worst_staleness: Nanos,
    worst_weighted: Nanos,
    /// Integral of the staleness of all entities.
    staleness: StalenessIntegral,
    /// Share of entities that look at the wrong place, integrated over time, in seconds.
    wrong_s: f64,
    /// Time in which that share was measured.
    gazed: Nanos,
    /// Largest such share.
    wrong_worst: f64,
    pub(super) lengths: Distribution,
    /// Time spent on tasks in each frame.
    pub(super) frame_tasks: Distribution,
}

impl Tally {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        let mut lengths = std::mem::take(&mut self.lengths);
        let mut frame_tasks = std::mem::take(&mut self.frame_tasks);
        lengths.clear();
        frame_tasks.clear();
        *self = Self {
            lengths,
            frame_tasks,
            ..Self::default()
        };
    }

    /// Counts a frame of target length `target`.
    pub(crate) fn frame(&mut self, frame: &FrameRecord, target: Nanos) {
        let length = frame.own_length();
        if self.frames == 0 {
            self.backlog_first = frame.backlog;
            self.first_delta = frame.delta;
        }
        self.frames += 1;
        self.updates += u64::from(frame.updates);
        self.most_updates = self.most_updates.max(frame.updates);
        self.runs += u64::from(frame.runs);
        self.peak_runs = self.peak_runs.max(frame.runs);
        if frame.runs > 0 {
            let fewest = if self.busy_frames == 0 {
                u32::MAX
            } else {
                self.fewest_runs
            };
            self.fewest_runs = fewest.min(frame.runs);
            self.busy_frames += 1;
        }
        let is_hitch = length > hitch_from(target);
        let is_hitch_by_tasks = is_hitch && is_by_tasks(frame, target);
        self.hitches += u64::from(is_hitch);
        self.hitches_by_tasks += u64::from(is_hitch_by_tasks);
        self.span += frame.length;
        let updates = u64::from(frame.updates);
        self.game_span += Nanos::from_nanos(frame.step.as_nanos().saturating_mul(updates));
        self.longest = self.longest.max(frame.length);
        self.task_time += frame.task_time;
        self.scheduling += frame.scheduling;
        self.drawing += frame.drawing;
        self.waiting += frame.waiting;
        self.debt_dropped += frame.debt_dropped;
        self.backlog_last = frame.backlog;
        self.backlog_peak = self.backlog_peak.max(frame.backlog);
        if frame.stopped {
            self.stopped.frames += 1;
            self.stopped.task_time += frame.task_time;
            self.stopped.waiting += frame.backlog as u64;
        }
        if let Some(share) = frame.looking_wrong {
            self.wrong_s += share * frame.length.as_secs_f64();
            self.gazed += frame.length;
            self.wrong_worst = self.wrong_worst.max(share);
        }
        self.lengths.add(length);
        self.frame_tasks.add(frame.task_time);
    }

    /// Records that the frames before the next one were left out. `delta` is the delta of the next frame.
    pub(crate) fn gap(&mut self, delta: Nanos) {
        self.first_delta = self.first_delta.max(delta);
    }

    /// Counts an entity's staleness.
    pub(crate) fn staleness(&mut self, staleness: Nanos) {
        self.worst_staleness = self.worst_staleness.max(staleness);
    }

    /// Counts an entity's staleness times its weight.
    pub(crate) fn weighted_staleness(&mut self, weighted: Nanos) {
        self.worst_weighted = self.worst_weighted.max(weighted);
    }

    /// Returns the largest weighted staleness.
    pub(super) fn worst_weighted(&self) -> Nanos {
        self.worst_weighted
    }

    /// Adds the integral of staleness over some time.
    pub(crate) fn stale_over(&mut self, integral: StalenessIntegral) {
        self.staleness.add(integral);
    }

    /// Returns the integral of staleness over time.
    pub(super) fn staleness_integral(&self) -> &StalenessIntegral {
        &self.staleness
    }

    /// Returns the largest staleness of any entity.
    pub(super) fn worst_staleness(&self) -> Nanos {
        self.worst_staleness
    }

    /// Returns the largest difference between game time and the machine's time that long frames alone can explain.
    pub(super) fn slack(&self) -> Nanos {
        self.longest.max(self.first_delta)
    }

    /// Returns the mean over time and the maximum of the share of entities that look at the wrong place. `None` if it
    /// was not measured.
    pub(super) fn looking_wrong(&self) -> Option<(f64, f64)> {
        let mean = self.wrong_s / self.gazed.as_secs_f64();
        (!self.gazed.is_zero()).then_some((mean, self.wrong_worst))
    }
}

/// Returns true if tasks caused a hitch: if they took at least half of the frame's own length, or if they took at least
/// [`BY_TASKS_SHARE`] of it and the frame would not be a hitch without them.
#[must_use]
pub fn is_by_tasks(frame: &FrameRecord, target: Nanos) -> bool {
    let others = frame.own_length() - frame.task_time;
    let is_much = frame.task_time.over(frame.own_length()) >= BY_TASKS_SHARE;
    frame.task_time >= others || (frame.runs > 0 && is_much && others <= hitch_from(target))
}
