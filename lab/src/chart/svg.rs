//! Draws the charts of sweeps as SVG files, on a white card with a title, the workload in words, and a legend.
//!
//! Coordinates have one decimal and logarithms are computed by `libm`, so a chart has the same bytes on every platform.

use super::scene::{
    Anchor, Canvas, Font, Ink, Layout, MarkKind, Pattern, Point, RIBBON_SPACE, Stroke, draw,
};
use super::style::Style;
use super::words::{best_note, best_ranges, workload};
use super::{Chart, MarkedSetting, StrategyCurve, TradeOff};
use crate::catalog::strategy::StrategyEntry;
use crate::judge::{Crossovers, Sweep, ranges};
use crate::text::format;
use svg::Document;
use svg::node::element::{ClipPath, Description, Path, Polygon, Rectangle, Text, Title};
use svg::node::{Node, Text as Words};

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 22.0;
const LINE_HEIGHT: f64 = 17.0;
const MAX_LINE_LETTERS: usize = 130;
const PLOT_LEFT: f64 = 58.0;
const PLOT_WIDTH: f64 = 568.0;
const MIN_PLOT_HEIGHT: f64 = 300.0;
const SPACE_ABOVE_PLOT: f64 = 34.0;
const SPACE_BELOW_PLOT: f64 = 72.0;
const LEGEND_LEFT: f64 = 652.0;
const LEGEND_ROW_HEIGHT: f64 = 31.0;
const FONT_SIZE: f64 = 12.0;
const HEADING_SIZE: f64 = 17.0;
/// The width of a letter. Most fonts have narrower ones.
const LETTER_WIDTH: f64 = 6.6;

const CARD: &str = "#ffffff";
const CARD_EDGE: &str = "#d0d7de";

/// Text uses the font of the reader's system, because an image in a README cannot load another font.
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

const TRADE_OFF_FOOTNOTE: &str = "Marks show best settings: hollow if they exceed a limit, large if recommended. The \
    numbers with × compare with the large mark.";
const CROSSOVERS_FOOTNOTE: &str = "At every value, each strategy uses its best setting. Dotted lines and hollow marks \
    show settings that exceed a limit.";

/// Draws the curves, the task time limit and the best settings of a sweep, and returns the SVG file.
pub fn trade_off(sweep: &Sweep) -> String {
    let (question, findings) = (sweep.question(), sweep.findings());
    let Some(recommendation) = findings.recommendation else {
        return String::new(); // callers draw only complete sweeps
    };
    let objective = question.objective;
    let recommended = recommendation.recommended().map(|choice| choice.lane);
    let marked = recommendation.choices.iter().map(|choice| {
        let is_recommended = recommended == Some(choice.lane);
        MarkedSetting::best(choice, is_recommended)
    });
    let trade_off = TradeOff {
        strategies: &question.strategies,
        curves: &findings.curves,
        marked: marked.collect(),
        objective,
        task_limit: question.limits.tasks,
        frame: question.settings.frame_period(),
    };
    let mut chart = trade_off.chart();
    let order = recommendation.order();
    if let Some(chart) = &mut chart {
        let rank = |curve: &StrategyCurve| order.iter().position(|lane| *lane == curve.lane);
        chart.curves.sort_by_key(rank);
    }
    let horizontal_title = if objective.is_of_requests() {
        "longest task time, as a share of a frame"
    } else {
        "share of time spent on tasks"
    };
    let curves = chart.iter().flat_map(|chart| &chart.curves);
    let notes = curves.map(|curve| {
        let choice = &recommendation.choices[curve.lane];
        best_note(choice, recommendation.times_best(choice))
    });
    let notes: Vec<String> = notes.collect();
    let card = Card {
        title: "All strategies at all values of their main knobs".to_owned(),
        paragraphs: [
            workload(question, None),
            format::capitalised(&recommendation.text().to_string()),
        ],
        axis_titles: [
            horizontal_title.to_owned(),
            format::capitalised(objective.name()),
        ],
        footnote: TRADE_OFF_FOOTNOTE,
    };
    card.drawn(chart.as_ref(), &notes)
}

