//! Searches for the settings with which strategies do most within the limits of the advice, by trial.

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

/// Most trials of a search. Few are needed, because the first trial shows by how much an update exceeds the budget.
const MOST_TRIALS: u32 = 12;

/// Number of seeds that a value is tried with if chance decides about the work of an update.
const SEEDS: u64 = 3;

/// A search for the value of a strategy's main knob, rounded to two digits, that does the most work within the limits.
/// Trials have the work and the seed of the comparison, so a value that was found keeps the limits in a run of the same
/// length. If costs differ or entities are born, it keeps them with other seeds, too.
pub struct Search {
    settings: Settings,
    strategy: &'static StrategyEntry,
    knob: &'static Knob,
    /// The values to choose from, as places among the numbers of [`two_digits`]. They are negative for a knob that adds work,
    /// so that a larger place means less work.
    range: RangeInclusive<i64>,
    /// The place of the value that is set.
    start: i64,
    length: Length,
    /// The largest place that broke the limits.
    broken: Option<i64>,
    /// The smallest place that kept them; without a setting if not every task ran, because such a trial proves nothing.
    kept: Option<(i64, Option<Tuned>)>,
    /// The next place to try.
    next: Option<i64>,
    trial: Option<Trial>,
    trials: u32,
    /// Distance of the next place from the smallest one that kept the limits.
    stride: i64,
}

struct Trial {
    place: i64,
    lane: MeasuredLane<Simulated>,
    /// Number of the seeds before this one, and the report with the first seed.
    seeds: u64,
    first: Option<Report>,
}

/// Returns the numbers of at most two digits followed by zeros, in order: 0 to 99, 100, 110 to 990, 1,000 and so on.
fn two_digits(nth: i64) -> i64 {
    let Ok(zeros) = u32::try_from((nth - 10).div_euclid(90)) else {
        return nth;
    };
    (10 + (nth - 10).rem_euclid(90)).saturating_mul(10_i64.saturating_pow(zeros))
}

