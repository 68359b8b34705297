//! The knobs for the workload, such as the number of entities and the cost of their tasks.

pub use crate::catalog::strategy::knobs::{FALLOFF, NEAR, WEIGHT_STEPS};

use crate::catalog::knob::{Knob, Scale};

pub const ENTITIES: Knob = Knob {
    key: "entities",
    label: "Entities",
    min: 0.0,
    max: 1_000_000.0,
    default: 400.0,
    help: "Number of entities, each with one task.",
    ..Knob::COUNT
};

pub const COST: Knob = Knob {
    key: "cost-us",
    label: "Task cost",
    unit: "µs",
    max: 10_000_000.0,
    default: 100.0,
    scale: Scale::Logarithmic { from: 1.0 },
    help: "Mean cost of a task, in processor time.",
    ..Knob::NUMBER
};

pub const COST_SPREAD: Knob = Knob {
    key: "cost-spread",
    label: "Cost spread",
    max: 3.0,
    help: "Standard deviation of the task costs, divided by their mean. The costs are log-normal.",
    ..Knob::NUMBER
};

/// The costs of all runs together have the same distribution at any value of this knob.
pub const COST_PER_RUN: Knob = Knob {
    key: "cost-per-run",
    label: "New cost per run",
    help: "How much of the cost spread belongs to the run instead of the entity. At 0, each entity keeps its cost for \
        life. At 1, each run draws a new cost. In between, some entities cost more than others, and their costs vary.",
    ..Knob::NUMBER
};

pub const REQUESTS: Knob = Knob {
    key: "requests-per-s",
    label: "Requests",
    unit: "/s",
    max: 100.0,
    default: 2.0,
    scale: Scale::Logarithmic { from: 0.01 },
    help: "Number of requests per second from each entity, at random times. Only event-driven strategies respond to \
        requests.",
    ..Knob::NUMBER
};

pub const EAGER: Knob = Knob {
    key: "eager-percent",
    label: "Eager entities",
    unit: "%",
    max: 100.0,
    help: "Percentage of entities that make the next request as soon as a request has been served, like an agent that \
        fails and tries again. Only event-driven strategies respond to requests.",
    ..Knob::NUMBER
};

pub const CHURN: Knob = Knob {
    key: "churn-per-s",
    label: "Births and deaths",
    unit: "/s",
    max: 10_000.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Number of deaths per second, at random times. Each dead entity is replaced by a new one.",
    ..Knob::NUMBER
};

pub const TARGET_SPEED: Knob = Knob {
    key: "target-speed",
    label: "Target speed",
    unit: "widths/s",
    max: 5.0,
    default: 0.21,
    scale: Scale::Logarithmic { from: 0.01 },
    help: "Mean speed of the target along its path, in world widths per second. At zero, the target is at rest. At the \
        default speed, the target moves from side to side and back in nine seconds, and up and down in seven.",
    ..Knob::NUMBER
};

/// All workload knobs, in the order in which their sliders appear.
pub static KNOBS: &[Knob] = &[
    ENTITIES,
    COST,
    COST_SPREAD,
    COST_PER_RUN,
    REQUESTS,
    EAGER,
    CHURN,
    TARGET_SPEED,
    NEAR,
    FALLOFF,
    WEIGHT_STEPS,
];
