//! The events of `run --trace` nest and add up to the figures of the CSV. A saved history of the same frames has the
//! same bytes.

use crate::command_line::lab::{folder, frames, lab, stdout};
use headless::history::History;
use headless::io::cli::{Invocation, parse};
use headless::io::export::Snapshot;
use headless::sim::disturbance::Disturbance;
use headless::sim::machine::Simulated;
use headless::sim::settings::Settings;
use headless::stats::MeasuredLane;
use serde_json::Value;
use std::fs;
use timeslicer::{frame_loop, strategy};

/// A complete event. Times are in nanoseconds.
#[derive(Clone, Debug)]
struct Slice {
    name: String,
    start: u64,
    end: u64,
}

/// Converts microseconds to nanoseconds.
fn nanos(value: &Value) -> u64 {
    (value.as_f64().expect("a number") * 1e3).round() as u64
}

fn load(text: &str) -> Vec<Value> {
    let trace: Value = serde_json::from_str(text).expect("JSON");
    trace["traceEvents"].as_array().expect("events").clone()
}

fn slices(events: &[Value]) -> Vec<Slice> {
    let slices = events.iter().filter(|event| event["ph"] == "X");
    let slice = |event: &Value| {
        let start = nanos(&event["ts"]);
        Slice {
            name: event["name"].as_str().expect("a name").to_owned(),
            start,
            end: start + nanos(&event["dur"]),
        }
    };
    slices.map(slice).collect()
}

const WORK: &str = "run --entities 120 --churn-per-s 20 --cost-us 150.3 --cost-spread 0.7 --requests-per-s 5 \
                    --render-ms 3.2 --frames 1000 --seed 3";

/// Strategies and frame loops to trace.
const LANES: [(&str, &str); 5] = [
    ("fixed-interval", "variable-step"),
    ("time-budget", "fixed-step"),
    ("all-at-once", "max-frame-skip"),
    ("stagger-groups", "unsynced"),
    ("max-per-frame", "constant-fps"),
];

#[test]
fn events_nest_and_add_up_to_the_csv() {
    for (strategy, frame_loop) in LANES {
        let folder = folder(&format!("trace-{strategy}"));
        let path = folder.join("trace.json");
        let line = format!("{WORK} --strategy {strategy} --loop {frame_loop}");
        let csv = stdout(&format!("{line} --trace {}", path.display()));
        let trace = fs::read_to_string(&path).expect("the file exists");
        assert_adds_up(&csv, &trace);
        // A history of the same frames is saved with the same bytes.
        let [saved_csv, saved_trace] = saved(&line);
        assert!(saved_csv == csv && saved_trace == trace, "{line}");
    }
}

/// Records the run of a command line in a history. Returns its CSV and its trace.
fn saved(command: &str) -> [String; 2] {
    let words = ["timeslice-lab"]
        .into_iter()
        .chain(command.split_whitespace());
    let Ok(Invocation::Run(settings, options)) = parse(words) else {
        panic!("{command}");
    };
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
    let mut history = History::default();
    while lane.is_within(options.length) {
        let record = lane.frame().clone();
        let past = history.begin(&lane);
        history.end(past, record);
    }
    let files = Snapshot::of(&history, &settings).files();
    files.map(|file| String::from_utf8(file.bytes).expect("text"))
}

