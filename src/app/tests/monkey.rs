//! A monkey test: random keys, clicks, drags, wheel turns and window sizes from 1x1 to 2560x1440, often several in one
//! frame. The application must not fail, and must still respond and quit.

use super::Window;
use crate::app::state::view::View;
use egui::{Pos2, Rect, pos2};
use headless::sim::random::{Rng, Stream};
use headless::sim::world::ENTITIES;
use macroquad::input::MouseButton;
use std::ops::RangeInclusive;

const ACTIONS: usize = 150;
/// Largest number of entities with which the application stays open, because more make the test slow.
const MOST_ENTITIES: f64 = 2000.0;
/// Actions after which the application must respond.
const BATCH: usize = 10;

/// Every key with a function, except Escape, which quits, and those that save files, which needs OpenGL. There are also
/// many keys without a function.
const KEYS: &str = "1 2 3 4 5 6 7 8 9 0 KP_2 KP_Subtract bracketleft bracketright \
    a b c e f h j k l m n o p q r s t u v w x y z shift+b shift+z \
    space period comma minus plus slash question Tab Return BackSpace Delete \
    Left Right Up Down Home End shift+Left shift+Right shift+Tab ctrl+a ctrl+c ctrl+z ctrl+minus ctrl+plus ctrl+0 alt+x \
    F1 F1 F2 F3 F5";

/// Controls that the mouse mostly avoids. The buttons quit and save files. Many entities would make the test slow.
const AVOIDED: [&str; 6] = [
    "button:Esc",
    "button:G",
    "button:D",
    "button:F12",
    "entities",
    "all:entities",
];

const FLAGS: [&str; 4] = ["--size", "1280x800", "--cost-us", "5"];

struct Monkey {
    window: Window,
    rng: Rng,
    size: [f32; 2],
}

impl Monkey {
    fn new() -> Self {
        let mut monkey = Self {
            window: Window::still(0, &FLAGS),
            rng: Rng::new(0, Stream::Requests),
            size: [0.0; 2],
        };
        monkey.reopen();
        monkey
    }

    fn reopen(&mut self) {
        self.window.reopen(0, &FLAGS);
        self.window.press("space"); // the game runs
        self.size = [1280.0, 800.0];
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.rng.below(all.len())]
    }

    fn unit(&mut self) -> f32 {
        self.rng.unit() as f32
    }

    /// Returns a random point that is on no avoided control.
    fn point(&mut self) -> Pos2 {
        // Give up after 20 points, because a control may cover all of a tiny window.
        for _ in 0..20 {
            let at = self.any_point();
            let avoided = AVOIDED.iter().filter(|name| self.window.has(name));
            let mut avoided = avoided.map(|name| self.window.place(name));
            if !avoided.any(|place| place.contains(at)) {
                return at;
            }
        }
        pos2(self.size[0] + 5.0, self.size[1] + 5.0)
    }

    /// Returns a random point on a control or in the window.
    fn any_point(&mut self) -> Pos2 {
        let places = self.window.places();
        let [width, height] = self.size;
        let place = if self.unit() < 0.75 && !places.is_empty() {
            self.one_of(&places).1
        } else {
            Rect::from_min_max(Pos2::ZERO, pos2(width, height))
        };
        let (x, y) = (self.unit(), self.unit());
        pos2(
            place.left() + x * place.width(),
            place.top() + y * place.height(),
        )
    }

    fn window_size(&mut self) -> [f32; 2] {
        const LARGEST: [f32; 2] = [2560.0, 1440.0];
        match self.rng.below(10) {
            0 => [1.0, 1.0],
            1 => LARGEST,
            2..=4 => LARGEST.map(|largest| largest.powf(self.unit()).round()),
            _ => [
                700.0 + self.rng.below(1000) as f32,
                400.0 + self.rng.below(700) as f32,
            ],
        }
    }

    fn add_clicks(&mut self, button: MouseButton, count: usize) {
        let Pos2 { x, y } = self.point();
        self.window.add_move(x, y);
        for _ in 0..count {
            self.window.add_button(button, true);
            self.window.add_button(button, false);
        }
    }

    fn add_drag(&mut self) {
        let (from, to) = (self.point(), self.point());
        self.window.add_move(from.x, from.y);
        self.window.add_button(MouseButton::Left, true);
        for step in 1..=3_u8 {
            let Pos2 { x, y } = from + f32::from(step) / 3.0 * (to - from);
            self.window.add_move(x, y);
            if self.unit() < 0.5 {
                self.window.frame();
            }
        }
        // Sometimes the button stays pressed during the next actions.
        if self.unit() < 0.9 {
            self.window.add_button(MouseButton::Left, false);
        }
    }

    /// Takes a random action. Some actions wait for the next one, so that a frame has the input of both.
    fn act(&mut self) {
        match self.rng.below(100) {
            0..40 => {
                let keys: Vec<&str> = KEYS.split_whitespace().collect();
                let key = self.one_of(&keys);
                self.window.add_key(key);
            }
            40..60 => {
                use MouseButton::{Left, Middle, Right};
                let button = *self.one_of(&[Left, Left, Left, Left, Middle, Right]);
                self.add_clicks(button, 1);
            }
            60..65 => self.add_clicks(MouseButton::Left, 2),
            65..80 => self.add_drag(),
            80..90 => {
                let Pos2 { x, y } = self.point();
                self.window.add_move(x, y);
                let (x, y) = *self.one_of(&[(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)]);
                for _ in 0..=self.rng.below(5) {
                    self.window.add_wheel(x, y);
                }
            }
            90..97 => {
                self.size = self.window_size();
                let [width, height] = self.size;
                self.window.resize(width, height);
            }
            _ => {
                let Pos2 { x, y } = self.point();
                self.window.add_move(x, y);
            }
        }
        if self.unit() < 0.7 {
            self.window.frame();
        }
    }

    /// Asserts that the application responds to keys that work in every state. Opens it again if it
    /// has quit, or has many entities.
    fn assert_response(&mut self) {
        const VIEWS: [(&str, View); 3] = [
            ("F1", View::Grid),
            ("F2", View::Compare),
            ("F3", View::Loops),
        ];
        let (key, view) = *self.one_of(&VIEWS);
        self.window.press(key);
        assert_eq!(self.window.state().view, view);
        let entities = self.window.state().settings.knobs.get(&ENTITIES);
        if self.window.state().quits || entities > MOST_ENTITIES {
            self.reopen();
        }
    }

    /// Asserts that Escape quits. It may first close the help, end the tour, or take the focus from a control.
    fn assert_quits(&mut self) {
        self.window.press("F3"); // in this view nothing is pinned
        let quits = |monkey: &mut Self| {
            monkey.window.press("Escape");
            monkey.window.state().quits
        };
        assert!((0..3).any(|_| quits(self)));
    }
}

/// Takes random actions and quits, once for each of the seeds.
fn run(seeds: RangeInclusive<u64>) {
    let mut monkey = Monkey::new();
    for seed in seeds {
        monkey.rng = Rng::new(seed, Stream::Requests);
        for action in 1..=ACTIONS {
            monkey.act();
            if action % BATCH == 0 {
                monkey.assert_response();
            }
        }
        monkey.window.add_button(MouseButton::Left, false);
        monkey.assert_quits();
        monkey.reopen();
    }
}

#[test]
fn random_input_does_no_harm_1() {
    run(1..=3);
}

#[test]
fn random_input_does_no_harm_2() {
    run(4..=6);
}
