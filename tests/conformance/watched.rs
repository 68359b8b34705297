//! A lane on a simulated machine, with books of our own in which every run is checked.

use crate::account::{Account, Before};
use crate::counted::Counted;
use crate::steps::fraction;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Strategy as Values;
use std::collections::{BTreeMap, BTreeSet};
use timeslice::frame_loop::{FRAME_LOOPS, FrameLoopEntry, Pace};
use timeslice::knob::Knob;
use timeslice::scheduler::TaskId;
use timeslice::strategy::{Promise, STRATEGIES, StrategyEntry};
use timeslice::time::{ClockTime, GameTime, Nanos};
use timeslice_lab::sim::disturbance::Disturbance;
use timeslice_lab::sim::lane::Change;
use timeslice_lab::sim::machine::{Machine, Simulated};
use timeslice_lab::sim::settings::{Settings, all_knobs};
use timeslice_lab::sim::world::{CHURN, ENTITIES};
use timeslice_lab::stats::MeasuredLane;

/// What may happen to a lane.
#[derive(Clone, Debug)]
pub(crate) enum Moment {
    Frame,
    Stall(Nanos),
    Ask(Index),
    /// Game time stands for so long; then the clock goes on from where it was.
    Hold(Nanos),
    /// One frame of game time, however long the last one took.
    Step,
    /// The clock is set back into the last frame: so far of its length.
    SetBack(f64),
    Disturbance(Index),
    MeasureAnew,
    Report,
    TurnKnob(Index, f64),
    SwitchStrategy(Index),
    SwitchLoop(Index),
}

/// The time from picture to picture that a step takes where the loop has none of its own.
const PERIOD: Nanos = Nanos::from_nanos(16_666_667);

impl Moment {
    fn is_a_frame(&self) -> bool {
        matches!(
            self,
            Self::Frame | Self::Hold(_) | Self::Step | Self::SetBack(_)
        )
    }

    /// Whether a promised bound counts anew from here.
    fn changes_the_rules(&self) -> bool {
        matches!(
            self,
            Self::Disturbance(_)
                | Self::TurnKnob(..)
                | Self::SwitchStrategy(_)
                | Self::SwitchLoop(_)
        )
    }
}

/// Moments that leave knobs, strategy and frame loop as they are; most are frames.
pub(crate) fn steady_moments(count: usize) -> impl Values<Value = Vec<Moment>> {
    vec(steady_moment(), 0..count)
}

/// Moments of all kinds; most are frames.
pub(crate) fn moments(count: usize) -> impl Values<Value = Vec<Moment>> {
    let moment = prop_oneof![
        21 => steady_moment(),
        2 => any::<Index>().prop_map(Moment::Disturbance),
        1 => stall().prop_map(Moment::Hold),
        1 => Just(Moment::Step),
        1 => fraction().prop_map(Moment::SetBack),
        1 => Just(Moment::MeasureAnew),
        1 => Just(Moment::Report),
        2 => (any::<Index>(), fraction()).prop_map(|(knob, at)| Moment::TurnKnob(knob, at)),
        1 => any::<Index>().prop_map(Moment::SwitchStrategy),
        1 => any::<Index>().prop_map(Moment::SwitchLoop),
    ];
    vec(moment, 0..count)
}

fn steady_moment() -> impl Values<Value = Moment> {
    prop_oneof![
        16 => Just(Moment::Frame),
        1 => stall().prop_map(Moment::Stall),
        4 => any::<Index>().prop_map(Moment::Ask),
    ]
}

fn stall() -> impl Values<Value = Nanos> {
    prop_oneof![0..100_000_000u64, Just(10_000_000_000)].prop_map(Nanos::from_nanos)
}

/// What the books hold of an entity.
#[derive(Clone, Debug)]
struct Life {
    task: TaskId,
    /// Unknown of one that was born and died in one frame.
    born: Option<GameTime>,
    last_run: Option<GameTime>,
    elapsed_sum: Nanos,
    /// The lane's updates when it last ran, or when the bound began to count.
    waits_since_update: u64,
    /// The lane's updates by which its request is to be served.
    served_by: Option<u64>,
}

