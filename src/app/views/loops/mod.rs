//! The Loops view: one row for each frame loop, on a fast and a slow machine. Figures and sentences come from the loop
//! race; this folder measures nothing.

mod columns;
mod figures;
mod lane;
mod panel;
mod words;

use super::layout::Layout;
use super::{UiContext, smaller, with_lag};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line::StatusLine;
use crate::app::state::command::Command;
use crate::app::state::{Flow, State};
use crate::app::widgets::buttons::{part_shown, too_small};
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::app::widgets::wheel::first_shown;
use columns::Columns;
use egui::{Align2, CornerRadius, Id, Painter, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use headless::experiment::loop_race::{Race, Side};
use headless::sim::machine::DISPLAY_HZ;
use headless::text::format;
use timeslicer::frame_loop::FrameLoopEntry;
use words::Words;

const INSET: f32 = 16.0;
const GAP: f32 = 5.0;
const HEADER: f32 = 36.0;
const FOOTER: f32 = 30.0;
/// A row shows its loop's code if this height is left above the code.
const WITH_CODE: f32 = 82.0;

/// Width of a row's text.
const WORDS: f32 = 212.0;
/// Minimum height of a row and width of a lane.
const LEAST_ROW: f32 = 44.0;
const LEAST_COLUMN: f32 = 80.0;
/// Width of the signs and their meanings below the lanes.
const SIGNS: f32 = 740.0;
/// Width of the widest sign and the space after it.
const SIGN: f32 = 100.0;
/// Lays out the race and its panel.
pub fn show(ui: &mut Ui, layout: &Layout, state: &State, context: &mut UiContext<'_>) {
    let Some(race) = &state.loops.race else {
        return;
    };
    let bindings = context.bindings;
    let hide = caps_of(bindings, Command::Panels);
    let hide = Some(hide).filter(|_| state.interface.panels);
    let keys = [hide, smaller(state.interface.scale, bindings)];
    let chosen = state.settings.frame_loop;
    let is_paused = state.flow == Flow::Paused;
    show_rows(
        ui,
        layout.view,
        race,
        chosen,
        is_paused,
        keys,
        context.answer,
    );
    if !state.interface.panels {
        return;
    }
    let line = StatusLine {
        subject: "Frame loops",
        status: &with_lag(&state.experiment_clock, &race.verdict()),
        explanation: "Figures cover the last second of simulated time.".to_owned(),
        clock: format::time(race.time().as_secs_f64()),
        simulated: true,
        clock_steps: None,
    };
    line.show(ui, layout.status);
    panel::show(ui, layout.left, race, bindings, context.answer);
}

/// Shows the race in `rect`. The Grid view's loop has an outline. A click on another row changes the loop. `hide` is
/// the key that hides the panels, if they are shown. `smaller` is the key that reduces the text size, if the text is
/// large.
fn show_rows(
    ui: &Ui,
    rect: Rect,
    race: &Race,
    chosen: &'static FrameLoopEntry,
    is_paused: bool,
    [hide, smaller]: [Option<&str>; 2],
    answer: &mut UiResponse,
) {
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::FLOOR);
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let columns = Columns::new(inner);
    // If not all rows fit, as many as possible are shown, and the wheel scrolls.
    let free = inner.height() - HEADER - FOOTER;
    let rows = race.rows().len();
    let fitting = (free / (columns.beside(LEAST_ROW) + GAP)).max(0.0) as usize;
    let fitting = fitting.min(rows);
    if columns.width < LEAST_COLUMN || fitting == 0 {
        too_small(&painter, rect, "the frame loops", hide, smaller);
        return;
    }
    let height = free / fitting as f32 - GAP;
    let first = first_shown(ui, rect, Id::new("first loop"), fitting, rows);
    header(&painter, inner, &columns, race);
    for (index, row) in race.rows()[first..first + fitting].iter().enumerate() {
        let entry = row.entry;
        let top = inner.top() + HEADER + index as f32 * (height + GAP);
        let card = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), height));
        // Not `Sense::click()`: that can take the keyboard focus, which would not be visible here.
        let response = ui.interact(card, Id::new(("race", entry.key)), Sense::CLICK);
        answer.report(format!("race:{}", entry.key), card);
        let is_chosen = entry == chosen;
        frame(&painter, card, is_chosen, response.hovered());
        let summary = row.summary();
        let words = Words {
            entry,
            summary: &summary,
            reproducible: row.is_reproducible(),
        };
        if columns.names_above {
            words.paint_in_a_line(&painter, card);
        } else {
            words.paint(&painter, card);
        }
        for side in Side::BOTH {
            let cell = columns.cell(side, card);
            let stats = row.contestant(side).stats();
            figures::paint(&painter, cell, stats.as_ref(), is_paused);
            lane::paint(&painter, cell, row.contestant(side));
        }
        if response.clicked() {
            answer.commands.push(Command::FrameLoop(entry));
        }
        tooltip::offer(&response, words.hover_text());
    }
    if fitting < rows {
        let foot = inner.with_min_y(inner.bottom() - FOOTER);
        part_shown(&painter, foot, "loops", first, fitting, rows, smaller);
    } else {
        footer(&painter, inner, &columns);
    }
}

