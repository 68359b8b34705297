//! A display that nobody sees, and the hands on its keyboard and mouse.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// One window at a time: the software rasteriser takes every core there is, and tests that starve each
/// other prove nothing.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// An X server of its own, gone with the value.
pub struct Display {
    server: Child,
    /// Its number: `:99` is 99.
    pub number: u32,
    _turn: MutexGuard<'static, ()>,
}

impl Display {
    /// Starts a server on a number that is free. None where it isn't installed: the test is to be skipped.
    pub fn start() -> Option<Self> {
        let missing = ["Xvfb", "xdotool"]
            .into_iter()
            .find(|tool| !is_installed(tool));
        if let Some(tool) = missing {
            skip(tool);
            return None;
        }
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        // It writes the number to its standard output once it listens.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24"])
            .args(["-noreset", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        let stdout = server.stdout.as_mut().expect("it is piped");
        let read = BufReader::new(stdout).read_line(&mut number);
        let Ok(number) = number.trim().parse() else {
            let _ = server.kill();
            panic!("Xvfb does not start: {read:?} {number:?}");
        };
        Some(Self {
            server,
            number,
            _turn: turn,
        })
    }

    /// How programs are told of it.
    pub fn name(&self) -> String {
        format!(":{}", self.number)
    }

    /// Presses, moves, clicks. Returns what xdotool prints.
    pub fn xdotool(&self, words: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(words)
            .env("DISPLAY", self.name())
            .output()
            .expect("xdotool is installed");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "xdotool {words:?}: {told}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        // Killed at once, it leaves these behind.
        let _ = fs::remove_file(format!("/tmp/.X11-unix/X{}", self.number));
        let _ = fs::remove_file(format!("/tmp/.X{}-lock", self.number));
    }
}

fn is_installed(tool: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(tool).is_file()))
}

/// Says, past the test harness that would keep it to itself, that a test did not run.
///
/// # Panics
/// Where it had to run.
fn skip(tool: &str) {
    let current = thread::current();
    let name = current.name().unwrap_or("?");
    let sentence = format!(
        "SKIPPED window test {name}: {tool} is not installed (Debian, Ubuntu: apt-get install xvfb xdotool)\n"
    );
    let must = env::var_os("TIMESLICE_NEED_WINDOW").is_some_and(|value| value == "1");
    assert!(!must, "TIMESLICE_NEED_WINDOW=1, but {sentence}");
    let _ = std::io::stderr().write_all(sentence.as_bytes());
}
