//! Tests of the capsules as OpenGL draws them.

use crate::window::support::image::inside;
use crate::window::support::lab::Lab;
use egui::{Rect, pos2};
use image::RgbImage;

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
            let rect = Rect::from_x_y_ranges(crowd.x_range().shrink(8.0), height);
            let part = inside(&picture, rect);
            let green: u32 = part.pixels().map(|pixel| u32::from(pixel[1])).sum();
            f64::from(green) / part.pixels().len() as f64
        });
        assert!((upper - lower).abs() < 4.0, "green {upper} and {lower}");
    }
}

/// Returns the largest number of large capsules in any row, which are light areas between 20 and 30 pixels wide.
fn large_capsules(picture: &RgbImage) -> usize {
    let in_row = |row: image::buffer::Pixels<'_, image::Rgb<u8>>| {
        let is_light: Vec<bool> = row.map(|pixel| pixel[0] > 50).collect();
        let areas = is_light.split(|is_light| !is_light);
        let is_large = |area: &&[bool]| (20..=30).contains(&area.len());
        areas.filter(is_large).count()
    };
    picture.rows().map(in_row).max().unwrap_or(0)
}

#[test]
fn the_wheel_magnifies_the_capsules() {
    let Some(mut lab) = Lab::open_still(1, 60, &["--entities", "100000", "--cost-us", "0"]) else {
        return;
    };
    let view = lab.place("capsules");
    let capsules = |lab: &mut Lab| {
        lab.point(pos2(100.0, 795.0)); // elsewhere
        inside(&lab.picture(), view)
    };
    let whole = capsules(&mut lab);
    assert!(large_capsules(&whole) <= 2);
    lab.point(view.center());
    let turn_up = ["click", "--repeat", "30", "--delay", "0", "4"];
    lab.send(&turn_up, 30);
    lab.wait_for("magnified");
    let count = large_capsules(&capsules(&mut lab));
    assert!(count >= 12, "{count} capsules");
    lab.press_for("Home", "magnified 1.00");
    assert!(capsules(&mut lab) == whole);
}
