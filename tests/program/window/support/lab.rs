//! The program under test, with its window and its log.

use crate::window::support::display::{Display, has_ended};
use crate::window::support::picture::Picture;
use std::collections::HashMap;
use std::fmt::Write;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Longest wait for anything. Generous, because a busy computer may be slow.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Number of the first frame after the event.
    pub frame: u64,
    /// The event: a keyword and its arguments.
    pub text: String,
}

impl Line {
    /// Parses a line. Returns `None` if it is not from the log. (Graphics drivers print to standard output, too.)
    fn parse(line: &str) -> Option<Self> {
        let (frame, text) = line.split_once(' ')?;
        Some(Self {
            frame: frame.parse().ok()?,
            text: text.to_owned(),
        })
    }

    /// Returns true if the text begins with these words.
    pub fn matches(&self, words: &str) -> bool {
        self.text
            .strip_prefix(words)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    /// Returns true if the line reports the end of a frame.
    pub fn is_frame(&self) -> bool {
        self.matches("frame")
    }

    /// Returns the number after `name`.
    ///
    /// # Panics
    /// If there is none.
    pub fn number(&self, name: &str) -> f64 {
        let mut words = self.text.split(' ').skip_while(|word| *word != name);
        words
            .nth(1)
            .and_then(|word| word.parse().ok())
            .unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }
}

/// Rectangle of a control in the window, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Place {
    /// Returns true if the rectangle contains this point.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        let (x, y) = (x - self.x, y - self.y);
        (0.0..self.width).contains(&x) && (0.0..self.height).contains(&y)
    }
}

/// Exit status and last output of the program.
#[derive(Debug)]
pub struct End {
    /// Exit status. `None` after a signal.
    pub status: Option<i32>,
    /// Last lines of the log.
    pub lines: Vec<Line>,
    /// All of standard error.
    pub stderr: String,
}

impl End {
    /// Asserts that the program exited with status 0.
    ///
    /// # Panics
    /// If it failed.
    pub fn expect_success(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self
    }
}

/// The program with a window on its own display. Dropping a `Lab` ends the program and the display.
pub struct Lab {
    program: Child,
    lines: Receiver<Line>,
    stderr: Option<JoinHandle<String>>,
    log: Vec<Line>,
    places: HashMap<String, Place>,
    pub window: String,
    pub display: Display,
}

impl Lab {
    /// Opens the window with these flags and waits for its first frame. Returns `None` if the test is skipped.
    pub fn open(flags: &[&str]) -> Option<Self> {
        let lab = Self::start(flags)?;
        Some(lab.opened("frame"))
    }

    /// Opens a window that is `width` points wide, on a display with `scale` pixels per point.
    pub fn open_at(scale: u32, width: u32, flags: &[&str]) -> Option<Self> {
        let mut lab = Self::start_at(scale, flags)?.opened("frame");
        // X11 opens the window at scale 1, and the program enlarges it in the first frames.
        let pixels = f64::from(width * scale);
        for _ in 0..60 {
            if lab.place("part:bar").width == pixels {
                return Some(lab);
            }
            lab.frames(1);
        }
        panic!("the bar is not {pixels} pixels wide: {:?}", lab.places());
    }

    /// Opens a paused window after this many frames on a simulated machine. The picture is always the same.
    pub fn open_still(scale: u32, frames: u64, flags: &[&str]) -> Option<Self> {
        let frames = frames.to_string();
        let lab = Self::start_at(scale, &[&["--still", &frames], flags].concat())?;
        Some(lab.opened("settled"))
    }

    /// Opens the window with these environment variables. The program saves its files in `folder`.
    pub fn open_in(folder: &Path, variables: &[(&str, &str)], flags: &[&str]) -> Option<Self> {
        let lab = Self::start_in(folder, variables, 1, flags)?;
        Some(lab.opened("frame"))
    }

    /// Waits for a line of the log, then finds the window and gives it the focus.
    fn opened(mut self, words: &str) -> Self {
        let lab = &mut self;
        lab.wait_for(words);
        lab.window = lab
            .display
            .xdotool(&["search", "--onlyvisible", "--name", "^Timeslice Lab"]);
        // There is no window manager to focus the window.
        let window = lab.window.clone();
        lab.xdotool(&["windowfocus", "--sync", &window]);
        self
    }

