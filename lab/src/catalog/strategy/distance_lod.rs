use super::knobs::{AS_PUBLISHED, FASTEST, HYSTERESIS, SLOWEST};
use super::published::{Published, distance_lod as published};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::DistanceLod;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "distance-lod",
    name: "Distance LOD",
    family: Family::BySignificance,
    rule: "Runs each task at its own interval, which is shorter for tasks that matter more.",
    use_when: "Use it when only a few of many tasks matter at a time, and every update has time for all due tasks.",
    avoid_when: "Avoid it when the work must fit into a budget no matter how large the crowd grows.",
    work: "all due tasks",
    guarantee: "each task runs within one frame of its own interval",
    source: "Mass LOD (Unreal Engine) and Dynamic Activation of Brain (Pufferfish)",
    knobs: &[FASTEST, SLOWEST, HYSTERESIS, AS_PUBLISHED],
    make: || Box::new(DistanceLod::new()),
    published: Some(Published {
        make: || {
            Box::new(published::DistanceLod::new(
                FASTEST.default_span(),
                SLOWEST.default_span(),
            ))
        },
        knobs: &[FASTEST, SLOWEST],
        defect: "A task may miss its turn when its period changes. Also, tasks born together run together.",
    }),
    options: &[
        ("intervals", &[FASTEST, SLOWEST]),
        ("hysteresis", &[HYSTERESIS]),
    ],
};

impl Inspect for DistanceLod {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_intervals(knobs.span(&FASTEST).into(), knobs.span(&SLOWEST).into());
        self.set_hysteresis(knobs.get(&HYSTERESIS));
    }
}
