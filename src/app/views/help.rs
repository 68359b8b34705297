//! The help overlay, which lists the keyboard shortcuts and the mouse actions.

use crate::app::input::bindings::{BINDINGS, rows};
use crate::app::input::output::UiOutput;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::key;
use crate::app::widgets::theme::{self, DIM};
use egui::{
    Color32, Frame, Grid, Id, Label, Margin, Modal, Rect, Response, RichText, ScrollArea, Sense,
    Ui, UiBuilder, Vec2, WidgetInfo, WidgetType, vec2,
};

const ROW_HEIGHT: f32 = 17.0;
const MARGIN: Margin = Margin {
    left: 24,
    right: 24,
    top: 17,
    bottom: 20,
};
const WINDOW_MARGIN: f32 = 4.0;
const TABLE_COLUMN_GAP: f32 = 16.0;
const KEY_COLUMN_WIDTH: f32 = 117.0;
const MOUSE_COLUMN_WIDTH: f32 = 54.0;
const COLUMN_GAP: f32 = 30.0;

const MOUSE: [(&str, &str); 8] = [
    ("pointer", "moves the target while it is over the capsules"),
    (
        "drag",
        "requests runs, if the strategy responds to requests",
    ),
    ("click", "pins a capsule and shows it in the timeline"),
    ("", "pins the target if you click it or the empty floor"),
    ("wheel", "scrolls the timeline, and lists that do not fit"),
    ("click", "shows a frame of the plots or the timeline"),
    (
        "value",
        "drag to change it, or click and type; its arrow resets it",
    ),
    ("file", "drop the costs or frame times of your own game"),
];

/// Shows the help on top of the whole window. Nothing below the help can be clicked, and a click anywhere hides it.
pub fn show(ui: &Ui, screen: Rect, output: &mut UiOutput) {
    let modal = Modal::new(Id::new("help"))
        .backdrop_color(theme::FLOOR.gamma_multiply(0.75))
        .frame(Frame::NONE);
    let shown = modal.show(ui.ctx(), |ui| card(ui, screen));
    if shown.backdrop_response.clicked() || shown.inner.clicked() {
        output.give(Command::Help);
    }
}

fn card(ui: &mut Ui, screen: Rect) -> Response {
    let frame = theme::card_frame().corner_radius(8);
    let builder = UiBuilder::new().sense(Sense::CLICK);
    let card = ui.scope_builder(builder, |ui| {
        frame.show(ui, |ui| {
            // egui remembers the card's size, but the window may have grown since.
            let room = screen.size() - Vec2::splat(2.0 * WINDOW_MARGIN);
            ui.set_max_size(room.max(Vec2::ZERO));
            ui.visuals_mut().clip_rect_margin = 0.0; // text scrolled out must not reach over the edge
            ScrollArea::both().show(ui, |ui| {
                let content = Frame::NONE.inner_margin(MARGIN);
                content.show(ui, columns);
            });
        });
    });
    card.response
}

fn columns(ui: &mut Ui) {
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    ui.spacing_mut().interact_size.y = ROW_HEIGHT;
    ui.horizontal_top(|ui| {
        ui.vertical(keys);
        ui.add_space(COLUMN_GAP);
        ui.vertical(mouse);
    });
}

fn keys(ui: &mut Ui) {
    titled_table(ui, "Keys", KEY_COLUMN_WIDTH, |ui| {
        for (caps, help) in rows(&BINDINGS) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                for cap in caps {
                    if cap == "to" {
                        text(ui, cap, DIM);
                    } else {
                        let response = key(ui, cap);
                        response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, cap));
                    }
                }
            });
            text(ui, help, theme::TEXT);
            ui.end_row();
        }
    });
}

fn mouse(ui: &mut Ui) {
    titled_table(ui, "Mouse", MOUSE_COLUMN_WIDTH, |ui| {
        for (what, help) in MOUSE {
            text(ui, what, DIM);
            text(ui, help, theme::TEXT);
            ui.end_row();
        }
    });
}

fn titled_table(ui: &mut Ui, title: &str, first_column: f32, rows: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let title = RichText::new(title).font(theme::text(16.0));
        ui.add(Label::new(title.color(theme::BRIGHT)).extend());
    });
    ui.add_space(6.0);
    let grid = Grid::new(title)
        .min_col_width(first_column)
        .min_row_height(ROW_HEIGHT)
        .spacing(vec2(TABLE_COLUMN_GAP, 0.0));
    grid.show(ui, rows);
}

fn text(ui: &mut Ui, words: &str, ink: Color32) {
    let words = RichText::new(words).font(theme::text(13.0)).color(ink);
    ui.add(Label::new(words).extend());
}
