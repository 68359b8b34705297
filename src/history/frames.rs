//! The last frames, and what was changed when.

use super::past_frame::{Dearest, PastFrame, PastUpdate, USUAL_PERIOD};
use super::trace_buffer::{FrameTrace, Room};
use crate::sim::lane::FrameRecord;
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use std::collections::VecDeque;
use timeslice::time::{GameTime, Nanos};

/// As many frames as the widest window shows from farthest away, and some: a minute or so.
pub const FRAMES: usize = 4096;

/// So many runs are remembered by name: 32 MB. Older frames than that only know how many ran.
const RUNS: usize = 8_000_000;

/// Changes of one subject within so many frames are one mark.
const ONE_GO: u64 = 60;

/// A change that the plots mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeMark {
    /// The first frame after it.
    pub frame: u64,
    /// The key of the setting that changed; `None` for an event.
    subject: Option<&'static str>,
    /// What was changed, in a word or two.
    pub label: String,
}

/// The last frames, oldest first, and the changes among them.
#[derive(Clone, Debug)]
pub struct History {
    epoch: u64,
    period: Nanos,
    frames: VecDeque<PastFrame>,
    marks: VecDeque<ChangeMark>,
    /// The last change of what runs: the first frame after it, and game time then.
    changed: Option<(u64, GameTime)>,
    runs: usize,
    traced: Room,
    /// How many marks went with their frames.
    marks_forgotten: u64,
}

impl Default for History {
    fn default() -> Self {
        Self::new(USUAL_PERIOD)
    }
}

impl History {
    /// Of nothing yet, on a display of that period.
    #[must_use]
    pub fn new(period: Nanos) -> Self {
        Self {
            epoch: 0,
            period,
            frames: VecDeque::new(),
            marks: VecDeque::new(),
            changed: None,
            runs: 0,
            traced: Room::default(),
            marks_forgotten: 0,
        }
    }

    /// Forgets everything: the lane begins anew, at frame 0.
    pub fn restart(&mut self) {
        *self = Self {
            epoch: self.epoch + 1,
            ..Self::new(self.period)
        };
    }

    /// How often it was restarted: frames of one number in two epochs are two frames.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The time from picture to picture that frames aim at, the display's period for most: what their length
    /// is judged by.
    #[must_use]
    pub fn period(&self) -> Nanos {
        self.period
    }

    /// From here on frames aim at another time from picture to picture.
    pub fn set_period(&mut self, period: Nanos) {
        self.period = period;
    }

    /// Takes down what the lane's updates did in the frame under way.
    #[must_use]
    pub fn begin<M: Machine>(&self, lane: &MeasuredLane<M>) -> PastFrame {
        let runs = lane.runs();
        let mut ran = Vec::with_capacity(if runs.len() > RUNS { 0 } else { runs.len() });
        let mut past = PastFrame {
            strategy: Some(lane.settings().strategy),
            now: lane.now(),
            period: self.period,
            target: lane.world().target(),
            sight: lane.projectile().sight(),
            entities: lane.world().tasks().len() as u32,
            traced: FrameTrace::of(lane),
            ..PastFrame::default()
        };
        if lane.updates().len() > 1 {
            let in_which_some_ran = lane.updates().iter().filter(|update| update.runs > 0);
            past.updates = in_which_some_ran
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
            if past.dearest.is_none_or(|dearest| run.took > dearest.took) {
                past.dearest = Some(Dearest {
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

    /// The frame is over; this is its record.
    pub fn end(&mut self, mut past: PastFrame, record: FrameRecord) {
        past.record = record;
        self.push(past);
    }

    /// A frame is over.
    pub fn push(&mut self, mut frame: PastFrame) {
        let named = |past: &PastFrame| past.ran.as_ref().map_or(0, Vec::len);
        if self.frames.len() == FRAMES
            && let Some(old) = self.frames.pop_front()
        {
            self.runs -= named(&old);
            self.traced.let_go(&old.traced);
        }
        self.traced.take_in(&frame.traced, &mut self.frames);
        if named(&frame) > RUNS {
            frame.ran = None;
        }
        self.runs += named(&frame);
        let mut old = self.frames.iter_mut();
        while self.runs > RUNS
            && let Some(old) = old.next()
        {
            // In an idle frame nothing ran, which needs no room.
            if named(old) > 0 {
                self.runs -= named(old);
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

    /// Something was set to another value before frame `frame`. Changes of one `subject` in one go, as by dragging a
    /// slider, are one mark, where the last of them took effect.
    pub fn mark(&mut self, frame: u64, subject: &'static str, label: String) {
        let again = |last: &ChangeMark| {
            last.subject == Some(subject) && frame.saturating_sub(last.frame) <= ONE_GO
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

    /// Something happened before frame `frame`: a mark of its own, however often it does.
    pub fn mark_event(&mut self, frame: u64, label: String) {
        self.marks.push_back(ChangeMark {
            frame,
            subject: None,
            label,
        });
    }

    /// From frame `frame` on, before which game time is `now`, other things run than before: figures begin
    /// anew.
    pub fn change(&mut self, frame: u64, now: GameTime) {
        self.changed = Some((frame, now));
    }

    /// The first frame after the last change of strategy, loop or knob; zero without any.
    #[must_use]
    pub fn changed_at(&self) -> u64 {
        self.changed.map_or(0, |(frame, _)| frame)
    }

    /// Game time at that change; the start without any.
    #[must_use]
    pub fn changed_now(&self) -> GameTime {
        self.changed.map_or(GameTime::START, |(_, now)| now)
    }

    /// Whether some of the frames that are remembered came before the last change.
    #[must_use]
    pub fn spans_a_change(&self) -> bool {
        let first = self.frames.front().map(|past| past.record.number);
        first.is_some_and(|first| first < self.changed_at())
    }

    /// The frame of that number, if it is remembered.
    #[must_use]
    pub fn frame(&self, number: u64) -> Option<&PastFrame> {
        let first = self.frames.front()?.record.number;
        self.frames
            .get(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    /// The frame in one of whose updates it was that game time, if it is remembered.
    #[must_use]
    pub fn frame_at(&self, now: GameTime) -> Option<&PastFrame> {
        let index = self.frames.partition_point(|frame| frame.now < now);
        self.frames
            .get(index)
            .filter(|frame| index > 0 || frame.first_update() <= now)
    }

    /// The frames, oldest first.
    #[must_use]
    pub fn frames(&self) -> &VecDeque<PastFrame> {
        &self.frames
    }

    /// The records of the last `count` frames, oldest first.
    #[must_use]
    pub fn last(&self, count: usize) -> impl ExactSizeIterator<Item = &FrameRecord> {
        let from = self.frames.len().saturating_sub(count);
        self.frames.range(from..).map(|frame| &frame.record)
    }

    /// How many marks there were before those that are remembered, since the start.
    #[must_use]
    pub fn marks_forgotten(&self) -> u64 {
        self.marks_forgotten
    }

    /// The marks, oldest first.
    #[must_use]
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = &ChangeMark> {
        self.marks.iter()
    }
}

#[cfg(test)]
mod tests;
