//! The timeline: rows are entities, columns frames, and a red cell is a run. The picture of the articles,
//! live.

use super::theme;
use egui::{
    Align2, CornerRadius, Id, Mesh, Painter, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};
use std::collections::VecDeque;
use timeslice_lab::figure::{self, counted};
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::Machine;
use timeslice_lab::observe::story::name;
use timeslice_lab::observe::{History, PastFrame};
use timeslice_lab::scheduler::TaskId;
use timeslice_lab::time::Nanos;

/// Width of a frame's column, and height of an entity's row, in points.
const CELL: egui::Vec2 = vec2(6.0, 5.5);
/// Room for the names at the left, and at the right.
const LEFT: f32 = 60.0;
const RIGHT: f32 = 18.0;
/// Room for the heading and the totals above, and for the axis below.
const ABOVE: f32 = 54.0;
const BELOW: f32 = 24.0;
/// A frame's cells are the bits of one word.
const MOST_ROWS: u32 = 64;

/// Which rows are shown, and the cells of the frames seen so far: a frame is looked through once, not in
/// every picture.
#[derive(Debug, Default)]
pub struct Timeline {
    first: u32,
    rows: u32,
    cells: VecDeque<(u64, u64)>,
}

impl Timeline {
    /// Shows the timeline in `rect`; the pinned entity's row stays in sight.
    pub fn show<M: Machine>(
        &mut self,
        ui: &Ui,
        rect: Rect,
        lane: &Lane<M>,
        history: &History,
        pinned: Option<TaskId>,
    ) {
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        let edge = Stroke::new(1.0, theme::LINE);
        painter.hline(rect.x_range(), rect.top() + 0.5, edge);
        let width = ((rect.width() - LEFT - RIGHT) / CELL.x).floor().max(0.0);
        let height = ((rect.height() - ABOVE - BELOW) / CELL.y).floor();
        if width < 10.0 || height < 3.0 {
            return;
        }
        let places = lane.world().tasks().end();
        let scrolled = ui.ctx().input(|input| {
            let over = input
                .pointer
                .hover_pos()
                .is_some_and(|at| rect.contains(at));
            if over {
                -input.smooth_scroll_delta.y / CELL.y
            } else {
                0.0
            }
        });
        let pinned = pinned.filter(|&task| lane.world().tasks().contains(task));
        let first = (self.first as f32 + scrolled).max(0.0) as u32;
        self.look_at(
            first,
            (height as u32).min(MOST_ROWS),
            places,
            pinned.map(|task| task.index),
        );
        self.note_new(history);

        let corner = pos2(rect.left() + LEFT, rect.top() + ABOVE);
        let size = vec2(width * CELL.x, self.rows as f32 * CELL.y);
        let grid = Grid {
            rect: Rect::from_min_size(corner, size),
            columns: width as usize,
        };
        let frames: Vec<&PastFrame> = history.frames().iter().rev().take(grid.columns).collect();
        grid.heading(&painter, self, lane, &frames);
        grid.cells(&painter, self, &frames);
        if let Some(task) = pinned {
            grid.measure(&painter, self, task.index - self.first, &frames);
        }
        let hover = ui.interact(grid.rect, Id::new("timeline"), Sense::hover());
        hover.on_hover_text("A red cell: that entity ran in that frame. Scroll for other entities; click a capsule to pin its row.");
    }

    /// Chooses the rows: from `first` on, but no further than the last place, and with the pinned one.
    fn look_at(&mut self, first: u32, rows: u32, places: u32, pinned: Option<u32>) {
        let rows = rows.min(places);
        let mut first = first.min(places - rows);
        if let Some(pinned) = pinned.filter(|pinned| !(first..first + rows).contains(pinned)) {
            first = pinned.saturating_sub(rows / 2).min(places - rows);
        }
        if (first, rows) != (self.first, self.rows) {
            self.cells.clear();
        }
        (self.first, self.rows) = (first, rows);
    }

    /// Takes in the frames that were not seen yet.
    fn note_new(&mut self, history: &History) {
        let next = self.cells.back().map_or(0, |(number, _)| number + 1);
        let restarted = history
            .frames()
            .back()
            .is_none_or(|past| past.record.number + 1 < next);
        if restarted {
            self.cells.clear();
        }
        let next = if restarted { 0 } else { next };
        let unseen = history
            .frames()
            .iter()
            .rev()
            .take_while(|past| past.record.number >= next);
        let unseen: Vec<(u64, u64)> = unseen
            .map(|past| (past.record.number, self.bits(past)))
            .collect();
        self.cells.extend(unseen.into_iter().rev());
        while self.cells.len() > history.frames().len() {
            self.cells.pop_front();
        }
    }

    fn bits(&self, past: &PastFrame) -> u64 {
        let rows = past.ran().filter_map(|place| place.checked_sub(self.first));
        rows.filter(|&row| row < self.rows)
            .fold(0, |bits, row| bits | 1 << row)
    }

