//! Headings of the table. A click on a heading sorts the rows.

use super::plots::PlotScale;
use super::table_layout::Columns;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::state::experiments::Order;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align2, Color32, Id, Painter, Pos2, Rangef, Rect, Response, Sense, Shape, Stroke, Ui, pos2,
    vec2,
};
use headless::stats::Figure;
use headless::text::format;

const POINTS: f32 = 11.5;
/// Space between a figure and its column's right edge.
pub const RIGHT: f32 = 4.0;
/// Minimum space before a heading. It has room for the sign of the order.
const BEFORE: f32 = 15.0;

const STRATEGY: &str = "Click for the order of the strategies by family.";
const CROWD: &str = "Every entity of the lane, as in the Grid view.";
const TASKS: &str = "Tasks in each recent frame, on a square-root scale that all rows share.";
const TIMES: &str = "Length of each recent frame, on a scale that all rows share: tasks, scheduling, drawing and \
    waiting. Hitches that tasks caused are amber. The dashed line is the target.";
const EFFECT: &str = "Effect of the last disturbance: hitches that the lane did not have before. Resetting the figures \
    ends it.";

pub fn width(painter: &Painter, figure: &Figure) -> f32 {
    let galley = painter.layout_no_wrap(figure.label.to_owned(), theme::text(POINTS), theme::DIM);
    BEFORE + galley.size().x + RIGHT
}

pub struct Headings<'a> {
    pub rect: Rect,
    pub columns: &'a Columns,
    pub scale: &'a PlotScale,
    pub order: Option<Order>,
    pub disturbance: Option<&'a str>,
}

impl Headings<'_> {
    pub fn show(&self, ui: &Ui, answer: &mut UiResponse) {
        let columns = self.columns;
        let strategy = ("strategy", "Strategy", STRATEGY);
        if self
            .words(ui, strategy, columns.name, Sense::CLICK, answer)
            .clicked()
        {
            answer.commands.push(Command::Sort(None));
        }
        let mut plain = |heading, range| {
            self.words(ui, heading, range, Sense::hover(), answer);
        };
        if let Some(range) = columns.crowd {
            plain(("crowd", "Crowd", CROWD), range);
        }
        if let Some([tasks, times]) = columns.plots {
            plain(("tasks", "Tasks", TASKS), tasks);
            plain(("times", "Frame time", TIMES), times);
            let runs = format::short(self.scale.runs.into());
            self.maximum(ui, tasks, &format!("≤ {runs}"), "Tasks");
            let ms = format::number(self.scale.longest.as_millis_f64());
            self.maximum(ui, times, &format!("≤ {ms} ms"), "Frame time");
        }
        if let (Some(range), Some(name)) = (columns.effect, self.disturbance) {
            plain(("effect", name, EFFECT), range);
        }
        for &(figure, range) in &columns.figures {
            self.figure(ui, figure, range, answer);
        }
    }

    /// Adds the area of a heading, and returns a painter for it.
    fn area(
        &self,
        ui: &Ui,
        key: &str,
        range: Rangef,
        sense: Sense,
        answer: &mut UiResponse,
    ) -> (Response, Painter) {
        let place = Rect::from_x_y_ranges(range, self.rect.y_range());
        answer.report(format!("column:{key}"), place);
        let response = ui.interact(place, Id::new(("column", key)), sense);
        (response, ui.painter().with_clip_rect(place))
    }

    /// Shows a heading of words with a tooltip.
    fn words(
        &self,
        ui: &Ui,
        (key, words, help): (&str, &str, &str),
        range: Rangef,
        sense: Sense,
        answer: &mut UiResponse,
    ) -> Response {
        let (response, painter) = self.area(ui, key, range, sense, answer);
        let ink = if sense.senses_click() && response.hovered() {
            theme::BRIGHT
        } else {
            theme::DIM
        };
        let (at, font) = (response.rect.left_center(), theme::text(POINTS));
        painter.text(at, Align2::LEFT_CENTER, words, font, ink);
        tooltip::offer(&response, help);
        response
    }

    /// Shows the maximum of a plot's scale at the right end of its heading, if it has room after `words`.
    fn maximum(&self, ui: &Ui, range: Rangef, text: &str, words: &str) {
        let (painter, ink) = (ui.painter(), theme::DIM);
        let words = painter.layout_no_wrap(words.to_owned(), theme::text(POINTS), ink);
        let room = range.span() - words.size().x - 8.0;
        if let Some(text) = paint::fitting(painter, [text], (theme::mono(10.0), ink), room) {
            let place = Rect::from_x_y_ranges(range, self.rect.y_range());
            let at = Align2::RIGHT_CENTER.align_size_within_rect(text.size(), place);
            painter.galley(at.min, text, ink);
        }
    }

    /// Shows the heading of a figure, which sorts.
    fn figure(&self, ui: &Ui, figure: &'static Figure, range: Rangef, answer: &mut UiResponse) {
        let (response, painter) = self.area(ui, figure.key, range, Sense::CLICK, answer);
        let order = self.order.filter(|order| order.figure == figure);
        let ink = match (order, response.hovered()) {
            (Some(_), _) => theme::TEAL,
            (None, true) => theme::BRIGHT,
            (None, false) => theme::DIM,
        };
        let right = response.rect.right_center() - vec2(RIGHT, 0.0);
        let font = theme::text(POINTS);
        let label = painter.text(right, Align2::RIGHT_CENTER, figure.label, font, ink);
        if let Some(order) = order {
            let at = pos2(label.left() - 8.0, right.y);
            sign(&painter, at, order.is_reversed, ink);
        }
        if response.clicked() {
            let order = Order::after_click(self.order, figure);
            answer.commands.push(Command::Sort(Some(order)));
        }
        if response.hovered() {
            tooltip::offer(&response, help(figure, order));
        }
    }
}

fn help(figure: &Figure, order: Option<Order>) -> String {
    let unit = match figure.unit {
        "" => String::new(),
        unit => format!(" In {unit}."),
    };
    let time = if figure.is_game_time {
        " A star marks game time that differs from real time."
    } else {
        ""
    };
    let click = match order {
        None => "Click to sort by it, the best or lowest first.",
        Some(_) => "Click to reverse the order.",
    };
    format!("{}{unit}{time}\n{click}", figure.help)
}

/// Paints the sign of the order: a triangle that points down, or up if the order is reversed.
fn sign(painter: &Painter, center: Pos2, is_reversed: bool, ink: Color32) {
    let up = if is_reversed { -1.0 } else { 1.0 };
    let points = [(-3.5, -2.0), (3.5, -2.0), (0.0, 3.0)];
    let points = points.map(|(x, y)| center + vec2(x, y * up)).to_vec();
    painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
}
