//! Tests of the charts, without a display.

use super::painting::strategy_colour;
use super::*;
use crate::app::state::compare::Offer;
use crate::app::views::compare::tests::Fixture;
use crate::app::views::tests::{
    assert_no_texts_overlap, click, click_at, place, shows, texts, window,
};
use egui::{Event, Pos2};
use egui_kittest::Harness;
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::BUDGET;
use lab::judge::{Limit, Setting};
use lab::sim::world::{COST, ENTITIES, Point};

const REST: Option<Point> = Some(Point { x: 0.4, y: 0.2 });
const WORK: [(&Knob, f64); 2] = [(&ENTITIES, 150.0), (&COST, 30.0)];

/// The sizes of the window, without bars, and of the chart below the table.
const WINDOWS: [[Vec2; 2]; 3] = [
    [vec2(900.0, 556.0), vec2(648.0, 150.0)],
    [vec2(1280.0, 756.0), vec2(576.0, 168.0)],
    [vec2(1920.0, 1036.0), vec2(734.0, 280.0)],
];
const PANEL_WIDTH: f32 = 252.0;

/// Returns a state in which Compare has run for ten seconds and its searches are complete.
fn compared(
    set: &[(&Knob, f64)],
    target: Option<Point>,
    chart: Chart,
    over: &'static Knob,
) -> State {
    let settings = Settings {
        knobs: KnobValues::with(set),
        target,
        ..Settings::default()
    };
    let mut fixture = Fixture::with(&settings);
    fixture.state.compare.chart = chart;
    fixture.state.compare.best_setting.over = over;
    fixture.advance(9);
    fixture.search(true);
    fixture.state
}

/// Shows the chart where the Compare view shows it, below the table and to the right of the panel.
fn shown(state: &State, [window_size, size]: [Vec2; 2]) -> Harness<'_, UiOutput> {
    window(window_size, move |ui, output| {
        let corner = pos2(PANEL_WIDTH, window_size.y - size.y);
        show(ui, Rect::from_min_size(corner, size), state, output);
    })
}

fn point_at(window: &mut Harness<'_, UiOutput>, at: Pos2) {
    window.input_mut().events.push(Event::PointerMoved(at));
    window.run_steps(5); // until the tooltip appears
}

/// Moves the pointer over the plot until the tooltip describes a setting that a click sets. Returns the pointer's
/// position and the first line of the tooltip.
fn find_setting(window: &mut Harness<'_, UiOutput>, plot: Rect) -> (Pos2, String) {
    for x in (1..10).map(|step| step as f32 / 10.0) {
        for y in (1..12).map(|step| step as f32 / 12.0) {
            let at = plot.lerp_inside(vec2(x, y));
            point_at(window, at);
            let texts = texts(window);
            let mut tooltips = texts
                .iter()
                .filter(|(text, ..)| text.contains("\nClick to set"));
            if let Some((text, ..)) = tooltips.next()
                && !text.contains("recommended setting")
            {
                return (at, text.lines().next().unwrap_or_default().to_owned());
            }
        }
    }
    panic!("there is no curve");
}

fn click_on(window: &mut Harness<'_, UiOutput>, at: Pos2) -> Vec<Command> {
    let before = window.state().commands.len();
    click_at(window, at);
    window.state().commands[before..].to_vec()
}

/// Divides the commands of a click into the lane that they select, and those that set knobs.
fn lane_and_knobs(commands: &[Command]) -> (usize, &[Command]) {
    match commands.split_last() {
        Some((Command::Compare(CompareCommand::SelectLane(lane)), sets)) => (*lane, sets),
        _ => panic!("{commands:?}"),
    }
}

#[test]
fn a_click_on_a_curve_sets_what_its_tooltip_names() {
    let mut state = compared(&WORK, REST, Chart::TradeOff, &BUDGET);
    for (is_absolute, size) in [true, false].into_iter().zip(WINDOWS) {
        state.compare.is_absolute = is_absolute;
        let mut window = shown(&state, size);
        let plot = place(&window, "trade-off").unwrap();
        let (at, title) = find_setting(&mut window, plot);
        let commands = click_on(&mut window, at);
        let (lane, sets) = lane_and_knobs(&commands);
        let mut knobs = state.settings.knobs.clone();
        for set in sets {
            let Command::SetKnob(knob, value) = *set else {
                panic!("{commands:?}");
            };
            knobs.set(knob, value);
        }
        let strategy = STRATEGIES[lane];
        let setting = strategy
            .main_knob()
            .map_or_else(Setting::default, |knob| Setting::of(knob, knobs.get(knob)));
        assert_eq!(title, lab::judge::named(strategy, &setting));
    }
}

