//! A sweep at each of several values of another knob: which strategy is best where.

use super::answer::{Answer, Choice};
use super::outcome::Outcome;
use super::values::{middle, spread_between};
use super::{Job, Plan, Question, Sweep};
use crate::sim::world::{CHURN, COST, ENTITIES, TARGET_SPEED};
use timeslicer::knob::Knob;
use timeslicer::strategy::StrategyEntry;
use timeslicer::strategy::knobs::BUDGET;

/// The knobs over which crossovers can be sought. The budget stands for the limit of a frame's task time.
pub static OVER: &[Knob] = &[ENTITIES, COST, BUDGET, CHURN, TARGET_SPEED];

/// A crossover lies between two values that differ by no more than this share.
const CLOSE: f64 = 0.05;

/// Number of sweeps that are made at the same time. With few, the first columns are complete early, so a chart can show
/// them; with several, all threads have work to the end of each sweep.
const AT_ONCE: usize = 2;

/// Returns the knob of [`OVER`] with this key.
pub fn over_by_key(key: &str) -> Option<&'static Knob> {
    OVER.iter().find(|knob| knob.key == key)
}

/// A sweep at one value of the knob.
#[derive(Clone, Debug)]
pub struct Column {
    pub value: f64,
    pub sweep: Sweep,
}

/// Neighbouring values of the knob at which the same strategy is best.
#[derive(Clone, Debug)]
pub struct Range {
    /// The first and the last of these values.
    pub from: f64,
    pub to: f64,
    /// `None` if no strategy keeps all limits there.
    pub strategy: Option<&'static StrategyEntry>,
    /// The best setting at each of the values; empty if no strategy keeps all limits.
    pub best: Vec<(f64, Choice)>,
}

impl Range {
    /// Returns the values in words: `130 to 1,200`.
    pub fn words(&self, format: impl Fn(f64) -> String) -> String {
        let [from, to] = [self.from, self.to].map(format);
        if from == to {
            from
        } else {
            format!("{from} to {to}")
        }
    }
}

/// A strategy, and the values of the knob at which it keeps all limits: the longest range that begins at the end with the
/// lightest load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    pub strategy: &'static StrategyEntry,
    pub from: f64,
    pub to: f64,
}

/// Sweeps at several values of a knob: first at values that divide its range evenly, then between neighbours with
/// different best strategies.
#[derive(Clone, Debug)]
pub struct Crossovers {
    question: Question,
    over: &'static Knob,
    /// In the order in which they began.
    columns: Vec<Column>,
    refines: bool,
    is_complete: bool,
}

impl Crossovers {
    /// Plans sweeps at `count` values from `from` to `to`. If `refines` is set, the crossovers are narrowed down then.
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

    /// Returns the number of values whose sweeps have begun.
    pub fn begun(&self) -> usize {
        self.columns.len()
    }

    /// Returns true when all sweeps are complete, and the crossovers are narrowed down.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the sweeps that are complete, in the order of their values.
    pub fn columns(&self) -> Vec<&Column> {
        let complete = self.columns.iter().filter(|it| it.sweep.is_complete());
        let mut columns: Vec<&Column> = complete.collect();
        columns.sort_by(|one, other| one.value.total_cmp(&other.value));
        columns
    }

    /// Returns the ranges in which each strategy is best, in the order of their values, by the sweeps that are complete.
    pub fn ranges(&self) -> Vec<Range> {
        let mut ranges: Vec<Range> = Vec::new();
        for column in self.columns() {
            let (value, best) = (column.value, column.sweep.answer().best);
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

    /// Returns how far simple strategies suffice, by the sweeps that are complete: of the strategies in the order of the
    /// registry, each that keeps all limits at more values than all simpler ones. Values count from the end with the lightest
    /// load, up to the first at which the strategy breaks a limit.
    pub fn reaches(&self) -> Vec<Reach> {
        let mut columns = self.columns();
        // A budget is a limit: the larger it is, the lighter the load.
        if *self.over == BUDGET {
            columns.reverse();
        }
        let answers = columns.iter().map(|column| column.sweep.answer());
        let answers: Vec<Answer> = answers.collect();
        let mut reaches = Vec::new();
        let mut farthest = 0;
        for (curve, &strategy) in self.question.strategies.iter().enumerate() {
            let keeps = |answer: &&Answer| {
                let mut choices = answer.choices().into_iter();
                answer.entities == 0
                    || choices.any(|it| it.curve == curve && answer.limits.keeps(&it.outcome))
            };
            let count = answers.iter().take_while(keeps).count();
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
            if begun == AT_ONCE {
                break;
            }
        }
        if jobs.is_empty() && self.refines {
            let ranges = self.ranges();
            let middles = ranges
                .windows(2)
                .filter_map(|pair| middle(self.over, pair[0].to, pair[1].from, CLOSE));
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
