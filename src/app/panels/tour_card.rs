//! The card of the tour: an offer to new users, and the current step while they follow it.

use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::platform::TourOffer;
use crate::app::state::command::Command;
use crate::app::state::tour::{STEPS, Tour, command_named};
use crate::app::widgets::buttons::{KeyButton, frameless, name};
use crate::app::widgets::paint::centred;
use crate::app::widgets::{theme, tooltip};
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Button, Color32, Frame, Galley, Label, Layout, Margin, Rect, RichText, Sense, Stroke,
    Ui, UiBuilder, pos2, vec2,
};
use headless::io::cli::WindowOptions;
use std::sync::Arc;

const WIDTH: f32 = 404.0;
/// Margins at the sides, and at the top and bottom.
const MARGIN: Margin = Margin::symmetric(16, 11);
/// Space between the card and the edges of its area.
const INSET: f32 = 9.0;
/// Height of the title and of the row of buttons.
const TITLE: f32 = 24.0;
const BUTTONS: f32 = 26.0;
/// Space between the parts.
const GAP: f32 = 7.0;

/// Title and text of the offer.
const OFFER: (&str, &str) = (
    "New here?",
    "A tour of eight short steps shows what the strategies do, and what each of them costs.",
);
/// Tooltips of the button that closes the card.
const CLOSE_TOUR: &str = "End the tour; your settings return (Esc)";
const CLOSE_OFFER: &str = "Do not offer the tour again; [help] shows its key";

#[derive(Debug, Default)]
pub struct TourCard {
    /// Records the user's answer to the offer; `None` if there is no offer.
    offer: Option<TourOffer>,
    place: Option<Rect>,
}

impl TourCard {
    /// Offers the tour to users who have not answered the offer yet. Scripts get no offer.
    pub fn new(options: &WindowOptions) -> Self {
        let files = [&options.screenshot, &options.record, &options.log];
        if options.frames.is_some() || files.into_iter().any(Option::is_some) {
            return Self::default();
        }
        Self::remembered_by(TourOffer::of_user())
    }

    fn remembered_by(offer: TourOffer) -> Self {
        Self {
            offer: Some(offer).filter(|offer| !offer.is_answered()),
            place: None,
        }
    }

    pub fn place(&self) -> Option<Rect> {
        self.place
    }

    pub fn hide(&mut self) {
        self.place = None;
    }

    /// Shows the tour or the offer, if there is one, in a corner of `area`: the lower left one, or the lower right one
    /// if `at_right`.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        at_right: bool,
        tour: Option<&Tour>,
        answer: &mut UiResponse,
    ) {
        self.place = None;
        if tour.is_some() {
            self.end_offer();
        }
        let width = WIDTH.min(area.width() - 2.0 * INSET);
        let room = width - MARGIN.sum().x;
        if (tour.is_none() && self.offer.is_none()) || room < 100.0 {
            return;
        }
        let (title, texts, is_done) = content(tour);
        let lay = |(words, ink)| ui.fonts(|fonts| fonts.layout_job(job(words, ink, room)));
        let texts: Vec<Arc<Galley>> = texts.into_iter().map(lay).collect();
        let height: f32 = texts.iter().map(|it| it.size().y + GAP).sum();
        let size = vec2(width, TITLE + GAP + height + BUTTONS + MARGIN.sum().y);
        let left = if at_right {
            area.right() - INSET - size.x
        } else {
            area.left() + INSET
        };
        // In a low window, the card also covers the parts above its area.
        let top = (area.bottom() - INSET - size.y).max(ui.max_rect().top());
        let place = Rect::from_min_size(pos2(left, top), size);
        if tour.is_none() && !area.contains_rect(place) {
            return; // an offer is not worth covering anything else
        }
        self.place = Some(place);
        answer.report("tour:card", place);
        // The card takes clicks and drags, so that capsules below it do not react.
        let builder = UiBuilder::new().max_rect(place).id_salt("tour");
        let card = &mut ui.new_child(builder.sense(Sense::click_and_drag()));
        let frame = Frame::NONE.fill(theme::BAR).corner_radius(8);
        let frame = frame.stroke(Stroke::new(1.0, theme::LINE));
        let closed = frame.inner_margin(MARGIN).show(card, |ui| {
            ui.set_min_size(ui.max_rect().size());
            ui.spacing_mut().item_spacing.y = GAP;
            let is_closed = title_row(ui, title, is_done, tour, answer);
            for text in texts {
                ui.add(Label::new(text).selectable(false));
            }
            buttons(ui, tour, answer);
            is_closed
        });
        if closed.inner && tour.is_none() {
            self.end_offer();
        }
    }

    /// Ends the offer for good: it does not return when the program is next opened.
    fn end_offer(&mut self) {
        if let Some(offer) = self.offer.take() {
            offer.set_answered();
        }
    }
}

