//! Card next to a column of the plots or the timeline, with the figures of one frame.

use crate::app::widgets::tooltip::{Side, beside};
use crate::app::widgets::{paint, theme};
use egui::{Id, LayerId, Order, Rect, Ui, pos2, vec2};
use headless::history::{History, PastFrame, past_frame_text};
use headless::text::format::{self, percent};
use timeslicer::strategy::STRATEGIES;

/// Maximum width of the text, which fits over the table.
const WIDTH: f32 = 204.0;

/// Shown for frames whose runs are no longer recorded.
pub const FORGOTTEN: &str = "runs no longer recorded";

/// Returns the card's lines about `past`.
pub fn lines(history: &History, past: &PastFrame) -> Vec<String> {
    let frame = &past.record;
    let newest = history.frames().back().unwrap_or(past);
    let back = newest.record.number.saturating_sub(frame.number);
    let current = newest.strategy.unwrap_or(STRATEGIES[0]);
    let text = past_frame_text(past, back, current);
    let mut lines: Vec<String> = text.clauses.iter().map(ToString::to_string).collect();
    if let Some(share) = frame.looking_wrong {
        lines.push(format!("{} looking wrong", percent(share)));
    }
    if past.has_forgotten() {
        lines.push(FORGOTTEN.to_owned());
    }
    let ms = format::millis;
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
pub fn paint(ui: &Ui, chart: Rect, x: f32, lines: &[String]) {
    // The card is above the table, which is laid out later.
    let layer = LayerId::new(Order::Middle, Id::new("frame card"));
    let painter = ui.ctx().layer_painter(layer);
    let text = painter.layout(lines.join("\n"), theme::text(12.0), theme::TEXT, WIDTH);
    let size = text.size() + vec2(16.0, 12.0);
    let near = pos2(x, chart.center().y);
    let sides = [Side::Right, Side::Above, Side::Left, Side::Below];
    let rect = beside(chart, size, ui.ctx().screen_rect(), near, sides);
    let ground = theme::WELL.gamma_multiply(0.97);
    paint::card(&painter, rect, ground, theme::HOVER);
    painter.galley(rect.min + vec2(8.0, 6.0), text, theme::TEXT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::testing::{MS, history};

    #[test]
    fn card_has_the_frame_its_parts_and_what_is_missing() {
        let mut history = history(&[16, 16]);
        let mut past = history.frames()[1].clone();
        let expected = [
            "frame 0, 1 frame back",
            "10 tasks ran",
            "3 tasks waiting",
            "16.0 ms",
            FORGOTTEN,
            "tasks 8.0 + scheduling 0.002 + drawing 0.0 + waiting 0.0",
            "scheduling 2 µs, 200 ns/run",
        ];
        assert_eq!(lines(&history, &history.frames()[0]), expected);
        past.record.number = 2;
        past.runs = Some(Vec::new());
        past.record.looking_wrong = Some(0.25);
        past.period = MS(7);
        history.push(past);
        let lines = lines(&history, &history.frames()[2]);
        assert!(!lines.contains(&FORGOTTEN.to_owned()), "{lines:?}");
        assert!(
            lines.contains(&"25 % looking wrong".to_owned()),
            "{lines:?}"
        );
        let hitch = "hitch of 16.0 ms: 10 tasks".to_owned();
        assert!(
            lines.contains(&hitch),
            "judged by its own period: {lines:?}"
        );
    }
}
