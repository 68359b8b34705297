//! A lane on a simulated machine. Every run is checked against independent records.

mod account;
mod expected;

use crate::steps::{at_fraction, fraction, knob, own_knobs};
use account::{Account, Before};
use expected::Expected;
use headless::sim::disturbance::Disturbance;
use headless::sim::lane::Change;
use headless::sim::machine::{Machine, Simulated};
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, ENTITIES};
use headless::stats::MeasuredLane;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Strategy as Values;
use std::collections::{BTreeMap, BTreeSet};
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry, Pace};
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::{Promise, STRATEGIES, StrategyEntry};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// A random event in a lane.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Frame,
    Stall(Nanos),
    Request(Index),
    /// Stalls for this real time, then makes a frame as if there had been no stall.
    Hold(Nanos),
    /// Makes a frame that starts one step after the start of the last frame, even if that frame was longer or shorter.
    Step,
    /// Sets the clock back into the last frame, to this fraction of its length, and makes a frame.
    SetBack(f64),
    Disturbance(Index),
    ResetFigures,
    Report,
    TurnKnob(Index, f64),
    SwitchStrategy(Index),
    SwitchLoop(Index),
}

/// Length of a step in loops that have no rate of their own.
const PERIOD: Nanos = Nanos::from_nanos(16_666_667);

impl Event {
    fn is_a_frame(&self) -> bool {
        matches!(
            self,
            Self::Frame | Self::Hold(_) | Self::Step | Self::SetBack(_)
        )
    }

    /// Returns true if promised waits start again after this event.
    fn restarts_waits(&self) -> bool {
        matches!(
            self,
            Self::Disturbance(_)
                | Self::TurnKnob(..)
                | Self::SwitchStrategy(_)
                | Self::SwitchLoop(_)
        )
    }
}

/// Events that change no knob, strategy or frame loop. Most are frames.
pub(crate) fn steady_events(count: usize) -> impl Values<Value = Vec<Event>> {
    vec(steady_event(), 0..count)
}

/// Events of all kinds. Most are frames.
pub(crate) fn events(count: usize) -> impl Values<Value = Vec<Event>> {
    let event = prop_oneof![
        21 => steady_event(),
        2 => any::<Index>().prop_map(Event::Disturbance),
        1 => stall().prop_map(Event::Hold),
        1 => Just(Event::Step),
        1 => fraction().prop_map(Event::SetBack),
        1 => Just(Event::ResetFigures),
        1 => Just(Event::Report),
        2 => (any::<Index>(), fraction()).prop_map(|(knob, at)| Event::TurnKnob(knob, at)),
        1 => any::<Index>().prop_map(Event::SwitchStrategy),
        1 => any::<Index>().prop_map(Event::SwitchLoop),
    ];
    vec(event, 0..count)
}

fn steady_event() -> impl Values<Value = Event> {
    prop_oneof![
        16 => Just(Event::Frame),
        1 => stall().prop_map(Event::Stall),
        4 => any::<Index>().prop_map(Event::Request),
    ]
}

fn stall() -> impl Values<Value = Nanos> {
    prop_oneof![0..100_000_000u64, Just(10_000_000_000)].prop_map(Nanos::from_nanos)
}

/// Record of an entity.
#[derive(Clone, Debug)]
struct Life {
    task: TaskId,
    /// `None` if the entity was born and died in the same frame.
    born: Option<GameTime>,
    last_run: Option<GameTime>,
    elapsed_sum: Nanos,
    /// Number of the update when the promised wait began.
    waits_since_update: u64,
    /// Number of the last update in which the entity's request may be served.
    served_by: Option<u64>,
}

pub(crate) struct CheckedLane {
    pub(crate) lane: MeasuredLane<Simulated>,
    /// All entities that have ever lived, by number.
    lives: Vec<Life>,
    living: BTreeMap<TaskId, usize>,
    changes_seen: usize,
    settled_at: GameTime,
    /// True if all requests came from [`CheckedLane`], none from the lane's own random requests.
    all_requests_known: bool,
    account: Account,
    expected: Expected,
    /// Game time after each frame, and the frame's number of updates.
    ends: Vec<(GameTime, u64)>,
}

