//! A monkey at the window: random keys, clicks, drags, wheel turns and sizes from 1x1 to 2560x1440, the same ones
//! for the same seed. The program has to stay alive and well, to answer all the time, and to keep its memory.
//!
//! `cargo test` makes a short run. A longer one, or another:
//! `TIMESLICE_MONKEY_ACTIONS=5000 TIMESLICE_MONKEY_SEED=7 cargo test --test window monkey -- --nocapture`.

use crate::input::sliders::on_track;
use crate::support::lab::{End, Lab, Place};
use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use timeslice_lab::sim::random::{Rng, Stream};

/// How many actions there are where nothing else is asked for.
const ACTIONS: usize = 300;
/// So many are done at once; then the program has to answer.
const AT_ONCE: usize = 10;
/// After so many it is brought to the state in which its memory is measured.
const HOME_AFTER: usize = 150;
/// How much more memory it may have at the end than after the warm-up.
const GROWTH: f64 = 1.10;
/// The size of the window when its memory is measured.
const SIZE: [f64; 2] = [1280.0, 800.0];
/// Width of a slider at the usual scale, in points.
const SLIDER_WIDTH: f64 = 216.0;

/// Two presses of a slider further apart than this are no double click; egui takes 0.3 s.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// The C library gives memory back at once, and has one heap: what is measured is what the program keeps, and not
/// what the C library keeps for it. Mesa tells of every error of OpenGL.
const VARIABLES: [(&str, &str); 4] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "65536"),
    ("MESA_DEBUG", "context"),
];

/// Every key that does something but Escape, which leaves, and many that do nothing.
const KEYS: &str = "1 2 3 4 5 6 7 8 9 0 KP_0 KP_2 KP_4 KP_7 bracketleft bracketright \
    a b c e f g h i j k l m n o p q r s t u v w x y z B Z \
    space period comma minus plus slash question Tab Return BackSpace Delete Insert Prior Next \
    Left Right Up Down Home End shift+Left shift+Right shift+Tab ctrl+a ctrl+c ctrl+z alt+x \
    F1 F1 F2 F3 F4 F5 F10 F11";

/// Keys that save: each picture is megabytes, so they are rarer.
const SAVING: [&str; 2] = ["F12", "d"];

const FLAGS: [&str; 4] = ["--size", "1280x800", "--cost-us", "5"];

struct Monkey {
    lab: Option<Lab>,
    chance: Rng,
    folder: PathBuf,
    size: [f64; 2],
    words: Vec<String>,
    counts: HashMap<&'static str, usize>,
    /// How much memory each program had that was opened, in kilobytes, in the same state again and again.
    kept: Vec<Vec<u64>>,
}

fn number(name: &str, default: usize) -> usize {
    let value = env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("a number"))
}

impl Monkey {
    fn new(folder: PathBuf, seed: u64) -> Option<Self> {
        Some(Self {
            lab: Some(Lab::open_in(&folder, &VARIABLES, &FLAGS)?),
            chance: Rng::new(seed, Stream::Requests),
            folder,
            size: SIZE,
            words: Vec::new(),
            counts: HashMap::new(),
            kept: vec![Vec::new()],
        })
    }