    fn ran(&self, number: u64) -> u64 {
        let first = self.cells.front().map_or(0, |(first, _)| *first);
        let index = number
            .checked_sub(first)
            .and_then(|index| usize::try_from(index).ok());
        index
            .and_then(|index| self.cells.get(index))
            .map_or(0, |(_, bits)| *bits)
    }
}

struct Grid {
    rect: Rect,
    columns: usize,
}

impl Grid {
    /// The left edge of the column `back` frames before the last.
    fn x(&self, back: usize) -> f32 {
        self.rect.right() - (back + 1) as f32 * CELL.x
    }

    fn y(&self, row: u32) -> f32 {
        self.rect.top() + row as f32 * CELL.y
    }

    fn cell(&self, back: usize, row: u32) -> Rect {
        Rect::from_min_size(pos2(self.x(back), self.y(row)), CELL - vec2(1.0, 1.0))
    }

    fn heading<M: Machine>(
        &self,
        painter: &Painter,
        timeline: &Timeline,
        lane: &Lane<M>,
        frames: &[&PastFrame],
    ) {
        let y = self.rect.top() - ABOVE + 19.0;
        let left = pos2(self.rect.left(), y);
        let title = painter.text(
            left,
            Align2::LEFT_CENTER,
            "Timeline",
            theme::text(13.0),
            theme::BRIGHT,
        );
        let at = pos2(title.right() + 8.0, y);
        let remark = "a red cell: that entity ran in that frame";
        painter.text(
            at,
            Align2::LEFT_CENTER,
            remark,
            theme::text(12.0),
            theme::DIM,
        );
        let world = lane.world();
        let shown = format!(
            "{} of {}, {}",
            counted(timeline.rows.into(), "row"),
            figure::grouped(world.tasks().len() as u64),
            counted(frames.len() as u64, "frame")
        );
        let right = pos2(self.rect.right(), y);
        painter.text(
            right,
            Align2::RIGHT_CENTER,
            shown,
            theme::text(12.0),
            theme::DIM,
        );

        for row in (0..timeline.rows).step_by(10) {
            let entity = world.tasks().at(timeline.first + row);
            let entity = entity.and_then(|task| world.entity(task));
            let label = entity.map_or_else(|| "-".to_owned(), |entity| name(entity.number));
            let at = pos2(self.rect.left() - 8.0, self.y(row) + CELL.y / 2.0);
            painter.text(
                at,
                Align2::RIGHT_CENTER,
                label,
                theme::mono(10.0),
                theme::DIM,
            );
        }
        let total = pos2(self.rect.left() - 8.0, self.rect.top() - 10.0);
        painter.text(
            total,
            Align2::RIGHT_CENTER,
            "total",
            theme::text(10.5),
            theme::DIM,
        );
        self.totals(painter, frames);
        let y = self.rect.bottom() + 11.0;
        for back in (0..self.columns).step_by(20) {
            let label = if back == 0 {
                "now".to_owned()
            } else {
                format!("-{back}")
            };
            let at = pos2(self.x(back) + CELL.x, y);
            painter.text(
                at,
                Align2::RIGHT_CENTER,
                label,
                theme::mono(10.0),
                theme::DIM,
            );
        }
    }

    /// How many ran in each frame: as digits where one is enough for each, else as small bars.
    fn totals(&self, painter: &Painter, frames: &[&PastFrame]) {
        let most = frames
            .iter()
            .map(|past| past.record.runs)
            .max()
            .unwrap_or(0);
        let bottom = self.rect.top() - 4.0;
        let mut bars = Mesh::default();
        for (back, past) in frames
            .iter()
            .enumerate()
            .filter(|(_, past)| past.record.runs > 0)
        {
            if most < 10 {
                let at = pos2(self.x(back) + CELL.x / 2.0, bottom - 5.0);
                let digit = past.record.runs.to_string();
                painter.text(
                    at,
                    Align2::CENTER_CENTER,
                    digit,
                    theme::mono(9.5),
                    theme::TEXT,
                );
            } else {
                let height = (14.0 * past.record.runs as f32 / most as f32).max(1.0);
                let left = pos2(self.x(back), bottom - height);
                let bar = Rect::from_min_size(left, vec2(CELL.x - 1.0, height));
                bars.add_colored_rect(bar, theme::RED.gamma_multiply(0.8));
            }
        }
        painter.add(Shape::mesh(bars));
    }

    fn cells(&self, painter: &Painter, timeline: &Timeline, frames: &[&PastFrame]) {
        painter.rect_filled(self.rect, 0.0, theme::WELL);
        for row in (0..timeline.rows).step_by(10) {
            let y = self.y(row) - 0.5;
            painter.hline(self.rect.x_range(), y, Stroke::new(1.0, theme::LINE));
        }
        let mut mesh = Mesh::default();
        for (back, past) in frames.iter().enumerate() {
            let mut bits = timeline.ran(past.record.number);
            while bits != 0 {
                let row = bits.trailing_zeros();
                mesh.add_colored_rect(self.cell(back, row), theme::RED);
                bits &= bits - 1;
            }
        }
        painter.add(Shape::mesh(mesh));
    }

