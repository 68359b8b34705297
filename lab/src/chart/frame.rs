//! Draws everything around the plot of a chart, such as the title, the workload and the limits in words, the grid, and
//! the labels of the axes.

use super::MOST_TIMES;
use super::axis::Axis;
use super::drawing::{
    AXIS, Anchor, Area, BODY, DIM, Drawing, Font, GRID, HEADING, NOTE, Point, Stroke, WIDTH, point,
    wrapped,
};
use super::labels;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::StrategyEntry;
use crate::catalog::strategy::knobs::BUDGET;
use crate::judge::{Limits, Question};
use crate::sim::settings::{Owner, Setting, Settings};
use crate::sim::world::{COST, COST_SPREAD, ENTITIES, FALLOFF, TARGET_SPEED};
use crate::text::format;
use crate::text::rich::time;

const MARGIN: f64 = 22.0;
const LINE_HEIGHT: f64 = 17.0;
const PLOT_LEFT: f64 = 58.0;
const LABEL_COLUMN_WIDTH: f64 = 226.0;
const LABEL_COLUMN_GAP: f64 = 26.0;
const SPACE_BELOW_PLOT: f64 = 72.0;
const MIN_PLOT_HEIGHT: f64 = 300.0;

const WORDS: Font = Font {
    colour: DIM,
    ..BODY
};

/// A card with a title and a description, and an empty plot to draw in.
pub struct Frame {
    pub drawing: Drawing,
    pub plot: Area,
    pub column: Area,
    above: f64,
}

impl Frame {
    /// Creates the card. There are `above` pixels of space between the description and the plot, and the plot is tall
    /// enough for `label_count` labels.
    pub fn new(title: &str, paragraphs: &[String; 2], label_count: usize, above: f64) -> Self {
        let fonts = [WORDS, BODY];
        let description = paragraphs.join(". ");
        let lines = paragraphs.iter().zip(fonts).flat_map(|(words, font)| {
            let lines = wrapped(words, font, WIDTH - 2.0 * MARGIN);
            lines.into_iter().map(move |line| (line, font))
        });
        let lines: Vec<(String, Font)> = lines.collect();
        let top = 48.0 + LINE_HEIGHT * lines.len() as f64 + above;
        let height = MIN_PLOT_HEIGHT.max(label_count as f64 * labels::LABEL_HEIGHT);
        let plot = Area {
            left: PLOT_LEFT,
            top,
            right: WIDTH - MARGIN - LABEL_COLUMN_WIDTH - LABEL_COLUMN_GAP,
            bottom: top + height,
        };
        let column = Area {
            left: plot.right + LABEL_COLUMN_GAP,
            right: WIDTH - MARGIN,
            ..plot
        };
        let mut drawing = Drawing::new(plot.bottom + SPACE_BELOW_PLOT, title, &description);
        drawing.text(point(MARGIN, 34.0), Anchor::Start, HEADING, title);
        let mut y = 38.0;
        for (line, font) in lines {
            y += LINE_HEIGHT;
            drawing.text(point(MARGIN, y), Anchor::Start, font, &line);
        }
        Self {
            drawing,
            plot,
            column,
            above,
        }
    }

    /// Draws the grid, the tick labels, and the titles of the axes. The title of the vertical axis is above the plot.
    pub fn axes(&mut self, x: Axis, x_text: impl Fn(f64) -> String, titles: [&str; 2], y: Axis) {
        let plot = self.plot;
        for tick in x.ticks(46.0) {
            let at = x.at(tick);
            self.grid(point(at, plot.top), point(at, plot.bottom));
            let below = point(at, plot.bottom + 17.0);
            self.drawing
                .text(below, Anchor::Middle, NOTE, &x_text(tick));
        }
        for tick in y.ticks(22.0) {
            let at = y.at(tick);
            self.grid(point(plot.left, at), point(plot.right, at));
            let beside = point(plot.left - 8.0, at + 4.0);
            let words = format!("{tick:.1}");
            self.drawing.text(beside, Anchor::End, NOTE, &words);
        }
        let axis = Stroke::solid(AXIS, 1.0);
        let corner = point(plot.left, plot.bottom);
        self.drawing.line(point(plot.left, plot.top), corner, axis);
        self.drawing
            .line(corner, point(plot.right, plot.bottom), axis);
        let [x_title, y_title] = titles;
        let below = point(f64::midpoint(plot.left, plot.right), plot.bottom + 36.0);
        self.drawing.text(below, Anchor::Middle, BODY, x_title);
        let above = point(MARGIN, plot.top - self.above + 16.0);
        self.drawing.text(above, Anchor::Start, BODY, y_title);
    }

