//! Keys.

use crate::window::support::lab::{Lab, Line};
use headless::sim::settings::Settings;
use std::time::{Duration, Instant};
use timeslice::strategy::STRATEGIES;

/// Game time of a step in milliseconds, equal to a frame at 60 Hz.
const STEP_MS: f64 = 1000.0 / 60.0;

const CHEAP: [&str; 2] = ["--cost-us", "0"];

/// Shows help and hides it again, and waits for both in the log. This works even while game time is paused. Returns the
/// new lines of the log.
fn toggle_help(lab: &mut Lab) -> Vec<Line> {
    lab.press("h");
    let mut lines = lab.wait_for("help shown");
    lab.press("h");
    lines.extend(lab.wait_for("help hidden"));
    lines
}

#[test]
fn the_number_row_switches_to_every_strategy() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    let number_row = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus"];
    // The default strategy runs at first and comes last, because switching to the running strategy logs nothing.
    let default = Settings::default().strategy;
    let (first, others): (Vec<_>, Vec<_>) = STRATEGIES
        .iter()
        .zip(number_row)
        .partition(|(entry, _)| **entry == default);
    for (entry, key) in others.into_iter().chain(first) {
        lab.press_for(key, &format!("strategy {}", entry.key));
        lab.wait_for("frame");
    }
}

#[test]
fn backspace_resets_the_figures() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.frames(5);
    lab.press_for("BackSpace", "measuring");
}

#[test]
fn w_switches_to_the_published_form_and_back() {
    let flags = ["--strategy", "fixed-interval"];
    let Some(mut lab) = Lab::open(&[&CHEAP[..], &flags].concat()) else {
        return;
    };
    let switch = |lab: &mut Lab| {
        lab.frames(3);
        let place = lab.place("as-published");
        let [left, top, height] = [place.x, place.y, place.height].map(|side| side as u32);
        lab.picture().part(left, top, height, height)
    };
    let ours = switch(&mut lab);
    lab.press_for("w", "knob as-published 1");
    assert_ne!(switch(&mut lab), ours, "the switch is on");
    lab.press_for("w", "knob as-published 0");
    assert_eq!(switch(&mut lab), ours, "the switch is off");
    lab.press_for("F2", "view compare");
    lab.wait_for(&format!("control lane:{}", STRATEGIES[0].key));
    lab.press_for("w", "all as-published 1");
    lab.press_for("F1", "view grid");
    lab.press_for("w", "knob as-published 0");
}

#[test]
fn digits_on_the_number_pad_switch_strategies() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.press_for("KP_2", &format!("strategy {}", STRATEGIES[1].key));
}

#[test]
fn brackets_cycle_through_all_strategies() {
    let Some(mut lab) = Lab::open(&["--strategy", STRATEGIES[0].key, "--cost-us", "0"]) else {
        return;
    };
    let forwards = STRATEGIES.iter().cycle().skip(1).take(STRATEGIES.len());
    for entry in forwards {
        lab.press_for("bracketright", &format!("strategy {}", entry.key));
    }
    for entry in STRATEGIES.iter().rev() {
        lab.press_for("bracketleft", &format!("strategy {}", entry.key));
    }
}

#[test]
fn no_frames_are_made_while_paused() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    for key in ["space", "p"] {
        let next = lab.press_for(key, "paused").frame;
        let paused_at = Instant::now();
        // The current frame still ends. After that, the window keeps drawing, but the lane makes no frames.
        let mut lines = toggle_help(&mut lab);
        while paused_at.elapsed() < Duration::from_secs(1) {
            lines.extend(toggle_help(&mut lab));
        }
        assert!(
            lines
                .iter()
                .all(|line| !line.is_frame() || line.frame < next),
            "{key}: {lines:?}"
        );
        let paused_for = paused_at.elapsed().as_secs_f64() * 1000.0;
        lab.press_for(key, "running");
        let resumed = lab.wait_for("frame").pop().expect("a frame");
        assert_eq!(resumed.frame, next, "{key}");
        assert!(resumed.number("delta") < paused_for, "{key}: {resumed:?}");
    }
}

#[test]
fn a_step_is_one_frame_of_game_time() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    let paused_at = lab.press_for("space", "paused").frame;
    for (next, key) in (paused_at..).zip(["period", "o", "period"]) {
        assert_eq!(lab.press_for(key, "step").frame, next);
        let lines = [lab.wait_for("frame"), toggle_help(&mut lab)].concat();
        let frames: Vec<_> = lines.iter().filter(|line| line.is_frame()).collect();
        let [frame] = frames[..] else {
            panic!("one step made {frames:?}");
        };
        assert_eq!(frame.frame, next);
        // The log rounds times to nanoseconds.
        let off = (frame.number("delta") - STEP_MS).abs();
        assert!(off < 1e-6, "{frame:?}");
    }
}

#[test]
fn a_step_while_running_pauses() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    let step = lab.press_for("period", "step").frame;
    let lines = [toggle_help(&mut lab), toggle_help(&mut lab)].concat();
    let last = lines.iter().rfind(|line| line.is_frame());
    assert_eq!(last.map(|line| line.frame), Some(step), "{lines:?}");
    lab.press_for("space", "running");
}

#[test]
fn a_restart_begins_at_frame_zero() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.frames(5);
    lab.press_for("r", "restarted");
    let first = lab.wait_for("frame").pop().expect("a frame");
    assert_eq!((first.frame, first.number("delta")), (0, 0.0));
    let second = lab.wait_for("frame").pop().expect("a frame");
    assert_eq!(second.frame, 1);
}

#[test]
fn keys_work_while_the_panels_are_hidden() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    for (panels, key, entry) in [
        ("panels hidden", "1", STRATEGIES[0]),
        ("panels shown", "2", STRATEGIES[1]),
        ("panels hidden", "3", STRATEGIES[2]),
    ] {
        lab.press_for("f", panels);
        lab.press_for(key, &format!("strategy {}", entry.key));
        lab.press_for("space", "paused");
        lab.press_for("space", "running");
    }
}

#[test]
fn both_help_keys_show_and_hide_help() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    for key in ["question", "h"] {
        lab.press_for(key, "help shown");
        lab.press_for(key, "help hidden");
    }
}

#[test]
fn escape_closes_help_before_it_quits() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.press_for("question", "help shown");
    lab.press_for("Escape", "help hidden");
    lab.frames(2);
    lab.press_for("Escape", "leaving");
    lab.end().expect_success();
}
