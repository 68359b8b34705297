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
use lab::judge::{Setting, named};
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

/// Gives the commands of a point, and asserts that they set the knobs of this choice and select its strategy.
fn assert_sets(state: &mut State, commands: Vec<Command>, lane: usize, setting: &Setting) {
    for command in commands {
        state.apply(command);
    }
    for (knob, value) in &setting.values {
        assert_eq!(state.settings.knobs.get(knob), *value, "{}", knob.key);
    }
    assert_eq!(state.compare.selected, Some(lane));
}

#[test]
fn each_point_of_a_curve_sets_what_its_tooltip_names() {
    let mut state = compared(&WORK, REST, Chart::TradeOff, &BUDGET);
    for (lane, curve) in state
        .compare
        .best_setting
        .curves()
        .to_vec()
        .iter()
        .enumerate()
    {
        for (index, point) in curve.points.iter().enumerate() {
            let trade_off = trade_off::trade_off(&state);
            let described = trade_off::describe_point(&trade_off, lane, index, &state).unwrap();
            assert_eq!(described.title, named(STRATEGIES[lane], &point.setting));
            let commands = described.commands.clone();
            drop(trade_off);
            assert_sets(&mut state, commands, lane, &point.setting);
        }
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
    click_at(&mut window, at);
    assert_eq!(window.state().commands, [apply]);
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
fn crossovers_name_the_best_and_each_point_sets_its_workload() {
    for (knob, now) in [(&BUDGET, "now 4 ms"), (&COST, "now 30 µs")] {
        let mut state = compared(&WORK, REST, Chart::Crossovers, knob);
        let found = state.compare.best_setting.crossovers().unwrap();
        let columns = found.columns.clone();
        let window = shown(&state, WINDOWS[1]);
        assert!(shows(&window, now), "{now}");
        let sections = window.state().controls.iter();
        let sections = sections.filter_map(|it| it.name.strip_prefix("best:"));
        let ranges = found.ranges.iter();
        let keys = ranges.map(|it| it.strategy.map_or("none", |strategy| strategy.key));
        assert!(keys.eq(sections));
        drop(window);
        for (index, column) in columns.iter().enumerate() {
            for choice in &column.recommendation.choices {
                let described = crossovers::describe(choice.lane, index, &state).unwrap();
                assert!(described.title.starts_with(&choice.words()));
                let commands = described.commands.clone();
                assert_sets(&mut state, commands, choice.lane, &choice.setting);
                let present = state.compare.best_setting.present(&state.settings);
                assert_eq!(present, column.value);
            }
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
