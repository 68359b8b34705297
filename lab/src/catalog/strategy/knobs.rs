//! The adjustable parameters that several strategies share, and those of the weights.

use crate::catalog::knob::{Knob, Scale};

pub const INTERVAL: Knob = Knob {
    key: "interval-s",
    label: "Interval",
    max: 10.0,
    default: 0.5,
    help: "Target interval between two runs of a task. At zero, every task runs in every update.",
    ..Knob::SECONDS
};

/// A search does not vary this knob, because it matters only after a stall.
pub const CATCH_UP: Knob = Knob {
    key: "catch-up",
    label: "Catch-up",
    unit: "x",
    min: 0.0,
    max: 100.0,
    help: "After a stall, an update runs at most this many times the usual number of tasks, and the next updates run the \
        rest. With a fixed step, the frame after a stall has several such updates. 0 sets no limit, as in the article.",
    ..Knob::COUNT
};

pub const MAX_TASKS: Knob = Knob {
    key: "max-tasks",
    label: "Tasks per frame",
    max: 100_000.0,
    default: 4.0,
    help: "Maximum number of tasks that run in one update.",
    ..Knob::COUNT
};

pub const GROUPS: Knob = Knob {
    key: "groups",
    label: "Groups",
    max: 600.0,
    default: 30.0,
    help: "Number of groups that the tasks are split into. Each update runs one group.",
    ..Knob::COUNT
};

/// The default is a quarter of a frame at 60 Hz. The article "Sweet Snippet: Timeslice Update" uses 1000/30 ms, which
/// is a whole frame at 30 frames per second and leaves no time for the rest of the game.
pub const BUDGET: Knob = Knob {
    key: "budget-ms",
    label: "Budget",
    max: 100.0,
    default: 4.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Time that each update may spend on tasks. At least one waiting task always runs.",
    ..Knob::MILLIS
};

pub const FASTEST: Knob = Knob {
    key: "fastest-s",
    label: "Fastest",
    max: 10.0,
    default: 0.05,
    help: "Interval between two runs of the most significant tasks. At zero, they run in every update.",
    ..Knob::SECONDS
};

pub const SLOWEST: Knob = Knob {
    key: "slowest-s",
    label: "Slowest",
    max: 60.0,
    default: 1.0,
    help: "Longest interval between two runs of a task, no matter how little the task matters.",
    ..Knob::SECONDS
};

pub const HYSTERESIS: Knob = Knob {
    key: "hysteresis",
    label: "Hysteresis",
    unit: "%",
    max: 50.0,
    default: 10.0,
    help: "Changes to a task's interval of less than this percentage are ignored, so small movements have no effect.",
    ..Knob::NUMBER
};

pub const PREDICT: Knob = Knob {
    key: "predict",
    label: "Predict costs",
    default: 1.0,
    help: "If this is on, a task starts only if its estimated cost fits into the rest of the budget. Otherwise, the \
        clock is only checked after each task.",
    ..Knob::SWITCH
};

pub const PAY_BACK: Knob = Knob {
    key: "pay-back",
    label: "Pay back overruns",
    default: 1.0,
    help: "If this is on and an update exceeds its budget, the excess is deducted from later budgets, up to half of \
        each budget.",
    ..Knob::SWITCH
};

pub const NEAR: Knob = Knob {
    key: "near",
    label: "Full rate within",
    min: 0.01,
    default: 0.15,
    scale: Scale::Logarithmic { from: 0.01 },
    help: "Entities within this distance from the target have the full weight of 1. The world is 1 wide and 0.5 high.",
    ..Knob::NUMBER
};

pub const FALLOFF: Knob = Knob {
    key: "falloff",
    label: "Falloff",
    max: 4.0,
    default: 2.0,
    help: "How quickly the weight of entities decreases with distance. Beyond the near distance, the weight is (near / \
        distance) to this power. At 0, all entities have weight 1.",
    ..Knob::NUMBER
};

pub const WEIGHT_STEPS: Knob = Knob {
    key: "weight-steps",
    label: "Weight steps",
    help: "If this is on, distances are rounded up to the near distance, twice or four times this distance and so on \
        before weights are computed. There are then only a few different weights, as with levels of detail.",
    ..Knob::SWITCH
};

/// Only strategies that were published with a defect have this knob. A change takes effect when the strategy is created
/// again with [`StrategyEntry::build`](super::StrategyEntry::build).
pub const AS_PUBLISHED: Knob = Knob {
    key: "as-published",
    label: "As published",
    help: "If this is on, the strategy runs the original code of the article, including its defect. Otherwise, it runs \
        the corrected code.",
    ..Knob::SWITCH
};
