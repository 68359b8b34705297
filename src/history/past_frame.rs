//! A frame that is over, as it is remembered.

use super::trace_buffer::FrameTrace;
use crate::sim::lane::FrameRecord;
use crate::sim::projectile::Sight;
use crate::sim::world::Point;
use timeslice::strategy::StrategyEntry;
use timeslice::time::{GameTime, Nanos};

/// A display's period where nothing else is known: 60 Hz.
pub const USUAL_PERIOD: Nanos = Nanos::from_nanos(1_000_000_000 / 60);

/// A frame that is over, and what ran in it.
#[derive(Clone, Debug)]
pub struct PastFrame {
    /// How long it was, and of what.
    pub record: FrameRecord,
    /// The strategy that it ran under, if any.
    pub strategy: Option<&'static StrategyEntry>,
    /// The intervals that ended in it and had begun at the last change before it, or later.
    pub intervals: IntervalSums,
    /// The longest that any of those who ran or died had waited, since the last change. Of the runs, it counts those
    /// that the lane has listed ([`crate::sim::lane::Lane::list_runs`]), as do the intervals and the dearest run.
    pub longest_wait: Nanos,
    /// By how much its updates exceeded their budget, of those that did.
    pub overruns: Vec<Nanos>,
    /// The places that ran, in order, if there was room to remember them.
    pub ran: Option<Vec<u32>>,
    /// Of several updates, those in which some ran; of a single one `now` and `target` tell all.
    pub updates: Vec<PastUpdate>,
    /// The time from picture to picture that it aimed at.
    pub period: Nanos,
    /// Game time at its last update.
    pub now: GameTime,
    /// Where the target was then.
    pub target: Point,
    /// How many lived then: in the first places, without a gap.
    pub entities: u32,
    /// What was to be seen of the projectile.
    pub sight: Sight,
    /// The run that took longest.
    pub dearest: Option<Dearest>,
    /// Time in which something outside held the program up; it is no part of the frame.
    pub outside: Nanos,
    /// What a trace tells of it, as long as there is room.
    pub traced: FrameTrace,
}

impl Default for PastFrame {
    /// An empty frame at the very start, on a usual display.
    fn default() -> Self {
        Self {
            record: FrameRecord::default(),
            strategy: None,
            intervals: IntervalSums::default(),
            longest_wait: Nanos::ZERO,
            overruns: Vec::new(),
            ran: None,
            updates: Vec::new(),
            period: USUAL_PERIOD,
            now: GameTime::START,
            target: Point::default(),
            entities: 0,
            sight: Sight::default(),
            dearest: None,
            outside: Nanos::ZERO,
            traced: FrameTrace::default(),
        }
    }
}

/// One update of a past frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastUpdate {
    /// Its game time.
    pub now: GameTime,
    /// Where the target was: there look those who ran in it.
    pub target: Point,
    /// How many had run in its frame at its end.
    pub runs: u32,
}

/// The run of a frame that took longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dearest {
    /// The number of its entity.
    pub entity: u64,
    /// How long it took.
    pub took: Nanos,
}

impl PastFrame {
    /// The places of those that ran in it, in order, as far as they are remembered.
    pub fn ran(&self) -> impl Iterator<Item = u32> {
        self.ran.iter().flatten().copied()
    }

    /// Its updates, in order, and the places of those that ran in each, as far as they are remembered: of
    /// several updates, those only in which some ran.
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

    /// The game times at which the one at `place` ran in it, in order, as far as they are remembered.
    #[must_use]
    pub fn runs_of(&self, place: u32) -> impl DoubleEndedIterator<Item = GameTime> {
        let updates = self.updates();
        updates
            .filter(move |(_, ran)| ran.contains(&place))
            .map(|(update, _)| update.now)
    }

    /// Game time at the first of its updates that is remembered: the last one's, where it is the only one.
    #[must_use]
    pub fn first_update(&self) -> GameTime {
        self.updates.first().map_or(self.now, |update| update.now)
    }

    /// The strategy that it ran under, where that is not `present`.
    #[must_use]
    pub fn other_strategy(&self, present: &StrategyEntry) -> Option<&'static StrategyEntry> {
        self.strategy.filter(|&past| past != present)
    }

    /// Whether some ran in it and nobody knows any more who.
    #[must_use]
    pub fn has_forgotten(&self) -> bool {
        self.ran.is_none() && self.record.runs > 0
    }
}

/// Intervals that were measured, as exact sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntervalSums {
    count: u64,
    sum_ns: u64,
    squares_ns2: u128,
    shortest: Nanos,
    longest: Nanos,
}

impl IntervalSums {
    /// Counts an interval.
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

    /// Counts all of `others`, too.
    pub fn merge(&mut self, others: &Self) {
        if others.count == 0 {
            return;
        }
        self.shortest = match self.count {
            0 => others.shortest,
            _ => self.shortest.min(others.shortest),
        };
        self.longest = self.longest.max(others.longest);
        self.count += others.count;
        self.sum_ns = self.sum_ns.saturating_add(others.sum_ns);
        self.squares_ns2 = self.squares_ns2.saturating_add(others.squares_ns2);
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; zero without any.
    #[must_use]
    pub fn mean(&self) -> Nanos {
        Nanos::from_nanos(self.sum_ns / self.count.max(1))
    }

    /// Their standard deviation; zero without any.
    #[must_use]
    pub fn deviation(&self) -> Nanos {
        let (count, sum) = (u128::from(self.count.max(1)), u128::from(self.sum_ns));
        let scaled =
            (self.squares_ns2.saturating_mul(count)).saturating_sub(sum.saturating_mul(sum));
        Nanos::from_nanos_f64((scaled as f64).sqrt() / count as f64)
    }

    /// The shortest; zero without any.
    #[must_use]
    pub fn shortest(&self) -> Nanos {
        self.shortest
    }

    /// The longest; zero without any.
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
