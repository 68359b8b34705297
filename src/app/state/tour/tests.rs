//! Tests of the tour.

use super::*;
use crate::app::state::tests::state;
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::INTERVAL;
use lab::sim::settings::FADE;

const PART: Zoom = Zoom {
    factor: 12.0,
    center: (0.3, 0.7),
};

/// Returns a state at this step of the tour.
fn at_step(step: usize) -> State {
    let mut state = state();
    state.apply(Command::Tour);
    state.apply(Command::WalkTour(step.cast_signed()));
    assert_eq!(state.tour.as_ref().unwrap().step, step);
    state
}

fn is_done(state: &State) -> bool {
    state.tour.as_ref().unwrap().is_done
}

#[test]
fn no_step_is_done_by_something_else() {
    for (index, step) in STEPS.iter().enumerate() {
        let mut state = at_step(index);
        for entry in STRATEGIES {
            if step.command() != Some(Command::Strategy(entry)) {
                state.apply(Command::Strategy(entry));
            }
        }
        for command in [
            Command::Pause,
            Command::SetKnob(&FADE, 300.0),
            Command::Disturb(Disturbance::Stall),
            Command::Grid(GridCommand::Point(Some(Point { x: 0.5, y: 0.2 }))),
            Command::Grid(GridCommand::Point(Some(Point { x: 0.5, y: 0.2 }))),
            Command::Step,
        ] {
            state.apply(command);
        }
        assert!(!is_done(&state), "{}", step.title);
    }
}

#[test]
fn a_step_is_done_however_its_strategy_was_chosen() {
    let mut state = at_step(0);
    state.apply(Command::StepStrategy(1));
    assert!(is_done(&state));
}

#[test]
fn everything_that_the_tour_changes_returns_after_it() {
    let ways: [fn(&mut State); 3] = [
        |state| state.apply(Command::Tour),
        |state| state.apply(Command::Escape),
        |state| {
            for _ in 0..STEPS.len() {
                state.apply(Command::WalkTour(1));
            }
        },
    ];
    for end in ways {
        let mut state = state();
        state.apply(Command::SetKnob(&INTERVAL, 2.0));
        for command in [
            Command::Colours(ColourMode::Staleness),
            Command::Grid(GridCommand::LowerTab(LowerTab::Timeline)),
            Command::Grid(GridCommand::Zoom(PART)),
            Command::Panels,
            Command::View(View::Loops),
        ] {
            state.apply(command);
        }
        state.frame();
        state.apply(Command::Tour);
        assert_eq!(state.view, View::Grid);
        assert_eq!(state.settings.knobs.get(&INTERVAL), INTERVAL.default);
        assert_eq!(state.grid.zoom, Zoom::ALL);
        state.apply(Command::SetKnob(&ENTITIES, 2000.0));
        end(&mut state);
        assert!(state.tour.is_none() && !state.quits);
        assert_eq!(state.view, View::Loops);
        assert_eq!(state.colours, ColourMode::Staleness);
        assert_eq!(state.grid.lower, LowerTab::Timeline);
        assert_eq!(state.grid.zoom, PART);
        assert!(!state.interface.panels);
        for settings in [&state.settings, state.grid.lane.settings()] {
            assert_eq!(settings.knobs.get(&INTERVAL), 2.0);
            assert_eq!(settings.knobs.get(&ENTITIES), 10.0);
        }
    }
}

#[test]
fn texts_are_short_and_end_as_sentences() {
    for step in &STEPS {
        assert!(step.question.ends_with('?'), "{}", step.question);
        assert!(step.task.ends_with('.'), "{}", step.task);
        assert!(step.question.len() < 260, "{}", step.question);
        let text = step.explanation;
        assert!(text.ends_with('.') && text.len() < 260, "{text}");
    }
}

#[test]
fn a_new_scene_has_no_lasting_disturbances() {
    let mut state = at_step(3);
    for disturbance in [
        Disturbance::SlowDisplay,
        Disturbance::Heavy,
        Disturbance::KillAll,
    ] {
        state.apply(Command::Disturb(disturbance));
    }
    state.apply(Command::WalkTour(1));
    let lane = &state.grid.lane;
    assert!(!lane.has_slow_display() && lane.world().heavy_task().is_none());
    assert_eq!(lane.world().tasks().len(), 400);
}
