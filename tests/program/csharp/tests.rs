//! Replays recorded games with the C# port, and checks that the same tasks run.

use super::recorder::Recorder;
use crate::tools::are_installed;
use lab::catalog::knob::{Knob, KnobValues, Scale};
use lab::catalog::strategy::knobs::{AS_PUBLISHED, BUDGET};
use lab::catalog::strategy::{Family, STRATEGIES, StrategyEntry};
use lab::sim::random::{Rng, Stream};
use lab::text::csharp;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use timeslice_lab::CSHARP_LIBRARY;
use timeslicer::time::Nanos;

const CASES: u64 = 32;
const UPDATES: usize = 100;

/// Creates an empty folder, or returns `None` if Mono's compiler or runtime is not installed.
fn folder_if_mono() -> Option<TempDir> {
    let packages = "mono-mcs mono-runtime";
    are_installed(&["mcs", "mono"], packages, "TIMESLICE_NEED_MONO")
        .then(|| tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a writable folder"))
}

fn write(folder: &TempDir, name: &str, text: String) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a writable folder");
    path
}

/// Runs a command, which must succeed and print nothing on standard error.
fn succeed(command: &mut Command) -> String {
    let output = command.output().expect("it is installed");
    let has_succeeded = output.status.success() && output.stderr.is_empty();
    assert!(has_succeeded, "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A strategy with its knob values, and the game that uses it.
struct Case {
    entry: &'static StrategyEntry,
    values: KnobValues,
    seed: u64,
    /// The cost of a usual run.
    cost: Nanos,
}

fn compiler(program: &Path) -> Command {
    let mut compiler = Command::new("mcs");
    compiler.args(["-warnaserror", "-warn:4", "-langversion:6"]);
    compiler.arg(format!("-out:{}", program.display()));
    compiler
}

/// Returns several cases of each strategy. The first case has the default knob values, all others have random
/// ones.
fn cases() -> Vec<Case> {
    let strategies = STRATEGIES.iter();
    let cases = strategies.flat_map(|&entry| (0..CASES).map(move |seed| (entry, seed)));
    let with_values = cases.map(|(entry, seed)| {
        let mut rng = Rng::new(seed, Stream::Churn);
        let cost_us = [0.0, 0.3, 1.5, 50.0, 1000.0][rng.below(5)];
        let mut values = KnobValues::default();
        let knobs = entry.knobs.iter().filter(|knob| **knob != AS_PUBLISHED);
        for knob in knobs.filter(|_| seed > 0) {
            let value = match rng.below(8) {
                // A budget that is enough for only some of the tasks.
                0..5 if *knob == BUDGET => cost_us * [0.5, 30.0, 100.0, 2000.0][rng.below(4)] / 1e3,
                _ => random_value(knob, &mut rng),
            };
            values.set(knob, value);
        }
        Case {
            entry,
            values,
            seed,
            cost: Nanos::from_micros_f64(cost_us),
        }
    });
    with_values.collect()
}

fn random_value(knob: &Knob, rng: &mut Rng) -> f64 {
    match (rng.below(8), knob.scale) {
        (0, _) => knob.min,
        (1, _) => knob.max,
        (_, Scale::Logarithmic { from }) => from * (knob.max / from).powf(rng.unit()),
        (_, Scale::Linear) => knob.min + rng.unit() * (knob.max - knob.min),
    }
}

/// Returns a C# class that creates the strategy of each case and lists the cases with default values, and the lines of
/// code that the lab shows for each case.
fn generated(cases: &[Case]) -> String {
    let mut constructors = String::new();
    let mut snippets = String::new();
    for (number, Case { entry, values, .. }) in cases.iter().enumerate() {
        let snippet = csharp::snippet(entry, values);
        let (usings, lines) = snippet
            .split_once("\n\n")
            .expect("lines after the namespaces");
        let rest = lines.split("var strategy = ").nth(1);
        let constructor = rest.and_then(|rest| rest.split(';').next());
        let constructor = constructor.expect("a line that creates the strategy");
        let _ = writeln!(constructors, "case {number}: return {constructor};");
        let _ = writeln!(
            snippets,
            "namespace Case{number} {{ {usings}\ninternal static class Snippet {{\n\
            internal static void Use(Guard guard, float delta) {{\n{lines} }} }} }}"
        );
    }
    let numbers = (0..cases.len()).step_by(CASES as usize);
    let defaults: Vec<String> = numbers.map(|number| number.to_string()).collect();
    let defaults = defaults.join(", ");
    format!(
        "\
using Timeslicing;
internal static class Cases
{{
    public static readonly int[] Defaults = {{ {defaults} }};
    public static Strategy Strategy(int number)
    {{
        switch (number)
        {{
{constructors}
default: throw new System.ArgumentOutOfRangeException();
        }}
    }}
}}
internal sealed class Guard {{ public double Distance {{ get {{ return 0; }} }} public void Think(double seconds) {{ }} }}
{snippets}"
    )
}

fn recorded(cases: &[Case]) -> String {
    let mut script = String::new();
    for (number, case) in cases.iter().enumerate() {
        let mut rng = Rng::new(case.seed, Stream::Requests);
        let game = Rng::new(case.seed, Stream::Costs);
        let strategy = case.entry.build(&case.values);
        let mut recorder = Recorder::new(case.entry.key, number, strategy, case.cost, game);
        // With a strategy on request, use more tasks, because only the requested ones run.
        let times = if case.entry.on_request() { 8 } else { 1 };
        // Some crowds have more tasks than a strategy by significance schedules in one update.
        let is_large = case.seed == 1 && case.entry.family == Family::BySignificance;
        let born = if is_large {
            10_000
        } else {
            times * [3, 20, 100, 400][rng.below(4)]
        };
        recorder.events([born, 0, 0]);
        for _ in 0..UPDATES {
            if rng.below(400) == 0 {
                let other = rng.below(cases.len());
                recorder.set_strategy(other, cases[other].entry.build(&cases[other].values));
            }
            let most = [0, 0, 1, 4, 20][rng.below(5)];
            let [births, deaths] = [most, most].map(|most| rng.below(most + 1));
            let requests = match rng.below(12) {
                0 => 2000,
                nth => [0, 8, 40, 200][nth % 4],
            };
            recorder.events([births, deaths, times * requests / 8]);
            let delta = match rng.below(20) {
                0 => 0.0,
                1 => rng.unit() * 1e-6,
                2 => rng.unit() * 20.0,
                _ => 0.004 + rng.unit() * 0.03,
            };
            recorder.update(Nanos::from_secs_f64(delta));
        }
        script += &recorder.script();
    }
    script
}

#[test]
fn every_strategy_is_ported_to_csharp() {
    for entry in STRATEGIES {
        let class = format!("class {} : Strategy", entry.type_name());
        assert!(CSHARP_LIBRARY.contains(&class), "{}", entry.name);
    }
}

#[test]
fn the_port_to_csharp_makes_the_same_runs() {
    let Some(folder) = folder_if_mono() else {
        return;
    };
    let program = folder.path().join("Replay.exe");
    let cases = cases();
    let made = write(&folder, "Cases.cs", generated(&cases));
    let script = write(&folder, "script", recorded(&cases));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let replay = root.join("tests/program/csharp/Replay.cs");
    succeed(compiler(&program).args([root.join(csharp::PATH), replay, made]));
    let out = succeed(Command::new("mono").arg(program).arg(script).arg(root));
    let updates = cases.len() * UPDATES;
    assert!(out.starts_with(&format!("{updates} updates, ")), "{out}");
}

/// Compiles the file as the lab copies it, with each example and as much of the engines as it needs.
#[test]
fn the_copied_file_and_the_examples_compile() {
    let Some(folder) = folder_if_mono() else {
        return;
    };
    let text = csharp::file(CSHARP_LIBRARY, STRATEGIES[0], &KnobValues::default());
    let file = write(&folder, "Timeslicer.cs", text);
    let readme = include_str!("../../../ports/csharp/README.md");
    let block = readme.split("```csharp").nth(1).expect("an example");
    let block = block.split("```").next().expect("its end");
    let guard = "public sealed class Guard { public double Distance => 0; public void Think(float elapsed) { } }";
    write(&folder, "Example.cs", block.to_owned() + guard);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let engines = root.join("tests/program/csharp/Engines.cs");
    let samples = root.join("ports/csharp/Samples~");
    let examples = [
        folder.path().join("Example.cs"),
        samples.join("Unity/*.cs"),
        samples.join("Godot/*.cs"),
    ];
    for example in examples {
        let mut compiler = compiler(&folder.path().join("Example.dll"));
        succeed(
            compiler
                .arg("-target:library")
                .args([&file, &engines, &example]),
        );
    }
}
