//! The program under test: opened, worked, and read by its log.

use crate::support::display::{Display, is_over};
use crate::support::picture::Picture;
use std::collections::HashMap;
use std::fmt::Write;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest wait for anything: a busy computer takes its time, a broken program for ever.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The frame that it is about: the first one after what it tells.
    pub frame: u64,
    /// What happened.
    pub what: String,
}

impl Line {
    /// None where it is none: a driver may have something to say on standard output, too.
    fn read(text: &str) -> Option<Self> {
        let (frame, what) = text.split_once(' ')?;
        Some(Self {
            frame: frame.parse().ok()?,
            what: what.to_owned(),
        })
    }

    /// Whether it begins with these words.
    pub fn tells(&self, words: &str) -> bool {
        self.what
            .strip_prefix(words)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    /// Whether it is about a frame that is over.
    pub fn is_frame(&self) -> bool {
        self.tells("frame")
    }

    /// The number behind `name`.
    ///
    /// # Panics
    /// Where there is none.
    pub fn number(&self, name: &str) -> f64 {
        let mut words = self.what.split(' ').skip_while(|word| *word != name);
        words
            .nth(1)
            .and_then(|word| word.parse().ok())
            .unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }
}

/// Where something stands in the window, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Place {
    /// Whether a point lies in it.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        let (x, y) = (x - self.x, y - self.y);
        (0.0..self.width).contains(&x) && (0.0..self.height).contains(&y)
    }
}

/// How the program ended.
#[derive(Debug)]
pub struct End {
    /// Its exit status; none after a signal.
    pub status: Option<i32>,
    /// What it still logged.
    pub lines: Vec<Line>,
    /// Everything that it complained of.
    pub stderr: String,
}

impl End {
    /// The program left as it should.
    ///
    /// # Panics
    /// Where it failed.
    pub fn well(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self
    }
}

/// The program, with a window on a display of its own. Dropping it ends both.
pub struct Lab {
    program: Child,
    lines: Receiver<Line>,
    stderr: Option<JoinHandle<String>>,
    told: Vec<Line>,
    places: HashMap<String, Place>,
    pub window: String,
    pub display: Display,
}

impl Lab {
    /// Opens the window with these flags and waits for its first frame; none where the test is skipped.
    pub fn open(flags: &[&str]) -> Option<Self> {
        let lab = Self::start(flags)?;
        Some(lab.opened("frame"))
    }

    /// Opens it `width` points wide, on a display on which a point is `scale` pixels wide.
    pub fn open_at(scale: u32, width: u32, flags: &[&str]) -> Option<Self> {
        let mut lab = Self::start_at(scale, flags)?.opened("frame");
        // X11 opens the window with a point a pixel; the program makes it larger in its first frames.
        let pixels = f64::from(width * scale);
        for _ in 0..60 {
            if lab.place("part:bar").width == pixels {
                return Some(lab);
            }
            lab.frames(1);
        }
        panic!("the bar is not {pixels} pixels wide: {:?}", lab.places());
    }

    /// Opens it at rest after so many frames: always the same picture.
    pub fn open_still(scale: u32, frames: u64, flags: &[&str]) -> Option<Self> {
        let frames = frames.to_string();
        let lab = Self::start_at(scale, &[&["--still", &frames], flags].concat())?;
        Some(lab.opened("settled"))
    }

    /// Opens it in a folder of its own, which is where it saves, with these variables set.
    pub fn open_in(folder: &Path, variables: &[(&str, &str)], flags: &[&str]) -> Option<Self> {
        let lab = Self::start_in(folder, variables, 1, flags)?;
        Some(lab.opened("frame"))
    }

    /// Waits for the window, until the log tells these words.
    fn opened(mut self, words: &str) -> Self {
        let lab = &mut self;
        lab.until(words);
        lab.window = lab
            .display
            .xdotool(&["search", "--onlyvisible", "--name", "^Timeslice Lab"]);
        // There is no window manager to do it.
        let window = lab.window.clone();
        lab.xdotool(&["windowfocus", "--sync", &window]);
        self
    }

    /// Starts the program with these flags and waits for nothing.
    pub fn start(flags: &[&str]) -> Option<Self> {
        Self::start_at(1, flags)
    }

