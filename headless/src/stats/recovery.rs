//! Measures how a lane recovers from a disturbance.
//!
//! The hitches that tasks cause in the three seconds after a disturbance, minus those in the three seconds before it,
//! are the *extra* hitches for which the disturbance is blamed. The crowd's highest mean staleness is compared over the
//! same times. Unlike an average over three seconds, the highest value does not depend on when a strategy that runs all
//! tasks at once does so, and it reveals short disturbances.

use super::sums::is_by_tasks;
use super::thresholds::{RECOVERY_SHOWN, RECOVERY_WATCHED, SETTLED_AFTER, STALER_FROM, hitch_from};
use crate::phrase;
use crate::sim::lane::FrameRecord;
use crate::text::rich::{Clause, Phrase, counted};
use std::collections::VecDeque;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

/// The baseline hitch rate is known only if the lane was measured for at least this time before a disturbance.
const LEAST_MEASURED: Nanos = Nanos::from_millis(750);

/// Only the highest staleness in each stretch of this length is kept, so that fast machines need no more memory.
const STRETCH: Nanos = Nanos::from_millis(100);

/// How a lane recovers in the frames after a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Name of the disturbance, two or three words long.
    pub name: String,
    /// Number of the first frame after the disturbance.
    pub from: u64,
    /// Number of hitches that would be expected in [`RECOVERY_WATCHED`] without the disturbance. `None` if too little
    /// was measured before it.
    baseline: Option<u32>,
    /// Highest mean staleness of the crowd in [`RECOVERY_WATCHED`] before the disturbance. `None` if it is not known.
    baseline_staleness: Option<Nanos>,
    /// The task that the disturbance made expensive. `None` if there is none, or once it has run or died.
    pub(super) heavy: Option<TaskId>,
    /// Time since the disturbance, without injected stalls.
    passed: Nanos,
    /// Number of hitches that tasks caused after the disturbance.
    hitches: u32,
    /// Time from the disturbance to the end of the last hitch.
    last: Nanos,
    /// Highest mean staleness of the crowd after the disturbance. `None` before the first frame, or if there are no
    /// entities.
    staleness: Option<Nanos>,
    /// Total length of the stalls that were injected.
    stalled: Nanos,
}

/// The staleness of a crowd in one frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CrowdStaleness {
    /// Highest mean staleness of all entities, reached just before tasks run. `None` if there are no entities.
    pub(super) highest_mean: Option<Nanos>,
    /// Game time when the stalest entity last ran or was born, as of the end of the frame's updates.
    pub(super) oldest_run: GameTime,
}

/// The normal state of a lane before a disturbance: the recent hitches that tasks caused, and the crowd's staleness.
#[derive(Clone, Debug, Default)]
pub(super) struct Baseline {
    /// Game time of the last setting change.
    since: GameTime,
    /// Time measured since the last setting change, without stalls.
    measured: Nanos,
    /// When each recent hitch ended, on the same time scale as `measured`.
    ends: VecDeque<Nanos>,
    /// The start of each [`STRETCH`] and the highest mean staleness in it. It leaves out the first round, because
    /// staleness grows from zero until all tasks have run.
    staleness: VecDeque<(Nanos, Nanos)>,
}

impl Baseline {
    /// Creates an empty baseline after a setting change at game time `since`.
    pub(super) fn since(since: GameTime) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    pub(super) fn frame(&mut self, frame: &FrameRecord, target: Nanos, crowd: CrowdStaleness) {
        self.measured += frame.own_length();
        if is_hitch_by_tasks(frame, target) {
            self.ends.push_back(self.measured);
        }
        if let Some(highest) = crowd.highest_mean
            && crowd.oldest_run > self.since
        {
            match self.staleness.back_mut() {
                Some((start, last)) if *start + STRETCH > self.measured => {
                    *last = highest.max(*last);
                }
                _ => self.staleness.push_back((self.measured, highest)),
            }
        }
        let is_old = |end: &Nanos| *end + RECOVERY_WATCHED <= self.measured;
        while self.ends.front().is_some_and(is_old) {
            self.ends.pop_front();
        }
        while self.staleness.front().is_some_and(|it| is_old(&it.0)) {
            self.staleness.pop_front();
        }
    }

    /// Returns the highest recent mean staleness, or `None` until every task has run once.
    fn baseline_staleness(&self) -> Option<Nanos> {
        self.staleness.iter().map(|(_, highest)| *highest).max()
    }

