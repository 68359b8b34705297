//! Key bindings: one table for the dispatcher, the keycaps and the help.

use super::keys::{Modifier, Press};
use crate::app::platform::IS_PAGE;
use crate::app::state::ColourMode;
use crate::app::state::command::Command;
use crate::app::state::grid::LowerTab;
use crate::app::state::view::View;
use headless::sim::disturbance::Disturbance;
use macroquad::input::KeyCode;
use std::sync::LazyLock;
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

/// Help text of the pause key. It is also the name and tooltip of the button, as are the texts of the keys below.
pub const PAUSE: &str = "Pause or resume";
pub const STEP: &str = "Advance one frame, then pause";
pub const RESTART: &str = "Restart with the current settings";
/// Name and tooltip of the button that hides the panels.
pub const PANELS: &str = "Show or hide the panels";
/// Name and tooltip of the button that hides the knobs.
pub const KNOBS: &str = "Show or hide the knobs";
pub const COPY_LINK: &str = "Copy a link to the current settings";
pub const TOUR: &str = "Start or end the tour of eight steps";
/// Heading of the buttons that inject disturbances.
pub const DISTURB: &str = "Disturb";

/// The keys of a command.
#[derive(Clone, Debug)]
pub struct Binding {
    pub keys: Vec<KeyCode>,
    /// Modifier key that must be held.
    pub modifier: Modifier,
    pub caps: String,
    pub command: Command,
    /// Effect, for the help.
    pub help: String,
}

impl Binding {
    fn new(keys: &[KeyCode], caps: &str, command: Command, help: &str) -> Self {
        Self {
            keys: keys.to_vec(),
            modifier: Modifier::None,
            caps: caps.to_owned(),
            command,
            help: help.to_owned(),
        }
    }

    fn with(self, modifier: Modifier) -> Self {
        Self { modifier, ..self }
    }
}

/// Keys from left to right, each with its keycap.
type Row = [(&'static [KeyCode], &'static str)];

/// Keys of the strategies: the number row, and the same keys of the numeric keypad.
const NUMBER_ROW: &Row = &[
    (&[KeyCode::Key1, KeyCode::Kp1], "1"),
    (&[KeyCode::Key2, KeyCode::Kp2], "2"),
    (&[KeyCode::Key3, KeyCode::Kp3], "3"),
    (&[KeyCode::Key4, KeyCode::Kp4], "4"),
    (&[KeyCode::Key5, KeyCode::Kp5], "5"),
    (&[KeyCode::Key6, KeyCode::Kp6], "6"),
    (&[KeyCode::Key7, KeyCode::Kp7], "7"),
    (&[KeyCode::Key8, KeyCode::Kp8], "8"),
    (&[KeyCode::Key9, KeyCode::Kp9], "9"),
    (&[KeyCode::Key0, KeyCode::Kp0], "0"),
    (&[KeyCode::Minus, KeyCode::KpSubtract], "-"),
];

const LOWEST_ROW: &Row = &[
    (&[KeyCode::Z], "Z"),
    (&[KeyCode::X], "X"),
    (&[KeyCode::C], "C"),
    (&[KeyCode::V], "V"),
    (&[KeyCode::B], "B"),
    (&[KeyCode::N], "N"),
    (&[KeyCode::M], "M"),
];

/// Keycaps after which the help lists keys one by one, because "1 to 0" would be no range.
const RANGE_ENDS: [&str; 2] = ["9", "M"];

static BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(|| bindings_of(IS_PAGE, STRATEGIES));

/// Returns the bindings of this program.
pub fn bindings() -> &'static [Binding] {
    &BINDINGS
}

