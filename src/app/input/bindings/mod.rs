//! The keys, and what each of them says.

use super::keys::Press;
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::view::View;
use crate::sim::disturbance::Disturbance;
use macroquad::input::KeyCode;
use timeslice::strategy::STRATEGIES;

/// A command's keys.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Any of these.
    pub keys: Vec<KeyCode>,
    /// Whether only with Shift held.
    pub shift: bool,
    /// Whether a key that is held down goes on saying it.
    pub repeats: bool,
    /// How they are written on the control.
    pub caps: String,
    /// What they say.
    pub command: Command,
    /// What that does, for the help.
    pub help: String,
}

impl Binding {
    fn new(keys: &[KeyCode], caps: &str, command: Command, help: &str) -> Self {
        Self {
            keys: keys.to_vec(),
            shift: false,
            repeats: false,
            caps: caps.to_owned(),
            command,
            help: help.to_owned(),
        }
    }

    /// On a `page` the letter alone, in a window the key that is written on the control, and the letter, too.
    fn with_letter(
        page: bool,
        (key, key_caps): (KeyCode, &str),
        (letter, letter_caps): (KeyCode, &str),
        command: Command,
        help: &str,
    ) -> Self {
        if page {
            Self::new(&[letter], letter_caps, command, help)
        } else {
            Self::new(&[key, letter], key_caps, command, help)
        }
    }

    fn shifted(self) -> Self {
        Self {
            shift: true,
            ..self
        }
    }

    fn repeated(self) -> Self {
        Self {
            repeats: true,
            ..self
        }
    }
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
    bindings_on(IS_PAGE)
}

/// The same, on a `page` or in a window of our own. Browsers take keys for themselves that a window has: on a page
/// letters stand for them, and the window knows these, too.
fn bindings_on(page: bool) -> Vec<Binding> {
    let mut all = of_strategies();
    all.push(Binding::new(
        &[KeyCode::L],
        "L",
        Command::StepFrameLoop(1),
        "The next frame loop",
    ));
    all.extend(View::ALL.map(|view| {
        let help = format!("View {}: {}", view.name(), view.explained());
        let (command, key, letter) = (Command::View(view), view.key(), view.letter());
        Binding::with_letter(page, key, letter, command, &help)
    }));
    all.extend(of_time());
    all.extend(of_shocks());
    all.extend(of_history());
    all.extend(of_window(page));
    all
}

fn of_strategies() -> Vec<Binding> {
    const NEIGHBOURS: &str = "The strategy before, the one after";
    let digits = DIGITS.iter().zip(PAD_DIGITS).zip(STRATEGIES).enumerate();
    let mut all: Vec<Binding> = digits
        .map(|(index, ((&digit, pad), entry))| {
            let caps = (index + 1).to_string();
            let command = Command::Strategy(entry);
            Binding::new(&[digit, pad], &caps, command, entry.name)
        })
        .collect();
    let step = |key, caps, by| Binding::new(&[key], caps, Command::StepStrategy(by), NEIGHBOURS);
    all.push(step(KeyCode::LeftBracket, "[", -1));
    all.push(step(KeyCode::RightBracket, "]", 1));
    all
}

fn of_time() -> Vec<Binding> {
    vec![
        Binding::new(
            &[KeyCode::Space, KeyCode::P],
            "Space",
            Command::Pause,
            "Pause, go on (also P)",
        ),
        Binding::new(
            &[KeyCode::Period, KeyCode::O],
            ".",
            Command::Step,
            "One frame of game time, then pause (also O)",
        )
        .repeated(),
        Binding::new(
            &[KeyCode::R],
            "R",
            Command::Restart,
            "Restart with the present settings",
        ),
        Binding::new(
            &[KeyCode::Key0, KeyCode::Kp0],
            "0",
            Command::Measure,
            "Measure anew: the figures begin at zero",
        ),
    ]
}

/// The lowest row of the keyboard, from its left end.
fn of_shocks() -> Vec<Binding> {
    let keys = [
        (KeyCode::Z, "Z"),
        (KeyCode::X, "X"),
        (KeyCode::C, "C"),
        (KeyCode::V, "V"),
        (KeyCode::B, "B"),
        (KeyCode::N, "N"),
        (KeyCode::M, "M"),
    ];
    let disturbances = keys.into_iter().zip(Disturbance::ALL);
    let binding = |((key, caps), disturbance): ((KeyCode, &str), Disturbance)| {
        Binding::new(
            &[key],
            caps,
            Command::Disturb(disturbance),
            disturbance.explained(),
        )
    };
    disturbances.map(binding).collect()
}

