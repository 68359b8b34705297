//! The window's title: it names what runs, and follows a switch.

use crate::support::lab::{Lab, PATIENCE};
use std::time::Instant;
use timeslice::strategy::{STRATEGIES, StrategyEntry};
use timeslice_lab::sim::settings::Settings;

/// Draws on until the title names the strategy, and the loop that runs at the start.
fn await_title(lab: &mut Lab, strategy: &StrategyEntry) {
    let frame_loop = Settings::default().frame_loop;
    let wanted = format!("Timeslice Lab · {} · {}", strategy.name, frame_loop.name);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let title = lab.display.xdotool(&["getwindowname", &lab.window]);
        if title == wanted {
            return;
        }
        assert!(Instant::now() < deadline, "{title:?} is not {wanted:?}");
        lab.frames(1);
    }
}

#[test]
fn it_names_the_strategy_and_follows_a_key() {
    let flags = ["--strategy", STRATEGIES[0].key, "--cost-us", "0"];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    await_title(&mut lab, STRATEGIES[0]);
    lab.press_for("2", &format!("strategy {}", STRATEGIES[1].key));
    await_title(&mut lab, STRATEGIES[1]);
}
