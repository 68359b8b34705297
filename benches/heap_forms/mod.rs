//! Plain implementations of the strategies that use a queue: the same rules in little code, on the standard library's
//! binary heap. When a task moves, its old entry stays in the heap and is skipped later.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use timeslicer::knob::KnobValues;
use timeslicer::scheduler::{
    Admission, Deadlines, Estimates, Strides, TaskId, Tasks, TimeSlice, UpdateContext,
};
use timeslicer::strategy::knobs::{BUDGET, FASTEST, HYSTERESIS, INTERVAL, SLOWEST};
use timeslicer::strategy::weighted_share::{EXPIRE, SHARE_EXPONENT};
use timeslicer::strategy::{Guarantee, Strategy};
use timeslicer::time::{GameTime, Nanos};

/// The number of tasks that run in one call.
const TURNS: usize = 16;
/// The minimum number of tasks whose weights an update asks for.
const LEAST_REVIEWS: usize = 64;

/// Returns the living tasks at the next `count` indices, continuing where the last call ended.
fn in_rotation<'a>(
    tasks: &'a Tasks,
    next: &'a mut u32,
    count: usize,
) -> impl Iterator<Item = TaskId> + 'a {
    (0..count.min(tasks.end() as usize)).filter_map(|_| {
        *next = if *next >= tasks.end() { 1 } else { *next + 1 };
        tasks.at(*next - 1)
    })
}

/// The tasks by due time. A task is due one interval after it was last due.
struct Timetable {
    fastest: Nanos,
    slowest: Nanos,
    hysteresis: f64,
    heap: BinaryHeap<Reverse<(u64, TaskId)>>,
    /// When each task is due, and its interval, by task index.
    records: Vec<(u64, u64)>,
    next_review: u32,
    runs: usize,
    clock: u64,
}

impl Timetable {
    fn new(fastest: Nanos, slowest: Nanos) -> Self {
        Self {
            fastest,
            slowest,
            hysteresis: HYSTERESIS.default / 100.0,
            heap: BinaryHeap::new(),
            records: Vec::new(),
            next_review: 0,
            runs: 0,
            clock: 0,
        }
    }

    /// Adds a task. The tasks' first due times are spread over an interval.
    fn insert(&mut self, task: TaskId) {
        let interval = self.slowest.as_nanos();
        let phase = u64::from(task.index.wrapping_mul(0x9E37_79B9));
        let due = self.clock + ((u128::from(interval) * u128::from(phase)) >> 32) as u64;
        let index = task.index as usize;
        self.records
            .resize(self.records.len().max(index + 1), (0, 0));
        self.records[index] = (due, interval);
        self.heap.push(Reverse((due, task)));
    }

    fn remove(&mut self, task: TaskId) {
        self.records[task.index as usize].0 = u64::MAX;
    }

    fn interval(&self, old: u64, weight: f64) -> u64 {
        let new = Deadlines::interval_at(self.fastest, self.slowest, weight).as_nanos();
        if new.abs_diff(old) as f64 >= self.hysteresis * old as f64 {
            new
        } else {
            old
        }
    }

    /// Asks for the weights of some tasks, and brings forward those whose intervals have become shorter.
    fn review(&mut self, context: &UpdateContext<'_>) {
        let mut next = self.next_review;
        for task in in_rotation(context.tasks(), &mut next, self.runs.max(LEAST_REVIEWS)) {
            let (due, old) = self.records[task.index as usize];
            let new = self.interval(old, context.weight(task));
            if new < old {
                let due = due.saturating_sub(old - new).max(self.clock);
                self.records[task.index as usize] = (due, new);
                self.heap.push(Reverse((due, task)));
            }
        }
        self.next_review = next;
        self.runs = 0;
    }

