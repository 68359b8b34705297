//! What a game demands of a strategy.

use super::outcome::Outcome;
use timeslicer::knob::{Knob, Scale};
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::Nanos;

/// Limit of the mean staleness near the target, as a flag and as a field.
pub const NEAR_LIMIT: Knob = Knob {
    key: "near-ms",
    label: "Wait near target",
    unit: "ms",
    min: 0.1,
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
    min: 0.001,
    max: 600.0,
    default: 2.0,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "Longest time that any entity may wait for a run.",
};

/// The limits of a game, for every frame after the first round. A limit of `None` allows everything.
///
/// Waits and staleness are in game time. If a frame loop does not keep real time (`unsynced`, or a loop that drops debt or
/// slows the game down because its frames take too long), the limits bound waits in the game, not by the player's clock.
/// Task time and hitches are by the machine's clock under every loop.
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

    /// Returns the knob that declares the limit's flag and field; `None` for hitches.
    pub fn knob(self) -> Option<&'static Knob> {
        match self {
            Self::Tasks => Some(&BUDGET),
            Self::Near => Some(&NEAR_LIMIT),
            Self::Longest => Some(&LONGEST_LIMIT),
            Self::Hitches => None,
        }
    }

    /// Returns the measured value that the limit is about. [`Nanos::MAX`] if not every task ran; `None` if no entity was
    /// near the target.
    pub fn measured(self, of: &Outcome) -> Option<Nanos> {
        let known = of.staleness.as_ref();
        match self {
            Self::Tasks => Some(of.tasks.max),
            Self::Near => known.map_or(Some(Nanos::MAX), |it| it.near),
            Self::Longest => Some(known.map_or(Nanos::MAX, |it| it.worst)),
            Self::Hitches => Some(of.longest_hitch),
        }
    }
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

    /// Returns what would have to be allowed: the measured value, rounded up to two digits.
    pub fn relaxed(&self) -> Nanos {
        up_to_two_digits(self.measured)
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

    /// Returns the limits with `limit` relaxed to `to`. There is no such limit then if `to` is more than its field takes.
    /// Hitches are allowed, however long.
    pub fn with(mut self, limit: Limit, to: Nanos) -> Self {
        let to = limit
            .knob()
            .and_then(|knob| (to <= knob.span(knob.max)).then_some(to));
        match limit {
            Limit::Tasks => self.tasks = to,
            Limit::Near => self.near = to,
            Limit::Longest => self.longest = to,
            Limit::Hitches => self.no_hitches = false,
        }
        self
    }

    /// Returns the limits that an outcome breaks, in the order of their fields. A setting with which not every task ran
    /// breaks those of staleness.
    pub fn broken(&self, of: &Outcome) -> Vec<Broken> {
        let broken = Limit::ALL.into_iter().filter_map(|limit| {
            let allowed = match limit {
                Limit::Hitches => self.no_hitches.then_some(of.no_hitch)?,
                _ => self.allowed(limit)?,
            };
            let measured = limit.measured(of)?;
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

/// Rounds a time up to two digits.
fn up_to_two_digits(time: Nanos) -> Nanos {
    let nanos = time.as_nanos();
    let unit = 10_u64.pow(nanos.max(1).ilog10().saturating_sub(1));
    Nanos::from_nanos(nanos.div_ceil(unit).saturating_mul(unit))
}
