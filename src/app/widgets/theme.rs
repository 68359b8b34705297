//! Colours, fonts and sizes. Red means that a task ran, amber warns, teal selects; nothing else does.

use crate::app::platform::IS_PAGE;
use egui::{Color32, Context, FontId, Stroke, Style, Visuals};

/// Behind everything.
pub const FLOOR: Color32 = Color32::from_rgb(0x15, 0x17, 0x1c);
/// Bars and panels.
pub const BAR: Color32 = Color32::from_rgb(0x1a, 0x1d, 0x23);
/// Buttons and keycaps.
pub const RAISED: Color32 = Color32::from_rgb(0x25, 0x2a, 0x32);
/// The same under the pointer.
pub const HOVER: Color32 = Color32::from_rgb(0x2e, 0x34, 0x3e);
/// Sunken: number fields, the ground of plots.
pub const WELL: Color32 = Color32::from_rgb(0x12, 0x14, 0x19);
/// Dividers and grid lines.
pub const LINE: Color32 = Color32::from_rgb(0x2a, 0x2f, 0x38);
/// Figures and headings.
pub const BRIGHT: Color32 = Color32::from_rgb(0xf0, 0xf1, 0xf3);
/// Labels.
pub const TEXT: Color32 = Color32::from_rgb(0xc3, 0xc8, 0xd0);
/// What is said by the way.
pub const DIM: Color32 = Color32::from_rgb(0x94, 0x9c, 0xa8);
/// Chosen.
pub const TEAL: Color32 = Color32::from_rgb(0x2e, 0xc4, 0xb6);
/// Behind what is chosen.
pub const TEAL_GROUND: Color32 = Color32::from_rgb(0x1f, 0x3a, 0x3c);
/// A task ran.
pub const RED: Color32 = Color32::from_rgb(0xff, 0x44, 0x38);
/// Something is wrong.
pub const AMBER: Color32 = Color32::from_rgb(0xff, 0xb3, 0x47);
/// A frame's time in tasks.
pub const TASKS: Color32 = Color32::from_rgb(0xc9, 0x47, 0x3d);
/// A frame's time in scheduling.
pub const SCHEDULING: Color32 = Color32::from_rgb(0xb9, 0xa6, 0xe6);
/// A frame's time in drawing.
pub const DRAWING: Color32 = Color32::from_rgb(0x4d, 0x70, 0x93);
/// The share of those who look at the wrong place.
pub const WRONG: Color32 = Color32::from_rgb(0xa9, 0xa3, 0x86);
/// A frame's tick.
pub const FRAME: Color32 = Color32::from_rgb(0x7b, 0xa3, 0xcc);
/// A frame's time in waiting.
pub const WAITING: Color32 = Color32::from_rgb(0x26, 0x2b, 0x33);

/// A frame by its number of updates: none, one, two, and more.
pub const UPDATES: [Color32; 4] = [LINE, DRAWING, FRAME, Color32::from_rgb(0xb9, 0xd4, 0xf0)];
/// Behind a card that is chosen.
pub const CHOSEN_CARD: Color32 = Color32::from_rgb(0x1b, 0x26, 0x29);

/// A capsule whose task ran just now, one that cools, one that rests, and a stale one.
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

/// Text of so many points.
pub fn text(points: f32) -> FontId {
    FontId::proportional(points)
}

/// Figures of so many points.
pub fn mono(points: f32) -> FontId {
    FontId::monospace(points)
}

/// Dresses egui's own widgets (number fields, tooltips, scroll bars) like ours.
pub fn install(ctx: &Context) {
    let mut visuals = Visuals::dark();
    visuals.override_text_color = Some(TEXT);
    visuals.panel_fill = BAR;
    visuals.window_fill = BAR;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.extreme_bg_color = WELL;
    for (widget, ground) in [
        (&mut visuals.widgets.inactive, RAISED),
        (&mut visuals.widgets.hovered, HOVER),
        (&mut visuals.widgets.active, HOVER),
        (&mut visuals.widgets.open, RAISED),
    ] {
        widget.weak_bg_fill = ground;
        widget.bg_fill = ground;
        widget.bg_stroke = Stroke::NONE;
        widget.corner_radius = RADIUS.into();
    }
    visuals.selection.bg_fill = TEAL_GROUND;
    visuals.selection.stroke = Stroke::new(1.0, TEAL);
    // Keys of our own do that.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.set_style(Style {
        visuals,
        animation_time: 0.0,
        ..Style::default()
    });
    if IS_PAGE {
        // A press and its release are noticed in two pictures, however short they were: without a graphics card, and
        // with other pages beside it, a second may lie between them.
        ctx.options_mut(|options| options.input_options.max_click_duration = 3.0);
    }
    if cfg!(target_os = "linux") {
        // The bindings divide the wheel's turns by 90, which suits other platforms' units but not X11's.
        ctx.options_mut(|options| options.line_scroll_speed *= 90.0);
    }
}
