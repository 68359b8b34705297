//! The examples at the end of each command's help.

use std::fmt::Write as _;

/// A line for a shell, and its purpose.
type Example = (&'static str, &'static str);

pub(super) const WINDOW: [Example; 4] = [
    ("timeslice-lab", "Open the window"),
    (
        "timeslice-lab --strategy all-at-once --entities 2000",
        "See hitches: all tasks in one frame",
    ),
    (
        "timeslice-lab --view compare --entities 2000 --cost-us 50",
        "See every strategy on the same work",
    ),
    (
        "timeslice-lab --view loops --step-ms 40",
        "See frame loops with 25 updates per second",
    ),
];

pub(super) const RUN: [Example; 4] = [
    (
        "timeslice-lab run --entities 100 > frames.csv",
        "Save a line per frame",
    ),
    (
        "timeslice-lab run --strategy all-at-once --csv frames.csv --summary",
        "Print the figures, too",
    ),
    (
        "timeslice-lab run --strategy time-budget --seconds 60 --events runs.csv > frames.csv",
        "Save each run of a task, too",
    ),
    (
        "timeslice-lab run --loop fixed-step --display-hz 144 --frames 20",
        "See the updates of a fixed step",
    ),
];

pub(super) const COMPARE: [Example; 4] = [
    ("timeslice-lab compare", "Compare every strategy"),
    (
        "timeslice-lab compare --entities 2000 --cost-us 50 --seconds 60",
        "Compare on more work, for a minute",
    ),
    (
        "timeslice-lab compare --strategy fixed-interval --strategy stagger-groups --display-hz 144",
        "Compare two on a fast display",
    ),
    (
        "timeslice-lab compare --json > compare.json",
        "Save every figure",
    ),
];

pub(super) const LIST: [Example; 4] = [
    (
        "timeslice-lab list",
        "Show strategies, frame loops and knobs",
    ),
    ("timeslice-lab list | grep budget", "Find what has a budget"),
    ("timeslice-lab list --json", "Print JSON"),
    (
        "timeslice-lab list --json > list.json",
        "Save JSON for a script",
    ),
];

/// Formats examples: each purpose is a comment above its line, so that a line can be copied.
pub(super) fn text(examples: &[Example]) -> String {
    let mut text = "Examples:".to_owned();
    for (line, purpose) in examples {
        let _ = write!(text, "\n  # {purpose}\n  {line}"); // writing to a String cannot fail
    }
    text
}