    /// Rings the pinned entity's cells and writes the interval between the last two.
    fn measure(&self, painter: &Painter, timeline: &Timeline, row: u32, frames: &[&PastFrame]) {
        let ran: Vec<usize> = frames
            .iter()
            .enumerate()
            .filter(|(_, past)| timeline.ran(past.record.number) >> row & 1 == 1)
            .map(|(back, _)| back)
            .collect();
        for &back in &ran {
            let cell = self.cell(back, row).expand(2.0);
            let stroke = Stroke::new(1.2, theme::TEAL);
            painter.rect_stroke(cell, CornerRadius::same(2), stroke, StrokeKind::Middle);
        }
        let [last, before, ..] = ran[..] else {
            return;
        };
        let interval = frames[last].now - frames[before].now;
        let text = interval_text(interval, (before - last) as u64);
        let y = self.y(row) + CELL.y / 2.0;
        let (from, to) = (self.x(before) + CELL.x + 2.0, self.x(last) - 3.0);
        if to > from {
            painter.line_segment([pos2(from, y), pos2(to, y)], Stroke::new(1.0, theme::TEAL));
        }
        let galley = painter.layout_no_wrap(text, theme::mono(11.0), theme::TEAL);
        let center = pos2(f32::midpoint(from, to), y);
        let ground = Rect::from_center_size(center, galley.size() + vec2(12.0, 4.0));
        let inside = ground.translate(vec2((self.rect.left() - ground.left()).max(0.0), 0.0));
        painter.rect_filled(inside, CornerRadius::same(4), theme::TEAL_GROUND);
        painter.galley(inside.min + vec2(6.0, 2.0), galley, theme::TEAL);
    }
}

fn interval_text(interval: Nanos, frames: u64) -> String {
    format!(
        "{:.3} s, {}",
        interval.as_secs_f64(),
        counted(frames, "frame")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslice_lab::metrics::FrameRecord;

    fn history(ran: &[&[u32]]) -> History {
        let mut history = History::default();
        for (number, ran) in (0..).zip(ran) {
            let record = FrameRecord {
                number,
                ..FrameRecord::default()
            };
            history.push(PastFrame {
                record,
                ran: Some(ran.to_vec()),
                ..PastFrame::default()
            });
        }
        history
    }

    #[test]
    fn a_cell_is_a_run_of_that_row_in_that_frame() {
        let mut timeline = Timeline::default();
        timeline.look_at(2, 3, 10, None); // places 2, 3 and 4
        timeline.note_new(&history(&[&[2], &[3, 4], &[], &[1, 5, 9]]));
        let cells: Vec<u64> = (0..4).map(|number| timeline.ran(number)).collect();
        assert_eq!(cells, [0b001, 0b110, 0, 0]);
        assert_eq!(timeline.ran(99), 0);
    }

    #[test]
    fn new_frames_are_added_and_a_restart_begins_anew() {
        let mut timeline = Timeline::default();
        timeline.look_at(0, 2, 2, None);
        timeline.note_new(&history(&[&[0], &[0]]));
        timeline.note_new(&history(&[&[0], &[0], &[1]]));
        assert_eq!(timeline.cells.len(), 3);
        assert_eq!(timeline.ran(2), 0b10);
        timeline.note_new(&history(&[&[1]]));
        assert_eq!(timeline.cells.len(), 1);
        assert_eq!(timeline.ran(0), 0b10);
    }

    #[test]
    fn other_rows_are_looked_up_again() {
        let mut timeline = Timeline::default();
        let history = history(&[&[0], &[7]]);
        timeline.look_at(0, 2, 10, None);
        timeline.note_new(&history);
        timeline.look_at(6, 2, 10, None);
        timeline.note_new(&history);
        assert_eq!((timeline.ran(0), timeline.ran(1)), (0, 0b10));
    }

    #[test]
    fn rows_end_with_the_last_place_and_the_pinned_one_is_among_them() {
        let mut timeline = Timeline::default();
        let mut rows = |first, rows, places, pinned| {
            timeline.look_at(first, rows, places, pinned);
            (timeline.first, timeline.rows)
        };
        assert_eq!(rows(0, 40, 0, None), (0, 0));
        assert_eq!(rows(0, 40, 7, None), (0, 7));
        assert_eq!(rows(1000, 40, 100, None), (60, 40));
        assert_eq!(rows(0, 40, 400, Some(312)), (292, 40));
        assert_eq!(rows(292, 40, 400, Some(312)), (292, 40));
        assert_eq!(rows(0, 40, 400, Some(399)), (360, 40));
    }

    #[test]
    fn the_interval_is_told_in_seconds_and_frames() {
        assert_eq!(
            interval_text(Nanos::from_millis(500), 30),
            "0.500 s, 30 frames"
        );
    }
}
