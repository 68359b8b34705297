//! The limits that a game sets for its strategy, such as the longest wait of an entity.

use super::outcome::Outcome;
use timeslicer::knob::{Knob, Scale};
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::Nanos;

/// The limit of the mean staleness near the target, declared as a knob because it has a flag and an input field.
pub const NEAR_LIMIT: Knob = Knob {
    key: "near-ms",
    label: "Wait near target",
    unit: "ms",
    min: 0.1,
    max: 60_000.0,
    default: 100.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: false,
    help: "Maximum mean staleness of the entities near the target.",
};

/// The limit of the longest wait, declared as a knob because it has a flag and an input field.
pub const LONGEST_LIMIT: Knob = Knob {
    key: "worst-s",
    label: "Longest wait",
    unit: "s",
    min: 0.001,
    max: 600.0,
    default: 2.0,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "Maximum time that any entity may wait for a run.",
};

/// The limits that a game sets. They apply to all frames after every task has run once. `None` means no limit.
///
/// Waits and staleness are limited in game time. If a frame loop does not keep real time (`unsynced`, or a loop that
/// drops debt or slows the game down because its frames take too long), the player may see longer waits. Task time and
/// hitches are always measured on the machine's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum time that a frame may spend on tasks.
    pub tasks: Option<Nanos>,
    /// The maximum mean staleness near the target.
    pub near: Option<Nanos>,
    /// The maximum staleness of any entity.
    pub longest: Option<Nanos>,
    /// Whether tasks must not cause a hitch.
    pub no_hitches: bool,
}

impl Default for Limits {
    /// By default, tasks must not cause a hitch, and nothing else is limited.
    fn default() -> Self {
        Self {
            tasks: None,
            near: None,
            longest: None,
            no_hitches: true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Tasks,
    Near,
    Longest,
    Hitches,
}

impl Limit {
    /// All limits, in the order of the fields of [`Limits`].
    pub const ALL: [Self; 4] = [Self::Tasks, Self::Near, Self::Longest, Self::Hitches];

    /// Returns the knob that declares the limit's flag and input field; `None` for hitches.
    pub fn knob(self) -> Option<&'static Knob> {
        match self {
            Self::Tasks => Some(&BUDGET),
            Self::Near => Some(&NEAR_LIMIT),
            Self::Longest => Some(&LONGEST_LIMIT),
            Self::Hitches => None,
        }
    }

    /// Returns the measured value that this limit restricts. A staleness is [`Nanos::MAX`] if some tasks never ran, and
    /// `None` if no entity was near the target.
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

/// A limit that a setting breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Broken {
    pub limit: Limit,
    /// The value that the game allows. For hitches, this is the largest frame length that does not count as a hitch.
    pub allowed: Nanos,
    /// The measured value, or [`Nanos::MAX`] if some tasks never ran.
    pub measured: Nanos,
}

impl Broken {
    /// Returns the measured value as a multiple of the allowed value. It is greater than 1.
    pub fn excess(&self) -> f64 {
        let least = Nanos::from_nanos(1);
        self.measured.max(least).over(self.allowed.max(least))
    }

    /// Returns the value that would have to be allowed: the measured value, rounded up to two digits.
    pub fn relaxed(&self) -> Nanos {
        up_to_two_digits(self.measured)
    }
}

impl Limits {
    /// Returns the allowed value of a limit; `None` if the limit is not set, and for hitches.
    pub fn allowed(&self, limit: Limit) -> Option<Nanos> {
        match limit {
            Limit::Tasks => self.tasks,
            Limit::Near => self.near,
            Limit::Longest => self.longest,
            Limit::Hitches => None,
        }
    }

    /// Returns the limits with `limit` relaxed to `to`. The limit is removed if `to` is larger than its knob allows. If
    /// `limit` is `Hitches`, hitches of any length are allowed.
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

    /// Returns the limits that an outcome breaks, in the order of the fields. If some tasks never ran, the limits of
    /// staleness are broken.
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

    /// Returns how far an outcome is from keeping the limits: the product of the excesses over all broken limits. It is
    /// 1 if all limits are kept, and infinity if some tasks never ran.
    pub fn excess(&self, of: &Outcome) -> f64 {
        if of.staleness.is_none() {
            return f64::INFINITY;
        }
        self.broken(of).iter().map(Broken::excess).product()
    }

    /// Returns true if an outcome keeps all limits and every task ran.
    pub fn keeps(&self, of: &Outcome) -> bool {
        of.staleness.is_some() && self.broken(of).is_empty()
    }
}

fn up_to_two_digits(time: Nanos) -> Nanos {
    let nanos = time.as_nanos();
    let unit = 10_u64.pow(nanos.max(1).ilog10().saturating_sub(1));
    Nanos::from_nanos(nanos.div_ceil(unit).saturating_mul(unit))
}
