//! Buttons that send a command, and the bars at the top of the window that contain such buttons.

use crate::app::input::output::UiOutput;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::KeyButton;
use crate::app::widgets::theme;
use egui::scroll_area::{ScrollArea, ScrollBarVisibility};
use egui::style::ScrollAnimation;
use egui::{Align, Layout, Painter, Rect, Response, Sense, Stroke, Ui, UiBuilder, vec2};

const SIDE_MARGIN: f32 = 12.0;

pub struct CommandButton<'a> {
    pub log_name: String,
    pub button: KeyButton<'a>,
    /// `None` if the button is on already, so that a click has no effect.
    pub command: Option<Command>,
    pub tip: String,
}

impl CommandButton<'_> {
    pub fn show(self, ui: &mut Ui, output: &mut UiOutput) -> Response {
        let response = self.button.show(ui);
        output.control(&response, self.log_name, self.tip);
        if response.clicked() {
            output.commands.extend(self.command);
        }
        response
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
            Self::Button(button) => button.button.width(ui),
            Self::Icon(width, _) => *width,
            Self::Space => 0.0,
        }
    }

    fn is_chosen(&self) -> bool {
        matches!(self, Self::Button(button) if button.button.selected)
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

/// Shows the items at the first of the `levels` of detail that fits, or else at the last one, and they can be scrolled.
pub fn show_items<D>(
    ui: &mut Ui,
    levels: &[D],
    items: impl Fn(&D) -> Vec<Item>,
    output: &mut UiOutput,
) {
    let (spacing, room) = (ui.spacing().item_spacing.x, ui.available_width());
    let mut shown = Vec::new();
    let mut free = 0.0;
    for level in levels {
        shown = items(level);
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
