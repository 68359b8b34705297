//! Buttons and keycaps.

use super::theme;
use egui::text::LayoutJob;
use egui::{
    Align, Align2, Color32, CornerRadius, Galley, Id, Painter, Pos2, Rect, Response, Sense, Shape,
    Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use std::sync::Arc;

/// Height of a keycap.
const CAP: f32 = 16.0;

/// The width of a keycap with this text.
pub fn keycap_width(painter: &Painter, text: &str) -> f32 {
    (cap_galley(painter, text, theme::DIM).size().x + 8.0).max(CAP)
}

/// Paints a key as it is written on the keyboard, its left edge at `left`; returns its right edge.
pub fn keycap(painter: &Painter, left: Pos2, text: &str, chosen: bool) -> f32 {
    if text.is_empty() {
        return left.x;
    }
    let (ground, ink) = if chosen {
        (theme::TEAL, theme::FLOOR)
    } else {
        (theme::HOVER, theme::DIM)
    };
    let galley = cap_galley(painter, text, ink);
    let size = vec2(keycap_width(painter, text), CAP);
    let rect = Rect::from_min_size(left - vec2(0.0, CAP / 2.0), size);
    painter.rect_filled(rect, CornerRadius::same(4), ground);
    painter.galley(rect.center() - galley.size() / 2.0, galley, ink);
    rect.right()
}

fn cap_galley(painter: &Painter, text: &str, ink: Color32) -> Arc<Galley> {
    painter.layout_no_wrap(text.to_owned(), theme::mono(11.0), ink)
}

/// The warning's sign, `half` as wide and high, for those who don't tell amber from white.
pub fn warning(painter: &Painter, center: Pos2, half: f32) {
    let points = [(-1.0, 0.9), (0.0, -0.9), (1.0, 0.9)];
    let points = points.map(|(x, y)| center + half * vec2(x, y)).to_vec();
    painter.add(Shape::convex_polygon(points, theme::AMBER, Stroke::NONE));
}

/// What is drawn before a button's keycap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Icon {
    /// Two bars.
    Pause,
    /// A triangle.
    Play,
    /// A triangle and a bar.
    Step,
    /// An arrow in a circle.
    Restart,
    /// A frame with a side bar.
    Panels,
    /// A cross.
    Quit,
    /// Two links of a chain.
    Link,
    /// None.
    None,
}

/// The width of a button with this icon and keycap.
pub fn icon_button_width(painter: &Painter, icon: Icon, caps: &str) -> f32 {
    let icon_width = if icon == Icon::None { 0.0 } else { 20.0 };
    16.0 + icon_width + keycap_width(painter, caps)
}

/// A button with an icon and its key.
pub fn icon_button(ui: &Ui, rect: Rect, icon: Icon, caps: &str, lit: bool, tip: &str) -> Response {
    let response = ui.interact(rect, Id::new(("button", tip)), Sense::click());
    let painter = ui.painter();
    let ground = match (lit, response.hovered()) {
        (true, _) => theme::TEAL,
        (false, true) => theme::HOVER,
        (false, false) => theme::RAISED,
    };
    painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), ground);
    let ink = if lit { theme::FLOOR } else { theme::TEXT };
    let mut left = rect.left() + 8.0;
    if icon != Icon::None {
        paint_icon(painter, icon, pos2(left + 7.0, rect.center().y), ink);
        left += 20.0;
    }
    keycap(painter, pos2(left, rect.center().y), caps, false);
    response.on_hover_text(tip)
}

/// A small button with a word and its key, its right end at the middle of `right`; lit while it is on.
pub fn word_button(ui: &Ui, right: Pos2, word: &str, caps: &str, lit: bool) -> (Rect, Response) {
    let painter = ui.painter();
    let ink = if lit { theme::BRIGHT } else { theme::TEXT };
    let galley = painter.layout_no_wrap(word.to_owned(), theme::text(12.5), ink);
    let width = 10.0 + galley.size().x + 6.0 + keycap_width(painter, caps) + 6.0;
    let rect = Rect::from_min_size(right - vec2(width, 11.0), vec2(width, 22.0));
    let response = ui.interact(rect, Id::new(("word", word)), Sense::click());
    let ground = match (lit, response.hovered()) {
        (true, _) => theme::TEAL_GROUND,
        (false, true) => theme::HOVER,
        (false, false) => theme::RAISED,
    };
    painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), ground);
    let text_end = rect.left() + 10.0 + galley.size().x;
    let text_left = pos2(rect.left() + 10.0, rect.center().y - galley.size().y / 2.0);
    painter.galley(text_left, galley, ink);
    keycap(painter, pos2(text_end + 6.0, rect.center().y), caps, lit);
    (rect, response)
}

