//! Card next to a column of the plots or the timeline, with the figures of one frame.

use crate::app::widgets::theme;
use crate::history::hitch::{cause, interruption, is_flagged};
use crate::history::{History, PastFrame};
use crate::text::format;
use crate::text::format::counted;
use crate::text::format::percent;
use egui::{CornerRadius, Painter, Rect, Stroke, StrokeKind, pos2, vec2};

/// Shown for frames whose runs are no longer recorded.
pub const FORGOTTEN: &str = "runs no longer recorded";

/// Returns the card's lines about `past`. `peak` is the frame's distinction in its column, such as `longest of 4`. It
/// is empty if the column has no other frame.
pub fn lines(history: &History, past: &PastFrame, peak: &str) -> Vec<String> {
    let frame = &past.record;
    let newest = history
        .frames()
        .back()
        .map_or(frame.number, |past| past.record.number);
    let ago = match newest.saturating_sub(frame.number) {
        0 => "latest".to_owned(),
        ago => format!("{} ago", counted(ago, "frame")),
    };
    let number = format::grouped(frame.number);
    let mut lines = vec![if peak.is_empty() {
        format!("frame {number}, {ago}")
    } else {
        format!("frame {number}, {ago}: {peak}")
    }];
    lines.push(format!(
        "{}, backlog {}",
        counted(frame.runs.into(), "task"),
        format::grouped(frame.backlog as u64)
    ));
    if let Some(share) = frame.looking_wrong {
        lines.push(format!("{} looking wrong", percent(share)));
    }
    if past.has_forgotten() {
        lines.push(FORGOTTEN.to_owned());
    }
    let ms = format::millis;
    lines.push(if is_flagged(past) {
        // A colon would suggest that the length includes the interruption.
        let colon = if interruption(past).is_zero() {
            ":"
        } else {
            ","
        };
        format!("{} ms{colon} {}", ms(frame.length), cause(past))
    } else {
        format!("{} ms", ms(frame.length))
    });
    lines.push(format!(
        "tasks {} + scheduling {} + drawing {} + waiting {}",
        ms(frame.task_time),
        ms(frame.scheduling),
        ms(frame.drawing),
        ms(frame.waiting)
    ));
    lines
}

/// Paints `lines` on a card next to the column at `x`, centred on `y` and, if possible, inside `within`.
pub fn paint(painter: &Painter, within: Rect, x: f32, y: f32, lines: Vec<String>) {
    let galleys: Vec<_> = lines
        .into_iter()
        .map(|line| painter.layout_no_wrap(line, theme::text(12.0), theme::TEXT))
        .collect();
    let widths = galleys.iter().map(|galley| galley.size().x);
    let size = vec2(
        widths.fold(0.0, f32::max) + 20.0,
        galleys.len() as f32 * 15.0 + 10.0,
    );
    let rect = place(within, x, y, size);
    let corners = CornerRadius::same(theme::RADIUS);
    painter.rect_filled(rect, corners, theme::WELL.gamma_multiply(0.97));
    let edge = Stroke::new(1.0, theme::HOVER);
    painter.rect_stroke(rect, corners, edge, StrokeKind::Inside);
    for (index, galley) in galleys.into_iter().enumerate() {
        let at = rect.min + vec2(10.0, 5.0 + index as f32 * 15.0);
        painter.galley(at, galley, theme::TEXT);
    }
}

/// Places a card to the right of the column, or to the left if there is no room, and always inside `within`.
fn place(within: Rect, x: f32, y: f32, size: egui::Vec2) -> Rect {
    let right = x + 10.0;
    let left = if right + size.x < within.right() {
        right
    } else {
        x - 10.0 - size.x
    };
    let inside = |at: f32, from: f32, to: f32| at.min(to).max(from);
    let left = inside(left, within.left(), within.right() - size.x);
    let top = inside(y - size.y / 2.0, within.top(), within.bottom() - size.y);
    Rect::from_min_size(pos2(left.round(), top.round()), size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::FrameRecord;
    use timeslice::time::Nanos;

    fn history(runs: u32, ran: Option<&[u32]>) -> History {
        let mut history = History::default();
        for number in 0..3 {
            let record = FrameRecord {
                number,
                runs,
                length: Nanos::from_millis(16),
                ..FrameRecord::default()
            };
            history.push(PastFrame {
                record,
                ran: ran.map(<[u32]>::to_vec),
                ..PastFrame::default()
            });
        }
        history
    }

    fn card(history: &History, number: usize, peak: &str) -> Vec<String> {
        lines(history, &history.frames()[number], peak)
    }

    #[test]
    fn card_shows_number_runs_and_parts() {
        let history = history(2, Some(&[4, 5]));
        assert_eq!(
            card(&history, 1, ""),
            [
                "frame 1, 1 frame ago",
                "2 tasks, backlog 0",
                "16.0 ms",
                "tasks 0.0 + scheduling 0.0 + drawing 0.0 + waiting 0.0"
            ]
        );
        assert_eq!(
            card(&history, 2, "longest of 8")[0],
            "frame 2, latest: longest of 8"
        );
    }

    #[test]
    fn short_parts_are_not_shown_as_zero() {
        let mut history = history(2, None);
        let mut past = history.frames().back().unwrap().clone();
        past.record.number += 1;
        past.record.scheduling = Nanos::from_micros(28);
        history.push(past);
        let parts = "tasks 0.0 + scheduling 0.028 + drawing 0.0 + waiting 0.0";
        assert_eq!(card(&history, 3, "").last().unwrap(), parts);
    }

    #[test]
    fn only_frames_with_unrecorded_runs_are_noted() {
        assert_eq!(card(&history(2, None), 0, "")[2], FORGOTTEN);
        let idle = card(&history(0, None), 0, "");
        assert!(!idle.contains(&FORGOTTEN.to_owned()));
    }

    #[test]
    fn hitch_is_judged_by_its_own_period() {
        let mut history = history(2, None);
        let mut past = history.frames().back().unwrap().clone();
        past.record.number += 1;
        past.period = Nanos::from_millis(7);
        let with_cause = format!("16.0 ms: {}", cause(&past));
        history.push(past);
        assert_eq!(card(&history, 0, "")[3], "16.0 ms");
        assert_eq!(card(&history, 3, "")[3], with_cause);
    }

    #[test]
    fn card_stays_inside() {
        let within = Rect::from_min_max(pos2(100.0, 100.0), pos2(400.0, 300.0));
        for (x, y) in [(100.0, 100.0), (390.0, 300.0), (250.0, 200.0)] {
            assert!(within.contains_rect(place(within, x, y, vec2(200.0, 80.0))));
        }
        let large = place(within, 250.0, 200.0, vec2(900.0, 900.0));
        assert_eq!(large.min, within.min, "its top left corner is visible");
    }
}
