//! The overlay of the capsules: target, entity details, captions, and the pointer's actions.

use super::inspector;
use super::inspector::InspectedCapsule;
use super::magnifier::Magnifier;
use super::target::{self, Motion};
use crate::app::capsules::screen_map::ScreenMap;
use crate::app::charts::frame_card::FORGOTTEN;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::state::{Flow, State};
use crate::app::widgets::paint;
use egui::{Id, Painter, Pos2, Rect, Sense, Ui};
use headless::history::PastFrame;
use headless::text::format;
use timeslicer::scheduler::TaskId;

#[derive(Default)]
pub struct Overlay {
    drag: Option<Drag>,
    magnifier: Magnifier,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Drag {
    at: Option<Pos2>,
    place: Option<u32>,
}

impl Overlay {
    /// Handles the `pointer`, which is `None` if something covers the capsules. The pointer leads the target, a click
    /// pins an entity or the target, and a drag requests runs of the entities that it crosses. Wheel, pinch and other
    /// drags magnify and move the plane.
    pub fn listen(
        &mut self,
        ui: &Ui,
        map: &ScreenMap,
        pointer: Option<Pos2>,
        state: &State,
        answer: &mut UiResponse,
    ) {
        let past_is_shown = state.grid.selection.looked_at.is_some();
        let view = map.view();
        answer.report("capsules", view);
        // Not `Sense::click_and_drag()`: that can take the keyboard focus, so Tab would stop here without showing it.
        let response = ui.interact(view, Id::new("capsules"), Sense::CLICK | Sense::DRAG);
        let inside = pointer.filter(|&at| view.contains(at) && view.area() > 0.0);
        let goal = inside.map(|at| map.to_world(at));
        answer.commands.push(Command::Point(goal));
        let has_moved = self.magnifier.moves();
        let zoom = self.magnifier.listen(ui, map, inside, &response);
        answer.commands.extend(zoom.map(Command::Zoom));
        let under = |at: Pos2| map.place_at(at);
        // A press alone requests nothing, because it may become a click. A past frame takes no requests.
        if response.dragged() && !self.magnifier.moves() && !past_is_shown {
            let began = self.drag.is_none();
            let origin = ui.input(|input| input.pointer.press_origin());
            let mut drag = self.drag.unwrap_or(Drag {
                at: origin.filter(|_| began),
                place: None,
            });
            let requested = drag.to(inside, map.stride(), under);
            answer
                .commands
                .extend(requested.into_iter().map(Command::Request));
            self.drag = Some(drag);
        } else {
            self.drag = None;
        }
        let is_click = response.clicked() && !has_moved && !answer.list_was_open;
        if let Some(at) = inside.filter(|_| is_click) {
            answer.commands.push(clicked(at, map, state));
        }
    }

