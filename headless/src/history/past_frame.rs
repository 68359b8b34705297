//! A recorded frame.

use super::longest_wait::LongestWait;
use super::trace_buffer::FrameTrace;
use crate::sim::lane::FrameRecord;
use crate::sim::projectile::Sight;
use crate::sim::world::Point;
use crate::stats::StalenessIntegral;
use timeslicer::strategy::StrategyEntry;
use timeslicer::time::{GameTime, Nanos};

/// Display period if none is known: 60 Hz.
pub const USUAL_PERIOD: Nanos = Nanos::from_nanos(1_000_000_000 / 60);

/// A completed frame, and its runs.
#[derive(Clone, Debug)]
pub struct PastFrame {
    /// Record of the frame: its length and parts.
    pub record: FrameRecord,
    /// Strategy that ran, if any.
    pub strategy: Option<&'static StrategyEntry>,
    /// Intervals that ended in the frame and began no earlier than the last change.
    pub intervals: IntervalSums,
    /// Longest staleness of any entity that ran or died in the frame. Time before the last change does not count. Like
    /// the intervals and the longest run, this covers only listed runs ([`crate::sim::lane::Lane::list_runs`]).
    pub longest_wait: Nanos,
    /// Integral of the staleness of all entities over the frame.
    pub staleness: StalenessIntegral,
    /// Largest weighted staleness in the frame.
    pub worst_weighted: Nanos,
    /// The entity that had waited longest after the last update, if any.
    pub stalest: Option<LongestWait>,
    /// Overruns of the updates that exceeded their budget.
    pub overruns: Vec<Nanos>,
    /// Places whose tasks ran, in order; `None` if there was no memory left for them.
    pub ran: Option<Vec<u32>>,
    /// Updates with runs, if the frame had several updates. Otherwise empty, because `now` and `target` describe a
    /// single update.
    pub updates: Vec<PastUpdate>,
    /// Target length of the frame.
    pub period: Nanos,
    /// Game time of the last update.
    pub now: GameTime,
    /// Position of the target at the last update.
    pub target: Point,
    /// Number of entities after the last update; they occupied the first places, without a gap.
    pub entities: u32,
    /// Projectile in the frame's picture.
    pub sight: Sight,
    /// The longest run, if any.
    pub longest_run: Option<LongestRun>,
    /// Length of an interruption of the program. It is not part of the frame's length.
    pub outside: Nanos,
    /// Data for a trace, as long as memory allows.
    pub traced: FrameTrace,
}

impl Default for PastFrame {
    /// Returns an empty frame at the start, with the usual period.
    fn default() -> Self {
        Self {
            record: FrameRecord::default(),
            strategy: None,
            intervals: IntervalSums::default(),
            longest_wait: Nanos::ZERO,
            staleness: StalenessIntegral::default(),
            worst_weighted: Nanos::ZERO,
            stalest: None,
            overruns: Vec::new(),
            ran: None,
            updates: Vec::new(),
            period: USUAL_PERIOD,
            now: GameTime::START,
            target: Point::default(),
            entities: 0,
            sight: Sight::default(),
            longest_run: None,
            outside: Nanos::ZERO,
            traced: FrameTrace::default(),
        }
    }
}

/// One update of a past frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastUpdate {
    /// Game time of the update.
    pub now: GameTime,
    /// Position of the target; the entities that ran look there.
    pub target: Point,
    /// Number of runs in the frame up to the end of this update.
    pub runs: u32,
}

/// The longest run of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestRun {
    /// Number of the entity.
    pub entity: u64,
    /// Time taken.
    pub took: Nanos,
}

impl PastFrame {
    /// Returns the places whose tasks ran in this frame, in order; empty if they are no longer recorded.
    pub fn ran(&self) -> impl Iterator<Item = u32> {
        self.ran.iter().flatten().copied()
    }

