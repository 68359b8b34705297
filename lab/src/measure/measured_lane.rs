//! Measures a lane while it runs, and provides statistics about it. A lane is a simulation of one strategy.

use super::{Collector, MOST_SAMPLED, Recovery, Report};
use crate::sim::lane::Lane;
use crate::sim::machine::Machine;
use timeslicer::time::Nanos;

pub type MeasuredLane<M> = Lane<M, Collector>;

impl<M: Machine> MeasuredLane<M> {
    /// Returns a report on the time since the last setting change, without the warm-up ([`super::WARM_UP`]). This takes
    /// about 0.1 ms, or a few milliseconds with a million entities.
    pub fn report(&self) -> Report {
        Report::over(self, &self.observer().sums, MOST_SAMPLED)
    }

    /// Returns a report that is computed from all entities instead of a sample, which may take longer.
    pub fn final_report(&self) -> Report {
        Report::over(self, &self.observer().sums, usize::MAX)
    }

    pub fn mean_staleness_now(&self) -> Option<Nanos> {
        self.observer().total_staleness.mean()
    }

    /// Returns how the simulation recovers from a disturbance, if it is recent and the metrics were not reset since.
    pub fn recovery(&self) -> Option<&Recovery> {
        let recoveries = &self.observer().recoveries;
        recoveries.last().filter(|it| !it.is_old())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::frame_loop::constant_fps::{self, LOOP_FPS};
    use crate::catalog::frame_loop::knobs::GAME_SPEED;
    use crate::catalog::frame_loop::variable_step;
    use crate::catalog::strategy::knobs::INTERVAL;
    use crate::measure::verdict;
    use crate::sim::disturbance::Disturbance;
    use crate::sim::lane::Length;
    use crate::sim::machine::{DISPLAY_HZ, Simulated};
    use crate::sim::settings::HITCH;
    use crate::sim::world::{COST, ENTITIES, REQUESTS};
    use crate::testing::{lane, lane_of, report};

    #[test]
    fn utilisation_is_entities_times_cost_over_interval() {
        for (strategy, entities) in [("fixed-interval", 2000.0), ("all-at-once", 1000.0)] {
            let set = [(&ENTITIES, entities), (&COST, 200.0), (&INTERVAL, 0.5)];
            let utilisation = report(strategy, &set, 10).utilisation().unwrap();
            assert!((utilisation - entities * 0.2e-3 / 0.5).abs() < 0.001);
        }
        assert_eq!(report("max-per-frame", &[], 1).utilisation(), None);
    }

    #[test]
    fn a_request_waits_from_its_own_arrival() {
        for strategy in ["request-list", "time-budget"] {
            for (hz, requests) in [(60.0, 2.0), (10.0, 0.3), (144.0, 0.5)] {
                let set = [(&DISPLAY_HZ, hz), (&REQUESTS, requests), (&COST, 1.0)];
                let wait = report(strategy, &set, 5).request_wait;
                let period = Nanos::from_secs_f64(1.0 / hz);
                let mean = wait.mean.over(period);
                assert!((mean - 0.5).abs() < 0.03, "{strategy} {hz}: {mean}");
                let longest = wait.max.over(period);
                assert!((0.97..1.0).contains(&longest), "{strategy} {hz}: {longest}");
            }
        }
    }

    fn run(lane: &mut MeasuredLane<Simulated>, frames: u64) {
        let length = Length::Frames(lane.frames() + frames);
        while lane.is_within(length) {
            lane.frame();
        }
    }

    #[test]
    fn a_fast_game_has_more_updates_or_longer_ones() {
        for (frame_loop, updates) in [
            ("variable-step", 600),
            ("constant-fps", 600),
            ("fixed-step", 1500),
            ("max-frame-skip", 1500),
        ] {
            let set = [(&ENTITIES, 1.0), (&GAME_SPEED, 3.0)];
            let mut lane = lane_of("fixed-interval", frame_loop, &set);
            run(&mut lane, 601);
            let report = lane.report();
            let game = lane.now().since_start().as_secs_f64();
            assert!((game - 30.0).abs() < 0.1, "{frame_loop}: {game}");
            assert!(
                report.updates.abs_diff(updates) <= 3,
                "{frame_loop}: {}",
                report.updates
            );
            let steps = lane.fixed_step().filter(|_| updates == 1500);
            assert!(steps.is_none_or(|step| step == Nanos::from_millis(20)));
            assert_eq!(report.game_span, lane.now().since_start(), "{frame_loop}");
            let utilisation = report.utilisation().unwrap(); // 0.1 ms in a sixth of a second
            assert!(
                (utilisation - 0.0006).abs() < 1e-6,
                "{frame_loop}: {utilisation}"
            );
            let words = verdict(&report).to_string();
            assert!(!words.contains("real-time speed"), "{words}");
            assert!(words.contains("of game time"), "{words}");
        }
        let set = [(&COST, 20_000.0), (&GAME_SPEED, 3.0), (&ENTITIES, 5.0)];
        let mut lane = lane_of("every-frame", "constant-fps", &set);
        run(&mut lane, 100);
        let words = verdict(&lane.report()).to_string();
        assert!(
            words.contains("game runs at 0.5× real-time speed instead of 3×"),
            "{words}"
        );
    }

    #[test]
    fn frames_are_judged_by_the_target_of_the_loop_or_the_display() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 1.0), (&LOOP_FPS, 25.0)]);
        lane.set_display_period(Nanos::from_millis(5));
        run(&mut lane, 10);
        assert_eq!(lane.report().hitches, 10);
        lane.set_knob(&HITCH, 4.0);
        run(&mut lane, 30);
        let report = lane.report();
        assert_eq!(report.subject.pacing.hitch_above, Nanos::from_millis(20));
        assert!(report.frames > 0 && report.hitches == 0);
        lane.set_frame_loop(&constant_fps::ENTRY);
        run(&mut lane, 30);
        let report = lane.report();
        let target = Nanos::from_millis(40);
        assert_eq!((report.subject.pacing.target, report.hitches), (target, 0));
        lane.set_frame_loop(&variable_step::ENTRY);
        lane.disturb(Disturbance::SlowDisplay);
        assert_eq!(lane.target_period(), Nanos::from_secs_f64(1.0 / 30.0));
    }
}
