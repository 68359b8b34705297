//! The timeline of the most recent frames. A cell is red if the entity in its row ran in the frame in its column.

use super::columns::{AXIS_LABEL_WIDTH, Columns};
use super::{FORGOTTEN, Pointed, describe_frame};
use crate::app::widgets::wheel::turned;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align2, Color32, CornerRadius, Id, Mesh, Painter, Rangef, Rect, Sense, Shape, Stroke,
    StrokeKind, Ui, pos2, vec2,
};
use lab::history::entity_info::name;
use lab::history::{History, PastFrame};
use lab::sim::lane::Run;
use lab::sim::world::{Entity, World};
use lab::text::format::{counted, fixed, grouped};
use std::collections::BTreeMap;
use timeslicer::scheduler::TaskId;
use timeslicer::time::GameTime;

const RIGHT_MARGIN: f32 = 18.0;
const HEADER_HEIGHT: f32 = 54.0;
const AXIS_HEIGHT: f32 = 24.0;
const ROW_HEIGHT: f32 = 5.5;
const COLUMN_WIDTH: f32 = 6.0;
const FRAMES_PER_TICK: usize = 20;

#[derive(Debug, Default)]
pub struct Timeline {
    /// The slot of the first row, which is fractional during slow scrolling.
    scroll_position: f64,
    pinned: Option<TaskId>,
    cells: Cells,
}

/// The visible rows, which show the entities in every `step`th slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rows {
    first: u32,
    step: u32,
    end: u32,
}

impl Rows {
    fn count(self) -> u32 {
        (self.end - self.first).div_ceil(self.step)
    }

    fn slot(self, row: u32) -> u32 {
        self.first + row * self.step
    }

    fn row_of(self, slot: u32) -> Option<u32> {
        let distance = slot.checked_sub(self.first)?;
        (slot < self.end && distance % self.step == 0).then_some(distance / self.step)
    }
}

/// The visible runs. They are cached, because searching the millions of runs of recorded frames takes too long.
#[derive(Debug, Default)]
struct Cells {
    /// The world and the visible rows. If either changes, the cache is cleared.
    cache_key: (u64, Rows),
    /// The visible runs of each frame, by frame number. A frame is missing if its runs are no longer stored.
    runs: BTreeMap<u64, Vec<Run>>,
}

impl Cells {
    fn follow(&mut self, world: u64, rows: Rows, frames: &[&PastFrame]) {
        let mut known = std::mem::take(&mut self.runs);
        let cache_key = (world, rows);
        if self.cache_key != cache_key {
            self.cache_key = cache_key;
            known.clear();
        }
        for past in frames.iter().filter(|past| !past.has_forgotten()) {
            let number = past.record.number;
            let runs = known.remove(&number).unwrap_or_else(|| {
                let is_in_view = |run: &&Run| rows.row_of(run.task.index).is_some();
                past.runs().iter().filter(is_in_view).copied().collect()
            });
            self.runs.insert(number, runs);
        }
    }

    /// Returns the frame number and the time of each run of an entity, starting with the oldest. Runs before
    /// `first_run` are left out, because they belong to an earlier entity in the same row.
    fn runs_of(&self, slot: u32, first_run: GameTime) -> Vec<(u64, GameTime)> {
        let runs = self.runs.iter();
        let runs = runs.flat_map(|(number, runs)| runs.iter().map(|run| (*number, run)));
        let own = runs.filter(|(_, run)| run.task.index == slot && run.time >= first_run);
        own.map(|(number, run)| (number, run.time)).collect()
    }
}

