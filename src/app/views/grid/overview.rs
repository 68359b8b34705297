//! The overview card, which is shown in a corner while the capsules are magnified. It contains the magnification
//! factor, a button that resets the zoom, and a small map with the part in view.

use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::bar::CommandButton;
use crate::app::state::command::{Command, GridCommand};
use crate::app::widgets::buttons::{KeyButton, wide_button};
use crate::app::widgets::{paint, theme};
use egui::{Align, Align2, Id, Layout, Rect, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, vec2};
use lab::sim::world::{HEIGHT, Point, WIDTH};

const CARD_WIDTH: f32 = 176.0;
const TOP_LINE_HEIGHT: f32 = 28.0;
const MAP_MARGIN: f32 = 5.0;
const VIEW_MARGIN: f32 = 12.0;
const RESET_ZOOM: &str = "Show all capsules";
const MIN_MARKER_SIZE: f32 = 6.0;

/// Returns the area of the overview card, or `None` if all capsules are in view or the view is tiny.
pub fn place(map: &ScreenMap) -> Option<Rect> {
    let view = map.view;
    if !map.zoom.is_magnified()
        || view.width() < CARD_WIDTH + 2.0 * VIEW_MARGIN
        || view.height() < 60.0
    {
        return None;
    }
    // The map has the same aspect ratio as the view.
    let height = (CARD_WIDTH - 2.0 * MAP_MARGIN) * view.height() / view.width() + MAP_MARGIN;
    let has_map = CARD_WIDTH < 0.4 * view.width();
    let size = vec2(
        CARD_WIDTH,
        TOP_LINE_HEIGHT + if has_map { height.round() } else { 0.0 },
    );
    let corner = view.max.floor() - Vec2::splat(VIEW_MARGIN);
    Some(Rect::from_min_max(corner - size, corner))
}

pub fn show(ui: &mut Ui, card: Rect, map: &ScreenMap, target: Point, output: &mut UiOutput) {
    // Sense clicks and drags so that the capsules below the card do not react.
    ui.interact(card, Id::new("overview"), Sense::CLICK | Sense::DRAG);
    paint::card(ui.painter(), card, theme::BAR, theme::LINE);
    let inside = card
        .with_min_y(card.top() + TOP_LINE_HEIGHT - MAP_MARGIN)
        .shrink(MAP_MARGIN);
    if inside.is_positive() {
        show_map(ui, inside, map, target, output);
    }
    let line = card.with_max_y(card.top() + TOP_LINE_HEIGHT);
    ui.painter().text(
        line.left_center() + vec2(10.0, 0.5),
        Align2::LEFT_CENTER,
        format!("{:.1}×", map.zoom.factor),
        theme::mono(13.0),
        theme::BRIGHT,
    );
    let layout = Layout::right_to_left(Align::Center);
    let builder = UiBuilder::new().max_rect(line.shrink2(vec2(MAP_MARGIN, 3.0)));
    let mut row = ui.new_child(builder.layout(layout));
    row.spacing_mut().interact_size.y = 20.0;
    let caps = caps_of(Command::Grid(GridCommand::Home));
    let button = CommandButton {
        log_name: format!("button:{caps}"),
        button: KeyButton {
            points: 12.0,
            padding: 7.0,
            name: RESET_ZOOM,
            ..wide_button(0.0, "Show all", caps, false)
        },
        command: Some(GridCommand::Home.into()),
        tip: RESET_ZOOM.to_owned(),
    };
    button.show(&mut row, output);
}

/// Shows a map of the whole world, with the target and an outline of the part in view.
fn show_map(ui: &Ui, rect: Rect, map: &ScreenMap, target: Point, output: &mut UiOutput) {
    let response = ui.interact(rect, Id::new("overview map"), Sense::hover());
    let help = "This map shows all capsules. The dot is the target, and the rectangle is the part in view.";
    output.control(&response, "overview", help);
    let at = |point: Point| rect.lerp_inside(vec2(point.x / WIDTH, point.y / HEIGHT));
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 0.0, theme::WELL);
    let [min, max] = [map.view.min, map.view.max].map(|corner| at(map.to_world(corner)));
    let seen = Rect::from_min_max(min, max);
    let mark = Rect::from_center_size(seen.center(), seen.size().max(Vec2::splat(MIN_MARKER_SIZE)));
    let outline = Stroke::new(1.5, theme::BRIGHT);
    painter.rect(mark, 1.0, theme::HOVER, outline, StrokeKind::Outside);
    painter.circle_filled(at(target), 2.5, theme::TEAL);
}
