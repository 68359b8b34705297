//! Recommends a strategy and its setting: the one with the lowest staleness that keeps the game's limits. All advice
//! (in `compare`, `sweep`, the Compare view and exports) comes from this module, so it is always the same.
//!
//! - this file: a [`Question`], and the [`Sweep`] that answers it
//! - `limits`: the limits that a game sets
//! - `setting`: the knob values of a setting, and their description
//! - `trial`: the simulation of one setting, and its outcome
//! - `trials`: lets a search ask for trials, which run elsewhere; `slices`: runs trials in time slices, for a web page
//! - `search`: the search for the best setting of one strategy; `changes`: the changes that it tries; `values`: knob
//!   values; `worst`: the worst values over all seeds
//! - `relaxation`: what would help if no setting keeps the limits
//! - `per_run`: whether the answer depends on each entity keeping its cost
//! - `recommendation`: the answer; `words`: the answer in sentences
//! - `crossovers`: the answers for several values of another knob
//!
//! Trials do not depend on each other, and which trials come next depends only on earlier outcomes. An answer is
//! therefore the same for any number of threads. The threads are started by `cli::threads`.

mod changes;
mod crossovers;
mod limits;
mod per_run;
mod recommendation;
mod relaxation;
mod search;
mod setting;
mod slices;
mod trial;
mod trials;
mod values;
mod words;
mod worst;

#[cfg(test)]
mod tests;

pub use crossovers::{Column, Crossovers, OVER, Range, Reach, has_effect, named_ranges, ranges};
pub use limits::{Broken, LONGEST_LIMIT, Limit, Limits, NEAR_LIMIT, WAIT_LIMIT};
pub use recommendation::{Choice, Recommendation};
pub use relaxation::{Change, Way};
pub use setting::{Setting, named};
pub use slices::Slices;
pub use trial::{Outcome, Staleness, Trial};
pub(crate) use trials::lock;
pub use trials::{Job, Plan, Work};
pub use words::{failure_words, left_in_frame, range_words};

use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::{STRATEGIES, StrategyEntry};
use crate::measure::{Objective, Pacing};
use crate::sim::lane::Length;
use crate::sim::machine::{RENDER_MS, SPEED};
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, ENTITIES};
use search::{Found, StrategySearch};
use std::sync::{Arc, Mutex};
use timeslicer::time::Nanos;
use trials::{Request, Trials, join_all};
use values::spread;

/// The default number of knob values on the curve of each strategy.
pub const STEPS: u32 = 24;

/// The number of random seeds with which a recommended setting must keep the limits. The first is the user's seed.
pub const SEEDS: u64 = 10;

/// The length of the trials that decide whether a setting keeps the limits. It does not depend on the length of other
/// simulations. If the limit on task time is so low that not all tasks would run, trials are longer.
pub const TRIAL_TIME: Nanos = Nanos::from_secs(10);

/// The maximum length of most trials of a search. It is long enough to distinguish good settings from bad ones.
const SHORT_TRIAL_TIME: Nanos = Nanos::from_secs(2);

/// The maximum length of a trial that is extended because its tasks need a long time.
const LONGEST_TRIAL: Nanos = Nanos::from_secs(1000);

/// The number of requests that a trial of work on request should contain, and its maximum length if requests are rare.
const REQUESTS_PER_TRIAL: f64 = 200.0;
const LONGEST_TRIAL_OF_REQUESTS: Nanos = Nanos::from_secs(100);

/// How long a trial goes on after the last disturbance that the user has scheduled.
const AFTER_DISTURBANCE: Nanos = Nanos::from_secs(2);

/// A trial is made longer if its first round is expected to take more than this multiple of its length. The limit is a
/// little below [`trial::MAX_LENGTHS`], at which a trial stops waiting for the end of its first round.
const ROUND_LENGTHS: f64 = trial::MAX_LENGTHS as f64 - 1.0;

