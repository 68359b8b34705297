//! Capacity: the largest number of entities that fit the budget.
//!
//! A short trial shows how many runs a strategy makes in an update, for each task ([`Demand`]). A number of entities fits
//!
//! - if tasks take turns: if the busiest update stays within the budget, however rare it is;
//! - if tasks run as soon as they are due or requested, by chance: if at most one update in a hundred exceeds the budget;
//! - if updates stop at the budget: if the strategy keeps up with what is due or requested;
//! - if tasks share the budget: always, because more tasks lengthen all intervals.

mod demand;
#[cfg(test)]
mod tests;
mod words;

use super::{MeasuredLane, Pacing, Subject};
use crate::sim::machine::Machine;
use crate::sim::settings::Settings;
use crate::sim::world::{COST, COST_SPREAD, ENTITIES};
use demand::{Demand, Limit};
use timeslicer::knob::KnobValues;
use timeslicer::strategy::knobs::{BUDGET, PAY_BACK, PREDICT};
use timeslicer::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::Nanos;

/// Mean cost of a run on a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunCost {
    /// Time of the task and of its scheduling, in nanoseconds.
    pub nanos: f64,
    /// True if it was measured; otherwise it is the wanted cost.
    pub is_measured: bool,
}

/// Mean work of a frame, without waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameWork {
    pub all: Nanos,
    /// Everything except tasks and their scheduling, such as drawing.
    pub other: Nanos,
}

/// How many entities use how much time, and how many would fit the budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Capacity {
    /// Number of living entities.
    pub entities: usize,
    /// Share of the time that their tasks need: mean runs per update x cost / delta. For strategies with a wanted
    /// interval this is the utilisation U = entities x cost / interval.
    pub utilisation: f64,
    /// Share of the time that the budget allows.
    pub allowed: f64,
    /// Most entities that fit; `None` if even the largest number on the slider fits.
    pub most: Option<usize>,
    /// The strategy with the same wanted interval that fits most entities, and its capacity, if that is clearly more.
    pub better: Option<(&'static StrategyEntry, Option<usize>)>,
    conditions: Conditions,
    /// Game time of an update.
    delta: Nanos,
    demand: Demand,
    /// Mean runs in an update.
    mean: f64,
    target_moves: bool,
}

/// Conditions that depend neither on the strategy nor on the number of entities.
#[derive(Clone, Debug, PartialEq)]
struct Conditions {
    knobs: KnobValues,
    cost: RunCost,
    /// True if the frame loop keeps the game time of an update fixed.
    has_fixed_step: bool,
}

/// Largest number of entities that is considered.
const LIMIT: usize = ENTITIES.max as usize;

/// Number of times that the length of an update at the capacity is computed from the capacity for the length before. If
/// chance decides how many tasks run, most updates are shorter than the budget allows.
const ROUNDS: usize = 4;

/// Another strategy is worth naming if it fits this many times as many entities.
const BETTER: f64 = 1.1;

