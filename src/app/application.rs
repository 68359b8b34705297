//! Turns input into commands, applies them, lays out the interface and draws the capsules.
//!
//! All input of a frame goes to one layout. A key of this frame is a hotkey only if the control that had keyboard focus
//! before the layout and the one that has it afterwards both leave the key alone.

use super::input::bindings::{BINDINGS, command_of};
use super::input::keys::{Focus, Press, presses_in};
use super::input::output::{Control, UiOutput};
use super::platform::egui_window::Screen;
use super::platform::input_events::InputEvent;
use super::state::State;
use super::state::command::Command;
use super::views::Views;
use super::views::layout::fits_knobs;
use super::widgets::tooltip;
use egui::{CentralPanel, Context, Frame};
use lab::cli::{View, WindowOptions};

pub struct App {
    /// Only commands change the state; layout and drawing only read it.
    pub state: State,
    views: Views,
    focus: Focus,
    /// The controls of the last layout, in pixels.
    pub(super) controls: Vec<Control>,
    /// The controls most recently written to the log.
    logged: Vec<Control>,
    /// The number of key events, mouse button events and wheel steps since the start.
    input_count: usize,
    pointer: (f32, f32),
    view: View,
    pixels_per_point: f32,
}

impl App {
    pub fn new(state: State, options: &WindowOptions) -> Self {
        Self {
            view: state.view,
            state,
            views: Views::new(options),
            focus: Focus::default(),
            controls: Vec::new(),
            logged: Vec::new(),
            input_count: 0,
            pointer: (0.0, 0.0),
            pixels_per_point: 1.0,
        }
    }

    /// Lays out the interface with these events, and again after a press, so that the next frame shows the effects.
    pub fn interface(&mut self, events: &[InputEvent], screen: &mut impl Screen) {
        let (scale, holds_shift) = (screen.scale(), screen.holds_shift());
        for event in events {
            self.input_count += usize::from(event.is_counted());
            if let InputEvent::PointerMoved { x, y } = *event {
                self.pointer = (x, y);
            }
        }
        let focus = self.focus;
        let presses = presses_in(events).into_iter();
        let mut hotkeys: Vec<(Press, Command)> = presses
            .filter(|press| !focus.takes(*press))
            .filter_map(|press| Some((press, command_of(&BINDINGS, press)?)))
            .collect();
        let shown = self.state.view;
        let mut leaves_view = hotkeys
            .iter()
            .any(|(_, command)| matches!(command, Command::View(view) if *view != shown));
        let mut has_press = events.iter().any(InputEvent::is_press);
        screen.lay_out(events, |ctx| {
            if std::mem::take(&mut leaves_view) {
                // A value that is being typed must be committed before its text field disappears.
                focus.release(ctx);
            }
            // egui learns about Shift only from other keys, but it also matters for clicks and the wheel.
            ctx.input_mut(|input| input.modifiers.shift |= holds_shift);
            let mut commands = self.lay_out(ctx, scale);
            // Drop hotkeys that belong to a control to which this layout has given the focus.
            let hotkeys = hotkeys.drain(..);
            commands.extend(
                hotkeys
                    .filter(|(press, _)| !self.focus.takes(*press))
                    .map(|(_, command)| command),
            );
            if std::mem::take(&mut has_press) {
                ctx.request_discard("the frame shows the effects of its input");
            }
            for command in commands {
                self.state.apply(command);
            }
        });
        self.log_frame();
    }

    /// Lays out the interface once. Returns the commands that its controls produce.
    fn lay_out(&mut self, ctx: &Context, scale: f32) -> Vec<Command> {
        // egui applies a new scale only from the next layout on, so this layout still has the old one.
        self.pixels_per_point = ctx.pixels_per_point();
        ctx.set_pixels_per_point(scale * self.state.interface.scale);
        let last_view = std::mem::replace(&mut self.view, self.state.view);
        if last_view != self.state.view || self.state.interface.help {
            ctx.memory_mut(egui::Memory::close_popup);
        }
        let mut output = UiOutput {
            list_was_open: ctx.memory(egui::Memory::any_popup_open),
            ..UiOutput::default()
        };
        let panel = CentralPanel::default().frame(Frame::NONE);
        panel.show(ctx, |ui| {
            let width = ui.max_rect().width();
            self.state.interface.has_room_for_knobs = fits_knobs(width);
            self.views.show(ui, &self.state, &mut output);
        });
        if !output.list_is_open {
            // egui remembers an open list even after its panel is hidden, and the list would consume the Escape key.
            ctx.memory_mut(egui::Memory::close_popup);
        }
        tooltip::show(ctx);
        self.focus = Focus::of(ctx, &output);
        if let Some(complaint) = output.complaint {
            self.state.report_rejected_input(complaint);
        }
        self.controls = output.controls;
        for control in &mut self.controls {
            control.rect = control.rect * self.pixels_per_point;
        }
        output.commands
    }

    /// Draws the capsules. Call before the interface is drawn, because the interface goes on top.
    pub fn paint_capsules(&mut self) -> Result<(), String> {
        let scale = self.pixels_per_point;
        let changed = self.state.take_changed_slots();
        self.views.paint_capsules(&self.state, &changed, scale)
    }

    /// Logs that a frame has been laid out, and controls that changed. Scripts that drive the program wait for these.
    fn log_frame(&mut self) {
        if self.controls != self.logged {
            for Control { name, rect } in &self.controls {
                let (min, size) = (rect.min, rect.size());
                self.state.note(format_args!(
                    "control {name} {:.0} {:.0} {:.0} {:.0}",
                    min.x, min.y, size.x, size.y
                ));
            }
            self.logged.clone_from(&self.controls);
        }
        let (count, (x, y)) = (self.input_count, self.pointer);
        let what = format_args!("picture input {count} pointer {x:.0} {y:.0}");
        self.state.log(what);
    }
}
