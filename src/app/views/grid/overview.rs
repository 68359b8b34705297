//! The corner of a magnified crowd: the magnification, the way back, and a small picture of all capsules that shows
//! which part is in view.

use crate::app::capsules::screen_map::ScreenMap;
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::bar::CommandButton;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align, Align2, Id, Layout, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, Vec2,
    pos2, vec2,
};
use headless::sim::world::{HEIGHT, Point, WIDTH};

const CARD: f32 = 176.0;
/// Height of the line with the magnification.
const LINE: f32 = 28.0;
/// Width of the card's frame around the small picture.
const FRAME: f32 = 5.0;
/// Distance from the card to the edges of the view.
const EDGE: f32 = 12.0;
/// Name and tooltip of the button.
const NAME: &str = "Show all capsules";
/// Smallest size of the mark of the part in view.
const LEAST_MARK: f32 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overview {
    pub card: Rect,
    pub picture: Option<Rect>,
}

impl Overview {
    /// Returns the places in the view of this map; `None` if all capsules are in view or the view is tiny.
    pub fn of(map: &ScreenMap) -> Option<Self> {
        let view = map.view();
        if !map.zoom().is_magnified() || view.width() < CARD + 2.0 * EDGE || view.height() < 60.0 {
            return None;
        }
        // The picture has the shape of the view.
        let width = CARD - 2.0 * FRAME;
        let height = (width * view.height() / view.width()).round();
        let has_room = height < 0.4 * view.height() && CARD < 0.4 * view.width();
        let below = if has_room { height + FRAME } else { 0.0 };
        // Whole points keep the picture sharp.
        let corner = pos2(view.right().floor(), view.bottom().floor()) - Vec2::splat(EDGE);
        let card = Rect::from_min_max(corner - vec2(CARD, LINE + below), corner);
        let picture = Rect::from_min_max(
            card.left_top() + vec2(FRAME, LINE),
            corner - Vec2::splat(FRAME),
        );
        Some(Self {
            card,
            picture: has_room.then_some(picture),
        })
    }

    pub fn show(&self, ui: &mut Ui, map: &ScreenMap, target: Point, answer: &mut UiResponse) {
        // Takes clicks and drags, so that capsules below do not react.
        ui.interact(self.card, Id::new("overview"), Sense::CLICK | Sense::DRAG);
        // The small picture is drawn below the interface and shows through the card.
        let hole = self.picture.unwrap_or(Rect::NOTHING);
        paint::paint_around(ui.painter(), hole, self.card, |painter| {
            paint::card(painter, self.card, theme::BAR, theme::LINE);
        });
        if let Some(picture) = self.picture {
            show_picture(ui, picture, map, target, answer);
        }
        let line = Rect::from_min_size(self.card.min, vec2(CARD, LINE));
        ui.painter().text(
            line.left_center() + vec2(10.0, 0.5),
            Align2::LEFT_CENTER,
            magnification(map.zoom().factor),
            theme::mono(13.0),
            theme::BRIGHT,
        );
        let layout = Layout::right_to_left(Align::Center);
        let builder = UiBuilder::new().max_rect(line.shrink2(vec2(FRAME, 3.0)));
        let mut row = ui.new_child(builder.layout(layout));
        row.spacing_mut().interact_size.y = 20.0;
        let caps = caps_of(Command::Home);
        let button = CommandButton {
            log_name: format!("button:{caps}"),
            button: KeyButton {
                words: "Show all",
                points: 12.0,
                caps,
                padding: 7.0,
                name: NAME,
                ..KeyButton::default()
            },
            command: Command::Home,
            tip: NAME.to_owned(),
        };
        button.show(&mut row, answer);
    }
}

