//! A lane: one machine running one frame loop, one strategy and one world.

mod disturb;
mod frame_record;
mod game;
mod observer;
#[cfg(test)]
pub(crate) mod test_lane;

pub use frame_record::FrameRecord;
pub use game::{Change, Run, Update};
pub use observer::{Disturbed, FrameEnded, Observer, UpdateBegun};

use super::disturbance::SLOW_HZ;
use super::gaze_error::Gazes;
use super::machine::{DISPLAY_HZ, Machine};
use super::projectile::{Body, Projectile};
use super::settings::Settings;
use super::world::{ENTITIES, Point, World};
use game::LaneGame;
use timeslice::frame_loop::{Frame, FrameLoop, FrameLoopEntry, Pace};
use timeslice::knob::Knob;
use timeslice::scheduler::TaskId;
use timeslice::strategy::{Strategy, StrategyEntry};
use timeslice::time::{ClockTime, GameTime, Nanos, Periods};

/// How long a lane is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many frames.
    Frames(u64),
    /// The frames that start within this time of the machine's clock.
    Time(Nanos),
}

/// One machine running one frame loop, one strategy and one world.
///
/// On a simulated machine [`Lane::frame`] makes a whole frame. On the host, where the picture is the
/// window's affair, the window calls the frame's parts itself: [`Lane::update`], then it draws,
/// [`Lane::drawn`], [`Lane::wait`], and, once the display has taken the picture, [`Lane::finish`].
///
/// It tells its [`Observer`] what happens in it, and measures nothing itself.
pub struct Lane<M, O = ()> {
    settings: Settings,
    frame_loop: Box<dyn FrameLoop>,
    /// Whether the frame loop has made no frame yet: then no time has passed for it.
    loop_begins: bool,
    game: LaneGame<M, O>,
    frame: FrameRecord,
    drawn_for: ClockTime,
    /// How many frames are over.
    frames: u64,
    drawn_at: ClockTime,
    /// What the last frame waited for.
    pace: Pace,
    /// A stall that is to happen in the next frame.
    stall_ahead: Nanos,
    /// How long this frame was stalled.
    stalled: Nanos,
    /// Whether a frame has begun that is not over.
    under_way: bool,
    /// Whether the display has dropped to a lower rate.
    slow_display: bool,
    /// Where the crowd looks, where that is measured.
    gazes: Option<Gazes>,
    /// How many lived before everybody died.
    before_nobody: Option<usize>,
    projectile: Projectile,
    /// The display's period.
    display: Nanos,
}

impl<M: Machine, O: Observer> Lane<M, O> {
    /// A lane at its start: the entities are born, nothing has run.
    #[must_use]
    pub fn new(settings: Settings, mut machine: M) -> Self
    where
        O: Default,
    {
        machine.slow_display(None);
        let mut frame_loop = (settings.frame_loop.make)();
        frame_loop.tune(&settings.knobs);
        let mut lane = Self {
            frame_loop,
            loop_begins: true,
            game: LaneGame::new(&settings, machine),
            display: period(&settings),
            settings,
            frame: FrameRecord::default(),
            pace: Pace::Display,
            stall_ahead: Nanos::ZERO,
            stalled: Nanos::ZERO,
            under_way: false,
            slow_display: false,
            gazes: None,
            before_nobody: None,
            drawn_for: ClockTime::START,
            frames: 0,
            drawn_at: ClockTime::START,
            projectile: Projectile::default(),
        };
        lane.pace = lane.frame_loop.pace();
        let count = lane.settings.knobs.get(&ENTITIES) as usize;
        lane.game.populate(count);
        lane
    }

    /// A whole frame, drawing and waiting included.
    pub fn frame(&mut self) -> &FrameRecord {
        self.update();
        self.game.machine.render();
        self.drawn();
        self.wait();
        self.finish()
    }

    /// Starts the next frame, now, and makes its updates.
    pub fn update(&mut self) {
        self.update_at(self.game.machine.clock());
    }

    /// Starts the next frame at `start` of the machine's clock, which shows that or a little more, and
    /// makes its updates: for a frame whose delta is to be exact.
    pub fn update_at(&mut self, start: ClockTime) {
        self.under_way = true;
        let number = self.frames();
        let delta = if number == 0 {
            Nanos::ZERO
        } else {
            start - self.frame.start
        };
        self.clear_news();
        self.game.run_count = 0;
        self.game.task_time = Nanos::ZERO;
        self.game.scheduling = Nanos::ZERO;
        self.stalled = std::mem::take(&mut self.stall_ahead);
        if !self.stalled.is_zero() {
            self.game.machine.stall(self.stalled);
        }
        self.game.step = self.frame_loop.step().unwrap_or(self.display);
        self.game.observer.frame_began(start, self.game.now);

        let passed = if std::mem::take(&mut self.loop_begins) {
            Nanos::ZERO
        } else {
            delta
        };
        let mut frame = Frame::new(start, passed, &mut self.game);
        let alpha = self.frame_loop.updates(&mut frame);
        let (updates, debt_dropped) = (frame.updates(), frame.debt_dropped());
        self.drawn_for = frame.drawn_for();
        let step = self.frame_loop.step().unwrap_or(passed);
        self.projectile.draw(self.game.now, step, alpha, start);
        self.game.observer.updates_ended();

        self.frame = FrameRecord {
            number,
            start,
            delta,
            updates,
            step,
            debt: self.frame_loop.debt(),
            debt_dropped,
            runs: self.game.run_count as u32,
            backlog: self.game.strategy.backlog(),
            task_time: self.game.task_time,
            scheduling: self.game.scheduling,
            looking_wrong: self.looking_wrong(),
            alpha,
            ..FrameRecord::default()
        };
    }

