//! Compares every strategy, frame loop and view with the reference pictures in `tests/pictures`.
//!
//! With `--still` the window shows a simulated machine, so the whole picture is reproducible, plots and figures
//! included. The reference pictures store the mean colours of blocks (see `tolerance`). To remake them:
//!
//! ```text
//! TIMESLICE_REMAKE_PICTURES=1 cargo test --test program references
//! ```

use crate::window::support::lab::{Lab, Place};
use crate::window::support::picture::{Picture, RED};
use crate::window::support::tolerance::{BLOCK, blocks_of, difference};
use headless::io::cli;
use std::env;
use std::fs;
use std::path::Path;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::STRATEGIES;

const REMAKE: &str = "TIMESLICE_REMAKE_PICTURES=1 cargo test --test program references";
const PICTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures");

/// Number of frames after which the plots are full and all-at-once has just run.
const FRAMES: u64 = 486;

/// A key and the line of the log that it causes.
type Press = (&'static str, &'static str);

/// Pictures that appear after pressing keys: name, keys to show the picture, keys to return.
const KEYS: [(&str, &[Press], &[Press]); 8] = [
    (
        "timeline",
        &[("t", "timeline shown")],
        &[("t", "plots shown")],
    ),
    ("code", &[("u", "code shown")], &[("u", "plots shown")]),
    ("tour", &[("j", "tour step 1")], &[("j", "tour over")]),
    ("help", &[("h", "help shown")], &[("h", "help hidden")]),
    ("bare", &[("f", "panels hidden")], &[("f", "panels shown")]),
    (
        "staleness",
        &[("s", "staleness shown")],
        &[("s", "flash shown")],
    ),
    (
        "staleness-of-all",
        &[("F2", "view compare"), ("s", "staleness shown")],
        &[("s", "flash shown"), ("F1", "view grid")],
    ),
    ("past", &[("Left", "look"); 8], &[("Right", "look"); 8]),
];

/// Windows to open: name, display scale, number of frames, flags.
const WINDOWS: [(&str, u32, u64, &[&str]); 9] = [
    ("empty", 1, FRAMES, &["--entities", "0"]),
    ("one", 1, FRAMES, &["--entities", "1"]),
    (
        "million",
        1,
        64,
        &["--entities", "1000000", "--cost-us", "0"],
    ),
    (
        "churn",
        1,
        FRAMES,
        &[
            "--churn-per-s",
            "40",
            "--cost-us",
            "400",
            "--cost-spread",
            "1",
        ],
    ),
    (
        "loops-900x600",
        1,
        FRAMES,
        &["--view", "loops", "--size", "900x600"],
    ),
    ("900x600", 1, FRAMES, &["--size", "900x600"]),
    ("1920x1080", 1, FRAMES, &["--size", "1920x1080"]),
    // Wider plots need more frames. All-at-once runs every 30 frames and 240 is a multiple of 30, so it has just run
    // here, too.
    ("2560x1440", 1, FRAMES + 240, &["--size", "2560x1440"]),
    ("scale-2", 2, FRAMES, &["--size", "900x600"]),
];

/// Returns the folders of pictures, each with the names of its pictures.
fn names() -> [(&'static str, Vec<&'static str>); 4] {
    let strategies = STRATEGIES.iter().map(|entry| entry.key);
    let loops = FRAME_LOOPS.iter().map(|entry| entry.key);
    let views = cli::VIEWS.iter().copied();
    let keys = KEYS.iter().map(|(name, ..)| *name);
    let windows = WINDOWS.iter().map(|(name, ..)| *name);
    [
        ("strategies", strategies.collect()),
        ("loops", loops.collect()),
        ("views", views.chain(keys).collect()),
        ("windows", windows.collect()),
    ]
}

fn is_remaking() -> bool {
    env::var_os("TIMESLICE_REMAKE_PICTURES").is_some_and(|value| value == "1")
}

/// Differences found so far between the window and the pictures in a folder of `tests/pictures`.
struct Album {
    folder: &'static str,
    errors: Vec<String>,
}

impl Album {
    fn new(folder: &'static str) -> Self {
        Self {
            folder,
            errors: Vec::new(),
        }
    }

