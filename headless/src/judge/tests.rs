mod books;
mod workloads;

use super::*;
use crate::sim::machine::RENDER_MS;
use crate::sim::world::{COST, COST_SPREAD, FALLOFF, Point, REQUESTS};
use crate::testing::{MS, settings};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::BUDGET;
use timeslicer::time::{Nanos, monotonic};

fn question(set: &[(&Knob, f64)], limits: Limits) -> Question {
    Question {
        settings: settings("fixed-interval", "variable-step", set),
        strategies: STRATEGIES.to_vec(),
        length: Length::Time(Nanos::SECOND),
        steps: 8,
        limits,
        objective: Objective::WeightedMean,
        explains: true,
    }
}

fn limits(tasks_ms: u64) -> Limits {
    Limits {
        tasks: Some(MS(tasks_ms)),
        ..Limits::default()
    }
}

fn made<P: Plan>(mut plan: P) -> P {
    let mut slices = Slices::default();
    while slices.advance(&mut plan, monotonic() + Nanos::SECOND) {}
    plan
}

fn swept(question: Question) -> Sweep {
    made(Sweep::new(question))
}

/// Returns the outcome of a trial and its number of frames.
fn tried(settings: &Settings, length: Length) -> (Outcome, u64) {
    let mut trial = Trial::new(settings, length);
    let mut frames = 0;
    while trial.frame().is_some() {
        frames += 1;
    }
    (trial.outcome(), frames)
}

/// Returns the settings of the question, changed to those of a choice.
fn chosen(question: &Question, choice: &Choice) -> Settings {
    let mut settings = Settings {
        strategy: choice.strategy,
        ..question.settings.clone()
    };
    for (knob, value) in choice.values() {
        settings.knobs.set(knob, value);
    }
    settings
}

/// Returns random questions, which are the same whenever the tests run.
fn random_questions(count: usize) -> impl Iterator<Item = Question> {
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(27),
        ..Config::default()
    });
    let questions = workloads::questions(80, 600);
    std::iter::repeat_with(move || questions.new_tree(&mut runner).unwrap().current()).take(count)
}

#[test]
fn the_best_setting_keeps_all_limits_in_every_frame() {
    let mut best_settings = 0;
    for question in random_questions(12) {
        let sweep = swept(question.clone());
        let Some(best) = sweep.recommendation().best else {
            continue;
        };
        best_settings += 1;
        let settings = chosen(&question, &best);
        let (outcome, frames) = tried(&settings, question.length);
        assert_eq!(outcome, best.outcome);
        let seen = books::kept(&settings, frames).expect("the first round ends");
        let broken = books::broken(&question.limits, &seen);
        assert!(
            broken.is_empty(),
            "{broken:?} with {}: {question:?}",
            best.words()
        );
    }
    assert!(best_settings >= 4, "{best_settings}");
}

#[test]
fn no_setting_of_a_finer_grid_is_clearly_better() {
    for question in random_questions(6) {
        let (limits, objective) = (question.limits, question.objective);
        let objective_of = |outcome: &Outcome| objective.of(outcome).unwrap();
        let best = swept(question.clone()).recommendation().best;
        let ours = best.map(|best| objective_of(&best.outcome));
        let mut grid = Sweep::new(Question {
            steps: 96,
            ..question.clone()
        });
        for job in grid.next_jobs() {
            let (outcome, _) = tried(&job.settings, job.length);
            if !limits.keeps(&outcome) {
                continue;
            }
            let theirs = objective_of(&outcome);
            let is_close =
                ours.is_some_and(|ours| ours.as_nanos() as f64 <= 1.03 * theirs.as_nanos() as f64);
            assert!(is_close, "{ours:?}, but {theirs:?} with {:?}", job.settings);
        }
    }
}

#[test]
fn no_point_is_below_the_theoretical_minimum() {
    for mut question in random_questions(6) {
        question.settings.target = Some(Point { x: 0.3, y: 0.2 });
        let sweep = swept(question);
        let points = sweep
            .curves()
            .iter()
            .flat_map(|it| it.points.iter().chain(&it.remedies));
        for point in points {
            for objective in [Objective::WeightedMean, Objective::WeightedWorst] {
                let times = objective.times_minimum(&point.outcome);
                assert!(
                    times.is_none_or(|times| times >= 1.0 - 1e-6),
                    "{objective:?}: {point:?}"
                );
            }
        }
    }
}

