//! Measures the gaze error, which is the fraction of entities that look in the wrong direction because their tasks run
//! too rarely.
//!
//! An entity looks in the direction that its last run set ([`super::world::Entity::seen`]). Directions are measured in
//! the world's plane ([`super::world::Plane`]) and not on screen, so that the window and the command line report the
//! same numbers.

use super::world::{Point, World};

/// An entity that looks past the target by more than this angle, in degrees, counts as looking in the wrong direction.
pub const WRONG_FROM_DEGREES: f64 = 10.0;

/// If there are more entities than this, only a sample of about this size is examined. The result is then accurate to
/// about three percentage points, or four points if half of the sampled entities have died.
pub const SAMPLE: usize = 1_000;

#[derive(Clone, Debug, Default)]
pub(crate) struct Gazes {
    /// The number of slots and the number of living entities when the sample was chosen.
    chosen_from: (u32, usize),
    sampled_slots: Vec<(u32, Point)>,
}

impl Gazes {
    /// Returns the fraction of entities, from 0 to 1, that look in the wrong direction. A newborn entity counts as
    /// looking in the wrong direction until its first run. Returns `None` if there are no entities.
    pub(crate) fn looking_wrong(&mut self, world: &World) -> Option<f64> {
        let (tasks, target) = (world.tasks(), world.target());
        let (slots, living) = (tasks.end(), tasks.len());
        // After many births and deaths, the sample no longer represents the crowd.
        let (slots_before, living_before) = self.chosen_from;
        let was_whole = living_before <= SAMPLE;
        let usual = living_before / 2..=2 * living_before;
        if slots != slots_before || was_whole != (living <= SAMPLE) || !usual.contains(&living) {
            self.choose(world);
        }
        let cosine = WRONG_FROM_DEGREES.to_radians().cos() as f32;
        let (mut wrong, mut counted) = (0, 0);
        for &(index, position) in &self.sampled_slots {
            if let Some(entity) = tasks.at(index).and_then(|task| world.entity(task)) {
                counted += 1;
                let misses = || looks_past(position, entity.seen, target, cosine * cosine);
                wrong += u32::from(!entity.has_looked() || misses());
            }
        }
        (counted > 0).then(|| f64::from(wrong) / f64::from(counted))
    }

    fn choose(&mut self, world: &World) {
        let (tasks, plane) = (world.tasks(), world.plane());
        self.chosen_from = (tasks.end(), tasks.len());
        let share = (SAMPLE as f64 / tasks.len().max(1) as f64).min(1.0);
        let limit = (share * f64::from(u32::MAX)) as u32;
        // Multiples of the golden ratio spread evenly and follow no pattern, so a threshold selects the desired
        // fraction.
        let chosen = (0..tasks.end()).filter(|index| index.wrapping_mul(0x9E37_79B9) <= limit);
        self.sampled_slots = chosen.map(|index| (index, plane.position(index))).collect();
    }
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
        assert_eq!(Gazes::default().looking_wrong(&world), Some(0.0));
        // The target moves from the far right to the far left. Only entities beyond one of the two points still look in
        // the right direction.
        let left = Point { x: 0.02, y: 0.25 };
        world.move_target(GameTime::START, Some(left));
        let wrong = Gazes::default().looking_wrong(&world).unwrap();
        assert!((0.7..1.0).contains(&wrong), "{wrong}");
    }

    #[test]
    fn newborns_look_wrong_until_their_first_run() {
        let mut world = world(0);
        assert_eq!(Gazes::default().looking_wrong(&world), None, "no entities");
        let task = world.birth(GameTime::at(Nanos::SECOND));
        assert_eq!(Gazes::default().looking_wrong(&world), Some(1.0));
        world.crowd.ran(task, GameTime::at(Nanos::SECOND));
        assert_eq!(Gazes::default().looking_wrong(&world), Some(0.0));
    }

    #[test]
    fn only_large_crowds_are_sampled_independently_of_groups() {
        let sample = |count| {
            let mut gazes = Gazes::default();
            gazes.looking_wrong(&world(count));
            gazes.sampled_slots
        };
        for count in [1, 400, 1000] {
            assert_eq!(sample(count).len(), count);
        }
        for count in [1_001, 5_000] {
            assert!((950..=1050).contains(&sample(count).len()), "{count}");
        }
        let sample = sample(100_000);
        for groups in [2, 3, 7, 30, 32, 64] {
            let mut of_group = vec![0; groups];
            for (index, _) in &sample {
                of_group[*index as usize % groups] += 1;
            }
            let even = sample.len() / groups;
            let is_near = |&count: &usize| count <= 2 * even && 2 * count >= even;
            assert!(of_group.iter().all(is_near), "{groups}: {of_group:?}");
        }
    }
}
