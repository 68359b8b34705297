//! What a crowd demands of an update, measured in a trial.
//!
//! A trial runs the strategy for a short time on a simulated machine. Its tasks cost nothing, so that neither a budget
//! nor an overload limits the runs. The demand of a larger or smaller crowd is in proportion to its size.

use crate::sim::lane::Lane;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::{DEFAULT_FRAME_LOOP, Settings};
use crate::sim::world::{
    CHURN, COST, COST_SPREAD, ENTITIES, HEIGHT, ORBIT_PERIOD, Point, REQUESTS, WIDTH, orbit,
};
use timeslicer::frame_loop;
use timeslicer::strategy::knobs::{AS_PUBLISHED, BUDGET, SLOWEST};
use timeslicer::strategy::{Family, Pattern, StrategyEntry};
use timeslicer::time::{GameTime, Nanos};

/// Number of tasks in a trial.
const TASKS: f64 = 1200.0;
/// A trial lasts until there were this many runs per task.
const RUNS_PER_TASK: f64 = 4.0;
/// Most updates of a trial.
const MOST_UPDATES: usize = 2000;
/// Number of positions of a target that moves. With this number, they are not symmetrical.
const POSITIONS: u64 = 5;
/// Position of the target with the most places around it.
const CENTRE: Point = Point {
    x: WIDTH / 2.0,
    y: HEIGHT / 2.0,
};

/// What limits the runs of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// At most this many tasks take their turn, however many there are.
    Turns(usize),
    /// Tasks take turns, and the busiest update runs the same part of any crowd.
    Part,
    /// Chance: each task becomes due at a time of its own.
    Chance,
    /// Chance: all tasks run that are requested, and requests are random.
    Requests,
    /// The budget: an update runs due or requested tasks until the budget is spent, and leaves the others waiting.
    Budget,
    /// The budget, which the tasks share: with more tasks, each runs less often.
    Share,
}

/// What a crowd demands of an update: numbers of runs, divided by the number of tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Demand {
    pub(super) limit: Limit,
    /// Mean over all updates.
    pub(super) mean: f64,
    /// Runs of the busiest update if tasks take turns; otherwise the mean where the target has the most around it.
    pub(super) busiest: f64,
    /// Variance due to chance.
    pub(super) variance: f64,
}

impl Demand {
    /// Returns the demand on an update that advances the game by `delta`.
    pub(super) fn of(settings: &Settings, strategy: &'static StrategyEntry, delta: Nanos) -> Self {
        let settings = costless(settings, strategy);
        if strategy.on_request() {
            Self::on_request(&settings, delta)
        } else {
            Self::measured(settings, delta)
        }
    }

    /// Returns the demand of tasks that are requested at random, at the same rate.
    fn on_request(settings: &Settings, delta: Nanos) -> Self {
        let each = settings.knobs.get(&REQUESTS) * delta.as_secs_f64();
        let share = 1.0 - libm::exp(-each);
        let has_budget = settings.strategy.build(&settings.knobs).budget().is_some();
        Self {
            limit: if has_budget {
                Limit::Budget
            } else {
                Limit::Requests
            },
            mean: share,
            busiest: share,
            variance: share * (1.0 - share),
        }
    }

    fn measured(mut settings: Settings, delta: Nanos) -> Self {
        let target_moves = settings.target.is_none();
        settings.target = settings.target.or(Some(CENTRE));
        let runs = Runs::of(&settings, TASKS, delta);
        // A run more or less is rounding. Independent tasks vary no more than those of a Poisson distribution, and bursts
        // vary much more.
        let varies = runs.variance > 1.0;
        let is_by_chance = varies && runs.variance < 2.0 * runs.mean;
        let strategy = settings.strategy.build(&settings.knobs);
        let limit = match (strategy.pattern(), strategy.budget()) {
            (Some(Pattern::AtMost(most)), _) => Limit::Turns(most),
            (_, Some(_)) if has_backlog(&settings) => Limit::Budget,
            (_, Some(_)) => Limit::Share,
            _ if is_by_chance => Limit::Chance,
            _ => Limit::Part,
        };
        let mean = if target_moves && settings.strategy.family == Family::BySignificance {
            mean_along_orbit(settings, delta)
        } else {
            runs.mean / TASKS
        };
        let is_burst = varies && !is_by_chance;
        Self {
            limit,
            mean,
            busiest: if is_burst { runs.most } else { runs.mean } / TASKS,
            variance: if is_by_chance { runs.variance } else { 0.0 } / TASKS,
        }
    }
}