    /// From here on it is measured in every frame how many look at the wrong place, as [`super::gaze_error`] says. It
    /// takes some microseconds a frame.
    pub fn measure_gazes(&mut self) {
        self.gazes = Some(Gazes::default());
    }

    /// What a frame costs beside its runs, counted as so many of them.
    pub(crate) fn steps_a_frame(&self) -> u64 {
        1 + self.gazes.as_ref().map_or(0, Gazes::len) as u64 / 4
    }

    fn looking_wrong(&mut self) -> Option<f64> {
        self.gazes.as_mut()?.looking_wrong(&self.game.world)
    }

    /// The picture is drawn.
    pub fn drawn(&mut self) {
        self.drawn_at = self.game.machine.clock();
        let since_start = self.drawn_at - self.frame.start;
        let busy = self.frame.task_time + self.frame.scheduling;
        self.frame.drawing = since_start - busy - self.stalled;
    }

    /// Waits for what the frame loop waits for.
    pub fn wait(&mut self) {
        let (start, machine) = (self.frame.start, &mut self.game.machine);
        let earliest = start + machine.least_frame();
        self.pace = self.frame_loop.pace();
        match self.pace {
            Pace::Display => machine.wait_for_display(start),
            Pace::Until(time) => machine.wait_until(time.max(earliest)),
            Pace::Nothing => machine.wait_until(earliest),
        }
    }

    /// What the last frame waited for.
    #[must_use]
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The length that frames are to have: the frame loop's own where it keeps one, else the display's period.
    #[must_use]
    pub fn aimed_length(&self) -> Nanos {
        let slow = Nanos::from_secs_f64(1.0 / SLOW_HZ);
        self.frame_loop
            .target_period()
            .unwrap_or(if self.slow_display {
                self.display.max(slow)
            } else {
                self.display
            })
    }

    /// From here on [`Lane::runs`] lists only the first `most` of each frame; those behind are only counted. A list takes
    /// 48 bytes a run, and a frame of a slow machine may have many updates of a million runs.
    pub fn list_runs(&mut self, most: usize) {
        self.game.most_listed = most;
    }

    /// Whether [`Lane::runs`] lists all of this frame's that were not taken in.
    #[must_use]
    pub fn lists_all_runs(&self) -> bool {
        self.game.unlisted == 0
    }

    /// The frame is over: its record is complete.
    pub fn finish(&mut self) -> &FrameRecord {
        let end = self.game.machine.clock();
        self.frame.waiting = (end - self.drawn_at) + self.stalled;
        self.frame.length = end - self.frame.start;
        self.frames += 1;
        let ended = FrameEnded {
            record: &self.frame,
            stall: self.stalled,
            target: self.aimed_length(),
            worst_staleness: self.worst_staleness(),
        };
        self.game.observer.frame_ended(&ended);
        self.under_way = false;
        &self.frame
    }

    /// How many frames are over.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Whether its next frame starts within `length` of its own start.
    #[must_use]
    pub fn is_within(&self, length: Length) -> bool {
        match length {
            Length::Frames(frames) => self.frames() < frames,
            Length::Time(time) => self.game.machine.clock().since_start() < time,
        }
    }

    /// The last frame, or the one under way as far as it is known.
    #[must_use]
    pub fn last_frame(&self) -> &FrameRecord {
        &self.frame
    }

    /// Whoever keeps a picture of the lane has taken in its runs and changes: they are not told again.
    pub fn clear_news(&mut self) {
        self.game.runs.clear();
        self.game.unlisted = 0;
        self.game.updates.clear();
        self.game.changes.clear();
    }

    /// How long this frame was stalled before its first update; its record has that in its waiting.
    #[must_use]
    pub fn stalled(&self) -> Nanos {
        self.stalled
    }

