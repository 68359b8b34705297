//! Every strategy, frame loop and view, against the pictures in `tests/pictures`.
//!
//! The window is opened with `--still`, on a simulated machine: each picture is the same in every run, plots
//! and figures included, so that nothing has to be left out of the comparison. What is kept of a picture
//! are the mean colours of its blocks (see `tolerance`). They are made, and made anew, by
//!
//! ```text
//! TIMESLICE_REMAKE_PICTURES=1 cargo test --test window references
//! ```

use crate::support::lab::{Lab, Place};
use crate::support::picture::{Picture, RED};
use crate::support::tolerance::{BLOCK, blocks_of, difference};
use std::env;
use std::fs;
use std::path::Path;
use timeslice::frame_loop::FRAME_LOOPS;
use timeslice::strategy::STRATEGIES;
use timeslice_lab::io::cli;

const REMAKE: &str = "TIMESLICE_REMAKE_PICTURES=1 cargo test --test window references";
const PICTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures");

/// The plots are full, and the strategies that run all at once have just done so.
const FRAMES: u64 = 486;

/// A key, and what the log tells then.
type Press = (&'static str, &'static str);

/// What keys lead to in the main view, and back from.
const SHOWN: [(&str, &[Press], &[Press]); 6] = [
    (
        "timeline",
        &[("t", "timeline shown")],
        &[("t", "plots shown")],
    ),
    (
        "help",
        &[("question", "help shown")],
        &[("question", "help hidden")],
    ),
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

/// Windows that are opened by themselves: the display's scale, the frames made, and the flags.
const WINDOWS: [(&str, u32, u64, &[&str]); 9] = [
    ("nobody", 1, FRAMES, &["--entities", "0"]),
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
    // So many frames that its plots are full, too, and as long after a burst.
    ("2560x1440", 1, FRAMES + 240, &["--size", "2560x1440"]),
    ("scale-2", 2, FRAMES, &["--size", "900x600"]),
];

/// The folders, and what each has pictures of.
fn names() -> [(&'static str, Vec<&'static str>); 4] {
    let strategies = STRATEGIES.iter().map(|entry| entry.key);
    let loops = FRAME_LOOPS.iter().map(|entry| entry.key);
    let views = cli::VIEWS.iter().copied();
    let shown = SHOWN.iter().map(|(name, ..)| *name);
    let windows = WINDOWS.iter().map(|(name, ..)| *name);
    [
        ("strategies", strategies.collect()),
        ("loops", loops.collect()),
        ("views", views.chain(shown).collect()),
        ("windows", windows.collect()),
    ]
}

fn is_remaking() -> bool {
    env::var_os("TIMESLICE_REMAKE_PICTURES").is_some_and(|value| value == "1")
}

/// Compares pictures with those in a folder of `tests/pictures`, and collects what is wrong with them.
struct Album {
    folder: &'static str,
    faults: Vec<String>,
}

impl Album {
    fn of(folder: &'static str) -> Self {
        Self {
            folder,
            faults: Vec::new(),
        }
    }

    /// Compares what the window shows with the picture of this name, or remakes that picture.
    fn compare(&mut self, name: &str, lab: &Lab) {
        let picture = lab.picture();
        let blocks = blocks_of(&picture);
        let folder = Path::new(PICTURES).join(self.folder);
        let kept = folder.join(name).with_extension("png");
        if is_remaking() {
            fs::create_dir_all(folder).expect("the sources can be written");
            blocks.write(&kept);
            return;
        }
        if !kept.is_file() {
            let kept = kept.display();
            let fault = format!("there is no {kept}: look at the window, then {REMAKE}");
            self.faults.push(fault);
            return;
        }
        let Some(found) = difference(&Picture::read(&kept.to_string_lossy()), &blocks) else {
            return;
        };
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let actual = scratch.join(format!("{}-{name}-actual.png", self.folder));
        let differs = scratch.join(format!("{}-{name}-difference.png", self.folder));
        picture.write(&actual);
        found.marked(&picture).write(&differs);
        let (actual, differs) = (actual.display(), differs.display());
        let names = found.names(lab.places());
        let fault = format!(
            "{name}: {found}: {names:?}\n  it is {actual}\n  what differs is marked in {differs}"
        );
        self.faults.push(fault);
    }

    fn close(self) {
        let faults = self.faults.join("\n");
        assert!(
            faults.is_empty(),
            "\n{faults}\nIf all this is meant to be so: {REMAKE}\n"
        );
    }
}

#[test]
fn every_strategy_looks_as_it_did() {
    let mut album = Album::of("strategies");
    let Some(mut lab) = Lab::open_still(1, FRAMES, &["--strategy", STRATEGIES[0].key]) else {
        return;
    };
    album.compare(STRATEGIES[0].key, &lab);
    for entry in &STRATEGIES[1..] {
        lab.press_for("bracketright", &format!("strategy {}", entry.key));
        lab.press_to_settle("r", "restarted");
        album.compare(entry.key, &lab);
    }
    album.close();
}

#[test]
fn every_frame_loop_looks_as_it_did() {
    let mut album = Album::of("loops");
    for entry in FRAME_LOOPS {
        // So many frames that a loop that makes them as fast as it can shows its way, too.
        let Some(lab) = Lab::open_still(1, 100, &["--loop", entry.key]) else {
            return;
        };
        album.compare(entry.key, &lab);
    }
    album.close();
}

#[test]
fn every_view_looks_as_it_did() {
    let mut album = Album::of("views");
    for view in cli::VIEWS {
        let Some(lab) = Lab::open_still(1, FRAMES, &["--view", view]) else {
            return;
        };
        album.compare(view, &lab);
    }
    album.close();
}

#[test]
fn what_keys_show_looks_as_it_did() {
    let mut album = Album::of("views");
    let Some(mut lab) = Lab::open_still(1, FRAMES, &[]) else {
        return;
    };
    for (name, there, back) in SHOWN {
        for (key, words) in there {
            lab.press_to_settle(key, words);
        }
        album.compare(name, &lab);
        for (key, words) in back {
            lab.press_to_settle(key, words);
        }
    }
    album.close();
}

#[test]
fn windows_of_any_size_and_crowd_look_as_they_did() {
    let mut album = Album::of("windows");
    for (name, scale, frames, flags) in WINDOWS {
        let Some(lab) = Lab::open_still(scale, frames, flags) else {
            return;
        };
        album.compare(name, &lab);
    }
    album.close();
}

#[test]
fn no_picture_is_kept_of_what_is_gone() {
    for (folder, names) in names() {
        let folder = Path::new(PICTURES).join(folder);
        for entry in fs::read_dir(folder).expect("the pictures are there") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if names.contains(&&*name) {
                continue;
            }
            let path = path.display();
            assert!(is_remaking(), "nothing is compared with {path}: {REMAKE}");
            fs::remove_file(path.to_string()).expect("the sources can be written");
        }
    }
}