#[test]
fn what_would_save_a_strategy_does_so() {
    let (mut ways, mut remedies) = (0, 0);
    for question in random_questions(10) {
        let question = Question {
            steps: 8,
            explains: true,
            ..question
        };
        let recommendation = swept(question.clone()).recommendation();
        let keeps = |limits: &Limits, choice: &Choice, entities: Option<u32>| {
            let mut settings = chosen(&question, choice);
            if let Some(entities) = entities {
                settings.knobs.set(&ENTITIES, entities.into());
            }
            limits.keeps(&tried(&settings, question.length).0)
        };
        for other in recommendation
            .others
            .iter()
            .filter(|it| it.choice.outcome.staleness.is_some())
        {
            let relaxed = other.broken.iter();
            let limits = relaxed.fold(question.limits, |limits, it| {
                limits.with(it.limit, it.relaxed())
            });
            assert!(
                keeps(&limits, &other.choice, None),
                "{:?}",
                recommendation.why_not(other)
            );
            ways += other.broken.len();
            if let Some(remedy) = &other.remedy {
                assert!(keeps(&question.limits, remedy, None), "{}", remedy.words());
                remedies += 1;
            }
        }
        for card in recommendation.cards() {
            let is_nearest = recommendation.best.is_none()
                && recommendation.relaxations.is_empty()
                && card.entities.is_none();
            assert!(
                is_nearest || keeps(&card.limits, &card.choice, card.entities),
                "{}",
                card.title
            );
        }
    }
    assert!(ways > 5 && remedies > 0, "{ways}, {remedies}");
}

#[test]
fn a_relaxed_limit_has_the_best_setting_that_keeps_it() {
    let mut count = 0;
    for mut question in random_questions(8) {
        question.limits.near = Some(MS(30));
        question.limits.longest = None;
        let mut sweep = swept(question);
        let recommendation = sweep.recommendation();
        let mut strategies = Vec::new();
        for card in recommendation.cards() {
            let choice = &card.choice;
            if recommendation.best.is_some() || card.entities.is_some() {
                continue;
            }
            // `Recommendation::others` has the setting of the strategy's first card.
            if !strategies.contains(&choice.curve) {
                let mut others = recommendation.others.iter();
                let other = others.find(|it| it.choice.curve == choice.curve).unwrap();
                assert_eq!(other.choice.setting, choice.setting, "{}", card.title);
                strategies.push(choice.curve);
            }
            if recommendation.relaxations.is_empty() {
                continue;
            }
            sweep.set_limits(card.limits);
            let best = sweep.recommendation().best.expect("a setting");
            assert_eq!((best.curve, best.setting), (choice.curve, choice.setting));
            count += 1;
        }
    }
    assert!(count > 1, "{count}");
}

#[test]
fn fewer_entities_keep_what_more_break() {
    let all = Limits {
        near: Some(MS(100)),
        longest: Some(MS(200)),
        ..limits(4)
    };
    let question = question(&[(&ENTITIES, 1000.0), (&COST, 100.0)], all);
    let recommendation = swept(question.clone()).recommendation();
    assert!(recommendation.best.is_none(), "{}", recommendation.text());
    let fewer = recommendation.fewer.expect("a smaller crowd");
    let keeps = |entities: u32| {
        let mut settings = chosen(&question, &fewer.choice);
        settings.knobs.set(&ENTITIES, entities.into());
        all.keeps(&tried(&settings, question.length).0)
    };
    assert!(keeps(fewer.entities), "{fewer:?}");
    assert!(!keeps(fewer.entities * 11 / 10), "{fewer:?}");
}

#[test]
fn fewer_entities_are_sought_with_a_setting_that_is_in_time() {
    let all = Limits {
        near: Some(MS(100)),
        longest: Some(MS(2_000)),
        ..limits(2)
    };
    let recommendation =
        swept(question(&[(&ENTITIES, 300.0), (&COST, 200.0)], all)).recommendation();
    assert!(recommendation.best.is_none(), "{}", recommendation.text());
    let fewer = recommendation.fewer.expect("a smaller crowd");
    // If the budget were above the limit, at most ten tasks would take no longer than 2 ms.
    assert!(fewer.entities > 100, "{fewer:?}");
}

#[test]
fn a_second_knob_can_make_a_setting_better() {
    let all = Limits {
        longest: Some(MS(2_000)),
        ..limits(2)
    };
    let question = question(&[(&ENTITIES, 300.0), (&COST, 200.0)], all);
    let recommendation = swept(question.clone()).recommendation();
    let best = recommendation.best.clone().expect("a setting");
    let better = recommendation.better.clone().expect("a better one");
    assert!(best.setting.other.is_none() && better.setting.other.is_some());
    let outcome = tried(&chosen(&question, &better), question.length).0;
    assert!(all.keeps(&outcome), "{}", better.words());
    let objective = |outcome: &Outcome| Objective::WeightedMean.of(outcome).unwrap();
    assert!(objective(&outcome).over(objective(&best.outcome)) < 0.99);
    let words = format!("fresher with a second knob: {}", better.words());
    assert!(
        recommendation.text().to_string().contains(&words),
        "{words}"
    );
    let cards = recommendation.cards();
    assert!(
        cards
            .iter()
            .any(|card| card.choice.setting == better.setting)
    );
}

