//! View Compare: sorting, knobs, disturbances and opening a lane.

use crate::window::input::sliders::on_track;
use crate::window::support::lab::Lab;
use headless::sim::disturbance::{Disturbance, POPULATION_STEP};
use timeslice::strategy::STRATEGIES;

fn click(lab: &Lab, x: f64, y: f64) {
    lab.point(x, y);
    lab.xdotool(&["click", "1"]);
}

#[test]
fn the_selected_lane_opens_with_its_settings() {
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
    let turned = lab.wait_for("all entities").pop().expect("a line");
    lab.mouse_up();
    lab.click_for("lane:stagger-groups", "selected stagger-groups");
    lab.press_for("Up", "selected fixed-interval");
    lab.press_for("Down", "selected stagger-groups");
    lab.press_for("Return", "opened stagger-groups");
    lab.press_for("space", "running");
    let entities = lab.frames(2)[0].number("entities");
    assert_eq!(entities, turned.number("entities"));
}

#[test]
fn settings_of_one_view_are_those_of_the_other() {
    let Some(mut lab) = Lab::open_still(1, 120, &["--entities", "60"]) else {
        return;
    };
    lab.press_to_settle("F2", "view compare");
    let drag = |lab: &mut Lab, control: &str, share: f64, words: &str| {
        let (x, y) = on_track(lab.place(control), share, 1.0);
        lab.point(x, y);
        lab.mouse_down();
        let turned = lab.wait_for(words).pop().expect("a line");
        lab.mouse_up();
        turned.number("entities")
    };
    let in_compare = drag(&mut lab, "all:entities", 0.3, "all entities");
    lab.press_to_settle("F1", "view grid");
    lab.press_for("space", "running");
    assert_eq!(lab.frames(2)[0].number("entities"), in_compare);
    let in_grid = drag(&mut lab, "entities", 0.2, "knob entities");
    assert_ne!(in_grid, in_compare);
    // Births in Compare add to its number of entities.
    lab.press_for("F2", "view compare");
    let births = format!("disturbance {}", Disturbance::Births.key());
    lab.press_for("c", &births);
    lab.press_for("F1", "view grid");
    let step = POPULATION_STEP as f64;
    assert_eq!(lab.frames(2)[1].number("entities"), in_grid + step);
}

#[test]
fn capsules_flash_in_lanes_with_long_frames() {
    // Frames of the first lane are longer than frames of the window, so the window skips none of the lane's frames.
    let Some(mut lab) = Lab::open(&["--entities", "100", "--cost-us", "1500"]) else {
        return;
    };
    lab.press_for("F2", "view compare");
    lab.wait_for("control lane:every-frame");
    let card = lab.place("lane:every-frame");
    std::thread::sleep(std::time::Duration::from_secs(2)); // until all tasks have run more than once
    lab.press_to_settle("space", "paused");
    let crowd = lab.place("column:crowd");
    let [left, top, width] = [crowd.x, card.y + 3.0, crowd.width].map(|side| side as u32);
    let capsules = lab.picture().part(left, top, width, card.height as u32 - 6);
    let is_red = |pixel: &&[u8; 3]| pixel[0] > 150 && pixel[1] < 110 && pixel[2] < 110;
    let red = capsules.pixels().iter().filter(is_red).count();
    assert!(red > 1000, "{red} pixels");
}

#[test]
fn large_crowd_shows_every_run_of_a_frame() {
    // All tasks of the first lane run in every frame, so the crowd has one colour.
    let Some(mut lab) = Lab::open(&["--entities", "100000", "--cost-us", "1"]) else {
        return;
    };
    lab.press_for("F2", "view compare");
    lab.wait_for("control lane:every-frame");
    let card = lab.place("lane:every-frame");
    let crowd = lab.place("column:crowd");
    lab.press_to_settle("space", "paused");
    for _ in 0..14 {
        lab.press_to_settle("period", "step"); // a frame of this lane takes 100 ms, about six steps
        let picture = lab.picture();
        let [upper, lower] = [0.2, 0.6].map(|share| {
            let top = card.y + share * card.height;
            let [left, top, width] = [crowd.x + 8.0, top, crowd.width - 16.0].map(|at| at as u32);
            let part = picture.part(left, top, width, (0.2 * card.height) as u32);
            let green: u32 = part.pixels().iter().map(|pixel| u32::from(pixel[1])).sum();
            f64::from(green) / part.pixels().len() as f64
        });
        assert!((upper - lower).abs() < 4.0, "green {upper} and {lower}");
    }
}

