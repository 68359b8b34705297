//! Tests of `sweep`: its rows, its recommendation, its errors, and that the recommended setting meets the limits when
//! `run` tries it.

use crate::command_line::lab::{folder, lab, rows, stdout};
use headless::io::cli::{Invocation, parse};
use headless::io::threads::run_on_threads;
use headless::judge::{Curve, OVER, Sweep};
use headless::sim::world::{Plane, Point};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use timeslicer::strategy::STRATEGIES;

const HEADER: &str = "strategy,knob,value,task_ms_mean,task_ms_p99,task_ms_max,frame_ms_p99,hitch_percent,\
                      staleness_mean_ms,weighted_mean_ms,weighted_mean_bound_ms,worst_ms";

/// Parses the rows of a CSV with this header into cells.
fn cells(csv: &str, header: &str) -> Vec<Vec<String>> {
    assert!(csv.ends_with('\n') && !csv.contains('\r') && !csv.contains('\x1b'));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(header));
    let count = header.split(',').count();
    let cells = lines.map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    cells.inspect(|row| assert_eq!(row.len(), count)).collect()
}

fn json(flags: &str) -> Value {
    serde_json::from_str(&stdout(&format!("sweep --json {flags}"))).expect("JSON")
}

#[test]
fn rows_are_in_order_and_exact() {
    let flags = "--entities 60 --cost-us 40 --seconds 2 --steps 4 --target 0.5,0.25 --strategy weighted-share \
                 --strategy every-frame --strategy fixed-interval --strategy every-frame";
    let line = format!("sweep {flags}");
    let exited = lab(&line);
    assert_eq!(exited.status, 0);
    let table = cells(&exited.stdout, HEADER);
    let settings: Vec<[&str; 3]> = table
        .iter()
        .map(|row| [0, 1, 2].map(|at| &*row[at]))
        .collect();
    let expected = [
        ["every-frame", "", ""],
        ["fixed-interval", "interval-s", "0.01"],
        ["fixed-interval", "interval-s", "0.1"],
        ["fixed-interval", "interval-s", "1"],
        ["fixed-interval", "interval-s", "10"],
    ];
    assert_eq!(settings[..5], expected);
    let budgets = settings[5..].iter().map(|[key, knob, value]| {
        assert_eq!([*key, *knob], ["weighted-share", "budget-ms"]);
        value.parse::<f64>().expect("a number")
    });
    let budgets: Vec<f64> = budgets.collect();
    assert!(budgets.len() == 4 && budgets.is_sorted() && budgets[3] == 100.0);

    // The numbers are those of the library, to the nanosecond.
    let words = std::iter::once("timeslice-lab").chain(line.split_whitespace());
    let Ok((settings, Invocation::Sweep(options))) = parse(words) else {
        panic!("{line}");
    };
    let sweep = Mutex::new(Sweep::new(options.question(&settings)));
    run_on_threads(&sweep, 2, &AtomicBool::new(false), |_, _| {});
    let sweep = sweep.into_inner().expect("no panic");
    let points = sweep.curves().iter().flat_map(Curve::even_points);
    for (row, point) in table.iter().zip(points) {
        let of = &point.outcome;
        let staleness = of.staleness.as_ref();
        let times = [
            Some(of.tasks.mean),
            Some(of.tasks.p99),
            Some(of.tasks.max),
            Some(of.frames.p99),
            None,
            staleness.map(|it| it.mean),
            staleness.map(|it| it.weighted_mean),
            staleness.and_then(|it| it.least_mean),
            staleness.map(|it| it.worst),
        ];
        for (nth, time) in times.into_iter().enumerate().filter(|(nth, _)| *nth != 4) {
            assert_eq!(
                row[3 + nth],
                time.map_or(String::new(), |time| time.to_string())
            );
        }
        assert_eq!(row[7], format!("{:.6}", 100.0 * of.hitch_share()));
    }
    assert_eq!(
        cells(&stdout_of(&line.replace("--steps 4", "")), HEADER).len(),
        1 + 2 * 24
    );
}

fn stdout_of(line: &str) -> String {
    let exited = lab(line);
    assert_eq!(exited.status, 0, "{}", exited.stderr);
    exited.stdout
}

