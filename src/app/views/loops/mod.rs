//! The Loops view: one row for each frame loop, on a fast and a slow machine. Figures and sentences come from the loop
//! race; this folder measures nothing.

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
use egui::{Align2, CornerRadius, Id, Painter, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use headless::experiment::loop_race::{LoopRow, Race, Side};
use headless::sim::machine::DISPLAY_HZ;
use headless::text::format;
use timeslicer::frame_loop::FrameLoopEntry;
use words::Words;

const INSET: f32 = 16.0;
const GAP: f32 = 5.0;
const HEADER: f32 = 36.0;
const FOOTER: f32 = 30.0;
/// Width of a row's text.
const WORDS: f32 = 212.0;
/// Minimum height of a row and width of a lane.
const LEAST_ROW: f32 = 44.0;
const LEAST_COLUMN: f32 = 80.0;
/// Width of the signs and their meanings below the lanes.
const SIGNS: f32 = 740.0;
/// Width of the widest sign and the space after it.
const SIGN: f32 = 100.0;

/// If rows are narrower than this, their only text is the loop's name, in a line of height `NAME` above the lanes.
const WITH_WORDS: f32 = 560.0;
const NAME: f32 = 22.0;

pub fn show(ui: &mut Ui, layout: &Layout, state: &State, context: &mut UiContext<'_>) {
    let Some(race) = &state.loops.race else {
        return;
    };
    let hide = caps_of(Command::Panels);
    let rows = Rows {
        race,
        chosen: state.settings.frame_loop,
        is_paused: state.flow == Flow::Paused,
        hide: Some(hide).filter(|_| state.interface.panels),
        smaller: smaller(state.interface.scale),
    };
    rows.show(ui, layout.view, context.answer);
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
    panel::show(ui, layout.left, race, context.answer);
}

/// Columns of the rows: the words, and a lane for each machine.
struct Columns {
    left: f32,
    width: f32,
    /// True if rows are so narrow that only the loop's name fits, above the lanes.
    names_above: bool,
}

impl Columns {
    fn new(inner: Rect) -> Self {
        let names_above = inner.width() < WITH_WORDS;
        let left = inner.left() + if names_above { 14.0 } else { WORDS };
        let width = (inner.right() - left - 24.0 - 14.0) / 2.0;
        Self {
            left,
            width,
            names_above,
        }
    }

    fn above(&self) -> f32 {
        if self.names_above { NAME } else { 0.0 }
    }

    fn left(&self, side: Side) -> f32 {
        self.left + f32::from(side as u8) * (self.width + 24.0)
    }

    fn cell(&self, side: Side, card: Rect) -> Rect {
        let left = self.left(side);
        let top = card.top() + self.above();
        Rect::from_x_y_ranges(left..=left + self.width, top..=card.bottom())
    }
}

/// The rows of a race.
struct Rows<'a> {
    race: &'a Race,
    /// The Grid view's loop. Its row has an outline; a click on another row changes the loop.
    chosen: &'static FrameLoopEntry,
    is_paused: bool,
    /// Key that hides the panels, if they are shown.
    hide: Option<&'a str>,
    /// Key that reduces the text size, if the text is large.
    smaller: Option<&'a str>,
}

