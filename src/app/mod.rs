//! The window: capsules, panels and plots over a lane on this computer.
//!
//! Each picture is made in the same order: the lane updates; the interface is laid out from the
//! `State` and input becomes `Command`s; these change the state; the capsules are
//! drawn, and the interface over them, which shows what a command did in the next picture.

pub mod capsules;
mod charts;
mod input;
mod panels;
mod platform;
mod state;
mod views;
mod widgets;

use crate::history::Lately;
use crate::io::cli::WindowOptions;
use crate::sim::settings::{FADE, Settings};
use capsules::Colours;
use capsules::sync::CrowdPicture;
use charts::plots::Zoom;
use charts::timeline::Timeline;
use egui::{CentralPanel, Context, Event, Frame, Rect};
use input::bindings::{self, Binding};
use input::keys::{Keys, Press};
use input::response::{Control, UiResponse};
use macroquad::input::{is_quit_requested, prevent_quit};
use macroquad::math::Rect as Area;
use macroquad::miniquad::conf::{LinuxBackend, Platform};
use macroquad::window::{
    Conf, clear_background, next_frame, request_new_screen_size, screen_dpi_scale, screen_width,
};
use panels::hints::Hints;
use platform::cpu_time::Cost;
use platform::event_log::Log;
use platform::vsync::{PERIOD, Pacing};
use platform::{IS_PAGE, display, gl, icon, png, title};
use state::command::Command;
use state::saver::Wanted;
use state::view::View;
use state::{Flow, State};
use std::path::PathBuf;
use timeslice::time::{Nanos, monotonic};
use title::Title;
use views::compare::CompareView;
use views::grid::overlay::OverView;
use widgets::theme;
use widgets::value::Typing;

/// Opens the window and stays until the user leaves.
///
/// # Errors
/// Where no window can be opened, or a file not be written: a sentence that says so.
pub fn open(settings: Settings, options: WindowOptions) -> Result<(), String> {
    display::check()?;
    let log = Log::open(options.log.as_deref()).map_err(|failure| failure.to_string())?;
    let conf = platform::drawn_with(conf(&options));
    platform::open_window(conf, run(settings, options, log))
}

/// Opens the page as its address says.
#[cfg(target_family = "wasm")]
pub fn open_page() {
    let asked = platform::begin();
    if let Err(sentence) = open(asked.settings, asked.options) {
        platform::give_up(&sentence);
    }
}

fn conf(options: &WindowOptions) -> Conf {
    let (width, height) = options.size;
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    Conf {
        window_title: title::opening(),
        icon: Some(icon::icon()),
        window_width: side(width),
        window_height: side(height),
        high_dpi: true,
        window_resizable: true,
        platform: Platform {
            linux_backend: LinuxBackend::X11WithWaylandFallback,
            swap_interval: Some(i32::from(options.vsync)),
            linux_wm_class: "timeslice-lab",
            ..Platform::default()
        },
        ..Conf::default()
    }
}

