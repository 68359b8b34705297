//! Recovery of a lane after a disturbance.
//!
//! A disturbance is blamed only for hitches that the lane did not have before it. Such an *extra* hitch is caused by
//! tasks, and is either longer than usual or more than the usual rate explains.

use super::tally::is_by_tasks;
use super::thresholds::{LONGER_HITCH, RECOVERY_SHOWN, RECOVERY_WATCHED, hitch_from};
use crate::phrase;
use crate::sim::lane::{Disturbed, FrameRecord};
use crate::text::rich::{Clause, Phrase, counted, grouped_figure, time};
use timeslicer::time::Nanos;

/// Recovery of a lane in the frames after a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Name of the disturbance, in two or three words.
    name: String,
    /// Number of the first frame after the disturbance.
    from: u64,
    /// Hitches before the disturbance, if enough was measured.
    before: Option<UsualHitches>,
    /// Time without an extra hitch after which the disturbance is over.
    settling_time: Nanos,
    /// True until the task that the disturbance made heavy has run.
    heavy_waits: bool,
    /// True if the lane's figures cover the disturbance.
    is_counted: bool,
    /// True after the figures were reset.
    is_dismissed: bool,
    seen: Seen,
}

/// Observations since the disturbance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// Time that has passed, without the stall.
    passed: Nanos,
    /// The stall.
    stall: Nanos,
    /// Number of hitches that tasks caused, but that are usual.
    usual: u32,
    /// Number of extra hitches.
    extra: u32,
    /// Longest extra hitch.
    longest: Nanos,
    /// Time from the disturbance to the end of the last extra hitch.
    last: Nanos,
    peak_runs: u32,
    backlog: usize,
}

/// Hitches that tasks caused in an undisturbed lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct UsualHitches {
    /// Number of hitches per second.
    pub(crate) rate: f64,
    /// Longest time that a frame spent on tasks.
    pub(crate) longest: Nanos,
}

impl UsualHitches {
    /// Returns the number of hitches that the usual rate explains within `time`: the expected number, its square root
    /// for chance, and one because hitches with a rhythm may begin at once.
    fn within(self, time: Nanos) -> f64 {
        let expected = self.rate * time.as_secs_f64();
        if expected > 0.0 {
            expected + expected.sqrt() + 1.0
        } else {
            0.0
        }
    }

    /// Returns true if a frame that spent `in_tasks` on tasks is longer than usual.
    fn is_exceeded_by(self, in_tasks: Nanos) -> bool {
        in_tasks.as_nanos() as f64 > LONGER_HITCH * self.longest.as_nanos() as f64
    }
}

impl Recovery {
    /// Begins the recovery of a lane whose usual hitches before the disturbance were `before`. The disturbance is over
    /// after `settling_time` without an extra hitch.
    pub(crate) fn new(
        disturbed: &Disturbed<'_>,
        before: Option<UsualHitches>,
        settling_time: Nanos,
    ) -> Self {
        Self {
            name: disturbed.name.to_owned(),
            from: disturbed.first_frame,
            before,
            settling_time,
            heavy_waits: disturbed.heavy.is_some(),
            is_counted: true,
            is_dismissed: false,
            seen: Seen::default(),
        }
    }

    /// Counts a frame of target length `target`.
    pub(crate) fn frame(&mut self, frame: &FrameRecord, target: Nanos) {
        if frame.number < self.from {
            return;
        }
        let length = frame.own_length();
        let is_watched = self.is_watched();
        self.seen.passed += length;
        self.seen.stall += frame.stall;
        if !is_watched {
            return;
        }
        self.seen.peak_runs = self.seen.peak_runs.max(frame.runs);
        self.seen.backlog = self.seen.backlog.max(frame.backlog);
        if length > hitch_from(target) && is_by_tasks(frame, target) {
            self.hitch(length, frame.task_time);
        }
    }

    /// Counts a hitch that tasks caused.
    fn hitch(&mut self, length: Nanos, in_tasks: Nanos) {
        let Some(before) = self.before else {
            return;
        };
        let seen = &mut self.seen;
        let is_usual = f64::from(seen.usual) + 1.0 <= before.within(seen.passed + seen.stall);
        if is_usual && !before.is_exceeded_by(in_tasks) {
            seen.usual += 1;
        } else {
            seen.extra += 1;
            seen.longest = seen.longest.max(length);
            seen.last = seen.passed;
        }
    }

    /// Call in the frame that runs the heavy task. Forgets earlier hitches, because the task did not cause them.
    pub(crate) fn heavy_ran(&mut self) {
        if self.heavy_waits {
            self.heavy_waits = false;
            self.seen = Seen::default();
        }
    }

    /// Call when the lane's statistics begin after the disturbance, so that its figures do not cover the disturbance.
    pub(crate) fn leave_out(&mut self) {
        self.is_counted = false;
    }

    /// Call when the user resets the figures. The recovery is no longer reported.
    pub(crate) fn dismiss(&mut self) {
        self.is_counted = false;
        self.is_dismissed = true;
    }

    /// Returns true if the lane's figures cover the disturbance.
    pub(crate) fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// Returns true if the figures were reset since the disturbance.
    pub(crate) fn is_dismissed(&self) -> bool {
        self.is_dismissed
    }