impl Search {
    /// Begins the search for a strategy. `None` if it has no main knob. The main knob may be the strategy's budget: one below
    /// the given budget, by which trials are judged, leaves room for tasks that take longer than predicted.
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
            range: 0..=0,
            start: 0,
            length,
            broken: None,
            kept: None,
            next: None,
            trial: None,
            trials: 0,
            stride: 1,
        };
        let place = |value: f64| sign * search.place(value);
        let mut ends = [place(knob.min), place(knob.max)];
        ends.sort_unstable();
        let now = place(settings.knobs.get(knob));
        if *knob == BUDGET {
            ends[0] = now; // the given budget is the limit
        }
        search.range = ends[0]..=ends[1];
        (search.start, search.next) = (now, Some(now));
        Some(search)
    }

    /// Returns how many of the numbers to choose from are below `value`.
    fn place(&self, value: f64) -> i64 {
        let wanted = (value * self.units()).round();
        let mut nth = 0;
        while (two_digits(nth) as f64) < wanted {
            nth += 1;
        }
        nth
    }

    /// Returns the number of units in 1, the smallest difference between two values.
    fn units(&self) -> f64 {
        if self.knob.whole { 1.0 } else { 1000.0 }
    }

    fn value(&self, place: i64) -> f64 {
        let now = self.settings.knobs.get(self.knob);
        if place == self.start {
            return now; // it may have more than two digits
        }
        self.knob
            .nearest(two_digits(place.abs()) as f64 / self.units())
    }

    fn begin(&self, place: i64, seeds: u64, first: Option<Report>) -> Trial {
        let mut settings = self.settings.clone();
        settings.knobs.set(self.knob, self.value(place));
        settings.seed = settings.seed.wrapping_add(seeds);
        let mut lane = compared_lane(&settings, self.strategy);
        lane.judge_by(self.settings.knobs.span(&BUDGET));
        Trial {
            place,
            lane,
            seeds,
            first,
        }
    }

    /// Returns the number of seeds that a value is tried with.
    fn seeds(&self, place: i64) -> u64 {
        let settings = &self.settings;
        let is_random = settings.costs_differ() || settings.knobs.get(&CHURN) > 0.0;
        if is_random && place != self.start {
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

    /// Continues for about this many steps, which a comparison counts too. Returns the number of steps that are left.
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
                place,
                lane,
                seeds,
                first,
            }) = self.trial.take()
            else {
                return steps;
            };
            let report = compared_report(&lane);
            let all_ran = report.has_run_all() && report.runs >= report.subject.entities as u64;
            let first = first.unwrap_or_else(|| report.clone());
            if !breaks && all_ran && seeds + 1 < self.seeds(place) {
                self.trial = Some(self.begin(place, seeds + 1, Some(first)));
            } else if breaks {
                self.conclude(place, &report, None);
            } else {
                self.conclude(place, &first, Some(all_ran));
            }
        }
        0
    }

    /// Ends a trial, and chooses the next place. If the trial kept the limits, `kept` is whether every task ran.
    fn conclude(&mut self, place: i64, report: &Report, kept: Option<bool>) {
        if let Some(all_ran) = kept {
            let (knob, value) = (self.knob, self.value(place));
            let report = report.clone();
            let tuned = Tuned {
                knob,
                value,
                report,
            };
            self.kept = Some((place, all_ran.then_some(tuned)));
        } else {
            self.broken = Some(place);
        }
        let next = match (self.broken, &self.kept) {
            (Some(broken), Some((kept, _))) => {
                let near = *kept - self.stride;
                self.stride *= 2;
                broken.midpoint(*kept).max(near)
            }
            // More work would not make anything fresher.
            (None, Some(_)) if report.runs_all_in_every_frame() => place,
            _ => self.guess(place, report),
        };
        let is_above = self.broken.is_none_or(|broken| next > broken);
        let is_below = self.kept.as_ref().is_none_or(|(kept, _)| next < *kept);
        let is_new = is_above && is_below && next != place && self.range.contains(&next);
        self.next = Some(next).filter(|_| is_new && self.trials < MOST_TRIALS);
    }

    /// Guesses the place that just keeps the limits, by the task time of the busiest update at `place`.
    fn guess(&self, place: i64, last: &Report) -> i64 {
        let budget = last.subject.limit.unwrap_or_default();
        let budget = budget.max(Nanos::from_nanos(1));
        let keeps = self.broken.is_none();
        let load = if keeps {
            last.frame_tasks.max.over(budget).clamp(0.05, 0.95)
        } else {
            (budget + last.overrun.max).over(budget).max(1.1)
        };
        let value = self.value(place).max(1.0 / self.units());
        let guess = if ADDING_WORK.contains(self.knob) {
            let unit = 1.0 / self.units();
            let below = (value / load * self.units()).floor() * unit;
            1 - self.place(below.max(self.knob.min) + unit)
        } else {
            self.place((value * load).min(self.knob.max))
        };
        let [first, last] = [*self.range.start(), *self.range.end()];
        if keeps {
            guess.min(place - 1).max(first)
        } else {
            guess.max(place + 1).min(last)
        }
    }

    /// Returns the result so far.
    pub fn result(&self) -> Tuning {
        match &self.kept {
            _ if !self.is_over() => Tuning::Searching,
            Some((kept, _)) if *kept == self.start => Tuning::None,
            Some((_, Some(tuned))) => Tuning::To(Box::new(tuned.clone())),
            _ => Tuning::Impossible,
        }
    }
}

/// A trial that shows what predicting costs is worth: a strategy with a budget, with its prediction switched over.
pub struct Switched {
    /// `None` when the trial is over.
    lane: Option<MeasuredLane<Simulated>>,
    length: Length,
    report: Option<Report>,
}

impl Switched {
    /// Begins the trial with the strategy that uses most of the budget. `None` if none of `strategies` predicts costs.
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

    /// Continues for about this many steps.
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

    /// Returns the report when the trial is over.
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
            assert_eq!(search.seeds(search.start + 1), seeds, "{millis:?}");
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
