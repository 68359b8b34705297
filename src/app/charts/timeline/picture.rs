//! Positions and painting of the timeline: its cells, and the text around them.

use super::ABOVE;
use super::cells::{Cells, RowRange};
use super::interval;
use crate::app::charts::frame_card::FORGOTTEN;
use crate::app::widgets::{paint, theme};
use egui::{
    Align2, Color32, CornerRadius, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2,
};
use headless::history::PastFrame;
use headless::history::entity_info::name;
use headless::sim::world::World;
use headless::text::format;
use headless::text::format::counted;
use timeslicer::scheduler::TaskId;
use timeslicer::time::GameTime;

/// Width of a frame's column, and height of an entity's row, in points.
pub const CELL: egui::Vec2 = vec2(6.0, 5.5);

pub struct TimelinePicture<'a> {
    pub rect: Rect,
    pub frames: &'a [&'a PastFrame],
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

    pub fn index_at(&self, x: f32) -> Option<usize> {
        let index = ((x - self.x(0)) / CELL.x).floor();
        (index >= 0.0 && (index as usize) < self.frames.len()).then_some(index as usize)
    }

    pub fn index_of(&self, number: u64) -> Option<usize> {
        let first = self.frames.first()?.record.number;
        let index = number.checked_sub(first)? as usize;
        (index < self.frames.len()).then_some(index)
    }

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

    fn label_forgotten(&self, painter: &Painter) {
        for whole in self.forgotten() {
            let ink = theme::DIM;
            let galley = painter.layout_no_wrap(FORGOTTEN.to_owned(), theme::text(12.0), ink);
            if galley.size().x + 16.0 < whole.width() {
                let (at, align) = (whole.center(), Align2::CENTER_CENTER);
                paint::label(painter, at, align, galley, vec2(8.0, 4.0), theme::WELL);
            }
        }
    }

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
        let (at, align) = (ground.center(), Align2::CENTER_CENTER);
        paint::label(
            painter,
            at,
            align,
            galley,
            vec2(6.0, 2.0),
            theme::TEAL_GROUND,
        );
    }
}