/// Draws a line for each strategy, and a ribbon with the best strategy in each range. Returns the SVG file.
pub fn crossovers(crossovers: &Crossovers) -> String {
    let (question, over) = (crossovers.question(), crossovers.over());
    let columns = crossovers.columns();
    let ranges = ranges(&columns, None);
    let chart = super::crossovers(over, &question.strategies, &columns, &ranges, None, &[]);
    let objective = format::capitalised(question.objective.name());
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
    card.drawn(Some(&chart), &[])
}

/// Everything around the plot.
struct Card {
    title: String,
    paragraphs: [String; 2],
    axis_titles: [String; 2],
    footnote: &'static str,
}

impl Card {
    /// Draws the chart on the card. `notes` describe the curves in the legend.
    fn drawn(&self, chart: Option<&Chart>, notes: &[String]) -> String {
        let curves = chart.map_or(&[][..], |chart| &chart.curves);
        let has_ribbon = chart.is_some_and(|chart| !chart.sections.is_empty());
        let paragraphs = self.paragraphs.iter().zip([Ink::Dim, Ink::Text]);
        let lines = paragraphs.flat_map(|(words, ink)| {
            let lines = format::wrapped(words, MAX_LINE_LETTERS);
            lines.into_iter().map(move |line| (line, ink))
        });
        let lines: Vec<(String, Ink)> = lines.collect();
        let heading_bottom = 46.0 + LINE_HEIGHT * lines.len() as f64;
        let ribbon = if has_ribbon { RIBBON_SPACE } else { 0.0 };
        let legend_rows = curves.len() + 1;
        let layout = Layout {
            left: PLOT_LEFT,
            top: heading_bottom + SPACE_ABOVE_PLOT + ribbon,
            width: PLOT_WIDTH,
            height: MIN_PLOT_HEIGHT.max(legend_rows as f64 * LEGEND_ROW_HEIGHT),
            legend: LEGEND_LEFT,
            legend_rows,
            legend_row_height: LEGEND_ROW_HEIGHT,
            font_size: FONT_SIZE,
        };
        let height = layout.bottom() + SPACE_BELOW_PLOT;
        let mut document = self.empty(height, &layout);
        let mut add_text = |at, anchor, ink, words: &str| {
            document.text(at, anchor, ink, Font::Plain, words);
        };
        for ((line, ink), row) in lines.iter().zip(1..) {
            let y = 34.0 + LINE_HEIGHT * f64::from(row);
            add_text([MARGIN, y], Anchor::Start, *ink, line);
        }
        let bottom = [MARGIN, height - 18.0];
        add_text(bottom, Anchor::Start, Ink::Dim, self.footnote);
        let Some(chart) = chart else {
            let words = "Nothing has been measured.";
            add_text([MARGIN, layout.top], Anchor::Start, Ink::Text, words);
            return document.to_string() + "\n";
        };
        let [horizontal, vertical] = &self.axis_titles;
        let above = [MARGIN, heading_bottom + 14.0];
        add_text(above, Anchor::Start, Ink::Text, vertical);
        let below = [layout.x(0.5), layout.bottom() + 32.0];
        add_text(below, Anchor::Middle, Ink::Text, horizontal);
        draw(&mut document, chart, &layout, None, notes);
        document.to_string() + "\n"
    }

    /// Returns a card of this height with a title. The paragraphs describe it to readers who cannot see it.
    fn empty(&self, height: f64, layout: &Layout) -> Document {
        let card = Rectangle::new()
            .set("x", "0.5")
            .set("y", "0.5")
            .set("width", number(WIDTH - 1.0))
            .set("height", number(height - 1.0))
            .set("rx", "8")
            .set("fill", CARD)
            .set("stroke", CARD_EDGE);
        let plot = Rectangle::new()
            .set("x", number(layout.left))
            .set("y", number(layout.top))
            .set("width", number(layout.width))
            .set("height", number(layout.height));
        let [width, height] = [WIDTH, height].map(number);
        let at = [MARGIN, 28.0];
        let heading = text(at, Anchor::Start, Ink::Text, Font::Bold, &self.title);
        Document::new()
            .set("viewBox", format!("0 0 {width} {height}"))
            .set("width", width)
            .set("height", height)
            .set("font-family", FONT)
            .set("role", "img")
            .add(Title::new(&self.title))
            .add(Description::new().add(Words::new(self.paragraphs.join(". "))))
            .add(card)
            .add(ClipPath::new().set("id", "plot").add(plot))
            .add(heading.set("font-size", number(HEADING_SIZE)))
    }
}

