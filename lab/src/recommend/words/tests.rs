//! These tests check the exact wording. The numbers in it are tested in `recommend::tests`.

use super::*;
use crate::catalog::strategy::by_key;
use crate::catalog::strategy::knobs::{BUDGET, GROUPS, INTERVAL};
use crate::catalog::strategy::weighted_share::EXPIRE;
use crate::measure::Objective;
use crate::measure::Times;
use crate::recommend::setting::Setting;
use crate::recommend::{Limits, Outcome, SEEDS, Staleness, Way};
use crate::sim::settings::Settings;
use crate::testing::MS;

fn choice(lane: usize, key: &str, setting: Setting, [tasks, near, worst]: [u64; 3]) -> Choice {
    let times = |max| Times {
        max,
        ..Times::default()
    };
    let outcome = Outcome {
        tasks: times(MS(tasks)),
        no_hitch: MS(25),
        least_frame: MS(17),
        target_frame: MS(17),
        staleness: Some(Staleness {
            near: Some(MS(near)),
            others: Some(MS(3 * near)),
            mean: MS(2 * near),
            worst: MS(worst),
            weighted_mean: MS(2 * near),
            least_mean: Some(MS(125)),
            ..Staleness::default()
        }),
        is_known: true,
        ..Outcome::default()
    };
    Choice {
        lane,
        strategy: by_key(key).unwrap(),
        is_considered: true,
        setting,
        objective: Some(MS(2 * near)),
        broken: limits().broken(&outcome),
        tolerated: Vec::new(),
        depends_on_seed: true,
        kept: SEEDS,
        outcome,
    }
}

fn limits() -> Limits {
    Limits {
        tasks: Some(MS(4)),
        near: Some(MS(100)),
        longest: Some(MS(2000)),
        ..Limits::default()
    }
}

fn recommendation(choices: Vec<Choice>, best: Option<usize>) -> Recommendation {
    Recommendation {
        objective: Objective::WeightedMean,
        limits: limits(),
        entities: 2000,
        base: Settings {
            seed: 7,
            ..Settings::default()
        },
        requested_tasks: None,
        choices,
        best,
        least_tasks: None,
        per_run: None,
        ways: Vec::new(),
        trial_time: Nanos::from_secs(10),
    }
}

/// Returns a recommendation in which two strategies keep all limits, and stagger groups exceeds two.
fn with_best() -> Recommendation {
    let best = Setting::default().with(&BUDGET, 4.0).with(&EXPIRE, 1.9);
    let choices = vec![
        choice(
            0,
            "fixed-interval",
            Setting::default().with(&INTERVAL, 0.456),
            [4, 99, 456],
        ),
        choice(
            1,
            "stagger-groups",
            Setting::default().with(&GROUPS, 33.0),
            [6, 272, 550],
        ),
        choice(2, "weighted-share", best, [4, 80, 1980]),
    ];
    recommendation(choices, Some(2))
}

/// Returns a recommendation in which every strategy exceeds a limit, with two ways to relax one.
fn without_best() -> Recommendation {
    let choices = vec![
        choice(0, "every-frame", Setting::default(), [101, 50, 101]),
        choice(
            1,
            "fixed-interval",
            Setting::default().with(&INTERVAL, 0.456),
            [4, 224, 456],
        ),
        choice(
            2,
            "weighted-share",
            Setting::default().with(&BUDGET, 4.0),
            [4, 90, 2250],
        ),
    ];
    let way = |change, choice: &Choice| Way {
        change,
        choice: choice.clone(),
    };
    let relaxed = |choice: &Choice| way(Change::Relax(choice.broken[0]), choice);
    Recommendation {
        ways: vec![
            relaxed(&choices[2]),
            relaxed(&choices[1]),
            way(Change::Entities(1700), &choices[2]),
        ],
        ..recommendation(choices, None)
    }
}

fn warnings(all: &Recommendation) -> Vec<String> {
    all.warnings().iter().map(ToString::to_string).collect()
}

