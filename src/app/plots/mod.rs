//! Charts of the most recent frames, painted by hand because egui has none. They display metrics computed elsewhere.

mod columns;
mod flags;
mod frame_times;
mod plot;
pub mod recent_frames;
pub mod timeline;

use super::widgets::theme;
use egui::{Color32, Mesh, Rangef, Rect};
use lab::history::{History, PastFrame, past_frame_text};
use lab::sim::lane::FrameRecord;
use lab::text::format::{self, percent};
use timeslicer::time::Nanos;

/// The frame under the mouse pointer in a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointed {
    pub frame: u64,
    pub is_clicked: bool,
}

pub const FORGOTTEN: &str = "the runs are no longer recorded";

/// Describes a frame in two lines: what happened in it, and how it spent its time.
fn describe_frame(history: &History, past: &PastFrame) -> String {
    let frame = &past.record;
    let newest = history.frames().back().unwrap_or(past);
    let back = newest.record.number.saturating_sub(frame.number);
    let text = past_frame_text(past, back, newest.subject.strategy);
    let mut described: Vec<String> = text.clauses.iter().map(ToString::to_string).collect();
    if let Some(share) = frame.looking_wrong {
        described.push(format!("{} of entities look wrong", percent(share)));
    }
    if past.has_forgotten() {
        described.push(FORGOTTEN.to_owned());
    }
    let parts =
        FRAME_PARTS.map(|(name, _, part)| format!("{name} {}", format::millis(part(frame))));
    let mut parts = vec![format!("{} ms", parts.join(" + "))];
    if !frame.scheduling.is_zero() {
        let cost = format::scheduling(frame.scheduling, frame.runs.into());
        parts.push(format!("scheduling {cost}"));
    }
    [described, parts].map(|line| line.join(" · ")).join("\n")
}

/// A part of the frame time. The fields are its name, its colour, and a function that returns how long the part took.
pub type FramePart = (&'static str, Color32, fn(&FrameRecord) -> Nanos);

/// The parts that add up to the frame time, in the order in which charts stack them from the bottom.
pub const FRAME_PARTS: [FramePart; 4] = [
    ("tasks", theme::TASKS, |frame| frame.task_time),
    ("scheduling", theme::SCHEDULING, |frame| frame.scheduling),
    ("drawing", theme::DRAWING, |frame| frame.drawing),
    ("waiting", theme::WAITING, |frame| frame.waiting),
];

/// Adds a stacked bar with the parts of a frame's time to `mesh`. `y_of` converts a time to a y coordinate.
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

#[cfg(test)]
mod tests {
    use super::*;
    use lab::testing::history;

    #[test]
    fn a_frame_is_described_with_its_parts_and_what_is_missing() {
        let history = history(&[16, 16]);
        let expected = format!(
            "frame 0, 1 frame back · 10 tasks ran · 3 tasks waiting · 16.0 ms · {FORGOTTEN}\ntasks 8.0 + scheduling \
             0.002 + drawing 0.0 + waiting 0.0 ms · scheduling 2 µs, 200 ns/run"
        );
        assert_eq!(describe_frame(&history, &history.frames()[0]), expected);
        let mut past = history.frames()[1].clone();
        past.runs = Some(Vec::new());
        past.record.looking_wrong = Some(0.25);
        let described = describe_frame(&history, &past);
        assert!(!described.contains(FORGOTTEN), "{described}");
        assert!(
            described.contains("25 % of entities look wrong"),
            "{described}"
        );
    }
}
