//! Two plots of the most recent frames. The upper plot shows either how many tasks ran in each frame, or the fraction
//! of entities that do not face the target. The lower plot shows the frame times.

use super::columns::{AXIS_LABEL_WIDTH, Columns, Zoom};
use super::flags::{self, paint_flags};
use super::{CLICKS, FRAME_PARTS, Pointed, add_stack};
use crate::app::widgets::wheel::turns;
use crate::app::widgets::{paint, theme};
use egui::text::LayoutJob;
use egui::{
    Align, Align2, Color32, CornerRadius, Galley, Id, Mesh, Painter, Pos2, Rangef, Rect, Shape,
    Stroke, Ui, pos2, vec2,
};
use lab::catalog::strategy::StrategyEntry;
use lab::history::{History, PastFrame, WindowStats};
use lab::sim::lane::FrameRecord;
use lab::text::format::{self, percent};
use std::cmp::Reverse;
use std::sync::Arc;
use timeslicer::time::Nanos;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpperPlot {
    Tasks,
    Wrong,
}

const RIGHT_MARGIN: f32 = 16.0;
const RIGHT_MARGIN_WITH_AXIS: f32 = 44.0;
const HEADING_HEIGHT: f32 = 34.0;
const AXIS_HEIGHT: f32 = 24.0;
const MIN_HEIGHT_FOR_TWO_PLOTS: f32 = 140.0;
const MIN_HEIGHT_WITH_HEADING: f32 = 76.0;
/// The minimum height of a plot, in points. A plot of this height has no heading.
pub const LEAST_HEIGHT: f32 = 52.0;
const MIN_SPACE_FOR_TWO_ROWS: f32 = 33.0;
const METRIC_GAP: f32 = 10.0;

/// A time scale ends at one of these numbers times a power of ten. The middle of the scale also has a label, so half of
/// each number must be easy to read, too.
const TIME_SCALE_ENDS: [u64; 8] = [1, 2, 3, 4, 5, 6, 8, 10];
/// A scale of counts ends at one of these numbers times a power of ten. All of them are even, so that the label in the
/// middle of the scale is a whole number.
const COUNT_SCALE_ENDS: [u64; 5] = [2, 4, 6, 8, 10];

const MAX_CLIPPED_FRAMES: usize = 2;
/// The bar of a frame is clipped only if the frame took more than this many times as long as a usual frame.
const MIN_CLIPPED_LENGTH_RATIO: u64 = 8;

/// A property of a frame that can be plotted. A column that contains several frames shows the highest value, so that no
/// spike is hidden.
type FrameProperty = fn(&PastFrame) -> f64;
const MOST_TASKS: FrameProperty = |past| past.record.runs.into();
const MOST_WRONG: FrameProperty = |past| past.record.looking_wrong.unwrap_or(0.0);
const BACKLOG: FrameProperty = |past| past.record.backlog as f64;
const LONGEST: FrameProperty = |past| (past.record.length + past.outside).as_nanos() as f64;

/// Returns the frame with the highest value of a property. If there are several such frames, returns the earliest.
fn peak<'a>(frames: &[&'a PastFrame], property: FrameProperty) -> Option<&'a PastFrame> {
    let newest_first = frames.iter().copied().rev();
    newest_first.max_by(|one, other| property(one).total_cmp(&property(other)))
}

