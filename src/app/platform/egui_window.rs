//! Connects egui to the window: passes input events to egui, runs layouts and draws them.

use super::IS_PAGE;
use super::input_events::InputEvent;
use crate::app::platform;
use egui::Context;
use egui_miniquad::EguiMq;
use macroquad::input::is_key_down;
use macroquad::miniquad::{KeyCode, RenderingBackend};

/// The value that the window library reports for one step of the mouse wheel.
pub const WHEEL_STEP: f32 = if IS_PAGE {
    30.0
} else if cfg!(target_os = "linux") {
    1.0
} else {
    90.0
};

/// A surface on which the application lays out its interface: the window, or a substitute in tests without a display.
pub trait Screen {
    /// Returns the number of pixels per point, not counting the interface scale that the user chose.
    fn scale(&self) -> f32;

    fn holds_shift(&self) -> bool;

    /// Passes the events to egui and lays out the interface, again without events if `layout` asks to discard it.
    fn lay_out(&mut self, events: &[InputEvent], layout: impl FnMut(&Context));
}

/// Starts egui. The window must already be open.
pub fn start() -> EguiMq {
    EguiMq::new(graphics())
}

fn pass_on(egui: &mut EguiMq, event: InputEvent) {
    match event {
        InputEvent::PointerMoved { x, y } => egui.mouse_motion_event(x, y),
        InputEvent::Wheel { x, y } => {
            egui.mouse_wheel_event(x / WHEEL_STEP, y / WHEEL_STEP);
        }
        InputEvent::Button {
            button,
            is_down,
            x,
            y,
        } => {
            if is_down {
                egui.mouse_button_down_event(button, x, y);
            } else {
                egui.mouse_button_up_event(button, x, y);
            }
        }
        InputEvent::KeyDown { key, held, .. } => egui.key_down_event(key, held),
        InputEvent::KeyUp { key, held } => egui.key_up_event(key, held),
        InputEvent::Character { letter, held, .. } => {
            // egui's miniquad binding learns about modifier keys only from key events, and drops characters typed
            // with Ctrl. Releasing an unknown key has no effect other than updating the modifiers.
            egui.key_up_event(KeyCode::Unknown, held);
            egui.char_event(letter);
        }
    }
}

#[allow(unsafe_code)]
pub fn draw(egui: &mut EguiMq) {
    // SAFETY: called on the only thread with the GL context, while no other borrow of it is alive.
    unsafe { macroquad::window::get_internal_gl() }.flush();
    egui.draw(graphics());
}

impl Screen for EguiMq {
    fn scale(&self) -> f32 {
        platform::scale()
    }

    fn holds_shift(&self) -> bool {
        is_key_down(KeyCode::LeftShift) || is_key_down(KeyCode::RightShift)
    }

    fn lay_out(&mut self, events: &[InputEvent], mut layout: impl FnMut(&Context)) {
        for event in events {
            pass_on(self, *event);
        }
        self.run(graphics(), |_, ctx| layout(ctx));
    }
}

#[allow(unsafe_code)]
fn graphics() -> &'static mut dyn RenderingBackend {
    // SAFETY: called on the only thread with the GL context. Each borrow ends before the next call.
    unsafe { macroquad::window::get_internal_gl() }.quad_context
}
