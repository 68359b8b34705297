//! Computes how much an entity matters, which depends on its distance from the target.

use super::plane::{Plane, Point};

/// The rule that assigns a weight to each distance from the target.
///
/// The weight at distance d is max(1, d / near)^(-falloff). It is 1 up to the distance `near` and decreases beyond it.
/// The result is bit-identical on every platform, because the rule needs only additions, multiplications, divisions and
/// the power function of the `libm` crate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Significance {
    falloff: f64,
    near_squared: f64,
    /// Whether distances are first rounded up to `near`, 2 `near`, 4 `near` and so on, so that weights come in a few
    /// classes.
    pub has_steps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// The distance from the target is at most `near`, a parameter of [`Significance::new`].
    Near,
    /// The distance from the target is more than `near`, but at most three times `near`.
    Middle,
    Far,
}

impl Ring {
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// Returns the name of the ring. If weights have steps, it names the bands of equal weight in the ring.
    pub const fn name(self, has_steps: bool) -> &'static str {
        match (self, has_steps) {
            (Self::Near, false) => "near",
            (Self::Near, true) => "first band",
            (Self::Middle, false) => "middle",
            (Self::Middle, true) => "middle bands",
            (Self::Far, false) => "far",
            (Self::Far, true) => "outer bands",
        }
    }
}

impl Significance {
    /// Creates the rule without steps. `near` must be positive, and `falloff` must not be negative.
    pub fn new(near: f64, falloff: f64) -> Self {
        Self {
            falloff,
            near_squared: near * near,
            has_steps: false,
        }
    }

    /// Returns the weight and the ring of an entity at this squared distance from the target.
    pub fn at(&self, squared: f64) -> (f64, Ring) {
        let ring = if squared <= self.near_squared {
            Ring::Near
        } else if squared <= 9.0 * self.near_squared {
            Ring::Middle
        } else {
            Ring::Far
        };
        (self.weight(squared), ring)
    }

    fn weight(&self, squared: f64) -> f64 {
        let mut rounded = self.near_squared;
        while self.has_steps && rounded < squared {
            rounded *= 4.0;
        }
        let squared = if self.has_steps { rounded } else { squared };
        if squared <= self.near_squared || self.falloff == 0.0 {
            1.0
        } else if self.falloff == 2.0 {
            self.near_squared / squared
        } else {
            libm::pow(self.near_squared / squared, self.falloff / 2.0)
        }
    }
}

/// Everything that determines the weights of entities in an update: the weight rule, the positions of the slots, and
/// the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub significance: Significance,
    pub plane: Plane,
    pub target: Point,
}

impl Weights {
    pub fn at(&self, position: Point) -> (f64, Ring) {
        let x = f64::from(self.target.x) - f64::from(position.x);
        let y = f64::from(self.target.y) - f64::from(position.y);
        self.significance.at(x * x + y * y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_and_rings_follow_the_distance() {
        let just = f64::from(f32::EPSILON);
        // Each case has a falloff, a distance, and the expected weight and ring. The weight is 1 up to a distance of
        // 0.125. The last distances are 0.125 times powers of two, so that the weights are exact.
        for (falloff, distance, expected) in [
            (3.7, 0.0, (1.0, Ring::Near)),
            (3.7, 0.125, (1.0, Ring::Near)),
            (0.0, 0.125 + just, (1.0, Ring::Middle)),
            (0.0, 0.375, (1.0, Ring::Middle)),
            (0.0, 0.375 + just, (1.0, Ring::Far)),
            (1.0, 0.5, (0.25, Ring::Far)),
            (2.0, 0.5, (0.0625, Ring::Far)),
            (4.0, 0.5, (0.003_906_25, Ring::Far)),
        ] {
            let weighed = Significance::new(0.125, falloff).at(distance * distance);
            assert_eq!(weighed, expected, "{falloff} {distance}");
        }
    }

    #[test]
    fn with_steps_weights_come_in_classes() {
        let significance = Significance {
            has_steps: true,
            ..Significance::new(0.125, 2.0)
        };
        let weight = |distance: f64| significance.at(distance * distance).0;
        let weights = [0.0, 0.125, 0.13, 0.25, 0.26, 0.5, 0.51].map(weight);
        assert_eq!(weights, [1.0, 1.0, 0.25, 0.25, 0.0625, 0.0625, 0.015_625]);
    }

    #[test]
    fn weights_are_the_same_to_the_last_bit_on_every_platform() {
        let weights = Weights {
            significance: Significance::new(0.15, 3.3),
            plane: Plane::with_slots(400),
            target: Point { x: 0.31, y: 0.07 },
        };
        let bits =
            [0, 28, 199, 399].map(|slot| weights.at(weights.plane.position(slot)).0.to_bits());
        let expected = [
            0x3fba_c277_768c_1619,
            0x3f7c_a83d_f145_4cfc,
            0x3f86_1312_a866_34ce,
            0x3f82_bf06_ad06_4669,
        ];
        assert_eq!(bits, expected);
    }
}
