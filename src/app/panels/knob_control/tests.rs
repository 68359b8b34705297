//! Tests of the knob control: dragging, typing with units, resetting, and the keyboard.

use super::*;
use crate::app::input::output::UiOutput;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{Node, Queryable};
use lab::sim::world::ENTITIES;

struct Screen {
    knob: &'static Knob,
    value: f64,
    sets: u32,
    typing: bool,
}

type Window = Harness<'static, Screen>;

fn window(knob: &'static Knob, value: f64) -> Window {
    let screen = Screen {
        knob,
        value,
        sets: 0,
        typing: false,
    };
    let size = vec2(400.0, 300.0); // tooltips have room below the control
    let builder = Harness::builder().with_size(size);
    let mut window = builder.build_ui_state(
        |ui, screen: &mut Screen| {
            ui.ctx().set_style(theme::style());
            let control = KnobControl {
                value: screen.value,
                ..KnobControl::new(screen.knob, &KnobValues::default())
            };
            let mut output = UiOutput::default();
            control.show(ui, &mut output);
            for command in output.commands {
                let Command::SetKnob(_, value) = command else {
                    panic!("{command:?}");
                };
                screen.value = value;
                screen.sets += 1;
            }
            tooltip::show(ui.ctx());
            screen.typing = output.typing;
        },
        screen,
    );
    window.run_steps(2);
    window
}

fn slider(window: &Window) -> Node<'_> {
    window.get_by_role(Role::Slider)
}

fn field(window: &Window) -> Node<'_> {
    window.get_by_role(Role::SpinButton)
}

/// Returns the area of a node in points. The window has one pixel per point.
fn place(node: &Node<'_>) -> Rect {
    let place = node.raw_bounds().expect("it is laid out");
    let corner = |x: f64, y: f64| pos2(x as f32, y as f32);
    Rect::from_min_max(corner(place.x0, place.y0), corner(place.x1, place.y1))
}

/// Returns the point at this fraction of the slider's rail.
fn on_track(window: &Window, fraction: f32) -> Pos2 {
    let place = place(&slider(window));
    let track = place.x_range().shrink(place.height() / 2.5);
    pos2(track.min + fraction * track.span(), place.center().y)
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

fn frame(window: &mut Window, events: impl IntoIterator<Item = Event>) {
    window.input_mut().events.extend(events);
    window.step();
}

fn click(window: &mut Window, at: Pos2) {
    frame(window, [Event::PointerMoved(at)]);
    frame(window, [button(at, true)]);
    frame(window, [button(at, false)]);
    window.step();
}

fn type_in(window: &mut Window, text: &str) {
    let at = place(&field(window)).center();
    click(window, at);
    assert!(window.state().typing);
    frame(window, [Event::Text(text.to_owned())]);
    window.press_key(Key::Enter);
    window.run_steps(2);
    assert!(!window.state().typing);
}

#[test]
fn a_drag_sets_the_value_under_the_pointer() {
    let mut window = window(&ENTITIES, 400.0);
    let (begin, end) = (on_track(&window, 0.2), on_track(&window, 1.0));
    frame(&mut window, [Event::PointerMoved(begin)]);
    frame(&mut window, [button(begin, true)]);
    assert!(window.state().value < 100.0, "{}", window.state().value);
    frame(&mut window, [Event::PointerMoved(end)]);
    assert_eq!(window.state().value, 1_000_000.0);
    frame(&mut window, [button(end, false)]);
    frame(&mut window, [Event::PointerMoved(begin)]);
    assert_eq!(window.state().value, 1_000_000.0, "released");
}

#[test]
fn a_cancelled_touch_changes_nothing() {
    let mut window = window(&ENTITIES, 400.0);
    let (begin, away) = (on_track(&window, 0.2), pos2(-32_000.0, -32_000.0));
    frame(&mut window, [Event::PointerMoved(begin)]);
    frame(&mut window, [button(begin, true)]);
    let pressed = window.state().value;
    frame(
        &mut window,
        [Event::PointerMoved(away), button(away, false)],
    );
    assert_eq!(window.state().value, pressed);
}

#[test]
fn a_number_is_selected_whole_by_a_double_click_and_by_tab() {
    let typed = |window: &mut Window| {
        frame(window, [Event::Text("7".to_owned())]);
        window.press_key(Key::Enter);
        window.run_steps(2);
        window.state().value
    };
    let mut window = window(&ENTITIES, 150_000.0);
    let digit = place(&field(&window)).left_center() + vec2(8.0, 0.0);
    frame(&mut window, [Event::PointerMoved(digit)]);
    for _ in 0..2 {
        frame(&mut window, [button(digit, true), button(digit, false)]);
    }
    window.step();
    assert_eq!(typed(&mut window), 7.0);

    let mut window = self::window(&ENTITIES, 150_000.0);
    while !window.state().typing {
        window.press_key(Key::Tab);
        window.run_steps(2);
    }
    assert_eq!(typed(&mut window), 7.0);
}

#[test]
fn typed_values_are_parsed_and_clamped_and_invalid_text_ignored() {
    for (text, value) in [
        ("20k", 20_000.0),
        ("2M", 1_000_000.0),
        ("-5", 0.0),
        ("many", 123.0),
        ("0,5", 123.0),
    ] {
        let mut window = window(&ENTITIES, 123.0);
        type_in(&mut window, text);
        assert_eq!(window.state().value, value, "{text}");
    }
}

#[test]
fn only_a_changed_value_has_a_reset_button() {
    let mut window = window(&ENTITIES, 400.0);
    let reset = "Reset Entities";
    assert!(window.query_by_label(reset).is_none());
    window.state_mut().value = 5.0;
    window.run_steps(2);
    let arrow = window.get_by_role_and_label(Role::Button, reset);
    let at = place(&arrow).center();
    frame(&mut window, [Event::PointerMoved(at)]);
    window.run_steps(6);
    assert!(tooltip::shown(&window.ctx).is_some());
    click(&mut window, at);
    assert_eq!((window.state().value, window.state().sets), (400.0, 1));
    assert!(window.query_by_label(reset).is_none());
}
