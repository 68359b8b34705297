//! Measures how a simulation recovers from a disturbance.
//!
//! Hitches and staleness are compared between the three seconds before the disturbance and the three seconds after it.
//! The hitches that tasks cause before the disturbance show how many to expect without a disturbance. All hitches
//! beyond this number are called *extra* hitches and are blamed on the disturbance. For staleness, the peaks of the
//! mean staleness are compared, because an average over three seconds would hide a short disturbance.

use super::sums::is_hitch_by_tasks;
use super::thresholds::{RECOVERY_SHOWN, RECOVERY_WATCHED, SETTLED_AFTER, STALER_FROM};
use crate::sim::lane::FrameRecord;
use crate::text::format::{counted, time};
use crate::text::sentence::Clause;
use std::collections::VecDeque;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

/// How much time must be measured before a disturbance to know the usual number of hitches.
const MIN_BASELINE_TIME: Nanos = Nanos::from_millis(750);

/// The length of the periods in which hitches and staleness are recorded before a disturbance. Storing values for every
/// frame would need more memory at a high frame rate.
const PERIOD: Nanos = Nanos::from_millis(100);

/// How a simulation recovers from a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    pub name: String,
    /// The number of the first frame after the disturbance.
    pub from: u64,
    /// The number of hitches to expect within [`RECOVERY_WATCHED`] without a disturbance. `None` if too little was
    /// measured before the disturbance.
    baseline: Option<u32>,
    /// The peak of the mean staleness in the last few seconds before the disturbance. `None` if it is unknown.
    baseline_staleness: Option<Nanos>,
    /// The task that the disturbance made expensive. `None` if there is no such task, or if it has already run or died.
    pub(super) heavy: Option<TaskId>,
    /// The time that has passed since the disturbance, not counting injected stalls.
    passed: Nanos,
    /// The number of hitches that tasks have caused since the disturbance.
    hitches: u32,
    /// The time from the disturbance to the end of the last hitch.
    last: Nanos,
    /// The peak of the mean staleness since the disturbance. `None` before the first frame or if there are no entities.
    staleness: Option<Nanos>,
    stalled: Nanos,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CrowdStaleness {
    /// The peak of the mean staleness during the frame. `None` if there are no entities.
    pub(super) highest_mean: Option<Nanos>,
    /// The game time at which the stalest entity last ran or was born.
    pub(super) oldest_run: GameTime,
}

/// Records the recent hitches and the recent staleness of a simulation, so that the effects of a disturbance can be
/// compared with the time before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Baseline {
    /// The game time of the last setting change.
    since: GameTime,
    /// The time that was measured since the last setting change, without stalls.
    measured: Nanos,
    periods: VecDeque<Period>,
}

/// A short period before a disturbance.
#[derive(Clone, Debug, Default)]
struct Period {
    /// The value of [`Baseline::measured`] at the start of the period.
    start: Nanos,
    /// The number of hitches that tasks caused.
    hitches: u32,
    /// The peak of the mean staleness. `None` before every task has run once, because until then staleness is still
    /// growing from zero.
    staleness: Option<Nanos>,
}

impl Baseline {
    pub(super) fn since(since: GameTime) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    pub(super) fn frame(&mut self, frame: &FrameRecord, target: Nanos, crowd: CrowdStaleness) {
        let is_over = |period: &Period| period.start + PERIOD <= self.measured;
        if self.periods.back().is_none_or(is_over) {
            self.periods.push_back(Period {
                start: self.measured,
                ..Period::default()
            });
        }
        if let Some(period) = self.periods.back_mut() {
            period.hitches += u32::from(is_hitch_by_tasks(frame, target));
            if crowd.oldest_run > self.since {
                period.staleness = period.staleness.max(crowd.highest_mean);
            }
        }
        self.measured += frame.own_length();
        // A period is over when the next one starts.
        let is_old = |next: &Period| next.start + RECOVERY_WATCHED <= self.measured;
        while self.periods.get(1).is_some_and(is_old) {
            self.periods.pop_front();
        }
    }

