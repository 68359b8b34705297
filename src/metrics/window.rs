//! What is counted while a lane runs.

use super::promises::{Kept, Promises};
use super::{FrameRecord, Spread};
use crate::scheduler::TaskId;
use crate::strategy::Wait;
use crate::time::Nanos;
use crate::world::World;
use std::collections::HashSet;

/// After a change of strategy, frame loop or knob the figures begin with the first frame that starts this
/// long after it, by the machine's clock: what the change itself costs (births, a burst, caches) is no property
/// of what runs now. It is short beside the seconds that figures are read over, and longer than any burst that
/// a switch leaves behind on a machine that keeps up.
pub const WARM_UP: Nanos = Nanos::from_millis(250);

/// Counts what a lane does: every frame, update and run, each in constant time.
///
/// It begins with the lane; [`Metrics::change`] begins it anew after [`WARM_UP`], [`Metrics::clear`] at once.
/// Intervals and requests that began earlier than that do not count, and a staleness counts from then on.
#[derive(Clone, Debug)]
pub struct Metrics {
    pub(super) promises: Promises,
    /// Until when nothing is counted.
    warm_until: Option<Nanos>,
    /// The game time from which on it counts.
    pub(super) game_from: Nanos,
    /// The game time of the last update.
    now: Nanos,
    wanted: Option<Nanos>,
    pub(super) budget: Option<Nanos>,
    batch: Batch,
    pub(super) sums: Sums,
    pub(super) lengths: Spread,
    pub(super) intervals: Spread,
    pub(super) off_wanted: Spread,
    pub(super) overruns: Spread,
    pub(super) request_waits: Spread,
    /// The numbers of the entities that have starved.
    pub(super) starved: HashSet<u64>,
}

/// What is merely added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) frames: u64,
    pub(super) updates: u64,
    pub(super) runs: u64,
    pub(super) peak_runs: u32,
    pub(super) hitches: u64,
    /// The machine's time, and the game's.
    pub(super) span: Nanos,
    pub(super) game_span: Nanos,
    pub(super) task_time: Nanos,
    pub(super) scheduling: Nanos,
    pub(super) drawing: Nanos,
    pub(super) waiting: Nanos,
    pub(super) debt_dropped: Nanos,
    pub(super) backlog_first: usize,
    pub(super) backlog_last: usize,
    pub(super) backlog_peak: usize,
    pub(super) worst_staleness: Nanos,
    pub(super) late: u64,
}

/// Runs of one elapsed time in a row. Who ran together mostly runs together again, so what they have in common
/// is counted once.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    elapsed: Nanos,
    intervals: u64,
    /// Requests that waited for one time, and which.
    requests: u64,
    requests_waited: Nanos,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Of nothing yet; counts from the start.
    #[must_use]
    pub fn new() -> Self {
        Self {
            promises: Promises::new(),
            warm_until: None,
            game_from: Nanos::ZERO,
            now: Nanos::ZERO,
            wanted: None,
            budget: None,
            batch: Batch::default(),
            sums: Sums::default(),
            lengths: Spread::new(),
            intervals: Spread::new(),
            off_wanted: Spread::new(),
            overruns: Spread::new(),
            request_waits: Spread::new(),
            starved: HashSet::new(),
        }
    }

    /// Forgets everything, at the game time `now`, and counts from here on.
    pub fn clear(&mut self, now: Nanos) {
        self.warm_until = None;
        self.game_from = now;
        self.batch = Batch::default();
        self.sums = Sums::default();
        for spread in [
            &mut self.lengths,
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
    pub fn change(&mut self, clock: Nanos, now: Nanos) {
        self.clear(now);
        self.warm_until = Some(clock + WARM_UP);
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
    pub(crate) fn begin_frame(&mut self, start: Nanos, now: Nanos) {
        if self.warm_until.is_some_and(|until| start >= until) {
            self.clear(now);
        }
    }

    /// An update of `delta` begins that brings the game to `now`, under a strategy that promises `wait`. The loop aims at
    /// updates of `step`.
    pub(crate) fn begin_update(
        &mut self,
        now: Nanos,
        delta: Nanos,
        wait: Wait,
        budget: Option<Nanos>,
        step: Nanos,
    ) {
        self.sums.game_span += delta;
        self.now = now;
        self.budget = budget;
        self.wanted = wait.wanted_interval();
        self.promises.begin_update(wait, delta, step);
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
            self.sums.worst_staleness = self.sums.worst_staleness.max(stale);
            if self.promises.kept(task, stale) == Kept::Starved {
                self.starved.insert(number);
            }
        }
        self.promises.died(task);
    }

    /// A task asks for a run at the game time `now`; the strategy then promises `wait`.
    pub(crate) fn asks(&mut self, task: TaskId, now: Nanos, wait: Wait) {
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
        let (kept, asked) = self.promises.runs(task, stale);
        if kept != Kept::OnTime && !self.is_warming_up() {
            self.sums.late += 1;
            if kept == Kept::Starved {
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
        self.sums.worst_staleness = self.sums.worst_staleness.max(stale);
    }

    /// How many entities have starved, or do now. Looks at those that do.
    pub(crate) fn starved(&self, world: &World, now: Nanos) -> u64 {
        if self.is_warming_up() {
            return 0;
        }
        let tasks = world.tasks();
        let stale = |task| {
            let last_run = tasks.last_run(task).unwrap_or(now);
            (now - last_run).min(now - self.game_from)
        };
        // Who waits longer stands further in front.
        let starving = world
            .by_staleness()
            .take_while(|&task| self.promises.kept(task, stale(task)) == Kept::Starved);
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

    /// A frame is over. `target` is the length that it was to have, `stalest` how long ago the stalest entity
    /// last ran.
    pub(crate) fn frame(&mut self, frame: &FrameRecord, target: Nanos, stalest: Nanos) {
        if self.is_warming_up() {
            return;
        }
        let sums = &mut self.sums;
        if sums.frames == 0 {
            sums.backlog_first = frame.backlog;
        }
        sums.frames += 1;
        sums.updates += u64::from(frame.updates);
        sums.runs += u64::from(frame.runs);
        sums.peak_runs = sums.peak_runs.max(frame.runs);
        sums.hitches += u64::from(frame.length > hitch_from(target));
        sums.span += frame.length;
        sums.task_time += frame.task_time;
        sums.scheduling += frame.scheduling;
        sums.drawing += frame.drawing;
        sums.waiting += frame.waiting;
        sums.debt_dropped += frame.debt_dropped;
        sums.backlog_last = frame.backlog;
        sums.backlog_peak = sums.backlog_peak.max(frame.backlog);
        let stalest = stalest.min(self.now - self.game_from);
        sums.worst_staleness = sums.worst_staleness.max(stalest);
        self.lengths.add(frame.length);
    }
}

/// A frame that lasts longer than this, one and a half times the length that it was to have, is a hitch.
pub(super) fn hitch_from(target: Nanos) -> Nanos {
    target + Nanos::from_nanos(target.as_nanos() / 2)
}