/// Returns the bindings on a `page` or in a window with these strategies. Browsers reserve some of the window's keys, so a
/// page uses letters instead, those of the views with Shift. A window accepts the letters without Shift, too.
pub fn bindings_of(page: bool, strategies: &[&'static StrategyEntry]) -> Vec<Binding> {
    let strategies = strategies.iter();
    let strategies = strategies.map(|entry| (Command::Strategy(entry), entry.name));
    let disturbances = Disturbance::ALL.into_iter();
    let disturbances = disturbances.map(|it| (Command::Disturb(it), it.explained()));
    let mut all = of_row(NUMBER_ROW, strategies);
    all.extend(of_switches());
    all.extend(View::ALL.map(|view| of_view(page, view)));
    all.extend(of_time());
    all.extend(of_row(LOWEST_ROW, disturbances));
    all.extend(of_contents());
    all.extend(if page { of_page() } else { of_window() });
    all
}

/// Binds the keys of a row to the commands of a registry, and then the same keys with Shift to further commands.
fn of_row(row: &Row, commands: impl Iterator<Item = (Command, &'static str)>) -> Vec<Binding> {
    let keys = [(Modifier::None, ""), (Modifier::Shift, "⇧")].into_iter();
    let keys = keys.flat_map(|(modifier, prefix)| {
        let row = row.iter();
        row.map(move |(keys, caps)| (keys, format!("{prefix}{caps}"), modifier))
    });
    keys.zip(commands)
        .map(|((keys, caps, modifier), (command, help))| {
            Binding::new(keys, &caps, command, help).with(modifier)
        })
        .collect()
}

fn of_switches() -> [Binding; 3] {
    use Command::{StepFrameLoop, StepStrategy};
    use KeyCode::{L, LeftBracket, RightBracket};
    const STRATEGY: &str = "Previous or next strategy";
    [
        Binding::new(&[LeftBracket], "[", StepStrategy(-1), STRATEGY),
        Binding::new(&[RightBracket], "]", StepStrategy(1), STRATEGY),
        Binding::new(&[L], "L", StepFrameLoop(1), "Next frame loop"),
    ]
}

fn of_view(page: bool, view: View) -> Binding {
    let entry = view.entry();
    let ((key, caps), modifier) = if page {
        (entry.letter, Modifier::Shift)
    } else {
        (entry.key, Modifier::None)
    };
    let help = format!("{} view: {}", view.name(), entry.explained);
    Binding::new(&[key], caps, Command::View(view), &help).with(modifier)
}

fn of_time() -> [Binding; 4] {
    use Command::{Measure, Pause, Restart, Step};
    use KeyCode::{Backspace, O, P, Period, R, Space};
    let [pause, step] =
        [(PAUSE, "P"), (STEP, "O")].map(|(help, key)| format!("{help} (also {key})"));
    [
        Binding::new(&[Space, P], "Space", Pause, &pause),
        Binding::new(&[Period, O], ".", Step, &step),
        Binding::new(&[R], "R", Restart, RESTART),
        Binding::new(&[Backspace], "Backspace", Measure, "Reset figures"),
    ]
}

/// Returns the keys for the contents of a view: the history, the compared lanes, and the capsules.
fn of_contents() -> [Binding; 16] {
    use Command::{AsPublished, Home, OpenSelected, PinTarget, StepLane, TradeOff, Walk};
    use KeyCode::{Down, E, End, Enter, KpEnter, Left, Q, Right, S, T, U, Up, W, Y};
    const ONE: &str = "Grid, paused: previous or next frame";
    const TEN: &str = "Grid, paused: ten frames back or forward";
    const ENDS: &str = "Grid, paused: oldest or current frame";
    const LANES: &str = "Compare: select a row, open it in Grid";
    const WEIGHTED: &str = "Compare: mean or worst weighted staleness";
    const LOWER: &str = "Grid: timeline, or code, instead of the plots";
    const COLOURS: &str = "Grid, Compare: staleness, or significance";
    const PUBLISHED: &str = "Grid, Compare: as published, or our form";
    const TARGET: &str = "Grid, Compare: pin the target, or release it";
    let [timeline, code] = [LowerTab::Timeline, LowerTab::Code].map(Command::LowerTab);
    let [staleness, significance] =
        [ColourMode::Staleness, ColourMode::Significance].map(Command::Colours);
    [
        Binding::new(&[Left], "←", Walk(-1), ONE),
        Binding::new(&[Right], "→", Walk(1), ONE),
        Binding::new(&[Left], "Shift ←", Walk(-10), TEN).with(Modifier::Shift),
        Binding::new(&[Right], "Shift →", Walk(10), TEN).with(Modifier::Shift),
        Binding::new(&[KeyCode::Home], "Home", Home, ENDS),
        Binding::new(&[End], "End", Walk(i64::MAX), ENDS),
        Binding::new(&[Up], "↑", StepLane(-1), LANES),
        Binding::new(&[Down], "↓", StepLane(1), LANES),
        Binding::new(&[Enter, KpEnter], "Enter", OpenSelected, LANES),
        Binding::new(&[E], "E", TradeOff, WEIGHTED),
        Binding::new(&[T], "T", timeline, LOWER),
        Binding::new(&[U], "U", code, LOWER),
        Binding::new(&[S], "S", staleness, COLOURS),
        Binding::new(&[Y], "Y", significance, COLOURS),
        Binding::new(&[W], "W", AsPublished, PUBLISHED),
        Binding::new(&[Q], "Q", PinTarget, TARGET),
    ]
}

/// Returns the keys that show or hide parts of the interface. The first key is not Tab, because Tab moves the focus.
fn of_parts() -> [Binding; 3] {
    use Command::{Knobs, Panels, Tour};
    use KeyCode::{A, F, J};
    const PARTS: &str = "Show or hide all panels, or the knobs";
    [
        Binding::new(&[F], "F", Panels, PARTS),
        Binding::new(&[A], "A", Knobs, PARTS),
        Binding::new(&[J], "J", Tour, TOUR),
    ]
}

fn help() -> Binding {
    let keys = [KeyCode::H, KeyCode::Slash];
    Binding::new(&keys, "?", Command::Help, "Show or hide help (also H)")
}

fn of_window() -> Vec<Binding> {
    use Command::{Export, Record, Scale, Screenshot, UsualScale};
    use KeyCode::{D, Equal, Escape, F12, G, I, Key0, Kp0, KpAdd, KpSubtract, Minus};
    const SCALE: &str = "Larger or smaller text and controls";
    const USUAL: &str = "Usual size of text and controls";
    const SCREENSHOT: &str = "Save a screenshot to the current folder";
    const RECORD: &str = "Record the next four seconds (GIF); again: stop";
    const DATA: &str = "Save data (CSV, trace, picture) to a new folder";
    const ESCAPE: &str = "Close help or tour; unpin; quit";
    let mut all = Vec::from(of_parts());
    all.extend([
        Binding::new(&[Equal, KpAdd], "Ctrl +", Scale(1), SCALE).with(Modifier::Ctrl),
        Binding::new(&[Minus, KpSubtract], "Ctrl -", Scale(-1), SCALE).with(Modifier::Ctrl),
        Binding::new(&[Key0, Kp0], "Ctrl 0", UsualScale, USUAL).with(Modifier::Ctrl),
        help(),
        Binding::new(&[F12, I], "F12", Screenshot, SCREENSHOT),
        Binding::new(&[G], "G", Record, RECORD),
        Binding::new(&[D], "D", Export, DATA),
        Binding::new(&[Escape], "Esc", Command::Escape, ESCAPE),
    ]);
    all
}

/// A page follows the browser's own zoom, and has no key for a recording.
fn of_page() -> Vec<Binding> {
    use Command::{CopyLink, Export, Screenshot};
    use KeyCode::{D, Escape, I, K};
    const SCREENSHOT: &str = "Download a screenshot (PNG)";
    const DATA: &str = "Download data (CSV, trace, picture)";
    const ESCAPE: &str = "Close help or tour; unpin";
    let mut all = Vec::from(of_parts());
    all.extend([
        help(),
        Binding::new(&[I], "I", Screenshot, SCREENSHOT),
        Binding::new(&[D], "D", Export, DATA),
        Binding::new(&[Escape], "Esc", Command::Escape, ESCAPE),
        Binding::new(&[K], "K", CopyLink, COPY_LINK),
    ]);
    all
}

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
    (binding.command.repeats() || !press.repeat).then_some(binding.command)
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
            (Some((caps, _)), Some(_)) if caps.iter().any(|it| RANGE_ENDS.contains(it)) => {
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
        rows.push((
            vec!["Tab"],
            "Next control: arrows change it, Enter presses it",
        ));
    }
    rows
}

fn binding_of(bindings: &[Binding], command: Command) -> Option<&Binding> {
    bindings.iter().find(|binding| binding.command == command)
}

/// Returns the keycap of a command, or an empty string if it has no key.
pub fn caps_of(command: Command) -> &'static str {
    binding_of(bindings(), command).map_or("", |binding| &binding.caps)
}

