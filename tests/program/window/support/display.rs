//! A virtual display (Xvfb) with a keyboard and a mouse (xdotool).

use crate::tools::are_installed;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, PropMode,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// The maximum time to wait for anything. It only ends tests that hang, so it is longer than any test takes on a busy
/// computer.
pub const PATIENCE: Duration = Duration::from_mins(5);

/// The width and height of the screen in pixels. It is larger than any window of the tests, so that the pointer can be
/// outside.
const SCREEN: (i16, i16) = (2688, 2268);

/// An X server, which ends when this value is dropped.
pub struct Display {
    process: Child,
    /// The value of the environment variable `DISPLAY`.
    pub name: String,
    server: RustConnection,
    root: u32,
}

impl Display {
    /// Starts a server on a free display number, with `scale` pixels per point. Returns `None` if a tool is not
    /// installed, so that the test must be skipped.
    pub fn start(scale: u32) -> Option<Self> {
        if !are_installed(
            &["Xvfb", "xdotool"],
            "xvfb xdotool",
            "TIMESLICE_NEED_WINDOW",
        ) {
            return None;
        }
        let screen = format!("{}x{}x24", SCREEN.0, SCREEN.1);
        // The server prints its number once it listens.
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen])
            .args(["-terminate", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut stdout = BufReader::new(process.stdout.take().expect("piped"));
        let number = in_time(move || {
            let mut line = String::new();
            let _ = stdout.read_line(&mut line);
            line.trim().parse::<u32>().ok()
        });
        let number = number.flatten().expect("Xvfb starts");
        let name = format!(":{number}");
        let (server, screen) = x11rb::connect(Some(&name)).expect("the server listens");
        let display = Self {
            process,
            name,
            root: server.setup().roots[screen].root,
            server,
        };
        display.prepare(scale);
        Some(display)
    }

    /// Sets the display's scale in the way a desktop does, and moves the pointer away from all windows.
    fn prepare(&self, scale: u32) {
        let (right, bottom) = ((SCREEN.0 - 1).to_string(), (SCREEN.1 - 1).to_string());
        self.xdotool(&["mousemove", &right, &bottom]);
        let dpi = format!("Xft.dpi:\t{}\n", 96 * scale);
        let (name, kind) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
        self.server
            .change_property8(PropMode::REPLACE, self.root, name, kind, dpi.as_bytes())
            .expect("the server listens")
            .check()
            .expect("the server sets the property");
    }

    /// Asks a window to close, as a window manager does.
    pub fn ask_to_close(&self, window: &str) {
        let window = window.parse().expect("the number of a window");
        let server = &self.server;
        let [protocols, delete] = ["WM_PROTOCOLS", "WM_DELETE_WINDOW"].map(|name| {
            let atom = server.intern_atom(false, name.as_bytes());
            let atom = atom.expect("the server listens").reply();
            atom.expect("the server names it").atom
        });
        let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
        server
            .send_event(false, window, EventMask::NO_EVENT, message)
            .expect("the server listens")
            .check()
            .expect("the window exists");
    }

    pub fn xdotool(&self, words: &[&str]) -> String {
        let mut command = Command::new("xdotool");
        command.args(words).env("DISPLAY", &self.name);
        let output = output_of(command);
        assert!(output.status.success(), "xdotool {words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the result of a function, or `None` if it panics or does not return within [`PATIENCE`].
fn in_time<T: Send + 'static>(function: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let _ = sender.send(function());
    });
    receiver.recv_timeout(PATIENCE).ok()
}

/// Runs a program and returns its output.
///
/// # Panics
/// If the program does not end within [`PATIENCE`], because some xdotool commands may wait forever.
pub fn output_of(mut command: Command) -> Output {
    let line = format!("{command:?}");
    let output = in_time(move || command.stdin(Stdio::null()).output());
    let output = output.unwrap_or_else(|| panic!("{line} does not end"));
    output.unwrap_or_else(|error| panic!("{line}: {error}"))
}
