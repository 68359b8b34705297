//! The two plots over the last frames: tasks in each, and how long each was. Both have a column for each
//! frame, at the same place.

mod columns;
mod heading;
mod scale;

use super::pacing::PERIOD;
use super::theme;
pub use columns::Zoom;
use columns::{AXIS, Columns, RIGHT};
use egui::{
    Align2, Color32, CornerRadius, Event, Id, Mesh, Painter, Rect, Sense, Shape, Stroke, Ui, pos2,
    vec2,
};
use heading::{Figure, axis_label, heading, note};
use scale::{nice_ceiling, short, time_scale};
use timeslice_lab::figure::{self, counted};
use timeslice_lab::metrics::FrameRecord;
use timeslice_lab::observe::hitch::{cause, is_hitch};
use timeslice_lab::observe::{History, PastFrame};
use timeslice_lab::time::Nanos;

/// The parts of a frame's time, from the bottom.
type Part = (&'static str, Color32, fn(&FrameRecord) -> Nanos);
const PARTS: [Part; 4] = [
    ("tasks", theme::TASKS, |frame| frame.task_time),
    ("scheduling", theme::SCHEDULING, |frame| frame.scheduling),
    ("drawing", theme::DRAWING, |frame| frame.drawing),
    ("waiting", theme::WAITING, |frame| frame.waiting),
];

/// Shows both plots in `rect`; `looked_at` is the frame that is shown while game time stands. The wheel
/// zooms. Returns the number of the frame under the pointer.
pub fn show(
    ui: &Ui,
    rect: Rect,
    history: &History,
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
    let columns = Columns::new(rect, history, *zoom);
    // 226 points: 34 above the first plot, 34 between them, 24 below; the rest 3 to 5.
    let free = rect.height() - 34.0 - 34.0 - 24.0;
    let tasks = columns.band(rect.top() + 34.0, free * 0.375);
    let times = columns.band(tasks.bottom() + 34.0, free * 0.625);

    tasks_per_frame(&painter, tasks, &columns);
    frame_time(&painter, times, &columns, history);
    marks(&painter, tasks, times, &columns, history);
    axis_below(&painter, times, &columns);

    let both = tasks.union(times);
    let over = ui
        .interact(both, Id::new("plots"), Sense::hover())
        .hover_pos();
    if over.is_some() {
        // A step out for each turn of the wheel towards the user.
        let turns = ui.input(|input| {
            let turn = |event: &Event| match event {
                Event::MouseWheel { delta, .. } if delta.y != 0.0 => -delta.y.signum() as isize,
                _ => 0,
            };
            input.events.iter().map(turn).sum::<isize>()
        });
        *zoom = zoom.out(turns);
    }
    let hovered = over
        .and_then(|at| columns.at(at.x))
        .map(|frame| frame.number);
    let shown = hovered.or(looked_at)?;
    let past = history.frame(shown)?;
    let x = columns.x_of_frame(shown)?;
    for plot in [tasks, times] {
        painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::BRIGHT));
    }
    let newest = columns.frames.last().map_or(shown, |frame| frame.number);
    card(&painter, both, x, past, newest - shown, history.period());
    hovered
}

/// The figures of one frame, beside its column.
fn card(painter: &Painter, plots: Rect, x: f32, past: &PastFrame, ago: u64, period: Nanos) {
    let frame = &past.record;
    let ms = |time: Nanos| format!("{:.1}", time.as_millis_f64());
    let ago = match ago {
        0 => "the last one".to_owned(),
        ago => format!("{} ago", counted(ago, "frame")),
    };
    let cause = if is_hitch(past, period) {
        format!(": {}", cause(past))
    } else {
        String::new()
    };
    let lines = [
        format!("frame {}, {ago}", figure::grouped(frame.number)),
        format!(
            "{}, {} waiting",
            counted(frame.runs.into(), "task"),
            figure::grouped(frame.backlog as u64)
        ),
        format!("{} ms{cause}", ms(frame.length)),
        format!(
            "tasks {} + scheduling {} + drawing {} + waiting {}",
            ms(frame.task_time),
            ms(frame.scheduling),
            ms(frame.drawing),
            ms(frame.waiting)
        ),
    ];
    let galleys = lines.map(|line| painter.layout_no_wrap(line, theme::text(12.0), theme::TEXT));
    let width = galleys
        .iter()
        .map(|galley| galley.size().x)
        .fold(0.0, f32::max)
        + 20.0;
    let size = vec2(width, galleys.len() as f32 * 15.0 + 10.0);
    let left = if x + 10.0 + width < plots.right() {
        x + 10.0
    } else {
        x - 10.0 - width
    };
    let rect = Rect::from_min_size(pos2(left, plots.center().y - size.y / 2.0), size);
    painter.rect_filled(
        rect,
        CornerRadius::same(theme::RADIUS),
        theme::WELL.gamma_multiply(0.97),
    );
    for (index, galley) in galleys.into_iter().enumerate() {
        painter.galley(
            rect.min + vec2(10.0, 5.0 + index as f32 * 15.0),
            galley,
            theme::TEXT,
        );
    }
}

