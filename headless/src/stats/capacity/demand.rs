//! What a crowd demands of an update, measured in a trial.
//!
//! A trial runs the strategy for a short time on a simulated machine. Its tasks cost nothing, so that neither a budget
//! nor an overload limits the runs. The demand of a larger or smaller crowd is in proportion to its size.

use crate::sim::lane::Lane;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::sim::world::{
    CHURN, COST, COST_SPREAD, ENTITIES, HEIGHT, ORBIT_PERIOD, Point, REQUESTS, WIDTH, orbit,
};
use timeslicer::strategy::knobs::{AS_PUBLISHED, BUDGET, SLOWEST};
use timeslicer::strategy::{Family, Pattern, StrategyEntry};
use timeslicer::time::{GameTime, Nanos};

/// Number of tasks in a trial.
const TASKS: f64 = 1200.0;
/// A trial lasts until there were this many runs per task.
const RUNS_PER_TASK: f64 = 4.0;
/// Most updates of a trial.
const MOST_UPDATES: u64 = 2000;
/// Number of positions of a target that moves. With this number, they are not symmetrical; it divides [`TASKS`].
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
    strategy: &'static StrategyEntry,
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
        let mut settings = costless(settings, strategy);
        let follows_orbit = settings.target.is_none() && strategy.family == Family::BySignificance;
        settings.target = settings.target.or(Some(CENTRE));
        let runs = if strategy.on_request() {
            Runs::requested(&settings, delta)
        } else {
            Runs::of(&settings, TASKS, delta)
        };
        // A run more or less is rounding. Independent tasks vary no more than those of a Poisson distribution, and bursts
        // vary much more.
        let is_burst = runs.variance > 1.0 + 2.0 * runs.mean;
        let is_by_chance = strategy.on_request() || runs.variance > 1.0 && !is_burst;
        let built = strategy.build(&settings.knobs);
        // A budget is shared if tasks have neither requests nor a longest interval.
        let wants_runs = strategy.on_request() || strategy.reads(&SLOWEST, &settings.knobs);
        let limit = match (built.pattern(), built.budget()) {
            (Some(Pattern::AtMost(most)), _) => Limit::Turns(most),
            (_, Some(_)) if wants_runs => Limit::Budget,
            (_, Some(_)) => Limit::Share,
            _ if strategy.on_request() => Limit::Requests,
            _ if is_by_chance => Limit::Chance,
            _ => Limit::Part,
        };
        let mean = if follows_orbit {
            mean_along_orbit(settings, delta)
        } else {
            runs.mean
        };
        Self {
            strategy,
            limit,
            mean: mean / TASKS,
            busiest: if is_burst { runs.most } else { runs.mean } / TASKS,
            variance: if is_by_chance { runs.variance } else { 0.0 } / TASKS,
        }
    }

    /// Returns the runs of the busiest update of `tasks` tasks, or of as many as a usual trial has if that is fewer.
    pub(super) fn busiest_of(&self, tasks: usize, settings: &Settings, delta: Nanos) -> f64 {
        let settings = costless(settings, self.strategy);
        Runs::of(&settings, TASKS.min(tasks as f64), delta).most
    }
}

/// Returns these settings with `strategy`, for a trial.
fn costless(settings: &Settings, strategy: &'static StrategyEntry) -> Settings {
    let mut settings = Settings {
        strategy,
        frame_loop: Settings::default().frame_loop,
        ..settings.clone()
    };
    for knob in [&COST, &COST_SPREAD, &CHURN, &AS_PUBLISHED] {
        settings.knobs.set(knob, 0.0);
    }
    settings.knobs.set(&BUDGET, BUDGET.max);
    settings
}

/// Returns the mean runs for positions of the target on its orbit, at equal distances in time. While the target follows
/// the pointer, they are a guess.
fn mean_along_orbit(mut settings: Settings, delta: Nanos) -> f64 {
    let runs = (0..POSITIONS).map(|turn| {
        let time = Nanos::from_nanos(ORBIT_PERIOD.as_nanos() / POSITIONS * turn);
        settings.target = Some(orbit(GameTime::at(time)));
        Runs::of(&settings, TASKS / POSITIONS as f64, delta).mean
    });
    runs.sum()
}

/// Runs per update.
struct Runs {
    mean: f64,
    variance: f64,
    most: f64,
}

impl Runs {
    /// Returns the runs of tasks that are requested at random, all at the same rate.
    fn requested(settings: &Settings, delta: Nanos) -> Self {
        let each = settings.knobs.get(&REQUESTS) * delta.as_secs_f64();
        let share = 1.0 - libm::exp(-each);
        Self {
            mean: TASKS * share,
            variance: TASKS * share * (1.0 - share),
            most: TASKS,
        }
    }

    /// Counts the runs of each update in a trial. Counting begins after the first update that runs tasks, so that rounds
    /// are whole.
    fn of(settings: &Settings, tasks: f64, delta: Nanos) -> Self {
        let mut settings = settings.clone();
        settings.knobs.set(&ENTITIES, tasks);
        let machine = Simulated::new(&settings.knobs);
        let mut lane: Lane<Simulated> = Lane::new(settings, machine);
        lane.list_runs(0);
        let (mut has_begun, mut sum, mut counted) = (false, 0.0, Vec::new());
        while lane.frames() < MOST_UPDATES && sum < RUNS_PER_TASK * tasks {
            let start = lane.last_frame().start + delta;
            lane.machine_mut().set_clock(start);
            let runs = f64::from(lane.frame().runs);
            if has_begun {
                counted.push(runs);
                sum += runs;
            }
            has_begun |= runs > 0.0;
        }
        let updates = counted.len().max(1) as f64;
        let mean = sum / updates;
        let squares = counted.iter().map(|runs| (runs - mean) * (runs - mean));
        Self {
            mean,
            variance: squares.sum::<f64>() / updates,
            most: counted.iter().copied().fold(0.0, f64::max),
        }
    }
}
