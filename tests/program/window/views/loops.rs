//! Switching frame loops, and view Loops.

use crate::window::input::sliders::on_track;
use crate::window::support::lab::{Lab, Line};
use headless::history::USUAL_PERIOD;
use headless::sim::settings::DEFAULT_FRAME_LOOP;
use std::io::Write;
use timeslice::frame_loop::FRAME_LOOPS;

/// Flags for a window that any computer draws in much less than 1/60 s.
const SMALL: [&str; 4] = ["--size", "200x120", "--cost-us", "0"];

/// Returns the 10th percentile of the deltas. Other programs on the computer lengthen frames, but have little effect on
/// the shortest frames.
fn short_delta(frames: &[Line]) -> f64 {
    let mut deltas: Vec<f64> = frames.iter().map(|frame| frame.number("delta")).collect();
    deltas.sort_by(f64::total_cmp);
    deltas[deltas.len() / 10]
}

/// Presses L until the loop with this key runs, then waits a few frames.
fn switch_to(lab: &mut Lab, key: &str) {
    let words = format!("loop {key}");
    for _ in FRAME_LOOPS {
        if lab.press_for("l", "loop").text == words {
            lab.frames(5);
            return;
        }
    }
    panic!("L never switches to {key}");
}

/// Returns frames of a loop that waits for the display, once the program knows the display's rate. Returns `None` if
/// the rate is still unknown after ten tries. On a busy computer this may happen, because slow swaps look like waiting
/// for the display.
fn synced_deltas(lab: &mut Lab) -> Option<Vec<Line>> {
    let nearly = USUAL_PERIOD.as_millis_f64() * 0.9;
    let mut taken = std::iter::repeat_with(|| lab.frames(60)).take(10);
    let found = taken.find(|frames| short_delta(frames) > nearly);
    if found.is_none() {
        let message = "the computer is too busy to measure the display's rate: only other loops were tested\n";
        let _ = std::io::stderr().write_all(message.as_bytes()); // the test harness does not capture this
    }
    found
}

#[test]
fn l_cycles_through_all_loops() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    let start = FRAME_LOOPS
        .iter()
        .position(|entry| entry.key == DEFAULT_FRAME_LOOP)
        .expect("the default is in the registry");
    for entry in FRAME_LOOPS
        .iter()
        .cycle()
        .skip(start + 1)
        .take(FRAME_LOOPS.len())
    {
        lab.press_for("l", &format!("loop {}", entry.key));
        lab.frames(2);
    }
}

#[test]
fn unsynced_and_constant_fps_ignore_the_display() {
    let Some(mut lab) = Lab::open(&[&SMALL[..], &["--loop-fps", "25"]].concat()) else {
        return;
    };
    let before = synced_deltas(&mut lab);
    switch_to(&mut lab, "unsynced");
    let free = lab.frames(120);
    switch_to(&mut lab, "constant-fps");
    let constant = lab.frames(50);
    switch_to(&mut lab, DEFAULT_FRAME_LOOP);
    let after = synced_deltas(&mut lab);

    // A delta is 1000 / 25 = 40 ms, or a multiple if the computer is slow. Use the median, because the frame after a
    // late frame is short.
    let mut deltas: Vec<f64> = constant.iter().map(|it| it.number("delta")).collect();
    deltas.sort_by(f64::total_cmp);
    let median = deltas[deltas.len() / 2];
    let periods = (median / 40.0).round().max(1.0);
    let off = median / (40.0 * periods) - 1.0;
    assert!(off.abs() < 0.05, "{median} ms of 40 ms: {constant:?}");
    // The ratio would be 0.42 if the loop waited for a display of 60 Hz.
    let ratio = short_delta(&free) / short_delta(&constant);
    assert!(ratio < 0.3, "unsynced / constant-fps: {ratio}");
    if let Some((before, after)) = before.zip(after) {
        let ratio = short_delta(&free) / short_delta(&before);
        assert!(ratio < 0.6, "unsynced / synced: {ratio}");
        let ratio = short_delta(&after) / short_delta(&before);
        assert!((0.75..1.33).contains(&ratio), "after / before: {ratio}");
    }
}

#[test]
fn keys_and_tabs_switch_views() {
    let Some(mut lab) = Lab::open_still(1, 1, &[]) else {
        return;
    };
    lab.press_to_settle("F3", "view loops");
    lab.press_to_settle("F1", "view grid");
    let tab = lab.place("view:F3");
    lab.point(tab.x + tab.width / 2.0, tab.y + tab.height / 2.0);
    lab.mouse_down();
    lab.mouse_up();
    lab.wait_for("view loops");
    lab.press_for("2", "view grid");
    lab.wait_for("strategy all-at-once");
}

#[test]
fn view_loops_steps_restarts_selects_and_tunes() {
    let Some(mut lab) = Lab::open_still(1, 60, &["--view", "loops"]) else {
        return;
    };
    let first = lab.picture();
    lab.press_to_settle("period", "step");
    let stepped = lab.picture();
    assert!(stepped != first, "a step changes nothing");
    lab.press_to_settle("r", "race restarted");
    assert!(lab.picture() == first, "a restart changes the picture");

    let row = lab.place("race:fixed-step");
    lab.point(row.x + 20.0, row.y + row.height - 12.0);
    lab.mouse_down();
    lab.mouse_up();
    lab.wait_for("loop fixed-step");

    let slider = lab.place("slow:render-ms");
    let (x, y) = on_track(slider, 0.2, 1.0);
    lab.point(x, y);
    lab.mouse_down();
    lab.wait_for("race render-ms");
    lab.mouse_up();
}

#[test]
fn keys_of_the_grid_do_nothing_in_view_loops() {
    let Some(mut lab) = Lab::open_still(1, 60, &[]) else {
        return;
    };
    let present = lab.picture();
    lab.press_to_settle("F3", "view loops");
    let before = lab.log().len();
    for key in ["Left", "shift+Left", "Home", "t", "s"] {
        lab.press(key);
    }
    // Keys are processed in order, so the earlier ones are done.
    lab.press_to_settle("F1", "view grid");
    let lines = &lab.log()[before..];
    for words in ["look", "timeline shown", "staleness shown"] {
        assert!(!lines.iter().any(|line| line.matches(words)), "{lines:?}");
    }
    assert!(lab.picture() == present, "a key changed the hidden grid");
}

#[test]
fn the_list_selects_a_loop() {
    for (view, words) in [
        ("grid", "loop fixed-step"),
        ("compare", "all loop fixed-step"),
    ] {
        // The window is tall enough for the list to fit in the panel.
        let flags = ["--view", view, "--size", "1280x2000", "--entities", "50"];
        let Some(mut lab) = Lab::open_still(1, 10, &flags) else {
            return;
        };
        lab.click_for("loop", "control loop:fixed-step");
        lab.wait_for("settled"); // egui places the list in the second picture
        lab.click_for("loop:fixed-step", words);
    }
}
