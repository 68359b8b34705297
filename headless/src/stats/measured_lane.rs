//! Lanes with collector.

use super::thresholds::COST_KNOWN_FROM;
use super::{
    Bounds, Collector, FrameWork, GameSpeed, MOST_SAMPLED, Recovery, Report, RunCost,
    StalenessIntegral, Totals,
};
use crate::sim::lane::Lane;
use crate::sim::machine::Machine;
use timeslicer::strategy::Defect;
use timeslicer::time::Nanos;

/// A lane with collector.
pub type MeasuredLane<M> = Lane<M, Collector>;

impl<M: Machine> MeasuredLane<M> {
    /// Returns totals since the lane's start.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.observer().totals
    }

    /// Returns a report on the time since the last change of strategy, frame loop or knob, without the warm-up after
    /// the change ([`super::WARM_UP`]). A later call of [`MeasuredLane::clear_statistics`] restarts the report. Takes
    /// about 0.1 ms, or a few milliseconds with a million entities.
    #[must_use]
    pub fn report(&self) -> Report {
        Report::of(self)
    }

    /// Like [`MeasuredLane::report`], but the theoretical bounds and the worst weighted staleness are those of all
    /// entities, however many there are. May visit every entity.
    #[must_use]
    pub fn final_report(&self) -> Report {
        let mut report = self.report();
        let collector = self.observer();
        report.worst_weighted = collector.worst_weighted_so_far(self.world(), usize::MAX);
        if report.subject.bounds.is_some() && report.subject.entities > MOST_SAMPLED {
            report.subject.bounds = Some(Bounds::of(self.world(), self.machine().speed()));
        }
        report
    }

    /// Returns the game's speed in the time of [`MeasuredLane::report`].
    #[must_use]
    pub fn game_speed(&self) -> GameSpeed {
        let tally = &self.observer().tally;
        let slack = tally.slack() + self.fixed_step().unwrap_or(Nanos::ZERO);
        GameSpeed::of(tally.game_span, tally.span, slack)
    }

    /// Returns the largest staleness of the entities that died since the last frame ended. Time before the last change
    /// does not count.
    #[must_use]
    pub fn stalest_death(&self) -> Nanos {
        self.observer().stalest_death
    }

    /// Returns the mean cost of a run in the time of [`MeasuredLane::report`], scheduling included. `None` if fewer than
    /// [`COST_KNOWN_FROM`] runs were measured.
    #[must_use]
    pub fn run_cost(&self) -> Option<RunCost> {
        let tally = &self.observer().tally;
        let time = tally.task_time + tally.scheduling;
        (tally.runs >= COST_KNOWN_FROM).then(|| RunCost {
            nanos: time.as_nanos() as f64 / tally.runs as f64,
            is_measured: true,
        })
    }

    /// Returns the mean work of a frame in the time of [`MeasuredLane::report`].
    #[must_use]
    pub fn frame_work(&self) -> FrameWork {
        let tally = &self.observer().tally;
        let mean = |sum: Nanos| Nanos::from_nanos(sum.as_nanos() / tally.frames.max(1));
        let all = tally.span - tally.waiting;
        FrameWork {
            all: mean(all),
            other: mean(all - tally.task_time - tally.scheduling),
        }
    }

    /// Returns the integral of the staleness of all entities over the last frame, or the frame in progress.
    #[must_use]
    pub fn frame_staleness(&self) -> StalenessIntegral {
        self.observer().frame_staleness
    }

    /// Returns the largest weighted staleness in the last frame, or in the frame in progress. Time before the last
    /// change does not count.
    #[must_use]
    pub fn frame_worst_weighted(&self) -> Nanos {
        self.observer().frame_worst_weighted
    }

    /// Returns the largest weighted staleness of the [`MOST_SAMPLED`] stalest entities; `least` if that is more. Time before
    /// the last change does not count.
    #[must_use]
    pub fn worst_weighted_now(&self, least: Nanos) -> Nanos {
        let collector = self.observer();
        collector.worst_weighted_since_change(self.world(), least)
    }

    /// Returns the sums from which the theoretical bounds follow: over all entities, or over a sample of
    /// [`MOST_SAMPLED`] if there are more. Takes a few milliseconds with a million entities.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        Bounds::sampled(self.world(), self.machine().speed(), MOST_SAMPLED)
    }

    /// Returns how often the defect of a published form has shown since the strategy began, or since a later call of
    /// [`MeasuredLane::clear_statistics`]. `None` unless the strategy runs as published.
    #[must_use]
    pub fn defect(&self) -> Option<Defect> {
        let defect = self.strategy().defect()?;
        let count = defect.count.saturating_sub(self.observer().defect_before);
        Some(Defect { count, ..defect })
    }

    /// Restarts [`MeasuredLane::report`] at once. Totals are kept.
    pub fn clear_statistics(&mut self) {
        let now = self.now();
        let defect_before = self.strategy().defect().map_or(0, |defect| defect.count);
        let collector = self.observer_mut();
        collector.defect_before = defect_before;
        collector.clear(now);
        collector.recovery.iter_mut().for_each(Recovery::dismiss);
    }

    /// Returns the recovery from a recent disturbance. `None` after a while, after a change, or after a reset of the
    /// collector.
    #[must_use]
    pub fn recovery(&self) -> Option<&Recovery> {
        self.last_recovery().filter(|it| !it.is_old())
    }

    /// Returns the recovery from the last disturbance, however long ago. `None` after a change, or after a reset of the
    /// collector.
    #[must_use]
    pub fn last_recovery(&self) -> Option<&Recovery> {
        let recovery = self.observer().recovery.as_ref();
        recovery.filter(|it| !it.is_dismissed())
    }

    /// Returns true if [`MeasuredLane::report`] covers the last disturbance.
    #[must_use]
    pub fn counts_disturbance(&self) -> bool {
        let recovery = self.observer().recovery.as_ref();
        recovery.is_some_and(Recovery::is_counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::lane::Length;
    use crate::sim::world::{CHURN, COST, ENTITIES};
    use crate::testing::lane;
    use timeslicer::strategy::by_key;

    #[test]
    fn a_disturbance_counts_until_a_reset() {
        let frames = |lane: &mut MeasuredLane<_>, count| {
            let later = Length::Frames(lane.frames() + count);
            while lane.is_within(later) {
                lane.frame();
            }
        };
        let resets = [
            MeasuredLane::clear_statistics,
            |lane: &mut MeasuredLane<_>| {
                lane.set_knob(&COST, 50.0);
            },
        ];
        for reset in resets {
            let mut lane = lane("all-at-once", &[(&COST, 100.0)]);
            frames(&mut lane, 90);
            assert!(!lane.counts_disturbance());
            lane.disturb(Disturbance::Stall);
            frames(&mut lane, 900);
            assert!(lane.recovery().is_none() && lane.counts_disturbance());
            reset(&mut lane);
            assert!(!lane.counts_disturbance());
            // The statistics are warming up, or have just begun.
            lane.disturb(Disturbance::Stall);
            assert_eq!(lane.counts_disturbance(), !lane.report().subject.warming_up);
        }
    }

    #[test]
    fn disturbances_that_change_settings_do_not_count() {
        for disturbance in Disturbance::ALL {
            let mut lane = lane("request-list", &[(&COST, 10.0)]);
            for _ in 0..90 {
                lane.frame();
            }
            lane.disturb(disturbance);
            let is_counted = matches!(disturbance, Disturbance::Stall | Disturbance::AllRequest);
            assert_eq!(lane.counts_disturbance(), is_counted, "{disturbance:?}");
            assert_ne!(lane.counts_disturbance(), lane.report().subject.warming_up);
        }
    }

    #[test]
    fn a_heavy_run_is_seen_without_the_list_of_runs() {
        for lists in [true, false] {
            let mut lane = lane("every-frame", &[(&ENTITIES, 3.0)]);
            if !lists {
                lane.list_runs(0);
            }
            lane.frame();
            lane.disturb(Disturbance::Heavy);
            let waits = |lane: &MeasuredLane<_>| lane.recovery().map(Recovery::waits_for_run);
            assert_eq!(waits(&lane), Some(true));
            let updated = lane.begin_frame();
            lane.clear_events(); // as drawing does
            let drawn = lane.drawn(updated);
            let waited = lane.wait(drawn);
            lane.finish(waited);
            assert_eq!(waits(&lane), Some(false));
        }
    }

    #[test]
    fn a_report_has_the_budget_of_the_present_strategy() {
        let mut lane = lane("time-budget", &[]);
        lane.frame();
        let budgets =
            |lane: &MeasuredLane<_>| lane.report().subject.budget.map(Nanos::as_millis_f64);
        assert_eq!(budgets(&lane), Some(4.0));
        lane.set_strategy(by_key("fixed-interval").unwrap());
        assert_eq!(budgets(&lane), None);
        lane.set_strategy(by_key("time-budget").unwrap());
        assert_eq!(budgets(&lane), Some(4.0));
    }

    #[test]
    fn runs_count_whether_listed_or_not() {
        let set = [(&ENTITIES, 50.0), (&CHURN, 30.0), (&COST, 40.0)];
        let reports = [usize::MAX, 0].map(|most| {
            let mut lane = lane("fixed-interval", &set);
            lane.list_runs(most);
            (0..300).for_each(|_| drop(lane.frame().clone()));
            lane.report().to_json()
        });
        assert_eq!(reports[0], reports[1]);
    }
}
