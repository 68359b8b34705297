//! Recommends a strategy for a budget of task time per frame.

use super::thresholds::{
    COMPARED_FROM, EQUAL_COSTS, EVEN_RUNS, KNOWN_INTERVALS, STARVED_AFTER, peak_budget,
    quantile_budget,
};
use super::{Bounds, Report};
use crate::phrase;
use crate::text::rich::{Clause, RichText, counted, figure};
use timeslicer::strategy::Promise;
use timeslicer::strategy::knobs::INTERVAL;
use timeslicer::time::Nanos;

/// Lanes, sorted by how well they stay within a budget. A lane is given as the index of its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Time that a frame may spend on tasks.
    pub budget: Nanos,
    /// Class of each lane.
    pub classes: Vec<BudgetClass>,
    /// Lanes within the budget, those that nearly are, those that exceed it, and those that are not known yet. Of the
    /// first two groups, the freshest comes first, or of equally fresh lanes, the one with the lowest peak of task time.
    /// Of the third, the one with the lowest peak of task time comes first.
    pub order: Vec<usize>,
    /// Lanes of any class that do not keep up with their work.
    pub behind: Vec<usize>,
}

/// How well a lane's task time per frame stays within a budget, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetClass {
    /// No frame exceeded the budget.
    Within,
    /// 99 of 100 frames were within the budget, and none exceeded [`peak_budget`].
    Rarely,
    /// The strategy looks at the clock after each task, so its last task ends after the budget. No frame exceeded
    /// [`peak_budget`].
    LastTask,
    /// Frames exceeded the budget by more, or more often.
    Exceeds,
    /// Measured for less than [`COMPARED_FROM`] or [`KNOWN_INTERVALS`] wanted intervals.
    Unknown,
}

impl BudgetClass {
    /// Classifies a lane by the task time of its frames.
    pub fn of(of: &Report, budget: Nanos) -> Self {
        let tasks = of.frame_tasks;
        let has_budget = of.subject.budget.is_some_and(|own| own <= budget);
        if !is_known(of) {
            Self::Unknown
        } else if tasks.max <= budget {
            Self::Within
        } else if tasks.max > peak_budget(budget) {
            Self::Exceeds
        } else if tasks.p99 <= quantile_budget(budget) {
            Self::Rarely
        } else if has_budget && of.most_updates <= 1 {
            Self::LastTask
        } else {
            Self::Exceeds
        }
    }

    /// Returns true if the lane is within the budget, or nearly so.
    pub fn is_within(self) -> bool {
        self <= Self::LastTask
    }
}

/// Weighted staleness that strategies are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightedStaleness {
    /// Mean over time and over the entities, each with its weight.
    #[default]
    Mean,
    /// Largest product of an entity's weight and its staleness.
    Worst,
}

impl WeightedStaleness {
    /// All of them, in the order of their buttons.
    pub const ALL: [Self; 2] = [Self::Mean, Self::Worst];

    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean weighted staleness",
            Self::Worst => "worst weighted staleness",
        }
    }

    /// Returns the staleness of a lane ([`Report::settled_staleness`]); `None` until the first round is over.
    pub fn of(self, of: &Report) -> Option<Nanos> {
        of.settled_staleness(self)
    }

    /// Returns the staleness of a lane divided by the theoretical minimum at the lane's task time; `None` if either is
    /// unknown, as the minimum is if the target moves.
    pub fn over_minimum(self, of: &Report) -> Option<f64> {
        of.over_minimum(self)
    }

    /// Returns the theoretical minimum in seconds for `load` seconds of task time per second of game time.
    pub fn minimum(self, bounds: &Bounds, load: f64) -> Option<f64> {
        match self {
            Self::Mean => bounds.least_mean(load),
            Self::Worst => bounds.least_worst(load),
        }
    }
}

/// Sorts lanes by how well they stay within a `budget` of task time per frame.
pub fn recommend(reports: &[Report], budget: Nanos) -> Recommendation {
    let wanted = reports.iter().filter_map(|of| of.subject.wanted).max();
    let classes = reports.iter().map(|of| BudgetClass::of(of, budget));
    let classes: Vec<BudgetClass> = classes.collect();
    let mut order: Vec<usize> = (0..reports.len()).collect();
    order.sort_by_key(|&lane| {
        let of = &reports[lane];
        let tasks = of.frame_tasks;
        match classes[lane] {
            BudgetClass::Within => (0, stalest(of), tasks.max),
            BudgetClass::Rarely | BudgetClass::LastTask => (1, stalest(of), tasks.max),
            BudgetClass::Exceeds => (2, tasks.max, tasks.p99),
            BudgetClass::Unknown => (3, Nanos::ZERO, Nanos::ZERO),
        }
    });
    let mut behind: Vec<usize> = (0..reports.len()).collect();
    behind.retain(|&lane| !keeps_up(&reports[lane], wanted));
    Recommendation {
        budget,
        classes,
        order,
        behind,
    }
}

