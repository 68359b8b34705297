//! Defines the limits that a game can set, such as the longest time that an entity may wait until its task runs.

use super::trial::Outcome;
use timeslicer::knob::{Knob, Scale};
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::Nanos;

/// The limit on the mean staleness of the entities near the target. It is declared as a knob because it has a command
/// line flag and an input field.
pub const NEAR_LIMIT: Knob = Knob {
    key: "near-ms",
    label: "Staleness near target",
    unit: "ms",
    min: 0.1,
    max: 60_000.0,
    default: 100.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: false,
    help: "Maximum mean staleness of the entities near the target.",
};

/// The limit on the longest wait. It is declared as a knob because it has a command line flag and an input field.
pub const LONGEST_LIMIT: Knob = Knob {
    key: "worst-s",
    label: "Longest wait",
    unit: "s",
    min: 0.001,
    max: 600.0,
    default: 2.0,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "Maximum time that any entity may go without a run.",
};

/// The limits that a game sets. A field that is `None` sets no limit. The limits apply only once every task has run.
///
/// Waits and staleness are limited in game time. If the game runs more slowly than real time, the player may therefore
/// see longer waits. Task time and hitches, however, are always measured on the machine's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum time that a frame may spend on tasks.
    pub tasks: Option<Nanos>,
    /// The maximum mean staleness of the entities near the target.
    pub near: Option<Nanos>,
    /// The longest time that any entity may wait until its task runs.
    pub longest: Option<Nanos>,
    /// True if tasks must not cause hitches, which are frames that take much longer than they should.
    pub no_hitches: bool,
}

impl Default for Limits {
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
    pub const ALL: [Self; 4] = [Self::Tasks, Self::Near, Self::Longest, Self::Hitches];

    /// Returns the knob that declares the flag and the input field of this limit. Returns `None` for the limit on
    /// hitches, which has neither.
    pub fn knob(self) -> Option<&'static Knob> {
        match self {
            Self::Tasks => Some(&BUDGET),
            Self::Near => Some(&NEAR_LIMIT),
            Self::Longest => Some(&LONGEST_LIMIT),
            Self::Hitches => None,
        }
    }

    /// Returns the measured value to compare with this limit. If some tasks never ran, the value for a limit on waits
    /// or staleness is [`Nanos::MAX`]. Returns `None` for [`Limit::Near`] if no entity was near the target.
    pub fn measured(self, outcome: &Outcome) -> Option<Nanos> {
        let known = outcome.staleness.as_ref();
        match self {
            Self::Tasks => Some(outcome.tasks.max),
            Self::Near => known.map_or(Some(Nanos::MAX), |it| it.near),
            Self::Longest => Some(known.map_or(Nanos::MAX, |it| it.worst)),
            Self::Hitches => Some(outcome.longest_hitch),
        }
    }
}

/// A limit that a setting exceeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Broken {
    pub limit: Limit,
    /// The value of the limit. For hitches, this is the maximum length of a frame that does not count as a hitch.
    pub allowed: Nanos,
    /// The measured value, or [`Nanos::MAX`] if some tasks never ran.
    pub measured: Nanos,
}

impl Broken {
    /// Returns the measured value divided by the allowed value, which is always greater than 1.
    pub fn excess(&self) -> f64 {
        let least = Nanos::from_nanos(1);
        self.measured.max(least).over(self.allowed.max(least))
    }

    /// Returns a higher value for the limit, so that the setting no longer exceeds it. This is the measured value,
    /// rounded up to two digits.
    pub fn relaxed(&self) -> Nanos {
        up_to_two_digits(self.measured)
    }
}

impl Limits {
    /// Returns the value of a limit, or `None` if the limit is not set. Always returns `None` for [`Limit::Hitches`],
    /// because hitches are either allowed or forbidden.
    pub fn allowed(&self, limit: Limit) -> Option<Nanos> {
        match limit {
            Limit::Tasks => self.tasks,
            Limit::Near => self.near,
            Limit::Longest => self.longest,
            Limit::Hitches => None,
        }
    }

    /// Returns these limits with one of them relaxed to `value`. If `value` is larger than the maximum of the limit's
    /// knob, the limit is removed. If `limit` is `Hitches`, `value` is ignored, and hitches of any length are allowed.
    pub fn with(mut self, limit: Limit, value: Nanos) -> Self {
        let value = limit
            .knob()
            .and_then(|knob| (value <= knob.span(knob.max)).then_some(value));
        match limit {
            Limit::Tasks => self.tasks = value,
            Limit::Near => self.near = value,
            Limit::Longest => self.longest = value,
            Limit::Hitches => self.no_hitches = false,
        }
        self
    }

    /// Returns the limits that an outcome exceeds. If some tasks never ran, all limits on staleness count as exceeded.
    pub fn broken(&self, outcome: &Outcome) -> Vec<Broken> {
        let broken = Limit::ALL.into_iter().filter_map(|limit| {
            let allowed = match limit {
                Limit::Hitches => self.no_hitches.then_some(outcome.no_hitch)?,
                _ => self.allowed(limit)?,
            };
            let measured = limit.measured(outcome)?;
            (measured > allowed).then_some(Broken {
                limit,
                allowed,
                measured,
            })
        });
        broken.collect()
    }

    /// Returns how far an outcome exceeds the limits, as the product of [`Broken::excess`] over all exceeded limits.
    /// Returns 1 if no limit is exceeded, and infinity if some tasks never ran.
    pub fn excess(&self, outcome: &Outcome) -> f64 {
        if outcome.staleness.is_none() {
            return f64::INFINITY;
        }
        self.broken(outcome).iter().map(Broken::excess).product()
    }

    /// Returns true if every task ran and no limit was exceeded.
    pub fn keeps(&self, outcome: &Outcome) -> bool {
        outcome.staleness.is_some() && self.broken(outcome).is_empty()
    }
}

fn up_to_two_digits(time: Nanos) -> Nanos {
    let nanos = time.as_nanos();
    let unit = 10_u64.pow(nanos.max(1).ilog10().saturating_sub(1));
    Nanos::from_nanos(nanos.div_ceil(unit).saturating_mul(unit))
}
