//! The share of the crowd that looks at the wrong place: the price of running tasks less often.
//!
//! An entity's last run decides in which direction it looks ([`super::world::Entity::seen`]). Its position follows from
//! its place, as if the crowd filled, in rows, a world twice as wide as high. The shape of the window does not matter, so
//! that window and command line give the same figures.

use super::world::{Point, World};
use timeslice::scheduler::Tasks;

/// An entity looks at the wrong place if its gaze misses the target by more than this angle.
pub const WRONG_FROM_DEGREES: f64 = 10.0;

/// Size of the sample of a larger crowd, chosen without a pattern that a strategy's order could share. At least half of it
/// is alive, so the share is accurate to some four percentage points. A smaller crowd is measured as a whole.
pub const SAMPLE: usize = 1_000;

/// The world's width over its height.
const ASPECT: f32 = 2.0;

/// The entities whose gazes are measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gazes {
    /// The numbers of places and of entities when the sample was chosen.
    chosen_from: (u32, usize),
    /// Places, and their positions.
    sample: Vec<(u32, Point)>,
}

impl Gazes {
    /// The share of the crowd, from 0 to 1, whose gaze misses the target by more than [`WRONG_FROM_DEGREES`]; `None` of an
    /// empty crowd. An entity that has not run yet looks where the target was at its birth.
    pub(crate) fn looking_wrong(&mut self, world: &World) -> Option<f64> {
        let living = world.tasks().len();
        if self.chosen_from.0 != world.tasks().end() {
            self.choose(world.tasks());
        }
        let (mut wrong, mut living_sample) = self.count_wrong(world);
        // Many births and deaths since the sample was chosen.
        let too_few = if living <= SAMPLE {
            living_sample as usize != living
        } else {
            (living_sample as usize) < SAMPLE / 2 || living > 2 * self.chosen_from.1
        };
        if too_few {
            self.choose(world.tasks());
            (wrong, living_sample) = self.count_wrong(world);
        }
        (living_sample > 0).then(|| f64::from(wrong) / f64::from(living_sample))
    }

    /// Size of the sample; measuring takes time in proportion.
    pub(crate) fn len(&self) -> usize {
        self.sample.len()
    }

    /// Numbers of living entities in the sample that look at the wrong place, and of all that live.
    fn count_wrong(&self, world: &World) -> (u32, u32) {
        let target = world.target();
        let cosine = WRONG_FROM_DEGREES.to_radians().cos() as f32;
        let (mut wrong, mut living) = (0, 0);
        for &(index, place) in &self.sample {
            if let Some(seen) = world.seen_by(index) {
                living += 1;
                wrong += u32::from(is_past(place, seen, target, cosine * cosine));
            }
        }
        (wrong, living)
    }

    fn choose(&mut self, tasks: &Tasks) {
        let places = tasks.end();
        self.chosen_from = (places, tasks.len());
        let columns = (f64::from(places) * f64::from(ASPECT))
            .sqrt()
            .ceil()
            .max(1.0) as u32;
        let rows = places.div_ceil(columns).max(1);
        let share = (SAMPLE as f64 / tasks.len().max(1) as f64).min(1.0);
        let limit = (share * f64::from(u32::MAX)) as u32;
        let middle = |index: u32, count: u32| (index as f32 + 0.5) / count as f32;
        let place = |index| Point {
            x: middle(index % columns, columns),
            y: middle(index / columns, rows),
        };
        // Multiples of the golden ratio are evenly spread and in step with nothing: a certain share of them is small.
        let chosen = tasks
            .iter()
            .map(|task| task.index)
            .filter(|index| index.wrapping_mul(0x9E37_79B9) <= limit);
        self.sample = chosen.map(|index| (index, place(index))).collect();
    }
}

