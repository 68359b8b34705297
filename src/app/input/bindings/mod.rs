//! Key bindings: one table for the dispatcher, the keycaps and the help.

use super::keys::Press;
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::view::View;
use crate::sim::disturbance::Disturbance;
use macroquad::input::KeyCode;
use timeslice::strategy::STRATEGIES;

/// Help text of the pause key. It is also the name and tooltip of the button, as are the texts of the keys below.
pub const PAUSE: &str = "Pause or resume";
/// Help text of the key that advances a frame.
pub const STEP: &str = "Advance one frame, then pause";
/// Help text of the key that restarts.
pub const RESTART: &str = "Restart with the current settings";
/// Name and tooltip of the button that hides the panels.
pub const PANELS: &str = "Show or hide the panels";
/// Name and tooltip of the button that hides the knobs.
pub const KNOBS: &str = "Show or hide the knobs";
/// Help text of the key that copies a link.
pub const COPY_LINK: &str = "Copy a link to the current settings";
/// Help text of the key that records.
const RECORD: &str = "Record the next four seconds (GIF); again: stop";
/// Heading of the buttons that inject disturbances.
pub const DISTURB: &str = "Disturb";

/// The keys of a command.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Alternative keys.
    pub keys: Vec<KeyCode>,
    /// True if Shift must be held.
    pub shift: bool,
    /// True if holding the key down repeats the command.
    pub repeats: bool,
    /// Text of the keycap.
    pub caps: String,
    /// Command that the keys give.
    pub command: Command,
    /// Effect, for the help.
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

    /// Binds only the letter on a `page`. Binds both keys in a window, and shows the first on the keycap.
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

/// Returns all key bindings.
pub fn bindings() -> Vec<Binding> {
    bindings_on(IS_PAGE)
}

/// Returns the bindings on a `page` or in a window. Browsers reserve some of the window's keys, so a page uses letters
/// instead. A window accepts these letters, too.
fn bindings_on(page: bool) -> Vec<Binding> {
    let mut all = of_strategies();
    all.push(Binding::new(
        &[KeyCode::L],
        "L",
        Command::StepFrameLoop(1),
        "Next frame loop",
    ));
    all.extend(View::ALL.map(|view| {
        let help = format!("{} view: {}", view.name(), view.explained());
        let (command, key, letter) = (Command::View(view), view.key(), view.letter());
        Binding::with_letter(page, key, letter, command, &help)
    }));
    all.extend(of_time());
    all.extend(of_disturbances());
    all.extend(of_history());
    all.extend(of_window(page));
    all
}

fn of_strategies() -> Vec<Binding> {
    const NEIGHBOURS: &str = "Previous or next strategy";
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
            &format!("{PAUSE} (also P)"),
        ),
        Binding::new(
            &[KeyCode::Period, KeyCode::O],
            ".",
            Command::Step,
            &format!("{STEP} (also O)"),
        )
        .repeated(),
        Binding::new(&[KeyCode::R], "R", Command::Restart, RESTART),
        Binding::new(
            &[KeyCode::Key0, KeyCode::Kp0],
            "0",
            Command::Measure,
            "Reset figures",
        ),
    ]
}

/// Binds the disturbances to the keyboard's lowest row of letters, from the left.
fn of_disturbances() -> Vec<Binding> {
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
    const ONE: &str = "Grid, paused: previous or next frame";
    const TEN: &str = "Grid, paused: ten frames back or forward";
    const ENDS: &str = "Grid, paused: oldest or current frame";
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
    const SCALE: &str = "Larger or smaller text and controls";
    const PARTS: &str = "Show or hide all panels, or the knobs";
    let binding = |keys: &[KeyCode], caps, command, help| Binding::new(keys, caps, command, help);
    let [saved, data, escape] = if page {
        [
            "Download a screenshot (PNG)",
            "Download data (CSV, trace, picture)",
            "Close help; unpin",
        ]
    } else {
        [
            "Save a screenshot to the current folder",
            "Save data (CSV, trace, picture) to a new folder",
            "Close help; unpin; quit",
        ]
    };
    let mut all = vec![
        binding(
            &[KeyCode::T],
            "T",
            Command::Timeline,
            "Grid: timeline or plots",
        ),
        binding(
            &[KeyCode::S],
            "S",
            Command::Staleness,
            "Grid, Compare: staleness or flashes",
        ),
        // The key is not Tab, because Tab moves the focus.
        binding(&[KeyCode::F], "F", Command::Panels, PARTS),
        binding(&[KeyCode::A], "A", Command::Knobs, PARTS),
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
            "Show or hide help (also H)",
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
        all.push(binding(&[KeyCode::K], "K", Command::CopyLink, COPY_LINK));
    } else {
        let place = all.iter().position(|it| it.command == Command::Export);
        let record = binding(&[KeyCode::G], "G", Command::Record, RECORD);
        all.insert(place.unwrap_or(all.len()), record);
    }
    all
}

/// Returns the command of a key press, if any.
pub fn command_of(bindings: &[Binding], press: Press) -> Option<Command> {
    let of = |shift| {
        let mut bound = bindings.iter();
        bound.find(|binding| binding.shift == shift && binding.keys.contains(&press.key))
    };
    // Shift matters only for keys that have a binding with Shift.
    let shifted = press.shift.then(|| of(true)).flatten();
    let binding = shifted.or_else(|| of(false))?;
    (binding.repeats || !press.repeat).then_some(binding.command)
}

/// Returns the rows of the help: keycaps and effect. Keys with the same help text share a row; strategies and
/// disturbances each have one row with a range of keys.
pub fn rows(bindings: &[Binding]) -> Vec<(Vec<&str>, &str)> {
    let mut rows: Vec<(Vec<&str>, &str)> = Vec::new();
    for binding in bindings {
        let range = match binding.command {
            Command::Strategy(_) => Some("Strategy"),
            Command::Disturb(_) => Some("Disturb: the buttons on the left"),
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
        // The help of a page omits Tab, because Tab also leads to the browser's own controls.
        rows.push((vec!["Tab"], FOCUS));
    }
    rows
}

/// Help text of the keys that egui handles.
const FOCUS: &str = "Next control: arrows change it, Enter presses it";

/// Returns the keycap of a command, or an empty string if it has no key.
pub fn caps_of(bindings: &[Binding], command: Command) -> &str {
    let found = bindings.iter().find(|binding| binding.command == command);
    found.map_or("", |binding| &binding.caps)
}

#[cfg(test)]
mod tests;
