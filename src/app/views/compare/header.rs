//! The line above the cards: settings shared by all lanes, and the legend.

use super::{CompareDisplay, HEADER};
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::panels::staleness_legend;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{line, warning};
use crate::app::widgets::theme;
use crate::experiment::comparison::Comparison;
use crate::sim::disturbance::SLOW_HZ;
use crate::sim::machine::DISPLAY_HZ;
use crate::sim::settings::Settings;
use crate::sim::world::{COST, ENTITIES};
use crate::text::format;
use egui::{Align2, Painter, Pos2, Rect, pos2};

/// Shows the line at the top of `inner`, and as many legends as fit.
pub fn show(painter: &Painter, inner: Rect, comparison: &Comparison, display: CompareDisplay<'_>) {
    let stale = display.staleness;
    let y = inner.top() + HEADER / 2.0;
    let Some(settings) = Some(comparison.settings()) else {
        return;
    };
    let words = shared_settings(settings, comparison.has_slow_display());
    let parts: Vec<(&str, bool, egui::Color32)> = words
        .iter()
        .map(|(words, is_figure)| {
            let ink = if *is_figure {
                theme::BRIGHT
            } else {
                theme::DIM
            };
            (words.as_str(), *is_figure, ink)
        })
        .collect();
    let end = line(painter, pos2(inner.left(), y), &parts, 12.0);
    let legend = inner.right() - 214.0;
    let room = legend - if stale { 284.0 } else { 20.0 };
    let end = counted_disturbance(painter, pos2(end, y), room, comparison, display.bindings);
    if stale && end + 260.0 > legend {
        // The legend of the colours matters more than the legend of the marks.
        staleness_legend::line(painter, pos2(inner.right(), y));
        return;
    }
    if stale {
        staleness_legend::line(painter, pos2(legend - 24.0, y));
    }
    if end + 20.0 > legend {
        return;
    }
    painter.circle_filled(pos2(legend, y), 4.0, theme::TEAL);
    let font = theme::text(12.0);
    let at = pos2(legend + 9.0, y);
    painter.text(at, Align2::LEFT_CENTER, "best", font.clone(), theme::DIM);
    warning(painter, pos2(legend + 52.0, y), 4.0);
    let words = "worst · click a name to sort";
    let at = pos2(legend + 61.0, y);
    painter.text(at, Align2::LEFT_CENTER, words, font, theme::DIM);
}

/// Warns that the figures include a disturbance and names the key that resets them, if the warning fits to the left of
/// `room`. Returns the right end of the line.
fn counted_disturbance(
    painter: &Painter,
    at: Pos2,
    room: f32,
    comparison: &Comparison,
    bindings: &[Binding],
) -> f32 {
    let Some(name) = comparison.counted_disturbance() else {
        return at.x;
    };
    let key = caps_of(bindings, Command::Measure);
    let words = format!("  ·  figures include {name} (press {key} to reset)");
    let galley = painter.layout_no_wrap(words, theme::text(12.0), theme::AMBER);
    let end = at.x + galley.size().x;
    if end > room {
        return at.x;
    }
    let top = at.y - galley.size().y / 2.0;
    painter.galley(pos2(at.x, top), galley, theme::AMBER);
    end
}

/// Returns the parts of the line; true marks figures.
fn shared_settings(settings: &Settings, slow_display: bool) -> Vec<(String, bool)> {
    let knobs = &settings.knobs;
    let words = |words: &str| (words.to_owned(), false);
    let of = |text: String| (text, true);
    let entities = knobs.get(&ENTITIES) as u64;
    let hz = knobs.get(&DISPLAY_HZ);
    let hz = if slow_display { hz.min(SLOW_HZ) } else { hz };
    vec![
        words("seed "),
        of(settings.seed.to_string()),
        words("  ·  "),
        of(format::grouped(entities)),
        words(if entities == 1 {
            " entity  ·  "
        } else {
            " entities  ·  "
        }),
        of(format::knob(&COST, knobs.get(&COST))),
        words(" per task  ·  "),
        of(format::number(hz)),
        words(" Hz display  ·  "),
        words(settings.frame_loop.name),
    ]
}
