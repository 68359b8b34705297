//! The rules of `balanced-slots` and of the strategies by significance in their plainest form: on the standard library's
//! binary heap, and as a scan of all tasks. They ask for the same weights and read the clock as often as the strategies,
//! but know no births, deaths, pauses or stopped updates.

use crate::crowd::{Npc, think};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use timeslicer::scheduler::{Runner, Strides, TaskId, Tasks};
use timeslicer::time::{ClockTime, GameTime, Nanos, monotonic};

/// The game. Only tasks advance its clock, so every form runs the same tasks whatever else the computer does.
pub struct Game {
    pub npcs: Vec<Npc>,
    clock: Cell<Nanos>,
    /// Number of runs so far.
    pub runs: usize,
}

impl Game {
    /// Creates a game with these entities.
    pub fn new(npcs: Vec<Npc>) -> Self {
        Self {
            npcs,
            clock: Cell::new(Nanos::ZERO),
            runs: 0,
        }
    }

    fn weight(&self, index: u32) -> f64 {
        self.npcs[index as usize].weight
    }

    /// Runs a task of a plain form. The task itself keeps the time of its last run.
    fn think(&mut self, index: u32, now: GameTime) {
        let npc = &mut self.npcs[index as usize];
        let elapsed = now - npc.last_thought;
        npc.last_thought = now;
        self.work(index, elapsed);
    }

    fn work(&mut self, index: u32, elapsed: Nanos) {
        let npc = &mut self.npcs[index as usize];
        think(npc, elapsed);
        self.clock.set(self.clock.get() + npc.cost);
        self.runs += 1;
    }

    /// Reads the simulated clock. Also reads the real one, so that a reading takes its usual time.
    fn read(&self) -> Nanos {
        black_box(monotonic());
        self.clock.get()
    }
}

impl Runner for Game {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self.work(task.index, elapsed);
    }

    fn clock(&self) -> ClockTime {
        ClockTime::START + self.read()
    }

    fn weight(&self, task: TaskId) -> f64 {
        Game::weight(self, task.index)
    }
}

/// A rule in a plain form.
pub trait Plain {
    /// Makes the update that ends at `now`.
    fn update(&mut self, now: GameTime, game: &mut Game);
}

/// A priority queue with lazy deletion: the entry of a task that has moved stays in the heap until it is popped.
struct Heap {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// The valid key of each task.
    keys: Vec<u64>,
}

impl Heap {
    fn new(count: usize) -> Self {
        Self {
            heap: BinaryHeap::new(),
            keys: vec![0; count],
        }
    }

    fn push(&mut self, index: u32, key: u64) {
        self.keys[index as usize] = key;
        self.heap.push(Reverse((key, index)));
    }

    /// Returns the first task.
    fn peek(&mut self) -> Option<(u64, u32)> {
        while let Some(&Reverse((key, index))) = self.heap.peek() {
            if self.keys[index as usize] == key {
                return Some((key, index));
            }
            self.heap.pop();
        }
        None
    }

    fn pop(&mut self) {
        self.heap.pop();
    }
}

/// The next tasks whose weights are asked: as many as ran in the last update, and at least 64.
#[derive(Default)]
struct Review {
    next: usize,
    runs: usize,
}

impl Review {
    fn next(&mut self, count: usize) -> impl Iterator<Item = u32> + use<> {
        let start = self.next;
        let reviewed = self.runs.max(64).min(count);
        self.next = (start + reviewed) % count;
        (start..start + reviewed).map(move |at| (if at < count { at } else { at - count }) as u32)
    }
}

/// Estimates of costs, and the time that an update may take.
struct Budget {
    limit: Nanos,
    /// Estimate in nanoseconds by task index; 0 before the first run.
    estimates: Vec<u32>,
    spent: Nanos,
    reading: Nanos,
}

impl Budget {
    fn new(limit: Nanos, count: usize) -> Self {
        Self {
            limit,
            estimates: vec![0; count],
            spent: Nanos::ZERO,
            reading: Nanos::ZERO,
        }
    }

    fn begin(&mut self, game: &Game) {
        self.spent = Nanos::ZERO;
        self.reading = game.read();
    }

    fn estimate(&self, index: u32) -> Nanos {
        Nanos::from_nanos(self.estimates[index as usize].into())
    }

