//! What the strategy promises, and whether each task gets it.

use super::thresholds::STARVED_AFTER;
use timeslice::scheduler::TaskId;
use timeslice::strategy::Promise;
use timeslice::time::{GameTime, Nanos};

/// Since when each task waits, counted as its strategy's promise ([`Promise`]) counts it.
///
/// - [`Promise::Interval`]: in game time since the last run. The bound is the interval and the update that is due,
///   but no more than half an interval of it, or than the update that the loop aims at: where the machine cannot
///   keep up and updates grow beyond that, the promise is missed.
/// - [`Promise::Updates`]: in updates since the last run. The bound is that many.
/// - [`Promise::Request`]: in updates since the request. The bound is what was promised when it was made; who
///   does not ask does not wait.
///
/// A birth counts as a run. Each call takes constant time, unless its documentation says otherwise.
#[derive(Clone, Debug)]
pub(super) struct Promises {
    wait: Promise,
    /// How long a run may be due: as much of an update as counts.
    slack: Nanos,
    /// How many updates have begun.
    update: u64,
    /// Waits count from here on: the update that had begun last when the figures were cleared.
    from: u64,
    /// In which update a task last ran or was born, by its index: kept for promises that count updates.
    ran: Vec<u64>,
    /// The requests that wait, by task index.
    asked: Vec<Request>,
}

/// Small, since as many as ask in an update are looked at in no order.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// [`NEVER`] if the task does not ask.
    time: GameTime,
    /// The update that had begun last: its last 32 bits, which outlast any wait.
    update: u32,
    within: u32,
}

const NEVER: GameTime = GameTime::MAX;
const NO_REQUEST: Request = Request {
    time: NEVER,
    update: 0,
    within: 0,
};

