//! Tests of the pointer over the capsules and of the overlay on top of them.

use super::pointer::CapsulePointer;
use crate::app::crowd::Zoom;
use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::output::UiOutput;
use crate::app::platform::event_log::Log;
use crate::app::state::State;
use crate::app::state::command::{Command, GridCommand};
use crate::app::state::view::View;
use crate::app::tests::Window;
use crate::app::views::tests::window;
use egui::{Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, pos2, vec2};
use egui_kittest::Harness;
use lab::catalog::knob::KnobValues;
use lab::sim::settings::Settings;
use lab::sim::world::ENTITIES;
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
        Command::Grid(GridCommand::Request(slot)) => Some(*slot),
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
    let [at, next] = [first, first + 5].map(|slot| map.center(slot).unwrap());
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

fn map_of(window: &Window) -> ScreenMap {
    let slots = window.state().grid.lane.world().tasks().end();
    ScreenMap::new(slots, window.place("capsules"), 1.0)
}

fn click(window: &mut Window, at: Pos2) {
    window.click_at(at.x, at.y);
    window.frame();
}

fn pinned_slot(window: &Window) -> Option<u32> {
    window.state().grid.pin.map(|task| task.index)
}

#[test]
fn a_click_pins_a_capsule_or_on_empty_floor_the_target() {
    let mut window = Window::still(1, &["--entities", "9"]); // two rows of five, and the last slot is empty
    let map = map_of(&window);
    click(&mut window, map.center(3).unwrap());
    assert_eq!(pinned_slot(&window), Some(3));
    let floor = pos2(map.center(4).unwrap().x, map.center(5).unwrap().y);
    click(&mut window, floor);
    assert_eq!(pinned_slot(&window), None);
    assert_eq!(window.state().settings.target, None, "first the capsule");
    click(&mut window, floor);
    let target = window.state().settings.target.expect("it is pinned");
    assert!(map.to_screen(target).distance(floor) < 5.0);
    window.press("period");
    click(&mut window, floor);
    assert_eq!(window.state().settings.target, None, "released");
}

#[test]
fn a_click_where_the_pointer_leads_the_target_pins_the_capsule() {
    let mut window = Window::open(&["--entities", "9"]);
    let capsule = map_of(&window).center(4).unwrap();
    window.point(capsule.x, capsule.y);
    window.frames(3);
    click(&mut window, capsule);
    assert_eq!(pinned_slot(&window), Some(4));
    assert_eq!(window.state().settings.target, None);
}

#[test]
fn a_click_on_the_longest_wait_pins_its_entity() {
    let mut window = Window::still(60, &["--strategy", "max-per-frame", "--entities", "40"]);
    assert_eq!(window.state().grid.pin, None);
    window.click("stalest");
    assert!(window.state().grid.pin.is_some());
}
