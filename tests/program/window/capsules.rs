//! Tests of the capsules as OpenGL draws them.

use crate::window::support::image::inside;
use crate::window::support::lab::Lab;
use egui::Rect;

#[test]
fn large_crowd_shows_every_run_of_a_frame() {
    // All tasks of the first lane run in every frame, so its crowd has a single colour.
    let Some(mut lab) = Lab::open(1, "--entities 100000 --cost-us 1") else {
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
