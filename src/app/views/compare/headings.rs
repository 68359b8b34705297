//! Headings of the table. A click on a heading sorts the rows.

use super::plots::PlotScale;
use super::table_layout::Columns;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::state::experiments::Order;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use egui::{
    Align2, Color32, Id, Painter, Pos2, Rangef, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use headless::stats::Figure;
use headless::text::format;

/// Size of the text.
const POINTS: f32 = 11.5;
/// Space between a figure and its column's right edge.
pub const RIGHT: f32 = 4.0;
/// Minimum space before a heading. It has room for the sign of the order.
const BEFORE: f32 = 15.0;

const CROWD: &str = "Every entity of the lane, as in the Grid view.";
const TASKS: &str = "Tasks in each recent frame, on a square-root scale that all rows share.";
const TIMES: &str = "Length of each recent frame, on a scale that all rows share: tasks, scheduling, drawing and \
    waiting. Hitches that tasks caused are amber. The dashed line is the target.";
const EFFECT: &str = "Effect of the last disturbance: hitches that the lane did not have before. Resetting the figures \
    ends it.";

/// Returns the width of a figure's column, from its heading.
pub fn width(painter: &Painter, figure: &Figure) -> f32 {
    let galley = painter.layout_no_wrap(figure.label.to_owned(), theme::text(POINTS), theme::DIM);
    BEFORE + galley.size().x + RIGHT
}

/// Headings of the table, with the order and the scales that they show.
pub struct Headings<'a> {
    /// The line of the headings.
    pub rect: Rect,
    /// The columns.
    pub columns: &'a Columns,
    /// Scales of the plots.
    pub scale: &'a PlotScale,
    /// Order of the rows.
    pub order: Option<Order>,
    /// Label of the last disturbance.
    pub disturbance: Option<&'a str>,
}

impl Headings<'_> {
    /// Shows the headings.
    pub fn show(&self, ui: &Ui, answer: &mut UiResponse) {
        self.names(ui, answer);
        let columns = self.columns;
        if let Some(range) = columns.crowd {
            self.plain(ui, ("crowd", "Crowd", CROWD), range, answer);
        }
        if let Some([tasks, times]) = columns.plots {
            let most = format!("≤ {}", format::short(self.scale.runs.into()));
            self.plain(ui, ("tasks", "Tasks", TASKS), tasks, answer);
            self.maximum(ui, tasks, &most, "Tasks");
            let ms = self.scale.longest.as_millis_f64();
            let most = format!("≤ {} ms", format::number(ms));
            self.plain(ui, ("times", "Frame time", TIMES), times, answer);
            self.maximum(ui, times, &most, "Frame time");
        }
        if let (Some(range), Some(name)) = (columns.effect, self.disturbance) {
            self.plain(ui, ("effect", name, EFFECT), range, answer);
        }
        for &(figure, range) in &columns.figures {
            self.figure(ui, figure, range, answer);
        }
    }

    fn place(&self, range: Rangef) -> Rect {
        Rect::from_x_y_ranges(range, self.rect.y_range())
    }

    /// Shows the heading of the names, which restores the order of the registry.
    fn names(&self, ui: &Ui, answer: &mut UiResponse) {
        let place = self.place(self.columns.name);
        let response = ui.interact(place, Id::new("column strategy"), Sense::CLICK);
        answer.report("column:strategy", place);
        let ink = if response.hovered() {
            theme::BRIGHT
        } else {
            theme::DIM
        };
        let painter = ui.painter().with_clip_rect(place);
        let at = pos2(place.left(), place.center().y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            "Strategy",
            theme::text(POINTS),
            ink,
        );
        if response.clicked() {
            answer.commands.push(Command::Sort(None));
        }
        tooltip::offer(
            &response,
            "Click for the order of the strategies by family.",
        );
    }

    /// Shows a heading that does not sort.
    fn plain(
        &self,
        ui: &Ui,
        (name, words, help): (&str, &str, &str),
        range: Rangef,
        answer: &mut UiResponse,
    ) {
        let place = self.place(range);
        let response = ui.interact(place, Id::new(("column", name)), Sense::hover());
        answer.report(format!("column:{name}"), place);
        let painter = ui.painter().with_clip_rect(place);
        let at = pos2(place.left(), place.center().y);
        let font = theme::text(POINTS);
        painter.text(at, Align2::LEFT_CENTER, words, font, theme::DIM);
        tooltip::offer(&response, help);
    }

    /// Shows the maximum of a plot's scale at the right end of its heading, if it has room after `words`.
    fn maximum(&self, ui: &Ui, range: Rangef, text: &str, words: &str) {
        let painter = ui.painter();
        let place = self.place(range);
        let lay = |text: &str, font| painter.layout_no_wrap(text.to_owned(), font, theme::DIM);
        let galley = lay(text, theme::mono(10.0));
        let words = lay(words, theme::text(POINTS)).size().x;
        if words + 8.0 + galley.size().x <= place.width() {
            let at = pos2(
                place.right() - galley.size().x,
                place.center().y - galley.size().y / 2.0,
            );
            painter.galley(at, galley, theme::DIM);
        }
    }

    /// Shows the heading of a figure.
    fn figure(&self, ui: &Ui, figure: &'static Figure, range: Rangef, answer: &mut UiResponse) {
        let place = self.place(range);
        let response = ui.interact(place, Id::new(("column", figure.key)), Sense::CLICK);
        answer.report(format!("column:{}", figure.key), place);
        let order = self.order.filter(|order| order.figure == figure);
        let ink = match (order, response.hovered()) {
            (Some(_), _) => theme::TEAL,
            (None, true) => theme::BRIGHT,
            (None, false) => theme::DIM,
        };
        let right = pos2(place.right() - RIGHT, place.center().y);
        let painter = ui.painter().with_clip_rect(place);
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

/// Returns the tooltip of a figure's heading: its definition, its unit, and what a click does.
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