#[test]
fn cells_without_a_value_are_empty() {
    // The bound is known only if the target does not move.
    let line = "sweep --entities 50 --seconds 3 --steps 3 --strategy fixed-interval";
    for row in cells(&stdout_of(line), HEADER) {
        assert!(row[10].is_empty() && !row[9].is_empty() && !row[11].is_empty());
    }
    for row in cells(&stdout_of(&format!("{line} --target 0.2,0.3")), HEADER) {
        let [mean, bound] = [9, 10].map(|at: usize| row[at].parse::<f64>().expect("a number"));
        assert!(0.0 < bound && bound <= mean, "{row:?}");
    }
    // With one task per frame, most tasks never run.
    let line = "sweep --entities 5000 --cost-us 1 --frames 40 --steps 2 --strategy max-per-frame";
    let rows = cells(&stdout_of(line), HEADER);
    assert_eq!(rows[0][2], "1");
    assert_eq!(rows[0][8..], ["", "", "", ""]);
    assert!(!rows[1][8].is_empty());
    assert_eq!(json(&line[6..])["settings"][0]["worst_ms"], Value::Null);
}

#[test]
fn every_strategy_is_swept_by_default() {
    let rows = cells(
        &stdout_of("sweep --entities 9 --frames 30 --steps 2"),
        HEADER,
    );
    let mut keys: Vec<&str> = rows.iter().map(|row| &*row[0]).collect();
    keys.dedup();
    let registered: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    assert_eq!(keys, registered);
}

