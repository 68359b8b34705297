//! Recovery of a lane from the last disturbance.

use super::rules::phrasing::{at_most, time};
use super::thresholds::{
    LONGER_HITCH, RECOVERY_SHOWN, RECOVERY_WATCHED, SMOOTH_AFTER, USUAL_HITCHES_FROM,
};
use crate::phrase;
use crate::sim::lane::{Disturbed, FrameRecord};
use crate::text::rich::{Clause, Phrase, counted};
use timeslice::time::Nanos;

/// What came of a [disturbance](crate::sim::disturbance::Disturbance) in the frames after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// What was done, in a word or two.
    name: String,
    /// The number of the first frame after it.
    from: u64,
    /// What hitches there were before it.
    before: UsualHitches,
    /// Whether it is about a task that is heavy, and has not run since.
    heavy_waits: bool,
    /// Whether the lane's figures have it in them.
    is_counted: bool,
    seen: Seen,
}

/// What was seen since.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// How much time has passed.
    passed: Nanos,
    hitches: u32,
    longest: Nanos,
    /// How long after it the last hitch was over.
    last: Nanos,
    peak_runs: u32,
    backlog: usize,
}

/// The hitches that a lane has while nothing is done to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct UsualHitches {
    /// How many a second.
    pub(crate) rate: f64,
    /// The longest of them.
    pub(crate) longest: Nanos,
}

impl Recovery {
    /// Recovery of a lane that had the hitches of `before`.
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

    /// A frame is over. One whose own length exceeds `hitch` is a hitch.
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

    /// The heavy task runs in the present frame: earlier hitches were not its doing.
    pub(crate) fn heavy_ran(&mut self) {
        if self.heavy_waits {
            self.heavy_waits = false;
            self.seen = Seen::default();
        }
    }

    /// The lane's figures begin anew, without it.
    pub(crate) fn leave_out(&mut self) {
        self.is_counted = false;
    }

    /// Whether the lane's figures have it in them.
    pub(crate) fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// Whether hitches may be its doing.
    pub(crate) fn is_watched(&self) -> bool {
        self.seen.passed < RECOVERY_WATCHED
    }

    /// Whether the disturbance is too long ago to be reported.
    pub(crate) fn is_over(&self) -> bool {
        self.seen.passed >= RECOVERY_SHOWN
    }

    /// The recovery in words: a warning if it was rough.
    #[must_use]
    pub fn clause(&self) -> Clause {
        let ran = match self.seen.peak_runs {
            0 => phrase!["nothing ran"],
            most => phrase!["at most ", counted(most.into(), "task"), " a frame"],
        };
        let mut words = phrase![&*self.name, ": ", self.hitches_in_words(), ", ", ran];
        if self.seen.backlog > 0 {
            let waiting = counted(self.seen.backlog as u64, "task");
            words.push(phrase![", ", waiting, " waiting"]);
        }
        words.warning_if(self.is_rough())
    }

    /// What was done to it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of the first frame after it.
    #[must_use]
    pub fn from(&self) -> u64 {
        self.from
    }

    /// Whether there were more hitches after it than before.
    #[must_use]
    pub fn is_rough(&self) -> bool {
        self.seen.hitches > 0 && !self.heavy_waits && !self.is_as_before()
    }

    /// Whether there were no more hitches, nor much longer ones, than there would have been without it. Where they were
    /// so rare that the watch would hardly see one, each is one too many.
    fn is_as_before(&self) -> bool {
        let UsualHitches { rate, longest } = self.before;
        let expected = |time: Nanos| rate * time.as_secs_f64();
        let longer = self.seen.longest.as_nanos() as f64 > LONGER_HITCH * longest.as_nanos() as f64;
        if longer || expected(RECOVERY_WATCHED) < USUAL_HITCHES_FROM {
            return self.seen.hitches == 0;
        }
        f64::from(self.seen.hitches) <= expected(self.seen.passed.min(RECOVERY_WATCHED)).ceil()
    }

    /// The hitches after it, in words: `one hitch of 40 ms, smooth again after 90 ms`.
    #[must_use]
    pub fn hitches_in_words(&self) -> Phrase {
        if self.heavy_waits {
            return phrase!["it has not run yet"];
        }
        let so_far = if self.is_watched() { " so far" } else { "" };
        let longest = time(self.seen.longest);
        let hitches = match self.seen.hitches {
            0 => return phrase!["no hitch after it", so_far],
            1 => phrase!["one hitch of ", longest],
            some => phrase![counted(some.into(), "hitch"), ", the longest ", longest],
        };
        if self.is_as_before() {
            phrase![hitches, ", as before"]
        } else if self.seen.passed.min(RECOVERY_WATCHED) >= self.seen.last + SMOOTH_AFTER {
            let last = at_most(self.seen.last);
            phrase![hitches, ", smooth again after ", last]
        } else if self.is_watched() {
            phrase![hitches, " so far"]
        } else {
            phrase![hitches, ", not over after ", time(RECOVERY_WATCHED)]
        }
    }
}

#[cfg(test)]
mod tests;
