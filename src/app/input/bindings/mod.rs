//! Key bindings: one table for the dispatcher, the keycaps and the help.

use super::keys::{Modifier, Press};
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::grid::LowerTab;
use crate::app::state::view::View;
use headless::sim::disturbance::Disturbance;
use macroquad::input::KeyCode;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

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
/// Help text of the key that starts the tour.
pub const TOUR: &str = "Start or end the tour of eight steps";
/// Help text of the key that pins the target.
const PIN_TARGET: &str = "Grid, Compare: pin the target, or release it";
/// Heading of the buttons that inject disturbances.
pub const DISTURB: &str = "Disturb";

/// The keys of a command.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Alternative keys.
    pub keys: Vec<KeyCode>,
    /// Modifier key that must be held.
    pub modifier: Modifier,
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
            modifier: Modifier::None,
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

    fn with(self, modifier: Modifier) -> Self {
        Self { modifier, ..self }
    }

    fn repeated(self) -> Self {
        Self {
            repeats: true,
            ..self
        }
    }
}

/// Keys of the strategies: key of the number row, key of the numeric keypad, keycap.
const NUMBER_ROW: [(KeyCode, KeyCode, &str); 11] = [
    (KeyCode::Key1, KeyCode::Kp1, "1"),
    (KeyCode::Key2, KeyCode::Kp2, "2"),
    (KeyCode::Key3, KeyCode::Kp3, "3"),
    (KeyCode::Key4, KeyCode::Kp4, "4"),
    (KeyCode::Key5, KeyCode::Kp5, "5"),
    (KeyCode::Key6, KeyCode::Kp6, "6"),
    (KeyCode::Key7, KeyCode::Kp7, "7"),
    (KeyCode::Key8, KeyCode::Kp8, "8"),
    (KeyCode::Key9, KeyCode::Kp9, "9"),
    (KeyCode::Key0, KeyCode::Kp0, "0"),
    (KeyCode::Minus, KeyCode::KpSubtract, "-"),
];

/// Returns all key bindings.
pub fn bindings() -> Vec<Binding> {
    bindings_on(IS_PAGE)
}

/// Returns the bindings on a `page` or in a window. Browsers reserve some of the window's keys, so a page uses letters
/// instead, those of the views with Shift. A window accepts the letters without Shift, too.
fn bindings_on(page: bool) -> Vec<Binding> {
    bindings_of(page, STRATEGIES)
}

