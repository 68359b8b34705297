//! Buttons and keycaps.

use super::{paint, theme};
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Align2, Button, Color32, CornerRadius, Galley, Painter, Pos2, Rect, Response, RichText,
    Sense, Shape, Stroke, StrokeKind, TextWrapMode, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use std::sync::Arc;

/// Height of a keycap.
const CAP: f32 = 16.0;
/// Space between words and a keycap.
const KEY_GAP: f32 = 6.0;

pub fn keycap_width(painter: &Painter, text: &str) -> f32 {
    (cap_galley(painter, text, theme::DIM).size().x + 8.0).max(CAP)
}

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

/// Paints the warning sign, a triangle with sides of about twice `half`. Warnings thus do not depend on colour alone.
pub fn warning(painter: &Painter, center: Pos2, half: f32) {
    let points = [(-1.0, 0.9), (0.0, -0.9), (1.0, 0.9)];
    let points = points.map(|(x, y)| center + half * vec2(x, y)).to_vec();
    painter.add(Shape::convex_polygon(points, theme::AMBER, Stroke::NONE));
}

#[derive(Clone, Debug, Default)]
pub struct KeyButton<'a> {
    pub words: &'a str,
    pub points: f32,
    pub caps: &'a str,
    /// True if the keycap comes before the text; otherwise it is at the button's right end.
    pub key_first: bool,
    /// True if the button's item is chosen or its mode is on.
    pub lit: bool,
    pub padding: f32,
    pub width: f32,
    /// Outline while neither pressed nor under the pointer.
    pub outline: Option<Color32>,
    pub name: &'a str,
}

impl KeyButton<'_> {
    pub fn width(&self, ui: &Ui) -> f32 {
        let job = self.job(ui); // before the closure: `job` locks the fonts too
        let words = ui.fonts(|fonts| fonts.layout_job(job)).size().x;
        (words + self.key_space(ui) + 2.0 * self.padding).max(self.width)
    }

    pub fn show(&self, ui: &mut Ui) -> Response {
        let size = vec2(self.width(ui), ui.spacing().interact_size.y);
        let mut button = Button::new(self.job(ui))
            .wrap_mode(TextWrapMode::Extend)
            .min_size(size);
        if self.key_space(ui) > 0.0 {
            // The empty shortcut keeps the text at the left.
            button = button.shortcut_text(RichText::new("\u{a0}").size(1.0));
        }
        if self.lit {
            button = button.fill(ui.visuals().selection.bg_fill);
        }
        if let Some(ink) = self.outline {
            button = button.stroke(Stroke::new(1.0, ink));
        }
        let padding = vec2(self.padding, 2.0);
        let padding = std::mem::replace(&mut ui.spacing_mut().button_padding, padding);
        let response = ui.add(button);
        ui.spacing_mut().button_padding = padding;
        let left = if self.key_first || self.words.is_empty() {
            response.rect.left() + self.padding
        } else {
            response.rect.right() - self.padding - keycap_width(ui.painter(), self.caps)
        };
        let left = pos2(left, response.rect.center().y);
        keycap(ui.painter(), left, self.caps, self.lit);
        name(&response, self.name, self.lit);
        response
    }

    /// Returns the text. If the keycap comes first, the text begins with space for it.
    fn job(&self, ui: &Ui) -> LayoutJob {
        let ink = if self.lit { theme::BRIGHT } else { theme::TEXT };
        let format = TextFormat::simple(theme::text(self.points), ink);
        let before = if self.key_first && !self.caps.is_empty() {
            keycap_width(ui.painter(), self.caps) + KEY_GAP
        } else {
            0.0
        };
        let mut job = LayoutJob::default();
        if !self.words.is_empty() {
            job.append(self.words, before, format);
        }
        job
    }

    fn key_space(&self, ui: &Ui) -> f32 {
        match (self.words, self.caps) {
            (_, "") => 0.0,
            ("", caps) => keycap_width(ui.painter(), caps),
            _ if self.key_first => 0.0,
            (_, caps) => KEY_GAP + keycap_width(ui.painter(), caps),
        }
    }
}