async fn run(settings: Settings, options: WindowOptions, log: Log) -> Result<(), String> {
    prevent_quit();
    let view = View::by_key(options.view).unwrap_or(View::Grid);
    let mut app = App {
        state: match options.still {
            Some(frames) => State::still(frames, settings, view, log),
            None => State::new(settings, view, log),
        },
        crowd: CrowdPicture::new()?,
        bindings: bindings::bindings(),
        keys: Keys::new(),
        typing: Typing::default(),
        timeline: Timeline::default(),
        zoom: Zoom::USUAL,
        lately: None,
        held_back: false,
        resolution: None,
        said_coarse: false,
        controls: Vec::new(),
        hints: Hints::new(&options),
        title: Title::default(),
        view: Rect::ZERO,
        pixels_per_point: 1.0,
        over_view: OverView::default(),
        comparing: CompareView::default(),
    };
    let mut pacing = if IS_PAGE {
        Pacing::by_browser()
    } else {
        Pacing::default()
    };
    egui_macroquad::cfg(theme::install);
    settle_scale(options.size);
    let mut pictures = 0;
    let mut interface = Cost::default();
    app.resolution = app.state.lane.machine().resolution();
    if let Some(resolution) = app.resolution {
        app.state
            .note(format_args!("clock steps of {resolution} ms"));
    }
    let counted = options.log.is_some();
    loop {
        let start = monotonic();
        app.state.update();
        if counted {
            interface.begin();
        }
        app.interface();
        interface.end();
        app.title.follow(app.state.lane.settings());
        app.paint_capsules()?;
        if counted {
            gl::finish(); // what the driver does for the capsules is not the interface's
            interface.begin();
        }
        egui_macroquad::draw();
        interface.end();
        app.save();
        gl::finish();
        app.state.drawn();

        pictures += 1;
        let last = options.frames.is_some_and(|frames| pictures >= frames);
        if last || app.state.leaving || is_quit_requested() {
            let saved = app.save_the_rest();
            if let Some(path) = options.screenshot.as_ref().filter(|_| !IS_PAGE) {
                let screen = macroquad::texture::get_screen_data();
                png::write_png(&screen, path)?;
            }
            if counted {
                app.state.sum_up(interface.sum(), pictures);
            }
            return saved;
        }

        let work = monotonic() - start;
        let rests = app.state.lane_rests() || app.state.lane.machine().is_simulated();
        app.state.wait();
        let held = app.state.left_to_wait();
        platform::hold_frame(held);
        let swap_start = monotonic();
        next_frame().await;
        let swap = (monotonic() - swap_start) - held;
        app.state.finish(swap);
        app.state.shown();
        let lane = &app.state.lane;
        let tells =
            held.is_zero() && Pacing::is_told_by(rests, lane.pace(), lane.has_slow_display());
        let by_timer = match (options.vsync, tells) {
            (false, _) => None,
            (true, true) => pacing.frame(work, swap),
            (true, false) => pacing.period(),
        };
        app.state.set_display_period(pacing.display());
        app.held_back = IS_PAGE || (options.vsync && pacing.is_held_back());
        app.state.lane.machine_mut().set_min_period(by_timer);
        if rests && (by_timer.is_some() || !options.vsync) {
            platform::rest(PERIOD - (monotonic() - start));
        }
    }
}

/// Makes the first picture as sharp and as large as all others. The interface's bindings learn the
/// display's scale only when it changes, and take two passes to follow; and X11 opens the window in pixels,
/// though its size is meant in points.
fn settle_scale((width, height): (u32, u32)) {
    let scale = screen_dpi_scale();
    for _ in 0..2 {
        egui_macroquad::ui(|ctx| ctx.set_pixels_per_point(scale));
        egui_macroquad::draw();
    }
    let (width, height) = (width as f32, height as f32);
    if !IS_PAGE && scale > 1.0 && screen_width() < width {
        request_new_screen_size(width, height);
    }
}

/// The state and its picture.
struct App {
    state: State,
    crowd: CrowdPicture,
    bindings: Vec<Binding>,
    keys: Keys,
    typing: Typing,
    timeline: Timeline,
    zoom: Zoom,
    lately: Option<Lately>,
    /// Whether the display holds frames back, whatever the frame loop wants.
    held_back: bool,
    /// The least step of the clock that the lane on this computer goes by; none where its machine is simulated.
    resolution: Option<Nanos>,
    /// Whether it was too coarse for what was shown last.
    said_coarse: bool,
    controls: Vec<Control>,
    hints: Hints,
    title: Title,
    view: Rect,
    /// So many pixels make one point of the interface.
    pixels_per_point: f32,
    over_view: OverView,
    comparing: CompareView,
}

impl App {
    /// Lays out the interface, and does what the user said through it or by a key.
    fn interface(&mut self) {
        let mut answer = UiResponse {
            by_key: self.hotkeys(),
            ..UiResponse::default()
        };
        let was_typing = self.typing.is_on();
        let mut popup_was_open = false;
        egui_macroquad::ui(|ctx| {
            popup_was_open = ctx.memory(egui::Memory::any_popup_open);
            // What is laid out here still stands by the scale of the picture before, should it be another now.
            self.pixels_per_point = ctx.pixels_per_point();
            ctx.set_pixels_per_point(platform::scale() * self.state.scale.factor());
            // With Ctrl held, the bindings report a letter as text, too.
            ctx.input_mut(|input| {
                let chord = input.modifiers.command;
                input
                    .events
                    .retain(|event| !(chord && matches!(event, Event::Text(_))));
            });
            let panel = CentralPanel::default().frame(Frame::NONE);
            panel.show(ctx, |ui| self.show(ui, &mut answer));
            self.give_back_focus(ctx);
        });
        // In a slow frame a field may be clicked and typed into at once; and one that is out of sight takes nothing.
        let was_unseen = self.typing.drop_unseen();
        let typing = self.typing.is_on() || (was_typing && !was_unseen);
        for (press, command) in answer.by_key {
            let is_typed = typing && !press.is_function_key();
            let closes_list = popup_was_open && command == Command::Escape;
            if !is_typed && !closes_list {
                self.state.apply(command);
            }
        }
        for command in answer.commands {
            self.state.apply(command);
        }
        self.tell_controls(answer.controls);
    }

