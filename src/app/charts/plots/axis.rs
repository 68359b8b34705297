//! The axis below the plots, in frames ago.

use super::columns::Columns;
use crate::app::widgets::theme;
use egui::{Align2, Painter, Rect, pos2};
use headless::history::FRAMES;
use headless::text::format;

/// Room for the text at the right end, in points.
const TEXT_ROOM: f32 = 100.0;

/// Labels the columns with the number of frames ago.
pub fn axis_below(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    let y = plot.bottom() + 10.0;
    let is_present = columns.behind == 0;
    let mut text_left = plot.right();
    if is_present {
        let now = painter.text(
            pos2(text_left, y),
            Align2::RIGHT_CENTER,
            "now",
            theme::mono(10.0),
            theme::DIM,
        );
        text_left = now.left() - 6.0;
    }
    painter.text(
        pos2(text_left, y),
        Align2::RIGHT_CENTER,
        "frames ago",
        theme::text(10.5),
        theme::DIM,
    );
    let frames_a_point = columns.each as f32 / columns.width;
    for (ago, back) in labels(columns.room(), frames_a_point, columns.behind) {
        painter.text(
            pos2((plot.right() - back).round(), y),
            Align2::CENTER_CENTER,
            format!("-{}", format::grouped(ago as u64)),
            theme::mono(10.0),
            theme::DIM,
        );
    }
}

/// Returns round numbers of frames ago, about 180 points apart, and their distances from the right end in points.
fn labels(room: f32, frames_a_point: f32, behind: usize) -> impl Iterator<Item = (usize, f32)> {
    let each = (180.0 * frames_a_point / 10.0).round().max(1.0) as usize * 10;
    let farthest = behind + (room * frames_a_point) as usize;
    (each..=farthest.min(FRAMES))
        .step_by(each)
        .filter(move |&ago| ago > behind)
        .map(move |ago| (ago, (ago - behind) as f32 / frames_a_point))
        .filter(|&(_, back)| back > TEXT_ROOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_zoom_has_the_mock_ups_labels() {
        let labels: Vec<_> = labels(720.0, 1.0 / 3.0, 0).collect();
        assert_eq!(
            labels,
            [(60, 180.0), (120, 360.0), (180, 540.0), (240, 720.0)]
        );
    }

    #[test]
    fn axis_ends_with_the_recorded_history() {
        let labels: Vec<_> = labels(720.0, 8.0, 0).collect();
        assert_eq!(labels, [(1440, 180.0), (2880, 360.0)]);
    }

    #[test]
    fn past_axis_counts_from_the_present_and_clears_text() {
        let labels: Vec<_> = labels(720.0, 1.0 / 3.0, 170).collect();
        assert_eq!(
            labels,
            [(240, 210.0), (300, 390.0), (360, 570.0)],
            "180 would overlap the text"
        );
    }
}