#[test]
fn events_nest_around_stalls() {
    for (strategy, frame_loop) in LANES {
        let settings = Settings {
            strategy: strategy::by_key(strategy).expect("a strategy"),
            frame_loop: frame_loop::by_key(frame_loop).expect("a loop"),
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        let mut history = History::default();
        for number in 0..200 {
            if number % 50 == 20 {
                lane.disturb(Disturbance::Stall);
            }
            let record = lane.frame().clone();
            let past = history.begin(&lane);
            history.end(past, record);
        }
        let [_, trace] = Snapshot::of(&history, &settings).files();
        let trace = String::from_utf8(trace.bytes).expect("text");
        let all = slices(&load(&trace));
        assert_nested(&all);
        assert_eq!(all.iter().filter(|slice| slice.name == "stall").count(), 4);
    }
}

/// Asserts that the events nest and add up to the figures of the CSV.
fn assert_adds_up(csv: &str, trace: &str) {
    let csv = frames(csv);
    assert_eq!(csv.len(), 1000);
    let events = load(trace);
    let all = slices(&events);
    let named = |name: &str| -> Vec<Slice> {
        let named = all.iter().filter(|slice| slice.name == name);
        named.cloned().collect()
    };
    let length = |slices: &[Slice]| -> u64 { slices.iter().map(|it| it.end - it.start).sum() };

    assert_nested(&all);
    let frame_slices = named("frame");
    assert_eq!(frame_slices.len(), csv.len());
    let mut frame_parts = all.split(|slice| slice.name == "frame").skip(1);
    for (slice, frame) in frame_slices.iter().zip(&csv) {
        let (start, end) = (slice.start, slice.end);
        assert_eq!((start, end), (frame.start, frame.start + frame.length));
        let parts = frame_parts.next().expect("parts of each frame");
        let named = |name: &'static str| parts.iter().filter(move |it| it.name == name);
        assert_eq!(named("update").count() as u64, frame.updates);
        assert_eq!(named("task").count() as u64, frame.tasks);
        let in_tasks: u64 = named("task").map(|it| it.end - it.start).sum();
        assert_eq!(in_tasks, frame.in_tasks);
    }
    let sum =
        |figure: fn(&crate::command_line::lab::Frame) -> u64| csv.iter().map(figure).sum::<u64>();
    assert_eq!(named("update").len() as u64, sum(|frame| frame.updates));
    assert_eq!(named("task").len() as u64, sum(|frame| frame.tasks));
    assert_eq!(length(&named("task")), sum(|frame| frame.in_tasks));
    let parts = ["update", "draw", "wait"].map(|name| length(&named(name)));
    assert_eq!(parts.iter().sum::<u64>(), sum(|frame| frame.length));
    assert_eq!(
        length(&named("update")),
        length(&named("task")) + length(&named("scheduling"))
    );
    assert_eq!(length(&named("draw")), 1000 * 3_200_000);

    let backlogs = events.iter().filter(|event| event["name"] == "backlog");
    let backlogs: Vec<u64> = backlogs
        .filter_map(|it| it["args"]["tasks"].as_u64())
        .collect();
    let expected: Vec<u64> = csv.iter().map(|frame| frame.backlog).collect();
    assert_eq!(backlogs, expected);
    let debts = events.iter().filter(|event| event["name"] == "debt");
    assert_eq!(debts.count(), 1000);
}

/// Asserts that slices nest and are in the order that trace viewers expect: by start, parents before children.
fn assert_nested(slices: &[Slice]) {
    let parent = |name: &str| match name {
        "frame" => None,
        "stall" | "update" | "draw" | "wait" => Some("frame"),
        "task" | "scheduling" => Some("update"),
        other => panic!("{other}"),
    };
    let mut open: Vec<&Slice> = Vec::new();
    for slice in slices {
        let ended = |outer: &&Slice| parent(&slice.name) != Some(outer.name.as_str());
        while open.last().is_some_and(ended) {
            open.pop();
        }
        assert_eq!(open.last().map(|it| it.name.as_str()), parent(&slice.name));
        if let Some(outer) = open.last() {
            assert!(
                slice.start >= outer.start && slice.end <= outer.end,
                "{slice:?} in {outer:?}"
            );
        }
        open.push(slice);
    }
    assert!(slices.is_sorted_by_key(|slice| slice.start));
}

#[test]
fn the_seed_alone_determines_the_trace() {
    let trace = |seed| {
        stdout(&format!(
            "run --strategy time-budget --churn-per-s 20 --frames 100 --seed {seed} --trace -"
        ))
    };
    assert_eq!(trace(7), trace(7));
    assert_ne!(trace(7), trace(8));
}

#[test]
fn a_trace_without_frames_is_valid() {
    let events = load(&stdout("run --frames 0 --trace -"));
    assert!(slices(&events).is_empty() && !events.is_empty());
}

#[test]
fn an_unwritable_trace_exits_with_status_1() {
    let folder = folder("trace-unwritable");
    let missing = folder.join("missing").join("trace.json");
    let missing = missing.to_str().expect("text");
    let exited = lab(&["run", "--trace", missing, "--frames", "3"]);
    assert_eq!((exited.status, exited.stdout.as_str()), (1, ""));
    let with_cause = exited.stderr.contains(&format!("{missing}: "));
    assert!(with_cause, "{}", exited.stderr);
    let left = fs::read_dir(&folder).expect("the folder exists");
    assert_eq!(left.count(), 0);
}

#[test]
fn the_trace_cannot_share_a_file() {
    for flag in ["--csv", "--events"] {
        let exited = lab(&["run", flag, "-", "--trace", "-"]);
        assert_eq!((exited.status, exited.stdout.as_str()), (2, ""));
        for part in [flag, "--trace", "'-'"] {
            assert!(exited.stderr.contains(part), "{}", exited.stderr);
        }
    }
}
