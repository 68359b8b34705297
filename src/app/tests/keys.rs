//! Each key reaches the state, in every view.

use super::Window;
use crate::app::input::bindings::caps_of;
use crate::app::state::command::Command;
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use lab::sim::disturbance::Disturbance;

/// Returns the name of the key that gives this command.
fn key_of(command: Command) -> String {
    let caps = caps_of(command).replace('⇧', "shift+");
    caps.replace('-', "minus").to_lowercase()
}

#[test]
fn keys_give_their_commands() {
    let next = FRAME_LOOPS[(FRAME_LOOPS.len() + 1) % FRAME_LOOPS.len()].key;
    let mut window = Window::open(&["--loop", FRAME_LOOPS[0].key]);
    for (key, words) in [
        ("space", "paused"),
        ("p", "running"),
        ("period", "step"),
        ("o", "step"),
        ("space", "running"),
        ("BackSpace", "measuring anew"),
        ("t", "timeline shown"),
        ("u", "code shown"),
        ("u", "plots shown"),
        ("y", "significance shown"),
        ("s", "staleness shown"),
        ("s", "flash shown"),
        ("q", "target pinned"),
        ("q", "target released"),
        ("w", "knob as-published 1"),
        ("l", &format!("loop {next}")),
        ("a", "knobs hidden"),
        ("f", "panels hidden"),
        ("KP_2", &format!("strategy {}", STRATEGIES[1].key)),
        ("bracketleft", &format!("strategy {}", STRATEGIES[0].key)),
        ("f", "panels shown"),
        ("question", "help shown"),
        ("h", "help hidden"),
        ("j", "tour step 1"),
        ("Escape", "tour over"),
        ("F2", "view compare"),
        ("w", "all as-published 0"),
        ("l", "all loop"),
        ("e", "worst weighted staleness shown"),
        ("m", "disturbance kill-all"),
        ("period", "step"),
        ("BackSpace", "measuring anew"),
        ("r", "comparison restarted"),
        ("Down", &format!("selected {}", STRATEGIES[1].key)),
        ("Return", &format!("opened {}", STRATEGIES[1].key)),
        ("F2", "view compare"),
        ("1", &format!("opened {}", STRATEGIES[0].key)),
        ("F3", "view loops"),
        ("r", "race restarted"),
        ("2", &format!("strategy {}", STRATEGIES[1].key)),
        ("F1", "view grid"),
        ("r", "restarted"),
        ("Escape", "asked to quit"),
        ("Escape", "leaving"),
    ] {
        window.press_for(key, words);
    }
    assert!(window.state().quits);
}

#[test]
fn strategies_and_disturbances_have_keys_and_buttons() {
    let mut window = Window::open(&["--strategy", STRATEGIES[1].key]);
    for entry in STRATEGIES {
        let words = format!("strategy {}", entry.key);
        window.press_for(&key_of(Command::Strategy(entry)), &words);
        window.press("bracketright");
        window.click_for(&format!("tab:{}", entry.key), &words);
    }
    for view in ["grid", "compare", "loops"] {
        let flags = ["--view", view, "--size", "1280x1400", "--entities", "50"];
        window.reopen(10, &flags);
        if view == "compare" {
            window.click("fold:disturb");
        }
        for disturbance in Disturbance::ALL {
            let key = key_of(Command::Disturb(disturbance));
            let words = format!("disturbance {}", disturbance.key());
            window.press_for(&key, &words);
            window.frame(); // new metrics can move the buttons
            window.click_for(&format!("button:{}", key.to_uppercase()), &words);
        }
    }
}
