//! Records of a lane's frame, its updates and runs, and the observer to which the lane reports them.

use crate::sim::world::{Crowd, Entity, Point, Weights, World};
use fixedbitset::FixedBitSet;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::strategy::{Guarantee, Inspect};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Receives every event in a lane as it happens.
///
/// A lane is compiled for the type of its observer, so a call costs no more than the body of the method. The observer
/// `()` ignores all events.
pub trait Observer {
    /// Called when the task's entity is born. `weights` gives the weights of all entities at that time.
    fn born(&mut self, _task: TaskId, _weights: &Weights) {}

    /// Called when the task's `entity` dies. `staleness` is the time since its last run, or since its birth if it never
    /// ran. `weights` gives the weights of all entities at that time.
    fn died(&mut self, _task: TaskId, _entity: &Entity, _staleness: Nanos, _weights: &Weights) {}

    /// Called before an update if the weight rule, the grid of slots or a resting target has changed. `tasks` contains
    /// all tasks that are alive at game time `now`.
    fn reweighed(&mut self, _tasks: &Tasks, _weights: &Weights, _now: GameTime) {}

    /// Called when the task has requested a run at game time `asked`, at most one update ago. `guarantee` is the
    /// strategy's guarantee for this request.
    fn requested(&mut self, _task: TaskId, _asked: GameTime, _guarantee: Guarantee) {}

    /// Called when a frame begins at `clock`. `now` is the game time before the frame's updates.
    fn frame_began(&mut self, _clock: ClockTime, _now: GameTime) {}

    fn time_advanced(&mut self, _delta: Nanos) {}

    /// Called when an update of `delta` begins to run tasks, after its births and deaths. `step` is the game time per
    /// update that the frame loop aims for.
    fn update_began(&mut self, _strategy: &dyn Inspect, _delta: Nanos, _step: Nanos) {}

    /// Called just before a task may run, if the strategy wanted the run to come `interval` after the last one.
    fn wanted(&mut self, _task: TaskId, _interval: Nanos) {}

    /// Called when tasks of `crowd` have run, in the order of their runs. There are several calls per update. `weights`
    /// gives the weights of all entities in this update.
    fn ran(&mut self, _runs: &[Run], _crowd: &Crowd, _weights: &Weights) {}

    /// Called when the update is over. Its tasks took `task_time`. `budget` is the task time above which the update
    /// counts as an overrun, whatever the strategy. The clock is exact only on a simulated machine.
    fn update_ended(&mut self, _task_time: Nanos, _budget: Nanos, _is_clock_exact: bool) {}

    /// Called when all updates of a frame are over, with the stalest entity and its staleness. `speed` is the machine's
    /// speed.
    fn updates_ended(&mut self, _stalest: Option<(TaskId, Nanos)>, _world: &World, _speed: f64) {}

    /// Called when the frame has ended. The frame loop aims for frames of the length `target`.
    fn frame_ended(&mut self, _frame: &FrameRecord, _target: Nanos) {}

    /// Called when the strategy was replaced. A call of [`Observer::changed`] follows.
    fn strategy_switched(&mut self) {}

    /// Called when a change makes earlier metrics incomparable. This can be a change of the strategy, the frame loop, a
    /// knob, the display, a task's cost, or whether and where the target rests.
    fn changed(&mut self, _clock: ClockTime, _now: GameTime) {}

    /// Called when a disturbance was injected, with a label of two or three words. `first_frame` is the number of the
    /// next frame. `heavy` is the task that became expensive, if any.
    fn disturbed(&mut self, _name: &str, _first_frame: u64, _heavy: Option<TaskId>) {}
}

impl Observer for () {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub task: TaskId,
    /// The entity's number in the order of birth.
    pub entity: u64,
    pub time: GameTime,
    /// Game time since the task's last run, or since the entity's birth.
    pub elapsed: Nanos,
    /// Whether this is the entity's first run. A first run does not end an interval.
    pub first: bool,
    pub took: Nanos,
}

/// Record of an update. Its tasks ran one after another, with scheduling and recording between them. Only the sum of
/// the scheduling times is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// When the update started, on the machine's clock.
    pub start: ClockTime,
    /// Game time after the update.
    pub time: GameTime,
    pub target: Point,
    pub delta: Nanos,
    pub runs_before: usize,
    pub runs: usize,
    pub task_time: Nanos,
    pub scheduling: Nanos,
}

/// Record of a frame. Its four parts (tasks, scheduling, drawing, waiting) add up to its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRecord {
    pub number: u64,
    /// When the frame started, on the machine's clock.
    pub start: ClockTime,
    /// Time between the start of the previous frame and the start of this frame.
    pub delta: Nanos,
    pub updates: u32,
    /// Game time that one update advances. It is set even if the frame made no update.
    pub step: Nanos,
    /// Debt after the frame's updates, which is real time that the frame loop has not simulated yet.
    pub debt: Nanos,
    /// Debt that the frame loop dropped in this frame, which is real time that the game has lost.
    pub debt_dropped: Nanos,
    pub runs: u32,
    pub backlog: usize,
    /// Whether the machine had no time for some of the due tasks, so that they are in the backlog.
    pub stopped: bool,
    pub task_time: Nanos,
    /// Time that the strategy took in this frame for births, deaths, requests, choosing tasks and recording their runs.
    pub scheduling: Nanos,
    /// Time to draw the frame, including the lab's own work on the world, recording and measuring.
    pub drawing: Nanos,
    /// Time spent waiting for the display or a deadline, including an injected stall.
    pub waiting: Nanos,
    /// Length of the whole frame, from its start to the start of the next frame.
    pub length: Nanos,
    pub stall: Nanos,
    pub is_disturbed: bool,
    /// Fraction of the crowd, from 0 to 1, that looks in the wrong direction after the frame's updates
    /// ([`crate::sim::gaze_error`]). `None` if there are no entities or the gaze error is not measured.
    pub looking_wrong: Option<f64>,
    /// How far the rendered frame is past the last update, as a fraction of `step`. It is 0 to 1 if the frame is
    /// extrapolated, -1 to 0 if it is interpolated between the last two updates, and 0 if it shows the last update.
    pub alpha: f64,
    /// The moment that the frame should show, as in [`Frame::drawn_for`](timeslicer::frame_loop::Frame::drawn_for).
    pub drawn_for: ClockTime,
    /// How much earlier a moment the frame shows, as in [`Frame::late`](timeslicer::frame_loop::Frame::late).
    pub late: Nanos,
}

impl FrameRecord {
    /// Returns the frame's length without an injected stall. Only this length decides whether the frame is a hitch.
    pub fn own_length(&self) -> Nanos {
        self.length - self.stall
    }
}

/// A set of slots. Its size depends on the number of entities, not on how often it is taken.
pub type ChangedSlots = FixedBitSet;

/// Events since the last frame began. They are kept until the next frame begins.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) frame: FrameRecord,
    pub(super) runs: Vec<Run>,
    pub(super) most_listed: Option<usize>,
    pub(super) updates: Vec<Update>,
    /// Slots that changed since the set was last taken for drawing. `None` if nothing is drawn.
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
        let room = self
            .most_listed
            .unwrap_or(usize::MAX)
            .saturating_sub(self.runs.len());
        self.runs.extend_from_slice(&runs[..runs.len().min(room)]);
    }

    pub(super) fn slot_changed(&mut self, task: TaskId) {
        if let Some(places) = &mut self.changed_slots {
            places.grow_and_insert(task.index as usize);
        }
    }
}
