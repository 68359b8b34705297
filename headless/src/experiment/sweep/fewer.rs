//! The number of entities with which a setting keeps all limits, if it breaks one with all of them.

use super::Question;
use super::answer::Choice;
use super::limits::Limits;
use super::outcome::Outcome;
use super::values::between;
use crate::sim::world::ENTITIES;

/// Number of rounds of trials. Each of them leaves a quarter of the range, so the number is exact to a few percent.
const ROUNDS: u32 = 5;

/// A smaller crowd with which all limits are kept.
#[derive(Clone, Debug)]
pub struct Fewer {
    pub entities: u32,
    /// The setting, and its figures with so many entities.
    pub choice: Choice,
}

/// The search for it.
#[derive(Clone, Debug, Default)]
pub(super) struct FewerSearch {
    /// The setting; `None` before the search.
    pub choice: Option<Choice>,
    rounds: u32,
    /// Numbers of entities that were tried, and the outcomes.
    tried: Vec<(f64, Outcome)>,
    limits: Limits,
}

impl FewerSearch {
    /// Returns the numbers of entities to try next; none when the search is over.
    pub fn next(&mut self, question: &Question) -> Vec<f64> {
        self.limits = question.limits;
        self.rounds += 1;
        if self.rounds > ROUNDS {
            return Vec::new();
        }
        let kept = self.kept().map_or(1.0, |(entities, _)| *entities);
        let broken = self
            .tried
            .iter()
            .filter(|(_, outcome)| !self.limits.keeps(outcome));
        let above = broken
            .map(|(entities, _)| *entities)
            .filter(|it| *it > kept);
        between(
            &ENTITIES,
            kept,
            above.fold(question.entities().into(), f64::min),
        )
    }

    pub fn add(&mut self, entities: f64, outcome: Outcome) {
        self.tried.push((entities, outcome));
    }

    /// Returns the largest number that keeps the limits, and its outcome.
    fn kept(&self) -> Option<&(f64, Outcome)> {
        let kept = self.tried.iter();
        let kept = kept.filter(|(_, outcome)| self.limits.keeps(outcome));
        kept.max_by(|(one, _), (other, _)| one.total_cmp(other))
    }

    /// Returns what was found.
    pub fn best(&self) -> Option<Fewer> {
        let (entities, outcome) = self.kept()?;
        Some(Fewer {
            entities: *entities as u32,
            choice: Choice {
                outcome: outcome.clone(),
                ..self.choice.clone()?
            },
        })
    }
}
