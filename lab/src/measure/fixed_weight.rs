//! Stores weights as fixed-point numbers, so that their sums are exact.

use crate::sim::world::{Point, Ring, Weights};
use timeslicer::time::Nanos;

const FRACTION_BITS: u32 = 29;
const WEIGHT_MASK: u32 = (1 << (FRACTION_BITS + 1)) - 1;

/// Packs two values of an entity into four bytes: its weight, in units of 2^-29, and its ring around the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FixedWeight(u32);

impl FixedWeight {
    #[inline]
    pub(super) fn of(weights: &Weights, slot: u32) -> Self {
        Self::at(weights, weights.plane.position(slot))
    }

    #[inline]
    pub(super) fn at(weights: &Weights, position: Point) -> Self {
        let (weight, ring) = weights.at(position);
        Self::new(weight, ring)
    }

    #[inline]
    fn new(weight: f64, ring: Ring) -> Self {
        let units = (weight * f64::from(1 << FRACTION_BITS) + 0.5) as u32; // the cast saturates
        Self(units.min(1 << FRACTION_BITS) | (ring as u32) << (FRACTION_BITS + 1))
    }

    /// Returns the weight in units of 2^-29.
    #[inline]
    pub(super) fn units(self) -> u64 {
        (self.0 & WEIGHT_MASK).into()
    }

    /// Returns what an entity with this weight contributes to the sums in
    /// [`TotalStaleness`](super::staleness::TotalStaleness): indices of sums and amounts to add.
    #[inline]
    pub(super) fn shares(self) -> [(usize, u64); 2] {
        [(0, self.units()), (1 + self.ring(), 1)]
    }

    /// Returns the weight as a number from 0 to 1.
    pub(super) fn weight(self) -> f64 {
        self.units() as f64 / f64::from(1 << FRACTION_BITS)
    }

    /// Returns the ring as an index into [`Ring::ALL`].
    #[inline]
    pub(super) fn ring(self) -> usize {
        (self.0 >> (FRACTION_BITS + 1)) as usize
    }

    /// Returns the product of the weight and `staleness`, rounded down.
    #[inline]
    pub(super) fn times(self, staleness: Nanos) -> Nanos {
        let product = u128::from(self.units()) * u128::from(staleness.as_nanos());
        Nanos::from_nanos((product >> FRACTION_BITS) as u64)
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