fn most(frames: &[&PastFrame], property: FrameProperty) -> f64 {
    peak(frames, property).map_or(0.0, property)
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Plots {
    pub zoom: Zoom,
}

impl Plots {
    /// Shows both plots, which can be zoomed with the mouse wheel. `displayed_frame` is the past frame that the user is
    /// looking at, if any. Returns the frame under the mouse pointer.
    pub fn show(
        &mut self,
        ui: &Ui,
        rect: Rect,
        upper: UpperPlot,
        history: &History,
        stats: &WindowStats,
        displayed_frame: Option<u64>,
    ) -> Option<Pointed> {
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
        if rect.width() < AXIS_LABEL_WIDTH + RIGHT_MARGIN + 60.0 || rect.height() < LEAST_HEIGHT {
            return None;
        }
        let fitting = |margin| Columns::new(rect, margin, history, self.zoom, displayed_frame);
        let columns = fitting(RIGHT_MARGIN);
        let mut frames = columns.frames.iter();
        let has_backlog = upper == UpperPlot::Tasks && frames.any(|past| has_backlog(past));
        let columns = if has_backlog {
            fitting(RIGHT_MARGIN_WITH_AXIS)
        } else {
            columns
        };
        let plots = plot_areas(rect, &columns);
        let [upper_plot, times_plot] = plots.map(|rect| Plot {
            painter: &painter,
            rect,
            columns: &columns,
            stats,
            displayed_or_newest: displayed_frame
                .map_or(history.frames().back(), |at| history.frame(at)),
        });
        if upper_plot.rect.is_positive() {
            match upper {
                UpperPlot::Tasks => upper_plot.tasks_per_frame(has_backlog),
                UpperPlot::Wrong => upper_plot.looking_wrong(),
            }
        }
        let top = times_plot.frame_time();
        change_lines(&painter, plots, &columns, history);
        // Paint the flags after the change lines, so that no line crosses their text.
        paint_flags(&painter, times_plot.rect, &columns, top);
        let y = times_plot.rect.bottom() + 10.0;
        let right = columns.paint_axis(&painter, y, 180.0, 100.0);
        paint::right(&painter, pos2(right, y), "frames ago", 10.5, theme::DIM);
        window_lines(&painter, plots, &columns, stats);

        let [tasks, times] = plots;
        let over = ui.interact(tasks.union(times), Id::new("plots"), CLICKS);
        let hovered = over.hover_pos().and_then(|at| {
            self.zoom = self.zoom.out(turns(ui), columns.room());
            let property = match upper {
                _ if at.y >= tasks.bottom() => LONGEST,
                UpperPlot::Tasks => MOST_TASKS,
                UpperPlot::Wrong => MOST_WRONG,
            };
            peak(columns.at(at.x), property)
        });
        let past = hovered.or_else(|| history.frame(displayed_frame?))?;
        let x = columns.column_center(past.record.number)?;
        for plot in plots {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::BRIGHT));
        }
        Some(Pointed {
            frame: hovered?.record.number,
            is_clicked: over.clicked(),
            row: None,
        })
    }
}

/// Returns the areas of the upper and the lower plot. If there is not enough room for both, the upper area is empty.
fn plot_areas(rect: Rect, columns: &Columns<'_>) -> [Rect; 2] {
    if rect.height() < MIN_HEIGHT_FOR_TWO_PLOTS {
        let has_heading = rect.height() >= MIN_HEIGHT_WITH_HEADING;
        let top = rect.top() + if has_heading { 22.0 } else { 4.0 };
        return [0.0, rect.bottom() - AXIS_HEIGHT - top].map(|height| columns.band(top, height));
    }
    // The plots divide the height in the ratio 3 to 5.
    let free = rect.height() - 2.0 * HEADING_HEIGHT - AXIS_HEIGHT;
    let tasks = columns.band(rect.top() + HEADING_HEIGHT, free * 0.375);
    [
        tasks,
        columns.band(tasks.bottom() + HEADING_HEIGHT, free * 0.625),
    ]
}

