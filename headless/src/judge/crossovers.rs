//! Finds out for which values of a knob each strategy is best. All strategies are tried at each of several values.

use super::recommendation::{Choice, Recommendation};
use super::trial::Outcome;
use super::values::{middle, spread_between};
use super::{Job, Plan, Question, Sweep};
use crate::sim::world::{CHURN, COST, ENTITIES, TARGET_SPEED};
use timeslicer::knob::Knob;
use timeslicer::strategy::StrategyEntry;
use timeslicer::strategy::knobs::BUDGET;

/// The knobs that [`Crossovers`] can vary to find out which strategy is best at each value. If `BUDGET` is varied, the
/// limit on the task time per frame varies with it.
pub static OVER: &[Knob] = &[ENTITIES, COST, BUDGET, CHURN, TARGET_SPEED];

/// If two neighbouring values have different best strategies, but differ by no more than this fraction, no value is
/// tried between them.
const CROSSOVER_PRECISION: f64 = 0.05;

/// The maximum number of sweeps to run at the same time. The number is small, so that a chart shows the first results
/// early. With only one sweep at a time, some threads would be idle at the end of each sweep.
const MAX_SWEEPS_AT_ONCE: usize = 2;

pub fn over_by_key(key: &str) -> Option<&'static Knob> {
    OVER.iter().find(|knob| knob.key == key)
}

/// The results at one value of the varied knob.
#[derive(Clone, Debug)]
pub struct Column {
    pub value: f64,
    pub sweep: Sweep,
}

/// A range of neighbouring knob values at which the same strategy is best.
#[derive(Clone, Debug)]
pub struct Range {
    pub from: f64,
    pub to: f64,
    /// The best strategy in this range, or `None` if every strategy exceeds a limit.
    pub strategy: Option<&'static StrategyEntry>,
    /// The best setting for each tried knob value in the range. Empty if every strategy exceeds a limit.
    pub best: Vec<(f64, Choice)>,
}

impl Range {
    /// Formats the range, such as `130 to 1,200`.
    pub fn words(&self, format: impl Fn(f64) -> String) -> String {
        let [from, to] = [self.from, self.to].map(format);
        if from == to {
            from
        } else {
            format!("{from} to {to}")
        }
    }
}

/// The range of knob values for which a strategy stays within all limits. It begins at the lightest workload and ends
/// before the first value for which the strategy exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    pub strategy: &'static StrategyEntry,
    pub from: f64,
    pub to: f64,
}

/// Tries all strategies at several values of a knob, to find out for which values each strategy is best. The first
/// values are evenly spaced. More values are then added between neighbours that have different best strategies.
#[derive(Clone, Debug)]
pub struct Crossovers {
    question: Question,
    over: &'static Knob,
    columns: Vec<Column>,
    refines: bool,
    is_complete: bool,
}

impl Crossovers {
    /// Plans sweeps at `count` values from `from` to `to`. If `refines` is true, more values are added later between
    /// neighbours that have different best strategies.
    pub fn new(
        question: Question,
        over: &'static Knob,
        [from, to]: [f64; 2],
        count: u32,
        refines: bool,
    ) -> Self {
        let mut crossovers = Self {
            question,
            over,
            columns: Vec::new(),
            refines,
            is_complete: false,
        };
        for value in spread_between(over, from, to, count) {
            crossovers.begin(value);
        }
        crossovers
    }

    fn begin(&mut self, value: f64) {
        let mut question = self.question.clone();
        if *self.over == BUDGET {
            question.limits.tasks = Some(BUDGET.span(value));
        }
        question.settings.knobs.set(self.over, value);
        self.columns.push(Column {
            value,
            sweep: Sweep::new(question),
        });
    }

    pub fn question(&self) -> &Question {
        &self.question
    }

