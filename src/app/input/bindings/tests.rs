//! Tests of the key bindings: each key is bound once, and listed in the help and the guide.

use super::*;
use std::collections::HashSet;

fn press(key: KeyCode) -> Press {
    Press {
        key,
        shift: false,
        repeat: false,
    }
}

#[test]
fn no_key_has_two_commands() {
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
fn a_page_has_all_commands_but_recording_on_free_keys() {
    let on_page = bindings_on(true);
    for binding in bindings_on(false) {
        let caps = caps_of(&on_page, binding.command);
        let is_offered = binding.command != Command::Record;
        assert_eq!(!caps.is_empty(), is_offered, "{:?}", binding.command);
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
fn the_letters_of_a_page_also_work_in_a_window() {
    for binding in bindings_on(true) {
        if binding.command == Command::CopyLink || binding.shift {
            continue;
        }
        let command = command_of(&bindings_on(false), press(binding.keys[0]));
        assert_eq!(command, Some(binding.command), "{}", binding.caps);
    }
}

#[test]
fn the_first_nine_strategies_have_digits() {
    let bindings = bindings();
    for (digit, entry) in DIGITS.iter().zip(STRATEGIES) {
        assert_eq!(
            command_of(&bindings, press(*digit)),
            Some(Command::Strategy(entry))
        );
    }
}

#[test]
fn shift_matters_only_for_keys_bound_with_shift() {
    let bindings = bindings();
    let command = |key, shift| {
        let press = Press {
            shift,
            ..press(key)
        };
        command_of(&bindings, press)
    };
    assert_eq!(command(KeyCode::Left, false), Some(Command::Walk(-1)));
    assert_eq!(command(KeyCode::Left, true), Some(Command::Walk(-10)));
    assert_eq!(command(KeyCode::Slash, true), Some(Command::Help));
    assert_eq!(command(KeyCode::Space, true), Some(Command::Pause));
}

#[test]
fn only_some_commands_repeat_while_the_key_is_held() {
    let bindings = bindings();
    let held = |key| {
        let press = Press {
            repeat: true,
            ..press(key)
        };
        command_of(&bindings, press)
    };
    assert_eq!(held(KeyCode::Period), Some(Command::Step));
    assert_eq!(held(KeyCode::Right), Some(Command::Walk(1)));
    for key in [KeyCode::Space, KeyCode::R, KeyCode::Key1, KeyCode::Escape] {
        assert_eq!(held(key), None, "{key:?}");
    }
}

#[test]
fn every_key_is_in_a_row_of_the_help() {
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
    let mut table = vec!["| key | effect |".to_owned(), "|---|---|".to_owned()];
    for (caps, help) in rows(&bindings()) {
        let caps = caps.iter().map(|cap| match *cap {
            "to" => "to".to_owned(),
            key => format!("`{key}`"),
        });
        let caps: Vec<String> = caps.collect();
        table.push(format!("| {} | {help} |", caps.join(" ")));
    }
    let table = table.join("\n");
    let expected = format!("<!-- keys: begin -->\n\n{table}\n\n<!-- keys: end -->");
    assert!(guide.contains(&expected), "docs/views.md lacks\n{expected}");
}
