//! The application: lays out a picture, applies the user's commands and draws the capsules.
//!
//! Layout only reads the state. Input becomes `Command`s, which change the state; the next picture shows the change.

use super::input::bindings::{self, Binding};
use super::input::focus::Focus;
use super::input::keys::{Keys, Press};
use super::input::response::{Control, UiResponse};
use super::platform;
use super::platform::gl;
use super::platform::title::Title;
use super::state::State;
use super::state::command::Command;
use super::state::view::View;
use super::views::layout::fits_knobs;
use super::views::{UiContext, Views};
use super::widgets::tooltip;
use egui::{CentralPanel, Context, Event, Frame};
use headless::io::cli::WindowOptions;
use timeslice::time::monotonic;

/// The state and its picture.
pub struct App {
    /// The state, which only commands change.
    pub state: State,
    views: Views,
    bindings: Vec<Binding>,
    keys: Keys,
    focus: Focus,
    /// Controls of the last picture.
    controls: Vec<Control>,
    title: Title,
    /// View in the last picture.
    view: View,
    pixels_per_point: f32,
}

impl App {
    /// Shows `state`.
    ///
    /// # Errors
    /// If the graphics driver rejects the capsules' shader.
    pub fn new(state: State, options: &WindowOptions) -> Result<Self, String> {
        let clock_step = state.grid.lane.machine().resolution();
        Ok(Self {
            view: state.view,
            state,
            views: Views::new(options, clock_step)?,
            bindings: bindings::bindings(),
            keys: Keys::new(),
            focus: Focus::default(),
            controls: Vec::new(),
            title: Title::default(),
            pixels_per_point: 1.0,
        })
    }

    /// Lays out the interface and applies the commands given by keys and controls.
    pub fn interface(&mut self) {
        let mut answer = UiResponse {
            by_key: self.hotkeys(),
            ..UiResponse::default()
        };
        egui_macroquad::ui(|ctx| {
            // A new scale takes effect in the next picture.
            self.pixels_per_point = ctx.pixels_per_point();
            ctx.set_pixels_per_point(platform::scale() * self.state.interface.scale.factor());
            ignore_chords(ctx);
            let holds_shift = self.keys.holds_shift();
            ctx.input_mut(|input| input.modifiers.shift |= holds_shift);
            let last_view = std::mem::replace(&mut self.view, self.state.view);
            if last_view != self.state.view {
                ctx.memory_mut(egui::Memory::close_popup);
            }
            let panel = CentralPanel::default().frame(Frame::NONE);
            panel.show(ctx, |ui| {
                let width = ui.max_rect().width();
                let interface = &mut self.state.interface;
                interface.set_room_for_knobs(fits_knobs(width));
                let context = UiContext {
                    bindings: &self.bindings,
                    answer: &mut answer,
                    covered: None,
                };
                self.views.show(ui, &mut self.state, context);
            });
            if !answer.list_is_open {
                // A list stays open in egui's memory after its panel is hidden, and would take Escape.
                ctx.memory_mut(egui::Memory::close_popup);
            }
            tooltip::show(ctx);
            self.focus.follow(ctx, answer.typing);
        });
        for (press, command) in answer.by_key {
            let closes_list = answer.list_is_open && command == Command::Escape;
            if !self.focus.takes(press) && !closes_list {
                self.state.apply(command);
            }
        }
        for command in answer.commands {
            self.state.apply(command);
        }
        self.note_controls(answer.controls);
    }

    /// Draws the capsules. The interface is drawn over them.
    ///
    /// # Errors
    /// If the graphics driver fails.
    pub fn paint_capsules(&mut self) -> Result<(), String> {
        let scale = self.pixels_per_point;
        self.views.paint_capsules(&mut self.state, scale)
    }

    /// Records the complete picture, then draws the sign of the recording, so that no recorded picture contains it.
    pub fn record(&mut self) {
        let clock = monotonic();
        if let Some(time) = self.state.record(clock, gl::read_screen) {
            self.views.paint_recording_sign(time, self.pixels_per_point);
        }
    }

    /// Logs the resolution of the lane's clock.
    pub fn note_clock_step(&mut self) {
        if let Some(step) = self.state.grid.lane.machine().resolution() {
            self.state.note(format_args!("clock steps of {step} ms"));
        }
    }

    /// Shows the current settings in the window's title.
    pub fn follow_title(&mut self) {
        self.title.follow(&self.state.settings);
    }

    /// Sets whether the display limits the frame rate, whatever the frame loop wants.
    pub fn set_held_back(&mut self, held_back: bool) {
        self.views.grid.host.held_back = held_back;
    }

    /// Returns the commands of the pressed keys.
    fn hotkeys(&mut self) -> Vec<(Press, Command)> {
        let keys = self.keys.take().into_iter();
        keys.filter_map(|press| Some((press, bindings::command_of(&self.bindings, press)?)))
            .collect()
    }

    /// Logs the place of each control in pixels, for scripts that drive the program.
    fn note_controls(&mut self, controls: Vec<Control>) {
        if controls == self.controls {
            return;
        }
        for Control { name, rect } in &controls {
            let rect = *rect * self.pixels_per_point;
            let (min, size) = (rect.min, rect.size());
            self.state.note(format_args!(
                "control {name} {:.0} {:.0} {:.0} {:.0}",
                min.x, min.y, size.x, size.y
            ));
        }
        self.controls = controls;
    }
}

/// Ignores the text that the window library reports for a letter pressed with Ctrl.
fn ignore_chords(ctx: &Context) {
    ctx.input_mut(|input| {
        let is_chord = input.modifiers.command;
        input
            .events
            .retain(|event| !(is_chord && matches!(event, Event::Text(_))));
    });
}
