//! The view that compares: sorted, tuned, broken, and a lane of it opened.

use crate::lab::Lab;
use crate::sliders::on_track;
use timeslice_lab::strategy::STRATEGIES;

fn click(lab: &Lab, x: f64, y: f64) {
    lab.point(x, y);
    lab.mouse_down();
    lab.mouse_up();
}

#[test]
fn every_strategy_has_its_lane_and_a_click_opens_it_with_its_settings() {
    let flags = ["--view", "compare", "--entities", "60"];
    let Some(mut lab) = Lab::open_still(1, 120, &flags) else {
        return;
    };
    for entry in STRATEGIES {
        lab.place(&format!("lane:{}", entry.key));
    }
    let slider = lab.place("all:entities");
    let (x, y) = on_track(slider, 0.3, 1.0);
    lab.point(x, y);
    lab.mouse_down();
    let turned = lab.until("all entities").pop().expect("the line sought");
    lab.mouse_up();
    let lane = lab.place("lane:stagger-groups");
    click(&lab, lane.x + 60.0, lane.y + 60.0);
    lab.until("opened stagger-groups");
    lab.press_for("space", "running");
    let entities = lab.frames(2)[0].number("entities");
    assert_eq!(entities, turned.number("entities"));
}

#[test]
fn lanes_are_stepped_restarted_and_broken_together() {
    let flags = ["--view", "compare", "--entities", "60"];
    let Some(mut lab) = Lab::open_still(1, 120, &flags) else {
        return;
    };
    let first = lab.picture();
    lab.press_to_settle("period", "step");
    assert!(lab.picture() != first, "a step changes nothing");
    lab.press_to_settle("m", "shock Nobody");
    lab.press_to_settle("m", "shock Nobody");
    lab.press_to_settle("r", "comparison restarted");
    lab.press_to_settle("Tab", "panels hidden");
    lab.press_to_settle("Tab", "panels shown");
}
