//! Waits of tasks compared with their strategy's guarantee.

use super::thresholds::{ELASTIC_UPDATES, STARVED_AFTER};
use crate::sim::lane::Run;
use std::hint::black_box;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Guarantee;
use timeslicer::time::{GameTime, Nanos};

/// Waits of all tasks, in the unit of their strategy's guarantee ([`Guarantee`]).
///
/// - [`Guarantee::Interval`]: the wait is the game time since the last run. The bound is the interval plus the length of
///   one update. Of a long update, only half an interval counts, or the loop's target step if that is longer. So a
///   machine that cannot keep up breaks the guarantee once its updates are longer than that.
/// - [`Guarantee::Eventually`]: the same with [`ELASTIC_UPDATES`] updates, because as many as guaranteed are thousands. If the
///   strategy has an elastic clock, the wait is measured by that, so it may be as long as the overload stretches it.
/// - If the strategy wants an interval of its own for a task, that takes the place of the guaranteed interval.
/// - [`Guarantee::Updates`]: the wait is the number of updates since the last run. The bound is the guaranteed number.
/// - [`Guarantee::Request`]: the wait is the number of updates since the request. The bound is the number that was
///   guaranteed when the request was made. A task without a request does not wait.
///
/// A birth counts as a run. Each call takes constant time, unless documented otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Guarantees {
    /// That of the last update; `None` before the first one.
    guarantee: Option<Guarantee>,
    /// Length of the update, and the loop's target for it.
    delta: Nanos,
    step: Nanos,
    /// Number of updates that have begun.
    update: u64,
    /// The last update before the figures were cleared; waits count from here.
    from: u64,
    /// The strategy's elastic clock at the update, if it has one, and when the figures were cleared.
    clock: Option<Nanos>,
    clock_from: Nanos,
    /// Number of task indices that have been in use. Each of the following lists has an entry for each index while the
    /// guarantee needs it, and is empty otherwise.
    indices: usize,
    /// For a number of updates: number of the update of the last run. Its low 32 bits are enough for any wait.
    ran_in: Vec<u32>,
    /// For requests.
    requests: Vec<Request>,
    /// For an elastic clock: its time at the last run.
    ran_at: Vec<Nanos>,
}

/// Request of a task. Kept small because requests are accessed in random order.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// Time of the request; [`NEVER`] without a request.
    asked: GameTime,
    /// Number of the last update before the request. Its low 32 bits are enough for any wait.
    update: u32,
    /// Promised number of updates after the request.
    within: u32,
}

const NEVER: GameTime = GameTime::MAX;

impl Request {
    const NONE: Self = Self {
        asked: NEVER,
        update: 0,
        within: 0,
    };
}

/// A wait compared with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lateness {
    OnTime,
    Late,
    Starved,
}

impl Lateness {
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

impl Guarantees {
    /// Begins an update that advances the game by `delta`. `step` is the loop's target for the length of an update, and
    /// `clock` the strategy's elastic clock.
    pub(super) fn begin_update(
        &mut self,
        guarantee: Guarantee,
        clock: Option<Nanos>,
        delta: Nanos,
        step: Nanos,
    ) {
        let guarantee = match guarantee {
            Guarantee::Interval(Nanos::ZERO) => Guarantee::Updates(1), // an interval of zero means every update
            guarantee => guarantee,
        };
        self.guarantee = Some(guarantee);
        let is_request = matches!(guarantee, Guarantee::Request { .. });
        keep_if(is_request, &mut self.requests, self.indices, Request::NONE);
        let is_updates = matches!(guarantee, Guarantee::Updates(_));
        let update = self.update as u32;
        keep_if(is_updates, &mut self.ran_in, self.indices, update);
        keep_if(clock.is_some(), &mut self.ran_at, self.indices, Nanos::ZERO);
        self.update += 1;
        (self.delta, self.step, self.clock) = (delta, step, clock);
    }