/// Returns the bindings on a `page` or in a window with these strategies.
pub fn bindings_of(page: bool, strategies: &[&'static StrategyEntry]) -> Vec<Binding> {
    let mut all = of_strategies(strategies);
    all.push(Binding::new(
        &[KeyCode::L],
        "L",
        Command::StepFrameLoop(1),
        "Next frame loop",
    ));
    all.extend(View::ALL.map(|view| {
        let help = format!("{} view: {}", view.name(), view.explained());
        let ((key, caps), modifier) = if page {
            (view.letter(), Modifier::Shift)
        } else {
            (view.key(), Modifier::None)
        };
        Binding::new(&[key], caps, Command::View(view), &help).with(modifier)
    }));
    all.extend(of_time());
    all.extend(of_disturbances());
    all.extend(of_history());
    all.extend(of_rows());
    all.extend(of_window(page));
    all
}

fn of_strategies(strategies: &[&'static StrategyEntry]) -> Vec<Binding> {
    const NEIGHBOURS: &str = "Previous or next strategy";
    let keys = NUMBER_ROW.into_iter().zip(strategies);
    let binding = |((row, pad, caps), entry): ((_, _, _), &&'static StrategyEntry)| {
        Binding::new(&[row, pad], caps, Command::Strategy(entry), entry.name)
    };
    let mut all: Vec<Binding> = keys.map(binding).collect();
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
            &[KeyCode::Backspace],
            "Backspace",
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
        walk(KeyCode::Left, "Shift ←", -10, TEN).with(Modifier::Shift),
        walk(KeyCode::Right, "Shift →", 10, TEN).with(Modifier::Shift),
        // Not repeated: the first press may show all capsules, and the next one leaves the present.
        Binding::new(&[KeyCode::Home], "Home", Command::Home, ENDS),
        walk(KeyCode::End, "End", i64::MAX, ENDS),
    ]
}

fn of_rows() -> Vec<Binding> {
    const ROWS: &str = "Compare: select a row, open it in Grid";
    const TRADE_OFF: &str = "Compare: mean or worst weighted staleness";
    let step = |key, caps, by| Binding::new(&[key], caps, Command::StepLane(by), ROWS).repeated();
    let enter = &[KeyCode::Enter, KeyCode::KpEnter];
    vec![
        step(KeyCode::Up, "↑", -1),
        step(KeyCode::Down, "↓", 1),
        Binding::new(enter, "Enter", Command::OpenSelected, ROWS),
        Binding::new(&[KeyCode::E], "E", Command::TradeOff, TRADE_OFF),
    ]
}

fn of_window(page: bool) -> Vec<Binding> {
    const LOWER: &str = "Grid: timeline, or code, instead of the plots";
    const PUBLISHED: &str = "Grid, Compare: as published, or our form";
    const PARTS: &str = "Show or hide all panels, or the knobs";
    const COLOURS: &str = "Grid, Compare: staleness, or significance";
    let binding = |keys: &[KeyCode], caps, command, help| Binding::new(keys, caps, command, help);
    let [saved, data, escape] = if page {
        [
            "Download a screenshot (PNG)",
            "Download data (CSV, trace, picture)",
            "Close help or tour; unpin",
        ]
    } else {
        [
            "Save a screenshot to the current folder",
            "Save data (CSV, trace, picture) to a new folder",
            "Close help or tour; unpin; quit",
        ]
    };
    let mut all = vec![
        binding(
            &[KeyCode::T],
            "T",
            Command::LowerTab(LowerTab::Timeline),
            LOWER,
        ),
        binding(&[KeyCode::U], "U", Command::LowerTab(LowerTab::Code), LOWER),
        binding(&[KeyCode::S], "S", Command::Staleness, COLOURS),
        binding(&[KeyCode::Y], "Y", Command::Significance, COLOURS),
        binding(&[KeyCode::W], "W", Command::AsPublished, PUBLISHED),
        binding(&[KeyCode::Q], "Q", Command::PinTarget, PIN_TARGET),
        // The key is not Tab, because Tab moves the focus.
        binding(&[KeyCode::F], "F", Command::Panels, PARTS),
        binding(&[KeyCode::A], "A", Command::Knobs, PARTS),
        binding(&[KeyCode::J], "J", Command::Tour, TOUR),
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
        let place = all.iter().position(|it| it.command == Command::Help);
        let place = place.unwrap_or(all.len());
        all.splice(place..place, of_text_size());
    }
    all
}

/// Returns the keys of the text size in a window. A page follows the browser's own zoom, which has the same keys.
fn of_text_size() -> [Binding; 3] {
    const SCALE: &str = "Larger or smaller text and controls";
    const USUAL: &str = "Usual size of text and controls";
    [
        (
            KeyCode::Equal,
            KeyCode::KpAdd,
            "Ctrl +",
            Command::Scale(1),
            SCALE,
        ),
        (
            KeyCode::Minus,
            KeyCode::KpSubtract,
            "Ctrl -",
            Command::Scale(-1),
            SCALE,
        ),
        (
            KeyCode::Key0,
            KeyCode::Kp0,
            "Ctrl 0",
            Command::UsualScale,
            USUAL,
        ),
    ]
    .map(|(row, pad, caps, command, help)| {
        Binding::new(&[row, pad], caps, command, help).with(Modifier::Ctrl)
    })
}

/// Returns the command of a key press, if any.
pub fn command_of(bindings: &[Binding], press: Press) -> Option<Command> {
    let of = |modifier| {
        let mut bound = bindings.iter();
        bound.find(|binding| binding.modifier == modifier && binding.keys.contains(&press.key))
    };
    let binding = match press.modifier {
        // Shift matters only for keys that have a binding with Shift.
        Modifier::Shift => of(Modifier::Shift).or_else(|| of(Modifier::None))?,
        modifier => of(modifier)?,
    };
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
            // Keys after 9 follow it one by one, because "1 to 0" would be no range.
            (Some((caps, _)), Some(_)) if caps.get(2..).is_some_and(|it| it.contains(&"9")) => {
                caps.push(&binding.caps);
            }
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

/// Returns the help text of a command's key, or an empty string if it has no key.
pub fn help_of(bindings: &[Binding], command: Command) -> &str {
    let found = bindings.iter().find(|binding| binding.command == command);
    found.map_or("", |binding| &binding.help)
}

#[cfg(test)]
mod tests;
