use super::super::console::WIDTH;
use super::*;
use crate::catalog::frame_loop;
use crate::catalog::strategy::by_key;
use crate::catalog::strategy::knobs::{BUDGET, INTERVAL, MAX_TASKS};
use crate::recommend::Limits;
use crate::sim::disturbance::{Disturbance, Scheduled};

fn table(settings: &Settings, reports: &[Report]) -> String {
    let compared = Compared {
        settings,
        reports,
        recommendation: None,
    };
    compared.text(false)
}

#[test]
fn rows_have_figures_and_lines_fit_the_width() {
    let mut settings = Settings::default();
    let mut reports = measure(&settings, STRATEGIES, Length::Frames(121));
    // All at once runs 400 tasks of 0.1 ms in a burst of 40 ms. The tiny mean set here must not be shown as zero.
    (reports[1].runs, reports[1].frames) = (28, 1000);
    let text = table(&settings, &reports);
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "{line}");
        assert_eq!(line, line.trim_end());
    }
    let rows: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    let lengths: Vec<usize> = rows.iter().map(|line| line.chars().count()).collect();
    assert_eq!(lengths, vec![lengths[0]; 1 + STRATEGIES.len()], "{text}");
    let row: Vec<&str> = rows[2].split_whitespace().take(4).collect();
    assert_eq!(row, ["all-at-once", "0.028", "400", "40.0"]);

    let note = "\ninterval ms and stale ms are in game time";
    assert!(!text.contains(note));
    settings.frame_loop = frame_loop::by_key("unsynced").unwrap();
    let too_fast = measure(&settings, &STRATEGIES[..2], Length::Frames(121));
    assert!(table(&settings, &too_fast).contains(note));
}

#[test]
fn a_burst_ranks_the_strategies_by_their_longest_wait() {
    let scheduled = vec![Scheduled {
        at: Nanos::SECOND,
        effect: Disturbance::Births.of_size(200.0),
    }];
    let mut settings = Settings {
        scheduled,
        ..Settings::default()
    };
    // All 600 tasks together take 60 ms, so `every-frame` causes a hitch. `max-per-frame` takes 10 s to run them all.
    settings.knobs.set(&MAX_TASKS, 1.0);
    let strategies = [
        "every-frame",
        "stagger-groups",
        "fixed-interval",
        "max-per-frame",
    ];
    let strategies = strategies.map(|key| by_key(key).unwrap());
    let mut reports = measure(&settings, &strategies, Length::Frames(180));
    let text = table(&settings, &reports);
    let (_, ranking) = text.split_once("\n200 births at 1 s ").unwrap();
    let lines: Vec<&str> = ranking.lines().collect();
    let rows: Vec<Vec<&str>> = lines[1..5]
        .iter()
        .map(|it| it.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0][..1], ["every-frame"]);
    assert_eq!(
        rows[3][..3],
        ["max-per-frame", "-", "-"],
        "some have not run"
    );
    assert!(lines[0].ends_with("longest   task max"), "{text}");
    let named = lines[5].split_once("best without hitches: ").unwrap().1;
    let (first, second) = named.split_once(", then ").unwrap();
    assert!(
        first.starts_with("Fixed interval (") && second.starts_with("Stagger groups ("),
        "{text}"
    );
    reports.truncate(1);
    assert!(table(&settings, &reports).contains("without hitches: none"));
}

#[test]
fn json_names_a_setting_only_if_it_must_be_changed() {
    let mut settings = Settings::default();
    let limits = Limits {
        tasks: Some(settings.knobs.span(&BUDGET)),
        ..Limits::default()
    };
    let strategies = vec![by_key("fixed-interval").unwrap()];
    let reports = measure(&settings, &strategies, Length::Frames(121));
    let question = Question {
        strategies,
        ..Question::new(settings.clone(), limits)
    };
    let sweep = run_sweep(question, &AtomicBool::new(false));
    let all = sweep.recommendation().unwrap();
    let (knob, value) = all.best().unwrap().setting.values[0];
    let advice = |settings: &Settings| {
        let compared = Compared {
            settings,
            reports: &reports,
            recommendation: Some(&all),
        };
        compared.to_json()["advice"].clone()
    };
    let changed = advice(&settings);
    assert_eq!(changed["strategy"], "fixed-interval");
    assert_eq!(
        (&changed["knob"], &changed["value"]),
        (&knob.key.into(), &value.into())
    );
    settings.knobs.set(&INTERVAL, value);
    assert!(advice(&settings)["value"].is_null());
}