    fn lab(&mut self) -> &mut Lab {
        self.lab.as_mut().expect("it is opened again where it left")
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.chance.below(all.len())]
    }

    fn say(&mut self, words: &[&str]) {
        self.words.extend(words.iter().map(|&word| word.to_owned()));
    }

    fn go_to(&mut self, [x, y]: [f64; 2]) {
        let (x, y) = (format!("{x:.0}"), format!("{y:.0}"));
        let window = self.lab().window.clone();
        self.say(&["mousemove", "--window", &window, &x, &y]);
    }

    /// Somewhere to point at.
    fn somewhere(&mut self) -> [f64; 2] {
        // The button that quits is left alone. In a tiny window that leaves nothing.
        for _ in 0..20 {
            // xdotool takes what is less than zero, as some places are in a small window, for a flag.
            let [x, y] = self.anywhere().map(|at| at.max(0.0).round());
            let quit = self.lab().places().get("button:Esc").copied();
            if !quit.is_some_and(|quit| quit.contains(x, y)) {
                return [x, y];
            }
        }
        self.size.map(|side| side + 5.0)
    }

    /// In the window, or on something that does something.
    fn anywhere(&mut self) -> [f64; 2] {
        let mut places: Vec<(&String, &Place)> = self.lab().places().iter().collect();
        places.sort_by_key(|(name, _)| *name);
        let places: Vec<Place> = places.into_iter().map(|(_, place)| *place).collect();
        let Place {
            x,
            y,
            width,
            height,
        } = if self.chance.unit() < 0.75 && !places.is_empty() {
            *self.one_of(&places)
        } else {
            Place {
                x: 0.0,
                y: 0.0,
                width: self.size[0],
                height: self.size[1],
            }
        };
        [
            x + self.chance.unit() * width,
            y + self.chance.unit() * height,
        ]
    }

    fn some_size(&mut self) -> [f64; 2] {
        const LARGEST: [f64; 2] = [2560.0, 1440.0];
        match self.chance.below(10) {
            0 => [1.0, 1.0],
            1 => LARGEST,
            2..=4 => LARGEST.map(|largest| largest.powf(self.chance.unit()).round()),
            _ => [
                700.0 + self.chance.below(1000) as f64,
                400.0 + self.chance.below(700) as f64,
            ],
        }
    }

    /// Thinks of an action. Returns whether it is to be done before there is another.
    fn act(&mut self) -> bool {
        let name = match self.chance.below(100) {
            0..38 => {
                let keys: Vec<&str> = KEYS.split_whitespace().collect();
                let key = *self.one_of(&keys);
                self.say(&["key", key]);
                "keys"
            }
            38 => {
                let key = *self.one_of(&SAVING);
                self.say(&["key", key]);
                "saves"
            }
            39..60 => {
                let at = self.somewhere();
                self.go_to(at);
                let button = *self.one_of(&["1", "1", "1", "1", "2", "3"]);
                self.say(&["click", button]);
                "clicks"
            }
            60..65 => {
                let at = self.somewhere();
                self.go_to(at);
                self.say(&["click", "--repeat", "2", "--delay", "40", "1"]);
                "double clicks"
            }
            65..80 => {
                let (from, to) = (self.somewhere(), self.somewhere());
                self.go_to(from);
                self.say(&["mousedown", "1"]);
                for step in 1..=3 {
                    let part = f64::from(step) / 3.0;
                    let along = |axis: usize| from[axis] + part * (to[axis] - from[axis]);
                    self.go_to([along(0), along(1)]);
                    self.say(&["sleep", "0.02"]);
                }
                // Now and then it is held while other things happen.
                if self.chance.unit() < 0.9 {
                    self.say(&["mouseup", "1"]);
                }
                "drags"
            }
            80..90 => {
                let at = self.somewhere();
                self.go_to(at);
                let button = *self.one_of(&["4", "5", "4", "5", "6", "7"]);
                let turns = (1 + self.chance.below(5)).to_string();
                self.say(&["click", "--repeat", &turns, "--delay", "5", button]);
                "wheel turns"
            }
            90..97 => {
                self.size = self.some_size();
                let [width, height] = self.size.map(|side| format!("{side:.0}"));
                let window = self.lab().window.clone();
                self.say(&["windowsize", &window, &width, &height]);
                "sizes"
            }
            _ => {
                let at = self.somewhere();
                self.go_to(at);
                "moves"
            }
        };
        *self.counts.entry(name).or_default() += 1;
        self.say(&["sleep", "0.01"]);
        name == "sizes" // after which all stands elsewhere
    }

    /// Does what it has thought of, and waits until the program answers. Where it has left by its own button, another
    /// one is opened.
    fn do_it(&mut self) {
        // A key that does what it does whatever is open, typed into, or held.
        let (key, view) = [
            ("F1", "view grid"),
            ("F2", "view compare"),
            ("F3", "view loops"),
        ][self.chance.below(3)];
        self.say(&["key", key]);
        let words = std::mem::take(&mut self.words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if self.lab().answers(&words, view) {
            self.lab().catch_up();
        } else {
            let lab = self.lab.take().expect("it was open");
            assert_sound(&lab.end().well());
            *self.counts.entry("left").or_default() += 1;
            self.size = SIZE;
            self.lab = Lab::open_in(&self.folder, &VARIABLES, &FLAGS);
            self.kept.push(Vec::new());
            self.home();
        }
    }

    /// What the log told last of these.
    fn is(&mut self, one: &str, other: &str, at_first: bool) -> bool {
        let mut told = self.lab().told().iter().rev();
        let last = told.find(|line| line.tells(one) || line.tells(other));
        last.map_or(at_first, |line| line.tells(one))
    }

    /// Lets a picture pass, also where game time stands.
    fn picture(&mut self) {
        let shown = self.is("staleness shown", "flash shown", false);
        let words = ["staleness shown", "flash shown"][usize::from(shown)];
        self.lab().press_for("s", words);
    }

    /// Puts a slider where it says so little of its way, where there is one.
    fn set(&mut self, slider: &str, fraction: f64) {
        let Some(place) = self.lab().places().get(slider) else {
            panic!("no {slider} in {:?}", self.lab().places());
        };
        let scale = place.width / SLIDER_WIDTH; // it has pressed plus and minus
        let (on_track, y) = on_track(*place, fraction, scale);
        // Left of the track is the least value at every scale; a rounded pixel on it may be the next one.
        let x = if fraction == 0.0 {
            place.x + 1.0
        } else {
            on_track
        };
        self.lab().point(x, y);
        // A second press of this slider within this time would be a double click, which puts it back.
        sleep(DOUBLE_CLICK);
        self.picture();
        self.lab().mouse_down();
        self.picture();
        self.lab().mouse_up();
        self.picture();
    }

    /// Nobody lives, nothing is remembered, the panels are shown: the same state whatever has happened. Keeps
    /// how much memory the program has then. Afterwards some live again.
    fn home(&mut self) {
        self.lab().xdotool(&["keyup", "shift", "mouseup", "1"]);
        // A number that was being typed is forgotten with its view.
        for (key, words) in [("F3", "view loops"), ("F2", "view compare")] {
            self.lab().press_for(key, words);
        }
        self.size = SIZE;
        let window = self.lab().window.clone();
        self.lab().xdotool(&["windowsize", &window, "1280", "800"]);
        if self.is("help shown", "help hidden", false) {
            self.lab().press_for("h", "help hidden");
        }
        if self.is("panels hidden", "panels shown", false) {
            self.lab().press_for("f", "panels shown");
        }
        if self.is("timeline shown", "plots shown", false) {
            self.lab().press_for("F1", "view grid");
            self.lab().press_for("t", "plots shown");
            self.lab().press_for("F2", "view compare");
        }
        let started = Instant::now();
        while self.lab().place("part:bar").width != SIZE[0] {
            assert!(
                started.elapsed() < crate::support::lab::PATIENCE,
                "it stays as it is"
            );
            self.picture();
        }
        self.lab().press_for("F3", "view loops");
        self.lab().press_for("r", "race restarted");
        for (key, view, slider, restarted) in [
            ("F2", "view compare", "all:entities", "comparison restarted"),
            ("F1", "view grid", "entities", "restarted"),
        ] {
            self.lab().press_for(key, view);
            (0..2).for_each(|_| self.picture());
            let knobs = self.lab().place("part:knobs");
            self.lab().point(knobs.x + 100.0, knobs.y + 5.0);
            self.lab()
                .xdotool(&["click", "--repeat", "30", "--delay", "1", "4"]);
            (0..3).for_each(|_| self.picture());
            self.set(slider, 0.0);
            self.lab().press_for("r", restarted);
        }
        if self.is("paused", "running", false) || self.is("step", "running", false) {
            self.lab().press_for("space", "running");
        }
        self.lab().until_entities(0.0);
        self.lab().frames(10);
        self.tidy();
        let memory = memory(self.lab().process());
        let kept = self.kept.last_mut().expect("one for each program");
        kept.push(memory);
        self.set("entities", 0.25);
    }

    /// Takes away what was saved until now.
    fn tidy(&self) {
        for entry in fs::read_dir(&self.folder).expect("it was made").flatten() {
            let path = entry.path();
            if !path.to_string_lossy().ends_with(".partial") {
                let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
            }
        }
    }
}

