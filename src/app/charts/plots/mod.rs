//! The two plots of recent frames. The upper plot shows tasks, or the share of entities that look the wrong way. The
//! lower plot shows frame times. The columns of the two plots are aligned. Figures come from the history; nothing is
//! measured here.

mod axis;
mod change_lines;
pub mod columns;
mod flags;
mod heading;
mod looking_wrong;
mod scale;
mod tasks;
mod times;
mod zoom;

use crate::app::charts::frame_card;
use crate::app::widgets::theme;
use crate::app::widgets::wheel::turns;
use axis::axis_below;
use change_lines::change_lines;
use columns::{AXIS, Columns, Peak, RIGHT, RIGHT_AXIS};
use egui::{CornerRadius, Id, Painter, Rect, Sense, Stroke, Ui};
use flags::flags;
use headless::history::{History, WindowStats};
use looking_wrong::looking_wrong;
use scale::Scales;
use tasks::{has_backlog, tasks_per_frame};
use times::frame_time;
pub use zoom::Zoom;

/// Contents of the upper plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpperPlot {
    /// The number of tasks in each frame.
    Tasks,
    /// The share of entities that look the wrong way.
    Wrong,
}

/// Heights of a plot's heading and of the axis below the plots.
const HEADING: f32 = 34.0;
const BELOW: f32 = 24.0;
/// Minimum height of both plots. If there is less, only the frame times are plotted.
const WITH_BOTH: f32 = 140.0;
/// Minimum height of one plot with its heading, and without.
const WITH_HEADING: f32 = 76.0;
pub const LEAST_HEIGHT: f32 = 52.0;

/// The plots' zoom and scales.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plots {
    /// Zoom of the columns.
    pub zoom: Zoom,
    scales: Scales,
    /// Epoch of the history that the scales follow.
    epoch: u64,
}

impl Plots {
    /// Shows both plots in `rect`. `looked_at` is the past frame on screen while the game is paused. The wheel zooms.
    /// Returns the number of the frame under the pointer.
    pub fn show(
        &mut self,
        ui: &Ui,
        rect: Rect,
        upper: UpperPlot,
        history: &History,
        stats: &WindowStats,
        looked_at: Option<u64>,
    ) -> Option<u64> {
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        if rect.width() < AXIS + RIGHT + 60.0 || rect.height() < LEAST_HEIGHT {
            return None;
        }
        if self.epoch != history.epoch() {
            (self.scales, self.epoch) = (Scales::default(), history.epoch());
        }
        let columns = columns_with_axes(rect, history, self.zoom, looked_at, upper);
        let [tasks, times] = bands(rect, &columns);
        let scales = &mut self.scales;
        match upper {
            _ if !tasks.is_positive() => {}
            UpperPlot::Tasks => tasks_per_frame(&painter, tasks, &columns, history, stats, scales),
            UpperPlot::Wrong => looking_wrong(&painter, tasks, &columns, history, stats),
        }
        let top = frame_time(&painter, times, &columns, stats, &mut scales.times);
        change_lines(&painter, tasks, times, &columns, history);
        // Flags have text, so they are painted over the change lines.
        flags(&painter, times, &columns, top);
        axis_below(&painter, times, &columns);
        span(&painter, [tasks, times], &columns, stats);

        let both = tasks.union(times);
        let over = ui
            .interact(both, Id::new("plots"), Sense::hover())
            .hover_pos();
        if over.is_some() {
            self.zoom = self.zoom.out(turns(ui), columns.room());
        }
        let hovered = over.and_then(|at| {
            let peak = match upper {
                _ if at.y >= tasks.bottom() => Peak::Length,
                UpperPlot::Tasks => Peak::Runs,
                UpperPlot::Wrong => Peak::Wrong,
            };
            let frames = columns.at(at.x);
            let past = peak.of(frames)?;
            let distinction = match frames.len() {
                1 => String::new(),
                several => format!("{} of {several}", peak.name()),
            };
            Some((past, distinction))
        });
        let number = hovered.as_ref().map(|(past, _)| past.record.number);
        let looked_at = || Some((history.frame(looked_at?)?, String::new()));
        let (past, distinction) = hovered.or_else(looked_at)?;
        let x = columns.x_of_frame(past.record.number)?;
        for plot in [tasks, times] {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::BRIGHT));
        }
        let lines = frame_card::lines(history, past, &distinction);
        frame_card::paint(ui, rect, x, lines);
        number
    }
}

