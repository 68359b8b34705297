//! Draws the trade-off chart of a sweep. For each strategy, a curve shows how stale the entities are, depending on the
//! fraction of time that is spent on tasks. Each point of a curve shows one value of the strategy's most important
//! knob.

use super::MOST_TIMES;
use super::axis::Axis;
use super::clip::clipped;
use super::drawing::{Anchor, Area, DARK_NOTE, Font, INK, NOTE, Point, Stroke, point, width};
use super::frame::{Frame, sentence, times_axis, workload};
use super::labels::{self, Label};
use super::style::Style;
use crate::judge::{Choice, Objective, Outcome, Recommendation, Reference, Setting, Sweep};
use crate::text::format;
use crate::text::rich::time;
use timeslicer::time::Nanos;

const SPACE_ABOVE_PLOT: f64 = 46.0;
const MARK_RADIUS: f64 = 4.5;
const BIG_MARK_RADIUS: f64 = 8.5;
/// Settings that spend less than this fraction of time on tasks are not drawn.
const MIN_SHARE: f64 = 1e-4;

const IMPOSSIBLE: &str = "#2ec4b6";
const IMPOSSIBLE_TEXT: Font = Font {
    colour: "#0b6b60",
    ..NOTE
};
const LIMIT: Stroke = Stroke {
    dashes: "4 3",
    ..Stroke::solid(INK, 1.2)
};
const NOTE_BELOW: &str = "Each curve shows one strategy. A mark shows its best setting, and is hollow if the setting \
    exceeds a limit. The large mark is the recommended setting.";

/// Draws the curves, the task time limit and the best settings of a sweep, and returns the SVG file.
pub fn trade_off(sweep: &Sweep) -> String {
    let (question, findings) = (sweep.question(), sweep.findings());
    let Some(recommendation) = findings.recommendation else {
        return String::new(); // callers draw only complete sweeps
    };
    let (objective, curves) = (question.objective, &findings.curves);
    let reference = Reference::of(curves, question.settings.target_rests(), objective);
    let metrics =
        |outcome: &Outcome| Some((outcome.share, reference.times_of(objective, outcome)?));
    let all = curves.iter().flat_map(|curve| &curve.points);
    let all: Vec<(f64, f64)> = all.filter_map(|point| metrics(&point.outcome)).collect();
    let limit = question
        .limits
        .tasks
        .map(|tasks| (tasks, tasks.over(question.settings.frame_period())));

    let words = [
        workload(question, None),
        sentence(&recommendation.text().to_string()),
    ];
    let mut frame = Frame::new(
        "All strategies at all values of their main knobs",
        &words,
        curves.len(),
        SPACE_ABOVE_PLOT,
    );
    let plot = frame.plot;
    let shown = all.iter().filter(|(_, times)| *times <= MOST_TIMES);
    let shares = shown
        .map(|(share, _)| *share)
        .chain(limit.map(|(_, share)| share));
    let shares = shares.filter(|share| *share > MIN_SHARE);
    let (least, most) = shares.fold((1.0_f64, 1.0_f64), |(least, most), share| {
        (least.min(share), most.max(share))
    });
    let x = Axis::logarithmic([least * 0.9, most], [plot.left, plot.right]);
    let choices = &recommendation.choices;
    let marked = choices.iter().filter_map(|choice| metrics(&choice.outcome));
    let y = times_axis(marked.map(|(_, times)| times), [plot.bottom, plot.top]);
    let at = |(share, times): (f64, f64)| point(x.at(share.max(f64::MIN_POSITIVE)), y.at(times));

    let title = vertical_title(reference, objective);
    let percent = |share: f64| format!("{} %", format::number(100.0 * share));
    frame.axes(x, percent, ["share of time spent on tasks", &title], y);
    if let Reference::Minimum = reference {
        impossible(&mut frame, y.at(1.0));
    }
    if let Some((tasks, share)) = limit {
        draw_limit(
            &mut frame,
            x.at(share).max(plot.left),
            tasks,
            question.settings.frame_period(),
        );
    }

    let mut labels = Vec::new();
    let mut marks = Vec::new();
    for (nth, curve) in curves.iter().enumerate() {
        let style = Style::of(curve.strategy);
        let points = curve
            .points
            .iter()
            .filter_map(|point| metrics(&point.outcome));
        let points: Vec<Point> = points.map(at).collect();
        let mut end: Option<Point> = None;
        for part in clipped(&points, plot) {
            frame.drawing.polyline(&part, style.curve());
            let farthest = part.into_iter().chain(end);
            end = farthest.max_by(|one, other| one.x.total_cmp(&other.x));
        }
        let choice = choices.iter().find(|choice| choice.lane == nth);
        let is_best = choice.is_some_and(|choice| is_recommended(&recommendation, choice));
        let keeps = choice.is_some_and(Choice::holds);
        let mark = choice.and_then(|choice| metrics(&choice.outcome)).map(at);
        let mark = mark.filter(|mark| plot.contains(*mark));
        if let Some(mark) = mark {
            marks.push((is_best, mark, style, keeps));
        }
        labels.push(Label {
            style,
            name: curve.strategy.name,
            note: choice.map_or_else(String::new, |choice| {
                note(choice, reference.times_of(objective, &choice.outcome))
            }),
            end: end.or(mark),
            is_best,
            keeps,
        });
    }
    marks.sort_by_key(|(is_best, ..)| *is_best);
    for (is_best, mark, style, keeps) in marks {
        let radius = if is_best {
            BIG_MARK_RADIUS
        } else {
            MARK_RADIUS
        };
        frame.drawing.mark(mark, radius, style, keeps);
    }
    labels::draw(&mut frame.drawing, frame.column, labels);
    frame.finish(NOTE_BELOW)
}

