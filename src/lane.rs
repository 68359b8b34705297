//! A lane: one machine running one frame loop, one strategy and one world.

use crate::figure;
use crate::frame_loop::{Frame, FrameLoop, FrameLoopEntry, Game, Pace};
use crate::gaze::Gazes;
use crate::knob::Knob;
use crate::machine::{DISPLAY_HZ, Machine};
use crate::metrics::{Aftermath, Figures, FrameRecord, Metrics, Pacing, Report, hitch_from};
use crate::projectile::{Body, Projectile};
use crate::scheduler::{Runner, TaskId, Tasks, Turn};
use crate::settings::Settings;
use crate::shock::{CROWD, HEAVY, SLOW_HZ, STALL, Shock};
use crate::strategy::{Strategy, StrategyEntry};
use crate::time::{Nanos, Periods};
use crate::world::{Crowd, ENTITIES, Entity, Point, World};

/// One execution of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which task.
    pub task: TaskId,
    /// Its entity's number in the order of birth.
    pub entity: u64,
    /// The game time of the update in which it ran.
    pub time: Nanos,
    /// The game time since its last run, or since its entity's birth.
    pub elapsed: Nanos,
    /// Whether its entity had never run before: then no interval ends with it.
    pub first: bool,
    /// How long it took, on the machine's clock.
    pub took: Nanos,
}

/// One update, as it was. Its tasks ran one after another; when each began follows from how long each took, but
/// for the scheduling in between, which is known as a sum only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// When it started, on the machine's clock.
    pub start: Nanos,
    /// The game time after it.
    pub time: Nanos,
    /// Where the target was: there look those who ran in it.
    pub target: Point,
    /// The game time that it advanced.
    pub delta: Nanos,
    /// How many of the frame's runs came before it.
    pub runs_before: usize,
    /// How many tasks it ran.
    pub runs: usize,
    /// The time in tasks.
    pub task_time: Nanos,
    /// The time apart from tasks.
    pub scheduling: Nanos,
}

/// How long a lane is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many frames.
    Frames(u64),
    /// The frames that start before the machine's clock shows this.
    Time(Nanos),
}

/// Who came into the world and who left it, since it was last asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// An entity was born.
    Born(TaskId),
    /// An entity died.
    Died(TaskId),
}

/// One machine running one frame loop, one strategy and one world.
///
/// On a simulated machine [`Lane::frame`] makes a whole frame. On the host, where the picture is the
/// window's affair, the window calls the frame's parts itself: [`Lane::update`], then it draws,
/// [`Lane::drawn`], [`Lane::wait`], and, once the display has taken the picture, [`Lane::finish`].
pub struct Lane<M> {
    settings: Settings,
    frame_loop: Box<dyn FrameLoop>,
    /// Whether the frame loop has made no frame yet: then no time has passed for it.
    loop_begins: bool,
    game: LaneGame<M>,
    frame: FrameRecord,
    drawn_for: Nanos,
    figures: Figures,
    drawn_at: Nanos,
    /// What the last frame waited for.
    pace: Pace,
    /// A stall that is to happen in the next frame, and one that has happened in this.
    stalls: [Nanos; 2],
    /// Whether a frame has begun that is not over.
    under_way: bool,
    /// Whether the display has dropped to a lower rate.
    slow_display: bool,
    /// What came of what was done to it last.
    aftermath: Option<Aftermath>,
    /// Where the crowd looks, where that is measured.
    gazes: Option<Gazes>,
    /// How many lived before everybody died.
    before_nobody: Option<usize>,
    projectile: Projectile,
    /// The display's period.
    display: Nanos,
}

/// The part of a lane that updates happen in.
struct LaneGame<M> {
    machine: M,
    strategy: Box<dyn Strategy>,
    /// Whether the strategy listens to requests: nobody draws them for one that does not.
    on_request: bool,
    world: World,
    body: Body,
    now: Nanos,
    runs: Vec<Run>,
    updates: Vec<Update>,
    changes: Vec<Change>,
    metrics: Metrics,
    /// The length of an update that the frame loop aims at.
    step: Nanos,
    task_time: Nanos,
    scheduling: Nanos,
}

