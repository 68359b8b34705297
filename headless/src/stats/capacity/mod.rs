//! Capacity: the largest number of entities that fit the budget.
//!
//! Each strategy predicts the runs of an update ([`timeslicer::strategy::Load`]). A number of entities fits
//!
//! - if tasks take turns: if the busiest update stays within the budget, however rare it is;
//! - if tasks run as soon as they are due or requested, by chance: if at most one update in a hundred exceeds the budget;
//! - if updates stop at the budget: if the strategy keeps up with the requests;
//! - if tasks share the budget: always, because more tasks lengthen all intervals.

mod quantile;
#[cfg(test)]
mod tests;
mod weights;
mod words;

use super::{MeasuredLane, Pacing, Subject};
use crate::sim::machine::Machine;
use crate::sim::settings::Settings;
use crate::sim::world::{COST, COST_SPREAD, ENTITIES, REQUESTS};
use quantile::{random_runs, requested_runs, requests_are_within, tasks_in_turn};
use timeslicer::strategy::knobs::{BUDGET, PAY_BACK, PREDICT};
use timeslicer::strategy::{Demand, Load, Peak, STRATEGIES, StrategyEntry};
use timeslicer::time::Nanos;
use weights::sampled_weights;

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
    /// All work.
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
    strategy: &'static StrategyEntry,
    conditions: Conditions,
    /// Load of the living entities.
    load: Load,
    /// True if more entities would not make the busiest update longer: then rounds get longer instead.
    is_capped: bool,
}

/// Conditions that do not depend on the number of entities.
#[derive(Clone, Debug, PartialEq)]
struct Conditions {
    budget: Nanos,
    /// Game time of an update without tasks.
    delta: Nanos,
    /// Time that a frame takes besides its tasks.
    other_work: Nanos,
    /// True if the frame loop keeps that time fixed. Otherwise a frame that takes longer makes the next update longer.
    has_fixed_step: bool,
    cost: RunCost,
    /// Standard deviation of the tasks' costs, divided by their mean.
    spread: f64,
    /// True if strategies with a budget predict costs ([`PREDICT`]).
    predicts: bool,
    /// True if strategies with a budget pay back overruns ([`PAY_BACK`]).
    pays_back: bool,
    requests_per_s: f64,
    /// Weights of a sample of the crowd, for each of some positions of the target.
    weights: Vec<Vec<f64>>,
}

/// Largest number of entities that is considered.
const LIMIT: usize = ENTITIES.max as usize;

/// Rounds of the search for the length of frames whose tasks take longer than the display's period.
const FRAME_ROUNDS: usize = 64;

/// Another strategy is worth naming if it fits this many times as many entities.
const BETTER: f64 = 1.1;

impl Capacity {
    /// Returns the capacity of the machine that `lane` runs on, by the cost that was measured since the last change.
    #[must_use]
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
        let knobs = &settings.knobs;
        let wanted = RunCost {
            nanos: Nanos::from_micros_f64(knobs.get(&COST)).as_nanos() as f64,
            is_measured: false,
        };
        let conditions = Conditions {
            budget: Nanos::from_millis_f64(knobs.get(&BUDGET)),
            delta: pacing.step.unwrap_or(pacing.target.max(work.other)),
            other_work: work.other,
            has_fixed_step: pacing.step.is_some(),
            cost: cost.unwrap_or(wanted),
            spread: knobs.get(&COST_SPREAD),
            predicts: knobs.get(&PREDICT) > 0.0,
            pays_back: knobs.get(&PAY_BACK) > 0.0,
            requests_per_s: knobs.get(&REQUESTS),
            weights: sampled_weights(settings),
        };
        let strategy = settings.strategy;
        let most = conditions.most(settings, strategy);
        let better = better(settings, &conditions, most);
        // Slow drawing makes frames longer than the display's period, and so the updates that run now.
        let conditions = Conditions {
            delta: if work.other.is_zero() || pacing.step.is_some() {
                conditions.delta
            } else {
                pacing.target.max(work.all)
            },
            ..conditions
        };
        let load_of = |tasks| conditions.load(settings, strategy, tasks, conditions.delta);
        let load = load_of(entities);
        let takes_turns = matches!(load.peak, Peak::Turns(_));
        let is_capped = takes_turns && load.peak == load_of(entities + LIMIT).peak;
        let delta = conditions.delta.as_nanos() as f64;
        let share = |nanos: f64| if delta > 0.0 { nanos / delta } else { 0.0 };
        Self {
            entities,
            utilisation: share(load.mean * conditions.cost.nanos),
            allowed: share(conditions.budget.as_nanos() as f64),
            most,
            better,
            strategy,
            conditions,
            load,
            is_capped,
        }
    }

    /// Returns true if the living entities do not fit.
    #[must_use]
    pub fn is_exceeded(&self) -> bool {
        self.most.is_some_and(|most| self.entities > most)
    }

    /// Returns true if chance decides about the last entities: requests are random, or costs differ.
    fn is_rough(&self) -> bool {
        self.conditions.spread > 0.0 || !matches!(self.load.peak, Peak::Turns(_))
    }
}

