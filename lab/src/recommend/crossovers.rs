//! Finds the values of a knob at which each strategy is best.

use super::limits::Broken;
use super::recommendation::{Choice, Recommendation, is_equally_good};
use super::trials::{Plan, Trials, Work, join_all};
use super::values::{self, spread_between, to_digits};
use super::{Question, answer, lock};
use crate::catalog::frame_loop::FRAME_LOOPS;
use crate::catalog::frame_loop::knobs::STEP;
use crate::catalog::frame_loop::max_frame_skip::MAX_SKIP;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::StrategyEntry;
use crate::catalog::strategy::knobs::BUDGET;
use crate::sim::machine::{DISPLAY_HZ, RENDER_MS, SPEED};
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, COST, EAGER, ENTITIES, REQUESTS, TARGET_SPEED};
use crate::text::format;
use std::sync::{Arc, Mutex};

/// The knobs for which [`Crossovers`] can find out which strategy is best at each value. Each has the range of values
/// that the chart in the window shows. If `BUDGET` is varied, the limit on the task time per frame has the same values.
pub static OVER: [(Knob, [f64; 2]); 12] = [
    (ENTITIES, [20.0, 20_000.0]),
    (COST, [5.0, 1_000.0]),
    (BUDGET, [0.5, 16.0]),
    (REQUESTS, [0.1, 10.0]),
    (EAGER, [0.0, 50.0]),
    (CHURN, [0.0, 1_000.0]),
    (TARGET_SPEED, [0.0, 2.0]),
    (DISPLAY_HZ, [30.0, 240.0]),
    (SPEED, [0.25, 4.0]),
    (RENDER_MS, [0.0, 32.0]),
    (STEP, [5.0, 100.0]),
    (MAX_SKIP, [1.0, 20.0]),
];

/// The refresh rates of common displays, in hertz.
const COMMON_RATES: [f64; 7] = [30.0, 60.0, 90.0, 120.0, 144.0, 165.0, 240.0];
const ENOUGH_RATES: usize = 5;

/// Values between two neighbours with different best strategies are tried until these differ by at most this fraction.
const CROSSOVER_PRECISION: f64 = 0.05;

/// The maximum number of values to search for at the same time. The number is small, so that a chart shows the first
/// results early. With only one at a time, some threads would be idle at the end of each search.
const MAX_AT_ONCE: usize = 2;

/// Returns true if a knob of [`OVER`] has an effect with the frame loop of these settings. For example, a loop with a
/// variable step ignores the knob for the step length, and a loop with its own period ignores the display.
pub fn has_effect(knob: &Knob, settings: &Settings) -> bool {
    let is_of_loops = FRAME_LOOPS.iter().any(|entry| entry.knobs.contains(knob));
    if is_of_loops {
        settings.frame_loop.knobs.contains(knob)
    } else {
        let waits_for_display = (settings.frame_loop.make)().target_period().is_none();
        *knob != DISPLAY_HZ || waits_for_display && settings.frame_times.is_none()
    }
}

/// The recommendation at one value of the varied knob.
#[derive(Clone, Debug)]
pub struct Column {
    pub value: f64,
    pub recommendation: Recommendation,
}

/// A range of neighbouring knob values at which the same strategy is best, or as good as the best one.
#[derive(Clone, Debug)]
pub struct Range {
    pub from: f64,
    pub to: f64,
    /// The best strategy in this range, or `None` if every strategy exceeds a limit.
    pub strategy: Option<&'static StrategyEntry>,
    /// The setting of this strategy at each knob value in the range. Empty if every strategy exceeds a limit.
    pub best: Vec<(f64, Choice)>,
    /// The limit that `strategy` exceeds most at the next value above this range. If every strategy exceeds a limit in
    /// this range, the limit that the closest setting exceeds most at its start. `None` if there is no such limit.
    pub first_broken: Option<Broken>,
}

/// Returns a value between two tried values. It has two digits, because the exact border between them is not known.
pub(super) fn between(one: f64, next: f64) -> f64 {
    let middle = if one.min(next) > 0.0 {
        (one * next).sqrt()
    } else {
        f64::midpoint(one, next)
    };
    to_digits(middle, 2, f64::round)
}

