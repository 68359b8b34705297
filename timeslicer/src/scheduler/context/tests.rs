//! Tests of the context of an update.

use super::*;

fn at(nanos: u64) -> GameTime {
    GameTime::at(Nanos::from_nanos(nanos))
}

struct Recorder {
    /// Index and elapsed nanoseconds of each run.
    ran: Vec<(u32, u64)>,
    /// The killer and its victim: when the killer runs, it kills the victim, and a new task is born.
    kill: Option<(TaskId, TaskId)>,
    /// Number of runs that there is time for.
    most_runs: usize,
}

impl Recorder {
    fn new(kill: Option<(TaskId, TaskId)>, most_runs: usize) -> Self {
        Self {
            ran: Vec::new(),
            kill,
            most_runs,
        }
    }
}

impl Runner for Recorder {
    fn has_time_for(&self, _task: TaskId) -> bool {
        self.ran.len() < self.most_runs
    }

    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        self.ran.push((task.index, elapsed.as_nanos()));
        if let Some((killer, victim)) = self.kill
            && killer == task
        {
            tasks.remove(victim);
            tasks.insert(GameTime::START);
        }
    }

    fn clock(&self) -> ClockTime {
        ClockTime::START
    }
}

#[test]
fn a_cohort_gets_the_same_elapsed_times_as_single_tasks() {
    let mut tasks = Tasks::new();
    let all: Vec<TaskId> = (0..3).map(|_| tasks.insert(GameTime::START)).collect();
    let mut cohort = Cohort::default();
    let mut run = |now, tasks: &mut Tasks, kill| {
        let mut recorder = Recorder::new(kill, usize::MAX);
        let context = &mut UpdateContext::new(Nanos::ZERO, at(now), tasks, &mut recorder);
        context.run_cohort(&mut cohort, &all);
        recorder.ran
    };
    for now in [1, 2, 3, 4] {
        assert_eq!(run(now, &mut tasks, None), [(0, 1), (1, 1), (2, 1)]);
    }
    tasks.ran(all[1], at(7));
    assert_eq!(tasks.last_run(all[0]), Some(at(4)));
    assert_eq!(run(9, &mut tasks, None), [(0, 5), (1, 2), (2, 5)]);
    for now in [10, 11, 12] {
        assert_eq!(run(now, &mut tasks, None), [(0, 1), (1, 1), (2, 1)]);
    }
    // The newborn task reuses the victim's index, but is not in the cohort.
    let kill = Some((all[0], all[1]));
    assert_eq!(run(14, &mut tasks, kill), [(0, 2), (2, 2)]);
    assert_eq!(run(15, &mut tasks, None), [(0, 1), (2, 1)]);
}

#[test]
fn a_stopped_update_takes_no_more_tasks_from_an_iterator() {
    let mut tasks = Tasks::new();
    let mut all = (0..300)
        .map(|_| tasks.insert(GameTime::START))
        .collect::<Vec<_>>()
        .into_iter();
    let mut recorder = Recorder::new(None, 70);
    let context = &mut UpdateContext::new(Nanos::ZERO, at(1), &mut tasks, &mut recorder);
    assert_eq!(context.run_all(&mut all), 70);
    assert_eq!(all.len(), 300 - 2 * BATCH);
    assert_eq!(context.run_all(&mut all), 0);
    assert_eq!(all.len(), 300 - 2 * BATCH);
}

#[test]
fn a_stopped_cohort_continues_and_keeps_its_elapsed_times() {
    let mut tasks = Tasks::new();
    let all: Vec<TaskId> = (0..3).map(|_| tasks.insert(GameTime::START)).collect();
    let mut cohort = Cohort::default();
    let mut run = |now, tasks: &mut Tasks, most_runs| {
        let mut recorder = Recorder::new(None, most_runs);
        let context = &mut UpdateContext::new(Nanos::ZERO, at(now), tasks, &mut recorder);
        context.run_cohort(&mut cohort, &all);
        assert_eq!(context.is_stopped(), recorder.ran.len() == most_runs);
        recorder.ran
    };
    for now in [1, 2, 3] {
        assert_eq!(run(now, &mut tasks, 9), [(0, 1), (1, 1), (2, 1)]);
    }
    assert_eq!(run(5, &mut tasks, 0), []);
    assert_eq!(run(7, &mut tasks, 2), [(0, 4), (1, 4)]);
    assert_eq!(tasks.last_run(all[2]), Some(at(3)));
    assert_eq!(run(10, &mut tasks, 9), [(2, 7)]);
    assert_eq!(run(11, &mut tasks, 9), [(0, 4), (1, 4), (2, 1)]);
}

#[test]
fn a_dead_task_does_not_run() {
    let mut tasks = Tasks::new();
    let task = tasks.insert(GameTime::START);
    tasks.remove(task);
    let mut runs = 0;
    let mut count = |_: TaskId, _: Nanos| runs += 1;
    let mut context = UpdateContext::new(Nanos::ZERO, GameTime::START, &mut tasks, &mut count);
    assert_eq!(context.run(task), None);
    assert_eq!(context.weight(task), 0.0);
    assert_eq!(runs, 0);
}

/// Game whose clock advances by a microsecond per run and per reading, and whose weights are invalid.
struct Odd {
    clock: std::cell::Cell<u64>,
    weight: f64,
}

impl Runner for Odd {
    fn run(&mut self, _task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {
        self.clock.set(self.clock.get() + 1);
    }
    fn clock(&self) -> ClockTime {
        self.clock.set(self.clock.get() + 1);
        ClockTime::START + Nanos::from_micros(self.clock.get())
    }
    fn weight(&self, _task: TaskId) -> f64 {
        self.weight
    }
}

#[test]
fn invalid_weights_become_zero_or_one() {
    let mut tasks = Tasks::new();
    let task = tasks.insert(GameTime::START);
    let cases = [
        (f64::NAN, 0.0),
        (-1.0, 0.0),
        (-0.0, 0.0),
        (f64::NEG_INFINITY, 0.0),
        (0.25, 0.25),
        (7.0, 1.0),
        (f64::INFINITY, 1.0),
    ];
    for (weight, expected) in cases {
        let clock = std::cell::Cell::new(0);
        let mut game = Odd { clock, weight };
        let context = UpdateContext::new(Nanos::ZERO, at(1), &mut tasks, &mut game);
        assert_eq!(context.weight(task), expected);
        let mut weights = [9.0];
        context.weights(&[task], &mut weights);
        assert_eq!(weights, [expected]);
    }
}

#[test]
fn costs_add_up_to_the_time_of_the_update() {
    let mut tasks = Tasks::new();
    let all: Vec<TaskId> = (0..3).map(|_| tasks.insert(GameTime::START)).collect();
    let clock = std::cell::Cell::new(0);
    let mut game = Odd { clock, weight: 1.0 };
    let mut context = UpdateContext::new(Nanos::ZERO, at(1), &mut tasks, &mut game);
    let costs: Nanos = all
        .iter()
        .filter_map(|&task| context.run(task))
        .fold(Nanos::ZERO, |sum, cost| sum + cost);
    // The first reading of the clock is not a part of the costs.
    assert_eq!(costs, Nanos::from_micros(game.clock.get() - 1));
}
