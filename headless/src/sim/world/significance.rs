//! Significance: how much an entity matters, by its distance from the target.

use super::plane::{Plane, Point};

/// Rule that gives each distance from the target a weight.
///
/// The weight of distance d is max(1, d / near)^(-falloff): 1 up to `near`, and less beyond. It is the same to the last
/// bit on every platform: the rule needs only additions, multiplications, divisions and, unless the falloff is 0 or 2,
/// the power of crate `libm`.
///
/// ```
/// use headless::sim::world::{Point, Ring, Significance};
///
/// let significance = Significance::new(0.25, 2.0);
/// let target = Point { x: 0.25, y: 0.25 };
/// let (weight, ring) = significance.at(Point { x: 0.75, y: 0.25 }, target);
/// assert_eq!((weight, ring), (0.25, Ring::Middle));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Significance {
    near: f64,
    falloff: f64,
    /// Square of `near`.
    near_squared: f64,
    /// Square of the distance where the middle ring ends.
    middle_squared: f64,
}

/// Distance from the target, in three parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// Within the distance `near`.
    Near,
    /// Farther, but within three times that distance.
    Middle,
    /// Everything else.
    Far,
}

impl Ring {
    /// All rings, from the target outwards.
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// Returns the ring's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Middle => "middle",
            Self::Far => "far",
        }
    }
}

impl Significance {
    /// Creates the rule. `near` must be positive, and `falloff` must not be negative.
    #[must_use]
    pub fn new(near: f64, falloff: f64) -> Self {
        Self {
            near,
            falloff,
            near_squared: near * near,
            middle_squared: 9.0 * (near * near),
        }
    }

    /// Returns the distance up to which the weight is 1.
    #[must_use]
    pub fn near(&self) -> f64 {
        self.near
    }

    /// Returns the weight of an entity at `position`.
    #[must_use]
    pub fn weight(&self, position: Point, target: Point) -> f64 {
        self.weight_at(squared_distance(position, target))
    }

    /// Returns the weight of an entity at `position`, and its ring.
    #[must_use]
    pub fn at(&self, position: Point, target: Point) -> (f64, Ring) {
        let squared = squared_distance(position, target);
        let ring = if squared <= self.near_squared {
            Ring::Near
        } else if squared <= self.middle_squared {
            Ring::Middle
        } else {
            Ring::Far
        };
        (self.weight_at(squared), ring)
    }

    /// Returns the weight at a distance, given the distance's square.
    fn weight_at(&self, squared: f64) -> f64 {
        if squared <= self.near_squared || self.falloff == 0.0 {
            1.0
        } else if self.falloff == 2.0 {
            self.near_squared / squared
        } else {
            libm::pow(self.near_squared / squared, self.falloff / 2.0)
        }
    }
}

/// Returns the square of the distance between two points.
fn squared_distance(from: Point, to: Point) -> f64 {
    let x = f64::from(to.x) - f64::from(from.x);
    let y = f64::from(to.y) - f64::from(from.y);
    x * x + y * y
}

/// Weights of all entities in one update: the rule, the places and the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The rule.
    pub significance: Significance,
    /// Position of each place.
    pub plane: Plane,
    /// Position of the target.
    pub target: Point,
}

impl Weights {
    /// Returns the weight of the entity in `place`.
    #[must_use]
    pub fn weight(&self, place: u32) -> f64 {
        let position = self.plane.position(place);
        self.significance.weight(position, self.target)
    }

    /// Returns the weight of the entity in `place`, and its ring.
    #[must_use]
    pub fn at(&self, place: u32) -> (f64, Ring) {
        self.significance
            .at(self.plane.position(place), self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CENTRE: Point = Point { x: 0.5, y: 0.25 };

    /// Returns the weight and the ring at a horizontal distance from the centre.
    fn at(near: f64, falloff: f64, distance: f32) -> (f64, Ring) {
        let x = CENTRE.x + distance;
        Significance::new(near, falloff).at(Point { x, ..CENTRE }, CENTRE)
    }

    #[test]
    fn everyone_within_near_has_weight_one() {
        for falloff in [0.0, 0.5, 1.0, 2.0, 3.7, 4.0] {
            for distance in [0.0, 0.1, 0.125] {
                assert_eq!(at(0.125, falloff, distance), (1.0, Ring::Near));
            }
        }
    }

    #[test]
    fn the_rings_end_at_near_and_three_times_near() {
        let ring = |distance| at(0.125, 2.0, distance).1;
        let just_beyond = f32::EPSILON;
        assert_eq!(ring(0.125), Ring::Near);
        assert_eq!(ring(0.125 + just_beyond), Ring::Middle);
        assert_eq!(ring(0.375), Ring::Middle);
        assert_eq!(ring(0.375 + just_beyond), Ring::Far);
    }

    #[test]
    fn without_falloff_everyone_is_equal() {
        for distance in [0.0, 0.2, 0.5, -0.5] {
            assert_eq!(at(0.01, 0.0, distance).0, 1.0);
        }
    }

    #[test]
    fn weights_are_powers_of_the_distance() {
        // Distances that are powers of two times `near`, so that the weights are exact.
        assert_eq!(at(0.125, 1.0, 0.5).0, 0.25);
        assert_eq!(at(0.125, 2.0, 0.5).0, 0.0625);
        assert_eq!(at(0.125, 4.0, 0.5).0, 0.003_906_25);
    }

    #[test]
    fn weights_are_the_same_to_the_last_bit_on_every_platform() {
        let weights = |falloff| {
            let weights = Weights {
                significance: Significance::new(0.15, falloff),
                plane: Plane::with_places(400),
                target: Point { x: 0.31, y: 0.07 },
            };
            [0, 28, 199, 399].map(|place| weights.weight(place).to_bits())
        };
        for (falloff, bits) in BITS {
            assert_eq!(weights(falloff), bits, "{falloff}");
        }
    }

    /// Falloffs, and the bits of the weights of four places.
    const BITS: [(f64, [u64; 4]); 4] = [
        (
            0.0,
            [
                0x3ff0_0000_0000_0000,
                0x3ff0_0000_0000_0000,
                0x3ff0_0000_0000_0000,
                0x3ff0_0000_0000_0000,
            ],
        ),
        (
            1.0,
            [
                0x3fe0_2448_56f2_773b,
                0x3fcc_7431_1622_2d02,
                0x3fd0_37b4_05c5_2dec,
                0x3fce_de32_8609_e166,
            ],
        ),
        (
            2.0,
            [
                0x3fd0_48e2_f4b3_41ee,
                0x3fa9_4cfb_cae7_9261,
                0x3fb0_7029_f91b_894a,
                0x3fad_c6a5_98a6_14c7,
            ],
        ),
        (
            3.3,
            [
                0x3fba_c277_768c_1619,
                0x3f7c_a83d_f145_4cfc,
                0x3f86_1312_a866_34ce,
                0x3f82_bf06_ad06_4669,
            ],
        ),
    ];

    #[test]
    fn a_falloff_of_two_is_the_same_as_its_power() {
        for distance in [0.13_f32, 0.2, 0.31, 0.5] {
            let [exact, near_two] =
                [2.0, 2.0 + f64::EPSILON].map(|falloff| at(0.125, falloff, distance).0);
            assert!((exact / near_two - 1.0).abs() < 1e-14, "{distance}");
        }
    }
}
