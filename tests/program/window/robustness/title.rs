//! The window's title.

use crate::window::support::lab::{Lab, PATIENCE};
use headless::sim::settings::Settings;
use std::time::Instant;
use timeslice::strategy::{STRATEGIES, StrategyEntry};

/// Waits until the title has the names of this strategy and the default frame loop.
fn wait_for_title(lab: &mut Lab, strategy: &StrategyEntry) {
    let frame_loop = Settings::default().frame_loop;
    let expected = format!("Timeslice Lab · {} · {}", strategy.name, frame_loop.name);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let title = lab.display.xdotool(&["getwindowname", &lab.window]);
        if title == expected {
            return;
        }
        assert!(Instant::now() < deadline, "{title:?} is not {expected:?}");
        lab.frames(1);
    }
}

#[test]
fn the_title_names_the_running_strategy() {
    let flags = ["--strategy", STRATEGIES[0].key, "--cost-us", "0"];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    wait_for_title(&mut lab, STRATEGIES[0]);
    lab.press_for("2", &format!("strategy {}", STRATEGIES[1].key));
    wait_for_title(&mut lab, STRATEGIES[1]);
}
