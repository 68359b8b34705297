//! Recommends the strategy that keeps the entities freshest without exceeding the budget, and explains why the others
//! are worse.

use super::thresholds::{CLEARLY_FRESHER, DIFFERENT_INTERVALS, EQUAL_WEIGHTS};
use super::{Bounds, Report, verdict};
use crate::phrase;
use crate::sim::world::Ring;
use crate::text::format;
use crate::text::rich::{Clause, Phrase, RichText, counted, multiple, strong};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use timeslicer::knob::Knob;
use timeslicer::strategy::Family;
use timeslicer::time::Nanos;

/// How the weighted staleness of all entities is combined into one number, so that strategies can be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightedStaleness {
    /// The mean over all entities and over time, in which entities with larger weights count more.
    #[default]
    Mean,
    /// The largest product of an entity's weight and its staleness.
    Worst,
}

impl WeightedStaleness {
    pub const ALL: [Self; 2] = [Self::Mean, Self::Worst];

    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean weighted staleness",
            Self::Worst => "worst weighted staleness",
        }
    }

    /// Returns the weighted staleness in a report. Returns `None` if there are no entities or no runs, or during the
    /// warm-up after a setting change.
    pub fn of(self, of: &Report) -> Option<Nanos> {
        let is_known = !of.subject.warming_up && of.runs > 0 && of.subject.entities > 0;
        let staleness = match self {
            Self::Mean => of.staleness.weighted_mean(),
            Self::Worst => Some(of.worst_weighted),
        };
        staleness.filter(|staleness| is_known && !staleness.is_zero())
    }

    /// Returns the lowest weighted staleness that any strategy could reach, in seconds. `load` is the time that tasks
    /// take per second of game time.
    pub fn minimum(self, bounds: &Bounds, load: f64) -> Option<f64> {
        match self {
            Self::Mean => bounds.least_mean(load),
            Self::Worst => bounds.least_worst(load),
        }
    }
}

/// How staleness is measured when strategies are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    pub by: WeightedStaleness,
    /// Whether to ignore the time until every task has run once. This makes strategies comparable even if they were
    /// measured for different lengths of time.
    pub is_settled: bool,
}

impl Measure {
    /// Returns the staleness of the strategy in this report, or `None` if it is not known yet.
    pub fn of(self, of: &Report) -> Option<Nanos> {
        let settled = of.settled_staleness(self.by).filter(|_| self.is_settled);
        settled.or_else(|| self.by.of(of))
    }
}

/// The result of a search for a better setting of a strategy. A setting is better if it reduces staleness, or if it
/// keeps the strategy within the budget.
#[derive(Clone, Debug)]
pub enum Tuning {
    /// No setting is better than the current one.
    None,
    Searching,
    /// No value of the strategy's most important setting meets all three requirements: staying within the budget,
    /// avoiding hitches, and letting every task run.
    Impossible,
    To(Box<Tuned>),
}

/// The best setting that was found for a strategy by trying several values.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub knob: &'static Knob,
    pub value: f64,
    pub report: Report,
}

/// The recommended strategy.
#[derive(Clone, Debug)]
pub struct Choice {
    pub lane: usize,
    /// The recommended value of the strategy's most important setting, or `None` if the current value is already the
    /// best.
    pub setting: Option<(&'static Knob, f64)>,
    pub report: Report,
}

/// The result of comparing strategies that run the same workload. Each strategy is identified by the index of its
/// report.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    pub measure: Measure,
    /// The strategy with the lowest staleness among those that stay within the budget and cause no hitches. A strategy
    /// that has not run every task yet is chosen only if there is no other candidate.
    pub best: Option<Choice>,
    /// For each strategy, whether all of its updates stayed within the budget.
    pub keeps_budget: Vec<bool>,
    /// The indices of all strategies, from best to worst. Strategies that stay within the budget and cause no hitches
    /// come first, sorted by staleness. The others are sorted by how often they exceed the budget.
    pub order: Vec<usize>,
    /// For each strategy, the reasons why its current setting is not the best, with the most important reason first.
    /// The list is empty for the best setting.
    pub why_not: Vec<Vec<Phrase>>,
    /// Circumstances that make the advice less useful, such as a single task that takes longer than the whole budget.
    pub warnings: Vec<Phrase>,
    /// Explains whether predicting the costs of tasks pays off.
    pub prediction: Option<Phrase>,
    text: RichText,
}

