//! Tests of the charts, without a display.

use super::*;
use crate::app::platform::event_log::Log;
use crate::app::state::view::View;
use crate::app::views::compare::CompareView;
use crate::app::views::compare::selected;
use crate::app::views::tests::{click, window};
use egui::{Event, Modifiers, PointerButton};
use egui_kittest::Harness;
use headless::judge::Limit;
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, ENTITIES, Point, TARGET_SPEED};
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{Nanos, monotonic};

const REST: Option<Point> = Some(Point { x: 0.4, y: 0.2 });

/// Sizes of the view in windows of 900 x 600, 1280 x 800 and 1920 x 1080 points.
const VIEWS: [Vec2; 3] = [
    vec2(648.0, 520.0),
    vec2(1028.0, 720.0),
    vec2(1668.0, 1000.0),
];

/// Returns a state in which Compare has run for ten seconds and its searches are complete.
fn compared(set: &[(&Knob, f64)], target: Option<Point>, change: impl Fn(&mut State)) -> State {
    let settings = Settings {
        knobs: KnobValues::with(set),
        target,
        ..Settings::default()
    };
    let mut state = State::still(0, settings, View::Compare, Log::default());
    change(&mut state);
    let State {
        compare, settings, ..
    } = &mut state;
    for _ in 0..10 {
        compare.advance(Nanos::SECOND, settings);
    }
    compare.expire_reports();
    compare.refresh(monotonic());
    let is_crossovers = compare.chart == Chart::Crossovers;
    compare.best_setting.over = is_crossovers.then_some(compare.over);
    let objective = compare.staleness.into();
    compare.best_setting.advance(settings, objective, true);
    state
}

fn crossovers_over(knob: &'static Knob) -> impl Fn(&mut State) {
    move |state| (state.compare.chart, state.compare.over) = (Chart::Crossovers, knob)
}

fn shown(state: &State, size: Vec2) -> Harness<'_, UiOutput> {
    let mut view = CompareView::default();
    window(size, move |ui, output| {
        view.table(ui, ui.max_rect(), state, output);
    })
}

