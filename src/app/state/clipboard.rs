//! Texts for the clipboard: the strategy in Rust, and on a page a link with the current view and settings.

use super::State;
use super::view::View;
use crate::app::platform::IS_PAGE;
use headless::io::url;
use timeslicer::strategy::StrategyEntry;
use timeslicer::time::monotonic;

/// A text for the clipboard. (A page copies code and links in different ways.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForClipboard {
    /// Lines of Rust.
    Code(String),
    /// The part of a link behind the question mark.
    Link(String),
}

impl State {
    /// Copies lines of Rust that use this strategy with the current knobs.
    pub(super) fn copy_code(&mut self, entry: &'static StrategyEntry) {
        let code = entry.snippet(&self.settings.knobs).text;
        self.clipboard = Some(ForClipboard::Code(code));
        if !IS_PAGE {
            // The page's script knows better whether the browser allowed it.
            let text = format!("copied the code of {}", entry.type_name());
            self.saver.notify(text, monotonic());
        }
        self.note(format_args!("copied code of {}", entry.key));
    }

    /// Copies the link to the clipboard.
    pub(super) fn copy_link(&mut self) {
        let query = self.link();
        self.note(format_args!("link ?{query}"));
        self.clipboard = Some(ForClipboard::Link(query));
    }

    /// Query of the link: the view and its current settings.
    pub(super) fn link(&self) -> String {
        let mut settings = self.settings.clone();
        if let (View::Loops, Some(race)) = (self.view, &self.loops.race) {
            race.give_knobs(&mut settings.knobs);
        }
        url::query(&settings, &self.view.name().to_lowercase())
    }
}
