//! Defines the limits that a game can set, such as the longest time that an entity may wait until its task runs.

use super::trial::Outcome;
use super::values::to_digits;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::knobs::BUDGET;
use timeslicer::time::Nanos;

/// The limit on the mean staleness near the target. It is a knob because it has a command line flag and an input field.
pub const NEAR_LIMIT: Knob = Knob {
    key: "near-ms",
    label: "Staleness near target",
    min: 0.1,
    max: 60_000.0,
    default: 100.0,
    help: "Maximum mean staleness of the entities near the target.",
    ..Knob::MILLIS
};

/// The limit on the longest wait. It is declared as a knob because it has a command line flag and an input field.
pub const LONGEST_LIMIT: Knob = Knob {
    key: "worst-s",
    label: "Longest wait",
    min: 0.001,
    max: 600.0,
    default: 2.0,
    help: "Maximum time that any entity may go without a run.",
    ..Knob::SECONDS
};

/// The limit on the wait of requests. It is declared as a knob because it has a command line flag and an input field.
pub const WAIT_LIMIT: Knob = Knob {
    key: "wait-ms",
    label: "Wait of requests",
    min: 0.1,
    max: 600_000.0,
    default: 100.0,
    help: "Maximum time from a request until its task runs.",
    ..Knob::MILLIS
};

/// The frame rate counts as held if the mean frame length is at most this multiple of the length without tasks.
pub(super) const MEAN_FRAME_TOLERANCE: f64 = 1.02;

/// The limits that a game sets. A field that is `None` sets no limit. The limits apply only once every task has run.
///
/// Waits and staleness are limited in game time. If the game runs more slowly than real time, the player may therefore
/// see longer waits. Task time and frames, however, are always measured on the machine's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The maximum time that a frame may spend on tasks.
    pub tasks: Option<Nanos>,
    /// The maximum mean staleness of the entities near the target.
    pub near: Option<Nanos>,
    /// The longest time that any entity may wait until its task runs.
    pub longest: Option<Nanos>,
    /// The longest time that any request may wait until its task runs.
    pub wait: Option<Nanos>,
    /// Whether the work is done only on request. Then, only the wait of requests can be limited, not staleness, and
    /// only strategies that run tasks on request are considered.
    pub on_request: bool,
    /// Whether frames may be slow. Otherwise, the frame rate must be held: tasks must not cause hitches, and must not make
    /// the mean frame longer than the display's period or, if that is longer, than drawing alone.
    pub allows_slow_frames: bool,
}

/// Something that a limit applies to. The frame rate is a single limit to the user, but it is checked in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Tasks,
    Near,
    Longest,
    Wait,
    Hitches,
    MeanFrame,
}

impl Limit {
    pub const ALL: [Self; 6] = [
        Self::Tasks,
        Self::Near,
        Self::Longest,
        Self::Wait,
        Self::Hitches,
        Self::MeanFrame,
    ];

    /// The limits that a user can set separately. `Hitches` represents both limits on the frame
    /// rate, on hitches and on the mean frame, which are set together.
    pub const SETTABLE: [Self; 5] = [
        Self::Tasks,
        Self::Longest,
        Self::Near,
        Self::Wait,
        Self::Hitches,
    ];

