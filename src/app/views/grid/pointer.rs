//! Handles the pointer over the capsules. It moves the target, pins entities, requests runs, zooms and pans.

use super::overlay;
use crate::app::capsules::Zoom;
use crate::app::capsules::screen_map::ScreenMap;
use crate::app::input::output::UiOutput;
use crate::app::platform::{self, IS_PAGE};
use crate::app::state::State;
use crate::app::state::command::Command;
use egui::{CursorIcon, Id, PointerButton, Pos2, Response, Sense, Ui, pos2};

/// Magnification factor of one mouse wheel notch.
const PER_STEP: f64 = 1.35;
/// Scroll distance that egui reports for one mouse wheel notch, in points. It is larger in browsers.
const STEP: f32 = if IS_PAGE { 120.0 } else { 40.0 };
/// Distance between two fingers below which they only pan, in points.
const LEAST_PINCH: f32 = 24.0;
/// Distance from the target within which a click hits it, in points.
const REACH: f32 = 12.0;

#[derive(Debug, Default)]
pub struct CapsulePointer {
    /// Whether the current drag pans the view.
    moves: bool,
    /// The positions of two fingers in the previous frame.
    fingers: Option<(Pos2, Pos2)>,
}

impl CapsulePointer {
    /// Converts pointer input to commands, which are added to `output`. `inside` is the pointer's position, or `None`
    /// if it is not over the capsules. Returns the slot under the pointer, or `None` during a drag.
    pub fn listen(
        &mut self,
        ui: &Ui,
        map: &ScreenMap,
        inside: Option<Pos2>,
        state: &State,
        output: &mut UiOutput,
    ) -> Option<u32> {
        output.report("capsules", map.view);
        // Not `Sense::click_and_drag()`, because it would let the capsules take the keyboard focus, which is not
        // visible here.
        let sense = Sense::CLICK | Sense::DRAG;
        let response = ui.interact(map.view, Id::new("capsules"), sense);
        let objective = inside.map(|at| map.to_world(at));
        output.commands.push(Command::Point(objective));
        let has_moved = self.moves;
        let after_drag = self.move_plane(ui, map, &response);
        let over = inside.filter(|_| response.contains_pointer());
        let zoom = after_drag.or_else(|| turn_wheel(ui, map, over?));
        let zoom = zoom.filter(|&zoom| zoom != map.zoom);
        output.commands.extend(zoom.map(Command::Zoom));
        let at = inside?;
        // A press alone requests nothing, because it may become a click. In a past frame, nothing can be requested.
        if response.dragged() && !self.moves && state.grid.past().is_none() {
            let origin = ui.input(|input| input.pointer.press_origin());
            let origin = origin.filter(|_| response.drag_started());
            let from = origin.unwrap_or(at - response.drag_delta());
            let requested = entered(map, from, at, origin.is_some());
            output.commands.extend(requested.map(Command::Request));
        }
        if response.clicked() && !has_moved && !output.list_was_open {
            output.commands.push(clicked(at, map, state));
        }
        map.slot_at(at).filter(|_| !response.dragged())
    }

    /// Pans with the middle button, with Shift, or with a second finger, which also zooms. A drag that has panned never
    /// requests runs.
    fn move_plane(&mut self, ui: &Ui, map: &ScreenMap, response: &Response) -> Option<Zoom> {
        if !response.is_pointer_button_down_on() {
            *self = Self::default();
            return None;
        }
        let scale = ui.ctx().pixels_per_point();
        let second = platform::second_finger().map(|[x, y]| pos2(x / scale, y / scale));
        let has_shift = ui.input(|input| input.modifiers.shift);
        self.moves |= second.is_some()
            || response.dragged_by(PointerButton::Middle)
            || has_shift && response.drag_started_by(PointerButton::Primary);
        if !self.moves {
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

/// Returns the zoom after the mouse wheel was turned at `at`. Turning the wheel with Ctrl, or pinching in a browser,
/// arrives as egui's zoom gesture.
fn turn_wheel(ui: &Ui, map: &ScreenMap, at: Pos2) -> Option<Zoom> {
    let (scrolled, zoomed) = ui.input(|it| (it.smooth_scroll_delta.y, it.zoom_delta()));
    let steps = f64::from(scrolled / STEP);
    let factor = PER_STEP.powf(steps) * f64::from(zoomed) * platform::pinch();
    (factor != 1.0).then(|| map.zoom_by(factor, at, at))
}

fn pinched(map: &ScreenMap, before: (Pos2, Pos2), after: (Pos2, Pos2)) -> Zoom {
    let middle = |(a, b): (Pos2, Pos2)| a + (b - a) / 2.0;
    let apart = |(a, b): (Pos2, Pos2)| (b - a).length().max(LEAST_PINCH);
    let factor = f64::from(apart(after)) / f64::from(apart(before));
    map.zoom_by(factor, middle(before), middle(after))
}

/// Returns the slots that a straight drag enters. The slot at its start is included only if `is_start`.
fn entered(map: &ScreenMap, from: Pos2, to: Pos2, is_start: bool) -> impl Iterator<Item = u32> {
    let steps = ((to - from).length() / map.stride()).ceil().max(1.0) as u32;
    let points = (0..=steps).map(|step| from + (to - from) * (step as f32 / steps as f32));
    let mut places: Vec<Option<u32>> = points.map(|at| map.slot_at(at)).collect();
    places.dedup();
    let known = usize::from(!is_start);
    places.into_iter().skip(known).flatten()
}

/// Returns the command for a click, which pins the capsule under the pointer. A click on empty floor releases the
/// pinned capsule, or pins the target if no capsule is pinned. A click on the target pins or releases it, unless the
/// target is there only because it follows the pointer.
fn clicked(at: Pos2, map: &ScreenMap, state: &State) -> Command {
    let world = state.grid.lane.world();
    let capsule = map.slot_at(at);
    if state.grid.past().is_some() {
        return Command::Pin(capsule);
    }
    let is_on_target = map.to_screen(world.target()).distance(at) <= REACH;
    if is_on_target && !overlay::follows_pointer(state) {
        return Command::PinTarget;
    }
    match capsule.filter(|&place| world.tasks().at(place).is_some()) {
        Some(place) => Command::Pin(Some(place)),
        None if state.grid.selection.pin.is_some() => Command::Pin(None),
        None => Command::PinTargetAt(Some(map.to_world(at))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Rect, vec2};

    #[test]
    fn fingers_keep_the_points_that_they_touch() {
        let view = Rect::from_min_size(pos2(200.0, 100.0), vec2(1000.0, 500.0));
        let map = ScreenMap::new(100_000, view, 1.0);
        let middle = view.center();
        let map = map.clone().zoomed(map.zoom_by(10.0, middle, middle));
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
