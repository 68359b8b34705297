//! The circle around the target within which all tasks have the full weight. It is an ellipse on the screen, because the
//! picture stretches the world.

use crate::app::capsules::screen_map::ScreenMap;
use crate::app::input::response::UiResponse;
use crate::app::state::{ColourMode, State};
use crate::app::widgets::{paint, theme};
use egui::{Align2, Painter, Pos2, Rect, Shape, Stroke, Ui, Vec2, vec2};
use headless::sim::world::{FALLOFF, NEAR, Point};
use timeslicer::strategy::Family;

/// Label of the circle.
const LABEL: &str = "full rate";
/// Number of lines that approximate the circle.
const LINES: u16 = 96;
/// Directions of the label from the target, the best first, in the order of the lines: clockwise from the right.
const LABELS: [u16; 4] = [84, 12, 60, 36];
/// Lengths of the dashes, and of the gaps between them.
const DASH: [f32; 2] = [4.0, 4.0];

/// Returns true if the circle is shown: for strategies by significance, in the colours of significance, and while the
/// pointer is at a knob that shapes the weights.
pub fn is_shown(ui: &Ui, state: &State, answer: &UiResponse) -> bool {
    let strategy = state.grid.lane.settings().strategy;
    strategy.family == Family::BySignificance
        || state.colours == ColourMode::Significance
        || is_at_knob(ui, answer)
}

/// Returns true if the pointer is over a knob that shapes the weights, or drags it.
fn is_at_knob(ui: &Ui, answer: &UiResponse) -> bool {
    let at = ui.input(|input| {
        let pointer = &input.pointer;
        if pointer.any_down() {
            pointer.press_origin()
        } else {
            pointer.latest_pos()
        }
    });
    let keys = [NEAR.key, FALLOFF.key];
    let mut knobs = answer.controls.iter();
    at.is_some_and(|at| {
        knobs.any(|control| keys.contains(&&*control.name) && control.rect.contains(at))
    })
}

pub fn paint(painter: &Painter, map: &ScreenMap, target: Point, near: f64) {
    let points = points(map, target, near);
    let [dash, gap] = DASH;
    let stroke = Stroke::new(1.0, theme::TEAL.gamma_multiply(0.7));
    painter.extend(Shape::dashed_line(&points, stroke, dash, gap));
    let galley = painter.layout_no_wrap(LABEL.to_owned(), theme::text(11.0), theme::TEAL);
    let margin = vec2(4.0, 1.0);
    let size = galley.size() + 2.0 * margin;
    if let Some(place) = label_place(map.view(), &points, size) {
        let ground = theme::FLOOR.gamma_multiply(0.7);
        let (at, align) = (place.center(), Align2::CENTER_CENTER);
        paint::label(painter, at, align, galley, margin, ground);
    }
}

/// Returns the points of the circle on the screen. The last one is the first one again.
fn points(map: &ScreenMap, target: Point, near: f64) -> Vec<Pos2> {
    let on_circle = |line: u16| {
        let angle = f32::from(line % LINES) / f32::from(LINES) * std::f32::consts::TAU;
        let direction = Vec2::angled(angle) * near as f32;
        map.to_screen(Point {
            x: target.x + direction.x,
            y: target.y + direction.y,
        })
    };
    (0..=LINES).map(on_circle).collect()
}

/// Returns the place of the label: on the circle, wherever that is inside the view. `None` if it is nowhere.
fn label_place(view: Rect, points: &[Pos2], size: Vec2) -> Option<Rect> {
    let all = LABELS.into_iter().chain(0..LINES);
    let mut places = all.filter_map(|line| {
        let at = points.get(usize::from(line))?;
        Some(Align2::CENTER_CENTER.anchor_size(*at, size))
    });
    places.find(|place| view.contains_rect(*place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::capsules::Zoom;
    use egui::pos2;

    fn map() -> ScreenMap {
        let view = Rect::from_min_size(pos2(252.0, 122.0), vec2(1028.0, 452.0));
        ScreenMap::new(400, view, 1.0)
    }

    const TARGET: Point = Point { x: 0.4, y: 0.25 };

    #[test]
    fn every_point_is_at_the_radius_in_the_world() {
        let map = map();
        let points = points(&map, TARGET, 0.15);
        assert_eq!(points.first(), points.last());
        for point in points {
            let (x, y) = TARGET.towards(map.to_world(point));
            assert!((x.hypot(y) - 0.15).abs() < 1e-3, "{point}");
        }
    }

    #[test]
    fn the_label_is_inside_the_view_if_the_circle_is() {
        let size = vec2(50.0, 14.0);
        for (x, y) in [(0.0, 0.0), (0.5, 0.25), (1.0, 0.5), (0.02, 0.48)] {
            for zoom in [1.0, 3.0] {
                let map = map().zoomed(Zoom {
                    factor: zoom,
                    center: (0.5, 0.5),
                });
                let points = points(&map, Point { x, y }, 0.15);
                let place = label_place(map.view(), &points, size);
                let is_inside = place.is_some_and(|place| map.view().contains_rect(place));
                assert!(is_inside, "{x} {y}");
            }
        }
        let beyond = points(&map(), TARGET, 5.0);
        assert_eq!(label_place(map().view(), &beyond, size), None);
    }

    #[test]
    fn the_circle_is_shown_where_it_matters() {
        use crate::app::panels::knob_panel;
        use crate::app::state::command::Command;
        use crate::app::state::tests::state;
        use crate::app::views::tests::window;
        use timeslicer::strategy::STRATEGIES;

        let mut state = state();
        let usual = STRATEGIES
            .iter()
            .find(|it| it.family != Family::BySignificance);
        state.apply(Command::Strategy(usual.expect("there is one")));
        let shown = std::cell::Cell::new(false);
        let show = |state: &State, at_knob: bool| {
            let mut window = window(vec2(252.0, 900.0), |ui, answer| {
                knob_panel::show(ui, ui.max_rect(), state, None, None, answer);
                shown.set(is_shown(ui, state, answer));
            });
            let knob = window
                .state()
                .controls
                .iter()
                .find(|it| it.name == NEAR.key);
            let knob = knob.expect("the panel has it").rect.center();
            let at = if at_knob { knob } else { pos2(5.0, 5.0) };
            window
                .input_mut()
                .events
                .push(egui::Event::PointerMoved(at));
            window.run_steps(2);
            shown.get()
        };
        assert!(!show(&state, false));
        assert!(show(&state, true), "the pointer is at a knob");
        state.apply(Command::Colours(ColourMode::Significance));
        assert!(show(&state, false), "colours show significance");
        state.apply(Command::Colours(ColourMode::Significance));
        for entry in STRATEGIES {
            state.apply(Command::Strategy(entry));
            assert_eq!(show(&state, false), entry.family == Family::BySignificance);
        }
    }
}