    /// Forgets all waits so far.
    pub(super) fn clear(&mut self) {
        self.from = self.update;
        self.clock_from = self.clock.unwrap_or_default();
    }

    /// Switches to another strategy: resets all waits and drops pending requests.
    pub(super) fn switch(&mut self) {
        self.requests.fill(Request::NONE);
        self.ran_in.fill(self.update as u32);
        self.ran_at.fill(Nanos::ZERO);
        (self.clock, self.clock_from) = (None, Nanos::ZERO);
    }

    pub(super) fn born(&mut self, task: TaskId) {
        let index = task.index as usize;
        self.indices = self.indices.max(index + 1);
        // A list without the index gets it when the update begins.
        if let Some(request) = self.requests.get_mut(index) {
            *request = Request::NONE;
        }
        if let Some(ran_in) = self.ran_in.get_mut(index) {
            *ran_in = self.update as u32;
        }
        if let Some(ran_at) = self.ran_at.get_mut(index) {
            *ran_at = self.clock.unwrap_or_default();
        }
    }

    /// Records a request at `time` under `guarantee`. No effect if the task waits already.
    pub(super) fn asks(&mut self, task: TaskId, time: GameTime, guarantee: Guarantee) {
        let update = self.update as u32;
        let Guarantee::Request { updates } = guarantee else {
            return;
        };
        keep_if(true, &mut self.requests, self.indices, Request::NONE);
        if let Some(request) = self.requests.get_mut(task.index as usize)
            && request.asked == NEVER
        {
            *request = Request {
                asked: time,
                update,
                within: updates as u32,
            };
        }
    }

    /// Returns the lateness of a task that last ran `stale` ago. An interval that the strategy wanted for this task
    /// takes the place of the guaranteed one.
    pub(super) fn lateness(
        &self,
        task: TaskId,
        stale: Nanos,
        own_wanted: Option<Nanos>,
    ) -> Lateness {
        let Some(guarantee) = self.guarantee else {
            return Lateness::OnTime;
        };
        let (interval, updates) = match (guarantee, own_wanted) {
            (Guarantee::Eventually { interval, .. }, own) => {
                (own.unwrap_or(interval), ELASTIC_UPDATES)
            }
            (Guarantee::Interval(interval), own) => (own.unwrap_or(interval), 1),
            (_, Some(own)) => (own, 1),
            (Guarantee::Updates(updates), None) => {
                let ran_in = self.ran_in.get(task.index as usize);
                return ran_in.map_or(Lateness::OnTime, |&ran_in| {
                    self.in_updates(ran_in, updates as u64)
                });
            }
            (Guarantee::Request { .. }, None) => {
                let request = self.requests.get(task.index as usize);
                let request = request.filter(|request| request.asked != NEVER);
                return request.map_or(Lateness::OnTime, |request| {
                    self.in_updates(request.update, request.within.into())
                });
            }
        };
        let stale = self.clock.map_or(stale, |clock| {
            let ran_at = self.ran_at.get(task.index as usize);
            clock - self.clock_from.max(ran_at.copied().unwrap_or(clock))
        });
        let half = Nanos::from_nanos(interval.as_nanos() / 2);
        let slack = self.delta.min(half).max(self.step);
        let slack = slack.as_nanos().saturating_mul(updates);
        let bound = interval.as_nanos().saturating_add(slack);
        Lateness::of(stale.as_nanos(), bound)
    }

    /// Compares a wait that began in the update `since` with a number of updates.
    #[inline]
    fn in_updates(&self, since: u32, within: u64) -> Lateness {
        let waited = (self.update as u32).wrapping_sub(since);
        Lateness::of((self.update - self.from).min(waited.into()), within)
    }

