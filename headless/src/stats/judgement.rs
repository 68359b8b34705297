//! Judgements: conditions on a report that decide whether a clause or a figure is a warning.

use super::Report;
use super::thresholds::{
    BURST_RATIO, BURST_RUNS, EVEN_INTERVALS, FREQUENT_OVERRUN, LARGE_OVERRUN, MISSED_TARGET,
    NEAR_PEAK, TOO_LONG_INTERVAL, TOO_STALE, UNEVEN_KNOWN_FROM, grew_beyond_chance, peak_budget,
};
use timeslicer::time::Nanos;

impl Report {
    /// Returns true if the mean frame is longer than its target.
    pub(super) fn misses_target(&self) -> bool {
        self.frame.mean.over(self.subject.pacing.target) > MISSED_TARGET
    }

    /// Returns true if tasks caused a hitch, or if frames are too long and scheduling takes longer than drawing, or if
    /// frames would keep their target length without their updates.
    pub(super) fn updates_are_too_long(&self) -> bool {
        let misses_target = self.misses_target();
        let is_long = self.hitches > 0 || misses_target;
        let in_updates = self.a_frame(self.task_time + self.scheduling);
        let others = self.frame.mean - in_updates;
        let is_on_target = others.over(self.subject.pacing.target) <= MISSED_TARGET;
        self.hitches_by_tasks > 0
            || is_long && self.scheduling > self.drawing
            || misses_target && is_on_target
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

    /// Returns true if more than [`FREQUENT_OVERRUN`] of all updates exceed the budget by more than [`LARGE_OVERRUN`]
    /// and by more than one task of mean cost. Of an expensive task, only the share up to [`peak_budget`] is tolerated.
    pub(super) fn misses_budget(&self) -> bool {
        let (Some(budget), count @ 1..) = (self.subject.budget, self.overrun.count) else {
            return false;
        };
        // Exactly `FREQUENT_OVERRUN` of all updates exceed this quantile of the overruns. The next lower quantile that
        // is known takes its place.
        let rare = 1.0 - self.updates as f64 * FREQUENT_OVERRUN / count as f64;
        let known = [
            (0.99, self.overrun.p99),
            (0.95, self.overrun.p95),
            (0.5, self.overrun.p50),
        ];
        let exceeded = known.into_iter().find(|(share, _)| *share <= rare);
        let task = self.cost().unwrap_or(Nanos::ZERO);
        let large = Nanos::from_nanos_f64(LARGE_OVERRUN * budget.as_nanos() as f64);
        let tolerated = task.min(peak_budget(budget) - budget).max(large);
        exceeded.is_some_and(|(_, over)| over > tolerated)
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
    use crate::sim::disturbance::Disturbance;
    use crate::sim::world::{COST, ENTITIES};
    use crate::testing::{MS, lane, report, run_to};
    use timeslicer::strategy::knobs::{PAY_BACK, PREDICT};

    #[test]
    fn small_or_rare_overruns_do_not_miss_the_budget() {
        let set = [
            (&PREDICT, 0.0),
            (&PAY_BACK, 0.0),
            (&COST, 150.0),
            (&ENTITIES, 9000.0),
        ];
        let mut lane = lane("time-budget", &set);
        lane.disturb(Disturbance::Heavy);
        run_to(&mut lane, 10);
        let of = lane.report();
        assert!(of.overrun.max > MS(10) && of.overrun.count * 100 > of.updates);
        assert!(!of.misses_budget());
        // Two tasks of 3.5 ms take 7 ms: three milliseconds too many in every update.
        lane.set_knob(&COST, 3500.0);
        run_to(&mut lane, 12);
        assert!(lane.report().misses_budget());
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
