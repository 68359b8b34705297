//! Stores weights as fixed-point numbers, so that their sums are exact.

use crate::sim::world::{Point, Ring, Weights};
use timeslicer::time::Nanos;

/// Number of fractional binary digits of a fixed-point weight.
const DIGITS: u32 = 29;
/// Mask of the bits that hold the weight. Weights are at most 1.
const WEIGHT: u32 = (1 << (DIGITS + 1)) - 1;

/// An entity's weight in units of 2^-29 together with its ring, packed in four bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FixedWeight(u32);

impl FixedWeight {
    /// Returns the weight and the ring of the entity in the slot `place`.
    #[inline]
    pub(super) fn of(weights: &Weights, place: u32) -> Self {
        Self::at(weights, weights.plane.position(place))
    }

    /// Returns the weight and the ring of an entity at this position.
    #[inline]
    pub(super) fn at(weights: &Weights, position: Point) -> Self {
        let (weight, ring) = weights.at(position);
        Self::new(weight, ring)
    }

    /// Rounds a weight from 0 to 1 to a fixed-point number.
    #[inline]
    fn new(weight: f64, ring: Ring) -> Self {
        let units = (weight * f64::from(1 << DIGITS) + 0.5) as u32; // the cast saturates
        Self(units.min(1 << DIGITS) | (ring as u32) << (DIGITS + 1))
    }

    /// Returns the weight in units of 2^-29.
    #[inline]
    pub(super) fn units(self) -> u64 {
        (self.0 & WEIGHT).into()
    }

    /// Returns how much an entity with this weight adds to the sums over all entities, as pairs of the sum's index and
    /// the amount. It adds its weight to the weighted sum, and 1 to the sum of its ring.
    #[inline]
    pub(super) fn shares(self) -> [(usize, u64); 2] {
        [(0, self.units()), (1 + self.ring(), 1)]
    }

    /// Returns the weight as a number from 0 to 1.
    pub(super) fn weight(self) -> f64 {
        self.units() as f64 / f64::from(1 << DIGITS)
    }

    /// Returns the ring as an index into [`Ring::ALL`].
    #[inline]
    pub(super) fn ring(self) -> usize {
        (self.0 >> (DIGITS + 1)) as usize
    }

    /// Returns the weight times `staleness`, rounded down.
    #[inline]
    pub(super) fn times(self, staleness: Nanos) -> Nanos {
        let product = u128::from(self.units()) * u128::from(staleness.as_nanos());
        Nanos::from_nanos((product >> DIGITS) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_and_ring_are_kept() {
        for (index, ring) in Ring::ALL.into_iter().enumerate() {
            for weight in [0.0, 1e-8, 0.1, 0.5, 1.0] {
                let fixed = FixedWeight::new(weight, ring);
                assert_eq!(fixed.ring(), index);
                assert!((fixed.weight() - weight).abs() <= 1e-9, "{weight}");
            }
        }
        assert_eq!(FixedWeight::new(7.0, Ring::Far).weight(), 1.0);
        assert_eq!(FixedWeight::new(f64::NAN, Ring::Far).weight(), 0.0);
    }

    #[test]
    fn products_are_rounded_down() {
        let times = |weight, nanos| {
            let staleness = Nanos::from_nanos(nanos);
            FixedWeight::new(weight, Ring::Near)
                .times(staleness)
                .as_nanos()
        };
        assert_eq!((times(1.0, 7), times(0.5, 7), times(0.0, 7)), (7, 3, 0));
        assert_eq!(times(1.0, u64::MAX), u64::MAX);
    }
}
