//! Recommends a strategy for a budget of task time per frame.

mod trade_off;

pub use trade_off::WeightedStaleness;

use super::Report;
use super::thresholds::{
    COMPARED_FROM, EQUAL_COSTS, EVEN_RUNS, KNOWN_INTERVALS, STARVED_AFTER, peak_budget,
    quantile_budget,
};
use crate::phrase;
use crate::text::rich::{Clause, RichText, counted, figure, time};
use timeslicer::strategy::Promise;
use timeslicer::strategy::knobs::INTERVAL;
use timeslicer::time::Nanos;

/// Lanes, sorted by how well they stay within a budget. A lane is given as the index of its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Time that a frame may spend on tasks.
    pub budget: Nanos,
    /// Lanes whose tasks never took longer than the budget: the freshest first. Of equally fresh lanes, the one with
    /// the lowest peak of task time comes first.
    pub keep: Vec<usize>,
    /// Lanes that exceeded the budget rarely or slightly, in the same order: see [`BudgetClass::Rarely`] and
    /// [`BudgetClass::LastTask`].
    pub nearly: Vec<usize>,
    /// Lanes that exceeded the budget. The lane with the lowest peak of task time comes first.
    pub pass: Vec<usize>,
    /// Lanes measured for less than [`COMPARED_FROM`] or [`KNOWN_INTERVALS`] wanted intervals.
    pub unknown: Vec<usize>,
    /// The freshest lanes of [`Recommendation::keep`] that keep up with their work. Several lanes are equally fresh.
    pub best: Vec<usize>,
    /// Lanes of any class that do not keep up with their work.
    pub behind: Vec<usize>,
}

/// How well a lane's task time per frame stays within a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Measured too briefly.
    Unknown,
}

impl BudgetClass {
    /// Classifies a lane by the task time of its frames.
    #[must_use]
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
}

/// Sorts lanes by how well they stay within a `budget` of task time per frame.
#[must_use]
pub fn recommend(reports: &[Report], budget: Nanos) -> Recommendation {
    let of = |lane: &usize| &reports[*lane];
    let lanes = |classes: &[BudgetClass]| {
        let all = 0..reports.len();
        all.filter(|lane| classes.contains(&BudgetClass::of(of(lane), budget)))
            .collect::<Vec<_>>()
    };
    let mut keep = lanes(&[BudgetClass::Within]);
    let mut nearly = lanes(&[BudgetClass::Rarely, BudgetClass::LastTask]);
    let mut pass = lanes(&[BudgetClass::Exceeds]);
    let unknown = lanes(&[BudgetClass::Unknown]);
    for fresh_first in [&mut keep, &mut nearly] {
        fresh_first.sort_by_key(|lane| (stalest(of(lane)), of(lane).frame_tasks.max));
    }
    pass.sort_by_key(|lane| (of(lane).frame_tasks.max, of(lane).frame_tasks.p99));
    let wanted = reports.iter().filter_map(|it| it.wanted).max();
    let behind: Vec<usize> = (0..reports.len())
        .filter(|lane| !keeps_up(of(lane), wanted))
        .collect();
    let mut best = keep.clone();
    best.retain(|lane| !behind.contains(lane));
    if let Some(&first) = best.first() {
        best.retain(|lane| stalest(of(lane)) == stalest(of(&first)));
    }
    Recommendation {
        budget,
        keep,
        nearly,
        pass,
        unknown,
        best,
        behind,
    }
}

fn is_known(of: &Report) -> bool {
    let wanted = of.wanted.unwrap_or(Nanos::ZERO);
    of.frames > 0
        && of.span >= COMPARED_FROM
        && of.game_span.as_nanos() >= wanted.as_nanos().saturating_mul(KNOWN_INTERVALS)
}

/// Returns true if a lane keeps up with its work: its backlog does not grow and no entity starves. Entities that take
/// turns or share a budget starve if a round takes [`STARVED_AFTER`] times as long as the interval that other lanes want.
/// If they share a budget, an overload lengthens all their intervals by design, so only the round counts.
fn keeps_up(of: &Report, wanted: Option<Nanos>) -> bool {
    let round = match of.subject.promise {
        Promise::Updates(_) => Some(stalest(of)),
        Promise::Eventually { .. } => round(of),
        Promise::Interval(_) | Promise::Request { .. } => None,
    };
    let limit = wanted.map(|wanted| wanted.as_nanos().saturating_mul(STARVED_AFTER));
    let is_slow = round
        .zip(limit)
        .is_some_and(|(round, limit)| round.as_nanos() > limit);
    let shares_budget = matches!(of.subject.promise, Promise::Eventually { .. });
    let starves = of.starved.is_some_and(|starved| starved > 0);
    !(is_slow || !shares_budget && (of.falls_behind() || starves))
}

/// Returns the game time for as many runs as there are entities; `None` without any run.
fn round(of: &Report) -> Option<Nanos> {
    let run = of.game_span.as_nanos() as f64 / of.runs as f64;
    (of.runs > 0).then(|| Nanos::from_nanos_f64(run * of.subject.entities as f64))
}

/// Returns the largest staleness of a lane: as measured, or as predicted if the prediction is larger. A prediction is
/// made if tasks take turns or share a budget, because a round may last longer than the measured time. It is also made if
/// the backlog grows, because each task will then wait for all others.
#[must_use]
pub fn stalest(of: &Report) -> Nanos {
    let measured = of.worst_staleness.max(of.subject.staleness);
    match of.subject.promise {
        Promise::Updates(updates) if of.updates > 0 => {
            let update = of.game_span.as_nanos() as f64 / of.updates as f64;
            measured.max(Nanos::from_nanos_f64(update * updates as f64))
        }
        Promise::Request { .. } if of.falls_behind() => measured.max(round(of).unwrap_or_default()),
        Promise::Eventually { .. } => measured.max(round(of).unwrap_or_default()),
        _ => measured,
    }
}

