//! The Loops view: one row for each frame loop, on a fast and a slow machine. Figures and sentences come from the loop
//! race; this folder measures nothing.

mod columns;
mod lane;
mod panel;

use super::layout::Layout;
use super::{UiContext, smaller, with_lag};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line;
use crate::app::panels::status_line::StatusLine;
use crate::app::state::command::Command;
use crate::app::state::{Flow, State};
use crate::app::widgets::buttons::{part_shown, too_small, warning};
use crate::app::widgets::projectile_track;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::app::widgets::wheel::first_shown;
use crate::experiment::loop_race::{LoopStats, Race, Side};
use crate::sim::machine::DISPLAY_HZ;
use crate::text::format;
use crate::text::rich::RichText;
use columns::Columns;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, CornerRadius, Galley, Id, Painter, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};
use timeslice::frame_loop::FrameLoopEntry;

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
const SIGNS: f32 = 600.0;
/// Width of the widest sign and the space after it.
const SIGN: f32 = 100.0;
/// Names of a lane's figures and the gap between figures, from the widest to the narrowest.
const NAMES: [(&[&str], f32); 4] = [
    (&["frames/s", "updates/frame", "ms step", "% busy"], 14.0),
    (&["fps", "updates", "ms", "% busy"], 10.0),
    (&["fps", "upd", "ms", "%"], 4.0),
    (&["fps", "upd", "ms"], 4.0),
];

/// Lays out the race and its panel.
pub fn show(ui: &mut Ui, layout: &Layout, state: &State, context: &mut UiContext<'_>) {
    let Some(race) = &state.loops.race else {
        return; // the race begins with the next frame
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
        status: &with_lag(state.experiment_clock.lags, &race.verdict()),
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
        if columns.names_above {
            name(&painter, card, entry);
        } else {
            words(&painter, card, entry, &summary);
        }
        for side in Side::BOTH {
            let cell = columns.cell(side, card);
            let stats = row.contestant(side).stats();
            figures(&painter, cell, stats.as_ref(), is_paused);
            lane::paint(&painter, cell, row.contestant(side));
        }
        if response.clicked() {
            answer.commands.push(Command::FrameLoop(entry));
        }
        tooltip::offer(&response, hover_text(entry, &summary));
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
        (true, _) => theme::CHOSEN_CARD,
        (false, true) => theme::RAISED,
        (false, false) => theme::BAR,
    };
    painter.rect_filled(card, corners, ground);
    if chosen {
        let edge = Stroke::new(1.0, theme::TEAL);
        painter.rect_stroke(card, corners, edge, StrokeKind::Inside);
    }
}

/// Returns the tooltip of a row: the whole summary, which may not fit into the row, and the loop's rule.
fn hover_text(entry: &FrameLoopEntry, summary: &RichText) -> String {
    let summary = if summary.clauses.is_empty() {
        String::new()
    } else {
        format!("{summary}\n\n")
    };
    format!(
        "{summary}{}: {}\n\nSource: {}\nClick to run it in Grid.",
        entry.name, entry.rule, entry.source
    )
}

/// Paints the loop's name.
fn name(painter: &Painter, card: Rect, entry: &FrameLoopEntry) {
    let at = pos2(card.left() + 16.0, card.top() + 18.0);
    let font = theme::text(13.5);
    painter.text(at, Align2::LEFT_CENTER, entry.name, font, theme::BRIGHT);
}

/// Paints the loop's code at the bottom of a row with room for it. Returns its top.
fn code(painter: &Painter, card: Rect, entry: &FrameLoopEntry) -> Option<f32> {
    let font = theme::mono(10.0);
    let galley = painter.layout_no_wrap(entry.code.to_owned(), font, theme::DIM);
    let top = card.bottom() - 9.0 - galley.size().y;
    (top - card.top() >= WITH_CODE).then(|| {
        painter.galley(pos2(card.left() + 16.0, top), galley, theme::DIM);
        top
    })
}

