//! The view of all frame loops: each in a row, on a fast machine and on a slow one.

mod lane;
mod panel;

pub use panel::show as show_panel;

use super::answer::Answer;
use super::command::Command;
use super::sentence_line;
use super::theme;
use super::widgets::warning;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, CornerRadius, Id, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2,
    vec2,
};
use timeslice_lab::figure;
use timeslice_lab::frame_loop::FrameLoopEntry;
use timeslice_lab::machine::DISPLAY_HZ;
use timeslice_lab::race::{Facts, Race, Row, Side};
use timeslice_lab::time::Nanos;

const INSET: f32 = 16.0;
const GAP: f32 = 5.0;
const HEADER: f32 = 36.0;
const FOOTER: f32 = 30.0;
/// Width of a row's words, and what a row needs to be of use.
const WORDS: f32 = 212.0;
const LEAST_ROW: f32 = 44.0;
/// The picture of a loop that is further from true time than this is wrong.
const NOTICED: i64 = 100_000_000;

/// Shows the race in `rect`; the loop that the main view runs is framed, and a click chooses another.
pub fn show(
    ui: &Ui,
    rect: Rect,
    race: &Race,
    chosen: &'static FrameLoopEntry,
    answer: &mut Answer,
) {
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::FLOOR);
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let rows = race.rows().len() as f32;
    let height = (inner.height() - HEADER - FOOTER) / rows - GAP;
    if inner.width() < 420.0 || height < LEAST_ROW {
        let font = theme::text(13.0);
        let words = "a larger window shows the loops";
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            words,
            font,
            theme::DIM,
        );
        return;
    }
    let columns = Columns::new(inner);
    header(&painter, inner, &columns, race);
    for (index, row) in race.rows().iter().enumerate() {
        let top = inner.top() + HEADER + index as f32 * (height + GAP);
        let card = Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), height));
        let response = ui.interact(card, Id::new(("race", index)), Sense::click());
        answer.stands(format!("race:{}", row.entry.key), card);
        let is_chosen = row.entry.key == chosen.key;
        frame(&painter, card, is_chosen, response.hovered());
        words(&painter, card, row);
        for side in Side::BOTH {
            let cell = columns.cell(side, card);
            let facts = row.runner(side).facts();
            figures(&painter, cell, facts.as_ref());
            lane::paint(&painter, cell, row.runner(side));
        }
        if response.clicked() {
            answer.commands.push(Command::FrameLoop(index));
        }
        let entry = row.entry;
        response.on_hover_text(format!(
            "{}: {}\n\nFrom {}.\nA click lets the main view run it.",
            entry.name, entry.rule, entry.source
        ));
    }
    footer(&painter, inner, &columns);
}

/// Where the two machines' columns stand.
struct Columns {
    left: f32,
    width: f32,
}

impl Columns {
    fn new(inner: Rect) -> Self {
        let left = inner.left() + WORDS;
        let width = (inner.right() - left - 24.0 - 14.0) / 2.0;
        Self { left, width }
    }

    fn left(&self, side: Side) -> f32 {
        self.left + f32::from(side as u8) * (self.width + 24.0)
    }