    /// Returns the knob that declares the flag and the input field of this limit. Limits on the frame rate have none.
    pub fn knob(self) -> Option<&'static Knob> {
        match self {
            Self::Tasks => Some(&BUDGET),
            Self::Near => Some(&NEAR_LIMIT),
            Self::Longest => Some(&LONGEST_LIMIT),
            Self::Wait => Some(&WAIT_LIMIT),
            Self::Hitches | Self::MeanFrame => None,
        }
    }

    /// Returns the name of this limit in JSON, which ends with the unit of [`Limit::in_unit`].
    pub fn json_key(self) -> &'static str {
        match self {
            Self::Tasks => "budget_ms",
            Self::Near => "near_ms",
            Self::Longest => "worst_s",
            Self::Wait => "wait_ms",
            Self::Hitches => "hitch_ms",
            Self::MeanFrame => "frame_ms",
        }
    }

    /// Converts a value of this limit to the unit of its flag.
    pub fn in_unit(self, value: Nanos) -> f64 {
        match self {
            Self::Longest => value.as_secs_f64(),
            _ => value.as_millis_f64(),
        }
    }

    pub fn is_about_frame_rate(self) -> bool {
        self.knob().is_none()
    }

    /// Returns the measured value to compare with this limit. If some tasks never ran, the value for a limit on waits
    /// or staleness is [`Nanos::MAX`]. Returns `None` for [`Limit::Near`] if no entity was near the target, and for
    /// [`Limit::Wait`] if nothing was requested.
    pub fn measured(self, outcome: &Outcome) -> Option<Nanos> {
        let known = outcome.staleness.as_ref();
        match self {
            Self::Tasks => Some(outcome.tasks.max),
            Self::Near => known.map_or(Some(Nanos::MAX), |it| it.near),
            Self::Longest => Some(known.map_or(Nanos::MAX, |it| it.worst)),
            Self::Wait => outcome.request_wait.map(|waits| waits.max),
            Self::Hitches => Some(outcome.longest_hitch),
            Self::MeanFrame => Some(outcome.frames.mean),
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

    /// Returns the measured value, rounded up to two digits. The setting would keep the limit if it had this value.
    pub fn relaxed(&self) -> Nanos {
        Nanos::from_nanos_f64(to_digits(self.measured.as_nanos() as f64, 2, f64::ceil))
    }
}

impl Limits {
    /// Returns true if a limit applies to this kind of work, which is done repeatedly or only on request.
    pub fn concern(&self, limit: Limit) -> bool {
        match limit {
            Limit::Near | Limit::Longest => !self.on_request,
            Limit::Wait => self.on_request,
            Limit::Tasks | Limit::Hitches | Limit::MeanFrame => true,
        }
    }

    /// Returns the value of a limit. `None` if it is not set or does not apply to this kind of work, and for the frame
    /// rate, whose limits have no value.
    pub fn allowed(&self, limit: Limit) -> Option<Nanos> {
        match limit {
            _ if !self.concern(limit) => None,
            _ => self.value(limit),
        }
    }

    /// Returns the value of a limit, even if the limit does not apply to this kind of work.
    pub fn value(&self, limit: Limit) -> Option<Nanos> {
        match limit {
            Limit::Tasks => self.tasks,
            Limit::Near => self.near,
            Limit::Longest => self.longest,
            Limit::Wait => self.wait,
            Limit::Hitches | Limit::MeanFrame => None,
        }
    }

    pub fn is_set(&self, limit: Limit) -> bool {
        self.allowed(limit).is_some() || limit.is_about_frame_rate() && !self.allows_slow_frames
    }

    /// Returns the command-line flags of all limits that differ from the default, without the dashes, and their values.
    /// The value of the limit on task time is left out, because that is the flag of the budget.
    pub fn flags(&self) -> Vec<(&'static str, Option<String>)> {
        let values = [Limit::Near, Limit::Longest, Limit::Wait].into_iter();
        let values = values.filter_map(|limit| {
            let value = limit.in_unit(self.allowed(limit)?);
            Some((limit.knob()?.key, Some(value.to_string())))
        });
        let switches = [
            ("no-budget-limit", self.tasks.is_none()),
            ("allow-slow-frames", self.allows_slow_frames),
            ("on-request", self.on_request),
        ];
        let switches = switches.into_iter().filter(|(_, is_on)| *is_on);
        values.chain(switches.map(|(key, _)| (key, None))).collect()
    }

    /// Returns these limits with `limit` set to `value`, or removed. The two limits on the frame rate change together.
    pub fn with(mut self, limit: Limit, value: Option<Nanos>) -> Self {
        match limit {
            Limit::Tasks => self.tasks = value,
            Limit::Near => self.near = value,
            Limit::Longest => self.longest = value,
            Limit::Wait => self.wait = value,
            Limit::Hitches | Limit::MeanFrame => self.allows_slow_frames = value.is_none(),
        }
        self
    }

    /// Returns the limits with one of them relaxed, or removed if its flag does not allow such a large value, or if it
    /// is a limit on the frame rate.
    pub fn relaxed(self, broken: &Broken) -> Self {
        let (knob, to) = (broken.limit.knob(), broken.relaxed());
        let is_taken = knob.is_some_and(|knob| to <= knob.span(knob.max));
        self.with(broken.limit, is_taken.then_some(to))
    }

    /// Returns the value that a limit allows for an outcome, or `None` if the limit is not set.
    pub(super) fn allowed_for(&self, limit: Limit, outcome: &Outcome) -> Option<Nanos> {
        let of_frame_rate = |allowed| (!self.allows_slow_frames).then_some(allowed);
        match limit {
            Limit::Hitches => of_frame_rate(outcome.no_hitch),
            Limit::MeanFrame => of_frame_rate(Nanos::from_nanos_f64(
                MEAN_FRAME_TOLERANCE * outcome.least_frame.as_nanos() as f64,
            )),
            _ => self.allowed(limit),
        }
    }

    /// Returns the limits that an outcome exceeds. If some tasks never ran, all limits on staleness count as exceeded.
    pub fn broken(&self, outcome: &Outcome) -> Vec<Broken> {
        let broken = Limit::ALL.into_iter().filter_map(|limit| {
            let allowed = self.allowed_for(limit, outcome)?;
            let measured = limit.measured(outcome)?;
            (measured > allowed).then_some(Broken {
                limit,
                allowed,
                measured,
            })
        });
        broken.collect()
    }

    /// Returns the product of [`Broken::excess`] over all exceeded limits, or infinity if some tasks never ran.
    pub fn excess(&self, outcome: &Outcome) -> f64 {
        if !outcome.is_known {
            return f64::INFINITY;
        }
        self.broken(outcome).iter().map(Broken::excess).product()
    }

    /// Returns how close an outcome is to the limits: the product of all measured values, each divided by its limit.
    /// Limits on the frame rate are not included.
    pub(super) fn used(&self, outcome: &Outcome) -> f64 {
        let limits = Limit::SETTABLE.into_iter();
        let used = limits.filter_map(|it| Some((self.allowed(it)?, it.measured(outcome)?)));
        used.map(|(allowed, measured)| measured.over(allowed))
            .product()
    }

    /// Returns true if every task ran and no limit was exceeded.
    pub fn keeps(&self, outcome: &Outcome) -> bool {
        outcome.is_known && self.broken(outcome).is_empty()
    }
}
