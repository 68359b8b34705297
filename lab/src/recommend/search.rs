//! Searches for the best setting of one strategy: the one with the best objective that keeps all limits with all seeds.
//!
//! 1. [`StrategySearch::scan`] tries values over the whole range of the strategy's main knob. All other knobs have their
//!    defaults, or other values if a limit or the number of entities suggests them ([`StrategySearch::starts`]).
//! 2. [`StrategySearch::descend`] starts at the best of these settings and changes one or two knobs at a time in ever
//!    smaller steps (a pattern search, see Hooke and Jeeves, "Direct Search", 1961).
//! 3. Changes that bring almost nothing are undone, so that the setting has few knobs and round values.
//!    [`StrategySearch::begin`] takes these three steps from each start, and keeps the best result.
//! 4. [`StrategySearch::finish`] tries the result with ten random seeds. If it exceeds a limit with one of them, that limit
//!    is tightened a little, and the descent goes on from the best of all settings that have been tried.
//! 5. [`StrategySearch::race`] tries the best of these settings with ten seeds, one after the other, until one keeps
//!    the limits.
//!
//! The first steps use short trials with one seed, because most settings are far from the best one.

use super::Question;
use super::changes::{Change, neighbours, promising_pairs, with_value};
use super::limits::{Broken, Limit, Limits};
use super::recommendation::Excesses;
use super::setting::Setting;
use super::trial::Outcome;
use super::trials::{Request, Trials};
use super::values::{rounded, spread, to_digits, two_digits};
use super::worst::{Worst, most_exceeded};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::StrategyEntry;
use crate::measure::Objective;
use crate::sim::lane::Length;
use libm::{exp, log};
use std::cmp::Ordering;
use std::sync::Arc;
use timeslicer::time::Nanos;

const SCAN_VALUES: u32 = 8;

/// If the longest wait is limited, knobs in seconds (except the main one) start at no more than this fraction of the
/// limit, because a task that has become due may still have to wait for its turn.
const START_BELOW_LIMIT: f64 = 0.9;

/// In another start of the search, knobs in seconds are at most as long as this many rounds.
const FEW_ROUNDS: f64 = 2.0;

/// The factor by which the descent changes knob values at first.
pub const FIRST_STEP: f64 = 2.0;
/// The factor by which a descent changes knob values at first, after a limit has been tightened.
const REPEATED_STEP: f64 = 1.25;
/// Whenever no change helps, the factor becomes smaller: its logarithm is multiplied by this number.
const STEP_SHRINKAGE: f64 = 0.4;
/// The descent ends when its factor is below this number.
const FINEST_STEP: f64 = 1.015;
/// The descent ends at this coarser factor if it searches for the least value of a limit, which is rounded up anyway.
const FINEST_STEP_OF_LIMIT: f64 = 1.04;
/// When the factor is below this number, the descent changes only the main knob.
const FINEST_STEP_OF_OTHERS: f64 = 1.03;

const MAX_ROUNDS: u32 = 60;

/// [`StrategySearch::adjust`] tries this number of factors. It divides and multiplies the main knob by each of them.
const ADJUSTMENTS: u32 = 24;
/// The largest of these factors.
const LARGEST_ADJUSTMENT: f64 = 5.0;

/// To count as an improvement, a change must improve the goal by this fraction. Otherwise, the descent might never end.
const LEAST_IMPROVEMENT: f64 = 0.002;

/// At the end, a change is undone if this makes the goal worse by at most this fraction.
const WORTHLESS: f64 = 0.005;

/// If the best setting of the scan exceeds the limits by more than this factor, the descent changes only the main knob,
/// because the other knobs cannot make up for so much.
const MOST_EXCESS: f64 = 4.0;

/// Goals between the same two powers of this number are about equally good, so only one of them takes part in a race.
const RACE_SPACING: f64 = 1.01;
/// The number of settings that a race tries at the same time.
const RACE_SIZE: usize = 4;

/// The number of promising settings to try again after the seed has changed or a limit has been tightened.
const RESTARTS: usize = 6;

/// The maximum number of times that the seed changes or a limit is tightened, and the largest factor of a tightening.
const TIGHTENINGS: usize = 6;
const TIGHTER: f64 = 0.99;

