//! The overlay that lists every key, what the mouse does, and what the picture's signs mean.

use super::grid::projectile_strip;
use crate::app::input::bindings::{Binding, caps_of, rows};
use crate::app::input::response::UiResponse;
use crate::app::panels::staleness_legend;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{key, warning};
use crate::app::widgets::theme;
use egui::{
    Color32, CornerRadius, Frame, Grid, Id, Label, Margin, Modal, Painter, Pos2, Rect, Response,
    RichText, ScrollArea, Sense, Separator, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo,
    WidgetType, vec2,
};
use timeslice::strategy::STRATEGIES;

const ROW: f32 = 22.0;
const MARGIN: Margin = Margin {
    left: 24,
    right: 24,
    top: 17,
    bottom: 20,
};
/// From the window's edge to the card, at least.
const EDGE: f32 = 4.0;
/// From a row's keys or sign to its words.
const GAP: f32 = 16.0;
/// Width of the keys.
const KEYS: f32 = 117.0;
/// Width of the signs.
const SIGN: f32 = 54.0;
/// Between the two columns, with the line there.
const BETWEEN: f32 = 30.0;
/// Above a heading that has rows above it.
const SECTION: f32 = 18.0;
/// A window at least this wide has room for two columns.
const TWO_COLUMNS: f32 = 890.0;

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
    let modal = Modal::new(Id::new("help"))
        .backdrop_color(theme::FLOOR.gamma_multiply(0.75))
        .frame(Frame::NONE);
    let shown = modal.show(ui.ctx(), |ui| card(ui, screen, bindings));
    if shown.backdrop_response.clicked() || shown.inner.clicked() {
        answer.commands.push(Command::Help);
    }
}

/// What lies over the dimmed window. It scrolls where the window is too small for it.
fn card(ui: &mut Ui, screen: Rect, bindings: &[Binding]) -> Response {
    let frame = Frame::NONE
        .fill(theme::BAR)
        .stroke(Stroke::new(1.0, theme::LINE))
        .corner_radius(8);
    let builder = UiBuilder::new().sense(Sense::click());
    let card = ui.scope_builder(builder, |ui| {
        frame.show(ui, |ui| {
            // egui remembers how large the card was; the window may have grown since.
            let room = screen.size() - Vec2::splat(2.0 * EDGE);
            ui.set_max_size(room.max(Vec2::ZERO));
            ui.style_mut().interaction.selectable_labels = false; // a click on words hides the card, too
            ScrollArea::both().show(ui, |ui| {
                let content = Frame::NONE.inner_margin(MARGIN);
                content.show(ui, |ui| columns(ui, screen.width(), bindings));
            });
        });
    });
    card.response
}

/// Keys beside the rest; above it, if the window is too narrow for both.
fn columns(ui: &mut Ui, width: f32, bindings: &[Binding]) {
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    ui.spacing_mut().interact_size.y = ROW;
    if width < TWO_COLUMNS {
        keys(ui, bindings);
        ui.add_space(SECTION);
        signs(ui, bindings);
        return;
    }
    ui.horizontal_top(|ui| {
        let height = ui.vertical(|ui| keys(ui, bindings)).response.rect.height();
        let line = Separator::default().vertical();
        ui.add_sized(vec2(BETWEEN, height), line);
        ui.vertical(|ui| signs(ui, bindings));
    });
}

/// Every key and what it does.
fn keys(ui: &mut Ui, bindings: &[Binding]) {
    title(ui, "Keys");
    table(ui, "keys", KEYS, |ui| {
        for (caps, help) in rows(bindings) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                for cap in caps {
                    if cap == "to" {
                        text(ui, cap, theme::DIM);
                    } else {
                        let response = key(ui, cap);
                        response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, cap));
                    }
                }
            });
            text(ui, help, theme::TEXT);
            ui.end_row();
        }
    });
}

