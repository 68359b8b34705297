//! What a game demands of a strategy.

use super::outcome::Outcome;
use timeslicer::knob::{Knob, Scale};
use timeslicer::time::Nanos;

/// Limit of the mean staleness near the target, as a flag and as a field.
pub const NEAR_LIMIT: Knob = Knob {
    key: "near-ms",
    label: "Wait near target",
    unit: "ms",
    min: 0.0,
    max: 60_000.0,
    default: 100.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: false,
    help: "Largest mean staleness of the entities near the target.",
};

/// Limit of the longest wait, as a flag and as a field.
pub const LONGEST_LIMIT: Knob = Knob {
    key: "worst-s",
    label: "Longest wait",
    unit: "s",
    min: 0.0,
    max: 600.0,
    default: 2.0,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "Longest time that any entity may wait for a run.",
};

/// The limits of a game, for every frame after the first round. A limit of `None` allows everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time that a frame may spend on tasks.
    pub tasks: Option<Nanos>,
    /// Mean staleness near the target.
    pub near: Option<Nanos>,
    /// Staleness of any entity.
    pub longest: Option<Nanos>,
    /// True if tasks may not cause a hitch.
    pub no_hitches: bool,
}

impl Default for Limits {
    /// Returns the limits of a game that has not said more: tasks may not cause a hitch.
    fn default() -> Self {
        Self {
            tasks: None,
            near: None,
            longest: None,
            no_hitches: true,
        }
    }
}

/// One of the [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Tasks,
    Near,
    Longest,
    Hitches,
}

impl Limit {
    /// All of them, in the order of their fields.
    pub const ALL: [Self; 4] = [Self::Tasks, Self::Near, Self::Longest, Self::Hitches];
}

/// A limit that a setting does not keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Broken {
    pub limit: Limit,
    /// What the game allows. For hitches, the longest frame that is none.
    pub allowed: Nanos,
    /// What was measured. [`Nanos::MAX`] if not every task ran.
    pub measured: Nanos,
}

impl Broken {
    /// Returns the measured value as a multiple of the allowed one; more than 1.
    pub fn excess(&self) -> f64 {
        let least = Nanos::from_nanos(1);
        self.measured.max(least).over(self.allowed.max(least))
    }
}

impl Limits {
    /// Returns the allowed value of a limit; `None` if there is no such limit.
    pub fn allowed(&self, limit: Limit) -> Option<Nanos> {
        match limit {
            Limit::Tasks => self.tasks,
            Limit::Near => self.near,
            Limit::Longest => self.longest,
            Limit::Hitches => None,
        }
    }

    /// Returns the limits that an outcome breaks, in the order of their fields. A setting with which not every task ran
    /// breaks those of staleness.
    pub fn broken(&self, of: &Outcome) -> Vec<Broken> {
        let known = of.staleness.as_ref();
        let near = known.map_or(Some(Nanos::MAX), |it| it.near);
        let longest = known.map_or(Nanos::MAX, |it| it.worst);
        let hitches = self.no_hitches.then_some(of.no_hitch);
        let all = [
            (Limit::Tasks, self.tasks, of.tasks.max),
            (Limit::Near, self.near, near.unwrap_or_default()),
            (Limit::Longest, self.longest, longest),
            (Limit::Hitches, hitches, of.longest_hitch),
        ];
        let broken = all.into_iter().filter_map(|(limit, allowed, measured)| {
            let allowed = allowed?;
            (measured > allowed).then_some(Broken {
                limit,
                allowed,
                measured,
            })
        });
        broken.collect()
    }

    /// Returns how far an outcome is from keeping the limits: the product of what it exceeds them by; 1 if it keeps all of
    /// them, and infinity if not every task ran.
    pub fn excess(&self, of: &Outcome) -> f64 {
        if of.staleness.is_none() {
            return f64::INFINITY;
        }
        self.broken(of).iter().map(Broken::excess).product()
    }

    /// Returns true if a setting keeps all limits, and every task ran with it.
    pub fn keeps(&self, of: &Outcome) -> bool {
        of.staleness.is_some() && self.broken(of).is_empty()
    }
}
