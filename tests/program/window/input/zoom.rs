//! The wheel over the capsules magnifies them.

use crate::window::support::lab::{Lab, Line};
use crate::window::support::picture::Picture;
use macroquad::math::{Rect, vec2};
use timeslice_lab::app::capsules::CapsuleLayout;

const ENTITIES: u32 = 100_000;

/// Returns the picture of the capsules, with the pointer elsewhere.
fn capsules(lab: &mut Lab) -> Picture {
    lab.point(100.0, 795.0);
    // This key changes nothing at the newest frame, but makes the log report when the picture is drawn.
    lab.press_to_settle("End", "look 59");
    let view = lab.place("capsules");
    let [x, y, width, height] = [view.x, view.y, view.width, view.height].map(|side| side as u32);
    lab.picture().part(x, y, width, height)
}

/// Returns the number of large capsules in the left half of this row: light areas between 20 and 30 pixels wide.
fn large_capsules(picture: &Picture, y: u32) -> usize {
    let row = (0..picture.width / 2).map(|x| picture.at(x, y));
    let is_light: Vec<bool> = row.map(|[red, ..]| red > 50).collect();
    let areas = is_light.split(|is_light| !is_light);
    let is_large = |area: &&[bool]| (20..=30).contains(&area.len());
    areas.filter(is_large).count()
}

#[test]
fn the_wheel_magnifies_the_capsule_under_the_pointer() {
    let count = ENTITIES.to_string();
    let Some(mut lab) = Lab::open_still(1, 60, &["--entities", &count, "--cost-us", "0"]) else {
        return;
    };
    let whole = capsules(&mut lab);
    let view = lab.place("capsules");
    let [x, y, width, height] = [view.x, view.y, view.width, view.height].map(|side| side as f32);
    let layout = CapsuleLayout::fit(ENTITIES, Rect::new(x, y, width, height));
    let place = layout.at(vec2(x + 300.0, y + 180.0)).expect("a capsule");
    let center = layout.center(place).round();
    let (x, y) = (f64::from(center.x), f64::from(center.y));

    lab.point(x, y);
    lab.xdotool(&["click", "--repeat", "30", "--delay", "60", "4"]);
    lab.wait_for("magnified");
    let magnified = capsules(&mut lab);
    assert!(lab.places().contains_key("overview"));
    let row = (y - view.y) as u32 + 10; // below the visors
    assert_eq!(large_capsules(&whole, row), 0);
    let count = large_capsules(&magnified, row);
    assert!((6..=9).contains(&count), "{count} capsules");

    lab.point(x, y);
    lab.xdotool(&["click", "1"]);
    let pinned = lab.wait_for("pinned").pop().expect("a line");
    assert_eq!(pinned.number("pinned"), f64::from(place));

    lab.press_for("Escape", "unpinned");
    lab.press_to_settle("Home", "all capsules shown");
    assert!(capsules(&mut lab) == whole);
    lab.press_to_settle("Home", "look 0");
}

#[test]
fn the_wheel_over_the_plots_magnifies_no_capsules() {
    let Some(mut lab) = Lab::open(&["--entities", "10000", "--cost-us", "0"]) else {
        return;
    };
    let plots = lab.place("part:plots");
    lab.point(plots.x + plots.width / 2.0, plots.y + plots.height / 2.0);
    lab.frames(2);
    lab.xdotool(&["click", "5"]);
    lab.wait_for("zoomed");
    lab.frames(5);
    let is_magnified = |line: &Line| line.matches("magnified");
    assert!(!lab.log().iter().any(is_magnified));
}

#[test]
fn either_shift_key_lets_a_drag_move_the_crowd() {
    let Some(mut lab) = Lab::open(&["--entities", "100000", "--cost-us", "0"]) else {
        return;
    };
    lab.point(800.0, 300.0);
    lab.frames(2);
    lab.xdotool(&["click", "--repeat", "12", "--delay", "60", "4"]);
    lab.wait_for("magnified");
    for shift in ["Shift_L", "Shift_R"] {
        lab.frames(20);
        lab.xdotool(&["keydown", shift]);
        lab.mouse_down();
        lab.frames(2);
        lab.point(700.0, 350.0);
        lab.wait_for("magnified");
        lab.frames(2);
        lab.mouse_up();
        lab.xdotool(&["keyup", shift]);
        lab.point(800.0, 300.0);
    }
}