fn is_known(of: &Report) -> bool {
    let wanted = of.subject.wanted.unwrap_or(Nanos::ZERO);
    of.frames > 0
        && of.span >= COMPARED_FROM
        && of.game_span.as_nanos() >= wanted.as_nanos().saturating_mul(KNOWN_INTERVALS)
}

/// Returns true if a lane keeps up with its work: its backlog does not grow and no entity starves. Entities that take
/// turns or share a budget starve if a round takes [`STARVED_AFTER`] times as long as the interval that other lanes want.
/// If they share a budget, an overload lengthens all their intervals by design, so only the round counts.
fn keeps_up(of: &Report, wanted: Option<Nanos>) -> bool {
    let (round, may_starve) = match of.subject.promise {
        Promise::Updates(_) => (Some(stalest(of)), true),
        Promise::Eventually { .. } => (round(of), false),
        Promise::Interval(_) | Promise::Request { .. } => (None, true),
    };
    let limit = wanted.map_or(u64::MAX, |wanted| {
        wanted.as_nanos().saturating_mul(STARVED_AFTER)
    });
    let is_slow = round.is_some_and(|round| round.as_nanos() > limit);
    let starves = of.falls_behind() || of.starved > 0;
    !(is_slow || may_starve && starves)
}

/// Returns the game time for as many runs as there are entities; `None` without any run.
fn round(of: &Report) -> Option<Nanos> {
    let run = of.game_span.as_nanos() as f64 / of.runs as f64;
    (of.runs > 0).then(|| Nanos::from_nanos_f64(run * of.subject.entities as f64))
}

/// Returns the largest staleness of a lane: as measured, or as predicted if the prediction is larger. A prediction is
/// made if tasks take turns or share a budget, because a round may last longer than the measured time. It is also made if
/// the backlog grows, because each task will then wait for all others.
pub fn stalest(of: &Report) -> Nanos {
    let predicted = match of.subject.promise {
        Promise::Updates(updates) if of.updates > 0 => {
            let update = of.game_span.as_nanos() as f64 / of.updates as f64;
            Some(Nanos::from_nanos_f64(update * updates as f64))
        }
        Promise::Request { .. } if of.falls_behind() => round(of),
        Promise::Eventually { .. } => round(of),
        _ => None,
    };
    let measured = of.worst_staleness.max(of.subject.staleness);
    measured.max(predicted.unwrap_or_default())
}

/// Returns the shortest interval that keeps a lane within `budget`, rounded up to two digits. `None` if the lane has no
/// wanted interval, if its tasks have different costs, if it runs them in bursts or all at once, or if no longer interval
/// on the slider is long enough.
fn interval_within(of: &Report, budget: Nanos) -> Option<Nanos> {
    let (wanted, cost) = (of.subject.wanted?, of.cost()?);
    let is_even = of.peak_over_mean()? <= EVEN_RUNS
        && of.frame_tasks.max.over(cost) <= f64::from(of.peak_runs) * EQUAL_COSTS;
    let all_at_once = u64::from(of.peak_runs) >= of.subject.entities as u64;
    if !is_even || all_at_once {
        return None;
    }
    let round = of.subject.entities as f64 / budget.over(cost).floor();
    let secs = round * of.subject.pacing.target.as_secs_f64();
    let digit = 10f64.powi(secs.log10().floor() as i32 - 1);
    let interval = Nanos::from_secs_f64((secs / digit).ceil() * digit);
    let last = Nanos::from_secs_f64(INTERVAL.max);
    (wanted < interval && interval <= last).then_some(interval)
}

impl Recommendation {
    /// Returns the lane with the least weighted staleness among those within the budget, or nearly so, that keep up with
    /// their work.
    pub fn best_by(&self, staleness: WeightedStaleness, reports: &[Report]) -> Option<usize> {
        let is_candidate =
            |lane: &&usize| self.classes[**lane].is_within() && !self.behind.contains(lane);
        let candidates = self.order.iter().filter(is_candidate);
        let known = candidates.filter_map(|&lane| Some((staleness.of(&reports[lane])?, lane)));
        known.min().map(|(_, lane)| lane)
    }

