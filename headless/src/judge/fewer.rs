//! Finds out how many entities a game can have without exceeding its limits.

use super::Question;
use super::limits::Limits;
use super::recommendation::Choice;
use super::trial::Outcome;
use super::values::between;
use crate::sim::world::ENTITIES;

/// The number of rounds of simulations. Each round reduces the range of possible results to about a quarter, so the
/// result is accurate to a few percent.
const ROUNDS: u32 = 5;

#[derive(Clone, Debug)]
pub struct Fewer {
    pub entities: u32,
    pub choice: Choice,
}

/// Searches for the largest number of entities with which a setting stays within all limits.
#[derive(Clone, Debug, Default)]
pub(super) struct FewerSearch {
    /// The setting that is tried with fewer entities. `None` before the search starts.
    pub choice: Option<Choice>,
    rounds: u32,
    tried: Vec<(f64, Outcome)>,
    limits: Limits,
}

impl FewerSearch {
    /// Returns the numbers of entities to try next. The list is empty if the search is over.
    pub fn next(&mut self, question: &Question) -> Vec<f64> {
        self.limits = question.limits;
        self.rounds += 1;
        if self.rounds > ROUNDS {
            return Vec::new();
        }
        let kept = self
            .largest_within_limits()
            .map_or(1.0, |(entities, _)| *entities);
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

    fn largest_within_limits(&self) -> Option<&(f64, Outcome)> {
        let kept = self.tried.iter();
        let kept = kept.filter(|(_, outcome)| self.limits.keeps(outcome));
        kept.max_by(|(one, _), (other, _)| one.total_cmp(other))
    }

    /// Returns the largest number of entities so far with which the setting stays within all limits. Returns `None` if
    /// a limit was exceeded in all simulations.
    pub fn best(&self) -> Option<Fewer> {
        let (entities, outcome) = self.largest_within_limits()?;
        Some(Fewer {
            entities: *entities as u32,
            choice: Choice {
                outcome: outcome.clone(),
                ..self.choice.clone()?
            },
        })
    }
}
