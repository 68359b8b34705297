//! Lanes for tests.

use super::Lane;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use timeslice::knob::{Knob, KnobValues};
use timeslice::{frame_loop, strategy};

/// Creates a lane on a simulated machine, without an observer.
pub(crate) fn lane(strategy: &str, set: &[(&Knob, f64)]) -> Lane<Simulated> {
    let settings = settings(strategy, Settings::default().frame_loop.key, set);
    let machine = Simulated::new(&settings.knobs);
    Lane::new(settings, machine)
}

/// Creates settings with this strategy, this frame loop and these knobs.
pub(crate) fn settings(strategy: &str, frame_loop: &str, set: &[(&Knob, f64)]) -> Settings {
    Settings {
        strategy: strategy::by_key(strategy).expect("a strategy"),
        frame_loop: frame_loop::by_key(frame_loop).expect("a frame loop"),
        knobs: KnobValues::with(set),
        ..Settings::default()
    }
}
