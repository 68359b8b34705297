//! Recovery of a lane after a disturbance.
//!
//! The hitches that tasks cause in the three seconds after a disturbance, less those in the three seconds before it, are
//! the *extra* hitches that the disturbance is blamed for.

use super::sums::is_by_tasks;
use super::thresholds::{
    HITCHES_KNOWN_FROM, RECOVERY_SHOWN, RECOVERY_WATCHED, SETTLED_AFTER, hitch_from,
};
use crate::phrase;
use crate::sim::lane::{Disturbed, FrameRecord};
use crate::text::rich::{Clause, Phrase, counted};
use std::collections::VecDeque;
use timeslicer::time::Nanos;

/// Recovery of a lane in the frames after a [disturbance](crate::sim::disturbance::Disturbance).
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Name of the disturbance, in two or three words.
    name: String,
    /// Number of the first frame after the disturbance.
    from: u64,
    /// Hitches per second that may happen without the disturbance; `None` if too little was measured before it.
    usual_rate: Option<f64>,
    /// True until the task that the disturbance made heavy has run.
    heavy_waits: bool,
    /// True if the lane's figures cover the disturbance.
    pub(super) is_counted: bool,
    seen: Seen,
}

/// Observations since the disturbance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// Time that has passed, without the stall.
    passed: Nanos,
    /// Number of hitches that tasks caused.
    hitches: u32,
    /// Number of extra hitches.
    extra: u32,
    /// Longest extra hitch.
    longest: Nanos,
    /// Time from the disturbance to the end of the last extra hitch.
    last: Nanos,
    peak_runs: u32,
    backlog: usize,
}

/// Hitches that tasks caused in the last [`RECOVERY_WATCHED`].
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentHitches {
    /// Time measured since the last change of settings, without stalls.
    measured: Nanos,
    /// When each hitch ended, in that time.
    ends: VecDeque<Nanos>,
}

impl RecentHitches {
    pub(crate) fn frame(&mut self, frame: &FrameRecord, target: Nanos) {
        self.measured += frame.own_length();
        if is_hitch_by_tasks(frame, target) {
            self.ends.push_back(self.measured);
        }
        let is_old = |end: &Nanos| *end + RECOVERY_WATCHED <= self.measured;
        while self.ends.front().is_some_and(is_old) {
            self.ends.pop_front();
        }
    }

    /// Returns the number of hitches per second that is not more than these; `None` if too little was measured. One hitch
    /// more than before is usual, because hitches with a rhythm may begin at once.
    fn usual_rate(&self) -> Option<f64> {
        let measured = self.measured.min(RECOVERY_WATCHED).as_secs_f64();
        let usual = match self.ends.len() {
            0 => 0.0,
            hitches => hitches as f64 + 1.0,
        };
        (self.measured >= HITCHES_KNOWN_FROM).then(|| usual / measured)
    }
}

fn is_hitch_by_tasks(frame: &FrameRecord, target: Nanos) -> bool {
    frame.own_length() > hitch_from(target) && is_by_tasks(frame, target)
}

impl Recovery {
    /// Begins the recovery of a lane that had these hitches before the disturbance.
    pub(crate) fn new(disturbed: &Disturbed<'_>, before: &RecentHitches) -> Self {
        Self {
            name: disturbed.name.to_owned(),
            from: disturbed.first_frame,
            usual_rate: before.usual_rate(),
            heavy_waits: disturbed.heavy.is_some(),
            is_counted: true,
            seen: Seen::default(),
        }
    }