impl Capacity {
    /// Returns the capacity of the machine that `lane` runs on, by the cost that was measured since the last change.
    /// Takes about a millisecond.
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let subject = Subject::of(lane);
        Self::new(
            lane.settings(),
            subject.pacing,
            subject.entities,
            lane.run_cost(),
            lane.frame_work(),
        )
    }

    /// Returns the capacity for these settings. Without a measured `cost`, the wanted cost is used.
    fn new(
        settings: &Settings,
        pacing: Pacing,
        entities: usize,
        cost: Option<RunCost>,
        work: FrameWork,
    ) -> Self {
        let wanted = Nanos::from_micros_f64(settings.knobs.get(&COST));
        let conditions = Conditions {
            knobs: settings.knobs.clone(),
            cost: cost.unwrap_or(RunCost {
                nanos: wanted.as_nanos() as f64,
                is_measured: false,
            }),
            has_fixed_step: pacing.step.is_some(),
        };
        // Frames whose work takes longer than the display's period make updates longer.
        let delta = |work| pacing.step.unwrap_or(pacing.target.max(work));
        let now = delta(work.all);
        let demand = Demand::of(settings, settings.strategy, now);
        let (mut most, mut at_capacity) = (None, delta(work.other + conditions.budget()));
        for _ in 0..ROUNDS {
            let demand = if at_capacity == now {
                demand
            } else {
                Demand::of(settings, settings.strategy, at_capacity)
            };
            most = conditions.most(settings, demand, at_capacity);
            let runs = most.map_or(0.0, |most| conditions.mean_runs(&demand, most as f64));
            let tasks = Nanos::from_nanos_f64(runs * conditions.cost.nanos);
            let next = delta(work.other + tasks);
            if most.is_none() || next == at_capacity {
                break;
            }
            at_capacity = next;
        }
        let mean = conditions.mean_runs(&demand, entities as f64);
        let of_delta = |nanos: f64| nanos / now.as_nanos().max(1) as f64;
        Self {
            entities,
            utilisation: of_delta(mean * conditions.cost.nanos),
            allowed: of_delta(conditions.budget().as_nanos() as f64),
            most,
            better: most.and_then(|most| better(settings, &conditions, most, at_capacity)),
            conditions,
            delta: now,
            demand,
            mean,
            target_moves: settings.target.is_none(),
        }
    }

    /// Returns true if the living entities do not fit.
    pub fn is_exceeded(&self) -> bool {
        self.most.is_some_and(|most| self.entities > most)
    }

    /// Returns true if chance decides about the last entities: requests are random, or costs differ.
    fn is_rough(&self) -> bool {
        self.conditions.spread() > 0.0
            || !matches!(self.demand.limit, Limit::Turns(_) | Limit::Part)
    }
}

/// Returns the strategy that fits most entities among those with the same wanted interval, if it fits [`BETTER`] times as
/// many as `most`.
fn better(
    settings: &Settings,
    conditions: &Conditions,
    most: usize,
    delta: Nanos,
) -> Option<(&'static StrategyEntry, Option<usize>)> {
    let wanted = |entry: &StrategyEntry| entry.build(&settings.knobs).wanted_interval();
    let interval = wanted(settings.strategy)?;
    let limit = BETTER * most as f64;
    if conditions.fitting() * interval.over(delta) <= limit {
        return None; // no strategy fits more, because the mean number of runs follows from the interval
    }
    let others = STRATEGIES
        .iter()
        .filter(|&&entry| entry != settings.strategy && wanted(entry) == Some(interval));
    let capacities = others.map(|&entry| {
        let demand = Demand::of(settings, entry, delta);
        (entry, conditions.most(settings, demand, delta))
    });
    // The first of those that fit equally many.
    let best = capacities
        .rev()
        .max_by_key(|(_, fits)| fits.unwrap_or(usize::MAX))?;
    (best.1.unwrap_or(usize::MAX) as f64 > limit).then_some(best)
}

impl Conditions {
    fn budget(&self) -> Nanos {
        Nanos::from_millis_f64(self.knobs.get(&BUDGET))
    }

    /// Returns the standard deviation of the tasks' costs, divided by their mean.
    fn spread(&self) -> f64 {
        self.knobs.get(&COST_SPREAD)
    }

    /// Returns how many runs of mean cost fit into the budget.
    fn fitting(&self) -> f64 {
        self.budget().as_nanos() as f64 / self.cost.nanos
    }

    /// Returns how many runs an update makes on average if it stops at the budget, at least one.
    ///
    /// The budget ends within the cost of a task, on average in the middle of it. An expensive task is more likely to be
    /// that one. Prediction leaves the task to the next update. Without prediction the task still runs, and pay-back
    /// takes its overrun from later updates.
    fn runs_in_budget(&self) -> f64 {
        let (fitting, spread) = (self.fitting(), self.spread());
        let [predicts, pays_back] = [&PREDICT, &PAY_BACK].map(|knob| self.knobs.get(knob) > 0.0);
        let part = f64::midpoint(1.0, spread * spread);
        let runs = match (predicts, pays_back) {
            (true, _) if spread == 0.0 => fitting.floor(),
            (true, _) => fitting - part,
            (false, true) => fitting,
            (false, false) if spread == 0.0 => fitting.ceil(),
            (false, false) => fitting + part,
        };
        runs.max(1.0)
    }

