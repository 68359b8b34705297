//! Tests of the capsules as OpenGL draws them.

use crate::window::support::image::Image;
use crate::window::support::lab::Lab;
use egui::{Rect, pos2, vec2};
use timeslice_lab::app::crowd::CapsuleLayout;

#[test]
fn large_crowd_shows_every_run_of_a_frame() {
    // All tasks of the first lane run in every frame, so its crowd has a single colour.
    let Some(mut lab) = Lab::open(&["--entities", "100000", "--cost-us", "1"]) else {
        return;
    };
    lab.press_for("F2", "view compare");
    lab.wait_until("the lanes", |lab| {
        lab.places.contains_key("lane:every-frame")
    });
    let card = lab.place("lane:every-frame");
    let crowd = lab.place("column:crowd");
    lab.press_for("space", "paused");
    for _ in 0..4 {
        lab.press_for("period", "step"); // a frame of this lane takes 100 ms, about six steps
        let picture = lab.picture();
        let [upper, lower] = [0.2, 0.6].map(|share| {
            let top = card.top() + share * card.height();
            let height = top..=top + 0.2 * card.height();
            let part = picture.inside(Rect::from_x_y_ranges(crowd.x_range().shrink(8.0), height));
            let green: u32 = part.pixels.iter().map(|pixel| u32::from(pixel[1])).sum();
            f64::from(green) / part.pixels.len() as f64
        });
        assert!((upper - lower).abs() < 4.0, "green {upper} and {lower}");
    }
}

/// Returns an image of the capsules, with the pointer elsewhere.
fn capsules(lab: &mut Lab) -> Image {
    lab.point(pos2(100.0, 795.0));
    lab.picture().inside(lab.place("capsules"))
}

/// Returns the number of large capsules in the left half of a row, which are light areas between 20 and 30 pixels wide.
fn large_capsules(picture: &Image, y: u32) -> usize {
    let row = (0..picture.width / 2).map(|x| picture.at(x, y));
    let is_light: Vec<bool> = row.map(|[red, ..]| red > 50).collect();
    let areas = is_light.split(|is_light| !is_light);
    let is_large = |area: &&[bool]| (20..=30).contains(&area.len());
    areas.filter(is_large).count()
}

#[test]
fn the_wheel_magnifies_the_capsule_under_the_pointer() {
    const ENTITIES: u32 = 100_000;
    let count = ENTITIES.to_string();
    let Some(mut lab) = Lab::open_still(1, 60, &["--entities", &count, "--cost-us", "0"]) else {
        return;
    };
    let whole = capsules(&mut lab);
    let view = lab.place("capsules");
    let area = macroquad::math::Rect::new(view.min.x, view.min.y, view.width(), view.height());
    let layout = CapsuleLayout::fit(ENTITIES, area);
    let at = view.min + vec2(300.0, 180.0);
    let place = layout.at([at.x, at.y].into()).expect("a capsule");
    let center = layout.center(place);
    let center = pos2(center.x, center.y).round();

    lab.point(center);
    let turn_up = ["click", "--repeat", "30", "--delay", "0", "4"];
    lab.send(&turn_up, 30);
    lab.wait_for("magnified");
    let magnified = capsules(&mut lab);
    assert!(lab.places.contains_key("overview"));
    let row = (center.y - view.top()) as u32 + 10; // below the visors
    assert_eq!(large_capsules(&whole, row), 0);
    let count = large_capsules(&magnified, row);
    assert!((6..=9).contains(&count), "{count} capsules");

    lab.point(center);
    lab.click();
    let pinned = lab.wait_for("pinned");
    assert_eq!(pinned.number("pinned"), f64::from(place));

    lab.press_for("Escape", "unpinned");
    lab.press_for("Home", "magnified 1.00");
    assert!(capsules(&mut lab) == whole);
}
