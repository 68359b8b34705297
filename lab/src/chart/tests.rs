use super::*;
use crate::catalog::knob::Knob;
use crate::catalog::strategy::STRATEGIES;
use crate::cli::threads::run_on_threads;
use crate::judge::{Crossovers, Limits, Question, Sweep, over_by_key, ranges};
use crate::sim::lane::Length;
use crate::sim::world::{COST, COST_SPREAD, ENTITIES, Point};
use crate::testing::{MS, settings};
use crate::text::format::exact;
use std::sync::atomic::AtomicBool;
use timeslicer::time::Nanos;

fn question(set: &[(&Knob, f64)], target: Option<Point>) -> Question {
    let mut settings = settings("fixed-interval", "variable-step", set);
    settings.target = target;
    settings.seed = 7;
    let limits = Limits {
        tasks: Some(MS(4)),
        longest: Some(Nanos::from_secs(2)),
        ..Limits::default()
    };
    Question {
        steps: 6,
        curve_length: Length::Time(Nanos::SECOND),
        explains: false,
        trial_time: Nanos::SECOND,
        ..Question::new(settings, limits)
    }
}

const WORK: [(&Knob, f64); 3] = [(&ENTITIES, 200.0), (&COST, 100.0), (&COST_SPREAD, 0.5)];
const CENTRE: Option<Point> = Some(Point { x: 0.5, y: 0.25 });

fn swept(question: Question) -> Sweep {
    let sweep = Sweep::new(question);
    run_on_threads(&sweep, 2, &AtomicBool::new(false), |_, _| {});
    sweep
}

fn crossed(question: Question, ends: [f64; 2]) -> Crossovers {
    let over = over_by_key("entities").unwrap();
    let plan = Crossovers::new(question, over, ends, 4, None);
    run_on_threads(&plan, 2, &AtomicBool::new(false), |_, _| {});
    plan
}

/// A text in a chart, with its baseline, size and words.
struct Words {
    x: f64,
    y: f64,
    size: f64,
    anchor: String,
    text: String,
}

/// Returns the value of an element's attribute.
fn attribute(element: &str, name: &str) -> Option<String> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    Some(rest.split('"').next()?.to_owned())
}

/// Returns the elements with this name.
fn elements<'a>(svg: &'a str, name: &str) -> Vec<&'a str> {
    let parts = svg.split('<').filter(|part| {
        let rest = part.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(' '))
    });
    parts.collect()
}

fn words(svg: &str) -> Vec<Words> {
    let number = |part: &str, name| attribute(part, name).unwrap().parse().unwrap();
    let texts = elements(svg, "text").into_iter().map(|part| Words {
        x: number(part, "x"),
        y: number(part, "y"),
        size: number(part, "font-size"),
        anchor: attribute(part, "text-anchor").unwrap_or_default(),
        text: part.split_once('>').unwrap().1.trim().to_owned(),
    });
    texts.collect()
}

/// Asserts that all texts are legible: large enough, inside the card, and without overlaps.
fn assert_legible(svg: &str) {
    let height: f64 = attribute(svg, "height").unwrap().parse().unwrap();
    let all = words(svg);
    let ends = |it: &Words| {
        // This is wider than the average letter of the usual fonts, including spaces.
        let width = it.text.chars().count() as f64 * it.size * 0.5;
        match it.anchor.as_str() {
            "middle" => [it.x - width / 2.0, it.x + width / 2.0],
            "end" => [it.x - width, it.x],
            _ => [it.x, it.x + width],
        }
    };
    for it in &all {
        let [left, right] = ends(it);
        assert!(it.size >= 11.0, "{}", it.text);
        let is_inside = left >= 0.0 && right <= drawing::WIDTH && it.y < height - 4.0;
        assert!(is_inside, "{}: {left} to {right}, {}", it.text, it.y);
    }
    for (index, one) in all.iter().enumerate() {
        for other in &all[index + 1..] {
            let ([left, right], [start, end]) = (ends(one), ends(other));
            let overlap = left < end && start < right && (one.y - other.y).abs() < 11.0;
            assert!(!overlap, "{} / {}", one.text, other.text);
        }
    }
}

fn has(svg: &str, text: &str) -> bool {
    words(svg).iter().any(|it| it.text.contains(text))
}

