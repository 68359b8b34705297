//! Looking closer: the pinned capsule, the timeline, and the way back through the history.

use crate::lab::Lab;

const CHEAP: [&str; 2] = ["--cost-us", "0"];

#[test]
fn a_click_on_a_capsule_pins_it_and_one_beside_all_unpins() {
    let flags = ["--entities", "2", "--strategy", "every-frame"];
    let Some(mut lab) = Lab::open(&[&flags[..], &CHEAP].concat()) else {
        return;
    };
    let view = lab.place("capsules");
    let click = |lab: &mut Lab, x: f64, words: &str| {
        lab.point(view.x + view.width * x, view.y + view.height / 2.0);
        lab.frames(2);
        lab.mouse_down();
        lab.frames(2);
        lab.mouse_up();
        lab.until(words);
    };
    // Two capsules stand side by side in the middle.
    click(&mut lab, 0.47, "pinned 0");
    click(&mut lab, 0.53, "pinned 1");
    click(&mut lab, 0.03, "unpinned");
}

#[test]
fn t_shows_the_timeline_and_the_plots_again() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.press_for("t", "timeline shown");
    lab.frames(3);
    lab.press_for("t", "plots shown");
    lab.frames(3);
    lab.press_for("Escape", "leaving");
    lab.end().well();
}

#[test]
fn while_paused_the_arrows_walk_the_history() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.frames(10);
    let next = lab.press_for("space", "paused").frame;
    for (key, frame) in [("Left", next - 2), ("Left", next - 3), ("Right", next - 2)] {
        lab.press_for(key, &format!("look {frame}"));
    }
    lab.press_for("space", "running");
    lab.frames(3);
}