    /// What the keys say that were pressed.
    fn hotkeys(&mut self) -> Vec<(Press, Command)> {
        let keys = self.keys.take().into_iter();
        keys.filter_map(|press| Some((press, bindings::command_of(&self.bindings, press)?)))
            .collect()
    }

    /// Only number fields take the keyboard: a button that did would swallow the next hotkey.
    fn give_back_focus(&self, ctx: &Context) {
        if !self.typing.is_on()
            && let Some(focused) = ctx.memory(egui::Memory::focused)
        {
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
        }
    }

    /// Saves what is on the screen, if a key said so, and tells what became of the last.
    fn save(&mut self) {
        if let Some((wanted, outcome)) = self.state.saver.news(monotonic()) {
            self.tell_saved(wanted, &outcome);
        }
        self.save_due();
    }

    /// Saves all that keys have said until now, for who leaves. Returns the first complaint.
    fn save_the_rest(&mut self) -> Result<(), String> {
        let mut all = Ok(());
        loop {
            self.save_due();
            let Some((wanted, outcome)) = self.state.saver.last_news(monotonic()) else {
                return all;
            };
            self.tell_saved(wanted, &outcome);
            all = all.and(outcome.map(drop));
        }
    }

    fn save_due(&mut self) {
        // What the view shows begins with the next frame, where it was only chosen now.
        if let Some(wanted) = self.state.saver.due().filter(|_| self.state.is_begun()) {
            let make = (wanted == Wanted::Folder).then(|| self.state.export());
            let stem = self.state.picture_name();
            let screen = platform::screen();
            self.state.saver.save(screen, make, PathBuf::new(), stem);
        }
    }

    fn tell_saved(&mut self, wanted: Wanted, outcome: &Result<PathBuf, String>) {
        let (done, failed) = match wanted {
            Wanted::Picture => ("screenshot", "no screenshot"),
            Wanted::Folder => ("exported", "no export"),
        };
        match outcome {
            Ok(path) => self.state.note(format_args!("{done} {}", path.display())),
            Err(sentence) => self.state.note(format_args!("{failed}: {sentence}")),
        }
    }

    /// Notes, for those who drive the program from outside, where each control is, in pixels.
    fn tell_controls(&mut self, controls: Vec<Control>) {
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

    /// Draws the capsules. The interface is drawn over them.
    fn paint_capsules(&mut self) -> Result<(), String> {
        clear_background(macroquad::color::Color::from_hex(0x15_17_1c));
        let scale = self.pixels_per_point;
        let fade_ms = self.state.lane.settings().knobs.get(&FADE) as f32;
        let colours = if self.state.staleness {
            Colours::Staleness
        } else {
            let stale_ms = 2.0 * fade_ms;
            Colours::Flash { fade_ms, stale_ms }
        };
        if self.state.view == View::Compare
            && let Some(comparison) = &mut self.state.others.comparison
        {
            let stands = self.state.flow == Flow::Paused;
            self.comparing.paint(comparison, scale, colours, stands)?;
        }
        if self.state.view != View::Grid {
            return Ok(());
        }
        let view = self.view * scale;
        let area = Area::new(view.left(), view.top(), view.width(), view.height());
        if std::mem::take(&mut self.state.restarted) || !self.state.lane.lists_all_runs() {
            self.crowd.renew();
        }
        let looked_at = self.state.looked_at;
        let past = looked_at.and_then(|number| self.state.history.frame(number));
        if let Some(past) = past {
            let (lane, history) = (&self.state.lane, &self.state.history);
            self.crowd.recall(lane, history, past, area);
            self.crowd.draw(past.now, colours);
        } else {
            let stands = self.state.flow == Flow::Paused;
            self.crowd.follow(&mut self.state.lane, area, stands);
            self.crowd.draw(self.state.lane.now(), colours);
        }
        Ok(())
    }
}