#[test]
fn a_setting_that_holds_with_other_seeds_is_found() {
    let mut offered = 0;
    for (seed, cost) in [(1, 50.0), (2, 80.0), (3, 120.0)] {
        let set = [
            (&ENTITIES, 250.0),
            (&COST, cost),
            (&COST_SPREAD, 1.0),
            (&CHURN, 40.0),
        ];
        let mut question = question(&set, limits(4));
        question.settings.seed = seed;
        let recommendation = swept(question.clone()).recommendation();
        let best = recommendation.best.expect("a setting");
        let keeps = |choice: &Choice, seed: u64| {
            let mut settings = chosen(&question, choice);
            settings.seed = settings.seed.wrapping_add(seed);
            question.limits.keeps(&tried(&settings, question.length).0)
        };
        let holds = |choice: &Choice| (0..=OTHER_SEEDS).all(|seed| keeps(choice, seed));
        let check = recommendation
            .best_with_seeds
            .expect("other seeds were tried");
        assert_eq!(check.broken.is_none(), holds(&best), "{}", best.words());
        assert!(keeps(&best, 0), "the best one stays that of the seed");
        if let Some(safe) = check.safe {
            offered += 1;
            assert!(holds(&safe), "{}", safe.words());
            assert_ne!(safe.words().to_string(), best.words().to_string());
            let objective = |choice: &Choice| Objective::WeightedMean.of(&choice.outcome).unwrap();
            assert!(objective(&best) <= objective(&safe), "{}", safe.words());
            let times = objective(&safe).over(objective(&best));
            assert!(times < 1.5, "{times} with {}", safe.words());
        }
    }
    assert!(offered > 0);
}

#[test]
fn without_chance_no_other_seed_is_tried() {
    let question = question(&[(&ENTITIES, 100.0), (&COST, 50.0)], limits(4));
    let recommendation = swept(question).recommendation();
    assert!(recommendation.best_with_seeds.is_none());
    assert!(
        recommendation
            .measured
            .is_some_and(|it| !it.depends_on_seed)
    );
}

#[test]
fn a_part_of_a_round_makes_no_setting_fresher() {
    let set = [(&ENTITIES, 50.0), (&COST, 100.0), (&FALLOFF, 0.0)];
    let question = Question {
        strategies: STRATEGIES[1..2].to_vec(),
        steps: 24,
        ..question(&set, limits(4))
    };
    let sweep = swept(question);
    let reference = Reference::of(&sweep, Objective::WeightedMean);
    // Shorter intervals are left out, because they alternate between two numbers of frames.
    let points = sweep.curves()[0].points.iter();
    let times = points.filter(|it| it.setting.value > Some(0.2));
    let times: Vec<f64> = times
        .filter_map(|it| reference.times_of(Objective::WeightedMean, &it.outcome))
        .collect();
    assert!(times.len() > 8, "{times:?}");
    assert!(times.iter().all(|it| *it < 1.03), "{times:?}");
}

#[test]
fn crossovers_agree_with_single_sweeps() {
    let question = Question {
        strategies: [0, 3, 10].map(|nth| STRATEGIES[nth]).to_vec(),
        explains: false,
        ..question(&[(&COST, 20.0)], limits(4))
    };
    let crossovers = made(Crossovers::new(
        question.clone(),
        &ENTITIES,
        [50.0, 3000.0],
        4,
        true,
    ));
    let ranges = crossovers.ranges();
    assert!(ranges.len() > 1, "{ranges:?}");
    for (range, value) in ranges.iter().flat_map(|it| [(it, it.from), (it, it.to)]) {
        let mut single = question.clone();
        single.settings.knobs.set(&ENTITIES, value);
        let best = swept(single).recommendation().best;
        assert_eq!(best.map(|best| best.strategy), range.strategy, "{value}");
    }
    for pair in ranges.windows(2) {
        assert!(pair[1].from <= 1.06 * pair[0].to + 1.0, "{pair:?}");
    }

    let reaches = crossovers.reaches();
    assert!(reaches.len() > 1, "{reaches:?}");
    let reach = |pair: &[Reach]| pair[0].to < pair[1].to && pair[1].from == 50.0;
    assert!(reaches.windows(2).all(reach), "{reaches:?}");
    for Reach { strategy, to, .. } in reaches {
        for column in crossovers.columns() {
            let recommendation = column.sweep.recommendation();
            let mut choices = recommendation.choices().into_iter();
            let choice = choices.find(|it| it.strategy == strategy).unwrap();
            let keeps = recommendation.limits.keeps(&choice.outcome);
            assert!(keeps || column.value > to, "{}", choice.words());
        }
    }
}

