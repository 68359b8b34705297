//! A card that offers a guided tour to new users. During the tour, the card shows the current step.

use super::bar::CommandButton;
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::state::tour::{STEPS, Tour};
use crate::app::widgets::buttons::frameless;
use crate::app::widgets::paint::with_units;
use crate::app::widgets::row::row;
use crate::app::widgets::theme;
use egui::{
    Align, Align2, Area, Button, Color32, Context, Id, Layout, Margin, Rect, RichText, Sense, Ui,
    vec2,
};
use lab::cli::{View, WindowOptions};

const WIDTH: f32 = 404.0;
const MARGIN: Margin = Margin::symmetric(16, 11);
const OUTER_MARGIN: f32 = 9.0;
const TITLE_HEIGHT: f32 = 24.0;
const BUTTON_ROW_HEIGHT: f32 = 26.0;
const SPACING: f32 = 7.0;
/// The offer is shown only in a view of at least this height.
const OFFER_HEIGHT: f32 = 150.0;

const OFFER_TITLE: &str = "New here?";
const OFFER: &str =
    "A short tour leads you from a hitch to the best strategy for a game, and to its code.";

#[derive(Debug, Default)]
pub struct TourCard {
    /// Whether the tour may be offered. Becomes false when the user hides the offer.
    offers: bool,
    /// The area of the card in the current frame, or `None` if the card is not visible.
    pub place: Option<Rect>,
}

impl TourCard {
    /// Creates the card. It offers the tour unless the program is controlled by a script.
    pub fn new(options: &WindowOptions) -> Self {
        let files = [&options.screenshot, &options.record, &options.log];
        let is_script = options.frames.is_some() || files.into_iter().any(Option::is_some);
        Self {
            offers: !is_script,
            place: None,
        }
    }

    /// Shows the current step of the tour, or the offer to start one, in the lower left corner of `area`.
    pub fn show(&mut self, ctx: &Context, area: Rect, state: &State, output: &mut UiOutput) {
        let tour = state.tour.as_ref();
        let width = WIDTH.min(area.width() - 2.0 * OUTER_MARGIN) - 2.0 * f32::from(MARGIN.left);
        // In a low view, do not offer the tour, because the card would cover too much.
        let is_offered = self.offers && area.height() >= OFFER_HEIGHT;
        if (tour.is_none() && !is_offered) || width < 100.0 {
            return;
        }
        let card = Area::new(Id::new("tour"))
            .fixed_pos(area.left_bottom() + vec2(OUTER_MARGIN, -OUTER_MARGIN))
            .pivot(Align2::LEFT_BOTTOM)
            .fade_in(false);
        let frame = theme::card_frame().inner_margin(MARGIN);
        let shown = card.show(ctx, |ui| {
            frame.show(ui, |ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing.y = SPACING;
                let is_closed = title_row(ui, tour, output);
                texts(ui, tour);
                if let Some(hint) = tour.and_then(|tour| hint(tour, state)) {
                    text(ui, &hint, theme::TEAL);
                }
                buttons(ui, tour, output);
                is_closed
            })
        });
        let place = shown.response.rect;
        self.place = Some(place);
        output.report("tour:card", place);
        self.offers &= !shown.inner.inner;
    }
}

/// Shows the question and the task of a step. Once the task is done, shows only the explanation, to cover less.
fn texts(ui: &mut Ui, tour: Option<&Tour>) {
    let texts = match tour.map(|tour| (tour.step(), tour.is_done)) {
        None => vec![(OFFER, theme::TEXT)],
        Some((step, true)) => vec![(step.explanation, theme::BRIGHT)],
        Some((step, false)) => vec![(step.question, theme::TEXT), (step.task, theme::BRIGHT)],
    };
    let command = tour.and_then(|tour| tour.step().command);
    let caps = command.map_or("", caps_of);
    for (words, ink) in texts {
        text(ui, &words.replace("[key]", caps), ink);
    }
}

