//! The top bar: views on the left, general buttons on the right.

mod detail;

use super::command_button::{CommandButton, first_that_fits, show_bar, total_width};
use crate::app::input::bindings::{
    Binding, COPY_LINK, KNOBS, PANELS, PAUSE, RESTART, STEP, caps_of, help_of,
};
use crate::app::input::response::UiResponse;
use crate::app::platform::IS_PAGE;
use crate::app::state::command::Command;
use crate::app::state::view::View;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::theme;
use detail::{DETAILS, Detail, Face, Logo, Named, Rank};
use egui::text::LayoutJob;
use egui::{Align, Color32, Label, Layout, Rect, RichText, Sense, Ui, UiBuilder, Vec2, vec2};

pub struct TopBar<'a> {
    pub view: View,
    pub paused: bool,
    pub panels: bool,
    /// True if the knobs are shown; `None` if they need no button.
    pub knobs: Option<bool>,
    pub recording: bool,
    pub bindings: &'a [Binding],
}

const NAME: &str = "Timeslice Lab";
const NAME_POINTS: f32 = 16.0;
/// Space between the bar's groups.
const GAP: f32 = 12.0;
/// Space between buttons, and between views.
const SPACING: [f32; 2] = [4.0, 2.0];
/// Margin of the views.
const WELL: f32 = 2.0;

impl TopBar<'_> {
    pub fn show(&self, ui: &mut Ui, rect: Rect, answer: &mut UiResponse) {
        show_bar(ui, rect, "bar", |ui| self.contents(ui, answer));
    }

    fn contents(&self, ui: &mut Ui, answer: &mut UiResponse) {
        let detail = self.detail(ui);
        if detail.logo != Logo::None {
            logo(ui, detail.logo == Logo::Named);
            ui.add_space(GAP);
        }
        self.show_views(ui, detail, answer);
        let buttons = self.buttons(ui, detail);
        let right = total_width(ui, &buttons, SPACING[0]);
        ui.add_space((ui.available_width() - right).max(0.0));
        ui.spacing_mut().item_spacing.x = SPACING[0];
        for button in buttons {
            button.show(ui, answer);
        }
    }

    fn show_views(&self, ui: &mut Ui, detail: Detail, answer: &mut UiResponse) {
        let views = self.views(detail);
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
        for view in views {
            view.show(&mut row, answer);
        }
    }

    fn views_width(&self, ui: &Ui, detail: Detail) -> f32 {
        total_width(ui, &self.views(detail), SPACING[1]) + 2.0 * WELL
    }

    fn detail(&self, ui: &Ui) -> Detail {
        let key = (self.view.name(), self.knobs);
        let width = |detail| self.width(ui, detail);
        first_that_fits(ui, "detail of the bar", key, &DETAILS, width).0
    }

    fn width(&self, ui: &Ui, detail: Detail) -> f32 {
        let logo = match detail.logo {
            Logo::None => 0.0,
            Logo::Sign => LOGO.x + GAP,
            Logo::Named => LOGO.x + NAME_GAP + width_of(ui, NAME, NAME_POINTS) + GAP,
        };
        let buttons = total_width(ui, &self.buttons(ui, detail), SPACING[0]);
        logo + self.views_width(ui, detail) + GAP + buttons
    }

    fn caps_of(&self, command: Command) -> &str {
        caps_of(self.bindings, command)
    }

    fn views(&self, detail: Detail) -> Vec<CommandButton<'_>> {
        let item = |view: View| {
            let chosen = view == self.view;
            let command = Command::View(view);
            let caps = self.caps_of(command);
            let is_in = |named| named == Named::All || (named == Named::Chosen && chosen);
            let (named, keyed) = (is_in(detail.views), is_in(detail.view_keys));
            let words = if named { view.name() } else { "" };
            let key = if keyed || !named { caps } else { "" };
            CommandButton {
                log_name: format!("view:{caps}"),
                button: KeyButton {
                    words,
                    points: 13.0,
                    caps: key,
                    lit: chosen,
                    padding: detail.padding - 1.0,
                    name: view.name(),
                    ..KeyButton::default()
                },
                command,
                tip: format!("{} ({caps})\n{}", view.name(), view.explained()),
            }
        };
        View::ALL.map(item).into()
    }

    fn buttons(&self, ui: &Ui, detail: Detail) -> Vec<CommandButton<'_>> {
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
        // The other buttons stay in place when the game pauses.
        let pause_width = ["Pause", "Resume"].map(|words| {
            let button = button(words, self.caps_of(Pause), false, PAUSE, detail);
            button.width(ui)
        });
        let pause_width = pause_width[0].max(pause_width[1]);
        let item = |(words, command, lit, name, rank): (_, _, _, &'static str, _)| {
            // The key of Quit first closes and ends other things.
            let key = if command == Quit { Escape } else { command };
            let caps = self.caps_of(key);
            let is_offered = match command {
                Knobs => self.knobs.is_some(),
                Quit => !IS_PAGE,
                _ => !caps.is_empty(),
            };
            let width = if command == Pause { pause_width } else { 0.0 };
            (is_offered && rank <= detail.rank).then(|| CommandButton {
                log_name: format!("button:{caps}"),
                button: KeyButton {
                    width,
                    ..button(words, caps, lit, name, detail)
                },
                command,
                tip: self.tip(command, name),
            })
        };
        buttons.into_iter().filter_map(item).collect()
    }

    fn tip(&self, command: Command, name: &str) -> String {
        let caps = self.caps_of(command);
        let help = help_of(self.bindings, command);
        match command {
            Command::Export => format!("{help} ({caps})\n{}", self.view.files()),
            Command::Quit => name.to_owned(),
            Command::Record => format!("{help} ({caps})"),
            Command::Knobs => format!(
                "{name} ({caps}). This window has no room for all panels: enlarge it or reduce the text size."
            ),
            _ => format!("{name} ({caps})"),
        }
    }
}

fn button<'a>(
    words: &'a str,
    caps: &'a str,
    lit: bool,
    name: &'a str,
    detail: Detail,
) -> KeyButton<'a> {
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

const LOGO: Vec2 = vec2(16.0, 20.0);
/// Space between the logo and the name.
const NAME_GAP: f32 = 10.0;

/// Shows the logo and, if `named`, the program's name.
fn logo(ui: &mut Ui, named: bool) {
    let bars = [
        (0.0, 4.0, 6.0, theme::BRIGHT),
        (5.5, 0.0, 5.0, theme::RED),
        (11.0, -6.0, 6.0, theme::BRIGHT),
    ];
    let (place, _) = ui.allocate_exact_size(LOGO, Sense::hover());
    for (x, y, height, ink) in bars {
        let corner = place.left_center() + vec2(x, y - height / 2.0);
        let bar = Rect::from_min_size(corner, vec2(4.0, height));
        ui.painter().rect_filled(bar, 1.0, ink);
    }
    if named {
        ui.add_space(NAME_GAP);
        let name = RichText::new(NAME).size(NAME_POINTS).color(theme::BRIGHT);
        ui.add(Label::new(name).extend().selectable(false));
    }
}

fn width_of(ui: &Ui, words: &str, points: f32) -> f32 {
    let job = LayoutJob::simple_singleline(words.to_owned(), theme::text(points), theme::TEXT);
    ui.fonts(|fonts| fonts.layout_job(job)).size().x
}

#[cfg(test)]
mod tests;