    /// Returns the mean number of runs in an update.
    fn mean_runs(&self, demand: &Demand, tasks: f64) -> f64 {
        let runs = tasks * demand.mean;
        match demand.limit {
            Limit::Turns(most) => tasks.min(most as f64),
            Limit::Share if self.cost.nanos > 0.0 => runs.min(self.runs_in_budget()),
            _ => runs,
        }
    }

    /// Returns the largest number of tasks that fit into updates of game time `delta`; `None` if all numbers up to
    /// [`LIMIT`] do.
    fn most(&self, settings: &Settings, demand: Demand, delta: Nanos) -> Option<usize> {
        let fitting = self.fitting();
        let most = self.most_within(fitting, &demand)?;
        // Some strategies do not split every crowd evenly.
        let is_exact = demand.limit == Limit::Part && self.spread() == 0.0;
        if is_exact && demand.busiest_of(most, settings, delta) > fitting {
            return self.most_within(fitting - 1.0, &demand);
        }
        Some(most)
    }

    /// Returns the largest number of tasks that fit if the budget has room for `fitting` runs.
    fn most_within(&self, fitting: f64, demand: &Demand) -> Option<usize> {
        let fits =
            |tasks: usize| self.cost.nanos == 0.0 || self.fits(fitting, demand, tasks as f64);
        if fits(LIMIT) {
            return None;
        }
        let (mut most, mut too_many) = (0, LIMIT);
        while most + 1 < too_many {
            let middle = usize::midpoint(most, too_many);
            if fits(middle) {
                most = middle;
            } else {
                too_many = middle;
            }
        }
        Some(most)
    }

    fn fits(&self, fitting: f64, demand: &Demand, tasks: f64) -> bool {
        let runs = match demand.limit {
            Limit::Share => return true,
            Limit::Budget => return tasks * demand.mean <= self.runs_in_budget(),
            Limit::Turns(most) => tasks.min(most as f64),
            Limit::Part | Limit::Chance | Limit::Requests => tasks * demand.busiest,
        };
        // Tasks that take turns run once in each round, so that the costs of a round are fixed.
        let spread = self.spread() * (1.0 - runs / tasks.max(1.0)).max(0.0).sqrt();
        let busiest = p99(runs, tasks * demand.variance, spread).min(tasks);
        let room = match demand.limit {
            _ if self.spread() > 0.0 => fitting,
            Limit::Turns(_) | Limit::Part => fitting.floor() + RARELY,
            // Only whole runs count: the next one begins half a run later.
            _ => fitting.floor() + 0.5,
        };
        busiest <= room
    }
}

/// Share of the updates that may make one run more than fits.
const RARELY: f64 = 0.01;

/// Quantile 0.99 of the standard normal distribution.
const P99: f64 = 2.326;

/// Returns the 99th percentile of the time of an update, in units of the mean cost, if the number of its runs has this
/// mean and variance. It is that of a shifted log-normal distribution with the same mean, variance and skewness.
///
/// Costs are log-normal with mean 1 and standard deviation `spread`, so their third central moment is s⁴ (s² + 3).
fn p99(mean: f64, variance: f64, spread: f64) -> f64 {
    let squares = spread * spread;
    let of_time = variance + mean * squares;
    if of_time <= 0.0 {
        return mean;
    }
    let third = variance * (1.0 + 3.0 * squares) + mean * squares * squares * (squares + 3.0);
    let skewness = third / (of_time * of_time.sqrt());
    // The ratio c of standard deviation and mean before the shift: the skewness is c (c² + 3).
    let ratio = 2.0 * libm::sinh(libm::asinh(skewness / 2.0) / 3.0);
    let sigma = libm::log1p(ratio * ratio).sqrt();
    let z = libm::expm1(sigma * P99 - sigma * sigma / 2.0) / ratio;
    mean + of_time.sqrt() * z
}
