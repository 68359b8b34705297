//! Drives the simulations of a comparison together: their clocks and disturbances.

use crate::catalog::knob::KnobValues;
use crate::measure::MeasuredLane;
use crate::sim::disturbance::{Disturbance, SIZES};
use crate::sim::machine::Simulated;
use timeslicer::time::Nanos;

#[derive(Default)]
pub(super) struct Driver {
    /// The time that all simulations have reached.
    pub time: Nanos,
    /// The label of the most recent disturbance that had an effect, such as `100 births`.
    pub last_disturbance: Option<String>,
}

impl Driver {
    /// Advances all simulations to clock time `to`, but stops after about `max_steps` steps. Returns true if all have
    /// reached this time. `clock` returns the time of a simulation, and `frame` runs a frame of it and returns its cost
    /// in steps. The simulation that is furthest behind always goes next. Many short calls therefore give the same
    /// results as a single long one.
    pub fn advance<L>(
        &mut self,
        lanes: impl Iterator<Item = L>,
        clock: impl Fn(&L) -> Nanos,
        frame: impl Fn(&mut L) -> u64,
        to: Nanos,
        max_steps: u64,
    ) -> bool {
        let mut lanes: Vec<L> = lanes.collect();
        let mut steps_left = max_steps;
        loop {
            let Some(slowest) = lanes.iter_mut().min_by_key(|lane| clock(lane)) else {
                self.time = to; // there are no lanes
                return true;
            };
            let reached = clock(slowest);
            if reached >= to || steps_left == 0 {
                self.time = self.time.max(reached.min(to));
                return reached >= to;
            }
            steps_left = steps_left.saturating_sub(frame(slowest));
        }
    }

    /// Applies a disturbance, such as a stall, to all simulations. `sizes` contains its size. `Heavy` makes one task
    /// much more expensive. Applying it again restores the cost in all simulations in which the entity is still alive.
    pub fn disturb<'a>(
        &mut self,
        lanes: impl Iterator<Item = &'a mut MeasuredLane<Simulated>>,
        disturbance: Disturbance,
        sizes: &KnobValues,
    ) {
        let mut lanes: Vec<_> = lanes.collect();
        for lane in &mut lanes {
            for size in &SIZES {
                lane.set_knob(size, sizes.get(size));
            }
        }
        let is_heavy = |lane: &MeasuredLane<Simulated>| lane.world().heavy().is_some();
        let removes = disturbance == Disturbance::Heavy && lanes.iter().any(|lane| is_heavy(lane));
        let lanes = lanes.into_iter().filter(|lane| !removes || is_heavy(lane));
        let labels = lanes.filter_map(|lane| lane.disturb(disturbance));
        if let Some(label) = labels.last() {
            self.last_disturbance = Some(label);
        }
    }
}
