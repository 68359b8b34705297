//! Tests of the comparison table and of the area below it, without a display.

use super::*;
use crate::app::platform::event_log::Log;
use crate::app::state::grid::Language;
use crate::app::state::view::View;
use crate::app::views::tests::{TOOLTIP_SIZES, check_tooltips, click, click_at, window};
use egui::epaint::ClippedShape;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Shape, Vec2, vec2};
use egui_kittest::Harness;
use headless::judge::{Card, Limit, Recommendation};
use headless::sim::disturbance::Disturbance;
use headless::sim::lane::Lane;
use headless::sim::settings::Settings;
use headless::sim::world::{COST, ENTITIES, Point, WEIGHT_RULE};
use headless::stats::{METRICS, Metric, WeightedStaleness, metric_by_key};
use headless::text::rich::time;
use timeslicer::knob::KnobValues;
use timeslicer::strategy::{STRATEGIES, knobs};
use timeslicer::time::{Nanos, monotonic};

pub struct Fixture {
    pub state: State,
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(&Settings::default())
    }

    fn with(settings: &Settings) -> Self {
        let mut fixture = Self {
            state: State::still(0, settings.clone(), View::Compare, Log::default()),
        };
        fixture.advance(1);
        fixture
    }

    pub fn advance(&mut self, seconds: u64) {
        let State {
            compare, settings, ..
        } = &mut self.state;
        for _ in 0..seconds {
            compare.advance(Nanos::SECOND, settings);
        }
        compare.expire_reports();
        compare.refresh(monotonic());
    }

    /// Runs the search for the best setting until its first results are complete.
    fn seek(&mut self) {
        let State {
            compare, settings, ..
        } = &mut self.state;
        let objective = compare.staleness.into();
        compare.best_setting.advance(settings, objective, true);
    }

    /// Continues the search for the best setting without waiting for complete results.
    fn continue_search(&mut self) {
        let State {
            compare, settings, ..
        } = &mut self.state;
        let objective = compare.staleness.into();
        compare.best_setting.advance(settings, objective, false);
    }

    fn apply(&mut self, command: Command) {
        self.state.apply(command);
        self.state.compare.refresh(monotonic());
        self.seek();
    }

    fn recommendation(&self) -> &Recommendation {
        let recommendation = self.state.compare.best_setting.recommendation();
        recommendation.expect("the search is complete")
    }

    fn window(&self, size: Vec2) -> Harness<'_, UiOutput> {
        let mut view = CompareView::default();
        window(size, move |ui, output| {
            view.table(ui, ui.max_rect(), &self.state, output);
        })
    }
}

/// Sizes of the view in windows of 900 x 600, 1280 x 800 and 1920 x 1080 points.
const VIEWS: [Vec2; 3] = [
    vec2(648.0, 520.0),
    vec2(1028.0, 720.0),
    vec2(1668.0, 1000.0),
];

fn place(window: &Harness<'_, UiOutput>, name: &str) -> Option<Rect> {
    let mut controls = window.state().controls.iter();
    controls.find(|it| it.name == name).map(|it| it.rect)
}

/// Creates lanes that have run for 3 s with a target at rest.
fn many() -> Fixture {
    let settings = Settings {
        knobs: KnobValues::with(&[(&ENTITIES, 500.0), (&COST, 200.0)]),
        target: Some(Point { x: 0.4, y: 0.2 }),
        ..Settings::default()
    };
    let mut fixture = Fixture::with(&settings);
    fixture.advance(2);
    fixture
}

fn shows_text(window: &Harness<'_, UiOutput>, words: &str) -> bool {
    let mut shapes = window.output().shapes.iter();
    shapes.any(|shape| match &shape.shape {
        Shape::Text(text) => text.galley.text() == words,
        _ => false,
    })
}

#[test]
fn limits_switch_the_marks_of_values_that_break_them() {
    let mut fixture = many();
    let marked = |fixture: &Fixture| {
        let window = fixture.window(VIEWS[1]);
        let is_marked = |key: &str, strategy: &str| {
            place(&window, &format!("broken:{key}:{strategy}")).is_some()
        };
        [
            is_marked("tasks-ms", "every-frame"),
            is_marked("no-hitches", "every-frame"),
            is_marked("near-ms", "fixed-interval"),
            is_marked("worst-s", "max-per-frame"),
            is_marked("tasks-ms", "weighted-share"),
        ]
    };
    assert_eq!(marked(&fixture), [true, true, false, false, false]);
    fixture.apply(Command::SwitchLimit(Limit::Near));
    assert_eq!(marked(&fixture), [true, true, true, false, false]);
    fixture.apply(Command::SetLimit(Limit::Longest, Nanos::SECOND));
    assert_eq!(marked(&fixture), [true, true, true, true, false]);
    for limit in [Limit::Tasks, Limit::Hitches, Limit::Near] {
        fixture.apply(Command::SwitchLimit(limit));
    }
    assert_eq!(marked(&fixture), [false, false, false, true, false]);
}

