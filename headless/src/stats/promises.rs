//! Waits of tasks compared with their strategy's promise.

use super::thresholds::{ELASTIC_UPDATES, STARVED_AFTER};
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Promise;
use timeslicer::time::{GameTime, Nanos};

/// Waits of all tasks, in the unit of their strategy's promise ([`Promise`]).
///
/// - [`Promise::Interval`]: the wait is the game time since the last run. The bound is the interval plus the length of
///   one update. Of a long update, only half an interval counts, or the loop's target step if that is longer. So a
///   machine that cannot keep up breaks the promise once its updates are longer than that.
/// - [`Promise::Eventually`]: the same with [`ELASTIC_UPDATES`] updates, because as many as promised are thousands. If the
///   strategy has an elastic clock, the wait is measured by that, so it may be as long as the overload stretches it.
/// - If the strategy wants an interval of its own for a task, that takes the place of the promised interval.
/// - [`Promise::Updates`]: the wait is the number of updates since the last run. The bound is the promised number.
/// - [`Promise::Request`]: the wait is the number of updates since the request. The bound is the number that was
///   promised when the request was made. A task without a request does not wait.
///
/// A birth counts as a run. Each call takes constant time, unless documented otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Promises {
    /// That of the last update; `None` before the first one.
    promise: Option<Promise>,
    /// Length of the update, and the loop's target for it.
    delta: Nanos,
    step: Nanos,
    /// Number of updates that have begun.
    update: u64,
    /// The last update before the figures were cleared; waits count from here.
    from: u64,
    /// By task index.
    waits: Vec<Wait>,
    /// The strategy's elastic clock at the update, if it has one, and when the figures were cleared.
    clock: Option<Nanos>,
    clock_from: Nanos,
    /// The elastic clock at the last run of each task, by task index.
    ran_at: Vec<Nanos>,
}

/// Wait of a task, for promises in numbers of updates. Kept small because waits are accessed in random order.
#[derive(Clone, Copy, Debug)]
struct Wait {
    /// Time of the request; [`NEVER`] without a request.
    asked: GameTime,
    /// Number of the last update before the request; without a request, number of the update of the last run. Its low 32
    /// bits are enough for any wait.
    update: u32,
    /// Promised number of updates after the request.
    within: u32,
}

const NEVER: GameTime = GameTime::MAX;

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

impl Promises {
    /// Begins an update that advances the game by `delta`. `step` is the loop's target for the length of an update, and
    /// `clock` the strategy's elastic clock.
    pub(super) fn begin_update(
        &mut self,
        promise: Promise,
        clock: Option<Nanos>,
        delta: Nanos,
        step: Nanos,
    ) {
        self.update += 1;
        (self.delta, self.step, self.clock) = (delta, step, clock);
        self.promise = Some(match promise {
            Promise::Interval(Nanos::ZERO) => Promise::Updates(1), // an interval of zero means every update
            promise => promise,
        });
    }

    /// Forgets all waits so far.
    pub(super) fn clear(&mut self) {
        self.from = self.update;
        self.clock_from = self.clock.unwrap_or_default();
    }

    /// Switches to another strategy: resets all waits and drops pending requests.
    pub(super) fn switch(&mut self) {
        let none = self.no_request();
        self.waits.fill(none);
        (self.clock, self.clock_from) = (None, Nanos::ZERO);
        self.ran_at.fill(Nanos::ZERO);
    }

    fn no_request(&self) -> Wait {
        Wait {
            asked: NEVER,
            update: self.update as u32,
            within: 0,
        }
    }

    pub(super) fn born(&mut self, task: TaskId) {
        let (index, none) = (task.index as usize, self.no_request());
        if index >= self.waits.len() {
            self.waits.resize(index + 1, none);
            self.ran_at.resize(index + 1, Nanos::ZERO);
        }
        self.waits[index] = none;
        self.ran_at[index] = self.clock.unwrap_or_default();
    }

    /// Records a request at `time` under `promise`. No effect if the task waits already.
    pub(super) fn asks(&mut self, task: TaskId, time: GameTime, promise: Promise) {
        let update = self.update as u32;
        if let Promise::Request { updates } = promise
            && let Some(wait) = self.waits.get_mut(task.index as usize)
            && wait.asked == NEVER
        {
            *wait = Wait {
                asked: time,
                update,
                within: updates as u32,
            };
        }
    }

    /// Returns the punctuality of a task that last ran `stale` ago. An interval that the strategy wanted for this task
    /// takes the place of the promised one.
    pub(super) fn punctuality(
        &self,
        task: TaskId,
        stale: Nanos,
        own_wanted: Option<Nanos>,
    ) -> Punctuality {
        let Some(promise) = self.promise else {
            return Punctuality::OnTime;
        };
        let (interval, updates) = match (promise, own_wanted) {
            (Promise::Eventually { interval, .. }, own) => {
                (own.unwrap_or(interval), ELASTIC_UPDATES)
            }
            (Promise::Interval(interval), own) => (own.unwrap_or(interval), 1),
            (_, Some(own)) => (own, 1),
            (Promise::Updates(updates), None) => return self.in_updates(task, Some(updates)),
            (Promise::Request { .. }, None) => return self.in_updates(task, None),
        };
        let stale = self.clock.map_or(stale, |clock| {
            let ran_at = self.ran_at.get(task.index as usize);
            clock - self.clock_from.max(ran_at.copied().unwrap_or(clock))
        });
        let half = Nanos::from_nanos(interval.as_nanos() / 2);
        let slack = self.delta.min(half).max(self.step);
        let slack = slack.as_nanos().saturating_mul(updates);
        let bound = interval.as_nanos().saturating_add(slack);
        Punctuality::of(stale.as_nanos(), bound)
    }

