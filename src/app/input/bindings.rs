//! The key bindings, in one table that is used for key handling, keycap labels and the help.

use super::keys::{Modifier, Press};
use crate::app::platform::IS_PAGE;
use crate::app::state::command::{Command, Command as C, CompareCommand, GridCommand};
use crate::app::state::grid::LowerTab;
use KeyCode::{Equal, Key0, Key1, Key2, Key3, Key4, Key5, Key6, Key7, Key8, Key9, Minus};
use lab::catalog::strategy::{HOTKEYS, STRATEGIES, StrategyEntry};
use lab::cli::View;
use lab::sim::disturbance::Disturbance;
use macroquad::input::{KeyCode, KeyCode as K};
use std::sync::LazyLock;

/// The help text of the pause key, which is also the name and the tooltip of the pause button.
pub const PAUSE: &str = "Pause or resume";
pub const STEP: &str = "Advance one frame, then pause";
pub const RESTART: &str = "Restart with the current settings";
pub const PANELS: &str = "Show or hide the panels";
pub const KNOBS: &str = "Show or hide the knobs";
pub const COPY_LINK: &str = "Copy a link to the current settings";
pub const DISTURB: &str = "Disturb";

/// Returns a short description of a view, for tooltips and the help.
pub fn explained(view: View) -> &'static str {
    match view {
        View::Grid => "one strategy with capsules and plots",
        View::Compare => "every strategy on the same work",
        View::Loops => "all frame loops on two machines",
    }
}

pub struct Binding {
    pub keys: Vec<KeyCode>,
    pub modifier: Modifier,
    pub caps: String,
    pub command: Command,
    pub help: String,
}

const NUMBER_ROW: [KeyCode; 12] = [
    Key1, Key2, Key3, Key4, Key5, Key6, Key7, Key8, Key9, Key0, Minus, Equal,
];

const LOWEST_ROW: [KeyCode; 6] = [K::Z, K::X, K::C, K::V, K::B, K::N];
const LOWEST_CAPS: &str = "ZXCVBN";

/// In the help, a range of keys ends with one of these keycaps, such as `1 to 9` or `Z to M`. Keys after `9` are listed
/// one by one, because `1 to 0` would be confusing.
const RANGE_ENDS: [&str; 2] = ["9", "M"];

pub static BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(|| bindings_of(IS_PAGE, STRATEGIES));

