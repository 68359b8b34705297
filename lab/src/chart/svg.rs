//! Draws the charts of sweeps as SVG files, on a white card with a title, the workload in words, and a legend.
//!
//! Coordinates have one decimal and logarithms are computed by `libm`, so a chart has the same bytes on every platform.

use super::style::Style;
use super::words::{best_note, best_ranges, range_note, sentence, workload, wrapped};
use super::{Axis, Chart, MarkedSetting, Position, StrategyCurve, TradeOff};
use crate::judge::{Choice, Crossovers, Reference, Sweep, ranges};
use svg::Document;
use svg::node::element::{ClipPath, Description, Group, Path, Rectangle, Text, Title};
use svg::node::{Node, Text as Words};

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 22.0;
const LINE_HEIGHT: f64 = 17.0;
const MAX_LINE_LETTERS: usize = 130;
const PLOT_LEFT: f64 = 58.0;
const PLOT_WIDTH: f64 = 568.0;
const MIN_PLOT_HEIGHT: f64 = 300.0;
/// The space for the title of the vertical axis, without and with a ribbon.
const SPACE_ABOVE_PLOT: [f64; 2] = [46.0, 60.0];
const SPACE_BELOW_PLOT: f64 = 72.0;
/// The top and the bottom of the ribbon, in pixels above the plot.
const RIBBON: [f64; 2] = [27.0, 5.0];
const LEGEND_LEFT: f64 = 652.0;
const LEGEND_ROW_HEIGHT: f64 = 31.0;
const MIN_TICK_DISTANCES: [f64; 2] = [46.0, 22.0];
/// The width of a letter in a note. Most fonts have narrower ones.
const LETTER_WIDTH: f64 = 6.2;
const MARK_RADIUS: f64 = 4.5;
const SMALL_MARK_RADIUS: f64 = 3.4;
const BIG_MARK_RADIUS: f64 = 8.5;

const INK: &str = "#1f2328";
const DIM: &str = "#57606a";
const GRID: &str = "#e4e7eb";
const AXIS: &str = "#8c959f";
const CARD: &str = "#ffffff";
const CARD_EDGE: &str = "#d0d7de";
const IMPOSSIBLE: &str = "#2ec4b6";
const DOTS: &str = "1.5 3.5";
const DASHES: &str = "4 3";

/// Text uses the font of the reader's system, because an image in a README cannot load another font.
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

const TRADE_OFF_FOOTNOTE: &str = "Each curve shows one strategy. A mark shows its best setting, and is hollow if the \
    setting exceeds a limit. The large mark is the recommended setting.";
const CROSSOVERS_FOOTNOTE: &str = "At every value, each strategy uses its best setting. Dotted lines and hollow marks \
    show settings that exceed a limit.";

/// Draws the curves, the task time limit and the best settings of a sweep, and returns the SVG file.
pub fn trade_off(sweep: &Sweep) -> String {
    let (question, findings) = (sweep.question(), sweep.findings());
    let Some(recommendation) = findings.recommendation else {
        return String::new(); // callers draw only complete sweeps
    };
    let (objective, curves) = (question.objective, &findings.curves);
    let recommended = recommendation.recommended().map(|choice| choice.lane);
    let marked = recommendation.choices.iter().map(|choice| MarkedSetting {
        lane: choice.lane,
        outcome: choice.outcome.clone(),
        keeps_limits: choice.holds(),
        is_recommended: recommended == Some(choice.lane),
    });
    let trade_off = TradeOff {
        strategies: &question.strategies,
        curves,
        marked: marked.collect(),
        objective,
        reference: Reference::of(curves, question.settings.target_rests(), objective),
        is_absolute: false,
        task_limit: question.limits.tasks,
        frame: question.settings.frame_period(),
    };
    let mut chart = trade_off.chart();
    let order = recommendation.order();
    if let Some(chart) = &mut chart {
        let rank = |curve: &StrategyCurve| order.iter().position(|lane| *lane == curve.lane);
        chart.curves.sort_by_key(rank);
    }
    let name = sentence(objective.name());
    let vertical_title = match trade_off.reference {
        Reference::Minimum => format!("{name}, relative to the minimum for the same share of time"),
        Reference::Best(_) => {
            format!("{name} × share of time, relative to the most efficient setting")
        }
    };
    let note = |curve: &StrategyCurve| {
        let choice: &Choice = &recommendation.choices[curve.lane];
        let times = trade_off.reference.times_of(objective, &choice.outcome);
        best_note(choice, times)
    };
    let card = Card {
        title: "All strategies at all values of their main knobs".to_owned(),
        paragraphs: [
            workload(question, None),
            sentence(&recommendation.text().to_string()),
        ],
        axis_titles: ["share of time spent on tasks".to_owned(), vertical_title],
        footnote: TRADE_OFF_FOOTNOTE,
    };
    card.drawn(chart.as_ref(), note)
}

