//! A crowd that can run under one of the library's strategies, under the strategy's published form, and in a bare loop.
//! Entities, memory, task and requests are the same in all three, so only the scheduling differs.
#![allow(dead_code, reason = "each user needs only a part")]

use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::knobs::{AS_PUBLISHED, BUDGET, FASTEST, INTERVAL, MAX_TASKS, SLOWEST};
use lab::catalog::strategy::weighted_share::EXPIRE;
use lab::catalog::strategy::{Family, Inspect, StrategyEntry};
use lab::sim::random::{Rng, Stream};
use std::hint::black_box;
use std::ops::Range;
use std::time::Duration;
use timeslicer::Timeslicer;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::{Guarantee, RequestList};
use timeslicer::time::{GameTime, Nanos};

/// An entity. It fills one cache line, which is the least that an entity of a real game takes.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub struct Npc {
    /// The number of runs.
    pub thoughts: u64,
    /// The sum of the elapsed times that the entity's runs received.
    pub elapsed: Nanos,
    /// The same sum, for a game that uses the standard library's type.
    pub waited: Duration,
    /// How much the entity matters. It is 1 for all entities.
    weight: f64,
}

impl Npc {
    fn new() -> Self {
        Self {
            thoughts: 0,
            elapsed: Nanos::ZERO,
            waited: Duration::ZERO,
            weight: black_box(1.0),
        }
    }
}

/// A game that uses the library's lower-level parts. It finds its entities by the indices of the tasks.
struct GameOfParts<'a> {
    npcs: &'a mut [Npc],
    keys: &'a [u32],
}

impl Runner for GameOfParts<'_> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        let npc = self.keys[task.index as usize];
        think_for(&mut self.npcs[npc as usize], elapsed.into());
    }

    fn weight(&self, task: TaskId) -> f64 {
        let npc = self.keys[task.index as usize];
        self.npcs[npc as usize].weight
    }
}

/// The task, which reads and writes the entity. The optimiser cannot inline it.
#[inline(never)]
pub fn think(npc: &mut Npc, elapsed: Nanos) {
    npc.thoughts += 1;
    npc.elapsed += black_box(elapsed);
}

/// The task of a game that receives the elapsed time as the standard library's type.
#[inline(never)]
fn think_for(npc: &mut Npc, elapsed: Duration) {
    npc.thoughts += 1;
    npc.waited += black_box(elapsed);
}

/// The maximum number of requests per update. Some published forms search all requests each time one is added.
const MOST_SEARCHED: usize = 1_000;

fn knobs(entry: &StrategyEntry) -> KnobValues {
    let mut values = vec![(&MAX_TASKS, 1_000.0)];
    if entry.family == Family::BySignificance {
        // These values make a pass run every task once, within the budget.
        let interval = INTERVAL.default;
        values.extend([(&FASTEST, interval), (&SLOWEST, interval), (&EXPIRE, 0.0)]);
        values.push((&BUDGET, BUDGET.max));
    }
    KnobValues::with(&values)
}

/// A strategy, in our form or as published, and the tasks that it runs.
struct Form {
    strategy: Box<dyn Inspect>,
    tasks: Tasks,
    now: GameTime,
}

impl Form {
    /// Runs one update, `delta` after the previous one.
    fn update(&mut self, delta: Nanos, runner: &mut dyn Runner) {
        self.now += delta;
        let context = &mut UpdateContext::new(delta, self.now, &mut self.tasks, runner);
        self.strategy.update(context);
    }

    /// Requests runs of these tasks, every fourth one twice, and makes updates until no request is left.
    fn pass(&mut self, asking: &[TaskId], updates: usize, delta: Nanos, npcs: &mut [Npc]) {
        for (nth, &task) in asking.iter().enumerate() {
            self.strategy.request(task);
            if nth % 4 == 0 {
                self.strategy.request(task);
            }
        }
        let mut run = |task: TaskId, elapsed| think(&mut npcs[task.index as usize], elapsed);
        for _ in 0..updates {
            self.update(delta, &mut run);
        }
        while self.strategy.backlog() > 0 {
            self.update(Nanos::ZERO, &mut run);
        }
    }
}