/// Paints the loop's name, its summary and its code.
fn words(painter: &Painter, card: Rect, entry: &FrameLoopEntry, summary: &RichText) {
    name(painter, card, entry);
    let left = card.left() + 16.0;
    let code = code(painter, card, entry);
    let room = card.height() - 36.0 - code.map_or(0.0, |code| card.bottom() - code);
    let wrap = TextWrapping {
        max_width: WORDS - 32.0,
        max_rows: (room / 16.0).max(1.0) as usize,
        ..TextWrapping::default()
    };
    let lay = |parts: usize| {
        let mut job = LayoutJob {
            wrap: wrap.clone(),
            ..LayoutJob::default()
        };
        status_line::add(&mut job, &summary.clauses[..parts], 12.0);
        painter.layout_job(job)
    };
    let fits = |galley: &Galley| !galley.elided;
    let galley = status_line::fitting(summary.clauses.len(), lay, fits).unwrap_or_else(|| {
        let format = egui::TextFormat::simple(theme::text(12.0), theme::DIM);
        let mut job = LayoutJob {
            wrap: wrap.clone(),
            ..LayoutJob::default()
        };
        job.append(entry.rule, 0.0, format);
        painter.layout_job(job)
    });
    painter.galley(pos2(left, card.top() + 32.0), galley, theme::TEXT);
    if summary.is_warning() {
        let at = pos2(card.left() + WORDS - 20.0, card.top() + 18.0);
        warning(painter, at, 4.0);
    }
}

/// Paints the projectile's error above the lane and the other figures below it.
fn figures(painter: &Painter, cell: Rect, stats: Option<&LoopStats>, is_paused: bool) {
    let above = cell.top() + 16.0;
    let Some(stats) = stats else {
        let at = pos2(cell.left(), above);
        let font = theme::text(12.0);
        let words = if is_paused { "paused" } else { "measuring" };
        painter.text(at, Align2::LEFT_CENTER, words, font, theme::DIM);
        return;
    };
    let (error, way) = format::lateness(stats.error_nanos);
    let left = pos2(cell.left(), above);
    let error = projectile_track::error(
        painter,
        left,
        Align2::LEFT_CENTER,
        stats.error_nanos,
        &error,
    );

    let ink = if stats.keeps_real_time() {
        theme::BRIGHT
    } else {
        theme::AMBER
    };
    let speed = format!("{:.2}×", stats.speed);
    let speed = painter.layout_no_wrap(speed, theme::mono(12.0), ink);
    let real_time = painter.layout_no_wrap("real time".to_owned(), theme::text(12.0), theme::DIM);
    let mut end = cell.right();
    let width = speed.size().x + 6.0 + real_time.size().x;
    if error.right() + 6.0 + width < end {
        end -= real_time.size().x;
        painter.galley(pos2(end, above - real_time.size().y / 2.0), real_time, ink);
        end -= 6.0;
    }
    end -= speed.size().x;
    painter.galley(pos2(end, above - speed.size().y / 2.0), speed, ink);
    end -= 6.0;
    // These words are optional, because the sign of the error means the same.
    let way = painter.layout_no_wrap(way.to_owned(), theme::text(12.0), theme::DIM);
    let at = pos2(error.right() + 8.0, above - way.size().y / 2.0);
    if at.x + way.size().x < end {
        painter.galley(at, way, theme::DIM);
    }

    let values = [
        format::number(stats.fps),
        format!("{:.2}", stats.updates),
        format::number(stats.step.as_millis_f64()),
        format!("{:.0}", stats.busy * 100.0),
    ];
    let rows = NAMES.map(|(names, gap)| {
        let mut job = LayoutJob::default();
        for (index, (value, name)) in values.iter().zip(names).enumerate() {
            let before = if index > 0 { gap } else { 0.0 };
            let format = |font, ink| egui::TextFormat {
                valign: egui::Align::Center,
                ..egui::TextFormat::simple(font, ink)
            };
            job.append(value, before, format(theme::mono(11.5), theme::BRIGHT));
            job.append(name, 4.0, format(theme::text(11.5), theme::DIM));
        }
        painter.layout_job(job)
    });
    let fits = rows.iter().find(|row| row.size().x <= cell.width());
    if let Some(row) = fits.or(rows.last()) {
        let at = pos2(cell.left(), cell.bottom() - 12.0 - row.size().y / 2.0);
        let inside = painter.with_clip_rect(cell.intersect(painter.clip_rect()));
        inside.galley(at, row.clone(), theme::DIM);
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
    use egui::{Event, Key};
    use std::collections::BTreeSet;
    use timeslice::frame_loop::FRAME_LOOPS;
    use timeslice::time::Nanos;

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

    #[test]
    fn the_tooltip_begins_with_the_whole_summary() {
        let mut race = Race::default();
        let entry = FRAME_LOOPS[0];
        let text = hover_text(entry, &race.rows()[0].summary());
        assert!(text.starts_with(entry.name), "{text}");
        race.advance(Nanos::from_secs(3));
        let summary = race.rows()[0].summary();
        assert!(summary.clauses.len() > 2);
        let text = hover_text(entry, &summary);
        assert!(text.starts_with(&summary.to_string()), "{text}");
        assert!(text.contains(entry.rule), "{text}");
    }
}
