//! The bar at the top. It has a button for each view on the left, and other buttons, such as Pause, on the right.

use super::bar::{CommandButton, Item, show_bar, show_items};
use crate::app::input::bindings::{
    COPY_LINK, KNOBS, PANELS, PAUSE, RESTART, STEP, caps_of, explained,
};
use crate::app::input::output::UiOutput;
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::{Flow, State};
use crate::app::widgets::paint::left;
use crate::app::widgets::{paint, theme};
use egui::{Color32, Painter, Rect, Ui, vec2};
use lab::cli::View;

const ITEM_SPACING: f32 = 4.0;
const NAME: &str = "Timeslice Lab";
const LOGO_WIDTH: f32 = 34.0;

/// How much the top bar shows. The levels are sorted from the most to the least detailed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    WordsAndKeys,
    Words,
    /// Buttons show only their keyboard shortcuts, and views only their names.
    Keys,
}

impl Detail {
    fn padding(self) -> f32 {
        if self == Self::Keys { 2.0 } else { 9.0 }
    }
}

/// Shows the top bar. If `offers_knobs` is true, the bar has a button that shows or hides the knob panel.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, offers_knobs: bool, output: &mut UiOutput) {
    show_bar(ui, rect, "bar", |ui| {
        ui.spacing_mut().item_spacing.x = ITEM_SPACING;
        let levels = [Detail::WordsAndKeys, Detail::Words, Detail::Keys].into_iter();
        let logo = LOGO_WIDTH + paint::width(ui.painter(), NAME, 16.0);
        let levels = levels.map(|detail| items(state, offers_knobs, logo, detail));
        show_items(ui, levels, output);
    });
}

fn items(state: &State, offers_knobs: bool, logo: f32, detail: Detail) -> Vec<Item> {
    let mut items = Vec::new();
    if detail <= Detail::Words {
        items.push(Item::Icon(logo, paint_logo));
    }
    let views = View::ALL.map(|view| Item::Button(view_button(state, view, detail)));
    items.extend(views);
    items.push(Item::Space);
    let buttons = buttons(state, offers_knobs, detail);
    items.extend(buttons.into_iter().map(Item::Button));
    items
}

fn view_button(state: &State, view: View, detail: Detail) -> CommandButton<'static> {
    let is_chosen = view == state.view;
    let caps = caps_of(Command::View(view));
    let ground = if is_chosen {
        theme::HOVER
    } else {
        Color32::TRANSPARENT
    };
    CommandButton {
        log_name: format!("view:{caps}"),
        points: 13.0,
        caps: if detail == Detail::Keys { "" } else { caps },
        padding: detail.padding(),
        ground: Some(ground),
        command: Some(Command::View(view)),
        tip: format!("{} ({caps})\n{}", view.name(), explained(view)),
        ..CommandButton::new(view.name(), caps, is_chosen)
    }
}

fn buttons(state: &State, offers_knobs: bool, detail: Detail) -> Vec<CommandButton<'static>> {
    use Command::{CopyLink, Escape, Export, Help, Knobs, Panels, Pause, Quit, Restart, Step};
    use Detail::{Keys, Words, WordsAndKeys};
    let is_paused = state.flow != Flow::Running;
    let pause = if is_paused { "Resume" } else { "Pause" };
    let (panels, knobs) = (state.interface.panels, state.interface.shows_knobs());
    // Each entry ends with the lowest level of detail at which the button is shown.
    let buttons = [
        ("Knobs", Knobs, knobs, KNOBS, Keys),
        (pause, Pause, is_paused, PAUSE, Keys),
        ("Step", Step, false, STEP, Keys),
        ("Restart", Restart, false, RESTART, Keys),
        ("Panels", Panels, !panels, PANELS, Keys),
        ("Save", Export, false, "Save data", Words),
        ("Link", CopyLink, false, COPY_LINK, Keys),
        ("Help", Help, false, "Help", Keys),
        ("Quit", Quit, false, "Quit", WordsAndKeys),
    ];
    let mut shown = Vec::new();
    for (words, command, selected, name, least) in buttons {
        // The Escape key quits the program only if there is nothing else to close or end.
        let caps = caps_of(if command == Quit { Escape } else { command });
        let is_offered = match command {
            Knobs => offers_knobs,
            Quit => !IS_PAGE,
            _ => !caps.is_empty(),
        };
        if !is_offered || detail > least {
            continue;
        }
        shown.push(CommandButton {
            words: if detail <= Words { words } else { "" },
            points: 13.0,
            caps: if detail == Words { "" } else { caps },
            padding: detail.padding(),
            command: Some(command),
            tip: format!("{name} ({caps})"),
            ..CommandButton::new(name, caps, selected)
        });
    }
    shown
}

fn paint_logo(painter: &Painter, place: Rect) {
    for (x, y, height, ink) in [
        (0.0, 4.0, 6.0, theme::BRIGHT),
        (5.5, 0.0, 5.0, theme::RED),
        (11.0, -6.0, 6.0, theme::BRIGHT),
    ] {
        let corner = place.left_center() + vec2(x, y - height / 2.0);
        let bar = Rect::from_min_size(corner, vec2(4.0, height));
        painter.rect_filled(bar, 1.0, ink);
    }
    let at = place.left_center() + vec2(26.0, 0.0);
    left(painter, at, NAME, 16.0, theme::BRIGHT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::bindings::bindings_of;
    use lab::catalog::strategy::STRATEGIES;

    #[test]
    fn every_keycap_can_be_drawn() {
        let context = egui::Context::default();
        let _ = context.run(egui::RawInput::default(), |context| {
            for binding in [false, true]
                .map(|page| bindings_of(page, STRATEGIES))
                .iter()
                .flatten()
            {
                let is_known =
                    context.fonts(|fonts| fonts.has_glyphs(&theme::mono(11.0), &binding.caps));
                assert!(is_known, "{}", binding.caps);
            }
        });
    }
}
