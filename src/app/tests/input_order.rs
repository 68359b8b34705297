//! Keys, clicks and Escape have the same effect in one frame as in a frame each, whatever their order.

use super::focus::{assert_quits, click_number, entities, typing};
use super::{Line, Window};
use headless::sim::random::{Rng, Stream};
use macroquad::input::MouseButton;

/// An action of the user: a key, a click on a control, or a click on the number of entities.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Key(&'static str),
    Click(&'static str),
    ClickNumber,
    /// A drag of 20 points to the right.
    Drag(&'static str),
}

/// The actions that take, use or release keyboard focus.
const FOCUS: [Action; 6] = [
    Action::Key("5"),
    Action::Key("Escape"),
    Action::Key("Tab"),
    Action::Key("Return"),
    Action::ClickNumber,
    Action::Click("tab:all-at-once"),
];

/// Other actions. None of them lets game time pass, because game time depends on the number of frames.
const OTHERS: [Action; 20] = [
    Action::Key("shift+Tab"),
    Action::Key("Up"),
    Action::Key("Right"),
    Action::Key("f"),
    Action::Key("h"),
    Action::Key("j"),
    Action::Key("l"),
    Action::Key("bracketright"),
    Action::Key("F1"),
    Action::Key("F2"),
    Action::Key("F3"),
    Action::Drag("entities"),
    Action::Drag("capsules"),
    Action::Click("loop"),
    Action::Click("loop:fixed-step"),
    Action::Click("columns"),
    Action::Click("lane:every-frame"),
    Action::Click("race:fixed-step"),
    Action::Click("tour:next"),
    Action::Click("revert:entities"),
];

/// Returns everything that input can change: the commands in the log, the settings, and keyboard focus.
fn outcome(window: &Window) -> (Vec<Line>, String) {
    let is_routine = |line: &Line| {
        let words = ["frame", "picture", "control", "settled"];
        words.iter().any(|words| line.matches(words))
    };
    let commands = window.log().into_iter().filter(|it| !is_routine(it));
    let state = window.state();
    let focus = window
        .context()
        .memory(|memory| (memory.focused(), memory.any_popup_open()));
    let rest = format!("{:?} {:?} {:?}", state.settings, state.interface, focus);
    (commands.collect(), rest)
}

/// Adds the input of an action to the next frame. Returns false if the action's control is not shown.
fn add(window: &mut Window, action: Action) -> bool {
    match action {
        Action::Key(name) => {
            window.add_key(name);
        }
        Action::Click(control) if !window.has(control) => return false,
        Action::Click(control) => {
            window.add_click(control);
        }
        Action::Drag(control) if !window.has(control) => return false,
        Action::Drag(control) => {
            let at = window.place(control).center();
            window.add_move(at.x, at.y);
            window.add_button(MouseButton::Left, true);
            window.add_move(at.x + 20.0, at.y);
            window.add_button(MouseButton::Left, false);
        }
        Action::ClickNumber if !window.has("entities") => return false,
        Action::ClickNumber => click_number(window),
    }
    true
}

#[test]
fn input_in_one_frame_does_what_it_does_in_several() {
    let mut rng = Rng::new(1, Stream::Requests);
    let mut window = Window::open(&[]);
    let mut action = || match rng.below(2) {
        0 => FOCUS[rng.below(FOCUS.len())],
        _ => OTHERS[rng.below(OTHERS.len())],
    };
    for _ in 0..60 {
        window.reopen(1, &[]);
        let (mut actions, mut all) = (Vec::new(), Vec::new());
        while actions.len() < 8 && !window.state().quits {
            let action = action();
            if add(&mut window, action) {
                actions.push(action);
                let input = window.take_input();
                all.extend_from_slice(&input);
                window.add_input(&input).frame();
                window.frame(); // a fast computer makes frames without input between two presses
            }
        }
        let apart = outcome(&window);
        window.reopen(1, &[]);
        window.add_input(&all).frame();
        window.frame();
        assert_eq!(outcome(&window), apart, "{actions:?}");
    }
}

#[test]
fn digits_before_escape_in_one_frame_are_no_hotkeys() {
    let mut window = typing();
    let strategy = window.state().settings.strategy;
    window.add_key("5").add_key("5").add_key("Escape").frame();
    assert_eq!(window.state().settings.strategy, strategy);
    assert_eq!(entities(&window), 400.0);
    assert!(!window.state().quits);
}

#[test]
fn a_number_is_clicked_typed_and_entered_in_one_frame() {
    let mut window = Window::open(&[]);
    click_number(&mut window);
    for key in ["1", "2", "Return", "1"] {
        window.add_key(key);
    }
    window.frame();
    assert_eq!(entities(&window), 12.0);
    assert_eq!(window.state().settings.strategy.key, "every-frame");
}

#[test]
fn escape_after_a_click_in_one_frame_closes_the_list() {
    let mut window = Window::open(&[]);
    window.add_click("loop").add_key("Escape").frame();
    assert!(!window.context().memory(egui::Memory::any_popup_open));
    assert!(!window.state().quits);
    assert_quits(&mut window, "after the list");
}

#[test]
fn a_click_hits_what_a_key_before_it_has_shown() {
    let mut window = Window::open(&[]);
    window.press("F2");
    let row = window.place("lane:max-per-frame").center();
    window.press("F1");
    assert!(window.place("capsules").contains(row));
    // F2 shows Compare, so the click selects a row there and pins no capsule.
    window.add_key("F2").add_click_at(row.x, row.y).frame();
    assert!(window.last("selected max-per-frame").is_some());
    assert!(window.last("pinned").is_none());
}
