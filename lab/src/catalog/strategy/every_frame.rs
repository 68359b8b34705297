use super::{Family, Inspect, StrategyEntry};
use timeslicer::strategy::EveryFrame;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "every-frame",
    name: "Every frame",
    family: Family::Periodic,
    rule: "Runs every task in every update.",
    use_when: "Use it when tasks must be up to date in every frame, or when they are so cheap that all of them fit \
        into one frame.",
    avoid_when: "Avoid it when the crowd may grow, because the time per frame grows with the number of entities.",
    work: "all tasks",
    guarantee: "every task runs in every update",
    source: "the update callbacks of game engines, such as Update in Unity, which run in every frame",
    knobs: &[],
    make: || Box::new(EveryFrame::new()),
    published: None,
    options: &[],
};

impl Inspect for EveryFrame {}
