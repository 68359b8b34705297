//! The badge that says how far timings are to be believed: not in a debug build, nor on a simulated machine, and on a
//! page no better than the browser's clock.

use crate::app::widgets::theme;
use crate::text::format;
use egui::{Align2, CornerRadius, Id, Pos2, Sense, Stroke, StrokeKind, Ui, vec2};
use timeslice::time::Nanos;

const TIP: &str = "Timings of a debug build are not representative: its code is slow, its checks are on. \
     For figures, open the window by: cargo run --release";

const SIMULATED_TIP: &str = "On a simulated machine: frames take what its speed, its drawing and its display \
     make them take, not what this computer does. That comes out the same each time";

const CLOCK_TIP: &str = "Browsers round their clock, so that no page can spy by it. This is the least step that it was seen \
     to make when the page was opened; no time here is known better than that. A task's cost is calibrated work, \
     which no rounding changes.";

/// Paints the badge with its right edge at `right`, in full where there is room for it; returns its left
/// edge. A release build has none, unless its machine is `simulated` or its clock makes known steps.
pub fn badge(
    ui: &Ui,
    right: Pos2,
    roomy: bool,
    simulated: bool,
    clock_steps: Option<Nanos>,
) -> f32 {
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
        (false, None, _) if !cfg!(debug_assertions) => return right.x,
        (false, None, true) => ("debug build: timings not representative".to_owned(), TIP),
        (false, None, false) => ("debug build".to_owned(), TIP),
    };
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text, theme::text(11.0), theme::DIM);
    let place = Align2::RIGHT_CENTER
        .anchor_size(right - vec2(8.0, 0.0), galley.size())
        .expand2(vec2(8.0, 3.0));
    let edge = Stroke::new(1.0, theme::LINE);
    painter.rect_stroke(place, CornerRadius::same(4), edge, StrokeKind::Inside);
    painter.galley(place.min + vec2(8.0, 3.0), galley, theme::DIM);
    let response = ui.interact(place, Id::new("debug build"), Sense::hover());
    response.on_hover_text(tip);
    place.left()
}