    fn has_room(&self, index: u32) -> bool {
        self.spent + self.estimate(index) <= self.limit
    }

    /// Measures a task that has just run.
    fn measure(&mut self, index: u32, game: &Game) {
        let reading = game.read();
        let cost = reading - self.reading;
        self.reading = reading;
        self.spent += cost;
        let estimate = &mut self.estimates[index as usize];
        let cost = cost.as_nanos() as u32;
        *estimate = match *estimate {
            0 => cost,
            old if cost > old => old + (cost - old) * 3 / 10,
            old => old - (old - cost) / 10,
        };
    }
}

/// Due times in a heap: `distance-lod`, and with a budget `earliest-deadline`.
pub struct DueTimes {
    heap: Heap,
    intervals: Vec<Nanos>,
    fastest: Nanos,
    slowest: Nanos,
    budget: Option<Budget>,
    review: Review,
    ran: Vec<(u64, u32)>,
}

impl DueTimes {
    /// Gives each task an interval by its weight, and a random first due time.
    pub fn new(
        [fastest, slowest]: [Nanos; 2],
        limit: Option<Nanos>,
        mut random: impl FnMut() -> f64,
        game: &Game,
    ) -> Self {
        let count = game.npcs.len();
        let mut form = Self {
            heap: Heap::new(count),
            intervals: Vec::new(),
            fastest,
            slowest,
            budget: limit.map(|limit| Budget::new(limit, count)),
            review: Review::default(),
            ran: Vec::new(),
        };
        for index in 0..count as u32 {
            let interval = form.interval(game.weight(index));
            form.intervals.push(interval);
            let due = random() * interval.as_nanos() as f64;
            form.heap.push(index, due as u64);
        }
        form
    }

    fn interval(&self, weight: f64) -> Nanos {
        Nanos::from_nanos_f64(self.fastest.as_nanos() as f64 / weight).min(self.slowest)
    }
}

impl Plain for DueTimes {
    fn update(&mut self, now: GameTime, game: &mut Game) {
        let end = now.since_start().as_nanos();
        for index in self.review.next(self.intervals.len()) {
            let new = self.interval(game.weight(index));
            let old = &mut self.intervals[index as usize];
            if new.as_nanos() < old.as_nanos() / 10 * 9 {
                let sooner = (*old - new).as_nanos();
                *old = new;
                self.heap
                    .push(index, self.heap.keys[index as usize] - sooner);
            }
        }
        if let Some(budget) = &mut self.budget {
            budget.begin(game);
        }
        while let Some((due, index)) = self.heap.peek()
            && due <= end
        {
            if let Some(budget) = &mut self.budget {
                if !budget.has_room(index) {
                    break;
                }
                game.think(index, now);
                budget.measure(index, game);
            } else {
                game.think(index, now);
            }
            self.heap.pop();
            self.ran.push((due, index));
        }
        self.review.runs = self.ran.len();
        let mut ran = std::mem::take(&mut self.ran);
        for (due, index) in ran.drain(..) {
            let interval = self.interval(game.weight(index));
            self.intervals[index as usize] = interval;
            let mut due = due + interval.as_nanos();
            if due <= end {
                due += ((end - due) / interval.as_nanos() + 1) * interval.as_nanos();
            }
            self.heap.push(index, due);
        }
        self.ran = ran;
    }
}

/// Due times at one interval for all tasks, in a heap, and costs that are measured: `balanced-slots`.
pub struct Phases {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    interval: Nanos,
    budget: Budget,
}

impl Phases {
    /// Gives the tasks to `slots` parts of the interval in turn.
    pub fn new(interval: Nanos, slots: u64, game: &Game) -> Self {
        let count = game.npcs.len();
        let phase = |index: u32| {
            let (round, slot) = (u64::from(index) / slots, u64::from(index) % slots);
            let rounds = (count as u64).div_ceil(slots);
            interval.as_nanos() * (slot * rounds + round) / (slots * rounds)
        };
        let entries = (0..count as u32).map(|index| Reverse((phase(index), index)));
        Self {
            heap: entries.collect(),
            interval,
            budget: Budget::new(Nanos::MAX, count),
        }
    }
}

