//! The two plots over the last frames: tasks in each, and how long each was. Both have a column for each
//! frame, at the same place.

use super::history::History;
use super::pacing::PERIOD;
use super::widgets::line;
use super::{figure, theme};
use egui::{Align2, Color32, CornerRadius, Mesh, Painter, Rect, Shape, Stroke, Ui, pos2, vec2};
use timeslice_lab::metrics::FrameRecord;
use timeslice_lab::time::Nanos;

/// Width of a frame's column in points.
const COLUMN: f32 = 3.0;
/// Room for the axis at the left, and at the right.
const AXIS: f32 = 60.0;
const RIGHT: f32 = 18.0;

/// The parts of a frame's time, from the bottom.
type Part = (&'static str, Color32, fn(&FrameRecord) -> Nanos);
const PARTS: [Part; 4] = [
    ("tasks", theme::TASKS, |frame| frame.task_time),
    ("scheduling", theme::SCHEDULING, |frame| frame.scheduling),
    ("drawing", theme::DRAWING, |frame| frame.drawing),
    ("waiting", theme::WAITING, |frame| frame.waiting),
];

/// Shows both plots in `rect`.
pub fn show(ui: &Ui, rect: Rect, history: &History) {
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    painter.hline(
        rect.x_range(),
        rect.top() + 0.5,
        Stroke::new(1.0, theme::LINE),
    );
    if rect.width() < AXIS + RIGHT + 60.0 || rect.height() < 120.0 {
        return;
    }
    let columns = Columns::new(rect, history);
    // 226 points: 34 above the first plot, 34 between them, 24 below; the rest 3 to 5.
    let free = rect.height() - 34.0 - 34.0 - 24.0;
    let tasks = columns.band(rect.top() + 34.0, free * 0.375);
    let times = columns.band(tasks.bottom() + 34.0, free * 0.625);

    tasks_per_frame(&painter, tasks, &columns);
    frame_time(&painter, times, &columns);
    marks(&painter, tasks, times, &columns, history);
    axis_below(&painter, times, &columns);
}

/// The frames that fit, and where each one's column is.
struct Columns<'a> {
    frames: Vec<&'a FrameRecord>,
    left: f32,
    right: f32,
}

impl<'a> Columns<'a> {
    fn new(rect: Rect, history: &'a History) -> Self {
        let left = (rect.left() + AXIS).round();
        let fitting = ((rect.right() - RIGHT - left) / COLUMN).max(1.0).floor();
        let right = left + fitting * COLUMN;
        Self {
            frames: history.last(fitting as usize).collect(),
            left,
            right,
        }
    }

    fn band(&self, top: f32, height: f32) -> Rect {
        let (top, bottom) = (top.round(), (top + height).round());
        Rect::from_min_max(pos2(self.left, top), pos2(self.right, bottom))
    }

    /// The left edge of the frame's column, the last frame being at the right end.
    fn x(&self, index: usize) -> f32 {
        self.right - self.frames.len().saturating_sub(index) as f32 * COLUMN
    }

    fn mean(&self, of: impl Fn(&FrameRecord) -> f64) -> f64 {
        // Not `sum`, which makes minus zero of nothing.
        let sum = self.frames.iter().fold(0.0, |sum, frame| sum + of(frame));
        sum / self.frames.len().max(1) as f64
    }
}

/// A figure above a plot: a dot of its colour, if it has one, its name and its value.
type Figure<'a> = (Option<Color32>, &'a str, String);