    /// Counts a frame of target length `target`.
    pub(crate) fn frame(&mut self, frame: &FrameRecord, target: Nanos) {
        if frame.number < self.from {
            return;
        }
        let (is_watched, seen) = (self.is_watched(), &mut self.seen);
        seen.passed += frame.own_length();
        if !is_watched {
            return;
        }
        seen.peak_runs = seen.peak_runs.max(frame.runs);
        seen.backlog = seen.backlog.max(frame.backlog);
        if let Some(usual_rate) = self.usual_rate
            && is_hitch_by_tasks(frame, target)
        {
            seen.hitches += 1;
            let usual = (usual_rate * seen.passed.as_secs_f64()).ceil();
            if f64::from(seen.hitches - seen.extra) > usual {
                seen.extra += 1;
                seen.longest = seen.longest.max(frame.own_length());
                seen.last = seen.passed;
            }
        }
    }

    /// Call in the frame that runs the heavy task. Forgets earlier hitches, because the task did not cause them.
    pub(crate) fn heavy_ran(&mut self) {
        if self.heavy_waits {
            self.heavy_waits = false;
            self.seen = Seen::default();
        }
    }

    /// Returns true while the disturbance may cause hitches.
    fn is_watched(&self) -> bool {
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
    pub fn summary(&self) -> Clause {
        phrase!("{}: {}", &*self.name, self.hitches_in_words()).warning_if(self.is_rough())
    }

    /// Returns [`Recovery::summary`] with the most tasks in a frame and the largest backlog since the disturbance.
    pub fn clause(&self) -> Clause {
        let mut words = phrase!("{}: {}", &*self.name, self.hitches_in_words());
        if !self.heavy_waits {
            words.push(match self.seen.peak_runs {
                0 => phrase!(", no task ran"),
                peak => phrase!(", up to {} a frame", counted(peak.into(), "task")),
            });
        }
        if self.seen.backlog > 0 {
            words.push(phrase!(", {} waiting", self.seen.backlog));
        }
        words.warning_if(self.is_rough())
    }

    /// Returns the effect for a narrow column, without the name of the disturbance: `1 hitch, over after 90 ms`. Only
    /// extra hitches count.
    pub fn effect(&self) -> Clause {
        let hitches = counted(self.seen.extra.into(), "hitch");
        self.words(hitches, true).warning_if(self.is_rough())
    }

    /// Returns the name of the disturbance.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of the first frame after the disturbance.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// Returns the number of extra hitches.
    pub fn extra_hitches(&self) -> u32 {
        if self.heavy_waits { 0 } else { self.seen.extra }
    }

    /// Returns true if there were extra hitches.
    pub fn is_rough(&self) -> bool {
        self.extra_hitches() > 0
    }

    /// Returns the extra hitches in words: `1 extra hitch of 40 ms, over after 90 ms`.
    pub fn hitches_in_words(&self) -> Phrase {
        let longest = self.seen.longest;
        let extra = match self.seen.extra {
            1 => phrase!("1 extra hitch of {}", longest),
            some => phrase!("{} up to {}", counted(some.into(), "extra hitch"), longest),
        };
        self.words(extra, false)
    }

    /// Completes the words about the `extra` hitches. Brief words fit into a narrow column.
    fn words(&self, extra: Phrase, is_brief: bool) -> Phrase {
        let (seen, is_watched) = (&self.seen, self.is_watched());
        if self.heavy_waits {
            phrase!("not run yet")
        } else if self.usual_rate.is_none() && is_brief {
            phrase!("too early to compare")
        } else if self.usual_rate.is_none() {
            phrase!("too little measured before it")
        } else if seen.extra == 0 && is_watched && !is_brief {
            phrase!("no extra hitch so far")
        } else if seen.extra == 0 {
            phrase!("no extra hitch")
        } else if seen.passed.min(RECOVERY_WATCHED) >= seen.last + SETTLED_AFTER {
            phrase!("{}, over after {}", extra, seen.last)
        } else if is_watched {
            phrase!("{} so far", extra)
        } else if is_brief {
            phrase!("{}, not over", extra)
        } else {
            phrase!("{}, not over within {}", extra, RECOVERY_WATCHED)
        }
    }
}

#[cfg(test)]
mod tests;