fn tasks_per_frame(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    let runs = |frame: &&FrameRecord| frame.runs;
    let peak = columns.alike().iter().map(runs).max().unwrap_or(0);
    let top = nice_ceiling(columns.frames.iter().map(runs).max().unwrap_or(0));
    let now = columns.frames.last().map_or(0, runs);
    let mean = columns.mean(|frame| f64::from(frame.runs));
    let figures = [
        (None, "now", figure::grouped(now.into())),
        (None, "mean", figure::number(mean)),
        (None, "peak", figure::grouped(peak.into())),
    ];
    heading(
        painter,
        plot,
        "Tasks per frame",
        remark(columns, ""),
        &figures,
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
    let gap = if columns.width > 2.0 { 1.0 } else { 0.0 };
    for (left, frames) in columns.iter() {
        let runs = frames.iter().map(runs).max().unwrap_or(0);
        if runs == 0 {
            continue;
        }
        // At least two points: a frame in which anything ran is seen.
        let height = (plot.height() * runs as f32 / top as f32).max(2.0);
        let bar = Rect::from_min_max(
            pos2(left, (plot.bottom() - height).round()),
            pos2(left + columns.width - gap, plot.bottom()),
        );
        mesh.add_colored_rect(bar, theme::RED);
    }
    painter.add(Shape::mesh(mesh));
}

fn frame_time(painter: &Painter, plot: Rect, columns: &Columns<'_>, history: &History) {
    let target = PERIOD.as_millis_f64();
    let top = time_scale(columns.alike());
    let mut figures: Vec<Figure<'_>> = PARTS
        .iter()
        .map(|(name, ink, part)| {
            let mean = columns.mean(|frame| part(frame).as_millis_f64());
            (Some(*ink), *name, format!("{mean:.1}"))
        })
        .collect();
    let lengths = columns.alike().iter().map(|frame| frame.length);
    let max = lengths.max().unwrap_or_default();
    figures.push((None, "max", format!("{:.1}", max.as_millis_f64())));
    heading(
        painter,
        plot,
        "Frame time",
        remark(columns, "ms, means"),
        &figures,
    );

    painter.rect_filled(plot, 0.0, theme::WELL);
    let height_of = |time: Nanos| plot.height() * (time.as_millis_f64() / top).min(1.0) as f32;
    let mut mesh = Mesh::default();
    for (left, frames) in columns.iter() {
        let Some(frame) = frames.iter().max_by_key(|frame| frame.length) else {
            continue;
        };
        let column = |from: f32, to: f32| {
            let (low, high) = ((plot.bottom() - from).round(), (plot.bottom() - to).round());
            Rect::from_min_max(pos2(left, high), pos2(left + columns.width, low))
        };
        let mut below = Nanos::ZERO;
        for (_, ink, part) in PARTS {
            let above = below + part(frame);
            mesh.add_colored_rect(column(height_of(below), height_of(above)), ink);
            below = above;
        }
        if frame.length.as_millis_f64() > top {
            // Cut off: amber says so.
            let tip = Rect::from_min_size(pos2(left, plot.top()), vec2(columns.width, 6.0));
            mesh.add_colored_rect(tip, theme::AMBER);
        }
    }
    painter.add(Shape::mesh(mesh));
    hitches(painter, plot, columns, history, top);
    axis_label(painter, plot, plot.bottom(), "0".to_owned(), theme::DIM);
    let mut below = plot.bottom();
    for (multiple, rate, ink) in [(1.0, "60 fps", theme::DIM), (2.0, "30 fps", theme::AMBER)] {
        let y = (plot.bottom() - plot.height() * (target * multiple / top) as f32).round() - 0.5;
        let dashes = Shape::dashed_line(
            &[pos2(plot.left(), y), pos2(plot.right(), y)],
            Stroke::new(1.0, ink.gamma_multiply(0.8)),
            4.0,
            3.0,
        );
        painter.extend(dashes);
        if below - y > 12.0 {
            axis_label(painter, plot, y, format!("{:.1}", target * multiple), ink);
            note(
                painter,
                pos2(plot.left() + 4.0, y - 1.0),
                Align2::LEFT_BOTTOM,
                rate,
                ink,
            );
            below = y;
        }
    }
    if below - plot.top() > 18.0 {
        axis_label(
            painter,
            plot,
            plot.top() + 3.0,
            figure::number(top.round()),
            theme::DIM,
        );
    }
}

/// What the figures are about.
fn remark(columns: &Columns<'_>, what: &'static str) -> &'static str {
    match (columns.has_change(), what) {
        (false, what) => what,
        (true, "") => "since the last change",
        (true, _) => "ms, means since the last change",
    }
}

