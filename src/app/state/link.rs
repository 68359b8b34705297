//! A link to the page in a browser, with the current view and settings.

use super::State;
use super::view::View;
use crate::app::platform;
use crate::io::url;

impl State {
    /// Copies the link to the clipboard.
    pub(super) fn copy_link(&mut self) {
        let query = self.link();
        platform::copy_link(&query);
        self.note(format_args!("link ?{query}"));
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
