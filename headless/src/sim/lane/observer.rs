//! Observer of a lane, and the data that it receives.

use super::{FrameRecord, Run};
use crate::sim::disturbance::Disturbance;
use crate::sim::world::Weights;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::strategy::Promise;
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Receives every event in a lane as it happens.
///
/// A lane is compiled for its observer, so calling a method costs no more than the method's body. `()` observes
/// nothing.
pub trait Observer {
    /// Called when the task's entity is born. `weights` are the weights of all entities at that time.
    fn born(&mut self, _task: TaskId, _weights: &Weights) {}

    /// Called when the task's entity dies. `entity` is its number; `staleness` is the time since its last run, or since
    /// its birth if it never ran. `weights` are the weights of all entities at that time.
    fn died(&mut self, _task: TaskId, _entity: u64, _staleness: Nanos, _weights: &Weights) {}

    /// Called before an update if the rule of the weights, the places or a resting target have changed. `tasks` are
    /// those that live at the game time `now`.
    fn reweighed(&mut self, _tasks: &Tasks, _weights: &Weights, _now: GameTime) {}

    /// Called when the task requests a run at the game time `now`. `promise` is the strategy's promise for this
    /// request.
    fn requested(&mut self, _task: TaskId, _now: GameTime, _promise: Promise) {}

    /// Called when a frame begins at `clock`, with the game time still at `now`.
    fn frame_began(&mut self, _clock: ClockTime, _now: GameTime) {}

    /// Called when an update advances the game time by `delta`. Births and deaths of the update follow.
    fn time_advanced(&mut self, _delta: Nanos) {}

    /// Called when an update begins to run tasks, after its births and deaths.
    fn update_began(&mut self, _update: &UpdateBegun) {}

    /// Called just before a task may run, if the strategy wanted it to run `interval` after its last run.
    fn wanted(&mut self, _task: TaskId, _interval: Nanos) {}

    /// Called when a task runs. `weights` are the weights of all entities in this update.
    fn ran(&mut self, _run: &Run, _weights: &Weights) {}

    /// Called when the update is over; its tasks took `task_time`.
    fn update_ended(&mut self, _task_time: Nanos) {}

    /// Called when the frame has made all its updates. The stalest entity is given with its staleness.
    fn updates_ended(&mut self, _stalest: Option<(TaskId, Nanos)>) {}

    /// Called when the frame is over.
    fn frame_ended(&mut self, _ended: &FrameEnded<'_>) {}

    /// Called when the strategy was replaced. [`Observer::changed`] follows.
    fn strategy_switched(&mut self) {}

    /// Called when something changed that makes figures before and after incomparable: strategy, frame loop, a knob,
    /// the display, the cost of a task, or whether and where the target rests.
    fn changed(&mut self, _clock: ClockTime, _now: GameTime) {}

    /// Called when a disturbance was injected.
    fn disturbed(&mut self, _disturbed: &Disturbed<'_>) {}
}

impl Observer for () {}

/// Start of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdateBegun {
    /// Game time after the update.
    pub now: GameTime,
    /// Game time that the update advances.
    pub delta: Nanos,
    /// Promise of the strategy.
    pub promise: Promise,
    /// Wanted time between two runs of a task, if it is the same for all tasks.
    pub wanted: Option<Nanos>,
    /// Time that the update may spend on tasks; `None` if the strategy has no budget.
    pub budget: Option<Nanos>,
    /// Game time per update that the frame loop aims at.
    pub step: Nanos,
}

/// End of a frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameEnded<'a> {
    /// Record of the frame.
    pub record: &'a FrameRecord,
    /// Target length of the frame.
    pub target: Nanos,
    /// Staleness of the stalest entity.
    pub worst_staleness: Nanos,
}

/// Injected disturbance.
#[derive(Clone, Copy, Debug)]
pub struct Disturbed<'a> {
    /// Its kind.
    pub disturbance: Disturbance,
    /// Label of two or three words.
    pub name: &'a str,
    /// Number of the first frame after it.
    pub first_frame: u64,
    /// Task that became heavy, if any.
    pub heavy: Option<TaskId>,
}