/// A triangle on each hitch, and the length and cause of the longest ones, as far as there is room.
fn hitches(painter: &Painter, plot: Rect, columns: &Columns<'_>, history: &History, top: f64) {
    let height_of = |frame: &FrameRecord| (frame.length.as_millis_f64() / top).min(1.0) as f32;
    let mut all: Vec<&PastFrame> = columns
        .frames
        .iter()
        .filter_map(|frame| history.frame(frame.number))
        .filter(|past| is_hitch(past, history.period()))
        .collect();
    if all.len() * 4 > columns.frames.len() {
        return; // where every fourth is one, a flag on each says no more than the columns
    }
    all.sort_by_key(|past| std::cmp::Reverse(past.record.length));
    // The rates' names stand at the left end.
    let rates = Rect::from_min_size(plot.min, vec2(44.0, plot.height()));
    let mut taken = vec![rates];
    let xs: Vec<f32> = all
        .iter()
        .filter_map(|past| columns.x_of_frame(past.record.number))
        .collect();
    for past in all {
        let frame = &past.record;
        let Some(x) = columns.x_of_frame(frame.number) else {
            continue;
        };
        let y = (plot.bottom() - plot.height() * height_of(frame) - 3.0).max(plot.top() + 5.0);
        let at = |dx: f32, dy: f32| pos2(x + dx, y + dy);
        let triangle = vec![at(-4.0, 2.0), at(0.0, -5.0), at(4.0, 2.0)];
        painter.add(Shape::convex_polygon(triangle, theme::AMBER, Stroke::NONE));
        let text = format!("{:.1} ms {}", frame.length.as_millis_f64(), cause(past));
        let width = painter
            .layout_no_wrap(text.clone(), theme::text(10.5), theme::AMBER)
            .size()
            .x;
        let (left, align) = if x + 14.0 + width < plot.right() {
            (x + 9.0, Align2::LEFT_TOP)
        } else {
            (x - 9.0, Align2::RIGHT_TOP)
        };
        let room = align
            .anchor_size(pos2(left, plot.top()), vec2(width, 14.0))
            .expand(8.0);
        // The longest is told in any case, others where no flag stands in their words.
        let flagged = xs
            .iter()
            .any(|&other| other != x && room.x_range().contains(other));
        let longest = taken.len() == 1;
        if (longest || !flagged) && taken.iter().all(|other| !other.intersects(room)) {
            note(painter, pos2(left, plot.top()), align, &text, theme::AMBER);
            taken.push(room);
        }
    }
}

/// A line through both plots where something was changed, and what it was: the newest ones first, as
/// long as there is room before the next.
fn marks(painter: &Painter, tasks: Rect, times: Rect, columns: &Columns<'_>, history: &History) {
    let mut room_to = columns.right;
    for (mark, x) in history
        .marks()
        .rev()
        .filter_map(|mark| Some((mark, columns.x_of(mark)?)))
    {
        for plot in [tasks, times] {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::TEAL));
        }
        let width = painter
            .layout_no_wrap(mark.label.clone(), theme::text(10.5), theme::TEAL)
            .size()
            .x;
        let at = |x: f32| pos2(x, tasks.top() + 1.0);
        let newest = room_to >= columns.right;
        if x + 4.0 + width + 6.0 <= room_to {
            note(
                painter,
                at(x + 6.0),
                Align2::LEFT_TOP,
                &mark.label,
                theme::TEAL,
            );
            room_to = x;
        } else if newest {
            // At the right end, the newest stands to the left of its line.
            let ground = note(
                painter,
                at(x - 6.0),
                Align2::RIGHT_TOP,
                &mark.label,
                theme::TEAL,
            );
            room_to = ground.left();
        } else {
            room_to = room_to.min(x);
        }
    }
}

fn axis_below(painter: &Painter, plot: Rect, columns: &Columns<'_>) {
    let y = plot.bottom() + 10.0;
    painter.text(
        pos2(plot.right(), y),
        Align2::RIGHT_CENTER,
        "now",
        theme::mono(10.0),
        theme::DIM,
    );
    let frames_a_point = columns.each as f32 / columns.width;
    let fitting = ((columns.right - columns.left) * frames_a_point) as usize;
    // A label each 180 points or so, at a round number of frames.
    let each = (180.0 * frames_a_point / 10.0).round().max(1.0) as usize * 10;
    for ago in (each..=fitting).step_by(each) {
        let at = pos2(plot.right() - ago as f32 / frames_a_point, y);
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