fn show_picture(ui: &Ui, picture: Rect, map: &ScreenMap, target: Point, answer: &mut UiResponse) {
    let response = ui.interact(
        picture,
        Id::new("overview picture"),
        Sense::CLICK | Sense::DRAG,
    );
    answer.report("overview", picture);
    if let Some(at) = response.interact_pointer_pos() {
        let share = (at - picture.min) / picture.size();
        let point = Point {
            x: WIDTH * share.x.clamp(0.0, 1.0),
            y: HEIGHT * share.y.clamp(0.0, 1.0),
        };
        let zoom = map.zoom_at(point);
        if zoom != map.zoom() {
            answer.commands.push(Command::Zoom(zoom));
        }
    }
    tooltip::offer(
        &response,
        "All capsules. Click or drag to move the part in view.",
    );
    let at = |point: Point| -> Pos2 {
        picture.min + picture.size() * vec2(point.x / WIDTH, point.y / HEIGHT)
    };
    let painter = ui.painter().with_clip_rect(picture);
    let [min, max] = map.corners().map(at);
    let seen = Rect::from_min_max(min, max);
    let mark = Rect::from_center_size(seen.center(), seen.size().max(Vec2::splat(LEAST_MARK)));
    // Everything else is dimmed.
    for part in paint::around(mark, picture) {
        painter.rect_filled(part, 0.0, theme::FLOOR.gamma_multiply(0.45));
    }
    painter.add(Shape::circle_filled(at(target), 3.5, theme::FLOOR));
    painter.add(Shape::circle_filled(at(target), 2.5, theme::TEAL));
    let outline = Stroke::new(1.5, theme::BRIGHT);
    painter.rect_stroke(mark, 1.0, outline, StrokeKind::Outside);
}

fn magnification(factor: f64) -> String {
    if factor < 9.95 {
        format!("{factor:.1}×")
    } else {
        format!("{factor:.0}×")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::capsules::Zoom;
    use crate::app::views::tests::{all_sizes, click_at, window};
    use egui_kittest::Harness;

    fn map(view: Rect, factor: f64) -> ScreenMap {
        let center = (0.3, 0.6);
        ScreenMap::new(100_000, view, 1.0).zoomed(Zoom { factor, center })
    }

    const VIEW: Rect = Rect::from_min_max(pos2(252.0, 122.0), pos2(1280.0, 574.0));

    #[test]
    fn the_corner_is_inside_every_view_that_has_room() {
        for size in all_sizes() {
            let view = Rect::from_min_size(pos2(10.0, 20.0), size * vec2(0.7, 0.5));
            assert_eq!(Overview::of(&map(view, 1.0)), None, "all is shown");
            let overview = Overview::of(&map(view, 8.0)).expect("there is room");
            assert!(view.contains_rect(overview.card), "{size}");
            let picture = overview.picture.unwrap_or(overview.card);
            assert!(overview.card.contains_rect(picture), "{size}");
            assert!(overview.card.area() < 0.25 * view.area(), "{size}");
        }
        let narrow = Rect::from_min_size(Pos2::ZERO, vec2(150.0, 500.0));
        assert_eq!(Overview::of(&map(narrow, 8.0)), None);
    }

    fn corner<'a>() -> Harness<'a, UiResponse> {
        window(vec2(1280.0, 800.0), move |ui, answer| {
            let map = map(VIEW, 8.0);
            let overview = Overview::of(&map).expect("there is room");
            overview.show(ui, &map, Point::default(), answer);
        })
    }

    #[test]
    fn a_click_on_the_small_picture_moves_the_part_in_view() {
        let mut window = corner();
        let overview = Overview::of(&map(VIEW, 8.0)).unwrap();
        let picture = overview.picture.unwrap();
        click_at(&mut window, picture.lerp_inside(vec2(0.8, 0.25)));
        let Some(Command::Zoom(zoom)) = window.state().commands.last() else {
            panic!("{:?}", window.state().commands);
        };
        let (x, y) = zoom.center;
        assert!(
            (x - 0.8).abs() < 0.01 && (y - 0.25).abs() < 0.01,
            "{zoom:?}"
        );
        assert!((zoom.factor - 8.0).abs() < 1e-9);
    }
}