#[test]
fn the_recommended_setting_has_a_dot_until_it_is_set() {
    let mut state = compared(&WORK, REST, Chart::TradeOff, &BUDGET);
    let recommendation = state.compare.best_setting.recommendation();
    let best = recommendation.unwrap().best.unwrap();
    let tuned = format!("tuned:{}", STRATEGIES[best].key);
    let mut window = shown(&state, WINDOWS[1]);
    let at = place(&window, &tuned).expect("it is not set").center();
    point_at(&mut window, at);
    assert!(shows(&window, "the recommended setting"));
    let apply = Command::Compare(CompareCommand::Apply(Offer::Strategy(best)));
    assert_eq!(click_on(&mut window, at), [apply]);
    drop(window);
    state.apply(apply);
    let mut fixture = Fixture { state };
    fixture.advance(10);
    let window = shown(&fixture.state, WINDOWS[1]);
    assert!(place(&window, &tuned).is_none());
    let dot = format!("dot:{}", STRATEGIES[best].key);
    assert!(place(&window, &dot).is_some());
}

#[test]
fn crossovers_name_the_best_and_a_click_sets_what_is_shown() {
    for (knob, now) in [(&BUDGET, "now 4 ms"), (&COST, "now 30 µs")] {
        let state = compared(&WORK, REST, Chart::Crossovers, knob);
        let found = state.compare.best_setting.crossovers().unwrap();
        let mut window = shown(&state, WINDOWS[1]);
        assert!(shows(&window, now), "{now}");
        let sections = window.state().controls.iter();
        let sections = sections.filter_map(|it| it.name.strip_prefix("best:"));
        let ranges = found.ranges.iter();
        let keys = ranges.map(|it| it.strategy.map_or("none", |strategy| strategy.key));
        assert!(keys.eq(sections));

        let plot = place(&window, "crossovers").unwrap();
        let (at, title) = find_setting(&mut window, plot);
        let commands = click_on(&mut window, at);
        let (lane, sets) = lane_and_knobs(&commands);
        let value = match sets[0] {
            Command::SetKnob(over, value) if over == knob => value,
            Command::Compare(CompareCommand::SetLimit(Limit::Tasks, limit)) => {
                limit.as_millis_f64()
            }
            _ => panic!("{commands:?}"),
        };
        let column = found.columns.iter().find(|it| it.value == value).unwrap();
        let choice = &column.recommendation.choices[lane];
        assert!(title.starts_with(&choice.words()), "{title}");
        let tried = column.recommendation.settings(choice).knobs;
        for set in &sets[1..] {
            let Command::SetKnob(knob, value) = *set else {
                panic!("{commands:?}");
            };
            assert_eq!(tried.get(knob), value);
        }
    }
}

#[test]
fn tabs_and_list_choose_what_is_shown() {
    let mut state = compared(&WORK, REST, Chart::TradeOff, &BUDGET);
    for size in WINDOWS {
        state.compare.chart = Chart::TradeOff;
        let mut window = shown(&state, size);
        click(&mut window, "chart:Trade-off");
        click(&mut window, "chart:Crossovers");
        click(&mut window, "trade-off:Absolute");
        let commands = [
            Command::Compare(CompareCommand::Chart(Chart::Crossovers)),
            Command::Compare(CompareCommand::Absolute),
        ];
        assert_eq!(window.state().commands, commands);
        drop(window);
        state.compare.chart = Chart::Crossovers;
        let mut window = shown(&state, size);
        assert!(place(&window, "trade-off:Absolute").is_none());
        click(&mut window, "over");
        window.run_steps(2);
        click(&mut window, "over:cost-us");
        assert_eq!(
            window.state().commands,
            [Command::Compare(CompareCommand::Over(&COST))]
        );
    }
}

#[test]
fn what_the_chart_compares_with_is_said() {
    for (target, reference) in [
        (None, "relative to the most efficient setting"),
        (REST, "relative to the theoretical minimum"),
    ] {
        let mut state = compared(&WORK, target, Chart::TradeOff, &BUDGET);
        let window = shown(&state, WINDOWS[1]);
        assert!(shows(&window, "limit: 4 ms of 16.7 ms") && !shows(&window, "relative"));
        drop(window);
        state.compare.is_absolute = false;
        assert!(shows(&shown(&state, WINDOWS[1]), reference));
    }
}

#[test]
fn strategies_have_different_colours() {
    for (nth, one) in STRATEGIES.iter().enumerate() {
        for other in &STRATEGIES[..nth] {
            let [first, second] = [one, other].map(|strategy| strategy_colour(strategy));
            let difference = |channel| u32::from(first[channel].abs_diff(second[channel]));
            let sum = (0..3).map(difference).sum::<u32>();
            assert!(sum >= 24, "{} and {}", one.key, other.key);
        }
    }
}

#[test]
fn no_texts_overlap_and_all_are_inside() {
    for set in [&WORK[..], &[(&ENTITIES, 0.0)], &[(&ENTITIES, 1.0)]] {
        for (chart, target) in [(Chart::TradeOff, REST), (Chart::Crossovers, None)] {
            let state = compared(set, target, chart, &BUDGET);
            for [window_size, size] in WINDOWS {
                let window = shown(&state, [window_size, size]);
                let corner = pos2(PANEL_WIDTH, window_size.y - size.y);
                let area = Rect::from_min_size(corner, size);
                for (text, at, _) in texts(&window) {
                    assert!(
                        area.expand(0.5).contains_rect(at),
                        "{text} of {chart:?} at {at}"
                    );
                }
                assert_no_texts_overlap(&window, &format!("{chart:?}"));
            }
        }
    }
}
