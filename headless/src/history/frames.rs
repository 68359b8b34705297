//! The last frames, and the changes among them.

use super::longest_wait::LongestWait;
use super::past_frame::{LongestRun, PastFrame, PastUpdate, USUAL_PERIOD};
use super::trace_buffer::{FrameTrace, Usage};
use crate::sim::lane::FrameRecord;
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use std::collections::VecDeque;
use timeslicer::time::{GameTime, Nanos};

/// Maximum number of recorded frames, about a minute at 60 Hz. The widest window at the lowest zoom shows slightly
/// fewer.
pub const FRAMES: usize = 4096;

/// Maximum number of recorded runs. They take 32 MB of memory. Older frames keep only their number of runs.
const MAX_RUNS: usize = 8_000_000;

/// Changes of the same setting within this number of frames share one mark.
const MERGED_WITHIN: u64 = 60;

/// Mark of a change or an event in the plots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeMark {
    /// First frame after the change.
    pub frame: u64,
    /// Key of the setting that changed; `None` for an event.
    subject: Option<&'static str>,
    /// Label of one or two words.
    pub label: String,
}

/// Last frames, oldest first, and the changes among them.
#[derive(Clone, Debug)]
pub struct History {
    epoch: u64,
    period: Nanos,
    frames: VecDeque<PastFrame>,
    marks: VecDeque<ChangeMark>,
    /// Last change of strategy, loop or knob: the first frame after the change, and the game time of the change.
    changed: Option<(u64, GameTime)>,
    runs: usize,
    traced: Usage,
    /// Number of marks removed with their frames.
    marks_forgotten: u64,
}

impl Default for History {
    fn default() -> Self {
        Self::new(USUAL_PERIOD)
    }
}

impl History {
    /// Creates an empty history, for a display with this period.
    #[must_use]
    pub fn new(period: Nanos) -> Self {
        Self {
            epoch: 0,
            period,
            frames: VecDeque::new(),
            marks: VecDeque::new(),
            changed: None,
            runs: 0,
            traced: Usage::default(),
            marks_forgotten: 0,
        }
    }

    /// Removes everything, because the lane restarts at frame 0.
    pub fn restart(&mut self) {
        *self = Self {
            epoch: self.epoch + 1,
            ..Self::new(self.period)
        };
    }

    /// Returns the number of restarts. Frames with the same number but from different epochs are different frames.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the target length of frames: for most loops, the display's period.
    #[must_use]
    pub fn period(&self) -> Nanos {
        self.period
    }

    /// Sets the target length of frames from now on.
    pub fn set_period(&mut self, period: Nanos) {
        self.period = period;
    }

    /// Begins to record the frame in progress: its updates and their runs.
    #[must_use]
    pub fn begin<M: Machine>(&self, lane: &MeasuredLane<M>) -> PastFrame {
        let runs = lane.runs();
        let mut ran = Vec::with_capacity(if runs.len() > MAX_RUNS { 0 } else { runs.len() });
        let mut past = PastFrame {
            strategy: Some(lane.settings().strategy),
            now: lane.now(),
            period: self.period,
            target: lane.world().target(),
            sight: lane.projectile().sight(),
            entities: lane.world().tasks().len() as u32,
            staleness: lane.frame_staleness(),
            worst_weighted: lane.frame_worst_weighted(),
            stalest: LongestWait::of(lane),
            traced: FrameTrace::of(lane),
            ..PastFrame::default()
        };
        if lane.updates().len() > 1 {
            let with_runs = lane.updates().iter().filter(|update| update.runs > 0);
            past.updates = with_runs
                .map(|update| PastUpdate {
                    now: update.time,
                    target: update.target,
                    runs: (update.runs_before + update.runs) as u32,
                })
                .collect();
        }
        if let Some(budget) = lane.strategy().budget() {
            let over = lane.updates().iter().map(|it| it.task_time - budget);
            past.overruns = over.filter(|over| !over.is_zero()).collect();
        }
        let changed = self.changed_now();
        past.longest_wait = lane.stalest_death().min(lane.now() - changed);
        for run in runs {
            if ran.len() < ran.capacity() {
                ran.push(run.task.index);
            }
            if past
                .longest_run
                .is_none_or(|longest| run.took > longest.took)
            {
                past.longest_run = Some(LongestRun {
                    entity: run.entity,
                    took: run.took,
                });
            }
            let since_change = run.time - changed;
            past.longest_wait = past.longest_wait.max(run.elapsed.min(since_change));
            if !run.first && run.elapsed <= since_change {
                past.intervals.add(run.elapsed);
            }
        }
        past.ran = (ran.len() == runs.len() && lane.lists_all_runs()).then_some(ran);
        past
    }

