//! A crowd under one of the library's strategies, under the same strategy as published, and under none: the same
//! entities in the same memory, the same task, the same requests, so that what differs is the scheduling.
#![allow(dead_code, reason = "who includes it needs a part of it")]

use crate::published;
use crate::published::{Published, Units};
use std::hint::black_box;
use timeslice::knob::KnobValues;
use timeslice::scheduler::{TaskId, Tasks, UpdateContext};
use timeslice::strategy::max_per_frame::MAX_TASKS;
use timeslice::strategy::{Promise, Strategy, StrategyEntry};
use timeslice::time::{ClockTime, GameTime, Nanos, monotonic};
use timeslice_lab::sim::random::{Rng, Stream};

/// An entity: a cache line, as the least that a game keeps of one.
#[repr(align(64))]
#[derive(Clone, Debug, Default)]
pub struct Npc {
    /// How often it has thought.
    pub thoughts: u64,
    /// The sum of the elapsed times that it was told.
    pub elapsed: Nanos,
    /// Where the algorithm leaves it to the task to know when it last ran.
    last_thought: GameTime,
    dead: bool,
}

/// The task: a call that the optimiser does not see into, and which reads and writes the entity.
#[inline(never)]
fn think(npc: &mut Npc, elapsed: Nanos) {
    npc.thoughts += 1;
    npc.elapsed += black_box(elapsed);
}

/// The game, as a published algorithm sees it.
pub struct Game {
    npcs: Vec<Npc>,
    now: GameTime,
}

impl Units for Game {
    fn update(&mut self, unit: TaskId) {
        let npc = &mut self.npcs[unit.index as usize];
        let elapsed = self.now - npc.last_thought;
        npc.last_thought = self.now;
        think(npc, elapsed);
    }

    fn act(&mut self, unit: TaskId, elapsed: Nanos) {
        think(&mut self.npcs[unit.index as usize], elapsed);
    }

    fn is_dead(&self, unit: TaskId) -> bool {
        self.npcs[unit.index as usize].dead
    }

    fn realtime(&self) -> ClockTime {
        monotonic()
    }
}

/// A number of entities under one strategy.
pub struct Crowd {
    game: Game,
    /// A pass is so many updates, each of so much.
    updates: usize,
    delta: Nanos,
    tasks: Tasks,
    ours: Box<dyn Strategy>,
    /// None if no article has published the strategy.
    published: Option<Box<dyn Published<Game>>>,
    /// Everyone, in an order without a pattern: the next `requests` of them ask in each pass.
    asking: Vec<TaskId>,
    requests: usize,
    asked: usize,
    /// Who runs in a pass when nobody asks, in the strategy's order.
    order: Vec<TaskId>,
}

impl Crowd {
    /// `count` entities under the strategy, and under its published form if there is one.
    #[must_use]
    pub fn new(entry: &StrategyEntry, count: usize) -> Self {
        let requests = match entry.key {
            // The published list is searched at each request: quick for a thousand, endless for a million.
            "request-list" => count.min(1_000),
            _ if entry.on_request() => count.min(1_000).max(count / 10),
            _ => 0,
        };
        let mut crowd = Self {
            game: Game {
                npcs: vec![Npc::default(); count],
                now: GameTime::START,
            },
            updates: 0,
            delta: Nanos::ZERO,
            tasks: Tasks::new(),
            ours: (entry.make)(),
            published: published::by_key(entry.key),
            asking: Vec::new(),
            requests,
            asked: 0,
            order: Vec::new(),
        };
        crowd.ours.tune(&KnobValues::with(&[(&MAX_TASKS, 1_000.0)]));
        for _ in 0..count {
            let task = crowd.tasks.insert(GameTime::START);
            crowd.ours.insert(task);
            if let Some(published) = &mut crowd.published {
                published.insert(task);
            }
            crowd.asking.push(task);
        }
        // A pass runs each task once, or each one that asks.
        (crowd.updates, crowd.delta) = match crowd.ours.promise() {
            Promise::Updates(updates) => (updates, Nanos::from_millis(16)),
            Promise::Request { .. } => (1, Nanos::from_millis(16)),
            Promise::Interval(interval) if entry.key == "all-at-once" => (1, interval),
            Promise::Interval(interval) => (32, Nanos::from_nanos(interval.as_nanos() / 32)),
        };
        let mut chance = Rng::new(1, Stream::Requests);
        for place in (1..count).rev() {
            crowd.asking.swap(place, chance.below(place + 1));
        }
        if requests == 0 {
            crowd.record();
        }
        crowd
    }

    fn record(&mut self) {
        let mut order = Vec::new();
        for _ in 0..self.updates {
            self.game.now += self.delta;
            let mut note = |task: TaskId, _: Nanos| order.push(task);
            let turn =
                &mut UpdateContext::new(self.delta, self.game.now, &mut self.tasks, &mut note);
            self.ours.update(turn);
        }
        self.order = order;
    }

    /// How many run in a pass.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.order.len().max(self.requests)
    }

    /// Moves on to the next who ask: a range of `asking`.
    fn next_asking(&mut self) -> std::ops::Range<usize> {
        if self.asked + self.requests > self.asking.len() {
            self.asked = 0;
        }
        let from = self.asked;
        self.asked += self.requests;
        from..self.asked
    }

    /// A pass of the library's strategy. Every fourth of those that ask does so twice.
    pub fn ours(&mut self) {
        for (nth, asking) in self.next_asking().enumerate() {
            self.ours.request(self.asking[asking]);
            if nth % 4 == 0 {
                self.ours.request(self.asking[asking]);
            }
        }
        for _ in 0..self.updates {
            self.game.now += self.delta;
            self.update_ours();
        }
        while self.ours.backlog() > 0 {
            self.update_ours();
        }
    }

    fn update_ours(&mut self) {
        let Self { game, tasks, .. } = self;
        let mut runner =
            |task: TaskId, elapsed: Nanos| think(&mut game.npcs[task.index as usize], elapsed);
        let turn = &mut UpdateContext::new(self.delta, game.now, tasks, &mut runner);
        self.ours.update(turn);
    }

    /// True if there is a published form to compare with.
    #[must_use]
    pub fn is_published(&self) -> bool {
        self.published.is_some()
    }

    /// A pass of the algorithm as published, with the same requests.
    pub fn published(&mut self) {
        let asking = self.next_asking();
        let Some(published) = &mut self.published else {
            return;
        };
        for (nth, asking) in asking.enumerate() {
            published.request(self.asking[asking]);
            if nth % 4 == 0 {
                published.request(self.asking[asking]);
            }
        }
        for _ in 0..self.updates {
            self.game.now += self.delta;
            published.update(self.delta, &mut self.game);
        }
        while published.backlog() > 0 {
            published.update(self.delta, &mut self.game);
        }
    }

    /// Everyone, to be looked at.
    #[must_use]
    pub fn npcs(&self) -> &[Npc] {
        &self.game.npcs
    }

    /// The sum of all elapsed times that tasks were told.
    #[must_use]
    pub fn elapsed(&self) -> Nanos {
        self.game.npcs.iter().map(|npc| npc.elapsed).sum()
    }

    /// A pass of nothing but calls of the same tasks in the same order.
    pub fn bare(&mut self) {
        let asking = self.next_asking();
        let order = if self.requests == 0 {
            &self.order
        } else {
            &self.asking[asking]
        };
        for task in order {
            think(&mut self.game.npcs[task.index as usize], self.delta);
        }
    }
}
