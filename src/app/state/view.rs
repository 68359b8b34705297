//! The window's views.

use macroquad::input::KeyCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// One lane on this computer, with plots and table.
    Grid,
    /// Every strategy side by side, each on its own simulated machine.
    Compare,
    /// Every frame loop side by side on two simulated machines.
    Loops,
}

impl View {
    pub const ALL: [Self; 3] = [Self::Grid, Self::Compare, Self::Loops];

    /// Returns the view with this name on the command line.
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
                explained: "one strategy, capsules and plots",
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

/// How a view is presented to the user.
pub struct ViewEntry {
    name: &'static str,
    /// Short description for tooltips and help.
    pub explained: &'static str,
    /// Names of the files with the view's data.
    pub files: &'static str,
    /// Function key of the view, and the key's label.
    pub key: (KeyCode, &'static str),
    /// Letter key that opens the view with Shift in a browser, which reserves the function key, and the label of both.
    pub letter: (KeyCode, &'static str),
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::io::cli::VIEWS;

    #[test]
    fn command_line_lists_exactly_the_views() {
        let known: Vec<Option<View>> = VIEWS.iter().map(|key| View::by_key(key)).collect();
        assert_eq!(known, View::ALL.map(Some));
    }
}
