//! Recovery of a lane after a disturbance.

use super::rules::phrasing::{at_most, time};
use super::thresholds::{
    LONGER_HITCH, RECOVERY_SHOWN, RECOVERY_WATCHED, SMOOTH_AFTER, USUAL_HITCHES_FROM,
};
use crate::phrase;
use crate::sim::lane::{Disturbed, FrameRecord};
use crate::text::rich::{Clause, Phrase, counted, grouped_figure};
use timeslice::time::Nanos;

/// Recovery of a lane in the frames after a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Name of the disturbance, in two or three words.
    name: String,
    /// Number of the first frame after the disturbance.
    from: u64,
    /// Hitches before the disturbance.
    before: UsualHitches,
    /// True until the task that the disturbance made heavy has run.
    heavy_waits: bool,
    /// True if the lane's figures cover the disturbance.
    is_counted: bool,
    seen: Seen,
}

/// Observations since the disturbance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// Time that has passed.
    passed: Nanos,
    hitches: u32,
    longest: Nanos,
    /// Time from the disturbance to the end of the last hitch.
    last: Nanos,
    peak_runs: u32,
    backlog: usize,
}

/// Hitches of an undisturbed lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct UsualHitches {
    /// Number of hitches per second.
    pub(crate) rate: f64,
    /// Length of the longest frame.
    pub(crate) longest: Nanos,
}

impl Recovery {
    /// Begins the recovery of a lane whose usual hitches before the disturbance were `before`.
    pub(crate) fn new(disturbed: &Disturbed<'_>, before: UsualHitches) -> Self {
        Self {
            name: disturbed.name.to_owned(),
            from: disturbed.first_frame,
            before,
            heavy_waits: disturbed.heavy.is_some(),
            is_counted: true,
            seen: Seen::default(),
        }
    }

    /// Counts a frame; it is a hitch if its own length exceeds `hitch`.
    pub(crate) fn frame(&mut self, frame: &FrameRecord, hitch: Nanos) {
        if frame.number < self.from {
            return;
        }
        let length = frame.own_length();
        let is_watched = self.is_watched();
        let seen = &mut self.seen;
        seen.passed += length;
        if !is_watched {
            return;
        }
        seen.peak_runs = seen.peak_runs.max(frame.runs);
        seen.backlog = seen.backlog.max(frame.backlog);
        if length > hitch {
            seen.hitches += 1;
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

    /// Call when the lane's figures are reset, so that they no longer cover the disturbance.
    pub(crate) fn leave_out(&mut self) {
        self.is_counted = false;
    }

    /// Returns true if the lane's figures cover the disturbance.
    pub(crate) fn is_counted(&self) -> bool {
        self.is_counted
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

    /// Returns true if the disturbance is too long ago to be reported.
    pub(crate) fn is_over(&self) -> bool {
        self.seen.passed >= RECOVERY_SHOWN
    }

    /// Returns the recovery in a few words. The clause is a warning if the recovery was rough.
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

    /// Returns true if hitches were more frequent or longer after the disturbance than before.
    #[must_use]
    pub fn is_rough(&self) -> bool {
        self.seen.hitches > 0 && !self.heavy_waits && !self.is_as_before()
    }

    /// Returns true if hitches are neither more frequent nor much longer than before. If hitches were rare before, any
    /// hitch is too many.
    fn is_as_before(&self) -> bool {
        let UsualHitches { rate, longest } = self.before;
        let expected = |time: Nanos| rate * time.as_secs_f64();
        let longer = self.seen.longest.as_nanos() as f64 > LONGER_HITCH * longest.as_nanos() as f64;
        if longer || expected(RECOVERY_WATCHED) < USUAL_HITCHES_FROM {
            return self.seen.hitches == 0;
        }
        f64::from(self.seen.hitches) <= expected(self.seen.passed.min(RECOVERY_WATCHED)).ceil()
    }

    /// Returns the hitches after the disturbance in words: `one hitch of 40 ms, smooth again after 90 ms`.
    #[must_use]
    pub fn hitches_in_words(&self) -> Phrase {
        if self.heavy_waits {
            return phrase!["not run yet"];
        }
        let so_far = if self.is_watched() { " so far" } else { "" };
        let longest = time(self.seen.longest);
        let hitches = match self.seen.hitches {
            0 => return phrase!["no hitch", so_far],
            1 => phrase!["one hitch of ", longest],
            some => phrase![counted(some.into(), "hitch"), " up to ", longest],
        };
        if self.is_as_before() {
            phrase![hitches, ", as before"]
        } else if self.seen.passed.min(RECOVERY_WATCHED) >= self.seen.last + SMOOTH_AFTER {
            let last = at_most(self.seen.last);
            phrase![hitches, ", smooth again after ", last]
        } else if self.is_watched() {
            phrase![hitches, " so far"]
        } else {
            phrase![hitches, ", not smooth within ", time(RECOVERY_WATCHED)]
        }
    }
}

#[cfg(test)]
mod tests;
