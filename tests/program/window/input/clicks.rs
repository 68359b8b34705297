//! Clicks on the bar's tabs and buttons.

use crate::window::support::lab::Lab;
use headless::sim::disturbance::Disturbance;
use timeslice::strategy::STRATEGIES;

#[test]
fn a_click_on_a_tab_switches_to_its_strategy() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--strategy", STRATEGIES[0].key]) else {
        return;
    };
    for entry in STRATEGIES.iter().skip(1) {
        let words = format!("strategy {}", entry.key);
        lab.click_for(&format!("tab:{}", entry.key), &words);
        lab.frames(2); // for the layout of the tabs
    }
}

#[test]
fn buttons_do_what_their_keys_do() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    for (control, words) in [
        ("button:R", "restarted"),
        ("button:F", "panels hidden"),
        ("button:F", "panels shown"),
        ("button:?", "help shown"),
        // Help covers everything, so a click anywhere only hides help.
        ("tab:every-frame", "help hidden"),
        ("tab:timeline", "timeline shown"),
        ("tab:code", "code shown"),
        ("tab:plots", "plots shown"),
        ("button:Space", "paused"),
    ] {
        let before = lab.log().len();
        lab.click_for(control, words);
        let mut lines = lab.log()[before..].iter();
        let switched = lines.any(|line| line.matches("strategy"));
        assert!(!switched, "{control} switched the strategy");
        if words == "paused" {
            break; // there are no more frames to wait for
        }
        lab.frames(2);
    }
}

#[test]
fn the_bracket_buttons_switch_to_the_next_strategy() {
    // Only a wide window has room for these buttons next to all names.
    let flags = [
        "--cost-us",
        "0",
        "--strategy",
        STRATEGIES[1].key,
        "--size",
        "1600x800",
    ];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    lab.click_for("button:]", &format!("strategy {}", STRATEGIES[2].key));
    lab.frames(2);
    lab.click_for("button:[", &format!("strategy {}", STRATEGIES[1].key));
}

#[test]
fn the_escape_button_quits() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--size", "1280x800"]) else {
        return;
    };
    lab.click_for("button:Esc", "leaving");
    lab.end().expect_success();
}

#[test]
fn disturbances_have_keys_and_buttons_in_every_view() {
    for view in ["grid", "compare", "loops"] {
        let flags = ["--view", view, "--size", "1280x1400", "--entities", "50"];
        let Some(mut lab) = Lab::open_still(1, 10, &flags) else {
            return;
        };
        for (key, disturbance) in ["z", "x", "c", "v", "b", "n", "m"]
            .into_iter()
            .zip(Disturbance::ALL)
        {
            let words = format!("disturbance {}", disturbance.key());
            lab.press_to_settle(key, &words);
            lab.click_for(&format!("button:{}", key.to_uppercase()), &words);
            lab.wait_for("settled");
        }
    }
}
