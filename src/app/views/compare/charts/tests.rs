//! Tests of the charts, without a display.

use super::*;
use crate::app::platform::event_log::Log;
use crate::app::state::compare::Offer;
use crate::app::state::view::View;
use crate::app::views::compare::selected;
use crate::app::views::tests::{click, window};
use egui::{Event, Modifiers, PointerButton};
use egui_kittest::Harness;
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::knobs::BUDGET;
use lab::judge::{Limit, Setting};
use lab::sim::settings::Settings;
use lab::sim::world::{CHURN, COST, ENTITIES, Point, TARGET_SPEED};
use timeslicer::time::{Nanos, monotonic};

pub const REST: Option<Point> = Some(Point { x: 0.4, y: 0.2 });

/// The sizes of the window, without bars, and of the chart below the table.
const WINDOWS: [[Vec2; 2]; 3] = [
    [vec2(900.0, 556.0), vec2(648.0, 150.0)],
    [vec2(1280.0, 756.0), vec2(576.0, 168.0)],
    [vec2(1920.0, 1036.0), vec2(734.0, 280.0)],
];
const PANEL_WIDTH: f32 = 252.0;

/// Returns a state in which Compare has run for ten seconds and its searches are complete.
pub fn compared(set: &[(&Knob, f64)], target: Option<Point>, change: impl Fn(&mut State)) -> State {
    let settings = Settings {
        knobs: KnobValues::with(set),
        target,
        ..Settings::default()
    };
    let mut state = State::still(0, settings, View::Compare, Log::default());
    // The search over this knob takes the least time.
    state.compare.best_setting.over = &BUDGET;
    change(&mut state);
    run(&mut state);
    let objective = state.compare.staleness.into();
    let search = &mut state.compare.best_setting;
    search.advance(&state.settings, objective, true);
    state
}

fn run(state: &mut State) {
    let State {
        compare, settings, ..
    } = state;
    for _ in 0..10 {
        compare.advance(Nanos::SECOND, settings);
    }
    compare.expire_reports();
    compare.refresh(monotonic());
}

fn crossovers_over(knob: &'static Knob) -> impl Fn(&mut State) {
    move |state| {
        state.compare.chart = Chart::Crossovers;
        state.compare.best_setting.over = knob;
    }
}

fn is_relative(state: &mut State) {
    state.compare.is_absolute = false;
}

/// Shows the chart where the Compare view shows it, below the table and to the right of the panel.
fn shown(state: &State, [window_size, size]: [Vec2; 2]) -> Harness<'_, UiOutput> {
    window(window_size, move |ui, output| {
        let corner = pos2(PANEL_WIDTH, window_size.y - size.y);
        let rect = Rect::from_min_size(corner, size);
        output.report("chart", rect);
        show(ui, rect, state, output);
    })
}

fn find(window: &Harness<'_, UiOutput>, name: &str) -> Option<Rect> {
    let mut controls = window.state().controls.iter();
    controls.find(|it| it.name == name).map(|it| it.rect)
}

fn texts(window: &Harness<'_, UiOutput>) -> Vec<(String, Rect)> {
    let shapes = window.output().shapes.iter();
    let texts = shapes.filter_map(|it| match &it.shape {
        Shape::Text(text) => Some((
            text.galley.text().to_owned(),
            text.galley.rect.translate(text.pos.to_vec2()),
        )),
        _ => None,
    });
    texts.collect()
}

fn says(window: &Harness<'_, UiOutput>, words: &str) -> bool {
    texts(window).iter().any(|(text, _)| text.contains(words))
}

fn point_at(window: &mut Harness<'_, UiOutput>, at: Pos2) {
    window.input_mut().events.push(Event::PointerMoved(at));
    window.run_steps(2);
}

