//! Tests of the charts, in a window without a display.

use super::model::StrategyCurve;
use super::painting::strategy_colour;
use super::*;
use crate::app::tests::Window;
use lab::catalog::knob::Knob;
use lab::recommend::named;
use lab::sim::world::COST;

const PLOT: Rect = Rect {
    min: pos2(100.0, 50.0),
    max: pos2(500.0, 250.0),
};

const WORK: &str = "--entities 150 --cost-us 30 --target 0.4,0.2";

/// Opens a window in which Compare has run for ten seconds and its searches are complete.
fn compared(work: &str, chart: Chart, over: &'static Knob) -> Window {
    let mut window = Window::still(600, &format!("--view compare {work}"));
    window.give(CompareCommand::Over(over));
    if chart == Chart::Crossovers {
        window.give(CompareCommand::SwitchChart);
    }
    window.search();
    window
}

/// Gives the commands of a point, and asserts that they set the knobs of this choice and select its strategy.
fn assert_sets(window: &mut Window, commands: Vec<Command>, lane: usize, setting: &Setting) {
    for command in commands {
        window.give(command);
    }
    let state = window.state();
    for (knob, value) in &setting.values {
        assert_eq!(state.settings.knobs.get(knob), *value, "{}", knob.key);
    }
    assert_eq!(state.compare.selected, Some(lane));
}

#[test]
fn each_point_of_a_curve_sets_what_its_tooltip_names() {
    let mut window = compared(WORK, Chart::TradeOff, &BUDGET);
    let curves = window.state().compare.best_setting.curves().to_vec();
    for (lane, curve) in curves.iter().enumerate() {
        for (index, point) in curve.iter().enumerate() {
            let state = window.state();
            let described = trade_off::describe_point(lane, index, state).unwrap();
            assert_eq!(described.title, named(STRATEGIES[lane], &point.setting));
            let commands = described.commands.clone();
            assert_sets(&mut window, commands, lane, &point.setting);
        }
    }
}

#[test]
fn the_best_setting_has_a_dot_that_sets_it() {
    let mut window = compared(WORK, Chart::TradeOff, &BUDGET);
    let recommendation = window.state().compare.best_setting.recommendation();
    let best = recommendation.unwrap().best.unwrap();
    let tuned = format!("tuned:{}", STRATEGIES[best].key);
    let at = window.place(&tuned).center();
    window.rest_at(at);
    assert!(window.shows("the best setting"));
    assert!(window.shows("limit: 4 ms of 16.7 ms") && window.shows("theoretical minimum"));
    window.click(&tuned);
    let state = window.state();
    assert_eq!(state.compare.selected, Some(best));
    let recommendation = state.compare.best_setting.recommendation();
    let choice = &recommendation.unwrap().choices[best];
    assert_eq!(state.settings.strategy, choice.strategy);
    let missing = knobs_to_set(choice.strategy, &choice.setting, &state.settings);
    assert!(missing.is_empty());
}

#[test]
fn crossovers_name_the_best_and_each_point_sets_its_workload() {
    for (knob, now) in [(&BUDGET, "now 4 ms"), (&COST, "now 30 µs")] {
        let mut window = compared(WORK, Chart::Crossovers, knob);
        assert!(window.shows(now), "{now}");
        let found = window
            .state()
            .compare
            .best_setting
            .final_crossovers()
            .unwrap();
        let columns = found.columns.clone();
        let places = window.places();
        let sections = places
            .iter()
            .filter_map(|(name, _)| name.strip_prefix("best:"));
        let ranges = found.ranges.iter();
        let keys = ranges.map(|it| it.strategy.map_or("none", |strategy| strategy.key));
        assert!(keys.eq(sections));
        for (index, column) in columns.iter().enumerate() {
            for choice in &column.recommendation.choices {
                let described = crossovers::describe(choice.lane, index, window.state()).unwrap();
                assert!(described.title.starts_with(&choice.words()));
                let commands = described.commands.clone();
                assert_sets(&mut window, commands, choice.lane, &choice.setting);
                let state = window.state();
                let present = state.compare.best_setting.present(&state.settings);
                assert_eq!(present, column.value);
            }
        }
    }
}

#[test]
fn nothing_is_below_the_theoretical_minimum() {
    let mut window = compared(WORK, Chart::TradeOff, &BUDGET);
    for _ in OBJECTIVE_BUTTONS {
        let chart = trade_off::chart(window.state(), PLOT).unwrap();
        let [left, right] = chart.bound.expect("it is known").ends;
        let marks = chart.marks.iter().map(|mark| mark.at);
        let points = chart.curves.iter().flat_map(|curve| &curve.points);
        for at in marks.chain(points.map(|point| point.at)) {
            let minimum = left.y + (at.x - left.x) / (right.x - left.x) * (right.y - left.y);
            assert!(
                at.y <= minimum.max(PLOT.top()) + 0.01,
                "{at:?} is below {minimum}"
            );
        }
        window.give(CompareCommand::TradeOff);
        window.search();
    }
}

#[test]
fn a_ribbon_covers_the_plot_and_names_the_limit_that_ends_it() {
    let window = compared(&format!("{WORK} --worst-s 0.1"), Chart::Crossovers, &COST);
    let state = window.state();
    let chart = crossovers::chart(state, PLOT).unwrap();
    let mut parts = chart.curves.iter().flat_map(StrategyCurve::parts);
    assert!(parts.any(|(is_solid, _)| !is_solid), "a limit is broken");
    let ranges = &state.compare.best_setting.crossovers().unwrap().ranges;
    let (last, range) = (chart.sections.last().unwrap(), ranges.last().unwrap());
    let limit = range.first_broken.unwrap().limit.name();
    assert_eq!(last.words, [&format!("none, limit: {limit}"), "none"]);
    let ends: Vec<[f32; 2]> = chart.sections.iter().map(|section| section.ends).collect();
    assert!(ends.windows(2).all(|pair| pair[0][1] == pair[1][0]));
    assert_eq!(
        [ends[0][0], ends[ends.len() - 1][1]],
        [PLOT.left(), PLOT.right()]
    );
}

#[test]
fn tabs_and_list_choose_what_is_shown() {
    let mut window = Window::still(60, "--view compare --entities 50");
    for (width, height) in [(900.0, 600.0), (1280.0, 800.0), (1920.0, 1080.0)] {
        window.resize(width, height);
        window.click_for("chart:Crossovers", "crossovers shown");
        window.frame();
        window.click("over");
        window.frames(2);
        window.click_for("over:cost-us", "crossovers over cost-us");
        window.click_for("chart:Trade-off", "trade-off shown");
        window.frame();
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
fn no_texts_overlap() {
    for work in [WORK, "--entities 0", "--entities 1"] {
        for chart in [Chart::TradeOff, Chart::Crossovers] {
            let mut window = compared(work, chart, &BUDGET);
            for (width, height) in [(900.0, 600.0), (1280.0, 800.0), (1920.0, 1080.0)] {
                window.resize(width, height);
                window.assert_texts_apart(252.0, &format!("{chart:?} {width}x{height}"));
            }
        }
    }
}