fn header(painter: &Painter, inner: Rect, columns: &Columns, race: &Race) {
    let y = inner.top() + HEADER / 2.0 + 2.0;
    let head = |x: f32, text: &str| {
        let at = pos2(x, y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            text,
            theme::text(14.0),
            theme::BRIGHT,
        )
    };
    if !columns.names_above {
        head(inner.left() + 16.0, "Loop");
        let at = pos2(inner.left() + words::RIGHT, y);
        let font = theme::text(12.0);
        painter.text(at, Align2::RIGHT_CENTER, words::COLUMN, font, theme::DIM);
    }
    for (side, name) in [(Side::Fast, "Fast machine"), (Side::Slow, "Slow machine")] {
        let end = head(columns.left(side), name).right() + 12.0;
        let hz = format::number(race.knob(side, &DISPLAY_HZ));
        let about = if columns.names_above {
            format!("{hz} Hz")
        } else {
            format!("{hz} Hz display")
        };
        let font = theme::text(12.0);
        painter.text(pos2(end, y), Align2::LEFT_CENTER, about, font, theme::DIM);
    }
}

fn frame(painter: &Painter, card: Rect, chosen: bool, hovered: bool) {
    let corners = CornerRadius::same(8);
    let ground = match (chosen, hovered) {
        (true, _) => theme::CHOSEN_ROW,
        (false, true) => theme::RAISED,
        (false, false) => theme::BAR,
    };
    painter.rect_filled(card, corners, ground);
    if chosen {
        let edge = Stroke::new(1.0, theme::TEAL);
        painter.rect_stroke(card, corners, edge, StrokeKind::Inside);
    }
}

