//! The Code tab.

use super::Window;
use crate::app::state::ForClipboard;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

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
    let mut window = Window::open(&["--strategy", entry.key, &flag, &value]);
    window.press("u");
    window.click("button:Copy");
    let code = entry.snippet(&KnobValues::with(&[(knob, knob.max)])).text;
    assert_eq!(window.state().clipboard, Some(ForClipboard::Code(code)));
}
