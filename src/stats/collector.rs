//! What is counted while a lane runs.

use super::Distribution;
use super::promises::{Promises, Punctuality};
use super::recovery::UsualHitches;
use super::tally::Tally;
use super::thresholds::{HITCH_RATE_FROM, WARM_UP};
use crate::sim::lane::{FrameEnded, UpdateBegun};
use crate::sim::world::World;
use std::collections::HashSet;
use timeslice::scheduler::TaskId;
use timeslice::strategy::Promise;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// Counts what a lane does: every frame, update and run, each in constant time.
///
/// It begins with the lane; [`Collector::change`] begins it anew after [`WARM_UP`], [`Collector::clear`] at once.
/// Intervals and requests that began earlier than that do not count, and a staleness counts from then on.
#[derive(Clone, Debug)]
pub struct Collector {
    pub(super) promises: Promises,
    /// Until when nothing is counted.
    warm_until: Option<ClockTime>,
    /// The game time from which on it counts.
    pub(super) game_from: GameTime,
    /// The game time of the last update.
    now: GameTime,
    wanted: Option<Nanos>,
    budget: Option<Nanos>,
    batch: Batch,
    pub(super) tally: Tally,
    calm: Calm,
    /// Runs that came later than promised.
    pub(super) late: u64,
    pub(super) intervals: Distribution,
    pub(super) off_wanted: Distribution,
    pub(super) overruns: Distribution,
    pub(super) request_waits: Distribution,
    /// The numbers of the entities that have starved.
    pub(super) starved: HashSet<u64>,
    /// What hitches there were before it was last cleared.
    before: UsualHitches,
}

/// The machine's time while nothing was done to the lane, and the hitches in it.
#[derive(Clone, Copy, Debug, Default)]
struct Calm {
    span: Nanos,
    hitches: u64,
    longest: Nanos,
}

/// Runs of one elapsed time in a row: tasks that ran together mostly run together again, so each such batch is counted
/// once.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    elapsed: Nanos,
    intervals: u64,
    /// Requests that waited for one time, and which.
    requests: u64,
    requests_waited: Nanos,
}

impl Default for Collector {
    fn default() -> Self {
        Self::new()
    }
}

impl Collector {
    /// Of nothing yet; counts from the start.
    #[must_use]
    pub fn new() -> Self {
        Self {
            promises: Promises::new(),
            warm_until: None,
            game_from: GameTime::START,
            now: GameTime::START,
            wanted: None,
            budget: None,
            batch: Batch::default(),
            tally: Tally::default(),
            calm: Calm::default(),
            late: 0,
            intervals: Distribution::new(),
            off_wanted: Distribution::new(),
            overruns: Distribution::new(),
            request_waits: Distribution::new(),
            starved: HashSet::new(),
            before: UsualHitches::default(),
        }
    }

    /// Forgets everything, at the game time `now`, and counts from here on.
    pub fn clear(&mut self, now: GameTime) {
        self.before = self.usual();
        self.warm_until = None;
        self.game_from = now;
        self.batch = Batch::default();
        self.tally.clear();
        self.calm = Calm::default();
        self.late = 0;
        for spread in [
            &mut self.intervals,
            &mut self.off_wanted,
            &mut self.overruns,
            &mut self.request_waits,
        ] {
            spread.clear();
        }
        self.starved.clear();
        self.promises.clear();
    }

    /// Something was changed when the machine's clock showed `clock` and the game's `now`: forgets everything,
    /// and counts again from [`WARM_UP`] on.
    pub fn change(&mut self, clock: ClockTime, now: GameTime) {
        self.clear(now);
        self.warm_until = Some(clock + WARM_UP);
    }

    /// The game time of the last update.
    pub(super) fn now(&self) -> GameTime {
        self.now
    }

    /// Whether nothing is counted yet, because something was changed just now.
    #[must_use]
    pub fn is_warming_up(&self) -> bool {
        self.warm_until.is_some()
    }

    /// Another strategy has taken over: nobody has asked it for anything yet.
    pub(crate) fn switch_strategy(&mut self) {
        self.promises.switch();
    }

    /// A frame begins when the machine's clock shows `start` and the game's `now`.
    pub(crate) fn begin_frame(&mut self, start: ClockTime, now: GameTime) {
        if self.warm_until.is_some_and(|until| start >= until) {
            self.clear(now);
        }
    }

    /// An update begins.
    pub(crate) fn begin_update(&mut self, update: &UpdateBegun) {
        self.now = update.now;
        self.budget = update.budget;
        self.wanted = update.promise.wanted_interval();
        self.promises
            .begin_update(update.promise, update.delta, update.step);
    }

    /// The update is over, after so much time in tasks.
    pub(crate) fn end_update(&mut self, in_tasks: Nanos) {
        self.count_batch();
        self.count_requests();
        if let Some(budget) = self.budget
            && in_tasks > budget
            && !self.is_warming_up()
        {
            self.overruns.add(in_tasks - budget);
        }
    }

