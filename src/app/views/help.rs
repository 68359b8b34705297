//! The help overlay, which lists the keyboard shortcuts, the mouse actions and the meaning of every icon.

use crate::app::crowd::ramps::STALENESS;
use crate::app::input::bindings::{bindings, rows};
use crate::app::input::output::UiOutput;
use crate::app::plots::FRAME_PARTS;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{key, line_job};
use crate::app::widgets::theme::{self, AMBER, BRIGHT, DIM, SHADES, TEAL};
use egui::{
    Color32, Frame, Grid, Id, Label, Margin, Modal, Rect, Response, RichText, ScrollArea, Sense,
    Stroke, Ui, UiBuilder, Vec2, WidgetInfo, WidgetType, vec2,
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
const ICON_COLUMN_WIDTH: f32 = 54.0;
const COLUMN_GAP: f32 = 30.0;
const SECTION_GAP: f32 = 18.0;

const MOUSE: [(&str, &str); 9] = [
    ("pointer", "moves the target while it is over the capsules"),
    ("drag", "requests runs, if the strategy is on request"),
    ("click", "pins a capsule and shows it in the timeline"),
    ("", "pins the target if you click it or the empty floor"),
    ("wheel", "scrolls the timeline, and lists that do not fit"),
    ("click", "shows a frame of the plots or the timeline"),
    ("slider", "drag to change it; its arrow resets it"),
    ("value", "drag to change it, or click and type"),
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
    let frame = Frame::NONE
        .fill(theme::BAR)
        .stroke(Stroke::new(1.0, theme::LINE))
        .corner_radius(8);
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
        ui.vertical(mouse_and_icons);
    });
}

fn keys(ui: &mut Ui) {
    titled_table(ui, "Keys", KEY_COLUMN_WIDTH, |ui| {
        for (caps, help) in rows(bindings()) {
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

fn mouse_and_icons(ui: &mut Ui) {
    titled_table(ui, "Mouse", ICON_COLUMN_WIDTH, |ui| {
        for (what, help) in MOUSE {
            text(ui, what, DIM);
            text(ui, help, theme::TEXT);
            ui.end_row();
        }
    });
    ui.add_space(SECTION_GAP);
    titled_table(ui, "Icons", ICON_COLUMN_WIDTH, icons);
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

/// Shows the icons, which consist of a sign in each of some colours, and their meaning.
fn icons(ui: &mut Ui) {
    let parts = FRAME_PARTS.map(|(_, ink, _)| ink);
    let icons: [(&str, &[Color32], &str); 11] = [
        ("●", &SHADES, "capsule: just ran, fading, idle, stale"),
        (
            "■",
            &STALENESS,
            "last run of an entity: now to 10 s ago or more",
        ),
        (
            "◑",
            &[SHADES[2]],
            "visor, which faces what its last run saw",
        ),
        ("◉", &[TEAL], "target that all capsules watch"),
        ("▯", &[TEAL], "capsule that is pinned or under the pointer"),
        ("▯", &[BRIGHT], "capsule that ran in the selected frame"),
        (
            "|",
            &[TEAL],
            "setting change (resets metrics) or disturbance",
        ),
        ("|", &[BRIGHT], "disturbance, in Compare and Loops"),
        (
            "●",
            &[theme::HANDLE],
            "best setting of a strategy, in Compare",
        ),
        ("▲", &[AMBER], "warning, or a frame with too many tasks"),
        ("■", &parts, "frame: tasks, scheduling, drawing, waiting"),
    ];
    for (sign, inks, meaning) in icons {
        let signs = inks.iter().map(|ink| (sign, true, *ink));
        ui.label(line_job(&signs.collect::<Vec<_>>(), 14.0));
        text(ui, meaning, theme::TEXT);
        ui.end_row();
    }
}