impl Timeline {
    /// Shows the timeline, which can be scrolled with the mouse wheel. `displayed_frame` is the past frame that the
    /// user is looking at, if any. Returns the frame under the mouse pointer.
    pub fn show(
        &mut self,
        ui: &Ui,
        rect: Rect,
        world: &World,
        history: &History,
        pinned: Option<TaskId>,
        displayed_frame: Option<u64>,
    ) -> Option<Pointed> {
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        let fitting = ((rect.height() - HEADER_HEIGHT - AXIS_HEIGHT) / ROW_HEIGHT).floor();
        if rect.width() - AXIS_LABEL_WIDTH - RIGHT_MARGIN < 60.0 || fitting < 3.0 {
            return None;
        }
        let scrolled = -turned(ui, rect, |input| input.smooth_scroll_delta.y) / ROW_HEIGHT;
        let pinned = pinned.filter(|&task| world.tasks().contains(task));
        let places = world.tasks().end();
        let rows = self.rows(scrolled.into(), fitting as u32, places, pinned);
        let columns = &Columns::new(rect, RIGHT_MARGIN, history, COLUMN_WIDTH, displayed_frame);
        self.cells.follow(world.id, rows, &columns.frames);
        let height = (rows.count() as f32 * ROW_HEIGHT).ceil();
        let raster = Raster {
            painter: &painter,
            rect: columns.band(rect.top() + HEADER_HEIGHT, height),
            columns,
            cells: &self.cells,
            rows,
        };
        raster.heading(world, pinned);
        raster.totals();
        raster.cells();

        let over = ui.interact(raster.rect, Id::new("timeline"), Sense::CLICK);
        let hovered = over
            .hover_pos()
            .and_then(|at| Some((columns.at(at.x)?, at.y)));
        let looked_at_frame = history.frame(displayed_frame.unwrap_or(u64::MAX));
        let hovered_frame = hovered.map(|(past, _)| past);
        for (past, ink) in [
            (hovered_frame, theme::DIM),
            (looked_at_frame, theme::BRIGHT),
        ] {
            if let Some(past) = past {
                raster.highlight(past, ink);
            }
        }
        if let Some(task) = pinned
            && let Some(first_run) = world.entity(task).and_then(Entity::first_run)
        {
            raster.pinned(task, first_run, displayed_frame);
        }
        let (past, y) = hovered?;
        let row = ((y - raster.rect.top()) / ROW_HEIGHT) as u32;
        let name = raster.name_of(row, world);
        let row = name.map_or_else(String::new, |name| format!("\nrow of {name}"));
        tooltip::offer(&over, describe_frame(history, past) + &row);
        Some(Pointed {
            frame: past.record.number,
            is_clicked: over.clicked(),
        })
    }

    /// Scrolls down by the given number of slots. If the user has just pinned an entity and it has no row, scrolls to it
    /// instead. The rows are spread evenly over all slots, because neighbours often run in the same frames.
    fn rows(&mut self, scroll_by: f64, max_rows: u32, slots: u32, pinned: Option<TaskId>) -> Rows {
        let step = slots.div_ceil(max_rows).max(1);
        let last = f64::from(step - 1);
        self.scroll_position = (self.scroll_position + scroll_by).clamp(0.0, last);
        if pinned != self.pinned {
            self.pinned = pinned;
            if let Some(task) = pinned {
                self.scroll_position = f64::from(task.index % step);
            }
        }
        Rows {
            first: self.scroll_position as u32,
            step,
            end: slots,
        }
    }
}

/// Returns the frame numbers of an entity's last two runs, and a label with the time between them, if it is known.
fn last_interval(runs: &[(u64, GameTime)], frames: &[&PastFrame]) -> Option<([u64; 2], String)> {
    let &[.., (from, begin), (to, end)] = runs else {
        return None;
    };
    let mut between = frames
        .iter()
        .filter(|past| (from..to).contains(&past.record.number));
    if between.any(|past| past.has_forgotten()) {
        // The entity may have run in between.
        return None;
    }
    let time = fixed((end - begin).as_secs_f64(), 3);
    let count = match to - from {
        0 => "in one frame".to_owned(),
        count => counted(count, "frame"),
    };
    Some(([from, to], format!("{time} s, {count}")))
}

struct Raster<'a> {
    painter: &'a Painter,
    rect: Rect,
    columns: &'a Columns<'a>,
    cells: &'a Cells,
    rows: Rows,
}