/// What the mouse does, and what the signs mean.
fn signs(ui: &mut Ui, bindings: &[Binding]) {
    title(ui, "Mouse");
    table(ui, "mouse", SIGN, |ui| {
        for (what, help) in mouse(bindings) {
            text(ui, what, theme::DIM);
            text(ui, &help, theme::TEXT);
            ui.end_row();
        }
    });
    ui.add_space(SECTION);
    title(ui, "What you see");
    table(ui, "signs", SIGN, |ui| {
        for (paint, meaning) in SIGNS_MEAN {
            let (place, _) = ui.allocate_exact_size(vec2(SIGN, ROW), Sense::hover());
            paint(ui.painter(), place.center());
            text(ui, meaning, theme::TEXT);
            ui.end_row();
        }
    });
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

/// A heading, above its rows.
fn title(ui: &mut Ui, title: &str) {
    ui.horizontal(|ui| {
        let title = RichText::new(title).font(theme::text(16.0));
        ui.add(Label::new(title.color(theme::BRIGHT)).extend());
    });
    ui.add_space(6.0);
}

/// Rows of two cells, the first at least this wide.
fn table(ui: &mut Ui, name: &str, first: f32, rows: impl FnOnce(&mut Ui)) {
    let grid = Grid::new(name)
        .min_col_width(first)
        .min_row_height(ROW)
        .spacing(vec2(GAP, 0.0));
    grid.show(ui, rows);
}

fn text(ui: &mut Ui, words: &str, ink: Color32) {
    let words = RichText::new(words).font(theme::text(13.0)).color(ink);
    ui.add(Label::new(words).extend());
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
    use egui::{Event, Modifiers, PointerButton, pos2};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    /// What was said, and where the card is.
    struct Screen {
        answer: UiResponse,
        card: Rect,
    }

    fn window(width: f32, height: f32) -> Harness<'static, Screen> {
        let screen = Screen {
            answer: UiResponse::default(),
            card: Rect::NOTHING,
        };
        let builder = Harness::builder().with_size(vec2(width, height));
        let mut window = builder.build_ui_state(
            |ui, screen: &mut Screen| {
                ui.ctx().set_style(theme::style());
                let whole = ui.ctx().screen_rect();
                show(ui, whole, &bindings(), &mut screen.answer);
                let card = ui.ctx().memory(|memory| memory.area_rect("help"));
                screen.card = card.expect("it is shown");
            },
            screen,
        );
        window.run_steps(4);
        window
    }

    /// Clicks there; returns whether that hides it.
    fn hides(window: &mut Harness<'_, Screen>, pos: Pos2) -> bool {
        for pressed in [true, false] {
            window.input_mut().events.push(Event::PointerMoved(pos));
            window.input_mut().events.push(Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
            window.step();
        }
        let said = std::mem::take(&mut window.state_mut().answer.commands);
        said == [Command::Help]
    }

    #[test]
    fn every_key_is_listed_and_inside_the_window() {
        let bindings = bindings();
        let window = window(900.0, 600.0);
        let whole = window.ctx.screen_rect();
        let card = window.state().card;
        assert!(whole.contains_rect(card), "{card}");
        for (caps, help) in rows(&bindings) {
            for label in caps.into_iter().chain([help]) {
                let mut found = window.query_all_by_label(label).peekable();
                assert!(found.peek().is_some(), "{label}");
                for node in found {
                    let place = node.raw_bounds().expect("it is laid out");
                    let corners = [(place.x0, place.y0), (place.x1, place.y1)];
                    let [min, max] = corners.map(|(x, y)| pos2(x as f32, y as f32));
                    let place = Rect::from_min_max(min, max);
                    assert!(card.contains_rect(place), "{label}: {place}");
                }
            }
        }
    }

    #[test]
    fn the_card_fits_small_windows_and_grows_with_them() {
        let mut window = window(640.0, 400.0);
        let small = window.state().card;
        assert!(window.ctx.screen_rect().contains_rect(small), "{small}");
        window.set_size(vec2(1280.0, 800.0));
        window.run_steps(4);
        let large = window.state().card;
        assert!(large.width() > 840.0 && large.height() > 560.0, "{large}");
    }

    #[test]
    fn a_window_smaller_than_the_cards_edge_is_no_error() {
        for side in [0.0, 1.0, 2.0 * EDGE - 1.0, 2.0 * EDGE, 20.0] {
            window(side, 2.0);
            window(2.0, side);
        }
    }

    #[test]
    fn a_click_anywhere_hides_it() {
        let mut window = window(900.0, 600.0);
        assert!(hides(&mut window, pos2(3.0, 3.0)), "beside the card");
        assert!(hides(&mut window, pos2(450.0, 590.0)), "at its edge");
        let words = window.get_by_label("Restart with the present settings");
        let words = words.raw_bounds().expect("it is laid out");
        let on_words = pos2(words.x0 as f32 + 5.0, words.y0 as f32 + 5.0);
        assert!(hides(&mut window, on_words), "on words");
    }

    #[test]
    fn the_mouse_asks_under_the_strategies_that_listen() {
        let [_, (what, asks), ..] = mouse(&bindings());
        assert_eq!(what, "drag");
        assert!(asks.ends_with("(under 5 and 6)"), "{asks}");
    }
}