    /// Removes the next tasks that are due by `end`, at most [`TURNS`], and returns them with their intervals.
    fn next_due(&mut self, end: u64) -> (Vec<TaskId>, Vec<Nanos>) {
        let (mut tasks, mut intervals) = (Vec::new(), Vec::new());
        while tasks.len() < TURNS
            && let Some(&Reverse((key, task))) = self.heap.peek()
            && key <= end
        {
            self.heap.pop();
            let (due, interval) = self.records[task.index as usize];
            if key == due {
                tasks.push(task);
                intervals.push(Nanos::from_nanos(interval));
            }
        }
        (tasks, intervals)
    }

    /// Schedules the next runs of the tasks that have run, and puts the other tasks back into the queue.
    fn set_next(&mut self, tasks: &[TaskId], ran: usize, weights: &[f64], end: u64) {
        for (&task, &weight) in tasks[..ran].iter().zip(weights) {
            let (due, old) = self.records[task.index as usize];
            let interval = self.interval(old, weight);
            let due = (due + interval).max(end + 1);
            self.records[task.index as usize] = (due, interval);
            self.heap.push(Reverse((due, task)));
        }
        for &task in &tasks[ran..] {
            let due = self.records[task.index as usize].0;
            self.heap.push(Reverse((due, task)));
        }
        self.runs += ran;
    }
}

/// Runs each task after its interval, like [`timeslicer::strategy::DistanceLod`].
pub struct DistanceLod(Timetable);

impl DistanceLod {
    pub fn new(knobs: &KnobValues) -> Self {
        Self(Timetable::new(knobs.span(&FASTEST), knobs.span(&SLOWEST)))
    }
}

impl Strategy for DistanceLod {
    fn insert(&mut self, task: TaskId) {
        self.0.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.0.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let end = self.0.clock + context.delta().as_nanos();
        self.0.review(context);
        loop {
            let (tasks, intervals) = self.0.next_due(end);
            let weights: [f64; TURNS] = context.weights(&tasks);
            context.wanted(&tasks, &intervals);
            let ran = context.run(&tasks).taken;
            self.0.set_next(&tasks, ran, &weights, end);
            if ran == 0 {
                break;
            }
        }
        self.0.clock = end;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.0.slowest)
    }
}

/// Runs the due tasks within a budget, like [`timeslicer::strategy::EarliestDeadline`].
pub struct EarliestDeadline {
    timetable: Timetable,
    admission: Admission,
}

impl EarliestDeadline {
    pub fn new(knobs: &KnobValues) -> Self {
        Self {
            timetable: Timetable::new(knobs.span(&FASTEST), knobs.span(&SLOWEST)),
            admission: Admission::new(knobs.span(&BUDGET)),
        }
    }
}

impl Strategy for EarliestDeadline {
    fn insert(&mut self, task: TaskId) {
        self.timetable.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.timetable.remove(task);
        self.admission.estimates.forget(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let start = self.timetable.clock;
        let end = start + context.delta().as_nanos();
        self.timetable.review(context);
        let mut slice = self.admission.begin(context);
        loop {
            let (tasks, intervals) = self.timetable.next_due(end);
            let weights: [f64; TURNS] = slice.context.weights(&tasks);
            slice.context.wanted(&tasks, &intervals);
            let ran = slice.run(&tasks);
            self.timetable.set_next(&tasks, ran, &weights, end);
            if ran == 0 {
                break;
            }
        }
        // The clock stops at the due time of the first task that has to wait.
        let first = self.timetable.heap.peek();
        self.timetable.clock = first
            .map_or(end, |Reverse((due, _))| *due)
            .clamp(start, end);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.timetable.slowest)
    }
}

/// Runs every task once per interval and measures the costs, like [`timeslicer::strategy::BalancedSlots`].
pub struct BalancedSlots {
    timetable: Timetable,
    estimates: Estimates,
}

impl BalancedSlots {
    pub fn new(knobs: &KnobValues) -> Self {
        Self {
            timetable: Timetable::new(knobs.span(&INTERVAL), knobs.span(&INTERVAL)),
            estimates: Estimates::default(),
        }
    }
}

