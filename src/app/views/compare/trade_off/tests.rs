//! Tests of the chart's layout, without a display.

use super::chart::{BELOW, ChartPoint, LEAST, LEFT, TradeOffChart};
use egui::{Pos2, Rect, Vec2, pos2, vec2};
use proptest::prelude::*;

const AREA: Rect = Rect {
    min: Pos2::ZERO,
    max: pos2(520.0, 160.0),
};

fn point(caps: &'static str, at: [f64; 2]) -> ChartPoint<'static> {
    ChartPoint {
        lane: 0,
        caps,
        name: "Some strategy",
        at,
        is_within: true,
        is_best: false,
        is_selected: false,
    }
}

fn chart<'a>(points: &'a [ChartPoint<'a>]) -> TradeOffChart<'a> {
    TradeOffChart {
        points: points.to_vec(),
        budget_ms: 4.0,
        minimum: Some(0.5),
        births_ms: 0.0,
        target_rests: true,
    }
}

fn size(words: &str) -> Vec2 {
    vec2(5.5 * words.chars().count() as f32, 13.0)
}

#[test]
fn births_lower_the_curve_where_runs_take_little_time() {
    let points = [point("1", [0.1, 5.0]), point("2", [4.0, 0.02])];
    let curve = |births_ms| {
        let chart = TradeOffChart {
            births_ms,
            ..chart(&points)
        };
        let curve = chart.layout(AREA, size).unwrap().curve;
        curve.iter().map(|at| at.y).fold(f32::MAX, f32::min) // the highest point
    };
    assert!(curve(1.0) > curve(0.0) + 10.0);
}

#[test]
fn dots_above_the_minimum_are_above_its_curve() {
    let points = [point("1", [1.0, 0.51]), point("2", [4.0, 0.2])];
    let layout = chart(&points).layout(AREA, size).unwrap();
    for dot in &layout.dots {
        let below = layout.curve.iter().filter(|at| at.x >= dot.x);
        assert!(below.into_iter().all(|at| at.y >= dot.y - 0.5));
    }
    let remark = layout.remark.expect("it has room");
    let over = layout.curve.iter().filter(|at| at.x <= remark.right());
    assert!(over.into_iter().all(|at| at.y < remark.top()), "{remark}");
}

#[test]
fn an_unusable_budget_or_minimum_has_no_line() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let points = [point("1", [1.0, 2.0])];
        let chart = TradeOffChart {
            budget_ms: bad,
            minimum: Some(bad),
            ..chart(&points)
        };
        let layout = chart.layout(AREA, size).unwrap();
        assert!(layout.budget.is_none() && layout.curve.is_empty() && layout.remark.is_none());
    }
}

proptest! {
    #[test]
    fn texts_never_overlap_and_are_inside(
        at in prop::collection::vec((0.01_f64..200.0, 0.001_f64..20.0), 1..13),
        width in 170.0_f32..900.0,
        height in 70.0_f32..340.0,
        minimum in 1e-3_f64..10.0,
        rests in any::<bool>(),
    ) {
        const CAPS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-", ""];
        let points = at.iter().zip(CAPS).map(|((x, y), caps)| point(caps, [*x, *y]));
        let mut points: Vec<ChartPoint<'_>> = points.collect();
        points[0].is_best = true;
        let chart = TradeOffChart { minimum: Some(minimum), target_rests: rests, ..chart(&points) };
        let area = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let layout = chart.layout(area, size);
        let has_room = width >= LEFT + LEAST.x && height >= BELOW + LEAST.y;
        prop_assert_eq!(layout.is_some(), has_room);
        let Some(layout) = layout else { return Ok(()); };
        let labels = layout.labels.iter().flatten().map(|it| it.rect);
        let texts: Vec<Rect> = labels.chain(layout.budget).chain(layout.remark).collect();
        for (index, text) in texts.iter().enumerate() {
            prop_assert!(layout.plot.contains_rect(*text));
            for other in &texts[..index] {
                prop_assert!(!other.intersect(*text).is_positive(), "{} and {}", text, other);
            }
        }
        for dot in &layout.dots {
            prop_assert!(layout.plot.contains(*dot));
            for label in layout.labels.iter().flatten() {
                prop_assert!(!label.rect.contains(*dot), "{} in {:?}", dot, label);
            }
        }
    }
}