impl Plain for Phases {
    fn update(&mut self, now: GameTime, game: &mut Game) {
        let end = now.since_start().as_nanos();
        self.budget.begin(game);
        while let Some(&Reverse((due, index))) = self.heap.peek()
            && due <= end
        {
            game.think(index, now);
            self.budget.measure(index, game);
            self.heap.pop();
            self.heap
                .push(Reverse((due + self.interval.as_nanos(), index)));
        }
    }
}

/// Passes in a heap: `weighted-share`.
pub struct Passes {
    heap: Heap,
    strides: Strides,
    /// The virtual time of each task's last run, and its stride.
    shares: Vec<(u64, u64)>,
    virtual_time: u64,
    budget: Budget,
    review: Review,
    ran: Vec<u32>,
}

impl Passes {
    /// Begins with random passes.
    pub fn new(
        strides: Strides,
        limit: Nanos,
        mut random: impl FnMut() -> f64,
        game: &Game,
    ) -> Self {
        let count = game.npcs.len();
        let mut heap = Heap::new(count);
        let mut shares = Vec::new();
        for (index, npc) in (0..).zip(&game.npcs) {
            let stride = strides.of(npc.cost, npc.weight);
            shares.push((0, stride));
            heap.push(index, (random() * stride as f64) as u64);
        }
        Self {
            heap,
            strides,
            shares,
            virtual_time: 0,
            budget: Budget::new(limit, count),
            review: Review::default(),
            ran: Vec::new(),
        }
    }
}

impl Plain for Passes {
    fn update(&mut self, now: GameTime, game: &mut Game) {
        // No task runs twice in an update, so those that ran join in the next one.
        for index in self.ran.drain(..) {
            let (start, stride) = self.shares[index as usize];
            self.heap.push(index, start + stride);
        }
        for index in self.review.next(self.shares.len()) {
            let cost = self.budget.estimate(index);
            let stride = self.strides.of(cost, game.weight(index));
            let (start, old) = &mut self.shares[index as usize];
            if stride.abs_diff(*old) >= *old / 8 {
                *old = stride;
                self.heap.push(index, *start + stride);
            }
        }
        self.budget.begin(game);
        while let Some((pass, index)) = self.heap.peek()
            && (self.ran.is_empty() || self.budget.has_room(index))
        {
            game.think(index, now);
            self.budget.measure(index, game);
            self.heap.pop();
            self.virtual_time = self.virtual_time.max(pass);
            let cost = self.budget.estimate(index);
            let stride = self.strides.of(cost, game.weight(index));
            self.shares[index as usize] = (self.virtual_time, stride);
            self.ran.push(index);
        }
        self.review.runs = self.ran.len();
    }
}

/// The index rule of `weighted-share` as a scan: asks for the weight w of every task and runs the tasks with the largest
/// w · age² / c. Last runs and costs are in small arrays, one after the other.
pub struct Scan {
    last_runs: Vec<Nanos>,
    indices: Vec<(f32, u32)>,
    budget: Budget,
    /// Number of runs in an update.
    runs: usize,
}

impl Scan {
    /// Begins with random ages, up to a second.
    pub fn new(runs: usize, mut random: impl FnMut() -> f64, game: &Game) -> Self {
        let count = game.npcs.len();
        Self {
            last_runs: (0..count).map(|_| Nanos::from_secs_f64(random())).collect(),
            indices: Vec::new(),
            budget: Budget::new(Nanos::MAX, count),
            runs,
        }
    }
}

impl Plain for Scan {
    fn update(&mut self, now: GameTime, game: &mut Game) {
        let now_nanos = now.since_start();
        self.indices.clear();
        let known = self.last_runs.iter().zip(&self.budget.estimates);
        self.indices
            .extend((0..).zip(known).map(|(index, (&last, &cost))| {
                let rate = (game.weight(index) / f64::from(cost.max(1))) as f32;
                let age = (now_nanos - last).as_nanos() as f32;
                (rate * age * age, index)
            }));
        let last = self.runs.min(self.indices.len()) - 1;
        self.indices
            .select_nth_unstable_by(last, |one, other| other.0.total_cmp(&one.0));
        self.budget.begin(game);
        for at in 0..=last {
            let index = self.indices[at].1;
            game.think(index, now);
            self.budget.measure(index, game);
            self.last_runs[index as usize] = now_nanos;
        }
    }
}