/// Draws a line for each strategy, and a ribbon above the lines that names the best strategy in each range of knob
/// values. Returns the SVG file.
pub fn crossovers(crossovers: &Crossovers) -> String {
    let (question, over) = (crossovers.question(), crossovers.over());
    let columns = crossovers.columns();
    let ranges = ranges(&columns, None);
    let chart = super::crossovers(over, &question.strategies, &columns, &ranges, None, &[]);
    let objective = sentence(question.objective.name());
    let horizontal_title = match over.unit {
        "" => over.label.to_owned(),
        unit => format!("{} ({unit})", over.label),
    };
    let card = Card {
        title: format!(
            "Best strategy for each value of {}",
            over.label.to_lowercase()
        ),
        paragraphs: [workload(question, Some(over)), best_ranges(over, &ranges)],
        axis_titles: [
            horizontal_title,
            format!("{objective} with each strategy's best setting, relative to the best strategy"),
        ],
        footnote: CROSSOVERS_FOOTNOTE,
    };
    card.drawn(Some(&chart), |curve| {
        range_note(over, curve, &ranges, &columns)
    })
}

/// Everything around the plot.
struct Card {
    title: String,
    paragraphs: [String; 2],
    axis_titles: [String; 2],
    footnote: &'static str,
}

impl Card {
    /// Draws the chart on the card. `note` describes a curve in the legend.
    fn drawn(&self, chart: Option<&Chart>, note: impl Fn(&StrategyCurve) -> String) -> String {
        let lines = self
            .paragraphs
            .iter()
            .zip([DIM, INK])
            .flat_map(|(words, colour)| {
                let lines = wrapped(words, MAX_LINE_LETTERS);
                lines.into_iter().map(move |line| (line, colour))
            });
        let lines: Vec<(String, &str)> = lines.collect();
        let rows = chart.map_or(0, |chart| chart.curves.len() + 1);
        let has_ribbon = chart.is_some_and(|chart| !chart.sections.is_empty());
        let heading_bottom = 48.0 + LINE_HEIGHT * lines.len() as f64;
        let plot = Plot {
            top: heading_bottom + SPACE_ABOVE_PLOT[usize::from(has_ribbon)],
            height: MIN_PLOT_HEIGHT.max(rows as f64 * LEGEND_ROW_HEIGHT),
        };
        let height = plot.bottom() + SPACE_BELOW_PLOT;
        let mut document = Document::new()
            .set("width", number(WIDTH))
            .set("height", number(height))
            .set(
                "viewBox",
                format!("0 0 {} {}", number(WIDTH), number(height)),
            )
            .set("font-family", FONT)
            .set("role", "img")
            .add(Title::new(&self.title))
            .add(Description::new().add(Words::new(self.paragraphs.join(". "))));
        let card = Area {
            left: 0.5,
            top: 0.5,
            width: WIDTH - 1.0,
            height: height - 1.0,
        };
        document.append(
            rectangle(card, CARD, "1")
                .set("rx", "8")
                .set("stroke", CARD_EDGE),
        );
        document.append(text([MARGIN, 34.0], "start", HEADING, &self.title));
        let mut baseline = 38.0;
        for (line, colour) in lines {
            baseline += LINE_HEIGHT;
            let font = Font { colour, ..BODY };
            document.append(text([MARGIN, baseline], "start", font, &line));
        }
        match chart {
            Some(chart) => {
                let title = [MARGIN, heading_bottom + 16.0];
                document.append(text(title, "start", BODY, &self.axis_titles[1]));
                self.draw_axes(&mut document, chart, plot);
                draw_plot(&mut document, chart, plot);
                draw_ribbon(&mut document, chart, plot);
                draw_legend(&mut document, chart, plot, note);
            }
            None => document.append(text(
                [MARGIN, plot.top],
                "start",
                BODY,
                "Nothing has been measured.",
            )),
        }
        let below = [MARGIN, height - 14.0];
        document.append(text(below, "start", NOTE, self.footnote));
        document.to_string() + "\n"
    }

