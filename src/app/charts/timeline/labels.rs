//! Text around the timeline's cells: heading, row names, axis and totals.

use super::ABOVE;
use super::picture::{CELL, TimelinePicture};
use crate::app::widgets::theme;
use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, pos2, vec2};
use headless::history::PastFrame;
use headless::history::entity_info::name;
use headless::sim::machine::Machine;
use headless::stats::MeasuredLane;
use headless::text::format;
use headless::text::format::counted;
use timeslicer::scheduler::TaskId;

impl TimelinePicture<'_> {
    /// Paints the heading, the names of the rows and the axis.
    pub fn heading<M: Machine>(
        &self,
        painter: &Painter,
        lane: &MeasuredLane<M>,
        pinned: Option<TaskId>,
    ) {
        let y = self.rect.top() - ABOVE + 19.0;
        let text = |at: Pos2, align, text: &str, size: f32, ink| {
            painter.text(at, align, text, theme::text(size), ink)
        };
        let left = pos2(self.rect.left(), y);
        let title = text(left, Align2::LEFT_CENTER, "Timeline", 13.0, theme::BRIGHT);
        let world = lane.world();
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
        // The longest remark that fits.
        for remark in &remarks[usize::from(!more)..] {
            let galley =
                painter.layout_no_wrap((*remark).to_owned(), theme::text(12.0), theme::DIM);
            let at = pos2(title.right() + 8.0, y - galley.size().y / 2.0);
            if at.x + galley.size().x + 20.0 < shown.left() {
                painter.galley(at, galley, theme::DIM);
                break;
            }
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

    /// Multiples of 20 frames ago, and the left edges of their columns.
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

    /// Paints the number of runs in each frame: as digits if all numbers have one digit, else as small bars.
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
