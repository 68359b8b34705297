//! Lane: one machine running one frame loop, one strategy and one world.
//!
//! - this file: the lane, its frames and its accessors
//! - `change`: changes of settings, and disturbances
//! - `update`: one update, the runs of its tasks, and the time that the strategy takes
//! - `events`: what a lane lists and reports to its [`Observer`]; a lane itself keeps no statistics

mod change;
mod events;
#[cfg(test)]
mod tests;
mod update;

pub use events::{
    Change, ChangedPlaces, Disturbed, FrameEnded, FrameRecord, Observer, Run, Update, UpdateBegun,
};

use super::disturbance::SLOW_HZ;
use super::gaze_error::Gazes;
use super::machine::{DISPLAY_HZ, Machine};
use super::projectile::{Body, Picture, Projectile};
use super::settings::Settings;
use super::world::{ENTITIES, World};
use timeslicer::frame_loop::{Frame, FrameLoop, Pace};
use timeslicer::strategy::Inspect;
use timeslicer::time::{ClockTime, GameTime, Nanos, Periods};
use update::LaneGame;

/// Limit of a lane's simulation, counted from the lane's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Frames(u64),
    /// Time on the machine's clock; all frames that start earlier are made.
    Time(Nanos),
}

/// One machine running one frame loop, one strategy and one world.
///
/// On a simulated machine [`Lane::frame`] makes a whole frame. On the host the window makes the frame in parts, because
/// it draws the picture: it calls [`Lane::begin_frame`], draws, calls [`Lane::drawn`] and [`Lane::wait`], and calls
/// [`Lane::finish`] once the display has taken the picture. Each part returns a token that the next part takes.
pub struct Lane<M, O = ()> {
    settings: Settings,
    frame_loop: Box<dyn FrameLoop>,
    /// True before the frame loop's first frame, whose delta is zero for the loop.
    loop_begins: bool,
    game: LaneGame<M, O>,
    begun: u64,
    finished: u64,
    /// When the picture of the last frame was drawn, on the machine's clock.
    drawn_at: ClockTime,
    drawn_for: ClockTime,
    pace: Pace,
    /// Injected stall for the next frame.
    stall_ahead: Nanos,
    display_period: Nanos,
    has_slow_display: bool,
    /// Sample for the gaze error, if it is measured.
    gazes: Option<Gazes>,
    /// Number of entities before the last of them were killed at once.
    population_before_none: Option<usize>,
    projectile: Projectile,
}

/// Frame that has made its updates; next, draw its picture and call [`Lane::drawn`].
///
/// The tokens of a frame's parts cannot be copied, so no part comes twice or out of order. If a token is dropped, its
/// frame never ends, and the lane's next frame gets the same number.
///
/// ```
/// use headless::sim::lane::Lane;
/// use headless::sim::machine::Simulated;
/// use headless::sim::settings::Settings;
///
/// let mut lane: Lane<Simulated> = Lane::new(Settings::default(), Simulated::default());
/// let updated = lane.begin_frame();
/// let drawn = lane.drawn(updated);
/// let waited = lane.wait(drawn);
/// assert_eq!(lane.finish(waited).number, 0);
/// ```
#[must_use = "pass it to `Lane::drawn`"]
#[derive(Debug)]
pub struct Updated(());

/// Frame whose picture has been drawn; next, call [`Lane::wait`].
#[must_use = "pass it to `Lane::wait`"]
#[derive(Debug)]
pub struct Drawn(());

/// Frame that has waited as its frame loop demands; next, call [`Lane::finish`].
#[must_use = "pass it to `Lane::finish`"]
#[derive(Debug)]
pub struct Waited(());

