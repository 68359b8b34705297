//! The view that compares: sorted, tuned, broken, and a lane of it opened.

use crate::input::sliders::on_track;
use crate::support::lab::Lab;
use timeslice::strategy::STRATEGIES;

fn click(lab: &Lab, x: f64, y: f64) {
    lab.point(x, y);
    lab.xdotool(&["click", "1"]);
}

#[test]
fn a_click_opens_a_lane_with_its_settings() {
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
fn capsules_flash_in_lanes_of_one_frame_a_picture_or_fewer() {
    // The first lane's frames are longer than pictures, so none is ever made behind one's back.
    let Some(mut lab) = Lab::open(&["--entities", "100", "--cost-us", "1500"]) else {
        return;
    };
    lab.press_for("F2", "view compare");
    lab.until("control lane:every-frame");
    let card = lab.place("lane:every-frame");
    std::thread::sleep(std::time::Duration::from_secs(2)); // all have long run more than once
    lab.press_to_settle("space", "paused");
    let [left, top, width] = [card.x, card.y + 34.0, card.width].map(|side| side as u32);
    let capsules = lab.picture().part(left, top, width, 80);
    let is_red = |pixel: &&[u8; 3]| pixel[0] > 150 && pixel[1] < 110 && pixel[2] < 110;
    let red = capsules.pixels().iter().filter(is_red).count();
    assert!(red > 1000, "{red} pixels");
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
    lab.press_to_settle("m", "disturbance Kill all");
    lab.press_to_settle("m", "disturbance Kill all");
    lab.press_to_settle("r", "comparison restarted");
    lab.press_to_settle("f", "panels hidden");
    lab.press_to_settle("f", "panels shown");
}

#[test]
fn who_keeps_within_the_budget_is_opened_by_a_click_too() {
    let flags = ["--view", "compare", "--entities", "2000", "--cost-us", "50"];
    let Some(mut lab) = Lab::open_still(1, 120, &flags) else {
        return;
    };
    let row = lab.place("advice:stagger-groups");
    let worse = lab.place("advice:all-at-once");
    assert!(
        row.y < worse.y,
        "who keeps within it stands above who does not"
    );
    click(&lab, row.x + 40.0, row.y + row.height / 2.0);
    lab.until("opened stagger-groups");
}

#[test]
fn lanes_are_sorted_by_any_figure_of_the_list() {
    let flags = [
        "--view",
        "compare",
        "--entities",
        "2000",
        "--size",
        "1280x1000",
    ];
    let Some(mut lab) = Lab::open_still(1, 120, &flags) else {
        return;
    };
    let first = lab.place("lane:every-frame");
    let list = lab.place("sort");
    click(&lab, list.x + list.width / 2.0, list.y + list.height / 2.0);
    lab.until("control sort:frame_ms.mean");
    lab.until("settled"); // the list finds its place in a second picture
    let mean = lab.place("sort:frame_ms.mean");
    click(&lab, mean.x + 20.0, mean.y + mean.height / 2.0);
    lab.until("sorted");
    lab.until("settled");
    let (best, worst) = (
        lab.place("lane:stagger-groups"),
        lab.place("lane:every-frame"),
    );
    assert!(worst.y > first.y, "the worst stands last");
    assert!(best.y < worst.y || best.x < worst.x);
}

#[test]
fn views_with_figures_of_all_time_can_reset_them() {
    let Some(mut lab) = Lab::open_still(1, 120, &["--entities", "60"]) else {
        return;
    };
    lab.press_for("0", "measuring anew");
    lab.press_for("F2", "view compare");
    lab.press_for("0", "measuring anew");
}

#[test]
fn a_click_on_a_figure_sorts_by_it_and_a_second_undoes_it() {
    let Some(mut lab) = Lab::open_still(1, 120, &["--view", "compare", "--entities", "2000"])
    else {
        return;
    };
    let first = lab.place("lane:every-frame");
    let name = "figure:every-frame:frame_ms.p99";
    lab.click_for(name, "sorted");
    lab.until("settled");
    assert_ne!(
        lab.place("lane:every-frame"),
        first,
        "the worst goes behind"
    );
    lab.click_for(name, "sorted");
    lab.until("settled");
    assert_eq!(lab.place("lane:every-frame"), first);
    assert!(!lab.told().iter().any(|line| line.tells("opened")));
}

#[test]
fn keys_act_on_all_lanes_and_open_one_of_them() {
    let Some(mut lab) = Lab::open_still(1, 30, &["--view", "compare", "--entities", "50"]) else {
        return;
    };
    let first = lab.picture();
    lab.press_to_settle("l", "all loop");
    assert!(lab.picture() != first, "it is named");
    lab.press_for("7", "opened stagger-groups");
    lab.press_for("F2", "view compare");
    lab.press_for("bracketleft", "opened time-budget");
}

#[test]
fn where_the_cards_have_no_room_the_panels_may_be_hidden() {
    let flags = ["--view", "compare", "--entities", "50", "--size", "390x844"];
    let Some(mut lab) = Lab::open_still(1, 30, &flags) else {
        return;
    };
    assert!(!lab.places().contains_key("lane:every-frame"));
    lab.press_to_settle("f", "panels hidden");
    for entry in STRATEGIES {
        let card = lab.place(&format!("lane:{}", entry.key));
        assert!(card.x + card.width <= 390.0 && card.y + card.height <= 844.0);
    }
    lab.press_to_settle("F3", "view loops");
    lab.place("race:fixed-step");
}