    fn grid(&mut self, from: Point, to: Point) {
        self.drawing.line(from, to, Stroke::solid(GRID, 1.0));
    }

    pub fn finish(mut self, note: &str) -> String {
        let at = point(MARGIN, self.plot.bottom + SPACE_BELOW_PLOT - 14.0);
        self.drawing.text(at, Anchor::Start, NOTE, note);
        self.drawing.finish()
    }
}

/// Creates the vertical axis of a chart. It shows staleness as a multiple of the theoretical minimum or of the best
/// setting. The axis is long enough for all `values`, except those greater than `MOST_TIMES`.
pub fn times_axis(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Axis {
    const TOPS: [f64; 4] = [1.5, 2.0, 3.0, MOST_TIMES];
    let most = values.filter(|it| *it <= MOST_TIMES).fold(1.0, f64::max);
    let top = TOPS.into_iter().find(|top| most * 1.05 <= *top);
    let top = top.unwrap_or(MOST_TIMES);
    Axis::logarithmic([0.92, top], pixels)
}

/// Describes the workload and the limits, such as `2,000 entities · 50 µs per task · cost spread 1.5 · falloff 2 · the
/// target moves · ...`. The `over` knob is left out, because its value varies.
pub fn workload(question: &Question, over: Option<&Knob>) -> String {
    let settings = &question.settings;
    let is_fixed = |knob: &Knob| over.is_none_or(|over| *over != *knob);
    let value = |knob: &Knob| settings.knobs.get(knob);
    let mut words = Vec::new();
    if is_fixed(&ENTITIES) {
        words.push(format::counted(value(&ENTITIES) as u64, "entity"));
    }
    if let Some(own) = &settings.own_costs {
        words.push(format!(
            "task costs from a file, {} on average",
            time(own.mean())
        ));
    } else {
        if is_fixed(&COST) {
            words.push(format!("{} per task", format::knob(&COST, value(&COST))));
        }
        words.push(match value(&COST_SPREAD) {
            0.0 => "equal costs".to_owned(),
            spread => format!("cost spread {}", format::number(spread)),
        });
    }
    words.push(match value(&FALLOFF) {
        0.0 => "falloff 0 (all matter equally)".to_owned(),
        falloff => format!("falloff {}", format::number(falloff)),
    });
    if is_fixed(&TARGET_SPEED) {
        let verb = if settings.target_rests() {
            "is at rest"
        } else {
            "moves"
        };
        words.push(format!("the target {verb}"));
    }
    let is_said = |knob: &Knob| {
        let is_swept = |entry: &&StrategyEntry| entry.main_knob() == Some(knob);
        [ENTITIES, COST, COST_SPREAD, FALLOFF].contains(knob)
            || question.strategies.iter().any(is_swept)
    };
    let defaults = Settings::default();
    for change in defaults.changes_to(settings, Some(Owner::Drawing)) {
        match change {
            Setting::Knob(knob, value) if !is_said(knob) && is_fixed(knob) => {
                words.push(format!("{} {}", knob.label, format::knob(knob, value)));
            }
            Setting::FrameLoop(entry) => words.push(entry.name.to_owned()),
            _ => {}
        }
    }
    words.push(format!("seed {}", settings.seed));
    let limits = limits(&question.limits, over);
    format!("{} · {limits}", words.join(" · "))
}

/// Describes the limits, such as `limits: 4 ms of tasks per frame, no wait over 2 s, the frame rate is held`.
fn limits(limits: &Limits, over: Option<&Knob>) -> String {
    let is_over = over.is_some_and(|over| *over == BUDGET);
    let mut words = Vec::new();
    if let Some(tasks) = limits.tasks.filter(|_| !is_over) {
        words.push(format!("{} of tasks per frame", time(tasks)));
    }
    if let Some(near) = limits.near {
        words.push(format!("a staleness of {} near the target", time(near)));
    }
    if let Some(longest) = limits.longest {
        words.push(format!("no wait over {}", time(longest)));
    }
    if limits.holds_frame_rate {
        words.push("the frame rate is held".to_owned());
    }
    if words.is_empty() {
        "no limits".to_owned()
    } else {
        format!("limits: {}", words.join(", "))
    }
}

/// Capitalizes the first letter.
pub fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}
