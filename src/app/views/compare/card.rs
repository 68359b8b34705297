//! One lane: its capsules, its last frames, and the figures that decide.

use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{keycap, warning};
use crate::app::widgets::theme;
use crate::experiment::comparison::Comparison;
use crate::sim::lane::FrameRecord;
use crate::stats;
use crate::stats::{FIGURES, Mark, Report, hitch_from};
use crate::text::format;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, CornerRadius, Galley, Id, Mesh, Painter, Rect, Sense, Shape, Stroke, StrokeKind, Ui,
    pos2, vec2,
};
use std::collections::VecDeque;
use timeslice::strategy::STRATEGIES;
use timeslice::time::Nanos;

const INSET: f32 = 12.0;
const TITLE: f32 = 30.0;
/// Height of a figure with its name above it.
const FIGURE: f32 = 29.0;
/// Height of the verdict, in two lines.
const VERDICT: f32 = 36.0;
/// Width of a frame's bar, and how much of it is the gap to the next.
const BAR: f32 = 3.0;
const GAP: f32 = 1.0;
/// Room at the left of the bars for what they are and the most of it.
const NAME: f32 = 50.0;
/// Bars of this height have room for both.
const TWO_LINES: f32 = 26.0;

/// From these widths on a card has so many figures a row; a narrower one has one.
const COLUMNS: [(f32, usize); 2] = [(200.0, 3), (150.0, 2)];

/// The figures that a card shows, by their keys: as many rows of them as it has room for.
const SHOWN: [&str; 12] = [
    "frame_ms.p99",
    "per_frame_ms.tasks_p99",
    "hitch_percent",
    "staleness_ms.worst",
    "tasks_per_frame.peak_over_mean",
    "looking_wrong_percent.mean",
    "interval_ms.mean",
    "interval_ms.deviation",
    "backlog.peak",
    "fps_1_percent_low",
    "starved",
    "late",
];

/// From these heights on a card has so many rows of figures; a lower one has one.
const ROWS: [(f32, usize); 3] = [(380.0, 4), (210.0, 3), (190.0, 2)];

/// With less for capsules and bars together there are no bars.
const WITH_BARS: f32 = 56.0;

/// As many as `of` has from that size on.
fn fitting(of: &[(f32, usize)], size: f32) -> usize {
    let found = of.iter().find(|(from, _)| size >= *from);
    found.map_or(1, |(_, count)| *count)
}

/// Rows of figures in a card of that height.
fn rows(card: Rect) -> usize {
    fitting(&ROWS, card.height())
}

/// The key that opens a lane; nothing where there is none.
pub fn caps<'a>(report: &Report, bindings: &'a [Binding]) -> &'a str {
    let key = report.strategy.key;
    let index = STRATEGIES.iter().position(|entry| entry.key == key);
    index.map_or("", |index| caps_of(bindings, Command::Strategy(index)))
}

/// A lane's last frames, oldest first, and the numbers of those before which something was done to it.
pub struct Recent<'a> {
    pub frames: &'a VecDeque<FrameRecord>,
    pub disturbances: &'a [u64],
}

/// What all cards' bars are drawn to.
pub struct Scale {
    runs: u32,
    target: Nanos,
    longest: Nanos,
}

impl Scale {
    /// One that has room for all lanes' last frames, up to four target periods.
    pub fn of(comparison: &Comparison) -> Self {
        let all = (0..comparison.lanes().len()).flat_map(|lane| comparison.recent(lane));
        let (mut runs, mut longest) = (1, Nanos::ZERO);
        for frame in all {
            runs = runs.max(frame.runs);
            longest = longest.max(frame.length);
        }
        let target = comparison.aimed_length();
        let four = Nanos::from_nanos(target.as_nanos() * 4);
        let least = Nanos::from_nanos(target.as_nanos() * 5 / 2);
        Self {
            runs,
            target,
            longest: longest.clamp(least, four.max(least)),
        }
    }
}

/// Where a card's parts stand, from the top.
struct Parts {
    capsules: Rect,
    tasks: Rect,
    times: Rect,
    figures: Rect,
    verdict: Rect,
}

impl Parts {
    fn of(card: Rect) -> Self {
        let inner = card.shrink2(vec2(INSET, 0.0));
        let figures = rows(card) as f32 * FIGURE;
        let free = (card.height() - TITLE - figures - VERDICT).max(0.0);
        let [capsules, bars] = if free >= WITH_BARS {
            [free * 0.56, free * 0.22]
        } else {
            [free, 0.0]
        };
        let heights = [capsules, bars, bars, figures, VERDICT];
        let mut top = card.top() + TITLE;
        let [capsules, tasks, times, figures, verdict] = heights.map(|height| {
            let part = Rect::from_x_y_ranges(inner.x_range(), top..=top + height);
            top += height;
            part
        });
        Self {
            capsules: capsules.expand2(vec2(INSET - 1.0, 0.0)).round(),
            tasks,
            times,
            figures,
            verdict,
        }
    }
}

