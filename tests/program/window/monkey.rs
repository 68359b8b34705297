//! A monkey test: random keys, clicks, drags, wheel turns and window sizes from 1x1 to 2560x1440. The program must stay
//! alive, respond, print no errors and not leak memory.
//!
//! `cargo test` makes a short run. For a longer run or another seed:
//! `TIMESLICE_MONKEY_ACTIONS=5000 TIMESLICE_MONKEY_SEED=7 cargo test --test program monkey -- --nocapture`.

use crate::window::support::lab::{End, Lab, Place};
use headless::sim::random::{Rng, Stream};
use std::collections::HashMap;
use std::env;
use std::fs;

/// Default number of actions.
const ACTIONS: usize = 20;
/// Actions per batch. After each batch the program must respond.
const BATCH: usize = 10;
/// Number of actions between two measurements of memory.
const HOME_AFTER: usize = 10;
/// Highest allowed ratio of memory at the end to memory after the warm-up.
const GROWTH: f64 = 1.10;
/// Size of the window when memory is measured.
const SIZE: [f64; 2] = [1280.0, 800.0];
/// Width of a slider at scale 1, in pixels.
const SLIDER_WIDTH: f64 = 216.0;

/// Environment variables of the program. With the first three there is one heap, and it returns memory at once, so the
/// process has only memory that the program uses. With the last, Mesa prints all OpenGL errors.
const VARIABLES: [(&str, &str); 4] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "65536"),
    ("MESA_DEBUG", "context"),
];

/// Every key with a function except Escape, which quits. There are also many keys without a function.
const KEYS: &str = "1 2 3 4 5 6 7 8 9 0 KP_0 KP_2 KP_4 KP_7 KP_Subtract bracketleft bracketright \
    a b c e f g h i j k l m n o p q r s t u v w x y z B Z \
    space period comma minus plus slash question Tab Return BackSpace Delete Insert Prior Next \
    Left Right Up Down Home End shift+Left shift+Right shift+Tab ctrl+a ctrl+c ctrl+z ctrl+minus ctrl+plus ctrl+0 alt+x \
    F1 F1 F2 F3 F4 F5 F10 F11";

/// Keys that save files. They are rare because a picture takes megabytes.
const SAVING: [&str; 2] = ["F12", "d"];

const FLAGS: [&str; 4] = ["--size", "1280x800", "--cost-us", "5"];

struct Monkey {
    lab: Option<Lab>,
    rng: Rng,
    size: [f64; 2],
    /// Arguments for the next call of xdotool.
    words: Vec<String>,
    counts: HashMap<&'static str, usize>,
    /// Measured memory in kilobytes, one list for each start of the program. The program is always in the same state
    /// when its memory is measured.
    memory: Vec<Vec<u64>>,
}

fn number(name: &str, default: usize) -> usize {
    let value = env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("a number"))
}

impl Monkey {
    fn new(seed: u64) -> Option<Self> {
        Some(Self {
            lab: Some(Lab::open_with(&VARIABLES, &FLAGS)?),
            rng: Rng::new(seed, Stream::Requests),
            size: SIZE,
            words: Vec::new(),
            counts: HashMap::new(),
            memory: vec![Vec::new()],
        })
    }