impl Rows<'_> {
    fn show(&self, ui: &Ui, rect: Rect, answer: &mut UiResponse) {
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::FLOOR);
        let inner = rect.shrink2(vec2(INSET, 0.0));
        let columns = Columns::new(inner);
        // If not all rows fit, as many as possible are shown, and the wheel scrolls.
        let free = inner.height() - HEADER - FOOTER;
        let rows = self.race.rows();
        let fitting = (free / (LEAST_ROW + columns.above() + GAP)).max(0.0) as usize;
        let fitting = fitting.min(rows.len());
        if columns.width < LEAST_COLUMN || fitting == 0 {
            too_small(&painter, rect, "the frame loops", self.hide, self.smaller);
            return;
        }
        let height = free / fitting as f32 - GAP;
        let first = first_shown(ui, rect, Id::new("first loop"), fitting, rows.len());
        header(&painter, inner, &columns, self.race);
        for (index, row) in rows[first..first + fitting].iter().enumerate() {
            let top = inner.top() + HEADER + index as f32 * (height + GAP);
            let card = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), height));
            self.show_row(ui, &painter, card, &columns, row, answer);
        }
        if fitting < rows.len() {
            let foot = inner.with_min_y(inner.bottom() - FOOTER);
            part_shown(
                &painter,
                foot,
                "loops",
                first,
                fitting,
                rows.len(),
                self.smaller,
            );
        } else {
            footer(&painter, inner, &columns);
        }
    }

    fn show_row(
        &self,
        ui: &Ui,
        painter: &Painter,
        card: Rect,
        columns: &Columns,
        row: &LoopRow,
        answer: &mut UiResponse,
    ) {
        let entry = row.entry;
        // Not `Sense::click()`: that can take the keyboard focus, which would not be visible here.
        let response = ui.interact(card, Id::new(("race", entry.key)), Sense::CLICK);
        answer.report(format!("race:{}", entry.key), card);
        frame(painter, card, entry == self.chosen, response.hovered());
        let words = Words::new(row);
        if columns.names_above {
            words.paint_in_a_line(painter, card);
        } else {
            words.paint(painter, card);
        }
        for side in Side::BOTH {
            let (cell, contestant) = (columns.cell(side, card), row.contestant(side));
            lane::figures(painter, cell, contestant.stats().as_ref(), self.is_paused);
            lane::paint(painter, cell, contestant);
        }
        if response.clicked() {
            answer.commands.push(Command::FrameLoop(entry));
        }
        tooltip::offer(&response, words.hover_text());
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
    use egui_kittest::Harness;
    use std::collections::BTreeSet;
    use timeslicer::frame_loop::FRAME_LOOPS;
    use timeslicer::time::Nanos;

    /// Opens a window with the rows of a race that has run for `millis`.
    fn rows(millis: u64, size: Vec2) -> Harness<'static, UiResponse> {
        let mut race = Race::default();
        race.advance(Nanos::from_millis(millis));
        window(size, move |ui, answer| {
            let rows = Rows {
                race: &race,
                chosen: FRAME_LOOPS[0],
                is_paused: false,
                hide: None,
                smaller: None,
            };
            rows.show(ui, ui.max_rect(), answer);
        })
    }

    #[test]
    fn rows_take_clicks_but_no_focus() {
        let mut window = rows(1_000, vec2(1280.0, 800.0));
        for entry in FRAME_LOOPS {
            window.press_key(Key::Tab);
            window.step();
            assert_eq!(window.ctx.memory(egui::Memory::focused), None);
            click(&mut window, &format!("race:{}", entry.key));
            let command = window.state().commands.last();
            assert_eq!(command, Some(&Command::FrameLoop(entry)));
        }
    }

    #[test]
    fn the_wheel_reaches_the_rows_that_do_not_fit() {
        let mut window = rows(0, vec2(427.0, 190.0));
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

    /// Returns all texts in the window with their places.
    fn texts(window: &Harness<'_, UiResponse>) -> Vec<(String, Rect)> {
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
            let texts = texts(&rows(millis, vec2(1028.0, 720.0)));
            let mut names = texts.iter().map(|(text, _)| text);
            assert_eq!(names.any(|it| it == "interpolated"), is_shown, "{millis}");
        }
    }

    #[test]
    fn directions_of_errors_overlap_no_text() {
        for width in (240..600).step_by(20) {
            let texts = texts(&rows(1_500, vec2(width as f32, 190.0)));
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
        for size in TOOLTIP_SIZES {
            let mut window = rows(1_000, size);
            let rows = window.state().controls.len();
            assert_eq!(check_tooltips(&mut window), rows, "{size}");
        }
    }
}
