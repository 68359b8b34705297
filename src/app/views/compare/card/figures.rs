//! The figures of a card, with their ranks among the lanes.

use super::{CardAreas, FIGURE, fitting, rows};
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::stats::{FIGURES, Rank, Report};
use crate::text::format;
use egui::{Align2, Id, Rect, Sense, Ui, pos2, vec2};

/// Minimum width of a card, and its number of figures in a row. A narrower card has one.
const COLUMNS: [(f32, usize); 2] = [(200.0, 3), (150.0, 2)];

/// Marks the name of a figure in game time, if that is not real time. A card's title explains the mark.
pub const GAME_TIME: &str = "*";

/// Keys of the figures on a card, the most important first. A card shows as many as fit.
const SHOWN: [&str; 12] = [
    "frame_ms.p99",
    "per_frame_ms.tasks_p99",
    "hitch_percent",
    "staleness_ms.worst",
    "tasks_per_frame.peak_over_mean",
    "looking_wrong_percent.mean",
    "interval_ms.mean",
    "interval_ms.deviation",
    "backlog.peak",
    "fps_1_percent_low",
    "starved",
    "late",
];

/// Shows the figures; a click on a name sorts by it.
pub fn show(
    ui: &Ui,
    card: Rect,
    report: &Report,
    rank: impl Fn(usize) -> Rank,
    sorted_by: Option<usize>,
    answer: &mut UiResponse,
) {
    super::bars::explain(ui, card, report.subject.strategy.key);
    let part = CardAreas::of(card).figures;
    let painter = ui.painter().with_clip_rect(card);
    let a_row = fitting(&COLUMNS, card.width());
    let width = part.width() / a_row as f32;
    for (place, index) in shown(rows(card) * a_row, sorted_by).into_iter().enumerate() {
        let figure = &FIGURES[index];
        let (row, column) = (place / a_row, place % a_row);
        let corner = part.min + vec2(column as f32 * width, row as f32 * FIGURE);
        let rect = Rect::from_min_size(corner, vec2(width, FIGURE));
        let lane = report.subject.strategy.key;
        let label = rect.with_max_y(rect.top() + 14.0);
        let response = ui.interact(label, Id::new(("sort", lane, figure.key)), Sense::CLICK);
        answer.report(format!("figure:{lane}:{}", figure.key), label);
        let ink = match (sorted_by == Some(index), response.hovered()) {
            (true, _) => theme::TEAL,
            (false, true) => theme::BRIGHT,
            (false, false) => theme::DIM,
        };
        let at = pos2(rect.left(), rect.top() + 7.0);
        let is_marked = figure.is_game_time && !report.game_speed().keeps_real_time();
        let mark = if is_marked { GAME_TIME } else { "" };
        let name = format!("{}{mark}", figure.label);
        painter.text(at, Align2::LEFT_CENTER, name, theme::text(10.5), ink);
        if response.clicked() {
            answer.commands.push(Command::SortBy(index));
        }
        let help = format!("{}\nClick to sort by it.", figure.help);
        tooltip::offer(&response, help);
        tooltip::keep_off(ui.ctx(), rect);

        let mut left = pos2(rect.left(), rect.top() + 20.0);
        let ink = match rank(index) {
            Rank::None => theme::BRIGHT,
            Rank::Best => {
                painter.circle_filled(left + vec2(3.5, 0.0), 3.5, theme::TEAL);
                left.x += 10.0;
                theme::TEAL
            }
            Rank::Worst => {
                warning(&painter, left + vec2(4.0, 0.0), 3.5);
                left.x += 10.0;
                theme::AMBER
            }
        };
        let value = (figure.value)(report)
            .map_or_else(|| "-".to_owned(), |value| written(value, figure.unit));
        painter.text(left, Align2::LEFT_CENTER, value, theme::mono(11.5), ink);
    }
}

/// Returns the registry indices of the `count` figures to show, including the figure to sort by.
fn shown(count: usize, sorted_by: Option<usize>) -> Vec<usize> {
    let place = |key: &&str| FIGURES.iter().position(|figure| figure.key == *key);
    let mut all: Vec<usize> = SHOWN.iter().filter_map(place).take(count).collect();
    if let Some(sorted_by) = sorted_by.filter(|by| !all.contains(by))
        && let Some(last) = all.last_mut()
    {
        *last = sorted_by;
    }
    all
}

/// Formats a figure with its unit. Times of 10 s or more are in seconds instead of milliseconds.
pub fn written(value: f64, unit: &str) -> String {
    match unit {
        "ms" if value >= 9_999.5 => format!("{} s", format::number(value / 1000.0)),
        unit => format!("{} {unit}", format::number(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_shown_is_registered() {
        for key in SHOWN {
            assert!(FIGURES.iter().any(|figure| figure.key == key), "{key}");
        }
    }

    #[test]
    fn the_figure_to_sort_by_is_shown() {
        for count in [6, 9, 12] {
            assert_eq!(shown(count, None).len(), count);
            for by in 0..FIGURES.len() {
                let shown = shown(count, Some(by));
                assert!(shown.contains(&by) && shown.len() == count);
            }
        }
    }

    #[test]
    fn long_times_are_in_seconds() {
        assert_eq!(written(9_999.0, "ms"), "9,999 ms");
        assert_eq!(written(100_000.0, "ms"), "100 s");
        assert_eq!(written(60.0, "/s"), "60 /s");
    }
}
