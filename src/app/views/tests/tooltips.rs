//! Tests of the tooltips in the top bar and the panels.

use super::*;

/// Rests the pointer on every control, and asserts that each tooltip is inside the window and does not cover its
/// control. Returns the names of the controls that have a tooltip.
pub fn check_tooltips(window: &mut Harness<'_, UiOutput>) -> Vec<String> {
    let screen = window.ctx.screen_rect();
    let mut explained = Vec::new();
    for Control { name, rect } in window.state().controls.clone() {
        let at = rect.left_top() + vec2(12.0, 8.0).min(rect.size() / 2.0);
        window.input_mut().events.push(Event::PointerMoved(at));
        window.run_steps(6);
        let Some(shown) = tooltip::shown(&window.ctx) else {
            continue;
        };
        let place = shown.place;
        assert!(
            shown.explained.contains(at),
            "{name} {rect} at {at} on {screen}: {shown:?}"
        );
        assert!(screen.contains_rect(place), "{name} at {screen}: {place}");
        let covered = place.intersect(shown.explained);
        assert!(!covered.is_positive(), "{name} at {screen}: {shown:?}");
        explained.push(name);
    }
    explained
}

/// Window sizes in which tooltips are checked, in points: two windows, each at scale 1 and 2.
pub const TOOLTIP_SIZES: [Vec2; 4] = [
    vec2(900.0, 600.0),
    vec2(1280.0, 800.0),
    vec2(450.0, 300.0),
    vec2(640.0, 400.0),
];

#[test]
fn no_tooltip_covers_its_control() {
    for size in TOOLTIP_SIZES {
        let mut window = main_view(state(), size);
        let controls = window.state().controls.len();
        let with_tooltip = check_tooltips(&mut window).len();
        // Two drop-down lists are exempt, because they explain their items instead.
        assert!(
            with_tooltip + 2 >= controls,
            "{with_tooltip} of {controls} at {size}"
        );
    }
}

#[test]
fn the_innermost_of_nested_controls_has_the_only_tooltip() {
    let mut window = window(vec2(600.0, 400.0), |ui, _| {
        let outer = Rect::from_min_size(pos2(100.0, 100.0), vec2(200.0, 100.0));
        let inner = Rect::from_min_size(pos2(120.0, 120.0), vec2(40.0, 20.0));
        for (area, sense) in [(outer, Sense::CLICK), (inner, Sense::hover())] {
            let response = ui.interact(area, ui.id().with(area.min.x as u32), sense);
            tooltip::offer(&response, "text");
        }
    });
    for (at, explained) in [(130.0, 40.0), (250.0, 200.0), (130.0, 40.0)] {
        window
            .input_mut()
            .events
            .push(Event::PointerMoved(pos2(at, 130.0)));
        window.run_steps(6);
        let shown = tooltip::shown(&window.ctx).expect("a tooltip");
        assert_eq!(shown.explained.width(), explained);
    }
}