/// What a process has in memory, in kilobytes.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it is alive");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|it| it.parse().ok()).expect("a number")
}

#[test]
fn a_monkey_cannot_break_it() {
    let actions = number("TIMESLICE_MONKEY_ACTIONS", ACTIONS);
    let seed = number("TIMESLICE_MONKEY_SEED", 1);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("monkey");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the build's own folder");
    let Some(mut monkey) = Monkey::new(folder.clone(), seed as u64) else {
        return;
    };
    println!("a monkey of seed {seed} does {actions} things");
    let started = Instant::now();
    monkey.home();
    for action in 1..=actions {
        if monkey.act() || action % AT_ONCE == 0 {
            monkey.do_it();
        }
        if action % HOME_AFTER == 0 {
            monkey.home();
        }
    }
    monkey.lab().press_for("Escape", "leaving");
    let end = monkey.lab.take().expect("it is open").end().well();
    println!(
        "{:.0} s, {:?}",
        started.elapsed().as_secs_f64(),
        monkey.counts
    );
    println!("kilobytes: {:?}", monkey.kept);
    assert_sound(&end);
    let left = fs::read_dir(&folder).expect("it is there").flatten();
    let mut left = left.map(|entry| entry.file_name().to_string_lossy().into_owned());
    assert_eq!(left.find(|name| name.ends_with(".partial")), None);
    for kept in monkey.kept.iter().filter(|kept| kept.len() > 1) {
        let (warm, last) = (kept[1], kept[kept.len() - 1]);
        let is_flat = last as f64 <= warm as f64 * GROWTH;
        assert!(is_flat, "seed {seed}: {kept:?}");
    }
}

/// Nothing was complained of, by OpenGL least of all.
fn assert_sound(end: &End) {
    for line in end.stderr.lines() {
        let mut bad = ["GL_", "Mesa", "rror", "panicked"].into_iter();
        assert!(!bad.any(|bad| line.contains(bad)), "{}", end.stderr);
    }
    println!("standard error: {:?}", end.stderr);
}
