//! Each view shows what the state holds, such as past frames and task costs from a file.

use super::Window;
use crate::app::state::Flow;
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use macroquad::input::KeyCode as K;

#[test]
fn a_click_on_a_plot_or_the_timeline_goes_to_that_frame() {
    for key in [None, Some(K::T)] {
        let mut window = Window::still(400, "--strategy max-per-frame");
        if let Some(key) = key {
            window.press(key);
        }
        window.press(K::Space); // the game runs
        assert!(window.shows("last 2.0 s"), "{key:?}");
        let plots = window.place("part:plots");
        window.click_at(plots.left() + 0.8 * plots.width(), plots.center().y + 20.0);
        let displayed = window.state().grid.displayed_frame;
        let displayed = displayed.expect("a past frame");
        assert_eq!(window.state().flow, Flow::Paused, "{key:?}");
        window.frames(2);
        // The table and the plots cover the frames before this one.
        assert!(window.shows(&format!(" to {displayed}")), "{key:?}");
        assert!(!window.shows("last 2.0 s"), "{key:?}");
        let oldest = window.state().grid.history.frames()[0].record.number;
        for (key, shown) in [(K::Home, Some(oldest)), (K::End, None)] {
            window.press(key);
            assert_eq!(window.state().grid.displayed_frame, shown);
        }
    }
}

#[test]
fn nothing_fails_without_entities_or_with_one() {
    for flags in ["--entities 0 --target 0.5,0.25", "--entities 1"] {
        let mut window = Window::still(60, flags);
        for key in [K::F2, K::Comma, K::F1, K::F3] {
            window.press(key);
            window.resize(900.0, 600.0);
            window.resize(1920.0, 1080.0);
        }
    }
}

#[test]
fn pointing_at_a_frame_in_the_plots_highlights_its_runs() {
    let mut window = Window::still(60, "--strategy max-per-frame");
    let capsules = window.place("capsules");
    let mut shown_at = |x: f32, y: f32| {
        window.point(x, y);
        window.frame();
        let shapes = window.shapes().iter();
        let over = shapes.map(|shape| shape.shape.visual_bounding_rect());
        over.filter(|rect| capsules.contains_rect(*rect))
            .collect::<Vec<_>>()
    };
    let outside = shown_at(100.0, 795.0);
    let newest = shown_at(1030.0, 640.0);
    let older = shown_at(1000.0, 640.0);
    assert!(newest != older && older != outside);
    assert!(shown_at(100.0, 795.0) == outside);
}

#[test]
fn a_dropped_file_replaces_the_sliders_until_its_arrow_is_clicked() {
    let mut window = Window::still(20, "--entities 300");
    assert!(window.has("cost-us") && !window.has("costs") && !window.has("part:costs"));
    // Each frame asserts that the fonts have all glyphs of the name.
    for name in ["Größe Łódź.txt", "Ωμέγα.txt", "Щука Ёж.txt"] {
        window.drop_files(&[(name, "# zombies\n20\n40\n40\n8900\n")]);
        let loaded = format!("loaded 4 task costs from {name}");
        assert!(window.shows(name) && window.shows(&loaded));
    }
    let range = "mean 2.25 ms, 20 µs to 8.9 ms";
    assert!(window.shows(range), "{:?}", window.texts());
    assert!(!window.has("cost-us") && window.has("part:costs"));
    window.press(K::F2);
    assert!(window.shows(range));
    window.click_for("revert:costs", "costs by knobs");
    window.frame();
    assert!(window.has("all:cost-us") && !window.has("costs"));
}

#[test]
fn a_limit_refuses_text_in_a_sentence_that_covers_no_row() {
    let mut window = Window::still(120, "--view compare --entities 20");
    window.click("field:tasks-ms");
    for key in [K::S, K::O, K::O, K::N, K::Enter] {
        window.press(key);
    }
    window.frames(2);
    let sentence =
        "Task time per frame must be a number from 0 ms to 100 ms, but 'soon' was entered.";
    let mut notices = window.placed_texts().into_iter();
    let notice = notices.find(|(text, ..)| text == sentence);
    let (_, place, _) = notice.expect("a notice");
    let rows = window.places().into_iter();
    let mut rows = rows.filter(|(name, _)| name.starts_with("lane:"));
    assert!(!rows.any(|(_, row)| row.intersects(place)));
}

#[test]
fn rows_fill_narrow_windows_and_windows_without_panels() {
    let mut window = Window::still(120, "--view compare --entities 60");
    let row = window.place("lane:every-frame");
    window.press(K::F);
    assert!(window.place("lane:every-frame").width() > row.width());
    window.press(K::F);
    assert_eq!(window.place("lane:every-frame"), row);

    window.resize(390.0, 844.0);
    assert!(!window.has("part:knobs"));
    let lanes = STRATEGIES.iter().map(|entry| format!("lane:{}", entry.key));
    let loops = FRAME_LOOPS.iter();
    let loops = loops.map(|entry| format!("race:{}", entry.key));
    for (view, rows) in [(K::F2, lanes.collect::<Vec<_>>()), (K::F3, loops.collect())] {
        window.press(view);
        for row in rows.iter().map(|row| window.place(row)) {
            assert!(row.right() <= 390.0 && row.bottom() <= 844.0, "{row}");
        }
    }
}
