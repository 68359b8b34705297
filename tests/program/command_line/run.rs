//! The outputs of `run`: the CSV of frames, the CSV of events and the trace must agree with each other, in files and on
//! standard output.

use crate::command_line::lab::{folder, lab, rows, stdout};
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use lab::cli::settings_file::run_line;
use lab::cli::{Invocation, parse};
use lab::files::export::Snapshot;
use lab::history::{History, PastFrame};
use lab::measure::MeasuredLane;
use lab::sim::machine::Simulated;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

const FRAMES: &str = "frame,start_ms,delta_ms,updates,tasks,backlog,task_ms,frame_ms,alpha";
const EVENTS: &str = "frame,time_ms,entity,elapsed_ms";
const FRAME_COUNT: u64 = 400;
const POPULATION: u64 = 60;

/// Checks the events against the frames. Returns the birth time of each entity by its number.
fn check_events(frames: &[[u64; 9]], events: &[[u64; 4]]) -> BTreeMap<u64, u64> {
    assert!(events.is_sorted_by_key(|[frame, time, ..]| (*frame, *time)));
    // The birth of each entity, and the sum of the elapsed times of its runs.
    let mut lives: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for [_, time, entity, elapsed] in events {
        let (birth, sum) = lives.entry(*entity).or_insert((time - elapsed, 0));
        *sum += elapsed;
        assert_eq!(*sum, time - *birth, "entity {entity} at {time}");
    }
    for [number, _, _, _, tasks, ..] in frames {
        let here = events.iter().filter(|event| event[0] == *number);
        assert_eq!(here.count() as u64, *tasks, "frame {number}");
    }
    let births = lives.into_iter();
    births.map(|(entity, (birth, _))| (entity, birth)).collect()
}

/// A slice of a trace, with times in nanoseconds.
struct Slice<'a> {
    name: &'a str,
    start: u64,
    end: u64,
}

fn slices(events: &[Value]) -> Vec<Slice<'_>> {
    let nanos = |value: &Value| (value.as_f64().expect("a number") * 1e3).round() as u64;
    let slices = events.iter().filter(|event| event["ph"] == "X");
    let slice = |event| {
        let event: &Value = event;
        let start = nanos(&event["ts"]);
        Slice {
            name: event["name"].as_str().expect("a name"),
            start,
            end: start + nanos(&event["dur"]),
        }
    };
    slices.map(slice).collect()
}

/// Asserts that the slices nest, and are in the order that trace viewers expect: by start time, parents before
/// children.
fn assert_nested(slices: &[Slice]) {
    let parent = |name: &str| match name {
        "frame" => None,
        "stall" | "update" | "draw" | "wait" => Some("frame"),
        "task" | "scheduling" => Some("update"),
        other => panic!("{other}"),
    };
    let mut open: Vec<&Slice> = Vec::new();
    for slice in slices {
        let parent = parent(slice.name);
        while open.last().is_some_and(|outer| parent != Some(outer.name)) {
            open.pop();
        }
        assert_eq!(open.last().map(|outer| outer.name), parent);
        if let Some(outer) = open.last() {
            assert!(slice.start >= outer.start && slice.end <= outer.end);
        }
        open.push(slice);
    }
    assert!(slices.is_sorted_by_key(|slice| slice.start));
}

/// Asserts that the slices of a trace nest and add up to the frames of the CSV.
fn check_trace(frames: &[[u64; 9]], trace: &str) {
    let trace: Value = serde_json::from_str(trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let all = slices(events);
    assert_nested(&all);
    let per_frame: Vec<&[Slice]> = all.split(|slice| slice.name == "frame").skip(1).collect();
    let whole: Vec<&Slice> = all.iter().filter(|slice| slice.name == "frame").collect();
    assert_eq!((per_frame.len(), whole.len()), (frames.len(), frames.len()));
    for ((parts, whole), frame) in per_frame.iter().zip(whole).zip(frames) {
        let [_, start, _, updates, tasks, _, task_time, length, _] = *frame;
        let time = |name| -> u64 {
            let named = parts.iter().filter(|part| part.name == name);
            named.map(|part| part.end - part.start).sum()
        };
        let count = |name| parts.iter().filter(|part| part.name == name).count() as u64;
        assert_eq!((whole.start, whole.end), (start, start + length));
        assert_eq!((count("update"), count("task")), (updates, tasks));
        assert_eq!(time("task"), task_time);
        assert_eq!(time("update"), time("task") + time("scheduling"));
        assert_eq!(time("update") + time("draw") + time("wait"), length);
    }
    let backlogs = events.iter().filter(|event| event["name"] == "backlog");
    let backlogs: Vec<_> = backlogs
        .filter_map(|event| event["args"]["tasks"].as_u64())
        .collect();
    let expected: Vec<u64> = frames.iter().map(|frame| frame[5]).collect();
    assert_eq!(backlogs, expected);
}

/// Records the run of a command line in a history. Returns the CSV and the trace of that history.
fn saved(command: &str) -> [String; 2] {
    let words = std::iter::once("timeslice-lab").chain(command.split_whitespace());
    let Ok((settings, Invocation::Run(options))) = parse(words) else {
        panic!("{command}");
    };
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::default());
    lane.list_runs(usize::MAX);
    let mut history = History::default();
    while lane.is_within(options.length.length()) {
        lane.frame();
        history.push(PastFrame::of(&lane));
    }
    let files = Snapshot::of(&history, &settings).files();
    files.map(|file| String::from_utf8(file.bytes).expect("text"))
}

