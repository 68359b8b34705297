//! The keyboard: each key does what is written on it.

use crate::support::lab::{Lab, Line};
use std::time::{Duration, Instant};
use timeslice::strategy::STRATEGIES;

/// A step of game time in milliseconds: a frame at 60 Hz.
const STEP_MS: f64 = 1000.0 / 60.0;

const CHEAP: [&str; 2] = ["--cost-us", "0"];

/// Lets some pictures pass that are seen in the log though game time stands.
fn toggle_help(lab: &mut Lab) -> Vec<Line> {
    lab.press("h");
    let mut lines = lab.until("help shown");
    lab.press("h");
    lines.extend(lab.until("help hidden"));
    lines
}

#[test]
fn digits_switch_to_every_strategy() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    // The one that runs at the start comes last: switching to it would tell nothing.
    let start = "fixed-interval";
    let (first, others): (Vec<_>, Vec<_>) = STRATEGIES
        .iter()
        .enumerate()
        .take(9)
        .partition(|(_, entry)| entry.key == start);
    for (index, entry) in others.into_iter().chain(first) {
        let digit = (index + 1).to_string();
        lab.press_for(&digit, &format!("strategy {}", entry.key));
        lab.until("frame");
    }
}

#[test]
fn digits_on_the_number_pad_switch_too() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.press_for("KP_2", &format!("strategy {}", STRATEGIES[1].key));
}

#[test]
fn brackets_go_through_all_strategies_and_round() {
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
fn game_time_stands_while_paused() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    for key in ["space", "p"] {
        let next = lab.press_for(key, "paused").frame;
        let paused_at = Instant::now();
        // The frame that was under way is finished; then there are pictures, but no frames.
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
        let resumed = lab.until("frame").pop().expect("a frame");
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
        let lines = [lab.until("frame"), toggle_help(&mut lab)].concat();
        let frames: Vec<_> = lines.iter().filter(|line| line.is_frame()).collect();
        let [frame] = frames[..] else {
            panic!("one step, but {frames:?}");
        };
        assert_eq!(frame.frame, next);
        // The clock goes on from the step's beginning on, so its first reading is a little later.
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
    let first = lab.until("frame").pop().expect("a frame");
    assert_eq!((first.frame, first.number("delta")), (0, 0.0));
    let second = lab.until("frame").pop().expect("a frame");
    assert_eq!(second.frame, 1);
}

#[test]
fn f_hides_and_shows_the_panels_and_the_other_keys_go_on_working() {
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
fn help_is_shown_and_hidden_by_both_its_keys() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    for key in ["question", "h"] {
        lab.press_for(key, "help shown");
        lab.press_for(key, "help hidden");
    }
}

#[test]
fn escape_closes_the_help_and_then_leaves() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.press_for("question", "help shown");
    lab.press_for("Escape", "help hidden");
    lab.frames(2);
    lab.press_for("Escape", "leaving");
    lab.end().well();
}
