//! Figures of the entities that wait now, whose intervals have not ended.

use super::{Collector, Punctuality};
use crate::sim::world::World;
use crate::stats::MOST_SAMPLED;
use timeslicer::time::{GameTime, Nanos};

impl Collector {
    /// Returns the number of entities that have starved so far, including those that starve now. Scans all requests if
    /// the strategy runs on request, otherwise only the entities that starve now.
    pub(in crate::stats) fn starved(&self, world: &World, now: GameTime) -> u64 {
        if self.is_warming_up() {
            return 0;
        }
        let tasks = world.tasks();
        let stale = |task| {
            let last_run = tasks.last_run(task).unwrap_or(now);
            (now - last_run).min(now - self.game_from)
        };
        // The stalest come first.
        let starving = world.by_staleness().take_while(|&task| {
            self.promises.punctuality(task, stale(task)) == Punctuality::Starved
        });
        let asking = self.promises.starved_requests();
        let all = if self.promises.is_on_request() {
            asking.filter_map(|index| tasks.at(index)).collect()
        } else {
            starving.collect::<Vec<_>>()
        };
        let new = all.into_iter().filter(|&task| {
            let number = world.entity(task).map(|entity| entity.number);
            number.is_some_and(|number| !self.starved.contains(number))
        });
        self.starved.len() + new.count() as u64
    }

    /// Returns the largest weighted staleness so far, including that of the entities that wait now. Visits `most` entities
    /// at most.
    pub(in crate::stats) fn worst_weighted_so_far(&self, world: &World, most: usize) -> Nanos {
        let worst = self.tally.worst_weighted();
        if self.is_warming_up() {
            return worst;
        }
        self.worst_weighted_since(self.game_from, world, worst, most)
    }

    /// Returns the largest weighted staleness of the entities that wait now, since the last change; `least` if that is
    /// more. Visits [`MOST_SAMPLED`] entities at most.
    pub(in crate::stats) fn worst_weighted_since_change(
        &self,
        world: &World,
        least: Nanos,
    ) -> Nanos {
        self.worst_weighted_since(self.frames_from, world, least, MOST_SAMPLED)
    }

    /// Visits entities from the stalest on until no other can be worse, because weights are 1 at most.
    fn worst_weighted_since(
        &self,
        from: GameTime,
        world: &World,
        least: Nanos,
        most: usize,
    ) -> Nanos {
        let (mut worst, counted) = (least, self.now - from);
        for task in world.by_staleness().take(most) {
            let last_run = world.tasks().last_run(task).unwrap_or(self.now);
            let stale = (self.now - last_run).min(counted);
            if stale <= worst {
                break;
            }
            worst = worst.max(self.total_staleness.weight(task).times(stale));
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::Length;
    use crate::sim::machine::Simulated;
    use crate::sim::world::{COST, ENTITIES, Point};
    use crate::stats::MeasuredLane;
    use crate::testing::lane;
    use timeslicer::strategy::STRATEGIES;

    fn run(lane: &mut MeasuredLane<Simulated>, frames: u64) {
        let length = Length::Frames(lane.frames() + frames);
        while lane.is_within(length) {
            lane.frame();
        }
    }

    #[test]
    fn the_worst_weighted_staleness_is_that_of_all_entities() {
        for entry in STRATEGIES {
            let mut lane = lane(entry.key, &[(&ENTITIES, 3_000.0), (&COST, 60.0)]);
            lane.pin_target(Some(Point { x: 0.4, y: 0.3 }));
            run(&mut lane, 60);
            lane.clear_statistics();
            let (from, mut worst) = (lane.now(), 0.0_f64);
            for _ in 0..120 {
                run(&mut lane, 1);
                let (tasks, now) = (lane.world().tasks(), lane.now());
                let mut count = |task, stale: Nanos| {
                    let stale = stale.min(now - from).as_secs_f64();
                    worst = worst.max(lane.world().weight(task) * stale);
                };
                for run in lane.runs() {
                    count(run.task, run.elapsed);
                }
                for task in tasks.iter() {
                    count(task, now - tasks.last_run(task).unwrap());
                }
            }
            for report in [lane.report(), lane.final_report()] {
                let measured = report.worst_weighted.as_secs_f64();
                let is_close = (measured / worst - 1.0).abs() < 1e-6;
                assert!(is_close, "{}: {measured} {worst}", entry.key);
            }
        }
    }
}