/// Returns the title, the texts with their colours, and whether the user has done what the step asks for.
fn content(tour: Option<&Tour>) -> (&'static str, Vec<(&'static str, Color32)>, bool) {
    let Some(tour) = tour else {
        return (OFFER.0, vec![(OFFER.1, theme::TEXT)], false);
    };
    let step = tour.step();
    // The outcome replaces the question, so that the card covers no more of it than necessary.
    let texts = if tour.is_done {
        vec![(step.seen, theme::BRIGHT)]
    } else {
        vec![(step.question, theme::TEXT), (step.task, theme::BRIGHT)]
    };
    (step.title, texts, tour.is_done)
}

/// Shows the title and the button that closes the card. Returns true if that was clicked.
fn title_row(
    ui: &mut Ui,
    title: &str,
    is_done: bool,
    tour: Option<&Tour>,
    answer: &mut UiResponse,
) -> bool {
    let size = vec2(ui.available_width(), TITLE);
    let row = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        let (accent, _) = ui.allocate_exact_size(vec2(8.0, 12.0), Sense::hover());
        if is_done {
            let painter = ui.painter();
            painter.circle_filled(accent.center(), 4.0, theme::TEAL);
        } else {
            let bar = accent.with_max_x(accent.left() + 3.0);
            ui.painter().rect_filled(bar, 1.5, theme::TEAL);
        }
        let title = RichText::new(title).heading().color(theme::BRIGHT);
        ui.add(Label::new(title).selectable(false));
        let right = Layout::right_to_left(Align::Center);
        ui.with_layout(right, |ui| {
            let close = frameless(ui, Button::new("🗙").min_size(vec2(22.0, 22.0)));
            let tip = match tour {
                Some(_) => CLOSE_TOUR.to_owned(),
                None => CLOSE_OFFER.replace("[help]", caps_of(Command::Help)),
            };
            name(&close, &tip, false);
            answer.report("tour:close", close.rect);
            tooltip::offer(&close, tip);
            close.clicked()
        })
    });
    let is_closed = row.inner.inner;
    if is_closed {
        answer.commands.extend(tour.map(|_| Command::Tour));
    }
    is_closed
}

fn buttons(ui: &mut Ui, tour: Option<&Tour>, answer: &mut UiResponse) {
    let size = vec2(ui.available_width(), BUTTONS);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().interact_size.y = BUTTONS;
        let mut button = |log_name: &str, words, caps, lit, command| {
            let button = KeyButton {
                words,
                points: 12.5,
                caps,
                lit,
                padding: 12.0,
                name: words,
                ..KeyButton::default()
            };
            let response = button.show(ui);
            answer.report(log_name, response.rect);
            if response.clicked() {
                answer.commands.push(command);
            }
        };
        let Some(tour) = tour else {
            let caps = caps_of(Command::Tour);
            return button("tour:start", "Start the tour", caps, true, Command::Tour);
        };
        let next = match (tour.is_at_end(), tour.is_done) {
            (true, _) => "Finish",
            (false, true) => "Next",
            (false, false) => "Skip",
        };
        button("tour:next", next, "", tour.is_done, Command::WalkTour(1));
        if tour.step > 0 {
            button("tour:back", "Back", "", false, Command::WalkTour(-1));
        }
        let place = format!("{} of {}", tour.step + 1, STEPS.len());
        let place = RichText::new(place).monospace().size(11.0);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(place.color(theme::DIM)).selectable(false));
        });
    });
}

/// Lays out a text with the keys of the commands that it names in brackets.
fn job(words: &str, ink: Color32, room: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = room;
    // Every second part is in brackets.
    for (index, part) in words.split(['[', ']']).enumerate() {
        if index % 2 == 0 {
            let format = TextFormat {
                line_height: Some(19.0),
                ..centred(theme::text(13.0), ink)
            };
            job.append(part, 0.0, format);
        } else {
            let format = TextFormat {
                background: theme::HOVER,
                ..centred(theme::mono(11.5), theme::BRIGHT)
            };
            // Non-breaking spaces around the key.
            let caps = command_named(part).map_or("", caps_of);
            job.append(&format!("\u{a0}{caps}\u{a0}"), 0.0, format);
        }
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn remembered_in(folder: &Path) -> TourCard {
        TourCard::remembered_by(TourOffer::in_folder(Some(folder)))
    }

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("timeslice-{name}-{}", std::process::id()))
    }

    #[test]
    fn an_answered_offer_does_not_return() {
        let folder = folder("offer");
        let mut card = remembered_in(&folder);
        assert!(card.offer.is_some());
        assert!(remembered_in(&folder).offer.is_some());
        card.end_offer();
        assert!(card.offer.is_none());
        assert!(remembered_in(&folder).offer.is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn every_name_in_brackets_has_a_key() {
        for step in &STEPS {
            for text in [step.question, step.task, step.seen] {
                for key in text.split(['[', ']']).skip(1).step_by(2) {
                    let command = command_named(key).expect(key);
                    assert!(!caps_of(command).is_empty(), "{key}");
                }
            }
        }
    }
}