pub fn wide_button<'a>(width: f32, words: &'a str, caps: &'a str, lit: bool) -> KeyButton<'a> {
    KeyButton {
        words,
        points: 11.0,
        caps,
        lit,
        padding: 4.0,
        width,
        name: words,
        ..KeyButton::default()
    }
}

/// Shows a keycap that is not part of a button.
pub fn key(ui: &mut Ui, caps: &str) -> Response {
    let size = vec2(keycap_width(ui.painter(), caps), CAP);
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    keycap(ui.painter(), place.left_center(), caps, false);
    response
}

/// Shows a button without a frame. egui would not show that such a button has the focus.
pub fn frameless(ui: &mut Ui, button: Button<'_>) -> Response {
    let response = ui.add(button.frame(false));
    if response.has_focus() {
        let stroke = ui.visuals().widgets.active.bg_stroke;
        let painter = ui.painter();
        painter.rect_stroke(response.rect, theme::RADIUS, stroke, StrokeKind::Outside);
    }
    response
}

pub fn name(response: &Response, words: &str, lit: bool) {
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, enabled, lit, words));
}

/// Shows in the line `rect` which `items` are shown if not all fit, and how to see the others. `smaller` is the key that
/// reduces the text size, if the text is large.
pub fn part_shown(
    painter: &Painter,
    rect: Rect,
    items: &str,
    first: usize,
    fitting: usize,
    count: usize,
    smaller: Option<&str>,
) {
    let (from, to) = (first + 1, first + fitting);
    let range = if fitting == 1 {
        format!("{from} of {count} {items}")
    } else {
        format!("{from} to {to} of {count} {items}")
    };
    let smaller = smaller.map_or("enlarge the window".to_owned(), |caps| {
        format!("reduce the text size ({caps})")
    });
    // The longest text that fits.
    let texts = [
        format!("{range}: turn the wheel for more, or {smaller}"),
        format!("{range}: wheel for more"),
        range,
    ];
    let style = (theme::text(12.0), theme::TEXT);
    let texts = texts.iter().map(String::as_str);
    if let Some(galley) = paint::fitting(painter, texts, style, rect.width()) {
        let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), rect);
        painter.galley(at.min, galley, theme::TEXT);
    }
}

/// Shows in `rect` that the window is too small for `content`, and the remedies: enlarging the window, hiding the
/// panels with the key `panels`, or reducing the text size with the key `smaller`.
pub fn too_small(
    painter: &Painter,
    rect: Rect,
    content: &str,
    panels: Option<&str>,
    smaller: Option<&str>,
) {
    let remedies = [
        Some("enlarge the window".to_owned()),
        panels.map(|caps| format!("hide the panels ({caps})")),
        smaller.map(|caps| format!("reduce the text size ({caps})")),
    ];
    let remedies: Vec<String> = remedies.into_iter().flatten().collect();
    let mut job = LayoutJob::simple(
        format!("Too small for {content}: {}", remedies.join(" or ")),
        theme::text(13.0),
        theme::DIM,
        (rect.width() - 16.0).max(0.0),
    );
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let top = rect.center() - vec2(0.0, galley.size().y / 2.0);
    painter.galley(top, galley, theme::DIM);
}

/// A text of a line, true if it is a figure in the monospaced font, and its colour.
pub type LinePart<'a> = (&'a str, bool, Color32);

pub fn line(painter: &Painter, parts: &[LinePart<'_>], points: f32) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    for (text, is_figure, ink) in parts {
        let font = if *is_figure {
            theme::mono(points)
        } else {
            theme::text(points)
        };
        job.append(text, 0.0, paint::centred(font, *ink));
    }
    painter.layout_job(job)
}
