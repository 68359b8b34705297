//! Waits of tasks compared with their strategy's promise.

use super::thresholds::STARVED_AFTER;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Promise;
use timeslicer::time::{GameTime, Nanos};

/// Waits of all tasks, in the unit of their strategy's promise ([`Promise`]).
///
/// - [`Promise::Interval`]: the wait is the game time since the last run. The bound is the interval plus the length of
///   one update. Of a long update, only half an interval counts, or the loop's target step if that is longer. So a
///   machine that cannot keep up breaks the promise once its updates are longer than that.
/// - [`Promise::Eventually`]: the same, plus as many updates as promised, each with the length that counts.
/// - If the strategy wants an interval of its own for a task, that takes the place of the promised interval.
/// - [`Promise::Updates`]: the wait is the number of updates since the last run. The bound is the promised number.
/// - [`Promise::Request`]: the wait is the number of updates since the request. The bound is the number that was
///   promised when the request was made. A task without a request does not wait.
///
/// A birth counts as a run. Each call takes constant time, unless documented otherwise.
#[derive(Clone, Debug)]
pub(super) struct Promises {
    wait: Promise,
    /// Time by which a run may exceed the promised interval: the part of an update that counts.
    slack: Nanos,
    /// Length of the update, and the loop's target for it.
    delta: Nanos,
    step: Nanos,
    /// Number of updates that have begun.
    update: u64,
    /// The last update before the figures were cleared; waits count from here.
    from: u64,
    /// Number of the update in which each task last ran or was born, by task index. Runs are recorded only for
    /// [`Promise::Updates`].
    ran: Vec<u64>,
    /// Waiting requests, by task index.
    asked: Vec<Request>,
}

/// Request for a run. Kept small because requests are accessed in random order.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// [`NEVER`] without a request.
    time: GameTime,
    /// Number of the last update before the request. Its low 32 bits are enough for any wait.
    update: u32,
    within: u32,
}

const NEVER: GameTime = GameTime::MAX;
const NO_REQUEST: Request = Request {
    time: NEVER,
    update: 0,
    within: 0,
};

/// A wait compared with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Punctuality {
    OnTime,
    Late,
    Starved,
}

impl Punctuality {
    fn of(waited: u64, bound: u64) -> Self {
        if waited <= bound {
            Self::OnTime
        } else if waited <= bound.saturating_mul(STARVED_AFTER) {
            Self::Late
        } else {
            Self::Starved
        }
    }
}

impl Default for Promises {
    fn default() -> Self {
        Self {
            wait: Promise::Updates(1),
            slack: Nanos::ZERO,
            delta: Nanos::ZERO,
            step: Nanos::ZERO,
            update: 0,
            from: 0,
            ran: Vec::new(),
            asked: Vec::new(),
        }
    }
}

impl Promises {
    /// Begins an update that advances the game by `delta`. `step` is the loop's target for the length of an update.
    pub(super) fn begin_update(&mut self, wait: Promise, delta: Nanos, step: Nanos) {
        self.update += 1;
        (self.delta, self.step) = (delta, step);
        if let Promise::Interval(interval) | Promise::Eventually { interval, .. } = wait {
            self.slack = self.slack_of(interval);
        }
        self.wait = match wait {
            Promise::Interval(Nanos::ZERO) => Promise::Updates(1), // an interval of zero means every update
            wait => wait,
        };
    }

    /// Returns the time by which a run may exceed an interval in this update.
    fn slack_of(&self, interval: Nanos) -> Nanos {
        let half = Nanos::from_nanos(interval.as_nanos() / 2);
        self.delta.min(half).max(self.step)
    }

    /// Forgets all waits so far.
    pub(super) fn clear(&mut self) {
        self.from = self.update;
    }

    /// Switches to another strategy: waits begin again, and there are no requests.
    pub(super) fn switch(&mut self) {
        self.ran.fill(self.update);
        self.asked.fill(NO_REQUEST);
    }

    pub(super) fn born(&mut self, task: TaskId) {
        let index = task.index as usize;
        if index >= self.ran.len() {
            self.ran.resize(index + 1, 0);
            self.asked.resize(index + 1, NO_REQUEST);
        }
        self.ran[index] = self.update;
        self.asked[index] = NO_REQUEST;
    }

