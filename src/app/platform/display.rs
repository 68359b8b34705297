//! Detection of a display to open a window on.

use std::env;
use std::ffi::OsString;

/// Hint for computers without a display.
const WITHOUT: &str = "`timeslice-lab run`, `compare` and `list` work without one; see --help";

/// Returns the message for a window that cannot be opened.
pub fn cannot_open(reason: &str) -> String {
    format!("cannot open a window: {reason}. {WITHOUT}.")
}

/// Looks for a display before the window library does, because the library panics if there is no display.
///
/// # Errors
/// If there is no display, with a message for the user.
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
        "no display found (neither DISPLAY nor WAYLAND_DISPLAY is set)",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_display_error_names_terminal_commands() {
        let sentence = check_variables(|_| None).unwrap_err();
        for part in ["no display", "run", "compare", "list"] {
            assert!(sentence.contains(part), "{sentence}");
        }
        assert!(
            check_variables(|_| Some(OsString::new())).is_err(),
            "an empty variable is not set"
        );
    }

    #[test]
    fn either_kind_of_display_is_enough() {
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] {
            let variable = |asked_for: &str| (asked_for == name).then(|| OsString::from(":0"));
            let found = check_variables(variable);
            assert_eq!(found, Ok(()));
        }
    }
}