/// The input of a sweep. It says what to simulate, and what the best setting must achieve.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The workload. The strategy and its knobs are ignored, because the search tries all of them. Only the [`Curve`]s
    /// use the user's values for knobs other than the main one.
    pub settings: Settings,
    pub strategies: Vec<&'static StrategyEntry>,
    /// The number of knob values on each curve. Curves do not affect the recommendation. If zero, there are no curves.
    pub steps: u32,
    /// How long each setting on a curve is simulated.
    pub curve_length: Length,
    pub limits: Limits,
    pub objective: Objective,
    /// Whether to explain the answer, for example what would help if no setting keeps the limits.
    pub explains: bool,
    /// The user's knob values. The description of a setting names all knobs that differ from them.
    pub present: KnobValues,
    /// The length of a trial that decides whether a setting keeps the limits, usually [`TRIAL_TIME`].
    pub trial_time: Nanos,
}

impl Question {
    /// Asks for the strategy and setting with the lowest mean weighted staleness or, if the work is done only on
    /// request, with the lowest mean wait. There are no curves.
    pub fn new(settings: Settings, limits: Limits) -> Self {
        let objective = if limits.on_request {
            Objective::MeanWait
        } else {
            Objective::WeightedMean
        };
        Self {
            present: settings.knobs.clone(),
            settings,
            strategies: STRATEGIES.to_vec(),
            steps: 0,
            curve_length: Length::Time(TRIAL_TIME),
            limits,
            objective,
            explains: true,
            trial_time: TRIAL_TIME,
        }
    }

    pub fn entities(&self) -> u32 {
        self.settings.knobs.get(&ENTITIES) as u32
    }

    /// Returns the settings on which the search is based. Knobs that the search varies have their defaults, so that the
    /// answer does not depend on their current values.
    pub fn base(&self) -> Settings {
        let mut base = self.settings.clone();
        let knobs = self.strategies.iter().flat_map(|it| it.own_knobs());
        for knob in knobs {
            base.knobs.set(knob, knob.default);
        }
        base
    }

    /// Returns true if a strategy can do this kind of work. Work on request needs a strategy that waits for requests.
    pub fn considers(&self, strategy: &StrategyEntry) -> bool {
        !self.limits.on_request || strategy.on_request()
    }

    pub fn curve_settings(&self) -> usize {
        let strategies = self.strategies.iter();
        let counts = strategies.map(|strategy| curve_requests(self, strategy).len());
        counts.sum()
    }

    /// Returns the number of seeds that matter: one, unless costs, births, requests or the strategy itself are random.
    fn seeds_of(&self, strategy: &StrategyEntry) -> u64 {
        let settings = &self.settings;
        let is_random = strategy.on_request() || strategy.is_random();
        if is_random || settings.costs_differ() || settings.knobs.get(&CHURN) > 0.0 {
            SEEDS
        } else {
            1
        }
    }

    /// Returns how many seconds it takes to run every task once.
    fn work(&self) -> f64 {
        run_seconds(&self.settings) * f64::from(self.entities())
    }

    /// Returns the game time until every task has run once, if each frame spends the time `tasks` on tasks.
    fn round_within(&self, tasks: Nanos) -> Nanos {
        let runs = runs_within(tasks, &self.settings);
        let frames = (f64::from(self.entities()) / runs).max(1.0);
        let period = self.settings.frame_period().as_secs_f64();
        Nanos::from_secs_f64(frames * period * self.settings.game_speed())
    }

    /// Returns the time that a frame may spend on tasks: the limit or, if less and the frame rate must be held, the
    /// time that drawing leaves. `None` if the limit is zero, or if there is no limit and no time is known to be left.
    fn available_time(&self) -> Option<Nanos> {
        let settings = &self.settings;
        let drawing = settings.knobs.span(&RENDER_MS);
        let left = frame_length(settings, drawing).saturating_sub(drawing);
        let is_known = !self.limits.allows_slow_frames && settings.frame_times.is_none();
        let left = Some(left).filter(|left| is_known && !left.is_zero());
        let all = self.limits.tasks.into_iter().chain(left);
        all.min().filter(|it| !it.is_zero())
    }