    pub(super) fn died(&mut self, task: TaskId) {
        if let Some(asked) = self.asked.get_mut(task.index as usize) {
            *asked = NO_REQUEST;
        }
    }

    /// Records a request at `time` under `promise`. No effect if the task waits already.
    pub(super) fn asks(&mut self, task: TaskId, time: GameTime, promise: Promise) {
        let Promise::Request { updates } = promise else {
            return;
        };
        if let Some(asked) = self.asked.get_mut(task.index as usize)
            && asked.time == NEVER
        {
            *asked = Request {
                time,
                update: self.update as u32,
                within: updates as u32,
            };
        }
    }

    /// Returns the punctuality of a task that last ran `stale` ago.
    pub(super) fn punctuality(&self, task: TaskId, stale: Nanos) -> Punctuality {
        let index = task.index as usize;
        match self.wait {
            Promise::Interval(interval) => {
                Punctuality::of(stale.as_nanos(), bound(interval, self.slack, 1))
            }
            Promise::Eventually { interval, updates } => {
                let bound = bound(interval, self.slack, updates as u64);
                Punctuality::of(stale.as_nanos(), bound)
            }
            Promise::Updates(updates) => {
                let ran = self.ran.get(index).copied().unwrap_or(self.update);
                Punctuality::of(self.update - ran.max(self.from), updates as u64)
            }
            Promise::Request { .. } => match self.asked.get(index) {
                Some(asked) => self.punctuality_of_request(asked),
                None => Punctuality::OnTime,
            },
        }
    }

    fn punctuality_of_request(&self, asked: &Request) -> Punctuality {
        if asked.time == NEVER {
            return Punctuality::OnTime;
        }
        let waited = (self.update as u32).wrapping_sub(asked.update);
        let counted = (self.update - self.from).min(waited.into());
        Punctuality::of(counted, asked.within.into())
    }

    /// Records a run, `stale` after the last one. An interval that the strategy wanted for this task takes the place of
    /// the promised one. Returns its punctuality, and the time of the task's
    /// request if it had one.
    pub(super) fn runs(
        &mut self,
        task: TaskId,
        stale: Nanos,
        own_wanted: Option<Nanos>,
    ) -> (Punctuality, Option<GameTime>) {
        let kept = match own_wanted {
            Some(wanted) => {
                let updates = match self.wait {
                    Promise::Eventually { updates, .. } => updates as u64,
                    _ => 1,
                };
                let slack = self.slack_of(wanted);
                Punctuality::of(stale.as_nanos(), bound(wanted, slack, updates))
            }
            None => self.punctuality(task, stale),
        };
        let index = task.index as usize;
        let asked = match self.wait {
            Promise::Interval(_) | Promise::Eventually { .. } => None,
            Promise::Updates(_) => {
                if let Some(ran) = self.ran.get_mut(index) {
                    *ran = self.update;
                }
                None
            }
            Promise::Request { .. } => self.asked.get_mut(index).map(|asked| {
                let Request { time, .. } = std::mem::replace(asked, NO_REQUEST);
                time
            }),
        };
        (kept, asked.filter(|&time| time != NEVER))
    }

    /// Returns true if the strategy runs on request.
    pub(super) fn is_on_request(&self) -> bool {
        matches!(self.wait, Promise::Request { .. })
    }

    /// Returns the indices of tasks with starved requests. Scans every request.
    pub(super) fn starved_requests(&self) -> impl Iterator<Item = u32> {
        let starved = |asked: &Request| self.punctuality_of_request(asked) == Punctuality::Starved;
        let all = (0..).zip(&self.asked);
        all.filter_map(move |(index, asked)| starved(asked).then_some(index))
    }
}

/// Returns the longest wait, in nanoseconds, that keeps the promise of an interval and some updates.
fn bound(interval: Nanos, slack: Nanos, updates: u64) -> u64 {
    let waits = slack.as_nanos().saturating_mul(updates);
    interval.as_nanos().saturating_add(waits)
}

#[cfg(test)]
mod tests {
    use super::Punctuality::{Late, OnTime, Starved};
    use super::*;

