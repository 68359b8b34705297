//! Tests of the answer, the table and the area below it, without a display.

use super::*;
use crate::app::platform::event_log::Log;
use crate::app::state::compare::{Offer, OutcomeValue};
use crate::app::state::grid::Language;
use crate::app::state::view::View;
use crate::app::views::tests::{click, place, shows, texts, window};
use crate::app::widgets::theme;
use egui::epaint::ClippedShape;
use egui::{Pos2, Shape, Vec2, vec2};
use egui_kittest::Harness;
use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::STRATEGIES;
use lab::judge::{Limit, Recommendation};
use lab::sim::lane::Lane;
use lab::sim::settings::Settings;
use lab::sim::world::{COST, COST_SPREAD, ENTITIES, Point};
use timeslicer::time::{Nanos, monotonic};

pub struct Fixture {
    pub state: State,
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(&Settings::default())
    }

    pub fn with(settings: &Settings) -> Self {
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

    /// Continues the search for a moment, or until there is nothing more to find.
    pub fn search(&mut self, to_the_end: bool) {
        let State {
            compare, settings, ..
        } = &mut self.state;
        let objective = compare.objective;
        let best_setting = &mut compare.best_setting;
        best_setting.advance(settings, objective, to_the_end);
    }

    /// Continues the search until there is an answer for the current settings. Does not wait for the crossovers.
    fn seek(&mut self) {
        self.search(false);
        while !self.state.compare.best_setting.is_final() {
            self.search(false);
        }
    }

    fn answer(&self) -> &Recommendation {
        self.state
            .compare
            .best_setting
            .recommendation()
            .expect("there is an answer")
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
    vec2(648.0, 556.0),
    vec2(1028.0, 756.0),
    vec2(1668.0, 1036.0),
];

/// Creates lanes that have run for 3 s, and the answer for them. Some strategies cannot keep the limits.
fn answered() -> Fixture {
    let settings = Settings {
        knobs: KnobValues::with(&[(&ENTITIES, 200.0), (&COST, 200.0), (&COST_SPREAD, 0.5)]),
        target: Some(Point { x: 0.4, y: 0.2 }),
        ..Settings::default()
    };
    let mut fixture = Fixture::with(&settings);
    fixture.advance(2);
    for (limit, millis) in [(Limit::Tasks, 3), (Limit::Longest, 2_000)] {
        let set = CompareCommand::SetLimit(limit, Nanos::from_millis(millis));
        fixture.state.apply(Command::Compare(set));
    }
    fixture.state.compare.refresh(monotonic());
    fixture.seek();
    fixture
}

/// Asserts that no text of the answer and the table is cut off.
fn assert_whole(window: &Harness<'_, UiOutput>) {
    let rows = window.state().controls.iter();
    let rows = rows.filter(|it| it.name.starts_with("lane:"));
    let bottom = rows.map(|it| it.rect.bottom()).fold(0.0, f32::max);
    for (text, at, clip) in texts(window) {
        let is_whole = clip.expand(1.0).contains_rect(at) && !text.ends_with('…');
        assert!(is_whole || at.top() >= bottom, "{text} is cut off");
    }
}

#[test]
fn the_answer_comes_first_and_nothing_is_cut_off() {
    let fixture = answered();
    let (all, best) = (
        fixture.answer(),
        fixture.answer().best().expect("there is one"),
    );
    for size in VIEWS {
        let window = fixture.window(size);
        assert_whole(&window);
        assert!(shows(&window, &format!("Use {}", best.words())), "{size}");
        assert!(shows(&window, &best.outcome.effects()[0]), "{size}");
        let area = Rect::from_min_size(Pos2::ZERO, size);
        let answer = place(&window, "answer").expect("it is shown");
        assert!(area.contains_rect(answer) && answer.top() < 20.0, "{size}");
        for name in ["set:best", "copy:rust"] {
            let button = place(&window, name).expect(name);
            assert!(answer.contains_rect(button), "{name} at {size}");
        }
        // A limit applies to each of these columns.
        for name in ["column:near", "column:longest", "column:tasks"] {
            assert!(
                area.contains_rect(place(&window, name).expect(name)),
                "{size}"
            );
        }
        let mut tops = vec![answer.bottom()];
        let rows = all.order().into_iter();
        let rows = rows.map(|lane| place(&window, &format!("lane:{}", STRATEGIES[lane].key)));
        tops.extend(rows.map_while(|row| Some(row?.top())));
        assert!(
            tops.is_sorted() && tops.len() > ENOUGH_ROWS,
            "{size}: {tops:?}"
        );
        assert!(place(&window, "trade-off").is_some(), "{size}");
    }
}

#[test]
fn a_strategy_that_keeps_no_limits_says_why_and_has_no_button() {
    let fixture = answered();
    let window = fixture.window(VIEWS[1]);
    let mut is_shown = [false; 2];
    for choice in &fixture.answer().choices {
        let button = place(&window, &format!("set:{}", choice.strategy.key));
        assert_eq!(button.is_some(), choice.holds(), "{}", choice.strategy.key);
        is_shown[usize::from(choice.holds())] = true;
        if let Some(broken) = choice.broken_briefly() {
            assert!(shows(&window, &broken), "{broken}");
        } else {
            assert!(shows(&window, &choice.setting.brief()), "{choice:?}");
        }
    }
    assert_eq!(is_shown, [true; 2]);
}

#[test]
fn what_is_set_and_copied_is_what_the_answer_says() {
    let mut fixture = answered();
    let best = fixture.answer().best().expect("there is one").clone();
    let offer = Offer::Strategy(best.lane);
    let mut window = fixture.window(VIEWS[1]);
    assert!(!shows(&window, "Is set"));
    click(&mut window, "copy:rust");
    click(&mut window, "set:best");
    click(&mut window, &format!("set:{}", best.strategy.key));
    let expected = [
        Command::Compare(CompareCommand::CopyOffer(offer, Language::Rust)),
        Command::Compare(CompareCommand::Apply(offer)),
        Command::Compare(CompareCommand::Apply(offer)),
    ];
    assert_eq!(window.state().commands, expected);
    drop(window);
    let code = fixture.answer().snippet(&best);
    for command in &expected[..2] {
        fixture.state.apply(*command);
    }
    fixture.state.compare.refresh(monotonic());
    fixture.seek();
    assert_eq!(fixture.state.clipboard, Some(code));
    let mut window = fixture.window(VIEWS[1]);
    let is_set = texts(&window).into_iter().filter(|it| it.0 == "Is set");
    assert_eq!(is_set.count(), 2, "on the card and in the row");
    click(&mut window, "set:best");
    assert_eq!(window.state().commands, []);
    drop(window);
    fixture.state.apply(Command::View(View::Grid));
    let lanes = fixture.state.compare.comparison.lanes().iter();
    for settings in lanes
        .map(Lane::settings)
        .chain([fixture.state.grid.lane.settings()])
    {
        for (knob, value) in &best.setting.values {
            assert_eq!(settings.knobs.get(knob), *value, "{}", knob.key);
        }
    }
}

#[test]
fn if_nothing_keeps_the_limits_each_way_out_has_a_button() {
    let mut fixture = answered();
    let near = CompareCommand::SetLimit(Limit::Near, Nanos::from_millis(20));
    fixture.state.apply(Command::Compare(near));
    fixture.seek();
    let ways = fixture.answer().ways.len();
    assert!(fixture.answer().best.is_none() && ways > 1);
    let mut window = fixture.window(VIEWS[1]);
    assert!(shows(&window, "No strategy keeps all limits"));
    assert_eq!(place(&window, "set:best"), None);
    for index in 0..ways {
        let name = format!("set:way:{index}");
        click(&mut window, &name);
        let apply = Command::Compare(CompareCommand::Apply(Offer::Way(index)));
        assert_eq!(window.state().commands.last(), Some(&apply), "{name}");
    }
    drop(window);
    for offer in (0..ways).map(Offer::Way) {
        let mut fixture = answered();
        fixture.state.apply(Command::Compare(near));
        fixture.seek();
        fixture
            .state
            .apply(Command::Compare(CompareCommand::Apply(offer)));
        fixture.seek();
        assert!(fixture.answer().best.is_some(), "{offer:?}");
    }
}

#[test]
fn the_last_answer_stays_but_cannot_be_set_while_others_are_tried() {
    let mut fixture = answered();
    let headline = format!(
        "Use {}",
        fixture.answer().best().expect("there is one").words()
    );
    fixture.state.apply(Command::SetKnob(&COST, 300.0));
    fixture.search(false);
    let mut window = fixture.window(VIEWS[1]);
    assert!(shows(&window, &headline) && shows(&window, "For the previous settings"));
    click(&mut window, "set:best");
    click(&mut window, "copy:rust");
    assert_eq!(window.state().commands, []);
    drop(window);
    fixture.seek();
    assert!(!shows(
        &fixture.window(VIEWS[1]),
        "For the previous settings"
    ));
}

/// Creates lanes that have run for 3 s, and then get too many entities to try settings.
fn too_large() -> Fixture {
    let mut fixture = Fixture::new();
    fixture.advance(2);
    fixture.state.settings.knobs.set(&ENTITIES, 200_000.0);
    fixture.search(false);
    fixture
}

#[test]
fn a_crowd_that_is_too_large_shows_what_is_measured() {
    let mut fixture = Fixture::new();
    fixture.search(false);
    assert!(shows(
        &fixture.window(VIEWS[1]),
        "Trying settings of every strategy"
    ));
    let fixture = too_large();
    let mut window = fixture.window(VIEWS[1]);
    assert!(shows(&window, "too many entities"));
    assert_eq!(place(&window, "column:best-setting"), None);
    click(&mut window, "column:tasks");
    let sort = CompareCommand::Sort(Some(OutcomeValue::Tasks));
    assert_eq!(window.state().commands, [Command::Compare(sort)]);
}

#[test]
fn a_second_click_reverses_the_order_but_unknown_values_stay_last() {
    for mut fixture in [answered(), too_large()] {
        let compare = &mut fixture.state.compare;
        for value in OutcomeValue::ALL {
            for is_reversed in [false, true] {
                compare.sort(Some(value));
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
}

#[test]
fn limits_mark_the_measured_values_that_break_them() {
    let mut fixture = too_large();
    let mut marks = |limit, millis| {
        let set = CompareCommand::SetLimit(limit, Nanos::from_millis(millis));
        fixture.state.apply(Command::Compare(set));
        fixture.state.compare.refresh(monotonic());
        let window = fixture.window(VIEWS[1]);
        let shapes = window.output().shapes.iter();
        let is_mark = |it: &&ClippedShape| matches!(&it.shape, Shape::Path(path) if path.fill == theme::AMBER);
        shapes.filter(is_mark).count()
    };
    for limit in [Limit::Tasks, Limit::Longest] {
        assert!(marks(limit, 100_000) < marks(limit, 1), "{limit:?}");
    }
}

#[test]
fn the_selected_row_is_scrolled_into_view() {
    let mut fixture = Fixture::new();
    fixture.state.settings.strategy = STRATEGIES[STRATEGIES.len() - 1];
    let window = fixture.window(vec2(600.0, 190.0));
    let rows = [0, STRATEGIES.len() - 1].map(|lane| format!("lane:{}", STRATEGIES[lane].key));
    assert_eq!(
        rows.map(|row| place(&window, &row).is_some()),
        [false, true]
    );
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
