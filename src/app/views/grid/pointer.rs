//! Handles pointer input over the capsules. The pointer can move the target, pin entities, request task runs, and zoom
//! and pan the view.

use super::overlay;
use crate::app::crowd::Zoom;
use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::output::UiOutput;
use crate::app::platform::{self, IS_PAGE};
use crate::app::state::State;
use crate::app::state::command::{Command, GridCommand};
use egui::{CursorIcon, Id, PointerButton, Pos2, Response, Sense, Ui, pos2};

const ZOOM_PER_WHEEL_NOTCH: f64 = 1.35;
/// The scroll distance that egui reports for one mouse wheel notch, in points. The distance is larger in browsers.
const SCROLL_PER_WHEEL_NOTCH: f32 = if IS_PAGE { 120.0 } else { 40.0 };
/// The minimum distance between two fingers for zooming, in points. Fingers that are closer together only pan the view.
const MIN_PINCH_DISTANCE: f32 = 24.0;
const TARGET_CLICK_RADIUS: f32 = 12.0;

#[derive(Debug, Default)]
pub struct CapsulePointer {
    is_panning: bool,
    /// The positions of two fingers on the screen in the previous frame.
    fingers: Option<(Pos2, Pos2)>,
}

impl CapsulePointer {
    /// Converts pointer input to commands, which are added to `output`. `position` is the pointer's position, or `None`
    /// if the pointer is not over the capsules. Returns the slot under the pointer, or `None` during a drag.
    pub fn listen(
        &mut self,
        ui: &Ui,
        map: &ScreenMap,
        position: Option<Pos2>,
        state: &State,
        output: &mut UiOutput,
    ) -> Option<u32> {
        output.report("capsules", map.view);
        // `Sense::click_and_drag()` is not used because the capsules could then get the keyboard focus, but would not
        // show that they are focused.
        let sense = Sense::CLICK | Sense::DRAG;
        let response = ui.interact(map.view, Id::new("capsules"), sense);
        let objective = position.map(|at| map.to_world(at));
        output.give(GridCommand::Point(objective));
        let was_panning = self.is_panning;
        let after_drag = self.pan_or_pinch(ui, map, &response);
        let over = position.filter(|_| response.contains_pointer());
        let zoom = after_drag.or_else(|| zoom_by_wheel(ui, map, over?));
        if let Some(zoom) = zoom.filter(|&zoom| zoom != map.zoom) {
            output.give(GridCommand::Zoom(zoom));
        }
        let at = position?;
        // A press alone requests nothing, because it may become a click. In a past frame, nothing can be requested.
        if response.dragged() && !self.is_panning && state.grid.past().is_none() {
            let origin = ui.input(|input| input.pointer.press_origin());
            let origin = origin.filter(|_| response.drag_started());
            let from = origin.unwrap_or(at - response.drag_delta());
            for slot in slots_between(map, from, at, origin.is_some()) {
                output.give(GridCommand::Request(slot));
            }
        }
        if response.clicked() && !was_panning && !output.list_was_open {
            output.give(click_command(at, map, state));
        }
        map.slot_at(at).filter(|_| !response.dragged())
    }

    /// Returns the new zoom if the user pans or pinches. The user can pan by dragging with the middle mouse button or
    /// with Shift. Two fingers pan and zoom at the same time. Once a drag has panned the view, it no longer requests
    /// task runs.
    fn pan_or_pinch(&mut self, ui: &Ui, map: &ScreenMap, response: &Response) -> Option<Zoom> {
        if !response.is_pointer_button_down_on() {
            *self = Self::default();
            return None;
        }
        let scale = ui.ctx().pixels_per_point();
        let second = platform::second_finger().map(|[x, y]| pos2(x / scale, y / scale));
        let has_shift = ui.input(|input| input.modifiers.shift);
        self.is_panning |= second.is_some()
            || response.dragged_by(PointerButton::Middle)
            || has_shift && response.drag_started_by(PointerButton::Primary);
        if !self.is_panning {
            return None;
        }
        ui.ctx().set_cursor_icon(CursorIcon::Move);
        let first = response.interact_pointer_pos()?;
        let fingers = second.map(|second| (first, second));
        match (std::mem::replace(&mut self.fingers, fingers), fingers) {
            (Some(before), Some(fingers)) => Some(pinched(map, before, fingers)),
            (None, None) => Some(map.zoom_by(1.0, first - response.drag_delta(), first)),
            // A finger was just added or lifted, so there is no previous position to compare with.
            _ => None,
        }
    }
}

