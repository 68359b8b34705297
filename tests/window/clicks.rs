//! The bar's tabs and buttons: a click does what their key does.

use crate::lab::Lab;
use timeslice_lab::strategy::STRATEGIES;

/// Clicks on the middle of a control and waits for what the log tells then.
fn click_for(lab: &mut Lab, control: &str, words: &str) {
    let place = lab.place(control);
    lab.point(place.x + place.width / 2.0, place.y + place.height / 2.0);
    lab.frames(2);
    lab.mouse_down();
    lab.mouse_up();
    lab.until(words);
}

#[test]
fn a_click_on_a_tab_switches_to_its_strategy() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--strategy", STRATEGIES[0].key]) else {
        return;
    };
    for entry in STRATEGIES.iter().skip(1) {
        click_for(
            &mut lab,
            &format!("tab:{}", entry.key),
            &format!("strategy {}", entry.key),
        );
    }
}

#[test]
fn buttons_do_what_their_keys_do() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    for (control, words) in [
        ("button:R", "restarted"),
        ("button:Tab", "panels hidden"),
        ("button:Tab", "panels shown"),
        ("button:?", "help shown"),
        // The help covers everything: a click anywhere hides it and does nothing else.
        ("tab:every-frame", "help hidden"),
        ("button:Space", "paused"),
    ] {
        let told = lab.told().len();
        click_for(&mut lab, control, words);
        let switched = lab.told()[told..].iter().any(|line| line.tells("strategy"));
        assert!(!switched, "{control} switched the strategy");
        if words == "paused" {
            break; // no frames to wait for from here on
        }
        lab.frames(2);
    }
}
