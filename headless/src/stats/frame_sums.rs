//! What a single frame contributes to the metrics of every range of frames that includes it.

use super::fixed_weight::FixedWeight;
use super::staleness::{SUMS, StalenessIntegral};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use timeslicer::time::{GameTime, Nanos};

/// Counts, sums and maxima of the events in one frame that are not in [`FrameRecord`](crate::sim::lane::FrameRecord).
/// They need memory for each distinct interval length that ended in the frame, not for each run.
#[derive(Clone, Debug, Default)]
pub struct FrameSums {
    /// How often the metrics were reset before this frame, by setting changes or by the user.
    pub(crate) restarts: u64,
    /// Game time of the last reset of the metrics.
    pub(crate) restarted_at: GameTime,
    /// Number of frames that the lane had begun, including this one.
    pub(super) frame: u64,
    /// Game time before the frame's updates.
    pub(crate) began: GameTime,
    /// Game time after the frame's updates.
    pub(crate) ended: GameTime,
    /// Integral of the staleness of all entities. Intervals count with the weights at their starts.
    pub(super) staleness: StalenessIntegral,
    /// Weight and staleness of the stalest entity after the frame's updates.
    pub(super) stalest: Option<(FixedWeight, Nanos)>,
    /// The intervals that ended in this frame. They take most of the frame's memory.
    pub(crate) intervals: Vec<EndedIntervals>,
    /// Game time that passed in updates of a strategy with an elastic clock, and time that passed on this clock. An
    /// update is counted in the frame of the following update.
    pub(super) elastic: (Nanos, Nanos),
    /// Desired time between two runs of a task, if it is the same for all tasks.
    pub(super) wanted: Option<Nanos>,
    /// Requests that were served or whose entity died, each with the time when it was made and the length of its wait.
    pub(super) request_waits: Repeated<(GameTime, Nanos)>,
    /// Overruns of the updates that exceeded the budget, whether or not the strategy has a budget.
    pub(super) overruns: Vec<Nanos>,
    /// Longest time that a single run took.
    pub(super) dearest: Nanos,
    /// Number of waits that were longer than guaranteed when a run or a death ended them.
    pub(super) late: u64,
    /// Number of entities that died in this frame.
    pub(super) deaths: u64,
    /// Number of entities that died before their first run.
    pub(super) deaths_without_run: u64,
    /// For each entity that starved in this frame, the [`FrameSums::frame`] in which it had starved before, or zero if
    /// it never had. With this number, a range of frames counts each entity only once, because it skips entities that
    /// had already starved within the range.
    pub(super) starved: Repeated<u64>,
}

impl FrameSums {
    /// Removes all events and begins another frame at game time `now`.
    pub(super) fn begin(&mut self, now: GameTime) {
        (self.began, self.ended) = (now, now);
        self.staleness = StalenessIntegral::default();
        self.stalest = None;
        self.elastic = (Nanos::ZERO, Nanos::ZERO);
        self.wanted = None;
        self.dearest = Nanos::ZERO;
        (self.late, self.deaths, self.deaths_without_run) = (0, 0, 0);
        self.intervals.clear();
        self.request_waits.clear();
        self.overruns.clear();
        self.starved.clear();
    }
}

/// Intervals of the same length that ended in the same update, with a run or a death.
#[derive(Clone, Copy, Debug, Default)]
pub struct EndedIntervals {
    pub(super) end: GameTime,
    pub(super) length: Nanos,
    /// Number of intervals between two runs, including those that were already longer than guaranteed when their entity
    /// died. It excludes intervals that began with a birth or ended with an early death.
    pub(super) between_runs: u32,
    /// Sum of the entities' contributions ([`FixedWeight::shares`]) at the end, minus that at the start.
    pub(super) moved: [i64; SUMS],
    /// Largest weight that any of the entities had at the end.
    pub(super) heaviest: FixedWeight,
}

impl EndedIntervals {
    #[inline]
    pub(super) fn add(&mut self, ends: &Ends) {
        self.between_runs += ends.between_runs;
        if ends.heaviest.units() > self.heaviest.units() {
            self.heaviest = ends.heaviest;
        }
        for ((moved, new), old) in self.moved.iter_mut().zip(ends.new).zip(ends.old) {
            *moved += new.cast_signed() - old.cast_signed();
        }
    }
}

/// The ends of several intervals of the same length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// Sums of the entities' contributions ([`FixedWeight::shares`]) at the start and at the end of their intervals.
    pub(super) old: [u64; SUMS],
    pub(super) new: [u64; SUMS],
    /// The same as in [`EndedIntervals`].
    between_runs: u32,
    heaviest: FixedWeight,
}

impl Ends {
    /// Adds an interval of an entity with the weight `old` at its start and `new` at its end.
    #[inline]
    pub(super) fn add(&mut self, old: FixedWeight, new: FixedWeight, is_between_runs: bool) {
        self.between_runs += u32::from(is_between_runs);
        if new.units() > self.heaviest.units() {
            self.heaviest = new;
        }
        for (sum, share) in old.shares() {
            self.old[sum] += share;
        }
        for (sum, share) in new.shares() {
            self.new[sum] += share;
        }
    }
}

/// Equal events in a row, with their number.
pub(super) type Repeated<T> = Vec<(T, u64)>;

/// Adds an event, or increases the count if it equals the last one.
pub(super) fn repeat<T: PartialEq>(events: &mut Repeated<T>, event: T) {
    match events.last_mut() {
        Some((last, count)) if *last == event => *count += 1,
        _ => events.push((event, 1)),
    }
}

/// Finds the group of an interval that ended in the current update, by its length in nanoseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupIndex {
    /// The length in the last call and the index of its group. Most calls repeat it, because tasks that ran together
    /// once usually run together again.
    last: Option<(u64, usize)>,
    places: HashMap<u64, usize, BuildHasherDefault<Spread>>,
}

impl GroupIndex {
    /// Returns the group of intervals of this `length` that end at `end`. Adds it to `groups` if it is new.
    #[inline]
    pub(super) fn group<'a>(
        &mut self,
        groups: &'a mut Vec<EndedIntervals>,
        end: GameTime,
        length: Nanos,
    ) -> &'a mut EndedIntervals {
        let number = length.as_nanos();
        let place = match self.last {
            Some((last, place)) if last == number => place,
            _ => *self.places.entry(number).or_insert(groups.len()),
        };
        self.last = Some((number, place));
        if place == groups.len() {
            groups.push(EndedIntervals {
                end,
                length,
                ..EndedIntervals::default()
            });
        }
        &mut groups[place]
    }

    /// Forgets the groups. Call this when an update ends and when the list of groups is emptied.
    pub(super) fn clear(&mut self) {
        if self.last.take().is_some() {
            self.places.clear();
        }
    }
}

/// A hasher for single integers. The hasher of the standard library takes longer than all other work for a run.
#[derive(Clone, Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("only numbers are hashed");
    }

    fn write_u64(&mut self, number: u64) {
        /// 2^64 divided by the golden ratio.
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        let spread = number.wrapping_mul(GOLDEN);
        self.0 = spread ^ (spread >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