    fn lab(&mut self) -> &mut Lab {
        self.lab
            .as_mut()
            .expect("the program is restarted if it quits")
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.rng.below(all.len())]
    }

    /// Adds arguments for xdotool.
    fn push(&mut self, words: &[&str]) {
        self.words.extend(words.iter().map(|&word| word.to_owned()));
    }

    fn go_to(&mut self, [x, y]: [f64; 2]) {
        let (x, y) = (format!("{x:.0}"), format!("{y:.0}"));
        let window = self.lab().window.clone();
        self.push(&["mousemove", "--window", &window, &x, &y]);
    }

    /// Picks a random point that is not on the button that quits.
    fn point(&mut self) -> [f64; 2] {
        // Give up after 20 points, because the button may cover all of a tiny window.
        for _ in 0..20 {
            // Controls of a small window may have negative coordinates, but xdotool would read these as flags.
            let [x, y] = self.any_point().map(|at| at.max(0.0).round());
            let quit = self.lab().places().get("button:Esc").copied();
            if !quit.is_some_and(|quit| quit.contains(x, y)) {
                return [x, y];
            }
        }
        self.size.map(|side| side + 5.0)
    }

    /// Picks a random point on a control or in the window.
    fn any_point(&mut self) -> [f64; 2] {
        let mut places: Vec<(&String, &Place)> = self.lab().places().iter().collect();
        places.sort_by_key(|(name, _)| *name);
        let places: Vec<Place> = places.into_iter().map(|(_, place)| *place).collect();
        let Place {
            x,
            y,
            width,
            height,
        } = if self.rng.unit() < 0.75 && !places.is_empty() {
            *self.one_of(&places)
        } else {
            Place {
                x: 0.0,
                y: 0.0,
                width: self.size[0],
                height: self.size[1],
            }
        };
        [x + self.rng.unit() * width, y + self.rng.unit() * height]
    }

    fn window_size(&mut self) -> [f64; 2] {
        const LARGEST: [f64; 2] = [2560.0, 1440.0];
        match self.rng.below(10) {
            0 => [1.0, 1.0],
            1 => LARGEST,
            2..=4 => LARGEST.map(|largest| largest.powf(self.rng.unit()).round()),
            _ => [
                700.0 + self.rng.below(1000) as f64,
                400.0 + self.rng.below(700) as f64,
            ],
        }
    }

    /// Adds a random action. Returns true if it must be carried out before the next one.
    fn add_action(&mut self) -> bool {
        let name = match self.rng.below(100) {
            0..38 => {
                let keys: Vec<&str> = KEYS.split_whitespace().collect();
                let key = *self.one_of(&keys);
                self.push(&["key", key]);
                "keys"
            }
            38 => {
                let key = *self.one_of(&SAVING);
                self.push(&["key", key]);
                "saves"
            }
            39..60 => {
                let at = self.point();
                self.go_to(at);
                let button = *self.one_of(&["1", "1", "1", "1", "2", "3"]);
                self.push(&["click", button]);
                "clicks"
            }
            60..65 => {
                let at = self.point();
                self.go_to(at);
                self.push(&["click", "--repeat", "2", "--delay", "40", "1"]);
                "double clicks"
            }
            65..80 => {
                let (from, to) = (self.point(), self.point());
                self.go_to(from);
                self.push(&["mousedown", "1"]);
                for step in 1..=3 {
                    let part = f64::from(step) / 3.0;
                    let along = |axis: usize| from[axis] + part * (to[axis] - from[axis]);
                    self.go_to([along(0), along(1)]);
                }
                // Sometimes the button stays pressed during the next actions.
                if self.rng.unit() < 0.9 {
                    self.push(&["mouseup", "1"]);
                }
                "drags"
            }
            80..90 => {
                let at = self.point();
                self.go_to(at);
                let button = *self.one_of(&["4", "5", "4", "5", "6", "7"]);
                let turns = (1 + self.rng.below(5)).to_string();
                self.push(&["click", "--repeat", &turns, "--delay", "5", button]);
                "wheel turns"
            }
            90..97 => {
                self.size = self.window_size();
                let [width, height] = self.size.map(|side| format!("{side:.0}"));
                let window = self.lab().window.clone();
                self.push(&["windowsize", &window, &width, &height]);
                "sizes"
            }
            _ => {
                let at = self.point();
                self.go_to(at);
                "moves"
            }
        };
        *self.counts.entry(name).or_default() += 1;
        name == "sizes" // a new size moves all controls
    }

    /// Carries out the actions and waits for a response. Restarts the program if it has quit.
    fn carry_out(&mut self) {
        // These keys work in every state.
        let last = [
            ("F1", "view grid"),
            ("F2", "view compare"),
            ("F3", "view loops"),
        ][self.rng.below(3)];
        let words = std::mem::take(&mut self.words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if !self.lab().survives(&words, last) {
            let lab = self.lab.take().expect("the program was open");
            assert_no_errors(&lab.end().expect_success());
            *self.counts.entry("quits").or_default() += 1;
            self.size = SIZE;
            self.lab = Lab::open_with(&VARIABLES, &FLAGS);
            self.memory.push(Vec::new());
            self.home();
        }
    }

    /// Returns true if the log has `one`, and no `other` after it.
    fn is(&mut self, one: &str, other: &str) -> bool {
        let mut lines = self.lab().log().iter().rev();
        let last = lines.find(|line| line.matches(one) || line.matches(other));
        last.is_some_and(|line| line.matches(one))
    }

    /// Clicks on a slider at this fraction of its track.
    fn set(&mut self, slider: &str, fraction: f64) {
        let place = self.lab().place(slider);
        let scale = place.width / SLIDER_WIDTH; // Ctrl with plus or minus changes the scale
        let (on_track, y) = place.on_track(fraction, scale);
        // A click left of the track sets the minimum at every scale. A click on the track is rounded to a pixel, so it
        // might set the next value.
        let x = if fraction == 0.0 {
            place.x + 1.0
        } else {
            on_track
        };
        self.lab().point((x, y));
        self.lab().mouse_down();
        self.lab().mouse_up();
    }

    /// Brings the program to a state without entities and history, and measures its memory. Adds entities afterwards.
    fn home(&mut self) {
        // Releases whatever the actions have left pressed.
        let words = ["keyup", "shift", "mouseup", "1"];
        let is_open = self.lab().survives(&words, ("F2", "view compare"));
        assert!(is_open, "releasing a button quits the program");
        self.size = SIZE;
        self.lab().resize(SIZE[0] as u32, SIZE[1] as u32);
        if self.is("help shown", "help hidden") {
            self.lab().press_for("h", "help hidden");
        }
        if self.is("panels hidden", "panels shown") {
            self.lab().press_for("f", "panels shown");
        }
        for (tab, other, key) in [
            ("timeline shown", "code shown", "t"),
            ("code shown", "timeline shown", "u"),
        ] {
            if self.is(tab, "plots shown") && self.is(tab, other) {
                self.lab().press_for("F1", "view grid");
                self.lab().press_for(key, "plots shown");
                self.lab().press_for("F2", "view compare");
            }
        }
        self.lab().press_for("F3", "view loops");
        self.lab().press_for("r", "race restarted");
        for (key, view, slider, restarted) in [
            ("F2", "view compare", "all:entities", "comparison restarted"),
            ("F1", "view grid", "entities", "restarted"),
        ] {
            self.lab().press_for(key, view);
            let knobs = self.lab().wait_for_still("part:knobs");
            self.lab().point((knobs.x + 100.0, knobs.y + 5.0));
            self.lab().turn_wheel_up(30);
            self.lab().wait_for_still(slider); // scrolling is animated
            self.set(slider, 0.0);
            self.lab().press_for("r", restarted);
        }
        if self.is("paused", "running") || self.is("step", "running") {
            self.lab().press_for("space", "running");
        }
        self.lab().wait_for_entities(0.0);
        self.lab().frames(10);
        self.tidy();
        let kilobytes = memory(self.lab().process());
        let measured = self.memory.last_mut().expect("an entry per program");
        measured.push(kilobytes);
        self.set("entities", 0.25);
    }

    /// Deletes all saved files.
    fn tidy(&mut self) {
        let files = fs::read_dir(self.lab().folder()).expect("the folder exists");
        for entry in files.flatten() {
            let path = entry.path();
            if !path.to_string_lossy().ends_with(".partial") {
                let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
            }
        }
    }
}