#[test]
fn an_answer_says_what_to_use_and_what_it_means() {
    let mut all = with_best();
    assert!(!all.text().is_warning());
    assert_eq!(
        all.text().to_string(),
        "use Weighted share with budget 4 ms and expire 1.9 s: NPCs near the target are 80 ms out of date on average; \
         the others 240 ms; nobody waits longer than 1.98 s (12.4× the mean); tasks take at most 4 ms of a frame · \
         simplest that fits: Fixed interval with interval 0.456 s, 1.24× as stale as the best"
    );
    all.base.knobs.set(&RENDER_MS, 12.0);
    all.choices[2].outcome.first_round_tasks = MS(5);
    all.choices[2].kept = 9;
    all.choices[2].tolerated = vec![Broken {
        limit: Limit::Longest,
        allowed: MS(2000),
        measured: MS(2030),
    }];
    all.least_tasks = Some((MS(3), all.choices[0].clone()));
    let text = all.full_text().to_string();
    let evidence = " · holds with 9 of 10 seeds, and with the others, the longest wait is 2.03 s (limit 2 s) · mean weighted staleness 160 ms, 1.28× the theoretical minimum · \
                    after a fresh start, tasks take up to 5 ms of a frame until each has run once · \
                    after drawing, 4.67 of 16.7 ms are left in each frame, and after the tasks at least 0.67 ms · simplest that fits: ";
    assert!(text.contains(evidence), "{text}");
    // The runner-up is not named here, because it is also the simplest strategy.
    let end = ", 1.24× as stale as the best · 3 ms of tasks per frame is enough for the limits on waits and staleness: Fixed interval with interval 0.456 s · \
               measured in trials of 10 s, not counting the first round, with seeds 7 to 16";
    assert!(text.ends_with(end), "{text}");
    for choice in &mut all.choices {
        choice.depends_on_seed = false;
    }
    let text = all.full_text().to_string();
    assert!(
        text.ends_with(", with the same result for every seed"),
        "{text}"
    );
}

#[test]
fn without_an_answer_it_says_what_would_help() {
    let all = without_best();
    assert!(all.text().is_warning());
    assert_eq!(
        all.text().to_string(),
        "no strategy keeps all limits · \
         closest is Weighted share with budget 4 ms: the longest wait is 2.25 s (limit 2 s) · \
         to keep all limits, allow a longest wait of 2.3 s instead of 2 s, \
         or allow a staleness of 230 ms near the target instead of 100 ms, or use at most about 1,700 entities"
    );
}

#[test]
fn each_other_strategy_has_a_reason() {
    let why_not = |all: &Recommendation, lane: usize| all.why_not(&all.choices[lane]);
    let mut all = with_best();
    assert_eq!(
        [0, 1].map(|lane| why_not(&all, lane)),
        [
            "with interval 0.456 s, 1.24× as stale as the best",
            "with 33 groups, tasks take up to 6 ms of a frame (limit 4 ms) and staleness near the target is 272 ms \
             (limit 100 ms)",
        ]
    );
    let brief = all.choices[1].broken_briefly().unwrap();
    assert_eq!(brief, "near target 272 ms, limit 100 ms");
    all.choices[0].objective = Some(MS(160));
    assert_eq!(why_not(&all, 0), "with interval 0.456 s, equally fresh");
    all.choices[0].objective = None;
    all.choices[0].outcome.is_known = false;
    assert_eq!(why_not(&all, 0), "some tasks have not run yet");
}

#[test]
fn a_broken_limit_never_reads_as_kept() {
    let broken = |measured| Broken {
        limit: Limit::Tasks,
        allowed: MS(4),
        measured,
    };
    let little = broken(Nanos::from_nanos(4_000_001));
    let words = "tasks take up to 4 ms of a frame, slightly above the limit";
    assert_eq!(little.words(), words);
    assert_eq!(little.brief(), "4 ms of tasks, slightly above the limit");
    assert_eq!(little.relaxed(), Nanos::from_micros(4100));
    let never = broken(Nanos::MAX).words();
    assert_eq!(never, "some tasks have not run yet");
}

#[test]
fn warnings_name_what_spoils_the_answer() {
    let mut all = with_best();
    assert_eq!(warnings(&all), [""; 0]);
    all.base.knobs.set(&RENDER_MS, 20.0);
    let slow =
        "drawing alone takes 20 ms, so the game runs at 30 instead of 60 fps with every strategy";
    assert_eq!(warnings(&all), [slow]);
    all.base.knobs.set(&RENDER_MS, 0.0);
    all.choices[0].outcome.longest_run = Nanos::from_micros(4190);
    let unsplittable = "the longest task takes 4.19 ms, longer than the budget of 4 ms: one run alone exceeds it, so no \
                        strategy can keep it";
    assert_eq!(warnings(&all), [unsplittable]);
    all.limits.tasks = Some(MS(50));
    let long = "the limit of 50 ms on task time is longer than a frame of 16.7 ms";
    assert_eq!(warnings(&all), [long]);
    all.limits.tasks = Some(MS(4));
    all.choices[0].outcome.longest_run = Nanos::ZERO;
    all.choices[0].objective = Some(MS(159));
    let useless = "running important tasks more often hardly helps: no strategy that does so is clearly fresher than \
        Fixed interval";
    assert_eq!(warnings(&all), [useless]);
}

#[test]
fn without_entities_any_strategy_will_do() {
    let all = Recommendation {
        entities: 0,
        ..recommendation(Vec::new(), None)
    };
    assert!(!all.text().is_warning());
    let words = "there are no entities, so any strategy will do";
    assert_eq!(all.full_text().to_string(), words);
}