impl<M: Machine> Lane<M> {
    /// A lane at its start: the entities are born, nothing has run.
    #[must_use]
    pub fn new(settings: Settings, mut machine: M) -> Self {
        machine.slow_display(None);
        let mut frame_loop = (settings.frame_loop.make)();
        frame_loop.tune(&settings.knobs);
        let mut lane = Self {
            frame_loop,
            loop_begins: true,
            game: LaneGame {
                machine,
                strategy: (settings.strategy.make)(),
                on_request: settings.strategy.on_request,
                world: World::new(&settings.knobs, settings.seed),
                body: Body::default(),
                now: Nanos::ZERO,
                runs: Vec::new(),
                updates: Vec::new(),
                changes: Vec::new(),
                metrics: Metrics::new(),
                step: Nanos::ZERO,
                task_time: Nanos::ZERO,
                scheduling: Nanos::ZERO,
            },
            display: period(&settings),
            settings,
            frame: FrameRecord::default(),
            pace: Pace::Display,
            stalls: [Nanos::ZERO; 2],
            under_way: false,
            slow_display: false,
            aftermath: None,
            gazes: None,
            before_nobody: None,
            drawn_for: Nanos::ZERO,
            figures: Figures::new(),
            drawn_at: Nanos::ZERO,
            projectile: Projectile::default(),
        };
        lane.pace = lane.frame_loop.pace();
        lane.game.strategy.tune(&lane.settings.knobs);
        lane.game
            .populate(lane.settings.knobs.get(&ENTITIES) as usize);
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
        self.update_at(self.game.machine.now());
    }

    /// Starts the next frame at `start` of the machine's clock, which shows that or a little more, and
    /// makes its updates: for a frame whose delta is to be exact.
    pub fn update_at(&mut self, start: Nanos) {
        self.under_way = true;
        let number = self.frames();
        let delta = if number == 0 {
            Nanos::ZERO
        } else {
            start - self.frame.start
        };
        self.clear_news();
        self.game.task_time = Nanos::ZERO;
        self.game.scheduling = Nanos::ZERO;
        let stall = std::mem::take(&mut self.stalls[0]);
        self.stalls[1] = stall;
        if !stall.is_zero() {
            self.game.machine.stall(stall);
        }
        self.game.step = self.frame_loop.step().unwrap_or(self.display);
        self.game.metrics.begin_frame(start, self.game.now);

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

        self.frame = FrameRecord {
            number,
            start,
            delta,
            updates,
            step,
            debt: self.frame_loop.debt(),
            debt_dropped,
            runs: self.game.runs.len() as u32,
            backlog: self.game.strategy.backlog(),
            task_time: self.game.task_time,
            scheduling: self.game.scheduling,
            looking_wrong: self.looking_wrong(),
            alpha,
            ..FrameRecord::default()
        };
    }

    /// From here on it is measured in every frame how many look at the wrong place, as [`crate::gaze`] says. It
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
        self.drawn_at = self.game.machine.now();
        let since_start = self.drawn_at - self.frame.start;
        let busy = self.frame.task_time + self.frame.scheduling;
        self.frame.drawing = since_start - busy - self.stalls[1];
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

    /// The time from picture to picture that the frame loop aims at, where that is not the display's.
    #[must_use]
    pub fn target_period(&self) -> Option<Nanos> {
        self.frame_loop.target_period()
    }

