//! The two plots of recent frames. The upper plot shows tasks, or the share of entities that look the wrong way. The
//! lower plot shows frame times. The columns of the two plots are aligned. Figures come from the history; nothing is
//! measured here.

mod flags;
mod plot;
mod scale;
mod times;
mod upper;

use crate::app::charts::columns::{AXIS, Columns, Zoom};
use crate::app::charts::frame_card;
use crate::app::widgets::theme;
use crate::app::widgets::wheel::turns;
use egui::{Align2, CornerRadius, Id, Painter, Rect, Sense, Stroke, Ui, pos2};
use flags::flags;
use headless::history::{FRAMES, History, WindowStats};
use headless::text::format;
use plot::{LONGEST, MOST_TASKS, MOST_WRONG, Plot, note};
use scale::Scales;
use times::frame_time;
use upper::{has_backlog, looking_wrong, tasks_per_frame};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpperPlot {
    Tasks,
    Wrong,
}

/// Room at the right, in points, without and with an axis.
const RIGHT: f32 = 16.0;
const RIGHT_AXIS: f32 = 44.0;
/// Heights of a plot's heading and of the axis below the plots.
const HEADING: f32 = 34.0;
const BELOW: f32 = 24.0;
/// Minimum height of both plots. If there is less, only the frame times are plotted.
const WITH_BOTH: f32 = 140.0;
/// Minimum height of one plot with its heading, and without.
const WITH_HEADING: f32 = 76.0;
pub const LEAST_HEIGHT: f32 = 52.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plots {
    pub zoom: Zoom,
    scales: Scales,
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
        let plot = |rect| Plot {
            painter: &painter,
            rect,
            columns: &columns,
            history,
            stats,
        };
        let scales = &mut self.scales;
        match upper {
            _ if !tasks.is_positive() => {}
            UpperPlot::Tasks => tasks_per_frame(&plot(tasks), scales),
            UpperPlot::Wrong => looking_wrong(&plot(tasks)),
        }
        let top = frame_time(&plot(times), &mut scales.times);
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
                _ if at.y >= tasks.bottom() => LONGEST,
                UpperPlot::Tasks => MOST_TASKS,
                UpperPlot::Wrong => MOST_WRONG,
            };
            let frames = columns.at(at.x);
            let past = peak.in_column(frames)?;
            let distinction = match frames.len() {
                1 => String::new(),
                several => format!("{} of {several}", peak.name),
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

/// Paints a line through both plots at each change, starting with the newest. Each label is to the right of its line,
/// if there is room before the newer line or label.
fn change_lines(
    painter: &Painter,
    tasks: Rect,
    times: Rect,
    columns: &Columns<'_>,
    history: &History,
) {
    let mut room_to = columns.right;
    for mark in history.marks().rev() {
        let Some(x) = columns.x_of(mark) else {
            continue;
        };
        for plot in [tasks, times] {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::TEAL));
        }
        let label = |x: f32, align| {
            let at = pos2(x, tasks.top() + 1.0);
            note(painter, at, align, &mark.label, theme::TEAL)
        };
        let lay = painter.layout_no_wrap(mark.label.clone(), theme::text(10.5), theme::TEAL);
        let is_newest = room_to >= columns.right;
        if x + 10.0 + lay.size().x <= room_to {
            label(x + 6.0, Align2::LEFT_TOP);
            room_to = x;
        } else if is_newest {
            // If the newest label does not fit to the right of its line, it moves to the left.
            room_to = label(x - 6.0, Align2::RIGHT_TOP).left();
        } else {
            room_to = room_to.min(x);
        }
    }
}

/// Room for the text at the right end, in points.
const TEXT_ROOM: f32 = 100.0;

fn axis_below(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    let y = plot.bottom() + 10.0;
    let text =
        |x: f32, align, words: &str, font| painter.text(pos2(x, y), align, words, font, theme::DIM);
    let mut text_left = plot.right();
    if columns.behind == 0 {
        let now = text(text_left, Align2::RIGHT_CENTER, "now", theme::mono(10.0));
        text_left = now.left() - 6.0;
    }
    text(
        text_left,
        Align2::RIGHT_CENTER,
        "frames ago",
        theme::text(10.5),
    );
    let frames_a_point = columns.each as f32 / columns.width;
    for (ago, back) in labels(columns.room(), frames_a_point, columns.behind) {
        let label = format!("-{}", format::grouped(ago as u64));
        let x = (plot.right() - back).round();
        text(x, Align2::CENTER_CENTER, &label, theme::mono(10.0));
    }
}

/// Returns round numbers of frames ago, about 180 points apart, and their distances from the right end in points.
fn labels(room: f32, frames_a_point: f32, behind: usize) -> impl Iterator<Item = (usize, f32)> {
    let each = (180.0 * frames_a_point / 10.0).round().max(1.0) as usize * 10;
    let farthest = behind + (room * frames_a_point) as usize;
    (each..=farthest.min(FRAMES))
        .step_by(each)
        .filter(move |&ago| ago > behind)
        .map(move |ago| (ago, (ago - behind) as f32 / frames_a_point))
        .filter(|&(_, back)| back > TEXT_ROOM)
}

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
    use egui::epaint::ClippedShape;
    use egui::{CentralPanel, Context, Frame, Pos2, RawInput, Shape, vec2};
    use headless::history::{PastFrame, WINDOW};
    use headless::testing::{history, history_with_change, subject};
    use timeslicer::strategy;

    const SIZE: egui::Vec2 = vec2(796.0, 226.0);

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
        let mut history = history_with_change(&lengths, 200);
        let mut plots = Plots::default();
        let stats = WindowStats::of_subject(subject("fixed-interval", &[]), &history, WINDOW);
        assert!(stats.first_frame > Some(110));
        shapes(&mut plots, &history);
        assert_eq!(plots.scales.times, 200.0);
        // When the spike has left the plot, the axis shrinks.
        for _ in 0..100 {
            let mut next = history.frames().back().expect("a frame").clone();
            next.record.number += 1;
            history.push(next);
        }
        shapes(&mut plots, &history);
        assert_eq!(plots.scales.times, 50.0);
    }

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
    fn usual_zoom_has_the_mock_ups_labels() {
        let labels: Vec<_> = labels(720.0, 1.0 / 3.0, 0).collect();
        assert_eq!(
            labels,
            [(60, 180.0), (120, 360.0), (180, 540.0), (240, 720.0)]
        );
    }

    #[test]
    fn past_axis_counts_from_the_present_and_clears_text() {
        let labels: Vec<_> = labels(720.0, 1.0 / 3.0, 170).collect();
        assert_eq!(
            labels,
            [(240, 210.0), (300, 390.0), (360, 570.0)],
            "180 would overlap the text"
        );
    }
}
