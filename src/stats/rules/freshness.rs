//! How often each task runs, and how stale it becomes.

use super::phrasing::{at_most, spread, time};
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{EVEN_INTERVALS, TOO_LONG_INTERVAL, TOO_STALE, UNEVEN_KNOWN_FROM};
use crate::text::rich::{Clause, counted};
use timeslice::time::Nanos;

/// How often each task ran, for strategies that go by time or turn.
pub(in crate::stats) fn freshness(of: &Report) -> Option<Clause> {
    if of.promise.is_of_requests() {
        return None;
    }
    if of.runs == 0 {
        return Some(phrase!["nothing ran"].normal());
    }
    if of.interval.count == 0 {
        return Some(phrase!["nobody ran twice in ", time(of.game_span)].normal());
    }
    if !of.knows_interval() {
        let runs = phrase![counted(of.runs, "run"), " in ", time(of.game_span)];
        return Some(phrase![runs, ", too early to tell an interval"].normal());
    }
    let every = phrase![
        "intervals of ",
        spread(of.interval.mean, of.interval.deviation)
    ];
    Some(match of.wanted {
        None => every.normal(),
        Some(wanted) if of.interval.mean.over(wanted) > TOO_LONG_INTERVAL => {
            phrase![every, ", ", time(wanted), " wanted"].warning()
        }
        Some(wanted) if of.interval.off_worst.is_zero() => {
            phrase!["intervals of exactly ", time(wanted)].normal()
        }
        Some(wanted) => {
            let off = at_most(of.interval.off_worst);
            phrase![every, ", ", time(wanted), " wanted, at most ", off, " off"].normal()
        }
    })
}

/// The longest time without a run, for strategies under which only those run that ask.
pub(in crate::stats) fn staleness(of: &Report) -> Option<Clause> {
    (of.promise.is_of_requests() && of.entities > 0)
        .then(|| phrase!["somebody did not run for ", time(of.worst_staleness)].normal())
}

impl Report {
    /// Whether the intervals that have begun and ended since the last change tell of all: short ones end sooner than
    /// long ones, so the mean of uneven ones is too short at first.
    #[must_use]
    pub fn knows_interval(&self) -> bool {
        let (mean, deviation) = (self.interval.mean, self.interval.deviation);
        self.interval.count > 0
            && (deviation.as_nanos() as f64 <= EVEN_INTERVALS * mean.as_nanos() as f64
                || self.since_change.over(mean) >= UNEVEN_KNOWN_FROM)
    }

    /// Whether an entity became much staler than is wanted.
    pub(in crate::stats) fn is_too_stale(&self) -> bool {
        let two_frames = self.pacing.target + self.pacing.target;
        self.wanted.is_some_and(|wanted| {
            let limit = Nanos::from_secs_f64(TOO_STALE * wanted.as_secs_f64());
            self.worst_staleness > limit + two_frames
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{ENTITIES, REQUESTS};
    use crate::stats::rules::test_report::{MS, report, says, told};
    use timeslice::strategy::knobs::INTERVAL;
    use timeslice::strategy::max_per_frame::MAX_TASKS;

    #[test]
    fn intervals_are_told_with_their_jitter_and_against_the_wanted_one() {
        let of = report("fixed-interval", &[], 5);
        says(freshness, &of, "intervals of exactly 500 ms");
        let of = report("fixed-interval", &[(&INTERVAL, 0.11)], 5);
        let (text, _) = told(freshness, &of);
        assert!(text.starts_with("intervals of 110 ms ± "), "{text}");
        assert!(text.contains(" 110 ms wanted, at most "), "{text}");
        let slow = report("fixed-interval", &[(&ENTITIES, 20_000.0)], 60);
        let (text, is_warning) = told(freshness, &slow);
        assert!(is_warning && text.ends_with(" wanted"), "{text}");
        let turns = report("max-per-frame", &[(&MAX_TASKS, 40.0)], 5);
        let (text, _) = told(freshness, &turns);
        assert!(text.starts_with("intervals of 167 ms"), "{text}");
        let once = report("max-per-frame", &[], 1);
        says(freshness, &once, "nobody ran twice in 983 ms");
        let nobody = report("fixed-interval", &[(&ENTITIES, 0.0)], 1);
        says(freshness, &nobody, "nothing ran");
        assert_eq!(freshness(&report("request-list", &[], 1)), None);
    }

    #[test]
    fn uneven_intervals_are_told_once_the_long_ones_have_ended() {
        let mut of = report("fixed-interval", &[], 5);
        of.interval.deviation = MS(200);
        of.since_change = MS(2_900);
        let (text, _) = told(freshness, &of);
        assert!(text.ends_with(", too early to tell an interval"), "{text}");
        of.since_change = MS(3_000);
        assert!(told(freshness, &of).0.starts_with("intervals of "));
    }

    #[test]
    fn tasks_that_are_not_asked_for_become_stale() {
        let none = report("request-list", &[(&REQUESTS, 0.0)], 5);
        says(staleness, &none, "somebody did not run for 4.98 s");
        assert_eq!(staleness(&report("fixed-interval", &[], 1)), None);
    }

    #[test]
    fn much_staler_than_wanted_is_too_stale() {
        let mut of = report("fixed-interval", &[], 1);
        let mut at = |stale_ms| {
            of.worst_staleness = MS(stale_ms);
            of.is_too_stale()
        };
        assert_eq!([at(700), at(2000)], [false, true]);
        of = report("stagger-groups", &[], 1);
        of.worst_staleness = MS(2000);
        assert!(!of.is_too_stale(), "it wants no interval");
    }
}
