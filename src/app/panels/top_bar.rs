//! The top bar: views on the left, general buttons on the right.

use super::command_button::{CommandButton, first_that_fits, show_bar, total_width};
use crate::app::input::bindings::{
    COPY_LINK, KNOBS, PANELS, PAUSE, RESTART, STEP, caps_of, help_of,
};
use crate::app::input::response::UiResponse;
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::view::View;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::paint::left;
use crate::app::widgets::theme;
use egui::{Align, Color32, Layout, Painter, Rect, Sense, Ui, UiBuilder, Vec2, vec2};

pub struct TopBar {
    pub view: View,
    pub paused: bool,
    pub panels: bool,
    /// True if the knobs are shown; `None` if they need no button.
    pub knobs: Option<bool>,
    pub recording: bool,
}

const LOGO: Vec2 = vec2(16.0, 20.0);
const NAME: &str = "Timeslice Lab";
/// Space between the logo and the name.
const NAME_GAP: f32 = 10.0;
/// Space between the bar's groups.
const GAP: f32 = 12.0;
/// Space between buttons, and between views.
const SPACING: [f32; 2] = [4.0, 2.0];
/// Margin of the views.
const WELL: f32 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    All,
    Chosen,
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Logo {
    WithName,
    Sign,
    Hidden,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    WordsAndKeys,
    Words,
    /// Keys; the buttons that pause and advance time also show icons.
    Icons,
    Keys,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Essential,
    Panel,
    Usual,
    Saving,
    Optional,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Detail {
    logo: Logo,
    views: Named,
    /// Views that show their keys. A view without its name always shows its key.
    view_keys: Named,
    face: Face,
    /// The least important buttons that are shown.
    rank: Rank,
    padding: f32,
}

const fn detail(
    logo: Logo,
    views: Named,
    view_keys: Named,
    face: Face,
    rank: Rank,
    padding: f32,
) -> Detail {
    Detail {
        logo,
        views,
        view_keys,
        face,
        rank,
        padding,
    }
}

/// All levels, from the most detail to the least. The bar takes the first that fits.
const DETAILS: [Detail; 14] = {
    use Face::{Icons, Keys, Words, WordsAndKeys};
    use Logo::{Sign, WithName};
    use Named::{All, Chosen, Nothing};
    use Rank::{Essential, Optional, Panel, Saving, Usual};
    [
        detail(WithName, All, All, WordsAndKeys, Optional, 9.0),
        detail(WithName, All, All, WordsAndKeys, Saving, 9.0),
        detail(WithName, All, All, Words, Saving, 9.0),
        detail(Sign, All, All, Words, Saving, 9.0),
        detail(Sign, All, Chosen, Words, Saving, 9.0),
        detail(Sign, All, Chosen, Words, Usual, 8.0),
        detail(Sign, All, Chosen, Icons, Saving, 8.0),
        detail(Sign, All, Chosen, Icons, Usual, 8.0),
        detail(Sign, Chosen, Chosen, Icons, Usual, 8.0),
        detail(Logo::Hidden, Chosen, Chosen, Keys, Usual, 5.0),
        detail(Logo::Hidden, Nothing, Chosen, Keys, Usual, 5.0),
        detail(Logo::Hidden, Nothing, Chosen, Keys, Usual, 2.0),
        detail(Logo::Hidden, Nothing, Chosen, Keys, Panel, 2.0),
        detail(Logo::Hidden, Nothing, Chosen, Keys, Essential, 2.0),
    ]
};

impl TopBar {
    pub fn show(&self, ui: &mut Ui, rect: Rect, answer: &mut UiResponse) {
        show_bar(ui, rect, "bar", |ui| {
            let detail = self.detail(ui);
            let (place, _) = ui.allocate_exact_size(logo_size(ui, detail.logo), Sense::hover());
            paint_logo(ui.painter(), place, detail.logo);
            self.show_views(ui, detail, answer);
            let buttons = self.buttons(ui, detail);
            let right = total_width(ui, &buttons, SPACING[0]);
            ui.add_space((ui.available_width() - right).max(0.0));
            ui.spacing_mut().item_spacing.x = SPACING[0];
            for button in buttons {
                button.show(ui, answer);
            }
        });
    }

    fn show_views(&self, ui: &mut Ui, detail: Detail, answer: &mut UiResponse) {
        let size = vec2(self.views_width(ui, detail), theme::BUTTON);
        let (well, _) = ui.allocate_exact_size(size, Sense::hover());
        ui.painter().rect_filled(well, theme::RADIUS, theme::WELL);
        let layout = Layout::left_to_right(Align::Center);
        let inside = UiBuilder::new().max_rect(well.shrink(WELL)).layout(layout);
        let mut row = ui.new_child(inside);
        row.spacing_mut().item_spacing.x = SPACING[1];
        row.spacing_mut().interact_size.y = well.height() - 2.0 * WELL;
        row.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        row.visuals_mut().selection.bg_fill = theme::HOVER;
        for view in self.views(detail) {
            view.show(&mut row, answer);
        }
    }

    fn views_width(&self, ui: &Ui, detail: Detail) -> f32 {
        total_width(ui, &self.views(detail), SPACING[1]) + 2.0 * WELL
    }

    fn detail(&self, ui: &Ui) -> Detail {
        let width = |detail: Detail| {
            let buttons = total_width(ui, &self.buttons(ui, detail), SPACING[0]);
            logo_size(ui, detail.logo).x + self.views_width(ui, detail) + GAP + buttons
        };
        let key = (self.view.name(), self.knobs);
        first_that_fits(ui, "detail of the bar", key, &DETAILS, width).0
    }

    fn views(&self, detail: Detail) -> [CommandButton<'static>; 3] {
        View::ALL.map(|view| {
            let chosen = view == self.view;
            let caps = caps_of(Command::View(view));
            let is_in = |named| named == Named::All || (named == Named::Chosen && chosen);
            let (named, keyed) = (is_in(detail.views), is_in(detail.view_keys));
            CommandButton {
                log_name: format!("view:{caps}"),
                button: KeyButton {
                    words: if named { view.name() } else { "" },
                    points: 13.0,
                    caps: if keyed || !named { caps } else { "" },
                    lit: chosen,
                    padding: detail.padding - 1.0,
                    name: view.name(),
                    ..KeyButton::default()
                },
                command: Command::View(view),
                tip: format!("{} ({caps})\n{}", view.name(), view.entry().explained),
            }
        })
    }

    fn buttons(&self, ui: &Ui, detail: Detail) -> Vec<CommandButton<'static>> {
        use Command::{
            CopyLink, Escape, Export, Help, Knobs, Panels, Pause, Quit, Record, Restart, Step,
        };
        let pause = if self.paused { "Resume" } else { "Pause" };
        let buttons = [
            (pause, Pause, self.paused, PAUSE, Rank::Essential),
            ("Step", Step, false, STEP, Rank::Usual),
            ("Restart", Restart, false, RESTART, Rank::Usual),
            ("Panels", Panels, !self.panels, PANELS, Rank::Panel),
            ("Knobs", Knobs, self.knobs == Some(true), KNOBS, Rank::Panel),
            ("Record", Record, self.recording, "Record", Rank::Saving),
            ("Save", Export, false, "Save data", Rank::Saving),
            ("Link", CopyLink, false, COPY_LINK, Rank::Usual),
            ("Help", Help, false, "Help", Rank::Essential),
            ("Quit", Quit, false, "Quit", Rank::Optional),
        ];
        let mut shown = Vec::new();
        for (words, command, lit, name, rank) in buttons {
            // The key of Quit first closes and ends other things.
            let caps = caps_of(if command == Quit { Escape } else { command });
            let is_offered = match command {
                Knobs => self.knobs.is_some(),
                Quit => !IS_PAGE,
                _ => !caps.is_empty(),
            };
            if !is_offered || rank > detail.rank {
                continue;
            }
            let mut button = button(words, caps, lit, name, detail);
            if command == Pause {
                // The other buttons stay in place when the game pauses.
                let other = if self.paused { "Pause" } else { "Resume" };
                button.width = self::button(other, caps, lit, name, detail).width(ui);
            }
            shown.push(CommandButton {
                log_name: format!("button:{caps}"),
                button,
                command,
                tip: self.tip(command, name),
            });
        }
        shown
    }

    fn tip(&self, command: Command, name: &str) -> String {
        let (caps, help) = (caps_of(command), help_of(command));
        match command {
            Command::Export => format!("{help} ({caps})\n{}", self.view.entry().files),
            Command::Quit => name.to_owned(),
            Command::Record => format!("{help} ({caps})"),
            Command::Knobs => format!(
                "{name} ({caps}). This window has no room for all panels: enlarge it or reduce the text size."
            ),
            _ => format!("{name} ({caps})"),
        }
    }
}

