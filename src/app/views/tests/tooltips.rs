//! Tests of the tooltips.

use super::*;

#[test]
fn no_tooltip_covers_what_it_explains() {
    let mut window = Window::still(0, &[]);
    for view in ["grid", "compare", "loops"] {
        // Two windows, each at scale 1 and 2.
        for size in ["900x600", "1280x800", "450x300", "640x400"] {
            window.reopen(60, &["--view", view, "--size", size, "--entities", "50"]);
            let screen = window.context().screen_rect();
            let mut explained = 0;
            for (name, rect) in window.places() {
                let at = rect.left_top() + vec2(12.0, 8.0).min(rect.size() / 2.0);
                window.rest_at(at);
                if let Some(shown) = tooltip::shown(window.context()) {
                    let case = format!("{name} at {at} of {view} {size}: {shown:?}");
                    assert!(shown.explained.contains(at), "{case}");
                    assert!(screen.contains_rect(shown.place), "{case}");
                    let covered = shown.place.intersect(shown.explained);
                    assert!(!covered.is_positive(), "{case}");
                    explained += 1;
                }
            }
            assert!(explained > 8, "{explained} of {view} {size}");
        }
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
