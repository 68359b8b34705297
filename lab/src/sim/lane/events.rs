//! The records that a lane keeps of its frames, updates and task runs, and the observer to which it reports events.

use super::disturbance::Effect;
use crate::catalog::strategy::Inspect;
use crate::sim::world::{Crowd, Point, Weights, World};
use fixedbitset::FixedBitSet;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Receives every event in a lane as it happens. The observer `()` ignores all events.
///
/// A lane is generic over its observer, so the compiler can inline the methods. A method that does nothing takes no
/// time.
pub trait Observer {
    /// Called when the task's entity is born. `weights` gives the weights of all entities at that time.
    fn born(&mut self, _task: TaskId, _weights: &Weights) {}

    /// Called when the task's entity dies. `staleness` is the time since its last run, or since its birth if it never
    /// ran. `weights` gives the weights of all entities at that time.
    fn died(&mut self, _task: TaskId, _staleness: Nanos, _weights: &Weights) {}

    /// Called before an update if the weights of all entities have changed. Changes due to the motion of the target are
    /// not reported. `tasks` contains all tasks that are alive at the game time `now`.
    fn reweighed(&mut self, _tasks: &Tasks, _weights: &Weights, _now: GameTime) {}

    /// Called when a task has requested a run. The request was made at game time `requested_at`, which is after the
    /// previous update. Only called if the strategy runs tasks on request.
    fn requested(&mut self, _task: TaskId, _requested_at: GameTime) {}

    /// Called when a frame begins. `clock` is the time on the machine's clock, and `now` is the game time before the
    /// updates of the frame.
    fn frame_began(&mut self, _clock: ClockTime, _now: GameTime) {}

    fn time_advanced(&mut self, _delta: Nanos) {}

    /// Called when an update begins to run tasks, after births and deaths. `delta` is the game time that passes in this
    /// update.
    fn update_began(&mut self, _strategy: &dyn Inspect, _delta: Nanos) {}

    /// Called each time some tasks have run, which can happen several times per update. The runs are in the order of
    /// their execution. `weights` contains the weights of all entities in this update.
    fn ran(&mut self, _runs: &[Run], _crowd: &Crowd, _weights: &Weights) {}

    /// Called when an update has ended. `task_time` is the time that its tasks took. If this time is longer than
    /// `budget`, the update counts as an overrun. `is_clock_exact` is true only on a simulated machine.
    fn update_ended(&mut self, _task_time: Nanos, _budget: Nanos, _is_clock_exact: bool) {}

    /// Called when all updates of a frame have ended, with the stalest entity and its staleness. `speed` is the speed
    /// of the machine.
    fn updates_ended(&mut self, _stalest: Option<(TaskId, Nanos)>, _world: &World, _speed: f64) {}

    /// Called when a frame has ended. `target` is the frame length that the frame loop aims for.
    fn frame_ended(&mut self, _frame: &FrameRecord, _target: Nanos) {}

    /// Called when the strategy has been replaced. [`Observer::changed`] is called next.
    fn strategy_switched(&mut self) {}

    /// Called when a change, such as a new strategy or a new knob value, makes earlier metrics incomparable with later
    /// ones.
    fn changed(&mut self, _clock: ClockTime, _now: GameTime) {}

    /// Called when a disturbance has been injected. `name` is a short label, `first_frame` is the number of the next
    /// frame, and `heavy` is the task that has become expensive, if any. `effect` is `None` if the disturbance only undid
    /// an earlier one, or killed all entities.
    fn disturbed(
        &mut self,
        _name: &str,
        _first_frame: u64,
        _effect: Option<Effect>,
        _heavy: Option<TaskId>,
        _is_scheduled: bool,
    ) {
    }
}

impl Observer for () {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub task: TaskId,
    /// The number of the entity. Entities are numbered in the order of their births.
    pub entity: u64,
    pub time: GameTime,
    /// The game time since the task's previous run, or since the entity's birth if this is the first run.
    pub elapsed: Nanos,
    /// Whether this is the first run of the entity's task.
    pub first: bool,
    pub took: Nanos,
}

