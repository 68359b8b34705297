//! The overlay that lists every key, what the mouse does, and what the picture's signs mean.

use super::grid::projectile_strip;
use crate::app::input::bindings::{Binding, caps_of, rows};
use crate::app::input::response::UiResponse;
use crate::app::panels::staleness_legend;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{keycap, warning};
use crate::app::widgets::theme;
use egui::{
    Align2, Color32, CornerRadius, Id, LayerId, Order, Painter, Pos2, Rect, Sense, Stroke,
    StrokeKind, Ui, pos2, vec2,
};
use timeslice::strategy::STRATEGIES;

const ROW: f32 = 22.0;
const INSET: f32 = 24.0;
/// From a column's left edge to its words.
const WORDS: f32 = 132.0;
/// Widths of the two columns.
const KEYS: f32 = 456.0;
const SIGNS: f32 = 434.0;

/// A sign of the picture: how it looks, its middle being given, and what it means.
type Sign = (fn(&Painter, Pos2), &'static str);

const SIGNS_MEAN: [Sign; 11] = [
    (shades, "its task ran, it cools, it rests, it is stale"),
    (ages, "with S: it ran just now, ..., ten seconds ago"),
    (
        visor,
        "it looks where the target was when its task last ran",
    ),
    (target, "the target that they all watch"),
    (
        projectile_strip::sign,
        "projectile as drawn; outline: as true time says",
    ),
    (ring_teal, "under the pointer, or pinned by a click"),
    (ring_white, "it ran in the frame that is looked at"),
    (change, "something was changed here: figures begin anew"),
    (disturb, "when all are compared: something was done to it"),
    (triangle, "something is wrong; on a plot, a frame too long"),
    (stack, "a frame's time: tasks, scheduling, drawing, waiting"),
];

/// Shows it over everything. What lies below takes no clicks meanwhile; one anywhere hides it.
pub fn show(ui: &Ui, screen: Rect, bindings: &[Binding], answer: &mut UiResponse) {
    let cover = ui.interact(screen, Id::new("help"), Sense::click_and_drag());
    if cover.clicked() {
        answer.commands.push(Command::Help);
    }
    let layer = LayerId::new(Order::Foreground, Id::new("help"));
    let painter = ui.ctx().layer_painter(layer);
    painter.rect_filled(screen, 0.0, theme::FLOOR.gamma_multiply(0.75));

    let keys = rows(bindings);
    let mouse = mouse(bindings);
    let lines = keys.len().max(mouse.len() + SIGNS_MEAN.len() + 2);
    let size = vec2(KEYS + SIGNS, 56.0 + lines as f32 * ROW + 10.0).min(screen.size());
    let card = Rect::from_center_size(screen.center(), size);
    let corners = CornerRadius::same(8);
    painter.rect_filled(card, corners, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.rect_stroke(card, corners, edge, StrokeKind::Inside);
    let painter = painter.with_clip_rect(card);

    let left = card.left() + INSET;
    let mut y = title(&painter, pos2(left, card.top() + 28.0), "Keys");
    for (caps, help) in keys {
        let mut x = left;
        for cap in caps {
            x = if cap == "to" {
                let at = pos2(x + 1.0, y);
                text(&painter, at, cap, theme::DIM).right() + 5.0
            } else {
                keycap(&painter, pos2(x, y), cap, false) + 4.0
            };
        }
        text(&painter, pos2(left + WORDS, y), help, theme::TEXT);
        y += ROW;
    }
    let left = card.left() + KEYS;
    painter.vline(left - 12.0, card.top() + 20.0..=card.bottom() - 20.0, edge);
    let left = left + 12.0;
    let mut y = title(&painter, pos2(left, card.top() + 28.0), "Mouse");
    for (what, help) in mouse {
        text(&painter, pos2(left, y), what, theme::DIM);
        text(&painter, pos2(left + 70.0, y), &help, theme::TEXT);
        y += ROW;
    }
    let mut y = title(&painter, pos2(left, y + 18.0), "What you see");
    for (paint, meaning) in SIGNS_MEAN {
        paint(&painter, pos2(left + 24.0, y));
        text(&painter, pos2(left + 70.0, y), meaning, theme::TEXT);
        y += ROW;
    }
}

/// What the mouse does.
fn mouse(bindings: &[Binding]) -> [(&'static str, String); 6] {
    let listening = STRATEGIES.iter().filter(|entry| entry.on_request());
    let keys: Vec<&str> = listening
        .map(|entry| caps_of(bindings, Command::Strategy(entry)))
        .collect();
    let asks = format!(
        "over the capsules: they ask for a run (under {})",
        keys.join(" and ")
    );
    [
        (
            "pointer",
            "over the capsules: it is the target they watch".to_owned(),
        ),
        ("drag", asks),
        (
            "click",
            "on a capsule pins it; the timeline follows it".to_owned(),
        ),
        (
            "wheel",
            "plots: more or fewer frames; timeline: other rows".to_owned(),
        ),
        (
            "slider",
            "drag it; the arrow at its value resets it".to_owned(),
        ),
        ("value", "click it to type a number, or drag it".to_owned()),
    ]
}

/// Writes a heading; returns where the first row below it is.
fn title(painter: &Painter, left: Pos2, title: &str) -> f32 {
    let font = theme::text(16.0);
    painter.text(left, Align2::LEFT_CENTER, title, font, theme::BRIGHT);
    left.y + 28.0
}

fn text(painter: &Painter, left: Pos2, words: &str, ink: Color32) -> Rect {
    painter.text(left, Align2::LEFT_CENTER, words, theme::text(13.0), ink)
}

fn shades(painter: &Painter, center: Pos2) {
    for (index, shade) in theme::SHADES.into_iter().enumerate() {
        let at = center + vec2(index as f32 * 13.0 - 19.5, 0.0);
        painter.circle_filled(at, 4.5, shade);
    }
}

fn visor(painter: &Painter, center: Pos2) {
    let body = Rect::from_center_size(center, vec2(11.0, 18.0));
    painter.rect_filled(body, CornerRadius::same(5), theme::SHADES[2]);
    let visor = Rect::from_center_size(center + vec2(2.5, -3.0), vec2(7.0, 4.0));
    painter.rect_filled(visor, CornerRadius::same(2), theme::WELL);
}

fn target(painter: &Painter, center: Pos2) {
    painter.circle_stroke(center, 6.5, Stroke::new(1.6, theme::TEAL));
    painter.circle_filled(center, 2.0, theme::TEAL);
}

fn ring(painter: &Painter, center: Pos2, ink: Color32) {
    let ring = Rect::from_center_size(center, vec2(13.0, 18.0));
    let stroke = Stroke::new(1.6, ink);
    painter.rect_stroke(ring, CornerRadius::same(6), stroke, StrokeKind::Inside);
}

fn ring_teal(painter: &Painter, center: Pos2) {
    ring(painter, center, theme::TEAL);
}

fn ring_white(painter: &Painter, center: Pos2) {
    ring(painter, center, theme::BRIGHT);
}

fn change(painter: &Painter, center: Pos2) {
    let stroke = Stroke::new(1.0, theme::TEAL);
    painter.vline(
        center.x.round() + 0.5,
        center.y - 8.0..=center.y + 8.0,
        stroke,
    );
}

fn disturb(painter: &Painter, center: Pos2) {
    let y = center.y - 8.0..=center.y + 8.0;
    painter.vline(center.x.round() + 0.5, y, Stroke::new(1.0, theme::BRIGHT));
}

fn ages(painter: &Painter, center: Pos2) {
    let bar = Rect::from_center_size(center, vec2(52.0, 9.0));
    staleness_legend::gradient(painter, bar);
}

fn triangle(painter: &Painter, center: Pos2) {
    warning(painter, center, 5.0);
}

fn stack(painter: &Painter, center: Pos2) {
    let inks = [
        theme::TASKS,
        theme::SCHEDULING,
        theme::DRAWING,
        theme::WAITING,
    ];
    for (index, ink) in inks.into_iter().enumerate() {
        let at = center + vec2(index as f32 * 13.0 - 19.5, 0.0);
        painter.rect_filled(Rect::from_center_size(at, vec2(9.0, 9.0)), 2.0, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::bindings::bindings;

    #[test]
    fn the_mouse_asks_under_the_strategies_that_listen() {
        let [_, (what, asks), ..] = mouse(&bindings());
        assert_eq!(what, "drag");
        assert!(asks.ends_with("(under 5 and 6)"), "{asks}");
    }
}