    fn start_at(scale: u32, flags: &[&str]) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")); // where screenshots by key go
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
            .expect("cargo has built it");
        let stdout = BufReader::new(program.stdout.take().expect("it is piped"));
        let mut stderr = program.stderr.take().expect("it is piped");
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let Some(line) = Line::read(&line) else {
                    eprintln!("no line of the log: {line}");
                    continue;
                };
                if tell.send(line).is_err() {
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
            told: Vec::new(),
            places: HashMap::new(),
            window: String::new(),
            display,
        })
    }

    /// The next line of the log; none at its end.
    fn next(&mut self, deadline: Instant) -> Result<Line, RecvTimeoutError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = self.lines.recv_timeout(left)?;
        self.note(&line);
        Ok(line)
    }

    /// Keeps what was read, and where it says that a control stands.
    fn note(&mut self, line: &Line) {
        if let Some(control) = line.what.strip_prefix("control ") {
            let (name, numbers) = control.split_once(' ').expect("KEY X Y WIDTH HEIGHT");
            if name == "part:bar" {
                self.places.clear(); // the first of all that there are from here on
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
        self.told.push(line.clone());
    }

    /// Reads on until a line begins with these words. Returns all that was read, that line being the last.
    pub fn until(&mut self, words: &str) -> Vec<Line> {
        self.until_one(words, |line| line.tells(words))
    }

    /// Reads on until a frame is over that had so many entities.
    pub fn until_entities(&mut self, count: f64) -> Vec<Line> {
        self.until_one(&format!("a frame with {count} entities"), |line| {
            line.is_frame() && line.number("entities") == count
        })
    }

    fn until_one(&mut self, sought: &str, is_it: impl Fn(&Line) -> bool) -> Vec<Line> {
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
        for line in &self.told[self.told.len().saturating_sub(20)..] {
            let _ = writeln!(story, "{} {}", line.frame, line.what);
        }
        let stderr = self.kill();
        panic!("waited for {sought:?}, but {reason}; the log's end:\n{story}{stderr}");
    }

    /// Reads what it has logged already.
    pub fn catch_up(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.note(&line);
        }
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.program.id()
    }

    /// Lets the program make so many whole frames more: what was pressed before has then arrived.
    pub fn frames(&mut self, count: usize) -> Vec<Line> {
        let deadline = Instant::now() + PATIENCE;
        self.catch_up(); // what it has logged already is no news
        let mut frames = Vec::new();
        while frames.len() <= count {
            match self.next(deadline) {
                Ok(line) => frames.extend(Some(line).filter(Line::is_frame)),
                Err(reason) => self.give_up("frames", reason),
            }
        }
        frames.split_off(1) // the first one may have begun before
    }

    /// Presses a key, waits until the log tells these words and the picture shows what they say: for while
    /// game time stands.
    pub fn press_to_settle(&mut self, key: &str, words: &str) {
        self.press_for(key, words);
        self.until("settled");
    }

    /// What the window shows.
    pub fn picture(&self) -> Picture {
        self.display.picture(&self.window)
    }

    /// Where everything stands that the log has told of, by name.
    pub fn places(&self) -> &HashMap<String, Place> {
        &self.places
    }

    /// Everything that the log has told so far.
    pub fn told(&self) -> &[Line] {
        &self.told
    }

    /// Presses, moves, clicks.
    pub fn xdotool(&self, words: &[&str]) {
        self.display.xdotool(words);
    }

    /// Does these words of xdotool's and reads on until the log tells others; false where the user has left.
    pub fn answers(&mut self, words: &[&str], sought: &str) -> bool {
        let done = self.display.try_xdotool(words); // which fails where the window is gone meanwhile
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.next(deadline) {
                Ok(line) if line.tells(sought) => return true,
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected)
                    if self.told.iter().any(|line| line.tells("leaving")) =>
                {
                    return false;
                }
                Err(reason) => self.give_up(&format!("{sought} after {done:?}"), reason),
            }
        }
    }

    /// Presses a key and lets it go.
    pub fn press(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    /// Presses a key and reads on until the log tells these words. Returns that line.
    pub fn press_for(&mut self, key: &str, words: &str) -> Line {
        self.press(key);
        self.until(words).pop().expect("at least the line sought")
    }

    /// Moves the pointer.
    pub fn point(&self, x: f64, y: f64) {
        let (x, y) = (format!("{x:.0}"), format!("{y:.0}"));
        self.xdotool(&["mousemove", "--window", &self.window, &x, &y]);
    }

    /// Presses the first mouse button where the pointer is.
    pub fn mouse_down(&self) {
        self.xdotool(&["mousedown", "1"]);
    }

    /// Lets it go.
    pub fn mouse_up(&self) {
        self.xdotool(&["mouseup", "1"]);
    }

    /// Clicks on the middle of a control and reads on until the log tells these words.
    pub fn click_for(&mut self, control: &str, words: &str) {
        let place = self.place(control);
        self.point(place.x + place.width / 2.0, place.y + place.height / 2.0);
        self.xdotool(&["click", "1"]);
        self.until(words);
    }

    /// Where the log says that a control stands.
    pub fn place(&self, control: &str) -> Place {
        let place = self.places.get(control);
        *place.unwrap_or_else(|| panic!("the log told of no {control}"))
    }

    /// Waits until the program ends by itself.
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
        // Its standard output is closed, so it is about to be gone.
        if !is_over(&mut self.program) {
            self.give_up("the end of the program", RecvTimeoutError::Timeout);
        }
        let status = self.program.wait().expect("it was started").code();
        let stderr = self.kill();
        End {
            status,
            lines,
            stderr,
        }
    }

    /// Ends the program if it is still there. Returns what it complained of.
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
fn what_is_no_line_of_the_log_is_left_out() {
    for text in ["", "7", "seven frame", "MESA: warning: something"] {
        assert_eq!(Line::read(text), None, "{text}");
    }
    let line = Line::read("7 frame delta 1").expect("a line");
    assert_eq!((line.frame, line.number("delta")), (7, 1.0));
}
