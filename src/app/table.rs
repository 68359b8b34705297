//! The table at the lower right: what the last frames were like, in figures.

use super::theme;
use super::widgets::warning;
use egui::{Align2, Color32, CornerRadius, Id, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2};
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::Machine;
use timeslice_lab::observe::table::LENGTHS_TIP;
use timeslice_lab::observe::{Cell, FigureTable, History, Observed, RECENTLY};
use timeslice_lab::time::Nanos;

/// Figures stand still for so long, that they can be read.
const STANDS_FOR: Nanos = Nanos::from_millis(250);
/// Room at the left and at the right.
const INSET: f32 = 16.0;
/// From the top to the first row, and from a row to the next.
const ROWS: f32 = 95.0;
const ROW: f32 = 20.0;

/// The table, which is made anew four times a second.
#[derive(Default)]
pub struct Table {
    content: Option<FigureTable>,
    /// When that was.
    made: Nanos,
    /// The lane's epoch, the last frame, and the first one after the last change, as they were then.
    of: (u64, u64, u64),
}

impl Table {
    /// Shows it in `rect`, if it has any extent. `stands` is whether game time does: then nothing changes
    /// but by a step.
    pub fn show<M: Machine>(
        &mut self,
        ui: &Ui,
        rect: Rect,
        lane: &Lane<M>,
        history: &History,
        stands: bool,
        clock: Nanos,
    ) {
        if rect.width() < 1.0 || rect.height() < 1.0 {
            return;
        }
        self.refresh(lane, history, stands, clock);
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        let edge = Stroke::new(1.0, theme::LINE);
        painter.hline(rect.x_range(), rect.top() + 0.5, edge);
        let divider = rect.top() + 14.0..=rect.bottom() - 14.0;
        painter.vline(rect.left() + 0.5, divider, edge);
        if let Some(content) = &self.content {
            show(content, ui, &painter, rect);
        }
    }

    fn refresh<M: Machine>(
        &mut self,
        lane: &Lane<M>,
        history: &History,
        stands: bool,
        clock: Nanos,
    ) {
        let of = (
            history.epoch(),
            lane.last_frame().number,
            history.changed_at(),
        );
        let (epoch, frame, changed) = self.of;
        let news = of != self.of || lane.frames() == 0;
        let at_once = (stands && frame != of.1) || (epoch, changed) != (of.0, of.2);
        if self.content.is_some() && !(news && at_once) && clock - self.made < STANDS_FOR {
            return;
        }
        let seen = Observed::of(lane, history, RECENTLY);
        self.content = Some(FigureTable::of(&seen));
        self.made = clock;
        self.of = of;
    }
}

fn show(table: &FigureTable, ui: &Ui, painter: &Painter, rect: Rect) {
    let (left, right) = (rect.left() + INSET, rect.right() - INSET - 2.0);
    let label = |y: f32, text: &str, ink| {
        let at = pos2(left, y);
        painter.text(at, Align2::LEFT_CENTER, text, theme::text(12.5), ink)
    };
    label(rect.top() + 19.0, &table.caption, theme::DIM);

    // Frame lengths: a small table of its own.
    let (heads, figures) = (rect.top() + 50.0, rect.top() + 67.0);
    if figures + 10.0 > rect.bottom() {
        return;
    }
    let font = theme::text(11.5);
    painter.text(
        pos2(left, heads),
        Align2::LEFT_CENTER,
        "frame ms",
        font,
        theme::TEXT,
    );
    let column = (right - left - 54.0) / 4.0;
    for (index, (name, cell)) in (1..).zip(&table.lengths) {
        let x = right - (table.lengths.len() as f32 - index as f32) * column;
        let head = theme::text(11.0);
        painter.text(pos2(x, heads), Align2::RIGHT_CENTER, name, head, theme::DIM);
        // No room for the triangle before the figure: it stands beside the column's head.
        paint_figure(painter, pos2(x, figures), cell, false);
        if matches!(cell, Cell::Wrong(_)) {
            warning(painter, pos2(x - 26.0, heads), 3.5);
        }
    }
    let area = Rect::from_x_y_ranges(left..=right, heads - 9.0..=figures + 9.0);
    tip(ui, area, "lengths", LENGTHS_TIP);
    painter.hline(
        left..=right,
        rect.top() + 81.5,
        Stroke::new(1.0, theme::LINE),
    );

    for (index, row) in table.rows.iter().enumerate() {
        let y = rect.top() + ROWS + index as f32 * ROW;
        if y + ROW / 2.0 > rect.bottom() {
            break;
        }
        label(y, row.label, theme::TEXT);
        paint_figure(painter, pos2(right, y), &row.cell, true);
        let area = Rect::from_x_y_ranges(left..=right, y - ROW / 2.0..=y + ROW / 2.0);
        tip(ui, area, row.label, row.tip);
    }
}

fn tip(ui: &Ui, area: Rect, name: &str, words: &str) {
    ui.interact(area, Id::new(("table", name)), Sense::hover())
        .on_hover_text(words);
}

fn paint_figure(painter: &Painter, right: Pos2, cell: &Cell, marked: bool) {
    let font = theme::mono(12.0);
    let place = painter.text(right, Align2::RIGHT_CENTER, cell.text(), font, ink(cell));
    if marked && matches!(cell, Cell::Wrong(_)) {
        warning(painter, pos2(place.left() - 9.0, right.y), 4.0);
    }
}

fn ink(cell: &Cell) -> Color32 {
    match cell {
        Cell::Nothing => theme::DIM,
        Cell::Fine(_) => theme::BRIGHT,
        Cell::Wrong(_) => theme::AMBER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslice_lab::knob::KnobValues;
    use timeslice_lab::machine::Simulated;
    use timeslice_lab::settings::Settings;
    use timeslice_lab::world::{COST, ENTITIES};

    #[test]
    fn figures_stand_long_enough_to_be_read_but_never_outlive_a_change() {
        let settings = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 10.0), (&COST, 0.0)]),
            ..Settings::default()
        };
        let mut lane = Lane::new(settings.clone(), Simulated::new(&settings.knobs));
        let mut history = History::default();
        let mut table = Table::default();
        let mut caption_after = |frames: u64, change: bool, at_ms: u64, stands: bool| {
            for _ in 0..frames {
                let record = lane.frame().clone();
                let past = history.begin(&lane);
                history.end(past, record);
                if change {
                    history.change(lane.frames(), lane.now());
                }
            }
            table.refresh(&lane, &history, stands, Nanos::from_millis(at_ms));
            table.content.clone().unwrap().caption
        };
        assert_eq!(caption_after(1, false, 1, false), "last 1 frame");
        assert_eq!(caption_after(5, false, 90, false), "last 1 frame");
        assert_eq!(caption_after(5, false, 260, false), "last 11 frames");
        assert_eq!(caption_after(1, false, 270, true), "last 12 frames");
        let changed = caption_after(1, true, 280, false);
        assert_eq!(changed, "none since change");
        assert_eq!(caption_after(2, false, 290, false), changed, "it stands");
        let caption = caption_after(1, false, 600, false);
        assert_eq!(caption, "3 since change");
    }
}
