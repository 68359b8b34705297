//! Disturbances of a lane.

use super::{Disturbed, Lane, Observer};
use crate::sim::disturbance::{Disturbance, HEAVY, POPULATION_STEP, SLOW_HZ, STALL};
use crate::sim::machine::Machine;
use crate::sim::world::ENTITIES;
use crate::text::format;
use timeslicer::scheduler::TaskId;

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Injects `disturbance`. Injecting [`Disturbance::SlowDisplay`] or [`Disturbance::KillAll`] again restores the
    /// display or the number of entities. Returns a label of two or three words; `None` if there was no effect.
    pub fn disturb(&mut self, disturbance: Disturbance) -> Option<String> {
        let (name, heavy) = self.apply(disturbance)?;
        let disturbed = Disturbed {
            disturbance,
            name: &name,
            first_frame: self.frames_begun(),
            heavy,
        };
        self.game.observer.disturbed(&disturbed);
        Some(name)
    }

    /// Returns the label, and the task that became heavy, if any; `None` if there was no effect.
    fn apply(&mut self, disturbance: Disturbance) -> Option<(String, Option<TaskId>)> {
        let count = self.game.world.tasks().len();
        let name = || Some(disturbance.name().to_owned());
        let mut heavy = None;
        let done = match disturbance {
            Disturbance::Stall => {
                self.stall_ahead += STALL;
                name()
            }
            Disturbance::Births => self.repopulate(count + POPULATION_STEP),
            Disturbance::Deaths => {
                for _ in 0..POPULATION_STEP {
                    if let Some(victim) = self.game.world.random_task() {
                        self.game.death(victim);
                    }
                }
                let left = self.game.world.tasks().len();
                self.set_knob(&ENTITIES, left as f64);
                let died = count - left;
                (died > 0).then(|| format::counted(died as u64, "death"))
            }
            Disturbance::Heavy => {
                let task = self.game.world.random_task()?;
                self.game.world.make_heavy(task, HEAVY);
                heavy = Some(task);
                self.changed();
                name()
            }
            Disturbance::AllRequest if self.game.on_request && count > 0 => {
                let all: Vec<TaskId> = self.game.world.tasks().iter().collect();
                for task in all {
                    self.game.request(task);
                }
                name()
            }
            Disturbance::AllRequest => None,
            Disturbance::SlowDisplay => {
                self.set_slow_display(!self.display.is_slow);
                if self.display.is_slow {
                    name()
                } else {
                    Some("Display restored".to_owned())
                }
            }
            Disturbance::KillAll if count > 0 => {
                self.set_knob(&ENTITIES, 0.0);
                name()
            }
            Disturbance::KillAll => {
                let before = self.population_before_none.take();
                self.repopulate(before.unwrap_or(ENTITIES.default as usize))
            }
        };
        Some((done?, heavy))
    }

    /// Sets the number of entities, within its knob's range. Returns a label with the number of births; `None` if there
    /// were none.
    fn repopulate(&mut self, to: usize) -> Option<String> {
        let before = self.game.world.tasks().len();
        self.set_knob(&ENTITIES, ENTITIES.nearest(to as f64));
        let born = self.game.world.tasks().len().saturating_sub(before);
        (born > 0).then(|| format::counted(born as u64, "birth"))
    }

    /// Drops the display to [`SLOW_HZ`], or restores its rate.
    pub fn set_slow_display(&mut self, slow: bool) {
        self.display.is_slow = slow;
        self.game.machine.slow_display(slow.then_some(SLOW_HZ));
        self.changed();
    }

    /// Takes over the lasting effects of disturbances from the lane `other`: a slow display, heavy tasks, and the
    /// number of entities to restore.
    pub fn inherit(&mut self, other: &Self) {
        self.population_before_none = other.population_before_none;
        let world = &mut self.game.world;
        for (index, cost) in other.world().heavy() {
            if let Some(task) = world.tasks().at(index) {
                world.make_heavy(task, cost);
            }
        }
        if other.display.is_slow {
            self.set_slow_display(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::test_lane::lane;
    use crate::sim::machine::RENDER_MS;
    use crate::sim::world::{COST, REQUESTS};
    use timeslicer::strategy::{STRATEGIES, StrategyEntry};
    use timeslicer::time::Nanos;

    #[test]
    fn stall_lengthens_one_frame_and_is_not_drawing_time() {
        let mut lane = lane("fixed-interval", &[(&RENDER_MS, 3.0)]);
        lane.frame();
        lane.disturb(Disturbance::Stall);
        let stalled = lane.frame().clone();
        assert!(stalled.length >= STALL && stalled.drawing == Nanos::from_millis(3));
        let parts = stalled.task_time + stalled.scheduling + stalled.drawing + stalled.waiting;
        assert_eq!(parts, stalled.length);
        assert!(lane.frame().delta >= STALL);
        assert!(lane.last_frame().length < STALL);
    }

    #[test]
    fn births_and_deaths_change_the_entities_knob() {
        let mut lane = lane("fixed-interval", &[(&ENTITIES, 130.0)]);
        let mut count_after = |disturbance| {
            lane.disturb(disturbance);
            lane.frame();
            let count = lane.world().tasks().len();
            assert_eq!(lane.settings().knobs.get(&ENTITIES), count as f64);
            count
        };
        let disturbances = [
            Disturbance::Births,
            Disturbance::KillAll,
            Disturbance::KillAll,
            Disturbance::Deaths,
        ];
        assert_eq!(disturbances.map(&mut count_after), [230, 0, 230, 130]);
        let more = [
            Disturbance::Deaths,
            Disturbance::Deaths,
            Disturbance::KillAll,
            Disturbance::Births,
        ];
        // The number from before the first kill was used up, so the default is restored.
        assert_eq!(more.map(&mut count_after), [30, 0, 400, 500]);
    }

    #[test]
    fn kill_all_restores_a_number_that_the_knob_set_to_zero() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 70.0)]);
        lane.set_knob(&ENTITIES, 0.0);
        lane.disturb(Disturbance::KillAll);
        assert_eq!(lane.world().tasks().len(), 70);
    }

    #[test]
    fn heavy_task_stays_heavy_when_the_cost_changes() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 5.0), (&COST, 10.0)]);
        lane.disturb(Disturbance::Heavy);
        lane.set_knob(&COST, 20.0);
        let took = lane.frame().task_time;
        assert_eq!(took, HEAVY + Nanos::from_micros(80));
    }

    #[test]
    fn all_request_affects_only_event_driven_strategies() {
        for entry in STRATEGIES {
            let set = [(&ENTITIES, 50.0), (&COST, 0.0), (&REQUESTS, 0.0)];
            let mut lane = lane(entry.key, &set);
            (0..3).for_each(|_| drop(lane.frame().clone()));
            let done = lane.disturb(Disturbance::AllRequest);
            assert_eq!(done.is_some(), entry.on_request(), "{}", entry.key);
            let runs = lane.frame().runs;
            assert!(!entry.on_request() || runs == 50, "{}: {runs}", entry.key);
        }
    }

    #[test]
    fn slow_display_doubles_the_frame_length() {
        let mut lane = lane("fixed-interval", &[(&COST, 0.0)]);
        lane.disturb(Disturbance::SlowDisplay);
        lane.frame();
        assert!(lane.last_frame().length > Nanos::from_millis(33));
        lane.disturb(Disturbance::SlowDisplay);
        assert!(!lane.has_slow_display());
        assert!(lane.frame().length < Nanos::from_millis(17));
    }

    #[test]
    fn disturbances_are_equal_for_all_strategies() {
        let population = |entry: &StrategyEntry| {
            let mut lane = lane(entry.key, &[(&ENTITIES, 150.0), (&COST, 10.0)]);
            for disturbance in Disturbance::ALL {
                lane.disturb(disturbance);
                lane.frame();
            }
            lane.disturb(Disturbance::KillAll);
            lane.disturb(Disturbance::Deaths);
            lane.disturb(Disturbance::Heavy);
            let tasks: Vec<TaskId> = lane.world().tasks().iter().collect();
            let costs: Vec<Option<Nanos>> =
                tasks.iter().map(|&task| lane.world().cost(task)).collect();
            (tasks, costs)
        };
        let first = population(STRATEGIES[0]);
        assert!(STRATEGIES.iter().all(|entry| population(entry) == first));
    }

    #[test]
    fn new_lane_inherits_lasting_disturbances() {
        let mut before = lane("every-frame", &[(&ENTITIES, 3.0), (&COST, 0.0)]);
        before.disturb(Disturbance::Heavy);
        before.disturb(Disturbance::SlowDisplay);
        let mut lane = lane("every-frame", &[(&ENTITIES, 3.0), (&COST, 0.0)]);
        lane.inherit(&before);
        assert!(lane.has_slow_display());
        assert_eq!(lane.frame().task_time, HEAVY);
        assert_eq!(before.frame().task_time, HEAVY);
    }
}