/// Returns the resident memory of a process in kilobytes.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|it| it.parse().ok()).expect("a number")
}

#[test]
fn random_input_does_no_harm() {
    let actions = number("TIMESLICE_MONKEY_ACTIONS", ACTIONS);
    let seed = number("TIMESLICE_MONKEY_SEED", 1);
    let Some(mut monkey) = Monkey::new(seed as u64) else {
        return;
    };
    println!("{actions} actions, seed {seed}");
    monkey.home();
    for action in 1..=actions {
        if monkey.add_action() || action % BATCH == 0 {
            monkey.carry_out();
        }
        if action % HOME_AFTER == 0 {
            monkey.home();
        }
    }
    // The first presses may take the focus from a control, close a list or end a pin. One of the three quits.
    monkey.lab().type_keys(&["Escape"; 3]);
    monkey.lab().wait_for("leaving");
    let lab = monkey.lab.take().expect("the program is open");
    let end = lab.end().expect_success();
    println!("{:?}", monkey.counts);
    println!("kilobytes: {:?}", monkey.memory);
    assert_no_errors(&end);
    for measured in monkey.memory.iter().filter(|it| it.len() > 1) {
        let (warm, last) = (measured[1], measured[measured.len() - 1]);
        let is_flat = last as f64 <= warm as f64 * GROWTH;
        assert!(is_flat, "seed {seed}: {measured:?}");
    }
}

/// Asserts that the program and OpenGL have printed no errors, and that no unfinished file is left.
fn assert_no_errors(end: &End) {
    for line in end.stderr.lines() {
        let mut bad = ["GL_", "Mesa", "rror", "panicked"].into_iter();
        assert!(!bad.any(|bad| line.contains(bad)), "{}", end.stderr);
    }
    println!("standard error: {:?}", end.stderr);
    let files = fs::read_dir(end.folder()).expect("the folder exists");
    let mut names = files.flatten().map(|entry| entry.file_name());
    let partial = names.find(|name| name.to_string_lossy().ends_with(".partial"));
    assert_eq!(partial, None);
}