impl TimelinePicture<'_> {
    pub fn heading(&self, painter: &Painter, world: &World, pinned: Option<TaskId>) {
        let y = self.rect.top() - ABOVE + 19.0;
        let text = |at: Pos2, align, text: &str, size: f32, ink| {
            painter.text(at, align, text, theme::text(size), ink)
        };
        let left = pos2(self.rect.left(), y);
        let title = text(left, Align2::LEFT_CENTER, "Timeline", 13.0, theme::BRIGHT);
        let entities = world.tasks().len() as u64;
        let shown = format!(
            "{} for {}, {}",
            counted(self.rows.count.into(), "row"),
            counted(entities, "entity"),
            counted(self.frames.len() as u64, "frame")
        );
        let right = pos2(self.rect.right(), y);
        let shown = text(right, Align2::RIGHT_CENTER, &shown, 12.0, theme::DIM);
        let more = u64::from(self.rows.count) < u64::from(world.tasks().end());
        let remarks = [
            "red: the entity ran in that frame; scroll for more entities",
            "red: the entity ran in that frame",
        ];
        let remarks = remarks.into_iter().skip(usize::from(!more));
        let style = (theme::text(12.0), theme::DIM);
        let room = shown.left() - title.right() - 28.0;
        if let Some(remark) = paint::fitting(painter, remarks, style, room) {
            let at = pos2(title.right() + 8.0, y - remark.size().y / 2.0);
            painter.galley(at, remark, theme::DIM);
        }

        let pinned_row = pinned.and_then(|task| self.rows.row_of(task.index));
        let label = |row: u32, ink: Color32| {
            let entity = world.tasks().at(self.rows.first + row);
            let entity = entity.and_then(|task| world.entity(task));
            let label = entity.map_or_else(|| "-".to_owned(), |entity| name(entity.number));
            let at = pos2(self.rect.left() - 8.0, self.y(row) + CELL.y / 2.0);
            painter.text(at, Align2::RIGHT_CENTER, label, theme::mono(10.0), ink);
        };
        let rows = (0..self.rows.count).step_by(10);
        // The pinned entity's name replaces names too close to it.
        for row in rows.filter(|&row| pinned_row.is_none_or(|pinned| row.abs_diff(pinned) > 1)) {
            label(row, theme::DIM);
        }
        if let Some(row) = pinned_row {
            label(row, theme::TEAL);
        }
        let total = pos2(self.rect.left() - 8.0, self.rect.top() - 12.0);
        text(total, Align2::RIGHT_CENTER, "total", 10.5, theme::DIM);
        self.axis(painter);
    }

    pub(super) fn ticks(&self) -> impl Iterator<Item = (usize, f32)> {
        let frames = (self.rect.width() / CELL.x) as usize;
        let (behind, right) = (self.behind, self.rect.right());
        let first = behind.next_multiple_of(20).max(20);
        let ticks = (first..=behind + frames).step_by(20);
        ticks.map(move |ago| (ago, right - (ago - behind) as f32 * CELL.x))
    }

    fn axis(&self, painter: &Painter) {
        let y = self.rect.bottom() + 11.0;
        let mono = |x: f32, align, text: &str| {
            painter.text(pos2(x, y), align, text, theme::mono(10.0), theme::DIM)
        };
        if self.behind == 0 {
            mono(self.rect.right(), Align2::RIGHT_CENTER, "now");
        }
        for (ago, x) in self.ticks() {
            let back = ago - self.behind;
            // A label too near to the right end has no room.
            if back > 5 || self.behind > 0 && back > 0 {
                mono(
                    x,
                    Align2::CENTER_CENTER,
                    &format!("-{}", format::grouped(ago as u64)),
                );
            }
        }
        let left = pos2(self.rect.left() - 6.0, y);
        let ago = theme::text(10.5);
        painter.text(left, Align2::RIGHT_CENTER, "frames ago", ago, theme::DIM);
    }

    pub fn totals(&self, painter: &Painter) {
        let runs = |past: &&PastFrame| past.record.runs;
        let most = self.frames.iter().map(runs).max().unwrap_or(0);
        let bottom = self.rect.top() - 4.0;
        let frames = self.frames.iter().map(runs).enumerate();
        let frames = frames.filter(|(_, runs)| *runs > 0);
        if most < 10 {
            // Lay out each digit once.
            let digits: Vec<_> = (0..=most)
                .map(|digit| {
                    painter.layout_no_wrap(digit.to_string(), theme::mono(9.5), theme::TEXT)
                })
                .collect();
            for (index, runs) in frames {
                let digit = &digits[runs as usize];
                let center = pos2(self.x(index) + CELL.x / 2.0, bottom - 5.0);
                painter.galley(center - digit.size() / 2.0, digit.clone(), theme::TEXT);
            }
            return;
        }
        let mut bars = Mesh::default();
        for (index, runs) in frames {
            let height = (14.0 * runs as f32 / most as f32).round().max(1.0);
            let left = pos2(self.x(index), bottom - height);
            let bar = Rect::from_min_size(left, vec2(CELL.x - 1.0, height));
            bars.add_colored_rect(bar, theme::RED.gamma_multiply(0.8));
        }
        painter.add(Shape::mesh(bars));
    }
}

/// Distance between lines along an axis, in points.
const HATCH_STEP: f32 = 8.0;

/// Adds diagonal lines inside `rect` to `mesh`, rising to the right. Lines of neighbouring rects join.
fn hatch(mesh: &mut Mesh, rect: Rect, ink: Color32) {
    for (from, to) in hatch_lines(rect) {
        let first = mesh.vertices.len() as u32;
        for corner in [from, from + vec2(1.5, 0.0), to + vec2(1.5, 0.0), to] {
            mesh.colored_vertex(pos2(corner.x.min(rect.right()), corner.y), ink);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }
}

/// Returns the lines' ends. On each line, x + y is a multiple of the step.
fn hatch_lines(rect: Rect) -> impl Iterator<Item = (Pos2, Pos2)> {
    let first = ((rect.left() + rect.top()) / HATCH_STEP).ceil() as u32;
    let last = ((rect.right() + rect.bottom()) / HATCH_STEP).floor() as u32;
    (first..=last).map(move |line| {
        let sum = line as f32 * HATCH_STEP;
        let left = (sum - rect.bottom()).max(rect.left());
        let right = (sum - rect.top()).min(rect.right());
        (pos2(left, sum - left), pos2(right, sum - right))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::Primitive;
    use egui::{Context, LayerId, Pos2, RawInput};
    use headless::sim::lane::FrameRecord;

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
}
