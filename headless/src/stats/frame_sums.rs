//! The values of a single frame from which statistics over several frames are computed.

use super::fixed_weight::FixedWeight;
use super::staleness::{SUMS, StalenessIntegral};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use timeslicer::time::{GameTime, Nanos};

/// Counts, sums and maxima of the events in one frame that are not in [`FrameRecord`](crate::sim::lane::FrameRecord).
/// Runs after equal intervals are stored together, so that a frame with many runs needs little memory.
#[derive(Clone, Debug, Default)]
pub struct FrameSums {
    /// How often the metrics had been reset before this frame, either by a setting change or by the user.
    pub(crate) restarts: u64,
    /// The game time of the last reset of the metrics.
    pub(crate) restarted_at: GameTime,
    /// The number of frames that have begun since the simulation started, including this frame.
    pub(super) frame: u64,
    /// The game time before the updates of this frame.
    pub(crate) began: GameTime,
    /// The game time after the updates of this frame.
    pub(crate) ended: GameTime,
    /// The staleness of all entities, integrated over the game time of this frame. Each interval counts with the weight
    /// that the entity had at its start.
    pub(super) staleness: StalenessIntegral,
    /// The weight and the staleness of the stalest entity after the updates of this frame.
    pub(super) stalest: Option<(FixedWeight, Nanos)>,
    /// The intervals that ended in this frame. They take up most of the frame's memory.
    pub(crate) intervals: Vec<EndedIntervals>,
    /// The first value is the game time that has passed. The second value is the time that has passed on the strategy's
    /// elastic clock, which slows down during an overload. Each update is counted in the frame of the next update.
    pub(super) elastic: (Nanos, Nanos),
    /// The desired time between two runs of a task. `None` if there is none, or if it is not the same for all tasks.
    pub(super) wanted: Option<Nanos>,
    /// The requests that ended in this frame with a run or with the death of the entity. Each event contains the time
    /// of the request and the length of the wait.
    pub(super) request_waits: Repeated<(GameTime, Nanos)>,
    /// By how much updates exceeded the budget. Updates that stayed within the budget are left out. Updates of
    /// strategies without a budget are also compared with it.
    pub(super) overruns: Vec<Nanos>,
    /// The duration of the longest run.
    pub(super) dearest: Nanos,
    /// The number of waits that ended with a run or a death and had been longer than guaranteed.
    pub(super) late: u64,
    pub(super) deaths: u64,
    pub(super) deaths_without_run: u64,
    /// For each entity that starved in this frame, the number of the earlier frame ([`FrameSums::frame`]) in which it
    /// had last starved, or zero. With this number, statistics over several frames can count each entity only once.
    pub(super) starved: Repeated<u64>,
}

impl FrameSums {
    /// Removes all events and begins a new frame at the game time `now`.
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

/// Intervals of the same length that ended in the same update.
#[derive(Clone, Copy, Debug, Default)]
pub struct EndedIntervals {
    pub(super) end: GameTime,
    pub(super) length: Nanos,
    /// The number of these intervals that count as intervals between two runs. The others began with a birth or ended
    /// with a death. However, a death counts like a run if the entity had already waited longer than guaranteed.
    pub(super) between_runs: u32,
    /// How much each sum over all entities changes because the weights of these entities have changed during the
    /// intervals ([`FixedWeight::shares`]).
    pub(super) moved: [i64; SUMS],
    /// The largest weight of any of these entities at the end of the intervals.
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

/// Adds up several intervals that have the same length and end at the same time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// The amount that these entities contribute to each sum over all entities ([`FixedWeight::shares`]). `old` uses
    /// their weights at the start of the intervals, and `new` uses those at the end.
    pub(super) old: [u64; SUMS],
    pub(super) new: [u64; SUMS],
    /// The number of these intervals that count as intervals between two runs.
    between_runs: u32,
    heaviest: FixedWeight,
}

impl Ends {
    /// Adds an interval of an entity that had the weight `old` at its start and has the weight `new` at its end.
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

/// A list of events in which equal events in a row are stored once, together with their number.
pub(super) type Repeated<T> = Vec<(T, u64)>;

/// Adds an event to the list. If it equals the last event, only the count of that event is increased.
pub(super) fn repeat<T: PartialEq>(events: &mut Repeated<T>, event: T) {
    match events.last_mut() {
        Some((last, count)) if *last == event => *count += 1,
        _ => events.push((event, 1)),
    }
}

/// Finds the group that contains the intervals of a certain length that end in the current update.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupIndex {
    /// The length in the last call and the index of its group. Most calls use the same length again, because tasks that
    /// have run together usually run together again.
    last: Option<(u64, usize)>,
    places: HashMap<u64, usize, BuildHasherDefault<Spread>>,
}

impl GroupIndex {
    /// Returns the index of the group for intervals of this `length` that end at the game time `end`. Creates the group
    /// if it does not exist yet.
    #[inline]
    pub(super) fn group(
        &mut self,
        groups: &mut Vec<EndedIntervals>,
        end: GameTime,
        length: Nanos,
    ) -> usize {
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
        place
    }

    /// Forgets all groups. This must be called when an update ends, and when the list of groups is emptied.
    pub(super) fn clear(&mut self) {
        if self.last.take().is_some() {
            self.places.clear();
        }
    }
}

/// A hasher for integers that is much faster than the hasher of the standard library.
#[derive(Clone, Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("only numbers are hashed");
    }

    fn write_u64(&mut self, number: u64) {
        /// 2^64 divided by the golden ratio. Multiplying by this number gives nearby integers very different hash
        /// values.
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        let spread = number.wrapping_mul(GOLDEN);
        self.0 = spread ^ (spread >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
