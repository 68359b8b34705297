//! Searches for settings with which strategies keep the limits of the advice, by trial.

use crate::experiment::comparison::{STEPS_PER_FRAME, compared_lane, compared_report};
use crate::sim::lane::Length;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::stats::{MeasuredLane, Report, Tuned, Tuning};
use std::ops::RangeInclusive;
use timeslicer::knob::Knob;
use timeslicer::strategy::StrategyEntry;
use timeslicer::strategy::knobs::{ADDING_WORK, BUDGET, PREDICT};
use timeslicer::time::Nanos;

/// Most trials of a search. Few are needed, because the first trial shows by how much an update exceeds the budget.
const MOST_TRIALS: u32 = 12;

/// Longest trial, unless the comparison is longer: more than twice the longest interval.
const LONGEST_TRIAL: Nanos = Nanos::from_secs(30);

/// A search for the value of a strategy's main knob, rounded to two digits, that just keeps the limits. Trials have the
/// work and the seed of the comparison, so a value that was found keeps the limits in a run of the same length.
pub struct Search {
    settings: Settings,
    strategy: &'static StrategyEntry,
    knob: &'static Knob,
    /// The values to choose from, by their distance from zero in [`two_digits`]. They are negative for a knob that adds
    /// work, so that larger numbers mean less work.
    range: RangeInclusive<i64>,
    length: Length,
    /// The largest number that broke the limits.
    broken: i64,
    /// The smallest number that kept them.
    kept: Option<(i64, Tuned)>,
    /// The next number to try.
    next: Option<i64>,
    trial: Option<(i64, MeasuredLane<Simulated>)>,
    trials: u32,
    /// Distance of the next number from the smallest one that kept the limits.
    stride: i64,
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
            length,
            broken: 0,
            kept: None,
            next: None,
            trial: None,
            trials: 0,
            stride: 1,
        };
        let place = |value: f64| sign * search.place(value);
        let least_work = if sign > 0 { knob.max } else { knob.min };
        let now = place(settings.knobs.get(knob));
        search.range = now..=place(least_work);
        (search.broken, search.next) = (now, Some(now));
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
        if place == *self.range.start() {
            return now; // it may have more than two digits
        }
        self.knob
            .nearest(two_digits(place.abs()) as f64 / self.units())
    }

    fn begin(&mut self, place: i64) -> (i64, MeasuredLane<Simulated>) {
        let mut settings = self.settings.clone();
        settings.knobs.set(self.knob, self.value(place));
        self.trials += 1;
        let mut lane = compared_lane(&settings, self.strategy);
        lane.judge_by(self.settings.knobs.span(&BUDGET));
        (place, lane)
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
                self.trial = Some(self.begin(next));
            }
            let Some((place, lane)) = &mut self.trial else {
                return steps;
            };
            let runs = u64::from(lane.frame().runs);
            steps = steps.saturating_sub(STEPS_PER_FRAME + runs);
            let breaks = lane.breaks_limits();
            if breaks || !lane.is_within(self.length) {
                let report = compared_report(lane);
                // Before the first round is over, a trial proves nothing.
                let proves_nothing = !breaks && !report.has_run_all();
                if proves_nothing && lane.is_within(Length::Time(LONGEST_TRIAL)) {
                    continue;
                }
                let place = *place;
                self.trial = None;
                self.conclude(place, &report, breaks || proves_nothing);
            }
        }
        0
    }

    /// Ends a trial, and chooses the next number.
    fn conclude(&mut self, place: i64, report: &Report, breaks: bool) {
        if breaks {
            self.broken = place;
        } else {
            let (knob, value) = (self.knob, self.value(place));
            let report = report.clone();
            self.kept = Some((
                place,
                Tuned {
                    knob,
                    value,
                    report,
                },
            ));
        }
        let next = match &self.kept {
            Some((kept, _)) => {
                let near = *kept - self.stride;
                self.stride *= 2;
                self.broken.midpoint(*kept).max(near)
            }
            None => self.guess(report),
        };
        let is_below = |(kept, _): &(i64, Tuned)| next < *kept;
        let is_new = next > self.broken && self.kept.as_ref().is_none_or(is_below);
        self.next = Some(next).filter(|_| is_new && self.trials < MOST_TRIALS);
    }

    /// Guesses the number that keeps the limits, by how far the last trial exceeded the budget.
    fn guess(&self, last: &Report) -> i64 {
        let budget = last
            .subject
            .limit
            .unwrap_or_default()
            .max(Nanos::from_nanos(1));
        let excess = (budget + last.overrun.max).over(budget).max(1.1);
        let value = self.value(self.broken).max(1.0 / self.units());
        let place = if *self.range.end() > 0 {
            self.place((value * excess).min(self.knob.max))
        } else {
            let unit = 1.0 / self.units();
            let below = (value / excess * self.units()).floor() * unit;
            1 - self.place(below.max(self.knob.min) + unit)
        };
        place.max(self.broken + 1).min(*self.range.end())
    }

    /// Returns the result so far.
    pub fn result(&self) -> Tuning {
        match &self.kept {
            Some((kept, _)) if kept == self.range.start() => Tuning::None,
            _ if !self.is_over() => Tuning::Searching,
            Some((_, tuned)) => Tuning::To(Box::new(tuned.clone())),
            None => Tuning::Impossible,
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