/// Compares strategies by their reports and recommends one of them. `tunings` contains the result of searching for a
/// better setting of each strategy. `switched` is another report on one of the strategies, with cost prediction turned
/// on if it was off, or off if it was on.
pub fn advise(
    reports: &[Report],
    tunings: &[Tuning],
    switched: Option<&Report>,
    by: Measure,
) -> Advice {
    let best = best(&choices(reports, tunings, by), |_| true);
    let mut order: Vec<usize> = (0..reports.len()).collect();
    order.sort_by(|&one, &other| {
        sort_key(&reports[one], by).total_cmp(&sort_key(&reports[other], by))
    });
    let lanes = reports.iter().zip(tunings).enumerate();
    let why_not = lanes.map(|(lane, (of, tuning))| why_not(lane, of, tuning, best.as_ref(), by));
    let mut advice = Advice {
        measure: by,
        keeps_budget: reports.iter().map(|of| !of.breaks_budget()).collect(),
        order,
        why_not: why_not.collect(),
        warnings: warnings(reports, tunings, by),
        prediction: switched.and_then(|switched| prediction(reports, switched)),
        best,
        text: RichText::default(),
    };
    advice.text = advice.words(reports, tunings);
    advice
}

/// Returns the staleness that is used to compare this strategy with others. Returns `None` if the strategy exceeds the
/// budget or causes hitches.
fn candidate(of: &Report, by: Measure) -> Option<Nanos> {
    by.of(of).filter(|_| of.keeps_limits())
}

fn sort_key(of: &Report, by: Measure) -> Rank {
    let staleness = by.of(of).unwrap_or(Nanos::MAX);
    match candidate(of, by) {
        Some(staleness) if of.has_run_all() => Rank(0.0, staleness),
        Some(staleness) => Rank(0.5, staleness),
        None if of.frames == 0 => Rank(f64::INFINITY, staleness),
        None => Rank(1.0 + of.over_budget(), staleness),
    }
}

struct Rank(f64, Nanos);

impl Rank {
    fn total_cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

/// A setting that may be recommended.
struct Candidate<'a> {
    staleness: Nanos,
    lane: usize,
    /// The knob value that a search has found, or `None` for the current setting.
    setting: Option<(&'static Knob, f64)>,
    report: &'a Report,
}

/// Returns the settings that may be recommended, at most one per strategy. If a search has found a setting that is
/// clearly better than the current one, this setting is returned, and otherwise the current one. Settings that exceed
/// the budget or cause hitches are left out.
fn choices<'a>(reports: &'a [Report], tunings: &'a [Tuning], by: Measure) -> Vec<Candidate<'a>> {
    let mut choices: Vec<Candidate<'a>> = Vec::new();
    for (lane, (of, tuning)) in reports.iter().zip(tunings).enumerate() {
        let own = candidate(of, by);
        if let Some((tuned, staleness)) = fresher(of, tuning, by) {
            choices.push(Candidate {
                staleness,
                lane,
                setting: Some((tuned.knob, tuned.value)),
                report: &tuned.report,
            });
        } else if let Some(staleness) = own {
            choices.push(Candidate {
                staleness,
                lane,
                setting: None,
                report: of,
            });
        }
    }
    choices
}

/// Returns the setting that a search has found, together with its staleness. Returns `None` if the search has not found
/// a setting that is clearly better than the current one.
fn fresher<'a>(of: &Report, tuning: &'a Tuning, by: Measure) -> Option<(&'a Tuned, Nanos)> {
    let Tuning::To(tuned) = tuning else {
        return None;
    };
    let staleness = candidate(&tuned.report, by)?;
    let is_fresher = |own: Nanos| staleness.over(own) <= CLEARLY_FRESHER;
    let is_better = candidate(of, by).is_none_or(is_fresher) || !of.has_run_all();
    is_better.then_some((&**tuned, staleness))
}

