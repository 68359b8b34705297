//! Computes the exact mean staleness of all entities, with and without weights, and of the entities in each ring around
//! the target.

use super::fixed_weight::FixedWeight;
use super::frame_sums::{EndedIntervals, Ends};
use crate::sim::world::{Ring, Weights};
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::time::{GameTime, Nanos};

/// The number of sums in [`TotalStaleness`]: one weighted sum over all entities, and one unweighted sum per ring.
pub(super) const SUMS: usize = 1 + Ring::ALL.len();

/// The total staleness of all living entities. Each event updates it in constant time.
///
/// The staleness of an entity is zero right after a run or a birth, and then grows with game time. All entities grow
/// stale at the same rate, so each sum and its growth rate are enough. Until an entity runs, its weight and ring from
/// the last run or birth are used. [`StalenessIntegral::reweigh`] then replaces them by the current ones.
#[derive(Clone, Debug, Default)]
pub(super) struct TotalStaleness {
    /// The weight and the ring of each entity at its last run or birth, indexed by task.
    weights: Vec<FixedWeight>,
    sums: [Sum; SUMS],
}

/// The total staleness of several entities, which grows with game time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    /// How much the sum grows per nanosecond. This is the number of entities, or the sum of their weights.
    rate: u64,
    now: u128,
}

impl Sum {
    /// Advances the game time by `delta` and returns the integral of the sum over this time.
    fn advance(&mut self, delta: Nanos) -> Area {
        let delta = u128::from(delta.as_nanos());
        let growth = u128::from(self.rate).saturating_mul(delta);
        // The sum grows evenly from `now` to `now + growth`.
        let twice_mean = self.now.saturating_mul(2).saturating_add(growth);
        self.now = self.now.saturating_add(growth);
        Area {
            doubled: signed(twice_mean.saturating_mul(delta)),
            lifetime: signed(growth),
        }
    }

    /// Replaces entities whose staleness is `stale` by entities that have just run. `old` is the number of entities to
    /// remove, and `new` is the number of entities to add. In a weighted sum, both are sums of weights instead.
    #[inline]
    fn replace(&mut self, old: u64, stale: Nanos, new: u64) {
        let stale = u128::from(old) * u128::from(stale.as_nanos());
        self.now = self.now.saturating_sub(stale);
        self.rate = self.rate.saturating_sub(old) + new;
    }
}

fn signed(number: u128) -> i128 {
    i128::try_from(number).unwrap_or(i128::MAX)
}

impl TotalStaleness {
    pub(super) fn born(&mut self, task: TaskId, weight: FixedWeight) {
        let index = task.index as usize;
        if index >= self.weights.len() {
            self.weights.resize(index + 1, FixedWeight::default());
        }
        self.weights[index] = weight;
        for (sum, share) in weight.shares() {
            self.sums[sum].rate += share;
        }
    }

    /// Removes an entity with this weight. Its staleness must be zero.
    pub(super) fn died(&mut self, weight: FixedWeight) {
        for (sum, share) in weight.shares() {
            self.sums[sum].replace(share, Nanos::ZERO, 0);
        }
    }

    /// Changes the weight of an entity to `new` and returns the old weight. The caller must then update the sums with
    /// [`TotalStaleness::ended`].
    #[inline]
    pub(super) fn weigh(&mut self, task: TaskId, new: FixedWeight) -> FixedWeight {
        let weight = self.weights.get_mut(task.index as usize);
        weight.map_or(new, |weight| std::mem::replace(weight, new))
    }

    /// Updates the sums after runs or deaths that ended intervals of this length.
    #[inline]
    pub(super) fn ended(&mut self, length: Nanos, ends: &Ends) {
        for ((sum, old), new) in self.sums.iter_mut().zip(ends.old).zip(ends.new) {
            sum.replace(old, length, new);
        }
    }

    /// Returns the weight that an entity had at its last run or birth.
    #[inline]
    pub(super) fn weight(&self, task: TaskId) -> FixedWeight {
        let weight = self.weights.get(task.index as usize);
        weight.copied().unwrap_or_default()
    }

    pub(super) fn mean(&self) -> Option<Nanos> {
        let rings = &self.sums[1..];
        let all: u128 = rings.iter().map(|ring| ring.now).sum();
        let entities: u64 = rings.iter().map(|ring| ring.rate).sum();
        let mean = all.checked_div(entities.into())?;
        Some(Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)))
    }

    /// Updates the weights of all living entities to those at the game time `now`. Visits every entity.
    pub(super) fn weigh_all(&mut self, tasks: &Tasks, weights: &Weights, now: GameTime) {
        *self = Self::default();
        for task in tasks.iter() {
            let weight = FixedWeight::of(weights, task.index);
            self.born(task, weight);
            let stale = tasks.last_run(task).map_or(Nanos::ZERO, |last| now - last);
            for (sum, share) in weight.shares() {
                self.sums[sum].now += u128::from(share) * u128::from(stale.as_nanos());
            }
        }
    }

    /// Advances the game time by `delta` and returns the integrals of all sums over this time.
    pub(super) fn advance(&mut self, delta: Nanos) -> StalenessIntegral {
        StalenessIntegral {
            areas: self.sums.each_mut().map(|sum| sum.advance(delta)),
            ..StalenessIntegral::default()
        }
    }
}

