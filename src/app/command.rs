//! What a user can tell the program, and the keys that say it.

use macroquad::input::KeyCode;
use timeslice_lab::knob::Knob;
use timeslice_lab::strategy::STRATEGIES;
use timeslice_lab::world::Point;

/// Everything that a key, a click or a drag can mean. Commands change the app; drawing only reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Run the strategy at this place of the registry.
    Strategy(usize),
    /// Run the strategy so many places further, round and round.
    StepStrategy(isize),
    /// Stop game time, or let it go on.
    Pause,
    /// Make exactly one frame of game time, then stop.
    Step,
    /// While game time stands: look at the frame so many further on, or back.
    Walk(i64),
    /// Show the timeline instead of the plots, or the plots again.
    Timeline,
    /// Start anew with the present settings.
    Restart,
    /// Show or hide everything but the capsules.
    Panels,
    /// Show or hide the keys.
    Help,
    /// Write the next picture to a file.
    Screenshot,
    /// Close what is open; where nothing is, leave.
    Escape,
    /// Turn a knob.
    Turn(&'static Knob, f64),
    /// The entity at this place asks for a run.
    Request(u32),
    /// Pin the entity at this place, or unpin it where it is pinned already; none unpins.
    Pin(Option<u32>),
    /// The pointer leads the target to this point, or leaves it to its orbit.
    Point(Option<Point>),
}

/// A command's keys.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Any of these.
    pub keys: Vec<KeyCode>,
    /// How they are written on the control.
    pub caps: String,
    /// What they say.
    pub command: Command,
    /// What that does, for the help.
    pub help: String,
}

const DIGITS: [KeyCode; 9] = [
    KeyCode::Key1,
    KeyCode::Key2,
    KeyCode::Key3,
    KeyCode::Key4,
    KeyCode::Key5,
    KeyCode::Key6,
    KeyCode::Key7,
    KeyCode::Key8,
    KeyCode::Key9,
];
const PAD_DIGITS: [KeyCode; 9] = [
    KeyCode::Kp1,
    KeyCode::Kp2,
    KeyCode::Kp3,
    KeyCode::Kp4,
    KeyCode::Kp5,
    KeyCode::Kp6,
    KeyCode::Kp7,
    KeyCode::Kp8,
    KeyCode::Kp9,
];

/// Every key that does something: the dispatcher, the keycaps and the help read this one table.
pub fn bindings() -> Vec<Binding> {
    let binding = |keys: &[KeyCode], caps: &str, command, help: &str| Binding {
        keys: keys.to_vec(),
        caps: caps.to_owned(),
        command,
        help: help.to_owned(),
    };
    let digits = DIGITS.iter().zip(PAD_DIGITS).zip(STRATEGIES);
    let mut all: Vec<Binding> = digits
        .enumerate()
        .map(|(index, ((&digit, pad), entry))| Binding {
            keys: vec![digit, pad],
            caps: (index + 1).to_string(),
            command: Command::Strategy(index),
            help: entry.name.to_owned(),
        })
        .collect();
    all.extend([
        binding(
            &[KeyCode::LeftBracket],
            "[",
            Command::StepStrategy(-1),
            "Previous strategy",
        ),
        binding(
            &[KeyCode::RightBracket],
            "]",
            Command::StepStrategy(1),
            "Next strategy",
        ),
        binding(
            &[KeyCode::Space, KeyCode::P],
            "Space",
            Command::Pause,
            "Pause, go on (also P)",
        ),
        binding(
            &[KeyCode::Period, KeyCode::O],
            ".",
            Command::Step,
            "One frame of game time, then pause (also O)",
        ),
        binding(
            &[KeyCode::Left],
            "←",
            Command::Walk(-1),
            "While paused: look at the frame before",
        ),
        binding(
            &[KeyCode::Right],
            "→",
            Command::Walk(1),
            "While paused: look at the frame after",
        ),
        binding(
            &[KeyCode::T],
            "T",
            Command::Timeline,
            "Show the timeline, or the plots again",
        ),
        binding(
            &[KeyCode::R],
            "R",
            Command::Restart,
            "Restart with the present settings",
        ),
        binding(
            &[KeyCode::Tab],
            "Tab",
            Command::Panels,
            "Hide or show the panels",
        ),
        binding(
            &[KeyCode::H, KeyCode::Slash],
            "?",
            Command::Help,
            "Show or hide the keys (also H)",
        ),
        binding(
            &[KeyCode::F12],
            "F12",
            Command::Screenshot,
            "Screenshot: a PNG in the current folder",
        ),
        binding(
            &[KeyCode::Escape],
            "Esc",
            Command::Escape,
            "Hide the keys; quit",
        ),
    ]);
    all
}

/// What a key says.
pub fn command_of(bindings: &[Binding], key: KeyCode) -> Option<Command> {
    bindings
        .iter()
        .find(|binding| binding.keys.contains(&key))
        .map(|binding| binding.command)
}

/// How a command's key is written; nothing for one without.
pub fn caps_of(bindings: &[Binding], command: Command) -> &str {
    let found = bindings.iter().find(|binding| binding.command == command);
    found.map_or("", |binding| &binding.caps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_says_two_things() {
        let mut seen = HashSet::new();
        for binding in bindings() {
            for key in binding.keys {
                assert!(seen.insert(key), "{key:?}");
            }
        }
    }

    #[test]
    fn every_strategy_up_to_nine_has_its_digit() {
        let bindings = bindings();
        for (index, digit) in DIGITS.iter().enumerate().take(STRATEGIES.len()) {
            assert_eq!(
                command_of(&bindings, *digit),
                Some(Command::Strategy(index))
            );
        }
    }

    #[test]
    fn the_readme_lists_every_key() {
        let readme = include_str!("../../README.md");
        for binding in bindings() {
            if matches!(binding.command, Command::Strategy(_)) {
                continue; // told as a range, with the table of strategies
            }
            let row = format!("| `{}` | {} |", binding.caps, binding.help);
            assert!(readme.contains(&row), "the README's keys lack {row}");
        }
    }
}
