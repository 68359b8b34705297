//! Every strategy over its main knob, held against the limits of a game: the best setting, and why not the others.
//!
//! - this file: a sweep, which says what to try next and keeps what was tried
//! - `outcome`: a trial of a setting, and its figures
//! - `limits`: what a game demands
//! - `curve`: a strategy over its main knob, and the search for its best setting; `values`: the knob's values
//! - `answer`: what to use, and why not the others; `words`: its sentences
//! - `fewer`: how many entities would keep the limits, if nothing else does
//! - `seeds`: whether the limits are kept with other seeds, too
//! - `crossovers`: a sweep at each of several values of another knob
//! - `times`: staleness as a multiple of the minimum or of the best, for charts
//! - `slices`: trials in slices of time, on a page
//!
//! Trials do not depend on each other, and which are next depends only on the outcomes of the earlier ones. So a sweep has
//! the same result whatever the number of threads, which `io::threads` starts.

mod answer;
mod crossovers;
mod curve;
mod fewer;
mod limits;
mod outcome;
mod seeds;
mod slices;
mod times;
mod values;
mod words;

pub use answer::{Answer, Choice, Measured, Other, Relaxation};
pub use crossovers::{Column, Crossovers, OVER, Range, Reach, over_by_key};
pub use curve::{Curve, Point, Setting};
pub use fewer::Fewer;
pub use limits::{Broken, LONGEST_LIMIT, Limit, Limits, NEAR_LIMIT};
pub use outcome::{Goal, Outcome, Staleness, Trial};
pub use seeds::{OTHER_SEEDS, SeedCheck};
pub use slices::Slices;
pub use times::{Tuned, Unit};
pub use words::Card;

use crate::sim::lane::Length;
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, ENTITIES};
use fewer::FewerSearch;
use seeds::SeedSearch;
use timeslicer::strategy::StrategyEntry;

/// Number of values of the main knob unless the user wants others.
pub const STEPS: u32 = 24;

/// Number of rounds of trials that seek the least relaxation of a limit. Each leaves about a quarter of the distance between
/// two values.
const RELAXATIONS: u32 = 2;

/// What is swept, and for what.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Settings of all lanes. The strategy, and the values of the main knobs, are replaced.
    pub settings: Settings,
    pub strategies: Vec<&'static StrategyEntry>,
    pub length: Length,
    /// Number of values of each main knob.
    pub steps: u32,
    pub limits: Limits,
    pub goal: Goal,
    /// True if the answer is to say what would save the strategies that break a limit, and whether the best setting and the
    /// runner-up keep the limits with other seeds, too. That takes more trials.
    pub explains: bool,
}

impl Question {
    fn entities(&self) -> u32 {
        self.settings.knobs.get(&ENTITIES) as u32
    }

    /// Returns true if a strategy does something else with another seed: if chance decides about costs, births or requests.
    fn depends_on_seed(&self, strategy: &StrategyEntry) -> bool {
        let settings = &self.settings;
        settings.costs_differ() || settings.knobs.get(&CHURN) > 0.0 || strategy.on_request()
    }
}

/// A trial to make.
#[derive(Clone, Debug)]
pub struct Job {
    pub settings: Settings,
    pub length: Length,
    place: Purpose,
}

/// What a job is for.
#[derive(Clone, Copy, Debug, Default)]
struct Purpose {
    /// Index of the sweep, if there are several.
    sweep: usize,
    curve: usize,
    setting: Setting,
    /// Number of the seed, counted from that of the question, if other seeds are tried.
    seed: Option<u64>,
    /// Number of entities, if it is another than that of the question.
    entities: Option<f64>,
}

/// What a sweep does now.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// Tries values of the main knobs.
    Curves,
    /// Tries other values of other knobs for the strategies that keep the limits with no value of their main knob.
    Remedies,
    /// Tries values beside the settings that break a single limit, if no setting keeps all of them.
    Relaxations,
    /// Tries the nearest setting with fewer entities, if no setting keeps the limits.
    Fewer,
    /// Tries the best setting and the runner-up with other seeds.
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

/// Something that needs trials, each batch of which depends on the outcomes of the last.
pub trait Plan {
    /// Returns the trials to make next; none if it is complete. All earlier ones have been concluded.
    fn next_jobs(&mut self) -> Vec<Job>;

    fn conclude(&mut self, job: &Job, outcome: Outcome);
}

/// Every strategy over its main knob.
#[derive(Clone, Debug)]
pub struct Sweep {
    question: Question,
    curves: Vec<Curve>,
    /// Number of rounds of trials that seek the least relaxation of a limit.
    relaxed: u32,
    fewer: FewerSearch,
    /// Trials of the best setting and of the runner-up with other seeds, if they depend on the seed.
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
            relaxed: 0,
            fewer: FewerSearch::default(),
            seeds: Vec::new(),
            batches: 0,
        }
    }

    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Returns a curve for each strategy of the question.
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// Returns true when the search for the best setting is over. It is over at once if there are no entities.
    pub fn is_complete(&self) -> bool {
        self.stage == Stage::Complete
    }

    /// Returns the number of settings that divide the main knobs' ranges evenly, tried or not.
    pub fn even_count(&self) -> usize {
        let steps = self.question.steps;
        let count = |curve: &Curve| {
            curve
                .knob
                .map_or(1, |knob| values::spread(knob, steps).len())
        };
        self.curves.iter().map(count).sum()
    }

    /// Returns true when every curve has the values that divide the knob's range evenly.
    pub fn has_curves(&self) -> bool {
        self.batches > 1 || self.is_complete()
    }

    /// Returns what to use, by the trials so far.
    pub fn answer(&self) -> Answer {
        Answer::new(self)
    }

    /// Replaces the limits. The answer is by the trials so far, and no more are made.
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

    /// Returns the trials of the present stage that come next; none if it is over.
    fn next_of_stage(&mut self) -> Vec<Purpose> {
        let question = &self.question;
        match self.stage {
            Stage::Curves => places(&mut self.curves, |curve| curve.next(question)),
            Stage::Remedies if question.explains || self.answer().best.is_none() => {
                places(&mut self.curves, |curve| curve.next_remedies(question))
            }
            Stage::Relaxations => self.next_relaxations(),
            Stage::Fewer if question.explains => self.next_fewer(),
            Stage::OtherSeeds if question.explains => self.next_seeds(),
            _ => Vec::new(),
        }
    }

    fn next_relaxations(&mut self) -> Vec<Purpose> {
        self.relaxed += 1;
        let mut places: Vec<Purpose> = Vec::new();
        let answer = self.answer();
        if self.relaxed > RELAXATIONS || answer.best.is_some() {
            return places;
        }
        let nearly_kept = answer::nearly_kept(self)
            .into_iter()
            .map(|(_, choice)| choice);
        let relaxations = answer.relaxations.into_iter().map(|it| it.choice);
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
            let nearest = self.answer().nearest;
            self.fewer.choice =
                nearest.map(|nearest| answer::nearest_in_time(self).unwrap_or(nearest));
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

    /// Returns trials of the best setting and of the runner-up with other seeds, if they depend on the seed.
    fn next_seeds(&mut self) -> Vec<Purpose> {
        let question = &self.question;
        if self.seeds.is_empty() {
            let Answer {
                best, runner_up, ..
            } = self.answer();
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

/// Returns the places of the settings that each curve asks for.
fn places(curves: &mut [Curve], ask: impl Fn(&mut Curve) -> Vec<Setting>) -> Vec<Purpose> {
    let curves = curves.iter_mut().enumerate();
    let places = curves.flat_map(|(curve, of)| {
        let settings = ask(of).into_iter();
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
