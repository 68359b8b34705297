//! Measures the gaze error, which is the fraction of entities that look in the wrong direction because their tasks run
//! too rarely.
//!
//! An entity looks in the direction that its last run set ([`super::world::Entity::seen`]). Directions are measured in
//! the world's plane ([`super::world::Plane`]) and not on screen, so that the window and the command line report the
//! same numbers.

use super::world::{Point, World};

/// An entity that looks past the target by more than this angle, in degrees, counts as looking in the wrong direction.
pub const WRONG_FROM_DEGREES: f64 = 10.0;

/// If there are more entities than this, only a sample of this size is examined in each frame. The result is then
/// accurate to about three percentage points.
pub const SAMPLE: usize = 1_000;

/// Returns the fraction of entities, from 0 to 1, that look in the wrong direction. If there are more than `most`
/// entities, only a sample of that size is examined. A newborn entity counts as looking in the wrong direction until its
/// first run. Returns `None` if there are no entities.
pub(crate) fn looking_wrong(world: &World, most: usize) -> Option<f64> {
    let cosine = WRONG_FROM_DEGREES.to_radians().cos() as f32;
    let (target, cosine2) = (world.target(), cosine * cosine);
    let (mut wrong, mut counted) = (0, 0);
    for entity in world.sampled(most).filter_map(|task| world.entity(task)) {
        let misses = || looks_past(entity.position, entity.seen, target, cosine2);
        counted += 1;
        wrong += u32::from(!entity.has_looked() || misses());
    }
    (counted > 0).then(|| f64::from(wrong) / f64::from(counted))
}

/// Returns true if an entity looks past the target by more than a given angle, which must be less than 90 degrees.
/// `max_angle_cosine2` is the squared cosine of this angle.
fn looks_past(position: Point, seen: Point, target: Point, max_angle_cosine2: f32) -> bool {
    let (one, other) = (position.towards(seen), position.towards(target));
    let squares = (one.0 * one.0 + one.1 * one.1) * (other.0 * other.0 + other.1 * other.1);
    let dot = one.0 * other.0 + one.1 * other.1;
    // For an entity at the target's position the dot product is zero, so it never counts as looking in the wrong
    // direction.
    dot < 0.0 || dot * dot < max_angle_cosine2 * squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::knob::KnobValues;
    use timeslicer::time::{GameTime, Nanos};

    fn world(count: usize) -> World {
        let mut world = World::new(&KnobValues::default(), 1);
        for _ in 0..count {
            world.birth(GameTime::START);
        }
        world.place_entities();
        world
    }

    #[test]
    fn gaze_is_wrong_above_ten_degrees() {
        let place = Point { x: 0.2, y: 0.25 };
        let target = Point { x: 0.7, y: 0.25 };
        let cosine = WRONG_FROM_DEGREES.to_radians().cos() as f32;
        let is_wrong = |place, seen| looks_past(place, seen, target, cosine * cosine);
        for (degrees, wrong) in [
            (0.0_f32, false),
            (9.9, false),
            (10.1, true),
            (-10.1, true),
            (180.0, true),
        ] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let seen = Point {
                x: place.x + cos,
                y: place.y + sin,
            };
            assert_eq!(is_wrong(place, seen), wrong, "{degrees}");
        }
        assert!(!is_wrong(target, place), "an entity at the target is right");
    }

    #[test]
    fn the_first_population_looks_right_until_the_target_moves() {
        let mut world = world(400);
        assert_eq!(looking_wrong(&world, SAMPLE), Some(0.0));
        // The target moves from the far right to the far left. Only entities beyond one of the two points still look in
        // the right direction.
        let left = Point { x: 0.02, y: 0.25 };
        world.move_target(GameTime::START, Some(left));
        let wrong = looking_wrong(&world, SAMPLE).unwrap();
        assert!((0.7..1.0).contains(&wrong), "{wrong}");
    }

    #[test]
    fn newborns_look_wrong_until_their_first_run() {
        let mut world = world(0);
        assert_eq!(looking_wrong(&world, SAMPLE), None, "no entities");
        let task = world.birth(GameTime::at(Nanos::SECOND));
        assert_eq!(looking_wrong(&world, SAMPLE), Some(1.0));
        world.crowd.ran(task, GameTime::at(Nanos::SECOND));
        assert_eq!(looking_wrong(&world, SAMPLE), Some(0.0));
    }
}