    /// Returns the mean time per frame that the requested tasks need.
    fn requested_tasks(&self) -> Nanos {
        Nanos::from_secs_f64(self.settings.requested_per_frame() * run_seconds(&self.settings))
    }

    /// Returns how long a trial must be to contain all scheduled disturbances, and enough requests or rounds for
    /// meaningful results.
    fn least_length(&self) -> Nanos {
        let scheduled = self.settings.scheduled.iter().map(|it| it.at);
        let after_last = scheduled.max().map(|at| at + AFTER_DISTURBANCE);
        let work = if self.limits.on_request {
            self.least_length_of_requests()
        } else {
            self.least_length_of_rounds()
        };
        work.max(after_last.unwrap_or_default())
    }

    /// Returns how long a trial must be to contain many requests. If there are too many to serve them at once, the
    /// trial also has to be long enough for each entity to have its turn.
    fn least_length_of_requests(&self) -> Nanos {
        let frame = self.settings.frame_period().as_secs_f64();
        let rate = self.settings.requested_per_frame() / frame;
        let many = if rate > 0.0 {
            Nanos::from_secs_f64((REQUESTS_PER_TRIAL / rate).ceil())
        } else {
            Nanos::ZERO // all requests are scheduled
        };
        let tasks = self.limits.tasks.filter(|it| self.requested_tasks() > *it);
        let rounds = tasks.filter(|it| !it.is_zero()).map(|tasks| {
            let round = self.round_within(tasks).as_secs_f64();
            Nanos::from_secs_f64((2.0 * round).ceil())
        });
        let least = many.max(rounds.unwrap_or_default());
        least.min(LONGEST_TRIAL_OF_REQUESTS)
    }

    /// Returns how long a trial must be so that every task can run in it within the limit on task time. Returns zero if
    /// tasks would then exceed the limit on waits anyway.
    fn least_length_of_rounds(&self) -> Nanos {
        let tasks = self.limits.tasks.filter(|limit| !limit.is_zero());
        // Whatever the limits are, a round takes at least as long as its tasks.
        let work = Nanos::from_secs_f64(self.work());
        let round = tasks.map_or(work, |limit| self.round_within(limit).max(work));
        let is_possible = self.limits.longest.is_none_or(|limit| round <= limit);
        let round = if is_possible {
            round.as_secs_f64() / self.settings.game_speed()
        } else {
            0.0
        };
        Nanos::from_secs((round / ROUND_LENGTHS).ceil() as u64).min(LONGEST_TRIAL)
    }

    fn short_length(&self) -> Length {
        let short = SHORT_TRIAL_TIME.max(self.least_length());
        Length::Time(self.trial_time.min(short))
    }
}

/// Returns how many seconds a run takes on average.
fn run_seconds(settings: &Settings) -> f64 {
    settings.mean_cost().as_secs_f64() / settings.knobs.get(&SPEED)
}

/// Returns how many runs of average length the time `tasks` is enough for. From one run on, only whole runs count.
fn runs_within(tasks: Nanos, settings: &Settings) -> f64 {
    let runs = tasks.as_secs_f64() / run_seconds(settings);
    if runs >= 1.0 {
        (runs + 1e-6).floor() // a quotient may be just below a whole number
    } else {
        runs
    }
}

/// Returns the length of frames in which updates and drawing take `work`.
fn frame_length(settings: &Settings, work: Nanos) -> Nanos {
    let target = settings.frame_period();
    let pacing = Pacing {
        target,
        hitch_above: target,
        step: None,
        has_fixed_refresh: settings.has_fixed_refresh(),
        recorded: settings.recorded_mean(),
    };
    pacing.length(work)
}

/// A setting that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub strategy: &'static StrategyEntry,
    pub setting: Setting,
    pub outcome: Outcome,
}

