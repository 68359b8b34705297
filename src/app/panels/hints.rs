//! What to try first: three short hints, one after another, until they were dismissed once.

use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::platform::SeenHints;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::name;
use crate::app::widgets::theme;
use crate::io::cli::WindowOptions;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Button, Color32, FontId, Frame, Label, Layout, Margin, Pos2, Rect, RichText, Sense,
    Stroke, Ui, UiBuilder, vec2,
};
use timeslice::strategy::by_key;

const SIZE: egui::Vec2 = vec2(356.0, 132.0);

/// A hint: its title, and what to do. What stands in brackets is a key: a command's by this name.
const HINTS: [(&str, &str); 3] = [
    (
        "One frame, or spread",
        "[all-at-once] runs all tasks in one frame, then none for a while. [fixed-interval] runs each as \
         often, a few in every frame. Compare the plots below.",
    ),
    (
        "They watch you, late",
        "Move the pointer over the capsules: each looks where it was when that capsule's task last ran.",
    ),
    (
        "Make it hard",
        "Drag Entities or Task cost at the left up until frames get long. [pause] stops time, [step] \
         goes one frame on, [help] shows all keys.",
    ),
];

/// The hints that are still to be shown.
#[derive(Debug, Default)]
pub struct Hints {
    /// The one that is shown; none after the last.
    shown: Option<usize>,
    /// Whether they were dismissed; of a script nothing is remembered.
    memory: Option<SeenHints>,
}

impl Hints {
    /// None for scripts, and none for those who have dismissed them before.
    pub fn new(options: &WindowOptions) -> Self {
        let script =
            options.frames.is_some() || options.screenshot.is_some() || options.log.is_some();
        if script {
            return Self::default();
        }
        Self::remembered_by(SeenHints::of_user())
    }

    fn remembered_by(memory: SeenHints) -> Self {
        Self {
            shown: (!memory.are_seen()).then_some(0),
            memory: Some(memory),
        }
    }

    /// Whether one is shown over this point of `view`.
    pub fn cover(&self, view: Rect, at: Pos2) -> bool {
        self.shown.is_some() && view.contains_rect(card_in(view)) && card_in(view).contains(at)
    }

    /// Shows the present hint over the lower left of `view`, if there is room.
    pub fn show(&mut self, ui: &mut Ui, view: Rect, bindings: &[Binding], answer: &mut UiResponse) {
        let place = card_in(view);
        if self.shown.is_none() || !view.contains_rect(place) {
            return;
        }
        // It takes clicks, so that no request goes through it.
        let builder = UiBuilder::new().max_rect(place).id_salt("hint");
        let card = &mut ui.new_child(builder.sense(Sense::click_and_drag()));
        let frame = Frame::NONE.fill(theme::BAR).corner_radius(8);
        let frame = frame.stroke(Stroke::new(1.0, theme::LINE));
        frame
            .inner_margin(Margin::symmetric(16, 10))
            .show(card, |ui| {
                ui.set_min_size(ui.max_rect().size());
                self.contents(ui, bindings, answer);
            });
    }

    fn contents(&mut self, ui: &mut Ui, bindings: &[Binding], answer: &mut UiResponse) {
        let Some(index) = self.shown else {
            return;
        };
        let (title, words) = HINTS[index];
        let right = Layout::right_to_left(Align::Center);
        ui.horizontal(|ui| {
            let (accent, _) = ui.allocate_exact_size(vec2(3.0, 12.0), Sense::hover());
            ui.painter().rect_filled(accent, 1.5, theme::TEAL);
            let title = RichText::new(title).heading().color(theme::BRIGHT);
            ui.add(Label::new(title).selectable(false));
            ui.with_layout(right, |ui| {
                let close = ui.add(Button::new("🗙").frame(false).min_size(vec2(22.0, 22.0)));
                name(&close, "No more hints", false);
                answer.stands("hint:close", close.rect);
                if close.on_hover_text("No more hints").clicked() {
                    self.dismiss();
                }
            });
        });
        ui.add(Label::new(job(words, bindings, ui.available_width())).selectable(false));
        ui.with_layout(Layout::bottom_up(Align::Min), |ui| {
            ui.horizontal(|ui| {
                let place = format!("{} of {}", index + 1, HINTS.len());
                ui.label(
                    RichText::new(place)
                        .monospace()
                        .size(11.0)
                        .color(theme::DIM),
                );
                ui.with_layout(right, |ui| {
                    let read = ui.add(Button::new("Got it").min_size(vec2(66.0, 24.0)));
                    answer.stands("hint:read", read.rect);
                    let tip = if index + 1 == HINTS.len() {
                        "Hints do not come back"
                    } else {
                        "The next hint"
                    };
                    if read.on_hover_text(tip).clicked() {
                        self.next();
                    }
                });
            });
        });
    }