#[test]
fn limits_are_those_of_the_flags() {
    let work = "--entities 300 --cost-us 80 --seconds 2 --steps 6 --strategy fixed-interval --strategy weighted-share \
                --strategy all-at-once";
    let none = json(work);
    let limits = &none["limits"];
    for limit in ["budget_ms", "near_ms", "worst_s"] {
        assert!(limits[limit].is_null(), "{limits}");
    }
    assert_eq!(limits["hitches"], false);
    assert_eq!(none["goal"], "weighted_mean_ms");
    let all = json(&format!(
        "{work} --budget-ms 3 --near-ms 150 --worst-s 0.5 --worst"
    ));
    assert_eq!(all["goal"], "worst_ms");
    let limits = ["budget_ms", "near_ms", "worst_s"].map(|key| number(&all["limits"][key]));
    assert_eq!(limits, [3.0, 150.0, 0.5]);
    let mut kept = BTreeSet::new();
    for row in all["settings"].as_array().expect("rows") {
        // A wait that is not over when the trial ends has no number. Without drawing, all hitches are caused by tasks.
        let of = |key: &str| row[key].as_f64().unwrap_or(f64::INFINITY);
        let keeps = of("task_ms_max") <= 3.0
            && of("near_ms") <= 150.0
            && of("worst_ms") <= 500.0
            && of("hitch_percent") == 0.0;
        assert_eq!(row["keeps_limits"], keeps, "{row}");
        kept.insert(keeps);
    }
    assert_eq!(
        kept.len(),
        2,
        "some settings meet the limits, and others do not"
    );
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn the_longest_wait_can_be_the_goal() {
    let work = "--entities 300 --cost-us 80 --seconds 3 --budget-ms 3 --target 0.4,0.2";
    let [mean, worst] = ["", "--worst"].map(|objective| json(&format!("{work} {objective}")));
    for (key, better, other) in [
        ("weighted_mean_ms", &mean, &worst),
        ("worst_ms", &worst, &mean),
    ] {
        let [better, other] = [better, other].map(|it| number(&it["best"][key]));
        assert!(better <= other, "{key}: {better} and {other}");
        let settings = mean["settings"].as_array().expect("rows").iter();
        let kept = settings.filter(|row| row["keeps_limits"] == true);
        let least = kept.map(|row| number(&row[key])).reduce(f64::min);
        // Of several almost equal settings, the simplest is the best.
        assert!(least.is_some_and(|least| better <= 1.01 * least), "{key}");
    }
    assert!(number(&mean["best"]["times_minimum"]) >= 1.0);
    assert!(worst["best"]["times_minimum"].is_null());
}

/// A run of the recommended setting by itself.
struct Alone {
    period: u64,
    /// The number of the last frame of the first round.
    first_round: u64,
    frames: Vec<[u64; 9]>,
    events: Vec<[u64; 4]>,
}

impl Alone {
    fn new(name: &str, work: &str, best: &Value) -> Self {
        let path = folder("sweep").join(format!("{name}.csv"));
        let flags = best["flags"].as_array().expect("flags").iter();
        let flags: Vec<&str> = flags.filter_map(Value::as_str).collect();
        let line = format!("run {} --events {}", flags.join(" "), path.display());
        for (flag, value) in work.split_whitespace().zip(work.split_whitespace().skip(1)) {
            let is_knob = [
                "--entities",
                "--cost-us",
                "--cost-spread",
                "--target",
                "--seed",
            ]
            .contains(&flag);
            assert!(
                !is_knob || line.contains(&format!("{flag} {value}")),
                "{line}"
            );
        }
        let csv = stdout(&line);
        let frames = rows(
            &csv,
            "frame,start_ms,delta_ms,updates,tasks,backlog,task_ms,frame_ms,alpha",
        );
        let events = std::fs::read_to_string(path).expect("a file");
        let events: Vec<[u64; 4]> = rows(&events, "frame,time_ms,entity,elapsed_ms");
        let mut first_runs = BTreeMap::new();
        for [frame, _, entity, _] in &events {
            first_runs.entry(*entity).or_insert(*frame);
        }
        Self {
            period: 16_666_667,
            first_round: *first_runs.values().max().expect("runs"),
            frames,
            events,
        }
    }

    /// Returns the frames after the first round.
    fn settled(&self) -> impl Iterator<Item = &[u64; 9]> {
        let first_round = self.first_round;
        self.frames
            .iter()
            .filter(move |frame| frame[0] > first_round)
    }

    /// Returns the mean staleness of these entities, from the first frame after the first round to the last update.
    fn mean_staleness(&self, is_counted: impl Fn(u64) -> bool) -> f64 {
        let mut last: BTreeMap<u64, u64> = BTreeMap::new();
        let (mut twice, mut lived) = (0.0, 0.0);
        let since = self.frames[self.first_round as usize][1];
        let until = self.frames[self.frames.len() - 1][1];
        let mut add = |from: u64, born: u64, to: u64| {
            let (from, to) = (from.max(since), to.min(until));
            if from < to {
                let [young, old] = [from - born, to - born].map(|age| age as f64);
                twice += old * old - young * young;
                lived += (to - from) as f64;
            }
        };
        for [_, time, entity, elapsed] in &self.events {
            if is_counted(*entity) {
                add(time - elapsed, time - elapsed, *time);
                last.insert(*entity, *time);
            }
        }
        for time in last.into_values() {
            add(time, time, until);
        }
        twice / 2.0 / lived
    }
}

#[test]
fn the_best_setting_keeps_every_limit_by_itself() {
    let target = Point { x: 0.4, y: 0.2 };
    let works = [
        (
            "--entities 300 --cost-us 80",
            "--budget-ms 3 --near-ms 120 --worst-s 2",
        ),
        (
            "--entities 900 --cost-us 70 --cost-spread 1.2 --seed 5",
            "--budget-ms 6 --worst-s 3",
        ),
        (
            "--entities 120 --cost-us 400 --cost-spread 0.4 --seed 9",
            "--near-ms 200 --worst",
        ),
        (
            "--entities 50 --cost-us 900 --requests-per-s 20 --seed 2",
            "--budget-ms 5 --worst-s 0.4",
        ),
    ];
    for (nth, (work, limits)) in works.into_iter().enumerate() {
        let work = format!("{work} --target {target} --seconds 4");
        let swept = json(&format!("{work} {limits} --steps 10"));
        let (best, limits) = (&swept["best"], &swept["limits"]);
        assert!(best.is_object(), "{work}: {}", swept["text"]);
        let alone = Alone::new(&format!("best-{nth}"), &work, best);
        let nanos = |key: &str, unit: f64| {
            limits[key]
                .as_f64()
                .map_or(u64::MAX, |it| (it * unit) as u64)
        };
        let (budget, near, worst) = (
            nanos("budget_ms", 1e6),
            nanos("near_ms", 1e6),
            nanos("worst_s", 1e9),
        );
        assert!(alone.settled().count() > 20, "{best}");
        for frame in alone.settled() {
            assert!(frame[6] <= budget, "{work}: {frame:?}");
            assert!(frame[7] <= alone.period * 3 / 2, "{work}: {frame:?}");
        }
        for event in alone
            .events
            .iter()
            .filter(|event| event[0] > alone.first_round)
        {
            assert!(event[3] <= worst, "{work}: {event:?}");
        }
        let entities = work
            .split_whitespace()
            .nth(1)
            .and_then(|count| count.parse().ok());
        let plane = Plane::with_slots(entities.expect("a number"));
        let is_near = |entity| {
            let (x, y) = plane.position(entity as u32).towards(target);
            x.hypot(y) <= 0.15
        };
        let mean = alone.mean_staleness(is_near);
        assert!(mean <= near as f64, "{work}: {mean}");
        let measured = 1e6 * number(&best["near_ms"]);
        assert!(
            (mean / measured - 1.0).abs() < 0.1,
            "{work}: {mean} and {measured}"
        );
    }
}

#[test]
fn crossovers_agree_with_single_sweeps_on_both_sides() {
    let strategies = "--strategy max-per-frame --strategy fixed-interval --strategy weighted-share --strategy distance-lod";
    let work = format!("{strategies} --seconds 3 --steps 8 --seed 4");
    let mut crossovers = 0;
    for (over, others) in [
        ("entities=50..4000", "--budget-ms 4 --worst-s 4"),
        ("budget-ms=0.5..8", "--entities 500 --worst-s 2"),
    ] {
        let swept = json(&format!("{work} {others} --over {over}"));
        let (knob, _) = over.split_once('=').expect("a range");
        assert_eq!(swept["over"], knob);
        let ranges = swept["ranges"].as_array().expect("ranges");
        for pair in ranges.windows(2) {
            crossovers += 1;
            assert_ne!(pair[0]["strategy"], pair[1]["strategy"]);
            for (range, end) in [(&pair[0], "to"), (&pair[1], "from")] {
                let value = &range[end];
                let alone = json(&format!("{work} {others} --{knob} {value}"));
                assert_eq!(
                    alone["best"]["strategy"], range["strategy"],
                    "{knob} {value}"
                );
                let mut best = range["best"].as_array().expect("settings").iter();
                if let Some(best) = best.find(|best| best["at"] == *value) {
                    assert_eq!(alone["best"]["value"], best["value"], "{knob} {value}");
                }
            }
            let [left, right] = [&pair[0]["to"], &pair[1]["from"]].map(number);
            assert!(left < right && right <= 1.06 * left, "{left} and {right}");
        }
        let values = swept["values"].as_array().expect("values");
        let at: Vec<f64> = values.iter().map(|it| number(&it["value"])).collect();
        assert!(
            at.len() >= 10 && at.is_sorted_by(|one, next| one < next),
            "{at:?}"
        );
        assert!(
            values
                .iter()
                .all(|it| it["settings"].as_array().is_some_and(|it| it.len() == 4))
        );
    }
    assert!(crossovers >= 2, "{crossovers}");
}

#[test]
fn crossovers_have_a_row_per_strategy_and_value() {
    let exited = lab(
        "sweep --strategy every-frame --strategy fixed-interval --over entities=10..400 --cost-us 100 --seconds 1 --steps 4 \
         --budget-ms 2",
    );
    assert_eq!(exited.status, 0);
    let rows = cells(&exited.stdout, &format!("entities,{HEADER},keeps_limits"));
    let values: Vec<f64> = rows
        .iter()
        .map(|row| row[0].parse().expect("a number"))
        .collect();
    assert!(values.is_sorted() && values[0] == 10.0 && values[values.len() - 1] == 400.0);
    for (nth, row) in rows.iter().enumerate() {
        let key = ["every-frame", "fixed-interval"][nth % 2];
        assert_eq!(row[1], key);
        // Twenty tasks of 0.1 ms fit into 2 ms.
        let keeps_limits = key == "fixed-interval" || values[nth] <= 20.0;
        assert_eq!(row[13], if keeps_limits { "1" } else { "0" }, "{row:?}");
    }
    let mut kept = rows
        .iter()
        .filter(|row| row[1] == "every-frame" && row[13] == "1");
    let last = kept.next_back().expect("ten tasks fit");
    let words = format!(
        "Every frame meets all limits up to {} entities and Fixed interval from 10 to 400 entities",
        last[0]
    );
    let advice: Vec<&str> = exited.stderr.split_whitespace().collect();
    assert!(advice.join(" ").ends_with(&words), "{}", exited.stderr);
    let first = exited.stderr.lines().next();
    assert!(
        first.is_some_and(|line| line.starts_with("Entities ")),
        "{}",
        exited.stderr
    );
    assert!(
        exited.stderr.contains("Fixed interval with interval "),
        "{}",
        exited.stderr
    );
}

#[test]
fn standard_error_ends_with_the_answer() {
    let work =
        "sweep --entities 200 --cost-us 100 --seconds 2 --steps 8 --budget-ms 2 --target 0.4,0.2";
    let exited = lab(work);
    let swept = json(&work[6..]);
    let advice = exited.stderr;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = swept["text"].as_str().expect("a sentence");
    assert!(
        words(&advice).starts_with(&format!("advice {}", words(text))),
        "{advice}"
    );
    let rust = swept["best"]["rust"].as_str().expect("code");
    assert!(advice.trim_end().ends_with(rust.trim_end()), "{advice}");
    let why_not = swept["why_not"].as_object().expect("an object");
    assert_eq!(why_not.len(), STRATEGIES.len() - 1);
    for (key, reason) in why_not {
        let line = format!("{key} {}", reason.as_str().expect("a sentence"));
        assert!(words(&advice).contains(&words(&line)), "{line} in {advice}");
    }
    assert!(number(&swept["runner_up"]["times_best"]) >= 0.99);

    let nothing = json(&format!("{} --worst-s 0.001", &work[6..]));
    assert!(nothing["best"].is_null() && nothing["runner_up"].is_null());
    let nearest = nothing["nearest"].as_object().expect("an object");
    assert!(nearest["rust"].as_str().is_some_and(|it| !it.is_empty()));
    let relax = nothing["relax"].as_array().expect("an array");
    let longest = relax
        .iter()
        .find(|it| it["limit"] == "worst_s")
        .expect("the limit");
    assert_eq!(longest["from"], 0.001);
    // The relaxed limit can be kept.
    let to = number(&longest["to"]);
    let relaxed = json(&format!("{} --worst-s {to}", &work[6..]));
    assert!(relaxed["best"].is_object(), "{to}");
}

#[test]
fn nothing_to_do_is_said_in_a_sentence() {
    let exited = lab("sweep --entities 0");
    assert_eq!((exited.status, exited.stdout), (0, format!("{HEADER}\n")));
    assert!(exited.stderr.contains("no entities"), "{}", exited.stderr);
    let swept = json("--entities 0 --budget-ms 4");
    assert!(swept["best"].is_null() && swept["complete"] == true);
    let exited = lab("sweep --over entities=0..2 --frames 20 --steps 2");
    assert_eq!(exited.status, 0);
    assert!(exited.stderr.contains("no entities"), "{}", exited.stderr);
}

#[test]
fn errors_name_the_flag_and_what_it_takes() {
    let folder = folder("sweep-errors");
    let costs = folder.join("costs.txt");
    std::fs::write(&costs, "5\n").expect("the folder is writable");
    let costs = costs.display();
    let keys: Vec<&str> = OVER.iter().map(|knob| knob.key).collect();
    let over: Vec<&str> = keys.iter().copied().chain(["--over", "A..B"]).collect();
    let range = ["--over", "entities=A..B", "0 to 1000000"];
    let cases: [(String, &[&str]); 23] = [
        ("--steps 1".into(), &["--steps", "2 to 1000", "'1'"]),
        ("--steps 1001".into(), &["--steps", "2 to 1000", "'1001'"]),
        (
            "--near-ms 0".into(),
            &["--near-ms", "0.1 to 60000 ms", "'0'"],
        ),
        (
            "--worst-s 0".into(),
            &["--worst-s", "0.001 to 600 s", "'0'"],
        ),
        (
            "--near-ms -1".into(),
            &["--near-ms", "0.1 to 60000 ms", "'-1'"],
        ),
        (
            "--near-ms soon".into(),
            &["--near-ms", "0.1 to 60000 ms", "'soon'"],
        ),
        (
            "--worst-s 601".into(),
            &["--worst-s", "0.001 to 600 s", "'601'"],
        ),
        (
            "--budget-ms 101".into(),
            &["--budget-ms", "0 to 100 ms", "'101'"],
        ),
        ("--frames 0".into(), &["--frames", "'0'"]),
        ("--seconds 0".into(), &["--seconds", "'0'"]),
        (
            "--strategy fastest".into(),
            &["--strategy", "'fastest'", "every-frame"],
        ),
        ("--worst 5".into(), &["'5'"]),
        ("--json 5".into(), &["'5'"]),
        ("--csv a.csv".into(), &["--csv"]),
        ("--over groups=1..5".into(), &over),
        ("--over entities".into(), &range),
        ("--over 1..5".into(), &over),
        ("--over entities=5..5".into(), &range),
        ("--over entities=5".into(), &range),
        ("--over entities=1.5..7".into(), &range),
        (
            "--over entities=1..2M".into(),
            &["--over", "0 to 1000000", "'entities=1..2M'"],
        ),
        (
            "--over target-speed=0..1 --target 0,0".into(),
            &["--over target-speed", "--target"],
        ),
        (
            format!("--over cost-us=1..9 --costs {costs}"),
            &["--over cost-us", "--costs"],
        ),
    ];
    for (flags, parts) in cases {
        let exited = lab(&format!("sweep {flags}"));
        assert_eq!((exited.status, &*exited.stdout), (2, ""), "{flags}");
        for part in parts {
            assert!(exited.stderr.contains(part), "{flags}: {}", exited.stderr);
        }
        assert!(!exited.stderr.contains("panicked"), "{}", exited.stderr);
    }
    for over in [
        "entities=1k..1,200",
        "cost-us=0..1 ms",
        "budget-ms=500us..1",
        "churn-per-s=0..1",
    ] {
        let words = ["timeslice-lab", "sweep", "--over", over];
        assert!(parse(words).is_ok(), "{over}");
    }
}

#[test]
fn the_flags_of_fewer_entities_name_their_number() {
    let limits = "--budget-ms 2 --near-ms 50 --worst-s 5";
    let work = "--entities 800 --cost-us 50 --target 0.3,0.2 --seconds 2 --steps 6";
    let swept = json(&format!("{work} {limits}"));
    let fewer = &swept["fewer"];
    let entities = fewer["entities"].to_string();
    let flags = fewer["flags"].as_array().expect("flags");
    let flags: Vec<&str> = flags.iter().filter_map(Value::as_str).collect();
    assert!(
        flags.windows(2).any(|it| it == ["--entities", &entities]),
        "{flags:?}"
    );
}

#[test]
fn own_costs_are_among_the_flags() {
    let folder = folder("sweep-costs");
    let path = folder.join("costs.txt");
    std::fs::write(&path, "20\n400\n").expect("the folder is writable");
    let path = path.display().to_string();
    let swept = json(&format!(
        "--costs {path} --entities 40 --seconds 1 --steps 4 --strategy fixed-interval"
    ));
    let flags = swept["best"]["flags"].as_array().expect("flags");
    let flags: Vec<&str> = flags.iter().filter_map(Value::as_str).collect();
    assert!(
        flags.windows(2).any(|pair| pair == ["--costs", &path]),
        "{flags:?}"
    );
    assert!(!stdout(&format!("run {}", flags.join(" "))).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_sweep_prints_what_is_done() {
    use crate::command_line::lab::command;
    use std::process::{Command, Stdio};
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let words = "sweep --entities 100000 --cost-us 1 --seconds 600000 --steps 1000";
        let words: Vec<&str> = words.split(' ').collect();
        let mut child = command(&words);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the program starts");
        let id = child.id().to_string();
        // A signal ends the program unless the program handles it.
        let handles_signals = || {
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
            let mask = status
                .lines()
                .find_map(|line| line.strip_prefix("SigCgt:"))?;
            let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
            Some([2, 15].iter().all(|signal| mask & (1 << (signal - 1)) != 0))
        };
        while handles_signals() != Some(true) {
            std::thread::yield_now();
        }
        let kill = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.expect("every Unix has kill").success());
        let output = child.wait_with_output().expect("the sweep ends");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        cells(&stdout, HEADER);
        let start = "timeslice-lab: interrupted after ";
        assert!(
            stderr.starts_with(start) && stderr.lines().count() == 1,
            "{stderr}"
        );
        assert!(
            stderr.contains(" settings, so the results are incomplete"),
            "{stderr}"
        );
    }
}
