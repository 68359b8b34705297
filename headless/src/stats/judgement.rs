//! Judgements: conditions on a report that decide whether a clause or a figure is a warning.

use super::Report;
use super::sums::are_too_long;
use super::thresholds::{
    BURST_RATIO, BURST_RUNS, EVEN_INTERVALS, INTERRUPTED_UPDATES, MISSED_TARGET, NEAR_PEAK,
    TOO_LONG_INTERVAL, TOO_STALE, UNEVEN_KNOWN_FROM, grew_beyond_chance,
};
use timeslicer::time::Nanos;

impl Report {
    /// Returns true if the mean frame is longer than its target.
    pub(super) fn misses_target(&self) -> bool {
        self.frame.mean.over(self.subject.pacing.target) > MISSED_TARGET
    }

    /// Returns true if updates caused a hitch, or if they make the mean frame longer than its target.
    pub(super) fn updates_are_too_long(&self) -> bool {
        let updates = self.a_frame(self.task_time + self.scheduling);
        let (drawing, target) = (self.a_frame(self.drawing), self.subject.pacing.target);
        self.hitches_by_tasks > 0 || self.misses_target() && are_too_long(updates, drawing, target)
    }

    /// Returns true if every frame made one update that ran every entity's task. Comparing numbers is enough, because no
    /// task runs twice in an update.
    pub(super) fn runs_all_in_every_frame(&self) -> bool {
        let all = self.subject.entities as u64;
        let is_all = u64::from(self.peak_runs) == all && self.runs == self.frames * all;
        self.runs > 0 && self.most_updates <= 1 && is_all
    }

    /// Returns the largest number of runs in a frame, divided by the mean. `None` if that is too little for a burst.
    pub(super) fn burst_ratio(&self) -> Option<f64> {
        let ratio = self.peak_over_mean()?;
        (self.peak_runs >= BURST_RUNS && ratio >= BURST_RATIO).then_some(ratio)
    }

    /// Returns true if the backlog keeps growing.
    pub fn falls_behind(&self) -> bool {
        grew_beyond_chance(self.backlog, self.runs)
            && self.backlog.1 * NEAR_PEAK >= self.backlog_peak
    }

    /// Returns true if an update exceeded the budget that the lane is judged by. By a real clock, a few updates may,
    /// because other programs interrupt them.
    pub fn breaks_budget(&self) -> bool {
        let tolerated = if self.subject.is_clock_exact {
            0.0
        } else {
            INTERRUPTED_UPDATES
        };
        self.breaks_budget_in(tolerated)
    }

    /// Returns true if more than this share of the updates exceeded the budget.
    pub(super) fn breaks_budget_in(&self, share: f64) -> bool {
        self.subject.limit.is_some() && self.overrun.count as f64 > share * self.updates as f64
    }

    /// Returns true if the lane keeps the limits of the advice: no update exceeded the budget, and tasks caused no hitch.
    pub fn keeps_limits(&self) -> bool {
        !self.breaks_budget() && self.hitches_by_tasks == 0
    }

    /// Returns true once every living entity has run since the figures began. Before that, the mean staleness mostly
    /// shows how fresh the crowd was at the beginning.
    pub fn has_run_all(&self) -> bool {
        self.settled.is_some()
    }

    /// Returns true if the measured intervals represent all intervals. Short intervals end sooner than long ones, so
    /// the mean of uneven intervals is too short at first.
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
        self.knows_interval() && self.subject.wanted.is_some_and(is_long)
    }

    /// Returns true if the staleness of an entity exceeded the wanted interval by far ([`TOO_STALE`]).
    pub(super) fn is_too_stale(&self) -> bool {
        let two_frames = self.subject.pacing.target + self.subject.pacing.target;
        self.subject.wanted.is_some_and(|wanted| {
            let limit = Nanos::from_secs_f64(TOO_STALE * wanted.as_secs_f64());
            self.worst_staleness > limit + two_frames
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
            assert_eq!((of.breaks_budget(), of.keeps_limits()), (breaks, !breaks));
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
            ("stagger-groups", 2000, false), // it has no wanted interval
        ] {
            let mut of = report(strategy, &[], 1);
            of.worst_staleness = MS(stale_ms);
            assert_eq!(of.is_too_stale(), is_too_stale, "{strategy}");
        }
    }
}
