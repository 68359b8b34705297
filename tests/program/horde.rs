//! Runs the example `horde`, a small game that uses only the crate `timeslicer`.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use timeslicer::strategy::STRATEGIES;

/// Builds the example, because `cargo test --test program` builds no examples. Returns its path.
fn build() -> PathBuf {
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
}

#[test]
fn it_prints_a_plausible_table_and_clear_errors() {
    let horde = build();
    let run = |words: &[&str]| {
        let mut command = Command::new(&horde);
        command.env("DISPLAY", "").env_remove("WAYLAND_DISPLAY");
        let output = command.args(words).output().expect("it is built");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };

    // With a budget that is never used up, all columns except the times are the same on every computer.
    let flags = "--headless --zombies 1200 --frames 120 --budget-ms 1000";
    let (status, table, _) = run(&flags.split(' ').collect::<Vec<_>>());
    assert_eq!(status, Some(0));
    let number = |name: &str, column: usize| -> f64 {
        let row = table.lines().find_map(|line| line.strip_prefix(name));
        let row = row.unwrap_or_else(|| panic!("no row for {name}: {table}"));
        let cell = row.split_whitespace().nth(column - 1).expect("a column");
        cell.parse().expect("a number")
    };
    let [waiting, decisions, near_stale, far_stale, bites] = [5, 6, 7, 8, 9];
    for strategy in STRATEGIES {
        assert_eq!(number(strategy.name, waiting), 0.0);
        assert!(number(strategy.name, decisions) > 0.0);
    }
    assert_eq!(number("Every frame", decisions), 1200.0);
    assert_eq!(number("Every frame", near_stale), 0.0);
    assert_eq!(number("Every frame", far_stale), 0.0);
    assert!(number("Every frame", bites) > 0.0);
    assert!((39.0..=41.0).contains(&number("Fixed interval", decisions)));
    assert!((200.0..300.0).contains(&number("Fixed interval", far_stale)));
    assert!(number("Distance LOD", near_stale) < 0.2 * number("Distance LOD", far_stale));
    assert!(number("Distance LOD", bites) > number("Fixed interval", bites));

    for (words, status, parts) in [
        (&["--frames", "0"][..], 2, ["--frames", "from 1 to 1000000"]),
        (&["--zombies", "-1"], 2, ["--zombies", "from 0 to 25000"]),
        (&["--budget-ms", "0"], 2, ["--budget-ms", "from 1 to 1000"]),
        (&["--quick"], 2, ["'--quick'", "--frames N"]),
        #[cfg(target_os = "linux")] // without a display
        (&[], 1, ["horde: ", "--headless"]),
    ] {
        let (code, _, error) = run(words);
        assert_eq!(code, Some(status), "{words:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}
