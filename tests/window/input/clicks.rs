//! The bar's tabs and buttons: a click does what their key does.

use crate::support::lab::Lab;
use timeslice::strategy::STRATEGIES;
use timeslice_lab::sim::disturbance::Disturbance;

#[test]
fn a_click_on_a_tab_switches_to_its_strategy() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--strategy", STRATEGIES[0].key]) else {
        return;
    };
    for entry in STRATEGIES.iter().skip(1) {
        let words = format!("strategy {}", entry.key);
        lab.click_for(&format!("tab:{}", entry.key), &words);
        lab.frames(2); // the tabs have moved
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
        // The help covers everything: a click anywhere hides it and does nothing else.
        ("tab:every-frame", "help hidden"),
        ("button:Space", "paused"),
    ] {
        let told = lab.told().len();
        lab.click_for(control, words);
        let switched = lab.told()[told..].iter().any(|line| line.tells("strategy"));
        assert!(!switched, "{control} switched the strategy");
        if words == "paused" {
            break; // no frames to wait for from here on
        }
        lab.frames(2);
    }
}

#[test]
fn the_keys_beside_the_tabs_go_to_the_neighbours() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--strategy", STRATEGIES[1].key]) else {
        return;
    };
    lab.click_for("button:]", &format!("strategy {}", STRATEGIES[2].key));
    lab.frames(2);
    lab.click_for("button:[", &format!("strategy {}", STRATEGIES[1].key));
}

#[test]
fn the_button_that_quits_leaves() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--size", "1100x700"]) else {
        return;
    };
    lab.click_for("button:Esc", "leaving");
    lab.end().well();
}

#[test]
fn what_breaks_it_has_a_key_and_a_button_in_every_view() {
    for view in ["grid", "compare", "loops"] {
        let flags = ["--view", view, "--size", "1280x1400", "--entities", "50"];
        let Some(mut lab) = Lab::open_still(1, 10, &flags) else {
            return;
        };
        for (key, disturbance) in ["z", "x", "c", "v", "b", "n", "m"]
            .into_iter()
            .zip(Disturbance::ALL)
        {
            let words = format!("disturbance {}", disturbance.name());
            lab.press_to_settle(key, &words);
            lab.click_for(&format!("button:{}", key.to_uppercase()), &words);
            lab.until("settled");
        }
    }
}