    /// Paints the overlay, over the capsules and their highlights. The `covered` part of the view stays free. `listed`
    /// is an entity under the pointer elsewhere.
    pub fn paint(
        &self,
        ui: &Ui,
        map: &ScreenMap,
        covered: Rect,
        pointer: Option<Pos2>,
        listed: Option<TaskId>,
        state: &State,
    ) {
        let view = map.view();
        let (lane, history) = (&state.grid.lane, &state.grid.history);
        let world = lane.world();
        let over: Vec<Painter> = paint::around(covered, view)
            .map(|part| ui.painter().with_clip_rect(part))
            .collect();
        let pinned = state.grid.selection.pinned();
        let hovered = pointer
            .filter(|&at| view.contains(at) && self.drag.is_none())
            .and_then(|at| map.place_at(at))
            .or(listed.map(|task| task.index))
            .filter(|&place| pinned.is_none_or(|task| task.index != place));
        let inspected = if let Some(past) = state.grid.past() {
            for over in &over {
                target::paint(over, map, past.target, Motion::Free);
            }
            // The caption covers the first capsules, so it is shown only if no status line names the frame or if its
            // runs are no longer recorded.
            if !state.interface.panels || past.has_forgotten() {
                inspector::caption(ui.painter(), view, &caption(past));
            }
            let then =
                |place, pinned| InspectedCapsule::then(map, world, history, past, place, pinned);
            let pinned = pinned.and_then(|task| then(task.index, true));
            [pinned, hovered.and_then(|place| then(place, false))]
        } else {
            let motion = motion(state);
            for over in &over {
                target::trail(over, map, history, lane.now());
                target::paint(over, map, world.target(), motion);
            }
            let now = |task| InspectedCapsule::now(map, lane, history, task);
            let hovered = hovered.and_then(|place| world.tasks().at(place));
            [pinned.and_then(now), hovered.and_then(now)]
        };
        let mut other = Rect::NOTHING;
        for capsule in inspected.into_iter().flatten() {
            let mut card = other;
            for over in &over {
                card = inspector::paint(over, map, covered, other, &capsule);
            }
            other = card;
        }
    }
}

fn motion(state: &State) -> Motion {
    let lane = &state.grid.lane;
    if lane.settings().target.is_some() {
        Motion::Pinned
    } else if lane.world().pointer.is_some() && state.flow == Flow::Running {
        Motion::Led
    } else {
        Motion::Free // while paused the target does not move, wherever the pointer is
    }
}

/// Returns the command of a click: it pins the capsule under it. On empty floor, it releases the pinned capsule, or pins
/// the target if no capsule is pinned. A click on the target pins or releases it, unless the target is there only because
/// it follows the pointer.
fn clicked(at: Pos2, map: &ScreenMap, state: &State) -> Command {
    let world = state.grid.lane.world();
    let capsule = map.place_at(at);
    if state.grid.selection.looked_at.is_some() {
        return Command::Pin(capsule);
    }
    let is_on_target = map.to_screen(world.target()).distance(at) <= target::REACH;
    if is_on_target && motion(state) != Motion::Led {
        return Command::PinTarget;
    }
    match capsule.filter(|&place| world.tasks().at(place).is_some()) {
        Some(place) => Command::Pin(Some(place)),
        None if state.grid.selection.pinned().is_some() => Command::Pin(None),
        None => Command::PinTargetAt(Some(map.to_world(at))),
    }
}

impl Drag {
    /// Continues the drag to the point `to`, which is `None` outside the capsules. Returns the places that the drag
    /// enters. Looks up the place `under` the path every `stride` points.
    fn to(
        &mut self,
        to: Option<Pos2>,
        stride: f32,
        under: impl Fn(Pos2) -> Option<u32>,
    ) -> Vec<u32> {
        let mut requested = Vec::new();
        if let Some(to) = to {
            let from = self.at.unwrap_or(to);
            let steps = ((to - from).length() / stride).ceil().max(1.0) as u32;
            for step in 0..=steps {
                let here = under(from + (to - from) * (step as f32 / steps as f32));
                if here != self.place {
                    requested.extend(here);
                    self.place = here;
                }
            }
        } else {
            self.place = None;
        }
        self.at = to;
        requested
    }
}

fn caption(past: &PastFrame) -> String {
    let number = format::grouped(past.record.number);
    if past.has_forgotten() {
        format!("frame {number}: {FORGOTTEN}")
    } else {
        format!("frame {number} (past)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::tests::{frame, state};
    use egui::epaint::ClippedShape;
    use egui::{Shape, Vec2, pos2, vec2};
    use headless::sim::world::{ENTITIES, Point};

    fn under(at: Pos2) -> Option<u32> {
        (0.0..100.0).contains(&at.x).then_some((at.x / 10.0) as u32)
    }

    fn drag(at: f32) -> Drag {
        Drag {
            at: Some(pos2(at, 0.0)),
            place: None,
        }
    }

    #[test]
    fn a_drag_requests_each_capsule_from_its_start() {
        let mut drag = drag(15.0);
        let mut to = |x: f32| drag.to(Some(pos2(x, 0.0)), 2.0, under);
        assert_eq!(to(43.0), [1, 2, 3, 4]);
        assert!(to(44.0).is_empty());
        assert_eq!(to(25.0), [3, 2]);
    }

    #[test]
    fn a_drag_that_left_continues_where_it_returns() {
        let mut drag = drag(15.0);
        assert_eq!(drag.to(Some(pos2(18.0, 0.0)), 2.0, under), [1]);
        assert!(drag.to(None, 2.0, under).is_empty());
        assert_eq!(drag.to(Some(pos2(75.0, 0.0)), 2.0, under), [7]);
    }

    const VIEWS: [Vec2; 4] = [
        vec2(1028.0, 452.0),  // plots
        vec2(1028.0, 378.0),  // timeline
        vec2(648.0, 252.0),   // plots in a small window
        vec2(1920.0, 1036.0), // no panels
    ];

    fn map(state: &State, size: Vec2) -> ScreenMap {
        let view = Rect::from_min_size(pos2(252.0, 122.0), size);
        ScreenMap::new(state.grid.lane.world().tasks().end(), view, 1.0)
    }

    fn texts(state: &State, map: &ScreenMap, pointer: Pos2) -> Vec<String> {
        let output = egui::Context::default().run(egui::RawInput::default(), |ctx| {
            egui::CentralPanel::default().show(ctx, |ui| {
                Overlay::default().paint(ui, map, Rect::NOTHING, Some(pointer), None, state);
            });
        });
        let text = |clipped: ClippedShape| match clipped.shape {
            Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        };
        output.shapes.into_iter().filter_map(text).collect()
    }

    fn is_led(state: &State) -> bool {
        let map = map(state, VIEWS[0]);
        let texts = texts(state, &map, map.view().center());
        let mut labels = texts.iter().filter(|text| text.starts_with("target"));
        let label = labels.next().expect("the target has a label");
        assert!(labels.next().is_none());
        label != "target"
    }

    #[test]
    fn pointer_is_the_target_only_while_the_game_runs() {
        let mut state = state();
        let pointer = Some(Point { x: 0.5, y: 0.25 });
        frame(&mut state);
        assert!(!is_led(&state), "no pointer");
        state.apply(Command::Point(pointer));
        frame(&mut state);
        assert!(is_led(&state));
        state.apply(Command::Pause);
        assert!(!is_led(&state), "paused");
        state.apply(Command::Step);
        frame(&mut state);
        assert!(!is_led(&state), "after a step");
        state.apply(Command::Walk(-1));
        assert!(state.grid.past().is_some());
        assert!(!is_led(&state), "in a past frame");
        state.apply(Command::Pause);
        frame(&mut state);
        assert!(is_led(&state), "running again");
    }

    #[test]
    fn a_click_pins_a_capsule_or_on_empty_floor_the_target() {
        let mut state = state();
        frame(&mut state);
        state.apply(Command::Turn(&ENTITIES, 9.0)); // two rows of five, and the last place is empty
        let map = map(&state, VIEWS[0]);
        let capsule = map.center(3).unwrap();
        assert_eq!(clicked(capsule, &map, &state), Command::Pin(Some(3)));
        let floor = pos2(map.center(4).unwrap().x, map.center(5).unwrap().y);
        let command = clicked(floor, &map, &state);
        let Command::PinTargetAt(Some(point)) = command else {
            panic!("{command:?}");
        };
        assert!((map.to_screen(point) - floor).length() < 5.0);
        state.apply(Command::Pin(Some(3)));
        assert_eq!(
            clicked(floor, &map, &state),
            Command::Pin(None),
            "first the capsule"
        );
        state.apply(Command::Pin(None));
        state.apply(command);
        frame(&mut state);
        let target = state.grid.lane.world().target();
        assert!((map.to_screen(target) - floor).length() < 5.0);
        assert_eq!(
            clicked(map.to_screen(target), &map, &state),
            Command::PinTarget
        );
        state.apply(Command::PinTarget);
        assert_eq!(state.settings.target, None, "released");
    }

    #[test]
    fn a_click_where_the_pointer_leads_the_target_pins_the_capsule() {
        let mut state = state();
        frame(&mut state);
        let map = map(&state, VIEWS[0]);
        let at = map.center(4).unwrap();
        state.apply(Command::Point(Some(map.to_world(at))));
        frame(&mut state);
        assert_eq!(clicked(at, &map, &state), Command::Pin(Some(4)));
        state.apply(Command::Pause);
        assert_eq!(clicked(at, &map, &state), Command::PinTarget, "it rests");
        state.apply(Command::Walk(-1));
        assert_eq!(
            clicked(at, &map, &state),
            Command::Pin(Some(4)),
            "in a past frame"
        );
    }
}
