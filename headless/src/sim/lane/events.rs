//! The runs and changes that a lane lists for a picture, its reports, and the observer that receives them.

use crate::sim::world::{Crowd, Entity, Point, Weights, World};
use fixedbitset::FixedBitSet;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::strategy::{Guarantee, Inspect};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Receives every event in a lane as it happens.
///
/// A lane is compiled for its observer, so calling a method costs no more than the method's body. `()` observes
/// nothing.
pub trait Observer {
    /// Called when the task's entity is born. `weights` are the weights of all entities at that time.
    fn born(&mut self, _task: TaskId, _weights: &Weights) {}

    /// Called when the task's `entity` dies. `staleness` is the time since its last run, or since its birth if it never
    /// ran. `weights` are the weights of all entities at that time.
    fn died(&mut self, _task: TaskId, _entity: &Entity, _staleness: Nanos, _weights: &Weights) {}

    /// Called before an update if the rule of the weights, the places or a resting target have changed. `tasks` are
    /// those that live at the game time `now`.
    fn reweighed(&mut self, _tasks: &Tasks, _weights: &Weights, _now: GameTime) {}

    /// Called when the task has requested a run, `asked` at most one update ago. `guarantee` is the strategy's guarantee for
    /// this request.
    fn requested(&mut self, _task: TaskId, _asked: GameTime, _guarantee: Guarantee) {}

    /// Called when a frame begins at `clock`, with the game time still at `now`.
    fn frame_began(&mut self, _clock: ClockTime, _now: GameTime) {}

    fn time_advanced(&mut self, _delta: Nanos) {}

    /// Called when an update of `delta` begins to run tasks, after its births and deaths. The frame loop aims at updates
    /// of `step`.
    fn update_began(&mut self, _strategy: &dyn Inspect, _delta: Nanos, _step: Nanos) {}

    /// Called just before a task may run, if the strategy wanted it to run `interval` after its last run.
    fn wanted(&mut self, _task: TaskId, _interval: Nanos) {}

    /// Called when tasks of `crowd` have run, in the order of their runs. The runs of an update come in several calls.
    /// `weights` are the weights of all entities in this update.
    fn ran(&mut self, _runs: &[Run], _crowd: &Crowd, _weights: &Weights) {}

    /// Called when the update is over. Its tasks took `task_time`; the machine allows `budget` for them, whatever the
    /// strategy. The clock is exact unless the machine is a real one.
    fn update_ended(&mut self, _task_time: Nanos, _budget: Nanos, _is_clock_exact: bool) {}

    /// Called when the updates of a frame are over, with the stalest entity and its staleness. The machine has this
    /// `speed`.
    fn updates_ended(&mut self, _stalest: Option<(TaskId, Nanos)>, _world: &World, _speed: f64) {}

    /// Called when the frame has ended. The frame loop aims at frames of the length `target`.
    fn frame_ended(&mut self, _frame: &FrameRecord, _target: Nanos) {}

    /// Called when the strategy was replaced. [`Observer::changed`] follows.
    fn strategy_switched(&mut self) {}

    /// Called when something changed that makes figures before and after incomparable: strategy, frame loop, a knob,
    /// the display, the cost of a task, or whether and where the target rests.
    fn changed(&mut self, _clock: ClockTime, _now: GameTime) {}

    /// Called when the lane was disturbed, with a label of two or three words. The frame with the number `first_frame`
    /// follows. `heavy` is a task that became heavy.
    fn disturbed(&mut self, _name: &str, _first_frame: u64, _heavy: Option<TaskId>) {}
}

impl Observer for () {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub task: TaskId,
    /// Entity's number in the order of birth.
    pub entity: u64,
    pub time: GameTime,
    /// Game time since the task's last run, or since the entity's birth.
    pub elapsed: Nanos,
    /// Whether this is the entity's first run. A first run ends no interval.
    pub first: bool,
    pub took: Nanos,
}

/// One update. Its tasks ran one after another, so a run starts after the earlier runs, and the scheduling and
/// recording between them. Of the scheduling times, only the sum is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// Start, on the machine's clock.
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

/// One frame. Its four parts (tasks, scheduling, drawing, waiting) add up to its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRecord {
    pub number: u64,
    /// Start, on the machine's clock.
    pub start: ClockTime,
    /// Time from the previous frame's start to this one's.
    pub delta: Nanos,
    pub updates: u32,
    /// Game time that one update advances; set even if the frame made no update.
    pub step: Nanos,
    /// Debt after its updates: real time that the frame loop has not simulated yet.
    pub debt: Nanos,
    /// Debt that the frame loop dropped in this frame: real time that the game has lost.
    pub debt_dropped: Nanos,
    pub runs: u32,
    pub backlog: usize,
    /// True if the machine had no time for some of the tasks that were due; they are in the backlog.
    pub stopped: bool,
    pub task_time: Nanos,
    /// Time that the strategy took: births, deaths and requests in updates, choosing tasks, and recording when each ran.
    pub scheduling: Nanos,
    /// Time to draw the picture, and for the lab's own work: the world, recording and measuring.
    pub drawing: Nanos,
    /// Time spent waiting for the display or a deadline, including an injected stall.
    pub waiting: Nanos,
    /// Length of the whole frame, from its start to the start of the next frame.
    pub length: Nanos,
    pub stall: Nanos,
    pub is_disturbed: bool,
    /// Share of the crowd, from 0 to 1, that looks at the wrong place after the frame's updates
    /// ([`crate::sim::gaze_error`]); `None` if there are no entities, or if the gaze error is not measured.
    pub looking_wrong: Option<f64>,
    /// How far the picture is ahead of the game, as a fraction of `step`: from 0 to 1 if it is extrapolated, from -1 to
    /// 0 if it is interpolated between the last two updates, and 0 if it shows the last update.
    pub alpha: f64,
    /// Moment for which the picture is drawn, as in [`Frame::drawn_for`](timeslicer::frame_loop::Frame::drawn_for).
    pub drawn_for: ClockTime,
    /// Time by which the picture shows an earlier moment, as in [`Frame::late`](timeslicer::frame_loop::Frame::late).
    pub late: Nanos,
}

impl FrameRecord {
    /// Returns the frame's length without an injected stall. This length decides whether the frame is a hitch.
    pub fn own_length(&self) -> Nanos {
        self.length - self.stall
    }
}

/// A set of places. Its size depends on the population, not on the number of frames between two pictures.
pub type ChangedSlots = FixedBitSet;

/// Events since the last frame began. They stay until the next one begins.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) frame: FrameRecord,
    pub(super) runs: Vec<Run>,
    pub(super) most_listed: Option<usize>,
    pub(super) updates: Vec<Update>,
    /// Places changed since they were last taken for a picture; `None` if there are no pictures.
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