/// Moves the pointer over the plot until the card of a setting appears. Returns the pointer's position and the title of
/// the card.
fn find_line(window: &mut Harness<'_, UiOutput>, plot: Rect) -> (Pos2, String) {
    for x in [0.15, 0.3, 0.45, 0.6, 0.75] {
        for y in (1..40).map(|step| step as f32 / 40.0) {
            let at = plot.lerp_inside(vec2(x, y));
            point_at(window, at);
            let texts = texts(window);
            let last = texts
                .iter()
                .position(|(text, _)| text.starts_with("Click to set it"));
            let mut card = texts[..last.unwrap_or_default()].iter().rev();
            let is_title = |text: &str| STRATEGIES.iter().any(|it| text.starts_with(it.name));
            if let Some((title, _)) = card.find(|(text, _)| is_title(text))
                && !title.ends_with("recommended setting")
            {
                return (at, title.clone());
            }
        }
    }
    panic!("there is no line");
}

fn press(window: &mut Harness<'_, UiOutput>, pos: Pos2) -> Vec<Command> {
    let before = window.state().commands.len();
    for pressed in [true, false] {
        window.input_mut().events.push(Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        window.step();
    }
    window.state().commands[before..].to_vec()
}

#[test]
fn a_click_on_a_curve_sets_what_its_card_names() {
    let set = [(&ENTITIES, 300.0), (&COST, 60.0)];
    let mut state = compared(&set, REST, |_| {});
    for (is_absolute, size) in [true, false].into_iter().zip(WINDOWS) {
        state.compare.is_absolute = is_absolute;
        let mut window = shown(&state, size);
        let plot = find(&window, "trade-off").unwrap();
        let (at, title) = find_line(&mut window, plot);
        let commands = press(&mut window, at);
        let Some((Command::Compare(CompareCommand::SelectLane(lane)), sets)) =
            commands.split_last()
        else {
            panic!("{commands:?}");
        };
        let mut knobs = state.settings.knobs.clone();
        for set in sets {
            let Command::SetKnob(knob, value) = *set else {
                panic!("{commands:?}");
            };
            knobs.set(knob, value);
        }
        let strategy = STRATEGIES[*lane];
        let setting = strategy
            .main_knob()
            .map_or_else(Setting::default, |knob| Setting::of(knob, knobs.get(knob)));
        assert_eq!(title, lab::judge::named(strategy, &setting).to_string());
        let curve = &state.compare.best_setting.curves()[*lane];
        assert!(curve.points.iter().any(|point| point.setting == setting));
    }
}

#[test]
fn the_recommended_setting_has_a_dot_until_it_is_set() {
    let set = [(&ENTITIES, 300.0), (&COST, 60.0)];
    let mut state = compared(&set, REST, |_| {});
    let recommendation = state.compare.best_setting.recommendation();
    let best = recommendation.unwrap().best.unwrap();
    let [tuned, dot] = ["tuned", "dot"].map(|kind| format!("{kind}:{}", STRATEGIES[best].key));
    let mut window = shown(&state, WINDOWS[1]);
    let at = find(&window, &tuned).expect("it is not set").center();
    point_at(&mut window, at);
    assert!(says(&window, "the recommended setting"));
    let apply = Command::Compare(CompareCommand::Apply(Offer::Strategy(best)));
    assert_eq!(press(&mut window, at), [apply]);
    drop(window);
    state.apply(apply);
    let recommendation = state.compare.best_setting.recommendation().unwrap();
    let choice = Offer::Strategy(best).choice(recommendation).unwrap();
    assert!(state.compare.is_set(choice, &state.settings));
    assert_eq!(selected(&state), best);
    run(&mut state);
    let window = shown(&state, WINDOWS[1]);
    assert!(find(&window, &tuned).is_none());
    let now = find(&window, &dot).unwrap().center();
    let plot = find(&window, "trade-off").unwrap();
    assert!(now.distance(at) < 0.2 * plot.width(), "{at} {now}");
}

#[test]
fn crossovers_name_the_best_and_a_click_sets_what_is_shown() {
    for (knob, now) in [(&BUDGET, "now 4 ms"), (&COST, "now 30 µs")] {
        let set = [(&ENTITIES, 150.0), (&COST, 30.0)];
        let state = compared(&set, REST, crossovers_over(knob));
        let found = state.compare.best_setting.crossovers().unwrap();
        let ranges = &found.ranges;
        let present = if *knob == BUDGET { 4.0 } else { 30.0 };
        let here = ranges
            .iter()
            .find(|it| (it.from..=it.to).contains(&present));
        let best = state.compare.best_setting.recommendation().unwrap().best();
        assert_eq!(here.unwrap().strategy, best.map(|it| it.strategy));
        for size in WINDOWS {
            let mut window = shown(&state, size);
            assert!(says(&window, now), "{now}");
            let plot = find(&window, "crossovers").unwrap();
            let sections = window.state().controls.iter();
            let sections = sections.filter(|it| it.name.starts_with("best:"));
            let sections: Vec<_> = sections.cloned().collect();
            let keys = ranges
                .iter()
                .map(|it| it.strategy.map_or("none", |it| it.key));
            assert!(keys.eq(sections.iter().map(|it| &it.name["best:".len()..])));
            for pair in sections.windows(2) {
                assert_eq!(pair[0].rect.right(), pair[1].rect.left());
            }
            assert!(sections[0].rect.left() >= plot.left());
            assert!(sections[0].rect.bottom() < plot.top());
            // Only the lines of the best strategies and of the selected one have labels.
            for (text, _) in texts(&window)
                .iter()
                .filter(|it| plot.contains(it.1.center()))
            {
                let Some(named) = STRATEGIES.iter().find(|it| text == it.name) else {
                    continue;
                };
                let is_best = ranges.iter().any(|it| it.strategy == Some(named));
                assert!(is_best || STRATEGIES[selected(&state)] == *named, "{text}");
            }

            let (at, title) = find_line(&mut window, plot);
            let commands = press(&mut window, at);
            let Some((Command::Compare(CompareCommand::SelectLane(lane)), sets)) =
                commands.split_last()
            else {
                panic!("{commands:?}");
            };
            let value = match sets[0] {
                Command::SetKnob(over, value) if over == knob => value,
                Command::Compare(CompareCommand::SetLimit(Limit::Tasks, limit))
                    if *knob == BUDGET =>
                {
                    limit.as_millis_f64()
                }
                _ => panic!("{commands:?}"),
            };
            let column = found.columns.iter().find(|it| it.value == value).unwrap();
            let choice = &column.recommendation.choices[*lane];
            assert!(title.starts_with(&choice.words().to_string()), "{title}");
            let tried = column.recommendation.settings(choice).knobs;
            for set in &sets[1..] {
                let Command::SetKnob(knob, value) = *set else {
                    panic!("{commands:?}");
                };
                assert_eq!(tried.get(knob), value);
            }
        }
    }
}

#[test]
fn tabs_and_list_choose_what_is_shown() {
    let mut state = compared(&[(&ENTITIES, 50.0)], REST, |_| {});
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
        click(&mut window, "chart:Trade-off");
        let back = Command::Compare(CompareCommand::Chart(Chart::TradeOff));
        assert_eq!(window.state().commands, [back]);
        assert!(find(&window, "trade-off:Absolute").is_none());
        click(&mut window, "over");
        window.run_steps(2);
        click(&mut window, "over:cost-us");
        assert_eq!(
            window.state().commands,
            [back, Command::Compare(CompareCommand::Over(&COST))]
        );
    }
}

