//! Two plots of the most recent frames: above, the tasks that ran, or the fraction of entities that do not face the
//! target if the colours of the capsules show staleness; below, the frame times.

use super::columns::{AXIS_LABEL_WIDTH, Columns};
use super::flags::paint_flags;
use super::plot::{BACKLOG, Plot, RUNS, note, scale_end};
use super::{Pointed, describe_frame};
use crate::app::widgets::{theme, tooltip};
use egui::{Align2, CornerRadius, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2};
use lab::history::{History, PastFrame, WindowStats};
use lab::text::format::{self, percent};

const RIGHT_MARGIN: f32 = 16.0;
const COLUMN_WIDTH: f32 = 3.0;
const FRAMES_PER_TICK: usize = 60;
const HEADING_HEIGHT: f32 = 34.0;
const AXIS_HEIGHT: f32 = 24.0;
const MIN_HEIGHT_FOR_TWO_PLOTS: f32 = 200.0;
const MIN_HEIGHT_WITH_HEADING: f32 = 76.0;
/// The minimum height of a plot, in points. A plot of this height has no heading.
pub const LEAST_HEIGHT: f32 = 52.0;

/// A scale of counts ends at one of these times a power of ten. All are even, because the middle has a label, too.
const COUNT_SCALE_ENDS: [u64; 5] = [2, 4, 6, 8, 10];

/// Shows both plots. `displayed_frame` is the past frame that the user is looking at, if any. Returns the frame under the
/// mouse pointer.
pub fn show(
    ui: &Ui,
    rect: Rect,
    shows_wrong: bool,
    history: &History,
    stats: &WindowStats,
    displayed_frame: Option<u64>,
) -> Option<Pointed> {
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    if rect.width() < AXIS_LABEL_WIDTH + RIGHT_MARGIN + 60.0 || rect.height() < LEAST_HEIGHT {
        return None;
    }
    let columns = Columns::new(rect, RIGHT_MARGIN, history, COLUMN_WIDTH, displayed_frame);
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
        if shows_wrong {
            upper_plot.looking_wrong();
        } else {
            upper_plot.tasks_per_frame();
        }
    }
    let top = times_plot.frame_time();
    change_lines(&painter, plots, &columns, history);
    paint_flags(&painter, times_plot.rect, &columns, top);
    columns.paint_axis(&painter, times_plot.rect.bottom() + 10.0, FRAMES_PER_TICK);

    let over = ui.interact(plots[0].union(plots[1]), Id::new("plots"), Sense::CLICK);
    let hovered = over.hover_pos().and_then(|at| columns.at(at.x));
    let hovered_number = hovered.map(|past| past.record.number);
    for (number, ink) in [
        (hovered_number, theme::DIM),
        (displayed_frame, theme::BRIGHT),
    ] {
        let x = number.and_then(|number| columns.column_center(number));
        for (x, plot) in x.into_iter().flat_map(|x| plots.map(|plot| (x, plot))) {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, ink));
        }
    }
    tooltip::offer(&over, describe_frame(history, hovered?));
    Some(Pointed {
        frame: hovered?.record.number,
        is_clicked: over.clicked(),
    })
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

/// Marks each setting change with a line through both plots and, unless it would overlap, with a label.
fn change_lines(painter: &Painter, plots: [Rect; 2], columns: &Columns<'_>, history: &History) {
    let marks = history.changes().iter().rev();
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

impl Plot<'_> {
    /// Plots the tasks that ran, and those that waited if there were any or if the strategy runs tasks on request.
    fn tasks_per_frame(&self) {
        let mut frames = self.columns.frames.iter();
        let has_backlog =
            frames.any(|past| past.record.backlog > 0 || past.subject.strategy.on_request());
        let report = Some(&self.stats.report).filter(|report| report.frames > 0);
        let runs = |past: &PastFrame| format::grouped(past.record.runs.into());
        let mean = report.map(|report| format::number(report.mean_runs()));
        let peak = report.map(|report| format::grouped(report.peak_runs.into()));
        let backlog = self.highest(BACKLOG);
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
        let top = scale_end(&COUNT_SCALE_ENDS, self.highest(RUNS));
        self.grid(|share| format::short(top * share));
        self.bars(RUNS, top, theme::RED);
        if has_backlog {
            self.backlog(backlog.max(1.0));
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
        self.bars(
            |past| past.record.looking_wrong.unwrap_or(0.0),
            1.0,
            theme::WRONG,
        );
    }

    fn backlog(&self, top: f64) {
        let point = |(left, past): (f32, &PastFrame)| {
            let y = self.y_of_fraction(BACKLOG(past) / top);
            pos2(left + COLUMN_WIDTH / 2.0, y.min(self.rect.bottom() - 1.0))
        };
        let line: Vec<Pos2> = self.columns.iter().map(point).collect();
        if let Some(&end) = line.last() {
            self.painter.circle_filled(end, 2.5, theme::BRIGHT);
        }
        let stroke = Stroke::new(1.6, theme::BRIGHT);
        self.painter.add(Shape::line(line, stroke));
    }
}
