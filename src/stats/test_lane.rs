//! Measured lanes for tests.

use super::MeasuredLane;
use crate::sim::lane::test_lane::settings;
use crate::sim::machine::Simulated;
use crate::sim::settings::Settings;
use timeslice::knob::Knob;

/// Returns a lane of `strategy` with these knobs, on a simulated machine.
pub(crate) fn lane(strategy: &str, set: &[(&Knob, f64)]) -> MeasuredLane<Simulated> {
    lane_of(strategy, Settings::default().frame_loop.key, set)
}

/// Returns a lane of `strategy` under `frame_loop`.
pub(crate) fn lane_of(
    strategy: &str,
    frame_loop: &str,
    set: &[(&Knob, f64)],
) -> MeasuredLane<Simulated> {
    let settings = settings(strategy, frame_loop, set);
    let machine = Simulated::new(&settings.knobs);
    MeasuredLane::new(settings, machine)
}
