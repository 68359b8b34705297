//! The three views of the window.

use macroquad::input::KeyCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// One strategy on this computer, with plots and a table.
    Grid,
    /// All strategies side by side, each on its own simulated machine.
    Compare,
    /// All frame loops side by side, each on two simulated machines.
    Loops,
}

impl View {
    pub const ALL: [Self; 3] = [Self::Grid, Self::Compare, Self::Loops];

    /// Returns the view whose name on the command line is `key`, such as `compare`.
    pub fn by_key(key: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|view| view.name().to_lowercase() == key)
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    pub fn entry(self) -> &'static ViewEntry {
        match self {
            Self::Grid => &ViewEntry {
                name: "Grid",
                explained: "one strategy with capsules and plots",
                files: "frames.csv, trace.json, settings.txt, picture.png",
                key: (KeyCode::F1, "F1"),
                letter: (KeyCode::Q, "⇧Q"),
            },
            Self::Compare => &ViewEntry {
                name: "Compare",
                explained: "every strategy on the same work",
                files: "compare.json, compare.txt, settings.txt, picture.png",
                key: (KeyCode::F2, "F2"),
                letter: (KeyCode::W, "⇧W"),
            },
            Self::Loops => &ViewEntry {
                name: "Loops",
                explained: "all frame loops on two machines",
                files: "loops.json, settings.txt, picture.png",
                key: (KeyCode::F3, "F3"),
                letter: (KeyCode::E, "⇧E"),
            },
        }
    }
}

pub struct ViewEntry {
    name: &'static str,
    /// A short description for tooltips and the help.
    pub explained: &'static str,
    /// The files that are saved when the view is exported, as listed in a tooltip.
    pub files: &'static str,
    /// The function key that opens the view, and the label of its keycap.
    pub key: (KeyCode, &'static str),
    /// The letter that opens the view in a browser if it is pressed together with Shift, because browsers reserve the
    /// function keys. The second value is the label of the keycap, which includes Shift.
    pub letter: (KeyCode, &'static str),
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::cli::VIEWS;

    #[test]
    fn command_line_lists_exactly_the_views() {
        let known: Vec<Option<View>> = VIEWS.iter().map(|key| View::by_key(key)).collect();
        assert_eq!(known, View::ALL.map(Some));
    }
}
