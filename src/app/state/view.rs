//! The three views of the window.

pub use lab::cli::View;

use macroquad::input::KeyCode;

/// Returns what the interface says about a view, and its keys.
pub fn entry(view: View) -> &'static ViewEntry {
    match view {
        View::Grid => &ViewEntry {
            explained: "one strategy with capsules and plots",
            key: (KeyCode::F1, "F1"),
            letter: (KeyCode::Q, "⇧Q"),
        },
        View::Compare => &ViewEntry {
            explained: "every strategy on the same work",
            key: (KeyCode::F2, "F2"),
            letter: (KeyCode::W, "⇧W"),
        },
        View::Loops => &ViewEntry {
            explained: "all frame loops on two machines",
            key: (KeyCode::F3, "F3"),
            letter: (KeyCode::E, "⇧E"),
        },
    }
}

pub struct ViewEntry {
    /// A short description for tooltips and the help.
    pub explained: &'static str,
    /// The function key that opens the view, and the label of its keycap.
    pub key: (KeyCode, &'static str),
    /// The letter that opens the view with Shift in a browser, which reserves the function keys, and its keycap.
    pub letter: (KeyCode, &'static str),
}