    /// Returns the updates, in order, with the places that ran in each. If the frame had several updates, those without
    /// runs are missing.
    #[must_use]
    pub fn updates(&self) -> impl DoubleEndedIterator<Item = (PastUpdate, &[u32])> {
        let ran = self.ran.as_deref().unwrap_or_default();
        let single = PastUpdate {
            now: self.now,
            target: self.target,
            runs: ran.len() as u32,
        };
        (0..self.updates.len().max(1)).map(move |index| {
            let update = *self.updates.get(index).unwrap_or(&single);
            let before = index.checked_sub(1).map(|index| self.updates[index].runs);
            let runs = before.unwrap_or(0) as usize..update.runs as usize;
            (update, ran.get(runs).unwrap_or_default())
        })
    }

    /// Returns the game times at which `place` ran in this frame, in order.
    #[must_use]
    pub fn runs_of(&self, place: u32) -> impl DoubleEndedIterator<Item = GameTime> {
        let updates = self.updates();
        updates
            .filter(move |(_, ran)| ran.contains(&place))
            .map(|(update, _)| update.now)
    }

    /// Returns the game time of the first recorded update.
    #[must_use]
    pub fn first_update(&self) -> GameTime {
        self.updates.first().map_or(self.now, |update| update.now)
    }

    /// Returns the strategy that ran, unless it was `current`.
    #[must_use]
    pub fn other_strategy(&self, current: &StrategyEntry) -> Option<&'static StrategyEntry> {
        self.strategy.filter(|&past| past != current)
    }

    /// Returns true if tasks ran in this frame but are no longer recorded.
    #[must_use]
    pub fn has_forgotten(&self) -> bool {
        self.ran.is_none() && self.record.runs > 0
    }
}

/// Measured intervals, as exact sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntervalSums {
    count: u64,
    sum_ns: u64,
    squares_ns2: u128,
    shortest: Nanos,
    longest: Nanos,
}

impl IntervalSums {
    /// Adds an interval.
    pub fn add(&mut self, interval: Nanos) {
        let nanos = interval.as_nanos();
        self.merge(&Self {
            count: 1,
            sum_ns: nanos,
            squares_ns2: u128::from(nanos) * u128::from(nanos),
            shortest: interval,
            longest: interval,
        });
    }

    /// Adds all intervals of `other`.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.shortest = match self.count {
            0 => other.shortest,
            _ => self.shortest.min(other.shortest),
        };
        self.longest = self.longest.max(other.longest);
        self.count += other.count;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.squares_ns2 = self.squares_ns2.saturating_add(other.squares_ns2);
    }

    /// Returns the number of intervals.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean; zero without intervals.
    #[must_use]
    pub fn mean(&self) -> Nanos {
        Nanos::from_nanos(self.sum_ns / self.count.max(1))
    }

    /// Returns the standard deviation; zero without intervals.
    #[must_use]
    pub fn deviation(&self) -> Nanos {
        let (count, sum) = (u128::from(self.count.max(1)), u128::from(self.sum_ns));
        let scaled =
            (self.squares_ns2.saturating_mul(count)).saturating_sub(sum.saturating_mul(sum));
        Nanos::from_nanos_f64((scaled as f64).sqrt() / count as f64)
    }

    /// Returns the shortest interval; zero without intervals.
    #[must_use]
    pub fn shortest(&self) -> Nanos {
        self.shortest
    }

    /// Returns the longest interval; zero without intervals.
    #[must_use]
    pub fn longest(&self) -> Nanos {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_an_exact_mean_and_deviation() {
        let (mut some, mut more) = (IntervalSums::default(), IntervalSums::default());
        assert_eq!((some.mean(), some.deviation()), (Nanos::ZERO, Nanos::ZERO));
        for ms in [400, 500, 600] {
            some.add(Nanos::from_millis(ms));
            more.add(Nanos::from_nanos(16_666_667));
        }
        assert_eq!(some.mean(), Nanos::from_millis(500));
        assert_eq!(some.deviation(), Nanos::from_nanos(81_649_658));
        assert_eq!(more.deviation(), Nanos::ZERO);
        more.merge(&some);
        assert_eq!(more.count(), 6);
        assert_eq!(more.shortest(), Nanos::from_nanos(16_666_667));
        assert_eq!(more.longest(), Nanos::from_millis(600));
    }
}