impl Strategy for BalancedSlots {
    fn insert(&mut self, task: TaskId) {
        self.timetable.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.timetable.remove(task);
        self.estimates.forget(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let end = self.timetable.clock + context.delta().as_nanos();
        loop {
            let (tasks, _) = self.timetable.next_due(end);
            let before = context.clock();
            let ran = context.run(&tasks).taken;
            let spent = (context.clock() - before).as_nanos();
            let mean = Nanos::from_nanos(spent.checked_div(ran as u64).unwrap_or(0));
            for &task in &tasks[..ran] {
                self.estimates.learn(task, mean);
            }
            self.timetable.set_next(&tasks, ran, &[1.0; TURNS], end);
            if ran == 0 {
                break;
            }
        }
        self.timetable.clock = end;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.timetable.slowest)
    }
}

/// Runs the task with the smallest pass, like [`timeslicer::strategy::WeightedShare`].
pub struct WeightedShare {
    strides: Strides,
    fastest: Nanos,
    expiry: Nanos,
    admission: Admission,
    waiting: BinaryHeap<Reverse<(u64, TaskId)>>,
    resting: VecDeque<TaskId>,
    /// The times of all runs, oldest first. They include runs that were followed by another run of the same task.
    runs: VecDeque<(TaskId, GameTime)>,
    /// The pass of each task, by task index.
    passes: Vec<Pass>,
    virtual_time: u64,
    next_review: u32,
    last_runs: usize,
}

#[derive(Clone, Copy, Default)]
struct Pass {
    start: u64,
    stride: u64,
    waits: bool,
}

impl WeightedShare {
    pub fn new(knobs: &KnobValues) -> Self {
        Self {
            strides: Strides::new(knobs.get(&SHARE_EXPONENT)),
            fastest: knobs.span(&FASTEST),
            expiry: knobs.span(&EXPIRE),
            admission: Admission::new(knobs.span(&BUDGET)),
            waiting: BinaryHeap::new(),
            resting: VecDeque::new(),
            runs: VecDeque::new(),
            passes: Vec::new(),
            virtual_time: 0,
            next_review: 0,
            last_runs: 0,
        }
    }

    fn wake(&mut self, context: &UpdateContext<'_>) {
        while let Some(&task) = self.resting.front()
            && has_age(context, task, self.fastest)
        {
            self.resting.pop_front();
            let pass = &mut self.passes[task.index as usize];
            pass.waits = true;
            self.waiting.push(Reverse((pass.start + pass.stride, task)));
        }
    }

    /// Asks for the weights of some tasks, and moves the tasks whose strides have changed.
    fn review(&mut self, context: &UpdateContext<'_>) {
        let mut next = self.next_review;
        for task in in_rotation(
            context.tasks(),
            &mut next,
            self.last_runs.max(LEAST_REVIEWS),
        ) {
            let pass = &mut self.passes[task.index as usize];
            if pass.waits {
                let cost = self.admission.estimates.of(task);
                let stride = self.strides.of(cost, context.weight(task));
                if stride.abs_diff(pass.stride) >= (pass.stride / 8).max(1) {
                    pass.stride = stride;
                    self.waiting.push(Reverse((pass.start + stride, task)));
                }
            }
        }
        self.next_review = next;
    }

    /// Returns the task that has not run for the longest time, if that time has reached the expiry.
    fn expired(&mut self, context: &UpdateContext<'_>) -> Option<TaskId> {
        while let Some(&(task, ran_at)) = self.runs.front() {
            if context.tasks().last_run(task) == Some(ran_at) {
                return has_age(context, task, self.expiry).then_some(task);
            }
            self.runs.pop_front();
        }
        None
    }

    fn next_waiting(&mut self) -> Option<(u64, TaskId)> {
        while let Some(Reverse((key, task))) = self.waiting.pop() {
            let pass = self.passes[task.index as usize];
            if pass.waits && pass.start + pass.stride == key {
                return Some((key, task));
            }
        }
        None
    }
}

/// Returns true if the task has not run for at least `time`.
fn has_age(context: &UpdateContext<'_>, task: TaskId, time: Nanos) -> bool {
    let last_run = context.tasks().last_run(task);
    last_run.is_none_or(|last_run| context.now() - last_run >= time)
}

