//! Recovery of a lane after a disturbance.
//!
//! The hitches that tasks cause in the three seconds after a disturbance, less those in the three seconds before it, are
//! the *extra* hitches that the disturbance is blamed for.

use super::sums::is_by_tasks;
use super::thresholds::{RECOVERY_SHOWN, RECOVERY_WATCHED, SETTLED_AFTER, hitch_from};
use crate::phrase;
use crate::sim::lane::FrameRecord;
use crate::text::rich::{Clause, Phrase, counted};
use std::collections::VecDeque;
use timeslicer::scheduler::TaskId;
use timeslicer::time::Nanos;

/// Least time that must be measured before a disturbance, to know how many hitches are usual.
const LEAST_MEASURED: Nanos = Nanos::from_millis(750);

/// Recovery of a lane in the frames after a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Name of the disturbance, in two or three words.
    pub name: String,
    /// Number of the first frame after the disturbance.
    pub from: u64,
    /// Number of hitches in [`RECOVERY_WATCHED`] that may happen without the disturbance; `None` if too little was measured
    /// before it.
    usual: Option<u32>,
    /// The task that the disturbance made heavy, until it has run or died.
    pub(super) heavy: Option<TaskId>,
    /// Time that has passed, without the stall.
    passed: Nanos,
    /// Number of hitches that tasks caused.
    hitches: u32,
    /// Time from the disturbance to the end of the last hitch.
    last: Nanos,
}

/// Hitches that tasks caused in the last [`RECOVERY_WATCHED`].
#[derive(Clone, Debug, Default)]
pub(super) struct RecentHitches {
    /// Time measured since the last change of settings, without stalls.
    measured: Nanos,
    /// When each hitch ended, in that time.
    ends: VecDeque<Nanos>,
}

impl RecentHitches {
    pub(super) fn frame(&mut self, frame: &FrameRecord, target: Nanos) {
        self.measured += frame.own_length();
        if is_hitch_by_tasks(frame, target) {
            self.ends.push_back(self.measured);
        }
        let is_old = |end: &Nanos| *end + RECOVERY_WATCHED <= self.measured;
        while self.ends.front().is_some_and(is_old) {
            self.ends.pop_front();
        }
    }

    /// Returns the largest number of hitches in [`RECOVERY_WATCHED`] that would be usual; `None` if too little was
    /// measured. A shorter measurement counts in proportion. One hitch more than before is usual, because hitches with a
    /// rhythm may begin at once.
    fn usual(&self) -> Option<u32> {
        let share = self.measured.min(RECOVERY_WATCHED).over(RECOVERY_WATCHED);
        let usual = match self.ends.len() {
            0 => 0,
            hitches => ((hitches + 1) as f64 / share).ceil() as u32,
        };
        (self.measured >= LEAST_MEASURED).then_some(usual)
    }
}

fn is_hitch_by_tasks(frame: &FrameRecord, target: Nanos) -> bool {
    frame.own_length() > hitch_from(target) && is_by_tasks(frame, target)
}

impl Recovery {
    /// Begins the recovery of a lane that had these hitches before the disturbance.
    pub(super) fn new(
        name: &str,
        from: u64,
        heavy: Option<TaskId>,
        before: &RecentHitches,
    ) -> Self {
        Self {
            name: name.to_owned(),
            from,
            usual: before.usual(),
            heavy,
            passed: Nanos::ZERO,
            hitches: 0,
            last: Nanos::ZERO,
        }
    }

    /// Counts a frame of target length `target`. Frames before the run of a heavy task do not count.
    pub(super) fn frame(&mut self, frame: &FrameRecord, target: Nanos) {
        if frame.number < self.from || self.heavy.is_some() {
            return;
        }
        let is_watched = self.is_watched();
        self.passed += frame.own_length();
        if is_watched && is_hitch_by_tasks(frame, target) {
            self.hitches += 1;
            self.last = self.passed;
        }
    }

    /// Returns the number of extra hitches.
    pub fn extra_hitches(&self) -> u32 {
        let usual = self.usual.unwrap_or(u32::MAX);
        self.hitches.saturating_sub(usual)
    }

    /// Returns true while the disturbance may cause hitches.
    fn is_watched(&self) -> bool {
        self.passed < RECOVERY_WATCHED
    }

    /// Returns true if the disturbance is too long ago for the status.
    pub(super) fn is_old(&self) -> bool {
        self.passed >= RECOVERY_SHOWN
    }

    /// Returns the recovery in a few words, with the name of the disturbance: `100 births: no extra hitch`. The clause is
    /// a warning if there were extra hitches.
    pub fn clause(&self) -> Clause {
        phrase!("{}: {}", &*self.name, self.words()).warning_if(self.extra_hitches() > 0)
    }

    /// Returns the recovery in words: `1 extra hitch, over after 90 ms`. The end is known only if there were no hitches
    /// before.
    pub fn words(&self) -> Phrase {
        let extra = counted(self.extra_hitches().into(), "extra hitch");
        let is_over = self.passed.min(RECOVERY_WATCHED) >= self.last + SETTLED_AFTER;
        match self.usual {
            _ if self.heavy.is_some() => phrase!("not run yet"),
            None => phrase!("too early to compare"),
            _ if self.extra_hitches() == 0 => phrase!("no extra hitch"),
            Some(0) if is_over => phrase!("{}, over after {}", extra, self.last),
            _ if self.is_watched() => phrase!("{} so far", extra),
            Some(0) => phrase!("{}, not over", extra),
            Some(_) => extra,
        }
    }
}

#[cfg(test)]
mod tests;
