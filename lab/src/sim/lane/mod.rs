//! A lane runs a game on one machine, with one frame loop, one strategy and one world.
//!
//! - This file contains the lane, its frames and its setting changes.
//! - `game_clock` contains the machine's clock as the game reads it.
//! - `disturbance` contains the disturbances and their effects.
//! - `update` contains a single update, the runs of its tasks, and the measurement of the strategy's scheduling time.
//! - `events` contains the records that a lane keeps of a frame, and the [`Observer`] to which it reports. A lane
//!   itself computes no statistics.

pub mod disturbance;
mod events;
mod game_clock;
#[cfg(test)]
mod tests;
mod update;

pub use events::{ChangedSlots, FrameRecord, Observer, Run, Update};

use self::disturbance::Scheduled;
use super::gaze_error::{SAMPLE, looking_wrong};
use super::machine::{DISPLAY_HZ, JITTER_MS, Machine};
use super::settings::{HITCH, Setting, Settings};
use super::world::{ENTITIES, Point, World};
use crate::catalog::frame_loop::{FrameLoopEntry, TunedLoop};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::knobs::AS_PUBLISHED;
use crate::catalog::strategy::{Inspect, StrategyEntry};
use timeslicer::frame_loop::{Frame, Pace};
use timeslicer::scheduler::TaskId;
use timeslicer::time::{ClockTime, GameTime, Nanos};
use update::LaneGame;

/// How long to simulate a game, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    Frames(u64),
    /// A time on the machine's clock. All frames that start before this time are simulated.
    Time(Nanos),
}

/// A lane runs a game on one machine, with one frame loop, one strategy and one world.
///
/// On a simulated machine, [`Lane::frame`] runs a whole frame. On the host, the window must draw in the middle of a
/// frame, so it calls the parts of the frame separately. It calls [`Lane::begin_frame`], draws, calls [`Lane::drawn`]
/// and [`Lane::wait`], and finally calls [`Lane::finish`] when the display has accepted the frame. Each part returns a
/// token that the next part takes.
pub struct Lane<M, O = ()> {
    frame_loop: Box<dyn TunedLoop>,
    /// Whether the next frame is the first one of its frame loop. In this case, the frame loop is told that no time has
    /// passed.
    loop_begins: bool,
    game: LaneGame<M, O>,
    begun: u64,
    finished: u64,
    stall_ahead: Nanos,
    /// Whether a disturbance has been injected since the most recent frame began.
    is_disturbed: bool,
    display_period: Nanos,
    /// The refresh rate to which a disturbance has lowered that of the display.
    slow_display_hz: Option<f64>,
    /// The number of [`Settings::scheduled`] that have been injected.
    injected: usize,
    /// The scheduled disturbances that had no effect, such as requests to a strategy that does not run on request.
    without_effect: Vec<Scheduled>,
    /// Whether a scheduled disturbance is being injected, which leaves the metrics as they are.
    is_scheduled: bool,
    /// The maximum number of entities whose gazes are examined in each frame.
    gazes: usize,
}

/// A token for a frame whose updates have run. Draw the frame and call [`Lane::drawn`] next.
///
/// Tokens cannot be copied, so no part of a frame is called twice or out of order. If a token is dropped, its frame
/// never ends, and the lane's next frame gets the same number.
#[must_use = "pass it to `Lane::drawn`"]
pub struct Updated(());

/// A token for a frame that has been drawn. Call [`Lane::wait`] next.
#[must_use = "pass it to `Lane::wait`"]
pub struct Drawn(());

