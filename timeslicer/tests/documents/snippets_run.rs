//! Compiles and runs the snippets that the program shows for each strategy: each makes the same runs as the registry's
//! strategy with the same knob values. Test `snippets_are_current` writes them into `snippets_run/generated.rs`.

mod generated;

use generated::SNIPPETS;
use timeslicer::knob::KnobValues;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::{STRATEGIES, Strategy, StrategyEntry};
use timeslicer::time::{ClockTime, GameTime, Nanos};

const DELTA: Nanos = Nanos::from_millis(16);

/// Records runs. Each takes a millisecond on its clock.
#[derive(Default)]
struct Game {
    runs: Vec<(TaskId, Nanos)>,
}

impl Runner for Game {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self.runs.push((task, elapsed));
    }

    fn clock(&self) -> ClockTime {
        ClockTime::START + Nanos::from_millis(self.runs.len() as u64)
    }
}

/// The variables of a snippet after its first update.
struct Used {
    tasks: Tasks,
    strategy: Box<dyn Strategy>,
    guard: TaskId,
    game: Game,
}

type Snippet = fn(Nanos, GameTime, Game) -> Used;

impl Used {
    /// Does the same as a snippet, with a strategy of the registry.
    fn of_the_registry(entry: &StrategyEntry, values: &KnobValues, now: GameTime) -> Self {
        let (mut tasks, mut strategy) = (Tasks::new(), entry.build(values));
        let mut game = Game::default();
        let guard = tasks.insert(now);
        strategy.insert(guard);
        if entry.on_request() {
            strategy.request(guard);
        }
        strategy.update(&mut UpdateContext::new(DELTA, now, &mut tasks, &mut game));
        Self {
            tasks,
            strategy,
            guard,
            game,
        }
    }

    /// Goes on for eleven seconds with 20 tasks, which all request a run in every tenth update. Returns all runs.
    fn runs(mut self, mut now: GameTime) -> Vec<(TaskId, Nanos)> {
        let mut guards = vec![self.guard];
        for _ in 1..20 {
            let guard = self.tasks.insert(now);
            self.strategy.insert(guard);
            guards.push(guard);
        }
        for update in 0..700 {
            if update % 10 == 0 {
                for &guard in &guards {
                    self.strategy.request(guard);
                }
            }
            now += DELTA;
            let mut context = UpdateContext::new(DELTA, now, &mut self.tasks, &mut self.game);
            self.strategy.update(&mut context);
        }
        self.game.runs
    }
}

#[test]
fn snippets_do_the_same_as_the_strategies_they_show() {
    let now = GameTime::START + DELTA;
    for entry in STRATEGIES {
        let mut values = vec![KnobValues::default()];
        for knob in entry.own_knobs() {
            values.extend([knob.min, knob.max].map(|value| KnobValues::with(&[(knob, value)])));
        }
        for values in values {
            let constructor = entry.constructor_with(&values).text;
            let found = SNIPPETS.iter().find(|(name, _)| *name == constructor);
            let (_, snippet) = found.unwrap_or_else(|| panic!("no snippet has {constructor}"));
            let runs = snippet(DELTA, now, Game::default()).runs(now);
            let expected = Used::of_the_registry(entry, &values, now).runs(now);
            assert!(!runs.is_empty(), "{constructor}");
            assert_eq!(runs, expected, "{constructor}");
        }
    }
}
