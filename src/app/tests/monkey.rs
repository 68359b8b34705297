//! A monkey test: random keys, clicks, drags, wheel turns, dropped files and window sizes from 1x1 to 2560x1440, often
//! several in one frame. The application must not fail, and must still respond and quit.
//!
//! For a longer run: `TIMESLICE_MONKEY_RUNS=100 cargo test monkey`.

use super::Window;
use crate::app::input::bindings::BINDINGS;
use crate::app::input::keys::Modifier;
use crate::app::state::command::Command;
use egui::{Pos2, Rect, pos2, vec2};
use lab::cli::View;
use lab::sim::random::{Rng, Stream};
use lab::sim::world::ENTITIES;
use macroquad::input::{KeyCode, MouseButton};
use std::env;

const ACTIONS: usize = 150;
const RUNS: u64 = 6;
/// The maximum number of entities. With more, the test would be slow, so the application is opened again.
const MOST_ENTITIES: f64 = 2000.0;
/// The number of actions between two checks that the application responds.
const BATCH: usize = 10;

/// Controls that the mouse avoids, because they save files or add so many entities that the test would be slow.
const AVOIDED: [&str; 4] = ["button:D", "button:F12", "entities", "all:entities"];

/// Contents of dropped files of task costs: usable, unusable, and empty.
const COSTS: [&str; 4] = ["1\n2.5\n70\n", "80", "1\nmany\n", ""];

const FLAGS: &str = "--size 1280x800 --cost-us 5";

struct Monkey {
    window: Window,
    rng: Rng,
    size: [f32; 2],
}

impl Monkey {
    fn new(seed: u64) -> Self {
        Self {
            window: Window::open(FLAGS),
            rng: Rng::new(seed, Stream::Requests),
            size: [1280.0, 800.0],
        }
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.rng.below(all.len())]
    }

    /// Moves the pointer to a random point of the window or of a control.
    fn point(&mut self) {
        let places = self.window.places();
        let [width, height] = self.size;
        let mut area = Rect::from_min_max(Pos2::ZERO, pos2(width, height));
        if self.rng.unit() < 0.75 && !places.is_empty() {
            area = places[self.rng.below(places.len())].1;
        }
        let [x, y] = [0, 1].map(|_| self.rng.unit() as f32);
        let at = area.min + vec2(x, y) * area.size();
        self.window.add_move(at.x, at.y);
    }

    /// Returns false if the pointer is on an avoided control.
    fn is_harmless(&self) -> bool {
        let at = self.window.pointer();
        let places = self.window.places();
        let mut under = places.iter().filter(|(_, place)| place.contains(at));
        !under.any(|(name, _)| AVOIDED.contains(&&**name))
    }

    fn window_size(&mut self) -> [f32; 2] {
        let share = self.rng.unit() as f32;
        match self.rng.below(10) {
            0 => [1.0, 1.0],
            1..=4 => [2560_f32, 1440.0].map(|largest| largest.powf(share).round()),
            _ => [700.0 + 1000.0 * share, 400.0 + 700.0 * share],
        }
    }

    /// Takes a random action. Some input is held until the next action, so that one frame has both.
    fn act(&mut self) {
        use Command::{Escape, Export, Screenshot};
        use MouseButton::{Left, Middle, Right};
        match self.rng.below(20) {
            0..6 => {
                let binding = &BINDINGS[self.rng.below(BINDINGS.len())];
                // Escape could quit, and saving needs OpenGL.
                if !matches!(binding.command, Escape | Export | Screenshot) {
                    self.window.add_chord(binding.modifier, binding.keys[0]);
                }
            }
            6..8 => {
                let key = self.one_of(&[KeyCode::Tab, KeyCode::Backspace, KeyCode::Delete]);
                self.window.add_chord(Modifier::None, key);
            }
            8..16 => {
                self.point();
                if self.is_harmless() {
                    let button = self.one_of(&[Left, Left, Left, Left, Middle, Right]);
                    self.window.add_button(button, true);
                    // Half of these presses are drags, and sometimes the button stays pressed during the next actions.
                    if self.rng.below(2) == 0 {
                        self.point();
                    }
                    if self.rng.below(10) > 0 {
                        self.window.add_button(button, false);
                    }
                }
            }
            16 => {
                let count = 1 + self.rng.below(4) / 3;
                let files = [0; 2].map(|_| ("costs.txt", self.one_of(&COSTS)));
                self.window.drop_files(&files[..count]);
            }
            17 | 18 => {
                self.point();
                let (x, y) = self.one_of(&[(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)]);
                for _ in 0..=self.rng.below(5) {
                    self.window.add_wheel(x, y);
                }
            }
            _ => {
                self.size = self.window_size();
                let [width, height] = self.size;
                self.window.resize(width, height);
            }
        }
        if self.rng.unit() < 0.7 {
            self.window.frame();
        }
    }

    /// Asserts that the application responds. Opens it again if it has quit or has many entities.
    fn assert_response(&mut self) {
        let (key, view) = self.one_of(&[
            (KeyCode::F1, View::Grid),
            (KeyCode::F2, View::Compare),
            (KeyCode::F3, View::Loops),
        ]);
        self.window.press(key);
        let state = self.window.state();
        assert!(state.view == view || state.quits);
        if state.quits || state.settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            (self.window, self.size) = (Window::open(FLAGS), [1280.0, 800.0]);
        }
    }

    /// Asserts that Escape quits. Before that, Escape may close the help, end the tour, take keyboard focus from a
    /// control, and ask for confirmation.
    fn assert_quits(&mut self) {
        self.window.press(KeyCode::F3); // in this view nothing is pinned
        let quits = |monkey: &mut Self| {
            monkey.window.press(KeyCode::Escape);
            monkey.window.state().quits
        };
        assert!((0..4).any(|_| quits(self)));
    }
}

#[test]
fn random_input_does_no_harm() {
    let runs = env::var("TIMESLICE_MONKEY_RUNS").ok();
    let runs = runs.map_or(RUNS, |runs| runs.parse().expect("a number"));
    for seed in 0..runs {
        let mut monkey = Monkey::new(seed);
        for action in 1..=ACTIONS {
            monkey.act();
            if action % BATCH == 0 {
                monkey.assert_response();
            }
        }
        monkey.window.add_button(MouseButton::Left, false);
        monkey.assert_quits();
    }
}
