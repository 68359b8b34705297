//! How many of the crowd look at the wrong place, for their task has not run for a while: the price of running
//! tasks less often, as a share.
//!
//! Where an entity looks is known from its last run ([`super::world::Entity::seen`]); where it stands is taken
//! from its place, as if the crowd stood in rows that fill a world twice as wide as high, whatever the shape
//! of the window is: so a figure of a window and one of a command are the same.

use super::world::{Point, World};
use timeslice::scheduler::Tasks;

/// Who looks beside the target by more than this looks at the wrong place.
pub const WRONG_FROM_DEGREES: f64 = 10.0;

/// Of a larger crowd about so many are asked, chosen without a pattern that a strategy's order could share, and at
/// least half as many: the share is then true to some four percentage points. Of a smaller one, all.
pub const ASKED: usize = 1_000;

/// The world's width over its height.
const ASPECT: f32 = 2.0;

/// Those who are asked where they look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gazes {
    /// The number of places, and how many lived, when they were chosen.
    chosen_from: (u32, usize),
    /// Their places, and where these are.
    asked: Vec<(u32, Point)>,
}

impl Gazes {
    /// The share of the crowd, from 0 to 1, that looks beside the target by more than [`WRONG_FROM_DEGREES`];
    /// none where nobody lives. Who has not run yet looks where the target was at its birth.
    pub(crate) fn looking_wrong(&mut self, world: &World) -> Option<f64> {
        let living = world.tasks().len();
        if self.chosen_from.0 != world.tasks().end() {
            self.choose(world.tasks());
        }
        let (mut wrong, mut asked) = self.ask(world);
        // Many were born or have died since these were chosen.
        let too_few = if living <= ASKED {
            asked as usize != living
        } else {
            (asked as usize) < ASKED / 2 || living > 2 * self.chosen_from.1
        };
        if too_few {
            self.choose(world.tasks());
            (wrong, asked) = self.ask(world);
        }
        (asked > 0).then(|| f64::from(wrong) / f64::from(asked))
    }

    /// How many it asks, which takes time.
    pub(crate) fn len(&self) -> usize {
        self.asked.len()
    }

    /// How many of those who are asked, and live, look wrong, and how many these are.
    fn ask(&self, world: &World) -> (u32, u32) {
        let target = world.target();
        let cosine = WRONG_FROM_DEGREES.to_radians().cos() as f32;
        let (mut wrong, mut living) = (0, 0);
        for &(index, place) in &self.asked {
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
        let share = (ASKED as f64 / tasks.len().max(1) as f64).min(1.0);
        let limit = (share * f64::from(u32::MAX)) as u32;
        let middle = |index: u32, count: u32| (index as f32 + 0.5) / count as f32;
        let place = |index| Point {
            x: middle(index % columns, columns),
            y: middle(index / columns, rows),
        };
        // Multiples of the golden ratio, of which a certain share is small: evenly spread, and in step with
        // nothing.
        let chosen = tasks
            .iter()
            .map(|task| task.index)
            .filter(|index| index.wrapping_mul(0x9E37_79B9) <= limit);
        self.asked = chosen.map(|index| (index, place(index))).collect();
    }
}

/// Whether who stands at `place` and looks towards `seen` looks beside `target` by an angle, below a right one, of
/// which the square of the cosine is less than `cosine2`.
fn is_past(place: Point, seen: Point, target: Point, cosine2: f32) -> bool {
    let towards = |to: Point| ((to.x - place.x) * ASPECT, to.y - place.y);
    let (one, other) = (towards(seen), towards(target));
    let squares = (one.0 * one.0 + one.1 * one.1) * (other.0 * other.0 + other.1 * other.1);
    let dot = one.0 * other.0 + one.1 * other.1;
    // Who stands on the target looks nowhere wrong.
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
        // From the far right to the far left: only who stands right beyond or left of both sees no difference.
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
    fn all_of_a_small_crowd_are_asked_and_about_a_thousand_of_a_large_one() {
        let asked = |count| {
            let mut gazes = Gazes::default();
            let world = world(count);
            gazes.looking_wrong(&world);
            gazes.asked.len()
        };
        for count in [1, 7, 400, 1000] {
            assert_eq!(asked(count), count);
        }
        for count in [1_001, 5_000, 100_000] {
            assert!((950..=1050).contains(&asked(count)), "{count}");
        }
    }

    #[test]
    fn those_who_are_asked_share_no_pattern_with_groups() {
        let mut gazes = Gazes::default();
        gazes.looking_wrong(&world(100_000));
        for groups in [2, 3, 7, 30, 32, 64] {
            let mut of_group = vec![0; groups];
            for (index, _) in &gazes.asked {
                of_group[*index as usize % groups] += 1;
            }
            let even = gazes.asked.len() / groups;
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
    fn all_who_are_left_are_asked_wherever_they_stand_and_all_newborns() {
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