/// Marks each setting change with a label and a line through both plots. Labels that would overlap a newer label or the
/// axis are left out.
fn change_lines(painter: &Painter, plots: [Rect; 2], columns: &Columns<'_>, history: &History) {
    let marks = history.marks().iter().rev();
    let marks = marks.filter_map(|mark| Some((columns.change_mark_x(mark)?, &mark.label)));
    let marks: Vec<_> = marks.collect();
    for ((x, _), plot) in marks.iter().flat_map(|mark| plots.map(|plot| (mark, plot))) {
        painter.vline(*x, plot.y_range(), Stroke::new(1.0, theme::TEAL));
    }
    let mut free_to = f32::INFINITY;
    for (x, label) in marks {
        let galley = painter.layout_no_wrap(label.clone(), theme::text(10.5), theme::TEAL);
        if x <= free_to && x - 9.0 - galley.size().x >= columns.left {
            let at = pos2(x - 6.0, plots[0].top() + 1.0);
            free_to = note(painter, at, Align2::RIGHT_TOP, galley).left();
        }
    }
}

/// Paints text on a background that hides the plot behind it. Returns the area of the background.
fn note(painter: &Painter, at: Pos2, align: Align2, text: Arc<Galley>) -> Rect {
    paint::label(painter, at, align, text, vec2(3.0, 0.0), theme::WELL)
}

/// Paints a line above the frames from which the displayed metrics are computed.
fn window_lines(painter: &Painter, plots: [Rect; 2], columns: &Columns<'_>, stats: &WindowStats) {
    let ([first, .., last], Some(from)) = (&columns.frames[..], stats.first_frame) else {
        return;
    };
    if from > last.record.number {
        return;
    }
    let left = columns.column_left(from.max(first.record.number));
    let end = stats.past.and_then(|past| columns.column_center(past));
    let right = end.map_or(columns.right, |middle| middle + columns.width / 2.0);
    for plot in plots {
        let y = plot.top() - 1.5;
        painter.hline(left..=right, y, Stroke::new(2.0, theme::DIM));
        for x in [left + 0.5].into_iter().chain(end.map(|_| right - 0.5)) {
            painter.vline(x, y..=y + 6.0, Stroke::new(1.0, theme::DIM));
        }
    }
}

/// Returns whether to plot the number of waiting tasks for this frame. This is the case if tasks are waiting, or if the
/// strategy runs tasks only on request.
fn has_backlog(past: &PastFrame) -> bool {
    let is_on_request = past.strategy().is_some_and(StrategyEntry::on_request);
    past.record.backlog > 0 || is_on_request
}

/// Returns where a scale that includes `value` should end. The result is one of the `round_numbers`, multiplied by a
/// power of ten.
fn scale_end(round_numbers: &[u64], value: f64) -> f64 {
    let mut decade = 1.0;
    loop {
        let mut tops = round_numbers.iter().map(|&top| top as f64 * decade);
        if let Some(top) = tops.find(|&top| top >= value) {
            return top;
        }
        decade *= 10.0;
    }
}

/// Returns the longest frame time that the plot must show, in milliseconds. Up to two extremely long frames are
/// ignored, because they would make all others look tiny. Stalls that the user has injected are ignored, too.
fn max_plotted_ms(frames: &[&PastFrame], period: Nanos) -> f64 {
    let records = frames.iter().map(|past| &past.record);
    let work = records
        .clone()
        .map(|frame| frame.task_time + frame.scheduling)
        .max();
    let mut lengths: Vec<Nanos> = records.map(FrameRecord::own_length).collect();
    lengths.sort_unstable_by_key(|&length| Reverse(length));
    let least = Nanos::from_millis_f64(2.5 * period.as_millis_f64());
    // The time that a frame spends on tasks and scheduling is never ignored.
    let usual = lengths
        .get(MAX_CLIPPED_FRAMES)
        .copied()
        .max(work)
        .max(Some(least));
    let usual = usual.unwrap_or(least);
    let limit = Nanos::from_nanos(usual.as_nanos().saturating_mul(MIN_CLIPPED_LENGTH_RATIO));
    let longest = lengths.into_iter().find(|&length| length <= limit);
    longest.unwrap_or(usual).max(usual).as_millis_f64()
}

/// A metric that is shown above a plot. The fields are the colour of its square (if any), its name, and its value (if
/// known).
type Metric<'a> = (Option<Color32>, &'a str, Option<String>);

