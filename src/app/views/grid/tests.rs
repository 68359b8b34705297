//! Tests of the pointer over the capsules and of the overlay on top of them.

use crate::app::crowd::screen_map::ScreenMap;
use crate::app::tests::Window;
use egui::{Pos2, pos2};
use macroquad::input::KeyCode;

/// Drags along `path` with the primary button.
fn drag(window: &mut Window, path: &[Pos2]) {
    window.point(path[0].x, path[0].y);
    window.mouse_down();
    for ends in path.windows(2) {
        for step in 1..=30_u8 {
            let at = ends[0].lerp(ends[1], f32::from(step) / 30.0);
            window.point(at.x, at.y);
        }
    }
    window.mouse_up();
}

fn requests(window: &Window) -> Vec<u32> {
    let lines = window.logged("request").into_iter();
    let slot = |line: String| line.strip_prefix("request ")?.parse().ok();
    lines.filter_map(slot).collect()
}

#[test]
fn a_drag_requests_each_capsule_once_and_moves_nothing() {
    let flags = ["--strategy", "request-list", "--entities", "100000"];
    let mut window = Window::still(1, &flags);
    window.point(700.0, 300.0);
    window.turn_wheel(20);
    window.frames(60); // until the zoom ends
    let zoom = window.state().grid.zoom;
    let map = map_of(&window).zoomed(zoom);
    let first = map.slot_at(pos2(700.0, 300.0)).unwrap();
    let [at, next] = [first, first + 5].map(|slot| map.center(slot).unwrap());
    drag(&mut window, &[at, next]);
    let along: Vec<u32> = (first..=first + 5).collect();
    assert_eq!(requests(&window), along);
    let outside = pos2(window.place("capsules").right() + 30.0, next.y);
    drag(&mut window, &[next, outside, next]);
    let back = requests(&window).split_off(along.len());
    let (there, last) = (back.len() / 2, back.len() - 1);
    assert_eq!((back[0], back[last]), (first + 5, first + 5));
    assert!(back[..there].windows(2).all(|pair| pair[1] == pair[0] + 1));
    assert!(back[there..].windows(2).all(|pair| pair[1] + 1 == pair[0]));
    assert_eq!(window.state().grid.zoom, zoom);
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
    window.press(KeyCode::Period);
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
