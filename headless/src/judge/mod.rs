//! Finds the best strategy and setting for a game by trying many of them. A sweep simulates each strategy with many
//! values of its most important knob, and checks which results stay within the limits of the game.
//!
//! - this file: a sweep, which decides what to try next and stores the outcomes
//! - `trial`: the simulation of one setting, and its results
//! - `limits`: the limits that a game sets
//! - `curve`: the settings of one strategy that have been tried, and the search for the best of them; `values`: the
//!   knob values to try
//! - `recommendation`: the recommended setting, and why the other strategies are not recommended; `words`: the
//!   recommendation in sentences
//! - `fewer`: the number of entities with which a setting would stay within the limits, if every setting exceeds one
//! - `seeds`: whether a setting also stays within the limits with other random seeds
//! - `crossovers`: sweeps at several values of another knob
//! - `times`: staleness as a multiple of the minimum or of the best, for charts
//! - `slices`: simulations in short time slices, for a web page
//!
//! Simulations do not depend on each other, and which simulations come next depends only on earlier outcomes. A sweep
//! therefore has the same result for any number of threads. The threads are started by `io::threads`.

mod crossovers;
mod curve;
mod fewer;
mod limits;
mod recommendation;
mod seeds;
mod slices;
mod times;
mod trial;
mod values;
mod words;

pub use crossovers::{Column, Crossovers, OVER, Range, Reach, over_by_key};
pub use curve::{Curve, Point, Setting};
pub use fewer::Fewer;
pub use limits::{Broken, LONGEST_LIMIT, Limit, Limits, NEAR_LIMIT};
pub use recommendation::{Choice, Measured, Other, Recommendation, Relaxation};
pub use seeds::{OTHER_SEEDS, SeedCheck};
pub use slices::Slices;
pub use times::{Reference, Tuned};
pub use trial::{Objective, Outcome, Staleness, Trial};
pub use words::Card;

use crate::sim::lane::Length;
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, ENTITIES};
use fewer::FewerSearch;
use seeds::SeedSearch;
use timeslicer::strategy::StrategyEntry;

/// The default number of knob values to try for each strategy.
pub const STEPS: u32 = 24;

/// The number of additional rounds of simulations if every setting exceeds a limit. They search for the smallest change
/// to a limit that lets a setting stay within all limits. Each round reduces the distance between the tried knob values
/// to about a quarter.
const RELAXATION_ROUNDS: u32 = 2;

/// The input of a sweep. It says what to simulate, and what the best setting must achieve.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The settings of all simulations, apart from the strategy and the knob values that the sweep tries.
    pub settings: Settings,
    pub strategies: Vec<&'static StrategyEntry>,
    pub length: Length,
    /// The number of knob values to try for each strategy.
    pub steps: u32,
    pub limits: Limits,
    pub objective: Objective,
    /// Whether to run more simulations that help to explain the result. Some of these simulations find out how
    /// strategies that exceed a limit could stay within it. Others check the best settings with other random seeds.
    pub explains: bool,
}

impl Question {
    fn entities(&self) -> u32 {
        self.settings.knobs.get(&ENTITIES) as u32
    }

    /// Returns true if the results of a strategy depend on the random seed, because costs, births or requests are
    /// random.
    fn depends_on_seed(&self, strategy: &StrategyEntry) -> bool {
        let settings = &self.settings;
        settings.costs_differ() || settings.knobs.get(&CHURN) > 0.0 || strategy.on_request()
    }
}

/// A simulation that still has to be run.
#[derive(Clone, Debug)]
pub struct Job {
    pub settings: Settings,
    pub length: Length,
    place: Purpose,
}

/// Identifies what a simulation was run for, so that its outcome can be stored with the right setting.
#[derive(Clone, Copy, Debug, Default)]
struct Purpose {
    sweep: usize,
    curve: usize,
    setting: Setting,
    /// The number to add to the original random seed. `None` unless the simulation checks a setting with other seeds.
    seed: Option<u64>,
    /// The number of entities. `None` if it is the same as in the settings that all simulations share.
    entities: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// Tries different values for the most important knob of each strategy.
    Curves,
    /// For each strategy that exceeds a limit at every value of its most important knob, varies its other knobs, too.
    Remedies,
    /// If every setting exceeds a limit, tries more knob values near the settings that exceed only one limit.
    Relaxations,
    /// If every setting exceeds a limit, tries fewer entities with the setting that exceeds the limits least.
    Fewer,
    /// Tries the best setting and the runner-up with other random seeds.
    OtherSeeds,
    Complete,
}