/// Returns the new zoom if the user turns the mouse wheel at `position`. Also handles zoom gestures.
fn zoom_by_wheel(ui: &Ui, map: &ScreenMap, position: Pos2) -> Option<Zoom> {
    // egui reports a zoom gesture instead of scrolling if Ctrl is pressed or if the user pinches in a browser.
    let (scrolled, zoomed) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
    let steps = f64::from(scrolled / SCROLL_PER_WHEEL_NOTCH);
    let factor = ZOOM_PER_WHEEL_NOTCH.powf(steps) * f64::from(zoomed) * platform::pinch();
    (factor != 1.0).then(|| map.zoom_by(factor, position, position))
}

fn pinched(map: &ScreenMap, before: (Pos2, Pos2), after: (Pos2, Pos2)) -> Zoom {
    let middle = |(a, b): (Pos2, Pos2)| a + (b - a) / 2.0;
    let apart = |(a, b): (Pos2, Pos2)| (b - a).length().max(MIN_PINCH_DISTANCE);
    let factor = f64::from(apart(after)) / f64::from(apart(before));
    map.zoom_by(factor, middle(before), middle(after))
}

/// Returns the slots that the pointer crosses during a straight drag. The slot at the start is included only if
/// `includes_start` is true.
fn slots_between(
    map: &ScreenMap,
    from: Pos2,
    to: Pos2,
    includes_start: bool,
) -> impl Iterator<Item = u32> {
    let steps = ((to - from).length() / map.stride()).ceil().max(1.0) as u32;
    let points = (0..=steps).map(|step| from + (to - from) * (step as f32 / steps as f32));
    let mut places: Vec<Option<u32>> = points.map(|at| map.slot_at(at)).collect();
    places.dedup();
    let known = usize::from(!includes_start);
    places.into_iter().skip(known).flatten()
}

/// Returns the command for a click at `position`. A click on the target pins or releases the target. A click on a
/// capsule pins the capsule. A click anywhere else releases the pinned capsule or, if no capsule is pinned, moves the
/// target to `position` and pins it there.
fn click_command(position: Pos2, map: &ScreenMap, state: &State) -> Command {
    let world = state.grid.lane.world();
    let capsule = map.slot_at(position);
    if state.grid.past().is_some() {
        return Command::Grid(GridCommand::Pin(capsule));
    }
    let is_on_target = map.to_screen(world.target()).distance(position) <= TARGET_CLICK_RADIUS;
    if is_on_target && !overlay::follows_pointer(state) {
        return Command::PinTarget;
    }
    match capsule.filter(|&slot| world.tasks().at(slot).is_some()) {
        Some(slot) => Command::Grid(GridCommand::Pin(Some(slot))),
        None if state.grid.pin.is_some() => Command::Grid(GridCommand::Pin(None)),
        None => Command::Grid(GridCommand::PinTargetAt(Some(map.to_world(position)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Rect, vec2};

    fn magnified() -> ScreenMap {
        let view = Rect::from_min_size(pos2(200.0, 100.0), vec2(1000.0, 500.0));
        let map = ScreenMap::new(100_000, view, 1.0);
        let middle = view.center();
        map.clone().zoomed(map.zoom_by(10.0, middle, middle))
    }

    #[test]
    fn a_drag_crosses_each_capsule_once() {
        let map = magnified();
        let first = map.slot_at(map.view.center()).unwrap();
        let [at, next] = [first, first + 5].map(|slot| map.center(slot).unwrap());
        assert!(slots_between(&map, at, next, true).eq(first..=first + 5));
        assert!(slots_between(&map, next, at, false).eq((first..first + 5).rev()));
    }

    #[test]
    fn fingers_keep_the_points_that_they_touch() {
        let map = magnified();
        let before = (pos2(500.0, 300.0), pos2(600.0, 300.0));
        let after = (pos2(450.0, 350.0), pos2(650.0, 350.0));
        let zoom = pinched(&map, before, after);
        assert!((zoom.factor - 20.0).abs() < 1e-6);
        let zoomed = map.clone().zoomed(zoom);
        for (from, to) in [(before.0, after.0), (before.1, after.1)] {
            let off = zoomed.to_screen(map.to_world(from)) - to;
            assert!(off.length() < 8.0, "{off}"); // cells are whole pixels
        }
    }
}
