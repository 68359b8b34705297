//! Tables and examples in the documents that are generated from the program.

use crate::command_line::lab::lab;
use crate::documents::blocks::{check, table};
use crate::documents::markdown::{italics, read};
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use lab::measure::{Better, METRICS};
use lab::sim::disturbance::Disturbance;
use lab::sim::settings::all_knobs;

/// Returns the name of the source file of a strategy or frame loop.
fn file(key: &str) -> String {
    key.replace('-', "_") + ".rs"
}

/// Returns the keycaps of the strategies: the number row, then the same keys with Shift. Further strategies have no
/// key.
fn strategy_keys() -> impl Iterator<Item = String> {
    let with_shift = ["", "⇧"].into_iter();
    let keys = with_shift.flat_map(|shift| "1234567890-".chars().map(move |key| (shift, key)));
    let caps = keys.map(|(shift, key)| format!("`{shift}{key}`"));
    caps.chain(std::iter::repeat(String::new()))
}

#[test]
fn the_readme_lists_every_strategy() {
    let rows = strategy_keys().zip(STRATEGIES).map(|(caps, it)| {
        let (key, file, rule) = (it.key, file(it.key), it.rule);
        format!("| {caps} | [`{key}`](timeslicer/src/strategy/{file}) | {rule} |")
    });
    let table = table("| key | strategy | rule |", rows);
    check("README.md", "strategies", &table);
}

#[test]
fn the_readme_lists_every_frame_loop() {
    let rows = FRAME_LOOPS.iter().map(|it| {
        let (key, file, rule) = (it.key, file(it.key), it.rule);
        format!("| [`{key}`](timeslicer/src/frame_loop/{file}) | {rule} |")
    });
    check("README.md", "loops", &table("| frame loop | rule |", rows));
}

#[test]
fn the_crate_documents_every_strategy_and_frame_loop() {
    let rows = STRATEGIES.iter().map(|it| {
        let (name, rule) = (it.type_name(), it.rule);
        format!("| [`{name}`](src/strategy/{}) | {rule} |", file(it.key))
    });
    let strategies = table("| strategy | rule |", rows);
    check("timeslicer/README.md", "strategies", &strategies);

    let rows = FRAME_LOOPS.iter().map(|it| {
        let words = it.key.split('-');
        let name: String = words
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        format!(
            "| [`{name}`](src/frame_loop/{}) | {} |",
            file(it.key),
            it.rule
        )
    });
    let loops = table("| loop | rule |", rows);
    check("timeslicer/README.md", "loops", &loops);

    let rows = STRATEGIES.iter().map(|it| {
        let use_when = it.use_when.trim_start_matches("Use it ");
        let use_when = use_when.trim_end_matches('.');
        let (name, work, guarantee) = (it.type_name(), it.work, it.guarantee);
        format!("| [`{name}`](strategy::{name}) | {use_when} | {work} | {guarantee} |")
    });
    let heading = "| strategy | use it | an update runs | guarantee |";
    check("timeslicer/src/lib.rs", "strategies", &table(heading, rows));
}

#[test]
fn the_command_line_page_lists_every_knob() {
    let rows = all_knobs().into_iter().map(|(_, knob)| {
        let range = format!("{} to {} {}", knob.min, knob.max, knob.unit);
        let range = range.trim_end();
        format!(
            "| `--{}` | {range} | {} | {} |",
            knob.key, knob.default, knob.help
        )
    });
    let table = table("| flag | range | default | meaning |", rows);
    check("docs/command-line.md", "knobs", &table);
}

#[test]
fn the_figures_page_lists_every_figure() {
    let rows = METRICS.iter().map(|metric| {
        let better = match metric.better {
            Better::Less => "lower",
            Better::More => "higher",
            Better::Neither => "",
        };
        let (unit, key) = (metric.unit, format!("`{}`", metric.key));
        let cells = [metric.label, &key, unit, better, metric.help];
        let cells = cells.map(|cell| format!(" {cell} ").replace("  ", " "));
        format!("|{}|", cells.join("|"))
    });
    let table = table("| name | JSON key | unit | better | definition |", rows);
    check("docs/metrics.md", "figures", &table);
}