fn button(
    words: &'static str,
    caps: &'static str,
    lit: bool,
    name: &'static str,
    detail: Detail,
) -> KeyButton<'static> {
    let (words, caps) = match detail.face {
        Face::WordsAndKeys => (words, caps),
        Face::Words => (words, ""),
        Face::Icons => (icon(words), caps),
        Face::Keys => ("", caps),
    };
    KeyButton {
        words,
        points: 13.0,
        caps,
        lit,
        padding: detail.padding,
        name,
        ..KeyButton::default()
    }
}

/// Returns the icon of a button, or an empty string if it has none.
fn icon(words: &str) -> &'static str {
    match words {
        "Pause" => "⏸",
        "Resume" => "▶",
        "Step" => "⏭",
        _ => "",
    }
}

/// Returns the size of the logo, with the space after it.
fn logo_size(ui: &Ui, logo: Logo) -> Vec2 {
    let name = ui
        .painter()
        .layout_no_wrap(NAME.to_owned(), theme::text(16.0), theme::BRIGHT);
    match logo {
        Logo::Hidden => Vec2::ZERO,
        Logo::Sign => LOGO + vec2(GAP, 0.0),
        Logo::WithName => LOGO + vec2(NAME_GAP + name.size().x + GAP, 0.0),
    }
}