/// The record of an update. The strategy did its scheduling work between the task runs, but only the total time of this
/// work is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The time on the machine's clock when the update started.
    pub start: ClockTime,
    /// The game time after the update.
    pub time: GameTime,
    pub target: Point,
    pub delta: Nanos,
    pub runs_before: usize,
    pub runs: usize,
    pub task_time: Nanos,
    pub scheduling: Nanos,
}

/// The record of a frame. Its four parts (tasks, scheduling, drawing and waiting) add up to its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRecord {
    pub number: u64,
    /// The time on the machine's clock when the frame started.
    pub start: ClockTime,
    /// The time from the start of the previous frame to the start of this frame, as the game read it from its clock.
    pub delta: Nanos,
    pub updates: u32,
    /// The game time that passes in an update. Set even if the frame has no updates.
    pub step: Nanos,
    /// The game time after the frame's updates.
    pub now: GameTime,
    /// How much real time the frame loop still had to simulate after the frame's updates.
    pub debt: Nanos,
    /// How much real time the frame loop dropped in this frame. The game will never simulate it.
    pub debt_dropped: Nanos,
    pub runs: u32,
    pub backlog: usize,
    /// Whether the machine ran out of time before all due tasks had run. The remaining tasks are counted in the
    /// backlog.
    pub stopped: bool,
    pub task_time: Nanos,
    /// The time that the strategy has spent in this frame on births, deaths, requests, choosing tasks and recording
    /// their runs.
    pub scheduling: Nanos,
    /// The time spent on drawing the frame, advancing the world and measuring, added up.
    pub drawing: Nanos,
    /// How long the frame waited for the display or for a deadline, including any injected stall.
    pub waiting: Nanos,
    /// The length of the whole frame, from its start to the start of the next frame.
    pub length: Nanos,
    pub stall: Nanos,
    /// If the frame is longer than this, without any injected stall, it is a hitch.
    pub hitch_above: Nanos,
    pub is_disturbed: bool,
    /// The fraction of entities, from 0 to 1, that look in the wrong direction after the updates of the frame. `None`
    /// if there are no entities, or if this fraction is not measured.
    pub looking_wrong: Option<f64>,
    /// How far the rendered frame is ahead of the last update, as a fraction of `step`. Positive if the frame is
    /// extrapolated, and negative if it is interpolated between the last two updates.
    pub alpha: f64,
    /// The time on the machine's clock for which the frame is drawn. This is the start of the frame, unless the frame
    /// loop reads the clock again after its updates.
    pub drawn_for: ClockTime,
    /// How far the rendered frame lags behind `drawn_for`. Zero if the frame is extrapolated.
    pub late: Nanos,
    /// How far the game is behind the machine's clock. Later frames can catch up.
    pub lag: Nanos,
}

impl FrameRecord {
    /// Returns the frame length without any injected stall. Only this length decides whether the frame is a hitch.
    pub fn own_length(&self) -> Nanos {
        self.length.saturating_sub(self.stall)
    }
}

/// The slots that have to be drawn again.
pub type ChangedSlots = FixedBitSet;

/// The events of the current frame. They are discarded when the next frame begins.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) frame: FrameRecord,
    pub(super) runs: Vec<Run>,
    /// The maximum number of runs in `runs`. Further runs are only counted in `frame`.
    pub(super) most_listed: usize,
    pub(super) updates: Vec<Update>,
    /// The slots that have changed since the drawing code last took them. `None` unless `collect_changed_slots` was
    /// called.
    pub(super) changed_slots: Option<ChangedSlots>,
}

impl Events {
    pub(super) fn begin_frame(&mut self, frame: FrameRecord) {
        self.frame = frame;
        self.runs.clear();
        self.updates.clear();
    }

    pub(super) fn ran(&mut self, runs: &[Run]) {
        self.frame.runs += runs.len() as u32;
        self.frame.task_time += runs.iter().map(|run| run.took).sum();
        if self.changed_slots.is_some() {
            for run in runs {
                self.slot_changed(run.task);
            }
        }
        let room = self.most_listed.saturating_sub(self.runs.len());
        self.runs.extend_from_slice(&runs[..runs.len().min(room)]);
    }

    pub(super) fn slot_changed(&mut self, task: TaskId) {
        if let Some(slots) = &mut self.changed_slots {
            slots.grow_and_insert(task.index as usize);
        }
    }
}
