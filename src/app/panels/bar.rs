//! Buttons that send a command, and the bars at the top of the window that contain such buttons.

use crate::app::input::output::UiOutput;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{keycap, keycap_width, set_name};
use crate::app::widgets::{paint, theme};
use egui::scroll_area::{ScrollArea, ScrollBarVisibility};
use egui::style::ScrollAnimation;
use egui::{
    Align, Align2, Button, Color32, Galley, Layout, Painter, Rect, Response, Sense, Stroke, Ui,
    UiBuilder, vec2,
};
use std::sync::Arc;

const SIDE_MARGIN: f32 = 12.0;
const TEXT_KEYCAP_GAP: f32 = 6.0;

#[derive(Default)]
pub struct CommandButton<'a> {
    /// The name of the control for scripts.
    pub log_name: String,
    pub words: &'a str,
    /// The name for screen readers.
    pub name: &'a str,
    pub points: f32,
    pub caps: &'a str,
    /// Whether the keycap comes before the text. Otherwise, it is at the right end of the button.
    pub key_first: bool,
    pub selected: bool,
    pub padding: f32,
    pub min_width: f32,
    /// The colour of the outline while the button is neither pressed nor hovered. If `None`, there is no outline.
    pub outline: Option<Color32>,
    /// The colour of the background, if it is not that of all buttons.
    pub ground: Option<Color32>,
    /// `None` if the button is on already, so that a click has no effect.
    pub command: Option<Command>,
    /// The tooltip. Empty if the button has none.
    pub tip: String,
}

impl<'a> CommandButton<'a> {
    pub fn new(words: &'a str, caps: &'a str, selected: bool) -> Self {
        Self {
            log_name: format!("button:{caps}"),
            words,
            name: words,
            points: 11.0,
            caps,
            selected,
            padding: 4.0,
            ..Self::default()
        }
    }

    fn width(&self, ui: &Ui) -> f32 {
        let (words, gap, cap) = self.parts(ui);
        (words.size().x + gap + cap + 2.0 * self.padding).max(self.min_width)
    }

    pub fn show(self, ui: &mut Ui, output: &mut UiOutput) -> Response {
        let (words, gap, cap) = self.parts(ui);
        let size = vec2(self.width(ui), ui.spacing().interact_size.y);
        let mut button = Button::new("").small().min_size(size);
        if let Some(ground) = self.ground {
            button = button.fill(ground);
        } else if self.selected {
            button = button.fill(ui.visuals().selection.bg_fill);
        }
        if let Some(ink) = self.outline {
            button = button.stroke(Stroke::new(1.0, ink));
        }
        let response = ui.add(button);
        let inner = response.rect.shrink2(vec2(self.padding, 0.0));
        let (words_at, align, cap_at) = if self.key_first {
            let words_at = inner.left_center() + vec2(cap + gap, 0.0);
            (words_at, Align2::LEFT_CENTER, inner.left_center())
        } else if self.caps.is_empty() {
            (inner.center(), Align2::CENTER_CENTER, inner.center())
        } else {
            let cap_at = inner.right_center() - vec2(cap, 0.0);
            (inner.left_center(), Align2::LEFT_CENTER, cap_at)
        };
        paint::galley(ui.painter(), words_at, align, words);
        keycap(ui.painter(), cap_at, self.caps, self.selected);
        set_name(&response, self.name, self.selected);
        output.control(&response, self.log_name, self.tip);
        if response.clicked() {
            output.commands.extend(self.command);
        }
        response
    }

    /// Returns the text of the button, the width of the space between text and keycap, and the width of the keycap.
    fn parts(&self, ui: &Ui) -> (Arc<Galley>, f32, f32) {
        let ink = if self.selected {
            theme::BRIGHT
        } else {
            theme::TEXT
        };
        let (painter, words) = (ui.painter(), self.words.to_owned());
        let words = painter.layout_no_wrap(words, theme::text(self.points), ink);
        if self.caps.is_empty() {
            return (words, 0.0, 0.0);
        }
        let gap = if self.words.is_empty() {
            0.0
        } else {
            TEXT_KEYCAP_GAP
        };
        (words, gap, keycap_width(painter, self.caps))
    }
}

pub enum Item {
    Button(CommandButton<'static>),
    /// A decoration. The fields are its width and a function that paints it.
    Icon(f32, fn(&Painter, Rect)),
    Space,
}

impl Item {
    fn width(&self, ui: &Ui) -> f32 {
        match self {
            Self::Button(button) => button.width(ui),
            Self::Icon(width, _) => *width,
            Self::Space => 0.0,
        }
    }

    fn is_chosen(&self) -> bool {
        matches!(self, Self::Button(button) if button.selected)
    }

    fn show(self, ui: &mut Ui, free: f32, output: &mut UiOutput) -> Response {
        match self {
            Self::Button(button) => button.show(ui, output),
            Self::Icon(width, paint) => {
                let size = vec2(width, theme::BUTTON);
                let (place, response) = ui.allocate_exact_size(size, Sense::hover());
                paint(ui.painter(), place);
                response
            }
            Self::Space => ui.allocate_response(vec2(free, 0.0), Sense::hover()),
        }
    }
}

/// Shows the items at the first of the `levels` of detail that fits. If none fits, uses the last level and scrolls.
pub fn show_items(ui: &mut Ui, levels: impl IntoIterator<Item = Vec<Item>>, output: &mut UiOutput) {
    let (spacing, room) = (ui.spacing().item_spacing.x, ui.available_width());
    let mut shown = Vec::new();
    let mut free = 0.0;
    for level in levels {
        shown = level;
        let widths = shown.iter().map(|item| item.width(ui) + spacing);
        free = room - (widths.sum::<f32>() - spacing);
        if free >= 0.0 {
            break;
        }
    }
    if free >= 0.0 {
        for item in shown {
            item.show(ui, free, output);
        }
        return;
    }
    // Scroll to the selected button whenever the selection or the width changes.
    let chosen = shown.iter().position(Item::is_chosen);
    let scrolled_to = Some((chosen, room.to_bits()));
    let id = ui.id().with("scrolled to");
    let before =
        ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id), scrolled_to));
    ui.style_mut().always_scroll_the_only_direction = true;
    let area = ScrollArea::horizontal().scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    area.show(ui, |ui| {
        for (index, item) in shown.into_iter().enumerate() {
            let place = item.show(ui, 0.0, output).rect;
            if before != scrolled_to && chosen == Some(index) {
                ui.scroll_to_rect_animation(place, None, ScrollAnimation::none());
            }
        }
    });
}

pub fn show_bar(ui: &mut Ui, rect: Rect, id: &str, contents: impl FnOnce(&mut Ui)) {
    let inside = UiBuilder::new().max_rect(rect.shrink2(vec2(SIDE_MARGIN, 0.0)));
    let layout = Layout::left_to_right(Align::Center);
    let mut row = ui.new_child(inside.layout(layout).id_salt(id));
    row.set_clip_rect(rect.intersect(ui.clip_rect()));
    row.painter().rect_filled(rect, 0.0, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    row.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, edge);
    row.spacing_mut().interact_size.y = theme::BUTTON;
    row.spacing_mut().button_padding.y = 2.0;
    contents(&mut row);
}
