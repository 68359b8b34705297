//! Positions and painting of the timeline's cells.

use super::cells::Cells;
use super::hatch::hatch;
use super::interval;
use super::row_range::RowRange;
use crate::app::charts::frame_card::FORGOTTEN;
use crate::app::widgets::theme;
use egui::{CornerRadius, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use headless::history::PastFrame;
use timeslicer::scheduler::TaskId;
use timeslicer::time::GameTime;

/// Width of a frame's column, and height of an entity's row, in points.
pub const CELL: egui::Vec2 = vec2(6.0, 5.5);

/// A timeline being painted.
pub struct TimelinePicture<'a> {
    pub rect: Rect,
    /// Visible frames, oldest first, the last one at the right end.
    pub frames: &'a [&'a PastFrame],
    /// Number of frames that are newer than the visible ones.
    pub behind: usize,
    pub rows: &'a RowRange,
    pub cells: &'a Cells,
}

impl TimelinePicture<'_> {
    /// Left edge of the column of the frame at `index`; the right end for the index after the last.
    pub(super) fn x(&self, index: usize) -> f32 {
        self.rect.right() - (self.frames.len() - index) as f32 * CELL.x
    }

    pub(super) fn y(&self, row: u32) -> f32 {
        (self.rect.top() + row as f32 * CELL.y).round()
    }

    /// Column of a frame, without the gap to the next.
    pub fn column(&self, index: usize) -> Rect {
        let (left, top) = (self.x(index), self.rect.top());
        Rect::from_min_max(
            pos2(left, top),
            pos2(left + CELL.x - 1.0, self.rect.bottom()),
        )
    }

    fn cell(&self, index: usize, row: u32) -> Rect {
        let column = self.column(index);
        Rect::from_min_max(
            pos2(column.left(), self.y(row)),
            pos2(column.right(), self.y(row + 1) - 1.0),
        )
    }

    /// Index of the frame whose column is at `x`.
    pub fn index_at(&self, x: f32) -> Option<usize> {
        let index = ((x - self.x(0)) / CELL.x).floor();
        (index >= 0.0 && (index as usize) < self.frames.len()).then_some(index as usize)
    }

    /// Index of the frame with this number.
    pub fn index_of(&self, number: u64) -> Option<usize> {
        let first = self.frames.first()?.record.number;
        let index = number.checked_sub(first)? as usize;
        (index < self.frames.len()).then_some(index)
    }

    /// Row at `y`.
    pub fn row_at(&self, y: f32) -> Option<u32> {
        (0..self.rows.count).find(|&row| (self.y(row)..self.y(row + 1)).contains(&y))
    }

    /// Paints the cells. Neighbours in a column are one rectangle, with the gaps painted over it, so thousands of cells
    /// cost hundreds of rectangles.
    pub fn paint(&self, painter: &Painter) {
        painter.rect_filled(self.rect, 0.0, theme::WELL);
        for (_, x) in self.ticks() {
            let line = Stroke::new(1.0, theme::LINE.gamma_multiply(0.7));
            painter.vline(x - 0.5, self.rect.y_range(), line);
        }
        let mut mesh = Mesh::default();
        let frames = self.frames.iter().enumerate();
        for (index, past) in frames.filter(|(_, past)| !past.has_forgotten()) {
            let mut bits = self.cells.ran(past.record.number);
            while bits != 0 {
                let row = bits.trailing_zeros();
                let rows = (bits >> row).trailing_ones();
                let (first, last) = (self.cell(index, row), self.cell(index, row + rows - 1));
                mesh.add_colored_rect(first.union(last), theme::RED);
                bits &= !(u64::MAX >> (u64::BITS - rows) << row);
            }
        }
        for row in 1..self.rows.count {
            // Every tenth gap is a line.
            let ink = if row % 10 == 0 {
                theme::LINE
            } else {
                theme::WELL
            };
            let y = self.y(row);
            let gap = Rect::from_x_y_ranges(self.rect.x_range(), y - 1.0..=y);
            mesh.add_colored_rect(gap, ink);
        }
        for whole in self.forgotten() {
            hatch(&mut mesh, whole, theme::DIM.gamma_multiply(0.3));
        }
        painter.add(Shape::mesh(mesh));
        self.label_forgotten(painter);
    }

    /// Returns the areas of frames whose runs are no longer recorded, neighbours joined.
    fn forgotten(&self) -> impl Iterator<Item = Rect> {
        let alike = |a: &&PastFrame, b: &&PastFrame| a.has_forgotten() == b.has_forgotten();
        let mut end = 0;
        let runs = self.frames.chunk_by(alike).map(move |frames| {
            end += frames.len();
            (frames[0].has_forgotten(), end - frames.len()..end)
        });
        runs.filter(|(forgotten, _)| *forgotten).map(|(_, run)| {
            Rect::from_x_y_ranges(self.x(run.start)..=self.x(run.end), self.rect.y_range())
        })
    }

    /// Labels each hatched area that is wide enough.
    fn label_forgotten(&self, painter: &Painter) {
        for whole in self.forgotten() {
            let ink = theme::DIM;
            let galley = painter.layout_no_wrap(FORGOTTEN.to_owned(), theme::text(12.0), ink);
            let size = galley.size() + vec2(16.0, 8.0);
            let ground = Rect::from_center_size(whole.center(), size);
            if ground.width() < whole.width() {
                painter.rect_filled(ground, CornerRadius::same(4), theme::WELL);
                painter.galley(ground.min + vec2(8.0, 4.0), galley, ink);
            }
        }
    }

    /// Highlights a frame's column.
    pub fn highlight(&self, painter: &Painter, index: usize) {
        let column = self.column(index);
        let column = column.with_min_y(column.top() - 20.0);
        painter.rect_filled(column, 0.0, theme::BRIGHT.gamma_multiply(0.12));
        let edge = Stroke::new(1.0, theme::BRIGHT);
        let outside = column.expand2(vec2(0.5, 0.0));
        painter.vline(outside.left(), column.y_range(), edge);
        painter.vline(outside.right(), column.y_range(), edge);
    }

    /// Paints a ring around each cell of the pinned entity since its first run, and labels the interval between its
    /// last two runs. Ignores runs after the past frame on screen.
    pub fn pinned(
        &self,
        painter: &Painter,
        (task, first_run): (TaskId, GameTime),
        looked_at: Option<u64>,
    ) {
        let Some(row) = self.rows.row_of(task.index) else {
            return;
        };
        let ran = interval::ran_in(self.cells, self.rows, row, first_run, self.frames);
        for &index in &ran {
            let cell = self.cell(index, row).expand(1.5);
            let stroke = Stroke::new(1.2, theme::TEAL);
            painter.rect_stroke(cell, CornerRadius::same(2), stroke, StrokeKind::Middle);
        }
        let interval = interval::interval(&ran, self.frames, task.index, first_run, looked_at);
        let Some(interval) = interval else {
            return;
        };
        let text = interval::label(interval, self.frames);
        let y = self.cell(interval.to, row).center().y;
        let (from, to) = (
            self.x(interval.from) + CELL.x + 2.0,
            self.x(interval.to) - 3.0,
        );
        let galley = painter.layout_no_wrap(text, theme::mono(11.0), theme::TEAL);
        let size = galley.size() + vec2(12.0, 4.0);
        let ink = Stroke::new(1.0, theme::TEAL);
        if to > from {
            painter.line_segment([pos2(from, y), pos2(to, y)], ink);
        }
        // The label is between the cells, or above or below them if they are too close together.
        let fits = to - from > size.x;
        let dy = match (fits, y - size.y - 4.0 > self.rect.top()) {
            (true, _) => 0.0,
            (false, true) => -size.y / 2.0 - 6.0,
            (false, false) => size.y / 2.0 + 6.0,
        };
        if fits {
            for (tip, back) in [(from, 4.0), (to, -4.0)] {
                for up in [-3.0, 3.0] {
                    painter.line_segment([pos2(tip, y), pos2(tip + back, y + up)], ink);
                }
            }
        }
        let center = pos2(f32::midpoint(from, to), y + dy);
        let ground = Rect::from_center_size(center, size);
        let shift = (self.rect.left() - ground.left()).max(0.0)
            - (ground.right() - self.rect.right()).max(0.0);
        let ground = ground.translate(vec2(shift, 0.0));
        painter.rect_filled(ground, CornerRadius::same(4), theme::TEAL_GROUND);
        painter.galley(ground.min + vec2(6.0, 2.0), galley, theme::TEAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::Primitive;
    use egui::{Context, LayerId, Pos2, RawInput};
    use headless::sim::lane::FrameRecord;

    /// Paints the cells of 64 places. Returns the column and row of each red cell.
    fn red(ran: &[Option<Vec<u32>>]) -> Vec<(usize, u32)> {
        let frames = (0..).zip(ran).map(|(number, ran)| PastFrame {
            record: FrameRecord {
                number,
                runs: 1,
                ..FrameRecord::default()
            },
            ran: ran.clone(),
            ..PastFrame::default()
        });
        let frames: Vec<PastFrame> = frames.collect();
        let frames: Vec<&PastFrame> = frames.iter().collect();
        let (mut rows, mut cells) = (RowRange::default(), Cells::default());
        rows.look_at(0.0, Cells::MOST_ROWS, 64, None);
        cells.follow(0, &rows, &frames);
        let size = vec2(frames.len() as f32 * CELL.x, 64.0 * CELL.y);
        let picture = TimelinePicture {
            rect: Rect::from_min_size(pos2(60.0, 54.0), size),
            frames: &frames,
            behind: 0,
            rows: &rows,
            cells: &cells,
        };
        let ctx = Context::default();
        let output = ctx.run(RawInput::default(), |ctx| {
            picture.paint(&Painter::new(
                ctx.clone(),
                LayerId::background(),
                Rect::EVERYTHING,
            ));
        });
        let mut rects = Vec::new();
        for primitive in ctx.tessellate(output.shapes, 1.0) {
            let Primitive::Mesh(mesh) = primitive.primitive else {
                continue;
            };
            for triangle in mesh.indices.chunks(6) {
                let corners = triangle.iter().map(|&index| mesh.vertices[index as usize]);
                let points: Vec<Pos2> = corners.clone().map(|vertex| vertex.pos).collect();
                if corners.clone().all(|vertex| vertex.color == theme::RED) {
                    rects.push(Rect::from_points(&points));
                }
            }
        }
        let places = (0..frames.len()).flat_map(|index| (0..64).map(move |row| (index, row)));
        places
            .filter(|&(index, row)| {
                let center = picture.cell(index, row).center();
                rects.iter().any(|rect| rect.contains(center))
            })
            .collect()
    }

    #[test]
    fn exactly_the_cells_with_runs_are_red() {
        let all: Vec<u32> = (0..64).collect();
        let ran = [
            vec![],
            vec![0],
            vec![63],
            vec![3, 4, 5, 9, 62, 63],
            all.clone(),
        ];
        let cells = ran.iter().enumerate().flat_map(|(index, places)| {
            let mut places = places.clone();
            places.sort_unstable();
            places.into_iter().map(move |place| (index, place))
        });
        let expected: Vec<(usize, u32)> = cells.collect();
        assert_eq!(red(&ran.map(Some)), expected);
    }

    #[test]
    fn frame_without_recorded_runs_has_no_red_cell() {
        assert_eq!(red(&[None, Some(vec![7])]), [(1, 7)]);
    }

    #[test]
    fn every_point_of_a_cell_finds_its_column_and_row() {
        let (mut rows, cells) = (RowRange::default(), Cells::default());
        rows.look_at(0.0, 40, 40, None);
        let past = PastFrame::default();
        let picture = TimelinePicture {
            rect: Rect::from_min_size(pos2(60.0, 54.0), vec2(720.0, 220.0)),
            frames: &[&past; 3],
            behind: 0,
            rows: &rows,
            cells: &cells,
        };
        for index in 0..3 {
            for x in [0.0, 3.0, 5.9] {
                assert_eq!(picture.index_at(picture.x(index) + x), Some(index));
            }
        }
        assert_eq!(picture.index_at(picture.x(0) - 1.0), None);
        assert_eq!(picture.index_at(picture.rect.right() + 1.0), None);
        for row in 0..40 {
            assert_eq!(picture.row_at(picture.cell(0, row).center().y), Some(row));
        }
        assert_eq!(picture.row_at(picture.rect.top() - 1.0), None);
    }
}