trait Round {
    fn round(self) -> Self;
}

impl Round for Rect {
    fn round(self) -> Self {
        Rect::from_min_max(self.min.round(), self.max.round())
    }
}

/// Where a card's capsules stand.
pub fn capsules_in(card: Rect) -> Rect {
    Parts::of(card).capsules
}

/// Paints all but the figures.
pub fn paint(
    painter: &Painter,
    card: Rect,
    caps: &str,
    report: &Report,
    recent: &Recent<'_>,
    scale: &Scale,
) {
    let painter = &painter.with_clip_rect(card.intersect(painter.clip_rect()));
    let parts = Parts::of(card);
    let above = card.with_max_y(parts.capsules.top());
    let below = card.with_min_y(parts.capsules.bottom());
    let round = theme::RADIUS;
    let corners = |top: u8, bottom: u8| CornerRadius {
        nw: top,
        ne: top,
        sw: bottom,
        se: bottom,
    };
    painter.rect_filled(above, corners(round, 0), theme::BAR);
    painter.rect_filled(below, corners(0, round), theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.rect_stroke(card, corners(round, round), edge, StrokeKind::Inside);

    let name = report.strategy.name;
    let left = pos2(card.left() + INSET, card.top() + TITLE / 2.0);
    let end = keycap(painter, left, caps, false);
    let at = pos2(end + 8.0, left.y);
    painter.text(
        at,
        Align2::LEFT_CENTER,
        name,
        theme::text(13.5),
        theme::BRIGHT,
    );
    let promise = report.promise_in_words();
    let font = theme::text(11.0);
    let galley = painter.layout_no_wrap(promise, font, theme::DIM);
    let right = card.right() - INSET - galley.size().x;
    if right > end + 110.0 {
        painter.galley(
            pos2(right, left.y - galley.size().y / 2.0),
            galley,
            theme::DIM,
        );
    }
    if parts.tasks.height() > 0.0 {
        tasks(painter, parts.tasks, recent.frames, scale);
        times(painter, parts.times, recent.frames, scale);
        for part in [parts.tasks, parts.times] {
            disturbances(painter, bars_in(part), recent);
        }
    }
    verdict(painter, parts.verdict, report);
}

/// The bars, whole pixels wide, right of their name.
fn bars_in(part: Rect) -> Rect {
    Rect::from_min_max(part.min + vec2(NAME, 5.0), part.max - vec2(0.0, 3.0)).round()
}

/// What is shown, and below it the most of it in sight.
fn name(painter: &Painter, part: Rect, name: &str, most: &str) {
    let bars = bars_in(part);
    let at = |y| pos2(part.left(), y);
    let (font, ink) = (theme::text(11.0), theme::DIM);
    if bars.height() < TWO_LINES {
        painter.text(at(bars.center().y), Align2::LEFT_CENTER, name, font, ink);
        return;
    }
    let [above, below] = [-6.5, 6.5].map(|by| at(bars.center().y + by));
    painter.text(above, Align2::LEFT_CENTER, name, font, ink);
    let (font, ink) = (theme::mono(10.5), theme::TEXT);
    painter.text(below, Align2::LEFT_CENTER, most, font, ink);
}

/// The bars' left edges from the right, and the frames.
fn columns(
    bars: Rect,
    recent: &VecDeque<FrameRecord>,
) -> impl Iterator<Item = (f32, &FrameRecord)> {
    let fitting = (bars.width() / BAR) as usize;
    let lefts = (1..).map(move |back| bars.right() - back as f32 * BAR);
    lefts.zip(recent.iter().rev().take(fitting))
}

/// The largest of what is plotted. Beside the plot there is room for six digits.
fn most(value: f64) -> String {
    if value < 1e6 {
        format!("≤{}", format::number(value))
    } else {
        let third = 10f64.powi(value.log10().floor() as i32 - 2);
        format!("≤{}", format::short((value / third).ceil() * third))
    }
}

fn tasks(painter: &Painter, part: Rect, recent: &VecDeque<FrameRecord>, scale: &Scale) {
    let bars = bars_in(part);
    let peak = columns(bars, recent).map(|(_, frame)| frame.runs).max();
    name(painter, part, "tasks", &most(peak.unwrap_or(0).into()));
    painter.rect_filled(bars, 0.0, theme::WELL);
    let mut mesh = Mesh::default();
    for (left, frame) in columns(bars, recent).filter(|(_, frame)| frame.runs > 0) {
        // By the square root: four of a thousand are still seen.
        let share = (f64::from(frame.runs) / f64::from(scale.runs)).sqrt() as f32;
        let top = bars.bottom() - (bars.height() * share).max(1.0);
        let bar = Rect::from_min_max(pos2(left, top), pos2(left + BAR - GAP, bars.bottom()));
        mesh.add_colored_rect(bar, theme::RED);
    }
    painter.add(Shape::mesh(mesh));
}

/// A line before each frame in which it was felt that something was done to the lane.
fn disturbances(painter: &Painter, bars: Rect, recent: &Recent<'_>) {
    for (left, frame) in columns(bars, recent.frames) {
        if recent.disturbances.contains(&frame.number) {
            let x = left.round() - 0.5;
            painter.vline(x, bars.y_range(), Stroke::new(1.0, theme::BRIGHT));
        }
    }
}

fn times(painter: &Painter, part: Rect, recent: &VecDeque<FrameRecord>, scale: &Scale) {
    let bars = bars_in(part);
    let longest = columns(bars, recent).map(|(_, frame)| frame.length).max();
    let longest = longest.unwrap_or_default().as_millis_f64();
    name(painter, part, "ms", &most(longest));
    painter.rect_filled(bars, 0.0, theme::WELL);
    let height = |time: Nanos| bars.height() * (time.over(scale.longest).min(1.0) as f32);
    let mut mesh = Mesh::default();
    for (left, frame) in columns(bars, recent) {
        // From the bottom, as in the main view's plot; of a hitch, amber what is too much.
        let mut below = Nanos::ZERO;
        let mut part = |time: Nanos, ink| {
            let [bottom, top] = [below, below + time].map(|time| bars.bottom() - height(time));
            below += time;
            let bar = Rect::from_min_max(pos2(left, top), pos2(left + BAR, bottom));
            mesh.add_colored_rect(bar, ink);
        };
        part(frame.task_time, theme::TASKS);
        part(frame.scheduling, theme::SCHEDULING);
        part(frame.drawing, theme::DRAWING);
        part(frame.waiting, theme::WAITING);
        if frame.length > hitch_from(scale.target) {
            let [bottom, top] = [scale.target, frame.length].map(|it| bars.bottom() - height(it));
            let bar = Rect::from_min_max(pos2(left, top), pos2(left + BAR, bottom));
            mesh.add_colored_rect(bar, theme::AMBER);
        }
    }
    painter.add(Shape::mesh(mesh));
    let y = (bars.bottom() - height(scale.target)).round() - 0.5;
    let ends = [pos2(bars.left(), y), pos2(bars.right(), y)];
    let stroke = Stroke::new(1.0, theme::DIM);
    painter.extend(Shape::dashed_line(&ends, stroke, 3.0, 3.0));
}

fn verdict(painter: &Painter, part: Rect, report: &Report) {
    let said = stats::verdict(report);
    let lay = |count: usize, most: usize| {
        let mut job = LayoutJob {
            wrap: TextWrapping {
                max_width: part.width(),
                max_rows: most,
                ..TextWrapping::default()
            },
            ..LayoutJob::default()
        };
        status_line::add(&mut job, &said.clauses[..count], 11.5);
        painter.layout_job(job)
    };
    let whole = |count| lay(count, usize::MAX);
    let fits = |galley: &Galley| galley.rows.len() <= 2;
    let galley = status_line::fitting(said.clauses.len(), whole, fits)
        .unwrap_or_else(|| lay(said.clauses.len().min(1), 2)); // of the first what does
    let at = pos2(part.left(), part.center().y - galley.size().y / 2.0 - 2.0);
    painter.galley(at, galley, theme::TEXT);
}

/// Tells what the bars are where they are pointed at.
fn explain_bars(ui: &Ui, card: Rect, lane: &str) {
    const TASKS: &str = "Tasks in each of its last frames, by the square root, so that four of thousands are seen; all \
        lanes to one scale. At the left: the most in sight.";
    const TIMES: &str = "The length of each of its last frames: tasks, drawing and, darker, waiting; amber what makes it \
        a hitch. Dashed: the length that frames are to have. At the left: the longest in sight.";
    let parts = Parts::of(card);
    for (part, words) in [(parts.tasks, TASKS), (parts.times, TIMES)] {
        let response = ui.interact(part, Id::new(("bars", lane, words)), Sense::hover());
        response.on_hover_text(words);
    }
}

/// Paints the figures that decide, each with its mark; a click on a name sorts by it.
pub fn figures(
    ui: &Ui,
    card: Rect,
    report: &Report,
    mark: impl Fn(usize) -> Mark,
    sorted_by: Option<usize>,
    answer: &mut UiResponse,
) {
    explain_bars(ui, card, report.strategy.key);
    let part = Parts::of(card).figures;
    let painter = ui.painter().with_clip_rect(card);
    let a_row = fitting(&COLUMNS, card.width());
    let width = part.width() / a_row as f32;
    for (place, index) in shown(rows(card) * a_row, sorted_by).into_iter().enumerate() {
        let figure = &FIGURES[index];
        let (row, column) = (place / a_row, place % a_row);
        let corner = part.min + vec2(column as f32 * width, row as f32 * FIGURE);
        let rect = Rect::from_min_size(corner, vec2(width, FIGURE));
        let lane = report.strategy.key;
        let label = rect.with_max_y(rect.top() + 14.0);
        let response = ui.interact(label, Id::new(("sort", lane, figure.key)), Sense::click());
        answer.stands(format!("figure:{lane}:{}", figure.key), label);
        let ink = match (sorted_by == Some(index), response.hovered()) {
            (true, _) => theme::TEAL,
            (false, true) => theme::BRIGHT,
            (false, false) => theme::DIM,
        };
        let at = pos2(rect.left(), rect.top() + 7.0);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            figure.label,
            theme::text(10.5),
            ink,
        );
        if response.clicked() {
            answer.commands.push(Command::SortBy(index));
        }
        response.on_hover_text(format!("{}\nA click sorts by it.", figure.help));

        let mut left = pos2(rect.left(), rect.top() + 20.0);
        let ink = match mark(index) {
            Mark::None => theme::BRIGHT,
            Mark::Best => {
                painter.circle_filled(left + vec2(3.5, 0.0), 3.5, theme::TEAL);
                left.x += 10.0;
                theme::TEAL
            }
            Mark::Worst => {
                warning(&painter, left + vec2(4.0, 0.0), 3.5);
                left.x += 10.0;
                theme::AMBER
            }
        };
        let value =
            (figure.of)(report).map_or_else(|| "-".to_owned(), |value| written(value, figure.unit));
        painter.text(left, Align2::LEFT_CENTER, value, theme::mono(11.5), ink);
    }
}