impl CheckedLane {
    pub(crate) fn new(
        strategy: &'static StrategyEntry,
        frame_loop: &'static FrameLoopEntry,
        seed: u64,
    ) -> Self {
        Self::with(strategy, frame_loop, seed, &[])
    }

    pub(crate) fn with(
        strategy: &'static StrategyEntry,
        frame_loop: &'static FrameLoopEntry,
        seed: u64,
        set: &[(&str, f64)],
    ) -> Self {
        let mut settings = Settings {
            strategy,
            frame_loop,
            seed,
            ..Settings::default()
        };
        settings.knobs.set(knob("entities"), 20.0);
        for (key, value) in set {
            settings.knobs.set(knob(key), *value);
        }
        let machine = Simulated::new(&settings.knobs);
        let mut checked = Self {
            lane: MeasuredLane::new(settings, machine),
            lives: Vec::new(),
            living: BTreeMap::new(),
            changes_seen: 0,
            settled_at: GameTime::START,
            all_requests_known: false,
            account: Account::default(),
            expected: Expected::default(),
            ends: Vec::new(),
        };
        checked.lane.measure_gazes();
        checked.note_births();
        checked.note_deaths();
        checked
    }

    pub(crate) fn set(&mut self, key: &str, value: f64) {
        let knob = knob(key);
        let before = self.lane.settings().knobs.get(knob);
        let clock = self.lane.machine().clock();
        self.lane.set_knob(knob, value);
        let settings = self.lane.settings();
        if settings.knobs.get(knob) != before && settings.is_concerned_by(knob) {
            self.expected.changed(clock);
        }
        self.note_births();
        self.note_deaths();
    }

    pub(crate) fn set_fraction(&mut self, key: &str, fraction: f64) {
        self.set(key, at_fraction(knob(key), fraction));
    }

    /// Makes a frame and checks its runs.
    pub(crate) fn frame(&mut self) {
        self.frame_at(self.lane.machine().clock());
    }

    /// Sets the clock to `start` and makes a frame.
    fn frame_at(&mut self, start: ClockTime) {
        let now_before = self.lane.now();
        self.lane.machine_mut().set_clock(start);
        let before = Before::new(&self.lane, start);
        let updated = self.lane.begin_frame_at(start);
        self.account.frame(&self.lane, before);
        self.lane.machine_mut().render();
        let drawn = self.lane.drawn(updated);
        let waited = self.lane.wait(drawn);
        self.lane.finish(waited);
        self.expected
            .frame(&self.lane, self.lane.now() - now_before);
        self.changes_seen = 0;
        self.note_births();
        let made = u64::from(self.lane.last_frame().updates);
        self.ends.push((self.lane.now(), made));
        let update_count = self.lane.totals().updates();
        let mut ran = BTreeSet::new();
        for run in self.lane.runs() {
            let twice = !ran.insert((run.time, run.entity));
            assert!(!twice, "{run:?} runs twice in an update");
            let life = &mut self.lives[run.entity as usize];
            assert_eq!(life.task, run.task);
            let lives = self.living.get(&run.task) == Some(&(run.entity as usize));
            assert!(lives, "{run:?} runs after its death");
            let born = *life.born.get_or_insert(run.time - run.elapsed);
            let since = life.last_run.unwrap_or(born);
            assert_eq!(run.elapsed, run.time - since, "{run:?}");
            assert!(run.time >= now_before && run.time <= self.lane.now());
            life.elapsed_sum += run.elapsed;
            assert_eq!(life.elapsed_sum, run.time - born, "{run:?}");
            life.last_run = Some(run.time);
            life.waits_since_update = update_count;
            let requested = life.served_by.take().is_some();
            let must_be_requested =
                self.lane.settings().strategy.on_request() && self.all_requests_known;
            assert!(requested || !must_be_requested, "{run:?}");
        }
        self.note_deaths();
        assert_eq!(self.living.len(), self.lane.world().tasks().len());
    }

