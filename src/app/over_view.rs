//! What lies over the capsules: the target, stories, marks; and what the pointer says there.

use super::answer::Answer;
use super::command::Command;
use super::crowd::CrowdPicture;
use super::state::State;
use super::{inspect, target};
use egui::{Id, Pos2, Rect, Sense, Ui};
use timeslice_lab::figure;
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::Machine;
use timeslice_lab::observe::PastFrame;
use timeslice_lab::world::Point;

/// The most capsules that are marked one by one: more would hide what they mark.
const MOST_MARKED: usize = 5000;

/// What the view over the capsules remembers from one picture to the next.
#[derive(Default)]
pub struct OverView {
    drag: Option<Drag>,
}

/// A drag over the capsules: where it is, and the place that it has asked last.
#[derive(Clone, Copy)]
struct Drag {
    at: Pos2,
    place: Option<u32>,
}

impl OverView {
    /// Paints what lies over the capsules in `view`. The `pointer`, where nothing covers them, leads the
    /// target, and a drag makes those it passes ask for a run.
    pub fn show(
        &mut self,
        ui: &Ui,
        view: Rect,
        pointer: Option<Pos2>,
        state: &State,
        crowd: &CrowdPicture,
        answer: &mut Answer,
    ) {
        answer.stands("capsules", view);
        let response = ui.interact(view, Id::new("capsules"), Sense::click_and_drag());
        let inside = pointer.filter(|&at| view.contains(at) && view.area() > 0.0);
        answer.commands.push(Command::Point(inside.map(|at| Point {
            x: (at.x - view.left()) / view.width(),
            y: (at.y - view.top()) / view.height(),
        })));
        let scale = ui.ctx().pixels_per_point();
        if response.is_pointer_button_down_on()
            && let Some(to) = inside
        {
            // A press and a move may come in one picture; a drag may leave the capsules and come back.
            let pressed_at = ui.input(|input| {
                input
                    .pointer
                    .press_origin()
                    .filter(|_| input.pointer.any_pressed())
            });
            let from = self.drag.map(|drag| drag.at).or(pressed_at).unwrap_or(to);
            self.request_along(from, to, scale, crowd, &mut answer.commands);
        } else {
            self.drag = None;
        }
        let under = |at: Pos2| crowd.place_at(at.x * scale, at.y * scale);
        if response.clicked() {
            answer.commands.push(Command::Pin(inside.and_then(under)));
        }
        let (lane, history) = (&state.lane, &state.history);
        let world = lane.world();
        let painter = ui.painter();
        if let Some(past) = state.looked_at.and_then(|number| history.frame(number)) {
            target::paint(painter, view, past.target, world.tasks().len());
            let number = figure::grouped(past.record.number);
            let caption = format!("frame {number}, as it was");
            inspect::caption(painter, view, &caption);
            return;
        }
        target::trail(painter, view, history, lane.now());
        target::paint(painter, view, world.target(), world.tasks().len());
        let hovered = inside
            .and_then(under)
            .and_then(|place| world.tasks().at(place));
        let hovered = hovered.filter(|_| self.drag.is_none());
        let pinned = state.pinned;
        for task in pinned
            .into_iter()
            .chain(hovered.filter(|&task| Some(task) != pinned))
        {
            inspect::paint(painter, view, lane, history, crowd, task);
        }
    }

    /// Each capsule on the way asks once; the one under a pointer that rests does not ask again.
    fn request_along(
        &mut self,
        from: Pos2,
        to: Pos2,
        scale: f32,
        crowd: &CrowdPicture,
        commands: &mut Vec<Command>,
    ) {
        let mut place = self.drag.and_then(|drag| drag.place);
        let steps = ((to - from).length() * scale / crowd.stride())
            .ceil()
            .max(1.0) as u32;
        for step in 0..=steps {
            let at = from + (to - from) * (step as f32 / steps as f32);
            let here = crowd.place_at(at.x * scale, at.y * scale);
            if here != place {
                commands.extend(here.map(Command::Request));
                place = here;
            }
        }
        self.drag = Some(Drag { at: to, place });
    }
}

/// Marks the capsules that ran in a frame.
pub fn mark<M: Machine>(
    ui: &Ui,
    view: Rect,
    lane: &Lane<M>,
    past: &PastFrame,
    crowd: &CrowdPicture,
) {
    let scale = ui.ctx().pixels_per_point();
    let painter = ui.painter().with_clip_rect(view);
    // Where most ran, rings would say no more than the flashes do.
    let few = past.record.runs as usize * 2 <= lane.world().tasks().len();
    for place in past.ran().filter(|_| few).take(MOST_MARKED) {
        let (center, radius) = crowd.capsule(place, scale);
        inspect::mark(&painter, center, radius);
    }
}
