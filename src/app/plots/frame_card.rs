//! A card that describes the frame under the mouse pointer in a chart. It is shown next to the tabs above the chart, so
//! that it does not cover the chart.

use super::{FRAME_PARTS, Pointed};
use crate::app::widgets::{paint, theme};
use egui::{Id, LayerId, Order, Rect, Ui, pos2, vec2};
use lab::history::{History, PastFrame, past_frame_text};
use lab::text::format::{self, percent};

/// If the space next to the tabs is narrower than this, in points, the card is shown above the tabs instead.
const MIN_DOCKED_WIDTH: f32 = 200.0;
const MARGIN: egui::Vec2 = vec2(8.0, 3.0);
const FONT_SIZE: f32 = 11.0;
/// The maximum fraction of the area above the tabs that the card may cover. If the text is too long for this, the card
/// shows only the first part.
const MAX_COVERED_FRACTION: f32 = 0.25;

pub const FORGOTTEN: &str = "the runs are no longer recorded";

fn description_and_time_parts(history: &History, past: &PastFrame) -> [Vec<String>; 2] {
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
    [described, parts]
}

/// Shows a card about the frame under the mouse pointer. The three rectangles are the area of the capsules, the row of
/// tabs below the capsules, and the part of this row without tabs.
pub fn show(ui: &Ui, history: &History, pointed: &Pointed, [capsules, row, free]: [Rect; 3]) {
    let Some(past) = history.frame(pointed.frame) else {
        return;
    };
    let [mut described, parts] = description_and_time_parts(history, past);
    described.extend(pointed.row.clone());
    let lines = [described.join(" · "), parts.join(" · ")];
    // Use a higher layer, because the table is painted later and would cover the card.
    let layer = LayerId::new(Order::Middle, Id::new("frame card"));
    let painter = ui.ctx().layer_painter(layer);
    let is_docked = free.width() >= MIN_DOCKED_WIDTH;
    let place = if is_docked {
        free
    } else {
        row.with_max_y(row.top())
    };
    let lay = |count: usize| {
        let (text, width) = (lines[..count].join("\n"), place.width() - 4.0 * MARGIN.x);
        painter.layout(text, theme::text(FONT_SIZE), theme::TEXT, width)
    };
    let room = place.height() + MAX_COVERED_FRACTION * capsules.height();
    let text = Some(lay(2)).filter(|text| text.size().y + 2.0 * MARGIN.y <= room);
    let text = text.unwrap_or_else(|| lay(1));
    let size = text.size() + 2.0 * MARGIN;
    let bottom = place.bottom() - if is_docked { 1.0 } else { 0.0 };
    let rect = Rect::from_min_size(pos2(place.left() + MARGIN.x, bottom - size.y).round(), size);
    paint::card(&painter, rect, theme::WELL, theme::HOVER);
    painter.galley(rect.min + MARGIN, text, theme::TEXT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::testing::history;

    #[test]
    fn card_has_the_frame_its_parts_and_what_is_missing() {
        let history = history(&[16, 16]);
        let mut past = history.frames()[1].clone();
        let expected = [
            "frame 0, 1 frame back",
            "10 tasks ran",
            "3 tasks waiting",
            "16.0 ms",
            FORGOTTEN,
        ];
        let parts = [
            "tasks 8.0 + scheduling 0.002 + drawing 0.0 + waiting 0.0 ms",
            "scheduling 2 µs, 200 ns/run",
        ];
        let [described, its_parts] = description_and_time_parts(&history, &history.frames()[0]);
        assert_eq!(described, expected);
        assert_eq!(its_parts, parts);
        past.runs = Some(Vec::new());
        past.record.looking_wrong = Some(0.25);
        let [lines, _] = description_and_time_parts(&history, &past);
        assert!(!lines.contains(&FORGOTTEN.to_owned()), "{lines:?}");
        let expected = "25 % of entities look wrong".to_owned();
        assert!(lines.contains(&expected), "{lines:?}");
    }
}
