//! Compares the window with the reference images in `tests/pictures`, which cover what only OpenGL draws, and each view
//! once. No window may cause an OpenGL error.
//!
//! With `--still`, the window shows a simulated machine, so the whole image is reproducible, including plots and
//! numbers. The reference images store the mean colours of blocks (see `blocks`). To update them:
//!
//! ```text
//! TIMESLICE_REMAKE_PICTURES=1 cargo test --test program references
//! ```

use crate::window::support::blocks::{blocks_of, difference};
use crate::window::support::image::read;
use crate::window::support::lab::Lab;
use image::RgbImage;
use std::env;
use std::path::Path;

const REMAKE: &str = "TIMESLICE_REMAKE_PICTURES=1 cargo test --test program references";
const PICTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures");

/// The number of frames after which the plots are full.
const FRAMES: u64 = 486;

/// The windows to open: the name of the reference image, the display scale, the number of frames, and the flags.
const WINDOWS: [(&str, u32, u64, &str); 5] = [
    ("grid", 1, FRAMES, ""),
    ("compare", 1, FRAMES, "--view compare"),
    ("loops", 1, FRAMES, "--view loops"),
    ("million", 1, 64, "--entities 1000000 --cost-us 0"),
    ("scale-2", 2, FRAMES, "--size 900x600"),
];

/// Images of the first window after a key: the name, the key, and the log lines after the first and the second press.
const KEYS: [(&str, &str, [&str; 2]); 5] = [
    ("timeline", "t", ["timeline shown", "plots shown"]),
    ("code", "u", ["code shown", "plots shown"]),
    ("staleness", "s", ["staleness shown", "flash shown"]),
    ("bare", "f", ["panels hidden", "panels shown"]),
    ("help", "h", ["help shown", "help hidden"]),
];

/// Compares an image of the window with its reference, or updates the reference. Returns how they differ.
fn compare(name: &str, picture: &RgbImage) -> Option<String> {
    let blocks = blocks_of(picture);
    let kept = Path::new(PICTURES).join(name).with_extension("png");
    if env::var_os("TIMESLICE_REMAKE_PICTURES").is_some_and(|value| value == "1") {
        blocks.save(&kept).expect("a writable file");
        return None;
    }
    if !kept.is_file() {
        return Some(format!("{name}: there is no reference picture"));
    }
    let (difference, marked) = difference(&read(&kept), &blocks)?;
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [actual, differs] =
        ["actual", "difference"].map(|it| scratch.join(format!("{name}-{it}.png")));
    picture.save(&actual).expect("a writable file");
    marked.save(&differs).expect("a writable file");
    let (actual, differs) = (actual.display(), differs.display());
    Some(format!(
        "{name}: {difference}\n  new picture: {actual}\n  differences: {differs}"
    ))
}

#[test]
fn windows_look_like_their_references() {
    let mut errors = Vec::new();
    for (name, scale, frames, flags) in WINDOWS {
        let Some(mut lab) = Lab::open_still(scale, frames, flags) else {
            return;
        };
        errors.extend(compare(name, &lab.picture()));
        for (name, key, [shown, hidden]) in KEYS.iter().filter(|_| name == WINDOWS[0].0) {
            lab.press_for(key, shown);
            errors.extend(compare(name, &lab.picture()));
            lab.press_for(key, hidden);
        }
        lab.type_keys(&["Escape"; 2]);
        lab.end_well();
    }
    let errors = errors.join("\n");
    assert!(
        errors.is_empty(),
        "\n{errors}\nIf these changes are intended: {REMAKE}\n"
    );
}
