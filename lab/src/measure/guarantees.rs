//! Checks whether tasks wait longer than their strategy guarantees.

use super::thresholds::{ELASTIC_UPDATES, STARVED_AFTER};
use crate::sim::lane::Run;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Guarantee;
use timeslicer::time::{GameTime, Nanos};

/// The current waits of all tasks, each in the unit of the strategy's [`Guarantee`].
///
/// - For [`Guarantee::Interval`], the wait is the game time since the last run. The bound is the interval plus the
///   length of one update. If an update is long, only half an interval is added, or the loop's target step if that is
///   longer. A machine that cannot keep up therefore breaks the guarantee once its updates are longer than that.
/// - For [`Guarantee::Eventually`], the bound is the interval plus [`ELASTIC_UPDATES`] updates, because the guaranteed
///   number of updates is in the thousands. If the strategy has an elastic clock, waits are measured on it, so they may
///   be as long as an overload stretches them.
/// - If the strategy has a desired interval for a task, it replaces the guaranteed interval.
/// - For [`Guarantee::Updates`], the wait is the number of updates since the last run. The bound is the guaranteed
///   number.
/// - For [`Guarantee::Request`], the wait is the number of updates since the request. The bound is the number that was
///   guaranteed when the request was made. A task without a request does not wait.
///
/// A birth counts as a run. Each call takes constant time unless documented otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Guarantees {
    /// The strategy's guarantee in the last update. `None` before the first update.
    guarantee: Option<Guarantee>,
    /// How much game time passes in the current update.
    delta: Nanos,
    /// How much game time should pass in each update, according to the frame loop.
    step: Nanos,
    /// The number of updates that have begun.
    update: u64,
    /// The value of `update` when the metrics were last reset. Waits do not include updates before the reset.
    counted_from: u64,
    /// The time on the strategy's elastic clock, if it has one. An elastic clock slows down during an overload.
    clock: Option<Nanos>,
    /// The time on the elastic clock when the metrics were last reset.
    clock_at_reset: Nanos,
    /// The number of task indices that have been used so far. The lists below have this length, or are empty while they
    /// are not needed.
    indices: usize,
    /// The number of the update in which each task last ran. Only used for [`Guarantee::Updates`]. The low 32 bits of
    /// the number are enough, because no wait lasts 2^32 updates.
    ran_in: Vec<u32>,
    /// The pending request of each task. Only used for [`Guarantee::Request`].
    requests: Vec<Request>,
    /// The time on the elastic clock when each task last ran. Only used if the strategy has an elastic clock.
    ran_at: Vec<Nanos>,
}

/// The pending request of a task. It is kept small, so that many requests fit in the processor's cache.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// The time of the request, or [`NEVER`] if there is none.
    requested_at: GameTime,
    /// The number of the last update before the request. The low 32 bits of the number are enough, because no wait
    /// lasts 2^32 updates.
    update: u32,
    /// The number of updates within which the task must run.
    max_updates: u32,
}

const NEVER: GameTime = GameTime::MAX;

impl Request {
    const NONE: Self = Self {
        requested_at: NEVER,
        update: 0,
        max_updates: 0,
    };
}

/// Whether a wait was longer than guaranteed.
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
    /// Begins an update. `delta` is the game time that passes in it, and `step` is the time that the frame loop
    /// intended. `clock` is the time on the strategy's elastic clock, if it has one.
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

    /// Restarts all waits, so that they are counted from the current update on.
    pub(super) fn clear(&mut self) {
        self.counted_from = self.update;
        self.clock_at_reset = self.clock.unwrap_or_default();
    }

    /// Restarts all waits and discards all pending requests, because the strategy has changed.
    pub(super) fn switch(&mut self) {
        self.requests.fill(Request::NONE);
        self.ran_in.fill(self.update as u32);
        self.ran_at.fill(Nanos::ZERO);
        (self.clock, self.clock_at_reset) = (None, Nanos::ZERO);
    }

    pub(super) fn born(&mut self, task: TaskId) {
        let index = task.index as usize;
        self.indices = self.indices.max(index + 1);
        // A list that does not have the index yet gets it when the next update begins.
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

    /// Records that a task has requested a run at the game time `time`. Does nothing if the task already has a pending
    /// request.
    pub(super) fn asks(&mut self, task: TaskId, time: GameTime, guarantee: Guarantee) {
        let update = self.update as u32;
        let Guarantee::Request { updates } = guarantee else {
            return;
        };
        keep_if(true, &mut self.requests, self.indices, Request::NONE);
        if let Some(request) = self.requests.get_mut(task.index as usize)
            && request.requested_at == NEVER
        {
            *request = Request {
                requested_at: time,
                update,
                max_updates: updates.try_into().unwrap_or(u32::MAX),
            };
        }
    }

    /// Returns whether a task has waited longer than guaranteed. `stale` is the time since the task's last run.
    /// `own_wanted` is the interval that the strategy has chosen for this task. If it is set, it replaces the
    /// guaranteed interval.
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
                let request = request.filter(|request| request.requested_at != NEVER);
                return request.map_or(Lateness::OnTime, |request| {
                    self.in_updates(request.update, request.max_updates.into())
                });
            }
        };
        let stale = self.clock.map_or(stale, |clock| {
            let ran_at = self.ran_at.get(task.index as usize);
            let since = self.clock_at_reset.max(ran_at.copied().unwrap_or(clock));
            clock.saturating_sub(since)
        });
        let half = Nanos::from_nanos(interval.as_nanos() / 2);
        let slack = self.delta.min(half).max(self.step);
        let slack = slack.as_nanos().saturating_mul(updates);
        let bound = interval.as_nanos().saturating_add(slack);
        Lateness::of(stale.as_nanos(), bound)
    }

    /// Returns whether a wait since the update `start_update` is longer than `max_updates` updates. Updates before the
    /// last reset do not count.
    #[inline]
    fn in_updates(&self, start_update: u32, max_updates: u64) -> Lateness {
        let waited = (self.update as u32).wrapping_sub(start_update);
        Lateness::of(
            (self.update - self.counted_from).min(waited.into()),
            max_updates,
        )
    }

    /// Ends the wait of a task that has run or died. Returns the time of its request if it had one.
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
        let requested_at = std::mem::replace(request, Request::NONE).requested_at;
        (requested_at != NEVER).then_some(requested_at)
    }

    /// Ends the waits of tasks that have run together, if a quick check shows that all of these tasks were on time.
    /// Returns true in this case. Otherwise, changes nothing and returns false, so the caller must check each task
    /// separately.
    ///
    /// `stale` is the time since the previous run, which is the same for all of these tasks. The strategy must not have
    /// chosen an interval for any of them.
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

    pub(super) fn is_on_request(&self) -> bool {
        matches!(self.guarantee, Some(Guarantee::Request { .. }))
    }
}

/// Keeps `list` only while it is needed. If it is needed, appends copies of `new` until it has `entries` elements. If
/// it is not needed, empties it.
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
        // Each case has the update length, the wait, and the interval that the strategy wanted for the task.
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
        // The clock runs at a twentieth of the speed of game time.
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
            // An interval of zero means every update.
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
