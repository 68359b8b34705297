//! One past frame in a sentence.

use super::PastFrame;
use super::hitch::{cause, is_flagged, is_hitch};
use crate::phrase;
use crate::text::format;
use crate::text::rich::{RichText, counted, figure, grouped_figure};
use timeslicer::strategy::StrategyEntry;

/// Describes a past frame, `back` frames before the last one; `current` is the strategy that runs now.
#[must_use]
pub fn past_frame_text(past: &PastFrame, back: u64, current: &StrategyEntry) -> RichText {
    let frame = &past.record;
    let mut text = RichText::default();
    let under = past.other_strategy(current);
    let under = under.map_or(String::new(), |under| format!(", under {}", under.name));
    let number = grouped_figure(frame.number);
    let back = phrase![", ", counted(back, "frame"), " back", under];
    text.push(phrase!["frame ", number, back].normal());
    text.push(phrase![counted(frame.runs.into(), "task"), " ran"].normal());
    if frame.backlog > 0 {
        text.push(phrase![counted(frame.backlog as u64, "task"), " waiting"].normal());
    }
    let length = figure(format::millis(frame.length));
    text.push(if is_hitch(past) {
        phrase!["hitch of ", length, " ms: ", cause(past)].warning()
    } else if is_flagged(past) {
        phrase![length, " ms, ", cause(past)].normal()
    } else {
        phrase![length, " ms"].normal()
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::history;
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::time::Nanos;

    #[test]
    fn past_frame_is_described_with_its_cause() {
        let mut past = history(&[16]).frames()[0].clone();
        past.strategy = Some(STRATEGIES[1]);
        past.record.backlog = 0;
        let text = past_frame_text(&past, 1, STRATEGIES[1]).to_string();
        assert_eq!(text, "frame 0, 1 frame back · 10 tasks ran · 16.0 ms");
        past.record.length = Nanos::from_millis(80);
        past.record.task_time = Nanos::from_millis(70);
        past.record.backlog = 3;
        let text = past_frame_text(&past, 20, STRATEGIES[0]);
        let under = STRATEGIES[1].name;
        let end = format!(
            "20 frames back, under {under} · 10 tasks ran · 3 tasks waiting · hitch of 80.0 ms: 10 tasks"
        );
        assert!(text.to_string().ends_with(&end), "{text}");
        assert!(text.is_warning());
        past.outside = Nanos::SECOND;
        let text = past_frame_text(&past, 20, STRATEGIES[0]);
        assert!(text.to_string().ends_with(&cause(&past)) && !text.is_warning());
    }
}
