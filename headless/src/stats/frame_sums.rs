//! What one frame adds to the figures of every range of frames that includes it.

use super::fixed_weight::FixedWeight;
use super::staleness::{SUMS, StalenessIntegral};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use timeslicer::time::{GameTime, Nanos};

/// Sums, extremes and groups of the events of one frame, besides what [`FrameRecord`](crate::sim::lane::FrameRecord)
/// holds. They take memory for each different interval that ended in the frame, not for each run.
#[derive(Clone, Debug, Default)]
pub struct FrameSums {
    /// Number of times that the figures restarted before this frame: at changes and when the user reset them.
    pub(crate) restarts: u64,
    /// Game time of the last restart.
    pub(crate) restarted_at: GameTime,
    /// Number of frames that the lane had begun, this one included.
    pub(super) frame: u64,
    /// Game time before the frame's updates.
    pub(crate) began: GameTime,
    /// Game time after the frame's updates.
    pub(crate) ended: GameTime,
    /// Integral of the staleness of all entities. Intervals count with the weight at their start.
    pub(super) staleness: StalenessIntegral,
    /// The stalest entity after the updates: its weight and its staleness.
    pub(super) stalest: Option<(FixedWeight, Nanos)>,
    /// They take most of the memory of a frame.
    pub(crate) intervals: Vec<EndedIntervals>,
    /// Game time that passed in updates of a strategy with an elastic clock, and time that passed on this clock. An update
    /// counts in the frame of the next one.
    pub(super) elastic: (Nanos, Nanos),
    /// Wanted time between two runs of a task, if it is the same for all tasks.
    pub(super) wanted: Option<Nanos>,
    /// Requests that were served, or whose entity died: when they were made, and how long they waited.
    pub(super) request_waits: Repeated<(GameTime, Nanos)>,
    /// Overruns of the updates that exceeded the budget, whether or not the strategy knows it.
    pub(super) overruns: Vec<Nanos>,
    /// Longest time of a run.
    pub(super) dearest: Nanos,
    /// Number of waits that were longer than guaranteed, and ended with a run or a death.
    pub(super) late: u64,
    /// Number of entities that died.
    pub(super) deaths: u64,
    /// Number of entities that died before their first run.
    pub(super) deaths_without_run: u64,
    /// Entities that starved, each given by [`FrameSums::frame`] of its last starvation before; zero without one. In a range
    /// of frames, each entity counts once: at its first starvation, before which it last starved in a frame before the
    /// range.
    pub(super) starved: Repeated<u64>,
}

impl FrameSums {
    /// Removes all events, and begins another frame at the game time `now`.
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
    /// Number of the intervals between two runs, and of those that were longer than guaranteed when their entity died. The
    /// others began with a birth or ended with an early death.
    pub(super) between_runs: u32,
    /// Sum of the entities' shares in each sum ([`FixedWeight::shares`]) at the end, less those at the start.
    pub(super) moved: [i64; SUMS],
    /// Largest weight at the end.
    pub(super) heaviest: FixedWeight,
}

impl EndedIntervals {
    /// Adds intervals.
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

/// Ends of intervals of the same length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// Sums of the entities' shares ([`FixedWeight::shares`]) at the start and at the end of their intervals.
    pub(super) old: [u64; SUMS],
    pub(super) new: [u64; SUMS],
    /// As in [`EndedIntervals`].
    between_runs: u32,
    heaviest: FixedWeight,
}

impl Ends {
    /// Adds an interval of an entity that had the weight `old` at its start and has `new` at its end.
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

/// Events that are equal and follow each other, and their number.
pub(super) type Repeated<T> = Vec<(T, u64)>;

/// Adds an event.
pub(super) fn repeat<T: PartialEq>(events: &mut Repeated<T>, event: T) {
    match events.last_mut() {
        Some((last, count)) if *last == event => *count += 1,
        _ => events.push((event, 1)),
    }
}

/// Finds the group of an interval that ended in the update in progress, by its length in nanoseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupIndex {
    /// The length of the last call and the place of its group. Most calls repeat it, because tasks that ran together once
    /// usually run together again.
    last: Option<(u64, usize)>,
    places: HashMap<u64, usize, BuildHasherDefault<Spread>>,
}

impl GroupIndex {
    /// Returns the group of the intervals of this `length` that end at `end`, which is added to `groups` if it is new.
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

    /// Forgets the groups. Call when an update ends, and when the list is emptied.
    pub(super) fn clear(&mut self) {
        if self.last.take().is_some() {
            self.places.clear();
        }
    }
}

/// Hasher of single numbers. The standard library's takes longer than all else that is counted for a run.
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