/// A button with words at its left and its key at its right; lit while what it says goes on.
pub fn label_button(ui: &Ui, rect: Rect, words: &str, caps: &str, lit: bool) -> Response {
    let response = ui.interact(rect, Id::new(("label button", words)), Sense::click());
    let painter = ui.painter();
    let ground = match (
        lit || response.is_pointer_button_down_on(),
        response.hovered(),
    ) {
        (true, _) => theme::TEAL_GROUND,
        (false, true) => theme::HOVER,
        (false, false) => theme::RAISED,
    };
    painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), ground);
    let left = rect.left_center() + vec2(7.0, 0.0);
    let font = theme::text(11.5);
    painter.text(left, Align2::LEFT_CENTER, words, font, theme::TEXT);
    let key = rect.right() - keycap_width(painter, caps) - 5.0;
    keycap(painter, pos2(key, rect.center().y), caps, false);
    response
}

fn paint_icon(painter: &Painter, icon: Icon, center: Pos2, ink: Color32) {
    let bar = |x: f32| {
        let size = vec2(3.5, 11.0);
        painter.rect_filled(
            Rect::from_center_size(center + vec2(x, 0.0), size),
            1.0,
            ink,
        );
    };
    let triangle = |x: f32| {
        let at = |dx: f32, dy: f32| center + vec2(x + dx, dy);
        let points = vec![at(-4.0, -5.5), at(5.0, 0.0), at(-4.0, 5.5)];
        painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
    };
    match icon {
        Icon::Pause => {
            bar(-3.5);
            bar(3.5);
        }
        Icon::Play => triangle(0.0),
        Icon::Step => {
            triangle(-2.0);
            bar(5.0);
        }
        Icon::Restart => {
            let at = |degrees: f32| center + 5.5 * Vec2::angled(degrees.to_radians());
            let arc = (-50..=230)
                .step_by(20)
                .map(|degrees| at(degrees as f32))
                .collect();
            painter.add(Shape::line(arc, Stroke::new(1.6, ink)));
            let tip = at(-50.0);
            let points = vec![
                tip + vec2(-4.5, -1.0),
                tip + vec2(2.0, -4.0),
                tip + vec2(1.8, 3.0),
            ];
            painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
        }
        Icon::Panels => {
            let frame = Rect::from_center_size(center, vec2(14.0, 11.0));
            painter.rect_stroke(frame, 2.0, Stroke::new(1.4, ink), StrokeKind::Inside);
            let side = Rect::from_min_size(frame.min, vec2(5.0, 11.0));
            painter.rect_filled(side, 2.0, ink);
        }
        Icon::Quit => {
            for slant in [vec2(4.5, 4.5), vec2(4.5, -4.5)] {
                painter.line_segment([center - slant, center + slant], Stroke::new(1.6, ink));
            }
        }
        Icon::Link => {
            for (x, y) in [(-2.6, 2.0), (2.6, -2.0)] {
                let ring = Rect::from_center_size(center + vec2(x, y), vec2(8.4, 6.0));
                let edge = Stroke::new(1.5, ink);
                painter.rect_stroke(ring, CornerRadius::same(3), edge, StrokeKind::Middle);
            }
        }
        Icon::None => {}
    }
}

/// Says in `rect` that a larger window does what there is no room for here; and by which keys this one may, where panels
/// are shown, and where words are larger than usual.
pub fn more_room(
    painter: &Painter,
    rect: Rect,
    does: &str,
    panels: Option<&str>,
    smaller: Option<&str>,
) {
    let ways = [
        panels.map(|caps| format!("without its panels ({caps})")),
        smaller.map(|caps| format!("with smaller words ({caps})")),
    ];
    let ways: Vec<String> = ways.into_iter().flatten().collect();
    let without = if ways.is_empty() {
        String::new()
    } else {
        format!(", and so may this one {}", ways.join(" or "))
    };
    let mut job = LayoutJob::simple(
        format!("a larger window {does}{without}"),
        theme::text(13.0),
        theme::DIM,
        (rect.width() - 16.0).max(0.0),
    );
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let top = rect.center() - vec2(0.0, galley.size().y / 2.0);
    painter.galley(top, galley, theme::DIM);
}

/// Paints several texts one after another on a line, each in its colour, monospaced where it says so;
/// returns where the line ends.
pub fn line(painter: &Painter, left: Pos2, parts: &[(&str, bool, Color32)], points: f32) -> f32 {
    let mut x = left.x;
    for (text, is_figure, ink) in parts {
        let font = if *is_figure {
            theme::mono(points)
        } else {
            theme::text(points)
        };
        x = painter
            .text(pos2(x, left.y), Align2::LEFT_CENTER, text, font, *ink)
            .right();
    }
    x
}
