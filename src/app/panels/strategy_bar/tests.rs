//! Tests of the strategy bar: all strategies fit, with shorter names in a narrower window.

use super::super::command_button::tests::{assert_apart, laid_out};
use super::*;
use crate::app::input::bindings::bindings_of;
use std::sync::LazyLock;
use timeslicer::strategy::STRATEGIES;

/// All strategies, and test entries with long names until there are eleven.
static ELEVEN: LazyLock<Vec<&'static StrategyEntry>> = LazyLock::new(|| {
    let names = [
        "Balanced test",
        "Distant test",
        "Earliest test name",
        "Weighted tests",
    ];
    let entry = |name: &&'static str| {
        let entry = StrategyEntry {
            key: name,
            name,
            family: Family::BySignificance,
            ..*STRATEGIES[0]
        };
        &*Box::leak(Box::new(entry))
    };
    let more = names.iter().map(entry);
    STRATEGIES.iter().copied().chain(more).take(11).collect()
});

/// Lays out a bar of this width while `strategy` runs. Returns its controls and its level of detail.
fn shown(
    strategy: &'static StrategyEntry,
    looked_at: Option<&'static StrategyEntry>,
    width: f32,
) -> (UiResponse, (Detail, bool)) {
    let bindings = bindings_of(false, &ELEVEN);
    let bar = StrategyBar {
        strategies: &ELEVEN,
        strategy,
        looked_at,
        bindings: &bindings,
    };
    let mut fitting = (DETAILS[0], true);
    let answer = laid_out(width, |ui, rect, answer| {
        bar.show(ui, rect, answer);
        show_bar(ui, rect, "measure", |ui| fitting = bar.detail(ui));
    });
    (answer, fitting)
}

fn tab_width(answer: &UiResponse, strategy: &StrategyEntry) -> Option<f32> {
    let name = format!("tab:{}", strategy.key);
    let mut controls = answer.controls.iter();
    let tab = controls.find(|control| control.name == name)?;
    Some(tab.rect.width())
}

#[test]
fn controls_are_inside_and_apart_at_every_width() {
    for width in (200..=2000).step_by(7) {
        let strategy = ELEVEN[width % ELEVEN.len()];
        let (answer, _) = shown(strategy, None, width as f32);
        assert_apart(&answer, width as f32);
    }
}

#[test]
fn the_running_strategy_is_named_at_every_width() {
    for width in (200..=2000).step_by(45) {
        for &strategy in ELEVEN.iter() {
            let (answer, _) = shown(strategy, None, width as f32);
            let tab = tab_width(&answer, strategy);
            // A tab with only its key is narrower.
            let is_named = tab.is_some_and(|width| width > 60.0);
            assert!(is_named, "{} at {width}: {tab:?}", strategy.key);
        }
    }
}

#[test]
fn names_shorten_before_they_vanish() {
    let level = |width| {
        let (_, (detail, _)) = shown(ELEVEN[0], None, width as f32);
        let level = DETAILS.iter().position(|it| *it == detail);
        level.expect("it is in the list")
    };
    let levels: Vec<usize> = (200..=2000).rev().step_by(20).map(level).collect();
    assert!(levels.is_sorted(), "{levels:?}");
    let names = [1280.0, 1100.0, 700.0].map(|width| shown(ELEVEN[0], None, width).1.0.names);
    assert_eq!(names, [Names::Full, Names::Short, Names::None]);
}
