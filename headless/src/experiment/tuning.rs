//! Searches for the knob value with which a strategy does the most work without exceeding the time budget or causing
//! hitches. Each candidate value is tried in a simulation.

use crate::experiment::comparison::{STEPS_PER_FRAME, compared_lane, compared_report};
use crate::sim::lane::Length;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::sim::world::CHURN;
use crate::stats::{MeasuredLane, Report, Tuned, Tuning};
use std::ops::RangeInclusive;
use timeslicer::knob::Knob;
use timeslicer::strategy::StrategyEntry;
use timeslicer::strategy::knobs::{ADDING_WORK, BUDGET, PREDICT};
use timeslicer::time::Nanos;

/// The maximum number of simulations per search. A search needs only a few, because each simulation shows by which
/// factor the knob value has to change.
const MAX_TRIALS: u32 = 12;

/// The number of random seeds that each value is tried with if task costs, births or deaths are random.
const SEEDS: u64 = 3;

/// Searches for the value of a strategy's most important knob that makes it do the most work without exceeding the time
/// budget or causing hitches. The result has two significant digits.
///
/// The simulations use the same work and the same seed as the comparison of the strategies, so the result is valid for
/// that comparison, too. If the work is random, each value is also tried with other seeds.
pub struct Search {
    settings: Settings,
    strategy: &'static StrategyEntry,
    knob: &'static Knob,
    /// The range of indices to search. Index `i` stands for the knob value `two_digits(i)`. If larger knob values mean
    /// more work, the indices are negative, and index `-i` stands for this value. A higher index therefore always means
    /// less work per update.
    index_range: RangeInclusive<i64>,
    start_index: i64,
    length: Length,
    /// The largest index so far whose knob value exceeded the budget or caused a hitch.
    broken: Option<i64>,
    /// The smallest index so far whose knob value neither exceeded the budget nor caused a hitch, and the result of its
    /// simulation. The result is `None` if some tasks never ran, because such a simulation proves nothing.
    kept: Option<(i64, Option<Tuned>)>,
    next: Option<i64>,
    trial: Option<Trial>,
    trials: u32,
    /// How far the next index to try may be below the index in `kept`. This distance doubles each time it is used.
    stride: i64,
}

struct Trial {
    index: i64,
    lane: MeasuredLane<Simulated>,
    seeds_tried: u64,
    /// The report of the simulation with the first seed. `None` while that simulation is still running.
    first: Option<Report>,
}

/// Returns the number at index `nth` of the sequence 0, 1, …, 99, 100, 110, …, 990, 1,000, …, which contains all
/// numbers with at most two significant digits.
fn two_digits(nth: i64) -> i64 {
    let Ok(zeros) = u32::try_from((nth - 10).div_euclid(90)) else {
        return nth;
    };
    (10 + (nth - 10).rem_euclid(90)).saturating_mul(10_i64.saturating_pow(zeros))
}

impl Search {
    /// Starts a search for the best value of the strategy's main knob. Returns `None` if the strategy has no knobs.
    ///
    /// If the main knob is the time budget, the search gives the strategy a smaller budget than the user's, to leave
    /// room for tasks that take longer than predicted. The results are still checked against the user's budget.
    pub fn new(
        settings: &Settings,
        strategy: &'static StrategyEntry,
        length: Length,
    ) -> Option<Self> {
        let knob = strategy.main_knob()?;
        let sign = if ADDING_WORK.contains(knob) { -1 } else { 1 };
        let mut search = Self {
            settings: settings.clone(),
            strategy,
            knob,
            index_range: 0..=0,
            start_index: 0,
            length,
            broken: None,
            kept: None,
            next: None,
            trial: None,
            trials: 0,
            stride: 1,
        };
        let index = |value: f64| sign * search.index_of(value);
        let mut ends = [index(knob.min), index(knob.max)];
        ends.sort_unstable();
        let now = index(settings.knobs.get(knob));
        if *knob == BUDGET {
            ends[0] = now; // never more than the user's budget
        }
        search.index_range = ends[0]..=ends[1];
        (search.start_index, search.next) = (now, Some(now));
        Some(search)
    }

