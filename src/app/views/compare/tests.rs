//! Tests of the answer, the table and the area below it, in a window without a display.

use super::*;
use crate::app::state::compare::OutcomeValue;
use crate::app::tests::Window;
use egui::{Pos2, vec2};
use lab::catalog::strategy::STRATEGIES;
use lab::recommend::{Limit, Recommendation};
use lab::sim::lane::Lane;
use lab::sim::world::COST;
use macroquad::input::KeyCode;
use timeslicer::time::Nanos;

/// Opens a window with lanes that have run for 3 s, and the answer for them. Some strategies cannot keep the limits.
fn answered() -> Window {
    let flags = "--view compare --entities 200 --cost-us 200 --cost-spread 0.5 --target 0.4,0.2 --tasks-ms 3 --worst-s 2";
    Window::still(180, flags)
}

fn answer(window: &Window) -> Recommendation {
    let answer = window.state().compare.best_setting.recommendation();
    answer.expect("there is an answer").clone()
}

/// Makes frames until there is an answer for the current settings.
fn seek(window: &mut Window) {
    window.frame();
    while !window.state().compare.best_setting.is_final() {
        window.frame();
    }
    window.frame();
}

/// Asserts that no text of the answer and the table is cut off.
fn assert_whole(window: &Window) {
    let places = window.places();
    let rows = places.iter().filter(|(name, _)| name.starts_with("lane:"));
    let bottom = rows.map(|(_, row)| row.bottom()).fold(0.0, f32::max);
    let table = window.place("answer").with_max_y(bottom);
    for (text, place, clip) in window.placed_texts() {
        let is_whole = clip.expand(1.0).contains_rect(place) && !text.ends_with('…');
        assert!(is_whole || !table.intersects(place), "{text} is cut off");
    }
}

#[test]
fn the_answer_comes_first_and_nothing_is_cut_off() {
    let mut window = answered();
    let all = answer(&window);
    let best = all.best().expect("there is one");
    for size in [
        vec2(900.0, 600.0),
        vec2(1280.0, 800.0),
        vec2(1920.0, 1080.0),
    ] {
        window.resize(size.x, size.y);
        assert_whole(&window);
        assert!(window.shows(&format!("Use {}", best.words())), "{size}");
        assert!(window.shows(&best.outcome.effects()[0]), "{size}");
        let answer = window.place("answer");
        assert!(answer.top() < 64.0, "{size}");
        for name in ["set:best", "copy:rust"] {
            assert!(answer.contains_rect(window.place(name)), "{name} at {size}");
        }
        // These columns must always be visible, because a limit applies to each of them.
        let area = Rect::from_min_size(Pos2::ZERO, size);
        for name in ["column:near", "column:longest", "column:tasks"] {
            assert!(area.contains_rect(window.place(name)), "{size}");
        }
        let mut tops = vec![answer.bottom()];
        let rows = all.order().into_iter();
        let rows = rows.map(|lane| format!("lane:{}", STRATEGIES[lane].key));
        let rows = rows.take_while(|row| window.has(row));
        tops.extend(rows.map(|row| window.place(&row).top()));
        assert!(
            tops.is_sorted() && tops.len() > ENOUGH_ROWS,
            "{size}: {tops:?}"
        );
        assert!(window.has("trade-off"), "{size}");
    }
}

#[test]
fn a_strategy_that_keeps_no_limits_says_why_and_has_no_button() {
    let window = answered();
    let mut is_shown = [false; 2];
    for choice in &answer(&window).choices {
        let button = format!("set:{}", choice.strategy.key);
        assert_eq!(window.has(&button), choice.holds(), "{button}");
        is_shown[usize::from(choice.holds())] = true;
        let words = choice.broken_briefly();
        let words = words.unwrap_or_else(|| choice.setting.brief());
        assert!(window.shows(&words), "{words}");
    }
    assert_eq!(is_shown, [true; 2]);
}

#[test]
fn what_is_set_and_copied_is_what_the_answer_says() {
    let mut window = answered();
    let all = answer(&window);
    let best = all.best().expect("there is one");
    assert!(!window.shows("Is set"));
    window.click("copy:rust");
    assert_eq!(window.state().clipboard, Some(all.snippet(best)));
    window.click_for("set:best", &format!("selected {}", best.strategy.key));
    seek(&mut window);
    let texts = window.texts().into_iter();
    let is_set = texts.filter(|text| text == "Is set");
    assert_eq!(is_set.count(), 2, "on the card and in the row");
    let count = window.logged("selected").len();
    window.click("set:best");
    assert_eq!(window.logged("selected").len(), count);
    window.press(KeyCode::F1);
    let state = window.state();
    let lanes = state.compare.comparison.lanes.iter();
    for settings in lanes
        .map(Lane::settings)
        .chain([state.grid.lane.settings()])
    {
        for (knob, value) in &best.setting.values {
            assert_eq!(settings.knobs.get(knob), *value, "{}", knob.key);
        }
    }
}