fn text(ui: &mut Ui, words: &str, ink: Color32) {
    let words = RichText::new(with_units(words)).size(13.0);
    ui.label(words.line_height(Some(19.0)).color(ink));
}

/// Describes what the user must do before the task of a step, or that the answer is not final yet.
fn hint(tour: &Tour, state: &State) -> Option<String> {
    let step = tour.step();
    if tour.is_done {
        let is_searching = state.view == View::Compare && !state.compare.best_setting.is_final();
        return is_searching.then(|| "Settings are still being tried.".to_owned());
    }
    if step.command.is_some() {
        return None; // its key works everywhere
    }
    if state.view != step.view {
        let key = caps_of(Command::View(step.view));
        return Some(format!("First press {key} to open {}.", step.view.name()));
    }
    let is_hidden = state.view == View::Compare && !state.interface.panels;
    is_hidden.then(|| {
        format!(
            "First press {} to show the panels.",
            caps_of(Command::Panels)
        )
    })
}

/// Shows the title and a close button. Returns whether the user has clicked the button.
fn title_row(ui: &mut Ui, tour: Option<&Tour>, output: &mut UiOutput) -> bool {
    let title = tour.map_or(OFFER_TITLE, |tour| tour.step().title);
    let title = |ui: &mut Ui| {
        let (accent, _) = ui.allocate_exact_size(vec2(8.0, 12.0), Sense::hover());
        let bar = accent.with_max_x(accent.left() + 3.0);
        ui.painter().rect_filled(bar, 1.5, theme::TEAL);
        ui.label(RichText::new(title).heading().color(theme::BRIGHT));
    };
    let row = row(ui, TITLE_HEIGHT, title, |ui, ()| {
        let tip = if tour.is_some() {
            "End the tour and restore your settings (Esc)"
        } else {
            "Hide this offer. To start the tour later, use its key, which the help lists."
        };
        let close = frameless(ui, Button::new("🗙").min_size(vec2(22.0, 22.0)), tip);
        output.control(&close, "tour:close", tip);
        close.clicked()
    });
    let ((), is_closed) = row.inner;
    if is_closed && tour.is_some() {
        output.give(Command::Tour);
    }
    is_closed
}

fn buttons(ui: &mut Ui, tour: Option<&Tour>, output: &mut UiOutput) {
    let size = vec2(ui.available_width(), BUTTON_ROW_HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().interact_size.y = BUTTON_ROW_HEIGHT;
        let mut button = |ui: &mut Ui, log_name: &str, words, caps, selected, command| {
            let button = CommandButton {
                log_name: log_name.to_owned(),
                points: 12.5,
                padding: 12.0,
                command: Some(command),
                ..CommandButton::new(words, caps, selected)
            };
            button.show(ui, output);
        };
        let Some(tour) = tour else {
            let (words, caps) = ("Start the tour", caps_of(Command::Tour));
            return button(ui, "tour:start", words, caps, true, Command::Tour);
        };
        let next = match (tour.step + 1 == STEPS.len(), tour.is_done) {
            (true, _) => "Finish",
            (false, true) => "Next",
            (false, false) => "Skip",
        };
        let (next_step, last_step) = (Command::WalkTour(1), Command::WalkTour(-1));
        button(ui, "tour:next", next, "", tour.is_done, next_step);
        if tour.step > 0 {
            button(ui, "tour:back", "Back", "", false, last_step);
        }
        let progress = format!("{} of {}", tour.step + 1, STEPS.len());
        let progress = RichText::new(progress).monospace().size(11.0);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.label(progress.color(theme::DIM));
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_tour_has_a_key() {
        for step in &STEPS {
            let has_key = step.command.is_some_and(|it| !caps_of(it).is_empty());
            assert_eq!(step.task.contains("[key]"), has_key, "{}", step.title);
        }
    }
}
