//! View Compare: sorting, knobs, disturbances and opening a lane.

use super::Window;
use crate::app::state::Flow;
use crate::app::state::experiments::Order;
use crate::app::state::view::View;
use headless::experiment::comparison::Comparison;
use headless::sim::world::ENTITIES;
use headless::stats::{WeightedStaleness, figure_by_key};
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

/// Opens the view after 120 frames.
fn compare(flags: &[&str]) -> Window {
    Window::still(120, &[&["--view", "compare"], flags].concat())
}

fn comparison(window: &Window) -> &Comparison {
    let comparison = window.state().compare.comparison.as_ref();
    comparison.expect("its view was shown")
}

/// Returns the number of entities in each lane.
fn populations(window: &Window) -> Vec<usize> {
    let lanes = comparison(window).lanes().iter();
    lanes.map(|lane| lane.world().tasks().len()).collect()
}

fn selected(window: &Window) -> &'static StrategyEntry {
    let state = window.state();
    STRATEGIES[state.compare.selected(&state.settings)]
}

/// Returns the keys of the strategies in the order of their rows on screen.
fn order_on_screen(window: &Window) -> Vec<&'static str> {
    let mut keys: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    keys.sort_by_key(|key| window.place(&format!("lane:{key}")).top() as i32);
    keys
}

#[test]
fn the_selected_lane_opens_with_its_settings() {
    let mut window = compare(&["--entities", "60"]);
    window.drag_slider("all:entities", 0.3);
    let entities = window.state().settings.knobs.get(&ENTITIES);
    assert_ne!(entities, 60.0);
    window.click("lane:stagger-groups");
    assert_eq!(selected(&window).key, "stagger-groups");
    window.press("Up");
    assert_eq!(selected(&window).key, "fixed-interval");
    window.press("Down");
    window.press("Return");
    let state = window.state();
    assert_eq!(state.view, View::Grid);
    assert_eq!(state.settings.strategy.key, "stagger-groups");
    assert_eq!(state.grid.lane.settings().strategy.key, "stagger-groups");
    let population = state.grid.lane.world().tasks().len();
    assert_eq!(population as f64, entities);
}

#[test]
fn step_restart_and_disturbances_affect_all_lanes() {
    let mut window = compare(&["--entities", "60"]);
    let frames = |window: &Window| -> Vec<u64> {
        let lanes = comparison(window).lanes().iter();
        lanes.map(|lane| lane.last_frame().number).collect()
    };
    let first = (comparison(&window).time(), frames(&window));
    window.press("period");
    assert_eq!(window.state().flow, Flow::Stepping);
    window.frame();
    assert_eq!(window.state().flow, Flow::Paused);
    for (before, after) in first.1.iter().zip(frames(&window)) {
        assert_eq!(after, before + 1);
    }
    for population in [0, 60] {
        window.press("m"); // kill all, and then restore their number
        let expected = vec![population; STRATEGIES.len()];
        assert_eq!(populations(&window), expected);
    }
    window.press("r");
    assert_eq!((comparison(&window).time(), frames(&window)), first);
}

#[test]
fn without_panels_the_rows_fill_the_window() {
    let mut window = compare(&["--entities", "60"]);
    let row = window.place("lane:every-frame");
    window.press("f");
    assert!(!window.has("part:knobs") && window.has("lane:every-frame"));
    assert!(window.place("lane:every-frame").width() > row.width());
    window.press("f");
    assert_eq!(window.place("lane:every-frame"), row);
}

#[test]
fn a_dot_of_the_trade_off_selects_its_lane() {
    let mut window = compare(&["--entities", "2000", "--cost-us", "50"]);
    let dot = window.place("dot:all-at-once");
    let most = window.place("dot:every-frame");
    let takes_less_time = dot.left() < most.left();
    let is_staler = dot.top() < most.top();
    assert!(takes_less_time && is_staler, "{dot} and {most}");
    assert_ne!(selected(&window).key, "all-at-once");
    window.click("dot:all-at-once");
    assert_eq!(selected(&window).key, "all-at-once");
    window.press("e");
    assert_eq!(window.state().compare.staleness, WeightedStaleness::Worst);
    let worst = window.place("dot:all-at-once");
    assert_ne!(worst, dot, "the chart shows the other staleness");
}

