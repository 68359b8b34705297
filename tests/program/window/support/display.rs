//! A virtual display (Xvfb) with a keyboard and a mouse (xdotool).

use crate::window::support::lab::PATIENCE;
use crate::window::support::picture::Picture;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateWindowAux, ImageFormat, PropMode, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT};

/// Allows one window at a time. The software rasteriser uses all cores, so tests that run in parallel would time out.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Width and height of the screen in pixels: larger than any window of the tests, with room for the pointer outside.
const SCREEN: (i16, i16) = (2688, 2268);

/// An X server, stopped on drop.
pub struct Display {
    server: Child,
    /// Number of the display: 99 for `:99`.
    pub number: u32,
    _lock: MutexGuard<'static, ()>,
}

impl Display {
    /// Starts a server on a free number, with `scale` pixels per point. Returns `None` if a tool is not installed, so
    /// the test must be skipped.
    pub fn start(scale: u32) -> Option<Self> {
        let missing = ["Xvfb", "xdotool"]
            .into_iter()
            .find(|tool| !is_installed(tool));
        if let Some(tool) = missing {
            skip(tool);
            return None;
        }
        let lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let screen = format!("{}x{}x24", SCREEN.0, SCREEN.1);
        // The server prints its number once it listens.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen])
            .args(["-noreset", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut stdout = BufReader::new(server.stdout.take().expect("piped"));
        let (sender, receiver) = channel();
        thread::spawn(move || {
            let mut line = String::new();
            let _ = stdout.read_line(&mut line);
            let _ = sender.send(line);
        });
        let line = receiver.recv_timeout(PATIENCE);
        let number = line.as_ref().ok().and_then(|it| it.trim().parse().ok());
        let Some(number) = number else {
            let _ = server.kill();
            let _ = server.wait();
            panic!("Xvfb does not start: {line:?}");
        };
        let display = Self {
            server,
            number,
            _lock: lock,
        };
        display.prepare(scale);
        Some(display)
    }

    /// Sets the display's scale as a desktop does, and moves the pointer away from windows.
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
            .expect("the server sets the property");
    }

    fn connect(&self) -> (RustConnection, u32) {
        let (connection, screen) = x11rb::connect(Some(&self.name())).expect("the server listens");
        let root = connection.setup().roots[screen].root;
        (connection, root)
    }

    /// Returns the contents of a window. All of it must be on the screen.
    pub fn picture(&self, window: &str) -> Picture {
        let window = window.parse().expect("the number of a window");
        let (connection, _) = self.connect();
        let size = connection.get_geometry(window).expect("the server listens");
        let size = size.reply().expect("the window exists");
        let (width, height) = (size.width, size.height);
        let image = connection
            .get_image(ImageFormat::Z_PIXMAP, window, 0, 0, width, height, u32::MAX)
            .expect("the server listens");
        let image = image.reply().expect("the window is on the screen");
        let bytes = image.data.as_chunks::<4>().0;
        // X stores 24-bit colour as blue, green, red and padding.
        let pixels = bytes
            .iter()
            .map(|&[blue, green, red, _]| [red, green, blue]);
        Picture::new(width.into(), height.into(), pixels.collect())
    }

    /// Returns the text on the clipboard.
    pub fn clipboard(&self) -> String {
        let (connection, root) = self.connect();
        let atom = |name: &[u8]| {
            let atom = connection.intern_atom(false, name);
            let atom = atom.expect("the server listens").reply();
            atom.expect("the server names it").atom
        };
        let window = connection.generate_id().expect("a free number");
        connection
            .create_window(
                COPY_DEPTH_FROM_PARENT,
                window,
                root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_OUTPUT,
                COPY_FROM_PARENT,
                &CreateWindowAux::new(),
            )
            .expect("the server listens");
        let (clipboard, text, answer) = (atom(b"CLIPBOARD"), atom(b"UTF8_STRING"), atom(b"ANSWER"));
        connection
            .convert_selection(window, clipboard, text, answer, x11rb::CURRENT_TIME)
            .expect("the server listens");
        connection.flush().expect("the server listens");
        let started = Instant::now();
        loop {
            let event = connection.poll_for_event().expect("the server listens");
            match event {
                Some(Event::SelectionNotify(event)) => {
                    assert_eq!(event.property, answer, "the clipboard has no text");
                    break;
                }
                _ => assert!(started.elapsed() < PATIENCE, "the clipboard is silent"),
            }
            thread::sleep(Duration::from_millis(10));
        }
        let property = connection
            .get_property(false, window, answer, text, 0, u32::MAX)
            .expect("the server listens");
        let property = property.reply().expect("the answer is there");
        String::from_utf8(property.value).expect("text")
    }

    /// Returns the display's name for the variable `DISPLAY`.
    pub fn name(&self) -> String {
        format!(":{}", self.number)
    }

    /// Runs xdotool and returns its output.
    pub fn xdotool(&self, words: &[&str]) -> String {
        let output = self.try_xdotool(words);
        output.unwrap_or_else(|error| panic!("xdotool {words:?}: {error}"))
    }

    /// Runs xdotool and returns its output or its error. It fails, for example, if the window no longer exists.
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
        // A killed server leaves these files behind.
        let _ = fs::remove_file(format!("/tmp/.X11-unix/X{}", self.number));
        let _ = fs::remove_file(format!("/tmp/.X{}-lock", self.number));
    }
}

/// Runs a program and returns its output.
///
/// # Panics
/// If the program does not end within [`PATIENCE`]. Some commands of xdotool may wait for ever.
pub fn output_of(command: &mut Command) -> Output {
    let mut program = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(has_ended(&mut program), "{command:?} does not end");
    program.wait_with_output().expect("a started program")
}

/// Waits for the end of a program. If it does not end within [`PATIENCE`], kills it and returns false.
pub fn has_ended(program: &mut Child) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while program.try_wait().expect("a started program").is_none() {
        if Instant::now() > deadline {
            let _ = program.kill();
            let _ = program.wait();
            return false;
        }
        thread::sleep(Duration::from_millis(1)); // the standard library has no wait with a timeout
    }
    true
}

fn is_installed(tool: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(tool).is_file()))
}

/// Reports a skipped test on standard error, which the test harness does not capture.
///
/// # Panics
/// If `TIMESLICE_NEED_WINDOW=1`.
fn skip(tool: &str) {
    let current = thread::current();
    let name = current.name().unwrap_or("?");
    let message = format!(
        "SKIPPED window test {name}: {tool} is not installed (Debian, Ubuntu: apt-get install xvfb xdotool)\n"
    );
    let is_required = env::var_os("TIMESLICE_NEED_WINDOW").is_some_and(|value| value == "1");
    assert!(!is_required, "TIMESLICE_NEED_WINDOW=1, but {message}");
    let _ = std::io::stderr().write_all(message.as_bytes());
}
