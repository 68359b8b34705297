//! Decides which metrics and sentences of a report are shown as warnings.

use super::Report;
use super::sums::are_too_long;
use super::thresholds::{
    BURST_RATIO, BURST_RUNS, EVEN_INTERVALS, INTERRUPTED_UPDATES, KNOWN_INTERVAL, MISSED_TARGET,
    NEAR_PEAK, TOO_LONG_INTERVAL, TOO_STALE, UNEVEN_KNOWN_FROM, grew_beyond_chance,
};
use timeslicer::strategy::Guarantee;
use timeslicer::time::Nanos;

impl Report {
    pub(super) fn misses_target(&self) -> bool {
        self.frame.mean.over(self.subject.pacing.target) > MISSED_TARGET
    }

    /// Returns true if updates caused a hitch, or if they made frames longer than the target length on average.
    pub(super) fn updates_are_too_long(&self) -> bool {
        let updates = self.per_frame(self.task_time + self.scheduling);
        let (drawing, target) = (self.per_frame(self.drawing), self.subject.pacing.target);
        self.hitches_by_tasks > 0 || self.misses_target() && are_too_long(updates, drawing, target)
    }

    /// Returns true if every frame had one update that ran all tasks. Totals prove it, as no update runs a task twice.
    pub fn runs_all_in_every_frame(&self) -> bool {
        let all = self.subject.entities as u64;
        let is_all = u64::from(self.peak_runs) == all && self.runs == self.frames * all;
        self.runs > 0 && self.by_updates[2] == 0 && is_all
    }

    /// Returns the largest number of runs in a frame divided by the mean, if it is large enough to be called a burst.
    pub(super) fn burst_ratio(&self) -> Option<f64> {
        let ratio = self.peak_over_mean()?;
        (self.peak_runs >= BURST_RUNS && ratio >= BURST_RATIO).then_some(ratio)
    }

    /// Returns true if the strategy is overloaded or, as long as its demand is not known, if its backlog is growing.
    pub fn falls_behind(&self) -> bool {
        self.demand()
            .map_or_else(|| self.backlog_grows(), |_| self.is_overloaded())
    }

    pub(super) fn backlog_grows(&self) -> bool {
        grew_beyond_chance(self.backlog, self.runs)
            && self.backlog.1 * NEAR_PEAK >= self.backlog_peak
    }

    /// Returns true if updates exceeded the budget. On a real machine, other programs may interrupt a few of them.
    pub fn breaks_budget(&self) -> bool {
        let tolerated = if self.subject.is_clock_exact {
            0.0
        } else {
            INTERRUPTED_UPDATES
        };
        self.subject.limit.is_some() && self.overrun.count as f64 > tolerated * self.updates as f64
    }

    /// Returns true if enough intervals have ended for a meaningful mean. At first, the mean lacks the long intervals.
    pub fn knows_interval(&self) -> bool {
        let (mean, deviation) = (self.interval.mean, self.interval.deviation);
        if self.interval.count == 0 {
            false
        } else if self.subject.wanted.is_some() {
            deviation.as_nanos() as f64 <= EVEN_INTERVALS * mean.as_nanos() as f64
                || self.since_change.over(mean) >= UNEVEN_KNOWN_FROM
        } else {
            self.mean_round().is_some_and(|round| {
                // The mean must be close to the time in which every task runs once.
                let ratio = round.over(mean);
                (1.0 / KNOWN_INTERVAL..=KNOWN_INTERVAL).contains(&ratio)
            })
        }
    }

    pub(super) fn misses_interval(&self) -> bool {
        let mean = self.interval.mean;
        let is_long = |wanted| mean.over(wanted) > TOO_LONG_INTERVAL;
        self.knows_interval() && self.subject.wanted.is_some_and(is_long)
    }

    /// Returns true if the worst staleness is far above the strategy's interval ([`TOO_STALE`]), overloaded or not.
    pub(super) fn is_too_stale(&self) -> bool {
        let mut frame = self.subject.pacing.target;
        let longest = match self.subject.guarantee {
            Guarantee::Updates(updates) => {
                frame = self.frame.max;
                Some(self.mean_update().as_secs_f64() * updates as f64)
            }
            Guarantee::Interval(interval) | Guarantee::Eventually { interval, .. } => {
                Some(self.subject.wanted.unwrap_or(interval).as_secs_f64())
            }
            Guarantee::Request { .. } => None,
        };
        longest.is_some_and(|longest| {
            self.worst_staleness > Nanos::from_secs_f64(TOO_STALE * longest) + frame + frame
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::world::{COST, ENTITIES};
    use crate::testing::{MS, report, times};

    #[test]
    fn one_update_above_the_budget_breaks_it() {
        for (cost, breaks) in [(1000.0, false), (1001.0, true)] {
            let set = [(&COST, cost), (&ENTITIES, 4.0)];
            let mut of = report("every-frame", &set, 1);
            assert!(!of.breaks_budget(), "without a limit, none is broken");
            of.subject.limit = Some(MS(4));
            assert_eq!(of.breaks_budget(), breaks);
        }
        let mut of = report("time-budget", &[], 10);
        of.overrun = times(&[1]);
        assert!(of.breaks_budget());
        of.subject.is_clock_exact = false;
        assert!(
            !of.breaks_budget(),
            "another program may have interrupted this one"
        );
    }

    #[test]
    fn only_much_staler_than_wanted_is_too_stale() {
        for (strategy, stale_ms, is_too_stale) in [
            ("fixed-interval", 700, false),
            ("fixed-interval", 2000, true),
            ("stagger-groups", 700, false), // 30 updates are 500 ms
            ("stagger-groups", 2000, true),
            ("distance-lod", 1400, false),
            ("distance-lod", 2000, true),
            ("earliest-deadline", 2000, true),
            ("weighted-share", 4000, false),
            ("weighted-share", 6000, true),
            ("request-list", 60_000, false), // it may have no requests
        ] {
            let mut of = report(strategy, &[], 1);
            of.worst_staleness = MS(stale_ms);
            assert_eq!(of.is_too_stale(), is_too_stale, "{strategy}");
        }
    }
}
