//! Whether there is a display to open a window on.

use std::env;
use std::ffi::OsString;

/// What needs no window, for those who have none.
const WITHOUT: &str = "`timeslice-lab run`, `compare` and `list` need none; see --help";

/// Says why a window could not be opened.
pub fn cannot_open(reason: &str) -> String {
    format!("cannot open a window: {reason}. {WITHOUT}.")
}

/// Looks for a display before the window library does, which would panic without one.
///
/// # Errors
/// A sentence that says what is missing.
pub fn check() -> Result<(), String> {
    if cfg!(target_os = "linux") {
        check_variables(|name| env::var_os(name))
    } else {
        Ok(())
    }
}

fn check_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<(), String> {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") {
        return Ok(());
    }
    Err(cannot_open(
        "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_display_the_sentence_names_what_needs_none() {
        let sentence = check_variables(|_| None).unwrap_err();
        for part in ["no display", "run", "compare", "list"] {
            assert!(sentence.contains(part), "{sentence}");
        }
        assert!(
            check_variables(|_| Some(OsString::new())).is_err(),
            "empty is not set"
        );
    }

    #[test]
    fn either_kind_of_display_will_do() {
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] {
            let found = check_variables(|asked| (asked == name).then(|| OsString::from(":0")));
            assert_eq!(found, Ok(()));
        }
    }
}
