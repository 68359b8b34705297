//! The tour.

use super::sliders::on_track;
use crate::window::support::lab::Lab;
use timeslice::strategy::{STRATEGIES, by_key};

/// Returns the key of a strategy on the number row, as xdotool names it.
fn key_of(strategy: &str) -> String {
    let entry = by_key(strategy).expect("it is registered");
    let place = STRATEGIES.iter().position(|it| *it == entry);
    (place.expect("it is listed") + 1).to_string()
}

/// Clicks a button of the card, which has moved in the last pictures.
fn click(lab: &mut Lab, button: &str, words: &str) {
    lab.frames(3);
    lab.click_for(button, words);
}

#[test]
fn a_user_follows_the_tour_to_its_end() {
    let Some(mut lab) = Lab::open(&["--entities", "50", "--cost-us", "0"]) else {
        return;
    };
    lab.press_for("j", "tour step 1");
    lab.press_for(&key_of("all-at-once"), "tour done 1");
    click(&mut lab, "tour:next", "tour step 2");
    lab.press_for(&key_of("fixed-interval"), "tour done 2");
    click(&mut lab, "tour:next", "tour step 3");
    // A slow computer may miss some of the movements.
    let is_done = |lab: &Lab| lab.log().iter().any(|line| line.matches("tour done 3"));
    for x in [800.0, 1200.0].repeat(10) {
        if is_done(&lab) {
            break;
        }
        lab.point(x, 300.0);
        lab.frames(2);
    }
    assert!(is_done(&lab));
    click(&mut lab, "tour:next", "tour step 4");
    let (x, y) = on_track(lab.place("entities"), 0.6, 1.0);
    lab.point(x, y);
    lab.mouse_down();
    lab.wait_for("tour done 4");
    lab.mouse_up();
    click(&mut lab, "tour:next", "tour step 5");
    lab.press_for("n", "tour done 5");
    click(&mut lab, "tour:next", "tour step 6");
    lab.press_for("n", "tour done 6");
    click(&mut lab, "tour:next", "tour step 7");
    lab.press_for("F2", "tour done 7");
    lab.wait_for("control tour:back");
    lab.click_for("tour:back", "tour step 6");
    click(&mut lab, "tour:next", "tour step 7");
    click(&mut lab, "tour:next", "tour step 8");
    lab.press_for("F3", "tour done 8");
    lab.wait_for("control tour:back");
    lab.click_for("tour:next", "tour over");
    lab.wait_for("view grid");
    lab.wait_for_entities(50.0);
    lab.press_for("Escape", "leaving");
}