    fn cell(&self, side: Side, card: Rect) -> Rect {
        let left = self.left(side);
        Rect::from_x_y_ranges(left..=left + self.width, card.y_range())
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
    head(inner.left() + 16.0, "Loop");
    for (side, name) in [(Side::Fast, "Fast machine"), (Side::Slow, "Slow machine")] {
        let end = head(columns.left(side), name).right() + 12.0;
        let hz = figure::number(race.knob(side, &DISPLAY_HZ));
        let about = format!("{hz} Hz display");
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

/// The loop's name, and what there is to learn from it.
fn words(painter: &Painter, card: Rect, row: &Row) {
    let left = card.left() + 16.0;
    let room = WORDS - 32.0;
    let name = pos2(left, card.top() + 18.0);
    let font = theme::text(13.5);
    painter.text(
        name,
        Align2::LEFT_CENTER,
        row.entry.name,
        font,
        theme::BRIGHT,
    );
    let lesson = row.lesson();
    let mut job = LayoutJob {
        wrap: TextWrapping {
            max_width: room,
            max_rows: ((card.height() - 36.0) / 16.0).max(1.0) as usize,
            ..TextWrapping::default()
        },
        ..LayoutJob::default()
    };
    if lesson.parts.is_empty() {
        let format = egui::TextFormat::simple(theme::text(12.0), theme::DIM);
        job.append(row.entry.rule, 0.0, format);
    } else {
        sentence_line::add(&mut job, &lesson.parts, 12.0);
    }
    let galley = painter.layout_job(job);
    painter.galley(pos2(left, card.top() + 32.0), galley, theme::TEXT);
    if lesson.is_warning() {
        warning(
            painter,
            pos2(card.left() + WORDS - 20.0, card.top() + 18.0),
            4.0,
        );
    }
}

/// How far the picture is from true time above the lane, the rest below it.
fn figures(painter: &Painter, cell: Rect, facts: Option<&Facts>) {
    let above = cell.top() + 16.0;
    let Some(facts) = facts else {
        let at = pos2(cell.left(), above);
        let font = theme::text(12.0);
        painter.text(at, Align2::LEFT_CENTER, "measuring", font, theme::DIM);
        return;
    };
    let wrong = facts.error_nanos.abs() > NOTICED;
    let mut left = cell.left();
    if wrong {
        warning(painter, pos2(left + 5.0, above), 4.5);
        left += 15.0;
    }
    let ink = if wrong { theme::AMBER } else { theme::BRIGHT };
    let (error, way) = error_text(facts.error_nanos);
    let error = text(painter, pos2(left, above), &error, theme::mono(12.0), ink);
    let at = pos2(error.right() + 8.0, above);
    text(painter, at, way, theme::text(12.0), theme::DIM);

    let speed = format!("{:.2}×", facts.speed);
    let ink = if facts.keeps_real_time() {
        theme::BRIGHT
    } else {
        theme::AMBER
    };
    let right = [(speed, ink, "real time")];
    let mut x = cell.right();
    for (value, ink, name) in right {
        let name = painter.layout_no_wrap(name.to_owned(), theme::text(12.0), theme::DIM);
        x -= name.size().x;
        painter.galley(pos2(x, above - name.size().y / 2.0), name, theme::DIM);
        let value = painter.layout_no_wrap(value, theme::mono(12.0), ink);
        x -= value.size().x + 6.0;
        painter.galley(pos2(x, above - value.size().y / 2.0), value, ink);
    }

    let below = cell.bottom() - 12.0;
    let step = figure::number(facts.step.as_millis_f64());
    let fps = figure::number(facts.fps);
    let busy = format!("{:.0}", facts.busy * 100.0);
    let updates = format!("{:.2}", facts.updates);
    let mut x = cell.left();
    for (value, name) in [
        (fps, "pictures/s"),
        (updates, "updates each"),
        (step, "ms a step"),
        (busy, "% busy"),
    ] {
        let value = text(
            painter,
            pos2(x, below),
            &value,
            theme::mono(11.5),
            theme::BRIGHT,
        );
        let at = pos2(value.right() + 5.0, below);
        let name = text(painter, at, name, theme::text(11.5), theme::DIM);
        x = name.right() + 14.0;
    }
}

/// A position error in words: `-377 ms`, `behind true time`.
fn error_text(nanos: i64) -> (String, &'static str) {
    let size = Nanos::from_nanos(nanos.unsigned_abs());
    let millis = if size < Nanos::from_millis(10) {
        format!("{:.1}", size.as_millis_f64())
    } else {
        figure::number(size.as_millis_f64().round())
    };
    match nanos {
        _ if millis == "0.0" => ("0 ms".to_owned(), "from true time"),
        1.. => (format!("+{millis} ms"), "ahead of true time"),
        _ => (format!("-{millis} ms"), "behind true time"),
    }
}

fn text(painter: &Painter, left: Pos2, words: &str, font: egui::FontId, ink: Color32) -> Rect {
    painter.text(left, Align2::LEFT_CENTER, words, font, ink)
}

/// What the signs mean.
fn footer(painter: &Painter, inner: Rect, columns: &Columns) {
    let y = inner.bottom() - FOOTER / 2.0;
    let mut x = columns.left;
    let clip = painter.with_clip_rect(inner);
    for (sign, meaning) in lane::SIGNS {
        let end = sign(&clip, pos2(x, y));
        let at = pos2(end + 7.0, y);
        x = text(&clip, at, meaning, theme::text(12.0), theme::DIM).right() + 20.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_by_how_much_and_which_way() {
        let of = |nanos| {
            let (error, way) = error_text(nanos);
            format!("{error} {way}")
        };
        assert_eq!(of(0), "0 ms from true time");
        assert_eq!(of(-49_000), "0 ms from true time");
        assert_eq!(of(-377_400_000), "-377 ms behind true time");
        assert_eq!(of(9_960_000), "+10.0 ms ahead of true time");
        assert_eq!(of(1_500_000_000), "+1,500 ms ahead of true time");
    }
}
