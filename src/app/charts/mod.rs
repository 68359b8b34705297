//! Charts, painted by hand because egui has none: the plots and the timeline of recent frames, and the card that describes
//! one frame in both. They define no figures.

mod columns;
mod flags;
pub mod frame_card;
pub mod plots;
pub mod timeline;

use super::widgets::theme;
use egui::{Color32, Mesh, Rangef, Rect, Sense};
use headless::sim::lane::FrameRecord;
use timeslicer::time::Nanos;

/// Frame under the pointer in a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointed {
    pub frame: u64,
    /// True if the chart was clicked there.
    pub is_clicked: bool,
    /// Names the entity whose row of the timeline the pointer is on.
    pub row: Option<String>,
}

/// Senses clicks as [`egui::Sense::click()`] does, but never takes the keyboard focus.
const CLICKS: Sense = Sense::CLICK;

/// A part of a frame's time: name, colour and length.
pub type FramePart = (&'static str, Color32, fn(&FrameRecord) -> Nanos);

/// The parts of a frame's bar, from the bottom. They add up to its length.
pub const FRAME_PARTS: [FramePart; 4] = [
    ("tasks", theme::TASKS, |frame| frame.task_time),
    ("scheduling", theme::SCHEDULING, |frame| frame.scheduling),
    ("drawing", theme::DRAWING, |frame| frame.drawing),
    ("waiting", theme::WAITING, |frame| frame.waiting),
];

/// Adds the parts of a frame's time, stacked on `bottom`. `y_of` returns the vertical position of a time.
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
