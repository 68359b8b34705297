//! The colours, fonts and sizes of the interface. Red is for task runs, amber for warnings, teal for selected items.

use crate::app::platform::IS_PAGE;
use egui::style::HandleShape;
use egui::{Color32, Context, FontId, Frame, Stroke, Style, TextStyle, Ui, Visuals, vec2};
use std::num::NonZeroUsize;

/// The background colour of the window.
pub const FLOOR: Color32 = Color32::from_rgb(0x15, 0x17, 0x1c);
/// The background colour of bars and panels.
pub const BAR: Color32 = Color32::from_rgb(0x1a, 0x1d, 0x23);
/// The background colour of buttons and keycaps.
pub const RAISED: Color32 = Color32::from_rgb(0x25, 0x2a, 0x32);
/// The background colour of buttons under the mouse pointer.
pub const HOVER: Color32 = Color32::from_rgb(0x2e, 0x34, 0x3e);
/// The background colour of number fields and plots.
pub const WELL: Color32 = Color32::from_rgb(0x12, 0x14, 0x19);
/// The colour of dividers and grid lines.
pub const LINE: Color32 = Color32::from_rgb(0x2a, 0x2f, 0x38);
/// The text colour of values and headings.
pub const BRIGHT: Color32 = Color32::from_rgb(0xf0, 0xf1, 0xf3);
/// The text colour of labels.
pub const TEXT: Color32 = Color32::from_rgb(0xc3, 0xc8, 0xd0);
/// The colour of secondary text.
pub const DIM: Color32 = Color32::from_rgb(0x94, 0x9c, 0xa8);
/// The colour of selected items.
pub const TEAL: Color32 = Color32::from_rgb(0x2e, 0xc4, 0xb6);
/// The background colour of selected items.
pub const TEAL_GROUND: Color32 = Color32::from_rgb(0x1f, 0x3a, 0x3c);
/// The colour of task runs, which is used for nothing else.
pub const RED: Color32 = Color32::from_rgb(0xff, 0x44, 0x38);
pub const AMBER: Color32 = Color32::from_rgb(0xff, 0xb3, 0x47);
/// The colour of slider handles.
pub const HANDLE: Color32 = Color32::from_rgb(0xe9, 0xe6, 0xdf);
/// The chart colour for the time that a frame spends on tasks.
pub const TASKS: Color32 = Color32::from_rgb(0xc9, 0x47, 0x3d);
/// The chart colour for the time that a frame spends on scheduling.
pub const SCHEDULING: Color32 = Color32::from_rgb(0xb9, 0xa6, 0xe6);
/// The chart colour for the time that a frame spends on drawing.
pub const DRAWING: Color32 = Color32::from_rgb(0x4d, 0x70, 0x93);
/// The chart colour for the fraction of entities that do not face the target.
pub const WRONG: Color32 = Color32::from_rgb(0xa9, 0xa3, 0x86);
/// The colour of tick marks that stand for frames.
pub const FRAME: Color32 = Color32::from_rgb(0x7b, 0xa3, 0xcc);
/// The chart colour for the time that a frame spends waiting.
pub const WAITING: Color32 = Color32::from_rgb(0x26, 0x2b, 0x33);

/// The colours of frames with zero, one, two, and more than two updates.
pub const UPDATES: [Color32; 4] = [LINE, DRAWING, FRAME, Color32::from_rgb(0xb9, 0xd4, 0xf0)];
/// The background colour of a selected row.
pub const CHOSEN_ROW: Color32 = Color32::from_rgb(0x1b, 0x26, 0x29);

/// The corner radius of buttons and fields, in points.
pub const RADIUS: u8 = 6;
/// The default height of a button, in points.
pub const BUTTON: f32 = 28.0;

pub fn warning_or(is_warning: bool, ink: Color32) -> Color32 {
    if is_warning { AMBER } else { ink }
}

pub fn text(points: f32) -> FontId {
    FontId::proportional(points)
}

pub fn mono(points: f32) -> FontId {
    FontId::monospace(points)
}

/// Returns the frame of a card that covers a part of the window.
pub fn card_frame() -> Frame {
    Frame::NONE
        .fill(BAR)
        .stroke((1.0, LINE))
        .corner_radius(RADIUS)
}

pub fn install(ctx: &Context) {
    // The program has its own zoom shortcuts.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    // Allow three passes: one handles the input, one shows its effects, and one lets egui place a new card.
    ctx.options_mut(|options| options.max_passes = NonZeroUsize::MIN.saturating_add(2));
    ctx.set_style(style());
    if IS_PAGE {
        // A press and its release arrive in different frames. Without a GPU, these may be a second apart.
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
    // Turn off egui's own tooltips, because [`super::tooltip`] shows them.
    style.interaction.tooltip_delay = f32::INFINITY;
    style.interaction.selectable_labels = false;
    style.spacing.item_spacing = vec2(8.0, 6.0);
    style.spacing.button_padding = vec2(8.0, 4.0);
    style.spacing.interact_size.y = 24.0;
    style.spacing.slider_rail_height = 3.0;
    // By default, egui hides the scroll bar of an area unless the pointer is over the area.
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
    // This style applies while a widget is pressed or has the keyboard focus.
    visuals.widgets.active.bg_stroke = Stroke::new(1.0, TEAL);
    visuals.selection.bg_fill = TEAL_GROUND;
    visuals.selection.stroke = Stroke::new(1.0, TEAL);
    visuals
}

/// Makes sliders fill the width. A thick outline colours the whole handle, because egui fills the handle like the rail.
pub fn style_slider(ui: &mut Ui) {
    const HEIGHT: f32 = 15.0;
    /// The radius of a slider's handle. Must match the radius that egui computes from the height of the slider.
    const HANDLE_RADIUS: f32 = HEIGHT / 2.5;
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
        widget.fg_stroke = Stroke::new(HANDLE_RADIUS + expansion, ink);
        widget.corner_radius = ((HANDLE_RADIUS + expansion) as u8).into();
    }
}
