//! Magnifies the capsules: wheel, pinch, and drags that move the plane.

use crate::app::capsules::Zoom;
use crate::app::capsules::screen_map::ScreenMap;
use crate::app::platform::{self, IS_PAGE};
use egui::{CursorIcon, Event, PointerButton, Pos2, Response, Ui, Vec2};

/// Magnification by one step of the wheel.
const PER_STEP: f64 = 1.35;

/// Length of one step of the wheel after egui has scaled it, in points. Browsers report longer steps.
const STEP: f32 = if IS_PAGE { 120.0 } else { 40.0 };

/// Smallest distance between two fingers, in points. Closer fingers only move the plane.
const LEAST_PINCH: f32 = 24.0;

#[derive(Debug, Default)]
pub struct Magnifier {
    /// True if the wheel last turned over the capsules. egui spreads a step over several pictures.
    scrolls: bool,
    moves: bool,
    fingers: Option<[Pos2; 2]>,
}

impl Magnifier {
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// Handles the wheel and the drags over the capsules, whose `response` this is. The pointer is `inside` the
    /// capsules or `None`. Returns the new zoom if it has changed.
    pub fn listen(
        &mut self,
        ui: &Ui,
        map: &ScreenMap,
        inside: Option<Pos2>,
        response: &Response,
    ) -> Option<Zoom> {
        let second = platform::second_finger().map(|[x, y]| {
            let scale = ui.ctx().pixels_per_point();
            Pos2::new(x / scale, y / scale)
        });
        let after_drag = self.drag(ui, map, response, second);
        let zoom = after_drag.or_else(|| {
            let factor = self.wheel(ui, inside.is_some() && response.contains_pointer());
            let at = inside.filter(|_| (factor - 1.0).abs() > f64::EPSILON)?;
            Some(map.zoom_around(at, factor))
        });
        zoom.filter(|&zoom| zoom != map.zoom())
    }

    /// Returns the magnification by the wheel, which is `over` the capsules or not. Both Ctrl and the browser's pinch
    /// gesture turn the wheel into egui's zoom.
    fn wheel(&mut self, ui: &Ui, over: bool) -> f64 {
        ui.input(|input| {
            let is_wheel = |event: &Event| matches!(event, Event::MouseWheel { .. });
            if input.events.iter().any(is_wheel) {
                self.scrolls = over;
            }
            let mut factor = 1.0;
            if self.scrolls {
                let steps = f64::from(input.smooth_scroll_delta.y / STEP);
                factor *= PER_STEP.powf(steps);
            }
            if over {
                factor *= f64::from(input.zoom_delta()) * platform::pinch();
            }
            factor
        })
    }

    /// Moves the plane with the pointer: with the middle button, with Shift, or with a `second` finger, which also
    /// magnifies. A drag that has moved the plane never requests runs.
    fn drag(
        &mut self,
        ui: &Ui,
        map: &ScreenMap,
        response: &Response,
        second: Option<Pos2>,
    ) -> Option<Zoom> {
        if !response.is_pointer_button_down_on() {
            self.moves = false;
            self.fingers = None;
            return None;
        }
        let (shift, primary, by) = ui.input(|input| {
            let pointer = &input.pointer;
            let primary = pointer.button_down(PointerButton::Primary);
            (input.modifiers.shift, primary, pointer.delta())
        });
        let began = response.drag_started();
        self.moves |= second.is_some()
            || response.dragged_by(PointerButton::Middle)
            || (shift && primary && began);
        if !self.moves {
            return None;
        }
        ui.ctx().set_cursor_icon(CursorIcon::Move);
        let first = response.interact_pointer_pos();
        let fingers = first.zip(second).map(|(first, second)| [first, second]);
        let before = std::mem::replace(&mut self.fingers, fingers);
        match (before, fingers) {
            (Some(before), Some(fingers)) => Some(pinched(map, before, fingers)),
            (None, None) if by != Vec2::ZERO => Some(map.zoom_moved(by)),
            // The first picture of two fingers, one finger that is left, or no movement.
            _ => None,
        }
    }
}

/// Returns true if `wanted` magnifies capsules that are large without it. A minimised window has no area and says nothing
/// about this.
pub fn is_useless(wanted: Zoom, map: &ScreenMap) -> bool {
    wanted.is_magnified() && !map.zoom().is_magnified() && map.view().is_positive()
}