/// A plot's name at its upper left, and figures at its upper right: as many of the last ones as fit.
fn heading(painter: &Painter, plot: Rect, name: &str, unit: &str, figures: &[Figure<'_>]) {
    let y = plot.top() - 15.0;
    let parts = [(name, false, theme::BRIGHT), (unit, false, theme::DIM)];
    let name_end = line(painter, pos2(plot.left(), y), &parts, 13.0);
    let mut right = plot.right();
    for (dot, name, value) in figures.iter().rev() {
        let value = painter.layout_no_wrap(value.clone(), theme::mono(12.0), theme::BRIGHT);
        let name = painter.layout_no_wrap((*name).to_owned(), theme::text(12.0), theme::DIM);
        let dot_width = if dot.is_some() { 16.0 } else { 0.0 };
        let left = right - value.size().x - 6.0 - name.size().x - dot_width;
        if left < name_end + 12.0 {
            return;
        }
        if let Some(dot) = dot {
            let square = Rect::from_center_size(pos2(left + 4.0, y), vec2(8.0, 8.0));
            painter.rect_filled(square, 2.0, *dot);
        }
        let name_left = pos2(left + dot_width, y - name.size().y / 2.0);
        let value_left = pos2(right - value.size().x, y - value.size().y / 2.0);
        painter.galley(name_left, name, theme::DIM);
        painter.galley(value_left, value, theme::BRIGHT);
        right = left - 14.0;
    }
}

fn axis_label(painter: &Painter, plot: Rect, y: f32, text: String, ink: Color32) {
    let at = pos2(plot.left() - 8.0, y);
    painter.text(at, Align2::RIGHT_CENTER, text, theme::mono(10.0), ink);
}

fn tasks_per_frame(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    let peak = columns
        .frames
        .iter()
        .map(|frame| frame.runs)
        .max()
        .unwrap_or(0);
    let top = nice_ceiling(peak);
    let now = columns.frames.last().map_or(0, |frame| frame.runs);
    heading(
        painter,
        plot,
        "Tasks per frame",
        "",
        &[
            (None, "now", figure::grouped(now.into())),
            (
                None,
                "mean",
                figure::number(columns.mean(|frame| f64::from(frame.runs))),
            ),
            (None, "peak", figure::grouped(peak.into())),
        ],
    );
    painter.rect_filled(plot, 0.0, theme::WELL);
    for share in [0.0, 0.5, 1.0] {
        let y = plot.bottom() - plot.height() * share;
        painter.hline(plot.x_range(), y - 0.5, Stroke::new(1.0, theme::LINE));
        axis_label(
            painter,
            plot,
            y,
            short(top as f64 * f64::from(share)),
            theme::DIM,
        );
    }
    let mut mesh = Mesh::default();
    for (index, frame) in columns
        .frames
        .iter()
        .enumerate()
        .filter(|(_, frame)| frame.runs > 0)
    {
        // At least two points: a frame in which anything ran is seen.
        let height = (plot.height() * frame.runs as f32 / top as f32).max(2.0);
        let left = columns.x(index);
        let bar = Rect::from_min_max(
            pos2(left, (plot.bottom() - height).round()),
            pos2(left + COLUMN - 1.0, plot.bottom()),
        );
        mesh.add_colored_rect(bar, theme::RED);
    }
    painter.add(Shape::mesh(mesh));
}

fn frame_time(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    let target = PERIOD.as_millis_f64();
    let top = time_scale(&columns.frames);
    let mut figures: Vec<Figure<'_>> = PARTS
        .iter()
        .map(|(name, ink, part)| {
            let mean = columns.mean(|frame| part(frame).as_millis_f64());
            (Some(*ink), *name, format!("{mean:.1}"))
        })
        .collect();
    let max = columns
        .frames
        .iter()
        .map(|frame| frame.length)
        .max()
        .unwrap_or_default();
    figures.push((None, "max", format!("{:.1}", max.as_millis_f64())));
    heading(painter, plot, "Frame time", "  ms", &figures);

    painter.rect_filled(plot, 0.0, theme::WELL);
    let height_of = |time: Nanos| plot.height() * (time.as_millis_f64() / top).min(1.0) as f32;
    let mut mesh = Mesh::default();
    for (index, frame) in columns.frames.iter().enumerate() {
        let left = columns.x(index);
        let column = |from: f32, to: f32| {
            let (low, high) = ((plot.bottom() - from).round(), (plot.bottom() - to).round());
            Rect::from_min_max(pos2(left, high), pos2(left + COLUMN, low))
        };
        let mut below = Nanos::ZERO;
        for (_, ink, part) in PARTS {
            let above = below + part(frame);
            mesh.add_colored_rect(column(height_of(below), height_of(above)), ink);
            below = above;
        }
        if frame.length.as_millis_f64() > top {
            // Cut off: amber says so, and the greatest is in the legend.
            let tip = Rect::from_min_size(pos2(left, plot.top()), vec2(COLUMN, 6.0));
            mesh.add_colored_rect(tip, theme::AMBER);
        }
    }
    painter.add(Shape::mesh(mesh));
    for (multiple, rate, ink) in [(1.0, "60 fps", theme::DIM), (2.0, "30 fps", theme::AMBER)] {
        let y = (plot.bottom() - plot.height() * (target * multiple / top) as f32).round() - 0.5;
        let dashes = Shape::dashed_line(
            &[pos2(plot.left(), y), pos2(plot.right(), y)],
            Stroke::new(1.0, ink.gamma_multiply(0.8)),
            4.0,
            3.0,
        );
        painter.extend(dashes);
        axis_label(painter, plot, y, format!("{:.1}", target * multiple), ink);
        let at = pos2(plot.left() + 4.0, y - 1.0);
        painter.text(at, Align2::LEFT_BOTTOM, rate, theme::text(10.0), ink);
    }
    axis_label(painter, plot, plot.bottom(), "0".to_owned(), theme::DIM);
}

/// A line through both plots where something was changed, and what.
fn marks(painter: &Painter, tasks: Rect, times: Rect, columns: &Columns<'_>, history: &History) {
    let Some(first) = columns.frames.first().map(|frame| frame.number) else {
        return;
    };
    let mut free_from = columns.left;
    for mark in history.marks().filter(|mark| mark.frame >= first) {
        let x = columns.x((mark.frame - first) as usize).min(columns.right) - 0.5;
        for plot in [tasks, times] {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::TEAL));
        }
        let galley = painter.layout_no_wrap(mark.label.clone(), theme::text(11.0), theme::TEAL);
        let left = (x + 4.0).min(columns.right - galley.size().x - 2.0);
        if left < free_from {
            continue; // its line stands, its words would cover another's
        }
        let ground = Rect::from_min_size(
            pos2(left - 2.0, tasks.top() + 1.0),
            galley.size() + vec2(4.0, 1.0),
        );
        painter.rect_filled(ground, 2.0, theme::WELL.gamma_multiply(0.85));
        free_from = ground.right() + 4.0;
        painter.galley(ground.min + vec2(2.0, 0.0), galley, theme::TEAL);
    }
}

