//! Random keys, clicks, drags, wheel turns, dropped files and window sizes in a real window. The program must stay
//! alive and respond, and neither it nor OpenGL may print an error. (`src/app/tests/monkey.rs` tests many more actions
//! without a display.)
//!
//! For a longer run or another seed:
//! `TIMESLICE_MONKEY_ACTIONS=1000 TIMESLICE_MONKEY_SEED=7 cargo test --test program monkey`.

use crate::window::support::lab::Lab;
use egui::{Pos2, Rect, Vec2, vec2};
use headless::sim::random::{Rng, Stream};
use std::{env, fs};
use tempfile::TempDir;

/// The default number of actions.
const ACTIONS: u64 = 40;

/// Keys that have a function, except those that quit or save files, and some keys that have none.
const KEYS: &str = "1 2 3 4 5 6 7 8 9 0 minus bracketleft bracketright a b c e f h i j k l m n o p q r s t u v w x y z \
    space comma period slash Tab Return BackSpace Prior Left Right Up Down Home End shift+Left shift+Tab ctrl+minus \
    ctrl+plus ctrl+0 alt+x F1 F2 F3 F5";

fn number(name: &str, default: u64) -> u64 {
    let value = env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("a number"))
}

fn one_of<'a, T>(rng: &mut Rng, all: &'a [T]) -> &'a T {
    &all[rng.below(all.len())]
}

/// Returns a random point on a control that neither quits nor saves files.
fn point(lab: &Lab, rng: &mut Rng, size: Vec2) -> Pos2 {
    let mut places: Vec<_> = lab.places.iter().collect();
    places.sort_by_key(|(name, _)| *name);
    let avoided = ["Esc", "G", "D", "F12"].map(|key| format!("button:{key}"));
    let window = Rect::from_min_size(Pos2::ZERO, size - Vec2::splat(1.0));
    loop {
        let (_, place) = one_of(rng, &places);
        let share = vec2(rng.unit() as f32, rng.unit() as f32);
        let at = (place.min + share * place.size()).round();
        let is_avoided = |name: &String| lab.places.get(name).is_some_and(|it| it.contains(at));
        if window.contains(at) && !avoided.iter().any(is_avoided) {
            return at;
        }
    }
}

#[test]
fn random_input_does_no_harm() {
    let actions = number("TIMESLICE_MONKEY_ACTIONS", ACTIONS);
    let mut rng = Rng::new(number("TIMESLICE_MONKEY_SEED", 1), Stream::Requests);
    let open = || Lab::open(&["--cost-us", "5"]);
    let Some(mut lab) = open() else {
        return;
    };
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a writable folder");
    let costs = [("costs.txt", "1\n2.5\n70\n"), ("bad.txt", "1\nmany\n")].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("the folder is writable");
        path.to_str().expect("UTF-8").to_owned()
    });
    let mut size = vec2(1280.0, 800.0);
    for action in 1..=actions {
        if action % 500 == 0 {
            println!("{action} of {actions}");
        }
        if lab.has_closed_log {
            // Keys may have moved the focus to the Quit button and pressed it twice.
            lab.end_well();
            println!("the program was quit before action {action}");
            lab = open().expect("a display");
            size = vec2(1280.0, 800.0);
        }
        match rng.below(20) {
            0..8 => {
                let typed = [(); 3].map(|()| *one_of(&mut rng, &keys));
                lab.type_keys(&typed);
            }
            8..14 => {
                let at = point(&lab, &mut rng, size);
                lab.point(at);
                lab.click();
            }
            14..16 => {
                let [from, to] = [(); 2].map(|()| point(&lab, &mut rng, size));
                lab.point(from);
                lab.mouse_down();
                lab.point(to);
                lab.mouse_up();
            }
            16..18 => {
                let at = point(&lab, &mut rng, size);
                lab.point(at);
                let steps = 1 + rng.below(4) as u64;
                let repeat = steps.to_string();
                lab.send(&["click", "--repeat", &repeat, "--delay", "0", "4"], steps);
            }
            18 => {
                let file = one_of(&mut rng, &costs);
                lab.display.drop_file(&lab.window, file);
            }
            _ => {
                let (width, height) = (300 + rng.below(1600) as u32, 200 + rng.below(1000) as u32);
                size = vec2(width as f32, height as f32);
                lab.resize(width, height);
            }
        }
        if action % 10 == 0 && !lab.has_closed_log {
            // These keys work in every state.
            lab.type_keys(&["F2"]);
            lab.press_for("F3", "view loops");
            lab.press_for("F1", "view grid");
        }
    }
    // The first presses may take the focus from a control, close a list or unpin. Of the last two, one asks and one
    // quits.
    lab.type_keys(&["Escape"; 4]);
    lab.end_well();
}
