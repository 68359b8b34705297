//! Tests of `sweep`: its rows, its recommendation and its errors. Which setting is recommended is tested in
//! `lab::recommend`.

use crate::command_line::lab::{cells, folder, lab, stdout};
use serde_json::Value;

const HEADER: &str = "strategy,knob,value,task_ms_mean,task_ms_p99,task_ms_max,frame_ms_p99,hitch_percent,\
                      staleness_mean_ms,weighted_mean_ms,weighted_mean_bound_ms,worst_ms,\
                      request_wait_mean_ms,request_wait_max_ms";

fn json(flags: &str) -> Value {
    serde_json::from_str(&stdout(&format!("sweep --json {flags}"))).expect("JSON")
}

#[test]
fn rows_are_in_order_and_include_the_recommended() {
    let flags = "--entities 300 --cost-us 40 --budget-ms 2 --seconds 2 --steps 4 --target 0.5,0.25 --strategy weighted-share \
                 --strategy every-frame --strategy fixed-interval --strategy every-frame --worst-s 1";
    let exited = lab(&format!("sweep {flags}"));
    assert_eq!(exited.status, 0);
    let table = cells(&exited.stdout, HEADER);
    let swept = json(flags);
    let best = &swept["best"];
    let others = best["others"].as_array().expect("knobs");
    let knobs: Vec<&Value> = [best].into_iter().chain(others).collect();
    let is_best = |row: &[String]| {
        let values = row[2].split(' ').map(|it| it.parse().ok());
        row[0] == best["strategy"]
            && row[1]
                .split(' ')
                .eq(knobs.iter().filter_map(|it| it["knob"].as_str()))
            && values.eq(knobs.iter().map(|it| it["value"].as_f64()))
    };
    assert!(table.iter().any(|row| is_best(row)), "{best}: {table:?}");
    let settings = table.iter().filter(|row| !is_best(row));
    let settings: Vec<[&str; 3]> = settings.map(|row| [0, 1, 2].map(|at| &*row[at])).collect();
    assert_eq!(settings[0], ["every-frame", "", ""]);
    for (nth, interval) in ["0.01", "0.1", "1", "10"].into_iter().enumerate() {
        assert_eq!(
            settings[1 + nth],
            ["fixed-interval", "interval-s", interval]
        );
    }
    let budgets = settings[5..].iter().map(|[key, knob, value]| {
        assert_eq!([*key, *knob], ["weighted-share", "budget-ms"]);
        value.parse::<f64>().expect("a number")
    });
    let budgets: Vec<f64> = budgets.collect();
    assert!(budgets.len() == 4 && budgets.is_sorted() && budgets[3] == 100.0);
    let rows = swept["settings"].as_array().expect("rows");
    assert_eq!(rows.len(), table.len());
    for (row, json) in table.iter().zip(rows) {
        let mean = json["weighted_mean_ms"].as_f64();
        assert_eq!(row[9], mean.map_or(String::new(), |it| format!("{it:.6}")));
    }
}

#[test]
fn cells_without_a_value_are_empty() {
    let cells_of = |flags: &str| cells(&lab(&format!("sweep {flags}")).stdout, HEADER);
    // The bound is known only if the target does not move.
    let flags = "--entities 50 --seconds 3 --steps 3 --strategy fixed-interval";
    for row in cells_of(flags) {
        assert!(row[10].is_empty() && !row[9].is_empty() && !row[11].is_empty());
        assert_eq!(row[12..], ["", ""], "there are no requests");
    }
    for row in cells_of("--entities 50 --seconds 3 --steps 3 --strategy time-budget") {
        let [mean, max] = [12, 13].map(|at: usize| row[at].parse::<f64>().expect("a number"));
        assert!(0.0 < mean && mean <= max, "{row:?}");
    }
    for row in cells_of(&format!("{flags} --target 0.2,0.3")) {
        let [mean, bound] = [9, 10].map(|at: usize| row[at].parse::<f64>().expect("a number"));
        assert!(0.0 < bound && bound <= mean, "{row:?}");
    }
    // With one task per frame, most tasks never run.
    let flags = "--entities 5000 --cost-us 1 --frames 40 --steps 2 --strategy max-per-frame";
    let rows = cells_of(flags);
    assert_eq!(
        (rows[0][2].as_str(), &rows[0][8..]),
        ("1", &[""; 6].map(str::to_owned)[..])
    );
    assert!(!rows[1][8].is_empty());
    assert_eq!(json(flags)["settings"][0]["worst_ms"], Value::Null);
}

