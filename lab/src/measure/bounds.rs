//! Theoretical bounds: the lowest weighted staleness that any strategy can reach with a given task time.
//!
//! Let task i have the weight w and the cost c, and let a strategy run it every T seconds. The task then takes c / T of
//! each second, and all tasks together take B, the sum of c / T. The weighted mean of staleness is the sum of w T / 2
//! divided by the sum of w. For a given B, it is lowest if T is proportional to √(c / w), by the Cauchy-Schwarz
//! inequality:
//!
//! - mean weighted staleness ≥ (Σ√(c w))² / (2 B Σw)
//!
//! Uneven intervals only increase the mean. If the largest weighted staleness is M, then no T exceeds M / w, so B is at
//! least the sum of c w / M:
//!
//! - worst weighted staleness ≥ Σ(c w) / B
//!
//! Both bounds hold in the long run and for constant weights, so the target must be at rest. Now consider a period of
//! length t. Let a be the staleness of task i at the beginning of the period and b the staleness at its end. The
//! intervals that end in the period have the sum t + a - b, and the integral of staleness is half the sum of their
//! squares, plus (b² - a²) / 2. If C is the time that all tasks took, the same inequality gives
//!
//! - mean weighted staleness ≥ (Σw(b² - a²) + (Σ√(c w)(t + a - b))² / C) / (2 t Σw)
//! - worst weighted staleness ≥ Σ(c w)(t + a - b) / C
//!
//! A newborn that replaces a dead entity is not stale, as if its task had run in no time. The cost of a run is
//! therefore added to C for each death, and the mean cost times births per second is added to B.
//!
//! Sources: I. Kadota, A. Sinha, E. Uysal-Biyikoglu, R. Singh, E. Modiano, "Scheduling Policies for Minimizing Age of
//! Information in Broadcast Wireless Networks", IEEE/ACM Transactions on Networking 26(6), 2018, for the mean; L.
//! Gąsieniec et al., "Bamboo Garden Trimming Problem", SOFSEM 2017, for the worst.

use super::fixed_weight::FixedWeight;
use super::{Objective, Totals};
use crate::sim::world::World;
use timeslicer::time::{GameTime, Nanos};

/// The maximum number of entities to visit for the bounds of a running simulation. If there are more, a sample is used.
pub const MOST_SAMPLED: usize = 16_384;

/// Sums over all living entities, from which the theoretical bounds of staleness are computed. The bounds are valid
/// only while the target is at rest, because the weights of the entities change when it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The sum of √(cost × weight) over all entities, in √s.
    pub sqrt_cw: f64,
    /// The sum of cost × weight over all entities, in seconds.
    pub cw: f64,
    /// The sum of the weights of all entities.
    pub w: f64,
    /// The sum of the costs of all tasks, in seconds.
    pub c: f64,
    /// The task time that births save per second of game time because newborns are fresh: births × mean cost of a task.
    pub births: f64,
    /// The number of living entities, even if only a sample of them was visited.
    entities: f64,
    /// The sums of √(cost × weight) × s, cost × weight × s and weight × s², where s is the staleness of an entity.
    stale: [f64; 3],
}

impl Bounds {
    /// Computes the sums at the game time `now` for a machine with the given `speed`. If there are more than
    /// `max_sampled` entities, the sums are estimated from a deterministic, evenly spread sample.
    pub fn sampled(world: &World, now: GameTime, speed: f64, max_sampled: usize) -> Self {
        let (tasks, weights) = (world.tasks(), world.weights());
        let mut sums = Self::default();
        for task in world.sampled(max_sampled) {
            let (Some(cost), Some(last_run)) = (world.cost(task), tasks.last_run(task)) else {
                continue;
            };
            let weight = FixedWeight::of(&weights, task.index).weight();
            let cost = cost.as_secs_f64() / speed;
            let stale = (now - last_run).as_secs_f64();
            let (cw, sqrt_cw) = (cost * weight, (cost * weight).sqrt());
            sums.sqrt_cw += sqrt_cw;
            sums.cw += cw;
            sums.w += weight;
            sums.c += cost;
            sums.entities += 1.0;
            for (sum, more) in sums.stale.iter_mut().zip([sqrt_cw, cw, weight * stale]) {
                *sum += more * stale;
            }
        }
        let entities = tasks.len() as f64;
        let scale = entities / sums.entities.max(1.0);
        Self {
            sqrt_cw: sums.sqrt_cw * scale,
            cw: sums.cw * scale,
            w: sums.w * scale,
            c: sums.c * scale,
            births: world.expected_churn(Nanos::SECOND) * sums.mean_cost(),
            entities,
            stale: sums.stale.map(|sum| sum * scale),
        }
    }

