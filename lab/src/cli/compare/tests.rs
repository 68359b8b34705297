use super::super::console::WIDTH;
use super::*;
use crate::catalog::frame_loop;
use crate::catalog::strategy::by_key;
use crate::catalog::strategy::knobs::{BUDGET, INTERVAL};

fn reports(settings: &Settings, keys: &[&str]) -> Vec<Report> {
    let strategies: Vec<_> = keys.iter().filter_map(|key| by_key(key)).collect();
    measure(settings, &strategies, Length::Frames(121))
}

fn table(settings: &Settings, reports: &[Report], style: RankStyle) -> String {
    let compared = Compared {
        settings,
        reports,
        recommendation: None,
        costs: None,
    };
    compared.text(false, style)
}

#[test]
fn a_slow_game_is_noted_below_the_table() {
    let mut settings = Settings::default();
    for (frame_loop, is_noted) in [("variable-step", false), ("unsynced", true)] {
        settings.frame_loop = frame_loop::by_key(frame_loop).unwrap();
        let reports = reports(&settings, &["every-frame", "fixed-interval"]);
        let text = table(&settings, &reports, RankStyle::None);
        let note = "\ninterval ms and stale ms are in game time";
        assert_eq!(text.contains(note), is_noted);
    }
}

#[test]
fn rows_have_figures_and_lines_fit_the_width() {
    let settings = Settings::default();
    let all: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    let mut reports = reports(&settings, &all);
    let text = table(&settings, &reports, RankStyle::None);
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "{line}");
        assert_eq!(line, line.trim_end());
    }
    let rows: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    let lengths: Vec<usize> = rows.iter().map(|line| line.chars().count()).collect();
    assert_eq!(lengths, vec![lengths[0]; 1 + STRATEGIES.len()], "{text}");

    // 400 tasks of 0.1 ms: a burst of 40 ms every half second. A small mean is not shown as zero.
    (reports[1].runs, reports[1].frames) = (28, 1000);
    let text = table(&settings, &reports, RankStyle::None);
    let row: Vec<&str> = text.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(
        [row[0], row[1], row[2], row[3]],
        ["all-at-once", "0.028", "400", "40.0"]
    );
}

#[test]
fn marks_do_not_shift_the_columns() {
    let settings = Settings::default();
    let reports = reports(&settings, &["all-at-once", "fixed-interval"]);
    let [none, signs, colours] = [RankStyle::None, RankStyle::Signs, RankStyle::Colours]
        .map(|style| table(&settings, &reports, style));
    assert!(!none.contains('+') && !none.contains('\x1b'));
    assert!(signs.contains("400-") && signs.contains(" 14+"), "{signs}");
    assert!(!signs.contains('\x1b') && colours.contains("\x1b[33m400-\x1b[0m"));
    let rows = |text: &str| -> Vec<String> {
        let rows = text.lines().take(3).map(|row| row.replace(['+', '-'], " "));
        rows.map(|row| row.trim_end().to_owned()).collect()
    };
    assert_eq!(rows(&signs), rows(&none));
}

#[test]
fn json_names_a_setting_only_if_it_must_be_changed() {
    let mut settings = Settings::default();
    let limits = crate::judge::Limits {
        tasks: Some(settings.knobs.span(&BUDGET)),
        ..crate::judge::Limits::default()
    };
    let question = |settings: &Settings| Question {
        strategies: vec![by_key("fixed-interval").unwrap()],
        ..Question::new(settings.clone(), limits)
    };
    let all = recommendation(question(&settings)).unwrap();
    let (knob, value) = all.best().unwrap().setting.values[0];
    let advice = |settings: &Settings| {
        let reports = reports(settings, &["fixed-interval"]);
        let compared = Compared {
            settings,
            reports: &reports,
            recommendation: Some(&all),
            costs: None,
        };
        let json = compared.to_json()["advice"].clone();
        assert_eq!(json["strategy"], "fixed-interval");
        let text = compared.text(false, RankStyle::None);
        assert!(
            text.lines().all(|line| line.chars().count() <= WIDTH),
            "{text}"
        );
        json
    };
    let changed = advice(&settings);
    assert_eq!(changed["knob"], knob.key);
    assert_eq!(changed["value"], value);
    settings.knobs.set(&INTERVAL, value);
    assert!(advice(&settings)["value"].is_null());
}
