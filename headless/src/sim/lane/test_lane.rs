//! Lanes without an observer, for tests.

use super::Lane;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use crate::testing::settings;
use timeslicer::knob::Knob;

/// Creates a lane on a simulated machine, without an observer.
pub(super) fn lane(strategy: &str, set: &[(&Knob, f64)]) -> Lane<Simulated> {
    let settings = settings(strategy, Settings::default().frame_loop.key, set);
    let machine = Simulated::new(&settings.knobs);
    Lane::new(settings, machine)
}