/// Returns the help text of a command's key, or an empty string if it has no key.
pub fn help_of(command: Command) -> &'static str {
    binding_of(bindings(), command).map_or("", |binding| &binding.help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn press(key: KeyCode, modifier: Modifier) -> Press {
        Press {
            key,
            modifier,
            repeat: false,
        }
    }

    /// The bindings of a page and of a window with any number of strategies up to two more than there are keys.
    fn all_tables() -> impl Iterator<Item = (bool, Vec<Binding>)> {
        let tables = |count| {
            let strategies: Vec<_> = STRATEGIES.iter().cycle().take(count).copied().collect();
            [false, true].map(|page| (page, bindings_of(page, &strategies)))
        };
        (0..=NUMBER_ROW.len() + 2).flat_map(tables)
    }

    #[test]
    fn keys_and_keycaps_are_unique_and_a_page_has_no_ctrl() {
        for (page, bindings) in all_tables() {
            let (mut keys, mut caps) = (HashSet::new(), HashSet::new());
            for binding in &bindings {
                assert!(caps.insert(&binding.caps), "{}", binding.caps);
                for key in &binding.keys {
                    assert!(keys.insert((key, binding.modifier)), "{key:?}");
                }
            }
            let with_ctrl = |it: &&Binding| it.modifier == Modifier::Ctrl;
            let count = bindings.iter().filter(with_ctrl).count();
            assert_eq!(count, if page { 0 } else { 3 });
        }
    }

    #[test]
    fn a_press_has_the_command_of_its_key_and_modifier() {
        use KeyCode::{Equal, Key1, Kp2, KpAdd, KpSubtract, Left, Minus, R, Slash, Space, Z};
        use Modifier::{Ctrl, None as Plain, Shift};
        let bindings = &bindings_of(false, STRATEGIES);
        for (key, modifier, command) in [
            (Key1, Plain, Some(Command::Strategy(STRATEGIES[0]))),
            (Kp2, Plain, Some(Command::Strategy(STRATEGIES[1]))),
            (Z, Plain, Some(Command::Disturb(Disturbance::ALL[0]))),
            (Left, Plain, Some(Command::Walk(-1))),
            (Left, Shift, Some(Command::Walk(-10))),
            // Shift matters only for keys that are bound with Shift.
            (Slash, Shift, Some(Command::Help)),
            (Space, Shift, Some(Command::Pause)),
            (Equal, Ctrl, Some(Command::Scale(1))),
            (KpAdd, Ctrl, Some(Command::Scale(1))),
            (Minus, Ctrl, Some(Command::Scale(-1))),
            (KpSubtract, Ctrl, Some(Command::Scale(-1))),
            (KeyCode::Key0, Ctrl, Some(Command::UsualScale)),
            (R, Ctrl, None),
            (Space, Ctrl, None),
            (Key1, Ctrl, None),
        ] {
            assert_eq!(
                command_of(bindings, press(key, modifier)),
                command,
                "{key:?}"
            );
        }
    }

    #[test]
    fn only_some_commands_repeat_while_the_key_is_held() {
        use KeyCode::{Escape, Key1, Period, R, Right, Space};
        for (key, repeats) in [
            (Period, true),
            (Right, true),
            (Space, false),
            (R, false),
            (Key1, false),
            (Escape, false),
        ] {
            let held = Press {
                repeat: true,
                ..press(key, Modifier::None)
            };
            assert_eq!(command_of(bindings(), held).is_some(), repeats, "{key:?}");
        }
    }

    #[test]
    fn a_page_and_a_window_differ_only_in_a_few_keys() {
        use Command::{CopyLink, Record, Scale, UsualScale};
        let [window, page] = [false, true].map(|page| bindings_of(page, STRATEGIES));
        for binding in &window {
            let is_offered = !matches!(binding.command, Record | Scale(_) | UsualScale);
            let on_page = binding_of(&page, binding.command);
            assert_eq!(on_page.is_some(), is_offered, "{:?}", binding.command);
        }
        for binding in &page {
            for &key in &binding.keys {
                let press = press(key, Modifier::None);
                let is_reserved = press.is_function_key() || key == KeyCode::Tab;
                assert!(!is_reserved, "{key:?}");
                // The letters of a page also work in a window.
                if binding.command != CopyLink && binding.modifier == Modifier::None {
                    let command = command_of(&window, press);
                    assert_eq!(command, Some(binding.command), "{}", binding.caps);
                }
            }
        }
        assert!(binding_of(&page, CopyLink).is_some_and(|it| it.caps == "K"));
    }

    #[test]
    fn entries_beyond_the_keys_of_a_row_have_the_keys_with_shift() {
        for (count, caps) in [(1, "Z"), (7, "M"), (8, "⇧Z"), (14, "⇧M"), (20, "⇧M")] {
            let commands = Disturbance::ALL.into_iter().cycle().take(count);
            let bindings = of_row(LOWEST_ROW, commands.map(|it| (Command::Disturb(it), "")));
            let last = bindings.last().expect("there is one");
            assert_eq!((last.caps.as_str(), bindings.len()), (caps, count.min(14)));
        }
    }

    #[test]
    fn the_help_lists_the_keys_of_any_number_of_strategies() {
        for (_, bindings) in all_tables() {
            let strategies = |it: &&Binding| matches!(it.command, Command::Strategy(_));
            let count = bindings.iter().filter(strategies).count();
            let expected: &[&str] = match count {
                1 => &["1"],
                2 => &["1", "to", "2"],
                9 => &["1", "to", "9"],
                11 => &["1", "to", "9", "0", "-"],
                13 => &["1", "to", "9", "0", "-", "⇧1", "⇧2"],
                _ => continue,
            };
            assert_eq!(rows(&bindings)[0].0, expected);
        }
    }

    #[test]
    fn the_guide_lists_every_key() {
        let guide = include_str!("../../../docs/views.md");
        let bindings = bindings();
        let rows = rows(bindings);
        for binding in bindings {
            let listed = rows.iter().any(|(caps, _)| caps.contains(&&*binding.caps));
            let in_range = matches!(binding.command, Command::Strategy(_) | Command::Disturb(_));
            assert!(listed || in_range, "{}", binding.caps);
        }
        let mut table = vec!["| key | effect |".to_owned(), "|---|---|".to_owned()];
        for (caps, help) in rows {
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
}