    /// Returns the recent peak of the mean staleness, or `None` if some task has not run yet.
    fn baseline_staleness(&self) -> Option<Nanos> {
        self.periods.iter().filter_map(|it| it.staleness).max()
    }

    /// Returns the number of hitches to expect within [`RECOVERY_WATCHED`] without a disturbance, or `None` if too
    /// little was measured.
    fn baseline(&self) -> Option<u32> {
        let share = self.measured.min(RECOVERY_WATCHED).over(RECOVERY_WATCHED);
        // If less than `RECOVERY_WATCHED` was measured, the number is scaled up.
        let baseline = match self.periods.iter().map(|it| it.hitches).sum::<u32>() {
            0 => 0,
            // Hitches may be periodic, and the next one may be due soon, so one more is expected.
            hitches => (f64::from(hitches + 1) / share).ceil() as u32,
        };
        (self.measured >= MIN_BASELINE_TIME).then_some(baseline)
    }
}

impl Recovery {
    /// Starts to measure how a simulation recovers from a disturbance. `before` contains measurements from before the
    /// disturbance.
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

    /// Adds a frame whose target length is `target`. If the disturbance made a task expensive, frames are ignored until
    /// that task has run.
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

    /// Returns the number of hitches that were caused by the disturbance.
    pub fn extra_hitches(&self) -> u32 {
        let baseline = self.baseline.unwrap_or(u32::MAX);
        self.hitches.saturating_sub(baseline)
    }

    /// Returns true if entities have become much staler than injected stalls alone can explain.
    fn is_staler(&self) -> bool {
        let (Some(before), Some(after)) = (self.baseline_staleness, self.staleness) else {
            return false;
        };
        after.saturating_sub(self.stalled).over(before) >= STALER_FROM
    }

    /// Returns true as long as the disturbance may still cause hitches.
    fn is_watched(&self) -> bool {
        self.passed < RECOVERY_WATCHED
    }

    /// Returns true if the disturbance was too long ago to be mentioned in the status message.
    pub(super) fn is_old(&self) -> bool {
        self.passed >= RECOVERY_SHOWN
    }

    /// Describes the recovery with the name of the disturbance, such as `100 births: no extra hitches, mean staleness
    /// 250 ms before, 300 ms after`.
    pub fn clause(&self) -> Clause {
        Clause::new(
            format!("{}: {}", &*self.name, self.words()),
            self.is_worse(),
        )
    }

    /// Describes the recovery, but without the name of the disturbance.
    pub fn effect(&self) -> Clause {
        Clause::new(self.words(), self.is_worse())
    }

    fn is_worse(&self) -> bool {
        self.extra_hitches() > 0 || self.is_staler()
    }

    fn words(&self) -> String {
        if self.heavy.is_some() {
            return "not yet run".to_owned();
        }
        let hitches = self.hitches_in_words();
        match (self.baseline_staleness, self.staleness) {
            (_, None) => hitches,
            (None, Some(after)) => format!("{hitches}, mean staleness up to {}", time(after)),
            (Some(before), Some(after)) => {
                format!(
                    "{hitches}, mean staleness {} before, {} after",
                    time(before),
                    time(after)
                )
            }
        }
    }

    /// Describes the hitches that the disturbance caused and the time after which they were over, such as `1 extra
    /// hitch, over after 90 ms`. The time is left out if there were already hitches before the disturbance.
    fn hitches_in_words(&self) -> String {
        let extra = counted(self.extra_hitches().into(), "extra hitch");
        let is_over = self.passed.min(RECOVERY_WATCHED) >= self.last + SETTLED_AFTER;
        match self.baseline {
            None => "too early to compare".to_owned(),
            _ if self.extra_hitches() == 0 => "no extra hitches".to_owned(),
            Some(0) if is_over => format!("{extra}, over after {}", time(self.last)),
            _ if self.is_watched() => format!("{extra} so far"),
            Some(0) => format!("{extra}, not over"),
            Some(_) => extra,
        }
    }
}

#[cfg(test)]
mod tests;