impl Raster<'_> {
    fn y(&self, row: u32) -> f32 {
        (self.rect.top() + row as f32 * ROW_HEIGHT).round()
    }

    fn column(&self, number: u64) -> Rangef {
        let left = self.columns.column_left(number);
        Rangef::new(left, left + COLUMN_WIDTH - 1.0)
    }

    fn cell(&self, number: u64, slot: u32) -> Rect {
        let row = (slot - self.rows.first) / self.rows.step;
        let y = Rangef::new(self.y(row), self.y(row + 1) - 1.0);
        Rect::from_x_y_ranges(self.column(number), y)
    }

    fn name_of(&self, row: u32, world: &World) -> Option<String> {
        let task = world.tasks().at(self.rows.slot(row))?;
        world.entity(task).map(|entity| name(entity.number))
    }

    fn heading(&self, world: &World, pinned: Option<TaskId>) {
        let (painter, rect) = (self.painter, self.rect);
        let y = rect.top() - HEADER_HEIGHT + 19.0;
        let more = match self.rows.step {
            ..=1 => String::new(),
            step => format!(
                "; one entity in {} has a row, scroll to see others",
                grouped(step.into())
            ),
        };
        let remark = format!("red cells show the frames in which an entity ran{more}");
        let at = pos2(rect.left(), y);
        paint::title(painter, at, "Timeline", &[&remark], rect.right());

        let pinned_row = pinned.and_then(|task| self.rows.row_of(task.index));
        let label = |row: u32, ink: Color32| {
            let name = self.name_of(row, world).unwrap_or_default();
            let at = pos2(rect.left() - 8.0, self.y(row) + ROW_HEIGHT / 2.0);
            painter.text(at, Align2::RIGHT_CENTER, name, theme::mono(10.0), ink);
        };
        let rows = (0..self.rows.count()).step_by(10);
        // Leave out names that are too close to the name of the pinned entity.
        for row in rows.filter(|&row| pinned_row.is_none_or(|pinned| row.abs_diff(pinned) > 1)) {
            label(row, theme::DIM);
        }
        if let Some(row) = pinned_row {
            label(row, theme::TEAL);
        }
        let left = rect.left();
        let total = pos2(left - 8.0, rect.top() - 12.0);
        paint::right(painter, total, "total", 10.5, theme::DIM);
        let y = rect.bottom() + 11.0;
        self.columns.paint_axis(painter, y, FRAMES_PER_TICK);
    }

    fn totals(&self) {
        let frames = self.columns.frames.iter().map(|past| &past.record);
        let most = frames.clone().map(|frame| frame.runs).max().unwrap_or(0);
        let bottom = self.rect.top() - 4.0;
        let mut bars = Mesh::default();
        for frame in frames.filter(|frame| frame.runs > 0) {
            let height = (14.0 * frame.runs as f32 / most as f32).round().max(1.0);
            let y = bottom - height..=bottom;
            let bar = Rect::from_x_y_ranges(self.column(frame.number), y);
            bars.add_colored_rect(bar, theme::RED.gamma_multiply(0.8));
        }
        self.painter.add(Shape::mesh(bars));
    }

    fn cells(&self) {
        let (painter, rect) = (self.painter, self.rect);
        painter.rect_filled(rect, 0.0, theme::WELL);
        for (_, x) in self.columns.ticks(FRAMES_PER_TICK) {
            let line = Stroke::new(1.0, theme::LINE.gamma_multiply(0.7));
            painter.vline(x - 0.5, rect.y_range(), line);
        }
        for row in (10..self.rows.count()).step_by(10) {
            let line = Stroke::new(1.0, theme::LINE);
            painter.hline(rect.x_range(), self.y(row) - 0.5, line);
        }
        let mut mesh = Mesh::default();
        let mut forgotten = Rangef::NOTHING;
        for (number, runs) in &self.cells.runs {
            for run in runs {
                mesh.add_colored_rect(self.cell(*number, run.task.index), theme::RED);
            }
        }
        let frames = self.columns.frames.iter();
        for past in frames.filter(|past| past.has_forgotten()) {
            let column = self.column(past.record.number);
            let whole = Rect::from_x_y_ranges(column, rect.y_range());
            mesh.add_colored_rect(whole, theme::DIM.gamma_multiply(0.15));
            forgotten = Rangef::new(forgotten.min.min(column.min), column.max);
        }
        painter.add(Shape::mesh(mesh));
        let words = painter.layout_no_wrap(FORGOTTEN.to_owned(), theme::text(12.0), theme::DIM);
        if words.size().x + 16.0 < forgotten.span() {
            let (at, margin) = (pos2(forgotten.center(), rect.center().y), vec2(8.0, 4.0));
            let align = Align2::CENTER_CENTER;
            paint::label(painter, at, align, words, margin, theme::WELL);
        }
    }

    fn highlight(&self, past: &PastFrame, ink: Color32) {
        let (x, y) = (self.column(past.record.number), self.rect.y_range());
        let y = Rangef::new(y.min - 20.0, y.max);
        let column = Rect::from_x_y_ranges(x, y);
        let ground = ink.gamma_multiply(0.12);
        let edge = Stroke::new(1.0, ink);
        self.painter
            .rect(column, 0.0, ground, edge, StrokeKind::Outside);
    }

    /// Rings each run of the pinned entity, and labels its last interval, up to the past frame that the user looks at.
    fn pinned(&self, task: TaskId, first_run: GameTime, displayed_frame: Option<u64>) {
        let frames = &self.columns.frames;
        // `cells` has only the runs in visible rows, so if it contains a run of this entity, its row is visible.
        let mut runs = self.cells.runs_of(task.index, first_run);
        for (number, _) in &runs {
            let cell = self.cell(*number, task.index).expand(1.5);
            let stroke = Stroke::new(1.2, theme::TEAL);
            self.painter
                .rect_stroke(cell, 2.0, stroke, StrokeKind::Middle);
        }
        runs.retain(|(number, _)| displayed_frame.is_none_or(|at| *number <= at));
        if let Some((ends, words)) = last_interval(&runs, frames) {
            self.interval(ends, words, task.index);
        }
    }

    fn interval(&self, ends: [u64; 2], words: String, slot: u32) {
        let (painter, rect) = (self.painter, self.rect);
        let [first, last] = ends.map(|number| self.cell(number, slot));
        let (from, to, y) = (first.right() + 3.0, last.left() - 3.0, last.center().y);
        let galley = painter.layout_no_wrap(words, theme::mono(11.0), theme::TEAL);
        let size = galley.size() + vec2(12.0, 4.0);
        let stroke = Stroke::new(1.0, theme::TEAL);
        let mut at = pos2(f32::midpoint(from, to), y);
        painter.hline(from..=to.max(from), y, stroke);
        if to - from <= size.x {
            // The cells are too close together for the label, so it is above or below them.
            let is_above = y - size.y - 4.0 > rect.top();
            let down = if is_above { -1.0 } else { 1.0 };
            at.y += down * (size.y / 2.0 + 6.0);
        }
        let half = size.x / 2.0;
        at.x = at.x.min(rect.right() - half).max(rect.left() + half);
        let (align, margin) = (Align2::CENTER_CENTER, vec2(6.0, 2.0));
        paint::label(painter, at, align, galley, margin, theme::TEAL_GROUND);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::sim::lane::FrameRecord;
    use lab::sim::machine::RENDER_MS;
    use lab::sim::world::{COST, ENTITIES};
    use lab::testing::{MS, lane_of, past_frame, recorded, runs};
    use std::ops::Range;

    const AT: fn(u64) -> GameTime = |millis| GameTime::at(MS(millis));

    /// Creates a history with a frame every 10 ms, in which the given slots ran. The runs of a `None` frame are not
    /// recorded.
    fn history(ran: &[Option<&[u32]>]) -> History {
        let mut history = History::default();
        for (number, ran) in (0..).zip(ran) {
            history.push(PastFrame {
                record: FrameRecord {
                    number,
                    runs: ran.map_or(1, |ran| ran.len() as u32),
                    updates: 1,
                    now: AT(10 * number),
                    ..FrameRecord::default()
                },
                runs: ran.and_then(|ran| runs(ran, AT(10 * number))),
                ..past_frame()
            });
        }
        history
    }

    fn all(rows: Range<u32>) -> Rows {
        Rows {
            first: rows.start,
            step: 1,
            end: rows.end,
        }
    }

    fn cells(rows: Range<u32>, frames: &[&PastFrame]) -> Cells {
        let mut cells = Cells::default();
        cells.follow(0, all(rows), frames);
        cells
    }

    #[test]
    fn cells_follow_the_frames_the_rows_and_a_restart() {
        let mut cells = Cells::default();
        let history = history(&[Some(&[0]), Some(&[1]), Some(&[0, 1])]);
        for numbers in [0..2, 1..3, 0..0, 2..3, 0..3] {
            for rows in [0..2, 1..2, 0..1] {
                let frames: Vec<&PastFrame> = history.frames().range(numbers.clone()).collect();
                cells.follow(0, all(rows.clone()), &frames);
                let kept = cells
                    .runs
                    .iter()
                    .map(|(number, runs)| (*number, runs.len()));
                let ran = |past: &&PastFrame| {
                    let places = past.runs().iter().map(|run| run.task.index);
                    let count = places.filter(|place| rows.contains(place)).count();
                    (past.record.number, count)
                };
                assert!(kept.eq(frames.iter().map(ran)), "{numbers:?} {rows:?}");
            }
        }
        cells.follow(1, all(0..1), &[&past_frame()]);
        assert!(
            cells.runs_of(0, AT(0)).is_empty(),
            "runs before the restart"
        );
    }

    #[test]
    fn rows_are_spread_over_all_entities_and_scroll_slowly() {
        let mut timeline = Timeline::default();
        let mut rows = |by| timeline.rows(by, 54, 800, None);
        let all = rows(0.0);
        assert_eq!((all.first, all.step, all.count()), (0, 15, 54));
        assert_eq!(
            [14, 15, 795, 810].map(|slot| all.row_of(slot)),
            [None, Some(1), Some(53), None]
        );
        for by in [0.3, 0.7] {
            (0..10).for_each(|_| assert!(rows(by).step == 15));
        }
        assert_eq!(rows(0.1).first, 10);
        assert_eq!(rows(100.0).first, 14);
        assert_eq!(timeline.rows(0.0, 54, 40, None).count(), 40);
        assert_eq!(timeline.rows(0.0, 54, 0, None).count(), 0);
    }

    #[test]
    fn new_pin_has_a_row_that_can_be_scrolled_away() {
        let mut timeline = Timeline::default();
        let mut first = |scrolled, pin: Option<u32>| {
            let pinned = pin.map(|index| TaskId {
                index,
                generation: 0,
            });
            timeline.rows(scrolled, 40, 400, pinned).first
        };
        assert_eq!(first(0.0, Some(12)), 2);
        assert_eq!(first(3.0, Some(12)), 5);
        assert_eq!(first(0.0, None), 5);
        assert_eq!(first(0.0, Some(399)), 9);
    }

    /// Returns the frames of the last interval in slot 0, considering frames up to `up_to`.
    fn measured(history: &History, first_run: GameTime, up_to: u64) -> Option<[u64; 2]> {
        let frames = history.frames().iter();
        let frames: Vec<&PastFrame> = frames.filter(|it| it.record.number <= up_to).collect();
        let runs = cells(0..1, &frames).runs_of(0, first_run);
        last_interval(&runs, &frames).map(|(ends, _)| ends)
    }

    #[test]
    fn only_the_entitys_own_runs_count() {
        let [ran, idle]: [Option<&[u32]>; 2] = [Some(&[0]), Some(&[])];
        let history = history(&[ran, idle, ran, idle, idle, ran]);
        assert_eq!(measured(&history, AT(0), 9), Some([2, 5]));
        assert_eq!(measured(&history, AT(0), 4), Some([0, 2]));
        assert_eq!(measured(&history, AT(0), 1), None);
        assert_eq!(measured(&history, AT(20), 9), Some([2, 5]));
        assert_eq!(measured(&history, AT(21), 9), None, "another entity's run");
    }

    #[test]
    fn no_interval_spans_frames_without_recorded_runs() {
        let [ran, idle]: [Option<&[u32]>; 2] = [Some(&[0]), Some(&[])];
        let history = history(&[ran, idle, ran, None, ran]);
        assert_eq!(measured(&history, AT(0), 9), None);
        assert_eq!(measured(&history, AT(0), 3), Some([0, 2]));
    }

    #[test]
    fn runs_in_one_frame_are_told_apart() {
        let knobs = [(&ENTITIES, 4.0), (&COST, 0.0), (&RENDER_MS, 100.0)];
        let history = recorded(&mut lane_of("every-frame", "fixed-step", &knobs), 3);
        let frames: Vec<&PastFrame> = history.frames().iter().collect();
        let (last, cells) = (frames[2].record.now, cells(0..1, &frames));
        assert_eq!(cells.runs_of(0, last), [(2, last)]);
        let runs = cells.runs_of(0, last - MS(20));
        let (ends, words) = last_interval(&runs, &frames).expect("two runs");
        assert_eq!(ends, [2, 2]);
        assert!(words.contains("in one frame"), "{words}");
    }
}