/// Returns the shortest interval that keeps a lane within `budget`, rounded up to two digits. `None` if the lane has no
/// wanted interval, if it runs tasks in bursts or all at once, or if no longer interval on the slider is long enough.
fn interval_within(of: &Report, budget: Nanos) -> Option<Nanos> {
    let wanted = of.wanted?;
    let is_even = of.peak_over_mean()? <= EVEN_RUNS;
    let all_at_once = u64::from(of.peak_runs) >= of.subject.entities as u64;
    if !is_even || all_at_once {
        return None;
    }
    let round = of.subject.entities as f64 / runs_within(of, budget)?;
    let secs = round * of.subject.pacing.target.as_secs_f64();
    let digit = 10f64.powi(secs.log10().floor() as i32 - 1);
    let interval = Nanos::from_secs_f64((secs / digit).ceil() * digit);
    let last = Nanos::from_secs_f64(INTERVAL.max);
    (wanted < interval && interval <= last).then_some(interval)
}

/// Returns the number of runs that fit into `budget`. `None` if not even one fits.
///
/// If costs are equal, the number is rounded down to whole runs. If costs differ, a few expensive tasks make some
/// frames exceed the mean. With fewer runs, these frames exceed it by no more than before, so the measured excess is
/// kept free.
fn runs_within(of: &Report, budget: Nanos) -> Option<f64> {
    let (tasks, cost) = (of.frame_tasks, of.cost()?);
    let runs = if tasks.max.over(cost) <= f64::from(of.peak_runs) * EQUAL_COSTS {
        budget.over(cost).floor()
    } else {
        (budget - (tasks.max - tasks.mean)).over(cost)
    };
    (runs > 0.0 && runs.is_finite()).then_some(runs)
}

impl Recommendation {
    /// Returns the advice in at most three clauses. One names the lane that is freshest where it matters, or if no lane
    /// within the budget has figures, the freshest, or the one closest to the budget. One is the number of lanes within
    /// the budget, and of those that nearly are. The last is a lane that exceeds the budget now, but would be within it at a longer interval and still be the freshest.
    #[must_use]
    pub fn text(&self, reports: &[Report]) -> RichText {
        let mut text = RichText::default();
        if !reports.is_empty() && reports.iter().all(|of| of.subject.entities == 0) {
            text.push(phrase!["no entities, nothing to compare"].normal());
            return text;
        }
        let by_weight = self.best_where_it_matters(reports);
        let is_known = by_weight.is_some();
        if let Some(clause) = by_weight {
            text.push(clause);
        }
        text.push(self.count(reports));
        if is_known {
            // The first clause names the freshest.
        } else if !self.best.is_empty() {
            let name = |&lane: &usize| reports[lane].subject.strategy.name;
            let names: Vec<&str> = self.best.iter().map(name).collect();
            let names = phrase!["freshest: ", names.join(", "), " (staleness up to "];
            let freshest = stalest(&reports[self.best[0]]);
            text.push(phrase![names, reports[self.best[0]].game_time(freshest), ")"].normal());
        } else if let Some(&stale) = self.keep.first() {
            let of = &reports[stale];
            let why = if of.falls_behind() {
                " (backlog grows: a round takes about "
            } else {
                " (staleness up to "
            };
            let name = of.subject.strategy.name;
            let words = phrase!["all of these fall behind: ", name, why];
            text.push(phrase![words, of.game_time(stalest(of)), ")"].warning());
        } else if let Some(&nearest) = self.nearly.first().or(self.pass.first()) {
            let of = &reports[nearest];
            let most = time(of.frame_tasks.max);
            let closest = phrase!["closest: ", of.subject.strategy.name, " (up to ", most, ")"];
            text.push(closest.normal());
        }
        let tuned = |&lane: &usize| Some((interval_within(&reports[lane], self.budget)?, lane));
        let others = self.nearly.iter().chain(&self.pass);
        if let Some((interval, lane)) = others.filter_map(tuned).min() {
            let of = &reports[lane];
            let freshest = self.best.first().map(|&best| stalest(&reports[best]));
            if freshest.is_none_or(|freshest| interval + of.subject.pacing.target < freshest) {
                let name = of.subject.strategy.name;
                let tuned = phrase![name, " fits with an interval of ", time(interval)];
                text.push(phrase![tuned, " or more"].normal());
            }
        }
        text
    }

    /// Returns the number of lanes in each class.
    fn count(&self, reports: &[Report]) -> Clause {
        let (keep, nearly, unknown) = (self.keep.len(), self.nearly.len(), self.unknown.len());
        let all = keep + nearly + self.pass.len();
        let unmeasured = phrase!["no result yet for ", counted(unknown as u64, "strategy")];
        if all == 0 {
            return match unknown {
                0 => phrase!["nothing to compare"].normal(),
                _ => unmeasured.normal(),
            };
        }
        let budget = phrase!["tasks within ", time(self.budget), " a frame: "];
        let mut words = phrase![budget, figure(keep), " of ", figure(all)];
        let is_rarely =
            |lane: &&usize| BudgetClass::of(&reports[**lane], self.budget) == BudgetClass::Rarely;
        let rarely = self.nearly.iter().filter(is_rarely).count();
        for (count, how) in [
            (rarely, " more in 99 of 100 frames"),
            (nearly - rarely, " more except for the last task"),
        ] {
            if count > 0 {
                words.push(phrase![", ", figure(count), how]);
            }
        }
        if unknown > 0 {
            words.push(phrase![", ", unmeasured]);
        }
        words.warning_if(keep == 0)
    }
}

#[cfg(test)]
mod tests;