fn pinched(map: &ScreenMap, before: [Pos2; 2], after: [Pos2; 2]) -> Zoom {
    let middle = |[a, b]: [Pos2; 2]| a + (b - a) / 2.0;
    let apart = |[a, b]: [Pos2; 2]| (b - a).length().max(LEAST_PINCH);
    let factor = f64::from(apart(after)) / f64::from(apart(before));
    let zoom = map.zoom_around(middle(before), factor);
    let by = middle(after) - middle(before);
    map.clone().zoomed(zoom).zoom_moved(by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::response::UiResponse;
    use crate::app::platform::event_log::Log;
    use crate::app::state::State;
    use crate::app::state::command::Command;
    use crate::app::state::view::View;
    use crate::app::views::grid::overlay::Overlay;
    use crate::app::views::tests::window;
    use egui::{Modifiers, MouseWheelUnit, Rect, pos2, vec2};
    use egui_kittest::Harness;
    use headless::sim::settings::Settings;
    use headless::sim::world::ENTITIES;
    use std::cell::Cell;
    use timeslicer::knob::KnobValues;

    /// Place of the capsules in the window.
    const VIEW: Rect = Rect::from_min_max(pos2(200.0, 100.0), pos2(1200.0, 600.0));

    fn map(zoom: Zoom) -> ScreenMap {
        ScreenMap::new(100_000, VIEW, 1.0).zoomed(zoom)
    }

    fn crowd(zoom: &Cell<Zoom>) -> Harness<'_, UiResponse> {
        let mut overlay = Overlay::default();
        let settings = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, 100_000.0)]),
            ..Settings::default()
        };
        let state = State::still(0, settings, View::Grid, Log::default());
        window(vec2(1280.0, 800.0), move |ui, answer| {
            let pointer = ui.input(|input| input.pointer.latest_pos());
            overlay.listen(ui, &map(zoom.get()), pointer, &state, answer);
            let commands = answer.commands.iter();
            let zooms = commands.filter_map(|command| match command {
                Command::Zoom(zoom) => Some(*zoom),
                _ => None,
            });
            zooms.for_each(|it| zoom.set(it));
        })
    }

    fn turn(window: &mut Harness<'_, UiResponse>, at: Pos2, steps: f32, modifiers: Modifiers) {
        let events = &mut window.input_mut().events;
        events.push(Event::PointerMoved(at));
        events.push(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta: vec2(0.0, steps),
            modifiers,
        });
        window.run_steps(60);
    }

    fn drag(
        window: &mut Harness<'_, UiResponse>,
        button: PointerButton,
        modifiers: Modifiers,
        (from, by): (Pos2, Vec2),
    ) {
        window.input_mut().modifiers = modifiers;
        let button = |pos: Pos2, pressed: bool| Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        };
        window.input_mut().events.push(Event::PointerMoved(from));
        window.step();
        window.input_mut().events.push(button(from, true));
        window.step();
        for step in 1..=10 {
            let at = from + by * (step as f32 / 10.0);
            window.input_mut().events.push(Event::PointerMoved(at));
            window.step();
        }
        window.input_mut().events.push(button(from + by, false));
        window.step();
    }

    fn requests(window: &Harness<'_, UiResponse>) -> usize {
        let commands = window.state().commands.iter();
        let is_request = |command: &&Command| matches!(command, Command::Request(_));
        commands.filter(is_request).count()
    }

    #[test]
    fn the_wheel_magnifies_around_the_pointer_and_back() {
        let zoom = Cell::new(Zoom::ALL);
        let mut window = crowd(&zoom);
        let at = pos2(530.0, 420.0);
        let world = map(Zoom::ALL).to_world(at);
        turn(&mut window, at, 5.0, Modifiers::NONE);
        let factor = zoom.get().factor;
        assert!((factor - PER_STEP.powi(5)).abs() < 0.01, "{factor}");
        let off = map(zoom.get()).to_screen(world) - at;
        assert!(off.length() < 4.0, "{off}"); // half a pixel of the whole crowd is magnified
        turn(&mut window, at, -5.0, Modifiers::NONE);
        assert_eq!(zoom.get(), Zoom::ALL);
        turn(&mut window, at, 5.0, Modifiers::CTRL);
        assert!(zoom.get().factor > 2.0, "with Ctrl");
    }

    #[test]
    fn other_drags_request_runs_and_move_nothing() {
        let zoom = Cell::new(Zoom::ALL);
        let mut window = crowd(&zoom);
        let from = pos2(700.0, 300.0);
        turn(&mut window, from, 20.0, Modifiers::NONE);
        let before = zoom.get();
        let path = (from, vec2(200.0, 0.0));
        drag(&mut window, PointerButton::Primary, Modifiers::NONE, path);
        assert_eq!(zoom.get(), before);
        let cells = 200.0 / (map(before).center(1).unwrap().x - map(before).center(0).unwrap().x);
        let requested = requests(&window) as f32;
        assert!((requested - cells).abs() <= 2.0, "{requested} of {cells}");
    }

    #[test]
    fn fingers_keep_the_points_that_they_touch() {
        let zoom = map(Zoom::ALL).zoom_around(VIEW.center(), 10.0);
        let map = map(zoom);
        let before = [pos2(500.0, 300.0), pos2(600.0, 300.0)];
        let after = [pos2(450.0, 350.0), pos2(650.0, 350.0)];
        let touched = before.map(|finger| map.to_world(finger));
        let zoom = pinched(&map, before, after);
        assert!((zoom.factor - 20.0).abs() < 1e-6);
        let shown = super::tests::map(zoom);
        for (world, finger) in touched.into_iter().zip(after) {
            let off = shown.to_screen(world) - finger;
            assert!(off.length() < 8.0, "{off}"); // cells are whole pixels
        }
    }
}