    /// Returns the largest number of hitches in [`RECOVERY_WATCHED`] that would be normal. Returns `None` if too little
    /// was measured. The hitches of a shorter measurement are scaled up. One additional hitch is normal, because
    /// hitches may be periodic and the next one may be due at once.
    fn baseline(&self) -> Option<u32> {
        let share = self.measured.min(RECOVERY_WATCHED).over(RECOVERY_WATCHED);
        let baseline = match self.ends.len() {
            0 => 0,
            hitches => ((hitches + 1) as f64 / share).ceil() as u32,
        };
        (self.measured >= LEAST_MEASURED).then_some(baseline)
    }
}

fn is_hitch_by_tasks(frame: &FrameRecord, target: Nanos) -> bool {
    frame.own_length() > hitch_from(target) && is_by_tasks(frame, target)
}

impl Recovery {
    /// Starts to watch the recovery from a disturbance of a lane with the baseline `before`.
    pub(super) fn new(name: &str, from: u64, heavy: Option<TaskId>, before: &Baseline) -> Self {
        Self {
            name: name.to_owned(),
            from,
            baseline: before.baseline(),
            baseline_staleness: before.baseline_staleness(),
            heavy,
            passed: Nanos::ZERO,
            hitches: 0,
            last: Nanos::ZERO,
            staleness: None,
            stalled: Nanos::ZERO,
        }
    }

    /// Counts a frame with the target length `target`. Frames are ignored until the expensive task has run.
    pub(super) fn frame(&mut self, frame: &FrameRecord, target: Nanos, crowd: CrowdStaleness) {
        if frame.number < self.from || self.heavy.is_some() {
            return;
        }
        let is_watched = self.is_watched();
        self.passed += frame.own_length();
        if !is_watched {
            return;
        }
        self.staleness = self.staleness.max(crowd.highest_mean);
        self.stalled += frame.stall;
        if is_hitch_by_tasks(frame, target) {
            self.hitches += 1;
            self.last = self.passed;
        }
    }

    /// Returns how many hitches the disturbance is blamed for.
    pub fn extra_hitches(&self) -> u32 {
        let baseline = self.baseline.unwrap_or(u32::MAX);
        self.hitches.saturating_sub(baseline)
    }

    /// Returns true if the crowd became much staler than injected stalls alone explain.
    fn is_staler(&self) -> bool {
        let (Some(before), Some(after)) = (self.baseline_staleness, self.staleness) else {
            return false;
        };
        (after - self.stalled).over(before) >= STALER_FROM
    }

    /// Returns true while the disturbance may still cause hitches.
    fn is_watched(&self) -> bool {
        self.passed < RECOVERY_WATCHED
    }

    /// Returns true if the disturbance is too long ago for the status message.
    pub(super) fn is_old(&self) -> bool {
        self.passed >= RECOVERY_SHOWN
    }

    /// Describes the recovery with the name of the disturbance, such as `100 births: no extra hitch, mean staleness 250
    /// ms before, 300 ms after`.
    pub fn clause(&self) -> Clause {
        phrase!("{}: {}", &*self.name, self.words()).warning_if(self.is_worse())
    }

    /// Describes the recovery without the name of the disturbance.
    pub fn effect(&self) -> Clause {
        self.words().warning_if(self.is_worse())
    }

    fn is_worse(&self) -> bool {
        self.extra_hitches() > 0 || self.is_staler()
    }

    fn words(&self) -> Phrase {
        if self.heavy.is_some() {
            return phrase!("not yet run");
        }
        let hitches = self.hitches_in_words();
        match (self.baseline_staleness, self.staleness) {
            (_, None) => hitches,
            (None, Some(after)) => phrase!("{}, mean staleness up to {}", hitches, after),
            (Some(before), Some(after)) => {
                phrase!(
                    "{}, mean staleness {} before, {} after",
                    hitches,
                    before,
                    after
                )
            }
        }
    }

    /// Describes the extra hitches, such as `1 extra hitch, over after 90 ms`. The end of the hitches is known only if
    /// there were no hitches before the disturbance.
    fn hitches_in_words(&self) -> Phrase {
        let extra = counted(self.extra_hitches().into(), "extra hitch");
        let is_over = self.passed.min(RECOVERY_WATCHED) >= self.last + SETTLED_AFTER;
        match self.baseline {
            None => phrase!("too early to compare"),
            _ if self.extra_hitches() == 0 => phrase!("no extra hitches"),
            Some(0) if is_over => phrase!("{}, over after {}", extra, self.last),
            _ if self.is_watched() => phrase!("{} so far", extra),
            Some(0) => phrase!("{}, not over", extra),
            Some(_) => extra,
        }
    }
}

#[cfg(test)]
mod tests;
