//! Checks the charts as SVG: what they name, and that their texts do not overlap.

use super::svg::{crossovers, trade_off};
use super::{MarkedSetting, StrategyCurve, TradeOff};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::STRATEGIES;
use crate::cli::threads::run_on_threads;
use crate::judge::{Crossovers, Limits, Question, Sweep, over_by_key, ranges};
use crate::measure::Objective;
use crate::sim::lane::Length;
use crate::sim::world::{COST, COST_SPREAD, ENTITIES, Point};
use crate::testing::{MS, settings};
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

fn crossed(question: Question, over: &str, ends: [f64; 2]) -> Crossovers {
    let over = over_by_key(over).unwrap();
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

fn attribute(element: &str, name: &str) -> Option<String> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    Some(rest.split('"').next()?.to_owned())
}

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
        anchor: attribute(part, "text-anchor").unwrap(),
        text: part.split_once('>').unwrap().1.trim().to_owned(),
    });
    texts.collect()
}

/// Asserts that all texts are legible: large enough, inside the card, and without overlaps.
fn assert_legible(svg: &str) {
    let height: f64 = attribute(svg, "height").unwrap().parse().unwrap();
    let all = words(svg);
    let ends = |words: &Words| {
        // This is wider than the average letter of the usual fonts, including spaces.
        let width = words.text.chars().count() as f64 * words.size * 0.5;
        match words.anchor.as_str() {
            "middle" => [words.x - width / 2.0, words.x + width / 2.0],
            "end" => [words.x - width, words.x],
            _ => [words.x, words.x + width],
        }
    };
    for words in &all {
        let [left, right] = ends(words);
        let is_inside = left >= 0.0 && right <= 900.0 && words.y < height - 4.0;
        assert!(
            words.size >= 11.0 && is_inside,
            "{}: {left} to {right}",
            words.text
        );
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
    words(svg).iter().any(|words| words.text.contains(text))
}

#[test]
fn a_trade_off_names_every_strategy_and_the_workload() {
    let sweep = swept(question(&WORK, CENTRE));
    let svg = trade_off(&sweep);
    assert_legible(&svg);
    for entry in STRATEGIES {
        assert!(has(&svg, entry.name), "{}", entry.name);
    }
    let texts: Vec<String> = words(&svg).into_iter().map(|words| words.text).collect();
    let texts = texts.join(" "); // a phrase may begin on one line and end on the next
    let recommendation = sweep.findings().recommendation.unwrap();
    let best = recommendation.best().expect("a best setting");
    for said in [
        "200 entities",
        "100 µs per task",
        "cost spread 0.5",
        "falloff 2",
        "the target is at rest",
        "seed 7",
        "a longest wait of 2 s",
        "limit: 4 ms of 16.7 ms",
        "share of time spent on tasks",
        "theoretical minimum",
        &best.words(),
    ] {
        assert!(texts.contains(said), "{said}\n{svg}");
    }
    let again = trade_off(&swept(question(&WORK, CENTRE)));
    assert_eq!(svg, again, "the same bytes");
    let moving = trade_off(&swept(question(&WORK, None)));
    assert_legible(&moving);
    assert!(!has(&moving, "minimum"));
}

#[test]
fn crossovers_have_a_ribbon_of_winners() {
    let all = crossed(question(&WORK, None), "entities", [50.0, 20_000.0]);
    let svg = crossovers(&all);
    assert_legible(&svg);
    let ranges = ranges(&all.columns(), None);
    assert!(ranges.len() > 1, "{ranges:?}");
    for range in &ranges {
        let name = range.strategy.map_or("none", |strategy| strategy.name);
        assert!(has(&svg, name), "{name}");
    }
    assert!(ranges.iter().any(|range| range.strategy.is_none()));
    assert!(has(&svg, "Entities"), "the title of the axis");
    assert!(!has(&svg, "200 entities"), "the number is on the axis");
    let chart = super::crossovers(all.over(), STRATEGIES, &all.columns(), &ranges, None, &[]);
    let mut parts = chart.curves.iter().flat_map(StrategyCurve::parts);
    assert!(parts.any(|(is_solid, _)| !is_solid), "a limit is broken");
    let (last, range) = (chart.sections.last().unwrap(), ranges.last().unwrap());
    let limit = range.first_broken.unwrap().limit.name();
    assert_eq!(
        last.words,
        [format!("none, limit: {limit}"), "none".to_owned()]
    );
    let ends: Vec<[f64; 2]> = chart.sections.iter().map(|section| section.ends).collect();
    assert!(ends.windows(2).all(|pair| pair[0][1] == pair[1][0]));
    assert_eq!([ends[0][0], ends[ends.len() - 1][1]], [0.0, 1.0]);
}

#[test]
fn nothing_is_below_the_theoretical_minimum() {
    let (question, findings) = {
        let sweep = swept(question(&WORK, CENTRE));
        (sweep.question().clone(), sweep.findings())
    };
    let recommendation = findings.recommendation.unwrap();
    for objective in Objective::WEIGHTED {
        let choices = recommendation.choices.iter();
        let marked = choices.map(|choice| MarkedSetting::best(choice, false));
        let chart = TradeOff {
            strategies: &question.strategies,
            curves: &findings.curves,
            marked: marked.collect(),
            objective,
            task_limit: None,
            frame: question.settings.frame_period(),
        };
        let chart = chart.chart().unwrap();
        let [left, right] = chart.bound.expect("it is known").ends;
        let marks = chart.marks.iter().map(|mark| mark.at);
        let points = chart.curves.iter().flat_map(|curve| &curve.points);
        for at in marks.chain(points.map(|point| point.at)) {
            let minimum = left.y + at.x * (right.y - left.y);
            assert!(at.y >= minimum.min(1.0) - 1e-9, "{at:?} is below {minimum}");
        }
    }
}

#[test]
fn unusual_questions_have_legible_charts() {
    let no_entities = question(&[(&ENTITIES, 0.0)], None);
    assert_legible(&trade_off(&swept(no_entities.clone())));
    let over = over_by_key("churn-per-s").unwrap();
    let begun = Crossovers::new(no_entities, over, [0.0, 100.0], 4, None);
    assert_legible(&crossovers(&begun));

    let mut few = question(&WORK, None);
    few.strategies.truncate(3);
    let single = crossed(few.clone(), "entities", [200.0, 200.0]);
    assert_legible(&crossovers(&single));
    let from_zero = crossovers(&crossed(few, "churn-per-s", [0.0, 100.0]));
    assert_legible(&from_zero);
    assert!(words(&from_zero).iter().any(|words| words.text == "0"));

    let mut no_time = question(&[(&ENTITIES, 20.0)], None);
    no_time.limits.tasks = Some(Nanos::ZERO);
    let svg = trade_off(&swept(no_time));
    assert_legible(&svg);
    assert!(!has(&svg, "inf") && !has(&svg, "NaN"));
}
