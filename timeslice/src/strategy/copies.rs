//! Copies of strategies under other names (feature `copies`), to test the lab with more strategies than there are.

use super::{Family, StrategyEntry, all_at_once, every_frame, fixed_interval};

pub static FIRST: StrategyEntry = StrategyEntry {
    key: "balanced-slots",
    name: "Balanced slots",
    rule: "Is a copy of fixed interval, to test the lab with more strategies.",
    ..copy(&fixed_interval::ENTRY)
};

pub static SECOND: StrategyEntry = StrategyEntry {
    key: "distance-lod",
    name: "Distance LOD",
    rule: "Is a copy of every frame, to test the lab with more strategies.",
    ..copy(&every_frame::ENTRY)
};

pub static THIRD: StrategyEntry = StrategyEntry {
    key: "earliest-deadline",
    name: "Earliest deadline",
    rule: "Is a copy of all at once, to test the lab with more strategies.",
    ..copy(&all_at_once::ENTRY)
};

pub static FOURTH: StrategyEntry = StrategyEntry {
    key: "weighted-share",
    name: "Weighted share",
    rule: "Is a copy of fixed interval, to test the lab with more strategies.",
    ..copy(&fixed_interval::ENTRY)
};

/// Returns an entry that makes the strategy of `original`.
const fn copy(original: &StrategyEntry) -> StrategyEntry {
    StrategyEntry {
        key: original.key,
        name: original.name,
        family: Family::BySignificance,
        rule: original.rule,
        use_when: "Use it when the lab must be tested with more strategies than there are.",
        avoid_when: "Avoid it when the program is for a game: the original does the same.",
        known_from: "Known from the strategy that it copies.",
        source: "a copy for tests",
        knobs: original.knobs,
        load: original.load,
        make: original.make,
        constructor: original.constructor,
    }
}
