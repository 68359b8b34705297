//! A million tasks.

use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::STRATEGIES;
use timeslicer::time::{ClockTime, GameTime, Nanos};

const COUNT: u32 = 1_000_000;

/// Game that records the update in which each task last ran. A run costs 100 ns.
struct Game {
    ran_in: Vec<u32>,
    update: u32,
    runs: u32,
    clock: ClockTime,
}

impl Runner for Game {
    fn run(&mut self, task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {
        let last = std::mem::replace(&mut self.ran_in[task.index as usize], self.update);
        assert_ne!(last, self.update, "{task:?} runs twice");
        self.runs += 1;
        self.clock += Nanos::from_nanos(100);
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }

    fn weight(&self, task: TaskId) -> f64 {
        1.0 / f64::from(1 + task.index % 100)
    }
}

#[test]
fn a_million_tasks_are_born_run_and_die() {
    for entry in STRATEGIES {
        let (mut tasks, mut strategy) = (Tasks::new(), (entry.make)());
        let mut game = Game {
            ran_in: vec![0; COUNT as usize],
            update: 0,
            runs: 0,
            clock: ClockTime::START,
        };
        let all: Vec<TaskId> = (0..COUNT).map(|_| tasks.insert(GameTime::START)).collect();
        for &task in &all {
            strategy.insert(task);
        }
        for &task in &all {
            strategy.request(task);
        }
        let mut now = GameTime::START;
        for millis in [0, 16, 16, 10_000, 16] {
            let delta = Nanos::from_millis(millis);
            now += delta;
            game.update += 1;
            strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut game));
        }
        assert!(game.runs > 0, "{}", entry.key);
        for task in all {
            tasks.remove(task);
            strategy.remove(task);
        }
        assert_eq!(strategy.backlog(), 0, "{}", entry.key);
        let runs = std::mem::take(&mut game.runs);
        game.update += 1;
        now += Nanos::SECOND;
        strategy.update(&mut UpdateContext::new(
            Nanos::SECOND,
            now,
            &mut tasks,
            &mut game,
        ));
        assert_eq!(game.runs, 0, "{} after {runs}", entry.key);
    }
}