/// Returns the choice with the lowest staleness among those for which `is_wanted` returns true.
fn best(choices: &[Candidate<'_>], is_wanted: impl Fn(&Report) -> bool) -> Option<Choice> {
    let wanted = choices.iter().filter(|it| is_wanted(it.report));
    // If strategies are equally fresh, the one that takes less time wins.
    let best = wanted.min_by_key(|it| {
        let has_not_run_all = !it.report.has_run_all();
        (has_not_run_all, it.staleness, it.report.task_time, it.lane)
    });
    best.map(|it| Choice {
        lane: it.lane,
        setting: it.setting,
        report: it.report.clone(),
    })
}

/// Formats a setting and its value, such as `Interval at 4.2 s`.
fn setting((knob, value): (&Knob, f64)) -> Phrase {
    phrase!("{} at {}", knob.label, strong(format::knob(knob, value)))
}

/// Lists the reasons why the current setting of a strategy is not the best one, with the most important reason first.
/// The list is empty if the setting is the best.
fn why_not(
    lane: usize,
    of: &Report,
    tuning: &Tuning,
    best: Option<&Choice>,
    by: Measure,
) -> Vec<Phrase> {
    let own = best.filter(|best| best.lane == lane);
    if own.is_some_and(|best| best.setting.is_none()) {
        return Vec::new();
    }
    let is_best = own.is_some();
    let ratio = |of: &Report| Some(by.of(of)?.over(by.of(&best?.report)?));
    let is_equal = |ratio: f64| (ratio - 1.0).abs() < 0.005;
    let compared = |of: &Report| {
        ratio(of).map(|ratio| {
            if is_equal(ratio) {
                "as fresh as the best".into()
            } else {
                phrase!("{} as stale as the best", multiple(ratio))
            }
        })
    };
    let share = |count: u64, all: u64| {
        let share = count as f64 / all.max(1) as f64;
        strong(format::percent(share))
    };
    let mut staleness = compared(of).filter(|_| of.has_run_all());
    let mut reasons: Vec<Phrase> = Vec::new();
    if of.subject.entities == 0 {
        return vec!["no entities".into()];
    } else if of.runs == 0 {
        return vec!["no task has run".into()];
    } else if of.breaks_budget() {
        let share = share(of.overrun.count, of.updates);
        let exceeds = phrase!("exceeds the budget in {} of updates", share);
        reasons.push(phrase!("{}, by up to {}", exceeds, of.overrun.max));
    } else if of.hitches_by_tasks > 0 {
        let share = share(of.hitches_by_tasks, of.frames);
        reasons.push(phrase!("tasks cause hitches in {} of frames", share));
    } else if !of.has_run_all() {
        reasons.push("not every task has run yet".into());
    }
    let tuned = fresher(of, tuning, by).map(|(tuned, _)| tuned);
    match (tuning, tuned) {
        (_, Some(tuned)) if is_best => {
            let setting = setting((tuned.knob, tuned.value));
            reasons.insert(0, phrase!("freshest with {}", setting));
            staleness = None;
        }
        (_, Some(tuned)) if of.keeps_limits() => {
            reasons.extend(staleness.take());
            let setting = setting((tuned.knob, tuned.value));
            let then = ratio(&tuned.report).map(|ratio| {
                if is_equal(ratio) {
                    phrase!("as fresh as the best with {}", setting)
                } else {
                    phrase!("only {} with {}", multiple(ratio), setting)
                }
            });
            reasons.extend(then);
        }
        (_, Some(tuned)) => {
            let mut needs = phrase!("needs {}", setting((tuned.knob, tuned.value)));
            if let Some(then) = compared(&tuned.report) {
                needs.push(phrase!(", which makes it {}", then));
            }
            staleness = None;
            reasons.push(needs);
        }
        _ if of.keeps_limits() => {}
        (Tuning::Searching, _) => reasons.push("trying other settings".into()),
        (Tuning::Impossible, _) => {
            let knob = of.subject.strategy.main_knob();
            let knob = knob.map_or_else(String::new, |knob| knob.label.to_owned());
            reasons.push(phrase!("no value of {} avoids this", knob));
        }
        _ => {}
    }
    reasons.extend(staleness);
    if is_weighted(of) && of.subject.budget.is_none() && !of.keeps_limits() {
        let is_crowded = !of.weighs_all_alike() && of.subject.entities > 1;
        let crowd = ", and more tasks are due while the target is in a crowd";
        let words = if is_crowded { crowd } else { "" };
        reasons.push(phrase!("has no budget{}", words));
    }
    reasons
}

impl Report {
    /// Returns the fraction of updates that exceeded the budget.
    pub fn over_budget(&self) -> f64 {
        self.overrun.count as f64 / self.updates.max(1) as f64
    }

    fn weighs_all_alike(&self) -> bool {
        self.subject.least_weight >= EQUAL_WEIGHTS
    }

    /// Explains why it is useless to give entities different weights. Returns `None` if weighting is useful or if the
    /// strategy does not use it.
    pub(super) fn useless_weighting(&self) -> Option<Phrase> {
        if !is_weighted(self) || self.subject.entities < 2 || !self.has_run_all() {
            return None;
        }
        if self.weighs_all_alike() {
            return Some(
                "weights have no effect because they are nearly the same for all entities".into(),
            );
        }
        let near = self.staleness.mean_in(Ring::Near)?;
        let far = self
            .staleness
            .mean_in(Ring::Far)
            .or(self.staleness.mean_in(Ring::Middle))?;
        let every = self.staleness.interval()?;
        let why = if every <= self.subject.fastest + self.mean_update() {
            "all tasks already run as often as allowed"
        } else if self.subject.bounds.is_some() {
            "their weights are too similar"
        } else {
            "the target moves too far during a round"
        };
        let ratio = far.over(near);
        let how = if ratio >= 1.0 / DIFFERENT_INTERVALS {
            "near and far entities are equally stale"
        } else {
            "near entities are no fresher than far ones"
        };
        let both = phrase!("{} ({}, {})", how, near, far);
        let words = phrase!("weighting tasks does not help: {}, because {}", both, why);
        (ratio <= DIFFERENT_INTERVALS).then_some(words)
    }
}

pub fn joined(reasons: &[Phrase]) -> String {
    let reasons: Vec<String> = reasons.iter().map(Phrase::to_string).collect();
    reasons.join("; ")
}

fn is_weighted(of: &Report) -> bool {
    of.subject.strategy.family == Family::BySignificance
}

/// Explains why weights do not help, and compares the best strategy that uses weights with the best one that does not.
fn weighting(weighted: &Choice, plain: Option<&Choice>, by: Measure) -> Option<Phrase> {
    let of = &weighted.report;
    let why = of.useless_weighting();
    let [one, other] = [Some(of), plain.map(|plain| &plain.report)].map(|of| by.of(of?));
    let ratio = one?.over(other.unwrap_or_default());
    let name = |choice: &Choice| choice.report.subject.strategy.name;
    let compared = plain.filter(|_| ratio.is_finite()).map(|plain| {
        let names = [name(weighted), name(plain)];
        if (ratio - 1.0).abs() < 0.005 {
            phrase!("{} is as stale as {}", names[0], names[1])
        } else {
            phrase!(
                "{} is {} as stale as {}",
                names[0],
                multiple(ratio),
                names[1]
            )
        }
    });
    match (why, compared) {
        (Some(why), Some(compared)) => Some(phrase!("{} ({})", why, compared)),
        (None, Some(compared)) if ratio >= 1.0 => {
            Some(phrase!("weighting tasks does not help: {}", compared))
        }
        (why, _) => why,
    }
}

fn warnings(reports: &[Report], tunings: &[Tuning], by: Measure) -> Vec<Phrase> {
    let Some(first) = reports.first() else {
        return Vec::new();
    };
    let (budget, frame) = (first.subject.limit, first.subject.pacing.target);
    let too_long = budget.filter(|&budget| budget > frame);
    let too_long = too_long.map(|budget| {
        phrase!(
            "the budget of {} is longer than a frame of {}",
            budget,
            frame
        )
    });
    let longest_run = reports
        .iter()
        .map(|of| of.longest_run)
        .max()
        .unwrap_or_default();
    let unsplittable = budget.filter(|&budget| longest_run > budget);
    let unsplittable = unsplittable.map(|budget| {
        let task = phrase!(
            "one task takes {}, which is more than the budget of {}",
            longest_run,
            budget
        );
        phrase!("{}, and no strategy can split a task", task)
    });
    let choices = choices(reports, tunings, by);
    let [weighted, plain] =
        [true, false].map(|wanted| best(&choices, |of| is_weighted(of) == wanted));
    let weighting = weighted.and_then(|weighted| weighting(&weighted, plain.as_ref(), by));
    let defects = reports.iter().filter_map(|of| {
        let defect = of.subject.defect.filter(|defect| defect.count > 0)?;
        let count = counted(defect.count, defect.thing);
        Some(phrase!(
            "{}: {} {}",
            of.subject.strategy.name,
            defect.before,
            count
        ))
    });
    let all = [too_long, unsplittable, weighting].into_iter().flatten();
    all.chain(defects).collect()
}

/// Describes whether predicting the costs of tasks pays off, by comparing reports on a strategy with and without
/// prediction.
fn prediction(reports: &[Report], switched: &Report) -> Option<Phrase> {
    let strategy = switched.subject.strategy;
    let of = reports.iter().find(|of| of.subject.strategy == strategy)?;
    let (with, without) = if of.subject.predicts? {
        (of, switched)
    } else {
        (switched, of)
    };
    let [with, without] = [with, without].map(Report::over_budget);
    let percent = |share: f64| strong(format::percent(share));
    let (verb, preposition, worse, better) = match with.total_cmp(&without) {
        Ordering::Less => ("pays off", "without", without, with),
        Ordering::Greater => ("does not pay off", "with", with, without),
        Ordering::Equal => {
            return Some(phrase!(
                "with these task costs, predicting a cost makes no difference to the budget"
            ));
        }
    };
    let shares = phrase!("{} instead of {}", percent(worse), percent(better));
    Some(phrase!(
        "predicting costs {}: {} it, {} exceeds the budget in {} of updates",
        verb,
        preposition,
        strategy.name,
        shares
    ))
}

impl Advice {
    /// Returns the advice as text, with the recommended strategy, the warnings, and the strategies that stay within the
    /// budget.
    pub fn text(&self) -> &RichText {
        &self.text
    }

    fn words(&self, reports: &[Report], tunings: &[Tuning]) -> RichText {
        if reports.is_empty() {
            return phrase!("nothing to compare").normal().into();
        }
        if reports.iter().all(|of| of.subject.entities == 0) {
            return phrase!("there are no entities, so there is nothing to compare")
                .normal()
                .into();
        }
        let first = match &self.best {
            Some(best) => self.freshest(best),
            None => self.nothing_fits(reports, tunings),
        };
        let count = self.count(reports);
        let warnings = self.warnings.iter().cloned().map(Phrase::normal);
        let prediction = self.prediction.clone().map(Phrase::normal);
        // Even the recommended strategy may be unable to serve this crowd.
        let verdict = self.best.as_ref().map(|best| verdict(&best.report));
        let mut verdict = verdict.unwrap_or_default().clauses.into_iter();
        let worry = verdict.find(Clause::is_warning);
        let facts = [Some(first), worry].into_iter().flatten();
        let others = warnings.chain(count).chain(prediction);
        facts.chain(others).collect()
    }

    /// Names the recommended strategy and states its staleness.
    fn freshest(&self, best: &Choice) -> Clause {
        let (of, by) = (&best.report, self.measure.by);
        let mut words = phrase!("{}", of.subject.strategy.name);
        if let Some(it) = best.setting {
            words.push(phrase!(" with {}", setting(it)));
        }
        let budget = of.subject.limit.unwrap_or_default();
        words.push(phrase!(" is the freshest within {} per update", budget));
        if let Some(percent) = of.first_round_percent() {
            words.push(phrase!(
                " so far, although only {} of the tasks have run",
                strong(format!("{percent} %"))
            ));
        }
        words.push(": ");
        let staleness = self.measure.of(of).unwrap_or_default();
        words.push(phrase!("{} {}", by.name(), of.game_time(staleness)));
        if let Some(times) = of.over_minimum(by) {
            let times = strong(format!("{times:.2}"));
            words.push(phrase!(", {} times the theoretical minimum", times));
        }
        words.normal()
    }

    /// Lists the strategies that stay within the budget or those that do not, whichever list is shorter.
    fn count(&self, reports: &[Report]) -> Option<Clause> {
        let measured = |lane: &usize| reports[*lane].frames > 0;
        let name = |lane: usize| reports[lane].subject.strategy.name;
        let lanes = (0..reports.len()).filter(measured);
        let (keep, exceed): (Vec<usize>, Vec<usize>) =
            lanes.partition(|lane| self.keeps_budget[*lane]);
        let names = |lanes: &[usize]| {
            let names: Vec<&str> = lanes.iter().map(|&lane| name(lane)).collect();
            format::listed(&names)
        };
        let words = match (keep.len(), exceed.len()) {
            (0, _) => return None, // the first clause says so
            (_, 0) if reports.len() == 1 => return None,
            (_, 0) => phrase!("every strategy stays within the budget in every update"),
            (1, _) => phrase!(
                "with the current settings, only {} stays within the budget in every update",
                names(&keep)
            ),
            (few, many) if few <= many => {
                phrase!(
                    "with the current settings, only {} stay within the budget in every update",
                    names(&keep)
                )
            }
            _ => phrase!(
                "with the current settings, all strategies except {} stay within the budget in every update",
                names(&exceed)
            ),
        };
        Some(words.normal())
    }

    /// Explains why no strategy is recommended, and names the strategy that exceeds the budget least often.
    fn nothing_fits(&self, reports: &[Report], tunings: &[Tuning]) -> Clause {
        let is_searching = tunings.iter().any(|it| matches!(it, Tuning::Searching));
        let lanes = || self.order.iter().map(|&lane| &reports[lane]);
        if lanes().all(|of| of.frames == 0) {
            return phrase!("nothing measured yet").normal();
        }
        if is_searching {
            return phrase!(
                "no strategy stays within the budget with the current settings, but other settings are being tried"
            )
            .normal();
        }
        let closest = lanes().find(|of| of.breaks_budget());
        let hitches = lanes().any(|of| !of.breaks_budget());
        match closest {
            Some(of) if !hitches => {
                let budget = of.subject.limit.unwrap_or_default();
                let share = strong(format::percent(of.over_budget()));
                let nobody = phrase!("no strategy stays within {} in every update", budget);
                let closest = phrase!("{} comes closest", of.subject.strategy.name);
                let how = phrase!(
                    "exceeding it in {} of updates by up to {}",
                    share,
                    of.overrun.max
                );
                phrase!("{}; {}, {}", nobody, closest, how).warning()
            }
            _ if lanes().any(Report::keeps_limits) => {
                phrase!("the strategies that stay within the budget have not run any tasks")
                    .normal()
            }
            _ => phrase!("tasks cause hitches with every strategy that stays within the budget")
                .warning(),
        }
    }

    pub fn to_json(&self, reports: &[Report]) -> Value {
        let key = |lane: usize| reports[lane].subject.strategy.key;
        let best = self.best.as_ref();
        let setting = best.and_then(|best| best.setting);
        let ms = |time: Option<Nanos>| time.map(Nanos::as_millis_f64);
        let of = best.map(|best| &best.report);
        let within = (0..reports.len())
            .filter(|&lane| self.keeps_budget[lane])
            .map(key);
        let why_not = self.why_not.iter().enumerate();
        let others = why_not.filter(|(lane, _)| best.is_none_or(|best| best.lane != *lane));
        let why_not: Map<String, Value> = others
            .map(|(lane, why)| (key(lane).to_owned(), json!(joined(why))))
            .collect();
        let warnings: Vec<String> = self.warnings.iter().map(Phrase::to_string).collect();
        json!({
            "strategy": best.map(|best| key(best.lane)),
            "knob": setting.map(|(knob, _)| knob.key),
            "value": setting.map(|(_, value)| value),
            "weighted_mean_ms": ms(of.and_then(|of| WeightedStaleness::Mean.of(of))),
            "worst_ms": ms(of.map(|of| of.worst_staleness)),
            "times_minimum": of.and_then(|of| of.over_minimum(WeightedStaleness::Mean)),
            "within_budget": within.collect::<Vec<_>>(),
            "why_not": why_not,
            "warnings": warnings,
        })
    }
}

#[cfg(test)]
mod tests;