    /// Applies an event. If the event makes a frame, checks the promise afterwards.
    pub(crate) fn apply_and_check(&mut self, event: &Event) {
        self.apply(event);
        if event.restarts_waits() {
            self.settle();
        }
        if event.is_a_frame() {
            self.assert_promise_kept();
        }
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Frame => self.frame(),
            Event::Stall(time) => self.lane.machine_mut().stall(*time),
            Event::Request(pick) => self.request(*pick),
            Event::TurnKnob(pick, fraction) => {
                let knob = *pick.get(&own_knobs());
                // Few entities and births, so that thousands of cases take little time.
                if *knob == ENTITIES {
                    self.set(knob.key, fraction * 60.0);
                } else if *knob == CHURN {
                    self.set(knob.key, fraction * 100.0);
                } else {
                    self.set(knob.key, at_fraction(knob, *fraction));
                }
            }
            Event::SwitchStrategy(pick) => self.switch(STRATEGIES[pick.index(STRATEGIES.len())]),
            Event::SwitchLoop(pick) => {
                let clock = self.lane.machine().clock();
                let frame_loop = FRAME_LOOPS[pick.index(FRAME_LOOPS.len())];
                self.lane.set_frame_loop(frame_loop);
                self.account = Account::default();
                self.expected.changed(clock);
            }
            Event::Hold(time) => {
                self.lane.machine_mut().stall(*time);
                let last = self.lane.last_frame();
                self.frame_at(last.start + last.length);
            }
            Event::Step => self.step(),
            Event::SetBack(fraction) => {
                let last = self.lane.last_frame();
                let into = Nanos::from_secs_f64(last.length.as_secs_f64() * fraction);
                self.frame_at((last.start + into).min(self.lane.machine().clock()));
            }
            Event::Disturbance(pick) => {
                self.disturb(Disturbance::ALL[pick.index(Disturbance::ALL.len())]);
            }
            Event::ResetFigures => {
                self.lane.clear_statistics();
                self.expected.cleared();
            }
            Event::Report => self.check_report(),
        }
    }

    /// Makes a frame one step after the start of the last frame, as a step in the window does.
    fn step(&mut self) {
        let last = self.lane.last_frame().start;
        self.frame_at(match self.lane.pace() {
            _ if self.lane.frames() == 0 => ClockTime::START,
            Pace::Until(due) => due.max(last),
            Pace::Display | Pace::Nothing => last + PERIOD,
        });
    }

    fn disturb(&mut self, disturbance: Disturbance) {
        let (clock, entities) = (self.lane.machine().clock(), knob("entities"));
        let before = self.lane.settings().knobs.get(entities);
        let count = self.lane.world().tasks().len();
        let done = self.lane.disturb(disturbance).is_some();
        let is_other_crowd = self.lane.settings().knobs.get(entities) != before;
        let is_other_machine =
            done && matches!(disturbance, Disturbance::Heavy | Disturbance::SlowDisplay);
        if is_other_crowd || is_other_machine {
            self.expected.changed(clock);
        }
        self.note_births();
        self.note_deaths();
        let on_request = self.lane.settings().strategy.on_request();
        let does_something = match disturbance {
            Disturbance::Stall
            | Disturbance::SlowDisplay
            | Disturbance::Births
            | Disturbance::KillAll => true,
            Disturbance::Deaths | Disturbance::Heavy => count > 0,
            Disturbance::AllRequest => count > 0 && on_request,
        };
        assert_eq!(done, does_something, "{disturbance:?} of {count}");
        if disturbance == Disturbance::AllRequest && done {
            let all: Vec<TaskId> = self.living.keys().copied().collect();
            for task in all {
                self.expect_served(task);
            }
        }
    }

    /// Checks the lane's report.
    pub(crate) fn check_report(&self) {
        self.expected.check(&self.lane);
    }

    pub(crate) fn switch(&mut self, strategy: &'static StrategyEntry) {
        let clock = self.lane.machine().clock();
        self.lane.set_strategy(strategy);
        self.expected.changed(clock);
        self.lives.iter_mut().for_each(|life| life.served_by = None);
    }

    fn request(&mut self, pick: Index) {
        let tasks = self.lane.world().tasks();
        if tasks.is_empty() {
            return;
        }
        let task = tasks.nth(pick.index(tasks.len())).expect("a living task");
        self.lane.request(task);
        self.expect_served(task);
    }

    /// Notes a request and its deadline.
    fn expect_served(&mut self, task: TaskId) {
        if let Promise::Request { updates } = self.lane.strategy().promise() {
            let by = self.lane.totals().updates() + updates as u64;
            self.lives[self.living[&task]].served_by.get_or_insert(by);
        }
    }

    /// Restarts the promised waits. Call when births, deaths and changes of knobs have ended.
    pub(crate) fn settle(&mut self) {
        self.settled_at = self.lane.now();
        self.all_requests_known = self.lane.frames() == 0
            && self.lane.settings().knobs.get(knob("requests-per-s")) == 0.0;
        let updates = self.lane.totals().updates();
        for life in &mut self.lives {
            life.waits_since_update = updates;
        }
    }

    /// Asserts that the latest frame kept the promise. The check is exact if the frame had one update, and only
    /// approximate if it had several.
    pub(crate) fn assert_promise_kept(&self) {
        let (promise, now) = (self.lane.strategy().promise(), self.lane.now());
        let updates = self.lane.totals().updates();
        for &number in self.living.values() {
            let life = &self.lives[number];
            let what = format!("{life:?} at {now}, update {updates}, {promise:?}");
            match promise {
                Promise::Updates(within) => {
                    let waited = updates - life.waits_since_update;
                    assert!(waited < within as u64, "{what}");
                }
                Promise::Interval(interval) => {
                    let since = life.last_run.or(life.born).expect("a living entity");
                    let since = since.max(self.settled_at);
                    assert!(now == since || now - since < interval, "{what}");
                }
                Promise::Eventually {
                    interval,
                    updates: within,
                } => {
                    let since = life.last_run.or(life.born).expect("a living entity");
                    let since = since.max(self.settled_at);
                    let due = |end: &&(GameTime, u64)| end.0 > since && end.0 - since >= interval;
                    // The updates of the first frame in this row may have come before the interval was over.
                    let frames = self.ends.iter().rev().take_while(due);
                    let overdue: u64 = frames.map(|&(_, updates)| updates).sum();
                    let most = self.ends.iter().map(|&(_, updates)| updates).max();
                    assert!(overdue <= within as u64 + most.unwrap_or(0), "{what}");
                }
                Promise::Request { .. } => {
                    assert!(life.served_by.is_none_or(|by| updates < by), "{what}");
                }
            }
        }
    }

    fn note_births(&mut self) {
        let updates = self.lane.totals().updates();
        for change in &self.lane.changes()[self.changes_seen..] {
            let Change::Born(task) = *change else {
                continue;
            };
            let number = self.lives.len();
            let entity = self.lane.world().entity(task);
            let entity = entity.filter(|entity| entity.number == number as u64);
            self.lives.push(Life {
                task,
                born: entity.map(|entity| entity.born),
                last_run: None,
                elapsed_sum: Nanos::ZERO,
                waits_since_update: updates,
                served_by: None,
            });
            self.living.insert(task, number);
        }
    }

    fn note_deaths(&mut self) {
        let changes = self.lane.changes();
        for change in &changes[self.changes_seen..] {
            if let Change::Died(task) = change {
                assert!(self.living.remove(task).is_some(), "{task:?} died twice");
            }
        }
        self.changes_seen = changes.len();
    }
}