/// Formats each range, such as `up to about 600` or `about 600 to about 1,900`. The ends of the whole range are exact.
pub fn named_ranges(ranges: &[Range], knob: &Knob) -> Vec<String> {
    let format = |value| format::knob(knob, value);
    let border = |one: &Range, next: &Range| between(one.to, next.from);
    let name = |nth: usize| {
        let range = &ranges[nth];
        let from = nth.checked_sub(1).map(|last| border(&ranges[last], range));
        let to = ranges.get(nth + 1).map(|next| border(range, next));
        match (from, to) {
            (None, None) if range.from == range.to => format(range.from),
            (None, None) => format!("{} to {}", format(range.from), format(range.to)),
            (None, Some(to)) => format!("up to about {}", format(to)),
            (Some(from), None) => format!("from about {}", format(from)),
            (Some(from), Some(to)) => format!("about {} to {}", format(from), format(to)),
        }
    };
    (0..ranges.len()).map(name).collect()
}

/// The range of knob values in which a strategy stays within all limits, starting at the lightest workload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    pub strategy: &'static StrategyEntry,
    pub from: f64,
    pub to: f64,
}

/// Returns evenly spaced values of a knob. For the refresh rate of the display, returns common rates instead, unless
/// only a few of them are in the range.
fn first_values(over: &Knob, [from, to]: [f64; 2], count: u32) -> Vec<f64> {
    if *over == DISPLAY_HZ {
        let inside = COMMON_RATES.into_iter();
        let inside = inside.filter(|rate| from < *rate && *rate < to);
        let rates: Vec<f64> = [from].into_iter().chain(inside).chain([to]).collect();
        if rates.len() >= ENOUGH_RATES {
            return rates;
        }
    }
    spread_between(over, from, to, count)
}

/// Answers a question at several values of a knob, and at more values between two if their best strategies differ.
pub struct Crossovers {
    pub question: Arc<Question>,
    pub over: &'static Knob,
    /// The present value of the knob, if it is known.
    pub present: Option<f64>,
    work: Work,
    found: Arc<Mutex<Found>>,
}

#[derive(Default)]
struct Found {
    /// Sorted by the value of the knob.
    columns: Vec<Column>,
    planned: usize,
}

impl Crossovers {
    /// Creates a plan that starts with `count` values from `from` to `to` or, for the display, with common refresh
    /// rates. `present` is the answer at the current value of the knob, if it is known.
    pub fn new(
        question: Question,
        over: &'static Knob,
        [from, to]: [f64; 2],
        count: u32,
        present: Option<Column>,
    ) -> Self {
        let columns = Vec::from_iter(present);
        let present = columns.first().map(|it| it.value);
        let mut values = first_values(over, [from, to], count);
        values.retain(|value| Some(*value) != present);
        let question = Arc::new(question);
        let found = Arc::new(Mutex::new(Found {
            planned: columns.len() + values.len(),
            columns,
        }));
        let (asked, finds) = (question.clone(), found.clone());
        let trials = Trials::new(&question);
        let work = Work::new(&trials.clone(), async move {
            while !values.is_empty() {
                {
                    let mut finds = lock(&finds);
                    finds.planned = finds.columns.len() + values.len();
                }
                for values in values.chunks(MAX_AT_ONCE) {
                    let columns = values.iter();
                    let columns = columns.map(|value| column(&trials, &asked, over, *value));
                    let columns = join_all(columns).await;
                    let mut finds = lock(&finds);
                    finds.columns.extend(columns);
                    finds
                        .columns
                        .sort_by(|one, other| one.value.total_cmp(&other.value));
                }
                let ranges = ranges(&lock(&finds).columns, present);
                let pairs = ranges.windows(2);
                values = pairs
                    .flat_map(|pair| {
                        values::between(over, pair[0].to, pair[1].from, 1, CROSSOVER_PRECISION)
                    })
                    .collect();
            }
        });
        Self {
            question,
            over,
            present,
            work,
            found,
        }
    }

    /// Returns the number of values that are planned so far, including those that are complete.
    pub fn planned_count(&self) -> usize {
        lock(&self.found).planned
    }

    /// Returns the answers so far, sorted by their knob value.
    pub fn columns(&self) -> Vec<Column> {
        lock(&self.found).columns.clone()
    }