    /// Ends the wait of a task that runs or dies. Returns the time of its request if it had one.
    #[inline]
    pub(super) fn wait_ended(&mut self, task: TaskId) -> Option<GameTime> {
        let index = task.index as usize;
        if let Some(clock) = self.clock
            && let Some(ran_at) = self.ran_at.get_mut(index)
        {
            *ran_at = clock;
        }
        if let Some(ran_in) = self.ran_in.get_mut(index) {
            *ran_in = self.update as u32;
        }
        let request = self.requests.get_mut(index)?;
        let asked = std::mem::replace(request, Request::NONE).asked;
        (asked != NEVER).then_some(asked)
    }

    /// Ends the waits of tasks that run, and last ran `stale` ago, if all of them are on time and have made no requests.
    /// Otherwise does nothing and returns false. Applies only to tasks for which the strategy wanted no interval of their own.
    #[inline]
    pub(super) fn all_ended_on_time(&mut self, runs: &[Run], stale: Nanos) -> bool {
        match self.guarantee {
            _ if self.clock.is_some() => false,
            Some(Guarantee::Interval(_) | Guarantee::Eventually { .. }) => runs
                .first()
                .is_none_or(|run| self.lateness(run.task, stale, None) == Lateness::OnTime),
            Some(Guarantee::Updates(updates)) => {
                let index = |run: &Run| run.task.index as usize;
                let (now, ran_in) = (self.update as u32, &mut self.ran_in);
                let longest = runs.iter().map(|run| now.wrapping_sub(ran_in[index(run)]));
                let longest = u64::from(longest.max().unwrap_or_default());
                let is_on_time = longest <= updates as u64;
                if is_on_time {
                    for run in runs {
                        ran_in[index(run)] = now;
                    }
                }
                is_on_time
            }
            Some(Guarantee::Request { .. }) | None => false,
        }
    }

    /// Reads the requests of tasks that are about to end their waits. They are at random places, and are fetched from
    /// memory at the same time if nothing else is done for a task before the next one.
    #[inline]
    pub(super) fn fetch(&self, runs: &[Run]) {
        if self.is_on_request() {
            let request = |run: &Run| self.requests.get(run.task.index as usize);
            let updates = runs
                .iter()
                .filter_map(request)
                .map(|request| request.update);
            black_box(updates.fold(0, u32::wrapping_add));
        }
    }

    /// Returns true if the strategy runs on request.
    pub(super) fn is_on_request(&self) -> bool {
        matches!(self.guarantee, Some(Guarantee::Request { .. }))
    }
}

/// Gives `list` so many entries, new ones with the value `new`, if it is needed. Otherwise removes all.
fn keep_if<T: Clone>(is_needed: bool, list: &mut Vec<T>, entries: usize, new: T) {
    if !is_needed {
        *list = Vec::new();
    } else if list.len() < entries {
        list.resize(entries, new);
    }
}

#[cfg(test)]
mod tests {
    use super::Lateness::{Late, OnTime, Starved};
    use super::*;