/// A token for a frame that has waited as its frame loop requires. Call [`Lane::finish`] next.
#[must_use = "pass it to `Lane::finish`"]
pub struct Waited(());

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Creates a lane in which all entities have just been born and no task has run yet.
    pub fn new(settings: Settings, mut machine: M) -> Self
    where
        O: Default,
    {
        machine.tune(&settings.knobs);
        machine.slow_display(None); // another lane may have slowed it
        machine.replay(settings.frame_times.clone());
        let mut lane = Self {
            frame_loop: settings.frame_loop.build(&settings.knobs),
            loop_begins: true,
            begun: 0,
            finished: 0,
            stall_ahead: Nanos::ZERO,
            is_disturbed: false,
            display_period: settings.display_period(),
            slow_display_hz: None,
            injected: 0,
            without_effect: Vec::new(),
            is_scheduled: false,
            gazes: 0,
            game: LaneGame::new(settings, machine),
        };
        let count = lane.game.settings.knobs.get(&ENTITIES) as usize;
        lane.game.populate(count);
        lane
    }

    pub fn frame(&mut self) -> &FrameRecord {
        let updated = self.begin_frame();
        self.game.machine.render();
        let drawn = self.drawn(updated);
        let waited = self.wait(drawn);
        self.finish(waited)
    }

    pub fn begin_frame(&mut self) -> Updated {
        self.begin_frame_at(self.game.machine.clock())
    }

    /// Begins the next frame and runs its updates. `start` is the machine's current time. A caller that has just read
    /// or set the clock passes that time, so that the frame's delta is exact.
    pub fn begin_frame_at(&mut self, start: ClockTime) -> Updated {
        let number = self.finished;
        self.inject_scheduled(start.since_start());
        self.begun = number + 1;
        let game = &mut self.game;
        // Jitter is added only to simulated clocks, because a real clock already has errors.
        let jitter = if game.machine.is_simulated() {
            game.settings.knobs.span(&JITTER_MS)
        } else {
            Nanos::ZERO
        };
        let mut delta = game.clock.begin_frame(start, jitter);
        if number == 0 {
            delta = Nanos::ZERO;
        }
        let stall = std::mem::take(&mut self.stall_ahead);
        game.events.begin_frame(FrameRecord {
            number,
            start,
            delta,
            stall,
            is_disturbed: std::mem::take(&mut self.is_disturbed),
            ..FrameRecord::default()
        });
        if !stall.is_zero() {
            game.machine.stall(stall);
        }
        game.observer.frame_began(start, game.now);

        let passed = if std::mem::take(&mut self.loop_begins) {
            Nanos::ZERO
        } else {
            delta
        };
        let mut frame = Frame::new(game.clock.read(start), passed, game);
        let alpha = self.frame_loop.updates(&mut frame);
        let (mut updates, debt_dropped) = (frame.updates, frame.debt_dropped);
        let (drawn_for, late, lag) = (frame.drawn_for, frame.late, frame.lag);
        let drawn_for = self.game.clock.time_of(drawn_for);
        if self.game.settings.runs_tasks_once() {
            let delta = self.game.settings.game_time(passed);
            self.game.update_tasks(delta);
            updates = 1;
        }
        let step = self.fixed_step();
        let stalest = self.game.world.stalest();
        let stalest = stalest.map(|task| (task, self.worst_staleness()));
        let game = &mut self.game;
        let speed = game.machine.speed();
        game.observer.updates_ended(stalest, &game.world, speed);

        let record = &mut game.events.frame;
        record.updates = updates;
        record.step = step.unwrap_or_else(|| game.settings.game_time(passed));
        record.now = game.now;
        record.debt = self.frame_loop.debt();
        record.debt_dropped = debt_dropped;
        record.backlog = game.strategy.backlog();
        record.looking_wrong = looking_wrong(&game.world, self.gazes);
        record.alpha = alpha;
        record.drawn_for = drawn_for;
        record.late = late;
        record.lag = lag;
        Updated(())
    }

    pub fn drawn(&mut self, _: Updated) -> Drawn {
        let clock = self.game.machine.clock();
        let frame = &mut self.game.events.frame;
        let busy = frame.task_time + frame.scheduling + frame.stall;
        frame.drawing = clock.saturating_since(frame.start).saturating_sub(busy);
        Drawn(())
    }

    /// Waits until the frame loop allows the next frame.
    pub fn wait(&mut self, _: Drawn) -> Waited {
        let start = self.game.events.frame.start;
        self.game.machine.wait(start, self.pace());
        Waited(())
    }

    pub fn finish(&mut self, _: Waited) -> &FrameRecord {
        let (target, hitch_above) = (self.target_period(), self.hitch_above());
        let end = self.game.machine.clock();
        self.finished += 1;
        let record = &mut self.game.events.frame;
        record.hitch_above = hitch_above;
        record.length = end.saturating_since(record.start);
        let busy = record.task_time + record.scheduling + record.drawing;
        record.waiting = record.length.saturating_sub(busy);
        self.game.observer.frame_ended(record, target);
        record
    }

    pub fn settings(&self) -> &Settings {
        &self.game.settings
    }

    pub fn machine(&self) -> &M {
        &self.game.machine
    }

    pub fn machine_mut(&mut self) -> &mut M {
        &mut self.game.machine
    }

    pub fn strategy(&self) -> &dyn Inspect {
        &*self.game.strategy
    }

    pub fn world(&self) -> &World {
        &self.game.world
    }

    pub fn observer(&self) -> &O {
        &self.game.observer
    }

    /// Starts to measure the gaze error of every frame ([`crate::sim::gaze_error`]), which takes a few microseconds per
    /// frame.
    pub fn measure_gazes(&mut self) {
        self.gazes = SAMPLE;
    }

    /// Makes [`Lane::runs`] return the first `limit` runs of each frame from now on. The limit saves memory, because a
    /// frame on a slow machine can contain many millions of runs.
    pub fn list_runs(&mut self, limit: usize) {
        self.game.events.most_listed = limit;
    }

    /// Starts to collect the slots that change, so that [`Lane::take_changed_slots`] can return them.
    pub fn collect_changed_slots(&mut self) {
        self.game.events.changed_slots = Some(ChangedSlots::default());
    }

    /// Returns the slots that have changed since the last call. The set is empty unless [`Lane::collect_changed_slots`]
    /// has been called before.
    pub fn take_changed_slots(&mut self) -> ChangedSlots {
        let Some(changed) = &mut self.game.events.changed_slots else {
            return ChangedSlots::default();
        };
        // The new set gets the same capacity, because growing it slot by slot is slow.
        let empty = ChangedSlots::with_capacity(changed.len());
        std::mem::replace(changed, empty)
    }

    /// Changes a setting while the game is running. Does nothing if the lane has it already.
    pub fn set(&mut self, setting: Setting) {
        if self.game.settings.have(&setting) {
            return;
        }
        match setting {
            Setting::FrameLoop(entry) => self.set_frame_loop(entry),
            Setting::Target(point) => self.pin_target(point),
            Setting::Knob(knob, value) => self.set_knob(knob, value),
            Setting::Strategy(entry) => self.set_strategy(entry),
            Setting::OwnCosts(own) => {
                self.game.world.set_own_costs(own.clone());
                self.game.settings.own_costs = own;
                self.changed();
            }
            Setting::FrameTimes(recorded) => {
                self.game.machine.replay(recorded.clone());
                self.game.settings.frame_times = recorded;
                self.display_period = self.game.settings.display_period();
                self.changed();
            }
        }
    }

    /// Sets a knob while the game is running. If this changes the number of entities, new entities are born, or the
    /// entities in the last slots die.
    pub fn set_knob(&mut self, knob: &Knob, value: f64) {
        let before = self.game.settings.knobs.get(knob);
        self.game.settings.knobs.set(knob, value);
        if self.game.settings.knobs.get(knob) == before {
            return;
        }
        let is_concerned = self.game.settings.is_concerned_by(knob);
        if *knob == AS_PUBLISHED {
            if is_concerned {
                self.set_strategy(self.game.settings.strategy);
            }
            return;
        }
        if is_concerned {
            self.changed();
        }
        let game = &mut self.game;
        let settings = &game.settings;
        game.world.tune(&settings.knobs);
        game.machine.tune(&settings.knobs);
        if settings.strategy.reads(knob, &settings.knobs) {
            game.strategy.tune(&settings.knobs);
        }
        if settings.frame_loop.knobs.contains(knob) {
            self.frame_loop.tune(&settings.knobs);
        }
        if *knob == DISPLAY_HZ {
            self.display_period = settings.display_period();
        }
        if *knob == ENTITIES {
            let count = settings.knobs.get(&ENTITIES) as usize;
            game.populate(count);
        }
    }

    /// Replaces the strategy while the game is running. The new strategy starts as in a new game, but the times since
    /// the last runs are kept. Pending requests are dropped, so that the change does not cause a burst of runs.
    pub fn set_strategy(&mut self, strategy: &'static StrategyEntry) {
        let game = &mut self.game;
        game.settings.strategy = strategy;
        game.strategy = strategy.build_with_seed(&game.settings.knobs, game.settings.seed);
        let tasks = game.world.tasks();
        let first = game.world.stalest().map_or(0, |task| task.index);
        for index in (first..tasks.end()).chain(0..first) {
            if let Some(task) = tasks.at(index) {
                game.strategy.insert(task);
            }
        }
        game.observer.strategy_switched();
        self.changed();
    }

    /// Replaces the frame loop while the game is running. The new frame loop starts as in a new game, so that the
    /// change does not cause a burst of updates.
    pub fn set_frame_loop(&mut self, frame_loop: &'static FrameLoopEntry) {
        self.game.settings.frame_loop = frame_loop;
        self.frame_loop = frame_loop.build(&self.game.settings.knobs);
        self.loop_begins = true;
        self.changed();
    }

    fn changed(&mut self) {
        if self.is_scheduled {
            return;
        }
        let (clock, now) = (self.game.machine.clock(), self.game.now);
        self.game.observer.changed(clock, now);
    }

    /// Pins the target to a point, so that it ignores the pointer. If `None`, lets the target move again. Resets all
    /// metrics, because they are compared with theoretical bounds that are valid only while the target does not move.
    pub fn pin_target(&mut self, point: Option<Point>) {
        if point != self.game.settings.target {
            self.game.settings.target = point;
            if point.is_some() {
                self.game.world.move_target(self.game.now, point); // at once
            }
            self.changed();
        }
    }

    pub fn set_pointer(&mut self, pointer: Option<Point>) {
        self.game.world.pointer = pointer;
    }

    pub fn request(&mut self, task: TaskId) {
        if self.game.world.tasks().contains(task) {
            self.game.request(task);
        }
    }

    /// Sets the refresh period of the display, which the window has measured. A simulated machine has a knob for this
    /// instead.
    pub fn set_display_period(&mut self, period: Nanos) {
        self.display_period = period;
    }

    pub fn now(&self) -> GameTime {
        self.game.now
    }

    pub fn frames(&self) -> u64 {
        self.finished
    }

    /// Returns the number of frames that have begun. A change made now takes effect in the frame with this number.
    pub fn frames_begun(&self) -> u64 {
        self.begun
    }

    pub fn is_within(&self, length: Length) -> bool {
        match length {
            Length::Frames(frames) => self.finished < frames,
            Length::Time(time) => self.game.machine.clock().since_start() < time,
        }
    }

    /// Returns the record of the current frame, which is incomplete until the frame ends. Between two frames, this is
    /// the frame that ended most recently.
    pub fn last_frame(&self) -> &FrameRecord {
        &self.game.events.frame
    }

    pub fn pace(&self) -> Pace {
        self.frame_loop.pace()
    }

    /// Returns the target length of a frame. This is the period of the display, unless the frame loop has a target of
    /// its own.
    pub fn target_period(&self) -> Nanos {
        let slow = self
            .slow_display_hz
            .map(|hz| Nanos::from_secs_f64(1.0 / hz));
        let display = self.display_period.max(slow.unwrap_or_default());
        self.frame_loop.target_period().unwrap_or(display)
    }

    /// Returns the length above which a frame counts as a hitch.
    pub fn hitch_above(&self) -> Nanos {
        let target = self.target_period();
        let times = self.game.settings.knobs.get(&HITCH);
        let length = Nanos::from_nanos((target.as_nanos() as f64 * times) as u64);
        // The periods of a display differ by a nanosecond, because they are rounded.
        length.max(target + Nanos::from_nanos(1))
    }

    /// Returns the game time that passes in each update, or `None` if updates follow real time.
    pub fn fixed_step(&self) -> Option<Nanos> {
        let step = self.frame_loop.step();
        let step = step.filter(|_| !self.game.settings.runs_tasks_once());
        step.map(|real| self.game.settings.game_time(real))
    }

    pub fn has_slow_display(&self) -> bool {
        self.slow_display_hz.is_some()
    }

    /// Returns the first runs of the current frame in order, up to the limit that was set with [`Lane::list_runs`].
    /// Without a limit, returns no runs.
    pub fn runs(&self) -> &[Run] {
        &self.game.events.runs
    }

    /// Returns the updates of the current frame in order.
    pub fn updates(&self) -> &[Update] {
        &self.game.events.updates
    }

    /// Returns the staleness of the stalest entity, or zero if there are no entities.
    pub fn worst_staleness(&self) -> Nanos {
        let world = &self.game.world;
        let stalest = world.stalest();
        let last_run = stalest.and_then(|task| world.tasks().last_run(task));
        last_run.map_or(Nanos::ZERO, |last_run| self.game.now - last_run)
    }
}
