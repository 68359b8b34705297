//! Frame loops: switched while the window runs, and side by side in a view of their own.

use crate::input::sliders::on_track;
use crate::support::lab::{Lab, Line};
use std::io::Write;
use timeslice::frame_loop::FRAME_LOOPS;
use timeslice_lab::history::USUAL_PERIOD;
use timeslice_lab::sim::settings::DEFAULT_FRAME_LOOP;

/// A window so small that any computer draws it in much less than a frame at 60 Hz.
const SMALL: [&str; 4] = ["--size", "200x120", "--cost-us", "0"];

/// The delta that nine of ten frames exceed. Other programs that want the processor, too, make frames longer: it
/// shows least in the short ones.
fn short_delta(frames: &[Line]) -> f64 {
    let mut deltas: Vec<f64> = frames.iter().map(|frame| frame.number("delta")).collect();
    deltas.sort_by(f64::total_cmp);
    deltas[deltas.len() / 10]
}

/// Presses L until that loop runs, and lets the change pass.
fn switch_to(lab: &mut Lab, key: &str) {
    let words = format!("loop {key}");
    for _ in FRAME_LOOPS {
        if lab.press_for("l", "loop").what == words {
            lab.frames(5);
            return;
        }
    }
    panic!("L never comes to {key}");
}

/// The deltas of a loop that waits for the display, once the program has found out what holds frames back;
/// none where that takes too long: on a busy computer swaps are long, as if the display held them back.
fn synced_deltas(lab: &mut Lab) -> Option<Vec<Line>> {
    let nearly = USUAL_PERIOD.as_millis_f64() * 0.9;
    let mut taken = std::iter::repeat_with(|| lab.frames(60)).take(10);
    let found = taken.find(|frames| short_delta(frames) > nearly);
    if found.is_none() {
        let sentence =
            "too busy a computer to tell the display's rate: only the other loops were tested\n";
        let _ = std::io::stderr().write_all(sentence.as_bytes()); // past the harness
    }
    found
}

#[test]
fn a_key_goes_through_all_loops_and_round() {
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
fn unsynced_runs_free_and_constant_fps_keeps_its_own_rate() {
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

    // 1000 / 25 = 40 ms, or a multiple where the computer was late. A late frame is longer and the next one shorter:
    // the one in the middle is neither.
    let mut deltas: Vec<f64> = constant.iter().map(|it| it.number("delta")).collect();
    deltas.sort_by(f64::total_cmp);
    let median = deltas[deltas.len() / 2];
    let periods = (median / 40.0).round().max(1.0);
    let off = median / (40.0 * periods) - 1.0;
    assert!(off.abs() < 0.05, "{median} ms of 40 ms: {constant:?}");
    // A loop that waited for a display of 60 Hz would take 0.42 of constant-fps's time.
    let ratio = short_delta(&free) / short_delta(&constant);
    assert!(ratio < 0.3, "unsynced takes {ratio} of constant-fps's time");
    if let Some((before, after)) = before.zip(after) {
        let ratio = short_delta(&free) / short_delta(&before);
        assert!(ratio < 0.6, "unsynced takes {ratio} of a synced one's time");
        let ratio = short_delta(&after) / short_delta(&before);
        assert!(
            (0.75..1.33).contains(&ratio),
            "{ratio} after switching back"
        );
    }
}

#[test]
fn views_have_keys_and_tabs_and_strategy_keys_lead_to_the_grid() {
    let Some(mut lab) = Lab::open_still(1, 1, &[]) else {
        return;
    };
    lab.press_to_settle("F3", "view loops");
    lab.press_to_settle("F1", "view grid");
    let tab = lab.place("view:F3");
    lab.point(tab.x + tab.width / 2.0, tab.y + tab.height / 2.0);
    lab.mouse_down();
    lab.mouse_up();
    lab.until("view loops");
    lab.press_for("2", "view grid");
    lab.until("strategy all-at-once");
}

#[test]
fn the_view_of_loops_pauses_steps_restarts_chooses_and_tunes() {
    let Some(mut lab) = Lab::open_still(1, 60, &["--view", "loops"]) else {
        return;
    };
    let first = lab.picture();
    lab.press_to_settle("period", "step");
    let stepped = lab.picture();
    assert!(stepped != first, "a step changes nothing");
    lab.press_to_settle("r", "race restarted");
    assert!(lab.picture() == first, "a restart is another picture");

    let row = lab.place("race:fixed-step");
    lab.point(row.x + 20.0, row.y + row.height - 12.0);
    lab.mouse_down();
    lab.mouse_up();
    lab.until("loop fixed-step");

    let slider = lab.place("slow:render-ms");
    let (x, y) = on_track(slider, 0.2, 1.0);
    lab.point(x, y);
    lab.mouse_down();
    lab.until("race render-ms");
    lab.mouse_up();
}

#[test]
fn keys_of_the_main_view_do_nothing_in_the_view_of_loops() {
    let Some(mut lab) = Lab::open_still(1, 60, &[]) else {
        return;
    };
    let present = lab.picture();
    lab.press_to_settle("F3", "view loops");
    let told = lab.told().len();
    for key in ["Left", "shift+Left", "Home", "t", "s"] {
        lab.press(key);
    }
    // Keys are carried out in their order: those were before this one.
    lab.press_to_settle("F1", "view grid");
    let told = &lab.told()[told..];
    for words in ["look", "timeline shown", "staleness shown"] {
        assert!(!told.iter().any(|line| line.tells(words)), "{told:?}");
    }
    assert!(lab.picture() == present, "something was done out of sight");
}

#[test]
fn a_loop_is_chosen_from_the_list() {
    for (view, words) in [
        ("grid", "loop fixed-step"),
        ("compare", "all loop fixed-step"),
    ] {
        // High enough for the panel to show the list.
        let flags = ["--view", view, "--size", "1280x1400", "--entities", "50"];
        let Some(mut lab) = Lab::open_still(1, 10, &flags) else {
            return;
        };
        lab.click_for("loop", "control loop:fixed-step");
        lab.until("settled"); // the list finds its place in a second picture
        lab.click_for("loop:fixed-step", words);
    }
}