#[test]
fn a_still_is_the_same_picture_in_every_run() {
    let open = || Lab::open_still(1, FRAMES, &["--churn-per-s", "40"]);
    let Some(lab) = open() else { return };
    let first = lab.picture();
    drop(lab);
    let Some(mut lab) = open() else { return };
    assert!(lab.picture() == first, "another run is another picture");
    lab.press_to_settle("period", "step");
    assert!(lab.picture() != first, "a step changes nothing");
    lab.press_to_settle("r", "restarted");
    assert!(lab.picture() == first, "a restart is another picture");
    // It goes on at the display's rate, however long the pictures take.
    lab.press_for("space", "running");
    for frame in lab.frames(5) {
        assert!(
            (frame.number("delta") - 1000.0 / 60.0).abs() < 1e-5,
            "{frame:?}"
        );
    }
}

/// Another pixel at a column and a row.
type Change<'a> = &'a dyn Fn(i64, i64) -> [u8; 3];

/// The picture with other pixels in a place of it, made from those that are there.
fn changed(picture: &Picture, place: Place, pixel: impl Fn(i64, i64) -> [u8; 3]) -> Picture {
    let width = i64::from(picture.width);
    let pixels = (0..).zip(picture.pixels()).map(|(index, &there)| {
        let (x, y) = (index % width, index / width);
        if place.contains(x as f64, y as f64) {
            pixel(x, y)
        } else {
            there
        }
    });
    Picture::new(picture.width, picture.height, pixels.collect())
}

#[test]
fn wrong_colours_missing_panels_and_shifted_plots_are_found() {
    let Some(lab) = Lab::open_still(1, FRAMES, &[]) else {
        return;
    };
    let picture = lab.picture();
    let at = |x: i64, y: i64| {
        let inside = x.clamp(0, i64::from(picture.width) - 1);
        picture.at(inside as u32, y as u32)
    };
    let tinted = |x, y| at(x, y).map(|level| (f64::from(level) * 0.85) as u8);
    let ground = at(260, 90);
    let wrong: [(&str, &str, Change); 10] = [
        ("amber instead of red", "capsules", &|x, y| match at(x, y) {
            [red, green, blue] if red > 0xc0 && green < 0x80 => [red, green.max(0x80), blue / 2],
            other => other,
        }),
        ("a little darker", "capsules", &tinted),
        ("a little darker", "part:table", &tinted),
        ("a little darker", "part:knobs", &tinted),
        ("a little darker", "button:Space", &tinted),
        ("missing", "part:table", &|_, _| ground),
        ("missing", "button:T", &|_, _| ground),
        ("missing", "entities", &|_, _| ground),
        ("a pixel further on", "part:plots", &|x, y| at(x - 1, y)),
        ("a pixel further on", "capsules", &|x, y| at(x - 1, y)),
    ];
    let blocks = blocks_of(&picture);
    assert_eq!(difference(&blocks, &blocks), None);
    for (what, name, pixel) in wrong {
        let place = lab.place(name);
        let changed = changed(&picture, place, pixel);
        let Some(found) = difference(&blocks, &blocks_of(&changed)) else {
            panic!("{name} {what} is let pass");
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
        // It is marked where it is, and nowhere else.
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
    assert!(picture.count(RED) > 100, "there was no red to change");
}