#[test]
fn compare_names_the_setting_of_sweep() {
    let costs = folder("sweep-costs").join("costs.txt");
    std::fs::write(&costs, "20\n400\n").expect("the folder is writable");
    let costs = costs.display();
    let flags = format!("--entities 40 --near-ms 50 --no-budget-limit --costs {costs}");
    let swept = json(&format!("{flags} --seconds 2 --steps 5"));
    let compared = stdout(&format!("compare --json --seconds 2 {flags}"));
    let compared: Value = serde_json::from_str(&compared).expect("JSON");
    let advice = &compared["advice"];
    for key in ["text", "warnings", "why_not"] {
        assert_eq!(advice[key], swept[key]);
    }
    assert_eq!(advice["flags"], swept["best"]["flags"]);
    let words = advice["flags"].as_array().expect("flags");
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    assert!(words.contains(&"--costs"), "{words:?}");
    assert!(!stdout(&format!("run {}", words.join(" "))).is_empty());
}

#[test]
fn crossovers_have_a_row_per_strategy_and_value() {
    let exited = lab(
        "sweep --strategy every-frame --strategy fixed-interval --over entities=10..400 --cost-us 100 --seconds 1 \
         --steps 4 --budget-ms 2",
    );
    assert_eq!(exited.status, 0);
    let rows = cells(&exited.stdout, &format!("entities,{HEADER},keeps_limits"));
    let values = rows.iter().map(|row| row[0].parse().expect("a number"));
    let values: Vec<f64> = values.collect();
    assert!(values.is_sorted() && values[0] == 10.0 && values[values.len() - 1] == 400.0);
    for (nth, row) in rows.iter().enumerate() {
        let key = ["every-frame", "fixed-interval"][nth % 2];
        assert_eq!(row[1], key);
        // Twenty tasks of 0.1 ms fit into the limit of 2 ms, so `every-frame` keeps it with at most 20 entities.
        let keeps_limits = key == "fixed-interval" || values[nth] <= 20.0;
        assert_eq!(row[15], if keeps_limits { "1" } else { "0" }, "{row:?}");
    }
}

#[test]
fn json_has_the_nearest_setting_and_each_way_out_if_nothing_keeps_the_limits() {
    let work = "--entities 200 --cost-us 100 --seconds 2 --steps 8 --budget-ms 2 --target 0.4,0.2";
    let nothing = json(&format!("{work} --worst-s 0.001"));
    assert!(nothing["best"].is_null() && nothing["runner_up"].is_null());
    assert!(
        nothing["nearest"]["rust"]
            .as_str()
            .is_some_and(|it| !it.is_empty())
    );
    assert_eq!(nothing["relax"][0]["limit"], "worst_s");
    let fewer = json(&format!("{work} --near-ms 20 --worst-s 5"))["fewer"].clone();
    let flags = fewer["flags"].as_array().expect("flags");
    let flags: Vec<&str> = flags.iter().filter_map(Value::as_str).collect();
    let entities = fewer["entities"].to_string();
    assert!(
        flags.windows(2).any(|it| it == ["--entities", &entities]),
        "{flags:?}"
    );
}

#[test]
fn nothing_to_do_is_said_in_a_sentence() {
    let exited = lab("sweep --entities 0");
    assert_eq!((exited.status, exited.stdout), (0, format!("{HEADER}\n")));
    assert!(exited.stderr.contains("no entities"), "{}", exited.stderr);
    let exited = lab("sweep --over entities=0..2 --frames 20 --steps 2");
    assert_eq!(exited.status, 0);
    assert!(exited.stderr.contains("1 to 2 "), "{}", exited.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_sweep_prints_what_is_done() {
    use crate::command_line::lab::{signalled, started};
    let words = "sweep --entities 100000 --cost-us 1 --seconds 600000 --steps 1000";
    let child = started(&words.split(' ').collect::<Vec<_>>());
    // SIGTERM ends the program unless the program handles it.
    let handles_signals = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
        Some(mask & (1 << (15 - 1)) != 0)
    };
    while handles_signals() != Some(true) {
        std::thread::yield_now();
    }
    let output = signalled(child, "TERM");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(130), "{stderr}");
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