    /// What ran in this frame, in the order of execution, as far as [`Lane::list_runs`] has it; nothing after
    /// [`Lane::clear_news`].
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.game.runs
    }

    /// This frame's updates, in order; nothing after [`Lane::clear_news`].
    #[must_use]
    pub fn updates(&self) -> &[Update] {
        &self.game.updates
    }

    /// Who was born and who died since the last frame's updates began, or since [`Lane::clear_news`], in
    /// order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.game.changes
    }

    /// What has heard of all that happened in it.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.game.observer
    }

    /// The observer, to be told of what does not happen in the lane.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.game.observer
    }

    /// Tells the period of the display that frames are held against. A simulated machine's is known from its
    /// knob; the host's is the window's to find out.
    pub fn set_display_period(&mut self, period: Nanos) {
        self.display = period;
    }

    /// The game time of each update if the frame loop keeps it fixed; none if it is the real time that has passed.
    #[must_use]
    pub fn fixed_step(&self) -> Option<Nanos> {
        self.frame_loop.step()
    }

    fn changed(&mut self) {
        let (clock, now) = (self.game.machine.clock(), self.game.now);
        self.game.observer.changed(clock, now);
    }

    /// The choices that it runs on.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The game time: the sum of all deltas.
    #[must_use]
    pub fn now(&self) -> GameTime {
        self.game.now
    }

    /// The moment of the machine's clock that the last picture is of: its frame's start, or later where the
    /// frame loop reads the clock after its updates.
    #[must_use]
    pub fn drawn_for(&self) -> ClockTime {
        self.drawn_for
    }

    /// What crosses the picture, and where true time says it should be.
    #[must_use]
    pub fn projectile(&self) -> &Projectile {
        &self.projectile
    }

    /// The body that flies by this lane's updates.
    #[must_use]
    pub fn body(&self) -> &Body {
        &self.game.body
    }

    /// How long ago the stalest entity's last run (or birth) is, in game time; zero without entities.
    #[must_use]
    pub fn worst_staleness(&self) -> Nanos {
        let world = &self.game.world;
        let last_run = world
            .stalest()
            .and_then(|task| world.tasks().last_run(task));
        last_run.map_or(Nanos::ZERO, |last_run| self.game.now - last_run)
    }

    /// Who lives in it.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.game.world
    }

    /// What it runs on.
    #[must_use]
    pub fn machine(&self) -> &M {
        &self.game.machine
    }

    /// What it runs on, to be held, set or stalled.
    pub fn machine_mut(&mut self) -> &mut M {
        &mut self.game.machine
    }

    /// The strategy that it runs.
    #[must_use]
    pub fn strategy(&self) -> &dyn Strategy {
        &*self.game.strategy
    }

    /// Turns a knob while it runs. Entities are born or die at once, the last places first. A knob of the
    /// frame loop makes the body fly anew: a flight of two kinds of steps would be comparable to none.
    pub fn set_knob(&mut self, knob: &Knob, value: f64) {
        let before = self.settings.knobs.get(knob);
        self.settings.knobs.set(knob, value);
        if self.settings.knobs.get(knob) != before && self.settings.is_concerned_by(knob) {
            self.changed();
        }
        if knob.key == DISPLAY_HZ.key {
            self.display = period(&self.settings);
        }
        let mut own = self.settings.frame_loop.knobs.iter();
        if own.any(|own| own.key == knob.key) && self.settings.knobs.get(knob) != before {
            self.game.body = Body::default();
        }
        let knobs = &self.settings.knobs;
        self.game.world.tune(knobs);
        self.game.strategy.tune(knobs);
        self.game.machine.tune(knobs);
        self.frame_loop.tune(knobs);
        if knob.key == ENTITIES.key {
            self.game.populate(knobs.get(&ENTITIES) as usize);
        }
    }

    /// Changes the strategy while it runs. Entities keep their history: elapsed times go on. The new
    /// strategy starts as it would by itself, its order beginning with the entity that has waited
    /// longest; requests that the old one had not served are dropped, so that no burst is handed over.
    pub fn set_strategy(&mut self, strategy: &'static StrategyEntry) {
        self.settings.strategy = strategy;
        self.game.strategy = (strategy.make)();
        self.game.on_request = strategy.on_request();
        self.game.strategy.tune(&self.settings.knobs);

        let tasks = self.game.world.tasks();
        let first = self.game.world.stalest().map_or(0, |task| task.index);
        let order = (first..tasks.end())
            .chain(0..first)
            .filter_map(|index| tasks.at(index));
        order.for_each(|task| self.game.strategy.insert(task));
        self.game.observer.strategy_switched();
        self.changed();
    }

    /// Changes the frame loop while it runs. The new one starts as it would by itself, with a delta of zero
    /// and deadlines from now on, so that no burst is handed over; projectile and body start anew.
    pub fn set_frame_loop(&mut self, frame_loop: &'static FrameLoopEntry) {
        self.settings.frame_loop = frame_loop;
        self.frame_loop = (frame_loop.make)();
        self.frame_loop.tune(&self.settings.knobs);
        self.loop_begins = true;
        self.projectile = Projectile::default();
        self.game.body = Body::default();
        self.pace = self.frame_loop.pace();
        self.changed();
    }

    /// An entity asks for a run.
    pub fn request(&mut self, task: TaskId) {
        if self.game.world.tasks().contains(task) {
            self.game.request(task);
        }
    }

    /// Where the target is to be, or none: then it moves along its orbit.
    pub fn set_pointer(&mut self, pointer: Option<Point>) {
        self.game.world.set_pointer(pointer);
    }
}

/// The period of a simulated machine's display.
fn period(settings: &Settings) -> Nanos {
    Periods::new(settings.knobs.get(&DISPLAY_HZ)).next_period()
}

#[cfg(test)]
mod tests;