/// The staleness of all entities, integrated over game time. The integrals are sums of integers, so they are identical
/// on every platform. An integral stops growing when it reaches the largest `i128`. With a million entities and a mean
/// staleness of 10 s, this takes some hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StalenessIntegral {
    areas: [Area; SUMS],
    runs: [u64; Ring::ALL.len()],
}

/// An integral of staleness over game time, and the weighted lifetime of the entities. The quotient is the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Area {
    /// Twice the integral, which is an integer: an interval of length e contributes e² / 2 times the entity's weight.
    doubled: i128,
    /// The sum of the weights of all living entities, integrated over the same time.
    lifetime: i128,
}

impl Area {
    /// Returns the integral for one entity of weight 1, whose staleness grows from `young` to `old`.
    pub(super) fn between(young: Nanos, old: Nanos) -> Self {
        let square = |time: Nanos| signed(u128::from(time.as_nanos()).pow(2));
        Self {
            doubled: square(old) - square(young),
            lifetime: (old - young).as_nanos().into(),
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        let is_beyond = [self.doubled, other.doubled].contains(&i128::MAX);
        self.doubled = if is_beyond {
            i128::MAX // it stays there, although later numbers may be negative
        } else {
            self.doubled.saturating_add(other.doubled)
        };
        self.lifetime = self.lifetime.saturating_add(other.lifetime);
    }

    fn times(self, weight: i128) -> Self {
        Self {
            doubled: self.doubled.saturating_mul(weight),
            lifetime: self.lifetime.saturating_mul(weight),
        }
    }

    fn mean(self) -> Option<Nanos> {
        if self.lifetime <= 0 {
            return None;
        }
        if self.doubled == i128::MAX {
            return Some(Nanos::MAX); // frames of hours, with a large crowd
        }
        let mean = self.doubled / self.lifetime / 2;
        Some(Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)))
    }
}

impl StalenessIntegral {
    /// Corrects the integrals after intervals have ended, because an entity's weight at the end applies to the whole
    /// interval. `area` is the integral for weight 1 over the part of the interval that lies in the frames of `self`.
    pub(super) fn reweigh(&mut self, ended: &EndedIntervals, area: Area) {
        let Ends { old, new, .. } = ended.ends;
        for ((sum, old), new) in self.areas.iter_mut().zip(old).zip(new) {
            sum.add(area.times(i128::from(new) - i128::from(old)));
        }
    }

    #[inline]
    pub(super) fn ran(&mut self, ends: &Ends) {
        for (runs, ended) in self.runs.iter_mut().zip(&ends.new[1..]) {
            *runs += ended;
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        for (area, other) in self.areas.iter_mut().zip(other.areas) {
            area.add(other);
        }
        for (runs, other) in self.runs.iter_mut().zip(other.runs) {
            *runs += other;
        }
    }

    /// Creates an integral for tests. `by_ring` contains one interval per ring, after which one entity of the ring has
    /// run once. A ring whose interval is `None` has no entities.
    #[cfg(test)]
    pub(super) fn with_intervals(by_ring: [Option<Nanos>; 3]) -> Self {
        let area = |interval| Area::between(Nanos::ZERO, interval);
        let [near, middle, far] = by_ring.map(|it| it.map_or(Area::default(), area));
        Self {
            areas: [Area::default(), near, middle, far],
            runs: by_ring.map(|it| u64::from(it.is_some())),
        }
    }

    /// Returns the mean staleness over time and all entities, or `None` if there were no entities or no time passed.
    pub fn mean(&self) -> Option<Nanos> {
        let mut all = Area::default();
        self.areas[1..].iter().for_each(|ring| all.add(*ring));
        all.mean()
    }

    /// Returns the mean staleness of the entities in a ring, or `None` if the ring was empty or no time passed. If the
    /// target moves while an entity waits, its staleness counts for the ring that it is in at the end of the wait.
    pub fn mean_in(&self, ring: Ring) -> Option<Nanos> {
        self.areas[1 + ring as usize].mean()
    }

    /// Returns the mean staleness of all entities outside a ring, computed as in [`StalenessIntegral::mean_in`].
    pub fn mean_outside(&self, ring: Ring) -> Option<Nanos> {
        let mut others = Area::default();
        for (index, area) in self.areas[1..].iter().enumerate() {
            if index != ring as usize {
                others.add(*area);
            }
        }
        others.mean()
    }

    /// Returns the mean interval in a ring: the lifetime of its entities divided by their runs. At first, the mean of
    /// the ended intervals would be too short, because long ones have not ended yet. `None` if nothing ran.
    pub fn interval_in(&self, ring: Ring) -> Option<Nanos> {
        let lifetime = u128::try_from(self.areas[1 + ring as usize].lifetime).ok()?;
        let interval = lifetime.checked_div(self.runs[ring as usize].into())?;
        Some(Nanos::from_nanos(
            u64::try_from(interval).unwrap_or(u64::MAX),
        ))
    }

    /// Returns the weighted mean staleness, or `None` if there were no entities or no time passed. If the target moves
    /// while an entity waits, its weight at the end of the wait is used.
    pub fn weighted_mean(&self) -> Option<Nanos> {
        self.areas[0].mean()
    }
}