fn vertical_title(reference: Reference, objective: Objective) -> String {
    let name = sentence(objective.name());
    match reference {
        Reference::Minimum => format!("{name}, relative to the minimum for the same share of time"),
        Reference::Best(_) => {
            format!("{name} × share of time, relative to the most efficient setting")
        }
    }
}

fn is_recommended(recommendation: &Recommendation, choice: &Choice) -> bool {
    let recommended = recommendation.recommended();
    recommended.is_some_and(|it| it.lane == choice.lane)
}

/// Describes a strategy's best setting, such as `1.24×, 0.42 s`. The text contains its position on the vertical axis and
/// its knob values. If there is no room for all of them, only the main knob is named. If the setting exceeds limits, the
/// text names only the worst of them.
fn note(choice: &Choice, times: Option<f64>) -> String {
    let main = Setting {
        values: choice.setting.values.iter().take(1).copied().collect(),
    };
    let outcome = match choice.broken_briefly() {
        Some(broken) => broken.to_string(),
        None => times.map_or_else(String::new, |times| format!("{times:.2}×")),
    };
    let notes = [choice.setting.brief(), main.brief()].map(|setting| {
        let parts = [outcome.clone(), setting.to_string()];
        let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
        parts.join(", ")
    });
    let fits = |note: &&String| width(note, NOTE) <= labels::MAX_NOTE_WIDTH;
    notes.iter().find(fits).unwrap_or(&outcome).clone()
}

fn impossible(frame: &mut Frame, minimum: f64) {
    let plot = frame.plot;
    let area = Area {
        top: minimum,
        ..plot
    };
    frame.drawing.rectangle(area, IMPOSSIBLE, "0.16");
    let words = "no strategy can be below the theoretical minimum";
    let at = point(plot.left + 8.0, f64::midpoint(minimum, plot.bottom) + 4.0);
    frame
        .drawing
        .text(at, Anchor::Start, IMPOSSIBLE_TEXT, words);
}

fn draw_limit(frame: &mut Frame, x: f64, tasks: Nanos, period: Nanos) {
    let plot = frame.plot;
    let words = format!("limit: {} of {}", time(tasks), time(period));
    let half = width(&words, NOTE) / 2.0;
    let centre = x.clamp(plot.left + half, plot.right - half);
    frame
        .drawing
        .line(point(x, plot.top - 4.0), point(x, plot.bottom), LIMIT);
    let above = point(centre, plot.top - 8.0);
    frame.drawing.text(above, Anchor::Middle, DARK_NOTE, &words);
}
