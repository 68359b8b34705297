//! The knobs of the workload.

use timeslice::knob::{Knob, Scale};

/// How many entities live.
pub const ENTITIES: Knob = Knob {
    key: "entities",
    label: "Entities",
    unit: "",
    min: 0.0,
    max: 1_000_000.0,
    default: 400.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: true,
    help: "How many entities live, each with one task.",
};

/// The mean cost of a task.
pub const COST: Knob = Knob {
    key: "cost-us",
    label: "Task cost",
    unit: "µs",
    min: 0.0,
    max: 20_000.0,
    default: 100.0,
    scale: Scale::Logarithmic { from: 0.1 },
    whole: false,
    help: "The mean cost of a task, in processor time; `run` takes 0 where none is given.",
};

/// How unequal the tasks' costs are.
pub const COST_SPREAD: Knob = Knob {
    key: "cost-spread",
    label: "Cost spread",
    unit: "",
    min: 0.0,
    max: 3.0,
    default: 0.0,
    scale: Scale::Linear,
    whole: false,
    help: "How unequal the tasks' costs are: their standard deviation over their mean (log-normal). Each entity has its own, and keeps it.",
};

/// How often each entity asks for a run.
pub const REQUESTS: Knob = Knob {
    key: "requests-per-s",
    label: "Requests",
    unit: "/s",
    min: 0.0,
    max: 100.0,
    default: 2.0,
    scale: Scale::Logarithmic { from: 0.01 },
    whole: false,
    help: "How often each entity asks for a run, at random; only strategies that run on request listen.",
};

/// How often an entity dies and another is born.
pub const CHURN: Knob = Knob {
    key: "churn-per-s",
    label: "Churn",
    unit: "/s",
    min: 0.0,
    max: 10_000.0,
    default: 0.0,
    scale: Scale::Logarithmic { from: 0.1 },
    whole: false,
    help: "How often, at random, one entity dies and one is born.",
};

/// The knobs of the workload, in the order of their sliders.
pub static KNOBS: &[Knob] = &[ENTITIES, COST, COST_SPREAD, REQUESTS, CHURN];