    /// Compares the wait of a task with this number of updates, or else with the number promised to its request.
    fn in_updates(&self, task: TaskId, promised: Option<usize>) -> Punctuality {
        let Some(wait) = self.waits.get(task.index as usize) else {
            return Punctuality::OnTime;
        };
        let within = match promised {
            None if wait.asked == NEVER => return Punctuality::OnTime,
            None => wait.within.into(),
            Some(updates) => updates as u64,
        };
        let waited = (self.update as u32).wrapping_sub(wait.update);
        Punctuality::of((self.update - self.from).min(waited.into()), within)
    }

    /// Ends the wait of a task that runs or dies. Returns the time of its request if it had one.
    pub(super) fn wait_ended(&mut self, task: TaskId) -> Option<GameTime> {
        let none = self.no_request();
        if let Some(clock) = self.clock
            && let Some(ran_at) = self.ran_at.get_mut(task.index as usize)
        {
            *ran_at = clock;
        }
        if let Some(Promise::Interval(_) | Promise::Eventually { .. }) = self.promise {
            return None; // the wait follows from the time of the last run
        }
        let wait = self.waits.get_mut(task.index as usize)?;
        let asked = std::mem::replace(wait, none).asked;
        (asked != NEVER).then_some(asked)
    }

    /// Returns true if the strategy runs on request.
    pub(super) fn is_on_request(&self) -> bool {
        matches!(self.promise, Some(Promise::Request { .. }))
    }
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
            updates: 9_000,
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
            (eventually, 16, 1064, None, OnTime),
            (eventually, 16, 1065, None, Late),
            (eventually, 16, 114, Some(50), OnTime),
            (eventually, 16, 115, Some(50), Late),
            (Promise::Interval(Nanos::ZERO), 16, 1, None, OnTime), // every update
        ] {
            let mut promises = promises();
            promises.begin_update(promise, None, MS(delta), FRAME);
            let punctuality = promises.punctuality(TASK, MS(waited), own.map(MS));
            assert_eq!(
                punctuality, expected,
                "{promise:?} {delta} {waited} {own:?}"
            );
        }
    }

    #[test]
    fn an_elastic_clock_measures_waits_as_stretched() {
        let promise = Promise::Eventually {
            interval: MS(1000),
            updates: 9_000,
        };
        let mut promises = promises();
        // The clock runs at a twentieth of game time.
        let mut at = |clock_ms| {
            promises.begin_update(promise, Some(MS(clock_ms)), FRAME, FRAME);
            let punctuality = promises.punctuality(TASK, MS(20 * clock_ms), None);
            promises.wait_ended(TASK);
            punctuality
        };
        let waits = [1000, 2064, 3129, 3200, 6400].map(&mut at);
        assert_eq!(waits, [OnTime, OnTime, Late, OnTime, Starved]);
        promises.begin_update(promise, Some(MS(9000)), FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, MS(52_000), None), Late);
        promises.clear();
        promises.begin_update(promise, Some(MS(9900)), FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, MS(70_000), None), OnTime);
        promises.switch();
        promises.begin_update(promise, Some(MS(900)), FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, MS(18_000), None), OnTime);
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
                (0..updates).for_each(|_| promises.begin_update(promise, None, FRAME, FRAME));
                let punctuality = promises.punctuality(TASK, Nanos::from_secs(9), None);
                promises.wait_ended(TASK);
                assert_eq!(punctuality, expected, "{promise:?} {updates}");
            }
        }
    }

    #[test]
    fn a_wait_begins_with_the_first_request() {
        let mut promises = promises();
        let promise = Promise::Request { updates: 2 };
        promises.begin_update(promise, None, FRAME, FRAME);
        assert_eq!(
            promises.punctuality(TASK, Nanos::from_secs(99), None),
            OnTime
        );
        promises.asks(TASK, AT(7), promise);
        promises.begin_update(promise, None, FRAME, FRAME);
        promises.asks(TASK, AT(23), promise);
        promises.begin_update(promise, None, FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, Nanos::ZERO, None), OnTime);
        promises.begin_update(promise, None, FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, Nanos::ZERO, None), Late);
        assert_eq!(
            [promises.wait_ended(TASK), promises.wait_ended(TASK)],
            [Some(AT(7)), None]
        );
        assert_eq!(promises.punctuality(TASK, Nanos::ZERO, None), OnTime);
    }

    #[test]
    fn waits_restart_when_cleared_or_switched() {
        for begin in [Promises::clear, Promises::switch] {
            let mut promises = promises();
            (0..9).for_each(|_| promises.begin_update(Promise::Updates(2), None, FRAME, FRAME));
            assert_eq!(promises.punctuality(TASK, Nanos::ZERO, None), Starved);
            begin(&mut promises);
            assert_eq!(promises.punctuality(TASK, Nanos::ZERO, None), OnTime);
        }
    }
}
