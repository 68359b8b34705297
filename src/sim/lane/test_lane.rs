//! Lanes for tests.

use super::Lane;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use timeslice::knob::{Knob, KnobValues};
use timeslice::{frame_loop, strategy};

/// A lane of that strategy with these knobs, on a simulated machine.
pub(crate) fn lane(strategy: &str, set: &[(&Knob, f64)]) -> Lane<Simulated> {
    lane_of(strategy, Settings::default().frame_loop.key, set)
}

/// The same under that frame loop.
pub(crate) fn lane_of(strategy: &str, frame_loop: &str, set: &[(&Knob, f64)]) -> Lane<Simulated> {
    let settings = Settings {
        strategy: strategy::by_key(strategy).expect("a strategy"),
        frame_loop: frame_loop::by_key(frame_loop).expect("a frame loop"),
        knobs: KnobValues::with(set),
        ..Settings::default()
    };
    let machine = Simulated::new(&settings.knobs);
    Lane::new(settings, machine)
}