    /// Compares the window with a reference picture, or remakes that picture.
    fn compare(&mut self, name: &str, lab: &mut Lab) {
        let picture = lab.picture();
        let blocks = blocks_of(&picture);
        let folder = Path::new(PICTURES).join(self.folder);
        let kept = folder.join(name).with_extension("png");
        if is_remaking() {
            fs::create_dir_all(folder).expect("a writable source tree");
            blocks.write(&kept);
            return;
        }
        if !kept.is_file() {
            let kept = kept.display();
            let error = format!("{kept} is missing: check the window, then {REMAKE}");
            self.errors.push(error);
            return;
        }
        let Some(found) = difference(&Picture::read(&kept), &blocks) else {
            return;
        };
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let actual = scratch.join(format!("{}-{name}-actual.png", self.folder));
        let differs = scratch.join(format!("{}-{name}-difference.png", self.folder));
        picture.write(&actual);
        found.marked(&picture).write(&differs);
        let (actual, differs) = (actual.display(), differs.display());
        let names = found.names(lab.places());
        let error = format!(
            "{name}: {found}: {names:?}\n  new picture: {actual}\n  differences: {differs}"
        );
        self.errors.push(error);
    }

    fn assert_equal(self) {
        let errors = self.errors.join("\n");
        assert!(
            errors.is_empty(),
            "\n{errors}\nIf these changes are intended: {REMAKE}\n"
        );
    }
}

#[test]
fn strategies_look_like_their_references() {
    let mut album = Album::new("strategies");
    let Some(mut lab) = Lab::open_still(1, FRAMES, &["--strategy", STRATEGIES[0].key]) else {
        return;
    };
    album.compare(STRATEGIES[0].key, &mut lab);
    for entry in &STRATEGIES[1..] {
        lab.press_for("bracketright", &format!("strategy {}", entry.key));
        lab.press_for("r", "restarted");
        album.compare(entry.key, &mut lab);
    }
    album.assert_equal();
}

#[test]
fn frame_loops_look_like_their_references() {
    let mut album = Album::new("loops");
    // 100 frames show the pattern of every loop, even of one without a frame limit.
    let Some(mut lab) = Lab::open_still(1, 100, &["--loop", FRAME_LOOPS[0].key]) else {
        return;
    };
    album.compare(FRAME_LOOPS[0].key, &mut lab);
    for entry in &FRAME_LOOPS[1..] {
        lab.press_for("l", &format!("loop {}", entry.key));
        lab.press_for("r", "restarted");
        album.compare(entry.key, &mut lab);
    }
    album.assert_equal();
}

#[test]
fn views_look_like_their_references() {
    let mut album = Album::new("views");
    let Some(mut lab) = Lab::open_still(1, FRAMES, &[]) else {
        return;
    };
    album.compare(cli::VIEWS[0], &mut lab);
    for (name, show, back) in KEYS {
        for (key, words) in show {
            lab.press_for(key, words);
        }
        album.compare(name, &mut lab);
        for (key, words) in back {
            lab.press_for(key, words);
        }
    }
    for view in &cli::VIEWS[1..] {
        let Some(mut lab) = Lab::open_still(1, FRAMES, &["--view", view]) else {
            return;
        };
        album.compare(view, &mut lab);
    }
    album.assert_equal();
}

#[test]
fn windows_of_any_size_look_like_their_references() {
    let mut album = Album::new("windows");
    for (name, scale, frames, flags) in WINDOWS {
        let Some(mut lab) = Lab::open_still(scale, frames, flags) else {
            return;
        };
        album.compare(name, &mut lab);
    }
    album.assert_equal();
}

#[test]
fn every_reference_picture_is_used() {
    for (folder, names) in names() {
        let folder = Path::new(PICTURES).join(folder);
        for entry in fs::read_dir(folder).expect("reference pictures") {
            let path = entry.expect("a readable folder").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if names.contains(&&*name) {
                continue;
            }
            let path = path.display();
            assert!(is_remaking(), "no test uses {path}: {REMAKE}");
            fs::remove_file(path.to_string()).expect("a writable source tree");
        }
    }
}

