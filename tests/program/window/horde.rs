//! Tests of the example `horde` in a window.

use crate::horde::horde;
use crate::window::support::display::{Display, PATIENCE, has_ended};
use crate::window::support::image::{Image, TEAL};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The game in a window on its own display.
struct Game {
    display: Display,
    program: Child,
    window: String,
}

impl Game {
    /// Starts the game. Returns `None` if the test is skipped.
    fn start(words: &[&str]) -> Option<Self> {
        let display = Display::start(1)?;
        let mut command = Command::new(horde());
        command.args(words).env("DISPLAY", &display.name);
        command
            .env_remove("WAYLAND_DISPLAY")
            .env("LP_NUM_THREADS", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let program = command.spawn().expect("the example is built");
        // Wait until there is a window.
        let search = ["search", "--sync", "--onlyvisible", "--name", "^Horde$"];
        let window = display.xdotool(&search);
        display.xdotool(&["windowfocus", "--sync", &window]);
        let game = Self {
            display,
            program,
            window,
        };
        Some(game)
    }

    /// Waits until the window shows an image for which `has` is true, and returns the image.
    fn wait_for(&self, sought: &str, has: impl Fn(&Image) -> bool) -> Image {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let picture = self.display.picture(&self.window);
            if has(&picture) {
                return picture;
            }
            sleep(Duration::from_millis(50)); // nothing tells when the next frame is drawn
        }
        panic!("no picture with {sought}");
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Returns the top row of the current strategy's key, which is teal.
fn current_row(picture: &Image) -> Option<u32> {
    let is_teal = |y: &u32| (10..40).any(|x| picture.at(x, *y) == TEAL);
    (0..picture.height).find(is_teal)
}

#[test]
fn keys_play_the_game_and_escape_ends_it() {
    let Some(mut game) = Game::start(&["--zombies", "500"]) else {
        return;
    };
    let first = game.wait_for("zombies", |picture| picture.colours() > 500);
    let row = current_row(&first);
    assert!(row.is_some());
    game.display.xdotool(&["key", "1"]);
    game.wait_for("the first strategy", |picture| current_row(picture) < row);
    game.display.xdotool(&["key", "Escape"]);
    assert!(has_ended(&mut game.program));
    let status = game.program.wait().expect("a started program");
    assert_eq!(status.code(), Some(0));
}
