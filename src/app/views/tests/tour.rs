//! Tests of the tour card in windows of many sizes.

use super::{click, window};
use crate::app::panels::tour_card::TourCard;
use crate::app::state::command::Command;
use crate::app::state::tests::state;
use crate::app::state::tour::STEPS;
use egui::{Rect, pos2, vec2};

#[test]
fn the_card_and_its_buttons_stay_inside_a_window_of_any_size() {
    for (width, height) in [
        (400.0, 400.0),
        (700.0, 300.0),
        (900.0, 600.0),
        (1920.0, 1080.0),
    ] {
        let mut state = state();
        state.apply(Command::Tour);
        for step in &STEPS {
            for is_done in [false, true] {
                let tour = state.tour.as_mut().unwrap();
                tour.is_done = is_done;
                let mut card = TourCard::default();
                let window = window(vec2(width, height), |ui, output| {
                    let area = ui.max_rect().with_min_y(80.0);
                    card.show(ui, area, Some(tour), output);
                });
                let places = &window.state().controls;
                let names: Vec<&str> = places.iter().map(|it| &*it.name).collect();
                assert!(names.contains(&"tour:card") && names.contains(&"tour:next"));
                let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
                let card = places
                    .iter()
                    .find(|it| it.name == "tour:card")
                    .unwrap()
                    .rect;
                for control in places {
                    assert!(
                        screen.contains_rect(control.rect),
                        "{}: {control:?}",
                        step.title
                    );
                    assert!(
                        card.contains_rect(control.rect),
                        "{}: {control:?}",
                        step.title
                    );
                }
            }
            state.apply(Command::WalkTour(1));
        }
    }
}

#[test]
fn buttons_walk_through_the_steps() {
    let mut state = state();
    state.apply(Command::Tour);
    state.apply(Command::WalkTour(1));
    let tour = state.tour.as_ref().unwrap();
    let mut card = TourCard::default();
    let mut window = window(vec2(900.0, 600.0), |ui, output| {
        card.show(ui, ui.max_rect(), Some(tour), output);
    });
    for (button, by) in [("tour:back", -1), ("tour:next", 1)] {
        click(&mut window, button);
        assert_eq!(window.state().commands.last(), Some(&Command::WalkTour(by)));
    }
}
