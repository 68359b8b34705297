//! Entities, and the data that a run of a task needs.

use super::entity::{Cost, Entity};
use super::knobs::{FALLOFF, NEAR};
use super::target::orbit;
use super::{Plane, Point, Significance, Weights};
use timeslicer::scheduler::{AgeList, TaskId};
use timeslicer::time::{GameTime, Nanos};

/// Entities by their task's index, and the data that a run of a task needs.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(super) entities: Vec<Entity>,
    /// All entities, stalest first: in the order of their last run, or of their birth if they have not run.
    pub(super) by_age: AgeList,
    pub(super) mean_cost_ns: f64,
    pub(super) spread: f64,
    pub(super) target: Point,
    pub(super) significance: Significance,
}

impl Crowd {
    /// Creates an empty crowd, with the target at the start of its orbit.
    pub(super) fn new() -> Self {
        Self {
            entities: Vec::new(),
            by_age: AgeList::new(),
            mean_cost_ns: 0.0,
            spread: 0.0,
            target: orbit(GameTime::START),
            significance: Significance::new(NEAR.default, FALLOFF.default),
        }
    }

    /// Returns the weights of all places of `plane`, with the target where it is now.
    #[must_use]
    pub fn weights(&self, plane: Plane) -> Weights {
        Weights {
            significance: self.significance,
            plane,
            target: self.target,
        }
    }

    /// Returns the cost of a run of `task`, which must be alive.
    #[must_use]
    pub fn cost(&self, task: TaskId) -> Nanos {
        match self.entities[task.index as usize].cost {
            Cost::Usual { weight, .. } => Nanos::from_nanos_f64(self.mean_cost_ns * weight),
            Cost::Heavy(cost) => cost,
        }
    }

    /// Records a run of `task`: its entity looks at the target's current position. Returns the entity's number, and
    /// true if this is its first run.
    pub(crate) fn ran(&mut self, task: TaskId, now: GameTime, elapsed: Nanos) -> (u64, bool) {
        self.by_age.move_to_end(task);
        let entity = &mut self.entities[task.index as usize];
        let first = entity.ran(now, elapsed, self.target);
        (entity.number, first)
    }
}