impl Stage {
    fn next(self) -> Self {
        match self {
            Self::Curves => Self::Remedies,
            Self::Remedies => Self::Relaxations,
            Self::Relaxations => Self::Fewer,
            Self::Fewer => Self::OtherSeeds,
            Self::OtherSeeds | Self::Complete => Self::Complete,
        }
    }
}

/// A set of simulations that run in batches. Each batch depends on the outcomes of the previous batches.
pub trait Plan {
    /// Returns the next batch of simulations. The batch is empty if the plan is complete. Call this only after all
    /// earlier outcomes have been passed to [`Plan::conclude`].
    fn next_jobs(&mut self) -> Vec<Job>;

    fn conclude(&mut self, job: &Job, outcome: Outcome);
}

/// Tries each strategy with many values of its most important knob, and finds the best setting.
#[derive(Clone, Debug)]
pub struct Sweep {
    question: Question,
    curves: Vec<Curve>,
    relaxation_rounds: u32,
    fewer: FewerSearch,
    seeds: Vec<SeedSearch>,
    stage: Stage,
    batches: u32,
}

impl Sweep {
    pub fn new(question: Question) -> Self {
        let curves = question.strategies.iter();
        Self {
            curves: curves.map(|strategy| Curve::new(strategy)).collect(),
            stage: match question.entities() {
                0 => Stage::Complete,
                _ => Stage::Curves,
            },
            question,
            relaxation_rounds: 0,
            fewer: FewerSearch::default(),
            seeds: Vec::new(),
            batches: 0,
        }
    }

    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Returns the settings that have been tried for each strategy. The order is the same as in
    /// [`Question::strategies`].
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// Returns true once the search for the best setting is over. If there are no entities, there is nothing to search
    /// for, and the result is true from the start.
    pub fn is_complete(&self) -> bool {
        self.stage == Stage::Complete
    }

    /// Returns the total number of settings with evenly spaced knob values, whether they have been tried yet or not.
    pub fn even_count(&self) -> usize {
        let steps = self.question.steps;
        let count = |curve: &Curve| {
            curve
                .knob
                .map_or(1, |knob| values::spread(knob, steps).len())
        };
        self.curves.iter().map(count).sum()
    }

    /// Returns true once every strategy has been tried with all of its evenly spaced knob values.
    pub fn has_curves(&self) -> bool {
        self.batches > 1 || self.is_complete()
    }

    pub fn recommendation(&self) -> Recommendation {
        Recommendation::new(self)
    }

    /// Replaces the limits and ends the sweep. From then on, the recommendation is based on the settings that have been
    /// tried so far.
    pub fn set_limits(&mut self, limits: Limits) {
        self.question.limits = limits;
        (self.fewer, self.seeds) = Default::default();
        self.stage = Stage::Complete;
    }

    fn choice(&self, curve: usize, point: &Point) -> Choice {
        Choice {
            curve,
            strategy: self.curves[curve].strategy,
            setting: point.setting,
            outcome: point.outcome.clone(),
        }
    }

    fn job(&self, place: Purpose) -> Job {
        let strategy = self.curves[place.curve].strategy;
        let mut settings = Settings {
            strategy,
            ..self.question.settings.clone()
        };
        settings.seed = settings.seed.wrapping_add(place.seed.unwrap_or_default());
        let main = strategy.main_knob().zip(place.setting.value);
        let entities = place.entities.map(|entities| (&ENTITIES, entities));
        for (knob, value) in main.into_iter().chain(place.setting.other).chain(entities) {
            settings.knobs.set(knob, value);
        }
        Job {
            settings,
            length: self.question.length,
            place,
        }
    }

