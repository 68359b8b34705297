//! A crowd that can run under one of the library's strategies, under the strategy's published form, and in a bare loop.
//! Entities, memory, task and requests are the same in all three, so only the scheduling differs.

use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::knobs::{AS_PUBLISHED, BUDGET, FASTEST, INTERVAL, MAX_TASKS, SLOWEST};
use lab::catalog::strategy::weighted_share::EXPIRE;
use lab::catalog::strategy::{Family, Inspect, StrategyEntry};
use lab::sim::random::{Rng, Stream};
use std::hint::black_box;
use std::ops::Range;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::Guarantee;
use timeslicer::time::{GameTime, Nanos};

/// An entity. It fills one cache line, which is the least that an entity of a real game takes.
#[repr(align(64))]
#[derive(Clone, Debug, Default)]
struct Npc {
    /// The number of runs.
    thoughts: u64,
    /// The sum of the elapsed times that the entity's runs received.
    elapsed: Nanos,
}

/// The task, which reads and writes the entity. The optimiser cannot inline it.
#[inline(never)]
fn think(npc: &mut Npc, elapsed: Nanos) {
    npc.thoughts += 1;
    npc.elapsed += black_box(elapsed);
}

/// The maximum number of requests per update. It is low because some published forms search them all on each request.
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
    fn update(&mut self, delta: Nanos, runner: &mut dyn Runner) {
        self.now += delta;
        let context = &mut UpdateContext::new(delta, self.now, &mut self.tasks, runner);
        self.strategy.update(context);
    }

    /// Requests runs of these tasks (every fourth task twice), and then runs `updates` updates, or more if tasks wait.
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
        // For a strategy by significance, the births are spread over an interval. Tasks that are all born at the same
        // time would always rest and run together.
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
                // Even if the strategy guarantees no maximum wait, a task runs about once per default interval.
                let interval = interval.min(INTERVAL.default_span());
                (32, Nanos::from_nanos(interval.as_nanos() / 32))
            }
        };
        let requests = match (entry.on_request(), entry.budget(&knobs)) {
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
            npcs: vec![Npc::default(); count],
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
            // Record only the second pass, because in the first one, a strategy with an interval may run tasks twice.
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

    pub fn ours(&mut self) {
        let asking = self.next_asking();
        let asking = &self.asking[asking];
        self.ours
            .pass(asking, self.updates, self.delta, &mut self.npcs);
    }

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