/// Returns the areas of both plots. If there is room for only one, the upper area is empty.
fn bands(rect: Rect, columns: &Columns<'_>) -> [Rect; 2] {
    if rect.height() < WITH_BOTH {
        let has_heading = rect.height() >= WITH_HEADING;
        let heading = if has_heading { 22.0 } else { 4.0 };
        let height = rect.height() - heading - BELOW;
        return [
            columns.band(rect.top() + heading, 0.0),
            columns.band(rect.top() + heading, height),
        ];
    }
    // The plots share the height 3 to 5.
    let free = rect.height() - 2.0 * HEADING - BELOW;
    let tasks = columns.band(rect.top() + HEADING, free * 0.375);
    [tasks, columns.band(tasks.bottom() + HEADING, free * 0.625)]
}

/// Returns the columns, with room for a second axis at the right if the frames in sight have a backlog.
fn columns_with_axes(
    rect: Rect,
    history: &History,
    zoom: Zoom,
    looked_at: Option<u64>,
    upper: UpperPlot,
) -> Columns<'_> {
    let columns = Columns::new(rect, RIGHT, history, zoom, looked_at);
    if upper == UpperPlot::Tasks && columns.frames.iter().any(|past| has_backlog(past)) {
        return Columns::new(rect, RIGHT_AXIS, history, zoom, looked_at);
    }
    columns
}