#[test]
fn a_trade_off_names_every_strategy_and_the_workload() {
    let sweep = swept(question(&WORK, CENTRE));
    let svg = trade_off(&sweep);
    assert_legible(&svg);
    for entry in STRATEGIES {
        assert!(has(&svg, entry.name), "{}", entry.name);
    }
    let said = [
        "200 entities",
        "100 µs per task",
        "cost spread 0.5",
        "falloff 2",
        "the target is at rest",
        "seed 7",
        "no wait over 2 s",
        "limit: 4 ms of 16.7 ms",
        "share of time spent on tasks",
        "no strategy can be below the theoretical minimum",
    ];
    let texts: Vec<String> = words(&svg).into_iter().map(|it| it.text).collect();
    let texts = texts.join(" "); // a phrase may begin on one line and end on the next
    for said in said {
        assert!(texts.contains(said), "{said}\n{svg}");
    }
    let recommendation = sweep.findings().recommendation.unwrap();
    let best = recommendation.best().expect("a best setting");
    assert!(texts.contains(&best.words().to_string()), "{texts}");
    // There may be room only for the main knob beside the curve.
    let (knob, value) = best.setting.values[0];
    assert!(texts.contains(&exact(knob, value)), "{texts}");
    assert_eq!(
        svg,
        trade_off(&swept(question(&WORK, CENTRE))),
        "the same bytes"
    );
}

#[test]
fn without_a_minimum_nothing_is_impossible() {
    let svg = trade_off(&swept(question(&WORK, None)));
    assert_legible(&svg);
    assert!(
        !has(&svg, "theoretical minimum") && has(&svg, "relative to the most efficient setting")
    );
}

#[test]
fn a_settings_first_round_must_be_over() {
    let mut question = question(&[(&ENTITIES, 5000.0), (&COST, 1.0)], CENTRE);
    question
        .strategies
        .retain(|entry| entry.key == "max-per-frame");
    let sweep = swept(question);
    let findings = sweep.findings();
    let points = &findings.curves[0].points;
    let settled = points.iter().filter(|it| it.outcome.staleness.is_some());
    let settled = settled.count();
    assert!(settled > 1 && settled < points.len(), "{settled}");
    let svg = trade_off(&sweep);
    let drawn = elements(&svg, "polyline").into_iter();
    let drawn = drawn.map(|line| attribute(line, "points").unwrap().split(' ').count());
    assert!(drawn.sum::<usize>() <= settled, "{svg}");
}

#[test]
fn crossovers_have_a_ribbon_of_winners() {
    let all = crossed(question(&WORK, None), [50.0, 20_000.0]);
    let svg = crossovers(&all);
    assert_legible(&svg);
    let ranges = ranges(&all.columns(), None);
    assert!(ranges.len() > 1, "{ranges:?}");
    for range in &ranges {
        let name = range.strategy.map_or("none", |it| it.name);
        assert!(has(&svg, name), "{name}");
    }
    assert!(ranges.iter().any(|range| range.strategy.is_none()));
    let dotted = elements(&svg, "polyline").into_iter();
    let dotted = dotted.filter(|line| line.contains("stroke-dasharray"));
    assert!(dotted.count() > 0, "a limit is broken at the right");
    assert!(has(&svg, "Entities"), "the title of the axis");
    assert!(!has(&svg, "200 entities"), "the number is on the axis");
}

#[test]
fn charts_without_figures_are_empty() {
    let no_entities = question(&[(&ENTITIES, 0.0)], None);
    assert_legible(&trade_off(&swept(no_entities.clone())));
    let over = over_by_key("churn-per-s").unwrap();
    let begun = Crossovers::new(no_entities, over, [0.0, 100.0], 4, None);
    assert_legible(&crossovers(&begun));
}

#[test]
fn a_single_value_and_a_zero_have_their_place() {
    let mut one = question(&WORK, None);
    one.strategies.truncate(3);
    assert_legible(&crossovers(&crossed(one.clone(), [200.0, 200.0])));
    let over = over_by_key("churn-per-s").unwrap();
    let plan = Crossovers::new(one, over, [0.0, 100.0], 4, None);
    run_on_threads(&plan, 2, &AtomicBool::new(false), |_, _| {});
    let svg = crossovers(&plan);
    assert_legible(&svg);
    assert!(words(&svg).iter().any(|it| it.text == "0"), "{svg}");
}

#[test]
fn a_limit_of_zero_is_at_the_left_end() {
    let mut zero = question(&[(&ENTITIES, 20.0)], None);
    zero.limits.tasks = Some(Nanos::ZERO);
    let svg = trade_off(&swept(zero));
    assert_legible(&svg);
    assert!(!has(&svg, "inf") && !has(&svg, "NaN"));
}