/// Returns the key bindings of a page or of the desktop window. Browsers reserve some keys, such as function keys.
pub fn bindings_of(is_page: bool, strategies: &[&'static StrategyEntry]) -> Vec<Binding> {
    let mut table = Table::default();
    let strategies = strategies.iter();
    let select = strategies.map(|entry| (C::Strategy(entry), entry.name));
    table.bind_row(&NUMBER_ROW, HOTKEYS, select);
    table.help("Switch to the previous or next strategy");
    table.bind(&[K::LeftBracket], "[", C::StepStrategy(-1));
    table.bind(&[K::RightBracket], "]", C::StepStrategy(1));
    table.help("Switch to the next frame loop");
    table.bind(&[K::L], "L", C::NextFrameLoop);
    // A browser reserves the function keys, so a page has letters with Shift instead.
    for (view, function_key, letter) in [
        (View::Grid, (K::F1, "F1"), (K::Q, "⇧Q")),
        (View::Compare, (K::F2, "F2"), (K::W, "⇧W")),
        (View::Loops, (K::F3, "F3"), (K::E, "⇧E")),
    ] {
        table.help(&format!("{} view: {}", view.name(), explained(view)));
        let (key, caps) = if is_page { letter } else { function_key };
        table.bind(&[key], caps, C::View(view));
    }
    table.help(&format!("{PAUSE} (also P)"));
    table.bind(&[K::Space, K::P], "Space", C::Pause);
    table.help(&format!("{STEP} (also O)"));
    table.bind(&[K::Period, K::O], ".", C::Step);
    table.help(RESTART);
    table.bind(&[K::R], "R", C::Restart);
    let disturbances = Disturbance::ALL.into_iter();
    let disturb = disturbances.map(|it| (C::Disturb(it), it.explained()));
    table.bind_row(&LOWEST_ROW, LOWEST_CAPS, disturb);
    table.bind_contents();
    table.help("Show or hide all panels, or only the knobs");
    table.bind(&[K::F], "F", C::Panels); // not Tab, because it moves the focus
    table.bind(&[K::A], "A", C::Knobs);
    table.help("Start or end the tour");
    table.bind(&[K::J], "J", C::Tour);
    table.bind_window(is_page);
    table.bindings
}

#[derive(Default)]
struct Table {
    bindings: Vec<Binding>,
    help: String,
}

impl Table {
    fn help(&mut self, help: &str) {
        help.clone_into(&mut self.help);
    }

    /// Binds keys to a command. The keycap determines the modifier. For example, the keycap `Ctrl +` requires Ctrl.
    fn bind(&mut self, keys: &[KeyCode], caps: &str, command: impl Into<Command>) {
        let modifier = if caps.starts_with("Ctrl ") {
            Modifier::Ctrl
        } else if caps.starts_with("Shift ") || caps.starts_with('⇧') {
            Modifier::Shift
        } else {
            Modifier::None
        };
        self.bindings.push(Binding {
            keys: keys.to_vec(),
            modifier,
            caps: caps.to_owned(),
            command: command.into(),
            help: self.help.clone(),
        });
    }

    /// Binds each command to a key of a row. If there are not enough keys, the rest use the same keys with Shift.
    fn bind_row(
        &mut self,
        row: &[KeyCode],
        caps: &str,
        commands: impl Iterator<Item = (Command, &'static str)>,
    ) {
        let keys = ["", "⇧"].into_iter().flat_map(|shift| {
            let keys = row.iter().zip(caps.chars());
            keys.map(move |(key, cap)| (*key, format!("{shift}{cap}")))
        });
        for ((key, caps), (command, help)) in keys.zip(commands) {
            self.help(help);
            self.bind(&[key], &caps, command);
        }
    }

    /// Binds the keys that act on the contents of a view, such as recorded frames, table rows and capsules.
    fn bind_contents(&mut self) {
        self.help("Grid, paused: show the previous or next frame");
        self.bind(&[K::Left], "←", GridCommand::Walk(-1));
        self.bind(&[K::Right], "→", GridCommand::Walk(1));
        self.help("Grid, paused: go back or forward ten frames");
        self.bind(&[K::Left], "Shift ←", GridCommand::Walk(-10));
        self.bind(&[K::Right], "Shift →", GridCommand::Walk(10));
        self.help("Grid, paused: show the oldest or current frame");
        self.bind(&[K::Home], "Home", GridCommand::Walk(i64::MIN));
        self.bind(&[K::End], "End", GridCommand::Walk(i64::MAX));
        self.help("Compare: select a strategy, or open it in Grid");
        self.bind(&[K::Up], "↑", CompareCommand::StepLane(-1));
        self.bind(&[K::Down], "↓", CompareCommand::StepLane(1));
        self.bind(
            &[K::Enter, K::KpEnter],
            "Enter",
            CompareCommand::OpenSelected,
        );
        self.help("Compare: rank by mean or by worst staleness");
        self.bind(&[K::E], "E", CompareCommand::TradeOff);
        self.help("Compare: show the crossovers or trade-off chart");
        self.bind(&[K::Comma], ",", CompareCommand::SwitchChart);
        self.help("Grid: show timeline or code instead of plots");
        self.bind(&[K::T], "T", GridCommand::LowerTab(LowerTab::Timeline));
        self.bind(&[K::U], "U", GridCommand::LowerTab(LowerTab::Code));
        self.help("Grid, Compare: show staleness");
        self.bind(&[K::S], "S", C::ShowStaleness);
        self.help("Grid, Compare: use published or corrected code");
        self.bind(&[K::W], "W", C::AsPublished);
        self.help("Grid, Compare: pin or release the target");
        self.bind(&[K::Q], "Q", C::PinTarget);
    }

    /// Binds the keys for files, the help and the window. On a page, the browser already has keys for the scale.
    fn bind_window(&mut self, is_page: bool) {
        if is_page {
            self.help(COPY_LINK);
            self.bind(&[K::K], "K", C::CopyLink);
        } else {
            self.help("Enlarge or shrink text and controls");
            self.bind(&[K::Equal, K::KpAdd], "Ctrl +", C::Scale(0.25));
            self.bind(&[K::Minus, K::KpSubtract], "Ctrl -", C::Scale(-0.25));
            self.help("Reset the size of text and controls");
            self.bind(&[K::Key0, K::Kp0], "Ctrl 0", C::DefaultScale);
        }
        self.help("Show or hide help (also H)");
        self.bind(&[K::H, K::Slash], "?", C::Help);
        self.help("Save a screenshot (PNG)");
        let (keys, caps) = if is_page {
            (&[K::I][..], "I")
        } else {
            (&[K::F12, K::I][..], "F12")
        };
        self.bind(keys, caps, C::Screenshot);
        self.help("Save data (CSV, trace, PNG)");
        self.bind(&[K::D], "D", C::Export);
        self.help(if is_page {
            "Close help or tour, or unpin"
        } else {
            "Close help or tour, or unpin; press twice to quit"
        });
        self.bind(&[K::Escape], "Esc", C::Escape);
    }
}

pub fn command_of(bindings: &[Binding], press: Press) -> Option<Command> {
    let bound_with = |modifier| {
        let mut bound = bindings.iter();
        bound.find(|binding| binding.modifier == modifier && binding.keys.contains(&press.key))
    };
    let binding = match press.modifier {
        // Shift matters only for keys that have a binding with Shift.
        Modifier::Shift => bound_with(Modifier::Shift).or_else(|| bound_with(Modifier::None))?,
        modifier => bound_with(modifier)?,
    };
    (binding.command.repeats() || !press.repeat).then_some(binding.command)
}

/// Returns the rows of the help. Each row has one or more keycaps and a description. Keys with the same description
/// share a row, and the keys of the strategies and of the disturbances are combined into ranges.
pub fn rows(bindings: &[Binding]) -> Vec<(Vec<&str>, &str)> {
    let mut rows: Vec<(Vec<&str>, &str)> = Vec::new();
    for binding in bindings {
        let (help, is_range) = match binding.command {
            Command::Strategy(_) => ("Select a strategy", true),
            Command::Disturb(_) => ("Trigger a disturbance (buttons on the left)", true),
            _ => (&*binding.help, false),
        };
        let Some((caps, _)) = rows.last_mut().filter(|row| row.1 == help) else {
            rows.push((vec![&binding.caps], help));
            continue;
        };
        if is_range && !caps.iter().any(|it| RANGE_ENDS.contains(it)) {
            caps.truncate(1);
            caps.push("to");
        }
        caps.push(&binding.caps);
    }
    if !IS_PAGE {
        // The help of a page omits Tab, because there Tab also leads to the browser's own controls.
        rows.push((
            vec!["Tab"],
            "Next control (arrows change it, Enter presses it)",
        ));
    }
    rows
}

/// Returns the keycap for a command, or an empty string if no key is bound to the command.
pub fn caps_of(command: Command) -> &'static str {
    binding_of(&BINDINGS, command).map_or("", |binding| &binding.caps)
}

fn binding_of(bindings: &[Binding], command: Command) -> Option<&Binding> {
    bindings.iter().find(|binding| binding.command == command)
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

    /// Returns the bindings of a page and of a window for any number of strategies, up to two more than there are keys.
    fn all_tables() -> impl Iterator<Item = (bool, Vec<Binding>)> {
        let tables = |count| {
            let strategies: Vec<_> = STRATEGIES.iter().cycle().take(count).copied().collect();
            [false, true].map(|page| (page, bindings_of(page, &strategies)))
        };
        (0..=HOTKEYS.len() + 2).flat_map(tables)
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
        use KeyCode::{Left, R, Slash, Space, Z};
        use Modifier::{Ctrl, None as Plain, Shift};
        let bindings = &bindings_of(false, STRATEGIES);
        for (key, modifier, command, repeats) in [
            (Key2, Plain, Some(Command::Strategy(STRATEGIES[1])), false),
            (Z, Plain, Some(Command::Disturb(Disturbance::ALL[0])), false),
            (Left, Plain, Some(GridCommand::Walk(-1).into()), true),
            (Left, Shift, Some(GridCommand::Walk(-10).into()), true),
            // Shift matters only for keys that are bound with Shift.
            (Slash, Shift, Some(Command::Help), false),
            (Space, Shift, Some(Command::Pause), false),
            (Equal, Ctrl, Some(Command::Scale(0.25)), false),
            (R, Ctrl, None, false),
        ] {
            let press = press(key, modifier);
            assert_eq!(command_of(bindings, press), command, "{key:?}");
            let held = Press {
                repeat: true,
                ..press
            };
            let repeated = command.filter(|_| repeats);
            assert_eq!(command_of(bindings, held), repeated, "{key:?}");
        }
    }

    #[test]
    fn a_page_and_a_window_differ_only_in_a_few_keys() {
        use Command::{CopyLink, DefaultScale, Scale};
        let [window, page] = [false, true].map(|page| bindings_of(page, STRATEGIES));
        for binding in &window {
            let is_offered = !matches!(binding.command, Scale(_) | DefaultScale);
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
    fn the_help_lists_the_keys_of_any_number_of_strategies() {
        for (_, bindings) in all_tables() {
            let strategies = |it: &&Binding| matches!(it.command, Command::Strategy(_));
            let count = bindings.iter().filter(strategies).count();
            let expected: &[&str] = match count {
                1 => &["1"],
                2 => &["1", "to", "2"],
                9 => &["1", "to", "9"],
                12 => &["1", "to", "9", "0", "-", "="],
                14 => &["1", "to", "9", "0", "-", "=", "⇧1", "⇧2"],
                _ => continue,
            };
            assert_eq!(rows(&bindings)[0].0, expected);
        }
    }

    #[test]
    fn the_guide_lists_every_key() {
        let guide = include_str!("../../../docs/views.md");
        let rows = rows(&BINDINGS);
        for binding in BINDINGS.iter() {
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
