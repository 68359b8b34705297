//! The help of each command ends with examples that work.

use crate::command_line::lab::{command, folder, lab};
use headless::io::cli::{Invocation, parse};
use std::process::{Command, Stdio};

/// Returns the command lines at the end of a help text.
fn examples(help: &str) -> Vec<&str> {
    let (_, examples) = help.split_once("\nExamples:\n").expect("examples");
    let lines: Vec<&str> = examples.lines().map(str::trim).collect();
    let (purposes, lines): (Vec<&str>, Vec<&str>) =
        lines.into_iter().partition(|line| line.starts_with("# "));
    assert_eq!(purposes.len(), lines.len(), "{examples}");
    lines
}

#[test]
fn help_ends_with_four_examples() {
    for words in [
        &["--help"][..],
        &["run", "--help"],
        &["compare", "--help"],
        &["list", "--help"],
    ] {
        let help = lab(words);
        assert_eq!((help.status, help.stderr.as_str()), (0, ""), "{words:?}");
        let examples = examples(&help.stdout);
        assert_eq!(examples.len(), 4, "{words:?}");
        let name = ["timeslice-lab", words[0]].join(" ");
        let starts = |line: &&str| words.len() == 1 || line.starts_with(&name);
        assert!(examples.iter().all(starts), "{examples:?}");
    }
}

#[test]
fn examples_of_the_window_are_valid() {
    for line in examples(&lab(&["--help"]).stdout) {
        let parsed = parse(line.split(' '));
        assert!(matches!(parsed, Ok(Invocation::Window(..))), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn examples_of_the_commands_work_in_a_shell() {
    let folder = folder("examples");
    let program = command(&[]);
    let program = program.get_program().to_str().expect("text").to_owned();
    for name in ["run", "compare", "list"] {
        for line in examples(&lab(&[name, "--help"]).stdout) {
            let line = line.replace("timeslice-lab", "\"$0\"");
            let mut shell = Command::new("sh");
            shell.args(["-c", &line, &program]).current_dir(&folder);
            let output = shell.stdin(Stdio::null()).output().expect("a shell");
            assert!(output.status.success(), "{line}: {output:?}");
            let saved = line.contains(" > ");
            assert_eq!(output.stdout.is_empty(), saved || line.contains("--csv"));
        }
    }
}
