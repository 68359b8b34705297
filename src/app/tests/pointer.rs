//! The pointer over the capsules leads the target, and dragging requests runs.

use super::{Line, Window};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn dragging_requests_runs_for_the_next_frame() {
    let flags = ["--strategy", "request-list", "--requests-per-s", "0"];
    let mut window = Window::open(&flags);
    let capsules = window.place("capsules");
    let (x, y) = (capsules.left(), capsules.center().y);
    window.point(x + 100.0, y);
    window.frames(3);
    let runs = |window: &Window| window.state().grid.lane.last_frame().runs;
    assert_eq!(runs(&window), 0);
    window.mouse_down();
    for right in [101.0, 200.0, 350.0, 700.0] {
        window.point(x + right, y);
        window.frames(2);
    }
    window.mouse_up();
    window.frames(2);

    let mut requests: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    let is_request = |line: &Line| line.matches("request");
    for line in window.log().into_iter().filter(is_request) {
        requests.entry(line.frame).or_default().insert(line.text);
    }
    let entities: BTreeSet<&String> = requests.values().flatten().collect();
    // The drag covers 600 pixels, and capsules are 35 pixels apart.
    assert!((17..=18).contains(&entities.len()), "{entities:?}");
    for frame in window.log().iter().filter(|line| line.matches("frame")) {
        let runs = requests.get(&frame.frame).map_or(0, BTreeSet::len);
        assert_eq!(frame.number("runs"), runs as f64, "{frame:?}");
    }

    // Moving the pointer without a button makes no request.
    let before = window.log().len();
    window.point(x + 100.0, y + 80.0);
    window.frames(2);
    assert!(!window.log()[before..].iter().any(is_request));
}

#[test]
fn the_target_follows_the_pointer() {
    let mut window = Window::open(&[]);
    let capsules = window.place("capsules");
    for share in [0.25, 0.75] {
        window.point(
            capsules.left() + share * capsules.width(),
            capsules.center().y,
        );
        window.frames(60);
        let target = window.state().grid.lane.world().target();
        let off = (target.x - share).abs().max((target.y - 0.25).abs());
        assert!(off < 0.01, "{target:?}");
    }
}

#[test]
fn pointing_at_a_frame_in_the_plots_highlights_its_runs() {
    let mut window = Window::still(60, &["--strategy", "max-per-frame"]);
    let capsules = window.place("capsules");
    let mut shown_at = |x: f32, y: f32| {
        window.point(x, y);
        window.frame();
        let over = window
            .shapes()
            .iter()
            .map(|shape| shape.shape.visual_bounding_rect());
        let over: Vec<_> = over.filter(|rect| capsules.contains_rect(*rect)).collect();
        over
    };
    let outside = shown_at(100.0, 795.0);
    let newest = shown_at(1030.0, 640.0);
    let older = shown_at(1000.0, 640.0);
    assert!(newest != older && older != outside);
    assert!(shown_at(100.0, 795.0) == outside);
}