#[test]
fn a_card_covers_neither_the_chart_nor_the_table() {
    let set = [(&ENTITIES, 150.0), (&COST, 30.0)];
    let mut state = compared(&set, REST, |_| {});
    for (name, chart) in [
        ("trade-off", Chart::TradeOff),
        ("crossovers", Chart::Crossovers),
    ] {
        state.compare.chart = chart;
        for size in WINDOWS {
            let mut window = shown(&state, size);
            let plot = find(&window, name).unwrap();
            find_line(&mut window, plot);
            let chart = find(&window, "chart").unwrap();
            let texts = texts(&window);
            let last = texts
                .iter()
                .rposition(|(text, _)| text.starts_with("Click to set it"));
            for (text, at) in &texts[last.unwrap() - 3..=last.unwrap()] {
                assert!(
                    !at.intersects(chart.shrink2(vec2(SIDE_MARGIN, 0.0))),
                    "{text} {at}"
                );
                assert!(at.top() >= chart.top(), "{text} at {at} covers the table");
            }
        }
    }
}

#[test]
fn what_the_chart_compares_with_is_said() {
    let set = [(&ENTITIES, 300.0)];
    let mut state = compared(&set, None, |_| {});
    let window = shown(&state, WINDOWS[1]);
    assert!(says(&window, "limit: 4 ms of 16.7 ms"));
    assert!(!says(&window, "relative") && !says(&window, "can be below this line"));
    drop(window);
    is_relative(&mut state);
    let mut window = shown(&state, WINDOWS[1]);
    assert!(says(&window, "relative to the most efficient setting"));
    let plot = find(&window, "trade-off").unwrap();
    find_line(&mut window, plot);
    assert!(says(&window, "× that of the most efficient setting"));
    drop(window);
    state.compare.best_setting.limits.switch(Limit::Tasks);
    assert!(!says(&shown(&state, WINDOWS[1]), " of 16.7"));
    let state = compared(&set, REST, is_relative);
    assert!(says(
        &shown(&state, WINDOWS[1]),
        "relative to the theoretical minimum"
    ));
}

