//! The program under test, with its window and its log.

use crate::tools::program;
use crate::window::support::display::{Display, PATIENCE};
use crate::window::support::image::read;
use egui::{Pos2, Rect, pos2, vec2};
use image::RgbImage;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// An event in the log, as a keyword and its arguments.
#[derive(Clone, Debug)]
pub struct Line(pub String);

impl Line {
    /// Parses a line, or returns `None` if the line does not come from the log. (Graphics drivers print to standard
    /// output, too.)
    fn parse(line: &str) -> Option<Self> {
        let (frame, text) = line.split_once(' ')?;
        let _: u64 = frame.parse().ok()?;
        Some(Self(text.to_owned()))
    }

    /// Returns the rest of the line after these words, or `None` if it does not begin with them.
    pub fn after(&self, words: &str) -> Option<&str> {
        let rest = self.0.strip_prefix(words)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim_start())
    }

    pub fn matches(&self, words: &str) -> bool {
        self.after(words).is_some()
    }

    /// Returns the number that follows `name`.
    pub fn number(&self, name: &str) -> f64 {
        let mut words = self.0.split(' ').skip_while(|word| *word != name);
        let number = words.nth(1).and_then(|word| word.parse().ok());
        number.unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    /// Returns the numbers at the end of the line.
    fn last_numbers<const COUNT: usize>(&self) -> [f32; COUNT] {
        let words: Vec<&str> = self.0.rsplitn(COUNT + 1, ' ').collect();
        std::array::from_fn(|index| words[COUNT - 1 - index].parse().expect("a number"))
    }
}

/// The exit status and the standard error of the program.
#[derive(Debug)]
pub struct End {
    /// `None` if a signal ended the program.
    pub status: Option<i32>,
    pub stderr: String,
}

/// The program, with a window on its own display. Dropping a `Lab` ends the program and the display.
///
/// Methods that send input return after a frame that shows the effect of the input. With each frame, the program logs
/// how many events it has consumed.
pub struct Lab {
    program: Child,
    lines: Receiver<Line>,
    stderr: File,
    /// The log so far.
    pub log: Vec<Line>,
    /// The number of log lines that are older than the last input or that a test has waited for.
    read: usize,
    /// The rectangles of all controls by name, in pixels.
    pub places: HashMap<String, Rect>,
    /// The number of events sent: keys and buttons pressed or released, and wheel steps.
    sent: u64,
    /// The position of the pointer in the window, or `None` if the pointer was never there.
    pointer: Option<Pos2>,
    pub window: String,
    folder: TempDir,
    pub display: Display,
}

impl Lab {
    /// Opens the window with these flags and waits for its first frame. Returns `None` if the test is skipped.
    pub fn open(scale: u32, flags: &str) -> Option<Self> {
        Some(Self::start(scale, flags)?.opened("frame"))
    }

    /// Opens a window that is paused after this many frames on a simulated machine. Its image is always the same.
    pub fn open_still(scale: u32, frames: u64, flags: &str) -> Option<Self> {
        let lab = Self::start(scale, &format!("--still {frames} {flags}"))?;
        Some(lab.opened("settled"))
    }

    /// Waits for a line of the log, then finds the window and gives it keyboard focus.
    fn opened(mut self, words: &str) -> Self {
        self.wait_for(words);
        let search = ["search", "--onlyvisible", "--name", "^Timeslice Lab"];
        self.window = self.display.xdotool(&search);
        // There is no window manager that would focus the window.
        let focus = ["windowfocus", "--sync", &self.window];
        self.display.xdotool(&focus);
        self
    }

