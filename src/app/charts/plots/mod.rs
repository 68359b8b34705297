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
use crate::history::{History, WindowStats};
use axis::axis_below;
use change_lines::change_lines;
use columns::{AXIS, Columns, Peak, RIGHT};
use egui::{CornerRadius, Event, Id, Painter, Rect, Sense, Stroke, Ui};
use flags::flags;
use looking_wrong::looking_wrong;
use tasks::tasks_per_frame;
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

/// Shows both plots in `rect`. `looked_at` is the past frame on screen while the game is paused. The wheel zooms.
/// Returns the number of the frame under the pointer.
pub fn show(
    ui: &Ui,
    rect: Rect,
    upper: UpperPlot,
    history: &History,
    stats: &WindowStats,
    looked_at: Option<u64>,
    zoom: &mut Zoom,
) -> Option<u64> {
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    if rect.width() < AXIS + RIGHT + 60.0 || rect.height() < 120.0 {
        return None;
    }
    let columns = Columns::new(rect, history, *zoom, looked_at);
    // 34 points are above each plot, and 24 below the lower one. The plots share the rest 3 to 5.
    let free = rect.height() - 34.0 - 34.0 - 24.0;
    let tasks = columns.band(rect.top() + 34.0, free * 0.375);
    let times = columns.band(tasks.bottom() + 34.0, free * 0.625);

    match upper {
        UpperPlot::Tasks => tasks_per_frame(&painter, tasks, &columns, history, stats),
        UpperPlot::Wrong => looking_wrong(&painter, tasks, &columns, history, stats),
    }
    let top = frame_time(&painter, times, &columns, stats);
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
        *zoom = zoom.out(turns(ui), columns.room());
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
    frame_card::paint(&painter, both, x, both.center().y, lines);
    number
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

/// Returns the number of steps that the wheel has turned towards the user. Each is one zoom step.
fn turns(ui: &Ui) -> isize {
    ui.input(|input| {
        let turn = |event: &Event| match event {
            Event::MouseWheel { delta, .. } if delta.y != 0.0 => -delta.y.signum() as isize,
            _ => 0,
        };
        input.events.iter().map(turn).sum()
    })
}
