//! The two plots over the last frames: tasks in each, or how many looked at the wrong place, and how long each
//! was. Both have a column for each
//! frame, at the same place.

mod axis;
pub mod card;
pub mod columns;
mod flags;
mod heading;
mod marks;
mod scale;
mod tasks;
mod times;
mod wrong;
mod zoom;

use crate::app::widgets::theme;
use crate::history::{History, Observed};
use axis::axis_below;
use columns::{AXIS, Columns, RIGHT, Shows};
use egui::{CornerRadius, Event, Id, Painter, Rect, Sense, Stroke, Ui};
use flags::flags;
use marks::marks;
use tasks::tasks_per_frame;
use times::frame_time;
use wrong::looking_wrong;
pub use zoom::Zoom;

/// What the upper plot tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upper {
    /// How many tasks ran in each frame.
    Tasks,
    /// How many looked at the wrong place.
    Wrong,
}

/// Shows both plots in `rect`; `seen` is what was observed lately, and `looked_at` is the frame that is shown while game time stands. The wheel
/// zooms. Returns the number of the frame under the pointer.
pub fn show(
    ui: &Ui,
    rect: Rect,
    upper: Upper,
    history: &History,
    seen: &Observed,
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
    // 226 points: 34 above the first plot, 34 between them, 24 below; the rest 3 to 5.
    let free = rect.height() - 34.0 - 34.0 - 24.0;
    let tasks = columns.band(rect.top() + 34.0, free * 0.375);
    let times = columns.band(tasks.bottom() + 34.0, free * 0.625);

    match upper {
        Upper::Tasks => tasks_per_frame(&painter, tasks, &columns, history, seen),
        Upper::Wrong => looking_wrong(&painter, tasks, &columns, history, seen),
    }
    let top = frame_time(&painter, times, &columns, seen);
    marks(&painter, tasks, times, &columns, history);
    // Over the marks' lines, for they have words.
    flags(&painter, times, &columns, top);
    axis_below(&painter, times, &columns);
    span(&painter, [tasks, times], &columns, seen);

    let both = tasks.union(times);
    let over = ui
        .interact(both, Id::new("plots"), Sense::hover())
        .hover_pos();
    if over.is_some() {
        *zoom = zoom.out(turns(ui), columns.room());
    }
    let hovered = over.and_then(|at| {
        let shows = match upper {
            _ if at.y >= tasks.bottom() => Shows::Length,
            Upper::Tasks => Shows::Runs,
            Upper::Wrong => Shows::Wrong,
        };
        let frames = columns.at(at.x);
        let past = shows.pick(frames)?;
        let what = match frames.len() {
            1 => String::new(),
            several => format!("{} of {several}", shows.word()),
        };
        Some((past, what))
    });
    let number = hovered.as_ref().map(|(past, _)| past.record.number);
    let looked_at = || Some((history.frame(looked_at?)?, String::new()));
    let (past, what) = hovered.or_else(looked_at)?;
    let x = columns.x_of_frame(past.record.number)?;
    for plot in [tasks, times] {
        painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::BRIGHT));
    }
    let told = card::lines(history, past, &what);
    card::paint(&painter, both, x, both.center().y, told);
    number
}

/// A line over the frames that the figures are of.
fn span(painter: &Painter, plots: [Rect; 2], columns: &Columns<'_>, seen: &Observed) {
    let first = columns.frames.first().map(|past| past.record.number);
    let from = seen.from.max(first);
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

/// How many turns the wheel has made towards the user: a step out for each.
fn turns(ui: &Ui) -> isize {
    ui.input(|input| {
        let turn = |event: &Event| match event {
            Event::MouseWheel { delta, .. } if delta.y != 0.0 => -delta.y.signum() as isize,
            _ => 0,
        };
        input.events.iter().map(turn).sum()
    })
}
