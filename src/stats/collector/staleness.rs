//! Mean staleness, exact.

use timeslice::time::Nanos;

/// Sum of the staleness of all living entities, kept up to date in constant time per event.
///
/// Staleness is zero right after a run or a birth and then grows with game time. All entities grow stale at the same
/// rate, so the sum and the number of entities are enough to integrate staleness over time, without sampling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TotalStaleness {
    entities: u64,
    /// Sum over the living entities, in nanoseconds.
    sum: u128,
}

impl TotalStaleness {
    /// Adds an entity, which is not stale yet.
    pub(super) fn born(&mut self) {
        self.entities += 1;
    }

    /// Removes an entity that was `stale`.
    pub(super) fn died(&mut self, stale: Nanos) {
        self.entities = self.entities.saturating_sub(1);
        self.ran(stale);
    }

    /// Records a run of an entity, `elapsed` after its last run or its birth. It is not stale anymore.
    #[inline]
    pub(super) fn ran(&mut self, elapsed: Nanos) {
        self.sum = self.sum.saturating_sub(elapsed.as_nanos().into());
    }

    /// Advances the game time by `delta`. Returns the integral of the sum over that time.
    pub(super) fn advance(&mut self, delta: Nanos) -> StalenessIntegral {
        let delta = u128::from(delta.as_nanos());
        let growth = u128::from(self.entities).saturating_mul(delta);
        // The sum grows evenly from `sum` to `sum + growth`.
        let twice_mean = self.sum.saturating_mul(2).saturating_add(growth);
        self.sum = self.sum.saturating_add(growth);
        StalenessIntegral {
            twice_area: twice_mean.saturating_mul(delta),
            lived: growth,
        }
    }
}

/// Integral of the staleness of all entities over game time. It is a sum of whole numbers, so it is the same on every
/// platform. Arithmetic saturates: at a million entities that never run, after more than a hundred days of game time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StalenessIntegral {
    /// Twice the integral, in square nanoseconds: an interval of length e adds e squared.
    twice_area: u128,
    /// Sum of the times that the entities lived, in nanoseconds.
    lived: u128,
}

impl StalenessIntegral {
    /// Adds the integral over another time.
    pub(crate) fn add(&mut self, other: Self) {
        self.twice_area = self.twice_area.saturating_add(other.twice_area);
        self.lived = self.lived.saturating_add(other.lived);
    }

    /// Returns the mean over time and over the living entities; `None` if no entity lived, or no time passed.
    #[must_use]
    pub fn mean(&self) -> Option<Nanos> {
        let mean = self.twice_area.checked_div(self.lived)? / 2;
        Some(Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests;