fn paint_logo(painter: &Painter, place: Rect, logo: Logo) {
    if logo == Logo::Hidden {
        return;
    }
    for (x, y, height, ink) in [
        (0.0, 4.0, 6.0, theme::BRIGHT),
        (5.5, 0.0, 5.0, theme::RED),
        (11.0, -6.0, 6.0, theme::BRIGHT),
    ] {
        let corner = place.left_center() + vec2(x, y - height / 2.0);
        let bar = Rect::from_min_size(corner, vec2(4.0, height));
        painter.rect_filled(bar, 1.0, ink);
    }
    if logo == Logo::WithName {
        let at = place.left_center() + vec2(LOGO.x + NAME_GAP, 0.0);
        left(painter, at, NAME, 16.0, theme::BRIGHT);
    }
}

#[cfg(test)]
mod tests {
    use super::super::command_button::tests::{assert_apart, laid_out};
    use super::*;
    use crate::app::input::bindings::bindings_of;
    use timeslicer::strategy::STRATEGIES;

    fn shown(width: f32, paused: bool, knobs: Option<bool>) -> (UiResponse, Detail) {
        let bar = TopBar {
            view: View::Grid,
            paused,
            panels: true,
            knobs,
            recording: false,
        };
        let mut detail = DETAILS[0];
        let answer = laid_out(width, |ui, rect, answer| {
            bar.show(ui, rect, answer);
            show_bar(ui, rect, "measure", |ui| detail = bar.detail(ui));
        });
        (answer, detail)
    }

    #[test]
    fn controls_are_inside_and_apart_at_every_width() {
        for width in (200..=2000).step_by(7) {
            let width = width as f32;
            for knobs in [None, Some(true)] {
                let (answer, _) = shown(width, false, knobs);
                assert_apart(&answer, width);
                for name in ["button:Space", "button:?", "view:F1", "view:F2", "view:F3"] {
                    let is_shown = answer.controls.iter().any(|control| control.name == name);
                    assert!(is_shown, "{name} at {width}");
                }
            }
        }
    }

    #[test]
    fn buttons_have_words_and_keys_at_1280_and_words_at_900() {
        let detail = |width| shown(width, false, None).1;
        assert_eq!(detail(1280.0), DETAILS[0]);
        let (face, rank) = (detail(900.0).face, detail(900.0).rank);
        assert_eq!((face, rank), (Face::Words, Rank::Saving));
        assert_eq!(detail(450.0).face, Face::Icons);
    }

    #[test]
    fn every_keycap_can_be_drawn() {
        for page in [false, true] {
            let bindings = bindings_of(page, STRATEGIES);
            laid_out(900.0, |ui, _, _| {
                for binding in &bindings {
                    let font = theme::mono(11.0);
                    let is_known = ui.fonts(|fonts| fonts.has_glyphs(&font, &binding.caps));
                    assert!(is_known, "{}", binding.caps);
                }
            });
        }
    }
}