#[test]
fn a_larger_budget_is_the_lighter_load() {
    let question = Question {
        strategies: STRATEGIES[..2].to_vec(),
        explains: false,
        ..question(&[(&ENTITIES, 50.0), (&COST, 50.0)], limits(4))
    };
    let crossovers = made(Crossovers::new(question, &BUDGET, [0.5, 8.0], 4, false));
    let [reach] = crossovers.reaches()[..] else {
        panic!("{:?}", crossovers.reaches());
    };
    // All 50 tasks take 2.5 ms.
    assert_eq!((reach.strategy, reach.to), (STRATEGIES[0], 8.0));
    assert!(reach.from > 2.5 && reach.from < 8.0, "{reach:?}");
}

#[test]
fn without_entities_there_is_nothing_to_seek() {
    let sweep = swept(question(&[(&ENTITIES, 0.0)], limits(4)));
    assert!(sweep.is_complete() && sweep.recommendation().best.is_none());
    assert!(!sweep.recommendation().text().is_warning());
}

#[test]
fn one_entity_is_enough_for_an_answer() {
    let recommendation = swept(question(&[(&ENTITIES, 1.0)], limits(4))).recommendation();
    assert_eq!(
        recommendation.best.map(|it| it.strategy),
        Some(STRATEGIES[0]),
        "the simplest"
    );
}

#[test]
fn without_limits_the_freshest_setting_is_best() {
    let none = Limits {
        no_hitches: false,
        ..Limits::default()
    };
    let set = [(&ENTITIES, 100.0), (&COST, 1.0)];
    let recommendation = swept(question(&set, none)).recommendation();
    assert_eq!(
        recommendation.best.map(|it| it.strategy),
        Some(STRATEGIES[0])
    );
    assert!(recommendation.others.iter().all(|it| it.broken.is_empty()));
}

#[test]
fn no_setting_keeps_limits_of_zero() {
    let zero = Limits {
        tasks: Some(Nanos::ZERO),
        near: Some(Nanos::ZERO),
        longest: Some(Nanos::ZERO),
        no_hitches: true,
    };
    let recommendation = swept(question(&[(&ENTITIES, 20.0)], zero)).recommendation();
    assert!(
        recommendation.best.is_none()
            && recommendation.relaxations.is_empty()
            && recommendation.fewer.is_none()
    );
    assert!(recommendation.text().is_warning());
}

#[test]
fn without_requests_strategies_on_request_never_run() {
    let question = question(&[(&ENTITIES, 100.0), (&REQUESTS, 0.0)], limits(4));
    let sweep = swept(question.clone());
    let recommendation = sweep.recommendation();
    for other in recommendation
        .others
        .iter()
        .filter(|it| it.choice.strategy.on_request())
    {
        assert_eq!(other.choice.outcome.staleness, None);
        assert_eq!(
            recommendation.why_not(other)[0].to_string(),
            "some tasks never run"
        );
    }
    let on_request = STRATEGIES.iter().find(|it| it.on_request()).unwrap();
    let settings = Settings {
        strategy: on_request,
        ..question.settings
    };
    let (_, frames) = tried(&settings, question.length);
    assert!(
        frames <= 61,
        "a trial that cannot end its first round is short: {frames}"
    );
}

#[test]
fn nobody_near_the_target_keeps_the_limit() {
    let near = Limits {
        near: Some(Nanos::from_nanos(1)),
        ..Limits::default()
    };
    let mut question = question(&[(&ENTITIES, 3.0), (&crate::sim::world::NEAR, 0.01)], near);
    question.settings.target = Some(Point { x: 1.0, y: 0.0 });
    let best = swept(question).recommendation().best.expect("a setting");
    assert_eq!(best.outcome.staleness.unwrap().near, None);
}

#[test]
fn a_budget_longer_than_a_frame_does_not_excuse_hitches() {
    let question = question(&[(&ENTITIES, 1000.0), (&COST, 100.0)], limits(90));
    let best = swept(question).recommendation().best.expect("a setting");
    assert!(
        best.outcome.frames.max <= MS(25),
        "{:?}",
        best.outcome.frames
    );
}

#[test]
fn hitches_by_drawing_alone_break_no_limit() {
    let set = [(&ENTITIES, 100.0), (&COST, 10.0), (&RENDER_MS, 40.0)];
    let best = swept(question(&set, limits(4))).recommendation().best;
    let best = best.expect("a setting");
    assert_eq!(best.outcome.hitch_share(), 1.0);
    assert_eq!(best.outcome.longest_hitch, Nanos::ZERO);
}