/// The goal of a setting is multiplied by these factors if it leaves no margin below a limit, or if it even exceeds a
/// limit a little with some seed.
const PRICE_WITHOUT_MARGIN: f64 = 1.01;
const PRICE_WITH_EXCESS: f64 = 1.02;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    Objective(Objective),
    /// Minimise the value that this limit applies to, to find out how far the limit has to be relaxed.
    Least(Limit),
}

impl Goal {
    fn of(self, outcome: &Outcome) -> f64 {
        let measured = match self {
            Self::Objective(objective) => objective.of(outcome),
            Self::Least(limit) => limit.measured(outcome),
        };
        measured.map_or(f64::INFINITY, |it| it.as_nanos() as f64)
    }
}

/// How good a setting is: first by its excess over the limits (1 if it keeps them), then by its goal. Less is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    pub excess: f64,
    pub goal: f64,
}

/// The default is worse than any other score.
impl Default for Score {
    fn default() -> Self {
        Self {
            excess: f64::INFINITY,
            goal: f64::INFINITY,
        }
    }
}

impl Score {
    fn total_cmp(&self, other: &Self) -> Ordering {
        let excess = self.excess.total_cmp(&other.excess);
        excess.then(self.goal.total_cmp(&other.goal))
    }

    fn differs_from(&self, other: &Self) -> bool {
        let differ = |own: f64, other: f64| {
            own != other && (own / other - 1.0).abs() >= LEAST_IMPROVEMENT / 2.0
        };
        differ(self.excess, other.excess) || differ(self.goal, other.goal)
    }

