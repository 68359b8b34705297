//! Colours, fonts and sizes. Red is only for runs, amber only for warnings, teal only for selection.

use crate::app::platform::IS_PAGE;
use egui::style::HandleShape;
use egui::{Color32, Context, FontId, Stroke, Style, TextStyle, Ui, Visuals, vec2};

/// Background of the window.
pub const FLOOR: Color32 = Color32::from_rgb(0x15, 0x17, 0x1c);
/// Bars and panels.
pub const BAR: Color32 = Color32::from_rgb(0x1a, 0x1d, 0x23);
/// Buttons and keycaps.
pub const RAISED: Color32 = Color32::from_rgb(0x25, 0x2a, 0x32);
/// Buttons under the pointer.
pub const HOVER: Color32 = Color32::from_rgb(0x2e, 0x34, 0x3e);
/// Number fields and the background of plots.
pub const WELL: Color32 = Color32::from_rgb(0x12, 0x14, 0x19);
/// Dividers and grid lines.
pub const LINE: Color32 = Color32::from_rgb(0x2a, 0x2f, 0x38);
/// Figures and headings.
pub const BRIGHT: Color32 = Color32::from_rgb(0xf0, 0xf1, 0xf3);
/// Labels.
pub const TEXT: Color32 = Color32::from_rgb(0xc3, 0xc8, 0xd0);
/// Secondary text.
pub const DIM: Color32 = Color32::from_rgb(0x94, 0x9c, 0xa8);
/// Selected.
pub const TEAL: Color32 = Color32::from_rgb(0x2e, 0xc4, 0xb6);
/// Background of a selected item.
pub const TEAL_GROUND: Color32 = Color32::from_rgb(0x1f, 0x3a, 0x3c);
/// A task ran.
pub const RED: Color32 = Color32::from_rgb(0xff, 0x44, 0x38);
/// Something is wrong.
pub const AMBER: Color32 = Color32::from_rgb(0xff, 0xb3, 0x47);
/// The handle of a slider.
pub const HANDLE: Color32 = Color32::from_rgb(0xe9, 0xe6, 0xdf);
/// Time that a frame spent on tasks.
pub const TASKS: Color32 = Color32::from_rgb(0xc9, 0x47, 0x3d);
/// Time that a frame spent on scheduling.
pub const SCHEDULING: Color32 = Color32::from_rgb(0xb9, 0xa6, 0xe6);
/// Time that a frame spent on drawing.
pub const DRAWING: Color32 = Color32::from_rgb(0x4d, 0x70, 0x93);
/// Share of entities that look at the wrong place.
pub const WRONG: Color32 = Color32::from_rgb(0xa9, 0xa3, 0x86);
/// A frame's tick.
pub const FRAME: Color32 = Color32::from_rgb(0x7b, 0xa3, 0xcc);
/// Time that a frame spent waiting.
pub const WAITING: Color32 = Color32::from_rgb(0x26, 0x2b, 0x33);

/// Colours of a frame by its number of updates: zero, one, two, more.
pub const UPDATES: [Color32; 4] = [LINE, DRAWING, FRAME, Color32::from_rgb(0xb9, 0xd4, 0xf0)];
/// Background of a selected row.
pub const CHOSEN_ROW: Color32 = Color32::from_rgb(0x1b, 0x26, 0x29);

/// Colours of capsules that just ran, fade, are idle and are stale.
pub const SHADES: [Color32; 4] = [
    RED,
    Color32::from_rgb(0xf0, 0x8c, 0x84),
    Color32::from_rgb(0xe9, 0xe6, 0xdf),
    Color32::from_rgb(0x8c, 0x8f, 0x98),
];

/// Corners of buttons and fields.
pub const RADIUS: u8 = 6;
/// Height of buttons.
pub const BUTTON: f32 = 28.0;

pub fn text(points: f32) -> FontId {
    FontId::proportional(points)
}

pub fn mono(points: f32) -> FontId {
    FontId::monospace(points)
}

pub fn install(ctx: &Context) {
    // The program has its own zoom keys.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.set_style(style());
    if IS_PAGE {
        // A press and its release arrive in different pictures, which may be a second apart without a graphics card.
        ctx.options_mut(|options| options.input_options.max_click_duration = 3.0);
    }
}

pub fn style() -> Style {
    let mut style = Style {
        visuals: visuals(),
        animation_time: 0.0,
        drag_value_text_style: TextStyle::Monospace,
        ..Style::default()
    };
    for (name, font) in [
        (TextStyle::Small, text(11.0)),
        (TextStyle::Body, text(12.5)),
        (TextStyle::Button, text(12.5)),
        (TextStyle::Heading, text(13.5)),
        (TextStyle::Monospace, mono(12.0)),
    ] {
        style.text_styles.insert(name, font);
    }
    // Turns off egui's own tooltips: [`super::tooltip`] shows all.
    style.interaction.tooltip_delay = f32::INFINITY;
    style.spacing.item_spacing = vec2(8.0, 6.0);
    style.spacing.button_padding = vec2(8.0, 4.0);
    style.spacing.interact_size.y = 24.0;
    style.spacing.slider_rail_height = 3.0;
    // egui hides the bar of a part that scrolls unless the pointer is over the part.
    style.spacing.scroll.dormant_handle_opacity = 0.4;
    style.spacing.scroll.floating_width = 4.0;
    style
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.override_text_color = Some(TEXT);
    visuals.panel_fill = BAR;
    visuals.window_fill = BAR;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.extreme_bg_color = WELL;
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
    for (widget, ground) in [
        (&mut visuals.widgets.inactive, RAISED),
        (&mut visuals.widgets.hovered, HOVER),
        (&mut visuals.widgets.active, HOVER),
        (&mut visuals.widgets.open, RAISED),
    ] {
        widget.weak_bg_fill = ground;
        widget.bg_fill = ground;
        widget.bg_stroke = Stroke::NONE;
        widget.expansion = 0.0;
        widget.corner_radius = RADIUS.into();
    }
    // Pressed, or focused by keyboard.
    visuals.widgets.active.bg_stroke = Stroke::new(1.0, TEAL);
    visuals.selection.bg_fill = TEAL_GROUND;
    visuals.selection.stroke = Stroke::new(1.0, TEAL);
    visuals
}

/// Sets the style of a slider that fills the width. egui fills the handle with the rail's colour, so the light handle
/// consists of an outline as wide as its radius.
pub fn style_slider(ui: &mut Ui) {
    const HEIGHT: f32 = 15.0;
    /// egui's radius of the handle.
    const RADIUS: f32 = HEIGHT / 2.5;
    ui.spacing_mut().interact_size.y = HEIGHT;
    ui.spacing_mut().slider_width = ui.available_width();
    let visuals = ui.visuals_mut();
    visuals.handle_shape = HandleShape::Rect { aspect_ratio: 1.0 };
    visuals.selection.bg_fill = DIM.gamma_multiply(0.7);
    let widgets = &mut visuals.widgets;
    for (widget, ink, expansion) in [
        (&mut widgets.inactive, HANDLE, 0.0),
        (&mut widgets.hovered, HANDLE, 1.0),
        (&mut widgets.active, TEAL, 1.0),
    ] {
        widget.bg_fill = HOVER;
        widget.expansion = expansion;
        widget.fg_stroke = Stroke::new(RADIUS + expansion, ink);
        widget.corner_radius = ((RADIUS + expansion) as u8).into();
    }
}
