//! Recovery of a lane after a disturbance.
//!
//! The hitches that tasks cause in the three seconds after a disturbance, less those in the three seconds before it, are
//! the *extra* hitches that the disturbance is blamed for. The mean staleness of the crowd at its highest is compared
//! over the same times. Its highest value, unlike its mean over three seconds, does not depend on the phase of a strategy
//! that runs all tasks at once, and short disturbances show in it.

use super::sums::is_by_tasks;
use super::thresholds::{RECOVERY_SHOWN, RECOVERY_WATCHED, SETTLED_AFTER, STALER_FROM, hitch_from};
use crate::phrase;
use crate::sim::lane::FrameRecord;
use crate::text::rich::{Clause, Phrase, counted};
use std::collections::VecDeque;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

/// Least time that must be measured before a disturbance, to know how many hitches are baseline.
const LEAST_MEASURED: Nanos = Nanos::from_millis(750);

/// Length of the stretches of time whose highest staleness is kept, so that fast machines need no more memory.
const STRETCH: Nanos = Nanos::from_millis(100);

/// Recovery of a lane in the frames after a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Name of the disturbance, in two or three words.
    pub name: String,
    /// Number of the first frame after the disturbance.
    pub from: u64,
    /// Number of hitches in [`RECOVERY_WATCHED`] that may happen without the disturbance; `None` if too little was measured
    /// before it.
    baseline: Option<u32>,
    /// Highest mean staleness of the crowd in [`RECOVERY_WATCHED`] before the disturbance; `None` if it is not known.
    baseline_staleness: Option<Nanos>,
    /// The task that the disturbance made heavy, until it has run or died.
    pub(super) heavy: Option<TaskId>,
    /// Time that has passed, without the stall.
    passed: Nanos,
    /// Number of hitches that tasks caused.
    hitches: u32,
    /// Time from the disturbance to the end of the last hitch.
    last: Nanos,
    /// Highest mean staleness of the crowd; `None` before the first frame, or without entities.
    staleness: Option<Nanos>,
    /// Duration of the injected stalls.
    stalled: Nanos,
}

/// Staleness of a crowd in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CrowdStaleness {
    /// Highest mean staleness of all entities, which they have just before tasks run; `None` without entities.
    pub(super) highest_mean: Option<Nanos>,
    /// Game time of the stalest entity's last run, or its birth, after the frame's updates.
    pub(super) oldest_run: GameTime,
}

/// What is baseline: the hitches that tasks caused in the last [`RECOVERY_WATCHED`], and the staleness of the crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Baseline {
    /// Game time of the last change of settings.
    since: GameTime,
    /// Time measured since then, without stalls.
    measured: Nanos,
    /// When each hitch ended, in that time.
    ends: VecDeque<Nanos>,
    /// Start of each [`STRETCH`], in that time, and the highest mean staleness in it. It has only the time after the first
    /// round, because staleness grows from zero until all tasks have run.
    staleness: VecDeque<(Nanos, Nanos)>,
}

impl Baseline {
    /// Creates a baseline of no time, after a change at the game time `since`.
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

    /// Returns the highest mean staleness; `None` until a round is over.
    fn baseline_staleness(&self) -> Option<Nanos> {
        self.staleness.iter().map(|(_, highest)| *highest).max()
    }

    /// Returns the largest number of hitches in [`RECOVERY_WATCHED`] that would be baseline; `None` if too little was
    /// measured. A shorter measurement counts in proportion. One hitch more than before is baseline, because hitches with a
    /// rhythm may begin at once.
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
    /// Begins the recovery of a lane with this baseline before the disturbance.
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

    /// Counts a frame of target length `target`. Frames before the run of a heavy task do not count.
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

    /// Returns the number of extra hitches.
    pub fn extra_hitches(&self) -> u32 {
        let baseline = self.baseline.unwrap_or(u32::MAX);
        self.hitches.saturating_sub(baseline)
    }

    /// Returns true if the crowd became much staler than the stall alone explains.
    fn is_staler(&self) -> bool {
        let (Some(before), Some(after)) = (self.baseline_staleness, self.staleness) else {
            return false;
        };
        (after - self.stalled).over(before) >= STALER_FROM
    }

    /// Returns true while the disturbance may cause hitches.
    fn is_watched(&self) -> bool {
        self.passed < RECOVERY_WATCHED
    }

    /// Returns true if the disturbance is too long ago for the status.
    pub(super) fn is_old(&self) -> bool {
        self.passed >= RECOVERY_SHOWN
    }

    /// Returns the recovery with the name of the disturbance: `100 births: no extra hitch, mean staleness up to 250 ms,
    /// then 300 ms`.
    pub fn clause(&self) -> Clause {
        phrase!("{}: {}", &*self.name, self.words()).warning_if(self.is_worse())
    }

    /// Returns the recovery without the name of the disturbance.
    pub fn effect(&self) -> Clause {
        self.words().warning_if(self.is_worse())
    }

    fn is_worse(&self) -> bool {
        self.extra_hitches() > 0 || self.is_staler()
    }

    fn words(&self) -> Phrase {
        if self.heavy.is_some() {
            return phrase!("not run yet");
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

    /// Returns the extra hitches in words: `1 extra hitch, over after 90 ms`. The end is known only if there were no
    /// hitches before.
    fn hitches_in_words(&self) -> Phrase {
        let extra = counted(self.extra_hitches().into(), "extra hitch");
        let is_over = self.passed.min(RECOVERY_WATCHED) >= self.last + SETTLED_AFTER;
        match self.baseline {
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
