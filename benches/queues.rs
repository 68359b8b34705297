//! Compares the timer wheel of the strategies by significance with the standard library's binary heap.
//!
//! Run it with `cargo bench --package timeslice-benches --bench queues`. Both queues are used in the same way: the task
//! with the smallest key leaves and joins again a random time later, and some waiting tasks move. Exits with status 1
//! if the wheel is slower than the heap.

mod harness;

use harness::{Bench, SIZES, ns};
use headless::sim::random::{Rng, Stream};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::process::ExitCode;
use timeslicer::scheduler::{TaskId, Tasks, TimerWheel};
use timeslicer::time::GameTime;

const ROUNDS: usize = 5;
/// The number of tasks that leave and join again per iteration.
const TURNS: usize = 10_000;
/// In the second workload, a waiting task moves once in this many turns.
const TURNS_PER_MOVE: usize = 2;
/// The number of random numbers, which all queues use in the same order. There are many, so that they rarely repeat.
const RANDOM: usize = 1 << 20;
const LONGEST: usize = 1_000_000_000;
const SHORTEST: usize = 50_000_000;

trait Queue {
    fn push(&mut self, task: TaskId, key: u64);
    fn pop(&mut self) -> Option<(TaskId, u64)>;
}

impl Queue for TimerWheel {
    fn push(&mut self, task: TaskId, key: u64) {
        TimerWheel::push(self, task, key);
    }

    fn pop(&mut self) -> Option<(TaskId, u64)> {
        TimerWheel::pop(self)
    }
}

/// A binary heap with lazy deletion. The entry of a task that has moved stays in the heap until it is popped.
#[derive(Default)]
struct Heap {
    heap: BinaryHeap<Reverse<(u64, TaskId)>>,
    /// The key of each task, by task index; `u64::MAX` for a task that is not in the heap.
    keys: Vec<u64>,
}

impl Queue for Heap {
    fn push(&mut self, task: TaskId, key: u64) {
        let index = task.index as usize;
        if index >= self.keys.len() {
            self.keys.resize(index + 1, u64::MAX);
        }
        self.keys[index] = key;
        self.heap.push(Reverse((key, task)));
    }

    fn pop(&mut self) -> Option<(TaskId, u64)> {
        while let Some(Reverse((key, task))) = self.heap.pop() {
            let current = &mut self.keys[task.index as usize];
            if *current == key {
                *current = u64::MAX;
                return Some((task, key));
            }
        }
        None
    }
}

/// A queue in which every task waits, and the random numbers that come next.
struct Crowd<Q> {
    queue: Q,
    tasks: Vec<TaskId>,
    random: Vec<u32>,
    next: usize,
    present: u64,
}

impl<Q: Queue> Crowd<Q> {
    fn new(queue: Q, count: usize) -> Self {
        let mut tasks = Tasks::new();
        let mut rng = Rng::new(1, Stream::Churn);
        let mut crowd = Self {
            queue,
            tasks: (0..count).map(|_| tasks.insert(GameTime::START)).collect(),
            random: (0..RANDOM).map(|_| rng.below(1 << 30) as u32).collect(),
            next: 0,
            present: 0,
        };
        for place in 0..count {
            let key = crowd.later();
            crowd.queue.push(crowd.tasks[place], key);
        }
        crowd
    }

    fn random(&mut self) -> usize {
        self.next = (self.next + 1) % RANDOM;
        self.random[self.next] as usize
    }

    /// Returns a random time within the next second, but not too soon.
    fn later(&mut self) -> u64 {
        self.present + (SHORTEST + self.random() % (LONGEST - SHORTEST)) as u64
    }

    fn turns(&mut self, with_moves: bool) {
        for turn in 0..TURNS {
            let (task, key) = self.queue.pop().expect("every task waits");
            self.present = key;
            let later = self.later();
            self.queue.push(task, later);
            if with_moves && turn % TURNS_PER_MOVE == 0 {
                let place = self.random() % self.tasks.len();
                let later = self.later();
                self.queue.push(self.tasks[place], later);
            }
        }
    }
}

const WORKLOADS: [(&str, bool); 2] = [("leave and join", false), ("also move", true)];

fn main() -> ExitCode {
    let mut bench = Bench::new("queues");
    for (workload, with_moves) in WORKLOADS {
        for size in SIZES {
            let mut wheel = Crowd::new(TimerWheel::new(), size);
            let mut heap = Crowd::new(Heap::default(), size);
            for round in 0..ROUNDS {
                let id = format!("{workload}/{size}");
                bench.round(&format!("wheel/{id}"), round, || wheel.turns(with_moves));
                bench.round(&format!("heap/{id}"), round, || heap.turns(with_moves));
            }
        }
    }

    let mut rows = Vec::new();
    for (workload, _) in WORKLOADS {
        for size in SIZES {
            let id = format!("{workload}/{size}");
            let times = ["wheel", "heap"].map(|queue| bench.min_ns(&format!("{queue}/{id}")));
            let [Some(wheel), Some(heap)] = times.map(|time| Some(time? / TURNS as f64)) else {
                continue;
            };
            let share = wheel / heap;
            let [wheel, heap] = [wheel, heap].map(ns);
            rows.push(format!(
                "| {workload} | {size} | {wheel} | {heap} | {share:.2} |"
            ));
            bench.check(share <= 1.0, format!("{id}: {share:.2} of the heap's time"));
        }
    }
    bench.table(
        "| one task leaves the queue and joins again | tasks | timer wheel, ns | binary heap, ns | ratio |",
        rows,
    );
    bench.finish()
}