    /// The frame is over: its record is complete, and counted in the figures.
    pub fn finish(&mut self) -> &FrameRecord {
        let end = self.game.machine.now();
        self.frame.waiting = (end - self.drawn_at) + self.stalls[1];
        self.frame.length = end - self.frame.start;
        self.figures.frame(&self.frame);
        let (target, stalest) = (self.target(), self.worst_staleness());
        let stall = self.stalls[1];
        self.game.metrics.frame(&self.frame, stall, target, stalest);
        if let Some(aftermath) = &mut self.aftermath {
            aftermath.frame(&self.frame, stall, hitch_from(target));
            let world = &self.game.world;
            let is_heavy = |run: &Run| world.entity(run.task).is_some_and(Entity::is_heavy);
            if aftermath.waits_for_the_heavy() && self.game.runs.iter().any(is_heavy) {
                aftermath.heavy_ran();
            }
        }
        self.under_way = false;
        &self.frame
    }

    /// How many frames are over.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.figures.frames()
    }

    /// Whether its next frame starts within `length` of its own start.
    #[must_use]
    pub fn is_within(&self, length: Length) -> bool {
        match length {
            Length::Frames(frames) => self.frames() < frames,
            Length::Time(time) => self.game.machine.now() < time,
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
        self.game.updates.clear();
        self.game.changes.clear();
    }

    /// How long this frame was stalled before its first update; its record has that in its waiting.
    #[must_use]
    pub fn stalled(&self) -> Nanos {
        self.stalls[1]
    }

    /// What ran in this frame, in the order of execution; nothing after [`Lane::clear_news`].
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

    /// The totals since the lane's start.
    #[must_use]
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// What was measured since the last change of strategy, frame loop or knob, but for the warm-up after it
    /// ([`crate::metrics::WARM_UP`]), and since [`Lane::clear_metrics`]. It takes time: some 0.1 ms.
    #[must_use]
    pub fn report(&self) -> Report {
        let LaneGame {
            metrics,
            world,
            now,
            ..
        } = &self.game;
        let starved = metrics.starved(world, *now);
        let mut report = Report::new(
            metrics,
            &self.settings,
            world.tasks().len(),
            self.pacing(),
            self.game.strategy.longest_wait(),
            self.worst_staleness(),
            starved,
        );
        report.aftermath = self.aftermath().cloned();
        report
    }

    /// Measures anew from here on.
    pub fn clear_metrics(&mut self) {
        self.game.metrics.clear(self.game.now);
    }

    /// Tells the period of the display that frames are held against. A simulated machine's is known from its
    /// knob; the host's is the window's to find out.
    pub fn set_display_period(&mut self, period: Nanos) {
        self.display = period;
    }

    /// How the last frame's length was decided.
    fn pacing(&self) -> Pacing {
        Pacing {
            target: self.target(),
            waits_for_display: self.pace == Pace::Display,
            step: self.frame_loop.step(),
        }
    }

    /// The length that the last frame was to have.
    #[must_use]
    pub fn target(&self) -> Nanos {
        let display = if self.slow_display {
            self.display.max(Nanos::from_secs_f64(1.0 / SLOW_HZ))
        } else {
            self.display
        };
        match self.pace {
            Pace::Until(_) => self.frame_loop.step().unwrap_or(display),
            Pace::Display | Pace::Nothing => display,
        }
    }

    /// What came of what was done to it by [`Lane::shock`], until that is long ago or something else was changed.
    #[must_use]
    pub fn aftermath(&self) -> Option<&Aftermath> {
        self.aftermath.as_ref().filter(|it| !it.is_over())
    }

    fn changed(&mut self) {
        let (clock, now) = (self.game.machine.now(), self.game.now);
        self.game.metrics.change(clock, now);
        self.aftermath = None;
    }

    /// The choices that it runs on.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The game time: the sum of all deltas.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.game.now
    }

    /// The moment of the machine's clock that the last picture is of: its frame's start, or later where the
    /// frame loop reads the clock after its updates.
    #[must_use]
    pub fn drawn_for(&self) -> Nanos {
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

    /// Does `shock` to it. One that goes on ends when it is done again. Returns what was done, in a word or two;
    /// none where that is nothing.
    pub fn shock(&mut self, shock: Shock) -> Option<String> {
        let rate_before = self.game.metrics.hitch_rate();
        let name = self.shake(shock)?;
        let from = self.frames() + u64::from(self.under_way);
        let aftermath = Aftermath::new(shock, name.clone(), from, rate_before);
        self.aftermath = Some(aftermath);
        Some(name)
    }

    fn shake(&mut self, shock: Shock) -> Option<String> {
        let count = self.game.world.tasks().len();
        let name = || Some(shock.name().to_owned());
        match shock {
            Shock::Stall => {
                self.stalls[0] += STALL;
                name()
            }
            Shock::Births => self.repopulate(count + CROWD),
            Shock::Deaths => {
                for _ in 0..CROWD {
                    if let Some(victim) = self.game.world.anyone() {
                        self.game.death(victim);
                    }
                }
                let left = self.game.world.tasks().len();
                self.set_knob(&ENTITIES, left as f64);
                let died = count - left;
                (died > 0).then(|| figure::counted(died as u64, "death"))
            }
            Shock::Heavy => {
                let task = self.game.world.anyone()?;
                self.game.world.make_heavy(task, HEAVY);
                self.changed();
                name()
            }
            Shock::AllRequest if self.game.on_request && count > 0 => {
                let all: Vec<TaskId> = self.game.world.tasks().iter().collect();
                for task in all {
                    self.game.request(task);
                }
                name()
            }
            Shock::AllRequest => None,
            Shock::SlowDisplay => {
                self.set_slow_display(!self.slow_display);
                if self.slow_display {
                    name()
                } else {
                    Some("Display back".to_owned())
                }
            }
            Shock::Nobody if count > 0 => {
                self.before_nobody = Some(count);
                self.set_knob(&ENTITIES, 0.0);
                name()
            }
            Shock::Nobody => {
                let before = self.before_nobody.take();
                self.repopulate(before.unwrap_or(ENTITIES.default as usize))
            }
        }
    }

    /// So many live from now on, or as many as may. Returns how many were born.
    fn repopulate(&mut self, to: usize) -> Option<String> {
        let before = self.game.world.tasks().len();
        self.set_knob(&ENTITIES, ENTITIES.nearest(to as f64));
        let born = self.game.world.tasks().len().saturating_sub(before);
        (born > 0).then(|| figure::counted(born as u64, "birth"))
    }

    /// The display drops to [`SLOW_HZ`], or is itself again.
    pub fn set_slow_display(&mut self, slow: bool) {
        self.slow_display = slow;
        self.game.machine.slow_display(slow.then_some(SLOW_HZ));
        self.changed();
    }

    /// What was done to `other` and goes on is done to this one, too: its display, and who is to live again.
    pub fn inherit(&mut self, other: &Self) {
        self.before_nobody = other.before_nobody;
        if other.slow_display {
            self.set_slow_display(true);
        }
    }

    /// Whether the display has dropped to a lower rate.
    #[must_use]
    pub fn has_slow_display(&self) -> bool {
        self.slow_display
    }

    /// Changes the strategy while it runs. Entities keep their history: elapsed times go on. The new
    /// strategy starts as it would by itself, its order beginning with the entity that has waited
    /// longest; requests that the old one had not served are dropped, so that no burst is handed over.
    pub fn set_strategy(&mut self, strategy: &'static StrategyEntry) {
        self.settings.strategy = strategy;
        self.game.strategy = (strategy.make)();
        self.game.on_request = strategy.on_request;
        self.game.strategy.tune(&self.settings.knobs);

        let tasks = self.game.world.tasks();
        let first = self.game.world.stalest().map_or(0, |task| task.index);
        let order = (first..tasks.end())
            .chain(0..first)
            .filter_map(|index| tasks.at(index));
        order.for_each(|task| self.game.strategy.insert(task));
        self.game.metrics.switch_strategy();
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

impl<M: Machine> LaneGame<M> {
    fn birth(&mut self) {
        let task = self.world.birth(self.now);
        self.strategy.insert(task);
        self.metrics.born(task);
        self.changes.push(Change::Born(task));
    }

    fn death(&mut self, task: TaskId) {
        let last_run = self.world.tasks().last_run(task);
        if let Some((entity, last_run)) = self.world.entity(task).zip(last_run) {
            self.metrics.died(task, entity.number, self.now - last_run);
            self.world.death(task);
            self.strategy.remove(task);
            self.changes.push(Change::Died(task));
        }
    }

    fn request(&mut self, task: TaskId) {
        self.strategy.request(task);
        self.metrics
            .asks(task, self.now, self.strategy.longest_wait());
    }

    /// Entities die, the last places first, or are born until `count` live.
    fn populate(&mut self, count: usize) {
        let excess = self.world.tasks().len().saturating_sub(count);
        let dying: Vec<TaskId> = self.world.tasks().iter().rev().take(excess).collect();
        for task in dying {
            self.death(task);
        }
        while self.world.tasks().len() < count {
            self.birth();
        }
    }
}

impl<M: Machine> Game for LaneGame<M> {
    fn update(&mut self, delta: Nanos) {
        let start = self.machine.now();
        let task_time_before = self.task_time;
        self.now += delta;
        self.body.update(delta);
        self.world.move_target(self.now);

        let mut expected = self.world.expected_churn(delta);
        while let Some(victim) = self.world.next_churned(&mut expected) {
            self.death(victim);
            self.birth();
        }
        let Self {
            strategy,
            world,
            metrics,
            now,
            ..
        } = self;
        if self.on_request {
            world.requests(delta, |task| {
                strategy.request(task);
                metrics.asks(task, *now, strategy.longest_wait());
            });
        }
        metrics.begin_update(
            *now,
            delta,
            strategy.longest_wait(),
            strategy.budget(),
            self.step,
        );

        let runs_before = self.runs.len();
        let (tasks, crowd) = world.halves();
        let mut runner = LaneRunner {
            machine: &mut self.machine,
            crowd,
            now: self.now,
            runs: &mut self.runs,
            metrics,
            task_time: &mut self.task_time,
        };
        strategy.update(&mut Turn::new(delta, self.now, tasks, &mut runner));
        let in_tasks = self.task_time - task_time_before;
        let scheduling = (self.machine.now() - start) - in_tasks;
        self.scheduling += scheduling;
        self.metrics.end_update(in_tasks);
        self.updates.push(Update {
            start,
            time: self.now,
            target: self.world.target(),
            delta,
            runs_before,
            runs: self.runs.len() - runs_before,
            task_time: in_tasks,
            scheduling,
        });
    }

    fn clock(&self) -> Nanos {
        self.machine.now()
    }
}

/// Runs a lane's tasks: spends their cost on the machine and notes who ran.
struct LaneRunner<'a, M> {
    machine: &'a mut M,
    crowd: &'a mut Crowd,
    now: Nanos,
    runs: &'a mut Vec<Run>,
    metrics: &'a mut Metrics,
    task_time: &'a mut Nanos,
}

impl<M: Machine> Runner for LaneRunner<'_, M> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        let took = self.machine.work(self.crowd.cost(task));
        *self.task_time += took;
        let (entity, first) = self.crowd.ran(task, self.now, elapsed);
        self.metrics.run(task, entity, elapsed, first);
        self.runs.push(Run {
            task,
            entity,
            time: self.now,
            elapsed,
            first,
            took,
        });
    }

    fn clock(&self) -> Nanos {
        self.machine.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_loop::{self, knobs::STEP};
    use crate::knob::KnobValues;
    use crate::machine::{DISPLAY_HZ, RENDER_MS, Simulated};
    use crate::strategy::{STRATEGIES, by_key};
    use crate::world::{CHURN, COST, REQUESTS};

    fn lane(strategy: &str, set: &[(&Knob, f64)]) -> Lane<Simulated> {
        let settings = Settings {
            strategy: by_key(strategy).unwrap(),
            knobs: KnobValues::with(set),
            ..Settings::default()
        };
        let machine = Simulated::new(&settings.knobs);
        Lane::new(settings, machine)
    }

    #[test]
    fn frame_0_starts_at_0_with_a_delta_of_0_and_each_delta_is_the_last_frames_length() {
        let mut lane = lane("every-frame", &[(&COST, 1000.0), (&ENTITIES, 30.0)]);
        let mut end = Nanos::ZERO;
        for number in 0..5 {
            let frame = lane.frame().clone();
            assert_eq!((frame.number, frame.start), (number, end));
            assert_eq!(
                frame.delta,
                if number == 0 {
                    Nanos::ZERO
                } else {
                    frame.length
                }
            );
            assert_eq!(frame.length, Nanos::from_millis(30)); // 30 tasks of 1 ms
            end += frame.length;
        }
    }

    #[test]
    fn the_parts_of_a_frame_add_up_to_its_length() {
        let mut lane = lane("fixed-interval", &[]);
        for _ in 0..100 {
            let frame = lane.frame();
            let parts = frame.task_time + frame.scheduling + frame.drawing + frame.waiting;
            assert_eq!(parts, frame.length);
        }
    }

    #[test]
    fn a_switch_keeps_every_entitys_history() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 10.0)]);
        for _ in 0..10 {
            lane.frame();
        }
        let last_run = lane.now();
        lane.set_strategy(by_key("fixed-interval").unwrap());
        loop {
            lane.frame();
            if let Some(run) = lane.runs().first() {
                assert_eq!(run.elapsed, lane.now() - last_run);
                break;
            }
        }
    }

    #[test]
    fn a_switch_starts_no_burst_that_the_new_strategy_would_not_make_by_itself() {
        for from in STRATEGIES {
            for to in STRATEGIES {
                let set = [(&ENTITIES, 300.0), (&COST, 10.0)];
                let mut fresh = lane(to.key, &set);
                let own_peak = (0..120).map(|_| fresh.frame().runs).max();
                let mut switched = lane(from.key, &set);
                for _ in 0..120 {
                    switched.frame();
                }
                switched.set_strategy(to);
                let peak = (0..120).map(|_| switched.frame().runs).max();
                // The fraction of a run that is owed may stand elsewhere; requests come by chance.
                let leeway = if to.on_request { 15 } else { 1 };
                assert!(
                    peak <= own_peak.map(|runs| runs + leeway),
                    "{} to {}",
                    from.key,
                    to.key
                );
            }
        }
    }

    #[test]
    fn the_order_goes_on_with_the_one_that_has_waited_longest() {
        let mut lane = lane("max-per-frame", &[(&ENTITIES, 10.0)]);
        lane.frame(); // 0 to 3 run at time zero, as all were born
        lane.frame(); // 4 to 7
        lane.frame(); // 8, 9, 0, 1
        lane.set_strategy(by_key("max-per-frame").unwrap());
        lane.frame();
        let ran: Vec<u64> = lane.runs().iter().map(|run| run.entity).collect();
        assert_eq!(ran, [2, 3, 4, 5]);
    }

    #[test]
    fn the_number_of_entities_follows_its_knob_at_once_the_last_places_first() {
        let mut lane = lane("fixed-interval", &[(&ENTITIES, 10.0)]);
        lane.set_knob(&ENTITIES, 4.0);
        assert_eq!(lane.world().tasks().len(), 4);
        assert_eq!(lane.world().tasks().end(), 4);
        lane.set_knob(&ENTITIES, 6.0);
        assert_eq!(lane.world().tasks().end(), 6);
        assert_eq!(lane.world().born_so_far(), 12);
        lane.set_knob(&ENTITIES, 0.0);
        assert!(lane.world().tasks().is_empty());
        lane.frame();
    }

    #[test]
    fn churn_keeps_the_population_and_gives_new_numbers() {
        let mut lane = lane("fixed-interval", &[(&ENTITIES, 50.0), (&CHURN, 100.0)]);
        for _ in 0..600 {
            lane.frame();
        }
        assert_eq!(lane.world().tasks().len(), 50);
        let born = lane.world().born_so_far();
        assert!((900..=1200).contains(&born), "{born} of about 1050");
    }

    #[test]
    fn the_worst_staleness_is_that_of_the_stalest_of_all() {
        for entry in STRATEGIES {
            let mut lane = lane(entry.key, &[(&ENTITIES, 50.0), (&CHURN, 30.0)]);
            for frame in 0..300 {
                lane.frame();
                if frame == 150 {
                    lane.set_knob(&ENTITIES, 30.0);
                }
                let tasks = lane.world().tasks();
                let last_runs = tasks.iter().filter_map(|task| tasks.last_run(task));
                let stalest = last_runs.map(|last_run| lane.now() - last_run).max();
                assert_eq!(Some(lane.worst_staleness()), stalest, "{}", entry.key);
            }
        }
        assert_eq!(
            lane("every-frame", &[(&ENTITIES, 0.0)]).worst_staleness(),
            Nanos::ZERO
        );
    }

    #[test]
    fn news_that_was_taken_in_is_not_told_again() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 3.0)]);
        assert_eq!(lane.changes().len(), 3);
        lane.frame();
        assert_eq!(lane.runs().len(), 3);
        lane.clear_news();
        assert!(lane.runs().is_empty() && lane.changes().is_empty());
        lane.set_knob(&ENTITIES, 5.0);
        assert_eq!(lane.changes().len(), 2);
    }

    #[test]
    fn a_strategy_that_does_not_listen_draws_no_requests() {
        let mut lane = lane("every-frame", &[]);
        (0..10).for_each(|_| drop(lane.frame().clone()));
        let untouched = World::new(&KnobValues::default(), 0);
        let mut asked = [Vec::new(), Vec::new()];
        for (world, asked) in [lane.game.world, untouched].iter_mut().zip(&mut asked) {
            while world.tasks().len() < 400 {
                world.birth(Nanos::ZERO);
            }
            world.requests(Nanos::from_millis(100), |task| asked.push(task.index));
        }
        assert_eq!(asked[0], asked[1]);
    }

    #[test]
    fn a_frame_tells_its_step_though_it_makes_no_update() {
        let mut lane = lane("every-frame", &[(&DISPLAY_HZ, 100.0), (&ENTITIES, 0.0)]);
        lane.set_frame_loop(frame_loop::by_key("fixed-step").unwrap());
        let updates = [0, 1, 2, 3].map(|_| {
            let frame = lane.frame();
            assert_eq!(frame.step, Nanos::from_millis(20));
            (frame.updates, frame.debt.as_nanos() / 1_000_000)
        });
        assert_eq!(updates, [(0, 0), (0, 10), (1, 0), (0, 10)]);
    }

    #[test]
    fn another_loop_begins_with_a_delta_of_zero_and_starts_what_flies_anew() {
        let mut lane = lane("every-frame", &[]);
        lane.set_frame_loop(frame_loop::by_key("unsynced").unwrap());
        for _ in 0..30 {
            lane.frame();
        }
        assert_ne!(lane.projectile().error_nanos(), 0);
        let now = lane.now();
        lane.set_frame_loop(frame_loop::by_key("variable-step").unwrap());
        let frame = lane.frame();
        assert!(frame.delta > Nanos::ZERO && frame.step.is_zero());
        assert_eq!((lane.now(), lane.body().flown()), (now, Nanos::ZERO));
        for _ in 0..30 {
            lane.frame();
            assert_eq!(lane.projectile().error_nanos(), 0);
            assert_eq!(lane.body().flown(), lane.now() - now);
        }
    }

    #[test]
    fn only_a_knob_of_the_frame_loop_makes_the_body_fly_anew() {
        let mut lane = lane("every-frame", &[]);
        lane.set_frame_loop(frame_loop::by_key("fixed-step").unwrap());
        for _ in 0..10 {
            lane.frame();
        }
        let flown = lane.body().flown();
        lane.set_knob(&COST, 3.0);
        lane.set_knob(&STEP, STEP.default);
        assert!(flown > Nanos::ZERO && lane.body().flown() == flown);
        lane.set_knob(&STEP, 10.0);
        assert_eq!(lane.body().flown(), Nanos::ZERO);
    }

    #[test]
    fn a_stall_makes_one_frame_long_and_is_no_time_in_drawing() {
        let mut lane = lane("fixed-interval", &[(&RENDER_MS, 3.0)]);
        lane.frame();
        lane.shock(Shock::Stall);
        let stalled = lane.frame().clone();
        assert!(stalled.length >= STALL && stalled.drawing == Nanos::from_millis(3));
        let parts = stalled.task_time + stalled.scheduling + stalled.drawing + stalled.waiting;
        assert_eq!(parts, stalled.length);
        assert!(lane.frame().delta >= STALL);
        assert!(lane.last_frame().length < STALL);
    }

    #[test]
    fn births_deaths_and_nobody_change_the_population_and_its_knob() {
        let mut lane = lane("fixed-interval", &[(&ENTITIES, 130.0)]);
        let mut count_after = |shock| {
            lane.shock(shock);
            lane.frame();
            let count = lane.world().tasks().len();
            assert_eq!(lane.settings().knobs.get(&ENTITIES), count as f64);
            count
        };
        let shocks = [Shock::Births, Shock::Nobody, Shock::Nobody, Shock::Deaths];
        assert_eq!(shocks.map(&mut count_after), [230, 0, 230, 130]);
        let more = [Shock::Deaths, Shock::Deaths, Shock::Nobody, Shock::Births];
        // Nobody remembers how many there were: as many as there are at first.
        assert_eq!(more.map(&mut count_after), [30, 0, 400, 500]);
    }

    #[test]
    fn a_heavy_one_stays_heavy_whatever_the_knobs_say() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 5.0), (&COST, 10.0)]);
        lane.shock(Shock::Heavy);
        lane.set_knob(&COST, 20.0);
        let took = lane.frame().task_time;
        assert_eq!(took, HEAVY + Nanos::from_micros(80));
    }

    #[test]
    fn all_request_only_where_somebody_listens() {
        for entry in STRATEGIES {
            let set = [(&ENTITIES, 50.0), (&COST, 0.0), (&REQUESTS, 0.0)];
            let mut lane = lane(entry.key, &set);
            (0..3).for_each(|_| drop(lane.frame().clone()));
            lane.shock(Shock::AllRequest);
            let runs = lane.frame().runs;
            assert!(!entry.on_request || runs == 50, "{}: {runs}", entry.key);
        }
    }

    #[test]
    fn a_display_that_has_dropped_shows_half_as_many_pictures() {
        let mut lane = lane("fixed-interval", &[(&COST, 0.0)]);
        lane.shock(Shock::SlowDisplay);
        lane.frame();
        assert!(lane.last_frame().length > Nanos::from_millis(33));
        lane.shock(Shock::SlowDisplay);
        assert!(!lane.has_slow_display());
        assert!(lane.frame().length < Nanos::from_millis(17));
    }

    #[test]
    fn lanes_of_every_strategy_take_the_same_shocks_in_the_same_way() {
        let population = |entry: &StrategyEntry| {
            let mut lane = lane(entry.key, &[(&ENTITIES, 150.0), (&COST, 10.0)]);
            for shock in Shock::ALL {
                lane.shock(shock);
                lane.frame();
            }
            lane.shock(Shock::Nobody);
            lane.shock(Shock::Deaths);
            lane.shock(Shock::Heavy);
            let tasks: Vec<TaskId> = lane.world().tasks().iter().collect();
            let costs: Vec<Option<Nanos>> =
                tasks.iter().map(|&task| lane.world().cost(task)).collect();
            (tasks, costs)
        };
        let first = population(STRATEGIES[0]);
        assert!(STRATEGIES.iter().all(|entry| population(entry) == first));
    }
}
