//! Tests of the pointer over the capsules and of the overlay on top of them.

use super::overlay::Overlay;
use super::pointer::CapsulePointer;
use crate::app::crowd::Zoom;
use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::output::UiOutput;
use crate::app::platform::event_log::Log;
use crate::app::state::State;
use crate::app::state::command::{Command, GridCommand};
use crate::app::state::tests::{frame, state};
use crate::app::state::view::View;
use crate::app::views::tests::{click_at, window};
use egui::epaint::ClippedShape;
use egui::{Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, Shape, Vec2, pos2, vec2};
use egui_kittest::Harness;
use lab::catalog::knob::KnobValues;
use lab::sim::settings::Settings;
use lab::sim::world::{ENTITIES, Point};
use std::cell::Cell;

/// The area of the capsules in the window.
const VIEW: Rect = Rect::from_min_max(pos2(200.0, 100.0), pos2(1200.0, 600.0));

fn zoomed(zoom: Zoom) -> ScreenMap {
    ScreenMap::new(100_000, VIEW, 1.0).zoomed(zoom)
}

/// Opens a window with a large crowd that keeps its `zoom`.
fn crowd(zoom: &Cell<Zoom>) -> Harness<'_, UiOutput> {
    let mut capsules = CapsulePointer::default();
    let settings = Settings {
        knobs: KnobValues::with(&[(&ENTITIES, 100_000.0)]),
        ..Settings::default()
    };
    let state = State::still(0, settings, View::Grid, Log::default());
    window(vec2(1280.0, 800.0), move |ui, output| {
        let pointer = ui.input(|input| input.pointer.latest_pos());
        let inside = pointer.filter(|&at| VIEW.contains(at));
        capsules.listen(ui, &zoomed(zoom.get()), inside, &state, output);
        for command in &output.commands {
            if let Command::Grid(GridCommand::Zoom(new)) = command {
                zoom.set(*new);
            }
        }
    })
}

fn turn(window: &mut Harness<'_, UiOutput>, at: Pos2, steps: f32, modifiers: Modifiers) {
    let events = &mut window.input_mut().events;
    events.push(Event::PointerMoved(at));
    events.push(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, steps),
        modifiers,
    });
    window.run_steps(60);
}

/// Drags along `path` with the primary button, in steps of at most 20 points.
fn drag(window: &mut Harness<'_, UiOutput>, path: &[Pos2]) {
    let button = |pos: Pos2, pressed: bool| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let mut send = |event: Event| {
        window.input_mut().events.push(event);
        window.step();
    };
    send(Event::PointerMoved(path[0]));
    send(button(path[0], true));
    for ends in path.windows(2) {
        let steps = ((ends[1] - ends[0]).length() / 20.0).ceil() as u32;
        for step in 1..=steps {
            let at = ends[0].lerp(ends[1], step as f32 / steps as f32);
            send(Event::PointerMoved(at));
        }
    }
    send(button(path[path.len() - 1], false));
}

fn requests(window: &Harness<'_, UiOutput>) -> Vec<u32> {
    let commands = window.state().commands.iter();
    let requests = commands.filter_map(|command| match command {
        Command::Grid(GridCommand::Request(place)) => Some(*place),
        _ => None,
    });
    requests.collect()
}

#[test]
fn a_drag_requests_each_capsule_once_and_moves_nothing() {
    let zoom = Cell::new(Zoom::ALL);
    let mut window = crowd(&zoom);
    turn(&mut window, pos2(700.0, 300.0), 20.0, Modifiers::NONE);
    let (before, map) = (zoom.get(), zoomed(zoom.get()));
    let first = map.slot_at(pos2(700.0, 300.0)).unwrap();
    let [at, next] = [first, first + 5].map(|place| map.center(place).unwrap());
    drag(&mut window, &[at, next]);
    let along: Vec<u32> = (first..=first + 5).collect();
    assert_eq!(requests(&window), along);
    let outside = pos2(VIEW.right() + 30.0, next.y);
    drag(&mut window, &[next, outside, next]);
    let back = requests(&window).split_off(along.len());
    let (there, last) = (back.len() / 2, back.len() - 1);
    assert_eq!((back[0], back[last]), (first + 5, first + 5));
    assert!(back[..there].windows(2).all(|pair| pair[1] == pair[0] + 1));
    assert!(back[there..].windows(2).all(|pair| pair[1] + 1 == pair[0]));
    assert_eq!(zoom.get(), before);
}

const SIZE: Vec2 = vec2(1028.0, 452.0);

