//! Display that a lane's frames are measured against.

use crate::sim::disturbance::SLOW_HZ;
use crate::sim::machine::DISPLAY_HZ;
use crate::sim::settings::Settings;
use timeslicer::time::{Nanos, Periods};

#[derive(Clone, Copy, Debug)]
pub(super) struct Display {
    /// Period of a display that is not slow.
    pub(super) own_period: Nanos,
    /// Whether the display has dropped to [`SLOW_HZ`].
    pub(super) is_slow: bool,
}

impl Display {
    /// Returns the display of a simulated machine.
    pub(super) fn of(settings: &Settings) -> Self {
        let hz = settings.knobs.get(&DISPLAY_HZ);
        Self {
            own_period: Periods::new(hz).next_period(),
            is_slow: false,
        }
    }

    pub(super) fn period(&self) -> Nanos {
        if self.is_slow {
            self.own_period.max(Nanos::from_secs_f64(1.0 / SLOW_HZ))
        } else {
            self.own_period
        }
    }
}