#[test]
fn a_card_sets_its_setting_for_all_lanes_and_for_grid() {
    let mut fixture = many();
    fixture.seek();
    let best = fixture.recommendation().best.clone().expect("there is one");
    let mut window = fixture.window(VIEWS[1]);
    assert!(shows_text(&window, "Best within your limits"));
    click(&mut window, "set:2");
    click(&mut window, "set:1");
    let set = [Command::SetRecommended(1), Command::SetRecommended(0)];
    assert_eq!(window.state().commands, set);
    drop(window);
    for command in set {
        fixture.apply(command);
    }
    let state = &fixture.state;
    for (knob, value) in best.values() {
        assert_eq!(state.settings.knobs.get(knob), value);
        let lanes = state.compare.comparison.lanes().iter();
        for settings in lanes.map(Lane::settings) {
            assert_eq!(settings.knobs.get(knob), value);
        }
    }
    assert_eq!(super::selected(state), best.curve);
    let card = &fixture.recommendation().cards()[0];
    assert!(state.compare.is_set(card, &state.settings), "{card:?}");
    assert!(shows_text(&fixture.window(VIEWS[1]), "Current setting"));
    assert_eq!(
        fixture.recommendation().best.as_ref().unwrap().setting,
        best.setting
    );
}

#[test]
fn a_card_relaxes_a_limit_if_no_strategy_keeps_all() {
    let mut fixture = many();
    fixture.apply(Command::SetLimit(Limit::Near, Nanos::from_millis(40)));
    assert!(fixture.recommendation().best.is_none());
    let window = fixture.window(VIEWS[1]);
    assert!(shows_text(&window, "No strategy meets all limits"));
    drop(window);
    let cards = fixture.recommendation().cards();
    let is_near = |card: &Card| card.limits.near != fixture.recommendation().limits.near;
    let nth = cards.iter().position(is_near).expect("near can be relaxed");
    let allowed = cards[nth].limits;
    // A limit that the user has changed in between keeps its value.
    fixture
        .state
        .apply(Command::SetLimit(Limit::Longest, Nanos::from_secs(9)));
    fixture.state.apply(Command::SetRecommended(nth));
    let limits = *fixture.state.compare.best_setting.limits;
    assert_eq!((limits.near, limits.tasks), (allowed.near, allowed.tasks));
    assert_eq!(limits.longest, Some(Nanos::from_secs(9)));
    fixture.seek();
    assert!(
        fixture.recommendation().best.is_some(),
        "all limits are kept now"
    );
}

#[test]
fn the_code_of_the_best_setting_is_copied() {
    let mut fixture = many();
    fixture.seek();
    let mut window = fixture.window(VIEWS[1]);
    click(&mut window, "copy-advised");
    assert_eq!(window.state().commands, [Command::CopyRecommended]);
    drop(window);
    fixture.apply(Command::CopyRecommended);
    let best = fixture
        .recommendation()
        .recommended()
        .expect("there is one");
    let code = best.snippet(&fixture.state.settings.knobs).text;
    assert_eq!(fixture.state.clipboard, Some(code));
}

#[test]
fn a_first_estimate_is_neither_set_nor_copied() {
    let mut fixture = many();
    fixture.continue_search();
    while fixture
        .state
        .compare
        .best_setting
        .recommendation()
        .is_none()
    {
        fixture.continue_search();
    }
    let mut window = fixture.window(VIEWS[1]);
    assert!(shows_text(&window, "First estimate"));
    click(&mut window, "set:1");
    click(&mut window, "copy-advised");
    assert_eq!(window.state().commands, []);
    drop(window);
    let before = fixture.state.settings.clone();
    fixture.state.apply(Command::SetRecommended(0));
    fixture.state.apply(Command::CopyRecommended);
    assert_eq!(
        (&fixture.state.settings, &fixture.state.clipboard),
        (&before, &None)
    );
    let status = |fixture: &Fixture| fixture.state.compare.status(&before).to_string();
    assert!(status(&fixture).starts_with("first estimate"));
    while !fixture.state.compare.best_setting.is_final() {
        fixture.continue_search();
    }
    assert!(!status(&fixture).starts_with("first estimate"));
    fixture.state.apply(Command::SetRecommended(0));
    assert_ne!(fixture.state.settings, before);
    fixture.state.apply(Command::SetKnob(&COST, 300.0));
    fixture.continue_search();
    assert!(status(&fixture).starts_with("for the previous settings"));
}

