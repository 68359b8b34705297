//! Measures a frame in which no task is due. If such a frame takes longer with more entities, the strategy or the lane
//! scans idle entities. Also measures the time that an update takes to ask for weights while a target moves among many
//! tasks.
//!
//! Run it with `cargo bench --package timeslice-benches --bench idle`. Exits with status 1 if a frame with a million
//! entities takes more than twice as long as one with a thousand, or if asking for weights takes more than 0.1 ms.

mod harness;

use harness::{Bench, SIZES, ns};
use headless::catalog::knob::KnobValues;
use headless::catalog::strategy::{Family, STRATEGIES, StrategyEntry};
use headless::sim::machine::Machine;
use headless::sim::settings::Settings;
use headless::sim::world::{ENTITIES, REQUESTS};
use headless::stats::MeasuredLane;
use std::cell::RefCell;
use std::process::ExitCode;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::Strategy;
use timeslicer::time::{ClockTime, GameTime, Nanos};

const ROUNDS: usize = 5;

/// A machine whose frames take a nanosecond, so that no task becomes due.
struct Creeping(ClockTime);

impl Machine for Creeping {
    fn clock(&self) -> ClockTime {
        self.0
    }
    fn work(&mut self, _cost: Nanos) -> Nanos {
        Nanos::ZERO
    }
    fn stall(&mut self, _time: Nanos) {}
    fn slow_display(&mut self, _hz: Option<f64>) {}
    fn render(&mut self) {}
    fn wait_until(&mut self, time: ClockTime) {
        self.0 = self.0.max(time);
    }
    fn wait_for_display(&mut self, frame_start: ClockTime) {
        self.wait_until(frame_start + Nanos::from_nanos(1));
    }
}

/// Creates a lane that has finished its first round and has no task due. Returns `None` if the strategy always has
/// tasks due.
fn idle_lane(strategy: &'static StrategyEntry, entities: f64) -> Option<MeasuredLane<Creeping>> {
    let knobs = KnobValues::with(&[(&ENTITIES, entities), (&REQUESTS, 0.0)]);
    let settings = Settings {
        strategy,
        knobs,
        ..Settings::default()
    };
    let mut lane = MeasuredLane::new(settings, Creeping(ClockTime::START));
    lane.frame();
    (0..10).all(|_| lane.frame().runs == 0).then_some(lane)
}

/// Number of tasks among which the target moves.
const CROWD: usize = 100_000;
/// Time that an update may take to ask for weights, in nanoseconds.
const MOST_FOR_WEIGHTS: f64 = 100_000.0;

/// Distance from the target within which tasks have weight 1; the default of the lab.
const NEAR: f64 = 0.15;
/// Speed of the target, in lengths of the line per second; the default of the lab.
const SPEED: f64 = 0.21;

/// Tasks on a line of length 1, which matter less the farther they are from a target.
struct Line {
    places: Vec<f64>,
    target: f64,
    has_time: bool,
    clock: ClockTime,
}

impl Runner for Line {
    fn run(&mut self, _task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {
        self.clock += Nanos::from_micros(1);
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        self.has_time
    }

    fn weight(&self, task: TaskId) -> f64 {
        let distance = (self.places[task.index as usize] - self.target).abs();
        (distance / NEAR).max(1.0).powi(-2)
    }
}

/// A strategy by significance and its tasks on the line.
struct MovingTarget {
    strategy: Box<dyn Strategy>,
    tasks: Tasks,
    now: GameTime,
    line: Line,
}

impl MovingTarget {
    fn new(entry: &StrategyEntry) -> Self {
        let place = |at| (at as f64 * 0.618_033_988_75).fract();
        let mut crowd = Self {
            strategy: (entry.make)(),
            tasks: Tasks::new(),
            now: GameTime::START,
            line: Line {
                places: (0..CROWD).map(place).collect(),
                target: 0.0,
                has_time: true,
                clock: ClockTime::START,
            },
        };
        for _ in 0..CROWD {
            let task = crowd.tasks.insert(GameTime::START);
            crowd.strategy.insert(task);
        }
        for _ in 0..120 {
            crowd.frame();
        }
        crowd
    }

    fn update(&mut self, delta: Nanos) {
        self.now += delta;
        let context = &mut UpdateContext::new(delta, self.now, &mut self.tasks, &mut self.line);
        self.strategy.update(context);
    }

    /// Runs the update of a frame, in which tasks run, and then moves the target.
    fn frame(&mut self) {
        self.line.has_time = true;
        self.update(Nanos::from_nanos(16_666_667));
        self.line.target = (self.line.target + SPEED / 60.0).fract();
        self.line.has_time = false;
    }
}

/// Measures an update that runs no task, but asks for as many weights as the update before it had runs.
fn ask_for_weights(bench: &mut Bench) {
    for entry in STRATEGIES {
        if entry.family != Family::BySignificance {
            continue;
        }
        let id = format!("weights/{}", entry.key);
        let crowd = RefCell::new(MovingTarget::new(entry));
        for round in 0..ROUNDS {
            let work = |()| crowd.borrow_mut().update(Nanos::ZERO);
            bench.round_with(&id, round, || crowd.borrow_mut().frame(), work);
        }
        if let Some(time) = bench.min_ns(&id) {
            let figure = format!(
                "{}: {} ns for weights of {CROWD} tasks under a moving target, of at most {MOST_FOR_WEIGHTS}",
                entry.key,
                ns(time)
            );
            println!("{figure}");
            bench.check(time <= MOST_FOR_WEIGHTS, figure);
        }
    }
}

fn main() -> ExitCode {
    let mut bench = Bench::new("idle");
    let mut rows = Vec::new();
    for &strategy in STRATEGIES {
        let lanes = SIZES.map(|size| idle_lane(strategy, size as f64));
        let [Some(few), Some(more), Some(many)] = lanes else {
            rows.push(format!(
                "| `{}` | always has tasks due | | | |",
                strategy.key
            ));
            continue;
        };
        let id = |size| format!("{}/{size}", strategy.key);
        let mut lanes = [few, more, many];
        for round in 0..ROUNDS {
            for (size, lane) in SIZES.iter().zip(&mut lanes) {
                bench.round(&id(*size), round, || {
                    lane.frame();
                });
            }
        }
        rows.extend(bench.row_of_sizes(strategy.key, 1.0, 2.0));
    }
    ask_for_weights(&mut bench);
    bench.table(
        "| frame with nothing due, ns | 1,000 | 100,000 | 1,000,000 | ratio |",
        rows,
    );
    bench.finish()
}