/// Returns the strategy that fits most entities among those with the same wanted interval, if it fits [`BETTER`] times as
/// many as `most`.
fn better(
    settings: &Settings,
    conditions: &Conditions,
    most: Option<usize>,
) -> Option<(&'static StrategyEntry, Option<usize>)> {
    let most = most?;
    let wanted = |entry: &StrategyEntry| entry.build(&settings.knobs).wanted_interval();
    let interval = wanted(settings.strategy)?;
    let others = STRATEGIES
        .iter()
        .filter(|entry| wanted(entry) == Some(interval));
    let mut best = None;
    let mut limit = BETTER * most as f64;
    for entry in others {
        let fits = conditions.most(settings, entry);
        let count = fits.map_or(f64::INFINITY, |fits| fits as f64);
        if count > limit {
            limit = count;
            best = Some((*entry, fits));
        }
    }
    best
}

impl Conditions {
    /// Returns the load of this many tasks: the mean over the positions of the target, and the peak at the position with
    /// the most work.
    fn load(
        &self,
        settings: &Settings,
        strategy: &StrategyEntry,
        tasks: usize,
        delta: Nanos,
    ) -> Load {
        let requested = self.requested(delta);
        let at = |weights: &Vec<f64>| {
            (strategy.load)(&Demand {
                tasks,
                delta,
                requested,
                weights,
                knobs: &settings.knobs,
            })
        };
        let loads: Vec<Load> = self.weights.iter().map(at).collect();
        let by_mean = |a: &&Load, b: &&Load| a.mean.total_cmp(&b.mean);
        let mut load = *loads.iter().max_by(by_mean).expect("a position");
        // Written so that the mean of equal numbers is that number.
        let below: f64 = loads.iter().map(|at| load.mean - at.mean).sum();
        load.mean -= below / loads.len() as f64;
        if load.peak == Peak::Share && self.cost.nanos > 0.0 {
            load.mean = load.mean.min(self.runs_in_budget());
        }
        load
    }

    /// Returns the share of the tasks that are requested in an update of this length, each once or more.
    fn requested(&self, delta: Nanos) -> f64 {
        1.0 - libm::exp(-self.requests_per_s * delta.as_secs_f64())
    }

    /// Returns the largest number of tasks that fit; `None` if all numbers up to [`LIMIT`] do.
    fn most(&self, settings: &Settings, strategy: &StrategyEntry) -> Option<usize> {
        let fits = |tasks| self.fits(settings, strategy, tasks);
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

    /// Returns true if this many tasks fit. If all work takes longer than the display's period, frames and so updates
    /// become longer, which may make more tasks due: the loop looks for a length that lasts.
    fn fits(&self, settings: &Settings, strategy: &StrategyEntry, tasks: usize) -> bool {
        let mut delta = self.delta;
        for _ in 0..FRAME_ROUNDS {
            let load = self.load(settings, strategy, tasks, delta);
            if !self.load_fits(load, tasks as f64, self.requested(delta)) {
                return false;
            }
            let time = self.other_work + Nanos::from_nanos_f64(load.mean * self.cost.nanos);
            if self.has_fixed_step || time <= delta {
                return true;
            }
            delta = time;
        }
        false // frames keep getting longer
    }

    /// Returns true if updates with this load stay within the budget.
    fn load_fits(&self, load: Load, tasks: f64, requested: f64) -> bool {
        let (budget, cost) = (self.budget.as_nanos() as f64, self.cost.nanos);
        if cost == 0.0 {
            return true;
        }
        let fitting = budget / cost;
        match load.peak {
            Peak::Turns(most) => tasks_in_turn(most, tasks, self.spread) <= fitting,
            Peak::Chance { .. } if tasks <= fitting && self.spread == 0.0 => true,
            Peak::Chance { mean, variance } => {
                // Only whole runs count: the next one begins half a run later.
                let limit = if self.spread == 0.0 {
                    fitting.floor() + 0.5
                } else {
                    fitting
                };
                random_runs(mean, variance, self.spread).min(tasks) <= limit
            }
            Peak::Requests if self.spread == 0.0 => {
                requests_are_within(fitting.floor(), tasks, requested)
            }
            Peak::Requests => requested_runs(tasks, requested, self.spread) <= fitting,
            Peak::Budget => load.mean <= self.runs_in_budget(),
            Peak::Share => true,
        }
    }

    /// Returns how many runs an update makes on average if it stops at the budget, at least one.
    ///
    /// The budget ends within the cost of a task, on average in the middle of it. An expensive task is more likely to be
    /// that one. Prediction leaves the task to the next update. Without prediction the task still runs, and pay-back
    /// takes its overrun from later updates.
    fn runs_in_budget(&self) -> f64 {
        let fitting = self.budget.as_nanos() as f64 / self.cost.nanos;
        let part = f64::midpoint(1.0, self.spread * self.spread);
        let costs_are_equal = self.spread == 0.0;
        let runs = match (self.predicts, self.pays_back) {
            (true, _) if costs_are_equal => fitting.floor(),
            (true, _) => fitting - part,
            (false, true) => fitting,
            (false, false) if costs_are_equal => fitting.ceil(),
            (false, false) => fitting + part,
        };
        runs.max(1.0)
    }
}
