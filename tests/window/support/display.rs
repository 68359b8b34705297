//! A display that nobody sees, and the hands on its keyboard and mouse.

use crate::support::lab::PATIENCE;
use crate::support::picture::Picture;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, ImageFormat, PropMode};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// One window at a time: the software rasteriser takes every core there is, and tests that starve each
/// other prove nothing.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Width and height of the screen in pixels: any window of these tests fits, the pointer beside it.
const SCREEN: (i16, i16) = (2688, 1568);

/// An X server of its own, gone with the value.
pub struct Display {
    server: Child,
    /// Its number: `:99` is 99.
    pub number: u32,
    _turn: MutexGuard<'static, ()>,
}

impl Display {
    /// Starts a server on a number that is free, on which a point is `scale` pixels wide. None where it isn't
    /// installed: the test is to be skipped.
    pub fn start(scale: u32) -> Option<Self> {
        let missing = ["Xvfb", "xdotool"]
            .into_iter()
            .find(|tool| !is_installed(tool));
        if let Some(tool) = missing {
            skip(tool);
            return None;
        }
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let screen = format!("{}x{}x24", SCREEN.0, SCREEN.1);
        // It writes the number to its standard output once it listens.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen])
            .args(["-noreset", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut stdout = BufReader::new(server.stdout.take().expect("it is piped"));
        let (tell, told) = channel();
        thread::spawn(move || {
            let mut number = String::new();
            let _ = stdout.read_line(&mut number);
            let _ = tell.send(number);
        });
        let told = told.recv_timeout(PATIENCE);
        let number = told.as_ref().ok().and_then(|it| it.trim().parse().ok());
        let Some(number) = number else {
            let _ = server.kill();
            let _ = server.wait();
            panic!("Xvfb does not start: {told:?}");
        };
        let display = Self {
            server,
            number,
            _turn: turn,
        };
        display.prepare(scale);
        Some(display)
    }

    /// Leaves word of how large a point is where desktops do, and the pointer where no window is.
    fn prepare(&self, scale: u32) {
        let (connection, root) = self.connect();
        let (right, bottom) = (SCREEN.0 - 1, SCREEN.1 - 1);
        connection
            .warp_pointer(x11rb::NONE, root, 0, 0, 0, 0, right, bottom)
            .expect("the server listens");
        let dpi = format!("Xft.dpi:\t{}\n", 96 * scale);
        let (name, kind) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
        connection
            .change_property8(PropMode::REPLACE, root, name, kind, dpi.as_bytes())
            .expect("the server listens")
            .check()
            .expect("the server has it");
    }

    fn connect(&self) -> (RustConnection, u32) {
        let (connection, screen) = x11rb::connect(Some(&self.name())).expect("the server listens");
        let root = connection.setup().roots[screen].root;
        (connection, root)
    }

    /// What a window shows, which has to lie on the screen as a whole.
    pub fn picture(&self, window: &str) -> Picture {
        let window = window.parse().expect("the number of a window");
        let (connection, _) = self.connect();
        let size = connection.get_geometry(window).expect("the server listens");
        let size = size.reply().expect("the window is there");
        let (width, height) = (size.width, size.height);
        let image = connection
            .get_image(ImageFormat::Z_PIXMAP, window, 0, 0, width, height, u32::MAX)
            .expect("the server listens");
        let image = image.reply().expect("the window is on the screen");
        let bytes = image.data.as_chunks::<4>().0;
        // The server was started with 24 bits of colour, which X keeps as blue, green, red and a gap.
        let pixels = bytes
            .iter()
            .map(|&[blue, green, red, _]| [red, green, blue]);
        Picture::new(width.into(), height.into(), pixels.collect())
    }

    /// How programs are told of it.
    pub fn name(&self) -> String {
        format!(":{}", self.number)
    }

    /// Presses, moves, clicks. Returns what xdotool prints.
    pub fn xdotool(&self, words: &[&str]) -> String {
        let done = self.try_xdotool(words);
        done.unwrap_or_else(|told| panic!("xdotool {words:?}: {told}"))
    }

    /// Presses, moves, clicks, as long as there is a window. Returns what xdotool prints, or complains of.
    pub fn try_xdotool(&self, words: &[&str]) -> Result<String, String> {
        let mut command = Command::new("xdotool");
        command.args(words).env("DISPLAY", self.name());
        let output = output_of(&mut command);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(text(&output.stderr))
        }
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

/// What a program that is soon over has printed.
///
/// # Panics
/// Where it is not over: some of xdotool's words wait for what may never come.
pub fn output_of(command: &mut Command) -> Output {
    let mut program = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(is_over(&mut program), "{command:?} does not end");
    program.wait_with_output().expect("it was started")
}

/// Waits until a program is over; kills one that never is, and returns false.
pub fn is_over(program: &mut Child) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while program.try_wait().expect("it was started").is_none() {
        if Instant::now() > deadline {
            let _ = program.kill();
            let _ = program.wait();
            return false;
        }
        thread::sleep(Duration::from_millis(1)); // there is no other way to wait for so long only
    }
    true
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
