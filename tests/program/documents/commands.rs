//! Runs the commands that the documents show. Commands that would open the window are only parsed.

use crate::command_line::lab::command as program;
use crate::documents::markdown::{Line, files, lines, prose, read};
use lab::cli::{Invocation, parse};
use std::collections::BTreeSet;

/// Returns the arguments of the program in a shell line, up to a pipe or a comment, or `None` if the line does not
/// start the program.
fn arguments(line: &str) -> Option<Vec<&str>> {
    const ENDS: [&str; 5] = ["|", "\\|", "#", "&&", ">"];
    let mut words = line.split_whitespace().peekable();
    words.next_if_eq(&"time");
    match words.next()? {
        "timeslice-lab" => {}
        "cargo" => {
            if (words.next(), words.next()) != (Some("run"), Some("--release")) {
                return None;
            }
            if words.next_if_eq(&"--example").is_some() {
                return None;
            }
            words.next_if_eq(&"--");
        }
        _ => return None,
    }
    Some(words.take_while(|word| !ENDS.contains(word)).collect())
}

/// Returns the arguments of every command in every document, except the sweeps of a page that take minutes.
fn commands() -> BTreeSet<String> {
    const LONG_SWEEPS: &str = "docs/which-strategy.md";
    let mut found = BTreeSet::new();
    for name in files().iter().filter(|name| *name != LONG_SWEEPS) {
        let text = read(name);
        for line in lines(&text) {
            let candidates = match line {
                Line::Code(code, "sh") => vec![code],
                Line::Code(..) => Vec::new(),
                Line::Text(text) => text.split('`').skip(1).step_by(2).collect(),
            };
            let commands = candidates.into_iter().filter_map(arguments);
            found.extend(commands.map(|words| words.join(" ")));
        }
    }
    found
}

#[test]
fn commands_in_documents_work() {
    let folder = tempfile::tempdir().unwrap();
    let costs = folder.path().join("costs.txt");
    std::fs::write(&costs, "12.5\n410.75\n").unwrap();
    let costs = costs.to_str().unwrap();
    let (mut with_window, mut without) = (0, 0);
    for command in commands() {
        let command = command.replace("costs.txt", costs);
        let null = if cfg!(windows) { "NUL" } else { "/dev/null" };
        let command = command.replace("/dev/null", null);
        let words = || command.split_whitespace();
        match parse(std::iter::once("timeslice-lab").chain(words())) {
            Ok((_, Invocation::Window(_))) => with_window += 1,
            Ok(_) => {
                let words: Vec<&str> = words().collect();
                let output = program(&words).current_dir(folder.path()).output();
                let output = output.expect("cargo has built the program");
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{command}: {errors}");
                without += 1;
            }
            Err(exit) => assert_eq!(exit.status, 0, "{command}: {exit}"),
        }
    }
    assert!(
        with_window > 2 && without > 8,
        "{with_window} and {without}"
    );
}

/// Returns the long flags in a text, such as `--entities`.
fn flags(text: &str) -> BTreeSet<String> {
    let is_flag = |c: char| c.is_ascii_lowercase() || c == '-';
    let words = text.split(|c: char| !is_flag(c));
    let flags = words.filter(|word| word.len() > 2 && word.starts_with("--"));
    flags.map(str::to_owned).collect()
}

#[test]
fn the_page_of_the_command_line_has_every_flag() {
    let mut known = BTreeSet::new();
    for command in ["", "run", "compare", "sweep", "list", "capture"] {
        let words = ["timeslice-lab", command, "--help"];
        let help = parse(words.into_iter().filter(|word| !word.is_empty()));
        known.extend(flags(&help.expect_err("help").to_string()));
    }
    let page = read("docs/command-line.md");
    let rows = prose(&page).filter_map(|row| row.strip_prefix("| `--"));
    let documented = rows.filter_map(|row| row.split(['`', ' ']).next());
    let documented: BTreeSet<_> = documented.map(|flag| format!("--{flag}")).collect();
    assert_eq!(documented, known);
}
