//! The overlay that lists every key.

use super::answer::Answer;
use super::command::{Binding, Command};
use super::theme;
use super::widgets::keycap;
use egui::{
    Align2, CornerRadius, Id, LayerId, Order, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};

const ROW: f32 = 24.0;
const WIDTH: f32 = 560.0;

/// What the mouse does.
const MOUSE: [(&str, &str); 6] = [
    ("pointer", "over the capsules: it is the target they watch"),
    (
        "drag",
        "over the capsules: they ask for a run (under 5 and 6)",
    ),
    (
        "click",
        "on a capsule: its story stays, and the timeline follows it",
    ),
    (
        "wheel",
        "over the plots: more or fewer frames; over the timeline: other rows",
    ),
    ("slider", "drag it; double-click resets it"),
    ("value", "click it to type a number"),
];

/// Shows the keys over everything. What lies below takes no clicks meanwhile; one anywhere hides the keys.
pub fn show(ui: &Ui, screen: Rect, bindings: &[Binding], answer: &mut Answer) {
    let cover = ui.interact(screen, Id::new("help"), Sense::click_and_drag());
    if cover.clicked() {
        answer.commands.push(Command::Help);
    }
    let painter = ui
        .ctx()
        .layer_painter(LayerId::new(Order::Foreground, Id::new("help")));
    painter.rect_filled(screen, 0.0, theme::FLOOR.gamma_multiply(0.75));

    let rows = rows(bindings);
    let height = 56.0 + (rows.len() + MOUSE.len()) as f32 * ROW + 24.0;
    let size = vec2(WIDTH, height).min(screen.size());
    let card = Rect::from_center_size(screen.center(), size);
    painter.rect_filled(card, CornerRadius::same(8), theme::BAR);
    painter.rect_stroke(
        card,
        CornerRadius::same(8),
        Stroke::new(1.0, theme::LINE),
        StrokeKind::Inside,
    );
    let painter = painter.with_clip_rect(card);
    let title = card.min + vec2(24.0, 28.0);
    painter.text(
        title,
        Align2::LEFT_CENTER,
        "Keys",
        theme::text(16.0),
        theme::BRIGHT,
    );

    let mut y = card.top() + 56.0;
    for (caps, help) in rows {
        let mut x = card.left() + 24.0;
        for cap in caps {
            x = keycap(&painter, pos2(x, y), &cap, false) + 4.0;
        }
        let at = pos2(card.left() + 130.0, y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            help,
            theme::text(13.0),
            theme::TEXT,
        );
        y += ROW;
    }
    painter.hline(
        card.left() + 24.0..=card.right() - 24.0,
        y - ROW / 2.0 + 6.0,
        Stroke::new(1.0, theme::LINE),
    );
    y += 12.0;
    for (what, help) in MOUSE {
        let left = pos2(card.left() + 24.0, y);
        painter.text(
            left,
            Align2::LEFT_CENTER,
            what,
            theme::text(13.0),
            theme::DIM,
        );
        let at = pos2(card.left() + 130.0, y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            help,
            theme::text(13.0),
            theme::TEXT,
        );
        y += ROW;
    }
}

/// The rows: strategies in one, every other command in its own.
fn rows(bindings: &[Binding]) -> Vec<(Vec<String>, String)> {
    let is_strategy = |binding: &&Binding| matches!(binding.command, Command::Strategy(_));
    let digits: Vec<&Binding> = bindings.iter().filter(is_strategy).collect();
    let ends = [digits.first(), digits.last()].into_iter().flatten();
    let range: Vec<String> = ends.map(|binding| binding.caps.clone()).collect();
    let mut rows = vec![(vec![range.join(" to ")], "Strategy".to_owned())];
    let others = bindings.iter().filter(|binding| !is_strategy(binding));
    rows.extend(others.map(|binding| (vec![binding.caps.clone()], binding.help.clone())));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::command::bindings;

    #[test]
    fn every_key_is_listed() {
        let bindings = bindings();
        let listed = rows(&bindings);
        for binding in bindings
            .iter()
            .filter(|b| !matches!(b.command, Command::Strategy(_)))
        {
            assert!(
                listed.iter().any(|(caps, _)| caps.contains(&binding.caps)),
                "{}",
                binding.caps
            );
        }
        assert_eq!(listed[0].0, ["1 to 7"]);
    }
}
