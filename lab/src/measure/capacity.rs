//! Estimates the largest number of entities whose tasks fit in the budget.
//!
//! A trial runs the strategy on a simulated machine. Its tasks cost next to nothing, so that neither the budget nor an
//! overload limits the runs. The work of an update is proportional to the number of entities, so the trial predicts how
//! many entities fit. Further trials with the predicted number correct the prediction. What it means to fit depends on
//! the strategy:
//!
//! - Usually, they fit if 99 of 100 updates that run tasks stay within the budget.
//! - If updates stop at the budget, entities fit if the mean load of an update is no more than the budget.
//! - If tasks share the budget, any number fits, because more tasks only lengthen all intervals.

use super::thresholds::COST_KNOWN_FROM;
use super::{MeasuredLane, Times};
use crate::catalog::strategy::knobs::AS_PUBLISHED;
use crate::catalog::strategy::knobs::{BUDGET, SLOWEST};
use crate::catalog::strategy::{Family, Pattern};
use crate::sim::lane::Lane;
use crate::sim::machine::{Machine, SPEED, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, COST, ENTITIES, HEIGHT, Point, WIDTH};
use crate::text::format::{grouped, number, percent, things};
use crate::text::rich::time;
use timeslicer::time::Nanos;

const CORRECTING_TRIALS: usize = 2;

const MAX_ENTITIES: usize = ENTITIES.max as usize;

/// How much of the available time the tasks use, and how many entities would fit in the budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Capacity {
    /// The number of living entities.
    pub entities: usize,
    /// The task time that the entities need, in seconds per second of game time. It is computed from the mean number of
    /// runs per update.
    pub utilisation: f64,
    /// The task time that the budget allows, in seconds per second of game time.
    pub allowed: f64,
    /// The largest number of entities that fit in the budget. `None` if even the largest number that the user can
    /// choose fits.
    pub most: Option<usize>,
    law: Law,
    /// The mean number of runs per update.
    mean: f64,
    /// How much game time passes in each update.
    delta: Nanos,
    budget: Nanos,
    /// The mean cost of a run in nanoseconds.
    cost: f64,
    /// Whether the cost was measured. Otherwise, it is taken from the settings.
    is_cost_measured: bool,
    has_fixed_step: bool,
    /// Whether the capacity is only approximate, because requests are random, weights change, or the costs of tasks
    /// differ.
    is_rough: bool,
}

/// What limits the number of runs per update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    /// Tasks take turns, and each update runs at most this number of tasks.
    Turns(usize),
    /// The tasks share the budget. The more tasks there are, the less often each of them runs.
    Shared,
    /// An update runs tasks until the budget is spent, and the remaining tasks wait. If `on_request` is true, an update
    /// runs the tasks that have requested a run. Otherwise, it runs the tasks that are due.
    Stops { on_request: bool },
    /// An update runs all tasks that are due or requested, however many there are.
    Unlimited,
}

impl Law {
    fn of(settings: &Settings) -> Self {
        let (entry, knobs) = (settings.strategy, &settings.knobs);
        let strategy = entry.build(knobs);
        // The tasks share the budget if they have neither requests nor a longest interval.
        let on_request = entry.on_request();
        let wants_runs = on_request || entry.reads(&SLOWEST, knobs);
        match (strategy.pattern(), strategy.budget()) {
            (Some(Pattern::AtMost(turns)), _) => Self::Turns(turns),
            (_, Some(_)) if wants_runs => Self::Stops { on_request },
            (_, Some(_)) => Self::Shared,
            _ => Self::Unlimited,
        }
    }
}

impl Capacity {
    /// Estimates how many entities the strategy and the machine of `lane` can handle. Uses the measured cost of tasks,
    /// or the cost in the settings if too few tasks have run. Takes about a millisecond.
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let settings = lane.settings();
        let sums = &lane.observer().sums.totals;
        let per_frame = |sum: Nanos| Nanos::from_nanos(sum.as_nanos() / sums.frames.max(1));
        let in_updates = sums.task_time + sums.scheduling;
        let (cost, is_cost_measured) = if sums.runs >= COST_KNOWN_FROM {
            (in_updates.as_nanos() as f64 / sums.runs as f64, true)
        } else {
            (settings.mean_cost().as_nanos() as f64, false)
        };
        // If the work of a frame takes longer than the display's period, updates become longer, too.
        let step = lane.fixed_step();
        let delta_of = |work: Nanos| step.unwrap_or(lane.target_period().max(work));
        let work = sums.span - sums.waiting;
        let delta = delta_of(per_frame(work));

