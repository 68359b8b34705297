//! Intervals between runs of a task, and staleness.

use super::activity::intervals_by_distance;
use super::phrasing::{spread, time};
use crate::phrase;
use crate::stats::Report;
use crate::stats::thresholds::{EVEN_INTERVALS, TOO_LONG_INTERVAL, TOO_STALE, UNEVEN_KNOWN_FROM};
use crate::text::rich::{Clause, counted};
use timeslicer::time::Nanos;

/// Returns a clause about the measured intervals, for strategies that do not run on request. The clause is a warning if
/// the intervals are too long.
pub(in crate::stats) fn freshness(of: &Report) -> Option<Clause> {
    if of.subject.promise.is_on_request() {
        return None;
    }
    if of.runs == 0 {
        return Some(phrase!["no task ran"].normal());
    }
    if let Some(intervals) = intervals_by_distance(of) {
        return Some(intervals.normal());
    }
    if of.interval.count == 0 {
        return Some(phrase!["no task ran twice in ", of.game_time(of.game_span)].normal());
    }
    if !of.knows_interval() {
        let runs = phrase![counted(of.runs, "run"), " in ", of.game_time(of.game_span)];
        return Some(phrase![runs, ", intervals not known yet"].normal());
    }
    let mean = of.interval.mean;
    let intervals = |remark| {
        let intervals = spread(mean, of.interval.deviation);
        let intervals = of.game_speed().of_game_time(intervals, remark, mean);
        phrase!["intervals ", intervals]
    };
    Some(match of.wanted {
        None => intervals(None).normal(),
        Some(wanted) if of.misses_interval() => {
            intervals(Some(phrase!["wanted ", time(wanted)])).warning()
        }
        Some(wanted) if of.interval.off_worst.is_zero() => {
            phrase!["every interval exactly ", of.game_time(wanted)].normal()
        }
        Some(wanted) => {
            let off = time(of.interval.off_worst);
            let wanted = phrase!["wanted ", time(wanted), ", off by up to ", off];
            intervals(Some(wanted)).normal()
        }
    })
}

/// Returns the longest time without a run, for strategies that run on request.
pub(in crate::stats) fn staleness(of: &Report) -> Option<Clause> {
    (of.subject.promise.is_on_request() && of.subject.entities > 0)
        .then(|| phrase!["longest gap ", of.game_time(of.worst_staleness)].normal())
}

impl Report {
    /// Returns true if the measured intervals represent all intervals. Short intervals end sooner than long ones, so
    /// the mean of uneven intervals is too short at first.
    #[must_use]
    pub fn knows_interval(&self) -> bool {
        let (mean, deviation) = (self.interval.mean, self.interval.deviation);
        self.interval.count > 0
            && (deviation.as_nanos() as f64 <= EVEN_INTERVALS * mean.as_nanos() as f64
                || self.since_change.over(mean) >= UNEVEN_KNOWN_FROM)
    }

    /// Returns true if the mean interval is known to be too long.
    pub(super) fn misses_interval(&self) -> bool {
        let mean = self.interval.mean;
        let is_long = |wanted| mean.over(wanted) > TOO_LONG_INTERVAL;
        self.knows_interval() && self.wanted.is_some_and(is_long)
    }

    /// Returns true if the staleness of an entity exceeded the wanted interval by far ([`TOO_STALE`]).
    pub(in crate::stats) fn is_too_stale(&self) -> bool {
        let two_frames = self.subject.pacing.target + self.subject.pacing.target;
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
    use crate::stats::rules::test_report::{MS, assert_clause, clause_of, report};
    use timeslicer::strategy::knobs::INTERVAL;
    use timeslicer::strategy::max_per_frame::MAX_TASKS;

    #[test]
    fn intervals_come_with_jitter_and_what_is_wanted() {
        let of = report("fixed-interval", &[], 5);
        assert_clause(freshness, &of, "every interval exactly 500 ms");
        let of = report("fixed-interval", &[(&INTERVAL, 0.11)], 5);
        let (text, _) = clause_of(freshness, &of);
        assert!(text.starts_with("intervals 110 ms ± "), "{text}");
        assert!(text.contains(" (wanted 110 ms, off by up to "), "{text}");
        let slow = report("fixed-interval", &[(&ENTITIES, 20_000.0)], 60);
        let (text, is_warning) = clause_of(freshness, &slow);
        assert!(is_warning && text.ends_with(" (wanted 500 ms)"), "{text}");
        let turns = report("max-per-frame", &[(&MAX_TASKS, 40.0)], 5);
        let (text, _) = clause_of(freshness, &turns);
        assert_eq!(text, "intervals 167 ms");
        let once = report("max-per-frame", &[], 1);
        assert_clause(freshness, &once, "no task ran twice in 983 ms");
        let empty = report("fixed-interval", &[(&ENTITIES, 0.0)], 1);
        assert_clause(freshness, &empty, "no task ran");
        assert_eq!(freshness(&report("request-list", &[], 1)), None);
    }

    #[test]
    fn uneven_intervals_need_more_time_to_be_known() {
        let mut of = report("fixed-interval", &[], 5);
        of.interval.deviation = MS(200);
        of.since_change = MS(2_900);
        let (text, _) = clause_of(freshness, &of);
        assert!(text.ends_with(" s, intervals not known yet"), "{text}");
        of.since_change = MS(3_000);
        assert!(!clause_of(freshness, &of).0.ends_with(" yet"));
    }

    #[test]
    fn tasks_without_requests_become_stale() {
        let idle = report("request-list", &[(&REQUESTS, 0.0)], 5);
        assert_clause(staleness, &idle, "longest gap 4.98 s");
        assert_eq!(staleness(&report("fixed-interval", &[], 1)), None);
    }

    #[test]
    fn only_much_staler_than_wanted_is_too_stale() {
        let mut of = report("fixed-interval", &[], 1);
        let mut at = |stale_ms| {
            of.worst_staleness = MS(stale_ms);
            of.is_too_stale()
        };
        assert_eq!([at(700), at(2000)], [false, true]);
        of = report("stagger-groups", &[], 1);
        of.worst_staleness = MS(2000);
        assert!(!of.is_too_stale(), "it has no wanted interval");
    }
}
