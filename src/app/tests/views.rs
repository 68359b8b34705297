//! The views Compare and Loops.

use super::Window;
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use lab::testing::overlong_metric;

fn compare(flags: &[&str]) -> Window {
    Window::still(120, &[&["--view", "compare"], flags].concat())
}

fn selected(window: &Window) -> &'static str {
    let state = window.state();
    STRATEGIES[state.compare.selected(&state.settings)].key
}

#[test]
fn a_limit_refuses_text_in_a_sentence_that_covers_no_row() {
    let mut window = compare(&["--entities", "20"]);
    let limits = |window: &Window| *window.state().compare.best_setting.limits;
    let before = limits(&window);
    let mut enter = |text: &str| {
        window.click("field:tasks-ms");
        for letter in text.chars() {
            window.press(&letter.to_string());
        }
        window.press("Return");
        window.frames(2);
        let texts = window.placed_texts().into_iter();
        let mut notices = texts.filter(|(text, ..)| text.starts_with("Task time per frame must"));
        let notice = notices.next().map(|(text, place, _)| {
            assert!(place.bottom() <= window.place("lane:every-frame").top());
            text
        });
        (notice, limits(&window))
    };
    for text in ["soon", "200"] {
        let sentence = format!(
            "Task time per frame must be a number from 0 ms to 100 ms, but '{text}' was entered."
        );
        assert_eq!(enter(text), (Some(sentence), before));
    }
}

#[test]
fn a_dot_of_the_trade_off_selects_its_lane() {
    let mut window = compare(&["--entities", "2000", "--cost-us", "50"]);
    let dot = window.place("dot:all-at-once");
    let most = window.place("dot:every-frame");
    assert!(dot.left() < most.left(), "it takes less time");
    assert!(dot.top() < most.top(), "it is staler");
    window.click("trade-off:Absolute");
    let multiple = window.place("dot:all-at-once");
    assert_ne!(multiple, dot, "the chart shows multiples");
    window.click("trade-off:Absolute");
    assert_ne!(selected(&window), "all-at-once");
    window.click("dot:all-at-once");
    assert_eq!(selected(&window), "all-at-once");
    window.press("e");
    let worst = window.place("dot:all-at-once");
    assert_ne!(worst, dot, "the chart shows the other staleness");
}

/// Returns the numbers that were not rounded, in the window's texts and in tooltips that contain numbers.
fn overlong_numbers(window: &mut Window) -> Vec<String> {
    let mut texts = window.texts();
    let with_figures = [
        "part:", "lane:", "dot:", "set:", "setting:", "broken:", "race:",
    ];
    for (name, place) in window.places() {
        if with_figures.iter().any(|prefix| name.starts_with(prefix)) {
            window.point(place.center().x, place.center().y);
            window.frames(35); // until the tooltip is shown
            texts.extend(window.texts());
        }
    }
    let overlong = |text: &String| Some(format!("{} in {text}", overlong_metric(text)?));
    texts.iter().filter_map(overlong).collect()
}

#[test]
fn no_text_or_tooltip_has_more_than_four_digits_of_a_rounded_number() {
    let odd = [
        "--cost-us",
        "123.4",
        "--display-hz",
        "59.94",
        "--churn-per-s",
        "7",
    ];
    let mut window = Window::still(0, &[]);
    for strategy in ["balanced-slots", "time-budget", "earliest-deadline"] {
        window.reopen(400, &[&["--strategy", strategy], &odd[..]].concat());
        for key in ["t", "u", "F2", "F3"] {
            assert_eq!(
                overlong_numbers(&mut window),
                [""; 0],
                "{strategy} before {key}"
            );
            window.press(key);
            window.frames(3);
        }
    }
}

#[test]
fn rows_fill_narrow_windows_and_windows_without_panels() {
    let mut window = compare(&["--entities", "60"]);
    let row = window.place("lane:every-frame");
    window.press("f");
    assert!(window.place("lane:every-frame").width() > row.width());
    window.press("f");
    assert_eq!(window.place("lane:every-frame"), row);

    window.resize(390.0, 844.0);
    assert!(!window.has("part:knobs"));
    let lanes = STRATEGIES.iter().map(|entry| format!("lane:{}", entry.key));
    let loops = FRAME_LOOPS
        .iter()
        .map(|entry| format!("race:{}", entry.key));
    for (view, rows) in [("F2", lanes.collect::<Vec<_>>()), ("F3", loops.collect())] {
        window.press(view);
        for row in rows.iter().map(|row| window.place(row)) {
            assert!(row.right() <= 390.0 && row.bottom() <= 844.0, "{row}");
        }
    }
}

#[test]
fn a_checked_metric_gets_a_column() {
    let mut window = compare(&["--entities", "60"]);
    assert!(!window.has("column:fps"));
    window.click("columns");
    window.click("show:fps");
    assert!(window.has("column:fps"));
    // The list stays open so that more metrics can be chosen.
    window.click("show:fps");
    assert!(!window.has("column:fps"));
}

#[test]
fn a_step_advances_the_loops() {
    let mut window = Window::still(120, &["--view", "loops"]);
    let before = window.state().loop_comparison.to_json();
    window.press_for("period", "step");
    window.frame();
    assert_ne!(window.state().loop_comparison.to_json(), before);
}
