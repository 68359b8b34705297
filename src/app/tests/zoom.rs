//! The wheel over the capsules magnifies them.

use super::Window;

fn factor(window: &Window) -> f64 {
    window.state().grid.zoom.factor
}

#[test]
fn the_wheel_magnifies_until_home_shows_all() {
    let mut window = Window::still(60, &["--entities", "20000"]);
    let view = window.place("capsules");
    window.point(view.left() + 300.0, view.top() + 180.0);
    window.turn_wheel(30);
    window.frames(60); // egui spreads a step over several frames
    assert!(factor(&window) > 5.0, "{}", factor(&window));
    assert!(window.has("overview"));
    window.press("Home");
    assert_eq!(factor(&window), 1.0);
    window.press_for("Home", "look 0");
}

#[test]
fn the_wheel_over_the_plots_magnifies_no_capsules() {
    let mut window = Window::open(&["--entities", "10000"]);
    window.point_at("part:plots");
    window.turn_wheel(-1);
    window.frames(20);
    assert!(window.last("zoomed").is_some());
    assert_eq!(factor(&window), 1.0);
}

#[test]
fn shift_lets_a_drag_move_the_crowd() {
    let mut window = Window::open(&["--entities", "20000"]);
    window.point(800.0, 300.0);
    window.turn_wheel(12);
    window.frames(20);
    let center = |window: &Window| window.state().grid.zoom.center;
    for _ in 0..2 {
        let before = center(&window);
        window.hold_shift(true);
        window.mouse_down();
        window.point(700.0, 350.0);
        window.frame();
        window.mouse_up();
        window.hold_shift(false);
        assert_ne!(center(&window), before);
        window.point(800.0, 300.0);
    }
    assert!(
        window.last("request").is_none(),
        "the drag requests no runs"
    );
}
