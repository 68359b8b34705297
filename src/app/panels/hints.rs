//! Three short hints for new users, one at a time, until they are dismissed once.

use crate::app::input::bindings::{Binding, caps_of};
use crate::app::input::response::UiResponse;
use crate::app::platform::SeenHints;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::name;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::io::cli::WindowOptions;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Button, Color32, FontId, Frame, Label, Layout, Margin, Pos2, Rect, RichText, Sense,
    Stroke, Ui, UiBuilder, vec2,
};
use timeslice::strategy::by_key;

const SIZE: egui::Vec2 = vec2(356.0, 132.0);
/// Name and tooltip of the button that closes the hints.
const CLOSE: &str = "Do not show hints again";

/// Title and text of each hint. Names in brackets are replaced by keys, see [`caps`].
const HINTS: [(&str, &str); 3] = [
    (
        "One frame or many",
        "[all-at-once] runs all tasks in one frame, then none until the interval ends. [fixed-interval] runs a few in \
         every frame. Compare the plots below.",
    ),
    (
        "The crowd watches your pointer",
        "Move the pointer over the capsules. Each capsule looks at where the pointer was when its task last ran.",
    ),
    (
        "Add load",
        "Drag Entities or Task cost to the right until frames get long. [pause] pauses, [step] advances one frame, \
         [help] lists all keys.",
    ),
];

/// Progress through the hints.
#[derive(Debug, Default)]
pub struct Hints {
    /// Index of the current hint, or `None` after the last.
    shown: Option<usize>,
    /// Stores that the hints were dismissed; `None` for scripts.
    memory: Option<SeenHints>,
}

impl Hints {
    /// Starts with the first hint. Scripts and users who have dismissed the hints get no hint.
    pub fn new(options: &WindowOptions) -> Self {
        let files = [&options.screenshot, &options.record, &options.log];
        let script = options.frames.is_some() || files.into_iter().any(Option::is_some);
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

    /// True if a hint covers this point of `view`.
    pub fn cover(&self, view: Rect, at: Pos2) -> bool {
        self.shown.is_some() && view.contains_rect(card_in(view)) && card_in(view).contains(at)
    }

    /// Shows the current hint over the lower left of `view`, if there is room.
    pub fn show(&mut self, ui: &mut Ui, view: Rect, bindings: &[Binding], answer: &mut UiResponse) {
        let place = card_in(view);
        if self.shown.is_none() || !view.contains_rect(place) {
            return;
        }
        // The card takes clicks and drags, so that capsules below it do not react.
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
                name(&close, CLOSE, false);
                answer.report("hint:close", close.rect);
                tooltip::offer(&close, CLOSE);
                if close.clicked() {
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
                    let is_last = index + 1 == HINTS.len();
                    let words = if is_last { "Done" } else { "Next" };
                    let read = ui.add(Button::new(words).min_size(vec2(66.0, 24.0)));
                    answer.report("hint:read", read.rect);
                    if read.clicked() {
                        self.next();
                    }
                });
            });
        });
    }

    /// Moves on to the next hint.
    fn next(&mut self) {
        match self.shown {
            Some(index) if index + 1 < HINTS.len() => self.shown = Some(index + 1),
            _ => self.dismiss(),
        }
    }

    /// Ends the hints for good: they stay hidden when the program is next opened.
    fn dismiss(&mut self) {
        self.shown = None;
        if let Some(memory) = &self.memory {
            memory.set_seen();
        }
    }
}

/// Returns the place of a hint. It may extend beyond a small view.
fn card_in(view: Rect) -> Rect {
    Rect::from_min_size(view.left_bottom() + vec2(16.0, -16.0 - SIZE.y), SIZE)
}

/// Lays out the text of a hint, with keycaps for the names in brackets.
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
    // Every second part is in brackets.
    for (index, part) in words.split(['[', ']']).enumerate() {
        if index % 2 == 0 {
            let plain = format(theme::text(12.5), theme::TEXT, Color32::TRANSPARENT);
            let spaced = TextFormat {
                line_height: Some(19.0),
                ..plain
            };
            job.append(part, 0.0, spaced);
        } else {
            // Non-breaking spaces around the key.
            let key = format!("\u{a0}{}\u{a0}", caps(part, bindings));
            let cap = format(theme::mono(11.5), theme::BRIGHT, theme::HOVER);
            job.append(&key, 0.0, cap);
        }
    }
    job
}

/// Returns the keycap for a name in a hint, which is a command or the key of a strategy.
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
    fn hints_do_not_return_once_read() {
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
    fn hints_do_not_return_once_closed() {
        let folder = folder("hints-closed");
        remembered_in(&folder).dismiss();
        assert_eq!(remembered_in(&folder).shown, None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn scripts_see_no_hints() {
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
            WindowOptions {
                record: Some("lab.gif".into()),
                ..WindowOptions::default()
            },
        ] {
            assert_eq!(Hints::new(&options).shown, None);
        }
    }

    #[test]
    fn every_name_in_brackets_has_a_key() {
        let bindings = bindings();
        for (_, words) in HINTS {
            let keys = words.split(['[', ']']).skip(1).step_by(2);
            for key in keys {
                assert!(!caps(key, &bindings).is_empty(), "{key}");
            }
        }
    }
}