#[test]
fn step_restart_and_disturbances_affect_all_lanes() {
    let flags = ["--view", "compare", "--entities", "60"];
    let Some(mut lab) = Lab::open_still(1, 120, &flags) else {
        return;
    };
    let first = lab.picture();
    lab.press_to_settle("period", "step");
    assert!(lab.picture() != first, "a step changes nothing");
    let kill_all = format!("disturbance {}", Disturbance::KillAll.key());
    lab.press_to_settle("m", &kill_all);
    lab.press_to_settle("m", &kill_all);
    lab.press_to_settle("r", "comparison restarted");
    lab.press_to_settle("f", "panels hidden");
    lab.press_to_settle("f", "panels shown");
}

#[test]
fn clicking_a_dot_of_the_trade_off_selects_its_lane() {
    let flags = ["--view", "compare", "--entities", "2000", "--cost-us", "50"];
    let Some(mut lab) = Lab::open_still(1, 120, &flags) else {
        return;
    };
    let dot = lab.place("dot:all-at-once");
    let most = lab.place("dot:every-frame");
    assert!(
        dot.x < most.x && dot.y < most.y,
        "it takes less time and is staler"
    );
    click(&lab, dot.x + dot.width / 2.0, dot.y + dot.height / 2.0);
    lab.wait_for("selected");
    lab.press_to_settle("e", "worst weighted staleness shown");
    lab.press_to_settle("q", "target pinned");
}

#[test]
fn the_list_sorts_lanes_by_a_figure() {
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
    // The list is below the visible part of the panel.
    lab.point(126.0, 500.0);
    lab.xdotool(&["click", "--repeat", "40", "5"]);
    lab.wait_for("control sort");
    lab.wait_for("settled");
    let list = lab.place("sort");
    click(&lab, list.x + list.width / 2.0, list.y + list.height / 2.0);
    lab.wait_for("control sort:frame_ms.mean");
    lab.wait_for("settled"); // egui places the list in the second picture
    let mean = lab.place("sort:frame_ms.mean");
    click(&lab, mean.x + 20.0, mean.y + mean.height / 2.0);
    lab.wait_for("sorted");
    lab.wait_for("settled");
    let best = lab.place("lane:stagger-groups");
    let worst = lab.place("lane:every-frame");
    assert!(worst.y > first.y, "the worst lane is last");
    assert!(best.y < worst.y);
}

#[test]
fn figures_can_be_reset_in_each_view() {
    let Some(mut lab) = Lab::open_still(1, 120, &["--entities", "60"]) else {
        return;
    };
    lab.press_for("BackSpace", "measuring anew");
    lab.press_for("F2", "view compare");
    lab.press_for("BackSpace", "measuring anew");
}

#[test]
fn clicking_a_heading_sorts_both_ways_and_back() {
    let Some(mut lab) = Lab::open_still(1, 120, &["--view", "compare", "--entities", "2000"])
    else {
        return;
    };
    let first = lab.place("lane:every-frame");
    let second = lab.place("lane:all-at-once");
    let sorted = |lab: &mut Lab| {
        lab.click_for("column:per_frame_ms.tasks_p99", "sorted");
        lab.wait_for("settled");
        lab.place("lane:every-frame").y
    };
    assert!(
        sorted(&mut lab) > second.y,
        "the worst lane moves to the end"
    );
    assert!(sorted(&mut lab) <= second.y, "the worst lane comes first");
    sorted(&mut lab);
    assert_eq!(lab.place("lane:every-frame"), first);
    assert!(!lab.log().iter().any(|line| line.matches("opened")));
}

#[test]
fn a_figure_that_was_ticked_gets_a_column() {
    let Some(mut lab) = Lab::open_still(1, 120, &["--view", "compare", "--entities", "60"]) else {
        return;
    };
    let list = lab.place("columns");
    click(&lab, list.x + 30.0, list.y + list.height / 2.0);
    lab.wait_for("control show:entities");
    lab.wait_for("settled"); // egui places the list in the second picture
    lab.click_for("show:entities", "columns 7");
    lab.wait_for("control column:entities");
}

#[test]
fn keys_act_on_all_lanes_and_open_one_of_them() {
    let Some(mut lab) = Lab::open_still(1, 30, &["--view", "compare", "--entities", "50"]) else {
        return;
    };
    let first = lab.picture();
    lab.press_to_settle("l", "all loop");
    assert!(lab.picture() != first, "the new loop is shown");
    lab.press_for("8", "opened time-budget");
    lab.press_for("F2", "view compare");
    lab.press_for("bracketleft", "opened request-list");
}

#[test]
fn narrow_windows_show_lanes_instead_of_panels() {
    let flags = ["--view", "compare", "--entities", "50", "--size", "390x844"];
    let Some(mut lab) = Lab::open_still(1, 30, &flags) else {
        return;
    };
    for entry in STRATEGIES {
        let card = lab.place(&format!("lane:{}", entry.key));
        assert!(card.x + card.width <= 390.0 && card.y + card.height <= 844.0);
    }
    lab.press_to_settle("F3", "view loops");
    lab.place("race:fixed-step");
}
