//! Draws a chart with a line for each strategy. It shows how stale the entities are with the best setting of the
//! strategy, as a function of a knob such as the number of entities.

use super::axis::Axis;
use super::clip::clipped;
use super::drawing::{AXIS, Anchor, Area, DARK_NOTE, DIM, GRID, NOTE, Point, Stroke, point, width};
use super::frame::{Frame, sentence, times_axis, workload};
use super::labels::{self, Label};
use super::style::Style;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::StrategyEntry;
use crate::judge::{Choice, Crossovers, Range, named_ranges, ranges};
use crate::text::format;

const SPACE_ABOVE_PLOT: f64 = 60.0;
/// The top and the bottom of the ribbon that names the best strategies, in pixels above the plot.
const RIBBON: [f64; 2] = [27.0, 5.0];
const MIN_MARK_DISTANCE: f64 = 60.0;
const MARK_RADIUS: f64 = 3.4;
const DOTS: &str = "1.5 3.5";
const NOTE_BELOW: &str = "At every value, each strategy uses its best setting. Dotted lines and hollow marks show \
    settings that exceed a limit, and are not drawn below 1.";

/// The best setting of a strategy at one value of the varied knob, and its staleness as a multiple of that of the
/// recommended setting.
struct Sample {
    value: f64,
    choice: Choice,
    times: f64,
}

/// Draws a line for each strategy, and a ribbon above the lines that names the best strategy in each range of knob
/// values. Returns the SVG file.
pub fn crossovers(crossovers: &Crossovers) -> String {
    let (question, over) = (crossovers.question(), crossovers.over());
    let columns = crossovers.columns();
    let ranges = ranges(&columns, None);
    let mut lines: Vec<(&StrategyEntry, Vec<Option<Sample>>)> = Vec::new();
    lines.extend(question.strategies.iter().map(|it| (*it, Vec::new())));
    for column in &columns {
        let all = &column.recommendation;
        for ((_, line), choice) in lines.iter_mut().zip(&all.choices) {
            // If every strategy exceeds a limit, there is no best strategy to compare with.
            let times = all.best.and_then(|_| all.times_best(choice));
            line.push(times.map(|times| Sample {
                value: column.value,
                choice: choice.clone(),
                times,
            }));
        }
    }

    let title = format!(
        "Best strategy for each value of {}",
        over.label.to_lowercase()
    );
    let words = [workload(question, Some(over)), summary(over, &ranges)];
    let mut frame = Frame::new(&title, &words, lines.len(), SPACE_ABOVE_PLOT);
    let plot = frame.plot;
    let values: Vec<f64> = columns.iter().map(|column| column.value).collect();
    let x = Axis::of_knob(over, &values, [plot.left, plot.right]);
    let kept = lines.iter().flat_map(|(_, line)| line.iter().flatten());
    let kept = kept.filter(|it| it.choice.holds()).map(|it| it.times);
    let y = times_axis(kept, [plot.bottom, plot.top]);

    let unit = match over.unit {
        "" => over.label.to_owned(),
        unit => format!("{} ({unit})", over.label),
    };
    let objective = sentence(question.objective.name());
    let y_title =
        format!("{objective} with each strategy's best setting, relative to the best strategy");
    frame.axes(x, format::short, [&unit, &y_title], y);
    let best = Stroke::solid(AXIS, 1.0);
    let at_best = y.at(1.0);
    frame
        .drawing
        .line(point(plot.left, at_best), point(plot.right, at_best), best);
    ribbon(&mut frame, x, &ranges);

    let mut labels = Vec::new();
    for (nth, (strategy, line)) in lines.iter().enumerate() {
        let style = Style::of(strategy);
        let at = |it: &Sample| point(x.at(it.value), y.at(it.times.max(1e-6)));
        let mut next_mark = plot.left + (nth * 23) as f64 % MIN_MARK_DISTANCE;
        let mut end = None;
        for part in line.split(Option::is_none) {
            let part = part.iter().flatten();
            let places: Vec<(Point, bool)> = part.map(|it| (at(it), it.choice.holds())).collect();
            end = draw_line(&mut frame, style, &places, at_best, &mut next_mark).or(end);
        }
        labels.push(Label {
            style: Style {
                dashes: "",
                ..style
            },
            name: strategy.name,
            note: note(over, strategy, &ranges, line),
            end,
            is_best: ranges.iter().any(|it| it.strategy == Some(*strategy)),
            keeps: line.iter().flatten().any(|it| it.choice.holds()),
        });
    }
    labels::draw(&mut frame.drawing, frame.column, labels);
    frame.finish(NOTE_BELOW)
}