impl Strategy for WeightedShare {
    fn insert(&mut self, task: TaskId) {
        let index = task.index as usize;
        self.passes
            .resize(self.passes.len().max(index + 1), Pass::default());
        self.passes[index] = Pass {
            start: self.virtual_time,
            stride: Strides::UNIT,
            waits: false,
        };
        self.resting.push_back(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.passes[task.index as usize].waits = false;
        self.admission.estimates.forget(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        self.wake(context);
        self.review(context);
        let expired = self.expired(context);
        // Take the admission out of `self`, so that the time slice borrows only the admission.
        let mut admission = std::mem::replace(&mut self.admission, Admission::new(Nanos::ZERO));
        let mut slice = admission.begin(context);
        let run = |this: &mut Self, slice: &mut TimeSlice<'_, '_>, task: TaskId| {
            let weight = slice.context.weight(task);
            if slice.run(&[task]) == 0 {
                return false;
            }
            this.passes[task.index as usize] = Pass {
                start: this.virtual_time,
                stride: this.strides.of(slice.estimate(task), weight),
                waits: false,
            };
            this.resting.push_back(task);
            this.runs.push_back((task, slice.context.now()));
            true
        };
        if let Some(task) = expired {
            run(self, &mut slice, task);
        }
        while let Some((pass, task)) = self.next_waiting() {
            let before = std::mem::replace(&mut self.virtual_time, pass);
            self.virtual_time = pass.max(before);
            if !run(self, &mut slice, task) {
                self.virtual_time = before;
                self.waiting.push(Reverse((pass, task)));
                break;
            }
        }
        self.last_runs = slice.runs;
        drop(slice);
        self.admission = admission;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.expiry)
    }
}

/// Searches all tasks in every update for those with the largest product of rate and age, and runs these.
pub struct Scan {
    strides: Strides,
    fastest: Nanos,
    admission: Admission,
    tasks: Vec<TaskId>,
    /// The stride of each task, by task index.
    strides_of: Vec<f64>,
    indices: Vec<(f64, TaskId)>,
    last_runs: usize,
}

impl Scan {
    pub fn new(knobs: &KnobValues) -> Self {
        Self {
            strides: Strides::new(knobs.get(&SHARE_EXPONENT)),
            fastest: knobs.span(&FASTEST),
            admission: Admission::new(knobs.span(&BUDGET)),
            tasks: Vec::new(),
            strides_of: Vec::new(),
            indices: Vec::new(),
            last_runs: 0,
        }
    }
}

impl Strategy for Scan {
    fn insert(&mut self, task: TaskId) {
        self.tasks.push(task);
        let index = task.index as usize;
        self.strides_of
            .resize(self.strides_of.len().max(index + 1), 1.0);
    }

    fn remove(&mut self, task: TaskId) {
        self.tasks.retain(|&other| other != task);
        self.admission.estimates.forget(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        self.indices.clear();
        for &task in &self.tasks {
            let last_run = context.tasks().last_run(task);
            let age = last_run.map_or(Nanos::ZERO, |last_run| context.now() - last_run);
            if age >= self.fastest {
                let index = age.as_nanos() as f64 / self.strides_of[task.index as usize];
                self.indices.push((index, task));
            }
        }
        // A few more tasks than ran in the last update are sure to fill the budget.
        let count = self.last_runs * 5 / 4 + TURNS;
        if count < self.indices.len() {
            self.indices
                .select_nth_unstable_by(count, |one, other| other.0.total_cmp(&one.0));
            self.indices.truncate(count);
        }
        let mut slice = self.admission.begin(context);
        for &(_, task) in &self.indices {
            let weight = slice.context.weight(task);
            if slice.run(&[task]) == 0 {
                break;
            }
            let stride = self.strides.of(slice.estimate(task), weight);
            self.strides_of[task.index as usize] = stride as f64;
        }
        self.last_runs = slice.runs;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(Nanos::MAX)
    }
}
