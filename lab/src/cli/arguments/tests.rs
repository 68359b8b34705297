//! These tests check which settings and options a command line results in, and the wording of errors.

use super::*;
use crate::catalog::strategy::knobs::{AS_PUBLISHED, INTERVAL, PAY_BACK, PREDICT};
use crate::recommend::OVER;
use crate::sim::world::ENTITIES;

fn parse_words(line: &str) -> Result<(Settings, Invocation), Failure> {
    parse(std::iter::once("timeslice-lab").chain(line.split_whitespace()))
}

fn window(line: &str) -> (Settings, WindowOptions) {
    match parse_words(line) {
        Ok((settings, Invocation::Window(options))) => (settings, options),
        other => panic!("{line}: {other:?}"),
    }
}

fn run(line: &str) -> (Settings, RunOptions) {
    match parse_words(line) {
        Ok((settings, Invocation::Run(options))) => (settings, options),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn clap_accepts_the_declarations() {
    command().debug_assert();
}

#[test]
fn every_command_has_the_same_defaults() {
    for line in ["", "run", "compare"] {
        match parse_words(line) {
            Ok((settings, _)) => assert_eq!(settings, Settings::default(), "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn errors_name_the_flag_the_value_and_the_range() {
    for (line, expected) in [
        (
            "--size 10",
            "--size takes WIDTHxHEIGHT in pixels, each from 1 to 16384 (for example 1280x800), not '10'",
        ),
        (
            "run --at 2:storm=3",
            "--at takes SECONDS:KIND=VALUE, where KIND is one of stall, display, births, deaths, task and requests (for example 2:births=200), not '2:storm=3'",
        ),
        (
            "compare --at 2:births=1.5",
            "--at takes SECONDS:births=VALUE with a time from 0 to 1000000 s and a whole number from 1 to 1000000, not '2:births=1.5'",
        ),
        (
            "compare --on-request --requests-per-s 0 --at 1:births=5",
            "--on-request needs requests: give --requests-per-s or --eager-percent a value above 0, or add --at SECONDS:requests=N",
        ),
        (
            "compare --wait-ms 5",
            "--wait-ms needs --on-request, because other work is not requested",
        ),
        (
            "sweep --on-request --strategy every-frame --strategy max-per-frame",
            "--on-request needs a strategy that runs tasks on request, such as request-list and time-budget, not every-frame and max-per-frame",
        ),
        (
            "sweep --at -1:stall=5",
            "--at takes SECONDS:stall=VALUE with a time from 0 to 1000000 s and a number from 0 to 600000 ms, not '-1:stall=5'",
        ),
        (
            "run --seed -1",
            "--seed takes a whole number from 0 to 18446744073709551615, not '-1'",
        ),
        (
            "--target -1,nan",
            "--target takes X,Y with X from 0 to 1 and Y from 0 to 0.5 (for example 0.5,0.25), not '-1,nan'",
        ),
        (
            "--still -1",
            "--still takes a whole number from 0 to 108000, not '-1'",
        ),
        (
            "run --seconds soon",
            "--seconds takes a number from 0 to 604800 s, not 'soon'",
        ),
        (
            "compare --seconds 0",
            "--seconds takes a number from 0.000000001 to 604800 s, not '0'",
        ),
        (
            "compare --frames 0",
            "--frames takes a whole number from 1 to 18446744073709551615, not '0'",
        ),
        (
            "run --csv a.csv --events ./a.csv",
            "--csv and --events cannot both write to './a.csv'",
        ),
        (
            "--record a.gif.txt",
            "--record takes a file whose name ends in .gif, not 'a.gif.txt'",
        ),
        (
            "--record a.gif --screenshot ./a.gif",
            "--screenshot and --record cannot both write to 'a.gif'",
        ),
    ] {
        let exit = parse_words(line).expect_err(line);
        let hint = "\n\nFor more information, try '--help'.\n";
        assert_eq!(exit.to_string(), format!("error: {expected}{hint}"));
        assert_eq!(exit.status, 2, "{line}");
    }
}

#[test]
fn a_sweep_takes_two_or_more_steps_and_a_range() {
    let folder = tempfile::tempdir().unwrap();
    let costs = folder.path().join("costs.txt");
    std::fs::write(&costs, "5\n").unwrap();
    let over_cost = format!("--over cost-us=1..9 --costs {}", costs.display());
    let keys: Vec<&str> = OVER.iter().map(|(knob, _)| knob.key).collect();
    let over = [&keys[..], &["--over", "A..B"]].concat();
    let range = ["--over", "entities=A..B", "0 to 1000000"];
    let cases: [(&str, &[&str]); 9] = [
        ("--steps 1", &["--steps", "2 to 1000", "'1'"]),
        ("--over groups=1..5", &over),
        ("--over entities=5..5", &range),
        ("--over entities=5", &range),
        ("--over entities=1.5..7", &range),
        (
            "--over target-speed=0..1 --target 0,0",
            &["--over target-speed", "--target"],
        ),
        (&over_cost, &["--over cost-us", "--costs"]),
        (
            "--over step-ms=5..50",
            &["--over step-ms", "--loop variable-step", "fixed-step"],
        ),
        (
            "--over display-hz=30..60 --loop constant-fps",
            &["--over display-hz", "unsynced"],
        ),
    ];
    for (flags, parts) in cases {
        let exit = parse_words(&format!("sweep {flags}")).expect_err(flags);
        assert_eq!(exit.status, 2, "{flags}");
        for part in parts {
            assert!(exit.to_string().contains(part), "{flags}: {exit}");
        }
    }
    for over in [
        "entities=1k..1,200",
        "cost-us=0..1 ms",
        "budget-ms=500us..1",
        "churn-per-s=0..1",
        "display-hz=30..144",
    ] {
        let words = ["timeslice-lab", "sweep", "--over", over];
        assert!(parse(words).is_ok(), "{over}");
    }
}

#[test]
fn numbers_take_suffixes_and_switches_take_words() {
    let (settings, options) = run(
        "run --entities 2.5k --interval-s 250ms --predict off --pay-back YES --as-published true --frames 1k",
    );
    assert_eq!(settings.knobs.get(&ENTITIES), 2500.0);
    assert_eq!(settings.knobs.get(&INTERVAL), 0.25);
    let switches = [PREDICT, PAY_BACK, AS_PUBLISHED].map(|knob| settings.knobs.get(&knob));
    assert_eq!(switches, [0.0, 1.0, 1.0]);
    assert_eq!(options.length.length(), Length::Frames(1000));
    assert_eq!(window("--still 1.2k --vsync no").1.still, Some(1200));
    assert!(!window("--vsync no").1.vsync);
}

#[test]
fn compare_runs_every_strategy_by_default() {
    let strategies = |line| match parse_words(line) {
        Ok((_, Invocation::Compare(options))) => options.strategies,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(
        strategies("compare --entities 5 --json").len(),
        STRATEGIES.len()
    );
    let chosen =
        strategies("compare --strategy time-budget --strategy every-frame --strategy time-budget");
    let keys: Vec<&str> = chosen.iter().map(|entry| entry.key).collect();
    assert_eq!(keys, ["time-budget", "every-frame"]);
}

#[test]
fn flags_that_contradict_each_other_are_rejected() {
    for conflict in [
        "run --frames 7 --seconds 1",
        "compare --on-request --worst-s 1",
        "--near-ms 5 --on-request",
    ] {
        assert_eq!(parse_words(conflict).unwrap_err().status, 2, "{conflict}");
    }
}