    /// Starts the program with these flags, without waiting.
    pub fn start(flags: &[&str]) -> Option<Self> {
        Self::start_at(1, flags)
    }

    fn start_at(scale: u32, flags: &[&str]) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Self::start_in(folder, &[], scale, flags)
    }

    fn start_in(
        folder: &Path,
        variables: &[(&str, &str)],
        scale: u32,
        flags: &[&str],
    ) -> Option<Self> {
        let display = Display::start(scale)?;
        let mut program = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"))
            .args(flags)
            .args(["--log", "-"])
            .env("DISPLAY", display.name())
            .env_remove("WAYLAND_DISPLAY")
            .current_dir(folder)
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(program.stdout.take().expect("piped"));
        let mut stderr = program.stderr.take().expect("piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let Some(line) = Line::parse(&line) else {
                    eprintln!("no line of the log: {line}");
                    continue;
                };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Some(Self {
            program,
            lines,
            stderr: Some(stderr),
            log: Vec::new(),
            places: HashMap::new(),
            window: String::new(),
            display,
        })
    }

    /// Waits for the next line of the log.
    fn next(&mut self, deadline: Instant) -> Result<Line, RecvTimeoutError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = self.lines.recv_timeout(left)?;
        self.note(&line);
        Ok(line)
    }

    /// Stores a line. If the line reports the place of a control, stores that place, too.
    fn note(&mut self, line: &Line) {
        if let Some(control) = line.text.strip_prefix("control ") {
            let (name, numbers) = control.split_once(' ').expect("KEY X Y WIDTH HEIGHT");
            if name == "part:bar" {
                self.places.clear(); // the log lists all controls again, and the bar comes first
            }
            let numbers: Vec<f64> = numbers
                .split(' ')
                .map(|number| number.parse().expect("pixels"))
                .collect();
            let place = Place {
                x: numbers[0],
                y: numbers[1],
                width: numbers[2],
                height: numbers[3],
            };
            self.places.insert(name.to_owned(), place);
        }
        self.log.push(line.clone());
    }

    /// Waits for a line that begins with these words. Returns the new lines, ending with that line.
    pub fn wait_for(&mut self, words: &str) -> Vec<Line> {
        self.wait_for_line(words, |line| line.matches(words))
    }

    /// Waits for the end of a frame with this number of entities.
    pub fn wait_for_entities(&mut self, count: f64) -> Vec<Line> {
        self.wait_for_line(&format!("a frame with {count} entities"), |line| {
            line.is_frame() && line.number("entities") == count
        })
    }

    fn wait_for_line(&mut self, sought: &str, is_it: impl Fn(&Line) -> bool) -> Vec<Line> {
        let deadline = Instant::now() + PATIENCE;
        let mut read = Vec::new();
        loop {
            match self.next(deadline) {
                Ok(line) => {
                    let found = is_it(&line);
                    read.push(line);
                    if found {
                        return read;
                    }
                }
                Err(reason) => self.give_up(sought, reason),
            }
        }
    }

    fn give_up(&mut self, sought: &str, reason: RecvTimeoutError) -> ! {
        let mut story = String::new();
        let lines = self.log.iter().filter(|line| !line.matches("control"));
        let (frames, events): (Vec<&Line>, Vec<&Line>) = lines.partition(|line| line.is_frame());
        for (lines, count) in [(events, 20), (frames, 3)] {
            for line in &lines[lines.len().saturating_sub(count)..] {
                let _ = writeln!(story, "{} {}", line.frame, line.text);
            }
        }
        let stderr = self.kill();
        panic!("waited for {sought:?}, but {reason}; the last events and frames:\n{story}{stderr}");
    }

    /// Reads the lines that are available without waiting.
    pub fn catch_up(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.note(&line);
        }
    }

    /// Returns the program's process ID.
    pub fn process(&self) -> u32 {
        self.program.id()
    }

    /// Waits for `count` more complete frames. By then the program has processed all earlier input.
    pub fn frames(&mut self, count: usize) -> Vec<Line> {
        let deadline = Instant::now() + PATIENCE;
        self.catch_up();
        let mut frames = Vec::new();
        while frames.len() <= count {
            match self.next(deadline) {
                Ok(line) => frames.extend(Some(line).filter(Line::is_frame)),
                Err(reason) => self.give_up("frames", reason),
            }
        }
        frames.split_off(1) // the first frame may have begun earlier
    }

    /// Presses a key, then waits for a line of the log and for the picture to settle. Only for paused game time.
    pub fn press_to_settle(&mut self, key: &str, words: &str) {
        self.press_for(key, words);
        self.wait_for("settled");
    }

    /// Returns the contents of the window.
    pub fn picture(&self) -> Picture {
        self.display.picture(&self.window)
    }

    /// Returns the places of all controls by name.
    pub fn places(&self) -> &HashMap<String, Place> {
        &self.places
    }

    /// Returns the log so far.
    pub fn log(&self) -> &[Line] {
        &self.log
    }

    /// Runs xdotool.
    pub fn xdotool(&self, words: &[&str]) {
        self.display.xdotool(words);
    }

    /// Runs xdotool and waits for a line of the log. Returns false if the program quits instead.
    pub fn responds(&mut self, words: &[&str], sought: &str) -> bool {
        let output = self.display.try_xdotool(words); // fails if the window has closed
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.next(deadline) {
                Ok(line) if line.matches(sought) => return true,
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected)
                    if self.log.iter().any(|line| line.matches("leaving")) =>
                {
                    return false;
                }
                Err(reason) => self.give_up(&format!("{sought} after {output:?}"), reason),
            }
        }
    }

    /// Presses and releases a key.
    pub fn press(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    /// Presses a key and waits for a line of the log. Returns that line.
    pub fn press_for(&mut self, key: &str, words: &str) -> Line {
        self.press(key);
        self.wait_for(words).pop().expect("at least one line")
    }

    /// Moves the pointer.
    pub fn point(&self, x: f64, y: f64) {
        let (x, y) = (format!("{x:.0}"), format!("{y:.0}"));
        self.xdotool(&["mousemove", "--window", &self.window, &x, &y]);
    }

    /// Presses the primary mouse button.
    pub fn mouse_down(&self) {
        self.xdotool(&["mousedown", "1"]);
    }

    /// Releases the primary mouse button.
    pub fn mouse_up(&self) {
        self.xdotool(&["mouseup", "1"]);
    }

    /// Clicks on the middle of a control and waits for a line of the log.
    pub fn click_for(&mut self, control: &str, words: &str) {
        let place = self.place(control);
        self.point(place.x + place.width / 2.0, place.y + place.height / 2.0);
        self.xdotool(&["click", "1"]);
        self.wait_for(words);
    }

    /// Returns the place of a control.
    pub fn place(&self, control: &str) -> Place {
        let place = self.places.get(control);
        *place.unwrap_or_else(|| panic!("no control {control} in {:?}", self.places))
    }

    /// Waits for the program to end by itself.
    pub fn end(mut self) -> End {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.next(deadline) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(reason) => self.give_up("the end of the program", reason),
            }
        }
        // Standard output is closed, so the program is about to end.
        if !has_ended(&mut self.program) {
            self.give_up("the end of the program", RecvTimeoutError::Timeout);
        }
        let status = self.program.wait().expect("a started program").code();
        let stderr = self.kill();
        End {
            status,
            lines,
            stderr,
        }
    }

    /// Ends the program if it still runs. Returns its standard error.
    fn kill(&mut self) -> String {
        let _ = self.program.kill();
        let _ = self.program.wait();
        let stderr = self.stderr.take();
        stderr
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.kill();
    }
}

#[test]
fn only_lines_of_the_log_are_parsed() {
    for text in ["", "7", "seven frame", "MESA: warning: something"] {
        assert_eq!(Line::parse(text), None, "{text}");
    }
    let line = Line::parse("7 frame delta 1").expect("a line");
    assert_eq!((line.frame, line.number("delta")), (7, 1.0));
}