    /// The present one was read.
    fn next(&mut self) {
        match self.shown {
            Some(index) if index + 1 < HINTS.len() => self.shown = Some(index + 1),
            _ => self.dismiss(),
        }
    }

    /// None is to be shown any more, also not when the program is opened again.
    fn dismiss(&mut self) {
        self.shown = None;
        if let Some(memory) = &self.memory {
            memory.set_seen();
        }
    }
}

/// Where it lies, if there is room for it.
fn card_in(view: Rect) -> Rect {
    Rect::from_min_size(view.left_bottom() + vec2(16.0, -16.0 - SIZE.y), SIZE)
}

/// A hint's words, its keys as they are written on the keyboard.
fn job(words: &str, bindings: &[Binding], room: f32) -> LayoutJob {
    let format = |font: FontId, color: Color32, background: Color32| TextFormat {
        font_id: font,
        color,
        background,
        valign: Align::Center,
        ..TextFormat::default()
    };
    let mut job = LayoutJob::default();
    job.wrap.max_width = room;
    // Every second part stands in brackets.
    for (index, part) in words.split(['[', ']']).enumerate() {
        if index % 2 == 0 {
            let plain = format(theme::text(12.5), theme::TEXT, Color32::TRANSPARENT);
            let spaced = TextFormat {
                line_height: Some(19.0),
                ..plain
            };
            job.append(part, 0.0, spaced);
        } else {
            // A space that does not break a line on both sides of the key.
            let key = format!("\u{a0}{}\u{a0}", caps(part, bindings));
            let cap = format(theme::mono(11.5), theme::BRIGHT, theme::HOVER);
            job.append(&key, 0.0, cap);
        }
    }
    job
}

/// The key of what is named so in a hint.
fn caps<'a>(name: &str, bindings: &'a [Binding]) -> &'a str {
    let command = match name {
        "pause" => Command::Pause,
        "step" => Command::Step,
        "help" => Command::Help,
        key => match by_key(key) {
            Some(entry) => Command::Strategy(entry),
            None => return "",
        },
    };
    caps_of(bindings, command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::bindings::bindings;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn remembered_in(folder: &Path) -> Hints {
        Hints::remembered_by(SeenHints::in_folder(Some(folder)))
    }

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("timeslice-{name}-{}", std::process::id()))
    }

    #[test]
    fn once_read_they_never_come_back() {
        let folder = folder("hints-read");
        let mut hints = remembered_in(&folder);
        for index in 0..HINTS.len() {
            assert_eq!(hints.shown, Some(index));
            assert_eq!(remembered_in(&folder).shown, Some(0));
            hints.next();
        }
        assert_eq!(hints.shown, None);
        assert_eq!(remembered_in(&folder).shown, None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn closed_they_never_come_back() {
        let folder = folder("hints-closed");
        remembered_in(&folder).dismiss();
        assert_eq!(remembered_in(&folder).shown, None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn scripts_see_none() {
        for options in [
            WindowOptions {
                frames: Some(3),
                ..WindowOptions::default()
            },
            WindowOptions {
                log: Some("-".into()),
                ..WindowOptions::default()
            },
            WindowOptions {
                screenshot: Some("lab.png".into()),
                ..WindowOptions::default()
            },
        ] {
            assert_eq!(Hints::new(&options).shown, None);
        }
    }

    #[test]
    fn every_key_in_a_hint_is_one() {
        let bindings = bindings();
        for (_, words) in HINTS {
            let keys = words.split(['[', ']']).skip(1).step_by(2);
            for key in keys {
                assert!(!caps(key, &bindings).is_empty(), "{key}");
            }
        }
    }
}