impl<M: Machine, O: Observer> Lane<M, O> {
    /// Creates a lane at its start: all entities are born, no task has run.
    pub fn new(settings: Settings, mut machine: M) -> Self
    where
        O: Default,
    {
        machine.slow_display(None); // another lane may have slowed it
        let mut frame_loop = (settings.frame_loop.make)();
        frame_loop.tune(&settings.knobs);
        let mut lane = Self {
            pace: frame_loop.pace(),
            frame_loop,
            loop_begins: true,
            game: LaneGame::new(&settings, machine),
            begun: 0,
            finished: 0,
            drawn_at: ClockTime::START,
            drawn_for: ClockTime::START,
            stall_ahead: Nanos::ZERO,
            display_period: simulated_period(&settings),
            has_slow_display: false,
            gazes: None,
            population_before_none: None,
            projectile: Projectile::default(),
            settings,
        };
        let count = lane.settings.knobs.get(&ENTITIES) as usize;
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

    /// Begins the next frame at `start` and makes its updates. `start` must be the machine's current time or just
    /// before it. Use this function for exact deltas.
    pub fn begin_frame_at(&mut self, start: ClockTime) -> Updated {
        let number = self.finished;
        self.begun = number + 1;
        let game = &mut self.game;
        let delta = if number == 0 {
            Nanos::ZERO
        } else {
            start - game.events.frame.start
        };
        let stall = std::mem::take(&mut self.stall_ahead);
        game.events.begin_frame(FrameRecord {
            number,
            start,
            delta,
            stall,
            ..FrameRecord::default()
        });
        if !stall.is_zero() {
            game.machine.stall(stall);
        }
        game.step = self.frame_loop.step().unwrap_or(self.display_period);
        game.observer.frame_began(start, game.now);

        let passed = if std::mem::take(&mut self.loop_begins) {
            Nanos::ZERO
        } else {
            delta
        };
        let mut frame = Frame::new(start, passed, game);
        let alpha = self.frame_loop.updates(&mut frame);
        let (updates, debt_dropped) = (frame.updates, frame.debt_dropped);
        let lag = frame.lag;
        self.drawn_for = frame.drawn_for;
        let step = self.frame_loop.step().unwrap_or(passed);
        self.projectile.draw(Picture {
            now: self.game.now,
            step,
            alpha,
            start,
            drawn_for: self.drawn_for,
            lag,
        });
        let stalest = self.game.world.stalest();
        let stalest = stalest.map(|task| (task, self.worst_staleness()));
        let game = &mut self.game;
        game.observer.updates_ended(stalest);

        let gazes = self.gazes.as_mut();
        let record = &mut game.events.frame;
        record.updates = updates;
        record.step = step;
        record.debt = self.frame_loop.debt();
        record.debt_dropped = debt_dropped;
        record.backlog = game.strategy.backlog();
        record.looking_wrong = gazes.and_then(|gazes| gazes.looking_wrong(&game.world));
        record.alpha = alpha;
        Updated(())
    }

    /// Ends the drawing of the frame's picture.
    pub fn drawn(&mut self, _: Updated) -> Drawn {
        self.drawn_at = self.game.machine.clock();
        let frame = &mut self.game.events.frame;
        let busy = frame.task_time + frame.scheduling + frame.stall;
        frame.drawing = (self.drawn_at - frame.start) - busy;
        Drawn(())
    }

    /// Waits until the frame loop's pace allows the next frame.
    pub fn wait(&mut self, _: Drawn) -> Waited {
        let (machine, start) = (&mut self.game.machine, self.game.events.frame.start);
        let earliest = start + machine.least_frame();
        self.pace = self.frame_loop.pace();
        match self.pace {
            Pace::Display => machine.wait_for_display(start),
            Pace::Until(time) => machine.wait_until(time.max(earliest)),
            Pace::Nothing => machine.wait_until(earliest),
        }
        Waited(())
    }

    pub fn finish(&mut self, _: Waited) -> &FrameRecord {
        let target = self.target_period();
        let end = self.game.machine.clock();
        self.finished += 1;
        let record = &mut self.game.events.frame;
        record.waiting = (end - self.drawn_at) + record.stall;
        record.length = end - record.start;
        let ended = FrameEnded { record, target };
        self.game.observer.frame_ended(&ended);
        &self.game.events.frame
    }
}

fn simulated_period(settings: &Settings) -> Nanos {
    Periods::new(settings.knobs.get(&DISPLAY_HZ)).next_period()
}

impl<M: Machine, O: Observer> Lane<M, O> {
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn machine(&self) -> &M {
        &self.game.machine
    }

