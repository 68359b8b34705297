//! Runs the program and parses its CSV output.

use crate::tools::program;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Exited {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn command(words: &[&str]) -> Command {
    let mut command = program();
    command.args(words).stdin(Stdio::null());
    command
}

pub(crate) fn lab(line: &str) -> Exited {
    let words: Vec<&str> = line.split_whitespace().collect();
    let output = command(&words).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Exited {
        status: output.status.code().expect("no signal"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Runs the program and returns its standard output. Asserts that the exit status is 0 and standard error is empty.
pub(crate) fn stdout(line: &str) -> String {
    let exited = lab(line);
    assert_eq!((exited.status, exited.stderr.as_str()), (0, ""), "{line}");
    exited.stdout
}

/// Starts the program with pipes for its output.
pub(crate) fn started(words: &[&str]) -> Child {
    let mut command = command(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Sends a signal to the program, and waits until it ends. The program is killed if it does not end, for example because
/// the tests were started by a shell that ignores Ctrl+C in background jobs.
#[cfg(unix)]
pub(crate) fn signalled(child: Child, signal: &str) -> std::process::Output {
    use std::sync::mpsc::{RecvTimeoutError, channel};
    let id = child.id().to_string();
    let send = move |signal: &str| {
        let kill = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.expect("every Unix has kill").success());
    };
    send(signal);
    let (end, ended) = channel::<()>();
    let watchdog = std::thread::spawn(move || {
        let waited = ended.recv_timeout(std::time::Duration::from_mins(2));
        if waited == Err(RecvTimeoutError::Timeout) {
            send("KILL");
        }
    });
    let output = child.wait_with_output().expect("the program ends");
    drop(end);
    watchdog.join().expect("the program was killed");
    output
}

pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder); // from an earlier run
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Parses the rows of a CSV with this header into cells.
pub(crate) fn cells(csv: &str, header: &str) -> Vec<Vec<String>> {
    assert!(csv.ends_with('\n') && !csv.contains('\r') && !csv.contains('\x1b'));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(header));
    let count = header.split(',').count();
    let cells = lines.map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    cells.inspect(|row| assert_eq!(row.len(), count)).collect()
}

/// Parses a CSV of numbers. Numbers with six decimal places become whole numbers, so milliseconds become nanoseconds.
pub(crate) fn rows<const N: usize>(csv: &str, header: &str) -> Vec<[u64; N]> {
    let number = |text: &str| {
        let decimals = text.split_once('.').map(|(_, decimals)| decimals.len());
        assert!(decimals.is_none_or(|count| count == 6), "{text}");
        let digits = text.replace('.', "");
        digits.parse().unwrap_or_else(|_| panic!("{text}"))
    };
    let rows = cells(csv, header).into_iter();
    rows.map(|row| std::array::from_fn(|at| number(&row[at])))
        .collect()
}
