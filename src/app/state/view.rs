//! The window's views.

use macroquad::input::KeyCode;

/// One of the views that the window shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The capsules of one lane on this computer, with plots and table.
    Grid,
    /// Every strategy side by side, each on a simulated machine.
    Compare,
    /// All frame loops side by side on two simulated machines.
    Loops,
}

impl View {
    /// All of them, in the order of their tabs.
    pub const ALL: [Self; 3] = [Self::Grid, Self::Compare, Self::Loops];

    /// The view of that name on the command line.
    pub fn by_key(key: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|view| view.name().to_lowercase() == key)
    }

    /// Its name on its tab.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "Grid",
            Self::Compare => "Compare",
            Self::Loops => "Loops",
        }
    }

    /// What it shows, in a few words.
    pub fn explained(self) -> &'static str {
        match self {
            Self::Grid => "one strategy, capsules and plots",
            Self::Compare => "every strategy on the same work",
            Self::Loops => "all frame loops on two machines",
        }
    }

    /// What stands in the bar at the top where the strategies would have no meaning.
    pub fn title(self) -> &'static str {
        match self {
            Self::Grid => "",
            Self::Compare => "Every strategy on the same work, each on a machine of its own",
            Self::Loops => "The same shot under every frame loop, on a fast and on a slow machine",
        }
    }

    /// Its key, and how that is written.
    pub fn key(self) -> (KeyCode, &'static str) {
        match self {
            Self::Grid => (KeyCode::F1, "F1"),
            Self::Compare => (KeyCode::F2, "F2"),
            Self::Loops => (KeyCode::F3, "F3"),
        }
    }

    /// The letter that stands for its key where a browser takes that.
    pub fn letter(self) -> (KeyCode, &'static str) {
        match self {
            Self::Grid => (KeyCode::Q, "Q"),
            Self::Compare => (KeyCode::W, "W"),
            Self::Loops => (KeyCode::E, "E"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::cli::VIEWS;

    #[test]
    fn the_command_line_knows_every_view_and_no_other() {
        let known: Vec<Option<View>> = VIEWS.iter().map(|key| View::by_key(key)).collect();
        assert_eq!(known, View::ALL.map(Some));
    }
}