    pub(crate) fn born(&mut self, task: TaskId) {
        self.promises.born(task);
    }

    /// The entity of that number dies, `stale` after its last run.
    pub(crate) fn died(&mut self, task: TaskId, number: u64, stale: Nanos) {
        let stale = stale.min(self.now - self.game_from);
        if !self.is_warming_up() {
            self.tally.staleness(stale);
            if self.promises.punctuality(task, stale) == Punctuality::Starved {
                self.starved.insert(number);
            }
        }
        self.promises.died(task);
    }

    /// A task asks for a run at the game time `now`; the strategy then promises `wait`.
    pub(crate) fn asks(&mut self, task: TaskId, now: GameTime, wait: Promise) {
        self.promises.asks(task, now, wait);
    }

    /// The task of the entity of that number runs, `elapsed` after its last run; after its birth for its
    /// `first`, which makes no interval.
    pub(crate) fn run(&mut self, task: TaskId, number: u64, elapsed: Nanos, first: bool) {
        if elapsed != self.batch.elapsed {
            self.count_batch();
            self.batch.elapsed = elapsed;
        }
        self.batch.intervals += u64::from(!first);
        let stale = elapsed.min(self.now - self.game_from);
        let (punctuality, asked) = self.promises.runs(task, stale);
        if punctuality != Punctuality::OnTime && !self.is_warming_up() {
            self.late += 1;
            if punctuality == Punctuality::Starved {
                self.starved.insert(number);
            }
        }
        if let Some(asked) = asked.filter(|&asked| asked >= self.game_from)
            && !self.is_warming_up()
        {
            let waited = self.now - asked;
            if waited != self.batch.requests_waited {
                self.count_requests();
                self.batch.requests_waited = waited;
            }
            self.batch.requests += 1;
        }
        // Before any interval: also who runs for the first time has waited.
        if !self.is_warming_up() {
            self.tally.staleness(stale);
        }
    }

    /// How many entities have starved, or do now. Looks at those that do.
    pub(crate) fn starved(&self, world: &World, now: GameTime) -> u64 {
        if self.is_warming_up() {
            return 0;
        }
        let tasks = world.tasks();
        let stale = |task| {
            let last_run = tasks.last_run(task).unwrap_or(now);
            (now - last_run).min(now - self.game_from)
        };
        // The stalest come first.
        let starving = world.by_staleness().take_while(|&task| {
            self.promises.punctuality(task, stale(task)) == Punctuality::Starved
        });
        let asking = self.promises.starved_requests();
        let all = if self.promises.is_of_requests() {
            asking.filter_map(|index| tasks.at(index)).collect()
        } else {
            starving.collect::<Vec<_>>()
        };
        let new = all.into_iter().filter(|&task| {
            let number = world.entity(task).map(|entity| entity.number);
            number.is_some_and(|number| !self.starved.contains(&number))
        });
        self.starved.len() as u64 + new.count() as u64
    }

    fn count_requests(&mut self) {
        let count = std::mem::take(&mut self.batch.requests);
        self.request_waits
            .add_many(self.batch.requests_waited, count);
    }

    fn count_batch(&mut self) {
        let elapsed = self.batch.elapsed;
        let intervals = std::mem::take(&mut self.batch.intervals);
        let began_before = elapsed > self.now - self.game_from;
        if intervals == 0 || began_before || self.is_warming_up() {
            return;
        }
        self.intervals.add_many(elapsed, intervals);
        if let Some(wanted) = self.wanted {
            let off = (elapsed - wanted).max(wanted - elapsed); // one of them is zero
            self.off_wanted.add_many(off, intervals);
        }
    }

    /// What hitches there are while nothing is done to the lane: before the last change where little was measured
    /// since.
    pub(crate) fn usual(&self) -> UsualHitches {
        let calm = &self.calm;
        if calm.span < HITCH_RATE_FROM {
            return self.before;
        }
        UsualHitches {
            rate: calm.span.rate_of(calm.hitches),
            longest: calm.longest,
        }
    }

    /// A frame is over. It is calm if no disturbance may
    /// have caused its hitches.
    pub(crate) fn frame(&mut self, ended: &FrameEnded<'_>, is_calm: bool) {
        if self.is_warming_up() {
            return;
        }
        let frame = ended.record;
        let is_hitch = self.tally.frame(frame, ended.target);
        if is_calm {
            self.calm.span += frame.length;
            self.calm.hitches += u64::from(is_hitch);
            self.calm.longest = self.calm.longest.max(frame.own_length());
        }
        self.tally
            .staleness(ended.worst_staleness.min(self.now - self.game_from));
    }
}

#[cfg(test)]
mod tests;
