//! Tests of the tour.

use super::*;
use crate::app::platform::event_log::Log;
use crate::app::state::grid::WindowMachine;
use crate::app::state::tests::state;
use headless::experiment::loop_comparison::Side;
use headless::judge::Limit;
use headless::sim::machine::{DISPLAY_HZ, Machine, RENDER_MS, SPEED, Simulated};
use headless::sim::settings::FADE;
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::INTERVAL;

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
            Command::Point(Some(Point { x: 0.5, y: 0.2 })),
            Command::Point(Some(Point { x: 0.5, y: 0.2 })),
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
            Command::LowerTab(LowerTab::Timeline),
            Command::Zoom(PART),
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
        for text in [step.claim.outcome, step.claim.otherwise] {
            assert!(text.ends_with('.') && text.len() < 260, "{text}");
            assert!(
                (2..=3).contains(&text.matches(['.', '?']).count()),
                "{text}"
            );
        }
    }
}

/// Returns the outcome of a step of the Grid view on a simulated machine with these knobs.
fn outcome(step: usize, machine: &[(&'static Knob, f64)]) -> String {
    // As in a window, the lane expects 60 Hz whatever the display does.
    let mut settings = Settings::default();
    for &(knob, value) in machine.iter().filter(|it| *it.0 != DISPLAY_HZ) {
        settings.knobs.set(knob, value);
    }
    let machine = WindowMachine::Simulated(Simulated::new(&KnobValues::with(machine)));
    let mut state = State::on(machine, settings, View::Grid, Log::default());
    state.apply(Command::Tour);
    state.apply(Command::WalkTour(step.cast_signed()));
    let frames = |state: &mut State, secs: u64| {
        let start = state.grid.lane.machine().clock();
        while state.grid.lane.machine().clock() < start + Nanos::from_secs(secs) {
            state.frame();
        }
    };
    frames(&mut state, 3);
    match STEPS[step].done {
        Done::Command(command) => state.apply(command),
        Done::Entities(entities) => state.apply(Command::SetKnob(&ENTITIES, entities)),
        Done::Pointer(_) => {
            for x in [0.1, 0.9] {
                state.apply(Command::Point(Some(Point { x, y: 0.2 })));
            }
        }
    }
    let tour = |state: &State| {
        let tour = state.tour.as_ref().unwrap();
        (tour.is_done, tour.outcome.clone())
    };
    assert_eq!(tour(&state), (true, None), "step {step}");
    frames(&mut state, 1);
    assert_eq!(tour(&state), (true, None), "step {step}");
    frames(&mut state, 2);
    let outcome = tour(&state).1.expect("it is known");
    frames(&mut state, 3);
    assert_eq!(tour(&state).1.as_ref(), Some(&outcome), "it stays");
    assert!(!outcome.contains('{'), "{outcome}");
    outcome
}

const USUAL: &[(&Knob, f64)] = &[(&RENDER_MS, 2.0)];
const SLOW: &[(&Knob, f64)] = &[(&RENDER_MS, 130.0)];

#[test]
fn the_outcome_on_a_fast_machine_is_the_expected_one() {
    for (step, words) in [
        (
            0,
            "The median frame now takes 16.7 ms. Twice a second, however, one frame runs all 400 tasks and takes up to \
             42 ms.",
        ),
        (
            1,
            "A frame now runs at most 14 tasks instead of 400, and no frame takes more than 16.7 ms. Each task still \
             runs every 500 ms",
        ),
        (2, "up to 500 ms ago."),
        (
            3,
            "No frame takes more than 16.7 ms, and tasks take at most 0.4 ms of a frame. However, running every task \
             once now takes 8.33 s",
        ),
        (
            4,
            "The next update served all 400 requests, so its frame took 42 ms.",
        ),
        (5, "waited in a queue, and the queue was empty after"),
        (5, "No frame ran more than 40 tasks"),
    ] {
        let outcome = outcome(step, USUAL);
        assert!(outcome.contains(words), "{step}: {outcome}");
        assert!(!outcome.contains("because"), "{outcome}");
    }
}

#[test]
fn the_outcome_on_a_slow_machine_tells_why_it_differs() {
    for step in 0..6 {
        let outcome = outcome(step, SLOW);
        let why = "because drawing and scheduling alone take longer than 16.7 ms on average";
        assert!(outcome.contains(why), "{step}: {outcome}");
    }
    // Budgeted tasks cannot keep up with the requests at seven updates a second.
    assert!(outcome(5, SLOW).contains("the queue still held requests after"));
}

#[test]
fn other_causes_than_drawing_are_named() {
    for (machine, why) in [
        (
            (&SPEED, 0.05),
            "because the average task takes 2 ms instead of 0.1 ms.",
        ),
        (
            (&DISPLAY_HZ, 30.0),
            "because the display shows a frame every 33.3 ms instead of every 16.7 ms.",
        ),
    ] {
        let outcome = outcome(1, &[machine]);
        assert!(outcome.contains(why), "{outcome}");
    }
}

/// Returns the outcome of a step with an experiment that has run for some seconds.
fn outcome_of_experiment(step: usize, change: fn(&mut State)) -> String {
    let mut state = at_step(step);
    change(&mut state);
    state.apply(STEPS[step].command().unwrap());
    for _ in 0..40 {
        state
            .compare
            .advance(Nanos::from_millis(100), &state.settings);
        state.loop_comparison.advance(Nanos::from_millis(100));
    }
    state.compare.expire_reports();
    state.begin_experiment();
    state.watch_tour(WATCH_TIME);
    state.tour.unwrap().outcome.expect("it is known")
}

#[test]
fn outcomes_of_experiments_are_checked_too() {
    let compared = outcome_of_experiment(6, |_| {});
    assert!(compared.contains("has tried other settings"), "{compared}");
    let unlimited = outcome_of_experiment(6, |state| {
        for limit in [Limit::Tasks, Limit::Hitches] {
            state.compare.best_setting.limits.switch(limit);
        }
    });
    let all = STRATEGIES.len();
    assert!(
        unlimited.contains(&format!("{all} of {all} keep")),
        "{unlimited}"
    );

    let loops = outcome_of_experiment(7, |_| {});
    assert!(
        loops.contains("3 of 5 loops keep up with real time"),
        "{loops}"
    );
    let fast = outcome_of_experiment(7, |state| {
        state.loop_comparison.set_knob(Side::Slow, &RENDER_MS, 1.0);
        state.loop_comparison.set_knob(Side::Slow, &SPEED, 10.0);
    });
    assert!(fast.contains("but with these knobs"), "{fast}");
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
