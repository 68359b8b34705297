//! Every strategy over its main knob, held against the limits of a game: the best setting, and why not the others.
//!
//! - this file: a sweep, which says what to try next and keeps what was tried
//! - `outcome`: a trial of a setting, and its figures
//! - `limits`: what a game demands
//! - `curve`: a strategy over its main knob, and the search for its best setting; `values`: the knob's values
//! - `answer`: what to use, and why not the others
//! - `crossovers`: a sweep at each of several values of another knob
//! - `execution`: trials on threads, or in slices of time
//!
//! Trials do not depend on each other, and which are next depends only on the outcomes of the earlier ones. So a sweep has
//! the same result whatever the number of threads.

mod answer;
mod crossovers;
mod curve;
mod execution;
mod limits;
mod outcome;
mod values;

pub use answer::{Answer, Choice, Other, Relaxation};
pub use crossovers::{Column, Crossovers, OVER, Range, over_by_key};
pub use curve::{Curve, Point, Setting};
pub use execution::{Slices, run_on_threads};
pub use limits::{Broken, LONGEST_LIMIT, Limit, Limits, NEAR_LIMIT};
pub use outcome::{Goal, Outcome, Staleness, Trial};

use crate::sim::lane::Length;
use crate::sim::settings::Settings;
use crate::sim::world::CHURN;
use timeslicer::strategy::StrategyEntry;

/// Number of values of the main knob unless the user wants others.
pub const STEPS: u32 = 24;

/// Number of other seeds that the best setting is tried with if chance decides about the work of an update.
const OTHER_SEEDS: u64 = 2;

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
    /// True if the answer is to say what would save the strategies that break a limit, and whether the best setting keeps
    /// the limits with other seeds, too. That takes more trials.
    pub explains: bool,
}

/// A trial to make.
#[derive(Clone, Debug)]
pub struct Job {
    pub settings: Settings,
    pub length: Length,
    place: Place,
}

/// What a job is for.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Index of the sweep, if there are several.
    sweep: usize,
    curve: usize,
    setting: Setting,
    /// Number of the seed after that of the question.
    seed: u64,
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
    /// Outcomes of the best setting with other seeds.
    other_seeds: Vec<Outcome>,
    tried_other_seeds: bool,
    is_complete: bool,
    batches: u32,
}

impl Sweep {
    pub fn new(question: Question) -> Self {
        let curves = question.strategies.iter();
        Self {
            curves: curves.map(|strategy| Curve::new(strategy)).collect(),
            question,
            other_seeds: Vec::new(),
            tried_other_seeds: false,
            is_complete: false,
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

    /// Returns true when the search for the best setting is over.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns true when every curve has the values that divide the knob's range evenly.
    pub fn has_curves(&self) -> bool {
        self.batches > 1 || self.is_complete
    }

    /// Returns what to use, by the trials so far.
    pub fn answer(&self) -> Answer {
        Answer::new(&self.question, &self.curves, &self.other_seeds)
    }

    /// Returns the settings of a trial.
    fn settings(&self, curve: usize, setting: Setting, seed: u64) -> Settings {
        let strategy = self.curves[curve].strategy;
        let mut settings = Settings {
            strategy,
            ..self.question.settings.clone()
        };
        settings.seed = settings.seed.wrapping_add(seed);
        let main = strategy.main_knob().zip(setting.value);
        for (knob, value) in main.into_iter().chain(setting.other) {
            settings.knobs.set(knob, value);
        }
        settings
    }

    fn job(&self, curve: usize, setting: Setting, seed: u64) -> Job {
        Job {
            settings: self.settings(curve, setting, seed),
            length: self.question.length,
            place: Place {
                sweep: 0,
                curve,
                setting,
                seed,
            },
        }
    }

    /// Returns trials of the best setting with other seeds, if chance decides about the work of an update.
    fn other_seeds(&self) -> Vec<Job> {
        let settings = &self.question.settings;
        let is_random = settings.costs_differ() || settings.knobs.get(&CHURN) > 0.0;
        let best = self.answer().best.filter(|_| is_random);
        let seeds = (1..=OTHER_SEEDS).filter_map(|seed| {
            let best = best.as_ref()?;
            Some(self.job(best.curve, best.setting, seed))
        });
        seeds.collect()
    }
}

impl Plan for Sweep {
    fn next_jobs(&mut self) -> Vec<Job> {
        self.batches += 1;
        let question = &self.question;
        let mut jobs = Vec::new();
        for curve in 0..self.curves.len() {
            let value_of = |knob: &_| question.settings.knobs.get(knob);
            let next = self.curves[curve].next(question, value_of);
            jobs.extend(next.into_iter().map(|setting| (curve, setting)));
        }
        let jobs = jobs.into_iter();
        let mut jobs: Vec<Job> = jobs
            .map(|(curve, setting)| self.job(curve, setting, 0))
            .collect();
        let explains = self.question.explains;
        if jobs.is_empty() && explains && !std::mem::replace(&mut self.tried_other_seeds, true) {
            jobs = self.other_seeds();
        }
        self.is_complete = jobs.is_empty();
        jobs
    }

    fn conclude(&mut self, job: &Job, outcome: Outcome) {
        if job.place.seed > 0 {
            self.other_seeds.push(outcome);
        } else {
            self.curves[job.place.curve].add(job.place.setting, outcome);
        }
    }
}

#[cfg(test)]
mod tests;
