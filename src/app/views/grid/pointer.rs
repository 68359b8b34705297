//! Handles pointer input over the capsules. The pointer can move the target, pin entities and request task runs.

use super::overlay;
use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::{Command, GridCommand};
use egui::{Id, Pos2, Sense, Ui};

const TARGET_CLICK_RADIUS: f32 = 12.0;

/// Converts pointer input to commands, which are added to `output`. `position` is the pointer's position, or `None` if
/// the pointer is not over the capsules. Returns the slot under the pointer, or `None` during a drag.
pub fn listen(
    ui: &Ui,
    map: &ScreenMap,
    position: Option<Pos2>,
    state: &State,
    output: &mut UiOutput,
) -> Option<u32> {
    output.report("capsules", map.view);
    // `Sense::click_and_drag()` is not used because the capsules could then get the keyboard focus, but would not show
    // that they are focused.
    let sense = Sense::CLICK | Sense::DRAG;
    let response = ui.interact(map.view, Id::new("capsules"), sense);
    let objective = position.map(|at| map.to_world(at));
    output.give(GridCommand::Point(objective));
    let at = position?;
    // A press alone requests nothing, because it may become a click. In a past frame, nothing can be requested.
    if response.dragged() && state.grid.past().is_none() {
        let origin = ui.input(|input| input.pointer.press_origin());
        let origin = origin.filter(|_| response.drag_started());
        let from = origin.unwrap_or(at - response.drag_delta());
        for slot in slots_between(map, from, at, origin.is_some()) {
            output.give(GridCommand::Request(slot));
        }
    }
    if response.clicked() && !output.list_was_open {
        output.give(click_command(at, map, state));
    }
    map.slot_at(at).filter(|_| !response.dragged())
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
        None => Command::PinTargetAt(Some(map.to_world(position))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Rect, pos2, vec2};

    #[test]
    fn a_drag_crosses_each_capsule_once() {
        let view = Rect::from_min_size(pos2(200.0, 100.0), vec2(1000.0, 500.0));
        let map = ScreenMap::new(1000, view, 1.0);
        let first = map.slot_at(map.view.center()).unwrap();
        let [at, next] = [first, first + 5].map(|slot| map.center(slot).unwrap());
        assert!(slots_between(&map, at, next, true).eq(first..=first + 5));
        assert!(slots_between(&map, next, at, false).eq((first..first + 5).rev()));
    }
}
