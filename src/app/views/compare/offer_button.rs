//! Buttons that apply a recommended setting or copy its code. They are disabled while the recommendation is not for the
//! current settings.

use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::CompareCommand;
use crate::app::state::compare::{Offer, knobs_to_set};
use crate::app::state::grid::Language;
use crate::app::widgets::{paint, theme};
use egui::{Button, Painter, RichText, Sense, Ui, vec2};
use lab::recommend::{Change, Choice};

const FONT_SIZE: f32 = 12.0;
const HEIGHT: f32 = 22.0;
const PADDING: f32 = 10.0;
const WAITING_HELP: &str =
    "This is possible once settings have been tried for the current game and limits.";

pub struct OfferButton {
    /// The name of the control for scripts.
    pub key: String,
    pub words: String,
    pub help: String,
    pub command: CompareCommand,
    pub is_enabled: bool,
    pub is_main: bool,
}

/// Creates a button that sets a setting, or says that it is set.
pub fn set(state: &State, offer: Offer, key: &str, words: &str) -> OfferButton {
    let compare = &state.compare;
    let offered = compare.offered(offer);
    let settings = &state.settings;
    let is_set = offered.is_some_and(|(_, choice, change)| {
        let is_chosen = change.is_none() && settings.strategy == choice.strategy;
        is_chosen && knobs_to_set(choice.strategy, &choice.setting, settings).is_empty()
    });
    let is_final = compare.best_setting.is_final();
    OfferButton {
        key: key.to_owned(),
        words: if is_set { "Is set" } else { words }.to_owned(),
        help: match offered {
            _ if is_set => "All lanes and the Grid view have this setting.".to_owned(),
            Some((_, choice, change)) if is_final => set_help(choice, change),
            _ => WAITING_HELP.to_owned(),
        },
        command: CompareCommand::Apply(offer),
        is_enabled: is_final && !is_set,
        is_main: false,
    }
}

fn set_help(choice: &Choice, change: Option<Change>) -> String {
    let sets = format!("Sets {} in all lanes and in the Grid view.", choice.words());
    match change {
        Some(relaxed @ Change::Relax(_)) => {
            format!("Changes your limits to {}. {sets}", relaxed.words())
        }
        _ => sets,
    }
}

/// Creates a button that copies the code for a setting.
pub fn copy(state: &State, offer: Offer, language: Language) -> OfferButton {
    let is_final = state.compare.best_setting.is_final();
    let (key, help) = match language {
        Language::Rust => (
            "copy:rust",
            "Copies the lines of Rust that use this setting.",
        ),
        Language::CSharp => (
            "copy:csharp",
            "Copies the file Timeslicer.cs, for Unity or Godot with .NET. The file begins with the lines that use \
                this setting.",
        ),
    };
    OfferButton {
        key: key.to_owned(),
        words: format!("Copy {}", language.name()),
        help: if is_final { help } else { WAITING_HELP }.to_owned(),
        command: CompareCommand::CopyOffer(offer, language),
        is_enabled: is_final,
        is_main: false,
    }
}

impl OfferButton {
    pub fn width(&self, painter: &Painter) -> f32 {
        (paint::width(painter, &self.words, FONT_SIZE) + 2.0 * PADDING).ceil()
    }

    pub fn show(&self, ui: &mut Ui, output: &mut UiOutput) {
        let [ground, ink] = if self.is_main && self.is_enabled {
            [theme::TEAL, theme::FLOOR]
        } else {
            [theme::RAISED, theme::TEXT]
        };
        let words = RichText::new(&self.words).size(FONT_SIZE).color(ink);
        let size = vec2(self.width(ui.painter()), HEIGHT);
        let button = Button::new(words).small().fill(ground).min_size(size);
        let response = ui.add_enabled(self.is_enabled, button);
        // A disabled button has no tooltip of its own.
        let id = response.id.with("area");
        let area = ui.interact(response.rect, id, Sense::hover());
        output.control(&area, self.key.as_str(), self.help.as_str());
        if response.clicked() && !output.list_was_open {
            output.give(self.command);
        }
    }
}