/// A crowd under one strategy. A *pass* runs every task once, or every requested task once.
pub struct Crowd {
    npcs: Vec<Npc>,
    /// The index of each task's entity, as a game with the lower-level parts stores it.
    keys: Vec<u32>,
    /// The number of updates in a pass.
    updates: usize,
    delta: Nanos,
    ours: Form,
    /// `None` if there is no published form, or if it does not do the same work.
    published: Option<Form>,
    /// All tasks in random order. In each pass, the next `requests` of them request a run.
    asking: Vec<TaskId>,
    requests: usize,
    asked: usize,
    /// The tasks in the order in which the strategy runs them in a pass; empty if tasks run on request.
    order: Vec<TaskId>,
}

impl Crowd {
    /// Creates a crowd of `count` entities under the strategy, and under its published form if there is one.
    pub fn new(entry: &StrategyEntry, count: usize) -> Self {
        let by_significance = entry.family == Family::BySignificance;
        // Tasks by significance are born at different times over an interval. If they were all born at once, they would
        // rest and run together.
        let spread = if by_significance {
            INTERVAL.default_span().as_nanos()
        } else {
            0
        };
        let mut knobs = knobs(entry);
        let form = |knobs: &KnobValues| {
            let mut form = Form {
                strategy: entry.build(knobs),
                tasks: Tasks::new(),
                now: GameTime::at(Nanos::from_nanos(spread)),
            };
            for nth in 0..count as u64 {
                let born = GameTime::at(Nanos::from_nanos(spread * nth / count as u64));
                form.strategy.insert(form.tasks.insert(born));
            }
            form
        };
        let ours = form(&knobs);
        knobs.set(&AS_PUBLISHED, 1.0);
        let published = entry.published.filter(|_| !by_significance);
        let published = published.map(|_| form(&knobs));

        // The number and the length of the updates in a pass.
        let (updates, delta) = match ours.strategy.guarantee() {
            Guarantee::Updates(updates) => (updates, Nanos::from_millis(16)),
            Guarantee::Request { .. } => (1, Nanos::from_millis(16)),
            Guarantee::Interval(interval) | Guarantee::Eventually { interval, .. } => {
                // If a wait has no limit, a task still runs about once per interval.
                let interval = interval.min(INTERVAL.default_span());
                (32, Nanos::from_nanos(interval.as_nanos() / 32))
            }
        };
        let requests = match (entry.on_request(), ours.strategy.budget()) {
            (false, _) => 0,
            (true, None) => count.min(MOST_SEARCHED),
            (true, Some(_)) => count.min(1_000).max(count / 10),
        };
        let mut asking: Vec<TaskId> = ours.tasks.iter().collect();
        let mut rng = Rng::new(1, Stream::Requests);
        for place in (1..count).rev() {
            asking.swap(place, rng.below(place + 1));
        }
        let mut crowd = Self {
            npcs: vec![Npc::new(); count],
            keys: (0..count as u32).collect(),
            updates,
            delta,
            ours,
            published,
            asking,
            requests,
            asked: 0,
            order: Vec::new(),
        };
        if requests == 0 {
            // A strategy that waits for an interval starts with a run, so its first pass may have two rounds.
            for _ in 0..2 {
                crowd.order.clear();
                for _ in 0..updates {
                    let order = &mut crowd.order;
                    crowd
                        .ours
                        .update(delta, &mut |task, _: Nanos| order.push(task));
                }
            }
        }
        crowd
    }

    pub fn runs(&self) -> usize {
        self.order.len().max(self.requests)
    }

    /// Selects the tasks that request a run in the next pass. Returns their range in `asking`.
    fn next_asking(&mut self) -> Range<usize> {
        if self.asked + self.requests > self.asking.len() {
            self.asked = 0;
        }
        let from = self.asked;
        self.asked += self.requests;
        from..self.asked
    }