    /// Returns the lane's machine, to set its clock or to stall it.
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

    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.game.observer
    }

    /// Measures the gaze error ([`crate::sim::gaze_error`]) of every frame from now on. This takes a few microseconds
    /// per frame.
    pub fn measure_gazes(&mut self) {
        self.gazes = Some(Gazes::default());
    }

    /// Limits [`Lane::runs`] to the first `limit` runs of each frame; later runs are only counted. A listed run takes
    /// 48 bytes, and a frame on a slow machine may have many updates with a million runs each.
    pub fn list_runs(&mut self, limit: usize) {
        self.game.events.most_listed = Some(limit);
    }

    /// Collects the places of runs, births and deaths from now on, for [`Lane::take_changed_places`].
    pub fn collect_changed_places(&mut self) {
        self.game.events.changed_places = Some(ChangedPlaces::default());
    }

    /// Swaps `places`, which must be empty, with the set of places that changed since the last call. Does nothing
    /// without [`Lane::collect_changed_places`].
    pub fn take_changed_places(&mut self, places: &mut ChangedPlaces) {
        if let Some(changed) = &mut self.game.events.changed_places {
            std::mem::swap(changed, places);
            self.game.events.changes.clear(); // a paused lane would collect them without end
        }
    }
}

/// Time, frames and events.
impl<M: Machine, O: Observer> Lane<M, O> {
    /// Returns the game time: the sum of all deltas.
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

    /// Returns the last frame, or the incomplete record of the frame in progress.
    pub fn last_frame(&self) -> &FrameRecord {
        &self.game.events.frame
    }

    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Returns the target length of frames: the frame loop's own if it has one, else the display's period.
    pub fn target_period(&self) -> Nanos {
        let display = if self.has_slow_display {
            let slow = Nanos::from_secs_f64(1.0 / SLOW_HZ);
            self.display_period.max(slow)
        } else {
            self.display_period
        };
        self.frame_loop.target_period().unwrap_or(display)
    }

    /// Returns the game time of each update if the frame loop keeps it fixed; `None` if updates follow real time.
    pub fn fixed_step(&self) -> Option<Nanos> {
        self.frame_loop.step()
    }

    pub fn has_slow_display(&self) -> bool {
        self.has_slow_display
    }

    /// Returns the moment of the machine's clock that the last picture shows: the start of the picture's frame, or a
    /// later moment if the frame loop reads the clock after its updates.
    pub fn drawn_for(&self) -> ClockTime {
        self.drawn_for
    }

    pub fn projectile(&self) -> &Projectile {
        &self.projectile
    }

    pub fn body(&self) -> &Body {
        &self.game.body
    }

    /// Returns the runs of this frame, in order of execution, up to the limit of [`Lane::list_runs`].
    pub fn runs(&self) -> &[Run] {
        &self.game.events.runs
    }

    /// Returns true if [`Lane::runs`] lists all runs of this frame.
    pub fn lists_all_runs(&self) -> bool {
        let events = &self.game.events;
        events.runs.len() == events.frame.runs as usize
    }

    /// Returns the updates of this frame, in order.
    pub fn updates(&self) -> &[Update] {
        &self.game.events.updates
    }

    /// Returns births and deaths since the last frame began, in order.
    pub fn changes(&self) -> &[Change] {
        &self.game.events.changes
    }

    /// Returns the staleness of the stalest entity; zero without entities.
    pub fn worst_staleness(&self) -> Nanos {
        let world = &self.game.world;
        let stalest = world.stalest();
        let last_run = stalest.and_then(|task| world.tasks().last_run(task));
        last_run.map_or(Nanos::ZERO, |last_run| self.game.now - last_run)
    }
}
