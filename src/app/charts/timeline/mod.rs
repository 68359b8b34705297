//! The timeline: rows are entities, columns are frames, and a red cell is a run. The frames come from the history.

mod cells;
mod interval;
mod picture;

use super::columns::{AXIS, Columns, Zoom};
use super::frame_card;
use crate::app::widgets::theme;
use cells::{Cells, RowRange};
use egui::{CornerRadius, Id, Rect, Sense, Ui};
use headless::history::entity_info::name;
use headless::history::{History, PastFrame};
use headless::sim::world::World;
use picture::{CELL, TimelinePicture};
use timeslicer::scheduler::TaskId;

/// Margin at the right, in points.
const RIGHT: f32 = 18.0;
/// Room for the heading and the totals above, and for the axis below, in points.
const ABOVE: f32 = 54.0;
const BELOW: f32 = 24.0;

#[derive(Debug, Default)]
pub struct Timeline {
    rows: RowRange,
    cells: Cells,
}

impl Timeline {
    /// Shows the timeline in `rect`. `looked_at` is the past frame on screen while the game is paused. The wheel
    /// scrolls. Returns the number of the frame under the pointer.
    pub fn show(
        &mut self,
        ui: &Ui,
        rect: Rect,
        world: &World,
        history: &History,
        pinned: Option<TaskId>,
        looked_at: Option<u64>,
    ) -> Option<u64> {
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        let width = ((rect.width() - AXIS - RIGHT) / CELL.x).floor().max(0.0);
        let height = ((rect.height() - ABOVE - BELOW) / CELL.y).floor();
        if width < 10.0 || height < 3.0 {
            return None;
        }
        let over = ui.ctx().pointer_hover_pos();
        let scrolled = if over.is_some_and(|at| rect.contains(at)) {
            -ui.input(|input| input.smooth_scroll_delta.y) / CELL.y
        } else {
            0.0
        };
        let places = world.tasks().end();
        let pinned = pinned.filter(|&task| world.tasks().contains(task));
        let room = (height as u32).min(Cells::MOST_ROWS);
        self.rows.look_at(scrolled, room, places, pinned);

        let columns = Columns::new(rect, RIGHT, history, Zoom::NEAREST, looked_at);
        let frames = &columns.frames;
        self.cells.follow(history.epoch(), &self.rows, frames);

        // Whole pixels, so that cells are sharp.
        let top = (rect.top() + ABOVE).round();
        let height = (self.rows.count as f32 * CELL.y).ceil();
        let picture = TimelinePicture {
            rect: columns.band(top, height),
            frames,
            behind: columns.behind,
            rows: &self.rows,
            cells: &self.cells,
        };
        picture.heading(&painter, world, pinned);
        picture.totals(&painter);
        picture.paint(&painter);

        let hover = ui.interact(picture.rect, Id::new("timeline"), Sense::hover());
        let hovered = hover
            .hover_pos()
            .and_then(|at| Some((picture.index_at(at.x)?, Some(at))));
        let number = hovered.map(|(index, _)| frames[index].record.number);
        let marked = hovered.or_else(|| Some((picture.index_of(looked_at?)?, None)));
        if let Some((index, _)) = marked {
            picture.highlight(&painter, index);
        }
        if let Some(entity) = pinned.and_then(|task| Some((task, world.entity(task)?.first_run()?)))
        {
            picture.pinned(&painter, entity, looked_at);
        }
        if let Some((index, at)) = marked {
            let past = frames[index];
            let mut lines = frame_card::lines(history, past, "");
            let row = at.and_then(|at| picture.row_at(at.y));
            lines.extend(row.and_then(|row| self.row_line(row, past, world)));
            let x = picture.column(index).center().x;
            frame_card::paint(ui, rect, x, lines);
        }
        number
    }

    fn row_line(&self, row: u32, past: &PastFrame, world: &World) -> Option<String> {
        let task = world.tasks().at(self.rows.first + row)?;
        let entity = world.entity(task)?;
        let name = name(entity.number);
        let ran = entity.first_run().is_some_and(|first_run| {
            !interval::ran_in(&self.cells, &self.rows, row, first_run, &[past]).is_empty()
        });
        if past.now < entity.born {
            Some(format!("{name} was not born yet"))
        } else if past.has_forgotten() {
            None // the card shows this already
        } else if ran {
            Some(format!("{name} ran"))
        } else {
            Some(format!("{name} did not run"))
        }
    }
}
