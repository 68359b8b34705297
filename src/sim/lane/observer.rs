//! The observer of a lane, and the facts that it receives.

use super::FrameRecord;
use crate::sim::disturbance::Disturbance;
use timeslice::scheduler::TaskId;
use timeslice::strategy::Promise;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// Hears of everything that happens in a lane, as it happens.
///
/// A lane is compiled for its observer, so that a call for each run costs no more than its body. `()` observes
/// nothing.
pub trait Observer {
    /// The task's entity is born.
    fn born(&mut self, _task: TaskId) {}

    /// The task's entity dies: the one with the number `entity`, `staleness` after its last run or birth.
    fn died(&mut self, _task: TaskId, _entity: u64, _staleness: Nanos) {}

    /// The task asks for a run at the game time `now`; the strategy promises `promise` from then on.
    fn requested(&mut self, _task: TaskId, _now: GameTime, _promise: Promise) {}

    /// A frame begins at `clock`; the game time is still `now`.
    fn frame_began(&mut self, _clock: ClockTime, _now: GameTime) {}

    /// An update begins.
    fn update_began(&mut self, _update: &UpdateBegun) {}

    /// The task of entity number `entity` runs, `elapsed` after its last run; after its birth if this is its
    /// `first` run.
    fn ran(&mut self, _task: TaskId, _entity: u64, _elapsed: Nanos, _first: bool) {}

    /// The update is over; its tasks took `task_time`.
    fn update_ended(&mut self, _task_time: Nanos) {}

    /// The frame has made all its updates.
    fn updates_ended(&mut self) {}

    /// The frame is over.
    fn frame_ended(&mut self, _ended: &FrameEnded<'_>) {}

    /// Another strategy has taken over. [`Observer::changed`] follows.
    fn strategy_switched(&mut self) {}

    /// Strategy, frame loop, a knob or the display was changed, so figures before and after are not comparable.
    fn changed(&mut self, _clock: ClockTime, _now: GameTime) {}

    /// A disturbance was injected.
    fn disturbed(&mut self, _disturbed: &Disturbed<'_>) {}
}

impl Observer for () {}

/// An update that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdateBegun {
    /// The game time after it.
    pub now: GameTime,
    /// The game time that it advances.
    pub delta: Nanos,
    /// What the strategy promises.
    pub promise: Promise,
    /// The time that it may spend on tasks, for strategies with a budget.
    pub budget: Option<Nanos>,
    /// The length of an update that the frame loop aims at.
    pub step: Nanos,
}

/// A frame that is over.
#[derive(Clone, Copy, Debug)]
pub struct FrameEnded<'a> {
    /// Its record.
    pub record: &'a FrameRecord,
    /// The length that it was to have.
    pub target: Nanos,
    /// The staleness of the stalest entity.
    pub worst_staleness: Nanos,
}

/// A disturbance that was injected.
#[derive(Clone, Copy, Debug)]
pub struct Disturbed<'a> {
    /// Which.
    pub disturbance: Disturbance,
    /// Its label, of two or three words.
    pub name: &'a str,
    /// The number of the first frame after it.
    pub first_frame: u64,
    /// The task that has become heavy, if one has.
    pub heavy: Option<TaskId>,
}
