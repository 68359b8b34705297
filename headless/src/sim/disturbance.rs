//! Disturbances that a user injects into lanes to test them.

use timeslicer::time::Nanos;

pub const STALL: Nanos = Nanos::from_millis(500);
pub const POPULATION_STEP: usize = 100;
/// Cost of a task that has become heavy.
pub const HEAVY: Nanos = Nanos::from_millis(20);
pub const SLOW_HZ: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    Stall,
    Births,
    Deaths,
    /// Makes a task cost [`HEAVY`]; a second one restores its cost.
    Heavy,
    AllRequest,
    /// Drops the display to [`SLOW_HZ`]; a second one restores the display.
    SlowDisplay,
    /// Kills all entities; a second one restores their number.
    KillAll,
}

impl Disturbance {
    /// All disturbances, in the order of their buttons.
    pub const ALL: [Self; 7] = [
        Self::Stall,
        Self::SlowDisplay,
        Self::Births,
        Self::Deaths,
        Self::Heavy,
        Self::AllRequest,
        Self::KillAll,
    ];

    pub fn key(self) -> &'static str {
        match self {
            Self::Stall => "stall",
            Self::Births => "births",
            Self::Deaths => "deaths",
            Self::Heavy => "heavy",
            Self::AllRequest => "all-request",
            Self::SlowDisplay => "slow-display",
            Self::KillAll => "kill-all",
        }
    }

    /// Returns the disturbance's label, for its button and its marks on the plots.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stall => "Stall 500 ms",
            Self::Births => "100 births",
            Self::Deaths => "100 deaths",
            Self::Heavy => "One 20 ms task",
            Self::AllRequest => "All request",
            Self::SlowDisplay => "30 Hz display",
            Self::KillAll => "Kill all",
        }
    }

    /// Returns the effect in one sentence, for the button's tooltip.
    pub fn explained(self) -> &'static str {
        match self {
            Self::Stall => "Stalls the machine for half a second.",
            Self::Births => "Adds 100 entities at once.",
            Self::Deaths => "Kills 100 random entities at once.",
            Self::Heavy => "Makes one entity's task cost 20 ms; repeat to restore its cost.",
            Self::AllRequest => {
                "Makes every entity request a run at once; only event-driven strategies respond."
            }
            Self::SlowDisplay => "Drops the display to 30 Hz; repeat to restore it.",
            Self::KillAll => "Kills all entities; repeat to restore their number.",
        }
    }
}