    /// Draws the grid, the tick labels, and the title of the horizontal axis.
    fn draw_axes(&self, document: &mut Document, chart: &Chart, plot: Plot) {
        let (left, right, bottom) = (PLOT_LEFT, PLOT_LEFT + PLOT_WIDTH, plot.bottom());
        let ticks =
            |axis: Axis, nth: usize, length: f64| axis.ticks(MIN_TICK_DISTANCES[nth] / length);
        for (fraction, label) in ticks(chart.x, 0, PLOT_WIDTH) {
            let x = left + fraction * PLOT_WIDTH;
            document.append(path(&[[x, plot.top], [x, bottom]], line(GRID, 1.0)));
            document.append(text([x, bottom + 17.0], "middle", NOTE, &label));
        }
        for (fraction, label) in ticks(chart.y, 1, plot.height) {
            let y = bottom - fraction * plot.height;
            document.append(path(&[[left, y], [right, y]], line(GRID, 1.0)));
            document.append(text([left - 8.0, y + 4.0], "end", NOTE, &label));
        }
        let corners = [[left, plot.top], [left, bottom], [right, bottom]];
        document.append(path(&corners, line(AXIS, 1.0)));
        let below = [left + PLOT_WIDTH / 2.0, bottom + 36.0];
        document.append(text(below, "middle", BODY, &self.axis_titles[0]));
    }
}

/// Draws the bound, the vertical line, the curves and the marks.
fn draw_plot(document: &mut Document, chart: &Chart, plot: Plot) {
    let clip = ClipPath::new()
        .set("id", "plot")
        .add(rectangle(plot.area(), CARD, "1"));
    document.append(clip);
    let mut clipped = Group::new().set("clip-path", "url(#plot)");
    if let Some(bound) = &chart.bound {
        let [left, right] = bound.ends.map(|end| plot.pixels(end));
        if bound.is_minimum {
            let area = Area {
                top: left[1],
                height: plot.bottom() - left[1],
                ..plot.area()
            };
            clipped.append(rectangle(area, IMPOSSIBLE, "0.16"));
        }
        clipped.append(path(&[left, right], bound_line()));
    }
    // With marks of their own, curves differ by their dashes. Otherwise, each point has a mark.
    let has_marks = !chart.marks.is_empty();
    for curve in chart.curves.iter().rev() {
        let style = Style::of(curve.strategy);
        for (is_solid, points) in curve.parts() {
            let points: Vec<[f64; 2]> = points.into_iter().map(|at| plot.pixels(at)).collect();
            let stroke = match (is_solid, has_marks) {
                (true, true) => style.stroke(),
                (true, false) => line(style.colour, 1.8),
                (false, _) => Stroke {
                    dashes: DOTS,
                    ..line(style.colour, 1.3)
                },
            };
            clipped.append(path(&points, stroke));
        }
        let points = curve.points.iter().filter(|_| !has_marks);
        for point in points.filter(|point| point.at.is_in_plot()) {
            let at = plot.pixels(point.at);
            clipped.append(mark(at, SMALL_MARK_RADIUS, style, point.keeps_limits));
        }
    }
    document.append(clipped);
    if let Some((fraction, label)) = &chart.vertical_line {
        let x = PLOT_LEFT + fraction * PLOT_WIDTH;
        let ends = [[x, plot.top - 4.0], [x, plot.bottom()]];
        document.append(path(
            &ends,
            Stroke {
                dashes: DASHES,
                ..line(INK, 1.2)
            },
        ));
        let anchor = if *fraction < 0.75 { "start" } else { "end" };
        document.append(text([x, plot.top - 8.0], anchor, DARK_NOTE, label));
    }
    for strategy in &chart.marks {
        let radius = if strategy.is_recommended {
            BIG_MARK_RADIUS
        } else {
            MARK_RADIUS
        };
        let style = Style::of(strategy.strategy);
        document.append(mark(
            plot.pixels(strategy.at),
            radius,
            style,
            strategy.keeps_limits,
        ));
    }
}

