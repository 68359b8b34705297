//! Random keys, clicks, drags, wheel turns and window sizes in a real window: the program must stay alive and respond,
//! and neither it nor OpenGL may print an error. (`src/app/tests/monkey.rs` tests many more actions without a display.)
//!
//! For a longer run or another seed:
//! `TIMESLICE_MONKEY_ACTIONS=1000 TIMESLICE_MONKEY_SEED=7 cargo test --test program monkey`.

use crate::window::support::lab::Lab;
use headless::sim::random::{Rng, Stream};
use std::env;

/// Default number of actions.
const ACTIONS: u64 = 40;

/// Keys with a function, except those that quit or save files, and some without.
const KEYS: &str = "1 2 3 4 5 6 7 8 9 0 minus bracketleft bracketright a b c e f h i j k l m n o p q r s t u v w x y z \
    space period slash Tab Return BackSpace Prior Left Right Up Down Home End shift+Left shift+Tab ctrl+minus ctrl+plus \
    ctrl+0 alt+x F1 F2 F3 F5";

fn number(name: &str, default: u64) -> u64 {
    let value = env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("a number"))
}

fn one_of<'a, T>(rng: &mut Rng, all: &'a [T]) -> &'a T {
    &all[rng.below(all.len())]
}

/// Returns a random point on a control that neither quits nor saves files.
fn point(lab: &Lab, rng: &mut Rng, [width, height]: [u32; 2]) -> (f64, f64) {
    let mut places: Vec<_> = lab.places().iter().collect();
    places.sort_by_key(|(name, _)| *name);
    let avoided = ["Esc", "G", "D", "F12"].map(|key| format!("button:{key}"));
    loop {
        let (_, place) = one_of(rng, &places);
        let (x, y) = (
            place.x + rng.unit() * place.width,
            place.y + rng.unit() * place.height,
        );
        let (x, y) = (x.round(), y.round());
        let is_avoided = |name: &String| lab.places().get(name).is_some_and(|it| it.contains(x, y));
        let is_inside =
            (0.0..f64::from(width)).contains(&x) && (0.0..f64::from(height)).contains(&y);
        if is_inside && !avoided.iter().any(is_avoided) {
            return (x, y);
        }
    }
}

#[test]
fn random_input_does_no_harm() {
    let actions = number("TIMESLICE_MONKEY_ACTIONS", ACTIONS);
    let mut rng = Rng::new(number("TIMESLICE_MONKEY_SEED", 1), Stream::Requests);
    let Some(mut lab) = Lab::open(&["--cost-us", "5"]) else {
        return;
    };
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let mut size = [1280, 800];
    for action in 1..=actions {
        match rng.below(10) {
            0..=3 => {
                let typed = [(); 3].map(|()| *one_of(&mut rng, &keys));
                lab.type_keys(&typed);
            }
            4..=6 => {
                let at = point(&lab, &mut rng, size);
                lab.point(at);
                lab.click();
            }
            7 => {
                let [from, to] = [(); 2].map(|()| point(&lab, &mut rng, size));
                lab.point(from);
                lab.mouse_down();
                lab.point(to);
                lab.mouse_up();
            }
            8 => {
                let at = point(&lab, &mut rng, size);
                lab.point(at);
                lab.turn_wheel_up(1 + rng.below(4) as u64);
            }
            _ => {
                size = [300 + rng.below(1600) as u32, 200 + rng.below(1000) as u32];
                lab.resize(size[0], size[1]);
            }
        }
        if action % 10 == 0 {
            // These keys work in every state.
            lab.press("F2");
            lab.press_for("F3", "view loops");
            lab.press_for("F1", "view grid");
        }
    }
    // The first presses may take the focus from a control, close a list or end a pin. One of the three quits.
    lab.type_keys(&["Escape"; 3]);
    lab.end().expect_success();
}