    /// Returns the index of a knob value in the sequence of [`two_digits`], rounded up.
    fn index_of(&self, value: f64) -> i64 {
        let wanted = (value * self.values_per_unit()).round();
        let mut nth = 0;
        while (two_digits(nth) as f64) < wanted {
            nth += 1;
        }
        nth
    }

    /// Returns the factor by which the search multiplies knob values, so that it can use whole numbers.
    fn values_per_unit(&self) -> f64 {
        if self.knob.whole { 1.0 } else { 1000.0 }
    }

    fn value(&self, index: i64) -> f64 {
        let now = self.settings.knobs.get(self.knob);
        if index == self.start_index {
            return now; // the user's own value may have more than two digits
        }
        self.knob
            .nearest(two_digits(index.abs()) as f64 / self.values_per_unit())
    }

    fn begin(&self, index: i64, seeds_tried: u64, first: Option<Report>) -> Trial {
        let mut settings = self.settings.clone();
        settings.knobs.set(self.knob, self.value(index));
        settings.seed = settings.seed.wrapping_add(seeds_tried);
        let mut lane = compared_lane(&settings, self.strategy);
        lane.judge_by(self.settings.knobs.span(&BUDGET));
        Trial {
            index,
            lane,
            seeds_tried,
            first,
        }
    }

    fn seeds(&self, index: i64) -> u64 {
        let settings = &self.settings;
        let is_random = settings.costs_differ() || settings.knobs.get(&CHURN) > 0.0;
        if is_random && index != self.start_index {
            SEEDS
        } else {
            1
        }
    }

    pub fn strategy(&self) -> &'static StrategyEntry {
        self.strategy
    }

    pub fn is_over(&self) -> bool {
        self.trial.is_none() && self.next.is_none()
    }

    /// Continues the search for about this many steps. Returns the number of steps that are left if the search ends
    /// early.
    ///
    /// Each simulated frame costs `STEPS_PER_FRAME` steps, and each task that runs costs one more step.
    pub fn advance(&mut self, mut steps: u64) -> u64 {
        while steps > 0 {
            if let Some(next) = self.next.take() {
                self.trials += 1;
                self.trial = Some(self.begin(next, 0, None));
            }
            let Some(Trial { lane, .. }) = &mut self.trial else {
                return steps;
            };
            let runs = u64::from(lane.frame().runs);
            steps = steps.saturating_sub(STEPS_PER_FRAME + runs);
            let breaks = lane.breaks_limits();
            if !breaks && lane.is_within(self.length) {
                continue;
            }
            let Some(Trial {
                index,
                lane,
                seeds_tried,
                first,
            }) = self.trial.take()
            else {
                return steps;
            };
            let report = compared_report(&lane);
            let all_ran = report.has_run_all() && report.runs >= report.subject.entities as u64;
            let first = first.unwrap_or_else(|| report.clone());
            if !breaks && all_ran && seeds_tried + 1 < self.seeds(index) {
                self.trial = Some(self.begin(index, seeds_tried + 1, Some(first)));
            } else if breaks {
                self.conclude(index, &report, None);
            } else {
                self.conclude(index, &first, Some(all_ran));
            }
        }
        0
    }

    /// Records the result of a simulation and chooses the next value to try. `all_ran` is `None` if the limits were
    /// exceeded. Otherwise, it says whether every task ran.
    fn conclude(&mut self, index: i64, report: &Report, all_ran: Option<bool>) {
        if let Some(all_ran) = all_ran {
            let (knob, value) = (self.knob, self.value(index));
            let report = report.clone();
            let tuned = Tuned {
                knob,
                value,
                report,
            };
            self.kept = Some((index, all_ran.then_some(tuned)));
        } else {
            self.broken = Some(index);
        }
        let next = match (self.broken, &self.kept) {
            (Some(broken), Some((kept, _))) => {
                let near = *kept - self.stride;
                self.stride *= 2;
                broken.midpoint(*kept).max(near)
            }
            // Every task already runs in every frame, so more work would not make anything fresher.
            (None, Some(_)) if report.runs_all_in_every_frame() => index,
            _ => self.guess(index, report),
        };
        let is_above = self.broken.is_none_or(|broken| next > broken);
        let is_below = self.kept.as_ref().is_none_or(|(kept, _)| next < *kept);
        let is_new = is_above && is_below && next != index && self.index_range.contains(&next);
        self.next = Some(next).filter(|_| is_new && self.trials < MAX_TRIALS);
    }

    /// Estimates which knob value comes closest to the limits without exceeding them, based on the longest task time of
    /// the last simulation. Returns the index of this value.
    fn guess(&self, index: i64, last: &Report) -> i64 {
        let budget = last.subject.limit.unwrap_or_default();
        let budget = budget.max(Nanos::from_nanos(1));
        let keeps = self.broken.is_none();
        let load = if keeps {
            last.frame_tasks.max.over(budget).clamp(0.05, 0.95)
        } else {
            (budget + last.overrun.max).over(budget).max(1.1)
        };
        let value = self.value(index).max(1.0 / self.values_per_unit());
        let guess = if ADDING_WORK.contains(self.knob) {
            let unit = 1.0 / self.values_per_unit();
            let below = (value / load * self.values_per_unit()).floor() * unit;
            1 - self.index_of(below.max(self.knob.min) + unit)
        } else {
            self.index_of((value * load).min(self.knob.max))
        };
        let [first, last] = [*self.index_range.start(), *self.index_range.end()];
        if keeps {
            guess.min(index - 1).max(first)
        } else {
            guess.max(index + 1).min(last)
        }
    }

    pub fn result(&self) -> Tuning {
        match &self.kept {
            _ if !self.is_over() => Tuning::Searching,
            Some((kept, _)) if *kept == self.start_index => Tuning::None,
            Some((_, Some(tuned))) => Tuning::To(Box::new(tuned.clone())),
            _ => Tuning::Impossible,
        }
    }
}

