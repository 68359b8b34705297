//! Weights of crowds of any size.

use crate::sim::settings::Settings;
use crate::sim::world::{FALLOFF, NEAR, ORBIT_PERIOD, Plane, Significance, Weights, orbit};
use timeslicer::time::{GameTime, Nanos};

/// Number of places for a target that rests, and for each position of a target that moves. They fill whole rows, as an
/// even sample of a crowd of any size.
const RESTING: u32 = 2 * 23 * 23;
const MOVING: u32 = 2 * 11 * 11;
/// Number of positions of a target that moves. With this number, they are not symmetrical.
const POSITIONS: u64 = 13;

/// Returns the weights of an even sample of a crowd: one list for each position of the target.
///
/// A target that moves is on its orbit at equal distances in time. While it follows the pointer, that is a guess.
pub(super) fn sampled_weights(settings: &Settings) -> Vec<Vec<f64>> {
    let [near, falloff] = [NEAR, FALLOFF].map(|knob| settings.knobs.get(&knob));
    let significance = Significance::new(near, falloff);
    let sample = |places, target| {
        let plane = Plane::with_places(places);
        let weights = Weights {
            significance,
            plane,
            target,
        };
        (0..places).map(|place| weights.weight(place)).collect()
    };
    match settings.target {
        Some(target) => vec![sample(RESTING, target)],
        None => (0..POSITIONS)
            .map(|turn| Nanos::from_nanos(ORBIT_PERIOD.as_nanos() / POSITIONS * turn))
            .map(|time| sample(MOVING, orbit(GameTime::at(time))))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::world::{COST, ENTITIES, Point};
    use crate::stats::capacity::Capacity;
    use crate::testing::lane;
    use timeslicer::strategy::{Family, Peak, STRATEGIES};
    use timeslicer::time::Nanos;

    const BUDGET: Nanos = Nanos::from_millis(4);

    #[test]
    fn capacity_depends_on_how_much_the_crowd_matters() {
        const FRAMES: u32 = 63 * 60; // the period of the target's orbit
        for strategy in STRATEGIES {
            if strategy.family != Family::BySignificance {
                continue;
            }
            for (target, about) in [
                (Some(Point { x: 0.5, y: 0.25 }), 0.02),
                (Some(Point { x: 0.0, y: 0.0 }), 0.02),
                // Intervals that become shorter, because the target comes nearer, bring runs forward.
                (None, 0.08),
            ] {
                let measured = |entities: usize| {
                    let set = [(&ENTITIES, entities as f64), (&COST, 100.0)];
                    let mut lane = lane(strategy.key, &set);
                    lane.pin_target(target);
                    lane.list_runs(0);
                    let (mut exceeded, mut stretch) = (0, 0.0);
                    for _ in 0..FRAMES {
                        exceeded += u32::from(lane.frame().task_time > BUDGET);
                        stretch += lane.strategy().stretch();
                    }
                    let [exceeded, stretch] =
                        [exceeded.into(), stretch].map(|it| it / f64::from(FRAMES));
                    (lane, exceeded, stretch)
                };
                let of = || format!("{} {target:?}", strategy.key);
                let (lane, ..) = measured(250);
                let capacity = Capacity::of(&lane);
                let (made, predicted) = (lane.report().mean_runs(), capacity.load.mean);
                let off = (made / predicted - 1.0).abs();
                assert!(off < about, "{}: {made} of {predicted}", of());

                let Some(most) = capacity.most else {
                    assert_eq!(capacity.load.peak, Peak::Share);
                    continue;
                };
                for (share, fits) in [(0.95, true), (1.15, false)] {
                    let (_, exceeded, stretch) = measured((share * most as f64) as usize);
                    let held = exceeded < 0.015 && stretch < 1.1;
                    assert_eq!(
                        held,
                        fits,
                        "{}, {share} x {most}: {exceeded}, {stretch}",
                        of()
                    );
                }
            }
        }
    }
}