    /// Returns the range of knob values at which each strategy keeps all limits (see [`Reach`]). The simplest strategy
    /// comes first. A strategy is left out if a simpler strategy has the same range or a longer one.
    pub fn reaches(&self) -> Vec<Reach> {
        let mut columns = self.columns();
        // If larger values make the limits easier to keep, start with the largest one.
        if [BUDGET, SPEED, STEP].contains(self.over) {
            columns.reverse();
        }
        let mut reaches = Vec::new();
        let mut farthest = 0;
        for (lane, &strategy) in self.question.strategies.iter().enumerate() {
            let holds = |column: &&Column| {
                let all = &column.recommendation;
                all.entities == 0 || all.choices[lane].holds()
            };
            let count = columns.iter().take_while(holds).count();
            if count > farthest {
                farthest = count;
                let [first, last] = [0, count - 1].map(|index| columns[index].value);
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

async fn column(trials: &Trials, question: &Question, over: &'static Knob, value: f64) -> Column {
    let mut question = question.clone();
    if *over == BUDGET {
        question.limits.tasks = Some(BUDGET.span(value));
    }
    question.settings.knobs.set(over, value);
    let recommendation = answer(trials, &question).await;
    Column {
        value,
        recommendation,
    }
}

/// Divides the columns into ascending ranges with the same best strategy. A range continues as long as its strategy is
/// about as good as the best one, so that equally good strategies do not split it. The range that contains `present`
/// has the strategy that is recommended there. Columns without entities are left out, unless all columns have none.
pub fn ranges(columns: &[Column], present: Option<f64>) -> Vec<Range> {
    let has_entities = |it: &&Column| it.recommendation.entities > 0;
    let have_none = !columns.iter().any(|it| has_entities(&it));
    let columns = columns.iter().filter(|it| have_none || has_entities(it));
    let columns: Vec<&Column> = columns.collect();
    let mut names = names_from(0, &columns);
    let present = columns.iter().position(|it| Some(it.value) == present);
    if let Some(present) = present.filter(|&it| names[it] != columns[it].recommendation.best) {
        names = names_from(present, &columns);
    }
    let mut ranges: Vec<Range> = Vec::new();
    for (column, lane) in columns.iter().zip(names) {
        let choice = lane.map(|lane: usize| &column.recommendation.choices[lane]);
        let strategy = choice.map(|it| it.strategy);
        let best = choice.map(|it| (column.value, it.clone()));
        match ranges.last_mut() {
            Some(last) if last.strategy == strategy => {
                last.to = column.value;
                last.best.extend(best);
            }
            last => {
                let all = &column.recommendation;
                if let Some(last) = last
                    && let Some((_, own)) = last.best.first()
                    && let Some(next) = all.choices.get(own.lane)
                {
                    last.first_broken = next.most_broken().copied();
                }
                ranges.push(Range {
                    from: column.value,
                    to: column.value,
                    strategy,
                    best: best.into_iter().collect(),
                    first_broken: all.recommended().and_then(Choice::most_broken).copied(),
                });
            }
        }
    }
    ranges
}

/// Returns the index of a strategy for each column. The column `start` gets the best strategy. In both directions from
/// there, a column gets the strategy of its neighbour if that is about as good as the best one, and otherwise the best.
fn names_from(start: usize, columns: &[&Column]) -> Vec<Option<usize>> {
    let mut names = vec![None; columns.len()];
    let mut name = |indices: &mut dyn Iterator<Item = usize>| {
        let mut last: Option<Option<usize>> = None;
        for index in indices {
            let goes_on = last.is_some_and(|lane| columns[index].is_as_good(lane));
            let best = columns[index].recommendation.best;
            names[index] = last.filter(|_| goes_on).unwrap_or(best);
            last = Some(names[index]);
        }
    };
    name(&mut (start..columns.len()));
    name(&mut (0..columns.len().min(start + 1)).rev());
    names
}

impl Column {
    /// Returns true if a strategy is as good as the best one, or if no strategy is best and `lane` is `None`.
    fn is_as_good(&self, lane: Option<usize>) -> bool {
        let all = &self.recommendation;
        let (Some(lane), Some(best)) = (lane, all.best()) else {
            return lane == all.best;
        };
        let own = &all.choices[lane];
        let objectives = best.objective.zip(own.objective);
        own.holds() && objectives.is_some_and(|(best, own)| is_equally_good(best, own))
    }
}

impl Plan for Crossovers {
    fn work(&self) -> &Work {
        &self.work
    }
}
