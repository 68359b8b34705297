//! The Code tab.

use crate::window::support::lab::Lab;
use timeslice::knob::{Knob, KnobValues};
use timeslice::strategy::{STRATEGIES, StrategyEntry};

/// Returns a strategy with a knob.
fn with_a_knob() -> (&'static StrategyEntry, &'static Knob) {
    STRATEGIES
        .iter()
        .find_map(|entry| Some((*entry, entry.own_knobs().next()?)))
        .expect("a strategy has a knob")
}

#[test]
fn the_copy_button_copies_the_code_with_the_knobs() {
    let (entry, knob) = with_a_knob();
    let (flag, value) = (format!("--{}", knob.key), knob.max.to_string());
    let flags = ["--cost-us", "0", "--strategy", entry.key, &flag, &value];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    lab.press_for("u", "code shown");
    lab.frames(3);
    lab.click_for("button:Copy", &format!("copied code of {}", entry.key));
    let expected = entry.snippet(&KnobValues::with(&[(knob, knob.max)])).text;
    assert_eq!(lab.display.clipboard(), expected);
    lab.press_for("u", "plots shown");
    lab.frames(2);
}