pub(crate) struct Watched {
    pub(crate) lane: MeasuredLane<Simulated>,
    /// By number; nobody is ever struck off, so that a run of a dead one shows.
    lives: Vec<Life>,
    living: BTreeMap<TaskId, usize>,
    changes_seen: usize,
    settled_at: GameTime,
    /// Whether nobody has asked but through these books.
    only_we_ask: bool,
    account: Account,
    counted: Counted,
}

/// The knob of that key.
pub(crate) fn knob(key: &str) -> &'static Knob {
    let mut all = all_knobs().into_iter().map(|(_, knob)| knob);
    all.find(|knob| knob.key == key).expect("a knob's key")
}

impl Watched {
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
        let mut watched = Self {
            lane: MeasuredLane::new(settings, machine),
            lives: Vec::new(),
            living: BTreeMap::new(),
            changes_seen: 0,
            settled_at: GameTime::START,
            only_we_ask: false,
            account: Account::default(),
            counted: Counted::default(),
        };
        watched.lane.measure_gazes();
        watched.note_births();
        watched.note_deaths();
        watched
    }

    pub(crate) fn set(&mut self, key: &str, value: f64) {
        let knob = knob(key);
        let before = self.lane.settings().knobs.get(knob);
        let clock = self.lane.machine().clock();
        self.lane.set_knob(knob, value);
        let settings = self.lane.settings();
        if settings.knobs.get(knob) != before && settings.is_concerned_by(knob) {
            self.counted.changed(clock);
        }
        self.note_births();
        self.note_deaths();
    }

    pub(crate) fn set_fraction(&mut self, key: &str, fraction: f64) {
        self.set(key, knob(key).at_fraction(fraction));
    }

    /// Makes a frame and checks its runs.
    pub(crate) fn frame(&mut self) {
        self.frame_at(self.lane.machine().clock());
    }

    /// Makes a frame that starts when the clock shows this, which it does from here on.
    fn frame_at(&mut self, start: ClockTime) {
        let before = self.lane.now();
        self.lane.machine_mut().set_clock(start);
        let books = Before::new(&self.lane, start);
        let begun = self.lane.begin_frame_at(start);
        self.account.frame(&self.lane, books);
        self.lane.machine_mut().render();
        let drawn = self.lane.drawn(begun);
        let waited = self.lane.wait(drawn);
        self.lane.finish(waited);
        self.counted.frame(&self.lane, self.lane.now() - before);
        self.changes_seen = 0;
        self.note_births();
        let updates = self.lane.totals().updates();
        let mut ran = BTreeSet::new();
        for run in self.lane.runs() {
            let twice = !ran.insert((run.time, run.entity));
            assert!(!twice, "{run:?} twice in an update");
            let life = &mut self.lives[run.entity as usize];
            assert_eq!(life.task, run.task);
            let lives = self.living.get(&run.task) == Some(&(run.entity as usize));
            assert!(lives, "{run:?} of a dead one");
            let born = *life.born.get_or_insert(run.time - run.elapsed);
            let since = life.last_run.unwrap_or(born);
            assert_eq!(run.elapsed, run.time - since, "{run:?}");
            assert!(run.time >= before && run.time <= self.lane.now());
            life.elapsed_sum += run.elapsed;
            assert_eq!(life.elapsed_sum, run.time - born, "{run:?}");
            life.last_run = Some(run.time);
            life.waits_since_update = updates;
            let asked = life.served_by.take().is_some();
            let on_request = self.lane.settings().strategy.on_request();
            assert!(asked || !on_request || !self.only_we_ask, "{run:?}");
        }
        self.note_deaths();
        assert_eq!(self.living.len(), self.lane.world().tasks().len());
    }

    /// Lets `moment` happen, and after a frame checks that nobody waits too long. Crowds and rates stay
    /// small enough for thousands of cases.
    pub(crate) fn live(&mut self, moment: &Moment) {
        self.happen(moment);
        if moment.changes_the_rules() {
            self.settle();
        }
        if moment.is_a_frame() {
            self.assert_nobody_waits_too_long();
        }
    }

    fn happen(&mut self, moment: &Moment) {
        match moment {
            Moment::Frame => self.frame(),
            Moment::Stall(time) => self.lane.machine_mut().stall(*time),
            Moment::Ask(pick) => self.ask(*pick),
            Moment::TurnKnob(pick, fraction) => {
                let (_, knob) = *pick.get(&all_knobs());
                if *knob == ENTITIES {
                    self.set(knob.key, fraction * 60.0);
                } else if *knob == CHURN {
                    self.set(knob.key, fraction * 100.0);
                } else {
                    self.set(knob.key, knob.at_fraction(*fraction));
                }
            }
            Moment::SwitchStrategy(pick) => self.switch(STRATEGIES[pick.index(STRATEGIES.len())]),
            Moment::SwitchLoop(pick) => {
                let clock = self.lane.machine().clock();
                let frame_loop = FRAME_LOOPS[pick.index(FRAME_LOOPS.len())];
                self.lane.set_frame_loop(frame_loop);
                self.account = Account::default();
                self.counted.changed(clock);
            }
            Moment::Hold(time) => {
                self.lane.machine_mut().stall(*time);
                let last = self.lane.last_frame();
                self.frame_at(last.start + last.length);
            }
            Moment::Step => self.step(),
            Moment::SetBack(fraction) => {
                let last = self.lane.last_frame();
                let into = Nanos::from_secs_f64(last.length.as_secs_f64() * fraction);
                self.frame_at((last.start + into).min(self.lane.machine().clock()));
            }
            Moment::Disturbance(pick) => {
                self.disturb(Disturbance::ALL[pick.index(Disturbance::ALL.len())]);
            }
            Moment::MeasureAnew => {
                self.lane.clear_statistics();
                self.counted.cleared();
            }
            Moment::Report => self.check_report(),
        }
    }

    /// One frame of game time, as the window makes it.
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
            self.counted.changed(clock);
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

    /// Reports, and checks what is reported.
    pub(crate) fn check_report(&self) {
        self.counted.check(&self.lane);
    }

    pub(crate) fn switch(&mut self, strategy: &'static StrategyEntry) {
        let clock = self.lane.machine().clock();
        self.lane.set_strategy(strategy);
        self.counted.changed(clock);
        self.lives.iter_mut().for_each(|life| life.served_by = None);
    }

    fn ask(&mut self, pick: Index) {
        let tasks = self.lane.world().tasks();
        if tasks.is_empty() {
            return;
        }
        let task = tasks.nth(pick.index(tasks.len())).expect("it lives");
        self.lane.request(task);
        self.expect_served(task);
    }

    /// It has asked, and is to run in time.
    fn expect_served(&mut self, task: TaskId) {
        if let Promise::Request { updates } = self.lane.strategy().promise() {
            let by = self.lane.totals().updates() + updates as u64;
            self.lives[self.living[&task]].served_by.get_or_insert(by);
        }
    }

    /// The population and the knobs stay from here on: a promised bound counts from now.
    pub(crate) fn settle(&mut self) {
        self.settled_at = self.lane.now();
        self.only_we_ask = self.lane.frames() == 0
            && self.lane.settings().knobs.get(knob("requests-per-s")) == 0.0;
        let updates = self.lane.totals().updates();
        for life in &mut self.lives {
            life.waits_since_update = updates;
        }
    }

    /// What [`Promise`] promises, as far as it can be told from outside where a frame has several updates,
    /// and to the letter where it has one.
    pub(crate) fn assert_nobody_waits_too_long(&self) {
        let (wait, now) = (self.lane.strategy().promise(), self.lane.now());
        let updates = self.lane.totals().updates();
        for &number in self.living.values() {
            let life = &self.lives[number];
            let what = format!("{life:?} at {now}, update {updates}, {wait:?}");
            match wait {
                Promise::Updates(within) => {
                    let waited = updates - life.waits_since_update;
                    assert!(waited < within as u64, "{what}");
                }
                Promise::Interval(interval) => {
                    let since = life.last_run.or(life.born).expect("it lives");
                    let since = since.max(self.settled_at);
                    assert!(now == since || now - since < interval, "{what}");
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