        let law = Law::of(settings);
        let budget = settings.knobs.span(&BUDGET);
        // Only whole runs count, although an update without prediction may end within a run.
        let fitting = (budget.as_nanos() as f64 / cost).floor();

        let entities = lane.world().tasks().len();
        let here = lane.world().target();
        let mut load = Load::of(settings, Some(here), entities as f64, delta);
        let mean = load.mean * entities as f64;
        let (mean, most) = match law {
            Law::Turns(turns) if turns as f64 <= fitting => (mean.min(turns as f64), None),
            Law::Turns(turns) => (mean.min(turns as f64), Some(fitting)),
            Law::Shared => (mean.min(fitting.max(1.0)), None),
            Law::Stops { .. } | Law::Unlimited => {
                let fit = |load: Load| match law {
                    Law::Stops { .. } => fitting.max(1.0) / load.mean,
                    _ => fitting / load.busiest,
                };
                let mut most = fit(load);
                for _ in 0..CORRECTING_TRIALS {
                    let tasks = Nanos::from_nanos_f64(most * load.mean * cost);
                    let delta = delta_of(per_frame(work - in_updates) + tasks);
                    let target = if settings.target_rests() {
                        here
                    } else {
                        MOST_CROWDED_TARGET
                    };
                    load = Load::of(settings, Some(target), most, delta);
                    most = fit(load);
                }
                (mean, Some(most))
            }
        };
        let of_delta = |nanos: f64| nanos / delta.as_nanos().max(1) as f64;
        let most = most.filter(|&most| most < MAX_ENTITIES as f64);
        Self {
            entities,
            utilisation: of_delta(mean * cost),
            allowed: of_delta(budget.as_nanos() as f64),
            most: most.map(|most| (most + 1e-6) as usize), // a quotient may be just below a whole number
            law,
            mean,
            delta,
            budget,
            cost,
            is_cost_measured,
            has_fixed_step: step.is_some(),
            is_rough: settings.costs_differ() || settings.strategy.family != Family::Periodic,
        }
    }

    /// Returns true if there are more living entities than fit in the budget.
    pub fn is_exceeded(&self) -> bool {
        self.most.is_some_and(|most| self.entities > most)
    }

    /// Formats the budget per frame or per update, such as `4 ms per frame`.
    pub fn budget_in_words(&self) -> String {
        let per = if self.has_fixed_step {
            "per update"
        } else {
            "per frame"
        };
        format!("{} {per}", time(self.budget))
    }

    /// Formats the largest number of entities that fit, such as `1,200`, `about 850` or `no limit`. The number is
    /// rounded down to three significant digits.
    pub fn most_in_words(&self) -> String {
        let Some(most) = self.most else {
            return "no limit".to_owned();
        };
        let unit = 10_usize.pow(most.max(1).ilog10().saturating_sub(2));
        let most = grouped((most / unit * unit) as u64);
        if self.is_rough {
            format!("about {most}")
        } else {
            most
        }
    }

    /// Formats the largest number of entities that fit, including the noun, such as `1,200 entities` or `no limit`.
    pub fn entities_in_words(&self) -> String {
        let most = self.most_in_words();
        match self.most {
            None => most,
            Some(count) => format!("{most} {}", things(count as u64, "entity")),
        }
    }

    /// If even the largest number of entities that the user can choose fits in the budget, returns a note with this
    /// number, such as `up to 1,000,000`. Otherwise, returns `None`.
    pub fn note(&self) -> Option<String> {
        let is_unlimited = self.most.is_none();
        is_unlimited.then(|| format!("up to {}", grouped(MAX_ENTITIES as u64)))
    }

    /// Explains the capacity in full sentences, for a tooltip.
    pub fn explained(&self) -> String {
        let (share, runs, delta) = (
            percent(self.utilisation),
            number(self.mean),
            time(self.delta),
        );
        let cost = time(Nanos::from_nanos_f64(self.cost));
        let source = if self.is_cost_measured {
            "measured"
        } else {
            "not measured yet"
        };
        let (budget, most) = (time(self.budget), self.entities_in_words());
        let law = match (self.law, self.most) {
            (_, None) => format!(
                "Updates stay within {budget} for any number of entities. A larger crowd only makes each entity wait \
                 longer between runs."
            ),
            (Law::Stops { on_request: true }, _) => format!(
                "An update stops after {budget}. With more than {most}, requests wait longer and longer."
            ),
            (Law::Stops { on_request: false }, _) => format!(
                "An update stops after {budget}. With more than {most}, more tasks become due than fit, so all \
                 intervals get longer."
            ),
            _ => format!(
                "With up to {most}, 99 of 100 updates that run tasks take {budget} or less."
            ),
        };
        format!(
            "Tasks need {share} of the time: {runs} runs per update of {delta} at {cost} each ({source}). The mark on \
             the bar shows the budget.\n{law}"
        )
    }
}