#[test]
fn stills_are_reproducible() {
    let open = || Lab::open_still(1, FRAMES, &["--churn-per-s", "40"]);
    let Some(mut lab) = open() else { return };
    let first = lab.picture();
    drop(lab);
    let Some(mut lab) = open() else { return };
    assert!(lab.picture() == first, "a second run changes the picture");
    lab.press_for("period", "step");
    assert!(lab.picture() != first, "a step changes nothing");
    lab.press_for("r", "restarted");
    assert!(lab.picture() == first, "a restart changes the picture");
    // The simulated machine continues at the rate of its own display, not at the rate of the window.
    lab.press_for("space", "running");
    for frame in lab.frames(5) {
        assert!(
            (frame.number("delta") - 1000.0 / 60.0).abs() < 1e-5,
            "{frame:?}"
        );
    }
}

/// Returns the new colour of the pixel in this column and row.
type Change<'a> = &'a dyn Fn(i64, i64) -> [u8; 3];

/// Returns the picture with new pixels in `place`.
fn changed(picture: &Picture, place: Place, pixel: impl Fn(i64, i64) -> [u8; 3]) -> Picture {
    let width = i64::from(picture.width);
    let pixels = (0..).zip(picture.pixels()).map(|(index, &old)| {
        let (x, y) = (index % width, index / width);
        if place.contains(x as f64, y as f64) {
            pixel(x, y)
        } else {
            old
        }
    });
    Picture::new(picture.width, picture.height, pixels.collect())
}

#[test]
fn wrong_colours_missing_parts_and_shifts_are_found() {
    let Some(mut lab) = Lab::open_still(1, FRAMES, &[]) else {
        return;
    };
    let picture = lab.picture();
    let at = |x: i64, y: i64| {
        let inside = x.clamp(0, i64::from(picture.width) - 1);
        picture.at(inside as u32, y as u32)
    };
    let tinted = |x, y| at(x, y).map(|level| (f64::from(level) * 0.85) as u8);
    let ground = at(260, 90);
    let changes: [(&str, &str, Change); 10] = [
        ("amber instead of red", "capsules", &|x, y| match at(x, y) {
            [red, green, blue] if red > 0xc0 && green < 0x80 => [red, green.max(0x80), blue / 2],
            other => other,
        }),
        ("a little darker", "capsules", &tinted),
        ("a little darker", "part:table", &tinted),
        ("a little darker", "part:knobs", &tinted),
        ("a little darker", "button:Space", &tinted),
        ("missing", "part:table", &|_, _| ground),
        ("missing", "tab:timeline", &|_, _| ground),
        ("missing", "entities", &|_, _| ground),
        ("a pixel further on", "part:plots", &|x, y| at(x - 1, y)),
        ("a pixel further on", "capsules", &|x, y| at(x - 1, y)),
    ];
    let blocks = blocks_of(&picture);
    assert_eq!(difference(&blocks, &blocks), None);
    for (what, name, pixel) in changes {
        let place = lab.place(name);
        let other = changed(&picture, place, pixel);
        let Some(found) = difference(&blocks, &blocks_of(&other)) else {
            panic!("{name} {what} is not found");
        };
        let names = found.names(lab.places());
        let overlaps = |(part, _): &(String, usize)| {
            let part = lab.place(part);
            place.contains(part.x, part.y) || part.contains(place.x, place.y)
        };
        assert!(
            names.iter().any(|(part, _)| part == name) || names.iter().all(overlaps),
            "{name} {what}: {names:?}"
        );
        // Only the changed part is marked.
        let block = f64::from(BLOCK);
        let marks = found.marked(&picture);
        let around = Place {
            x: place.x - block,
            y: place.y - block,
            width: place.width + 2.0 * block,
            height: place.height + 2.0 * block,
        };
        let is_mark = |&[red, green, blue]: &[u8; 3]| red > 0x7e && blue > 0x7e && green < 0x80;
        let elsewhere = self::changed(&marks, around, |_, _| [0; 3]);
        assert!(marks.pixels().iter().any(is_mark), "{name} {what}");
        assert!(!elsewhere.pixels().iter().any(is_mark), "{name} {what}");
    }
    assert!(picture.count(RED) > 100, "the picture has no red to change");
}