/// The figures that are shown, by their places in the registry: so many, that by which lanes are sorted among them.
fn shown(count: usize, sorted_by: Option<usize>) -> Vec<usize> {
    let place = |key: &&str| FIGURES.iter().position(|figure| figure.key == *key);
    let mut all: Vec<usize> = SHOWN.iter().filter_map(place).take(count).collect();
    if let Some(sorted_by) = sorted_by.filter(|by| !all.contains(by))
        && let Some(last) = all.last_mut()
    {
        *last = sorted_by;
    }
    all
}

/// A figure with its unit; many milliseconds as seconds.
pub fn written(value: f64, unit: &str) -> String {
    match unit {
        "ms" if value >= 9_999.5 => format!("{} s", format::number(value / 1000.0)),
        unit => format!("{} {unit}", format::number(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_shown_is_in_the_registry() {
        for key in SHOWN {
            assert!(FIGURES.iter().any(|figure| figure.key == key), "{key}");
        }
    }

    #[test]
    fn the_figure_by_which_lanes_are_sorted_is_in_sight() {
        for count in [6, 9, 12] {
            assert_eq!(shown(count, None).len(), count);
            for by in 0..FIGURES.len() {
                let shown = shown(count, Some(by));
                assert!(shown.contains(&by) && shown.len() == count);
            }
        }
    }

    #[test]
    fn long_times_are_told_in_seconds() {
        assert_eq!(written(9_999.0, "ms"), "9,999 ms");
        assert_eq!(written(100_000.0, "ms"), "100 s");
        assert_eq!(written(60.0, "/s"), "60 /s");
    }

    #[test]
    fn a_cards_parts_stand_below_one_another_inside_it() {
        for size in [
            vec2(120.0, 125.0),
            vec2(120.0, 150.0),
            vec2(200.0, 200.0),
            vec2(240.0, 310.0),
            vec2(600.0, 700.0),
        ] {
            let card = Rect::from_min_size(pos2(10.0, 20.0), size);
            let parts = Parts::of(card);
            let all = [
                parts.capsules,
                parts.tasks,
                parts.times,
                parts.figures,
                parts.verdict,
            ];
            for pair in all.windows(2) {
                assert!(pair[0].bottom() <= pair[1].top() + 1.0, "{size:?}");
            }
            let bars = parts.tasks.height();
            assert!(
                bars == 0.0 || bars_in(parts.tasks).is_positive(),
                "{size:?}"
            );
            assert!(parts.capsules.is_positive(), "{size:?}");
            assert!(parts.verdict.bottom() <= card.bottom() + 0.1, "{size:?}");
            assert!(parts.capsules.top() >= card.top());
            assert!(parts.capsules.left() >= card.left() && parts.capsules.right() <= card.right());
        }
    }
}
