//! The window's title, which names the strategy and the frame loop.
//!
//! The window library sets the title only when the window opens. This module keeps it up to date on X11 and on a page.
//! Elsewhere it stays the program's name.

use crate::app::platform;
use headless::sim::settings::Settings;
use std::env;
use timeslicer::time::{ClockTime, Nanos, monotonic};

/// The program's name.
const NAME: &str = "Timeslice Lab";
/// Number of failures after which the title is no longer changed.
const TRIES: u32 = 3;
/// Time between two attempts, because a new window may take a moment to appear on the display.
const PAUSE: Nanos = Nanos::from_secs(1);

/// Title of the window when it opens. On X11 the title is unique, because [`Title`] searches for it to find the window.
pub fn opening() -> String {
    let is_x11 = env::var_os("DISPLAY").is_some_and(|display| !display.is_empty());
    if cfg!(target_os = "linux") && is_x11 {
        format!("{NAME} {}", std::process::id())
    } else {
        NAME.to_owned()
    }
}

/// Keeps the title up to date.
#[derive(Default)]
pub struct Title {
    shown: String,
    window: Option<x11::Window>,
    failures: u32,
    not_before: ClockTime,
}

impl Title {
    /// Sets the title if it has changed. Gives up after repeated failures.
    pub fn follow(&mut self, settings: &Settings) {
        let title = title_of(settings);
        if title == self.shown || self.failures == TRIES || monotonic() < self.not_before {
            return;
        }
        if platform::rename(&title) {
            self.shown = title;
            return;
        }
        let window = self.window.take().or_else(|| x11::find(&opening()));
        self.window = window.filter(|window| window.rename(&title).is_some());
        if self.window.is_some() {
            self.shown = title;
        } else {
            self.failures += 1;
            self.not_before = monotonic() + PAUSE;
        }
    }
}

fn title_of(settings: &Settings) -> String {
    let (strategy, frame_loop) = (settings.strategy.name, settings.frame_loop.name);
    format!("{NAME} · {strategy} · {frame_loop}")
}

#[cfg(not(target_os = "linux"))]
mod x11 {
    /// A window on X11. It is never created, because this system has no X11.
    pub enum Window {}

    impl Window {
        pub fn rename(&self, _title: &str) -> Option<()> {
            match *self {}
        }
    }

    pub fn find(_title: &str) -> Option<Window> {
        None
    }
}

#[cfg(target_os = "linux")]
mod x11 {
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::{self, AtomEnum, ConnectionExt as _, PropMode};
    use x11rb::rust_connection::RustConnection;
    use x11rb::wrapper::ConnectionExt as _;

    /// Maximum depth of the search. Window managers put only a few frames around a window.
    const DEPTH: usize = 5;
    /// Maximum length of a title to read, in units of four bytes. The opening title is shorter.
    const LENGTH: u32 = 64;

    /// A window, and our own connection to its display.
    pub struct Window {
        connection: RustConnection,
        id: xproto::Window,
    }

    /// Finds the window with exactly this title. `None` if there is no such window, or no X11.
    pub fn find(title: &str) -> Option<Window> {
        let (connection, screen) = x11rb::connect(None).ok()?;
        let mut level = vec![connection.setup().roots.get(screen)?.root];
        let mut found = None;
        for _ in 0..DEPTH {
            // Send all requests before waiting for replies, because remote displays are slow. Errors mean that a window
            // has closed.
            let trees: Result<Vec<_>, _> =
                level.iter().map(|&id| connection.query_tree(id)).collect();
            let trees = trees.ok()?.into_iter();
            level = trees
                .filter_map(|tree| tree.reply().ok())
                .flat_map(|tree| tree.children)
                .collect();
            let (name, kind) = (AtomEnum::WM_NAME, AtomEnum::ANY);
            let request = |&id| connection.get_property(false, id, name, kind, 0, LENGTH);
            let names: Result<Vec<_>, _> = level.iter().map(request).collect();
            for (&id, name) in level.iter().zip(names.ok()?) {
                let name = name.reply();
                if name.is_ok_and(|name| name.value == title.as_bytes()) {
                    // A frame around the window may have the same title, so keep the innermost match.
                    found = Some(id);
                }
            }
        }
        found.map(|id| Window { connection, id })
    }

    impl Window {
        /// Sets the window's title. `None` if that fails.
        pub fn rename(&self, title: &str) -> Option<()> {
            let utf8 = self.atom(b"UTF8_STRING")?;
            for name in [b"_NET_WM_NAME".as_slice(), b"_NET_WM_ICON_NAME"] {
                self.set(self.atom(name)?, utf8, title.as_bytes())?;
            }
            // For old window managers.
            for name in [AtomEnum::WM_NAME, AtomEnum::WM_ICON_NAME] {
                self.set(name.into(), AtomEnum::STRING.into(), &latin_1(title))?;
            }
            Some(())
        }

        fn atom(&self, name: &[u8]) -> Option<xproto::Atom> {
            let request = self.connection.intern_atom(false, name).ok()?;
            Some(request.reply().ok()?.atom)
        }

        fn set(&self, name: xproto::Atom, kind: xproto::Atom, text: &[u8]) -> Option<()> {
            let (connection, mode) = (&self.connection, PropMode::REPLACE);
            let request = connection.change_property8(mode, self.id, name, kind, text);
            request.ok()?.check().ok()
        }
    }

    /// Encodes `text` as Latin-1, the encoding of X11's plain strings. Other letters become question marks.
    fn latin_1(text: &str) -> Vec<u8> {
        text.chars()
            .map(|letter| u8::try_from(letter).unwrap_or(b'?'))
            .collect()
    }

    #[test]
    fn letters_beyond_latin_1_become_question_marks() {
        assert_eq!(latin_1("a · é → b"), b"a \xb7 \xe9 ? b");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_names_the_strategy_and_the_loop() {
        let title = title_of(&Settings::default());
        assert_eq!(title, "Timeslice Lab · Fixed interval · Variable step");
    }
}