/// How a wait compares to what was promised.
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
    pub(super) fn new() -> Self {
        Self {
            wait: Promise::Updates(1),
            slack: Nanos::ZERO,
            update: 0,
            from: 0,
            ran: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// An update of `delta` begins; the loop aims at updates of `step`.
    pub(super) fn begin_update(&mut self, wait: Promise, delta: Nanos, step: Nanos) {
        self.update += 1;
        if let Promise::Interval(interval) = wait {
            let half = Nanos::from_nanos(interval.as_nanos() / 2);
            self.slack = delta.min(half).max(step);
        }
        self.wait = match wait {
            Promise::Interval(Nanos::ZERO) => Promise::Updates(1), // no interval is every update
            wait => wait,
        };
    }

    /// What came before this moment does not count.
    pub(super) fn clear(&mut self) {
        self.from = self.update;
    }

    /// Another strategy takes over: its promises begin now, and nobody has asked it for anything.
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

    /// A task asks at `time`, and `promise` says within which time it is to run. No change if it waits already.
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

    /// Whether the task, last run `stale` ago, has been kept waiting.
    pub(super) fn punctuality(&self, task: TaskId, stale: Nanos) -> Punctuality {
        let index = task.index as usize;
        match self.wait {
            Promise::Interval(interval) => {
                Punctuality::of(stale.as_nanos(), (interval + self.slack).as_nanos())
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

    /// The task runs, `stale` after its last run. Returns how it was kept waiting, and when it had asked.
    pub(super) fn runs(&mut self, task: TaskId, stale: Nanos) -> (Punctuality, Option<GameTime>) {
        let kept = self.punctuality(task, stale);
        let index = task.index as usize;
        let asked = match self.wait {
            Promise::Interval(_) => None,
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

    /// Whether the strategy promises to serve requests.
    pub(super) fn is_of_requests(&self) -> bool {
        matches!(self.wait, Promise::Request { .. })
    }

    /// The indices of tasks whose requests are starved. Looks at every request.
    pub(super) fn starved_requests(&self) -> impl Iterator<Item = u32> {
        let starved = |asked: &Request| self.punctuality_of_request(asked) == Punctuality::Starved;
        let all = (0..).zip(&self.asked);
        all.filter_map(move |(index, asked)| starved(asked).then_some(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: TaskId = TaskId {
        index: 2,
        generation: 0,
    };
    const FRAME: Nanos = Nanos::from_millis(16);
    const MS: fn(u64) -> Nanos = Nanos::from_millis;
    const AT: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));

    fn promises() -> Promises {
        let mut promises = Promises::new();
        promises.born(TASK);
        promises
    }

    #[test]
    fn an_interval_is_kept_up_to_one_update_later_and_starves_after_three_times_that() {
        let mut promises = promises();
        promises.begin_update(Promise::Interval(MS(500)), FRAME, FRAME);
        for (waited, kept) in [
            (500, Punctuality::OnTime),
            (516, Punctuality::OnTime),
            (517, Punctuality::Late),
            (3 * 516, Punctuality::Late),
            (3 * 516 + 1, Punctuality::Starved),
        ] {
            assert_eq!(promises.runs(TASK, MS(waited)), (kept, None), "{waited}");
        }
    }

    #[test]
    fn of_a_long_update_half_an_interval_counts() {
        let mut promises = promises();
        let mut kept = |delta, waited| {
            promises.begin_update(Promise::Interval(MS(500)), MS(delta), FRAME);
            promises.punctuality(TASK, MS(waited))
        };
        assert_eq!(kept(0, 516), Punctuality::OnTime);
        assert_eq!(kept(200, 700), Punctuality::OnTime);
        assert_eq!(kept(200, 701), Punctuality::Late);
        assert_eq!(kept(900, 750), Punctuality::OnTime);
        assert_eq!(kept(900, 751), Punctuality::Late);
    }

    #[test]
    fn updates_are_counted_however_long_they_are() {
        let mut promises = promises();
        let mut wait = |updates| {
            for _ in 0..updates {
                promises.begin_update(Promise::Updates(4), FRAME, FRAME);
            }
            promises.runs(TASK, Nanos::from_secs(9)).0
        };
        let kept = [4, 5, 12, 13, 1].map(&mut wait);
        let late = Punctuality::Late;
        assert_eq!(
            kept,
            [
                Punctuality::OnTime,
                late,
                late,
                Punctuality::Starved,
                Punctuality::OnTime
            ]
        );
    }

    #[test]
    fn an_interval_of_zero_is_every_update() {
        let mut promises = promises();
        let mut update = || promises.begin_update(Promise::Interval(Nanos::ZERO), FRAME, FRAME);
        update();
        update();
        assert_eq!(promises.runs(TASK, MS(1)).0, Punctuality::Late);
    }

    #[test]
    fn a_request_counts_from_the_first_time_of_asking_and_none_waits_for_nothing() {
        let mut promises = promises();
        let promise = Promise::Request { updates: 2 };
        promises.begin_update(promise, FRAME, FRAME);
        assert_eq!(
            promises.punctuality(TASK, Nanos::from_secs(99)),
            Punctuality::OnTime
        );
        promises.asks(TASK, AT(7), promise);
        promises.begin_update(promise, FRAME, FRAME);
        promises.asks(TASK, AT(23), promise);
        promises.begin_update(promise, FRAME, FRAME);
        assert_eq!(promises.punctuality(TASK, Nanos::ZERO), Punctuality::OnTime);
        promises.begin_update(promise, FRAME, FRAME);
        assert_eq!(
            promises.runs(TASK, Nanos::ZERO),
            (Punctuality::Late, Some(AT(7)))
        );
        assert_eq!(
            promises.runs(TASK, Nanos::ZERO),
            (Punctuality::OnTime, None)
        );
    }

    #[test]
    fn starved_requests_are_found_and_the_dead_wait_no_more() {
        let mut promises = promises();
        let promise = Promise::Request { updates: 1 };
        promises.asks(TASK, AT(0), promise);
        (0..3).for_each(|_| promises.begin_update(promise, FRAME, FRAME));
        assert_eq!(promises.starved_requests().count(), 0);
        promises.begin_update(promise, FRAME, FRAME);
        assert_eq!(promises.starved_requests().collect::<Vec<_>>(), [2]);
        promises.died(TASK);
        assert_eq!(promises.starved_requests().count(), 0);
    }

    #[test]
    fn waits_begin_anew_when_cleared_or_under_another_strategy() {
        for begin in [Promises::clear, Promises::switch] {
            let mut promises = promises();
            (0..9).for_each(|_| promises.begin_update(Promise::Updates(2), FRAME, FRAME));
            assert_eq!(
                promises.punctuality(TASK, Nanos::ZERO),
                Punctuality::Starved
            );
            begin(&mut promises);
            assert_eq!(promises.punctuality(TASK, Nanos::ZERO), Punctuality::OnTime);
        }
    }
}
