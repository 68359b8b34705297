//! Tests of the key bindings: each key is bound once, and listed in the help and the guide.

use super::*;
use std::collections::HashSet;

fn press(key: KeyCode) -> Press {
    Press {
        key,
        modifier: Modifier::None,
        repeat: false,
    }
}

/// The bindings of a page and of a window with any number of strategies up to one more than there are keys.
fn all_tables() -> impl Iterator<Item = (bool, Vec<Binding>)> {
    let tables = |count| {
        let strategies: Vec<_> = STRATEGIES.iter().cycle().take(count).copied().collect();
        [false, true].map(|page| (page, bindings_of(page, &strategies)))
    };
    (0..=NUMBER_ROW.len() + 1).flat_map(tables)
}

#[test]
fn no_key_has_two_commands() {
    for (_, bindings) in all_tables() {
        let mut seen = HashSet::new();
        for binding in bindings {
            for key in binding.keys {
                assert!(seen.insert((key, binding.modifier)), "{key:?}");
            }
        }
    }
}

#[test]
fn no_two_keycaps_have_the_same_text() {
    for (_, bindings) in all_tables() {
        let mut seen = HashSet::new();
        for binding in bindings {
            assert!(seen.insert(binding.caps.clone()), "{}", binding.caps);
        }
    }
}

#[test]
fn a_page_leaves_ctrl_to_the_browser() {
    for (page, bindings) in all_tables() {
        let with_ctrl = |it: &&Binding| it.modifier == Modifier::Ctrl;
        let count = bindings.iter().filter(with_ctrl).count();
        assert_eq!(count, if page { 0 } else { 3 });
    }
}

#[test]
fn ctrl_and_plus_minus_or_0_change_the_text_size() {
    use KeyCode::{Equal, Key0, Kp0, KpAdd, KpSubtract, Minus};
    let bindings = bindings_on(false);
    for (keys, command) in [
        ([Equal, KpAdd], Command::Scale(1)),
        ([Minus, KpSubtract], Command::Scale(-1)),
        ([Key0, Kp0], Command::UsualScale),
    ] {
        for key in keys {
            let press = Press {
                modifier: Modifier::Ctrl,
                ..press(key)
            };
            assert_eq!(command_of(&bindings, press), Some(command), "{key:?}");
        }
    }
    for key in [KeyCode::R, KeyCode::Space, KeyCode::Key1, KeyCode::C] {
        let press = Press {
            modifier: Modifier::Ctrl,
            ..press(key)
        };
        assert_eq!(command_of(&bindings, press), None, "{key:?}");
    }
}

#[test]
fn a_page_lacks_only_the_keys_of_recording_and_text_size() {
    use Command::{Record, Scale, UsualScale};
    let on_page = bindings_on(true);
    for binding in bindings_on(false) {
        let caps = caps_of(&on_page, binding.command);
        let is_offered = !matches!(binding.command, Record | Scale(_) | UsualScale);
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
        if binding.command == Command::CopyLink || binding.modifier != Modifier::None {
            continue;
        }
        let command = command_of(&bindings_on(false), press(binding.keys[0]));
        assert_eq!(command, Some(binding.command), "{}", binding.caps);
    }
}

#[test]
fn strategies_have_the_number_row_and_the_numeric_keypad() {
    let bindings = bindings();
    for ((row, pad, caps), entry) in NUMBER_ROW.into_iter().zip(STRATEGIES) {
        let command = Command::Strategy(entry);
        for key in [row, pad] {
            assert_eq!(command_of(&bindings, press(key)), Some(command));
        }
        assert_eq!(caps_of(&bindings, command), caps);
    }
    let caps: String = NUMBER_ROW.iter().map(|(.., caps)| *caps).collect();
    assert_eq!(caps, "1234567890-");
}

#[test]
fn the_help_lists_the_keys_of_any_number_of_strategies() {
    for (page, bindings) in all_tables() {
        let strategies = |it: &&Binding| matches!(it.command, Command::Strategy(_));
        let count = bindings.iter().filter(strategies).count();
        let expected: &[&str] = match count {
            1 => &["1"],
            2 => &["1", "to", "2"],
            9 => &["1", "to", "9"],
            10 => &["1", "to", "9", "0"],
            11 => &["1", "to", "9", "0", "-"],
            _ => continue,
        };
        assert_eq!(rows(&bindings)[0].0, expected, "{page}");
    }
}

#[test]
fn shift_matters_only_for_keys_bound_with_shift() {
    let bindings = bindings();
    let command = |key, shift| {
        let modifier = if shift {
            Modifier::Shift
        } else {
            Modifier::None
        };
        let press = Press {
            modifier,
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
