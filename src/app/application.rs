//! Turns input into commands, applies them, lays out the interface and draws the capsules.
//!
//! Each rendered frame reflects all input that arrived before it. To achieve this, the interface may be laid out
//! several times per frame.

use super::input::batches::{moves_focus, split};
use super::input::bindings::{bindings, command_of};
use super::input::keys::{Focus, Keys};
use super::input::output::{Control, UiOutput};
use super::platform::egui_window::Screen;
use super::platform::input_events::InputEvent;
use super::platform::screen::read_screen;
use super::state::State;
use super::state::command::Command;
use super::state::view::View;
use super::views::layout::fits_knobs;
use super::views::{UiContext, Views};
use super::widgets::tooltip;
use egui::{CentralPanel, Context, Frame};
use headless::io::cli::WindowOptions;
use timeslicer::time::monotonic;

pub struct App {
    /// Only commands change the state; layout and drawing only read it.
    pub state: State,
    views: Views,
    keys: Keys,
    focus: Focus,
    pub(super) controls: Vec<Control>,
    /// The controls most recently written to the log, and the number of pixels per point at that time.
    logged: (Vec<Control>, f32),
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
            keys: Keys::default(),
            focus: Focus::default(),
            controls: Vec::new(),
            logged: (Vec::new(), 1.0),
            input_count: 0,
            pointer: (0.0, 0.0),
            pixels_per_point: 1.0,
        }
    }

    /// Handles input events and lays out the interface, so that the next rendered frame already shows the effects of
    /// the events.
    pub fn interface(&mut self, events: Vec<InputEvent>, screen: &mut impl Screen) {
        let scale = screen.scale();
        for event in &events {
            self.input_count += usize::from(event.is_counted());
            if let InputEvent::PointerMoved { x, y } = *event {
                self.pointer = (x, y);
            }
        }
        let mut batches = split(events);
        while let Some(events) = batches.pop_front() {
            let press = self.keys.read(&events);
            let hotkey = press.filter(|press| !self.focus.takes(*press));
            let command = hotkey.and_then(|press| command_of(bindings(), press));
            let shown = self.state.view;
            if command.is_some_and(|it| matches!(it, Command::View(view) if view != shown)) {
                // A value that is being typed must be committed before its text field disappears.
                screen.lay_out(&[], |ctx| {
                    self.focus.release(ctx);
                    self.lay_out(ctx, scale);
                    false
                });
            }
            // Lay out again after a command, because egui positions a new card, such as the help, only during its first
            // layout.
            let mut has_changed = command.is_some();
            if let Some(command) = command {
                self.state.apply(command);
            }
            let may_move_focus = events.iter().any(moves_focus);
            let is_last = batches.is_empty();
            let mut is_final = true;
            screen.lay_out(&events, |ctx| {
                has_changed |= self.lay_out(ctx, scale);
                // After a change, one more layout without events precedes the next batch, because a click must hit what
                // is then on screen. The same holds for keys that may move the focus, because egui moves it between two
                // layouts. The extra layout itself is not repeated: the next frame shows whatever it changes.
                is_final = events.is_empty() || !(has_changed || may_move_focus);
                is_final && is_last
            });
            if !is_final {
                batches.push_front(Vec::new());
            }
        }
        self.log_frame();
    }

    /// Lays out the interface once and applies the commands that its controls produce. Returns true if something has
    /// changed, so that the next layout will look different.
    fn lay_out(&mut self, ctx: &Context, scale: f32) -> bool {
        // egui applies a new scale only from the next layout on, so this layout still has the old one.
        self.pixels_per_point = ctx.pixels_per_point();
        ctx.set_pixels_per_point(scale * self.state.interface.scale.factor());
        let holds_shift = self.keys.holds_shift();
        ctx.input_mut(|input| input.modifiers.shift |= holds_shift);
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
            let interface = &mut self.state.interface;
            interface.set_room_for_knobs(fits_knobs(width));
            let context = UiContext {
                output: &mut output,
                covered: None,
            };
            self.views.show(ui, &self.state, context);
        });
        if !output.list_is_open {
            // egui remembers an open list even after its panel is hidden, and the list would consume the Escape key.
            ctx.memory_mut(egui::Memory::close_popup);
        }
        tooltip::show(ctx);
        let focus_has_changed = self.focus.follow(ctx, &output);
        // Pointing at the crowd does not count as a change, because the target follows the pointer only in the next
        // update.
        let mut commands = output.commands.iter();
        let has_changed = focus_has_changed || commands.any(|it| !matches!(it, Command::Point(_)));
        for note in output.notes {
            self.state.note(note);
        }
        if let Some(complaint) = output.complaint {
            self.state.report_rejected_input(complaint);
        }
        for command in output.commands {
            self.state.apply(command);
        }
        self.controls = output.controls;
        has_changed
    }

    /// Draws the capsules. Call before the interface is drawn, because the interface goes on top.
    pub fn paint_capsules(&mut self) -> Result<(), String> {
        let scale = self.pixels_per_point;
        let mut changed = self.state.take_changed_slots();
        self.views.paint_capsules(&self.state, &mut changed, scale)
    }

    /// Adds the rendered frame to the recording, if there is one. Draws the recording icon only afterwards, so that the
    /// recording does not contain the icon.
    pub fn record(&mut self) {
        let clock = monotonic();
        if let Some(time) = self.state.record(clock, read_screen) {
            self.views.draw_recording_icon(time, self.pixels_per_point);
        }
    }

    /// Logs that a frame has been laid out, and which input it includes. If a control has appeared, moved or
    /// disappeared, also logs the positions of all controls. Scripts that drive the program wait for these lines.
    fn log_frame(&mut self) {
        let scale = self.pixels_per_point;
        if (&self.controls, scale) != (&self.logged.0, self.logged.1) {
            for Control { name, rect } in &self.controls {
                let rect = *rect * scale;
                let (min, size) = (rect.min, rect.size());
                self.state.note(format_args!(
                    "control {name} {:.0} {:.0} {:.0} {:.0}",
                    min.x, min.y, size.x, size.y
                ));
            }
            self.logged = (self.controls.clone(), scale);
        }
        let (count, (x, y)) = (self.input_count, self.pointer);
        self.state.log_frame(count, x, y);
    }
}