/// Draws the name of the best strategy in each range of knob values, and a vertical line between ranges.
fn draw_ribbon(document: &mut Document, chart: &Chart, plot: Plot) {
    let [top, bottom] = RIBBON.map(|above| plot.top - above);
    for (index, section) in chart.sections.iter().enumerate() {
        let [left, right] = section
            .ends
            .map(|fraction| PLOT_LEFT + fraction * PLOT_WIDTH);
        let area = Area {
            left,
            top,
            width: right - left,
            height: bottom - top,
        };
        let (name, text_left) = match section.strategy {
            Some(strategy) => {
                let style = Style::of(strategy);
                document.append(rectangle(area, style.colour, "0.2"));
                if area.width > 16.0 {
                    let centre = [left + 10.0, f64::midpoint(top, bottom)];
                    document.append(mark(centre, MARK_RADIUS, style, true));
                }
                (strategy.name, left + 19.0)
            }
            None => {
                document.append(rectangle(area, GRID, "1"));
                ("none", left + 7.0)
            }
        };
        if text_left + name.len() as f64 * LETTER_WIDTH <= right {
            document.append(text([text_left, bottom - 7.0], "start", DARK_NOTE, name));
        }
        if index > 0 {
            let border = Stroke {
                dashes: "2 3",
                ..line(DIM, 0.9)
            };
            document.append(path(&[[left, top], [left, plot.bottom()]], border));
        }
    }
}

/// Draws the column on the right that names the curves and the bound.
fn draw_legend(
    document: &mut Document,
    chart: &Chart,
    plot: Plot,
    note: impl Fn(&StrategyCurve) -> String,
) {
    let has_marks = !chart.marks.is_empty();
    let mut top = plot.top;
    let mut row = |stroke: Stroke, name: &str, font: Font, note: &str| {
        let centre = [LEGEND_LEFT + 12.0, top + 9.5];
        let ends = [[LEGEND_LEFT, centre[1]], [LEGEND_LEFT + 24.0, centre[1]]];
        document.append(path(&ends, stroke));
        let left = LEGEND_LEFT + 31.0;
        document.append(text([left, top + 13.5], "start", font, name));
        document.append(text([left, top + 27.0], "start", NOTE, note));
        top += LEGEND_ROW_HEIGHT;
        centre
    };
    let mut marks = Vec::new();
    for curve in &chart.curves {
        let style = Style::of(curve.strategy);
        let stroke = if has_marks {
            style.stroke()
        } else {
            line(style.colour, 1.8)
        };
        let font = Font {
            is_bold: curve.is_best,
            ..BODY
        };
        let centre = row(stroke, curve.strategy.name, font, &note(curve));
        marks.push(mark(centre, MARK_RADIUS, style, curve.keeps_limits));
    }
    if let Some(bound) = &chart.bound {
        let note = if bound.is_minimum {
            "no strategy can be below this line"
        } else {
            ""
        };
        row(bound_line(), &sentence(bound.name), BODY, note);
    }
    for mark in marks {
        document.append(mark);
    }
}