#[test]
fn limits_at_their_ends_have_charts() {
    let nothing = Nanos::from_nanos(1);
    for span in [Nanos::ZERO, nothing, Nanos::from_secs(3_600)] {
        for limit in [Limit::Tasks, Limit::Near, Limit::Longest] {
            let mut state = compared(&[(&ENTITIES, 30.0)], REST, |state| {
                state.compare.best_setting.limits.set(limit, span);
                state.compare.best_setting.over = &BUDGET;
            });
            for (name, chart) in [
                ("trade-off", Chart::TradeOff),
                ("crossovers", Chart::Crossovers),
            ] {
                state.compare.chart = chart;
                let window = shown(&state, WINDOWS[1]);
                assert!(find(&window, name).is_some(), "{limit:?} {span:?}");
            }
        }
    }
}

#[test]
fn strategies_have_different_colours() {
    for (nth, one) in STRATEGIES.iter().enumerate() {
        for other in &STRATEGIES[..nth] {
            let difference =
                |channel: usize| i32::from(ink(one)[channel]).abs_diff(ink(other)[channel].into());
            let most = (0..3).map(difference).sum::<u32>();
            assert!(most >= 24, "{} and {}", one.key, other.key);
        }
    }
}

#[test]
fn no_texts_overlap_and_all_are_inside() {
    let workloads: [(&[(&Knob, f64)], &Knob); 5] = [
        (&[(&ENTITIES, 0.0)], &COST),
        (&[(&ENTITIES, 1.0)], &COST),
        (&[], &BUDGET),
        (&[(&ENTITIES, 300.0), (&COST, 300.0)], &CHURN),
        (
            &[(&ENTITIES, 100.0), (&CHURN, 50.0), (&TARGET_SPEED, 1.0)],
            &TARGET_SPEED,
        ),
    ];
    for (nth, (set, over)) in workloads.into_iter().enumerate() {
        let target = REST.filter(|_| nth % 2 == 0);
        let mut state = compared(set, target, |state| {
            state.compare.best_setting.over = over;
        });
        for (name, chart, is_absolute) in [
            ("trade-off", Chart::TradeOff, true),
            ("trade-off", Chart::TradeOff, false),
            ("crossovers", Chart::Crossovers, true),
        ] {
            (state.compare.chart, state.compare.is_absolute) = (chart, is_absolute);
            for size in WINDOWS {
                let window = shown(&state, size);
                let plot = find(&window, name).expect("it has room");
                let all = texts(&window).into_iter();
                let all = all.filter(|(text, at)| !text.is_empty() && at.intersects(plot));
                let all: Vec<(String, Rect)> = all.collect();
                for (index, (text, at)) in all.iter().enumerate() {
                    assert!(plot.expand(1.0).contains_rect(*at), "{text} of {nth}");
                    for (other, other_at) in &all[..index] {
                        let both = at.intersect(*other_at).shrink(0.5);
                        assert!(!both.is_positive(), "{text}, {other} of {nth} {name}");
                    }
                }
            }
        }
    }
}