    /// Returns the mean cost of a task in seconds, or zero if there are no entities.
    pub fn mean_cost(&self) -> f64 {
        self.c / self.entities.max(1.0)
    }

    /// Returns the lowest value of the objective, in seconds, that any strategy can reach in the long run. `load` is
    /// the time that tasks take per second of game time. Returns `None` if there are no entities or if tasks take no
    /// time. It also returns `None` for objectives that are waits, because their minimum is unknown.
    pub fn least(&self, objective: Objective, load: f64) -> Option<f64> {
        let is_known = load > 0.0 && self.w > 0.0;
        let load = load + self.births;
        let least = match objective {
            Objective::WeightedMean => self.sqrt_cw * self.sqrt_cw / (2.0 * load * self.w),
            Objective::WeightedWorst => self.cw / load,
            Objective::Worst | Objective::MeanWait | Objective::LongestWait => return None,
        };
        is_known.then_some(least)
    }

    /// Returns the lowest value of the objective that any strategy could have reached over the frames in `totals`,
    /// which end now. Assumes that a newborn replaced each entity that died. Returns `None` if there are no entities or
    /// if tasks took no time.
    pub(super) fn least_over(&self, totals: &Totals, objective: Objective) -> Option<Nanos> {
        let is_known = !totals.task_time.is_zero() && !totals.game_span.is_zero() && self.w > 0.0;
        let span = totals.game_span.as_secs_f64();
        let births = totals.deaths as f64 * self.mean_cost();
        let task_time = totals.task_time.as_secs_f64() + births;
        let grown = |sum: usize| self.stale[sum] - totals.start.stale[sum];
        let least = match objective {
            Objective::WeightedMean => {
                let ended = span * self.sqrt_cw - grown(0);
                (grown(2) + ended * ended / task_time) / (2.0 * span * self.w)
            }
            Objective::WeightedWorst => (span * self.cw - grown(1)) / task_time,
            Objective::Worst | Objective::MeanWait | Objective::LongestWait => return None,
        };
        (is_known && least > 0.0).then(|| Nanos::from_secs_f64(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::knob::{Knob, KnobValues};
    use crate::catalog::strategy::knobs::{BUDGET, INTERVAL};
    use crate::catalog::strategy::{STRATEGIES, StrategyEntry};
    use crate::measure::MeasuredLane;
    use crate::measure::Objective::{WeightedMean, WeightedWorst};
    use crate::sim::machine::Simulated;
    use crate::sim::settings::Settings;
    use crate::sim::world::{CHURN, COST, COST_SPREAD, ENTITIES, FALLOFF, NEAR, Point, REQUESTS};
    use crate::testing::run_to;
    use proptest::prelude::*;

    fn world(set: &[(&Knob, f64)], count: usize) -> World {
        let mut world = World::new(&KnobValues::with(set), 1);
        world.move_target(GameTime::START, Some(Point { x: 0.5, y: 0.25 }));
        for _ in 0..count {
            world.birth(GameTime::START);
        }
        world
    }

    fn of(world: &World, speed: f64) -> Bounds {
        Bounds::sampled(world, GameTime::START, speed, usize::MAX)
    }

    fn is_close(value: Option<f64>, expected: f64) -> bool {
        value.is_some_and(|value| (value / expected - 1.0).abs() < 1e-12)
    }

    #[test]
    fn equal_tasks_share_the_time_equally() {
        // There are 200 tasks of 1 ms and 0.1 s of task time per second, so each task runs every 2 s.
        let bounds = of(&world(&[(&FALLOFF, 0.0), (&COST, 1000.0)], 200), 1.0);
        assert!(is_close(bounds.least(WeightedMean, 0.1), 1.0), "{bounds:?}");
        assert!(
            is_close(bounds.least(WeightedWorst, 0.1), 2.0),
            "{bounds:?}"
        );
        let fast = of(&world(&[(&FALLOFF, 0.0), (&COST, 1000.0)], 200), 4.0);
        assert!(is_close(fast.least(WeightedMean, 0.1), 0.25), "{fast:?}");
    }

    #[test]
    fn no_intervals_with_the_same_load_are_better() {
        let world = world(&[(&COST_SPREAD, 0.7)], 300);
        let weights = world.weights();
        let all = world.tasks().iter().filter_map(|task| {
            let weight = weights.at(weights.plane.position(task.index)).0;
            Some((weight, world.cost(task)?.as_secs_f64()))
        });
        let all: Vec<(f64, f64)> = all.collect();
        let bounds = of(&world, 1.0);
        let mean_of = |interval: &dyn Fn(f64, f64) -> f64| {
            let load: f64 = all.iter().map(|&(w, c)| c / interval(w, c)).sum();
            let ages = all.iter().map(|&(w, c)| w * interval(w, c) / 2.0);
            ages.sum::<f64>() / bounds.w / bounds.least(WeightedMean, load).unwrap()
        };
        let optimum = mean_of(&|w, c| (c / w).sqrt());
        assert!((optimum - 1.0).abs() < 1e-6, "{optimum}");
        for share in [0.2, 0.4, 0.6, 1.0] {
            assert!(mean_of(&|w, c| (c / w).powf(share)) > 1.001);
        }
        let load: f64 = all.iter().map(|&(w, c)| c * w).sum();
        assert!((bounds.least(WeightedWorst, load).unwrap() - 1.0).abs() < 1e-6);
    }

    /// Returns a lane in which the target does not move.
    fn lane(entry: &'static StrategyEntry, set: &[(&Knob, f64)]) -> MeasuredLane<Simulated> {
        let settings = Settings {
            strategy: entry,
            knobs: KnobValues::with(set),
            target: Some(Point { x: 0.3, y: 0.2 }),
            ..Settings::default()
        };
        MeasuredLane::new(settings, Simulated::default())
    }

    #[test]
    fn the_bound_of_a_range_approaches_that_of_the_long_run() {
        for entry in STRATEGIES {
            let set = [(&COST, 200.0), (&ENTITIES, 600.0)];
            let mut lane = lane(entry, &set);
            run_to(&mut lane, 40);
            let report = lane.report();
            let Some(load) = report.settled.as_ref().and_then(Totals::load) else {
                continue;
            };
            for objective in Objective::WEIGHTED {
                let least = report.least(objective).unwrap().as_secs_f64();
                let bounds = report.bounds.unwrap();
                let ratio = least / bounds.least(objective, load).unwrap();
                assert!(
                    (ratio - 1.0).abs() < 0.04,
                    "{} {objective:?}: {ratio}",
                    entry.key
                );
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        /// Checks the minimum for random workloads, in every frame after the first round.
        #[test]
        fn no_lane_is_below_its_minimum(
            strategy in 0..STRATEGIES.len(),
            entities in 1_u32..700,
            cost_us in 1.0_f64..400.0,
            (spread, churn) in prop_oneof![
                (0.0..1.5_f64, Just(0.0)),
                (Just(0.0), 0.0..600.0_f64),
            ],
            (near, falloff) in (0.01..0.5_f64, 0.0..4.0_f64),
            (interval, budget, requests) in (0.05..1.5_f64, 0.2..20.0_f64, 0.0..20.0_f64),
            frames in 1_u64..600,
        ) {
            let set = [
                (&ENTITIES, entities.into()),
                (&COST, cost_us),
                (&COST_SPREAD, spread),
                (&CHURN, churn),
                (&NEAR, near),
                (&FALLOFF, falloff),
                (&INTERVAL, interval),
                (&BUDGET, budget),
                (&REQUESTS, requests),
            ];
            let mut lane = lane(STRATEGIES[strategy], &set);
            for _ in 0..frames {
                lane.frame();
            }
            let report = lane.report();
            prop_assert_eq!(report.have_run == 1.0, report.settled.is_some());
            for objective in Objective::WEIGHTED {
                if let Some(times) = report.over_minimum(objective) {
                    prop_assert!(times >= 1.0 - 1e-6, "{:?}: {}", objective, times);
                }
            }
        }
    }

    #[test]
    fn no_entities_or_no_task_time_give_no_bound() {
        for (count, load) in [(0, 0.1), (3, 0.0)] {
            let bounds = of(&world(&[], count), 1.0);
            let least = Objective::WEIGHTED.map(|objective| bounds.least(objective, load));
            assert_eq!(least, [None; 2]);
        }
    }
}
