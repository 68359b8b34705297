//! The badge that says how far timings are to be believed: not in a debug build, nor on a simulated machine, and on a
//! page no better than the browser's clock.

use crate::app::widgets::theme;
use crate::text::format;
use egui::{Button, Color32, RichText, Sense, Stroke, Ui, vec2};
use timeslice::time::Nanos;

const TIP: &str = "Timings of a debug build are not representative: its code is slow, its checks are on. \
     For figures, open the window by: cargo run --release";

const SIMULATED_TIP: &str = "On a simulated machine: frames take what its speed, its drawing and its display \
     make them take, not what this computer does. That comes out the same each time";

const CLOCK_TIP: &str = "Browsers round their clock, so that no page can spy by it. This is the least step that it was seen \
     to make when the page was opened; no time here is known better than that. A task's cost is calibrated work, \
     which no rounding changes.";

/// Shows the badge, in full if there is room for it. A release build has none, unless its machine is `simulated` or
/// its clock makes known steps.
pub fn badge(ui: &mut Ui, roomy: bool, simulated: bool, clock_steps: Option<Nanos>) {
    let (text, tip) = match (simulated, clock_steps, roomy) {
        (true, ..) => ("simulated machine".to_owned(), SIMULATED_TIP),
        (false, Some(steps), _) => {
            let millis = format::number(steps.as_millis_f64());
            let words = if roomy {
                "browser's clock: steps of"
            } else {
                "clock"
            };
            (format!("{words} {millis} ms"), CLOCK_TIP)
        }
        (false, None, _) if !cfg!(debug_assertions) => return,
        (false, None, true) => ("debug build: timings not representative".to_owned(), TIP),
        (false, None, false) => ("debug build".to_owned(), TIP),
    };
    // A button that takes no clicks, so that it is no higher than its words.
    let words = RichText::new(text).size(11.0).color(theme::DIM);
    let badge = Button::new(words)
        .sense(Sense::hover())
        .fill(Color32::TRANSPARENT)
        .stroke(Stroke::new(1.0, theme::LINE))
        .corner_radius(4)
        .small();
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        ui.add(badge.min_size(vec2(0.0, 18.0))).on_hover_text(tip);
    });
}
