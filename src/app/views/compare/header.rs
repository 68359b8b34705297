//! The line above the cards: settings shared by all lanes, and the legend.

use super::{CompareDisplay, HEADER};
use crate::app::input::bindings::{Binding, caps_of};
use crate::app::panels::staleness_legend;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{line, line_width, warning};
use crate::app::widgets::theme;
use crate::experiment::comparison::Comparison;
use crate::sim::disturbance::SLOW_HZ;
use crate::sim::machine::DISPLAY_HZ;
use crate::sim::settings::Settings;
use crate::sim::world::{COST, ENTITIES};
use crate::text::format;
use egui::{Align2, Color32, Painter, Pos2, Rect, pos2, vec2};

/// Size of the text.
const POINTS: f32 = 12.0;
/// Space between two parts of the line.
const GAP: f32 = 20.0;
/// Width of the legend of the marks.
const MARKS: f32 = 214.0;

/// Shows the line at the top of `inner`: a warning if the frame loop spoils the comparison, as many settings as fit,
/// and as many legends as fit.
pub fn show(painter: &Painter, inner: Rect, comparison: &Comparison, display: CompareDisplay<'_>) {
    let y = inner.top() + HEADER / 2.0;
    let right = if display.staleness {
        // The legend of the colours matters more than the legend of the marks.
        staleness_legend::line(painter, pos2(inner.right(), y)) - GAP
    } else {
        inner.right()
    };
    let mut left = inner.left();
    if comparison.speed_follows_machine() {
        let settings = comparison.settings();
        let key = caps_of(display.bindings, Command::StepFrameLoop(1));
        left = loop_warning(painter, pos2(left, y), right, settings, key) + GAP;
    }
    let settings = shared_settings(comparison);
    let fits =
        |count: &usize| left + line_width(painter, &parts(&settings[..*count]), POINTS) <= right;
    let count = (0..=settings.len()).rev().find(fits).unwrap_or(0);
    let end = line(painter, pos2(left, y), &parts(&settings[..count]), POINTS);
    let room = if display.staleness {
        right
    } else {
        right - MARKS - GAP
    };
    let end = counted_disturbance(painter, pos2(end, y), room, comparison, display.bindings);
    if end + GAP <= right - MARKS {
        marks(painter, pos2(right - MARKS, y));
    }
}

/// Warns that the frame loop makes the speed of the game depend on the load, and names the key of the next loop. If
/// there is little room left of `right`, leaves out the reason. Returns the right end.
fn loop_warning(painter: &Painter, at: Pos2, right: f32, settings: &Settings, key: &str) -> f32 {
    let name = settings.frame_loop.name;
    let whole = format!(
        "{name}: lanes with less work run more of the game per second (press {key} for another loop)"
    );
    let short = format!("{name}: game speed follows the load (press {key})");
    let lay = |words: String| painter.layout_no_wrap(words, theme::text(POINTS), theme::AMBER);
    warning(painter, at + vec2(5.0, 0.0), 4.5);
    let left = at.x + 14.0;
    let galley = Some(lay(whole)).filter(|whole| left + whole.size().x <= right);
    let galley = galley.unwrap_or_else(|| lay(short));
    let end = left + galley.size().x;
    let top = at.y - galley.size().y / 2.0;
    painter.galley(pos2(left, top), galley, theme::AMBER);
    end
}

/// Paints the legend of the marks, its left end at `at`.
fn marks(painter: &Painter, at: Pos2) {
    painter.circle_filled(at, 4.0, theme::TEAL);
    let font = theme::text(POINTS);
    let best = at + vec2(9.0, 0.0);
    painter.text(best, Align2::LEFT_CENTER, "best", font.clone(), theme::DIM);
    warning(painter, at + vec2(52.0, 0.0), 4.0);
    let words = "worst · click a name to sort";
    let worst = at + vec2(61.0, 0.0);
    painter.text(worst, Align2::LEFT_CENTER, words, font, theme::DIM);
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
    let galley = painter.layout_no_wrap(words, theme::text(POINTS), theme::AMBER);
    let end = at.x + galley.size().x;
    if end > room {
        return at.x;
    }
    let top = at.y - galley.size().y / 2.0;
    painter.galley(pos2(at.x, top), galley, theme::AMBER);
    end
}

/// A setting: its words, and true for those that are figures.
type Setting = Vec<(String, bool)>;

/// Returns the settings that all lanes share, the most important first.
fn shared_settings(comparison: &Comparison) -> Vec<Setting> {
    let (settings, knobs) = (comparison.settings(), comparison.knobs());
    let words = |words: &str| (words.to_owned(), false);
    let figure = |text: String| (text, true);
    let entities = knobs.get(&ENTITIES) as u64;
    let hz = knobs.get(&DISPLAY_HZ);
    let hz = if comparison.has_slow_display() {
        hz.min(SLOW_HZ)
    } else {
        hz
    };
    let count = figure(format::grouped(entities));
    let entity = words(if entities == 1 {
        " entity"
    } else {
        " entities"
    });
    let cost = figure(format::knob(&COST, knobs.get(&COST)));
    let mut all = vec![vec![count, entity], vec![cost, words(" per task")]];
    if !comparison.speed_follows_machine() {
        all.push(vec![words(settings.frame_loop.name)]); // else the warning names it
    }
    all.push(vec![figure(format::number(hz)), words(" Hz display")]);
    all.push(vec![words("seed "), figure(settings.seed.to_string())]);
    all
}

/// Returns the parts of a line: the settings with points between them.
fn parts(settings: &[Setting]) -> Vec<(&str, bool, Color32)> {
    let mut parts = Vec::new();
    for setting in settings {
        if !parts.is_empty() {
            parts.push(("  ·  ", false, theme::DIM));
        }
        for (text, is_figure) in setting {
            let ink = if *is_figure {
                theme::BRIGHT
            } else {
                theme::DIM
            };
            parts.push((text.as_str(), *is_figure, ink));
        }
    }
    parts
}
