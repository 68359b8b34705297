//! Effect of the last disturbance on each lane.

use crate::phrase;
use crate::stats::Recovery;
use crate::text::rich::Clause;

/// Effect of a disturbance on a lane.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The strategy does not respond to such a disturbance.
    NotConcerned,
    /// Recovery of the lane.
    Recovery(Recovery),
}

impl Effect {
    /// Returns the effect in a few words, without the name of the disturbance.
    pub fn in_short(&self) -> Clause {
        match self {
            Self::NotConcerned => phrase!["does not apply"].normal(),
            Self::Recovery(recovery) => recovery.effect(),
        }
    }

    /// Returns the whole effect in words, with the name of the disturbance if it concerns the lane.
    pub fn in_full(&self) -> Clause {
        match self {
            Self::NotConcerned => phrase!["the last disturbance does not apply"].normal(),
            Self::Recovery(recovery) => recovery.clause(),
        }
    }
}