    const TASK: TaskId = TaskId {
        index: 2,
        generation: 0,
    };
    const FRAME: Nanos = Nanos::from_millis(16);
    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const AT: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));

    fn promises() -> Promises {
        let mut promises = Promises::default();
        promises.born(TASK);
        promises
    }

    #[test]
    fn an_interval_may_be_exceeded_by_updates_of_half_an_interval_at_most() {
        let interval = Promise::Interval(MS(500));
        let eventually = Promise::Eventually {
            interval: MS(1000),
            updates: 3,
        };
        // Length of the update, wait, and the interval that the strategy wanted for the task itself.
        for (promise, delta, waited, own, expected) in [
            (interval, 16, 516, None, OnTime),
            (interval, 16, 517, None, Late),
            (interval, 16, 3 * 516, None, Late),
            (interval, 16, 3 * 516 + 1, None, Starved),
            (interval, 0, 516, None, OnTime), // no update is shorter than its target
            (interval, 200, 700, None, OnTime),
            (interval, 200, 701, None, Late),
            (interval, 900, 750, None, OnTime),
            (interval, 900, 751, None, Late),
            (interval, 16, 66, Some(50), OnTime),
            (interval, 16, 67, Some(50), Late),
            (interval, 16, 3 * 66 + 1, Some(50), Starved),
            (interval, 16, 67, Some(100), OnTime),
            (eventually, 16, 1048, None, OnTime),
            (eventually, 16, 1049, None, Late),
            (eventually, 16, 98, Some(50), OnTime),
            (eventually, 16, 99, Some(50), Late),
            (Promise::Interval(Nanos::ZERO), 16, 1, None, OnTime), // every update
        ] {
            let mut promises = promises();
            promises.begin_update(promise, MS(delta), FRAME);
            let (punctuality, _) = promises.runs(TASK, MS(waited), own.map(MS));
            assert_eq!(
                punctuality, expected,
                "{promise:?} {delta} {waited} {own:?}"
            );
        }
    }

    #[test]
    fn updates_count_whatever_their_length() {
        for (promise, cases) in [
            (
                Promise::Updates(4),
                &[
                    (4, OnTime),
                    (5, Late),
                    (12, Late),
                    (13, Starved),
                    (1, OnTime),
                ][..],
            ),
            // An interval of zero is every update.
            (Promise::Interval(Nanos::ZERO), &[(1, OnTime), (2, Late)]),
        ] {
            let mut promises = promises();
            for &(updates, expected) in cases {
                (0..updates).for_each(|_| promises.begin_update(promise, FRAME, FRAME));
                let (punctuality, _) = promises.runs(TASK, Nanos::from_secs(9), None);
                assert_eq!(punctuality, expected, "{promise:?} {updates}");
            }
        }
    }

    #[test]
    fn a_wait_begins_with_the_first_request() {
        let mut promises = promises();
        let promise = Promise::Request { updates: 2 };
        promises.begin_update(promise, FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, Nanos::from_secs(99)), OnTime);
        promises.asks(TASK, AT(7), promise);
        promises.begin_update(promise, FRAME, FRAME);
        promises.asks(TASK, AT(23), promise);
        promises.begin_update(promise, FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, Nanos::ZERO), OnTime);
        promises.begin_update(promise, FRAME, FRAME);
        let runs = [0; 2].map(|_| promises.runs(TASK, Nanos::ZERO, None));
        assert_eq!(runs, [(Late, Some(AT(7))), (OnTime, None)]);
    }

    #[test]
    fn the_dead_no_longer_starve() {
        let mut promises = promises();
        let promise = Promise::Request { updates: 1 };
        promises.asks(TASK, AT(0), promise);
        (0..3).for_each(|_| promises.begin_update(promise, FRAME, FRAME));
        assert_eq!(promises.starved_requests().count(), 0);
        promises.begin_update(promise, FRAME, FRAME);
        assert!(promises.starved_requests().eq([2]));
        promises.died(TASK);
        assert_eq!(promises.starved_requests().count(), 0);
    }

    #[test]
    fn waits_restart_when_cleared_or_switched() {
        for begin in [Promises::clear, Promises::switch] {
            let mut promises = promises();
            (0..9).for_each(|_| promises.begin_update(Promise::Updates(2), FRAME, FRAME));
            assert_eq!(promises.punctuality(TASK, Nanos::ZERO), Starved);
            begin(&mut promises);
            assert_eq!(promises.punctuality(TASK, Nanos::ZERO), OnTime);
        }
    }
}