    /// Adds the completed frame with its record.
    pub fn end(&mut self, mut past: PastFrame, record: FrameRecord) {
        past.record = record;
        self.push(past);
    }

    /// Adds a completed frame, and removes the oldest data beyond the limits.
    pub fn push(&mut self, mut frame: PastFrame) {
        let run_count = |past: &PastFrame| past.ran.as_ref().map_or(0, Vec::len);
        if self.frames.len() == FRAMES
            && let Some(old) = self.frames.pop_front()
        {
            self.runs -= run_count(&old);
            self.traced.remove(&old.traced);
        }
        self.traced.add(&frame.traced, &mut self.frames);
        if run_count(&frame) > MAX_RUNS {
            frame.ran = None;
        }
        self.runs += run_count(&frame);
        let mut old = self.frames.iter_mut();
        while self.runs > MAX_RUNS
            && let Some(old) = old.next()
        {
            // An empty list of runs takes no memory.
            if run_count(old) > 0 {
                self.runs -= run_count(old);
                old.ran = None;
            }
        }
        let first = self
            .frames
            .front()
            .map_or(frame.record.number, |front| front.record.number);
        while self.marks.front().is_some_and(|mark| mark.frame < first) {
            self.marks.pop_front();
            self.marks_forgotten += 1;
        }
        self.frames.push_back(frame);
    }

    /// Marks a change of the setting `subject` before frame `frame`. Changes of one setting in quick succession, for
    /// example while a slider is dragged, share one mark, at the last change.
    pub fn mark(&mut self, frame: u64, subject: &'static str, label: String) {
        let again = |last: &ChangeMark| {
            last.subject == Some(subject) && frame.saturating_sub(last.frame) <= MERGED_WITHIN
        };
        if self.marks.back().is_some_and(again) {
            self.marks.pop_back();
        }
        self.marks.push_back(ChangeMark {
            frame,
            subject: Some(subject),
            label,
        });
    }

    /// Marks an event before frame `frame`; repeated events are marked separately.
    pub fn mark_event(&mut self, frame: u64, label: String) {
        self.marks.push_back(ChangeMark {
            frame,
            subject: None,
            label,
        });
    }

    /// Records that strategy, loop or knob changed before frame `frame`, at game time `now`. Figures start again there.
    pub fn change(&mut self, frame: u64, now: GameTime) {
        self.changed = Some((frame, now));
    }

    /// Returns the number of the first frame after the last change of strategy, loop or knob; zero without a change.
    #[must_use]
    pub fn changed_at(&self) -> u64 {
        self.changed.map_or(0, |(frame, _)| frame)
    }

    /// Returns the game time of the last change of strategy, loop or knob. Without a change, returns the start of the
    /// game.
    #[must_use]
    pub fn changed_now(&self) -> GameTime {
        self.changed.map_or(GameTime::START, |(_, now)| now)
    }

    /// Returns true if some of the recorded frames came before the last change.
    #[must_use]
    pub fn spans_a_change(&self) -> bool {
        let first = self.frames.front().map(|past| past.record.number);
        first.is_some_and(|first| first < self.changed_at())
    }

    /// Returns the frame with this number, if it is recorded.
    #[must_use]
    pub fn frame(&self, number: u64) -> Option<&PastFrame> {
        let first = self.frames.front()?.record.number;
        self.frames
            .get(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    /// Returns the frame whose updates include this game time, if it is recorded.
    #[must_use]
    pub fn frame_at(&self, now: GameTime) -> Option<&PastFrame> {
        let index = self.frames.partition_point(|frame| frame.now < now);
        self.frames
            .get(index)
            .filter(|frame| index > 0 || frame.first_update() <= now)
    }

    /// Returns the frames, oldest first.
    #[must_use]
    pub fn frames(&self) -> &VecDeque<PastFrame> {
        &self.frames
    }

    /// Returns the records of the last `count` frames, oldest first.
    #[must_use]
    pub fn last(&self, count: usize) -> impl ExactSizeIterator<Item = &FrameRecord> {
        let from = self.frames.len().saturating_sub(count);
        self.frames.range(from..).map(|frame| &frame.record)
    }

    /// Returns the number of marks that were removed with their frames since the start.
    #[must_use]
    pub fn marks_forgotten(&self) -> u64 {
        self.marks_forgotten
    }

    /// Returns the marks, oldest first.
    #[must_use]
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = &ChangeMark> {
        self.marks.iter()
    }
}

#[cfg(test)]
mod tests;