    /// Starts the program with these flags, which are separated by spaces, on a display with `scale` pixels per point.
    /// Does not wait for the window.
    pub fn start(scale: u32, flags: &str) -> Option<Self> {
        let display = Display::start(scale)?;
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a writable folder");
        let stderr = tempfile::tempfile().expect("a writable folder");
        let mut program = program()
            .args(flags.split_whitespace())
            .args(["--log", "-"])
            .env("DISPLAY", &display.name)
            .env("TIMESLICE_SCALE", scale.to_string()) // for Wine, which does not ask the display
            .env_remove("WAYLAND_DISPLAY")
            .current_dir(folder.path())
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            // Several windows share the processor, so each of them uses one core to rasterise.
            .env("LP_NUM_THREADS", "1")
            .env("MESA_DEBUG", "context") // prints all OpenGL errors
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr.try_clone().expect("an open file"))
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(program.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if let Some(line) = Line::parse(&line) {
                    let _ = sender.send(line); // fails if the test is over
                }
            }
        });
        Some(Self {
            program,
            lines,
            stderr,
            log: Vec::new(),
            read: 0,
            places: HashMap::new(),
            sent: 0,
            pointer: None,
            window: String::new(),
            folder,
            display,
        })
    }

    /// Stores a line. If it reports the position of a control, stores that position, too.
    fn note(&mut self, line: Line) {
        if let Some(control) = line.after("control") {
            let (name, _) = control.split_once(' ').expect("NAME X Y WIDTH HEIGHT");
            if name == "part:bar" {
                self.places.clear(); // the log lists all controls again, starting with the bar
            }
            let [x, y, width, height] = line.last_numbers();
            let place = Rect::from_min_size(pos2(x, y), vec2(width, height));
            self.places.insert(name.to_owned(), place);
        }
        self.log.push(line);
    }

    /// Receives lines until `is_it` returns true for one. Returns false if the program closes its log before that.
    fn receive(&mut self, sought: &str, is_it: impl Fn(&Line) -> bool) -> bool {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.note(line),
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => self.give_up(sought),
            }
            if self.log.last().is_some_and(&is_it) {
                return true;
            }
        }
    }

    fn give_up(&mut self, sought: &str) -> ! {
        let lines = self.log.iter().filter(|line| !line.matches("control"));
        let lines: Vec<&str> = lines.map(|line| &*line.0).collect();
        let last = lines[lines.len().saturating_sub(30)..].join("\n");
        let (sent, pointer) = (self.sent, self.pointer);
        let stderr = self.kill();
        panic!(
            "waited for {sought:?}; {sent} events sent, pointer at {pointer:?}; the last lines of the log:\n{last}\n{stderr}"
        );
    }

    /// Waits until the window has consumed all input and has laid out one more frame, unless the input ends the
    /// program.
    fn settle(&mut self) {
        let (sent, pointer) = (self.sent as f64, self.pointer);
        let shows_all = |line: &Line| {
            line.matches("picture")
                && line.number("input") >= sent
                && pointer.is_none_or(|at| line.last_numbers() == [at.x, at.y])
        };
        if self.receive("a picture with all input", shows_all) {
            self.receive("a picture", |line| line.matches("picture"));
        }
    }

    pub fn pictures(&mut self, count: usize) {
        for _ in 0..count {
            if !self.receive("a picture", |line| line.matches("picture")) {
                self.give_up("a picture");
            }
        }
    }

    /// Waits for a frame after which the condition holds.
    pub fn wait_until(&mut self, sought: &str, holds: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            if start.elapsed() > PATIENCE {
                self.give_up(sought);
            }
            self.pictures(1);
        }
    }

    pub fn wait_for_width(&mut self, width: f32) {
        self.wait_until("the window's new width", |lab| {
            let bar = lab.places.get("part:bar");
            bar.is_some_and(|bar| bar.width() == width)
        });
    }

    /// Waits for a line that begins with these words. Looks only at lines since the last input, and after lines that
    /// earlier waits have returned.
    pub fn wait_for(&mut self, words: &str) -> Line {
        let mut new = self.log[self.read..].iter();
        self.read = match new.position(|line| line.matches(words)) {
            Some(index) => self.read + index + 1,
            None if self.receive(words, |line| line.matches(words)) => self.log.len(),
            None => self.give_up(words),
        };
        self.log[self.read - 1].clone()
    }

    /// Presses a key that saves a file or a folder. Returns its path, which the log names after `words`.
    pub fn saved(&mut self, key: &str, words: &str) -> PathBuf {
        let line = self.press_for(key, words);
        self.folder().join(line.after(words).expect("a name"))
    }

    /// Takes a screenshot.
    pub fn picture(&mut self) -> RgbImage {
        read(&self.saved("F12", "screenshot"))
    }

    pub fn place(&self, control: &str) -> Rect {
        let place = self.places.get(control);
        *place.unwrap_or_else(|| panic!("no control {control} in {:?}", self.places))
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Reads the lines that are already available. Later waits look only at newer lines.
    fn catch_up(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.note(line);
        }
        self.read = self.log.len();
    }

    pub fn send(&mut self, words: &[&str], events: u64) {
        self.catch_up();
        self.display.xdotool(words);
        self.sent += events;
        self.settle();
    }

    /// Types several keys at once. Each is the name of a key, or several names joined by `+`.
    pub fn type_keys(&mut self, keys: &[&str]) {
        let parts = keys.iter().map(|key| key.split('+').count() as u64);
        let events = 2 * parts.sum::<u64>();
        self.send(&[&["key", "--delay", "0"], keys].concat(), events);
    }

    pub fn press_for(&mut self, key: &str, words: &str) -> Line {
        self.type_keys(&[key]);
        self.wait_for(words)
    }

    pub fn point(&mut self, at: Pos2) {
        let at = at.round();
        self.pointer = Some(at);
        let (window, x, y) = (self.window.clone(), at.x.to_string(), at.y.to_string());
        self.send(&["mousemove", "--window", &window, &x, &y], 0);
    }

    /// Moves the pointer out of the window. The program logs positions outside only during a drag.
    pub fn leave(&mut self) {
        self.pointer = None;
        self.send(&["mousemove", "2600", "2200"], 0);
    }

    pub fn mouse_down(&mut self) {
        self.send(&["mousedown", "1"], 1);
    }

    /// Releases the primary mouse button outside the window, which learns of it when the pointer returns.
    pub fn mouse_up_outside(&mut self) {
        self.display.xdotool(&["mouseup", "1"]);
    }

    /// Changes the window's size in pixels, and waits for a frame of that width.
    pub fn resize(&mut self, width: u32, height: u32) {
        let (window, x, y) = (self.window.clone(), width.to_string(), height.to_string());
        self.send(&["windowsize", &window, &x, &y], 0);
        self.wait_for_width(width as f32);
    }

    /// Waits for the program to end by itself.
    pub fn end(&mut self) -> End {
        // The log ends when the program does, because the program does not close its standard output.
        self.receive("the end of the program", |_| false);
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.program.try_wait().expect("a started program") {
                break status.code();
            }
            assert!(Instant::now() < deadline, "the program does not exit");
            std::thread::sleep(Duration::from_millis(5));
        };
        let stderr = self.kill();
        End { status, stderr }
    }

    /// Waits for the program to end by itself. Asserts that it exits with status 0, and that neither it nor OpenGL has
    /// printed an error.
    pub fn end_well(&mut self) {
        let end = self.end();
        assert_eq!(end.status, Some(0), "{end:?}");
        let mut bad = ["GL_", "Mesa", "rror", "panicked"].into_iter();
        assert!(!bad.any(|bad| end.stderr.contains(bad)), "{end:?}");
    }

    /// Ends the program if it is still running. Returns its standard error.
    fn kill(&mut self) -> String {
        let _ = self.program.kill();
        let _ = self.program.wait();
        let mut bytes = Vec::new();
        let _ = self.stderr.rewind();
        let _ = self.stderr.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.kill();
    }
}
