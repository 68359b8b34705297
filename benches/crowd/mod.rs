//! A crowd that runs under one of the library's strategies, under the strategy's published form, and in a bare loop.
//! Entities, memory, task and requests are the same in all three, so only the scheduling differs.
#![allow(dead_code, reason = "each user needs only a part")]

use super::published::{self, Published};
use headless::sim::random::{Rng, Stream};
use std::hint::black_box;
use timeslicer::knob::KnobValues;
use timeslicer::scheduler::{TaskId, Tasks, UpdateContext};
use timeslicer::strategy::knobs::{BUDGET, FASTEST, INTERVAL, SLOWEST};
use timeslicer::strategy::max_per_frame::MAX_TASKS;
use timeslicer::strategy::published::Units;
use timeslicer::strategy::weighted_share::EXPIRE;
use timeslicer::strategy::{Family, Promise, Strategy, StrategyEntry};
use timeslicer::time::{ClockTime, GameTime, Nanos, monotonic};

/// An entity. It fills one cache line, the least that an entity of a real game takes.
#[repr(align(64))]
#[derive(Clone, Debug, Default)]
pub struct Npc {
    /// Number of runs.
    pub thoughts: u64,
    /// Sum of the elapsed times that the entity's runs received.
    pub elapsed: Nanos,
    /// Time of the last run, for algorithms that do not keep it themselves.
    pub last_thought: GameTime,
    dead: bool,
}

/// The task: reads and writes the entity. The optimiser cannot inline it.
#[inline(never)]
pub fn think(npc: &mut Npc, elapsed: Nanos) {
    npc.thoughts += 1;
    npc.elapsed += black_box(elapsed);
}

/// The game that a published algorithm runs in.
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

    fn realtime(&mut self) -> ClockTime {
        monotonic()
    }
}

/// Returns the values of a strategy's knobs.
fn knobs(entry: &StrategyEntry) -> KnobValues {
    let mut values = vec![(&MAX_TASKS, 1_000.0)];
    if entry.family == Family::BySignificance {
        // A pass runs every task once, within the budget.
        let interval = INTERVAL.default;
        values.extend([(&FASTEST, interval), (&SLOWEST, interval), (&EXPIRE, 0.0)]);
        values.push((&BUDGET, BUDGET.max));
    }
    KnobValues::with(&values)
}

/// A crowd under one strategy. A *pass* runs every task once, or every requested task once.
pub struct Crowd {
    game: Game,
    /// Number of updates in a pass.
    updates: usize,
    delta: Nanos,
    tasks: Tasks,
    ours: Box<dyn Strategy>,
    /// `None` if no article has published the strategy.
    published: Option<Box<dyn Published<Game>>>,
    /// All tasks in random order. In each pass the next `requests` of them request a run.
    asking: Vec<TaskId>,
    requests: usize,
    asked: usize,
    /// Tasks in the order in which the strategy runs them in a pass; empty if tasks run on request.
    order: Vec<TaskId>,
}

impl Crowd {
    /// Makes a crowd of `count` entities under the strategy, and under its published form if there is one.
    pub fn new(entry: &StrategyEntry, count: usize) -> Self {
        let published: Option<Box<dyn Published<Game>>> = published::by_key(entry.key);
        let requests = if entry.on_request() {
            let some = count.min(1_000).max(count / 10);
            some.min(published::max_requests(entry.key))
        } else {
            0
        };
        let mut crowd = Self {
            game: Game {
                npcs: vec![Npc::default(); count],
                now: GameTime::START,
            },
            updates: 0,
            delta: Nanos::ZERO,
            tasks: Tasks::new(),
            ours: entry.build(&knobs(entry)),
            published,
            asking: Vec::new(),
            requests,
            asked: 0,
            order: Vec::new(),
        };
        // Tasks by significance are born spread over an interval. If all rested after a common birth, they would run together.
        let spread = if entry.family == Family::BySignificance {
            Nanos::from_secs_f64(INTERVAL.default).as_nanos()
        } else {
            0
        };
        crowd.game.now += Nanos::from_nanos(spread);
        for nth in 0..count {
            let born = GameTime::at(Nanos::from_nanos(spread * nth as u64 / count as u64));
            let task = crowd.tasks.insert(born);
            crowd.ours.insert(task);
            if let Some(published) = &mut crowd.published {
                published.insert(task);
            }
            crowd.asking.push(task);
        }
        // A pass takes this many updates of this length.
        (crowd.updates, crowd.delta) = match crowd.ours.promise() {
            Promise::Updates(updates) => (updates, Nanos::from_millis(16)),
            Promise::Request { .. } => (1, Nanos::from_millis(16)),
            Promise::Interval(interval) | Promise::Eventually { interval, .. } => {
                (32, Nanos::from_nanos(interval.as_nanos() / 32))
            }
        };
        let mut rng = Rng::new(1, Stream::Requests);
        for place in (1..count).rev() {
            crowd.asking.swap(place, rng.below(place + 1));
        }
        if requests == 0 {
            // A strategy that waits for an interval begins with a run, so its first pass may have two rounds.
            crowd.record();
            crowd.record();
        }
        crowd
    }

    fn record(&mut self) {
        let mut order = Vec::new();
        for _ in 0..self.updates {
            self.game.now += self.delta;
            let mut note = |task: TaskId, _: Nanos| order.push(task);
            let context =
                &mut UpdateContext::new(self.delta, self.game.now, &mut self.tasks, &mut note);
            self.ours.update(context);
        }
        self.order = order;
    }

    /// Returns the number of runs in a pass.
    pub fn runs(&self) -> usize {
        self.order.len().max(self.requests)
    }

    /// Selects the tasks that request a run in the next pass. Returns their range in `asking`.
    fn next_asking(&mut self) -> std::ops::Range<usize> {
        if self.asked + self.requests > self.asking.len() {
            self.asked = 0;
        }
        let from = self.asked;
        self.asked += self.requests;
        from..self.asked
    }

    /// Runs one pass with the library's strategy. Every fourth request is made twice.
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
        let context = &mut UpdateContext::new(self.delta, game.now, tasks, &mut runner);
        self.ours.update(context);
    }

    /// Returns true if the strategy has a published form.
    pub fn is_published(&self) -> bool {
        self.published.is_some()
    }

    /// Runs one pass with the published form, with the same requests as [`Self::ours`].
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
            published.update_in(self.delta, &mut self.game);
        }
        while published.backlog() > 0 {
            published.update_in(self.delta, &mut self.game);
        }
    }

    /// Returns all entities.
    pub fn npcs(&self) -> &[Npc] {
        &self.game.npcs
    }

    /// Returns the sum of the elapsed times that all runs received.
    pub fn elapsed(&self) -> Nanos {
        self.game.npcs.iter().map(|npc| npc.elapsed).sum()
    }

    /// Runs one pass that only calls the tasks, in the same order as the strategy.
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