    const TASK: TaskId = TaskId {
        index: 2,
        generation: 0,
    };
    const FRAME: Nanos = Nanos::from_millis(16);
    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const AT: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));

    fn guarantees() -> Guarantees {
        let mut guarantees = Guarantees::default();
        guarantees.born(TASK);
        guarantees
    }

    #[test]
    fn an_interval_may_be_exceeded_by_updates_of_half_an_interval_at_most() {
        let interval = Guarantee::Interval(MS(500));
        let eventually = Guarantee::Eventually {
            interval: MS(1000),
            updates: 9_000,
        };
        // Length of the update, wait, and the interval that the strategy wanted for the task itself.
        for (guarantee, delta, waited, own, expected) in [
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
            (Guarantee::Interval(Nanos::ZERO), 16, 1, None, OnTime), // every update
        ] {
            let mut guarantees = guarantees();
            guarantees.begin_update(guarantee, None, MS(delta), FRAME);
            let lateness = guarantees.lateness(TASK, MS(waited), own.map(MS));
            assert_eq!(lateness, expected, "{guarantee:?} {delta} {waited} {own:?}");
        }
    }

    #[test]
    fn an_elastic_clock_measures_waits_as_stretched() {
        let guarantee = Guarantee::Eventually {
            interval: MS(1000),
            updates: 9_000,
        };
        let mut guarantees = guarantees();
        // The clock runs at a twentieth of game time.
        let mut at = |clock_ms| {
            guarantees.begin_update(guarantee, Some(MS(clock_ms)), FRAME, FRAME);
            let lateness = guarantees.lateness(TASK, MS(20 * clock_ms), None);
            guarantees.wait_ended(TASK);
            lateness
        };
        let waits = [1000, 2064, 3129, 3200, 6400].map(&mut at);
        assert_eq!(waits, [OnTime, OnTime, Late, OnTime, Starved]);
        guarantees.begin_update(guarantee, Some(MS(9000)), FRAME, FRAME);
        assert_eq!(guarantees.lateness(TASK, MS(52_000), None), Late);
        guarantees.clear();
        guarantees.begin_update(guarantee, Some(MS(9900)), FRAME, FRAME);
        assert_eq!(guarantees.lateness(TASK, MS(70_000), None), OnTime);
        guarantees.switch();
        guarantees.begin_update(guarantee, Some(MS(900)), FRAME, FRAME);
        assert_eq!(guarantees.lateness(TASK, MS(18_000), None), OnTime);
    }

    #[test]
    fn updates_count_whatever_their_length() {
        for (guarantee, cases) in [
            (
                Guarantee::Updates(4),
                &[
                    (4, OnTime),
                    (5, Late),
                    (12, Late),
                    (13, Starved),
                    (1, OnTime),
                ][..],
            ),
            // An interval of zero is every update.
            (Guarantee::Interval(Nanos::ZERO), &[(1, OnTime), (2, Late)]),
        ] {
            let mut guarantees = guarantees();
            for &(updates, expected) in cases {
                (0..updates).for_each(|_| guarantees.begin_update(guarantee, None, FRAME, FRAME));
                let lateness = guarantees.lateness(TASK, Nanos::from_secs(9), None);
                guarantees.wait_ended(TASK);
                assert_eq!(lateness, expected, "{guarantee:?} {updates}");
            }
        }
    }

    #[test]
    fn a_wait_begins_with_the_first_request() {
        let mut guarantees = guarantees();
        let guarantee = Guarantee::Request { updates: 2 };
        guarantees.begin_update(guarantee, None, FRAME, FRAME);
        assert_eq!(
            guarantees.lateness(TASK, Nanos::from_secs(99), None),
            OnTime
        );
        guarantees.asks(TASK, AT(7), guarantee);
        guarantees.begin_update(guarantee, None, FRAME, FRAME);
        guarantees.asks(TASK, AT(23), guarantee);
        guarantees.begin_update(guarantee, None, FRAME, FRAME);
        assert_eq!(guarantees.lateness(TASK, Nanos::ZERO, None), OnTime);
        guarantees.begin_update(guarantee, None, FRAME, FRAME);
        assert_eq!(guarantees.lateness(TASK, Nanos::ZERO, None), Late);
        assert_eq!(
            [guarantees.wait_ended(TASK), guarantees.wait_ended(TASK)],
            [Some(AT(7)), None]
        );
        assert_eq!(guarantees.lateness(TASK, Nanos::ZERO, None), OnTime);
    }

    #[test]
    fn waits_restart_when_cleared_or_switched() {
        for begin in [Guarantees::clear, Guarantees::switch] {
            let mut guarantees = guarantees();
            (0..9).for_each(|_| guarantees.begin_update(Guarantee::Updates(2), None, FRAME, FRAME));
            assert_eq!(guarantees.lateness(TASK, Nanos::ZERO, None), Starved);
            begin(&mut guarantees);
            assert_eq!(guarantees.lateness(TASK, Nanos::ZERO, None), OnTime);
        }
    }
}
