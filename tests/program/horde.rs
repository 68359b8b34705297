//! Runs the example `horde`, a small game that uses only the crate `timeslicer`.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::{env, io};
use timeslicer::strategy::STRATEGIES;

/// Returns the path of the example. Builds it first, because `cargo test --test program` builds no examples.
pub(crate) fn horde() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let tests = env::current_exe().expect("the test program has a path");
        let profile = tests.ancestors().nth(2).expect("PROFILE/deps/PROGRAM");
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        command.args(["build", "--quiet", "--example", "horde"]);
        command.arg("--target-dir").arg(profile.join(".."));
        if profile.ends_with("release") {
            command.arg("--release");
        }
        assert!(command.status().expect("cargo runs").success());
        let name = format!("horde{}", env::consts::EXE_SUFFIX);
        profile.join("examples").join(name)
    };
    PATH.get_or_init(build).clone()
}

fn output_of(words: &[&str]) -> Output {
    let output = Command::new(horde()).args(words).output();
    output.expect("the example is built")
}

/// Returns the lines of the table, split into the name of the strategy and the values.
fn table(words: &[&str]) -> Vec<Vec<String>> {
    let output = output_of(&[&["--headless"], words].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let (_, table) = text.split_once("\n\n").expect("a caption");
    let width = table.lines().next().expect("a heading").chars().count();
    assert!(
        table.lines().all(|line| line.chars().count() == width),
        "{text}"
    );
    let split = |line: &str| {
        let (name, values) = line.split_at(17);
        let cells = std::iter::once(name.trim()).chain(values.split_whitespace());
        cells.map(str::to_owned).collect()
    };
    table.lines().skip(1).map(split).collect()
}

#[test]
fn the_table_has_a_plausible_row_for_each_strategy() {
    // Per frame, fixed-interval runs as many of these zombies as are measured. If the measurement also went round the
    // zombies in order, it would always measure those that are about to run.
    let rows = table(&["--zombies", "1200", "--frames", "120"]);
    let names = rows.iter().map(|row| &*row[0]);
    assert!(names.eq(STRATEGIES.iter().map(|entry| entry.name)));
    // Thinking time and the columns that follow from it depend on the computer; other columns do not.
    let number = |name: &str, column: usize| -> f64 {
        let row = rows.iter().find(|row| row[0] == name).expect("a row");
        row[column].parse().expect("a number")
    };
    let [runs, near_stale, near_wrong, far_stale, far_wrong] = [4, 5, 6, 7, 8];
    assert_eq!(number("Every frame", runs), 1200.0);
    for column in [near_stale, near_wrong, far_stale, far_wrong] {
        assert_eq!(number("Every frame", column), 0.0);
    }
    assert!((39.0..=41.0).contains(&number("Fixed interval", runs)));
    assert!((200.0..300.0).contains(&number("Fixed interval", far_stale)));
    assert!(number("Fixed interval", far_wrong) > 5.0);
    assert!(number("Distance LOD", near_stale) < 0.2 * number("Distance LOD", far_stale));
    assert!(number("Distance LOD", near_wrong) < number("Fixed interval", near_wrong));
}

#[test]
fn a_reader_who_leaves_causes_no_panic() {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    let mut command = Command::new(horde());
    command.args(["--headless", "--zombies", "0", "--frames", "1"]);
    let output = command.stdout(writer).stderr(Stdio::piped()).output();
    let output = output.expect("the example is built");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn bad_arguments_are_named_with_what_is_allowed() {
    for (words, parts) in [
        (
            &["--frames", "0"][..],
            ["--frames", "'0'", "from 1 to 1000000"],
        ),
        (
            &["--zombies", "-1"],
            ["--zombies", "'-1'", "from 0 to 25000"],
        ),
        (&["--quick"], ["'--quick'", "--headless", "--frames N"]),
    ] {
        let output = output_of(words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(output.stdout.is_empty());
        for part in parts {
            assert!(error.contains(part), "{words:?}: {error}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_it_names_headless() {
    for display in ["", ":987"] {
        let mut command = Command::new(horde());
        command
            .env("DISPLAY", display)
            .env_remove("WAYLAND_DISPLAY");
        let output = command.output().expect("the example is built");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(
            error.starts_with("horde: ") && error.contains("--headless"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn the_example_is_short_and_needs_little() {
    let text = include_str!("../../examples/horde.rs");
    assert!(text.lines().count() <= 510);
    let render = include_str!("../../examples/horde/render.rs");
    for line in text.lines().chain(render.lines()) {
        let Some(path) = line.strip_prefix("use ") else {
            continue;
        };
        let root = path.split([':', ';']).next().unwrap_or_default();
        let allowed = ["crate", "macroquad", "render", "std", "timeslicer"];
        assert!(allowed.contains(&root), "{line}");
    }
}