#[test]
fn q_pins_the_target_of_all_lanes() {
    let mut window = compare(&["--entities", "60"]);
    window.press("q");
    let target = window.state().settings.target;
    assert!(target.is_some());
    for lane in comparison(&window).lanes() {
        assert_eq!(lane.settings().target, target);
    }
    window.press("q");
    assert_eq!(window.state().settings.target, None);
}

#[test]
fn the_list_sorts_lanes_by_a_figure() {
    let mut window = compare(&["--entities", "2000", "--size", "1280x1000"]);
    assert_eq!(order_on_screen(&window)[0], "every-frame");
    // The list is below the visible part of the panel.
    assert!(!window.has("sort"));
    window.point(126.0, 500.0);
    window.turn_wheel(-40);
    window.frames(20); // scrolling is animated
    window.click("sort");
    let mean = window.place("sort:frame_ms.mean");
    window.click_at(mean.left() + 20.0, mean.center().y);
    let figure = figure_by_key("frame_ms.mean").expect("it is registered");
    assert_eq!(window.state().compare.order, Some(Order::by(figure)));
    let order = order_on_screen(&window);
    assert_eq!(order.last(), Some(&"every-frame"), "the worst lane is last");
    let rows = window.state().compare.rows();
    let rows: Vec<&str> = rows.iter().map(|&lane| STRATEGIES[lane].key).collect();
    assert_eq!(order, rows);
}

#[test]
fn a_heading_sorts_both_ways_and_back() {
    let mut window = compare(&["--entities", "2000"]);
    let default = order_on_screen(&window);
    let mut sorted = || {
        window.click("column:per_frame_ms.tasks_p99");
        order_on_screen(&window)
    };
    let row = |order: &[&str]| order.iter().position(|key| *key == "every-frame");
    assert_eq!(row(&default), Some(0));
    let best_first = sorted();
    assert!(row(&best_first) > Some(1), "{best_first:?}");
    let worst_first = sorted();
    assert!(row(&worst_first) <= Some(1), "{worst_first:?}");
    assert_eq!(sorted(), default);
    assert_eq!(window.state().view, View::Compare, "no click opens a lane");
}

#[test]
fn a_ticked_figure_gets_a_column() {
    let mut window = compare(&["--entities", "60"]);
    let before = window.state().compare.figures.len();
    assert!(!window.has("column:entities"));
    window.click("columns");
    window.click("show:entities");
    assert_eq!(window.state().compare.figures.len(), before + 1);
    assert!(window.has("column:entities"));
    // The list stays open for more figures.
    window.click("show:entities");
    assert_eq!(window.state().compare.figures.len(), before);
    assert!(!window.has("column:entities"));
}

#[test]
fn backspace_resets_the_figures_of_the_view() {
    let mut window = Window::still(120, &["--entities", "60"]);
    assert_eq!(window.state().grid.lane.report().frames, 120);
    window.press("BackSpace");
    assert_eq!(window.state().grid.lane.report().frames, 0);
    window.press("F2");
    window.press("period");
    window.frame();
    window.press("BackSpace");
    let reports = comparison(&window).reports();
    assert!(reports.iter().all(|report| report.frames == 0));
}

#[test]
fn keys_change_the_loop_of_all_lanes_and_open_one() {
    let mut window = compare(&["--entities", "50"]);
    let shown = comparison(&window).settings().frame_loop;
    let shown = FRAME_LOOPS.iter().position(|entry| *entry == shown);
    let next = FRAME_LOOPS[(shown.expect("it is registered") + 1) % FRAME_LOOPS.len()];
    window.press("l");
    for lane in comparison(&window).lanes() {
        assert_eq!(lane.settings().frame_loop, next);
    }
    for (key, strategy) in [("8", "time-budget"), ("bracketleft", "request-list")] {
        window.press("F2");
        window.press(key);
        assert_eq!(window.state().view, View::Grid);
        assert_eq!(window.state().settings.strategy.key, strategy);
    }
}

#[test]
fn narrow_windows_show_lanes_instead_of_panels() {
    let mut window = compare(&["--entities", "50", "--size", "390x844"]);
    assert!(!window.has("part:knobs"));
    for entry in STRATEGIES {
        let row = window.place(&format!("lane:{}", entry.key));
        assert!(row.right() <= 390.0 && row.bottom() <= 844.0, "{row}");
    }
    window.press("F3");
    for entry in FRAME_LOOPS {
        let row = window.place(&format!("race:{}", entry.key));
        assert!(row.right() <= 390.0 && row.bottom() <= 844.0, "{row}");
    }
}