fn map_of(state: &State) -> ScreenMap {
    let view = Rect::from_min_size(pos2(252.0, 122.0), SIZE);
    ScreenMap::new(state.grid.lane.world().tasks().end(), view, 1.0)
}

fn texts(state: &State) -> Vec<String> {
    let text = |clipped: ClippedShape| match clipped.shape {
        Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    };
    shapes(state, None).into_iter().filter_map(text).collect()
}

/// Returns the shapes of the overlay while the pointer is over the capsule in slot `hovered`.
fn shapes(state: &State, hovered: Option<u32>) -> Vec<ClippedShape> {
    let map = map_of(state);
    let output = egui::Context::default().run(egui::RawInput::default(), |ctx| {
        egui::CentralPanel::default().show(ctx, |ui| {
            let overlay = Overlay {
                painter: ui.painter().clone(),
                map: &map,
                state,
            };
            overlay.paint(false, hovered, Rect::NOTHING);
        });
    });
    output.shapes
}

#[test]
fn pointer_is_the_target_only_while_the_game_runs() {
    let mut state = state();
    let is_led = |state: &State| texts(state) == ["target: your pointer"];
    frame(&mut state);
    assert_eq!(texts(&state), ["target"], "no pointer");
    state.apply(Command::Grid(GridCommand::Point(Some(Point {
        x: 0.5,
        y: 0.25,
    }))));
    frame(&mut state);
    assert!(is_led(&state));
    state.apply(Command::Pause);
    assert!(!is_led(&state), "paused");
    state.apply(Command::Step);
    frame(&mut state);
    assert!(!is_led(&state), "after a step");
    state.apply(Command::Grid(GridCommand::Walk(-1)));
    assert!(state.grid.past().is_some());
    assert!(!is_led(&state), "in a past frame");
    state.apply(Command::Pause);
    frame(&mut state);
    assert!(is_led(&state), "running again");
}

fn clicked(state: &State, at: Pos2) -> Command {
    let (map, mut capsules) = (map_of(state), CapsulePointer::default());
    let mut window = window(vec2(1280.0, 800.0), |ui, output| {
        let pointer = ui.input(|input| input.pointer.latest_pos());
        capsules.listen(ui, &map, pointer, state, output);
        let is_move = |it: &Command| matches!(it, Command::Grid(GridCommand::Point(_)));
        output.commands.retain(|command| !is_move(command));
    });
    click_at(&mut window, at);
    window.state().commands[0]
}

#[test]
fn a_click_pins_a_capsule_or_on_empty_floor_the_target() {
    let mut state = state();
    frame(&mut state);
    state.apply(Command::SetKnob(&ENTITIES, 9.0)); // two rows of five, and the last slot is empty
    let map = map_of(&state);
    let capsule = map.center(3).unwrap();
    assert_eq!(
        clicked(&state, capsule),
        Command::Grid(GridCommand::Pin(Some(3)))
    );
    let floor = pos2(map.center(4).unwrap().x, map.center(5).unwrap().y);
    let command = clicked(&state, floor);
    let Command::Grid(GridCommand::PinTargetAt(Some(point))) = command else {
        panic!("{command:?}");
    };
    assert!((map.to_screen(point) - floor).length() < 5.0);
    state.apply(Command::Grid(GridCommand::Pin(Some(3))));
    assert_eq!(
        clicked(&state, floor),
        Command::Grid(GridCommand::Pin(None)),
        "first the capsule"
    );
    state.apply(Command::Grid(GridCommand::Pin(None)));
    state.apply(command);
    frame(&mut state);
    let target = map.to_screen(state.grid.lane.world().target());
    assert!((target - floor).length() < 5.0);
    assert_eq!(clicked(&state, target), Command::PinTarget);
    state.apply(Command::PinTarget);
    assert_eq!(state.settings.target, None, "released");
}

#[test]
fn a_click_where_the_pointer_leads_the_target_pins_the_capsule() {
    let mut state = state();
    frame(&mut state);
    let map = map_of(&state);
    let at = map.center(4).unwrap();
    state.apply(Command::Grid(GridCommand::Point(Some(map.to_world(at)))));
    frame(&mut state);
    assert_eq!(
        clicked(&state, at),
        Command::Grid(GridCommand::Pin(Some(4)))
    );
    state.apply(Command::Pause);
    assert_eq!(clicked(&state, at), Command::PinTarget, "it rests");
    state.apply(Command::Grid(GridCommand::Walk(-1)));
    let command = clicked(&state, at);
    assert_eq!(
        command,
        Command::Grid(GridCommand::Pin(Some(4))),
        "in a past frame"
    );
}