fn axis_below(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    const EACH: usize = 60;
    let y = plot.bottom() + 10.0;
    painter.text(
        pos2(plot.right(), y),
        Align2::RIGHT_CENTER,
        "now",
        theme::mono(10.0),
        theme::DIM,
    );
    let fitting = ((columns.right - columns.left) / COLUMN) as usize;
    for ago in (EACH..=fitting).step_by(EACH) {
        let at = pos2(plot.right() - ago as f32 * COLUMN, y);
        painter.text(
            at,
            Align2::CENTER_CENTER,
            format!("-{ago}"),
            theme::mono(10.0),
            theme::DIM,
        );
    }
    let at = pos2(plot.right() - 24.0, y);
    painter.text(
        at,
        Align2::RIGHT_CENTER,
        "frames ago",
        theme::text(10.5),
        theme::DIM,
    );
}

/// What the frame-time plot reaches up to, in milliseconds: two and a half target periods, or more where
/// most frames are longer. A few long ones do not flatten all others; they are cut off.
fn time_scale(frames: &[&FrameRecord]) -> f64 {
    let mut lengths: Vec<Nanos> = frames.iter().map(|frame| frame.length).collect();
    let least = 2.5 * PERIOD.as_millis_f64();
    if lengths.is_empty() {
        return least;
    }
    let most_are_below = lengths.len() * 9 / 10;
    let (_, length, _) = lengths.select_nth_unstable(most_are_below);
    (length.as_millis_f64() * 1.2).max(least)
}

/// The next of 2, 4, 10, 20, 40, 100, ... that is not below `peak`, so that half of it is whole, too.
fn nice_ceiling(peak: u32) -> u64 {
    let mut decade = 1;
    loop {
        for step in [2, 4, 10] {
            if step * decade >= u64::from(peak) {
                return step * decade;
            }
        }
        decade *= 10;
    }
}

/// A count on an axis: `40k`.
fn short(value: f64) -> String {
    if value >= 1e6 {
        format!("{}M", figure::number(value / 1e6))
    } else if value >= 1e4 {
        format!("{}k", figure::number(value / 1e3))
    } else {
        figure::number(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_ends_at_a_round_number_that_is_not_below_the_peak() {
        for (peak, top) in [
            (0, 2),
            (1, 2),
            (3, 4),
            (5, 10),
            (11, 20),
            (400, 400),
            (401, 1000),
        ] {
            assert_eq!(nice_ceiling(peak), top);
        }
        assert_eq!(nice_ceiling(u32::MAX), 10_000_000_000);
    }

    #[test]
    fn the_time_scale_follows_most_frames_and_not_a_few() {
        let frame = |ms| FrameRecord {
            length: Nanos::from_millis(ms),
            ..FrameRecord::default()
        };
        let scale = |frames: &[FrameRecord]| time_scale(&frames.iter().collect::<Vec<_>>());
        let usual = 2.5 * PERIOD.as_millis_f64();
        assert_eq!(scale(&[]), usual);
        let mut frames: Vec<FrameRecord> = (0..100).map(|_| frame(16)).collect();
        frames[50] = frame(900);
        assert_eq!(scale(&frames), usual);
        assert!(scale(&[frame(60), frame(61)]) > 61.0);
    }

    #[test]
    fn counts_on_the_axis_are_short() {
        assert_eq!(short(400.0), "400");
        assert_eq!(short(40_000.0), "40k");
        assert_eq!(short(1_000_000.0), "1M");
    }

    #[test]
    fn a_frames_parts_are_all_of_its_time() {
        let frame = FrameRecord {
            task_time: Nanos::from_millis(1),
            scheduling: Nanos::from_millis(2),
            drawing: Nanos::from_millis(4),
            waiting: Nanos::from_millis(8),
            ..FrameRecord::default()
        };
        let sum: Nanos = PARTS.iter().map(|(_, _, part)| part(&frame)).sum();
        assert_eq!(sum, Nanos::from_millis(15));
    }

    #[test]
    fn of_no_frames_the_mean_is_zero_without_a_sign() {
        let history = History::default();
        let columns = Columns::new(
            Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 226.0)),
            &history,
        );
        assert_eq!(format!("{:.1}", columns.mean(|_| 1.0)), "0.0");
    }

    #[test]
    fn the_last_frame_stands_at_the_right_end() {
        let mut history = History::default();
        for number in 0..10 {
            history.push(FrameRecord {
                number,
                ..FrameRecord::default()
            });
        }
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 226.0));
        let columns = Columns::new(rect, &history);
        assert_eq!(columns.x(9), columns.right - COLUMN);
        assert!(columns.right <= 900.0 - RIGHT);
    }
}