    fn next_of_stage(&mut self) -> Vec<Purpose> {
        let question = &self.question;
        match self.stage {
            Stage::Curves => purposes(&mut self.curves, |curve| curve.next(question)),
            Stage::Remedies if question.explains || self.recommendation().best.is_none() => {
                purposes(&mut self.curves, |curve| curve.next_remedies(question))
            }
            Stage::Relaxations => self.next_relaxations(),
            Stage::Fewer if question.explains => self.next_fewer(),
            Stage::OtherSeeds if question.explains => self.next_seeds(),
            _ => Vec::new(),
        }
    }

    fn next_relaxations(&mut self) -> Vec<Purpose> {
        self.relaxation_rounds += 1;
        let mut places: Vec<Purpose> = Vec::new();
        let recommendation = self.recommendation();
        if self.relaxation_rounds > RELAXATION_ROUNDS || recommendation.best.is_some() {
            return places;
        }
        let nearly_kept = recommendation::nearly_kept(self)
            .into_iter()
            .map(|(_, choice)| choice);
        let relaxations = recommendation.relaxations.into_iter().map(|it| it.choice);
        for Choice { curve, setting, .. } in nearly_kept.chain(relaxations) {
            for setting in self.curves[curve].beside(setting) {
                let is_new = |it: &Purpose| (it.curve, it.setting) != (curve, setting);
                if places.iter().all(is_new) {
                    places.push(Purpose {
                        curve,
                        setting,
                        ..Purpose::default()
                    });
                }
            }
        }
        places
    }

    fn next_fewer(&mut self) -> Vec<Purpose> {
        if self.fewer.choice.is_none() {
            let nearest = self.recommendation().nearest;
            self.fewer.choice =
                nearest.map(|nearest| recommendation::nearest_in_time(self).unwrap_or(nearest));
        }
        let Some(nearest) = self.fewer.choice.clone() else {
            return Vec::new();
        };
        let entities = self.fewer.next(&self.question);
        let place = |entities| Purpose {
            curve: nearest.curve,
            setting: nearest.setting,
            entities: Some(entities),
            ..Purpose::default()
        };
        entities.into_iter().map(place).collect()
    }

    /// Returns the next simulations that check the best setting and the runner-up with other random seeds. The list is
    /// empty if the results do not depend on the seed, or if the check is complete.
    fn next_seeds(&mut self) -> Vec<Purpose> {
        let question = &self.question;
        if self.seeds.is_empty() {
            let Recommendation {
                best, runner_up, ..
            } = self.recommendation();
            let choices = best.into_iter().chain(runner_up);
            let choices = choices.filter(|it| question.depends_on_seed(it.strategy));
            self.seeds = choices.map(SeedSearch::new).collect();
        }
        let curves = &self.curves;
        let places = self.seeds.iter_mut().flat_map(|search| {
            let curve = search.choice.curve;
            let settings = search.next(question, &curves[curve]).into_iter();
            settings.map(move |(setting, seed)| Purpose {
                curve,
                setting,
                seed: Some(seed),
                ..Purpose::default()
            })
        });
        places.collect()
    }
}

fn purposes(
    curves: &mut [Curve],
    next_settings: impl Fn(&mut Curve) -> Vec<Setting>,
) -> Vec<Purpose> {
    let curves = curves.iter_mut().enumerate();
    let places = curves.flat_map(|(curve, of)| {
        let settings = next_settings(of).into_iter();
        settings.map(move |setting| Purpose {
            curve,
            setting,
            ..Purpose::default()
        })
    });
    places.collect()
}

impl Plan for Sweep {
    fn next_jobs(&mut self) -> Vec<Job> {
        self.batches += 1;
        while !self.is_complete() {
            let places = self.next_of_stage();
            if !places.is_empty() {
                return places.into_iter().map(|place| self.job(place)).collect();
            }
            self.stage = self.stage.next();
        }
        Vec::new()
    }

    fn conclude(&mut self, job: &Job, outcome: Outcome) {
        let place = &job.place;
        if let Some(entities) = place.entities {
            self.fewer.add(entities, outcome);
        } else if let Some(seed) = place.seed {
            let mut searches = self.seeds.iter_mut();
            if let Some(search) = searches.find(|it| it.choice.curve == place.curve) {
                search.add(place.setting, seed, outcome);
            }
        } else {
            self.curves[place.curve].add(place.setting, outcome);
        }
    }
}

#[cfg(test)]
mod tests;
