//! Frame loops: switched while the window runs, and side by side in a view of their own.

use crate::lab::{Lab, Line};
use crate::sliders::on_track;
use timeslice_lab::frame_loop::FRAME_LOOPS;
use timeslice_lab::settings::DEFAULT_FRAME_LOOP;

/// A window so small that any computer draws it in much less than a frame at 60 Hz.
const SMALL: [&str; 4] = ["--size", "200x120", "--cost-us", "0"];

fn median_delta(frames: &[Line]) -> f64 {
    let mut deltas: Vec<f64> = frames.iter().map(|frame| frame.number("delta")).collect();
    deltas.sort_by(f64::total_cmp);
    deltas[deltas.len() / 2]
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
    let Some(mut lab) = Lab::open(&SMALL) else {
        return;
    };
    lab.frames(60); // until it is found out whether the display holds frames back
    let synced = median_delta(&lab.frames(60));
    assert!((16.0..20.0).contains(&synced), "{synced} ms");
    drop(lab);
    let Some(mut lab) = Lab::open(&[&SMALL[..], &["--loop", "unsynced"]].concat()) else {
        return;
    };
    lab.frames(60);
    let free = median_delta(&lab.frames(60));
    assert!(
        free < 0.7 * synced,
        "{free} ms, {synced} ms with the display"
    );
    drop(lab);
    let flags = ["--loop", "constant-fps", "--loop-fps", "25"];
    let Some(mut lab) = Lab::open(&[&SMALL[..], &flags].concat()) else {
        return;
    };
    lab.frames(10);
    let constant = median_delta(&lab.frames(30));
    assert!((constant - 40.0).abs() < 0.5, "{constant} ms");
}

#[test]
fn views_have_keys_and_tabs_and_a_strategys_key_leads_back_to_the_capsules() {
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
fn in_their_view_loops_are_paused_stepped_restarted_and_chosen_and_machines_are_tuned() {
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
