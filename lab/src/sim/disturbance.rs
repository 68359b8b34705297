//! Disturbances that the user can inject into a running game to see how the strategy copes with them.

use timeslicer::time::Nanos;

pub const STALL: Nanos = Nanos::from_millis(500);
pub const POPULATION_STEP: usize = 100;
/// The task cost that [`Disturbance::Heavy`] gives to a single task.
pub const HEAVY: Nanos = Nanos::from_millis(20);
pub const SLOW_HZ: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    Stall,
    Births,
    Deaths,
    /// Makes one task cost [`HEAVY`]. Injecting this disturbance again restores the task's original cost.
    Heavy,
    AllRequest,
    /// Lowers the display's refresh rate to [`SLOW_HZ`]. Injecting this disturbance again restores the original rate.
    SlowDisplay,
    /// Kills all entities. Injecting this disturbance again restores the original number of entities.
    KillAll,
}

impl Disturbance {
    /// All disturbances, in the order in which their buttons appear.
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

    /// Returns a short label for the button of the disturbance and for its marks in the plots.
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

    /// Returns a sentence that describes the effect, for the tooltip of the button.
    pub fn explained(self) -> &'static str {
        match self {
            Self::Stall => "Stalls the machine for half a second.",
            Self::Births => "Adds 100 entities at once.",
            Self::Deaths => "Kills 100 random entities at once.",
            Self::Heavy => "Makes one entity's task cost 20 ms. Repeat to restore the usual cost.",
            Self::AllRequest => {
                "Makes all entities request a run at the same time. Only event-driven strategies respond."
            }
            Self::SlowDisplay => "Slows the display down to 30 Hz. Repeat to restore it.",
            Self::KillAll => "Kills all entities. Repeat to restore the population.",
        }
    }
}
