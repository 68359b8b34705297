//! Disturbances: what a user injects into lanes to test them.

use timeslice::time::Nanos;

/// How long a stall lasts.
pub const STALL: Nanos = Nanos::from_millis(500);
/// Number of entities that are born or die at once.
pub const POPULATION_STEP: usize = 100;
/// Cost of a task that has become heavy.
pub const HEAVY: Nanos = Nanos::from_millis(20);
/// The refresh rate that a display drops to.
pub const SLOW_HZ: f64 = 30.0;

/// A disturbance of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// Something outside stalls the machine for [`STALL`].
    Stall,
    /// [`POPULATION_STEP`] entities are born.
    Births,
    /// [`POPULATION_STEP`] entities die, anywhere.
    Deaths,
    /// One entity's task costs [`HEAVY`] from now on.
    Heavy,
    /// All entities ask for a run.
    AllRequest,
    /// The display drops to [`SLOW_HZ`]; the second time it recovers.
    SlowDisplay,
    /// All entities die; the second time as many are born as lived before.
    KillAll,
}

impl Disturbance {
    /// All of them, in the order of their buttons.
    pub const ALL: [Self; 7] = [
        Self::Stall,
        Self::SlowDisplay,
        Self::Births,
        Self::Deaths,
        Self::Heavy,
        Self::AllRequest,
        Self::KillAll,
    ];

    /// Its name on its button and on the plots.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stall => "Stall 500 ms",
            Self::Births => "100 births",
            Self::Deaths => "100 deaths",
            Self::Heavy => "One of 20 ms",
            Self::AllRequest => "All request",
            Self::SlowDisplay => "30 Hz display",
            Self::KillAll => "Nobody",
        }
    }

    /// Whether it changes what runs, so that figures before and after are not comparable.
    #[must_use]
    pub fn lasts(self) -> bool {
        !matches!(self, Self::Stall | Self::AllRequest)
    }

    /// Its effect, in one sentence.
    #[must_use]
    pub fn explained(self) -> &'static str {
        match self {
            Self::Stall => "Something outside stalls the machine for half a second.",
            Self::Births => "A hundred entities are born at once.",
            Self::Deaths => "A hundred entities die at once, anywhere in the crowd.",
            Self::Heavy => "One entity's task costs 20 ms from now on.",
            Self::AllRequest => {
                "All entities ask for a run at once; only strategies that run on request listen."
            }
            Self::SlowDisplay => "The display drops to 30 Hz; again: it is itself again.",
            Self::KillAll => {
                "All entities die; the second time as many are born as lived before, or 400."
            }
        }
    }
}