/// A simulation that shows how much cost prediction helps a strategy with a time budget. If the settings turn
/// prediction on with the knob [`PREDICT`], the simulation turns it off, and vice versa, so that both results can be
/// compared.
pub struct Switched {
    lane: Option<MeasuredLane<Simulated>>,
    length: Length,
    report: Option<Report>,
}

impl Switched {
    /// Starts a simulation of the last of the `strategies` that has the knob [`PREDICT`]. Returns `None` if no strategy
    /// has this knob.
    pub fn new(
        settings: &Settings,
        strategies: &[&'static StrategyEntry],
        length: Length,
    ) -> Option<Self> {
        let mut strategies = strategies.iter().rev();
        let strategy = strategies.find(|it| it.reads(&PREDICT, &settings.knobs))?;
        let mut settings = settings.clone();
        settings
            .knobs
            .set(&PREDICT, 1.0 - settings.knobs.get(&PREDICT));
        Some(Self {
            lane: Some(compared_lane(&settings, strategy)),
            length,
            report: None,
        })
    }

    /// Continues the simulation for about this many steps. Each frame costs `STEPS_PER_FRAME` steps, and each task that
    /// runs costs one more step.
    pub fn advance(&mut self, mut steps: u64) {
        while steps > 0
            && let Some(lane) = &mut self.lane
        {
            let runs = u64::from(lane.frame().runs);
            steps = steps.saturating_sub(STEPS_PER_FRAME + runs);
            if !lane.is_within(self.length) {
                self.report = Some(compared_report(lane));
                self.lane = None;
            }
        }
    }

    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::OwnCosts;
    use timeslicer::strategy::fixed_interval;

    #[test]
    fn own_costs_that_differ_need_several_seeds() {
        for (millis, seeds) in [([1, 2], SEEDS), ([2, 2], 1)] {
            let costs = millis.into_iter().map(Nanos::from_millis).collect();
            let settings = Settings {
                own_costs: OwnCosts::new("costs.txt", costs),
                ..Settings::default()
            };
            let length = Length::Frames(10);
            let search = Search::new(&settings, &fixed_interval::ENTRY, length).unwrap();
            assert_eq!(search.seeds(search.start_index + 1), seeds, "{millis:?}");
        }
    }

    #[test]
    fn numbers_have_two_digits_and_grow() {
        let numbers: Vec<i64> = (0..300).map(two_digits).collect();
        assert!(numbers.is_sorted());
        assert_eq!(
            [0, 9, 10, 99, 100, 101, 190, 191].map(two_digits),
            [0, 9, 10, 99, 100, 110, 1000, 1100]
        );
    }
}
