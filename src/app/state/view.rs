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
        match self {
            Self::Grid => "Grid",
            Self::Compare => "Compare",
            Self::Loops => "Loops",
        }
    }

    /// Short description for tooltips and help.
    pub fn explained(self) -> &'static str {
        match self {
            Self::Grid => "one strategy, capsules and plots",
            Self::Compare => "every strategy on the same work",
            Self::Loops => "all frame loops on two machines",
        }
    }

    /// Names of the files with the view's data.
    pub fn files(self) -> &'static str {
        match self {
            Self::Grid => "frames.csv, trace.json, settings.txt, picture.png",
            Self::Compare => "compare.json, compare.txt, settings.txt, picture.png",
            Self::Loops => "loops.json, settings.txt, picture.png",
        }
    }

    /// Function key of the view, and the key's label.
    pub fn key(self) -> (KeyCode, &'static str) {
        match self {
            Self::Grid => (KeyCode::F1, "F1"),
            Self::Compare => (KeyCode::F2, "F2"),
            Self::Loops => (KeyCode::F3, "F3"),
        }
    }

    /// Letter key that opens the view with Shift in a browser, which reserves the function key, and the label of both.
    pub fn letter(self) -> (KeyCode, &'static str) {
        match self {
            Self::Grid => (KeyCode::Q, "⇧Q"),
            Self::Compare => (KeyCode::W, "⇧W"),
            Self::Loops => (KeyCode::E, "⇧E"),
        }
    }
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