struct Plot<'a> {
    painter: &'a Painter,
    rect: Rect,
    columns: &'a Columns<'a>,
    stats: &'a WindowStats,
    displayed_or_newest: Option<&'a PastFrame>,
}

impl Plot<'_> {
    fn tasks_per_frame(&self, has_backlog: bool) {
        let columns = self.columns;
        let report = Some(&self.stats.report).filter(|report| report.frames > 0);
        let runs = |past: &PastFrame| format::grouped(past.record.runs.into());
        let mean = report.map(|report| format::number(report.mean_runs()));
        let peak = report.map(|report| format::grouped(report.peak_runs.into()));
        let backlog = most(&columns.frames, BACKLOG);
        let backlog_max = Some(format::grouped(backlog as u64));
        let metrics = [
            (None, self.now_or_then(), self.displayed_or_newest.map(runs)),
            (None, "mean", mean),
            (None, "peak", peak),
            (Some(theme::BRIGHT), "backlog max", backlog_max),
        ];
        let count = if has_backlog { 4 } else { 3 };
        self.heading(
            "Tasks per frame",
            &[&self.stats.caption()],
            &metrics[..count],
        );
        let top = scale_end(&COUNT_SCALE_ENDS, most(&columns.frames, MOST_TASKS));
        self.grid(|share| format::short(top * share));
        let gap = if columns.width > 2.0 { 1.0 } else { 0.0 };
        self.bars(MOST_TASKS, top, theme::RED, 2.0, gap);
        if has_backlog {
            self.backlog(scale_end(&COUNT_SCALE_ENDS, backlog));
        }
    }

    fn now_or_then(&self) -> &'static str {
        if self.stats.past.is_some() {
            "then"
        } else {
            "now"
        }
    }

    fn looking_wrong(&self) {
        let now = self
            .displayed_or_newest
            .and_then(|past| past.record.looking_wrong);
        let mean = self.stats.report.looking_wrong();
        let metrics = [
            (None, self.now_or_then(), now.map(percent)),
            (None, "mean", mean.map(percent)),
        ];
        let caption = self.stats.caption();
        let whole = format!("entities that look more than 10° off the target, {caption}");
        self.heading("Looking wrong", &[&whole, &caption], &metrics);
        self.grid(|share| format!("{:.0}%", 100.0 * share));
        self.bars(MOST_WRONG, 1.0, theme::WRONG, 1.0, 0.0);
    }

    /// Paints the number of waiting tasks as a line over the bars, with an axis of its own on the right.
    fn backlog(&self, top: f64) {
        let stroke = Stroke::new(1.0, theme::BRIGHT);
        let x = self.rect.right() + 4.0;
        self.painter.vline(x, self.rect.y_range(), stroke);
        for share in [0.0, 0.5, 1.0] {
            let y = self.y_of_fraction(share);
            self.painter.hline(x..=x + 4.0, y.round() - 0.5, stroke);
            let (at, font) = (pos2(x + 7.0, y), theme::mono(10.0));
            let label = format::short(top * share);
            let (painter, align) = (self.painter, Align2::LEFT_CENTER);
            painter.text(at, align, label, font, theme::BRIGHT);
        }
        let point = |(left, frames): (f32, &[&PastFrame])| {
            let y = self
                .y_of_fraction(most(frames, BACKLOG) / top)
                .min(self.rect.bottom() - 1.0);
            pos2(left + self.columns.width / 2.0, y)
        };
        let line: Vec<Pos2> = self.columns.iter().map(point).collect();
        if let Some(&end) = line.last() {
            self.painter.circle_filled(end, 2.5, theme::BRIGHT);
        }
        let stroke = Stroke::new(1.6, theme::BRIGHT);
        self.painter.add(Shape::line(line, stroke));
    }

    /// Paints the frame time plot and returns the end of its scale, in milliseconds.
    fn frame_time(&self) -> f64 {
        let report = &self.stats.report;
        let ms = |time: Nanos| (report.frames > 0).then(|| format::millis(time));
        let parts = [
            report.task_time,
            report.scheduling,
            report.drawing,
            report.waiting,
        ];
        let metric = |((name, ink, _), part)| (Some(ink), name, ms(report.per_frame(part)));
        let metrics = FRAME_PARTS.into_iter().zip(parts).map(metric);
        let max = (None, "max", ms(report.frame.max));
        let metrics: Vec<Metric<'_>> = metrics.chain([max]).collect();
        let window = format!("mean ms, {}", self.stats.caption());
        self.heading("Frame time", &[&window, "ms"], &metrics);

        let period = report.subject.pacing.target;
        let top = scale_end(
            &TIME_SCALE_ENDS,
            max_plotted_ms(&self.columns.frames, period),
        );
        self.stacks(top);
        self.rates(period, top);
        if let Some(budget) = report.subject.budget.map(Nanos::as_millis_f64)
            && budget <= top
        {
            let y = self.dashed_line(budget / top, Stroke::new(1.2, theme::BRIGHT), 2.0);
            let at = pos2(self.rect.right() - 4.0, y - 1.0);
            let words = format!("budget {} ms", format::number(budget));
            self.note(at, Align2::RIGHT_BOTTOM, words, theme::BRIGHT);
        }
        top
    }

    fn stacks(&self, top: f64) {
        let (rect, columns) = (self.rect, self.columns);
        // Multiply instead of dividing, because this runs thousands of times per frame.
        let points_a_nano = f64::from(rect.height()) / (top * 1e6);
        let y_of = |time: Nanos| {
            let height = (time.as_nanos() as f64 * points_a_nano) as f32;
            (rect.bottom() - height.min(rect.height())).round()
        };
        let mut mesh = Mesh::default();
        for (left, frames) in columns.iter() {
            let Some(past) = peak(frames, LONGEST) else {
                continue;
            };
            let x = Rangef::new(left, left + columns.width);
            add_stack(&mut mesh, x, rect.bottom(), &past.record, y_of);
            if past.record.length.as_millis_f64() > top {
                // A clipped bar has a tip in the colour of its flag.
                let tip = Rect::from_min_size(pos2(left, rect.top()), vec2(columns.width, 6.0));
                mesh.add_colored_rect(tip, flags::ink(past));
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }

    /// Paints the axis labels. Also paints a dashed line for the display's refresh rate, and one for half of this rate.
    /// If two labels would overlap, only the more important one is painted.
    fn rates(&self, period: Nanos, top: f64) {
        let period = period.as_millis_f64();
        let mut labelled: Vec<f32> = Vec::new();
        for (ms, ink, is_rate) in [
            (0.0, theme::DIM, false),
            (period, theme::DIM, true),
            (2.0 * period, theme::AMBER, true),
            (top, theme::DIM, false),
            (top / 2.0, theme::DIM, false),
        ] {
            let mut y = self.y_of_fraction(ms / top);
            if is_rate {
                let stroke = Stroke::new(1.0, ink.gamma_multiply(0.8));
                y = self.dashed_line(ms / top, stroke, 4.0);
            }
            let is_free = labelled.iter().all(|other| (other - y).abs() > 16.0);
            if y < self.rect.top() || !is_free {
                continue;
            }
            labelled.push(y);
            if is_rate {
                self.axis_label(y, format!("{ms:.1}"), ink);
                // One decimal place distinguishes 59.9 from 60.
                let fps = (1e4 / ms).round() / 10.0;
                let words = format!("{} fps", format::number(fps));
                let at = pos2(self.rect.left() + 4.0, y - 1.0);
                self.note(at, Align2::LEFT_BOTTOM, words, ink);
            } else {
                self.axis_label(y, format::number(ms), ink);
            }
        }
    }

    fn y_of_fraction(&self, fraction: f64) -> f32 {
        self.rect.bottom() - self.rect.height() * fraction as f32
    }

    /// Paints the name of the plot on the left and its metrics in up to two rows on the right. Metrics that do not fit
    /// are left out. If there is one row, the name is followed by the first of the `remarks` that fits.
    fn heading(&self, name: &str, remarks: &[&str], metrics: &[Metric<'_>]) {
        let (painter, plot) = (self.painter, self.rect);
        painter.rect_filled(plot, 0.0, theme::WELL);
        let has_two_rows = plot.top() - painter.clip_rect().top() >= MIN_SPACE_FOR_TWO_ROWS;
        let rows = if has_two_rows { 2 } else { 1 };
        let room = plot.width() - paint::width(painter, name, 13.0) - METRIC_GAP;
        let counts = (0..=metrics.len()).rev();
        let jobs = counts.map(|count| metrics_job(&metrics[..count]));
        let Some(shown) = paint::first_fitting(painter, jobs, room, rows) else {
            return;
        };
        let bottom = plot.top() - if shown.rows.len() > 1 { 2.0 } else { 7.5 };
        let top = bottom - shown.size().y;
        let remarks = if shown.rows.len() > 1 { &[] } else { remarks };
        let at = pos2(plot.left(), top + shown.rows[0].height() / 2.0);
        let end = plot.right() - shown.size().x - METRIC_GAP;
        paint::title(painter, at, name, [13.0, 12.0], remarks, end);
        painter.galley(pos2(plot.right(), top), shown, theme::DIM);
    }

    fn axis_label(&self, y: f32, text: String, ink: Color32) {
        let (at, font) = (pos2(self.rect.left() - 8.0, y), theme::mono(10.0));
        self.painter.text(at, Align2::RIGHT_CENTER, text, font, ink);
    }

    /// Paints grid lines at the bottom, in the middle and at the top of the plot. `label` returns the text for a height
    /// from 0 (bottom) to 1 (top).
    fn grid(&self, label: impl Fn(f64) -> String) {
        for share in [0.0, 0.5, 1.0] {
            let (y, edge) = (self.y_of_fraction(share), Stroke::new(1.0, theme::LINE));
            let x = self.rect.x_range();
            self.painter.hline(x, y.round() - 0.5, edge);
            self.axis_label(y, label(share), theme::DIM);
        }
    }

    /// Paints a bar for the highest value of a property in each column. There is no bar if the value is zero. All other
    /// bars are at least `min_height` points high, so that they are visible.
    fn bars(
        &self,
        property: FrameProperty,
        scale_end: f64,
        ink: Color32,
        min_height: f32,
        gap: f32,
    ) {
        let mut mesh = Mesh::default();
        let bottom = self.rect.bottom();
        for (left, frames) in self.columns.iter() {
            let most = most(frames, property);
            if most > 0.0 {
                let top = self
                    .y_of_fraction(most / scale_end)
                    .min(bottom - min_height)
                    .round();
                let right = left + self.columns.width - gap;
                let bar = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
                mesh.add_colored_rect(bar, ink);
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }

    /// Paints a horizontal dashed line at a fraction of the plot's height, and returns its y coordinate.
    fn dashed_line(&self, fraction: f64, stroke: Stroke, dash: f32) -> f32 {
        let y = self.y_of_fraction(fraction).round() - 0.5;
        let ends = [pos2(self.rect.left(), y), pos2(self.rect.right(), y)];
        let dashes = Shape::dashed_line(&ends, stroke, dash, 3.0);
        self.painter.extend(dashes);
        y
    }

    fn note(&self, at: Pos2, align: Align2, words: String, ink: Color32) {
        let galley = self.painter.layout_no_wrap(words, theme::text(10.5), ink);
        note(self.painter, at, align, galley);
    }
}

/// Returns a job that aligns the metrics to the right. Its rows end only between two metrics.
fn metrics_job(metrics: &[Metric<'_>]) -> LayoutJob {
    let mut job = LayoutJob {
        halign: Align::RIGHT,
        ..LayoutJob::default()
    };
    for (square, name, value) in metrics {
        let gap = if job.is_empty() { 0.0 } else { METRIC_GAP };
        job.append(" ", gap, paint::centred(theme::text(12.0), theme::DIM));
        if let Some(ink) = square {
            job.append("■\u{a0}", 0.0, paint::centred(theme::mono(12.0), *ink));
        }
        let name = format!("{name} ").replace(' ', paint::NO_BREAK);
        job.append(&name, 0.0, paint::centred(theme::text(12.0), theme::DIM));
        let value = value.as_deref().unwrap_or("-");
        job.append(value, 2.0, paint::centred(theme::mono(12.0), theme::BRIGHT));
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::history::TYPICAL_PERIOD;
    use lab::testing::{MS, history};

    #[test]
    fn a_column_shows_its_peak() {
        let mut history = history(&[16, 99, 16, 16]);
        for (number, runs) in [(4, 400), (5, 10)] {
            let mut past = history.frames()[3].clone();
            past.record.number = number;
            past.record.runs = runs;
            past.outside = if number == 5 {
                Nanos::SECOND
            } else {
                Nanos::ZERO
            };
            history.push(past);
        }
        let frames: Vec<&PastFrame> = history.frames().iter().collect();
        let number = |past: Option<&PastFrame>| past.map(|past| past.record.number);
        assert_eq!(number(peak(&frames, MOST_TASKS)), Some(4));
        assert_eq!(number(peak(&frames[..4], LONGEST)), Some(1));
        assert_eq!(number(peak(&frames, LONGEST)), Some(5), "interrupted");
        assert_eq!(
            number(peak(&frames[2..4], LONGEST)),
            Some(2),
            "the earliest"
        );
        assert_eq!(number(peak(&[], LONGEST)), None);
    }

    #[test]
    fn scale_ends_at_round_numbers() {
        let times = |ms| scale_end(&TIME_SCALE_ENDS, ms);
        for (ms, top) in [(0.4, 1.0), (16.7, 20.0), (41.7, 50.0), (60.0, 60.0)] {
            assert_eq!(times(ms), top);
        }
        assert_eq!(times(61.0), 80.0);
        let counts = |count| scale_end(&COUNT_SCALE_ENDS, count);
        for (count, top) in [(0.0, 2.0), (3.0, 4.0), (11.0, 20.0), (401.0, 600.0)] {
            assert_eq!(counts(count), top);
        }
        assert_eq!(counts(u32::MAX.into()), 6e9);
    }

    fn tallest(history: &History) -> f64 {
        let frames: Vec<&PastFrame> = history.frames().iter().collect();
        max_plotted_ms(&frames, TYPICAL_PERIOD)
    }

    #[test]
    fn a_giant_frame_leaves_the_rest_readable() {
        let mut lengths = [16; 240];
        lengths[7] = 60;
        for giant in [20, 30] {
            lengths[giant] = 20_000;
            assert_eq!(tallest(&idle(&lengths)), 60.0);
        }
        assert_eq!(tallest(&history(&lengths)), 20_000.0, "tasks always count");
        lengths[40] = 20_000;
        assert_eq!(tallest(&idle(&lengths)), 20_000.0, "three are no exception");
    }

    #[test]
    fn injected_stalls_are_cut_off() {
        let mut stalled = History::default();
        for past in idle(&[516; 9]).frames() {
            let mut past = past.clone();
            past.record.stall = MS(500);
            stalled.push(past);
        }
        assert!(tallest(&stalled) < 50.0);
    }

    /// Returns a history of frames in which no tasks ran.
    fn idle(lengths_ms: &[u64]) -> History {
        let mut idle = History::default();
        for past in history(lengths_ms).frames() {
            let mut past = past.clone();
            past.record.task_time = Nanos::ZERO;
            idle.push(past);
        }
        idle
    }
}
