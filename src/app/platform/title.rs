//! The window's title, which names what runs.
//!
//! The window library sets it once, when the window opens. Here it follows switches where that can be done:
//! on X11, and on a page. Elsewhere it stays the program's name, which is never wrong.

use crate::app::platform;
use crate::sim::settings::Settings;
use std::env;
use timeslice::time::{ClockTime, Nanos, monotonic};

/// The program's name.
const NAME: &str = "Timeslice Lab";
/// How often it may go wrong before the title is left as it is.
const TRIES: u32 = 3;
/// The time between two tries: a window may take a moment to show up on its display.
const PAUSE: Nanos = Nanos::from_secs(1);

/// The title that the window opens with. On X11 no other window has it, so that this one is found by it.
pub fn opening() -> String {
    let is_x11 = env::var_os("DISPLAY").is_some_and(|display| !display.is_empty());
    if cfg!(target_os = "linux") && is_x11 {
        format!("{NAME} {}", std::process::id())
    } else {
        NAME.to_owned()
    }
}

/// What the title says.
#[derive(Default)]
pub struct Title {
    shown: String,
    window: Option<x11::Window>,
    failures: u32,
    not_before: ClockTime,
}

impl Title {
    /// Sets it where it is not what it should be. Where that can't be done, it is left as it is.
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
    /// There is none.
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

    /// Window managers put a few frames around a window, no more.
    const DEPTH: usize = 5;
    /// The longest title that is read, in units of four bytes: more than that of the opening.
    const LENGTH: u32 = 64;

    /// A window, and a connection of our own to its display.
    pub struct Window {
        connection: RustConnection,
        id: xproto::Window,
    }

    /// The window with exactly this title; none where there is no such window, or no X11.
    pub fn find(title: &str) -> Option<Window> {
        let (connection, screen) = x11rb::connect(None).ok()?;
        let mut level = vec![connection.setup().roots.get(screen)?.root];
        let mut found = None;
        for _ in 0..DEPTH {
            // All are asked before the first answers: far displays are slow. Errors are windows that are gone.
            let trees: Result<Vec<_>, _> =
                level.iter().map(|&id| connection.query_tree(id)).collect();
            let trees = trees.ok()?.into_iter();
            level = trees
                .filter_map(|tree| tree.reply().ok())
                .flat_map(|tree| tree.children)
                .collect();
            let (name, kind) = (AtomEnum::WM_NAME, AtomEnum::ANY);
            let ask = |&id| connection.get_property(false, id, name, kind, 0, LENGTH);
            let names: Result<Vec<_>, _> = level.iter().map(ask).collect();
            for (&id, name) in level.iter().zip(names.ok()?) {
                let name = name.reply();
                if name.is_ok_and(|name| name.value == title.as_bytes()) {
                    // A frame around the window may bear its title, too: the innermost is the window.
                    found = Some(id);
                }
            }
        }
        found.map(|id| Window { connection, id })
    }

    impl Window {
        /// Gives it this title; none where that fails.
        pub fn rename(&self, title: &str) -> Option<()> {
            let utf8 = self.atom(b"UTF8_STRING")?;
            for name in [b"_NET_WM_NAME".as_slice(), b"_NET_WM_ICON_NAME"] {
                self.set(self.atom(name)?, utf8, title.as_bytes())?;
            }
            // What window managers of old read.
            for name in [AtomEnum::WM_NAME, AtomEnum::WM_ICON_NAME] {
                self.set(name.into(), AtomEnum::STRING.into(), &latin_1(title))?;
            }
            Some(())
        }

        fn atom(&self, name: &[u8]) -> Option<xproto::Atom> {
            let asked = self.connection.intern_atom(false, name).ok()?;
            Some(asked.reply().ok()?.atom)
        }

        fn set(&self, name: xproto::Atom, kind: xproto::Atom, text: &[u8]) -> Option<()> {
            let (connection, mode) = (&self.connection, PropMode::REPLACE);
            let asked = connection.change_property8(mode, self.id, name, kind, text);
            asked.ok()?.check().ok()
        }
    }

    /// X11's plain strings know no more; a question mark stands for the rest.
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
    fn it_names_the_strategy_and_the_loop() {
        let title = title_of(&Settings::default());
        assert_eq!(title, "Timeslice Lab · Fixed interval · Variable step");
    }
}