fn of_history() -> Vec<Binding> {
    const ONE: &str = "Grid, paused: the frame before, the one after";
    const TEN: &str = "Grid, paused: ten frames back, ten on";
    const ENDS: &str = "Grid, paused: the oldest known frame, present";
    let walk = |key, caps, by, help| Binding::new(&[key], caps, Command::Walk(by), help).repeated();
    vec![
        walk(KeyCode::Left, "←", -1, ONE),
        walk(KeyCode::Right, "→", 1, ONE),
        walk(KeyCode::Left, "Shift ←", -10, TEN).shifted(),
        walk(KeyCode::Right, "Shift →", 10, TEN).shifted(),
        walk(KeyCode::Home, "Home", i64::MIN, ENDS),
        walk(KeyCode::End, "End", i64::MAX, ENDS),
    ]
}

fn of_window(page: bool) -> Vec<Binding> {
    const SCALE: &str = "Words and controls larger, smaller";
    let binding = |keys: &[KeyCode], caps, command, help| Binding::new(keys, caps, command, help);
    let [saved, data, escape] = if page {
        [
            "Screenshot: a PNG to download",
            "Data: CSV, trace and picture, to download",
            "Hide the keys; unpin",
        ]
    } else {
        [
            "Screenshot: a PNG in the current folder",
            "Data: CSV, trace and picture, in a new folder",
            "Hide the keys; unpin; quit",
        ]
    };
    let mut all = vec![
        binding(
            &[KeyCode::T],
            "T",
            Command::Timeline,
            "Grid: the timeline, or the plots again",
        ),
        binding(
            &[KeyCode::S],
            "S",
            Command::Staleness,
            "Grid, Compare: staleness, or the flash again",
        ),
        // Not Tab, which moves the focus.
        binding(
            &[KeyCode::F],
            "F",
            Command::Panels,
            "Hide or show the panels",
        ),
        binding(
            &[KeyCode::Equal, KeyCode::KpAdd],
            "+",
            Command::Scale(1),
            SCALE,
        ),
        binding(
            &[KeyCode::Minus, KeyCode::KpSubtract],
            "-",
            Command::Scale(-1),
            SCALE,
        ),
        binding(
            &[KeyCode::H, KeyCode::Slash],
            "?",
            Command::Help,
            "Show or hide the keys (also H)",
        ),
        Binding::with_letter(
            page,
            (KeyCode::F12, "F12"),
            (KeyCode::I, "I"),
            Command::Screenshot,
            saved,
        ),
        binding(&[KeyCode::D], "D", Command::Export, data),
        binding(&[KeyCode::Escape], "Esc", Command::Escape, escape),
    ];
    if page {
        let help = "Copy a link to the present settings";
        all.push(binding(&[KeyCode::K], "K", Command::CopyLink, help));
    }
    all
}

/// What a key says.
pub fn command_of(bindings: &[Binding], press: Press) -> Option<Command> {
    let of = |shift| {
        let mut bound = bindings.iter();
        bound.find(|binding| binding.shift == shift && binding.keys.contains(&press.key))
    };
    // Shift says something of its own only where it is written so.
    let shifted = press.shift.then(|| of(true)).flatten();
    let binding = shifted.or_else(|| of(false))?;
    (binding.repeats || !press.again).then_some(binding.command)
}

/// The keys as they are listed for people: those that do one thing, or a thing and its opposite, are one
/// row; strategies and disturbances are ranges.
pub fn rows(bindings: &[Binding]) -> Vec<(Vec<&str>, &str)> {
    let mut rows: Vec<(Vec<&str>, &str)> = Vec::new();
    for binding in bindings {
        let range = match binding.command {
            Command::Strategy(_) => Some("Strategy"),
            Command::Disturb(_) => Some("Break it: the buttons at the left"),
            _ => None,
        };
        let help = range.unwrap_or(&binding.help);
        match (rows.last_mut().filter(|row| row.1 == help), range) {
            (Some((caps, _)), Some(_)) => {
                caps.truncate(1);
                caps.extend(["to", &binding.caps]);
            }
            (Some((caps, _)), None) => caps.push(&binding.caps),
            (None, _) => rows.push((vec![&binding.caps], help)),
        }
    }
    if !IS_PAGE {
        // On a page, it leads from the page to the browser's own controls.
        rows.push((vec!["Tab"], FOCUS));
    }
    rows
}

/// What the keys do that egui listens to.
const FOCUS: &str = "Next control: arrows turn it, Enter presses it";

/// How a command's key is written; nothing for one without.
pub fn caps_of(bindings: &[Binding], command: Command) -> &str {
    let found = bindings.iter().find(|binding| binding.command == command);
    found.map_or("", |binding| &binding.caps)
}

#[cfg(test)]
mod tests;
