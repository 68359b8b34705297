//! The display that a lane's frames are held against.

use crate::sim::disturbance::SLOW_HZ;
use crate::sim::machine::DISPLAY_HZ;
use crate::sim::settings::Settings;
use timeslice::time::{Nanos, Periods};

/// A display.
#[derive(Clone, Copy, Debug)]
pub(super) struct Display {
    /// Its own period.
    pub(super) own_period: Nanos,
    /// Whether it has dropped to [`SLOW_HZ`].
    pub(super) is_slow: bool,
}

impl Display {
    /// The display of a simulated machine.
    pub(super) fn of(settings: &Settings) -> Self {
        let hz = settings.knobs.get(&DISPLAY_HZ);
        Self {
            own_period: Periods::new(hz).next_period(),
            is_slow: false,
        }
    }

    /// The time between two refreshes.
    pub(super) fn period(&self) -> Nanos {
        if self.is_slow {
            self.own_period.max(Nanos::from_secs_f64(1.0 / SLOW_HZ))
        } else {
            self.own_period
        }
    }
}