#[test]
fn what_is_set_stays_set_and_is_what_is_copied() {
    for near in [None, Some(30)] {
        let mut fixture = many();
        if let Some(near) = near {
            fixture.apply(Command::SetLimit(Limit::Near, Nanos::from_millis(near)));
        }
        fixture.seek();
        let mut nth = 0;
        // Relaxing a limit changes the recommendation, so read the cards again.
        while let Some(card) = fixture.recommendation().cards().get(nth).cloned() {
            nth += 1;
            if card.entities.is_some() {
                break;
            }
            fixture.state.apply(Command::SetRecommended(nth - 1));
            fixture.state.apply(Command::CopyRecommended);
            for _ in 0..3 {
                fixture.continue_search();
                let State {
                    compare, settings, ..
                } = &fixture.state;
                let cards = fixture.recommendation().cards();
                let set = cards.iter().filter(|it| compare.is_set(it, settings));
                let mut set = set.map(|it| (it.choice.curve, it.choice.setting));
                assert!(set.any(|it| it == (card.choice.curve, card.choice.setting)));
                assert!(compare.best_setting.is_final());
                let entry = card.choice.strategy;
                let copied = entry.snippet(&settings.knobs, &WEIGHT_RULE);
                assert_eq!(fixture.state.clipboard, Some(copied.text));
            }
        }
        assert!(nth > 0, "{near:?}");
        let knob = &knobs::FASTEST;
        fixture.state.apply(Command::SetKnob(knob, 0.2));
        fixture.continue_search();
        assert!(
            !fixture.state.compare.best_setting.is_final(),
            "another question"
        );
    }
}

#[test]
fn the_button_of_a_card_names_the_limit_that_it_relaxes() {
    let mut fixture = many();
    fixture.apply(Command::SetLimit(Limit::Near, Nanos::from_millis(30)));
    let cards = fixture.recommendation().cards();
    let near = cards
        .iter()
        .find(|it| it.limits.near != fixture.recommendation().limits.near);
    let near = near
        .and_then(|card| card.limits.near)
        .expect("near can be relaxed");
    let window = fixture.window(VIEWS[1]);
    assert!(shows_text(
        &window,
        &format!("Apply and allow {}", time(near))
    ));
    for size in VIEWS {
        let window = fixture.window(size);
        for nth in 1..=2 {
            let [card, set] = ["card", "set"].map(|it| place(&window, &format!("{it}:{nth}")));
            let (card, set) = (card.unwrap(), set.unwrap());
            assert!(
                card.contains_rect(set) && set.width() < 0.5 * card.width(),
                "{size}"
            );
        }
    }
}

#[test]
fn it_says_why_nothing_is_tried() {
    let mut fixture = Fixture::new();
    let status = |fixture: &Fixture| {
        let State {
            compare, settings, ..
        } = &fixture.state;
        compare.status(settings).to_string()
    };
    assert_eq!(status(&fixture), "trying out settings of every strategy");
    fixture.state.settings.knobs.set(&ENTITIES, 200_000.0);
    fixture.seek();
    let words = status(&fixture);
    assert!(
        words.starts_with("the search for the best setting supports up to 100,000 entities"),
        "{words}"
    );
    // A lane that has not run every task does not count as meeting the limits.
    let broken = fixture.state.compare.broken.iter();
    let unbroken = broken.filter(|it| it.is_empty()).count();
    assert!(!words.contains(&format!("{unbroken} of")), "{words}");
    let window = fixture.window(VIEWS[1]);
    assert_eq!(place(&window, "set:1"), None);
}

#[test]
fn cards_fit_into_the_view() {
    let mut fixture = many();
    for near in [None, Some(40)] {
        if let Some(near) = near {
            fixture.apply(Command::SetLimit(Limit::Near, Nanos::from_millis(near)));
        }
        fixture.seek();
        for size in VIEWS {
            let window = fixture.window(size);
            let area = Rect::from_min_size(Pos2::ZERO, size);
            for name in ["card:1", "set:1", "advised-code", "copy-advised"] {
                let place = place(&window, name).expect(name);
                assert!(area.contains_rect(place), "{name} at {size}");
            }
        }
    }
}

#[test]
fn a_moving_target_explains_that_there_is_no_minimum() {
    let is_explained = |fixture: &Fixture| {
        let window = fixture.window(VIEWS[1]);
        place(&window, "no-minimum:times_minimum:fixed-interval").is_some()
    };
    assert!(is_explained(&Fixture::new()));
    assert!(!is_explained(&many()), "the target rests");
}