/// The maximum number of tasks in a trial run that estimates the capacity. More tasks would make the trial slower, but
/// hardly change its result.
const MAX_TRIAL_TASKS: f64 = 1500.0;
const TRIAL_RUNS_PER_TASK: f64 = 4.0;
const MAX_TRIAL_UPDATES: u64 = 2000;
const TRIAL_COST_MICROS: f64 = 0.1;
/// The target position with the most entities nearby. Because nearby entities run more often, this is the position for
/// which the fewest entities fit in the budget.
const MOST_CROWDED_TARGET: Point = Point {
    x: WIDTH / 2.0,
    y: HEIGHT / 2.0,
};

/// The amount of work per update in a trial run, relative to the number of tasks.
#[derive(Clone, Copy)]
struct Load {
    /// The mean number of runs in an update, divided by the number of tasks.
    mean: f64,
    /// The task time of a busy update, divided by the cost of a task and by the number of tasks. The busy update is the
    /// 99th percentile of all updates that run tasks.
    busiest: f64,
}

impl Load {
    /// Simulates the given number of entities and measures the load. `delta` is the game time that passes in each
    /// update. Ignores the updates before the first task runs.
    fn of(settings: &Settings, target: Option<Point>, entities: f64, delta: Nanos) -> Self {
        let cost = Nanos::from_micros_f64(TRIAL_COST_MICROS);
        let own = settings.own_costs.as_ref();
        let mut settings = Settings {
            target,
            frame_loop: Settings::default().frame_loop,
            own_costs: own.map(|own| own.scaled(cost, MAX_TRIAL_TASKS as usize)),
            ..settings.clone()
        };
        let tasks = entities.clamp(1.0, MAX_TRIAL_TASKS).floor();
        for (knob, value) in [
            (&ENTITIES, tasks),
            (&COST, TRIAL_COST_MICROS),
            (&SPEED, 1.0),
            (&CHURN, 0.0),
            (&AS_PUBLISHED, 0.0),
            (&BUDGET, BUDGET.max),
        ] {
            settings.knobs.set(knob, value);
        }
        let machine = Simulated::new(&settings.knobs);
        let mut lane: Lane<Simulated> = Lane::new(settings, machine);
        let (mut has_begun, mut updates, mut runs) = (false, 0, 0.0);
        let mut busy = Vec::new();
        while lane.frames() < MAX_TRIAL_UPDATES && runs < TRIAL_RUNS_PER_TASK * tasks {
            let start = lane.last_frame().start + delta;
            lane.machine_mut().set_clock(start);
            let frame = lane.frame();
            if has_begun {
                updates += 1;
                runs += f64::from(frame.runs);
                if frame.runs > 0 {
                    busy.push(frame.task_time);
                }
            }
            has_begun |= frame.runs > 0;
        }
        let busiest = Times::of(&busy).p99.over(cost);
        let mean = runs / f64::from(updates.max(1));
        let is_even = busiest < mean + 1.0; // a run more or less is rounding
        Self {
            mean: mean / tasks,
            busiest: if is_even { mean } else { busiest } / tasks,
        }
    }
}

#[cfg(test)]
mod tests;