/// Paints a line above each plot, over the frames that the figures cover.
fn span(painter: &Painter, plots: [Rect; 2], columns: &Columns<'_>, stats: &WindowStats) {
    let first = columns.frames.first().map(|past| past.record.number);
    let from = stats.first_frame.max(first);
    let last = columns.frames.last().map(|past| past.record.number);
    let Some((from, to)) = from.zip(last).filter(|(from, last)| from <= last) else {
        return;
    };
    let half = columns.width / 2.0;
    let ends = columns.x_of_frame(from).zip(columns.x_of_frame(to));
    let Some((left, right)) = ends.map(|(from, to)| (from - half, to + half)) else {
        return;
    };
    for plot in plots {
        let y = plot.top() - 1.5;
        let stroke = Stroke::new(2.0, theme::DIM);
        painter.hline(left..=right, y, stroke);
        painter.vline(left + 0.5, y..=y + 6.0, Stroke::new(1.0, theme::DIM));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::{ClippedShape, TextShape};
    use egui::{CentralPanel, Context, Frame, Pos2, RawInput, Shape, vec2};
    use headless::history::{PastFrame, WINDOW};
    use headless::testing::{history, numbered_frames, subject};
    use timeslicer::strategy;

    const SIZE: egui::Vec2 = vec2(796.0, 226.0);

    /// Shows plots of this history in one picture, and returns its shapes.
    fn shapes(plots: &mut Plots, history: &History) -> Vec<Shape> {
        let stats = WindowStats::of_subject(subject("fixed-interval", &[]), history, WINDOW);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            ..RawInput::default()
        };
        let output = Context::default().run(input, |ctx| {
            CentralPanel::default().frame(Frame::NONE).show(ctx, |ui| {
                let rect = ui.max_rect();
                plots.show(ui, rect, UpperPlot::Tasks, history, &stats, None);
            });
        });
        let shapes = output.shapes.into_iter();
        shapes.map(|ClippedShape { shape, .. }| shape).collect()
    }

    #[test]
    fn a_spike_older_than_two_seconds_is_within_the_axis() {
        // 240 frames of 16 ms are in sight: almost four seconds. The spike is three seconds old.
        let mut lengths = [16; 300];
        lengths[110] = 200;
        let mut history = history(&lengths);
        history.change(200, history.frames()[200].now);
        let mut plots = Plots::default();
        let stats = WindowStats::of_subject(subject("fixed-interval", &[]), &history, WINDOW);
        assert!(stats.first_frame > Some(110));
        shapes(&mut plots, &history);
        assert_eq!(plots.scales.times.top(), 200.0);
        // When the spike has left the plot, the axis shrinks.
        for _ in 0..100 {
            let mut next = history.frames().back().expect("a frame").clone();
            next.record.number += 1;
            history.push(next);
        }
        shapes(&mut plots, &history);
        assert_eq!(plots.scales.times.top(), 50.0);
    }

    #[test]
    fn a_restart_forgets_the_scales() {
        let mut plots = Plots::default();
        let mut history = history(&[200; 10]);
        shapes(&mut plots, &history);
        assert_eq!(plots.scales.times.top(), 200.0);
        history.restart();
        shapes(&mut plots, &history);
        assert_eq!(plots.scales.times.top(), 50.0);
    }

    /// Returns a history of the request list with this backlog in every frame.
    fn with_backlog(backlog: usize) -> History {
        let mut history = history(&[16; 100]);
        let mut past: PastFrame = history.frames().back().expect("a frame").clone();
        past.strategy = strategy::by_key("request-list");
        past.record.backlog = backlog;
        for _ in 0..100 {
            past.record.number += 1;
            history.push(past.clone());
        }
        history
    }

    #[test]
    fn a_backlog_has_an_axis_at_the_right_in_its_colour() {
        let texts = |shapes: &[Shape]| -> Vec<String> {
            let is_axis = |text: &TextShape| {
                let format = &text.galley.job.sections[0].format;
                text.pos.x > SIZE.x - RIGHT_AXIS && format.font_id.size == 10.0
            };
            let texts = shapes.iter().filter_map(|shape| match shape {
                Shape::Text(text) if is_axis(text) => Some(text.galley.text().to_owned()),
                _ => None,
            });
            texts.filter(|text| text != "now").collect()
        };
        let with = shapes(&mut Plots::default(), &with_backlog(385));
        assert_eq!(texts(&with), ["0", "200", "400"]);
        let without = shapes(&mut Plots::default(), &numbered_frames(100));
        assert!(texts(&without).is_empty());
    }

    #[test]
    fn the_line_of_the_backlog_ends_with_its_strategy() {
        let mut history = with_backlog(385);
        let mut past: PastFrame = history.frames().back().expect("a frame").clone();
        // The other strategy has no backlog, and this one has none in every other frame.
        for (key, count) in [("fixed-interval", 60), ("earliest-deadline", 30)] {
            past.strategy = strategy::by_key(key);
            for _ in 0..count {
                past.record.number += 1;
                let is_late = key == "earliest-deadline" && past.record.number.is_multiple_of(2);
                past.record.backlog = usize::from(is_late);
                history.push(past.clone());
            }
        }
        let shapes = shapes(&mut Plots::default(), &history);
        let lines = shapes.iter().filter_map(|shape| match shape {
            Shape::Path(path) if path.points.len() > 10 => Some(&path.points),
            _ => None,
        });
        let lines: Vec<_> = lines.collect();
        let [.., before, after] = lines[..] else {
            panic!("two lines: {lines:?}");
        };
        let gap = after[0].x - before[before.len() - 1].x;
        assert!(gap > 50.0 && after.len() == 30, "{gap} {}", after.len());
    }

    #[test]
    fn labels_of_changes_hide_the_lines_behind_them() {
        let mut history = with_backlog(385);
        history.mark_event(150, "Stall 500 ms".to_owned());
        let shapes = shapes(&mut Plots::default(), &history);
        let line = |shape: &Shape| matches!(shape, Shape::Path(path) if path.points.len() > 50);
        let line = shapes.iter().position(line).expect("the backlog's line");
        let label = |shape: &Shape| match shape {
            Shape::Text(text) => text.galley.text() == "Stall 500 ms",
            _ => false,
        };
        let label = shapes.iter().position(label).expect("a label");
        let Shape::Rect(ground) = &shapes[label - 1] else {
            panic!("{:?}", shapes[label - 1]);
        };
        assert!(label > line && ground.fill.a() == 255, "{:?}", ground.fill);
        let bounds = shapes[label].visual_bounding_rect();
        assert!(ground.rect.expand(1.0).contains_rect(bounds));
    }
}