#[test]
fn rows_take_clicks_but_no_focus() {
    let fixture = Fixture::new();
    let mut window = fixture.window(VIEWS[2]);
    for (lane, entry) in STRATEGIES.iter().enumerate() {
        click(&mut window, &format!("lane:{}", entry.key));
        let last = window.state().commands.last();
        assert_eq!(last, Some(&Command::SelectLane(lane)), "{}", entry.key);
    }
    let metric = metric_by_key("hitch_percent").unwrap();
    click(&mut window, "column:hitch_percent");
    let last = window.state().commands.last();
    assert_eq!(last, Some(&Command::Sort(Some(metric))));
    click(&mut window, "column:strategy");
    assert_eq!(window.state().commands.last(), Some(&Command::Sort(None)));
    let selected = super::selected(&fixture.state);
    click(&mut window, "button:Copy");
    let last = window.state().commands.last();
    assert_eq!(
        last,
        Some(&Command::CopyCode(STRATEGIES[selected], Language::Rust))
    );
    for _ in STRATEGIES {
        window.press_key(Key::Tab);
        window.step();
        let focused = window.ctx.memory(egui::Memory::focused);
        let is_row = STRATEGIES
            .iter()
            .any(|entry| focused == Some(Id::new(format!("lane:{}", entry.key))));
        assert!(!is_row);
    }
}

#[test]
fn the_list_of_columns_begins_with_those_that_are_shown() {
    let mut fixture = Fixture::new();
    for view in VIEWS {
        fixture.state.compare.metrics = METRICS.iter().rev().take(6).collect();
        let mut window = fixture.window(view);
        click(&mut window, "columns");
        window.run_steps(2); // the first layout of a list only measures it
        let top = |metric: &Metric| Some(place(&window, &format!("show:{}", metric.key))?.top());
        let mut tops: Vec<_> = fixture
            .state
            .compare
            .metrics
            .iter()
            .map(|it| top(it))
            .collect();
        tops.push(top(&METRICS[0]));
        assert!(tops.iter().all(Option::is_some), "{view}: {tops:?}");
        assert!(tops.is_sorted(), "{view}: {tops:?}");
    }
}