#[test]
fn if_nothing_keeps_the_limits_each_way_out_has_a_button() {
    let (mut index, mut ways) = (0, 1);
    while index < ways {
        let mut window = answered();
        window.give(CompareCommand::SetLimit(
            Limit::Near,
            Nanos::from_millis(20),
        ));
        window.search();
        ways = answer(&window).ways.len();
        assert!(answer(&window).best.is_none() && ways > 1);
        assert!(window.shows("No strategy keeps all limits") && !window.has("set:best"));
        window.click(&format!("set:way:{index}"));
        seek(&mut window);
        assert!(answer(&window).best.is_some(), "{index}");
        index += 1;
    }
}

#[test]
fn work_on_request_has_its_own_limit_columns_and_answer() {
    let mut window = answered();
    assert!(window.has("limit:near-ms") && !window.has("limit:wait-ms"));
    window.click("runs:on-request");
    seek(&mut window);
    assert!(window.has("limit:wait-ms") && !window.has("limit:near-ms"));
    assert!(window.has("column:mean") && !window.has("column:near"));
    let all = answer(&window);
    assert!(all.best().is_some_and(|best| best.strategy.on_request()));
    assert!(window.shows("Requests wait") && window.shows("runs tasks without requests"));
    for size in [vec2(900.0, 600.0), vec2(1280.0, 800.0)] {
        window.resize(size.x, size.y);
        assert_whole(&window);
    }
    window.click("runs:at-a-rate");
    seek(&mut window);
    assert!(window.has("limit:near-ms") && window.has("column:near"));
}

#[test]
fn the_last_answer_stays_but_cannot_be_set_while_others_are_tried() {
    let mut window = answered();
    let all = answer(&window);
    let headline = format!("Use {}", all.best().expect("there is one").words());
    window.give(Command::SetKnob(&COST, 300.0));
    window.frames(2);
    assert!(window.shows(&headline) && window.shows("For the previous settings"));
    window.click("set:best");
    window.click("copy:rust");
    assert_eq!(window.state().clipboard, None);
    assert!(window.last("selected").is_none());
    seek(&mut window);
    assert!(!window.shows("For the previous settings"));
}

#[test]
fn a_crowd_that_is_too_large_has_no_answer() {
    let window = Window::still(0, "--view compare");
    assert!(window.shows("Trying settings of every strategy"));
    let flags = "--view compare --entities 100001 --cost-us 1";
    let window = Window::still(0, flags);
    assert!(window.shows("too many entities") && window.shows("up to 100,000 entities"));
}

#[test]
fn a_second_click_reverses_the_order_but_unknown_values_stay_last() {
    let mut window = answered();
    for &value in OutcomeValue::shown(false) {
        for is_reversed in [false, true] {
            window.give(CompareCommand::Sort(Some(value)));
            let compare = &window.state().compare;
            let rows = compare.rows().into_iter();
            let values = rows.map(|lane| compare.value(lane, value));
            let values: Vec<Option<Nanos>> = values.collect();
            let mut known: Vec<Nanos> = values.iter().flatten().copied().collect();
            assert!(values[known.len()..].iter().all(Option::is_none));
            if is_reversed {
                known.reverse();
            }
            assert!(known.len() > 3 && known.is_sorted(), "{known:?}");
        }
    }
}

#[test]
fn the_selected_row_is_scrolled_into_view() {
    let [first, last] = [STRATEGIES[0], STRATEGIES[STRATEGIES.len() - 1]];
    let flags = format!("--view compare --size 852x234 --strategy {}", last.key);
    let window = Window::still(0, &flags);
    let rows = [first, last].map(|entry| window.has(&format!("lane:{}", entry.key)));
    assert_eq!(rows, [false, true]);
}

#[test]
fn parts_vanish_in_order_and_all_fit_into_the_view() {
    let lanes = STRATEGIES.len();
    let mut had_lower_area = true;
    for height in (0..1500).rev().map(|height| height as f32) {
        let Some(fit) = fit(height, lanes) else {
            let least = HEADING_HEIGHT + FOOTER_HEIGHT + MIN_ROW_HEIGHT;
            assert!(height < least, "{height}");
            continue;
        };
        assert!(
            !fit.has_lower || had_lower_area && fit.rows >= ENOUGH_ROWS,
            "{height}: {fit:?}"
        );
        had_lower_area = fit.has_lower;
        let lower = if fit.has_lower {
            LOWER_HEIGHT_RANGE[0]
        } else {
            0.0
        };
        let rows = fit.row_height * fit.rows as f32;
        let all = HEADING_HEIGHT + rows + FOOTER_HEIGHT + lower;
        assert!(
            all <= height && fit.row_height >= MIN_ROW_HEIGHT,
            "{height}: {fit:?}"
        );
    }
}