#[test]
fn all_outputs_agree_under_every_strategy_and_loop() {
    let folder = folder("outputs");
    let [events_path, trace_path] = ["events.csv", "trace.json"].map(|name| folder.join(name));
    let loops = FRAME_LOOPS.iter().cycle();
    for (strategy, frame_loop) in STRATEGIES.iter().zip(loops) {
        let line = format!(
            "run --entities {POPULATION} --churn-per-s 20 --cost-us 150.3 --cost-spread 0.7 --requests-per-s 5 \
             --render-ms 3.2 --frames {FRAME_COUNT} --seed 3 --strategy {} --loop {}",
            strategy.key, frame_loop.key
        );
        let (events_name, trace_name) = (events_path.display(), trace_path.display());
        let csv = stdout(&format!(
            "{line} --events {events_name} --trace {trace_name}"
        ));
        let frames = rows(&csv, FRAMES);
        assert_eq!(frames.len() as u64, FRAME_COUNT);
        assert_eq!(frames[0][..3], [0, 0, 0]);
        for pair in frames.windows(2) {
            let [start, length] = [pair[0][1], pair[0][7]];
            let [next, delta] = [pair[1][1], pair[1][2]];
            assert_eq!((next, delta), (start + length, length), "{line}");
        }
        let events = rows(&fs::read_to_string(&events_path).unwrap(), EVENTS);
        let births = check_events(&frames, &events);
        let is_first = |(entity, birth): (&u64, &u64)| (*birth == 0) == (*entity < POPULATION);
        assert!(births.iter().all(is_first) && births.values().is_sorted());
        assert!(births.range(POPULATION..).count() > 10, "{line}");
        let trace = fs::read_to_string(&trace_path).unwrap();
        check_trace(&frames, &trace);
        // A history of the same frames must be saved with the same bytes.
        assert!(saved(&line) == [csv, trace], "{line}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no other file");
}

#[test]
fn a_file_of_equal_costs_gives_the_bytes_of_that_cost() {
    let costs = folder("costs").join("costs.txt");
    fs::write(&costs, "80\n".repeat(30)).expect("the folder is writable");
    for work in [
        "run --entities 300 --churn-per-s 30 --strategy weighted-share --summary",
        "compare --entities 300 --churn-per-s 30 --render-ms 2 --seconds 4",
    ] {
        let own = lab(&format!("{work} --cost-us 7 --costs {}", costs.display()));
        assert_eq!(own, lab(&format!("{work} --cost-us 80")), "{work}");
        assert_eq!(own.status, 0, "{work}");
    }
}

#[test]
fn recorded_frame_times_are_replayed() {
    let recorded = folder("frame-times").join("session.txt");
    fs::write(&recorded, "# ms\n16.2\n17.1\n40\n").expect("the folder is writable");
    let work = "run --frames 7 --entities 20 --cost-us 1000 --strategy every-frame";
    let rows = lab(&format!("{work} --frame-times {}", recorded.display())).stdout;
    let lengths = rows
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(7).unwrap());
    let lengths: Vec<&str> = lengths.collect();
    // Each frame has 20 ms of work, so it takes 20 ms unless the recorded frame time is 40 ms.
    let [work, long] = ["20.000000", "40.000000"];
    assert_eq!(lengths, [work, work, long, work, work, long, work]);
}

#[test]
fn lengths_are_exact() {
    for (length, count) in [
        ("", 1000),
        ("--seconds 2", 200),
        ("--seconds 0", 0),
        ("--frames 1", 1),
        ("--frames 0", 0),
    ] {
        let csv = stdout(&format!("run --display-hz 100 {length}"));
        assert_eq!(rows::<9>(&csv, FRAMES).len(), count, "{length}");
    }
    assert_eq!(stdout("run --frames 0 --events -"), format!("{EVENTS}\n"));
}

#[test]
fn files_and_standard_output_have_the_same_contents() {
    let folder = folder("files");
    let line = "run --entities 60 --churn-per-s 20 --requests-per-s 4 --cost-spread 1 --frames 200";
    let csv = stdout(line);
    let path = folder.join("frames.csv");
    assert_eq!(stdout(&format!("{line} --csv {}", path.display())), "");
    assert_eq!(fs::read_to_string(path).unwrap(), csv);
    let with_summary = lab(&format!("{line} --summary"));
    assert_eq!((with_summary.status, with_summary.stdout), (0, csv));
    assert!(with_summary.stderr.contains("200 frames"));
}

#[test]
fn files_of_other_tools_are_recognised_and_described() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/lab/tests/captures");
    let files = format!("--costs {folder}/tracy.csv --frame-times {folder}/presentmon-1.csv");
    let line = format!("run {files} --column exec_time_ns --name th* --name arena.exe --frames 3");
    let exited = lab(&line);
    let notes: Vec<&str> = exited.stderr.lines().collect();
    assert_eq!(exited.status, 0, "{notes:?}");
    assert!(notes[0].ends_with("exec_time_ns of think, in ns: 24 task costs"));
    assert!(notes[1].ends_with("msBetweenPresents of arena.exe, in ms: 24 frame times"));
    let words = std::iter::once("timeslice-lab").chain(line.split(' '));
    let (settings, _) = parse(words).expect("a valid line");
    let reproduced = run_line(&settings, 3);
    for flag in line.split(" --").skip(1) {
        assert!(reproduced.contains(flag), "{flag}: {reproduced}");
    }

    let json = stdout(&format!("capture {folder}/presentmon-2.csv --json"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["count"], &json["display_hz"]),
        (&24.into(), &120.0.into())
    );
    let as_frames = stdout(&format!("capture {folder}/chrome-array.json --frame-times"));
    assert!(
        as_frames.starts_with("column dur of frame, in µs: 24 frame times"),
        "{as_frames}"
    );
    let unclear = lab(&format!("capture {folder}/tracy.csv"));
    assert!(unclear.status == 2 && unclear.stderr.contains("--name NAME"));
}