fn place(window: &Harness<'_, UiOutput>, name: &str) -> Option<Rect> {
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

/// Moves the pointer over the plot until a line's card appears. Returns the pointer's position.
fn find_line(window: &mut Harness<'_, UiOutput>, plot: Rect) -> Option<Pos2> {
    let across = [0.15, 0.3, 0.45, 0.6, 0.75];
    for x in across {
        for y in (1..40).map(|step| step as f32 / 40.0) {
            let at = plot.lerp_inside(vec2(x, y));
            point_at(window, at);
            if says(window, "Click to set") {
                return Some(at);
            }
        }
    }
    None
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
fn a_click_on_a_curve_sets_the_knob_and_selects_the_strategy() {
    for (target, is_absolute) in [(REST, false), (None, false), (REST, true)] {
        let set = [(&ENTITIES, 600.0), (&COST, 40.0)];
        let state = compared(&set, target, |state| {
            state.compare.is_absolute = is_absolute;
        });
        let sweep = state.compare.best_setting.sweep().expect("it is known");
        for size in VIEWS {
            let mut window = shown(&state, size);
            let plot = place(&window, "trade-off").unwrap();
            let at = find_line(&mut window, plot).expect("there is a curve");
            let commands = press(&mut window, at);
            let [Command::SetKnob(knob, value), Command::SelectLane(lane)] = commands[..] else {
                panic!("{commands:?}");
            };
            assert_eq!(STRATEGIES[lane].main_knob(), Some(knob));
            let points = &sweep.curves()[lane].points;
            let point = points.iter().find(|it| it.setting.value == Some(value));
            let point = point.expect("it was tried");
            assert!(point.outcome.staleness.is_some(), "it is settled");
            let words = format::knob(knob, value);
            assert!(says(&window, &format!("{} {words}", knob.label)), "{size}");
        }
    }
}

#[test]
fn a_card_names_the_limits_that_a_setting_breaks() {
    let set = [(&ENTITIES, 600.0), (&COST, 40.0)];
    let state = compared(&set, REST, |_| {});
    let mut window = shown(&state, VIEWS[1]);
    let plot = place(&window, "trade-off").unwrap();
    // Settings that use nearly all of the time exceed the limit of 4 ms per frame.
    let breaks = (1..40).any(|step| {
        point_at(&mut window, plot.lerp_inside(vec2(0.9, step as f32 / 40.0)));
        says(&window, "(limit 4 ms)")
    });
    assert!(breaks);
}

#[test]
fn crossovers_name_the_best_and_a_click_sets_what_is_shown() {
    for (knob, now) in [(&BUDGET, "now 4 ms"), (&COST, "now 30 µs")] {
        let set = [(&ENTITIES, 150.0), (&COST, 30.0)];
        let state = compared(&set, REST, crossovers_over(knob));
        let found = state
            .compare
            .best_setting
            .crossovers()
            .expect("they are known");
        for size in VIEWS {
            let mut window = shown(&state, size);
            assert!(says(&window, now), "{now} at {size}");
            let plot = place(&window, "crossovers").unwrap();
            let parts = window.state().controls.iter();
            let parts = parts.filter(|it| it.name.starts_with("best:"));
            let parts: Vec<_> = parts.cloned().collect();
            assert_eq!(parts.len(), found.ranges.len());
            let keys = found
                .ranges
                .iter()
                .map(|it| it.strategy.map_or("none", |it| it.key));
            assert!(
                keys.eq(parts.iter().map(|it| &it.name["best:".len()..])),
                "{parts:?}"
            );
            for pair in parts.windows(2) {
                assert_eq!(pair[0].rect.right(), pair[1].rect.left(), "{size}");
            }
            assert!(parts[0].rect.left() >= plot.left() && parts[0].rect.bottom() < plot.top());
            let widest = parts.iter().zip(&found.ranges);
            let (part, range) = widest
                .max_by(|one, other| one.0.rect.width().total_cmp(&other.0.rect.width()))
                .unwrap();
            let name = range.strategy.map_or("none", |it| it.name);
            let is_named = texts(&window).into_iter().any(|(text, at)| {
                name.starts_with(&text) && !text.is_empty() && part.rect.contains_rect(at)
            });
            assert!(is_named, "{name} at {size}");

            let at = find_line(&mut window, plot).expect("there is a line");
            let commands = press(&mut window, at);
            let Some((Command::SelectLane(lane), turns)) = commands.split_last() else {
                panic!("{commands:?}");
            };
            let value = match turns[0] {
                Command::SetKnob(over, value) if over == knob => value,
                Command::SetLimit(Limit::Tasks, limit) if *knob == BUDGET => limit.as_millis_f64(),
                _ => panic!("{commands:?}"),
            };
            let column = found.columns.iter().find(|(at, _)| *at == value);
            let tuned = column.expect("it was tried").1[*lane].as_ref().unwrap();
            let own = tuned
                .choice
                .values()
                .map(|(knob, value)| Command::SetKnob(knob, value));
            assert!(own.eq(turns[1..].iter().copied()), "{commands:?}");
        }
    }
}

#[test]
fn tabs_and_list_choose_what_is_shown() {
    let mut state = compared(&[(&ENTITIES, 50.0)], REST, |_| {});
    for size in VIEWS {
        state.compare.chart = Chart::TradeOff;
        let mut window = shown(&state, size);
        click(&mut window, "chart:Trade-off");
        click(&mut window, "chart:Crossovers");
        click(&mut window, "trade-off:Absolute");
        let commands = [Command::Chart(Chart::Crossovers), Command::Absolute];
        assert_eq!(window.state().commands, commands);
        drop(window);
        state.compare.chart = Chart::Crossovers;
        let mut window = shown(&state, size);
        click(&mut window, "chart:Trade-off");
        let back = Command::Chart(Chart::TradeOff);
        assert_eq!(window.state().commands, [back]);
        assert!(place(&window, "trade-off:Absolute").is_none());
        click(&mut window, "over");
        window.run_steps(2);
        click(&mut window, "over:cost-us");
        assert_eq!(window.state().commands, [back, Command::Over(&COST)]);
    }
}

#[test]
fn far_off_strategies_have_a_mark_and_their_value_at_the_top() {
    let set = [(&ENTITIES, 600.0), (&COST, 40.0)];
    let state = compared(&set, REST, |_| {});
    let times = state.compare.reports.iter();
    let times = times.filter_map(|it| it.over_minimum(Mean));
    let most = times.fold(0.0, f64::max);
    assert!(most > 2.0, "{most}");
    for size in VIEWS {
        let window = shown(&state, size);
        let plot = place(&window, "trade-off").unwrap();
        let inside = texts(&window);
        let mut inside = inside.iter().filter(|(_, at)| plot.contains(at.center()));
        let has_value = inside.any(|(text, _)| text.contains('×'));
        let near_top = STRATEGIES.iter().any(|entry| {
            let dot = place(&window, &format!("dot:{}", entry.key));
            dot.is_some_and(|dot| dot.center().y < plot.top() + 20.0)
        });
        assert!(near_top, "{size}");
        assert!(has_value, "{size}");
    }
}

#[test]
fn only_the_limit_of_task_time_has_a_line() {
    let set = [(&ENTITIES, 300.0)];
    let state = compared(&set, REST, |_| {});
    assert!(says(&shown(&state, VIEWS[1]), "limit: 4 ms of 16.7 ms"));
    let state = compared(&set, REST, without_limit);
    assert!(!says(&shown(&state, VIEWS[1]), " of 16.7"));
}

fn without_limit(state: &mut State) {
    state.compare.best_setting.limits.switch(Limit::Tasks);
}

#[test]
fn limits_at_their_ends_have_charts() {
    let nothing = Nanos::from_nanos(1);
    for span in [Nanos::ZERO, nothing, Nanos::from_secs(3_600)] {
        for limit in [Limit::Tasks, Limit::Near, Limit::Longest] {
            for (knob, target) in [(None, REST), (None, None), (Some(&BUDGET), REST)] {
                let state = compared(&[(&ENTITIES, 30.0)], target, |state| {
                    state.compare.best_setting.limits.set(limit, span);
                    if let Some(knob) = knob {
                        crossovers_over(knob)(state);
                    }
                });
                let name = ["trade-off", "crossovers"][usize::from(knob.is_some())];
                assert!(
                    place(&shown(&state, VIEWS[1]), name).is_some(),
                    "{limit:?} {span:?}"
                );
            }
        }
    }
}

/// Returns the centres and radii of all filled circles that are painted in `area`.
fn circles(window: &Harness<'_, UiOutput>, area: Rect) -> Vec<(Pos2, f32)> {
    let shapes = window.output().shapes.iter();
    let circles = shapes.filter_map(|it| match &it.shape {
        Shape::Circle(circle) if circle.fill != Color32::TRANSPARENT => Some(circle),
        _ => None,
    });
    let inside = circles.filter(|it| area.contains(it.center));
    inside.map(|it| (it.center, it.radius)).collect()
}

#[test]
fn each_tried_setting_in_view_has_a_mark() {
    let set = [(&ENTITIES, 600.0), (&COST, 40.0)];
    let state = compared(&set, REST, |state| state.compare.is_absolute = true);
    let sweep = state.compare.best_setting.sweep().expect("it is known");
    for size in VIEWS {
        let window = shown(&state, size);
        let plot = place(&window, "trade-off").unwrap();
        let small = circles(&window, plot).into_iter();
        let marks = small.filter(|(_, radius)| *radius < 2.0).count();
        let points = sweep.curves().iter().flat_map(|it| &it.points);
        let known = points.filter(|it| it.outcome.share > 0.05).count();
        assert!(marks > known / 2, "{marks} of {known} at {size}");
    }
}

#[test]
fn no_dot_is_on_the_label_of_the_limit() {
    let set = [(&ENTITIES, 2000.0), (&COST, 50.0)];
    for target in [REST, None] {
        let state = compared(&set, target, |_| {});
        for size in VIEWS {
            let window = shown(&state, size);
            let all = texts(&window);
            let (_, label) = all
                .iter()
                .find(|(text, _)| text == "limit: 4 ms of 16.7 ms")
                .unwrap();
            for entry in STRATEGIES {
                let dot = place(&window, &format!("dot:{}", entry.key));
                let is_apart = dot.is_none_or(|dot| !dot.shrink(2.0).intersects(*label));
                assert!(is_apart, "{} at {size}", entry.key);
            }
        }
    }
}

#[test]
fn a_card_covers_nothing_of_the_chart() {
    let set = [(&ENTITIES, 150.0), (&COST, 30.0)];
    for (name, chart) in [
        ("trade-off", Chart::TradeOff),
        ("crossovers", Chart::Crossovers),
    ] {
        let state = compared(&set, REST, |state| {
            (state.compare.chart, state.compare.over) = (chart, &COST);
        });
        for size in VIEWS {
            let mut window = shown(&state, size);
            let plot = place(&window, name).unwrap();
            find_line(&mut window, plot).expect("there is a line");
            let all = texts(&window);
            let click = all
                .iter()
                .find(|(text, _)| text.starts_with("Click to set"));
            let (_, card) = click.expect("a card");
            assert!(
                !card.intersects(chart_area(plot)),
                "{name} at {size}: {card}"
            );
        }
    }
}

#[test]
fn only_lines_that_are_best_somewhere_are_strong() {
    let set = [(&ENTITIES, 150.0), (&COST, 30.0)];
    let state = compared(&set, REST, crossovers_over(&COST));
    let found = state
        .compare
        .best_setting
        .crossovers()
        .expect("they are known");
    let window = shown(&state, VIEWS[1]);
    let plot = place(&window, "crossovers").unwrap();
    let widths = |width: f32| {
        let shapes = window.output().shapes.iter();
        let lines = shapes.filter_map(|it| match &it.shape {
            Shape::LineSegment { points, stroke } if plot.contains(points[0]) => Some(stroke),
            _ => None,
        });
        lines.filter(|stroke| stroke.width == width).count()
    };
    let winners = found.ranges.iter().filter_map(|it| it.strategy).count();
    assert!(winners > 0 && widths(1.8) > 0 && widths(0.9) > 0);
    let now = format!("now {}", format::knob(&COST, 30.0));
    assert!(
        says(&window, &now) && widths(1.5) > 0,
        "the present workload"
    );
    for (text, at) in texts(&window)
        .iter()
        .filter(|it| plot.contains(it.1.center()))
    {
        let named = STRATEGIES.iter().find(|it| text.ends_with(it.name));
        let Some(named) = named else { continue };
        let is_best = found.ranges.iter().any(|it| it.strategy == Some(named));
        let is_selected = STRATEGIES[selected(&state)] == *named;
        assert!(is_best || is_selected, "{text} at {at}");
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
fn the_unit_of_a_moving_target_is_said() {
    let set = [(&ENTITIES, 300.0)];
    let state = compared(&set, None, |_| {});
    let mut window = shown(&state, VIEWS[1]);
    assert!(says(&window, "relative to the most efficient setting"));
    let plot = place(&window, "trade-off").unwrap();
    find_line(&mut window, plot).expect("there is a curve");
    assert!(says(
        &window,
        "× the staleness of the most efficient setting, scaled to"
    ));
    let state = compared(&set, None, |state| state.compare.is_absolute = true);
    assert!(!says(&shown(&state, VIEWS[1]), "relative to"));
}

#[test]
fn no_texts_overlap_and_all_are_inside() {
    let workloads: [&[(&Knob, f64)]; 5] = [
        &[(&ENTITIES, 0.0)],
        &[(&ENTITIES, 1.0)],
        &[],
        &[(&ENTITIES, 300.0), (&COST, 300.0)],
        &[(&ENTITIES, 100.0), (&CHURN, 50.0), (&TARGET_SPEED, 1.0)],
    ];
    let knobs = [&COST, &COST, &BUDGET, &CHURN, &TARGET_SPEED];
    for (nth, set) in workloads.into_iter().enumerate() {
        let target = REST.filter(|_| nth % 2 == 0);
        for kind in 0..3 {
            let state = compared(set, target, |state| match kind {
                0 => {}
                1 => {
                    state.compare.is_absolute = true;
                    state.compare.staleness = Worst;
                    without_limit(state);
                }
                _ => crossovers_over(knobs[nth])(state),
            });
            let name = ["trade-off", "trade-off", "crossovers"][kind];
            for size in VIEWS {
                let window = shown(&state, size);
                let plot = place(&window, name).expect("it has room");
                let all = texts(&window).into_iter();
                let all = all.filter(|(text, at)| !text.is_empty() && at.intersects(plot));
                let all: Vec<(String, Rect)> = all.collect();
                for (index, (text, at)) in all.iter().enumerate() {
                    assert!(
                        plot.expand(1.0).contains_rect(*at),
                        "{text} of {nth} at {size}"
                    );
                    for (other, other_at) in &all[..index] {
                        let both = at.intersect(*other_at).shrink(0.5);
                        assert!(
                            !both.is_positive(),
                            "{text}, {other} of {nth} {kind} at {size}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_axis_of_multiples_leaves_out_far_off_ones() {
    let of = |times: &[f64]| times_axis(times.iter().copied(), [100.0, 0.0]);
    let all = of(&[1.02, 1.2, 1.21, 1.24, 2.4, 40.0]);
    assert!(all.contains(1.24) && !all.contains(2.4));
    assert!(of(&[1.0, 3.0, 4.0, 5.0]).contains(5.0));
    assert!(of(&[0.95]).contains(0.95) && of(&[]).contains(1.0));
}