impl Canvas for Document {
    fn text_width(&self, words: &str) -> f64 {
        words.chars().count() as f64 * LETTER_WIDTH
    }

    fn area(&mut self, corners: &[Point], ink: Ink, opacity: f64, is_in_plot: bool) {
        let area = path(corners, is_in_plot).set("fill", colour(ink));
        self.append(area.set("fill-opacity", opacity));
    }

    fn line(&mut self, points: &[Point], stroke: Stroke, is_in_plot: bool) {
        let dashes = match stroke.pattern {
            Pattern::Solid => "none",
            Pattern::Dashed => "4 3",
            Pattern::Dotted => "1.5 3.5",
        };
        let line = path(points, is_in_plot)
            .set("fill", "none")
            .set("stroke", colour(stroke.ink))
            .set("stroke-opacity", stroke.opacity)
            .set("stroke-width", number(stroke.width))
            .set("stroke-linejoin", "round")
            .set("stroke-dasharray", dashes);
        self.append(line);
    }

    fn mark(
        &mut self,
        [x, y]: Point,
        radius: f64,
        strategy: &'static StrategyEntry,
        is_filled: bool,
        kind: MarkKind,
    ) {
        let is_large = kind == MarkKind::Recommended;
        let radius = if is_large { 2.0 * radius } else { radius };
        let style = Style::of(strategy);
        let corners = style.mark.iter().map(|(right, down)| {
            let [x, y] = [x + radius * right, y + radius * down].map(number);
            format!("{x},{y}")
        });
        let mark = Polygon::new()
            .set("points", corners.collect::<Vec<String>>().join(" "))
            .set("fill", if is_filled { style.colour } else { CARD })
            .set("stroke", style.colour)
            .set("stroke-width", "1.2");
        self.append(mark);
    }

    fn text(&mut self, at: Point, anchor: Anchor, ink: Ink, font: Font, words: &str) {
        self.append(text(at, anchor, ink, font, words));
    }
}

fn colour(ink: Ink) -> &'static str {
    match ink {
        Ink::Ground => CARD,
        Ink::Grid => "#e4e7eb",
        Ink::Axis => "#8c959f",
        Ink::Text => "#1f2328",
        Ink::Dim | Ink::Exceeded => "#57606a",
        Ink::Strategy(strategy) => Style::of(strategy).colour,
        Ink::Minimum => "#0b9a8d",
    }
}

/// Formats a coordinate with at most one decimal.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

fn text([x, y]: Point, anchor: Anchor, ink: Ink, font: Font, words: &str) -> Text {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    Text::new(words)
        .set("x", number(x))
        .set("y", number(y + 0.35 * FONT_SIZE)) // the baseline
        .set("text-anchor", anchor)
        .set("font-size", number(FONT_SIZE))
        .set(
            "font-weight",
            if font == Font::Bold { "600" } else { "400" },
        )
        .set("fill", colour(ink))
}

/// Returns a line through all points. It is clipped at the edges of the plot if `is_in_plot` is true.
fn path(points: &[Point], is_in_plot: bool) -> Path {
    let points = points.iter();
    let points = points.map(|[x, y]| format!("{},{}", number(*x), number(*y)));
    let points: Vec<String> = points.collect();
    let path = Path::new().set("d", format!("M{}", points.join(" ")));
    if is_in_plot {
        path.set("clip-path", "url(#plot)")
    } else {
        path
    }
}
