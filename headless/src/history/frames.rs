//! The last frames, and the changes among them.

use super::longest_wait::LongestWait;
use super::memory::{MAX_RUNS, Memory};
use super::past_frame::{FrameTrace, LongestRun, PastFrame, PastUpdate};
use crate::sim::lane::FrameRecord;
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use std::collections::VecDeque;
use timeslicer::time::GameTime;

/// Maximum number of recorded frames, about a minute at 60 Hz. The widest window at the lowest zoom shows slightly
/// fewer.
pub const FRAMES: usize = 4096;

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
#[derive(Clone, Debug, Default)]
pub struct History {
    epoch: u64,
    frames: VecDeque<PastFrame>,
    marks: VecDeque<ChangeMark>,
    memory: Memory,
    /// Number of marks removed with their frames.
    marks_forgotten: u64,
}

impl History {
    /// Removes everything, because the lane restarts at frame 0.
    pub fn restart(&mut self) {
        *self = Self {
            epoch: self.epoch + 1,
            ..Self::default()
        };
    }

    /// Returns the number of restarts. Frames with the same number but from different epochs are different frames.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Begins to record the frame in progress: its updates and their runs.
    pub fn begin<M: Machine>(&self, lane: &MeasuredLane<M>) -> PastFrame {
        let runs = lane.runs();
        let keeps_runs = lane.lists_all_runs() && runs.len() <= MAX_RUNS;
        // Of equally long runs, the first.
        let longest_run = runs.iter().rev().max_by_key(|run| run.took);
        let mut past = PastFrame {
            strategy: Some(lane.settings().strategy),
            sums: lane.frame_sums().clone(),
            now: lane.now(),
            period: lane.target_period(),
            target: lane.world().target(),
            sight: lane.projectile().sight(),
            entities: lane.world().tasks().len() as u32,
            stalest: LongestWait::of(lane),
            ran: keeps_runs.then(|| runs.iter().map(|run| run.task.index).collect()),
            longest_run: longest_run.map(|run| LongestRun {
                entity: run.entity,
                took: run.took,
            }),
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
        past
    }

    /// Adds the completed frame with its record.
    pub fn end(&mut self, mut past: PastFrame, record: FrameRecord) {
        past.record = record;
        self.push(past);
    }

    /// Adds a completed frame, and removes the oldest data beyond the limits.
    pub fn push(&mut self, frame: PastFrame) {
        if self.frames.len() == FRAMES
            && let Some(old) = self.frames.pop_front()
        {
            self.memory.remove(&old);
        }
        self.memory.add(&frame, &mut self.frames);
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

    /// Returns the frame with this number, if it is recorded.
    pub fn frame(&self, number: u64) -> Option<&PastFrame> {
        let first = self.frames.front()?.record.number;
        self.frames
            .get(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    /// Returns the frame whose updates include this game time, if it is recorded.
    pub fn frame_at(&self, now: GameTime) -> Option<&PastFrame> {
        let index = self.frames.partition_point(|frame| frame.now < now);
        self.frames
            .get(index)
            .filter(|frame| index > 0 || frame.first_update() <= now)
    }

    /// Returns the frames, oldest first.
    pub fn frames(&self) -> &VecDeque<PastFrame> {
        &self.frames
    }

    /// Returns the records of the last `count` frames, oldest first.
    pub fn last(&self, count: usize) -> impl ExactSizeIterator<Item = &FrameRecord> {
        let from = self.frames.len().saturating_sub(count);
        self.frames.range(from..).map(|frame| &frame.record)
    }

    /// Returns the number of marks that were removed with their frames since the start.
    pub fn marks_forgotten(&self) -> u64 {
        self.marks_forgotten
    }

    /// Returns the marks, oldest first.
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = &ChangeMark> {
        self.marks.iter()
    }
}

#[cfg(test)]
mod tests;
