//! Copies of strategies under other names (feature `copies`), to test the lab with more strategies than there are.

use super::knobs::INTERVAL;
use super::{AllAtOnce, EveryFrame, Family, FixedInterval, StrategyEntry};
use crate::time::Nanos;

pub static FIRST: StrategyEntry = StrategyEntry {
    key: "balanced-slots",
    name: "Balanced slots",
    family: Family::BySignificance,
    rule: "Is a copy of fixed interval, to test the lab with more strategies.",
    use_when: "Use it when the lab must be tested with more strategies than there are.",
    avoid_when: "Avoid it when the program is for a game: the original does the same.",
    known_from: "Known from the strategy that it copies.",
    source: "a copy for tests",
    knobs: &[INTERVAL],
    load: super::fixed_interval::ENTRY.load,
    make: || Box::new(FixedInterval::new(Nanos::from_secs_f64(INTERVAL.default))),
    constructor: "FixedInterval::new({interval-s})",
};

pub static SECOND: StrategyEntry = StrategyEntry {
    key: "distance-lod",
    name: "Distance LOD",
    family: Family::BySignificance,
    rule: "Is a copy of every frame, to test the lab with more strategies.",
    use_when: "Use it when the lab must be tested with more strategies than there are.",
    avoid_when: "Avoid it when the program is for a game: the original does the same.",
    known_from: "Known from the strategy that it copies.",
    source: "a copy for tests",
    knobs: &[],
    load: super::every_frame::ENTRY.load,
    make: || Box::new(EveryFrame::new()),
    constructor: "EveryFrame::new()",
};

pub static THIRD: StrategyEntry = StrategyEntry {
    key: "earliest-deadline",
    name: "Earliest deadline",
    family: Family::BySignificance,
    rule: "Is a copy of all at once, to test the lab with more strategies.",
    use_when: "Use it when the lab must be tested with more strategies than there are.",
    avoid_when: "Avoid it when the program is for a game: the original does the same.",
    known_from: "Known from the strategy that it copies.",
    source: "a copy for tests",
    knobs: &[INTERVAL],
    load: super::all_at_once::ENTRY.load,
    make: || Box::new(AllAtOnce::new(Nanos::from_secs_f64(INTERVAL.default))),
    constructor: "AllAtOnce::new({interval-s})",
};

pub static FOURTH: StrategyEntry = StrategyEntry {
    key: "weighted-share",
    name: "Weighted share",
    family: Family::BySignificance,
    rule: "Is a copy of fixed interval, to test the lab with more strategies.",
    use_when: "Use it when the lab must be tested with more strategies than there are.",
    avoid_when: "Avoid it when the program is for a game: the original does the same.",
    known_from: "Known from the strategy that it copies.",
    source: "a copy for tests",
    knobs: &[INTERVAL],
    load: super::fixed_interval::ENTRY.load,
    make: || Box::new(FixedInterval::new(Nanos::from_secs_f64(INTERVAL.default))),
    constructor: "FixedInterval::new({interval-s})",
};
