//! Tests of the keys: each is bound once, and help and docs/views.md list it.

use super::*;
use std::collections::HashSet;

fn press(key: KeyCode) -> Press {
    Press {
        key,
        shift: false,
        again: false,
    }
}

#[test]
fn no_key_says_two_things() {
    for page in [false, true] {
        let mut seen = HashSet::new();
        for binding in bindings_on(page) {
            for key in binding.keys {
                assert!(seen.insert((key, binding.shift)), "{key:?}");
            }
        }
    }
}

#[test]
fn a_page_needs_no_key_that_browsers_take_and_says_all_that_a_window_does() {
    let on_page = bindings_on(true);
    for binding in bindings_on(false) {
        let caps = caps_of(&on_page, binding.command);
        assert!(!caps.is_empty(), "{:?}", binding.command);
    }
    for binding in &on_page {
        let caps = binding.caps.as_str();
        let taken = caps == "Tab" || (caps.len() > 1 && caps.starts_with('F'));
        assert!(!taken, "{caps}");
        for &key in &binding.keys {
            let press = press(key);
            assert!(!press.is_function_key() && key != KeyCode::Tab, "{key:?}");
        }
    }
    assert_eq!(caps_of(&on_page, Command::CopyLink), "K");
}

#[test]
fn a_pages_letters_work_in_a_window_too() {
    for binding in bindings_on(true) {
        let said = command_of(&bindings_on(false), press(binding.keys[0]));
        let here = binding.command != Command::CopyLink && !binding.shift;
        assert_eq!(
            said,
            here.then_some(binding.command).or(said),
            "{}",
            binding.caps
        );
    }
}

#[test]
fn every_strategy_up_to_nine_has_its_digit() {
    let bindings = bindings();
    for (digit, entry) in DIGITS.iter().zip(STRATEGIES) {
        assert_eq!(
            command_of(&bindings, press(*digit)),
            Some(Command::Strategy(entry))
        );
    }
}

#[test]
fn shift_matters_only_where_it_is_written() {
    let bindings = bindings();
    let said = |key, shift| {
        let press = Press {
            shift,
            ..press(key)
        };
        command_of(&bindings, press)
    };
    assert_eq!(said(KeyCode::Left, false), Some(Command::Walk(-1)));
    assert_eq!(said(KeyCode::Left, true), Some(Command::Walk(-10)));
    assert_eq!(said(KeyCode::Slash, true), Some(Command::Help));
    assert_eq!(said(KeyCode::Space, true), Some(Command::Pause));
}

#[test]
fn a_key_that_is_held_down_goes_on_only_where_that_is_of_use() {
    let bindings = bindings();
    let held = |key| {
        let again = true;
        command_of(
            &bindings,
            Press {
                again,
                ..press(key)
            },
        )
    };
    assert_eq!(held(KeyCode::Period), Some(Command::Step));
    assert_eq!(held(KeyCode::Right), Some(Command::Walk(1)));
    for key in [KeyCode::Space, KeyCode::R, KeyCode::Key1, KeyCode::Escape] {
        assert_eq!(held(key), None, "{key:?}");
    }
}

#[test]
fn every_key_is_in_some_row() {
    let bindings = bindings();
    let rows = rows(&bindings);
    for binding in &bindings {
        let listed = rows.iter().any(|(caps, _)| caps.contains(&&*binding.caps));
        let in_range = matches!(binding.command, Command::Strategy(_) | Command::Disturb(_));
        assert!(listed || in_range, "{}", binding.caps);
    }
    let last = STRATEGIES.len().min(DIGITS.len()).to_string();
    assert_eq!(rows[0].0, ["1", "to", &last]);
}

#[test]
fn the_guide_lists_every_key() {
    let guide = include_str!("../../../../docs/views.md");
    let mut table = "| key | effect |\n|---|---|\n".to_owned();
    for (caps, help) in rows(&bindings()) {
        let caps = caps.iter().map(|cap| match *cap {
            "to" => "to".to_owned(),
            key => format!("`{key}`"),
        });
        let caps: Vec<String> = caps.collect();
        table += &format!("| {} | {help} |\n", caps.join(" "));
    }
    let expected = format!("<!-- keys: begin -->\n\n{table}\n<!-- keys: end -->");
    assert!(guide.contains(&expected), "docs/views.md lacks\n{expected}");
}
