//! Task costs from a file: `run`, `compare` and the window accept such a file, and errors name the line that is wrong.

use crate::command_line::lab::{command, folder, lab, stdout};
use headless::sim::world::COST;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Writes a file into a test's empty folder, and returns the file's path.
fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("the folder is writable");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_run_takes_its_task_costs_from_the_file() {
    let folder = folder("costs-run");
    let costs = file(&folder, "costs.txt", "# zombies\n\n1.5\r\n250\n1e3\n");
    let trace = folder.join("trace.json");
    let line = format!(
        "run --costs {costs} --strategy every-frame --entities 50 --churn-per-s 40 --frames 60 --seed 4"
    );
    let csv = stdout(&format!("{line} --trace {}", trace.display()));
    assert_eq!(
        stdout(&line),
        csv,
        "the same seed and file give the same bytes"
    );
    assert_ne!(stdout(&line.replace("--seed 4", "--seed 5")), csv);
    let ignored = stdout(&format!("{line} --cost-us 7 --cost-spread 2"));
    assert_eq!(ignored, csv, "the file takes precedence");

    let json: Value = serde_json::from_slice(&fs::read(&trace).unwrap()).expect("JSON");
    let events = json["traceEvents"].as_array().expect("events");
    let runs = events.iter().filter(|it| it["name"] == "task");
    let costs: BTreeSet<String> = runs.map(|it| it["dur"].to_string()).collect();
    let expected = ["1.5", "250.0", "1000.0"].map(str::to_owned);
    assert_eq!(costs, expected.into_iter().collect());
}

#[test]
fn a_file_of_equal_costs_gives_the_bytes_of_that_cost() {
    let folder = folder("costs-equal");
    let costs = file(&folder, "costs.txt", "80\n".repeat(30));
    for work in [
        "run --entities 300 --churn-per-s 30 --strategy weighted-share --summary",
        "compare --entities 300 --churn-per-s 30 --render-ms 2 --seconds 4",
    ] {
        let own = lab(&format!("{work} --costs {costs}"));
        assert_eq!(own, lab(&format!("{work} --cost-us 80")), "{work}");
        assert_eq!(own.status, 0, "{work}");
    }
}

#[test]
fn a_comparison_with_own_costs_depends_on_its_seed_alone() {
    let folder = folder("costs-compare");
    let costs = file(&folder, "costs.txt", "5\n5\n10\n300\n");
    let shuffled = file(&folder, "shuffled.txt", "300\r\n5\r\n10\r\n5");
    for format in ["", "--json"] {
        let compare = |costs: &str, seed: u32| {
            stdout(&format!(
                "compare {format} --costs {costs} --entities 200 --churn-per-s 20 --seconds 5 --seed {seed}"
            ))
        };
        // The flags in the JSON name the file.
        let renamed = compare(&shuffled, 7).replace(&shuffled, &costs);
        assert_eq!(compare(&costs, 7), renamed);
        assert_ne!(compare(&costs, 7), compare(&costs, 8));
    }
}

#[test]
fn a_bad_file_is_refused_with_its_line_and_an_unreadable_one_with_its_cause() {
    let folder = folder("costs-bad");
    let (min, max) = (COST.min.to_string(), COST.max.to_string());
    let bad = [
        ("12\n# two\nmany\n", "line 3", "'many'"),
        ("12\n-1\n", "line 2", "'-1'"),
        ("NaN", "line 1", "'NaN'"),
        ("inf", "line 1", "'inf'"),
        ("20001\n", "line 1", "'20001'"),
        ("5\r\n12.5 µs\r\n", "line 2", "'12.5 µs'"),
        ("0,5\n", "line 1", "'0,5'"),
        ("", "no cost", ""),
        ("# nothing\n\n", "no cost", ""),
    ];
    for (text, place, value) in bad {
        let path = file(&folder, "bad.txt", text);
        for command in ["run --frames 1", "compare --seconds 1", "--still 1"] {
            let exited = lab(&format!("{command} --costs {path}"));
            assert_eq!((exited.status, &*exited.stdout), (2, ""), "{text:?}");
            for part in ["--costs", &path, place, value, &min, &max] {
                assert!(exited.stderr.contains(part), "{part}: {}", exited.stderr);
            }
        }
    }
    let binary = file(&folder, "bad.txt", b"\x7fELF\x02\0\0\xff\n\xfe");
    assert_eq!(lab(&format!("run --costs {binary}")).status, 2);
    let missing = folder.join("missing.txt").display().to_string();
    for path in [missing, folder.display().to_string()] {
        let exited = lab(&format!("run --costs {path}"));
        assert_eq!((exited.status, &*exited.stdout), (1, ""));
        let words = format!("--costs cannot read {path}: ");
        assert!(exited.stderr.contains(&words), "{}", exited.stderr);
    }
    let output = command(&["run", "--costs"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
}