    /// Returns the advice in at most three clauses.
    pub fn text(&self, reports: &[Report]) -> RichText {
        if !reports.is_empty() && reports.iter().all(|of| of.subject.entities == 0) {
            return phrase!("no entities, nothing to compare").normal().into();
        }
        let best = self.best_by(WeightedStaleness::Mean, reports);
        let (count, longer) = (Some(self.count()), self.longer_interval(reports));
        let clauses = match best.map(|best| &reports[best]) {
            Some(best) => [self.freshest(best), count, longer],
            None => [count, self.closest(reports), longer],
        };
        clauses.into_iter().flatten().collect()
    }

    /// Names the best lane by mean weighted staleness, and how many times the theoretical minimum that is, if it is known.
    fn freshest(&self, best: &Report) -> Option<Clause> {
        let mean = WeightedStaleness::Mean;
        let name = best.subject.strategy.name;
        let budget = phrase!("at {} of tasks a frame", self.budget);
        let what = "keeps the crowd freshest where it matters: weighted staleness";
        let staleness = best.game_time(mean.of(best)?);
        let mut words = phrase!("{}, {} {} {}", budget, name, what, staleness);
        if let Some(times) = mean.over_minimum(best) {
            let ratio = figure(format!("{times:.2}"));
            words.push(phrase!(", {} times the theoretical minimum", ratio));
        }
        Some(words.normal())
    }

    /// Returns the number of lanes in each class.
    fn count(&self) -> Clause {
        let count = |class| self.classes.iter().filter(|&&it| it == class).count();
        let (keep, unknown) = (count(BudgetClass::Within), count(BudgetClass::Unknown));
        let known = self.classes.len() - unknown;
        let unmeasured = phrase!("no result yet for {}", counted(unknown as u64, "strategy"));
        match (known, unknown) {
            (0, 0) => return phrase!("nothing to compare").normal(),
            (0, _) => return unmeasured.normal(),
            _ => {}
        }
        let budget = phrase!("tasks within {} a frame", self.budget);
        let mut words = phrase!("{}: {} of {}", budget, keep, known);
        for (class, how) in [
            (BudgetClass::Rarely, "more in 99 of 100 frames"),
            (BudgetClass::LastTask, "more except for the last task"),
        ] {
            if count(class) > 0 {
                words.push(phrase!(", {} {}", count(class), how));
            }
        }
        if unknown > 0 {
            words.push(phrase!(", {}", unmeasured));
        }
        words.warning_if(keep == 0)
    }

    /// Names the lane closest to the budget, or the freshest of the lanes within it, which all fall behind.
    fn closest(&self, reports: &[Report]) -> Option<Clause> {
        let lane = *self.order.first()?;
        let of = &reports[lane];
        let name = of.subject.strategy.name;
        match self.classes[lane] {
            BudgetClass::Within if self.behind.contains(&lane) => {
                let staleness = of.game_time(stalest(of));
                let why = if of.falls_behind() {
                    "backlog grows: a round takes about"
                } else {
                    "staleness up to"
                };
                let words = phrase!("all of these fall behind: {} ({} {})", name, why, staleness);
                Some(words.warning())
            }
            BudgetClass::Within | BudgetClass::Unknown => None,
            _ => Some(phrase!("closest: {} (up to {})", name, of.frame_tasks.max).normal()),
        }
    }

    /// Names the lane that exceeds the budget now and would be within it at the shortest interval. `None` if a lane within
    /// the budget that keeps up is fresher even then.
    fn longer_interval(&self, reports: &[Report]) -> Option<Clause> {
        let exceeds = BudgetClass::Rarely..=BudgetClass::Exceeds;
        let order = self.order.iter();
        let beyond = order.filter(|&&lane| exceeds.contains(&self.classes[lane]));
        let fits = |&lane: &usize| Some((interval_within(&reports[lane], self.budget)?, lane));
        let (interval, lane) = beyond.filter_map(fits).min()?;
        let of = &reports[lane].subject;
        let keeps_up = |lane: &&usize| {
            self.classes[**lane] == BudgetClass::Within && !self.behind.contains(lane)
        };
        let freshest = self.order.iter().find(keeps_up); // the order is by freshness
        let is_staler = |&other: &usize| stalest(&reports[other]) > interval + of.pacing.target;
        let (name, is_fresher) = (of.strategy.name, freshest.is_none_or(is_staler));
        let words = phrase!("{} fits with an interval of {} or more", name, interval);
        is_fresher.then(|| words.normal())
    }
}

#[cfg(test)]
mod tests;