/// Paints the signs and their meaning.
fn footer(painter: &Painter, inner: Rect, columns: &Columns) {
    let y = inner.bottom() - FOOTER / 2.0;
    let mut x = if inner.right() - columns.left < SIGNS {
        inner.left() + 16.0
    } else {
        columns.left
    };
    let clip = painter.with_clip_rect(inner);
    for (sign, meaning) in lane::SIGNS {
        let words = clip.layout_no_wrap(meaning.to_owned(), theme::text(12.0), theme::DIM);
        if x + SIGN + words.size().x > inner.right() {
            break; // do not cut words
        }
        let end = sign(&clip, pos2(x, y));
        let at = pos2(end + 7.0, y - words.size().y / 2.0);
        x = at.x + words.size().x + 20.0;
        clip.galley(at, words, theme::DIM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::views::tests::{TOOLTIP_SIZES, check_tooltips, click, window};
    use egui::{Event, Key, Vec2};
    use std::collections::BTreeSet;
    use timeslicer::frame_loop::FRAME_LOOPS;
    use timeslicer::time::Nanos;

    #[test]
    fn rows_take_clicks_but_no_focus() {
        let mut race = Race::default();
        race.advance(Nanos::from_secs(1));
        let chosen = FRAME_LOOPS[0];
        let mut window = window(vec2(1280.0, 800.0), |ui, answer| {
            let rect = ui.max_rect();
            show_rows(ui, rect, &race, chosen, false, [None, None], answer);
        });
        for _ in 0..FRAME_LOOPS.len() {
            window.press_key(Key::Tab);
            window.step();
            assert_eq!(window.ctx.memory(egui::Memory::focused), None);
        }
        for entry in FRAME_LOOPS {
            let name = format!("race:{}", entry.key);
            click(&mut window, &name);
            assert_eq!(
                window.state().commands.last(),
                Some(&Command::FrameLoop(entry))
            );
        }
    }

    #[test]
    fn the_wheel_reaches_the_rows_that_do_not_fit() {
        let race = Race::default();
        let size = vec2(427.0, 190.0);
        let mut window = window(size, |ui, answer| {
            let rect = ui.max_rect();
            show_rows(ui, rect, &race, FRAME_LOOPS[0], false, [None, None], answer);
        });
        let mut seen = BTreeSet::new();
        for _ in FRAME_LOOPS {
            seen.extend(window.state().controls.iter().map(|it| it.name.clone()));
            let wheel = Event::MouseWheel {
                unit: egui::MouseWheelUnit::Line,
                delta: vec2(0.0, -1.0),
                modifiers: egui::Modifiers::NONE,
            };
            let moved = Event::PointerMoved(pos2(200.0, 100.0));
            window.input_mut().events.extend([moved, wheel]);
            window.step();
        }
        assert_eq!(seen.len(), FRAME_LOOPS.len(), "{seen:?}");
    }

    /// Shows the rows of a race that has run for `time`. Returns all texts with their places.
    fn texts(time: Nanos, size: Vec2) -> Vec<(String, Rect)> {
        let mut race = Race::default();
        race.advance(time);
        let window = window(size, |ui, answer| {
            let rect = ui.max_rect();
            show_rows(ui, rect, &race, FRAME_LOOPS[0], false, [None, None], answer);
        });
        let shapes = window.output().shapes.iter();
        let text = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => {
                Some((text.galley.text().to_owned(), text.visual_bounding_rect()))
            }
            _ => None,
        };
        shapes.filter_map(text).collect()
    }

    #[test]
    fn names_of_tracks_give_way_to_the_projectile() {
        for (millis, is_shown) in [(1_200, true), (1_850, false)] {
            let texts = texts(Nanos::from_millis(millis), vec2(1028.0, 720.0));
            let mut names = texts.iter().map(|(text, _)| text);
            assert_eq!(names.any(|it| it == "interpolated"), is_shown, "{millis}");
        }
    }

    #[test]
    fn directions_of_errors_overlap_no_text() {
        for width in (240..600).step_by(20) {
            let texts = texts(Nanos::from_millis(1_500), vec2(width as f32, 190.0));
            for (index, (text, place)) in texts.iter().enumerate() {
                if !(text.starts_with("ahead") || text.starts_with("behind")) {
                    continue;
                }
                for (other, (words, at)) in texts.iter().enumerate() {
                    let overlap = index != other && place.intersects(*at);
                    assert!(!overlap, "{width}: {text} and {words}");
                }
            }
        }
    }

    #[test]
    fn no_tooltip_covers_its_row() {
        let mut race = Race::default();
        race.advance(Nanos::from_secs(1));
        for size in TOOLTIP_SIZES {
            let mut window = window(size, |ui, answer| {
                let rect = ui.max_rect();
                show_rows(ui, rect, &race, FRAME_LOOPS[0], false, [None, None], answer);
            });
            let rows = window.state().controls.len();
            assert_eq!(check_tooltips(&mut window), rows, "{size}");
        }
    }
}
