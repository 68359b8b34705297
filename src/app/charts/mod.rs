//! Charts of recent frames, which are painted by hand because egui has no charts. There are two plots, a timeline, and
//! a card that describes a single frame. The charts define no metrics of their own.

mod columns;
mod flags;
pub mod frame_card;
pub mod plots;
pub mod timeline;

use super::widgets::theme;
use egui::{Color32, Mesh, Rangef, Rect, Sense};
use headless::sim::lane::FrameRecord;
use timeslicer::time::Nanos;

/// The frame under the pointer in a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointed {
    pub frame: u64,
    /// Whether the user clicked the frame.
    pub is_clicked: bool,
    /// A text such as `row of E312`, if the pointer is over an entity's row of the timeline.
    pub row: Option<String>,
}

/// Senses clicks like [`egui::Sense::click()`], but never takes the keyboard focus.
const CLICKS: Sense = Sense::CLICK;

/// The name of a part of the frame time, its colour, and a function that returns its length.
pub type FramePart = (&'static str, Color32, fn(&FrameRecord) -> Nanos);

/// The parts of the frame time, in the order in which they are stacked from the bottom. They add up to the frame's
/// length.
pub const FRAME_PARTS: [FramePart; 4] = [
    ("tasks", theme::TASKS, |frame| frame.task_time),
    ("scheduling", theme::SCHEDULING, |frame| frame.scheduling),
    ("drawing", theme::DRAWING, |frame| frame.drawing),
    ("waiting", theme::WAITING, |frame| frame.waiting),
];

/// Adds the parts of a frame's time to `mesh`, stacked on `bottom`. `y_of` returns the vertical position of a time.
pub fn add_stack(
    mesh: &mut Mesh,
    x: Rangef,
    bottom: f32,
    frame: &FrameRecord,
    y_of: impl Fn(Nanos) -> f32,
) {
    let (mut sum, mut low) = (Nanos::ZERO, bottom);
    for (_, ink, part) in FRAME_PARTS {
        sum += part(frame);
        let high = y_of(sum);
        if high < low {
            mesh.add_colored_rect(Rect::from_x_y_ranges(x, high..=low), ink);
            low = high;
        }
    }
}