#[test]
fn a_double_click_opens_the_selected_lane() {
    let mut fixture = Fixture::new();
    fixture.state.settings.strategy = STRATEGIES[1];
    let mut window = fixture.window(VIEWS[1]);
    let mut double_click = |lane: usize| {
        let row = place(&window, &format!("lane:{}", STRATEGIES[lane].key));
        let pos = row.expect("it is shown").center();
        window.input_mut().events.push(Event::PointerMoved(pos));
        for pressed in [true, false, true, false] {
            window.input_mut().events.push(Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
        }
        window.step();
        window.state().commands.last().copied()
    };
    assert_eq!(double_click(1), Some(Command::Strategy(STRATEGIES[1])));
    assert_eq!(double_click(2), Some(Command::SelectLane(2)));
}

#[test]
fn no_tooltip_covers_its_row_or_heading() {
    let mut fixture = Fixture::new();
    fixture.seek();
    for size in TOOLTIP_SIZES {
        let mut window = fixture.window(size);
        let controls = window.state().controls.len();
        assert_eq!(check_tooltips(&mut window), controls, "{size}");
    }
}

#[test]
fn the_effect_has_a_column_only_after_a_disturbance() {
    let mut fixture = Fixture::new();
    fixture.advance(2);
    for size in VIEWS {
        let window = fixture.window(size);
        assert_eq!(place(&window, "column:effect"), None, "not disturbed");
    }
    for disturbance in [Disturbance::Stall, Disturbance::AllRequest] {
        fixture.state.compare.disturb(disturbance);
        fixture.advance(5);
        for size in VIEWS {
            let window = fixture.window(size);
            let column = place(&window, "column:effect").expect("it is shown");
            let area = Rect::from_min_size(Pos2::ZERO, size);
            assert!(area.contains_rect(column), "{size}");
        }
    }
    fixture.state.compare.clear_statistics();
    fixture.state.compare.refresh(monotonic());
    let window = fixture.window(VIEWS[1]);
    assert_eq!(place(&window, "column:effect"), None, "reset");
}

#[test]
fn rows_of_published_forms_are_labelled() {
    for (switch, expected) in [(0.0, [0, 0]), (1.0, published_forms())] {
        let settings = Settings {
            knobs: KnobValues::with(&[(&knobs::AS_PUBLISHED, switch)]),
            ..Settings::default()
        };
        let fixture = Fixture::with(&settings);
        let window = fixture.window(VIEWS[1]);
        let labels = columns::AS_PUBLISHED.map(|words| {
            let is_label = |shape: &&ClippedShape| match &shape.shape {
                Shape::Text(text) => text.galley.text() == words,
                _ => false,
            };
            window.output().shapes.iter().filter(is_label).count()
        });
        assert_eq!(labels, expected);
    }
}

/// Returns the number of published forms that differ from ours, and of those that work like ours while no task dies.
fn published_forms() -> [usize; 2] {
    let all = STRATEGIES.iter();
    let all = all.filter(|entry| entry.published.is_some()).count();
    let like_ours = ["max-per-frame", "fixed-interval", "stagger-groups"].len();
    [all - like_ours, like_ours]
}

#[test]
fn the_other_button_switches_the_staleness_of_the_chart() {
    let mut fixture = Fixture::new();
    for staleness in WeightedStaleness::ALL {
        fixture.state.compare.staleness = staleness;
        let mut window = fixture.window(VIEWS[1]);
        let (mean, worst) = ("trade-off:Mean", "trade-off:Worst");
        let [shown, other] = match staleness {
            WeightedStaleness::Mean => [mean, worst],
            WeightedStaleness::Worst => [worst, mean],
        };
        click(&mut window, shown);
        assert!(window.state().commands.is_empty());
        click(&mut window, other);
        assert_eq!(window.state().commands, [Command::TradeOff]);
    }
}

#[test]
fn every_dot_takes_clicks_even_if_some_coincide() {
    let settings = Settings {
        target: Some(Point { x: 0.5, y: 0.25 }),
        ..Settings::default()
    };
    let mut fixture = Fixture::with(&settings);
    fixture.advance(9);
    for size in VIEWS {
        let mut window = fixture.window(size);
        for (lane, entry) in STRATEGIES.iter().enumerate() {
            let dot = place(&window, &format!("dot:{}", entry.key));
            click_at(&mut window, dot.expect("it is shown").center());
            let last = window.state().commands.last();
            assert_eq!(last, Some(&Command::SelectLane(lane)), "{size}");
        }
    }
}

#[test]
fn the_selected_row_is_scrolled_into_view() {
    let mut fixture = Fixture::new();
    fixture.state.settings.strategy = STRATEGIES[STRATEGIES.len() - 1];
    let window = fixture.window(vec2(600.0, 140.0));
    let [first, last] = [0, STRATEGIES.len() - 1].map(|lane| {
        let name = format!("lane:{}", STRATEGIES[lane].key);
        place(&window, &name).is_some()
    });
    assert!(!first && last);
}

#[test]
fn nothing_fails_without_entities_or_with_one() {
    let rests = Some(Point { x: 0.5, y: 0.25 });
    for (entities, target) in [(0.0, None), (1.0, None), (0.0, rests), (1.0, rests)] {
        let settings = Settings {
            knobs: KnobValues::with(&[(&ENTITIES, entities)]),
            target,
            ..Settings::default()
        };
        let mut fixture = Fixture::with(&settings);
        fixture.state.compare.metrics = METRICS.iter().collect();
        for size in VIEWS {
            let window = fixture.window(size);
            assert!(place(&window, "columns").is_some(), "{entities} at {size}");
        }
    }
}

#[test]
fn parts_vanish_in_order_and_all_fit_into_the_view() {
    let lanes = STRATEGIES.len();
    let mut before = (true, true, lanes);
    for height in (0..1500).rev().map(|height| height as f32) {
        let Some(fit) = fit(height, lanes, 4) else {
            assert!(
                height < HEADING_HEIGHT + FOOTER_HEIGHT + MIN_ROW_HEIGHT,
                "{height}"
            );
            continue;
        };
        let parts = (fit.has_lower, fit.has_captions, fit.rows);
        assert!(parts <= before, "{height}: {parts:?} after {before:?}");
        before = parts;
        let captions = if fit.has_captions {
            4.0 * CAPTION_HEIGHT
        } else {
            0.0
        };
        let lower = if fit.has_lower {
            LOWER_HEIGHT_RANGE[0]
        } else {
            0.0
        };
        let all =
            HEADING_HEIGHT + captions + fit.row_height * fit.rows as f32 + FOOTER_HEIGHT + lower;
        assert!(
            all <= height && fit.row_height >= MIN_ROW_HEIGHT,
            "{height}: {fit:?}"
        );
    }
    assert_eq!(before, (false, false, 1));
}