/// Returns the runs of the busiest update of so many tasks, of the tasks of a usual trial at most.
pub(super) fn busiest_of(
    settings: &Settings,
    strategy: &'static StrategyEntry,
    tasks: usize,
    delta: Nanos,
) -> f64 {
    let settings = costless(settings, strategy);
    Runs::of(&settings, TASKS.min(tasks as f64), delta).most
}

/// Returns these settings with `strategy`, for a trial.
fn costless(settings: &Settings, strategy: &'static StrategyEntry) -> Settings {
    let mut settings = settings.clone();
    settings.strategy = strategy;
    if let Some(variable_step) = frame_loop::by_key(DEFAULT_FRAME_LOOP) {
        settings.frame_loop = variable_step;
    }
    for (knob, value) in [
        (&COST, 0.0),
        (&COST_SPREAD, 0.0),
        (&CHURN, 0.0),
        (&BUDGET, BUDGET.max),
        (&AS_PUBLISHED, 0.0),
    ] {
        settings.knobs.set(knob, value);
    }
    settings
}

/// Returns the mean demand for positions of the target on its orbit, at equal distances in time. While the target follows
/// the pointer, they are a guess.
fn mean_along_orbit(mut settings: Settings, delta: Nanos) -> f64 {
    let tasks = TASKS / POSITIONS as f64;
    let means = (0..POSITIONS).map(|turn| {
        let time = Nanos::from_nanos(ORBIT_PERIOD.as_nanos() / POSITIONS * turn);
        settings.target = Some(orbit(GameTime::at(time)));
        Runs::of(&settings, tasks.floor(), delta).mean / tasks.floor()
    });
    means.sum::<f64>() / POSITIONS as f64
}

/// Returns true if tasks wait in a backlog when the budget is too small for them. Otherwise they share it.
fn has_backlog(settings: &Settings) -> bool {
    let mut settings = settings.clone();
    for (knob, value) in [(&ENTITIES, 2.0), (&COST, 1.0), (&BUDGET, 0.0)] {
        settings.knobs.set(knob, value);
    }
    let machine = Simulated::new(&settings.knobs);
    let mut lane: Lane<Simulated> = Lane::new(settings, machine);
    (0..3).any(|_| {
        let later = lane.machine().clock() + Nanos::from_secs_f64(SLOWEST.max);
        lane.machine_mut().set_clock(later);
        lane.frame().backlog > 0
    })
}

/// Runs per update in a trial.
struct Runs {
    mean: f64,
    variance: f64,
    most: f64,
}

impl Runs {
    /// Counts the runs of each update. Counting begins after the first update that runs tasks, so that rounds are whole.
    fn of(settings: &Settings, tasks: f64, delta: Nanos) -> Self {
        let mut settings = settings.clone();
        settings.knobs.set(&ENTITIES, tasks);
        let machine = Simulated::new(&settings.knobs);
        let mut lane: Lane<Simulated> = Lane::new(settings, machine);
        lane.list_runs(0);
        let (mut has_begun, mut updates) = (false, 0.0);
        let (mut sum, mut squares, mut most) = (0.0, 0.0, 0.0_f64);
        for _ in 0..MOST_UPDATES {
            let start = lane.last_frame().start + delta;
            lane.machine_mut().set_clock(start);
            let runs = f64::from(lane.frame().runs);
            if has_begun {
                updates += 1.0;
                sum += runs;
                squares += runs * runs;
                most = most.max(runs);
            }
            has_begun |= runs > 0.0;
            if sum >= RUNS_PER_TASK * tasks {
                break;
            }
        }
        let mean = sum / f64::max(updates, 1.0);
        Self {
            mean,
            variance: squares / f64::max(updates, 1.0) - mean * mean,
            most,
        }
    }
}
