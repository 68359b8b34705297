//! The badge that says where timings are not to be believed: in a debug build, and on a simulated machine.

use super::theme;
use egui::{Align2, CornerRadius, Id, Pos2, Sense, Stroke, StrokeKind, Ui, vec2};

const TIP: &str = "Timings of a debug build are not representative: its code is slow, its checks are on. \
     For figures, open the window by: cargo run --release";

const SIMULATED_TIP: &str = "On a simulated machine: frames take what its speed, its drawing and its display \
     make them take, not what this computer does. That comes out the same each time";

/// Paints the badge with its right edge at `right`, in full where there is room for it; returns its left
/// edge. A release build has none, unless its machine is `simulated`.
pub fn badge(ui: &Ui, right: Pos2, roomy: bool, simulated: bool) -> f32 {
    let (text, tip) = match (simulated, roomy) {
        (true, _) => ("simulated machine", SIMULATED_TIP),
        (false, _) if !cfg!(debug_assertions) => return right.x,
        (false, true) => ("debug build: timings not representative", TIP),
        (false, false) => ("debug build", TIP),
    };
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text.to_owned(), theme::text(11.0), theme::DIM);
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
