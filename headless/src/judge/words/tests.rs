use super::*;
use crate::judge::{Fewer, Setting, Staleness};
use crate::stats::Times;
use crate::testing::MS;
use timeslicer::strategy;
use timeslicer::strategy::weighted_share::EXPIRE;

fn choice(curve: usize, key: &str, value: Option<f64>, [tasks, near, worst]: [u64; 3]) -> Choice {
    Choice {
        curve,
        strategy: strategy::by_key(key).unwrap(),
        setting: Setting { value, other: None },
        outcome: Outcome {
            tasks: Times {
                max: MS(tasks),
                ..Times::default()
            },
            no_hitch: MS(25),
            staleness: Some(Staleness {
                near: Some(MS(near)),
                worst: MS(worst),
                weighted_mean: MS(2 * near),
                least_mean: Some(MS(125)),
                ..Staleness::default()
            }),
            ..Outcome::default()
        },
    }
}

fn limits() -> Limits {
    Limits {
        tasks: Some(MS(4)),
        near: Some(MS(100)),
        longest: Some(MS(2000)),
        no_hitches: true,
    }
}

fn other(choice: Choice, best: Option<&Choice>) -> Other {
    let objective = |choice: &Choice| choice.outcome.staleness.unwrap().weighted_mean;
    Other {
        broken: limits().broken(&choice.outcome),
        remedy: None,
        times_best: best.map(|best| objective(&choice).over(objective(best))),
        choice,
    }
}

/// Returns a recommendation in which weighted share and fixed interval stay within all limits, and stagger groups
/// exceeds two.
fn answer_with_best() -> Recommendation {
    let best = choice(0, "weighted-share", Some(4.0), [4, 80, 1980]);
    let second = choice(1, "fixed-interval", Some(0.456), [4, 99, 456]);
    let third = choice(2, "stagger-groups", Some(33.0), [6, 272, 550]);
    let others = [second.clone(), third].map(|it| other(it, Some(&best)));
    Recommendation {
        limits: limits(),
        entities: 2000,
        others: others.into(),
        runner_up: Some(second),
        best: Some(best),
        ..Recommendation::default()
    }
}

/// Returns a recommendation in which weighted share waits too long, fixed interval is too stale near the target, and
/// every frame exceeds the budget.
fn answer_without_best() -> Recommendation {
    let nearest = choice(0, "weighted-share", Some(4.0), [4, 90, 2250]);
    let second = choice(1, "fixed-interval", Some(0.456), [4, 224, 456]);
    let third = choice(2, "every-frame", None, [101, 50, 101]);
    let relaxation = |choice: &Choice| {
        let broken = limits().broken(&choice.outcome)[0];
        Relaxation {
            limit: broken.limit,
            allowed: broken.allowed,
            measured: broken.measured,
            to: broken.relaxed(),
            choice: choice.clone(),
        }
    };
    Recommendation {
        limits: limits(),
        entities: 2000,
        relaxations: [&nearest, &second].map(relaxation).into(),
        fewer: Some(Fewer {
            entities: 1760,
            choice: choice(0, "weighted-share", Some(4.0), [4, 90, 1980]),
        }),
        others: [nearest.clone(), second, third]
            .map(|it| other(it, None))
            .into(),
        nearest: Some(nearest),
        ..Recommendation::default()
    }
}

fn lines(of: &Recommendation) -> Vec<[String; 2]> {
    let cards = of.cards().into_iter();
    cards
        .map(|card| [card.title.to_string(), card.detail.to_string()])
        .collect()
}

#[test]
fn an_answer_says_what_to_use() {
    let recommendation = answer_with_best();
    assert_eq!(
        recommendation.text().to_string(),
        "use Weighted share with budget 4 ms: mean weighted staleness 160 ms, 1.28× the theoretical minimum · \
         runner-up: Fixed interval with interval 0.46 s, 1.24× as stale as the best"
    );
    assert_eq!(
        lines(&recommendation),
        [
            [
                "Weighted share with budget 4 ms, 1.28× the minimum",
                "tasks up to 4 ms · near target 80 ms · longest wait 1.98 s"
            ],
            [
                "Fixed interval with interval 0.46 s, 1.58× the minimum",
                "1.24× as stale as the best · tasks up to 4 ms · near target 99 ms · longest wait 456 ms"
            ],
        ]
    );
}

#[test]
fn an_answer_says_what_would_keep_all_limits() {
    let recommendation = answer_without_best();
    assert_eq!(
        recommendation.text().to_string(),
        "no strategy meets all limits · \
         closest is Weighted share with budget 4 ms: the longest wait is 2.25 s (limit 2 s) · \
         to meet all limits, allow a longest wait of 2.3 s instead of 2 s, \
         or allow a staleness of 230 ms near the target instead of 100 ms, or use only 1,760 entities"
    );
    assert_eq!(
        lines(&recommendation),
        [
            [
                "Weighted share with budget 4 ms, 1.44× the minimum",
                "longest wait 2.25 s · allow 2.3 s instead of 2 s"
            ],
            [
                "Fixed interval with interval 0.46 s, 3.58× the minimum",
                "near target 224 ms · allow 230 ms instead of 100 ms"
            ],
            [
                "Use only 1,760 entities",
                "Weighted share with budget 4 ms · tasks up to 4 ms · near target 90 ms · longest wait 1.98 s"
            ],
        ]
    );
    let cards = recommendation.cards();
    assert_eq!(cards[0].limits.longest, Some(MS(2300)));
    assert_eq!((cards[2].limits, cards[2].entities), (limits(), Some(1760)));
}

