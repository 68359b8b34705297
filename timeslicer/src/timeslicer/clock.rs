use crate::time::{ClockTime, monotonic};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The clock that measures the cost of runs.
#[derive(Clone, Default)]
pub(super) enum Clock {
    /// The machine's monotonic clock.
    #[default]
    Monotonic,
    /// A clock of the game. Clones of a timeslicer share it.
    Own(Arc<Mutex<dyn FnMut() -> Duration + Send + Sync>>),
}

impl Clock {
    pub(super) fn read(&self) -> ClockTime {
        match self {
            Self::Monotonic => monotonic(),
            Self::Own(clock) => {
                let mut clock = clock.lock().unwrap_or_else(PoisonError::into_inner);
                ClockTime::at(clock().into())
            }
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Monotonic => "Monotonic",
            Self::Own(_) => "Own",
        })
    }
}
