//! Tests of the pointer over the capsules and of the overlay on top of them.

use crate::app::crowd::screen_map::ScreenMap;
use crate::app::tests::Window;
use egui::{Pos2, pos2};
use macroquad::input::KeyCode;

#[test]
fn a_drag_requests_runs_and_moves_nothing() {
    let flags = "--strategy request-list --entities 100";
    let mut window = Window::still(1, flags);
    let map = map_of(&window);
    let [from, to] = [11, 13].map(|slot| map.center(slot).unwrap());
    window.point(from.x, from.y);
    window.mouse_down();
    assert!(window.last("request").is_none(), "it may become a click");
    window.point(to.x, to.y);
    window.mouse_up();
    let requests = ["request 11", "request 12", "request 13"];
    assert_eq!(window.logged("request"), requests);
    assert_eq!(
        (pinned_slot(&window), &window.state().settings.target),
        (None, &None)
    );
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
    let mut window = Window::still(1, "--entities 9"); // two rows of five, and the last slot is empty
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
    window.press(KeyCode::Period);
    click(&mut window, floor);
    assert_eq!(window.state().settings.target, None, "released");
}

#[test]
fn a_click_where_the_pointer_leads_the_target_pins_the_capsule() {
    let mut window = Window::open("--entities 9");
    let capsule = map_of(&window).center(4).unwrap();
    window.point(capsule.x, capsule.y);
    window.frames(3);
    click(&mut window, capsule);
    assert_eq!(pinned_slot(&window), Some(4));
    assert_eq!(window.state().settings.target, None);
}

#[test]
fn a_click_on_the_longest_wait_pins_its_entity() {
    let mut window = Window::still(60, "--strategy max-per-frame --entities 40");
    assert_eq!(window.state().grid.pin, None);
    window.click("stalest");
    assert!(window.state().grid.pin.is_some());
}