    fn is_clearly_better_than(&self, other: &Self) -> bool {
        let is_less = |own: f64, other: f64| own < other * (1.0 - LEAST_IMPROVEMENT);
        match (self.excess <= 1.0, other.excess <= 1.0) {
            (true, true) => is_less(self.goal, other.goal),
            (true, false) => true,
            (false, true) => false,
            (false, false) => is_less(self.excess, other.excess),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Tried {
    pub setting: Setting,
    pub outcome: Arc<Outcome>,
    /// How good the setting was within the limits of that time, which may have been tightened since.
    score: Score,
}

#[derive(Clone, Debug)]
pub struct Found {
    /// The index of the strategy in [`Question::strategies`].
    pub lane: usize,
    pub setting: Setting,
    /// The outcomes with all seeds, beginning with the user's seed.
    pub outcomes: Vec<Arc<Outcome>>,
    /// All settings that were tried in short trials, with their outcomes.
    pub tried: Vec<Tried>,
}

/// A setting that was tried in long trials, with all seeds or only with the first ones if it failed with those.
#[derive(Clone)]
struct Finalist {
    setting: Setting,
    seeds: Vec<u64>,
    outcomes: Vec<Arc<Outcome>>,
    /// The score, whose goal has been multiplied by a factor if the setting leaves no margin.
    score: Score,
}

pub struct StrategySearch<'a> {
    trials: &'a Trials,
    question: &'a Question,
    lane: usize,
    strategy: &'static StrategyEntry,
    goal: Goal,
    /// The limits of the game. Short trials have to keep `tightened`, which may be stricter.
    limits: Limits,
    tightened: Limits,
    /// The seed of the short trials: first the user's, later one with which a setting exceeded a limit.
    seed: u64,
    /// The best setting so far, with every knob of the strategy.
    best: Tried,
    tried: Vec<Tried>,
    finalists: Vec<Finalist>,
}

impl<'a> StrategySearch<'a> {
    /// Prepares the search for the strategy with this index.
    pub fn new(trials: &'a Trials, question: &'a Question, lane: usize) -> Self {
        Self {
            trials,
            question,
            lane,
            strategy: question.strategies[lane],
            goal: Goal::Objective(question.objective),
            limits: question.limits,
            tightened: question.limits,
            seed: 0,
            best: Tried::default(),
            tried: Vec::new(),
            finalists: Vec::new(),
        }
    }

    /// Searches near a setting for the one that exceeds `limit` least in short trials, within the other limits.
    pub async fn relax(&mut self, limit: Limit, near: &Setting) {
        if limit.knob().is_some() {
            self.goal = Goal::Least(limit);
        }
        self.limits = self.limits.with(limit, None);
        self.tightened = self.limits;
        self.try_all(vec![self.complete(near)]).await;
        self.descend(FIRST_STEP).await;
    }

    /// Finds a value of the main knob with which a setting keeps the limits, without changing its other knobs.
    pub async fn adjust(mut self, setting: &Setting) -> Found {
        let complete = self.complete(setting);
        let mut settings = vec![complete.clone()];
        let main = self.strategy.main_knob();
        if let Some((knob, value)) = main.and_then(|knob| Some((knob, complete.get(knob)?))) {
            for nth in 1..=ADJUSTMENTS {
                let factor = exp(log(LARGEST_ADJUSTMENT) * f64::from(nth) / f64::from(ADJUSTMENTS));
                let values = [value / factor, value * factor];
                settings.extend(values.map(|it| complete.with(knob, rounded(knob, it, 2))));
            }
        }
        self.try_all(settings).await;
        self.race().await
    }

    /// Finds the best setting for short trials with one seed. Tries several starts, as one descent may miss it.
    pub async fn begin(&mut self) {
        let mut best: Option<Tried> = None;
        for start in self.starts() {
            // If no trial runs all tasks, the start itself is the result.
            self.best = Tried {
                setting: start.clone(),
                ..Tried::default()
            };
            self.scan(&start).await;
            self.descend(FIRST_STEP).await;
            let is_better = |best: &Tried| self.best.score.total_cmp(&best.score).is_lt();
            if best.as_ref().is_none_or(is_better) {
                best = Some(self.best.clone());
            }
        }
        self.best = best.unwrap_or(self.best.clone());
    }

    /// Returns the value of the goal, or `None` if no setting so far keeps the limits.
    pub fn goal(&self) -> Option<f64> {
        let score = self.best.score;
        (score.excess <= 1.0).then_some(score.goal)
    }

    /// Finds the best setting that keeps the limits with all seeds. For this, short trials may need tighter limits.
    pub async fn finish(mut self) -> Found {
        for _ in 0..TIGHTENINGS {
            self.judge(&[self.best.setting.clone()]).await;
            let last = self.finalists.last();
            let Some((last, worst)) =
                last.and_then(|it| Some((it, most_exceeded(&it.outcomes, &self.limits)?)))
            else {
                break;
            };
            if self.best.score.excess > 1.0 {
                break;
            }
            let seed = last.seeds[worst.nth];
            if seed == self.seed {
                self.tighten(&worst);
            } else {
                (self.seed, self.tightened) = (seed, self.limits);
            }
            self.restart().await;
            // If the main knob is a count, start with a large step, because neighbouring counts are often equally good.
            let is_count = self.strategy.main_knob().is_some_and(|knob| knob.whole);
            self.descend(if is_count { FIRST_STEP } else { REPEATED_STEP })
                .await;
        }
        self.race().await
    }

    /// Tries the most promising settings again, because the seed or a limit has changed.
    async fn restart(&mut self) {
        let known = self.tried.iter();
        let known = known.map(|it| (self.score_of(&it.outcome), &it.setting));
        let mut known: Vec<(Score, &Setting)> = known.collect();
        known.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        known.dedup_by(|(_, one), (_, other)| one == other);
        let again = known.into_iter().take(RESTARTS);
        let again = again.map(|(_, setting)| setting.clone()).collect();
        self.best.score = Score::default();
        self.try_all(again).await;
    }

    /// Tightens a limit for short trials, because the best setting keeps it in these but exceeds it in long ones. With
    /// the tightened limit, the setting exceeds it in short trials by the same factor.
    fn tighten(&mut self, worst: &Worst) {
        // To shorten frames, tighten the limit on task time.
        let (limit, by) = if worst.value.limit.is_about_frame_rate() {
            (Limit::Tasks, TIGHTER)
        } else {
            (worst.value.limit, worst.value.excess().recip().min(TIGHTER))
        };
        let short = limit.measured(&self.best.outcome).unwrap_or_default();
        let tight = Nanos::from_nanos_f64(short.as_nanos() as f64 * by);
        let allowed = self.tightened.allowed(limit);
        let tight = allowed.map_or(tight, |allowed| allowed.min(tight));
        self.tightened = self.tightened.with(limit, Some(tight));
    }

    async fn race(mut self) -> Found {
        for heat in self.starters().chunks(RACE_SIZE) {
            if self.judge(heat).await {
                break;
            }
        }
        let finalists = self.finalists.into_iter();
        let best = finalists.min_by(|one, other| one.score.total_cmp(&other.score));
        let (setting, outcomes) = best.map(|it| (it.setting, it.outcomes)).unwrap_or_default();
        Found {
            lane: self.lane,
            setting: setting.without_unchanged(&self.question.settings, &self.question.present),
            outcomes,
            tried: self.tried,
        }
    }

    /// Returns the settings to try in long trials, beginning with the best. They have kept the limits in short trials,
    /// and would be better than all settings that are known to keep the limits in long ones. Among nearly equal
    /// settings, only the one that is farthest from the limits is included. If none has kept the limits and there was
    /// no long trial yet, returns the best so far.
    fn starters(&self) -> Vec<Setting> {
        let step = |it: &Tried| (log(self.goal.of(&it.outcome)) / log(RACE_SPACING)).floor();
        let holds = |it: &&Tried| {
            let mut finalists = self.finalists.iter();
            finalists.any(|own| own.score.excess <= 1.0 && own.setting == it.setting)
        };
        let held = self.tried.iter().filter(holds).map(step);
        let held = held.fold(f64::INFINITY, f64::min);
        let kept = self.tried.iter();
        let kept = kept.filter(|it| self.limits.keeps(&it.outcome) && step(it) < held);
        let kept = kept.map(|it| (step(it), self.limits.used(&it.outcome), &it.setting));
        let mut kept: Vec<(f64, f64, &Setting)> = kept.collect();
        kept.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        kept.dedup_by_key(|(step, ..)| *step);
        let starters: Vec<Setting> = kept.into_iter().map(|it| it.2.clone()).collect();
        if starters.is_empty() && self.finalists.is_empty() {
            return vec![self.complete(&self.best.setting)];
        }
        starters
    }

    /// Tries one setting after the other with all seeds, until one keeps the limits with a margin. Returns true if one
    /// does. Begins with the user's seed and the seed of the short trials, because most settings fail with the same
    /// seed.
    async fn judge(&mut self, settings: &[Setting]) -> bool {
        let mut first = vec![0, self.seed];
        first.dedup();
        let outcomes = self.judged(settings, &first).await;
        for (setting, outcomes) in settings.iter().zip(outcomes.chunks(first.len())) {
            let (mut seeds, mut outcomes) = (first.clone(), outcomes.to_vec());
            if self.score_of_judged(&outcomes).excess <= 1.0 {
                seeds = (0..self.question.seeds_of(self.strategy)).collect();
                outcomes = self.judged(std::slice::from_ref(setting), &seeds).await;
            }
            let score = self.score_of_judged(&outcomes);
            let has_margin = most_exceeded(&outcomes, &self.limits).is_none();
            self.finalists.push(Finalist {
                setting: setting.clone(),
                seeds,
                outcomes,
                score,
            });
            if has_margin && score.excess <= 1.0 {
                return true;
            }
        }
        false
    }

    /// Returns the score of a setting with these outcomes of long trials. A setting that leaves no margin below a limit
    /// is chosen only if its goal is better than others, even more so if it exceeds a limit a little with some seed.
    fn score_of_judged(&self, outcomes: &[Arc<Outcome>]) -> Score {
        let Excesses { broken, tolerated } = Excesses::of(outcomes, &self.limits);
        let has_run_all = outcomes.iter().all(|it| it.is_known);
        let goals: f64 = outcomes.iter().map(|it| self.goal.of(it)).sum();
        let lacks_margin = most_exceeded(outcomes, &self.limits).is_some();
        let factor = match (lacks_margin, tolerated.is_empty()) {
            (false, _) => 1.0,
            (true, true) => PRICE_WITHOUT_MARGIN,
            (true, false) => PRICE_WITH_EXCESS,
        };
        let excess = if has_run_all {
            broken.iter().map(Broken::excess).product()
        } else {
            f64::INFINITY
        };
        Score {
            excess,
            goal: factor * goals / outcomes.len() as f64,
        }
    }

    fn score_of(&self, outcome: &Outcome) -> Score {
        Score {
            excess: self.tightened.excess(outcome),
            goal: self.goal.of(outcome),
        }
    }

    /// Returns a setting with every knob of the strategy. Values that are not in `setting` come from the question.
    fn complete(&self, setting: &Setting) -> Setting {
        let knobs = self.strategy.own_knobs();
        let value = |knob: &'static Knob| {
            let own = || self.question.settings.knobs.get(knob);
            (knob, setting.get(knob).unwrap_or_else(own))
        };
        Setting {
            values: knobs.map(value).collect(),
        }
    }

    /// Returns the setting that the first scan starts from. Knobs other than the main one are reduced if they are times
    /// that are longer than the limit on waits.
    fn start(&self) -> Setting {
        let longest = self.limits.longest;
        let most = START_BELOW_LIMIT * longest.map_or(f64::INFINITY, Nanos::as_secs_f64);
        self.with_times(|value| value.min(most))
    }

    /// Returns the default setting. The function `time` changes the knobs in seconds, except for the main knob.
    fn with_times(&self, time: impl Fn(f64) -> f64) -> Setting {
        let mut setting = self.complete(&Setting::default());
        for (knob, value) in setting.values.iter_mut().skip(1) {
            if knob.unit == "s" && time(*value) != *value {
                *value = rounded(knob, time(*value), 2);
            }
        }
        setting
    }

    /// Returns the settings that scans start from: the defaults, the defaults with shorter times if there is time to
    /// run all tasks more often, and a setting with which all tasks run about as often as there is time for.
    fn starts(&self) -> Vec<Setting> {
        let mut starts = vec![self.start()];
        if let Some(available) = self.question.available_time() {
            let round = self.question.round_within(available).as_secs_f64();
            starts.push(self.with_times(|value| value.min(FEW_ROUNDS * round)));
            starts.push(self.with_times(|_| START_BELOW_LIMIT * round));
        }
        starts.dedup();
        starts
    }

    async fn scan(&mut self, start: &Setting) {
        let Some(knob) = self.strategy.main_knob() else {
            self.try_all(vec![start.clone()]).await;
            return;
        };
        let mut values = spread(knob, SCAN_VALUES);
        if Limit::Tasks.knob() == Some(knob)
            && let Some(limit) = self.limits.tasks
        {
            // A budget above the limit would exceed it, and a budget far below the available time is seldom best.
            let limit = limit.as_millis_f64();
            let available = self.question.available_time().unwrap_or_default();
            let available = to_digits(available.as_millis_f64(), 2, f64::floor);
            values = vec![available / 4.0, available / 2.0, available, limit];
            values.dedup();
        }
        let values = values.into_iter();
        let settings = values.map(|value| with_value(start, knob, knob.nearest(value)));
        self.try_all(settings.collect()).await;
    }

    async fn descend(&mut self, first_step: f64) {
        let mut knobs: Vec<&'static Knob> = self.strategy.own_knobs().collect();
        if self.best.score.excess > MOST_EXCESS {
            knobs.truncate(1);
        }
        let mut step = first_step;
        for _ in 0..MAX_ROUNDS {
            let keeps_limits = self.best.score.excess <= 1.0;
            let finest = match self.goal {
                Goal::Least(_) => FINEST_STEP_OF_LIMIT,
                Goal::Objective(_) => FINEST_STEP,
            };
            if step < finest && (keeps_limits || step < shrunk(finest)) {
                break;
            }
            if step < FINEST_STEP_OF_OTHERS && keeps_limits {
                knobs.retain(|knob| Some(*knob) == self.strategy.main_knob());
            }
            let (from, before) = (self.best.setting.clone(), self.best.score);
            let changes = self.changes(&from, &knobs, step);
            let singles = changes.iter().map(|change| change.apply(&from)).collect();
            let scores = self.try_all(singles).await;
            // From now on, do not change knobs that make no difference.
            knobs.retain(|knob| {
                let mut own = changes
                    .iter()
                    .zip(&scores)
                    .filter(|(it, _)| it.knob == *knob);
                own.any(|(_, score)| score.differs_from(&before))
            });
            if !self.best.score.is_clearly_better_than(&before) {
                let pairs = promising_pairs(&changes, &scores, before);
                let pairs = pairs.map(|(one, other)| other.apply(&one.apply(&from)));
                let pairs = pairs.collect();
                self.try_all(pairs).await;
            }
            if before.excess > 1.0 && self.best.score.excess <= 1.0 {
                // The limits are kept now, but the best setting may be far away, so continue with large steps again.
                step = first_step;
            } else if !self.best.score.is_clearly_better_than(&before) {
                step = shrunk(step);
            }
        }
        if self.best.score.excess <= 1.0 {
            self.simplify().await;
        }
    }

    /// Returns the changes of these knobs by the factor `step`. Budgets are not raised beyond the limit on task time.
    fn changes(&self, setting: &Setting, knobs: &[&'static Knob], step: f64) -> Vec<Change> {
        let most = |knob: &'static Knob| {
            let limit = self
                .limits
                .tasks
                .filter(|_| Limit::Tasks.knob() == Some(knob));
            limit.map_or(f64::INFINITY, Nanos::as_millis_f64)
        };
        let values = setting.values.iter();
        let values = values.filter(|(knob, _)| knobs.contains(knob));
        let changes = values.flat_map(|&(knob, value)| {
            let most = most(knob).max(value);
            let near = neighbours(knob, value, step).into_iter();
            let near = near.map(move |to| knob.nearest(to.min(most)));
            near.filter(move |to| *to != value)
                .map(move |to| Change { knob, to })
        });
        changes.collect()
    }

    /// Undoes changes that hardly help: restores the start values of knobs, or rounds their values to fewer digits.
    async fn simplify(&mut self) {
        let mut most = self.best.score;
        most.goal *= 1.0 + WORTHLESS;
        let start = self.start();
        for nth in 0..self.best.setting.values.len() {
            let (knob, value) = self.best.setting.values[nth];
            let default = start.get(knob).filter(|_| nth > 0);
            let simpler = default.into_iter().chain(two_digits(knob, value));
            for simpler in simpler.take_while(|it| *it != value) {
                let setting = with_value(&self.best.setting, knob, simpler);
                let tried = self.try_short(vec![setting]).await.swap_remove(0);
                if tried.score.total_cmp(&most).is_le() {
                    self.best = tried;
                    break;
                }
            }
        }
    }

    /// Tries settings in short trials, and keeps the best one. Returns their scores.
    async fn try_all(&mut self, settings: Vec<Setting>) -> Vec<Score> {
        let mut scores = Vec::new();
        for tried in self.try_short(settings).await {
            scores.push(tried.score);
            if tried.score.total_cmp(&self.best.score).is_lt() {
                self.best = tried;
            }
        }
        scores
    }

    async fn try_short(&mut self, settings: Vec<Setting>) -> Vec<Tried> {
        // Stop trials early only if they exceed the limits on task time or frame rate by far.
        let stop_beyond = Limits {
            near: None,
            longest: None,
            wait: None,
            ..self.limits
        };
        let requests = settings.iter().map(|setting| Request {
            stop_beyond: Some(stop_beyond),
            seed: self.seed,
            ..Request::new(self.strategy, setting, self.question.short_length())
        });
        let requests: Vec<Request> = requests.collect();
        let outcomes = self.trials.run(&requests).await;
        let tried = settings.into_iter().zip(outcomes);
        let tried = tried.map(|(setting, outcome)| Tried {
            score: self.score_of(&outcome),
            setting,
            outcome,
        });
        let tried: Vec<Tried> = tried.collect();
        self.tried.extend_from_slice(&tried);
        tried
    }

    /// Runs the long trials, which decide whether settings keep the limits. Returns an outcome per setting and seed.
    async fn judged(&self, settings: &[Setting], seeds: &[u64]) -> Vec<Arc<Outcome>> {
        let length = Length::Time(self.question.trial_time);
        let requests = settings.iter().flat_map(|setting| {
            seeds.iter().map(move |&seed| Request {
                seed,
                ..Request::new(self.strategy, setting, length)
            })
        });
        let requests: Vec<Request> = requests.collect();
        self.trials.run(&requests).await
    }
}

fn shrunk(step: f64) -> f64 {
    exp(log(step) * STEP_SHRINKAGE)
}