    /// Runs one pass with the library's strategy.
    pub fn ours(&mut self) {
        let asking = self.next_asking();
        let asking = &self.asking[asking];
        self.ours
            .pass(asking, self.updates, self.delta, &mut self.npcs);
    }

    /// Returns true if the strategy has a published form.
    pub fn is_published(&self) -> bool {
        self.published.is_some()
    }

    /// Runs one pass with the published form, with the same requests as [`Self::ours`].
    pub fn published(&mut self) {
        let asking = self.next_asking();
        if let Some(published) = &mut self.published {
            let asking = &self.asking[asking];
            published.pass(asking, self.updates, self.delta, &mut self.npcs);
        }
    }

    /// Returns a [`Timeslicer`] with the same crowd. Its keys are the indices of the entities.
    pub fn front_door(&self, entry: &StrategyEntry) -> Timeslicer<u32, Box<dyn Inspect>> {
        let mut timeslicer: Timeslicer<u32, Box<dyn Inspect>> =
            Timeslicer::new(Box::new(RequestList::new())); // runs nothing
        let last_runs = (0..self.npcs.len() as u32).map(|index| {
            let task = self.ours.tasks.at(index);
            task.and_then(|task| self.ours.tasks.last_run(task))
        });
        let mut now = GameTime::START;
        for (index, last_run) in (0..).zip(last_runs.flatten()) {
            timeslicer.update(last_run.saturating_since(now).into(), |_, _| ());
            timeslicer.add(index);
            now = last_run;
        }
        timeslicer.update(self.ours.now.saturating_since(now).into(), |_, _| ());
        timeslicer.set_strategy(entry.build(&knobs(entry)));
        timeslicer
    }

    /// Runs one pass through a [`Timeslicer`].
    pub fn pass_through(&mut self, timeslicer: &mut Timeslicer<u32, Box<dyn Inspect>>) {
        let asking = self.next_asking();
        for &task in &self.asking[asking] {
            timeslicer.request(task);
        }
        let npcs = &mut self.npcs[..];
        let mut update = |timeslicer: &mut Timeslicer<u32, _>, delta: Duration| {
            timeslicer.update_weighted(
                delta,
                npcs,
                |npcs, npc| npcs[npc as usize].weight,
                |npcs, npc, elapsed| think_for(&mut npcs[npc as usize], elapsed),
            );
        };
        let delta = self.delta.into();
        for _ in 0..self.updates {
            update(timeslicer, delta);
        }
        while timeslicer.backlog() > 0 {
            update(timeslicer, Duration::ZERO);
        }
    }

    /// Runs one pass of the same game with the lower-level parts, which requests runs only for living tasks.
    pub fn pass_with_parts(&mut self) {
        let asking = self.next_asking();
        for &task in &self.asking[asking] {
            if self.ours.tasks.contains(task) {
                self.ours.strategy.request(task);
            }
        }
        let mut game = GameOfParts {
            npcs: &mut self.npcs,
            keys: &self.keys,
        };
        for _ in 0..self.updates {
            self.ours.update(self.delta, &mut game);
        }
        while self.ours.strategy.backlog() > 0 {
            self.ours.update(Nanos::ZERO, &mut game);
        }
    }

    pub fn npcs(&self) -> &[Npc] {
        &self.npcs
    }

    /// Returns the sum of the elapsed times that all runs received.
    pub fn elapsed(&self) -> Nanos {
        self.npcs.iter().map(|npc| npc.elapsed).sum()
    }

    /// Only calls the tasks of one pass, in the same order as the strategy.
    pub fn bare(&mut self) {
        let asking = self.next_asking();
        let order = if self.requests == 0 {
            &self.order
        } else {
            &self.asking[asking]
        };
        for task in order {
            think(&mut self.npcs[task.index as usize], self.delta);
        }
    }
}