    /// Returns true while the disturbance may cause hitches.
    pub(crate) fn is_watched(&self) -> bool {
        self.seen.passed < RECOVERY_WATCHED
    }

    /// Returns true until the task that the disturbance made heavy has run.
    #[cfg(test)]
    pub(super) fn waits_for_run(&self) -> bool {
        self.heavy_waits
    }

    /// Returns true if the disturbance is too long ago for the status.
    pub(crate) fn is_old(&self) -> bool {
        self.seen.passed >= RECOVERY_SHOWN
    }

    /// Returns the recovery in a few words. The clause is a warning if there were extra hitches.
    #[must_use]
    pub fn summary(&self) -> Clause {
        phrase![&*self.name, ": ", self.hitches_in_words()].warning_if(self.is_rough())
    }

    /// Returns [`Recovery::summary`] with the most tasks in a frame and the largest backlog since the disturbance.
    #[must_use]
    pub fn clause(&self) -> Clause {
        let mut words = phrase![&*self.name, ": ", self.hitches_in_words()];
        if !self.heavy_waits {
            words.push(match self.seen.peak_runs {
                0 => phrase![", no task ran"],
                peak => phrase![", up to ", counted(peak.into(), "task"), " a frame"],
            });
        }
        if self.seen.backlog > 0 {
            let waiting = grouped_figure(self.seen.backlog as u64);
            words.push(phrase![", ", waiting, " waiting"]);
        }
        words.warning_if(self.is_rough())
    }

    /// Returns the effect for a narrow column, without the name of the disturbance: `1 hitch, over after 90 ms`. Only
    /// extra hitches count.
    #[must_use]
    pub fn effect(&self) -> Clause {
        let hitches = counted(self.seen.extra.into(), "hitch");
        let words = match self.state() {
            RecoveryState::Unknown => phrase!["too early to compare"],
            RecoveryState::Waiting => phrase!["not run yet"],
            RecoveryState::Smooth => phrase!["no extra hitch"],
            RecoveryState::Over => phrase![hitches, ", over after ", time(self.seen.last)],
            RecoveryState::Going => phrase![hitches, " so far"],
            RecoveryState::NotOver => phrase![hitches, ", not over"],
        };
        words.warning_if(self.is_rough())
    }

    /// Returns the name of the disturbance.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of the first frame after the disturbance.
    #[must_use]
    pub fn from(&self) -> u64 {
        self.from
    }

    /// Returns the number of extra hitches.
    #[must_use]
    pub fn extra_hitches(&self) -> u32 {
        if self.heavy_waits { 0 } else { self.seen.extra }
    }

    /// Returns the time from the disturbance to the end of the last extra hitch. `None` while the disturbance is not
    /// over.
    #[must_use]
    pub fn over_after(&self) -> Option<Nanos> {
        match self.state() {
            RecoveryState::Smooth => Some(Nanos::ZERO),
            RecoveryState::Over => Some(self.seen.last),
            _ => None,
        }
    }

    /// Returns true if there were extra hitches.
    #[must_use]
    pub fn is_rough(&self) -> bool {
        self.extra_hitches() > 0
    }

    fn state(&self) -> RecoveryState {
        let watched = self.seen.passed.min(RECOVERY_WATCHED);
        if self.heavy_waits {
            RecoveryState::Waiting
        } else if self.before.is_none() {
            RecoveryState::Unknown
        } else if self.seen.extra == 0 {
            RecoveryState::Smooth
        } else if watched >= self.seen.last + self.settling_time {
            RecoveryState::Over
        } else if self.is_watched() {
            RecoveryState::Going
        } else {
            RecoveryState::NotOver
        }
    }

    /// Returns the extra hitches in words: `1 extra hitch of 40 ms, over after 90 ms`.
    #[must_use]
    pub fn hitches_in_words(&self) -> Phrase {
        let longest = time(self.seen.longest);
        let extra = match self.seen.extra {
            1 => phrase!["1 extra hitch of ", longest],
            some => phrase![counted(some.into(), "extra hitch"), " up to ", longest],
        };
        match self.state() {
            RecoveryState::Unknown => phrase!["too little measured before it"],
            RecoveryState::Waiting => phrase!["not run yet"],
            RecoveryState::Smooth if self.is_watched() => phrase!["no extra hitch so far"],
            RecoveryState::Smooth => phrase!["no extra hitch"],
            RecoveryState::Over => phrase![extra, ", over after ", time(self.seen.last)],
            RecoveryState::Going => phrase![extra, " so far"],
            RecoveryState::NotOver => phrase![extra, ", not over within ", time(RECOVERY_WATCHED)],
        }
    }
}

/// State of a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecoveryState {
    /// Too little was measured before the disturbance.
    Unknown,
    /// The heavy task has not run yet.
    Waiting,
    /// No extra hitch so far.
    Smooth,
    /// Extra hitches came, and then none for the settling time.
    Over,
    /// The last extra hitch was a short time ago.
    Going,
    /// Extra hitches continued to the end of the watched time.
    NotOver,
}

#[cfg(test)]
mod tests;
