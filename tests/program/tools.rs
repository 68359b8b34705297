//! The program under test, and tools that some tests need and that may not be installed.

use std::io::Write as _;
use std::process::Command;
use std::{env, thread};

/// Returns the command line of another build to test, which `TIMESLICE_PROGRAM` names, such as `wine timeslice-lab.exe`.
pub fn other_program() -> Option<String> {
    env::var("TIMESLICE_PROGRAM").ok()
}

/// Returns the command that starts the program under test.
pub fn program() -> Command {
    let Some(program) = other_program() else {
        return Command::new(env!("CARGO_BIN_EXE_timeslice-lab"));
    };
    let mut words = program.split_whitespace();
    let mut command = Command::new(words.next().expect("TIMESLICE_PROGRAM is empty"));
    command.args(words);
    command
}

/// Returns true if all of these tools are installed. If not, reports on standard error that the test is skipped, because
/// the test harness does not capture standard error.
///
/// # Panics
/// If a tool is missing and the environment variable `required` is set to 1.
pub fn are_installed(tools: &[&str], packages: &str, required: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    let is_missing =
        |tool: &&&str| !env::split_paths(&folders).any(|folder| folder.join(tool).is_file());
    let Some(tool) = tools.iter().find(is_missing) else {
        return true;
    };
    let current = thread::current();
    let test = current.name().unwrap_or("?");
    let message = format!(
        "SKIPPED test {test}: {tool} is not installed (Debian, Ubuntu: apt-get install {packages})\n"
    );
    let is_required = env::var_os(required).is_some_and(|value| value == "1");
    assert!(!is_required, "{required}=1, but {message}");
    let _ = std::io::stderr().write_all(message.as_bytes());
    false
}