    pub fn over(&self) -> &'static Knob {
        self.over
    }

    /// Returns the number of sweeps that have been planned so far, whether they are complete or not.
    pub fn planned_count(&self) -> usize {
        self.columns.len()
    }

    /// Returns true once all sweeps have finished and no more values will be added.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the completed sweeps, sorted by their knob value.
    pub fn columns(&self) -> Vec<&Column> {
        let complete = self.columns.iter().filter(|it| it.sweep.is_complete());
        let mut columns: Vec<&Column> = complete.collect();
        columns.sort_by(|one, other| one.value.total_cmp(&other.value));
        columns
    }

    /// Divides the tried knob values into ranges with the same best strategy, and returns them in ascending order.
    /// Sweeps that are still running are ignored.
    pub fn ranges(&self) -> Vec<Range> {
        let mut ranges: Vec<Range> = Vec::new();
        for column in self.columns() {
            let (value, best) = (column.value, column.sweep.recommendation().best);
            let strategy = best.as_ref().map(|best| best.strategy);
            let best = best.map(|best| (value, best));
            match ranges.last_mut() {
                Some(last) if last.strategy == strategy => {
                    last.to = value;
                    last.best.extend(best);
                }
                _ => ranges.push(Range {
                    from: value,
                    to: value,
                    strategy,
                    best: best.into_iter().collect(),
                }),
            }
        }
        ranges
    }

    /// Returns the range of knob values for which each strategy stays within all limits (see [`Reach`]). The simplest
    /// strategy comes first. Sweeps that are still running are ignored.
    ///
    /// A strategy is left out if a simpler strategy has the same range or a longer one.
    pub fn reaches(&self) -> Vec<Reach> {
        let mut columns = self.columns();
        // With a larger budget, the limits are easier to meet, so start with the largest value.
        if *self.over == BUDGET {
            columns.reverse();
        }
        let recommendations = columns.iter().map(|column| column.sweep.recommendation());
        let recommendations: Vec<Recommendation> = recommendations.collect();
        let mut reaches = Vec::new();
        let mut farthest = 0;
        for (curve, &strategy) in self.question.strategies.iter().enumerate() {
            let keeps = |recommendation: &&Recommendation| {
                let mut choices = recommendation.choices().into_iter();
                recommendation.entities == 0
                    || choices
                        .any(|it| it.curve == curve && recommendation.limits.keeps(&it.outcome))
            };
            let count = recommendations.iter().take_while(keeps).count();
            if count > farthest {
                farthest = count;
                let [first, last] = [0, count - 1].map(|place| columns[place].value);
                reaches.push(Reach {
                    strategy,
                    from: first.min(last),
                    to: first.max(last),
                });
            }
        }
        reaches
    }
}

impl Plan for Crossovers {
    fn next_jobs(&mut self) -> Vec<Job> {
        let mut jobs = Vec::new();
        let incomplete = self.columns.iter_mut().enumerate();
        let incomplete = incomplete.filter(|(_, column)| !column.sweep.is_complete());
        let mut begun = 0;
        for (place, column) in incomplete {
            let of_column = column.sweep.next_jobs();
            begun += usize::from(!of_column.is_empty());
            jobs.extend(of_column.into_iter().map(|mut job| {
                job.place.sweep = place;
                job
            }));
            if begun == MAX_SWEEPS_AT_ONCE {
                break;
            }
        }
        if jobs.is_empty() && self.refines {
            let ranges = self.ranges();
            let middles = ranges.windows(2).filter_map(|pair| {
                middle(self.over, pair[0].to, pair[1].from, CROSSOVER_PRECISION)
            });
            let middles: Vec<f64> = middles.collect();
            if !middles.is_empty() {
                for value in middles {
                    self.begin(value);
                }
                return self.next_jobs();
            }
        }
        self.is_complete = jobs.is_empty();
        jobs
    }

    fn conclude(&mut self, job: &Job, outcome: Outcome) {
        self.columns[job.place.sweep].sweep.conclude(job, outcome);
    }
}