/// Draws a part of a strategy's line, and returns its end. Returns `None` if no part of the line is in the plot.
///
/// `places` contains the points of the line, each with a flag that says whether the strategy stays within all limits
/// there. Where it does not, only the part of the line above `at_best`, the y coordinate of the best strategy, is
/// drawn. Further down, the strategy would look better than the best one, although it exceeds a limit.
///
/// Marks are drawn only at the x coordinate `next_mark` and to the right of it. Each mark increases `next_mark`, so
/// that marks are not too close to each other.
fn draw_line(
    frame: &mut Frame,
    style: Style,
    places: &[(Point, bool)],
    at_best: f64,
    next_mark: &mut f64,
) -> Option<Point> {
    let plot = frame.plot;
    let area = |keeps: bool| Area {
        bottom: if keeps { plot.bottom } else { at_best },
        ..plot
    };
    let mut end = None;
    let pairs: Vec<&[(Point, bool)]> = places.windows(2).collect();
    let keeps = |pair: &[(Point, bool)]| pair.iter().all(|(_, keeps)| *keeps);
    for pairs in pairs.chunk_by(|one, next| keeps(one) == keeps(next)) {
        let from = pairs[0][0].0;
        let part: Vec<Point> = std::iter::once(from)
            .chain(pairs.iter().map(|pair| pair[1].0))
            .collect();
        let stroke = if keeps(pairs[0]) {
            Stroke::solid(style.colour, 1.8)
        } else {
            Stroke {
                dashes: DOTS,
                ..Stroke::solid(style.colour, 1.3)
            }
        };
        for part in clipped(&part, area(keeps(pairs[0]))) {
            frame.drawing.polyline(&part, stroke);
            end = part.last().copied();
        }
    }
    let is_shown = |(mark, keeps): &&(Point, bool)| area(*keeps).contains(*mark);
    for &(mark, keeps) in places.iter().filter(is_shown) {
        if mark.x >= *next_mark {
            frame.drawing.mark(mark, MARK_RADIUS, style, keeps);
            *next_mark = mark.x + MIN_MARK_DISTANCE;
        }
        end = end.or(Some(mark));
    }
    end
}

/// Draws the name of the best strategy in each range of knob values, and a vertical line between ranges.
fn ribbon(frame: &mut Frame, x: Axis, ranges: &[Range]) {
    let plot = frame.plot;
    let [top, bottom] = RIBBON.map(|above| plot.top - above);
    let borders = ranges
        .windows(2)
        .map(|pair| x.between(pair[0].to, pair[1].from));
    let borders: Vec<f64> = borders.collect();
    let starts = [plot.left].into_iter().chain(borders.iter().copied());
    let ends = borders.iter().copied().chain([plot.right]);
    for ((range, left), right) in ranges.iter().zip(starts).zip(ends) {
        let area = Area {
            left,
            top,
            right,
            bottom,
        };
        let baseline = bottom - 7.0;
        let (name, text) = if let Some(strategy) = range.strategy {
            let style = Style::of(strategy);
            frame.drawing.rectangle(area, style.colour, "0.2");
            if right - left > 16.0 {
                let centre = point(left + 10.0, f64::midpoint(top, bottom));
                frame.drawing.mark(centre, MARK_RADIUS + 0.6, style, true);
            }
            (strategy.name, left + 19.0)
        } else {
            frame.drawing.rectangle(area, GRID, "1");
            ("none", left + 7.0)
        };
        if text + width(name, NOTE) <= right - 3.0 {
            frame
                .drawing
                .text(point(text, baseline), Anchor::Start, DARK_NOTE, name);
        }
    }
    for border in borders {
        let crossover = Stroke {
            dashes: "2 3",
            ..Stroke::solid(DIM, 0.9)
        };
        frame
            .drawing
            .line(point(border, top), point(border, plot.bottom), crossover);
    }
}

/// Names the best strategy in each range of knob values, such as `Best: Fixed interval up to about 20 µs · Weighted
/// share from about 20 µs`.
fn summary(over: &Knob, ranges: &[Range]) -> String {
    let names = named_ranges(ranges, format::number);
    let words = ranges.iter().zip(names).map(|(range, values)| {
        let name = range
            .strategy
            .map_or("no strategy keeps all limits", |it| it.name);
        let words = format!("{name} {values} {}", over.unit);
        words.trim_end().to_owned()
    });
    let words: Vec<String> = words.collect();
    format!("Best: {}", words.join(" · "))
}

/// Describes in which ranges of knob values a strategy is best. If it is never the best, describes how close it comes
/// to the best one.
fn note(
    over: &Knob,
    strategy: &StrategyEntry,
    ranges: &[Range],
    line: &[Option<Sample>],
) -> String {
    let names = named_ranges(ranges, format::number);
    let best = ranges
        .iter()
        .zip(names)
        .filter(|(it, _)| it.strategy == Some(strategy));
    let mut words = String::new();
    for (_, values) in best {
        let separator = if words.is_empty() { "best" } else { "," };
        let more = format!("{words}{separator} {values}");
        if width(&format!("{more} {}", over.unit), NOTE) > labels::MAX_NOTE_WIDTH {
            return words + " ...";
        }
        words = more;
    }
    if !words.is_empty() {
        return format!("{words} {}", over.unit).trim_end().to_owned();
    }
    let kept = line.iter().flatten().filter(|it| it.choice.holds());
    let closest = kept.min_by(|one, other| one.times.total_cmp(&other.times));
    closest.map_or_else(
        || "exceeds a limit everywhere".to_owned(),
        |it| {
            let at = format::knob(over, it.value);
            format!("closest at {at}: {:.2}×", it.times)
        },
    )
}