#[test]
fn the_views_page_lists_every_disturbance() {
    let rows = Disturbance::ALL.map(|it| format!("| {} | {} |", it.name(), it.explained()));
    check(
        "docs/views.md",
        "disturbances",
        &table("| button | effect |", rows),
    );
}

/// Returns two code blocks: a command and its standard output.
fn session(command: &str) -> String {
    let printed = lab(command).stdout;
    format!(
        "```sh
cargo run --release -- {command}
```

```text
{}
```",
        printed.trim_end()
    )
}

#[test]
fn the_command_line_page_shows_a_comparison() {
    let command = "compare --entities 2000 --cost-us 50 --churn-per-s 20 --seconds 60";
    let shown = session(command);
    check("docs/command-line.md", "comparison", &shown);
}

/// Returns two code blocks: a command that writes its standard output to a file, and its standard error.
fn session_with_file(command: &str, file: &str) -> String {
    let printed = lab(command).stderr;
    format!(
        "```sh\ncargo run --release -- {command} > {file}\n```\n\n```text\n{}\n```",
        printed.trim_end()
    )
}

#[test]
fn the_command_line_page_shows_sweeps() {
    let command = "sweep --entities 800 --cost-us 100 --budget-ms 4 --worst-s 1";
    let shown = session_with_file(command, "settings.csv");
    check("docs/command-line.md", "sweep", &shown);
    let command = "sweep --strategy fixed-interval --strategy weighted-share --over entities=100..20k --budget-ms 4";
    let shown = session_with_file(command, "crossovers.csv");
    check("docs/command-line.md", "crossovers", &shown);
}

#[test]
fn controls_and_figures_have_the_names_of_the_program() {
    let strategies = STRATEGIES.iter().map(|it| it.name);
    let knobs = all_knobs().into_iter().map(|(_, knob)| knob.label);
    let metrics = METRICS.iter().map(|metric| metric.label);
    let names = strategies.chain(knobs).chain(metrics);
    let names: Vec<String> = names.map(str::to_lowercase).collect();
    let readme = read("README.md");
    let (_, to_try) = readme.split_once("\n## What to try\n").expect("the steps");
    let to_try = to_try.split("\n## ").next().unwrap_or_default();
    for text in [to_try, &read("docs/views.md"), &read("docs/metrics.md")] {
        let used = italics(text);
        assert!(used.len() > 1, "{used:?}");
        for name in used {
            assert!(
                names.contains(&name.to_lowercase()),
                "nothing is called {name}"
            );
        }
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let page = read("docs/development.md");
    let (_, table) = page
        .split_once("| dependency | purpose |")
        .expect("the table");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|row| row.starts_with("| "));
    let cells = rows.filter_map(|row| row[2..].split(" |").next());
    let named: Vec<&str> = cells.flat_map(|cell| cell.split(", ")).collect();
    let mut count = 0;
    for manifest in [
        "Cargo.toml",
        "lab/Cargo.toml",
        "benches/Cargo.toml",
        "integrations/bevy/Cargo.toml",
    ] {
        let manifest = read(manifest);
        let sections = manifest.split("\n[");
        let dependencies = sections.filter_map(|section| section.split_once("dependencies]\n"));
        let lines = dependencies.flat_map(|(_, lines)| lines.lines());
        for (key, value) in lines.filter_map(|line| line.split_once(" = ")) {
            // A renamed dependency is listed under the name of its package.
            let renamed = value.split_once("package = \"");
            let name = renamed.and_then(|(_, name)| name.split('"').next());
            let name = name.unwrap_or(key.trim_end_matches(".workspace"));
            assert!(named.contains(&name), "no row for {name}");
            count += 1;
        }
    }
    assert!(count >= 12, "{count} dependencies");
}