/// The vertical extent of the plot, in pixels.
#[derive(Clone, Copy)]
struct Plot {
    top: f64,
    height: f64,
}

impl Plot {
    fn bottom(self) -> f64 {
        self.top + self.height
    }

    fn area(self) -> Area {
        Area {
            left: PLOT_LEFT,
            top: self.top,
            width: PLOT_WIDTH,
            height: self.height,
        }
    }

    fn pixels(self, at: Position) -> [f64; 2] {
        [
            PLOT_LEFT + at.x * PLOT_WIDTH,
            self.bottom() - at.y * self.height,
        ]
    }
}

#[derive(Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

#[derive(Clone, Copy)]
struct Font {
    size: f64,
    colour: &'static str,
    is_bold: bool,
}

const BODY: Font = Font {
    size: 12.0,
    colour: INK,
    is_bold: false,
};
const HEADING: Font = Font {
    size: 17.0,
    is_bold: true,
    ..BODY
};
const DARK_NOTE: Font = Font { size: 11.0, ..BODY };
const NOTE: Font = Font {
    colour: DIM,
    ..DARK_NOTE
};

#[derive(Clone, Copy)]
struct Stroke {
    colour: &'static str,
    width: f64,
    /// The lengths of dashes and gaps, as in SVG's `stroke-dasharray`. Empty for a solid line.
    dashes: &'static str,
}

fn line(colour: &'static str, width: f64) -> Stroke {
    Stroke {
        colour,
        width,
        dashes: "",
    }
}

fn bound_line() -> Stroke {
    Stroke {
        dashes: DASHES,
        ..line(AXIS, 1.0)
    }
}

impl Style {
    fn stroke(self) -> Stroke {
        Stroke {
            dashes: self.dashes,
            ..line(self.colour, 1.5)
        }
    }
}

/// Formats a coordinate with at most one decimal.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

/// Returns a line of text. `at` is a point on its baseline, and `anchor` says which part of the text is there.
fn text(at: [f64; 2], anchor: &str, font: Font, words: &str) -> Text {
    let [x, y] = at.map(number);
    let text = Text::new(words)
        .set("x", x)
        .set("y", y)
        .set("text-anchor", anchor)
        .set("font-size", number(font.size))
        .set("fill", font.colour);
    if font.is_bold {
        text.set("font-weight", "600")
    } else {
        text
    }
}

fn rectangle(area: Area, colour: &str, opacity: &str) -> Rectangle {
    Rectangle::new()
        .set("x", number(area.left))
        .set("y", number(area.top))
        .set("width", number(area.width))
        .set("height", number(area.height))
        .set("fill", colour)
        .set("fill-opacity", opacity)
}

/// Returns the path data of a line through all points.
fn through(points: &[[f64; 2]]) -> String {
    let points = points.iter();
    let points = points.map(|[x, y]| format!("{},{}", number(*x), number(*y)));
    format!("M{}", points.collect::<Vec<String>>().join(" "))
}

fn path(points: &[[f64; 2]], stroke: Stroke) -> Path {
    let path = Path::new()
        .set("d", through(points))
        .set("fill", "none")
        .set("stroke", stroke.colour)
        .set("stroke-width", number(stroke.width))
        .set("stroke-linejoin", "round");
    if stroke.dashes.is_empty() {
        path
    } else {
        path.set("stroke-dasharray", stroke.dashes)
    }
}

/// Returns the mark of a strategy, which is either filled or hollow.
fn mark([x, y]: [f64; 2], radius: f64, style: Style, is_filled: bool) -> Path {
    let corners = style.mark.iter();
    let corners = corners.map(|(right, down)| [x + radius * right, y + radius * down]);
    let corners: Vec<[f64; 2]> = corners.collect();
    path(&corners, line(style.colour, 1.4))
        .set("d", through(&corners) + "Z")
        .set("fill", if is_filled { style.colour } else { CARD })
}