#[test]
fn the_full_text_says_what_was_measured_and_over_what() {
    let mut recommendation = answer_with_best();
    recommendation.measured = Some(Measured {
        length: Length::Time(Nanos::from_secs(10)),
        seed: 7,
        depends_on_seed: true,
    });
    let ends_with = |recommendation: &Recommendation, words: &str| {
        let text = recommendation.full_text().to_string();
        assert!(text.ends_with(words), "{text}");
    };
    let metrics = " · tasks up to 4 ms · near target 80 ms · longest wait 1.98 s · runner-up: ";
    let text = recommendation.full_text().to_string();
    assert!(text.contains(metrics), "{text}");
    ends_with(
        &recommendation,
        " · measured over 10 s without the first round, with seed 7",
    );
    recommendation.best_with_seeds = Some(SeedCheck {
        broken: None,
        safe: None,
    });
    ends_with(
        &recommendation,
        "with seed 7 (all limits are also met with seeds 8 to 12)",
    );
    recommendation.measured = Some(Measured {
        length: Length::Frames(600),
        seed: 0,
        depends_on_seed: false,
    });
    ends_with(
        &recommendation,
        " · measured over 600 frames without the first round, with the same result for every seed",
    );
}

#[test]
fn a_setting_that_holds_with_other_seeds_is_offered_beside_the_best() {
    let mut recommendation = answer_with_best();
    let broken = Broken {
        limit: Limit::Tasks,
        allowed: MS(4),
        measured: Nanos::from_micros(4190),
    };
    recommendation.best_with_seeds = Some(SeedCheck {
        broken: Some(broken),
        safe: Some(choice(0, "weighted-share", Some(2.6), [3, 88, 1990])),
    });
    recommendation.runner_up_with_seeds = Some(SeedCheck {
        broken: Some(broken),
        safe: None,
    });
    let text = recommendation.text();
    assert!(text.is_warning());
    let words = " · with other seeds, the best setting exceeds a limit: tasks take up to 4.19 ms (limit 4 ms); \
                 budget 2.6 ms meets all limits with seeds 0 to 5, 1.1× as stale as the best · \
                 with other seeds, the runner-up exceeds a limit: tasks take up to 4.19 ms (limit 4 ms); \
                 none of the other settings that were tried meets all limits with seeds 0 to 5";
    assert!(text.to_string().ends_with(words), "{text}");
    let cards = lines(&recommendation);
    assert_eq!(cards.len(), 3);
    assert_eq!(
        cards[1],
        [
            "Weighted share with budget 2.6 ms, 1.41× the minimum",
            "meets all limits with seeds 0 to 5 · 1.1× as stale as the best"
        ]
    );
}

#[test]
fn a_cell_says_what_a_strategy_reaches() {
    let cells = |recommendation: &Recommendation| {
        [0, 1, 2].map(|curve| recommendation.cell(curve).to_string())
    };
    assert_eq!(
        cells(&answer_with_best()),
        [
            "4 ms: 1.28× the minimum",
            "0.46 s: 1.24× the best",
            "33 groups: near 272 ms"
        ]
    );
    let mut recommendation = answer_without_best();
    assert_eq!(
        cells(&recommendation),
        [
            "4 ms: longest 2.25 s",
            "0.46 s: near 224 ms",
            "no knob: tasks 101 ms"
        ]
    );
    recommendation.others[0].remedy = Some(Choice {
        setting: Setting {
            value: Some(4.0),
            other: Some((&EXPIRE, 1.9)),
        },
        ..recommendation.others[0].choice.clone()
    });
    recommendation.others[1].choice.outcome.staleness = None;
    recommendation.others.truncate(2);
    assert_eq!(
        cells(&recommendation),
        ["expire 1.9 s: within limits", "some tasks never run", ""]
    );
}

#[test]
fn each_other_strategy_has_a_reason_and_a_way_out() {
    let reasons = |recommendation: &Recommendation| {
        let reasons = recommendation.others.iter().map(|other| {
            let reasons = recommendation.why_not(other);
            reasons
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        });
        reasons.collect::<Vec<_>>()
    };
    assert_eq!(
        reasons(&answer_with_best()),
        [
            "with interval 0.46 s, 1.24× as stale as the best",
            "with 33 groups, tasks take up to 6 ms (limit 4 ms) and staleness near the target is 272 ms (limit 100 ms); \
             to use it, allow 6 ms of tasks per frame and a staleness of 280 ms near the target",
        ]
    );
}

#[test]
fn words_fit_knobs_of_every_kind() {
    let words = |key, value| choice(0, key, value, [0; 3]).words().to_string();
    assert_eq!(
        words("max-per-frame", Some(66.0)),
        "Max per frame with 66 tasks per frame"
    );
    assert_eq!(
        words("max-per-frame", Some(1.0)),
        "Max per frame with 1 task per frame"
    );
    assert_eq!(
        words("stagger-groups", Some(1.0)),
        "Stagger groups with 1 group"
    );
    assert_eq!(words("every-frame", None), "Every frame");
    let brief = |key, value| choice(0, key, value, [0; 3]).brief().to_string();
    assert_eq!(brief("max-per-frame", Some(66.0)), "66 tasks");
}

#[test]
fn a_broken_limit_never_reads_as_kept() {
    let broken = |measured| Broken {
        limit: Limit::Tasks,
        allowed: MS(4),
        measured,
    };
    let little = broken(Nanos::from_nanos(4_000_001));
    assert_eq!(
        little.words().to_string(),
        "tasks take up to 4 ms, slightly above the limit"
    );
    assert_eq!(little.relaxed(), Nanos::from_micros(4100));
    assert_eq!(
        broken(Nanos::MAX).words().to_string(),
        "some tasks never run"
    );
}

#[test]
fn without_entities_any_strategy_will_do() {
    let text = Recommendation::default().text();
    assert!(!text.is_warning() && text.to_string().contains("no entities"));
    assert!(Recommendation::default().cards().is_empty());
}