/// The results of a strategy over its main knob, by whose value they are sorted. All other knobs have the user's values.
pub type Curve = Vec<Point>;

/// Answers a [`Question`] with a [`Recommendation`]. Also measures the curve of each strategy, for charts.
pub struct Sweep {
    pub question: Arc<Question>,
    trials: Trials,
    work: Work,
    recommendation: Arc<Mutex<Option<Recommendation>>>,
}

impl Sweep {
    pub fn new(question: Question) -> Self {
        let trials = Trials::new(&question);
        let question = Arc::new(question);
        let recommendation = Arc::default();
        let work = Work::new(&trials, {
            let (trials, question) = (trials.clone(), question.clone());
            let recommendation = Arc::clone(&recommendation);
            async move {
                let strategies = question.strategies.iter();
                let settings = strategies.flat_map(|strategy| curve_requests(&question, strategy));
                let settings: Vec<Request> = settings.collect();
                if question.entities() > 0 {
                    trials.run(&settings).await;
                }
                let answer = answer(&trials, &question).await;
                *lock(&recommendation) = Some(answer);
            }
        });
        Self {
            question,
            trials,
            work,
            recommendation,
        }
    }

    /// Returns the answer, or `None` until it is known.
    pub fn recommendation(&self) -> Option<Recommendation> {
        lock(&self.recommendation).clone()
    }

    /// Returns the curve of each of [`Question::strategies`], without settings that have not been tried yet.
    pub fn curves(&self) -> Vec<Curve> {
        let point = |request: Request| {
            let outcome = self.trials.known(&request)?;
            Some(Point {
                strategy: request.strategy,
                setting: request.setting,
                outcome: (*outcome).clone(),
            })
        };
        let curves = self.question.strategies.iter().map(|strategy| {
            let requests = curve_requests(&self.question, strategy).into_iter();
            requests.filter_map(point).collect()
        });
        curves.collect()
    }
}

impl Plan for Sweep {
    fn work(&self) -> &Work {
        &self.work
    }
}

fn curve_requests(question: &Question, strategy: &'static StrategyEntry) -> Vec<Request> {
    let none = Setting::default();
    let settings = match strategy.main_knob() {
        _ if question.steps == 0 || !question.considers(strategy) => Vec::new(),
        None => vec![none],
        Some(knob) => {
            let values = spread(knob, question.steps).into_iter();
            values.map(|value| none.with(knob, value)).collect()
        }
    };
    let request = |setting: Setting| Request::new(strategy, &setting, question.curve_length);
    settings.into_iter().map(request).collect()
}

async fn answer(trials: &Trials, question: &Question) -> Recommendation {
    if question.entities() == 0 {
        return Recommendation::new(question, &[]);
    }
    let base = Question {
        settings: question.base(),
        present: question.settings.knobs.clone(),
        trial_time: question.trial_time.max(question.least_length()),
        ..question.clone()
    };
    let trials = trials.of(base.settings.clone());
    let found = search_all(&trials, &base).await;
    let mut recommendation = Recommendation::new(&base, &found);
    if recommendation.best.is_some() {
        let mut waits = [Limit::Near, Limit::Longest, Limit::Wait].into_iter();
        if base.explains && waits.any(|it| base.limits.allowed(it).is_some()) {
            recommendation.least_tasks = relaxation::least_tasks(&trials, &base, &found).await;
        }
        if base.explains {
            recommendation.per_run = per_run::per_run(&trials, &base, &recommendation).await;
        }
        return recommendation;
    }
    relaxation::explained(recommendation, &trials, &base, &found).await
}

/// Searches for the best setting of each strategy.
async fn search_all(trials: &Trials, question: &Question) -> Vec<Found> {
    let lanes = 0..question.strategies.len();
    let searches = lanes.map(async |lane| {
        let mut search = StrategySearch::new(trials, question, lane);
        search.begin().await;
        search.finish().await
    });
    join_all(searches).await
}
