//! A game that contains the pasted snippet of a strategy by significance runs the same tasks as the lab's lane.

use crate::values::lane;
use headless::sim::world::{Plane, Point, WEIGHT_RULE};
use timeslicer::frame_loop;
use timeslicer::knob::KnobValues;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::{Family, STRATEGIES};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Number and cost of the tasks. They take more time than the default budget allows.
const COUNT: u32 = 2000;
const COST: Nanos = Nanos::from_micros(50);

/// A game whose guards stand where the lab's entities do.
struct Game {
    player: Point,
    runs: Vec<(TaskId, Nanos)>,
}

impl Game {
    fn think(&mut self, guard: TaskId, elapsed: Nanos) {
        self.runs.push((guard, elapsed));
    }

    fn distance(&self, guard: TaskId) -> f64 {
        let at = Plane::with_places(COUNT).position(guard.index);
        let x = f64::from(self.player.x) - f64::from(at.x);
        let y = f64::from(self.player.y) - f64::from(at.y);
        (x * x + y * y).sqrt()
    }
}

impl Runner for Game {
    fn run(&mut self, guard: TaskId, elapsed: Nanos, _: &mut Tasks) {
        self.think(guard, elapsed);
    }
    fn weight(&self, guard: TaskId) -> f64 {
        let distance = self.distance(guard); // 1 is the world's width
        (distance / 0.15).max(1.0).powf(-2.0)
    }
}

/// The game on a machine whose clock only its tasks advance.
struct OnSimulatedMachine {
    game: Game,
    clock: ClockTime,
}

impl Runner for OnSimulatedMachine {
    fn run(&mut self, guard: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        self.game.run(guard, elapsed, tasks);
        self.clock += COST;
    }

    fn weight(&self, guard: TaskId) -> f64 {
        self.game.weight(guard)
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }
}

#[test]
fn the_pasted_rule_makes_the_runs_of_the_lab() {
    let variable_step = frame_loop::by_key("variable-step").expect("it is registered");
    let source = include_str!("pasted.rs");
    for entry in STRATEGIES {
        if entry.family != Family::BySignificance {
            continue;
        }
        let snippet = entry.snippet(&KnobValues::default(), &WEIGHT_RULE).text;
        let mut parts = snippet.split("\n\n");
        let pasted = parts.find(|part| part.starts_with("impl Runner"));
        let pasted = pasted.expect("the snippet weighs tasks");
        assert!(source.contains(pasted), "{pasted}");

        let set = [("entities", COUNT.into()), ("cost-us", 50.0)];
        let mut lane = lane(entry, variable_step, 0, &set);
        lane.list_runs(usize::MAX);
        let (mut tasks, mut strategy) = (Tasks::new(), (entry.make)());
        for _ in 0..COUNT {
            strategy.insert(tasks.insert(GameTime::START));
        }
        let mut machine = OnSimulatedMachine {
            game: Game {
                player: lane.world().target(),
                runs: Vec::new(),
            },
            clock: ClockTime::START,
        };
        for _ in 0..300 {
            lane.frame();
            for update in lane.updates() {
                machine.clock = update.start;
                machine.game.player = update.target;
                let (delta, now) = (update.delta, update.time);
                let mut context = UpdateContext::new(delta, now, &mut tasks, &mut machine);
                strategy.update(&mut context);
            }
            let runs = lane.runs().iter().map(|run| (run.task, run.elapsed));
            let here = machine.game.runs.drain(..);
            assert!(runs.eq(here), "{} at {}", entry.key, lane.now());
        }
    }
}
