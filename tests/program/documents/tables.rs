//! Tables and examples in the documents that are generated from the program.

use crate::command_line::lab::lab;
use crate::documents::blocks::{check, table};
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::{STRATEGIES, pascal_case};
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
    let keys = with_shift.flat_map(|shift| "1234567890-=".chars().map(move |key| (shift, key)));
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
        let (name, rule) = (pascal_case(it.key), it.rule);
        format!("| [`{name}`](src/frame_loop/{}) | {rule} |", file(it.key))
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
        let range = knob.range();
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
fn the_documents_list_every_disturbance() {
    let rows = Disturbance::ALL.map(|it| format!("| {} | {} |", it.size().label, it.explained()));
    check(
        "docs/views.md",
        "disturbances",
        &table("| button | effect |", rows),
    );
    let rows = Disturbance::ALL.map(|it| {
        let (kind, size) = (it.key(), it.size());
        format!("| `{kind}` | {} | {} |", size.range(), size.help)
    });
    let table = table("| kind | value | effect |", rows);
    check("docs/command-line.md", "kinds", &table);
}

/// Returns two code blocks: a command, which may write its standard output to a file, and what it prints on the screen.
fn session(command: &str, file: Option<&str>) -> String {
    let exited = lab(command);
    let (to_file, printed) = match file {
        Some(file) => (format!(" > {file}"), exited.stderr),
        None => (String::new(), exited.stdout + &exited.stderr),
    };
    format!(
        "```sh\ncargo run --release -- {command}{to_file}\n```\n\n```text\n{}\n```",
        printed.trim_end()
    )
}

#[test]
fn the_command_line_page_shows_what_commands_print() {
    for (name, command, file) in [
        (
            "comparison",
            "compare --entities 2000 --cost-us 50 --churn-per-s 20 --seconds 60",
            None,
        ),
        (
            "sweep",
            "sweep --entities 800 --cost-us 100 --budget-ms 4 --worst-s 1",
            Some("settings.csv"),
        ),
        (
            "crossovers",
            "sweep --strategy fixed-interval --strategy weighted-share --over entities=100..20k --budget-ms 4",
            Some("crossovers.csv"),
        ),
    ] {
        check("docs/command-line.md", name, &session(command, file));
    }
}
