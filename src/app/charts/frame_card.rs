//! Card next to a column of the plots or the timeline, with the figures of one frame.

use crate::app::widgets::tooltip::{Side, beside};
use crate::app::widgets::{paint, theme};
use egui::{Id, LayerId, Order, Rect, Ui, pos2, vec2};
use headless::history::hitch::{cause, interruption, is_flagged};
use headless::history::{History, PastFrame};
use headless::text::format;
use headless::text::format::counted;
use headless::text::format::percent;

/// Maximum width of the text, which fits over the table.
const WIDTH: f32 = 204.0;

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
    let length = format!("{} ms", ms(frame.length));
    lines.push(if is_flagged(past) {
        // A colon would suggest that the length includes the interruption.
        let colon = if interruption(past).is_zero() {
            ":"
        } else {
            ","
        };
        format!("{length}{colon} {}", cause(past))
    } else {
        length
    });
    lines.push(format!(
        "tasks {} + scheduling {} + drawing {} + waiting {}",
        ms(frame.task_time),
        ms(frame.scheduling),
        ms(frame.drawing),
        ms(frame.waiting)
    ));
    if !frame.scheduling.is_zero() {
        let cost = format::scheduling(frame.scheduling, frame.runs.into());
        lines.push(format!("scheduling {cost}"));
    }
    lines
}

/// Paints `lines` on a card next to `chart`, near the column at `x`: over the table if there is one, else over the
/// capsules.
pub fn paint(ui: &Ui, chart: Rect, x: f32, lines: Vec<String>) {
    // The card is above the table, which is laid out later.
    let layer = LayerId::new(Order::Middle, Id::new("frame card"));
    let painter = ui.ctx().layer_painter(layer);
    let galleys: Vec<_> = lines
        .into_iter()
        .map(|line| painter.layout(line, theme::text(12.0), theme::TEXT, WIDTH))
        .collect();
    let widths = galleys.iter().map(|galley| galley.size().x);
    let heights = galleys.iter().map(|galley| galley.size().y + 2.0);
    let size = vec2(
        widths.fold(0.0, f32::max) + 16.0,
        heights.sum::<f32>() + 10.0,
    );
    let screen = ui.ctx().screen_rect();
    let near = pos2(x, chart.center().y);
    let sides = [Side::Right, Side::Above, Side::Left, Side::Below];
    let rect = beside(chart, size, screen, near, sides);
    let ground = theme::WELL.gamma_multiply(0.97);
    paint::card(&painter, rect, ground, theme::HOVER);
    let mut at = rect.min + vec2(8.0, 6.0);
    for galley in galleys {
        let height = galley.size().y + 2.0;
        painter.galley(at, galley, theme::TEXT);
        at.y += height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::sim::lane::FrameRecord;
    use timeslicer::time::Nanos;

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
}
