//! Charts of the most recent frames. They are painted by hand because egui has no charts. They only display metrics
//! that are computed elsewhere.

mod columns;
mod flags;
pub mod frame_card;
mod frame_times;
mod plot;
pub mod recent_frames;
pub mod timeline;

use super::widgets::theme;
use egui::{Color32, Mesh, Rangef, Rect, Sense};
use lab::sim::lane::FrameRecord;
use timeslicer::time::Nanos;

/// The frame under the mouse pointer in a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointed {
    pub frame: u64,
    pub is_clicked: bool,
    /// The name of the timeline row under the pointer, such as `row of E312` for the entity with the number 312. `None`
    /// if the pointer is not on a row.
    pub row: Option<String>,
}

/// Senses clicks, but unlike [`egui::Sense::click()`] never takes keyboard focus.
const CLICKS: Sense = Sense::CLICK;

/// A part of the frame time. The fields are its name, its colour, and a function that returns how long the part took.
pub type FramePart = (&'static str, Color32, fn(&FrameRecord) -> Nanos);

/// The parts that add up to the frame time, in the order in which charts stack them from the bottom.
pub const FRAME_PARTS: [FramePart; 4] = [
    ("tasks", theme::TASKS, |frame| frame.task_time),
    ("scheduling", theme::SCHEDULING, |frame| frame.scheduling),
    ("drawing", theme::DRAWING, |frame| frame.drawing),
    ("waiting", theme::WAITING, |frame| frame.waiting),
];

/// Adds a stacked bar with the parts of a frame's time to `mesh`. The `y_of` function converts a time to a y
/// coordinate.
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