/// True if the gaze from `place` towards `seen` misses `target` by more than an angle, less than a right one, whose squared
/// cosine is `cosine2`.
fn is_past(place: Point, seen: Point, target: Point, cosine2: f32) -> bool {
    let towards = |to: Point| ((to.x - place.x) * ASPECT, to.y - place.y);
    let (one, other) = (towards(seen), towards(target));
    let squares = (one.0 * one.0 + one.1 * one.1) * (other.0 * other.0 + other.1 * other.1);
    let dot = one.0 * other.0 + one.1 * other.1;
    // An entity at the target's position never looks wrong.
    dot < 0.0 || dot * dot < cosine2 * squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslice::knob::KnobValues;
    use timeslice::time::GameTime;

    fn world(count: usize) -> World {
        let mut world = World::new(&KnobValues::default(), 1);
        for _ in 0..count {
            world.birth(GameTime::START);
        }
        world
    }

    fn share(world: &World) -> Option<f64> {
        Gazes::default().looking_wrong(world)
    }

    #[test]
    fn ten_degrees_are_right_and_more_is_wrong() {
        let place = Point { x: 0.2, y: 0.5 };
        let target = Point { x: 0.7, y: 0.5 };
        let cosine = WRONG_FROM_DEGREES.to_radians().cos() as f32;
        for (degrees, wrong) in [
            (0.0_f32, false),
            (9.9, false),
            (10.1, true),
            (-10.1, true),
            (180.0, true),
        ] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let seen = Point {
                x: place.x + cos / ASPECT,
                y: place.y + sin,
            };
            assert_eq!(
                is_past(place, seen, target, cosine * cosine),
                wrong,
                "{degrees}"
            );
        }
        assert!(
            !is_past(target, place, target, cosine * cosine),
            "on the target"
        );
    }

    #[test]
    fn newborns_look_right_until_the_target_moves_on() {
        let mut world = world(400);
        assert_eq!(share(&world), Some(0.0));
        // From the far right to the far left: only entities beyond both see no difference.
        world.set_pointer(Some(Point { x: 0.02, y: 0.5 }));
        world.move_target(GameTime::START);
        let wrong = share(&world).unwrap();
        assert!((0.7..1.0).contains(&wrong), "{wrong}");
    }

    #[test]
    fn of_nobody_there_is_no_share() {
        assert_eq!(share(&world(0)), None);
    }

    #[test]
    fn a_small_crowd_is_measured_whole_and_a_large_one_sampled() {
        let asked = |count| {
            let mut gazes = Gazes::default();
            let world = world(count);
            gazes.looking_wrong(&world);
            gazes.sample.len()
        };
        for count in [1, 7, 400, 1000] {
            assert_eq!(asked(count), count);
        }
        for count in [1_001, 5_000, 100_000] {
            assert!((950..=1050).contains(&asked(count)), "{count}");
        }
    }

    #[test]
    fn the_sample_shares_no_pattern_with_groups() {
        let mut gazes = Gazes::default();
        gazes.looking_wrong(&world(100_000));
        for groups in [2, 3, 7, 30, 32, 64] {
            let mut of_group = vec![0; groups];
            for (index, _) in &gazes.sample {
                of_group[*index as usize % groups] += 1;
            }
            let even = gazes.sample.len() / groups;
            let far = of_group
                .iter()
                .any(|&count| count > 2 * even || 2 * count < even);
            assert!(!far, "{groups}: {of_group:?}");
        }
    }

    #[test]
    fn the_dead_are_not_asked() {
        let mut world = world(10);
        let tasks: Vec<_> = world.tasks().iter().collect();
        let mut gazes = Gazes::default();
        for task in tasks {
            assert!(gazes.looking_wrong(&world).is_some());
            world.death(task);
        }
        assert_eq!(gazes.looking_wrong(&world), None);
    }

    #[test]
    fn survivors_and_newborns_of_a_small_crowd_are_all_measured() {
        let mut world = world(5_000);
        let mut gazes = Gazes::default();
        gazes.looking_wrong(&world);
        let tasks: Vec<_> = world.tasks().iter().collect();
        for (index, task) in tasks.into_iter().enumerate() {
            if index % 50 != 7 {
                world.death(task);
            }
        }
        gazes.looking_wrong(&world);
        assert_eq!(gazes.len(), 100);
        for _ in 0..60 {
            world.birth(GameTime::START);
        }
        gazes.looking_wrong(&world);
        assert_eq!(gazes.len(), 160);
    }
}
